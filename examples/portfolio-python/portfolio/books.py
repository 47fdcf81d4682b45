"""The books, in SQLite: a copy of the records of the service, and entries that change what customers hold.

Each transaction makes entries by what it counts for in an account: the difference to what its entries say already. So nothing
counts twice, however often and in whatever order it is seen. An entry belongs to a day and counts at once; closing its day posts
it, and what comes for a day that is closed is posted at once.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import simplejson

from portfolio.days import STOCKHOLM, close_of, day_of, next_close
from portfolio.settings import Fault

_SCHEMA = """
create table if not exists meta (name text primary key, value text not null);
create table if not exists customer (
    id text primary key, journey text, url text, account text, status text not null, reason text
);
create table if not exists asked (
    key text primary key, request text not null, client_ref text not null, status integer, answer text
);
create table if not exists seen (event text primary key);
create table if not exists record (
    kind text not null, id text not null, account text, modified text not null, body text not null, primary key (kind, id)
);
create table if not exists entry (
    number integer primary key, source text not null, account text not null, what text not null,
    amount text not null, settled text not null, day text not null, posted integer not null
);
create index if not exists entry_source on entry (source);
create table if not exists closed (day text primary key);
"""

CASH = "cash"
KINDS = {"account": "account", "order": "order", "cash": "transaction/cash", "fund": "transaction/fund"}
"""Kinds of records, and where the service lists them."""


@dataclass(frozen=True)
class Counted:
    """What a transaction counts for in an account: with what is under way, and settled alone."""

    amount: Decimal
    settled: Decimal


def counted(kind: str, record: dict[str, Any]) -> dict[tuple[str, str], Counted]:
    """What a transaction counts for, by account and by what is held (`cash`, or a fund).

    What leaves counts from the beginning, what comes counts from its settlement, and what was aborted never counts.
    """
    if record["aborted"]:
        return {}
    is_settled, nothing = record["settlementDate"] is not None, Decimal(0)
    found: dict[tuple[str, str], Counted] = {}
    if kind == "cash":
        amount = Decimal(record["amount"])
        found[record["debitAccount"], CASH] = Counted(-amount, -amount if is_settled else nothing)
        if is_settled:
            found[record["creditAccount"], CASH] = Counted(amount, amount)
    elif record["transactionType"] == "redemption":
        units = Decimal(record["units"])
        found[record["account"], record["instrument"]] = Counted(-units, -units if is_settled else nothing)
    elif is_settled:
        units = Decimal(record["units"])
        found[record["account"], record["instrument"]] = Counted(units, units)
    return found


class Books:
    """The books. Every change happens in a transaction of the database, and one at a time."""

    def __init__(self, path: str, now: datetime, fault: Fault = Fault.NONE) -> None:
        self._changing = threading.RLock()
        self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._connection.row_factory = sqlite3.Row
        self._connection.executescript(f"pragma journal_mode = wal; {_SCHEMA}")
        self._fault = fault
        if self.meta("next_close") is None:
            self._begin(now)

    def reset(self, now: datetime) -> None:
        """Forgets everything, and begins with the day of this instant."""
        with self.change() as change:
            for table in ("meta", "customer", "asked", "seen", "record", "entry", "closed"):
                change.execute(f"delete from {table}")
            self._begin(now)

    def _begin(self, now: datetime) -> None:
        self.remember("first_day", day_of(now).isoformat())
        self.remember("next_close", close_of(day_of(now)).isoformat())

    def close(self) -> None:
        """Closes the database."""
        with self._changing:
            self._connection.close()

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """Everything in the `with` block is kept, or nothing of it."""
        with self._changing:
            if self._connection.in_transaction:
                yield self._connection
                return
            self._connection.execute("begin immediate")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("rollback")
                raise
            self._connection.execute("commit")

    def rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        """The rows of a query."""
        with self._changing:
            return self._connection.execute(query, values).fetchall()

    def row(self, query: str, *values: object) -> sqlite3.Row | None:
        """The first row of a query."""
        found = self.rows(query, *values)
        return found[0] if found else None

    def meta(self, name: str) -> str | None:
        """A value that the books remember."""
        found = self.row("select value from meta where name = ?", name)
        return None if found is None else str(found["value"])

    def remember(self, name: str, value: str) -> None:
        """Remembers a value."""
        with self.change() as change:
            change.execute("insert or replace into meta values (?, ?)", (name, value))

    # Records

    def knows_event(self, event: str) -> bool:
        """Whether an event was taken before."""
        return self.row("select event from seen where event = ?", event) is not None

    def remember_event(self, event: str) -> None:
        """An event was taken."""
        with self.change() as change:
            change.execute("insert or ignore into seen values (?)", (event,))

    def record(self, kind: str, identifier: str) -> dict[str, Any] | None:
        """The copy of a record."""
        found = self.row("select body from record where kind = ? and id = ?", kind, identifier)
        return None if found is None else simplejson.loads(found["body"], use_decimal=True)

    def records(self, kind: str, account: str | None = None) -> list[dict[str, Any]]:
        """The copies of all records of a kind, or of those of an account, the oldest first."""
        found = self.rows("select body, account from record where kind = ?", kind)
        bodies = [simplejson.loads(one["body"], use_decimal=True) for one in found if account in (None, one["account"])]
        return sorted(bodies, key=lambda body: str(body["sortedId"]))

    def store(self, kind: str, body: dict[str, Any]) -> None:
        """Takes a record as it is now, unless a later one is known, and enters what it counts for."""
        with self.change() as change:
            known = self.record(kind, body["id"])
            if known is not None and known["modifiedDate"] > body["modifiedDate"]:
                return
            text = simplejson.dumps(body, use_decimal=True)
            values = (kind, body["id"], body.get("account"), body["modifiedDate"], text)
            change.execute("insert or replace into record values (?, ?, ?, ?, ?)", values)
            if kind in ("cash", "fund"):
                self._enter(change, kind, body)

    def forget(self, kind: str, identifier: str) -> None:
        """A record was deleted. Its entries stay: only what counts for nothing can be deleted."""
        with self.change() as change:
            change.execute("delete from record where kind = ? and id = ?", (kind, identifier))

    def _enter(self, change: sqlite3.Connection, kind: str, body: dict[str, Any]) -> None:
        if self._fault is Fault.IGNORE_BOUNCE and kind == "cash" and body["refType"] == "correction":
            return
        day = day_of(datetime.fromisoformat(body["modifiedDate"]))
        wanted = counted(kind, body)
        entered: dict[tuple[str, str], Counted] = {}
        for one in self.rows("select account, what, amount, settled from entry where source = ?", body["id"]):
            before = entered.get((one["account"], one["what"]), Counted(Decimal(0), Decimal(0)))
            sums = Counted(before.amount + Decimal(one["amount"]), before.settled + Decimal(one["settled"]))
            entered[one["account"], one["what"]] = sums
        if self._fault is Fault.DOUBLE_DEPOSIT and body["transactionType"] == "deposit" and entered:
            if entered != wanted:
                return
            entered = {}
        for key in wanted.keys() | entered.keys():
            goal, so_far = (found.get(key, Counted(Decimal(0), Decimal(0))) for found in (wanted, entered))
            if goal != so_far:
                difference = Counted(goal.amount - so_far.amount, goal.settled - so_far.settled)
                self._add(change, body["id"], *key, difference, day)

    def _add(self, change: sqlite3.Connection, source: str, account: str, what: str, size: Counted, day: date) -> None:
        is_posted = day.isoformat() < str(self.meta("first_day")) or self.is_closed(day)
        values = (source, account, what, str(size.amount), str(size.settled), day.isoformat(), int(is_posted))
        columns = "source, account, what, amount, settled, day, posted"
        change.execute(f"insert into entry ({columns}) values (?, ?, ?, ?, ?, ?, ?)", values)

    # Days

    def is_closed(self, day: date) -> bool:
        """Whether a day was closed."""
        return self.row("select day from closed where day = ?", day.isoformat()) is not None

    def close_days(self, now: datetime) -> list[str]:
        """Closes every day that has ended by now, and posts its entries. Returns these days."""
        done: list[str] = []
        with self.change() as change:
            closes = datetime.fromisoformat(str(self.meta("next_close")))
            while closes <= now:
                day = closes.astimezone(STOCKHOLM).date().isoformat()
                change.execute("insert or ignore into closed values (?)", (day,))
                change.execute("update entry set posted = 1 where day = ?", (day,))
                done.append(day)
                closes = next_close(closes, every_24_hours=self._fault is Fault.MISS_CLOCK_CHANGE_DAY)
            self.remember("next_close", closes.isoformat())
        return done

    def holdings(self, day: date | None = None) -> dict[str, dict[str, Counted]]:
        """What each account holds: now, or at the close of a day.

        Entries count that are posted, and those of days that come after the last one that was closed.
        """
        last = self.row("select max(day) as day from closed")
        after = str(last["day"]) if last is not None and last["day"] is not None else ""
        until = "9999" if day is None else day.isoformat()
        found: dict[str, dict[str, Counted]] = {}
        for one in self.rows("select * from entry where (posted = 1 or day > ?) and day <= ?", after, until):
            account = found.setdefault(one["account"], {})
            before = account.get(one["what"], Counted(Decimal(0), Decimal(0)))
            amount, settled = Decimal(one["amount"]), Decimal(one["settled"])
            account[one["what"]] = Counted(before.amount + amount, before.settled + settled)
        return found
