"""Whatever customers, banks and fund companies do in random days, the books are right at the end."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from conftest import Application
from fundsim.customer import Customer
from fundsim.http import Refused
from fundsim.partner import Partner
from fundsim.world import Bank, Clock, FundCompany, Platform

FUNDS = ["SE0SBX000016SEK", "SE0SBX000024SEK", "IE0SBX000074USD", "SE0SBX000255SEK", "LU0SBX000058EUR"]
STEPS = 60


class Days:
    """What may happen, drawn by a seed. Most of it is refused now and then, which is no fault."""

    def __init__(
        self,
        seed: int,
        accounts: list[Any],
        partner: Partner,
        bank: Bank,
        fund_company: FundCompany,
        platform: Platform,
        clock: Clock,
    ) -> None:
        self._draw = random.Random(seed)
        self._accounts, self._partner, self._bank = accounts, partner, bank
        self._fund_company, self._platform, self._clock = fund_company, platform, clock
        self._orders: list[Any] = []
        self._payouts: list[Any] = []
        self._instructions: list[Any] = []
        acts = [self.buy] * 4 + [self.sell] * 3 + [self.deposit] * 2 + [self.pay_out] * 2 + [self.pass_time] * 4
        self._acts: list[Callable[[], object]] = [
            *acts,
            self.bounce,
            self.charge,
            self.refund,
            self.split,
            self.cancel,
            self.give,
        ]

    def step(self) -> None:
        """Does one thing, or is refused."""
        with suppress(Refused, LookupError):
            self._draw.choice(self._acts)()

    def account(self) -> Any:
        return self._partner.accounts.get(self._draw.choice(self._accounts))

    def buy(self) -> None:
        amount = self._draw.randint(500, 3000)
        self._orders.append(self._partner.orders.subscribe(self.account(), self._draw.choice(FUNDS), amount))

    def sell(self) -> None:
        account = self.account()
        position = self._draw.choice(account["positions"])
        self._orders.append(self._partner.orders.redeem(account, position["instrument"], position["units"]))

    def deposit(self) -> None:
        self._partner.deposits.start(self.account(), f"{self._draw.randint(1, 500)}.{self._draw.randint(0, 12):02d}")
        self._bank.pay_in(self.account(), self._draw.randint(1, 3000))

    def pay_out(self) -> None:
        self._payouts.append(self._partner.withdrawals.start(self.account(), self._draw.randint(1, 500)))

    def bounce(self) -> None:
        self._bank.bounce(self._draw.choice(self._payouts))

    def charge(self) -> None:
        reference = f"charge {len(self._instructions)}"
        self._instructions.append(self._partner.instructions.start([(self.account(), self._draw.randint(1, 400), reference)]))

    def refund(self) -> None:
        self._bank.refund(self._partner.instructions.get(self._draw.choice(self._instructions))["payments"][0])

    def split(self) -> None:
        self._fund_company.split(self._draw.choice(FUNDS), self._draw.choice(["2", "3", "0.5"]))

    def cancel(self) -> None:
        self._partner.orders.cancel(self._draw.choice(self._orders))

    def give(self) -> None:
        self._platform.book(self.account(), transactionType="deposit", refType="gift", amount=self._draw.randint(1, 99))

    def pass_time(self) -> None:
        self._clock.advance(self._draw.choice(["7 hours", "1 day", "2 bank days", "P1M"]))


@pytest.mark.parametrize("seed", range(4))
def test_the_books_are_right_after_random_days(
    seed: int,
    application: Application,
    customer: Customer,
    partner: Partner,
    bank: Bank,
    fund_company: FundCompany,
    platform: Platform,
    clock: Clock,
) -> None:
    accounts = [customer.account("isk" if number % 2 else "depot", cash=20_000) for number in range(3)]
    callback = f"{application.url}/callbacks"
    for account in accounts:
        about = {"account": account["id"], "autogiro": {"enforce": "required", "forceNewBankAccount": True}}
        customer.walk(partner.journeys.start("addBankAccount", callback_url=callback, journey=about))
    clock.advance("5 bank days")
    days = Days(seed, accounts, partner, bank, fund_company, platform, clock)
    for _ in range(STEPS):
        days.step()
    assert application.differences() == []
    clock.advance("10 bank days")
    application.get("/holdings")
    application.post("/jobs/close-of-day")
    assert application.differences() == []
