"""A server and the worlds that a test suite makes on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fundsim.http import Amount
from fundsim.process import OPERATOR_TOKEN, SEED, START, ServerFailed, ServerProcess
from fundsim.world import World

__all__ = ["OPERATOR_TOKEN", "SEED", "START", "LeakedWorlds", "Server", "ServerFailed"]

_LONGEST_NAME = 64


class LeakedWorlds(AssertionError):
    """Worlds that were made and never dropped."""


class Server(ServerProcess):
    """A server and the worlds on it.

    `Server.start()` starts the program on a free port of this machine; `Server.at(url)` uses one that runs. Both are context
    managers, and leaving one stops what it started.
    """

    def __init__(self, url: str, *, operator_token: str | None = None) -> None:
        super().__init__(url, operator_token=operator_token)
        self._made: dict[str, str] = {}

    def make_world(
        self,
        *,
        name: str = "test",
        seed: int = SEED,
        start: str = START,
        clock: str | int = "frozen",
        setup: dict[str, Any] | None = None,
        settings: dict[str, Any] | None = None,
        market: dict[str, Amount] | None = None,
    ) -> World:
        """Makes a world. Drop it with `World.drop`, or use `Server.world`, which does.

        `setup` is a setup as in `fundsim setup`; `settings` are settings of the world on top of it; `market` publishes the
        price of funds: `{"SE0SBX000016SEK": "125.00"}`.
        """
        wanted = dict(setup or {})
        if settings:
            wanted["settings"] = {**wanted.get("settings", {}), **settings}
        body: dict[str, Any] = {"name": name[-_LONGEST_NAME:], "seed": seed, "start": start, "clock": clock}
        if wanted:
            body["setup"] = wanted
        world = World(self, self.call("POST", "/_sandbox/worlds", body), self._forget)
        self._made[world.id] = name
        for instrument, price in (market or {}).items():
            world.fund_company.price(instrument, price)
        return world

    @contextmanager
    def world(self, **wanted: Any) -> Iterator[World]:
        """A world for a `with` block, dropped at its end; it takes what `make_world` takes."""
        world = self.make_world(**wanted)
        try:
            yield world
        finally:
            world.drop()

    def _forget(self, world: str) -> None:
        """A world was dropped, or is kept on purpose."""
        self._made.pop(world, None)

    def leaked(self) -> dict[str, str]:
        """Worlds that this object has made and that still are on the server: their ids and names."""
        kept = {world["worldId"] for world in self.call("GET", "/_sandbox/worlds")}
        return {world: name for world, name in self._made.items() if world in kept}

    def check_leaks(self) -> None:
        """Raises `LeakedWorlds` where a world was made and never dropped."""
        leaked = self.leaked()
        if leaked:
            names = "\n".join(f"  {world}, made for {name}" for world, name in leaked.items())
            raise LeakedWorlds(f"worlds were made and never dropped; use `with fundsim.world():`\n{names}")
