"""Requests and answers as JSON with exact numbers, and what a refusal looks like."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, TypeAlias

import httpx
import simplejson

Amount: TypeAlias = Decimal | int | str
"""An amount of money, units or a price, exact: `2500`, `"2500.50"` or a `Decimal`."""

Resource: TypeAlias = str | Mapping[str, Any]
"""A resource of the API, or its id."""


class Refused(Exception):
    """An answer that is not 2xx, with what the service said."""

    def __init__(self, method: str, path: str, answer: httpx.Response) -> None:
        body = read(answer)
        fields = body if isinstance(body, dict) else {}
        self.status = answer.status_code
        self.error: str = str(fields.get("error", ""))
        self.description: str = str(fields.get("error_description", ""))
        self.body = body
        words = f"{self.error}: {self.description}" if self.error else answer.text[:500]
        super().__init__(f"{method} {path} was answered {self.status} {words}")


class NoAnswer(ConnectionError):
    """No answer came: the connection was refused, dropped, or too slow."""


def connection(url: str, **options: Any) -> httpx.Client:
    """A client of a server. Only addresses that begin with `https` load the certificates of this machine, which takes 25 ms."""
    return httpx.Client(base_url=url, timeout=60, trust_env=False, verify=url.startswith("https"), **options)


def exact(amount: Amount) -> Decimal:
    """The amount as a decimal. A float is refused, because it cannot say what was meant."""
    if isinstance(amount, float):
        raise TypeError(f'{amount!r} is a float; write "{amount}" or a Decimal, because amounts are exact')
    return Decimal(amount)


def id_of(resource: Resource) -> str:
    """The id of a resource."""
    return resource if isinstance(resource, str) else str(resource["id"])


def read(answer: httpx.Response) -> Any:
    """The body: JSON with decimals, or text; None where there is none."""
    if not answer.content:
        return None
    if "json" in answer.headers.get("content-type", ""):
        return simplejson.loads(answer.text, use_decimal=True)
    return answer.text


def call(
    http: httpx.Client,
    method: str,
    path: str,
    body: object = None,
    *,
    query: Mapping[str, object] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Any:
    """Sends a request and reads its answer; raises `Refused` for anything but 2xx, and `NoAnswer` where there is none."""
    __tracebackhide__ = True
    given = {name: str(value) for name, value in (query or {}).items() if value is not None}
    sent = dict(headers or {})
    content = None
    if body is not None:
        content = simplejson.dumps(body, use_decimal=True).encode()
        sent["content-type"] = "application/json"
    try:
        answer = http.request(method, path, content=content, params=given or None, headers=sent)
    except httpx.TransportError as error:
        # Where in the library it was noticed helps nobody.
        raise NoAnswer(f"{method} {path} had no answer: {error!r}") from None
    if not answer.is_success:
        raise Refused(method, path, answer)
    return read(answer)


def without_none(**fields: object) -> dict[str, Any]:
    """The fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}
