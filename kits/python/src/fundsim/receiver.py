"""A server of the partner's: it takes webhooks and callbacks, checks their signatures, and keeps them in order."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import simplejson
from standardwebhooks import Webhook, WebhookVerificationError

from fundsim.events import TIMEOUT, NotReceived, has_fields
from fundsim.http import Resource, id_of

if TYPE_CHECKING:
    from fundsim.world import World


class BadSignature(AssertionError):
    """A delivery came that none of the known secrets has signed."""


@dataclass(frozen=True)
class Delivery:
    """A webhook or a callback, as it came."""

    type: str
    """The header `event-type`: `order.create`, or `journey.callback`."""
    id: str
    """The header `webhook-id`: the event's id, the same in every repetition."""
    body: dict[str, Any]
    """The body, with decimals."""
    headers: dict[str, str] = field(repr=False)
    """All headers, with small letters."""
    raw: bytes = field(repr=False)
    """The body as it came."""
    problem: str | None = None
    """Why the signature was not accepted."""

    @property
    def current(self) -> dict[str, Any]:
        """What the resource is now."""
        current = self.body["current"]
        assert isinstance(current, dict)
        return current


class Receiver:
    """The server. `url` is its address; `subscribe` registers it for events, `wait_for` and `expect` read what came.

    Reading moves on: what `wait_for` has returned or passed is behind, and the next call continues there. `received` has all.
    """

    def __init__(self, world: World | None = None) -> None:
        self._world = world
        self._secrets: list[str] = []
        if world is not None:
            self._secrets += [partner.callback_secret for partner in world.partners]
        self._came = threading.Condition()
        self._read = 0
        self._read_of: dict[str, int] = {}
        self._answers: list[tuple[int, dict[str, str]]] = []
        self.received: list[Delivery] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Stops the server."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def trust(self, secret: str) -> None:
        """Accepts signatures by this secret, too."""
        self._secrets.append(secret)

    def subscribe(self, *events: str, client: str | None = None) -> dict[str, Any]:
        """Registers this server as a webhook of a client; without names of events, for all. Returns the webhook."""
        if self._world is None:
            raise LookupError("this receiver has no world: register the webhook yourself, and name its secret with `trust`")
        webhook = self._world.webhook(self.url, client=client, events=list(events) or None)
        self.trust(webhook["secret"])
        return dict(webhook)

    def answer_next(self, *statuses: int, **headers: str) -> None:
        """Answers the next deliveries with these statuses instead of 200: `answer_next(503, 503)`."""
        with self._came:
            self._answers += [(status, headers) for status in statuses]

    def wait_for(self, event_type: str, timeout: float = TIMEOUT, **fields: object) -> Delivery:
        """The next delivery of this type whose `current` (or the callback itself) has these fields."""
        __tracebackhide__ = True
        ends = time.monotonic() + timeout
        begin = self._read
        with self._came:
            while True:
                for at in range(self._read, len(self.received)):
                    delivery = self.received[at]
                    self._check(delivery)
                    if delivery.type == event_type and has_fields(delivery.body, fields):
                        self._read = at + 1
                        return delivery
                self._read = len(self.received)
                if not self._came.wait(ends - time.monotonic()) or time.monotonic() > ends:
                    wanted = event_type + "".join(f" {name}={value!r}" for name, value in fields.items())
                    came = describe(self.received[begin:])
                    raise NotReceived(f"{wanted} did not come within {timeout} s; came: {came}")

    def expect(self, *event_types: str, about: Resource | None = None, timeout: float = TIMEOUT) -> list[Delivery]:
        """The next deliveries, which must be exactly of these types and in this order.

        Deliveries come in order for one resource; those of different resources overtake each other. `about` looks at one
        resource alone, from its first delivery on, and from where the last `expect` about it has ended.
        """
        __tracebackhide__ = True
        ends, identifier = time.monotonic() + timeout, None if about is None else id_of(about)
        begin = self._read if identifier is None else self._read_of.get(identifier, 0)
        with self._came:
            while True:
                came = (self.received if identifier is None else self.of(identifier))[begin:]
                for delivery, event_type in zip(came, event_types, strict=False):
                    self._check(delivery)
                    if delivery.type != event_type:
                        wanted = ", ".join(event_types)
                        raise NotReceived(f"expected in this order: {wanted}; came: {describe(came)}")
                if len(came) >= len(event_types):
                    break
                if not self._came.wait(ends - time.monotonic()) or time.monotonic() > ends:
                    late = event_types[len(came)]
                    raise NotReceived(f"{late} did not come within {timeout} s; came: {describe(came)}")
            if identifier is None:
                self._read = begin + len(event_types)
            else:
                self._read_of[identifier] = begin + len(event_types)
        return came[: len(event_types)]

    def nothing_more(self, wait: float = 0.2) -> None:
        """Nothing else comes for a moment."""
        __tracebackhide__ = True
        with self._came:
            self._came.wait_for(lambda: len(self.received) > self._read, wait)
            if len(self.received) > self._read:
                raise NotReceived(f"nothing more was expected; came: {describe(self.received[self._read :])}")

    def of(self, resource: str) -> list[Delivery]:
        """All deliveries about a resource, by its id."""
        return [one for one in self.received if has_fields(one.body, {"id": resource})]

    def _check(self, delivery: Delivery) -> None:
        __tracebackhide__ = True
        if delivery.problem is not None:
            raise BadSignature(f"{delivery.type} {delivery.id} is not signed by a known secret: {delivery.problem}")

    def _take(self, headers: dict[str, str], raw: bytes) -> tuple[int, dict[str, str]]:
        problem: str | None = "no secret is known; `subscribe` or `trust` names one"
        for secret in reversed(self._secrets):
            try:
                Webhook(secret).verify(raw, headers)
                problem = None
                break
            except WebhookVerificationError as error:
                problem = str(error)
        body = simplejson.loads(raw, use_decimal=True)
        event_type, event_id = headers.get("event-type", ""), headers.get("webhook-id", "")
        with self._came:
            self.received.append(Delivery(event_type, event_id, body, headers, raw, problem))
            self._came.notify_all()
            if problem is not None:
                return 401, {}
            return self._answers.pop(0) if self._answers else (200, {})

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("content-length", "0")))
                given = {name.lower(): value for name, value in self.headers.items()}
                status, headers = receiver._take(given, raw)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, format: str, *arguments: object) -> None:
                pass

        return Handler


def describe(deliveries: list[Delivery]) -> str:
    """What came, in a few words."""
    return ", ".join(one.type if one.problem is None else f"{one.type} (bad signature)" for one in deliveries) or "nothing"
