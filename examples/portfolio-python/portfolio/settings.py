"""What the environment sets for the application."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum


class Fault(StrEnum):
    """Mistakes that the application makes on purpose, so that a test suite can show that it finds them: `PORTFOLIO_FAULT`."""

    NONE = ""
    DROP_EVENT = "drop-event"
    """Every fourth event of a transaction is answered 200 and lost, and nothing is read again."""
    IGNORE_BOUNCE = "ignore-bounce"
    """Payouts that come back, and charges that a payer takes back, are not booked."""
    DOUBLE_DEPOSIT = "double-deposit"
    """A deposit that is seen a second time (by a repeated delivery, or when the day is closed) is booked a second time."""
    RETRY_AS_NEW = "retry-as-new"
    """A request with a known `Idempotency-Key` is a new one, and an order without an answer is placed again unseen."""
    MISS_CLOCK_CHANGE_DAY = "miss-clock-change-day"
    """The next day is closed 24 hours after the last one, so the day on which clocks go forward is never closed."""


@dataclass(frozen=True)
class Settings:
    """Addresses and secrets. `from_environment` reads them; a test fills them in."""

    service_url: str
    """Where the service is."""
    client: str
    """The client whose accounts these are."""
    client_id: str
    client_secret: str
    callback_secret: str
    """Signs callbacks of journeys."""
    webhook_secret: str
    """Signs events."""
    public_url: str
    """Where the service reaches this application."""
    database: str = "portfolio.sqlite"
    fault: Fault = Fault.NONE
    reconcile_seconds: float = 600
    """How often the application reads what it may have missed; 0 for never by itself."""
    may_reset: bool = False
    """Whether `POST /reset` forgets everything: for tests alone."""

    @classmethod
    def from_environment(cls) -> Settings:
        """Reads `PORTFOLIO_*`."""

        def named(name: str) -> str:
            value = os.environ.get(f"PORTFOLIO_{name}")
            if not value:
                raise SystemExit(f"PORTFOLIO_{name} is not set")
            return value

        given = os.environ.get("PORTFOLIO_FAULT", "")
        if given not in list(Fault):
            raise SystemExit(f"PORTFOLIO_FAULT is {given}; there are: {', '.join(fault for fault in Fault if fault)}")
        return cls(
            service_url=named("SERVICE_URL"),
            client=named("CLIENT"),
            client_id=named("CLIENT_ID"),
            client_secret=named("CLIENT_SECRET"),
            callback_secret=named("CALLBACK_SECRET"),
            webhook_secret=named("WEBHOOK_SECRET"),
            public_url=named("PUBLIC_URL"),
            database=os.environ.get("PORTFOLIO_DATABASE", "portfolio.sqlite"),
            fault=Fault(given),
            may_reset=os.environ.get("PORTFOLIO_MAY_RESET") == "1",
            reconcile_seconds=float(os.environ.get("PORTFOLIO_RECONCILE_SECONDS", "600")),
        )
