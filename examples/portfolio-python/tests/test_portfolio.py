"""The application as a customer and a bank meet it."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from conftest import Application, Start
from fundsim.customer import Customer
from fundsim.partner import Partner
from fundsim.world import Bank, Clock, FundCompany, World

INDEX_FUND = "SE0SBX000016SEK"


def onboard(application: Application, customer: Customer, clock: Clock, cash: str = "10000.00") -> str:
    """A customer with an account that is active and holds cash; the customer's id in the application."""
    opened = application.post("/customers", {})
    customer.walk(opened["url"])
    clock.advance("1 hour")
    made = application.get(f"/customers/{opened['customer']}")
    assert made["status"] == "active"
    application.post(f"/customers/{made['customer']}/deposits", {"amount": cash})
    clock.advance("10 seconds")
    return str(made["customer"])


def test_a_customer_signs_pays_in_and_owns_a_fund(application: Application, customer: Customer, clock: Clock) -> None:
    anna = onboard(application, customer, clock)
    order = application.post(
        f"/customers/{anna}/orders", {"orderType": "subscription", "instrument": INDEX_FUND, "amount": "2500.50"}
    )
    clock.until_settlement(order)
    owned = application.get(f"/portfolio/{anna}")
    assert owned["cash"] == "7499.50"
    assert [one["instrument"] for one in owned["positions"]] == [INDEX_FUND]
    assert Decimal(owned["value"]) == Decimal(owned["cash"]) + Decimal(owned["positions"][0]["value"])
    assert application.get(f"/customers/{anna}/orders")[0]["status"] == "settled"
    assert application.differences() == []


@pytest.mark.parametrize(
    ("how", "status", "reason"),
    [
        ({"leave_at": "kyc"}, "canceled", "USER_ERROR"),
        ({"sign": "fail"}, "error", "SIGN_ERROR"),
        ({"person": "197001032387"}, "error", "KYC_ERROR"),
    ],
)
def test_a_customer_who_does_not_come_through_has_no_account(
    how: dict[str, Any], status: str, reason: str, application: Application, customer: Customer
) -> None:
    opened = application.post("/customers")
    customer.walk(opened["url"], **how)
    shown = application.get(f"/customers/{opened['customer']}")
    assert (shown["status"], shown["reason"], shown["account"]) == (status, reason, None)


def test_units_are_sold_and_the_proceeds_are_paid_out(
    application: Application, customer: Customer, partner: Partner, clock: Clock
) -> None:
    anna = onboard(application, customer, clock)
    account = application.get(f"/customers/{anna}")["account"]
    bought = application.post(
        f"/customers/{anna}/orders", {"orderType": "subscription", "instrument": INDEX_FUND, "amount": 5000}
    )
    clock.until_settlement(bought)
    units = application.get(f"/portfolio/{anna}")["positions"][0]["units"]
    sold = application.post(f"/customers/{anna}/orders", {"orderType": "redemption", "instrument": INDEX_FUND, "units": units})
    clock.advance("2 seconds")
    # What is being sold has left the units and is not settled yet.
    (position,) = application.get(f"/portfolio/{anna}")["positions"]
    assert (position["units"], position["unitsSettled"]) == ("0", units)
    clock.until_settlement(sold)
    assert application.get(f"/portfolio/{anna}")["positions"] == []
    callback = f"{application.url}/callbacks"
    customer.walk(partner.journeys.start("addBankAccount", callback_url=callback, journey={"account": account}))
    clock.advance("1 minute")
    application.get("/holdings")
    application.post(f"/customers/{anna}/withdrawals", {"amount": "1000.00"})
    assert application.differences() == []


def test_a_corporate_action_changes_units_without_an_order(
    application: Application, customer: Customer, clock: Clock, fund_company: FundCompany
) -> None:
    account = customer.account(positions=[{"instrument": INDEX_FUND, "units": 10}])
    fund_company.split(INDEX_FUND, 3)
    clock.advance("1 bank day")
    (mine,) = [one for one in application.get("/holdings")["accounts"] if one["account"] == account["id"]]
    assert mine["positions"] == [{"instrument": INDEX_FUND, "units": "30", "unitsSettled": "30"}]
    assert application.differences() == []


def test_a_mobile_payment_that_is_declined_changes_nothing(
    application: Application, customer: Customer, clock: Clock, world: World, bank: Bank
) -> None:
    anna = onboard(application, customer, clock, cash="100.00")
    world.settings(autoPay=False)
    asked = application.post(f"/customers/{anna}/deposits", {"amount": "50.00"})
    bank.decline(asked["deposit"])
    assert application.get(f"/portfolio/{anna}")["cash"] == "100.00"
    assert application.differences() == []


def test_a_payout_that_bounces_is_cash_again(
    application: Application, customer: Customer, partner: Partner, clock: Clock, bank: Bank
) -> None:
    anna, payout = paid_out(application, customer, partner, clock)
    assert application.get(f"/portfolio/{anna}")["cash"] == "9000.00"
    bank.bounce(payout)
    assert application.get(f"/portfolio/{anna}")["cash"] == "10000.00"
    assert application.differences() == []


def paid_out(application: Application, customer: Customer, partner: Partner, clock: Clock) -> tuple[str, str]:
    """A customer and a payout of 1,000 that was sent; the payout's id."""
    anna = onboard(application, customer, clock)
    account = application.get(f"/customers/{anna}")["account"]
    callback = f"{application.url}/callbacks"
    customer.walk(partner.journeys.start("addBankAccount", callback_url=callback, journey={"account": account}))
    clock.advance("1 minute")
    application.get("/holdings")
    payout = application.post(f"/customers/{anna}/withdrawals", {"amount": "1000.00"})
    clock.advance("3 bank days")
    return anna, payout["withdrawal"]


def test_a_request_that_is_sent_again_with_its_key_makes_nothing_new(
    application: Application, customer: Customer, partner: Partner, clock: Clock
) -> None:
    anna = onboard(application, customer, clock)
    wanted = {"orderType": "subscription", "instrument": INDEX_FUND, "amount": "100.00"}
    first = application.post(f"/customers/{anna}/orders", wanted, key="one")
    assert application.post(f"/customers/{anna}/orders", wanted, key="one") == first
    assert len(partner.orders.list()) == 1
    other = application.http.post(
        f"/customers/{anna}/orders", json={**wanted, "amount": "200.00"}, headers={"idempotency-key": "one"}
    )
    assert (other.status_code, other.json()["error"]) == (422, "this Idempotency-Key was used for another request")
    assert application.post(f"/customers/{anna}/orders", wanted, key="two")["id"] != first["id"]


@pytest.mark.parametrize(
    "verdict",
    [{"drop": "after"}, {"drop": "before"}, {"answer": {"status": 503, "retryAfter": 0}}],
    ids=["answer lost", "request lost", "unavailable"],
)
def test_an_order_without_an_answer_is_placed_once(
    verdict: dict[str, Any], application: Application, customer: Customer, partner: Partner, clock: Clock, world: World
) -> None:
    anna = onboard(application, customer, clock)
    world.faults.add(verdict, method="POST", path="/v2/partner/client/*/order", times=2)
    wanted = {"orderType": "subscription", "instrument": INDEX_FUND, "amount": "100.00"}
    placed = application.post(f"/customers/{anna}/orders", wanted, key="one")
    assert [one["id"] for one in partner.orders.list()] == [placed["id"]]
    assert application.post(f"/customers/{anna}/orders", wanted, key="one") == placed


def test_a_refused_order_is_answered_with_the_words_of_the_service(
    application: Application, customer: Customer, clock: Clock
) -> None:
    anna = onboard(application, customer, clock, cash="10.00")
    wanted = {"orderType": "subscription", "instrument": INDEX_FUND, "amount": "100.00"}
    answer = application.http.post(f"/customers/{anna}/orders", json=wanted)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("amount")
    wrong = application.http.post(f"/customers/{anna}/orders", json={**wanted, "amount": 0.1})
    assert 'written as a text: "2500.50"' in wrong.json()["error"]


@pytest.mark.parametrize("name", ["duplicate", "reorder", "delay", "drop", "fail"])
def test_events_that_come_twice_late_or_never_leave_the_books_right(
    name: str, application: Application, customer: Customer, clock: Clock, world: World
) -> None:
    verdict: dict[str, Any] = {"deliveries": name}
    if name in ("reorder", "delay"):
        verdict["ms"] = 50
    world.settings(deliveryWaitsSeconds=[1, 1, 1, 1])
    anna = onboard(application, customer, clock)
    world.faults.add(verdict, probability=Decimal("0.5"), times=3 if name == "fail" else 20)
    for amount in ("100.00", "200.00", "300.00"):
        order = application.post(
            f"/customers/{anna}/orders", {"orderType": "subscription", "instrument": INDEX_FUND, "amount": amount}
        )
        clock.until_settlement(order)
    world.wait_for_deliveries(10)
    application.post("/jobs/close-of-day")
    assert application.differences() == []


def test_what_happened_while_the_application_was_down_is_read_at_its_start(
    start: Start, customer: Customer, partner: Partner, clock: Clock
) -> None:
    account = customer.account(cash=1000)
    clock.until_settlement(partner.orders.subscribe(account, INDEX_FUND, 1000))
    application = start()
    assert application.differences() == []


def test_books_and_keys_outlive_the_process(
    start: Start, customer: Customer, partner: Partner, clock: Clock, world: World, tmp_path: Path
) -> None:
    first = start(database=str(tmp_path / "portfolio.sqlite"))
    anna = onboard(first, customer, clock)
    wanted = {"orderType": "subscription", "instrument": INDEX_FUND, "amount": "100.00"}
    placed = first.post(f"/customers/{anna}/orders", wanted, key="one")
    # The answer of this one is lost, and then the process ends.
    world.faults.add({"drop": "after"}, method="POST", path="/v2/partner/client/*/order", times=1)
    world.faults.add({"answer": {"status": 400}}, method="GET", path="/v2/partner/client/*/order", times=1)
    lost = first.http.post(f"/customers/{anna}/orders", json=wanted, headers={"idempotency-key": "two"})
    assert lost.status_code == 400
    first.stop()
    clock.advance("5 bank days")
    second = start(database=str(tmp_path / "portfolio.sqlite"))
    assert second.post(f"/customers/{anna}/orders", wanted, key="one") == placed
    assert len(second.get(f"/customers/{anna}/orders")) == len(partner.orders.list()) == 2
    assert second.differences() == []


def test_what_is_not_signed_is_refused(application: Application) -> None:
    for path in ("/events", "/callbacks"):
        assert application.http.post(path, json={"current": {"id": "x"}}).status_code == 401


@pytest.mark.fundsim(start="2026-03-27T10:00:00+01:00")
def test_days_are_closed_one_by_one_when_clocks_go_forward(application: Application, customer: Customer, clock: Clock) -> None:
    anna = onboard(application, customer, clock, cash="100.00")
    for moment, amount in [("2026-03-28T12:00", "1.00"), ("2026-03-29T12:00", "2.00"), ("2026-03-29T23:40", "4.00")]:
        clock.at(moment)
        application.post(f"/customers/{anna}/deposits", {"amount": amount})
        clock.advance("10 seconds")
    clock.at("2026-03-31T06:00")
    application.get("/holdings")
    assert application.post("/jobs/close-of-day")["closed"] == ["2026-03-27", "2026-03-28", "2026-03-29", "2026-03-30"]
    account = application.get(f"/customers/{anna}")["account"]

    def cash_at(day: str) -> str:
        (mine,) = [one for one in application.get("/holdings", day=day)["accounts"] if one["account"] == account]
        return str(mine["cash"])

    days = ["2026-03-27", "2026-03-28", "2026-03-29", "2026-03-30"]
    assert [cash_at(day) for day in days] == ["100.00", "101.00", "103.00", "107.00"]
    assert application.differences() == []
