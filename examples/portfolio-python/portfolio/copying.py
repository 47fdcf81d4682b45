"""How the copy follows the service: events, callbacks, and reading what may have been missed.

An event is a hint: its `current` is taken only where its `previous` is what the copy holds. Everything else is read again.
"""

from __future__ import annotations

from typing import Any

from portfolio.books import KINDS, Books
from portfolio.service import Refused, Service
from portfolio.settings import Fault

_RESOURCES = {"account": "account", "order": "order", "cashTransaction": "cash", "fundTransaction": "fund"}


class Copying:
    """Keeps the books in step with the service."""

    def __init__(self, books: Books, service: Service, fault: Fault = Fault.NONE) -> None:
        self._books = books
        self._service = service
        self._fault = fault
        self._transaction_events = 0

    def reset(self) -> None:
        """Begins anew with empty books."""
        self._transaction_events = 0

    def take(self, event: str, event_type: str, body: dict[str, Any]) -> None:
        """Takes an event, once. Raises where the service could not be read: then it must be sent again."""
        resource, _, change = event_type.partition(".")
        kind = _RESOURCES.get(resource)
        if kind is None:
            return
        if self._fault is Fault.DROP_EVENT and kind in ("cash", "fund"):
            self._transaction_events += 1
            if self._transaction_events % 4 == 0:
                return
        if self._books.knows_event(event) and not (self._fault is Fault.DOUBLE_DEPOSIT and kind == "cash"):
            return
        if change == "delete":
            self._deleted(kind, body["previous"]["id"])
        elif self._follows(kind, body):
            self._books.store(kind, body["current"])
        else:
            self._read(kind, body["current"]["id"])
        # Last, so that an event which could not be taken is taken when it comes again. Taking one twice changes nothing.
        self._books.remember_event(event)

    def _follows(self, kind: str, body: dict[str, Any]) -> bool:
        """Whether a change begins with what the copy holds."""
        current, previous = body["current"], body.get("previous")
        known = self._books.record(kind, current["id"])
        if known is None or previous is None:
            return known is None and previous is None
        return bool(known == previous and current["modifiedDate"] > previous["modifiedDate"])

    def _read(self, kind: str, identifier: str) -> None:
        try:
            self._books.store(kind, self._service.read(f"{KINDS[kind]}/{identifier}"))
        except Refused:
            self._books.forget(kind, identifier)

    def _deleted(self, kind: str, identifier: str) -> None:
        """A closed account can still be read; an order or a transaction that was deleted cannot."""
        self._books.forget(kind, identifier)
        if kind == "account":
            self._read(kind, identifier)

    def reconcile(self, *, everything: bool = False) -> int:
        """Reads what has changed since the last list, or everything; returns how many records there were."""
        if self._fault is Fault.DROP_EVENT:
            return 0
        read = 0
        for kind, path in KINDS.items():
            since = None if everything else self._books.meta(f"listed_{kind}")
            listed = self._service.read(path, modifiedFrom=since)
            with self._books.change():
                for body in listed:
                    self._books.store(kind, body)
                latest = max((body["modifiedDate"] for body in listed), default=since)
                if latest is not None:
                    self._books.remember(f"listed_{kind}", latest)
            if everything:
                self._check_missing(kind, {body["id"] for body in listed})
            read += len(listed)
        return read

    def _check_missing(self, kind: str, listed: set[str]) -> None:
        """Reads one by one what the copy has and the list lacks: it was deleted, or made while the list was on its way."""
        for body in self._books.records(kind):
            if body["id"] not in listed:
                self._read(kind, body["id"])
