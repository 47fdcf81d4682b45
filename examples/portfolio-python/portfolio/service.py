"""Calls of the service: a token that is renewed, waits that the service asks for, and what to do when no answer comes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

import httpx
import simplejson

_ATTEMPTS = 6
_LONGEST_WAIT = 30.0
_RENEW_BEFORE = 60


class Refused(Exception):
    """The service has understood and refuses: asking again is of no use."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status
        self.words = words


class Unavailable(Exception):
    """The service did not answer, or not with anything that helps, as often as it was asked."""


class Service:
    """The service for one client."""

    def __init__(self, url: str, client: str, client_id: str, client_secret: str) -> None:
        self._http = httpx.Client(base_url=url, timeout=10, verify=url.startswith("https"), trust_env=False)
        self._client = client
        self._credentials = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": client_secret}
        self._renewing = threading.Lock()
        self._token = ""
        self._renew_at = 0.0

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def read(self, path: str, **query: object) -> Any:
        """Reads what is below the client's path. A read may be repeated, so it is."""
        return self._until_answered(lambda: self._send("GET", path, None, query))

    def now(self) -> datetime:
        """The present instant of the service."""
        return datetime.fromisoformat(self._until_answered(lambda: self._send("GET", "/ping", None, {}))["pong"])

    def write(self, path: str, body: dict[str, Any], find: Callable[[], Any] | None) -> Any:
        """Asks for something to be made. Where no answer comes, it may have been made all the same.

        `find` looks for it, and what it finds is the answer; only where it finds nothing the request is sent again. Without
        `find`, it is sent again at once: for what may exist twice without harm.
        """
        sent = False

        def once() -> Any:
            nonlocal sent
            if sent and find is not None:
                found = find()
                if found is not None:
                    return found
            sent = True
            return self._send("POST", path, body, {})

        return self._until_answered(once)

    def _until_answered(self, ask: Callable[[], Any]) -> Any:
        wait, last = 0.05, ""
        for _ in range(_ATTEMPTS):
            try:
                return ask()
            except httpx.TransportError as error:
                last = repr(error)
            except _TryAgain as again:
                last, wait = str(again), max(wait, again.wait)
            time.sleep(min(wait, _LONGEST_WAIT))
            wait *= 2
        raise Unavailable(last)

    def _send(self, method: str, path: str, body: object, query: dict[str, object]) -> Any:
        address = path if path.startswith("/") else f"/v2/partner/client/{self._client}/{path}"
        headers = {"authorization": f"Bearer {self._bearer()}"}
        content = None
        if body is not None:
            content = simplejson.dumps(body, use_decimal=True).encode()
            headers["content-type"] = "application/json"
        given = {name: str(value) for name, value in query.items() if value is not None}
        return self._taken(self._http.request(method, address, content=content, params=given or None, headers=headers))

    def _bearer(self) -> str:
        with self._renewing:
            if time.monotonic() >= self._renew_at:
                granted = self._taken(self._http.post("/v2/partner/auth/token", data=self._credentials))
                self._token = granted["access_token"]
                self._renew_at = time.monotonic() + granted["expires_in"] - _RENEW_BEFORE
            return self._token

    def _taken(self, answer: httpx.Response) -> Any:
        if answer.is_success:
            return simplejson.loads(answer.text, use_decimal=True)
        if answer.status_code == 401:
            self._renew_at = 0.0
        if answer.status_code in (401, 429) or answer.status_code >= 500:
            raise _TryAgain(answer.status_code, float(answer.headers.get("retry-after", 0)))
        try:
            words = answer.json().get("error_description", answer.text)
        except ValueError:
            words = answer.text
        raise Refused(answer.status_code, words)


class _TryAgain(Exception):
    def __init__(self, status: int, wait: float) -> None:
        super().__init__(f"answered {status}")
        self.wait = wait
