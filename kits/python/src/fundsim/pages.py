"""A hosted page as a person has it: what it says, what it asks, and the ways on."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urljoin, urlsplit

from bs4 import BeautifulSoup, Tag


class PageFault(AssertionError):
    """A page does not have what was looked for on it."""


@dataclass
class Field:
    """A field of a form."""

    name: str
    kind: Literal["text", "one", "many"]
    required: bool = False
    read_only: bool = False
    choices: dict[str, str] = field(default_factory=dict)
    """Values that can be chosen, with the words beside each."""
    values: list[str] = field(default_factory=list)
    """What is in it."""
    error: str | None = None
    """What is wrong with it."""

    def put(self, value: object) -> None:
        """Fills it in: a text, a number, True or False for a box, or a list of choices."""
        if value is True or value is False:
            self.values = list(self.choices) if value and self.kind != "text" else []
            return
        wanted = [str(one) for one in value] if isinstance(value, list | tuple) else [str(value)]
        if self.kind == "text":
            self.values = wanted
            return
        by_words = {words: value for value, words in self.choices.items()}
        found = [by_words.get(one, one) for one in wanted]
        unknown = [one for one in found if one not in self.choices]
        if unknown:
            raise PageFault(f"`{self.name}` does not offer {unknown[0]!r}; it offers: {', '.join(self.choices)}")
        self.values = found


@dataclass
class Button:
    """A button that sends the form."""

    words: str
    sends: tuple[str, str] | None


class Page:
    """A page, read from its HTML."""

    def __init__(self, url: str, status: int, html: str) -> None:
        self.url = url
        self.status = status
        self.html = html
        self.name = urlsplit(url).path.rstrip("/").rsplit("/", 1)[-1]
        soup = BeautifulSoup(html, "html.parser")
        main = soup.find("main") or soup
        heading = main.find("h1")
        self.heading = _words(heading) if heading else ""
        self.text = _words(main)
        self.problems = [_words(one) for one in main.select(".problems li")]
        self.links = {_words(one): urljoin(url, str(one["href"])) for one in main.find_all("a", href=True)}
        form = main.find("form", attrs={"method": "post"})
        self.action = urljoin(url, str(form.get("action", ""))) if form else None
        self.hidden: list[tuple[str, str]] = []
        self.fields: dict[str, Field] = {}
        self.buttons: list[Button] = []
        if form:
            self._read(form)

    def __repr__(self) -> str:
        asks = f", asks for {', '.join(self.fields)}" if self.fields else ""
        return f"<page {self.name}: {self.heading}{asks}>"

    @property
    def errors(self) -> dict[str, str]:
        """What is wrong with each field."""
        return {one.name: one.error for one in self.fields.values() if one.error}

    def find(self, name: str) -> Field:
        """A field by its name."""
        if name in self.fields:
            return self.fields[name]
        near = difflib.get_close_matches(name, self.fields, 1)
        hint = f"did you mean `{near[0]}`?" if near else f"it asks for: {', '.join(self.fields) or 'nothing'}"
        raise PageFault(f"the page {self.name} does not ask for `{name}`; {hint}")

    def button(self, sends: str | None = None) -> Button:
        """The button that sends a value, or the one that leads on."""
        found = [one for one in self.buttons if (one.sends[1] if one.sends else None) == sends]
        if not found and sends is None and len(self.buttons) == 1:
            found = self.buttons
        if not found:
            known = ", ".join(f"{one.words} ({one.sends[1]})" if one.sends else one.words for one in self.buttons)
            raise PageFault(f"the page {self.name} has no button for {sends or 'going on'}; it has: {known or 'none'}")
        return found[0]

    def data(self, button: Button) -> dict[str, list[str]]:
        """What the form sends with a button."""
        sent: dict[str, list[str]] = {}
        for name, value in self.hidden:
            sent.setdefault(name, []).append(value)
        for one in self.fields.values():
            values = one.values or ([""] if one.kind == "text" else [])
            if values:
                sent.setdefault(one.name, []).extend(values)
        if button.sends:
            sent.setdefault(button.sends[0], []).append(button.sends[1])
        return sent

    def _read(self, form: Tag) -> None:
        for element in form.find_all(["input", "select", "button"]):
            kind, name = str(element.get("type", "text")), str(element.get("name", ""))
            value = str(element.get("value", ""))
            if element.name == "button":
                self.buttons.append(Button(_words(element), (name, value) if name else None))
            elif kind == "hidden":
                self.hidden.append((name, value))
            elif name:
                self._field(form, element, kind, name, value)

    def _field(self, form: Tag, element: Tag, kind: str, name: str, value: str) -> None:
        if element.name == "select":
            choices = {str(one.get("value", "")): _words(one) for one in element.find_all("option")}
            chosen = [str(one.get("value", "")) for one in element.find_all("option", selected=True)]
            found = Field(name, "one", choices={k: v for k, v in choices.items() if k}, values=[v for v in chosen if v])
        elif kind in ("radio", "checkbox"):
            found = self.fields.get(name) or Field(name, "one" if kind == "radio" else "many")
            label = element.find_parent("label") or form.find("label", attrs={"for": str(element.get("id"))})
            found.choices[value or "on"] = _words(label) if label else value
            if element.has_attr("checked"):
                found.values.append(value or "on")
        else:
            found = Field(name, "text", values=[value] if value else [])
            found.read_only = element.has_attr("readonly")
        found.required = found.required or element.has_attr("required")
        found.error = found.error or _error(form, element)
        self.fields[name] = found


def _words(element: Tag) -> str:
    return " ".join(element.get_text(" ", strip=True).split())


def _error(form: Tag, element: Tag) -> str | None:
    """What is wrong with a control: the description of it, or of its group, that is marked as wrong."""
    described = str(element.get("aria-describedby", "")).split()
    group = element.find_parent("fieldset")
    if group:
        described += str(group.get("aria-describedby", "")).split()
    for name in described:
        found = form.find(id=name)
        if found and "wrong" in (found.get("class") or []):
            return _words(found)
    return None
