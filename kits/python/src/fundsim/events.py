"""The event socket: what happens to a client, as it happens."""

from __future__ import annotations

import time
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

import simplejson
from websockets.sync.client import connect

TIMEOUT = 5.0
"""How long is waited for what must come, in seconds, unless a test says otherwise."""

_TECHNICAL = {"hello", "heartbeat", "server_closing"}


class NotReceived(AssertionError):
    """What was waited for did not come; the words say what came instead."""


class EventSocket:
    """An open socket. `wait_for` reads on until an event of a type comes; `seen` has everything that was read."""

    def __init__(self, address: str, token: str) -> None:
        self._open = ExitStack()
        headers = {"authorization": f"Bearer {token}"}
        self._socket = self._open.enter_context(connect(address, additional_headers=headers, proxy=None))
        self.seen: list[dict[str, Any]] = []
        self.hello = self._read(TIMEOUT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the socket."""
        self._open.close()

    def _read(self, timeout: float) -> dict[str, Any]:
        message = simplejson.loads(self._socket.recv(timeout=timeout), use_decimal=True)
        assert isinstance(message, dict)
        return message

    def next(self, timeout: float = TIMEOUT) -> dict[str, Any]:
        """The next event that is about a resource."""
        __tracebackhide__ = True
        ends = time.monotonic() + timeout
        while True:
            try:
                message = self._read(max(0.0, ends - time.monotonic()))
            except TimeoutError:
                raise NotReceived(f"no event came within {timeout} s; before: {_types(self.seen)}") from None
            if message["eventType"] not in _TECHNICAL:
                self.seen.append(message)
                return message

    def wait_for(self, event_type: str, timeout: float = TIMEOUT, **fields: object) -> dict[str, Any]:
        """Reads on until an event of this type comes whose `current` (or `previous`) has these fields."""
        __tracebackhide__ = True
        ends, passed = time.monotonic() + timeout, len(self.seen)
        while True:
            try:
                message = self.next(max(0.0, ends - time.monotonic()))
            except NotReceived:
                came = _types(self.seen[passed:])
                raise NotReceived(f"{_wanted(event_type, fields)} did not come within {timeout} s; came: {came}") from None
            if message["eventType"] == event_type and has_fields(message["payload"], fields):
                return message


def has_fields(body: dict[str, Any], fields: dict[str, object]) -> bool:
    """Whether what an event shows has these fields."""
    shown = body.get("current") or body.get("previous") or body
    return all(shown.get(name) == value for name, value in fields.items())


def _wanted(event_type: str, fields: dict[str, object]) -> str:
    return event_type + "".join(f" {name}={value!r}" for name, value in fields.items())


def _types(messages: list[dict[str, Any]]) -> str:
    return ", ".join(message["eventType"] for message in messages) or "nothing"
