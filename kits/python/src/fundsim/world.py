"""A world: its clock, what its operator reads and breaks, and the acts of customers' banks, fund companies and the platform."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, cast
from zoneinfo import ZoneInfo

from fundsim import shapes
from fundsim.events import TIMEOUT, NotReceived
from fundsim.http import Amount, Refused, Resource, call, exact, id_of, without_none
from fundsim.partner import Partner
from fundsim.process import ServerProcess

STOCKHOLM = ZoneInfo("Europe/Stockholm")
"""Where the platform's clocks hang."""

_OBSERVER = {"fundsim-observer": "true"}
_SPAN = re.compile(r"(\d+) *(bank days?|days?|hours?|minutes?|seconds?|weeks?)", re.IGNORECASE)
_UNITS = {"week": "P{}W", "day": "P{}D", "hour": "PT{}H", "minute": "PT{}M", "second": "PT{}S"}


def span(text: str | timedelta) -> str:
    """A span of time as the service reads it: `"3 days"`, `"2 bank days"`, `"PT90M"`, or a `timedelta`."""
    if isinstance(text, timedelta):
        if text < timedelta(0):
            raise ValueError(f"a clock does not go back: {text}; use `world.rewind`")
        return f"PT{int(text.total_seconds())}S"
    if text.startswith("P"):
        return text
    found = _SPAN.fullmatch(text.strip())
    if found is None:
        raise ValueError(f'"{text}" is no span of time; write "3 days", "2 bank days", "90 minutes", "PT90M" or a timedelta')
    number, unit = found[1], found[2].lower().rstrip("s")
    return f"{number} bank days" if unit == "bank day" else _UNITS[unit].format(number)


def instant(moment: str | datetime) -> str:
    """An instant as the service reads it. One without an offset is local time in Stockholm."""
    found = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    if found.tzinfo is None:
        found = found.replace(tzinfo=STOCKHOLM)
    return found.astimezone(UTC).isoformat().replace("+00:00", "Z")


class Clock:
    """The clock of a world. It stands still until a test moves it."""

    def __init__(self, world: World) -> None:
        self._world = world

    @property
    def now(self) -> datetime:
        """The present instant of the world."""
        return datetime.fromisoformat(self._world.call("GET", "clock", observe=True)["now"])

    @property
    def today(self) -> str:
        """The present day in Stockholm, as YYYY-MM-DD."""
        return self.now.astimezone(STOCKHOLM).date().isoformat()

    def advance(self, by: str | timedelta) -> shapes.Advanced:
        """Moves on by a span: `"3 days"`, `"2 bank days"`, `"90 minutes"`, `"PT90M"` or a `timedelta`."""
        return self._advance(by=span(by))

    def at(self, moment: str | datetime) -> shapes.Advanced:
        """Moves on to an instant: `"2026-03-29T03:30"` is local time in Stockholm."""
        return self._advance(to=instant(moment))

    def until_settlement(self, order: Resource | None = None, *, instrument: str | None = None) -> shapes.Advanced:
        """Moves on until an order settles, an order of a fund, or any."""
        return self._advance(until="settlement", order=order and id_of(order), instrument=instrument)

    def until_cut_off(self, order: Resource | None = None, *, instrument: str | None = None) -> shapes.Advanced:
        """Moves on until the cut-off of an order, of a fund, or any."""
        return self._advance(until="cutOff", order=order and id_of(order), instrument=instrument)

    def until_booking(self, account: Resource) -> shapes.Advanced:
        """Moves on until a transaction on an account is created, settled or aborted."""
        return self._advance(until="booking", account=id_of(account))

    def until_next(self) -> shapes.Advanced:
        """Moves on until anything happens."""
        return self._advance(until="next")

    def _advance(self, **how: object) -> shapes.Advanced:
        __tracebackhide__ = True
        return cast("shapes.Advanced", self._world.call("POST", "clock/advance", without_none(**how)))


class Faults:
    """Rules by which requests, sockets and deliveries of a world go wrong."""

    def __init__(self, world: World) -> None:
        self._world = world

    def add(self, verdict: dict[str, Any], **match: object) -> shapes.Fault:
        """Adds a rule: `add({"answer": {"status": 503}}, method="POST", path="/v2/partner/client/*/order", times=1)`."""
        body = without_none(verdict=verdict, match=match or None)
        return cast("shapes.Fault", self._world.call("POST", "faults", body))

    def bundle(self, name: Literal["a bad day", "a deploy", "a slow partner"]) -> None:
        """Adds the rules of a bundle."""
        self._world.call("POST", "faults/bundles", {"name": name})

    def clear(self) -> None:
        """Removes all rules."""
        self._world.call("DELETE", "faults")

    def list(self) -> list[shapes.Fault]:
        """The rules, with how often each has hit."""
        return cast("list[shapes.Fault]", self._world.call("GET", "faults"))

    @contextmanager
    def during(self, verdict: dict[str, Any], **match: object) -> Iterator[shapes.Fault]:
        """A rule for a `with` block."""
        rule = self.add(verdict, **match)
        try:
            yield rule
        finally:
            self._world.call("DELETE", f"faults/{rule['id']}")


class Bank:
    """What customers' banks do: pay, refuse, and send back."""

    def __init__(self, world: World) -> None:
        self._world = world

    def pay_in(self, account: Resource, amount: Amount) -> shapes.BankgiroItem:
        """A payment over bankgiro, with an account's number as its reference; it is booked on the next bank day at 09:00."""
        ref = account if isinstance(account, str) else account["ref"]
        body = {"ref": ref, "amount": exact(amount)}
        return cast("shapes.BankgiroItem", self._world.act("/simulations/bankgiro", body, of=account))

    def pay(self, payment: Resource) -> shapes.MobilePayment:
        """The customer confirms a mobile payment."""
        return cast("shapes.MobilePayment", self._world.act(f"/simulations/mobilepay/{id_of(payment)}/pay"))

    def decline(self, payment: Resource) -> shapes.MobilePayment:
        """The customer declines a mobile payment."""
        return cast("shapes.MobilePayment", self._world.act(f"/simulations/mobilepay/{id_of(payment)}/decline"))

    def fail(self, payment: Resource, code: str = "FF10") -> shapes.MobilePayment:
        """A mobile payment fails with a code."""
        path = f"/simulations/mobilepay/{id_of(payment)}/fail"
        return cast("shapes.MobilePayment", self._world.act(path, {"errorCode": code}))

    def bounce(self, withdrawal: Resource) -> shapes.CashTransaction:
        """A payout comes back; the answer is the deposit that brings the money back."""
        return cast("shapes.CashTransaction", self._world.act(f"/simulations/withdrawal/{id_of(withdrawal)}/bounce"))

    def refuse_charge(self, payment: Resource, code: str = "2") -> shapes.Payment:
        """A charge by autogiro is refused with a reason."""
        return cast(
            "shapes.Payment",
            self._world.act(f"/simulations/payment/{id_of(payment)}/fail", {"reasonCode": code}),
        )

    def refund(self, payment: Resource) -> shapes.CashTransaction:
        """A payer has a charge by autogiro back."""
        return cast("shapes.CashTransaction", self._world.act(f"/simulations/payment/{id_of(payment)}/refund", {}))

    def check(self, bank_account: Resource, outcome: Literal["pass", "fail"] = "pass") -> shapes.BankAccount:
        """The check of a bank account ends."""
        path = f"/simulations/bankaccount/{id_of(bank_account)}/check"
        return cast("shapes.BankAccount", self._world.act(path, {"outcome": outcome}))

    def mandate(self, bank_account: Resource, code: str = "32") -> shapes.BankAccount:
        """The bank answers on a mandate: 32 accepts it, 02 revokes it."""
        path = f"/simulations/bankaccount/{id_of(bank_account)}/mandate"
        return cast("shapes.BankAccount", self._world.act(path, {"code": code}))


class FundCompany:
    """What fund companies do: prices, trading, corporate actions, and orders that they hold or refuse."""

    def __init__(self, world: World) -> None:
        self._world = world

    def price(self, instrument: Resource, close_price: Amount, day: str | None = None) -> shapes.Instrument:
        """A price is published: for a day, or for the present one."""
        return self._act(instrument, "price", closePrice=exact(close_price), priceDate=day)

    def delay_price(self, instrument: Resource, bank_days: int) -> shapes.Instrument:
        """Prices come so many bank days later."""
        return self._act(instrument, "delay-nav", bankDays=bank_days)

    def trading(
        self,
        instrument: Resource,
        *,
        buyable: bool | None = None,
        sellable: bool | None = None,
        tradable: bool | None = None,
    ) -> shapes.Instrument:
        """A fund opens or closes for purchases, sales, or both."""
        return self._act(instrument, "trading", isBuyable=buyable, isSellable=sellable, isTradable=tradable)

    def split(self, instrument: Resource, factor: Amount) -> shapes.Instrument:
        """One unit becomes so many."""
        return self._act(instrument, "split", factor=exact(factor))

    def merge(self, instrument: Resource, into: Resource, ratio: Amount | None = None) -> shapes.Instrument:
        """A fund becomes a part of another one."""
        return self._act(instrument, "merge", into=id_of(into), ratio=None if ratio is None else exact(ratio))

    def liquidate(self, instrument: Resource, price: Amount | None = None) -> shapes.Instrument:
        """A fund ends and pays out."""
        return self._act(instrument, "liquidate", price=None if price is None else exact(price))

    def hold(self, order: Resource) -> shapes.Order:
        """An order is put on hold."""
        return cast("shapes.Order", self._world.act(f"/simulations/order/{id_of(order)}/hold"))

    def release(self, order: Resource) -> shapes.Order:
        """An order is released from hold."""
        return cast("shapes.Order", self._world.act(f"/simulations/order/{id_of(order)}/release"))

    def reject(self, order: Resource) -> shapes.Order:
        """An order is refused; after its cut-off, with all orders that are sent together."""
        return cast("shapes.Order", self._world.act(f"/simulations/order/{id_of(order)}/reject"))

    def _act(self, instrument: Resource, what: str, **fields: object) -> shapes.Instrument:
        path = f"/simulations/instrument/{id_of(instrument)}/{what}"
        return cast("shapes.Instrument", self._world.act(path, without_none(**fields)))


class Platform:
    """What the platform does: accounts that exist already, approvals, bookings without an order, screening, deaths."""

    def __init__(self, world: World) -> None:
        self._world = world

    def open_account(
        self,
        client: Resource,
        account_type: Literal["isk", "depot", "insurance"] = "isk",
        *,
        cash: Amount | None = None,
        **more: object,
    ) -> shapes.Account:
        """Opens an account without a journey. `more` has `owner`, `name`, `positions`, `bankAccounts` and the like."""
        body = {"clientId": id_of(client), "accountType": account_type, **more}
        if cash is not None:
            body["cash"] = exact(cash)
        return cast("shapes.Account", self._world.act("/simulations/account", body))

    def approve(self, account: Resource) -> shapes.Account:
        """A pending account is approved."""
        return cast("shapes.Account", self._world.act(f"/simulations/account/{id_of(account)}/approve"))

    def reject(self, account: Resource) -> shapes.Account:
        """A pending account is rejected."""
        return cast("shapes.Account", self._world.act(f"/simulations/account/{id_of(account)}/reject"))

    def confirm(self, account: Resource) -> shapes.Account:
        """All signatures that are missing are given."""
        return cast("shapes.Account", self._world.act(f"/simulations/account/{id_of(account)}/confirm"))

    def book(self, account: Resource, **fields: object) -> shapes.CashTransaction | shapes.FundTransaction:
        """Books cash or units that no order has caused."""
        path = f"/simulations/account/{id_of(account)}/book"
        return cast("shapes.CashTransaction | shapes.FundTransaction", self._world.act(path, fields))

    def screen(self, hit: str, *, ssn: str | None = None, crn: str | None = None) -> list[shapes.Account]:
        """An owner is found on a list, or on none."""
        body = without_none(hit=hit, ssn=ssn, crn=crn)
        return cast("list[shapes.Account]", self._world.act("/simulations/screening", body))

    def death(self, ssn: str) -> list[shapes.Account]:
        """A person is reported dead."""
        return cast("list[shapes.Account]", self._world.act("/simulations/death", {"ssn": ssn}))


class World:
    """A world of its own: nothing of another world shows in it."""

    def __init__(self, server: ServerProcess, made: dict[str, Any], forget: Callable[[str], None]) -> None:
        self.server = server
        self._forget = forget
        self.id: str = made["worldId"]
        self.seed: int = made["seed"]
        self.start: str = made["now"]
        self.clock = Clock(self)
        self.faults = Faults(self)
        self.bank = Bank(self)
        self.fund_company = FundCompany(self)
        self.platform = Platform(self)
        self.partners = [Partner(server.url, partner) for partner in made["partners"]]

    @property
    def url(self) -> str:
        """The world for its operator: the beginning of addresses such as `/clock`."""
        return f"{self.server.url}/_sandbox/worlds/{self.id}"

    @property
    def console(self) -> str:
        """The address of its console."""
        return f"{self.server.url}/console/{self.id}"

    @property
    def partner(self) -> Partner:
        """Its first partner."""
        return self.partners[0]

    def partner_of(self, client: str) -> Partner:
        """The partner that a client belongs to."""
        for partner in self.partners:
            if client in partner.clients_by_id:
                return partner
        raise LookupError(f"no partner of {self.id} has the client {client}")

    def call(self, method: str, path: str, body: object = None, *, observe: bool = False, **query: object) -> Any:
        """Sends a request about this world as its operator: `world.call("GET", "events")`.

        With `observe`, it leaves no trace in logs and recordings.
        """
        __tracebackhide__ = True
        headers = _OBSERVER if observe else None
        return call(self.server.http, method, f"/_sandbox/worlds/{self.id}/{path}", body, query=query, headers=headers)

    def act(self, path: str, body: object = None, *, of: Resource | None = None) -> Any:
        """Pulls a lever: what somebody outside does, as in `act("/simulations/death", {"ssn": …})`.

        What belongs to a partner takes that partner's right: that of the resource `of` where it names its client, else each
        partner's in turn until one may.
        """
        __tracebackhide__ = True
        unknown: Refused | None = None
        client = None if of is None or isinstance(of, str) else of.get("clientId")
        for partner in self.partners if client is None else [self.partner_of(client)]:
            try:
                return partner.call("POST", path, body)
            except Refused as refused:
                if "unknown" not in refused.description and refused.status not in (403, 404):
                    raise
                unknown = unknown or refused
        raise unknown or LookupError(f"{self.id} has no partner")

    def webhook(
        self,
        url: str,
        *,
        client: str | None = None,
        events: list[str] | None = None,
        secret: str | None = None,
    ) -> shapes.Webhook:
        """Registers a webhook for a client; without `events`, for all of them."""
        body = without_none(client=client or self.partner.client, url=url, events=events, secret=secret)
        return cast("shapes.Webhook", self.call("POST", "webhooks", body))

    def events(self, **query: object) -> list[shapes.EventLine]:
        """The events that have happened, the oldest first."""
        return cast("list[shapes.EventLine]", self.call("GET", "events", observe=True, **query)["events"])

    def requests(self, **query: object) -> list[shapes.RequestLine]:
        """The last requests of partners, the newest first."""
        return cast("list[shapes.RequestLine]", self.call("GET", "requests", observe=True, **query)["requests"])

    def deliveries(self, **query: object) -> list[shapes.Delivery]:
        """Webhooks and callbacks, with their attempts."""
        return cast("list[shapes.Delivery]", self.call("GET", "deliveries", observe=True, **query)["deliveries"])

    def wait_for_deliveries(self, timeout: float = TIMEOUT) -> None:
        """Waits until everything that has happened so far was delivered to webhooks and callbacks, or refused for good."""
        ends, page = time.monotonic() + timeout, {"status": "queued", "limit": 1}
        while True:
            found = self.call("GET", "deliveries", observe=True, **page)
            if found["total"] == 0 and found["unread"] == 0:
                return
            if time.monotonic() > ends:
                waits = found["deliveries"][0] if found["deliveries"] else {"url": "?", "attempts": []}
                last = waits["attempts"][-1] if waits["attempts"] else "none yet"
                raise NotReceived(
                    f"{found['total']} deliveries still wait after {timeout} s; one to {waits['url']}, last attempt: {last}"
                )
            time.sleep(0.005)

    def why(self, resource: Resource) -> shapes.Why:
        """The changes that led to the present state of a resource, with their causes."""
        return cast("shapes.Why", self.call("GET", f"why/{id_of(resource)}", observe=True))

    def books(self) -> shapes.Books:
        """The ledger: what every account paid and received."""
        return cast("shapes.Books", self.call("GET", "books", observe=True))

    def settings(self, **changed: object) -> shapes.Settings:
        """Changes settings, such as `autoPay=False` or `deliveryWaitsSeconds=[1]`; the answer has all of them.

        Settings of the world and of its surface are named alike: which one a name is, the service says.
        """
        __tracebackhide__ = True
        now = self.call("GET", "settings")
        inner = {name: value for name, value in changed.items() if name in now["world"]}
        outer = {name: value for name, value in changed.items() if name not in inner}
        if not changed:
            return cast("shapes.Settings", now)
        return cast("shapes.Settings", self.call("PATCH", "settings", outer | ({"world": inner} if inner else {})))

    def scenario(self) -> str:
        """What partners have asked of this world so far, as a scenario file."""
        return cast("str", self.call("GET", "scenario", observe=True))

    def capsule(self) -> dict[str, Any]:
        """This world with all that led to it, for `fundsim open`. It is the operator's."""
        return cast("dict[str, Any]", self.call("GET", "capsule", observe=True))

    def coverage(self) -> dict[str, Any]:
        """What was met of this world, and what never."""
        return cast("dict[str, Any]", self.call("GET", "coverage", observe=True))

    def rewind(self, to: str | datetime) -> None:
        """Goes back to an earlier instant; what happened since is undone."""
        self.call("POST", "rewind", {"to": instant(to)})

    def keep(self) -> None:
        """Leaves the world on the server for good: it is no leak."""
        for partner in self.partners:
            partner.close()
        self._forget(self.id)

    def drop(self) -> None:
        """Ends the world."""
        for partner in self.partners:
            partner.close()
        self.server.call("DELETE", f"/_sandbox/worlds/{self.id}")
        self._forget(self.id)
