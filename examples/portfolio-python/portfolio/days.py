"""Days of the books: which day an instant belongs to, and when it is closed.

A day is closed at 23:30 in Stockholm, after the platform's last bookings; what comes later belongs to the next one.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

STOCKHOLM = ZoneInfo("Europe/Stockholm")
_CLOSES_AT = time(23, 30)


def close_of(day: date) -> datetime:
    """The instant at which a day is closed. Days have 23, 24 or 25 hours, so this is reckoned in local time."""
    return datetime.combine(day, _CLOSES_AT, STOCKHOLM).astimezone(UTC)


def day_of(instant: datetime) -> date:
    """The day that an instant belongs to."""
    day = instant.astimezone(STOCKHOLM).date()
    return day if instant < close_of(day) else day + timedelta(days=1)


def next_close(last: datetime, *, every_24_hours: bool = False) -> datetime:
    """The close after `last`, which is one. `every_24_hours` is the mistake of counting hours instead of days."""
    if every_24_hours:
        return last + timedelta(hours=24)
    return close_of(last.astimezone(STOCKHOLM).date() + timedelta(days=1))
