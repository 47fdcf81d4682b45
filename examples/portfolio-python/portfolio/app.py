"""The HTTP surface of the application.

| request | does |
|---|---|
| `POST /customers` | begins to open an account; the answer's `url` is where the customer signs |
| `GET /customers/{customer}` | how far that is |
| `POST /customers/{customer}/deposits` | asks the customer for a mobile payment |
| `POST /customers/{customer}/orders` | buys for an amount, or sells units |
| `POST /customers/{customer}/withdrawals` | pays cash out |
| `GET /customers/{customer}/orders` | the customer's orders |
| `GET /portfolio/{customer}` | what the customer holds, and what it is worth |
| `GET /holdings` | what all accounts hold by the application's own books; `?day=` at the close of a day |
| `POST /jobs/close-of-day` | closes days that have ended; a scheduler calls it each night |
| `POST /jobs/reconcile` | reads what may have been missed; `?everything=true` once a day |
| `POST /reset` | forgets everything, where `PORTFOLIO_MAY_RESET` is 1 |
| `POST /events`, `POST /callbacks` | what the service sends |

Requests that make something take an `Idempotency-Key`: the same key with the same body has the same answer.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import threading
import uuid
from collections.abc import AsyncIterator, Callable
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any

import simplejson
from fastapi import Body, FastAPI, Header, Request, Response
from fastapi.responses import JSONResponse
from standardwebhooks import Webhook, WebhookVerificationError

from portfolio.books import CASH, Books, Counted
from portfolio.copying import Copying
from portfolio.service import Refused, Service, Unavailable
from portfolio.settings import Fault, Settings

Key = Annotated[str | None, Header(alias="Idempotency-Key")]


class Problem(Exception):
    """An answer other than 200, with words for the caller."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status
        self.words = words


class Portfolio:
    """The application behind its routes."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.service = Service(settings.service_url, settings.client, settings.client_id, settings.client_secret)
        self.books = Books(settings.database, self.service.now(), settings.fault)
        self.copying = Copying(self.books, self.service, settings.fault)
        self._asking = threading.Lock()
        self._keys: dict[str, threading.Lock] = {}

    def close(self) -> None:
        """Closes the books and the connections."""
        self.service.close()
        self.books.close()

    # What is asked for once

    def once(self, key: str | None, request: object, make: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
        """Makes something once for a key: `make` is given the reference under which it is looked for again.

        The key is kept before the service is asked. So when this process ends in between, the next request with the key finds
        the reference, and looks with it for what may have been made.
        """
        if key is None or self.settings.fault is Fault.RETRY_AS_NEW:
            return make(str(uuid.uuid4()))
        fingerprint = hashlib.sha256(simplejson.dumps(request, use_decimal=True, sort_keys=True).encode()).hexdigest()
        with self._asking:
            turn = self._keys.setdefault(key, threading.Lock())
        with turn:
            known = self.books.row("select * from asked where key = ?", key)
            if known is not None and known["request"] != fingerprint:
                raise Problem(422, "this Idempotency-Key was used for another request")
            if known is not None and known["answer"] is not None:
                answer = simplejson.loads(known["answer"], use_decimal=True)
                if known["status"] != 200:
                    raise Problem(known["status"], answer["error"])
                return dict(answer)
            reference = str(known["client_ref"]) if known is not None else str(uuid.uuid4())
            if known is None:
                with self.books.change() as change:
                    change.execute("insert into asked (key, request, client_ref) values (?, ?, ?)", (key, fingerprint, reference))
            try:
                made = make(reference)
            except Refused as refused:
                # What was refused once may be taken later, but not under this key.
                self._answered(key, 400, {"error": refused.words})
                raise
            self._answered(key, 200, made)
            return made

    def _answered(self, key: str, status: int, answer: dict[str, Any]) -> None:
        text = simplejson.dumps(answer, use_decimal=True)
        with self.books.change() as change:
            change.execute("update asked set status = ?, answer = ? where key = ?", (status, text, key))

    def find(self, look: Callable[[], list[dict[str, Any]]]) -> Callable[[], Any] | None:
        """How a request without an answer looks for what it may have made."""
        if self.settings.fault is Fault.RETRY_AS_NEW:
            return None
        return lambda: next(iter(look()), None)

    # Customers

    def open_customer(self, reference: str, account_type: str) -> dict[str, Any]:
        """Begins a journey in which a customer opens an account. Its `scope` says whose it is."""
        callback = f"{self.settings.public_url}/callbacks"
        journey = {
            "journeyType": "createAccount",
            "accountTypes": [account_type],
            "accountServiceType": "executionOnly",
            "accountCategories": ["retail"],
        }
        scope = base64.b64encode(reference.encode()).decode()
        body = {"callbackUrl": callback, "scope": scope, "journey": journey}
        # Of two journeys one is never opened: that is harmless, so none is looked for.
        made = self.service.write("journey", body, None)
        with self.books.change() as change:
            values = (reference, made["id"], made["url"], "onboarding")
            change.execute("insert or replace into customer (id, journey, url, status) values (?, ?, ?, ?)", values)
        return {"customer": reference, "status": "onboarding", "url": made["url"]}

    def customer(self, identifier: str) -> dict[str, Any]:
        """A customer."""
        found = self.books.row("select * from customer where id = ?", identifier)
        if found is None:
            raise Problem(404, f"there is no customer {identifier}")
        account = self.books.record("account", found["account"]) if found["account"] else None
        status = account["status"] if account else found["status"]
        return {"customer": found["id"], "status": status, "reason": found["reason"], "account": found["account"]}

    def account(self, identifier: str) -> dict[str, Any]:
        """The record of a customer's account."""
        account = self.customer(identifier)["account"]
        record = self.books.record("account", account) if account else None
        if record is None:
            raise Problem(409, "the customer has no account yet")
        return record

    def callback(self, body: dict[str, Any]) -> None:
        """A journey has ended."""
        if body.get("scope") is None:
            return
        customer = base64.b64decode(body["scope"]).decode()
        if body["status"] != "complete":
            values: tuple[object, ...] = (body["status"], body["error"]["code"], None, customer)
        else:
            values = ("complete", None, body["result"]["account"]["id"], customer)
        with self.books.change() as change:
            change.execute("update customer set status = ?, reason = ?, account = ? where id = ?", values)

    # Money and funds

    def deposit(self, customer: str, amount: Decimal) -> dict[str, Any]:
        """Asks for a mobile payment."""
        path = f"account/{self.account(customer)['id']}/deposit/mobilepay"
        made = self.service.write(path, {"type": "same_device", "amount": amount}, None)
        return {"deposit": made["id"], "token": made["token"], "amount": str(amount)}

    def order(self, customer: str, reference: str, wanted: dict[str, Any]) -> dict[str, Any]:
        """Buys or sells."""
        account = self.account(customer)["id"]
        body = {"account": account, "clientRef": reference, **wanted}
        find = self.find(lambda: list(self.service.read("order", clientRef=reference, limit=1)))
        made = self.service.write("order", body, find)
        self.books.store("order", made)
        return shown_order(made)

    def withdraw(self, customer: str, reference: str, amount: Decimal) -> dict[str, Any]:
        """Pays out to the customer's first validated bank account."""
        account = self.account(customer)
        targets = [one for one in account["bankAccounts"] if one["validated"]]
        if not targets:
            raise Problem(409, "the customer has no validated bank account")
        path = f"account/{account['id']}/withdrawal"
        body = {
            "withdrawalType": "amount",
            "amount": amount,
            "bankAccount": targets[0]["id"],
            "executorRef": account["owner"]["ssn"],
            "clientRef": reference,
        }

        def made_before() -> list[dict[str, Any]]:
            listed = self.service.read(f"account/{account['id']}/transaction/cash", transactionType="withdrawal")
            return [one for one in listed if one.get("clientRef") == reference]

        made = self.service.write(path, body, self.find(made_before))
        self.books.store("cash", made)
        return {"withdrawal": made["id"], "amount": str(made["amount"])}

    def portfolio(self, customer: str) -> dict[str, Any]:
        """What a customer holds, at the last prices. The worth is the service's: it changes without events."""
        account = self.account(customer)
        held = self.books.holdings().get(account["id"], {})
        worth = {one["instrument"]: one for one in self.service.read(f"account/{account['id']}")["positions"]}
        positions = [
            {
                "instrument": instrument,
                "units": plain(units.amount),
                "unitsSettled": plain(units.settled),
                "price": plain(worth.get(instrument, {}).get("closePrice")),
                "value": plain(worth.get(instrument, {}).get("value")),
            }
            for instrument, units in sorted(held.items())
            if instrument != CASH and (units.amount or units.settled)
        ]
        cash = held.get(CASH, Counted(Decimal(0), Decimal(0))).amount
        value = cash + sum((Decimal(one["value"] or 0) for one in positions), Decimal(0))
        return {
            "customer": customer,
            "account": account["id"],
            "status": account["status"],
            "cash": money(cash),
            "positions": positions,
            "value": money(value),
        }

    def holdings(self, day: date | None) -> dict[str, Any]:
        """What all accounts hold."""
        held = self.books.holdings(day)
        accounts = []
        for account in self.books.records("account"):
            mine = held.get(account["id"], {})
            units = {what: size for what, size in sorted(mine.items()) if what != CASH and (size.amount or size.settled)}
            accounts.append(
                {
                    "account": account["id"],
                    "cash": money(mine.get(CASH, Counted(Decimal(0), Decimal(0))).amount),
                    "positions": [
                        {"instrument": what, "units": plain(size.amount), "unitsSettled": plain(size.settled)}
                        for what, size in units.items()
                    ],
                }
            )
        return {"client": self.settings.client, "day": day and day.isoformat(), "accounts": accounts}

    def reset(self) -> dict[str, Any]:
        """Forgets everything, where tests may ask for that."""
        if not self.settings.may_reset:
            raise Problem(404, "there is no such page")
        self.books.reset(self.service.now())
        self.copying.reset()
        return {"reset": True}

    def close_of_day(self) -> dict[str, Any]:
        """Reads what was missed, then closes the days that have ended."""
        self.copying.reconcile()
        return {"closed": self.books.close_days(self.service.now())}


def money(amount: Decimal) -> str:
    """An amount with two decimals."""
    return str(amount.quantize(Decimal("0.01")))


def plain(number: Decimal | int | None) -> str | None:
    """A number without an exponent and without zeros at its end."""
    return None if number is None else f"{Decimal(number).normalize():f}"


def shown_order(record: dict[str, Any]) -> dict[str, Any]:
    """An order as the application shows it."""
    names = ("id", "status", "orderType", "instrument", "amount", "units", "createdDate")
    return {name: str(record[name]) for name in names if record.get(name) is not None}


def read_amount(body: dict[str, Any], name: str) -> Decimal:
    """A number that the caller has sent, as a text or a number; a number with a fraction is a text, because it must be exact."""
    given = body.get(name)
    try:
        if isinstance(given, str | int) and not isinstance(given, bool):
            return Decimal(given)
    except InvalidOperation:
        pass
    raise Problem(400, f'{name} is an exact number, written as a text: "2500.50"')


def make_app(settings: Settings) -> FastAPI:
    """The application as ASGI."""
    portfolio = Portfolio(settings)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await asyncio.to_thread(portfolio.copying.reconcile, everything=True)
        task = asyncio.create_task(reconcile_now_and_then(portfolio)) if settings.reconcile_seconds else None
        yield
        if task is not None:
            task.cancel()
        portfolio.close()

    app = FastAPI(title="Portfolio", lifespan=lifespan)

    @app.exception_handler(Problem)
    def problem(_: Request, error: Problem) -> JSONResponse:
        return JSONResponse({"error": error.words}, error.status)

    @app.exception_handler(Refused)
    def refused(_: Request, error: Refused) -> JSONResponse:
        return JSONResponse({"error": error.words}, 400)

    @app.exception_handler(Unavailable)
    def unavailable(_: Request, __: Unavailable) -> JSONResponse:
        return JSONResponse({"error": "the service does not answer; ask again with the same key"}, 503, {"retry-after": "5"})

    @app.post("/customers")
    def open_customer(body: Annotated[dict[str, Any], Body()], key: Key = None) -> dict[str, Any]:
        account_type = str(body.get("accountType", "isk"))
        return portfolio.once(key, ["customer", body], lambda reference: portfolio.open_customer(reference, account_type))

    @app.get("/customers/{customer}")
    def read_customer(customer: str) -> dict[str, Any]:
        return portfolio.customer(customer)

    @app.post("/customers/{customer}/deposits")
    def deposit(customer: str, body: Annotated[dict[str, Any], Body()], key: Key = None) -> dict[str, Any]:
        amount = read_amount(body, "amount")
        return portfolio.once(key, ["deposit", customer, body], lambda _: portfolio.deposit(customer, amount))

    @app.post("/customers/{customer}/orders")
    def order(customer: str, body: Annotated[dict[str, Any], Body()], key: Key = None) -> dict[str, Any]:
        kind = body.get("orderType")
        if kind not in ("subscription", "redemption"):
            raise Problem(400, "orderType is `subscription` or `redemption`")
        size = "amount" if kind == "subscription" else "units"
        wanted = {"orderType": kind, "instrument": str(body.get("instrument")), size: read_amount(body, size)}
        return portfolio.once(key, ["order", customer, body], lambda reference: portfolio.order(customer, reference, wanted))

    @app.get("/customers/{customer}/orders")
    def orders(customer: str) -> list[dict[str, Any]]:
        account = portfolio.account(customer)["id"]
        return [shown_order(record) for record in portfolio.books.records("order", account)]

    @app.post("/customers/{customer}/withdrawals")
    def withdraw(customer: str, body: Annotated[dict[str, Any], Body()], key: Key = None) -> dict[str, Any]:
        amount = read_amount(body, "amount")
        return portfolio.once(
            key, ["withdrawal", customer, body], lambda reference: portfolio.withdraw(customer, reference, amount)
        )

    @app.get("/portfolio/{customer}")
    def read_portfolio(customer: str) -> dict[str, Any]:
        return portfolio.portfolio(customer)

    @app.get("/holdings")
    def holdings(day: date | None = None) -> dict[str, Any]:
        return portfolio.holdings(day)

    @app.post("/jobs/close-of-day")
    def close_of_day() -> dict[str, Any]:
        return portfolio.close_of_day()

    @app.post("/reset")
    def reset() -> dict[str, Any]:
        return portfolio.reset()

    @app.post("/jobs/reconcile")
    def reconcile(everything: bool = False) -> dict[str, Any]:
        return {"read": portfolio.copying.reconcile(everything=everything)}

    @app.post("/events")
    async def take_event(request: Request) -> Response:
        raw = await request.body()
        body = signed(settings.webhook_secret, raw, request)
        if body is None:
            return Response(status_code=401)
        event, event_type = request.headers["webhook-id"], request.headers["event-type"]
        try:
            await asyncio.to_thread(portfolio.copying.take, event, event_type, body)
        except Unavailable:
            # Nothing was kept, so the event must come again.
            return Response(status_code=503, headers={"retry-after": "5"})
        return Response(status_code=200)

    @app.post("/callbacks")
    async def take_callback(request: Request) -> Response:
        body = signed(settings.callback_secret, await request.body(), request)
        if body is None:
            return Response(status_code=401)
        await asyncio.to_thread(portfolio.callback, body)
        return Response(status_code=200)

    return app


def signed(secret: str, raw: bytes, request: Request) -> dict[str, Any] | None:
    """The body of a post, if the secret has signed it."""
    try:
        Webhook(secret).verify(raw, dict(request.headers))
    except WebhookVerificationError:
        return None
    body = simplejson.loads(raw, use_decimal=True)
    return body if isinstance(body, dict) else None


async def reconcile_now_and_then(portfolio: Portfolio) -> None:
    """Reads what may have been missed, for as long as the application runs."""
    while True:
        await asyncio.sleep(portfolio.settings.reconcile_seconds)
        with contextlib.suppress(Unavailable, Refused):
            await asyncio.to_thread(portfolio.copying.reconcile)
