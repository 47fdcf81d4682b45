"""A client of the partner API: its nouns as attributes, its answers as typed dictionaries."""

from __future__ import annotations

import builtins
import time
from typing import Any, Literal, cast

import httpx

from fundsim import shapes
from fundsim.events import EventSocket
from fundsim.http import Amount, Refused, Resource, call, connection, exact, id_of, without_none

_RENEW_BEFORE = 60


class Partner:
    """A partner with its token. `partner.client` is the client that its calls are about; `of` gives one for another client."""

    def __init__(self, url: str, credentials: dict[str, Any], client: str | None = None) -> None:
        self.url = url
        self.name: str = credentials["name"]
        self.client_id: str = credentials["clientId"]
        self.client_secret: str = credentials["clientSecret"]
        self.callback_secret: str = credentials["callbackSecret"]
        self.clients_by_id: dict[str, str] = {one["id"]: one["name"] for one in credentials["clients"]}
        self.client: str = client or next(iter(self.clients_by_id))
        self._credentials = credentials
        self._http: httpx.Client | None = None
        self._token = ""
        self._renew_at = 0.0
        self.accounts = Accounts(self)
        self.orders = Orders(self)
        self.journeys = Journeys(self)
        self.deposits = Deposits(self)
        self.withdrawals = Withdrawals(self)
        self.instructions = Instructions(self)
        self.transactions = Transactions(self)
        self.instruments = Instruments(self)
        self.allocation_plans = AllocationPlans(self)

    def of(self, client: str) -> Partner:
        """The same partner, about another of its clients."""
        return Partner(self.url, self._credentials, client)

    @property
    def http(self) -> httpx.Client:
        """The connection."""
        if self._http is None:
            self._http = connection(self.url)
        return self._http

    def close(self) -> None:
        """Closes the connection."""
        if self._http is not None:
            self._http.close()
            self._http = None

    def token(self) -> str:
        """An access token, renewed a minute before it ends."""
        if time.monotonic() >= self._renew_at:
            form = {
                "grant_type": "client_credentials",
                "client_id": self.client_id,
                "client_secret": self.client_secret,
            }
            answer = self.http.post("/v2/partner/auth/token", data=form)
            if not answer.is_success:
                raise Refused("POST", "/v2/partner/auth/token", answer)
            granted = answer.json()
            self._token = granted["access_token"]
            self._renew_at = time.monotonic() + granted["expires_in"] - _RENEW_BEFORE
        return self._token

    def call(self, method: str, path: str, body: object = None, **query: object) -> Any:
        """Sends any request with the token: `partner.call("GET", "/v2/partner/client")`."""
        __tracebackhide__ = True
        headers = {"authorization": f"Bearer {self.token()}"}
        return call(self.http, method, path, body, query=query, headers=headers)

    def ask(self, method: str, path: str, body: object = None, **query: object) -> Any:
        """Sends a request below `/v2/partner/client/{clientId}`: `partner.ask("GET", "custodian")`."""
        __tracebackhide__ = True
        return self.call(method, f"/v2/partner/client/{self.client}/{path}", body, **query)

    def clients(self) -> list[shapes.Client]:
        """The clients of the partner."""
        return cast("list[shapes.Client]", self.call("GET", "/v2/partner/client"))

    def events(self) -> EventSocket:
        """The event socket of the client, open when this returns."""
        address = f"{self.url.replace('http', 'ws', 1)}/v2/partner/client/{self.client}/subscribe"
        return EventSocket(address, self.token())


class _Noun:
    def __init__(self, partner: Partner) -> None:
        self._partner = partner


class Accounts(_Noun):
    """Accounts of the client."""

    def list(self, **query: object) -> list[shapes.Account]:
        """All accounts, or those that the query keeps: `ssn`, `modifiedFrom`, `start`, `limit`."""
        return cast("list[shapes.Account]", self._partner.ask("GET", "account", **query))

    def get(self, account: Resource) -> shapes.Account:
        """One account."""
        return cast("shapes.Account", self._partner.ask("GET", f"account/{id_of(account)}"))

    def close(self, account: Resource, **fields: object) -> shapes.Account:
        """Closes an account."""
        return cast("shapes.Account", self._partner.ask("DELETE", f"account/{id_of(account)}", fields or None))

    def value(self, account: Resource) -> shapes.AccountValue:
        """What an account is worth."""
        return cast("shapes.AccountValue", self._partner.ask("GET", f"account/{id_of(account)}/value"))

    def performance(self, account: Resource, **query: object) -> builtins.list[shapes.PerformanceEntry]:
        """The daily returns of an account."""
        path = f"account/{id_of(account)}/performance"
        return cast("list[shapes.PerformanceEntry]", self._partner.ask("GET", path, **query))

    def kyc_status(self, account: Resource) -> shapes.Kyc:
        """The KYC status of an account."""
        return cast("shapes.Kyc", self._partner.ask("GET", f"kycstatus/account/{id_of(account)}"))

    def savings_plan(self, account: Resource) -> shapes.SavingsPlan:
        """The savings plan of an account."""
        return cast("shapes.SavingsPlan", self._partner.ask("GET", f"account/{id_of(account)}/savingsplan"))


class Orders(_Noun):
    """Orders of the client."""

    def subscribe(
        self,
        account: Resource,
        instrument: Resource,
        amount: Amount,
        *,
        client_ref: str | None = None,
        executor_ref: str | None = None,
    ) -> shapes.SubscriptionOrder:
        """Buys for an amount."""
        __tracebackhide__ = True
        return cast(
            "shapes.SubscriptionOrder",
            self._place(account, instrument, "subscription", client_ref, executor_ref, amount=exact(amount)),
        )

    def redeem(
        self,
        account: Resource,
        instrument: Resource,
        units: Amount,
        *,
        client_ref: str | None = None,
        executor_ref: str | None = None,
    ) -> shapes.RedemptionOrder:
        """Sells units."""
        __tracebackhide__ = True
        return cast(
            "shapes.RedemptionOrder",
            self._place(account, instrument, "redemption", client_ref, executor_ref, units=exact(units)),
        )

    def _place(
        self,
        account: Resource,
        instrument: Resource,
        kind: str,
        ref: str | None,
        executor: str | None,
        **size: object,
    ) -> Any:
        __tracebackhide__ = True
        body = {"account": id_of(account), "orderType": kind, "instrument": id_of(instrument), **size}
        return self._partner.ask("POST", "order", body | without_none(clientRef=ref, executorRef=executor))

    def get(self, order: Resource) -> shapes.Order:
        """One order."""
        return cast("shapes.Order", self._partner.ask("GET", f"order/{id_of(order)}"))

    def list(self, **query: object) -> list[shapes.Order]:
        """All orders, or those that the query keeps: `account`, `status`, `orderType`, `instrument`, `clientRef`."""
        return cast("list[shapes.Order]", self._partner.ask("GET", "order", **query))

    def cancel(self, order: Resource) -> shapes.Order:
        """Cancels an order, until its cut-off."""
        return cast("shapes.Order", self._partner.ask("DELETE", f"order/{id_of(order)}"))


class Journeys(_Noun):
    """Journeys of the client."""

    def start(
        self, journey_type: str, *, callback_url: str, journey: dict[str, Any] | None = None, **more: object
    ) -> shapes.Journey:
        """Starts a journey. `journey` is its configuration; `more` has `scope`, `redirectUrl`, `completionRedirectUrl`.

        What a `createAccount` journey requires and the configuration leaves out is filled in: an ISK, execution only, retail.
        """
        __tracebackhide__ = True
        usual: dict[str, Any] = {}
        if journey_type == "createAccount":
            usual = {
                "accountTypes": ["isk"],
                "accountServiceType": "executionOnly",
                "accountCategories": ["retail"],
            }
        body = {
            "callbackUrl": callback_url,
            "journey": {**usual, **(journey or {}), "journeyType": journey_type},
            **more,
        }
        return cast("shapes.Journey", self._partner.ask("POST", "journey", body))

    def get(self, journey: Resource) -> shapes.Journey:
        """One journey."""
        return cast("shapes.Journey", self._partner.ask("GET", f"journey/{id_of(journey)}"))


class Deposits(_Noun):
    """Mobile payments into accounts."""

    def start(
        self,
        account: Resource,
        amount: Amount,
        payment_type: Literal["same_device", "other_device"] = "same_device",
        **more: object,
    ) -> shapes.MobilePaymentSession:
        """Asks the customer for a mobile payment."""
        __tracebackhide__ = True
        body = {"type": payment_type, "amount": exact(amount), **more}
        path = f"account/{id_of(account)}/deposit/mobilepay"
        return cast("shapes.MobilePaymentSession", self._partner.ask("POST", path, body))

    def get(self, payment: Resource) -> shapes.MobilePayment:
        """The state of a mobile payment."""
        return cast(
            "shapes.MobilePayment",
            self._partner.call("GET", f"/v2/partner/deposit/mobilepay/{id_of(payment)}"),
        )


class Withdrawals(_Noun):
    """Payouts from accounts."""

    def start(
        self,
        account: shapes.Account,
        amount: Amount | None,
        *,
        bank_account: Resource | None = None,
        executor_ref: str | None = None,
        client_ref: str | None = None,
    ) -> shapes.CashTransaction:
        """Pays cash out; without an amount, all of it.

        The bank account is the account's first validated one, and the executor its owner, unless named.
        """
        __tracebackhide__ = True
        target = bank_account
        if target is None:
            validated = [one for one in account["bankAccounts"] if one["validated"]]
            if not validated:
                raise LookupError(f"the account {account['id']} has no validated bank account to pay to")
            target = validated[0]["id"]
        owner = cast("dict[str, Any]", account["owner"])
        body = without_none(
            withdrawalType="full" if amount is None else "amount",
            amount=None if amount is None else exact(amount),
            bankAccount=id_of(target),
            executorRef=executor_ref or owner.get("ssn"),
            clientRef=client_ref,
        )
        return cast("shapes.CashTransaction", self._partner.ask("POST", f"account/{account['id']}/withdrawal", body))

    def limit(self, account: Resource) -> shapes.WithdrawalLimit:
        """How much can be paid out."""
        return cast("shapes.WithdrawalLimit", self._partner.ask("GET", f"account/{id_of(account)}/withdrawal/limit"))


class Instructions(_Noun):
    """Payment instructions of the client."""

    def start(
        self,
        payments: list[tuple[Resource, Amount, str]],
        kind: Literal["autogiro", "bankTransfer"] = "autogiro",
    ) -> shapes.Instruction:
        """Instructs payments, each an account, an amount and a `clientRef` of its own."""
        items = [{"account": id_of(one), "amount": exact(amount), "clientRef": ref} for one, amount, ref in payments]
        body = {"type": kind, "payments": items}
        return cast("shapes.Instruction", self._partner.ask("POST", "instruction/payment", body))

    def get(self, instruction: Resource) -> shapes.Instruction:
        """One instruction with its payments."""
        return cast("shapes.Instruction", self._partner.ask("GET", f"instruction/{id_of(instruction)}"))


class Transactions(_Noun):
    """Transactions of the client."""

    def cash(self, **query: object) -> list[shapes.CashTransaction]:
        """Cash transactions: all, or those that the query keeps, such as `account`, `dateFrom`, `refType`."""
        return cast("list[shapes.CashTransaction]", self._partner.ask("GET", "transaction/cash", **query))

    def fund(self, **query: object) -> list[shapes.FundTransaction]:
        """Fund transactions: all, or those that the query keeps."""
        return cast("list[shapes.FundTransaction]", self._partner.ask("GET", "transaction/fund", **query))


class Instruments(_Noun):
    """Funds."""

    def list(self) -> list[shapes.Instrument]:
        """The funds that the client offers."""
        return cast("list[shapes.Instrument]", self._partner.ask("GET", "instrument"))

    def get(self, instrument: Resource) -> shapes.Instrument:
        """One fund."""
        return cast("shapes.Instrument", self._partner.call("GET", f"/v2/partner/instrument/{id_of(instrument)}"))

    def prices(self, instrument: Resource, **query: object) -> builtins.list[shapes.HistoricalPrice]:
        """The prices of a fund."""
        path = f"instrument/{id_of(instrument)}/prices"
        return cast("list[shapes.HistoricalPrice]", self._partner.ask("GET", path, **query))


class AllocationPlans(_Noun):
    """Allocation plans of the client."""

    def list(self) -> list[shapes.AllocationPlan]:
        """All plans."""
        return cast("list[shapes.AllocationPlan]", self._partner.ask("GET", "allocationplan"))

    def of(self, account: Resource) -> shapes.AllocationPlan:
        """The plan of an account."""
        return cast("shapes.AllocationPlan", self._partner.ask("GET", f"allocationplan/account/{id_of(account)}"))
