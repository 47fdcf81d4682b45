"""The process of a server: one that this object starts and stops, or one that runs already."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from fundsim import binary
from fundsim.http import NoAnswer, call, connection

START = "2026-03-02T08:00:00+01:00"
"""When a world starts unless a test says otherwise: a Monday morning, a bank day."""

SEED = 42
"""The seed of a world unless a test says otherwise."""

OPERATOR_TOKEN = "FUNDSIM_OPERATOR_TOKEN"
"""The environment variable that holds the operator's token of a running server that asks for one."""

_STARTS_WITHIN = 30.0
_STOPS_WITHIN = 10.0


class ServerFailed(RuntimeError):
    """The program ended before it was ready, or did not become ready."""


class ServerProcess:
    """A server, whatever worlds are on it."""

    def __init__(self, url: str, *, operator_token: str | None = None) -> None:
        self.url = url.rstrip("/")
        headers = {"authorization": f"Bearer {operator_token}"} if operator_token else {}
        self.http = connection(self.url, headers=headers)
        self._process: subprocess.Popen[str] | None = None
        self._log: IO[bytes] | None = None

    @classmethod
    def at(cls, url: str) -> Self:
        """A server that runs already. `FUNDSIM_OPERATOR_TOKEN` has its operator's token, if it asks for one."""
        server = cls(url, operator_token=os.environ.get(OPERATOR_TOKEN))
        try:
            server.call("GET", "/readyz")
        except NoAnswer as error:
            raise ServerFailed(f"no server answers at {url}: {error}") from error
        return server

    @classmethod
    def start(cls, *arguments: str, program: Path | None = None) -> Self:
        """Starts the program with a frozen clock; `arguments` are added to those of `fundsim serve`."""
        log = tempfile.NamedTemporaryFile(prefix="fundsim-", suffix=".log")  # noqa: SIM115 (closed by `close`)
        command = [str(program or binary()), "serve", "--listen", "127.0.0.1:0", "--output", "json"]
        command += ["--clock", "frozen", "--seed", str(SEED), "--start", START, *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=_environment())
        late = threading.Timer(_STARTS_WITHIN, process.kill)
        late.start()
        assert process.stdout is not None
        ready = process.stdout.readline()
        late.cancel()
        if not ready:
            code = process.wait()
            with log:
                written = Path(log.name).read_text(encoding="utf-8", errors="replace")
            raise ServerFailed(f"{' '.join(command)} ended with {code} before it was ready:\n{written}")
        server = cls(json.loads(ready)["url"])
        server._process, server._log = process, log
        return server

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Stops the process, if this object has started it."""
        self.http.close()
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(_STOPS_WITHIN)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None
        if self._log is not None:
            self._log.close()
            self._log = None

    @property
    def is_own(self) -> bool:
        """Whether this object has started the process."""
        return self._process is not None

    def exit_code(self) -> int | None:
        """What the process has ended with, if this object has started it and it has ended."""
        return None if self._process is None else self._process.poll()

    def log(self, world: str | None = None, lines: int = 40) -> list[str]:
        """The last lines that the process has written, about one world or all; none of a server that ran already."""
        if self._log is None:
            return []
        text = Path(self._log.name).read_text(encoding="utf-8", errors="replace")
        written = text.splitlines()
        if world is not None:
            mark = f"world={world}"
            written = [line for line in written if mark in line.split() or "world=" not in line]
        return written[-lines:]

    def call(self, method: str, path: str, body: object = None, **query: object) -> Any:
        """Sends a request as the operator."""
        __tracebackhide__ = True
        return call(self.http, method, path, body, query=query)


def _environment() -> dict[str, str]:
    """The environment of the process: `FUNDSIM_URL` and its like are for clients, and other flags would change what tests see."""
    return {name: value for name, value in os.environ.items() if not name.startswith("FUNDSIM_")}
