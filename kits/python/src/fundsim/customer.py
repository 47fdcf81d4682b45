"""The end customer in front of hosted pages: opens them, fills them in, signs, leaves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import httpx

from fundsim import shapes
from fundsim.http import Amount, Refused, Resource, connection
from fundsim.pages import Button, Field, Page, PageFault

if TYPE_CHECKING:
    from fundsim.world import World

Outcome = Literal["sign", "abort", "fail", "refuse"]

_MOST_PAGES = 40
_PERSON, _ANOTHER, _NUMBER = "_person", "another", "_number"


class Customer:
    """A customer of the partner's in a world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._http = connection(world.server.url, follow_redirects=True, headers={"accept-language": "en"})
        self.pages: list[Page] = []
        """The pages that were shown, in order."""

    def close(self) -> None:
        """Closes the browser."""
        self._http.close()

    def account(
        self,
        account_type: Literal["isk", "depot", "insurance"] = "isk",
        *,
        cash: Amount | None = None,
        **more: object,
    ) -> shapes.Account:
        """An account that the customer has already, without a journey."""
        return self._world.platform.open_account(self._world.partner.client, account_type, cash=cash, **more)

    def open(self, url: Resource) -> Page:
        """Opens an address, or a journey's."""
        address = url if isinstance(url, str) else str(url["url"])
        return self._show(self._http.get(address, headers={"accept": "text/html"}))

    def submit(self, page: Page, button: Button | None = None) -> Page:
        """Sends the form of a page."""
        if page.action is None:
            raise PageFault(f"the page {page.name} has no form")
        sent = page.data(button or page.button())
        return self._show(self._http.post(page.action, data=sent, headers={"sec-fetch-site": "same-origin"}))

    def leave(self, page: Page) -> Page:
        """Leaves a journey from a page of it, and says so when asked."""
        ways = [link for link in page.links.values() if "/leave?" in link or link.endswith("/leave")]
        if not ways:
            raise PageFault(f"the page {page.name} cannot be left; its links are: {', '.join(page.links) or 'none'}")
        return self.submit(self.open(ways[0]))

    def walk(
        self,
        url: Resource,
        answers: Mapping[str, Any] | None = None,
        *,
        person: str | None = None,
        leave_at: str | None = None,
        identify: Outcome = "sign",
        sign: Outcome = "sign",
    ) -> Page:
        """Walks a journey from its address to an end, and returns the last page.

        What `answers` has is filled in, by names of steps and fields (`{"kyc": {"purpose": "pension"}}`) or by names of fields
        alone; what is filled in already stays; the rest is what the service suggests, or the first choice. `person` is the
        number of who identifies. `leave_at` names the step at which the customer leaves. `identify` and `sign` say what
        happens in the electronic identity: `sign`, `abort`, `fail` or, for an application that waits for others, `refuse`.

        Raises `PageFault` where a page refuses what was filled in, or where `answers` names what no page has asked for.
        """
        __tracebackhide__ = True
        begin = len(self.pages)
        page = self.open(url)
        wanted = _by_step(answers or {})
        used: set[tuple[str, str]] = set()
        suggested = self._suggestions(url if isinstance(url, str) else str(url["url"]))
        while len(self.pages) - begin < _MOST_PAGES:
            if page.status >= 400:
                raise PageFault(f"the page answers {page.status}: {page.heading or page.text[:200]}")
            if page.name == leave_at:
                return self.leave(page)
            if page.action is None:
                shown = ", ".join(one.name for one in self.pages[begin:])
                if leave_at is not None:
                    raise PageFault(f"no page is called {leave_at}; pages were: {shown}")
                unused = [".".join(part for part in name if part) for name in wanted if name not in used]
                if unused and page.status < 400 and (identify, sign) == ("sign", "sign"):
                    raise PageFault(f"no page has asked for {', '.join(unused)}; pages were: {shown}")
                return page
            for one in page.fields.values():
                self._fill(page, one, wanted, used, suggested)
            button = page.button() if _PERSON not in page.fields else page.button(sign if page.name == "signing" else identify)
            if person is not None and page.name == "authentication":
                _choose_person(page, person)
            before, page = page, self.submit(page, button)
            if page.name == before.name and (page.errors or page.problems):
                wrong = "; ".join(f"{name}: {words}" for name, words in page.errors.items()) or "; ".join(page.problems)
                raise PageFault(f"the page {page.name} refuses what was filled in: {wrong}")
        raise PageFault(f"no end after {_MOST_PAGES} pages: {', '.join(one.name for one in self.pages[-6:])}")

    def _show(self, answer: httpx.Response) -> Page:
        page = Page(str(answer.url), answer.status_code, answer.text)
        self.pages.append(page)
        return page

    def _fill(
        self,
        page: Page,
        one: Field,
        wanted: dict[tuple[str, str], Any],
        used: set[tuple[str, str]],
        suggested: dict[tuple[str, str], list[str]],
    ) -> None:
        for key in ((page.name, one.name), ("", one.name)):
            if key in wanted:
                one.put(wanted[key])
                used.add(key)
                return
        suggestion = suggested.get((page.name, one.name))
        if one.values or one.read_only or one.name.startswith("_"):
            return
        if suggestion and (one.required or one.kind != "many" or page.name in ("kyc", "agreement")):
            one.put(True if one.kind == "many" and len(one.choices) == 1 else suggestion)
        elif one.required and one.choices:
            one.put(True if one.kind == "many" and len(one.choices) == 1 else next(iter(one.choices)))

    def _suggestions(self, url: str) -> dict[tuple[str, str], list[str]]:
        """What a person might answer, by step and field."""
        for journey in self._world.call("GET", "journeys", observe=True)["journeys"]:
            if journey["url"] == url.split("?")[0]:
                partner = self._world.partner_of(journey["clientId"])
                try:
                    steps = partner.call("GET", f"/simulations/journey/{journey['id']}/steps")
                except Refused:
                    return {}
                return {
                    (step["step"], one["name"]): [str(value) for value in one["suggestion"]]
                    for step in steps
                    for one in step["fields"]
                    if one["suggestion"]
                }
        return {}


def _by_step(answers: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
    """Answers by step and field; those that name no step have an empty one."""
    found: dict[tuple[str, str], Any] = {}
    for name, value in answers.items():
        if isinstance(value, Mapping):
            found.update({(name, inner): answer for inner, answer in value.items()})
        else:
            found["", name] = value
    return found


def _choose_person(page: Page, number: str) -> None:
    persons = page.find(_PERSON)
    if number in persons.choices:
        persons.put(number)
        return
    if _ANOTHER not in persons.choices:
        raise PageFault(f"the page does not let {number} identify; it offers: {', '.join(persons.choices)}")
    persons.put(_ANOTHER)
    page.find(_NUMBER).put(number)
