"""The suite is worth something: each mistake that `PORTFOLIO_FAULT` makes is found by comparing holdings or orders."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import Application, Start
from fundsim.customer import Customer
from fundsim.partner import Partner
from fundsim.world import Bank, Clock, World
from test_portfolio import INDEX_FUND, onboard, paid_out

from portfolio.settings import Fault, Settings


class Day:
    """A few days at the application that meet every mistake, and what is found at the end."""

    def __init__(self, start: Start, customer: Customer, partner: Partner, clock: Clock, bank: Bank, world: World) -> None:
        self._start = start
        self._customer, self._partner, self._clock, self._bank, self._world = customer, partner, clock, bank, world

    def findings(self, fault: Fault) -> list[str]:
        """Lives through the days, and returns what is wrong."""
        application = self._start(fault)
        anna, payout = paid_out(application, self._customer, self._partner, self._clock)
        self._bank.bounce(payout)
        wanted = {"orderType": "subscription", "instrument": INDEX_FUND, "amount": "100.00"}
        for _ in range(2):
            application.post(f"/customers/{anna}/orders", wanted, key="asked twice")
        self._clock.at("2026-03-29T12:00")
        application.post(f"/customers/{anna}/deposits", {"amount": "25.00"})
        for moment in ("2026-03-30T06:00", "2026-03-31T06:00"):
            self._clock.at(moment)
            application.get("/holdings")
            application.post("/jobs/close-of-day")
        found = application.differences()
        orders = self._partner.orders.list()
        if len(orders) != 1:
            found.append(f"{len(orders)} orders at the service, and the customer has asked for 1")
        return found


@pytest.fixture
def days(
    start: Start, customer: Customer, partner: Partner, clock: Clock, bank: Bank, world: World
) -> Callable[[Fault], list[str]]:
    return Day(start, customer, partner, clock, bank, world).findings


@pytest.mark.fundsim(start="2026-03-20T10:00:00+01:00")
def test_nothing_is_found_where_there_is_no_mistake(days: Callable[[Fault], list[str]]) -> None:
    assert days(Fault.NONE) == []


@pytest.mark.fundsim(start="2026-03-20T10:00:00+01:00")
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Fault.DROP_EVENT, "cash of"),
        (Fault.IGNORE_BOUNCE, "cash of"),
        (Fault.DOUBLE_DEPOSIT, "cash of"),
        (Fault.RETRY_AS_NEW, "2 orders at the service"),
        (Fault.MISS_CLOCK_CHANGE_DAY, "cash of"),
    ],
)
def test_each_mistake_is_found(fault: Fault, words: str, days: Callable[[Fault], list[str]]) -> None:
    found = days(fault)
    assert any(one.startswith(words) for one in found), found


def test_every_mistake_has_a_case() -> None:
    cases = {case[0] for case in test_each_mistake_is_found.pytestmark[0].args[1]}  # type: ignore[attr-defined]
    assert cases == set(Fault) - {Fault.NONE}


def test_the_environment_names_the_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    names = "SERVICE_URL CLIENT CLIENT_ID CLIENT_SECRET CALLBACK_SECRET WEBHOOK_SECRET PUBLIC_URL"
    for name in names.split():
        monkeypatch.setenv(f"PORTFOLIO_{name}", "x")
    assert Settings.from_environment().fault is Fault.NONE
    monkeypatch.setenv("PORTFOLIO_FAULT", "ignore-bounce")
    assert Settings.from_environment().fault is Fault.IGNORE_BOUNCE
    monkeypatch.setenv("PORTFOLIO_FAULT", "ignore-bounces")
    with pytest.raises(SystemExit, match="PORTFOLIO_FAULT is ignore-bounces; there are: drop-event, ignore-bounce, "):
        Settings.from_environment()
    monkeypatch.delenv("PORTFOLIO_CLIENT")
    monkeypatch.delenv("PORTFOLIO_FAULT")
    with pytest.raises(SystemExit, match="PORTFOLIO_CLIENT is not set"):
        Settings.from_environment()


def test_an_order_without_an_answer_is_placed_twice_by_the_mistake(
    start: Start, customer: Customer, partner: Partner, clock: Clock, world: World
) -> None:
    application: Application = start(Fault.RETRY_AS_NEW)
    anna = onboard(application, customer, clock)
    world.faults.add({"drop": "after"}, method="POST", path="/v2/partner/client/*/order", times=1)
    application.post(f"/customers/{anna}/orders", {"orderType": "subscription", "instrument": INDEX_FUND, "amount": "100.00"})
    assert len(partner.orders.list()) == 2
