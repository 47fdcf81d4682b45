"""The application beside a world: started for a test on a port of its own, and compared with what the service says."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import httpx
import pytest
import uvicorn
from fundsim.partner import Partner
from fundsim.world import World

from portfolio.app import make_app
from portfolio.settings import Fault, Settings


class Application:
    """The application, as its customers reach it."""

    def __init__(self, url: str, world: World, partner: Partner, running: contextlib.ExitStack) -> None:
        self.stop = running.close
        self.url = url
        self.http = httpx.Client(base_url=url, timeout=60, trust_env=False, verify=False)
        self._world = world
        self._partner = partner

    def post(self, path: str, body: object = None, key: str | None = None) -> Any:
        """Asks for something; the answer must be 200."""
        headers = {"idempotency-key": key} if key else None
        answer = self.http.post(path, json=body if body is not None else {}, headers=headers)
        assert answer.is_success, f"POST {path} was answered {answer.status_code} {answer.text}"
        return answer.json()

    def get(self, path: str, **query: str) -> Any:
        """Reads something, after everything that has happened was delivered."""
        self._world.wait_for_deliveries(10)
        answer = self.http.get(path, params=query)
        assert answer.is_success, f"GET {path} was answered {answer.status_code} {answer.text}"
        return answer.json()

    def differences(self) -> list[str]:
        """Where the application's books are not what the service says: empty where they agree to the last digit."""
        ours = {one["account"]: one for one in self.get("/holdings")["accounts"]}
        found: list[str] = []
        for account in self._partner.accounts.list():
            held = ours.get(account["id"], {"cash": "0", "positions": []})
            if Decimal(held["cash"]) != account["balance"]:
                found.append(f"cash of {account['id']}: {held['cash']} in the books, {account['balance']} at the service")
            units = {one["instrument"]: Decimal(one["units"]) for one in held["positions"]}
            theirs = {one["instrument"]: Decimal(one["units"]) for one in account["positions"] if one["units"]}
            if units != theirs:
                found.append(f"units of {account['id']}: {units} in the books, {theirs} at the service")
        return found


Start = Callable[..., Application]


@pytest.fixture
def start(world: World, partner: Partner) -> Iterator[Start]:
    """Starts the application beside the world; `start(fault=…)` with a mistake, `start(database=…)` with books that stay."""
    with contextlib.ExitStack() as running:

        def started(fault: Fault = Fault.NONE, database: str = ":memory:") -> Application:
            own = running.enter_context(contextlib.ExitStack())
            listening = own.enter_context(socket.socket())
            listening.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{listening.getsockname()[1]}"
            webhook = world.webhook(f"{url}/events")
            own.callback(world.call, "DELETE", f"webhooks/{webhook['id']}")
            settings = Settings(
                service_url=world.server.url,
                client=partner.client,
                client_id=partner.client_id,
                client_secret=partner.client_secret,
                callback_secret=partner.callback_secret,
                webhook_secret=webhook["secret"],
                public_url=url,
                database=database,
                reconcile_seconds=0,
            )
            own.enter_context(serving(replace(settings, fault=fault), listening))
            application = Application(url, world, partner, own)
            own.callback(application.http.close)
            return application

        yield started


@contextlib.contextmanager
def serving(settings: Settings, listening: socket.socket) -> Iterator[None]:
    """The application on a socket that listens, until the end of the block."""
    server = uvicorn.Server(uvicorn.Config(make_app(settings), log_level="warning", lifespan="on"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the application has not started"
        thread.join(0.005)
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture
def application(start: Start) -> Application:
    """The application without a mistake."""
    return start()
