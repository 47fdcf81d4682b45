"""What each fixture does, as a partner's suite uses it."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from fundsim.customer import Customer
from fundsim.events import NotReceived
from fundsim.http import NoAnswer, Refused
from fundsim.pages import PageFault
from fundsim.partner import Partner
from fundsim.receiver import BadSignature, Receiver
from fundsim.server import LeakedWorlds, Server, ServerFailed
from fundsim.world import Bank, Clock, FundCompany, Platform, World, instant, span

INDEX_FUND = "SE0SBX000016SEK"


def test_a_subscription_settles_two_bank_days_later(partner: Partner, customer: Customer, clock: Clock) -> None:
    account = customer.account(cash=10_000)
    order = partner.orders.subscribe(account, INDEX_FUND, "2500.50", client_ref="first")
    assert order["status"] == "received"
    clock.until_settlement(order)
    assert clock.today == "2026-03-04"
    settled = partner.orders.get(order)
    assert settled["status"] == "settled"
    balance = partner.accounts.get(account)["balance"]
    assert balance == Decimal("7499.50")
    assert isinstance(balance, Decimal)
    assert [one["id"] for one in partner.orders.list(clientRef="first")] == [order["id"]]


def test_units_are_sold_and_cash_is_paid_out(
    partner: Partner, customer: Customer, clock: Clock, bank: Bank, receiver: Receiver
) -> None:
    account = customer.account(cash=1000, positions=[{"instrument": INDEX_FUND, "units": 10}])
    order = partner.orders.redeem(account, INDEX_FUND, 10)
    clock.until_settlement(order)
    customer.walk(partner.journeys.start("addBankAccount", callback_url=receiver.url, journey={"account": account["id"]}))
    clock.advance("1 minute")
    account = partner.accounts.get(account)
    payout = partner.withdrawals.start(account, "500.00")
    assert partner.withdrawals.limit(account)["max"] == account["balance"] - 500
    clock.advance("3 bank days")
    back = bank.bounce(payout)
    assert (back["transactionType"], back["refType"]) == ("deposit", "correction")
    assert partner.accounts.get(account)["balance"] == account["balance"]


def test_a_customer_walks_a_journey_and_its_callback_is_signed(partner: Partner, customer: Customer, receiver: Receiver) -> None:
    journey = partner.journeys.start("createAccount", callback_url=receiver.url)
    end = customer.walk(journey, {"kyc": {"purpose": "pension"}, "accountName": "Mine"}, person="199001012385")
    assert end.heading == "All done"
    assert receiver.wait_for("journey.callback", status="complete").body["id"] == journey["id"]
    opened = partner.accounts.list()[-1]
    assert (opened["name"], opened["owner"]["ssn"]) == ("Mine", "199001012385")  # type: ignore[typeddict-item]


@pytest.mark.parametrize(
    ("how", "status", "code"),
    [
        ({"leave_at": "kyc"}, "canceled", "USER_ERROR"),
        ({"identify": "abort"}, "canceled", "USER_ERROR"),
        ({"identify": "fail"}, "error", "AUTH_ERROR"),
        ({"sign": "fail"}, "error", "SIGN_ERROR"),
        ({"person": "197001032387"}, "error", "KYC_ERROR"),
    ],
)
def test_a_customer_ends_a_journey_in_every_way(
    how: dict[str, Any], status: str, code: str, partner: Partner, customer: Customer, receiver: Receiver
) -> None:
    journey = partner.journeys.start("createAccount", callback_url=receiver.url)
    customer.walk(journey, **how)
    callback = receiver.wait_for("journey.callback")
    assert (callback.body["status"], callback.body["error"]["code"]) == (status, code)


JOURNEYS: list[tuple[str, dict[str, Any]]] = [
    ("addBankAccount", {"autogiro": {"enforce": "required", "forceNewBankAccount": True}}),
    ("updateAllocationPlan", {}),
    ("updateSavingsPlan", {"savingsPlan": {"periodicity": "monthly"}}),
    ("kycRenewal", {}),
]


@pytest.mark.parametrize(("kind", "more"), JOURNEYS)
def test_a_customer_walks_every_kind_of_journey(
    kind: str, more: dict[str, Any], partner: Partner, customer: Customer, receiver: Receiver
) -> None:
    account = customer.account()
    journey = partner.journeys.start(kind, callback_url=receiver.url, journey={"account": account["id"], **more})
    customer.walk(journey)
    assert partner.journeys.get(journey)["status"] == "complete"


def test_a_company_is_walked_through_all_its_pages(partner: Partner, customer: Customer, receiver: Receiver) -> None:
    options = {"serviceTypes": ["executionOnly"], "accountTypes": ["depot"], "accountCategories": ["retail"]}
    configuration = {
        "accountServiceType": "executionOnly",
        "accountOptions": {**options, "ownerType": "legal_entity"},
    }
    customer.walk(partner.journeys.start("createLegalEntityAccount", callback_url=receiver.url, journey=configuration))
    names = [page.name for page in customer.pages]
    assert "company" in names
    assert "beneficialOwners" in names


def test_a_customer_says_what_a_page_does_not_have(partner: Partner, customer: Customer, receiver: Receiver) -> None:
    def journey() -> Any:
        return partner.journeys.start("createAccount", callback_url=receiver.url)

    with pytest.raises(PageFault, match="no page has asked for kyc.purpos"):
        customer.walk(journey(), {"kyc": {"purpos": "pension"}})
    with pytest.raises(PageFault, match="`purpose` does not offer 'x'; it offers: savings, pension"):
        customer.walk(journey(), {"purpose": "x"})
    with pytest.raises(PageFault, match="no page is called kcy; pages were: authentication"):
        customer.walk(journey(), leave_at="kcy")
    about = {"account": customer.account()["id"]}
    bank_account = partner.journeys.start("addBankAccount", callback_url=receiver.url, journey=about)
    with pytest.raises(PageFault, match="the page bankAccount refuses what was filled in: iban"):
        customer.walk(bank_account, {"iban": "SE12"})


def test_webhooks_come_in_order_and_are_asserted_in_order(
    partner: Partner, customer: Customer, receiver: Receiver, clock: Clock
) -> None:
    account = customer.account(cash=1000)
    receiver.subscribe("order.create", "order.update")
    order = partner.orders.subscribe(account, INDEX_FUND, 1000)
    clock.until_settlement(order)
    created, *updates = receiver.expect("order.create", *["order.update"] * 4, about=order)
    assert created.current["amount"] == Decimal("1000.00")
    assert [one.current["status"] for one in updates] == ["pending", "sent", "sent", "settled"]
    with pytest.raises(NotReceived, match=r"order.create did not come within 0.05 s; came: nothing"):
        receiver.expect("order.create", about=order, timeout=0.05)
    with pytest.raises(
        NotReceived, match=r"order.update status='hold' did not come within 0.05 s; came: order.create, order.update"
    ):
        receiver.wait_for("order.update", 0.05, status="hold")


def test_expect_names_what_came_instead(partner: Partner, customer: Customer, receiver: Receiver) -> None:
    receiver.subscribe()
    account = customer.account(cash=1000)
    with pytest.raises(NotReceived, match=r"expected in this order: account.update; came: account.create"):
        receiver.expect("account.update", about=account)
    receiver.wait_for("cashTransaction.create")
    partner.orders.subscribe(account, INDEX_FUND, 1000)
    with pytest.raises(NotReceived, match="nothing more was expected"):
        receiver.nothing_more(2)


def test_a_bad_signature_fails_the_test_and_is_answered_401(world: World, customer: Customer, receiver: Receiver) -> None:
    receiver.subscribe()
    world.faults.add({"deliveries": "corruptSignature"}, times=1)
    customer.account()
    with pytest.raises(BadSignature, match="account.create"):
        receiver.wait_for("account.create")


@pytest.mark.fundsim(setup={"settings": {"deliveryWaitsSeconds": [1]}})
def test_a_delivery_that_is_refused_for_now_comes_again(world: World, customer: Customer, receiver: Receiver) -> None:
    receiver.subscribe("account.create")
    receiver.answer_next(503)
    account = customer.account()
    first = receiver.wait_for("account.create")
    again = receiver.wait_for("account.create")
    assert (first.id, len(receiver.of(account["id"]))) == (again.id, 2)


def test_the_socket_shows_events_as_they_happen(partner: Partner, customer: Customer, clock: Clock) -> None:
    with partner.events() as events:
        assert events.hello["eventType"] == "hello"
        account = customer.account(cash=1000)
        order = partner.orders.subscribe(account, INDEX_FUND, 1000)
        clock.until_cut_off(order)
        events.wait_for("order.update", status="pending", id=order["id"])
        assert {"account.create", "cashTransaction.create"} <= {one["eventType"] for one in events.seen}
        with pytest.raises(NotReceived, match=r"order.delete did not come within 0.1 s; came:"):
            events.wait_for("order.delete", 0.1)


@pytest.mark.fundsim(seed=7, start="2026-03-28T23:30:00+01:00", market={INDEX_FUND: "125.00"})
def test_the_marker_says_what_the_world_is_like(world: World, partner: Partner, clock: Clock) -> None:
    assert (world.seed, clock.today) == (7, "2026-03-28")
    assert partner.instruments.get(INDEX_FUND)["closePrice"] == 125
    clock.at("2026-03-29T03:30")
    assert clock.now.isoformat() == "2026-03-29T01:30:00+00:00"


@pytest.mark.fundsim(settings={"autoPay": False})
def test_levers_act_for_others(
    world: World,
    partner: Partner,
    customer: Customer,
    bank: Bank,
    fund_company: FundCompany,
    platform: Platform,
    clock: Clock,
) -> None:
    account = customer.account(cash=5000)
    paid = partner.deposits.start(account, 100)
    assert partner.deposits.get(paid)["status"] == "pending"
    assert bank.pay(paid)["status"] == "paid"
    declined = partner.deposits.start(account, 100)
    assert bank.decline(declined)["errorCode"] == "DECLINED"
    order = partner.orders.subscribe(account, INDEX_FUND, 1000)
    clock.advance("2 seconds")
    assert fund_company.hold(order)["status"] == "hold"
    assert fund_company.release(order)["status"] == "pending"
    assert fund_company.reject(order)["status"] == "canceled"
    bank.pay_in(account, "250.00")
    clock.advance("2 bank days")
    assert partner.accounts.get(account)["balance"] == Decimal("5350.00")
    other = world.partners[1]
    theirs = platform.open_account(other.client, cash=1)
    bank.pay_in(theirs, 99)
    clock.advance("2 bank days")
    assert other.accounts.get(theirs)["balance"] == 100


def test_a_refusal_has_the_words_of_the_service(partner: Partner, customer: Customer) -> None:
    with pytest.raises(Refused, match=r"POST .*/order was answered 400 invalid_request: amount") as refused:
        partner.orders.subscribe(customer.account(cash=1), INDEX_FUND, 1000)
    assert refused.value.status == 400


def test_a_dropped_connection_is_no_answer(world: World, partner: Partner) -> None:
    world.faults.add({"drop": "before"}, path="/v2/partner/client/*/account", times=1)
    with pytest.raises(NoAnswer, match="GET .*/account had no answer: RemoteProtocolError"):
        partner.accounts.list()


def test_amounts_are_exact() -> None:
    from fundsim.http import exact

    assert exact("0.10") == Decimal("0.10")
    with pytest.raises(TypeError, match=r'0.1 is a float; write "0.1" or a Decimal'):
        exact(0.1)  # type: ignore[arg-type]


def test_spans_and_instants_are_read_as_people_write_them() -> None:
    rows = {
        "3 days": "P3D",
        "1 day": "P1D",
        "2 bank days": "2 bank days",
        "90 minutes": "PT90M",
        "PT5S": "PT5S",
    }
    assert {given: span(given) for given in rows} == rows
    assert span(timedelta(hours=1)) == "PT3600S"
    assert instant("2026-07-01T09:00") == "2026-07-01T07:00:00Z"
    assert instant("2026-07-01T09:00Z") == "2026-07-01T09:00:00Z"
    with pytest.raises(ValueError, match='"3 fortnights" is no span of time; write "3 days"'):
        span("3 fortnights")
    with pytest.raises(ValueError, match="a clock does not go back"):
        span(timedelta(days=-1))


def test_worlds_are_apart_and_a_world_is_dropped_at_the_end_of_its_block(fundsim: Server, world: World) -> None:
    with fundsim.world(seed=1) as other:
        assert other.id != world.id
        other.platform.open_account(other.partner.client)
        assert len(other.partner.accounts.list()) == len(world.partner.accounts.list()) + 1
    assert fundsim.leaked() == {world.id: fundsim._made[world.id]}


def test_a_world_that_is_not_dropped_is_a_leak(fundsim: Server) -> None:
    left = fundsim.make_world(name="a test that forgets")
    try:
        with pytest.raises(LeakedWorlds, match=f"{left.id}, made for a test that forgets"):
            fundsim.check_leaks()
    finally:
        left.drop()


def test_a_server_that_does_not_start_says_why() -> None:
    with pytest.raises(ServerFailed, match="unexpected argument '--no-such-flag'"):
        Server.start("--no-such-flag")
    with pytest.raises(ServerFailed, match="no server answers at http://127\\.0\\.0\\.1:9"):
        Server.at("http://127.0.0.1:9")
