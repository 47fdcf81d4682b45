"""Swedish bank days and local time, reckoned from the published rules alone."""

from datetime import date, datetime, time, timedelta, timezone
from functools import lru_cache

DAY = timedelta(days=1)


def easter(y):
    a, b, c = y % 19, y // 100, y % 100
    d, e, f = b // 4, b % 4, (b + 8) // 25
    g = (b - f + 1) // 3
    h = (19 * a + b - d - g + 15) % 30
    i, k = c // 4, c % 4
    l = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * l) // 451
    return date(y, (h + l - 7 * m + 114) // 31, (h + l - 7 * m + 114) % 31 + 1)


def first_on(weekday, day):
    """The first such weekday (Monday is 0) on or after a day."""
    return day + timedelta(days=(weekday - day.weekday()) % 7)


@lru_cache(None)
def holidays(y):
    e = easter(y)
    fixed = [(1, 1), (1, 6), (5, 1), (6, 6), (12, 24), (12, 25), (12, 26), (12, 31)]
    moving = [e - 2 * DAY, e + DAY, e + 39 * DAY, first_on(4, date(y, 6, 19))]
    return {date(y, month, day) for month, day in fixed} | set(moving)


@lru_cache(None)
def half_days(y):
    e = easter(y)
    saints = first_on(5, date(y, 10, 31)) - DAY
    days = {date(y, 1, 5), e - 3 * DAY, date(y, 4, 30), e + 38 * DAY, saints}
    return {day for day in days if is_bank_day(day)}


@lru_cache(None)
def is_bank_day(day):
    return day.weekday() < 5 and day not in holidays(day.year)


def on_or_after(day):
    while not is_bank_day(day):
        day += DAY
    return day


def later(day, count):
    """The bank day so many bank days after a day."""
    for _ in range(count):
        day = on_or_after(day + DAY)
    return day


def is_summer(instant):
    """From the last Sunday of March to the last Sunday of October, 01:00 UTC."""
    begins, ends = summer(instant.year)
    return begins <= instant < ends


@lru_cache(None)
def summer(y):
    last_sundays = [first_on(6, date(y, month, 25)) for month in (3, 10)]
    return [datetime.combine(day, time(1), timezone.utc) for day in last_sundays]


@lru_cache(None)
def local(day, hour=0, minute=0, second=0):
    """The instant of a local time of day; none of ours lies in the hour of a change."""
    as_if_utc = datetime.combine(day, time(hour, minute, second), timezone.utc)
    instant = as_if_utc - timedelta(hours=1)
    return instant - timedelta(hours=1) if is_summer(instant - timedelta(hours=1)) else instant


def local_day(instant):
    return (instant + timedelta(hours=2 if is_summer(instant) else 1)).date()


def cut_off(day, hours):
    """The cut-off of a fund day; half-days end at 11:00."""
    hour, minute = map(int, hours.split(":"))
    if day in half_days(day.year):
        hour, minute = min((hour, minute), (11, 0))
    return local(day, hour, minute)


def fund_day(instant, hours):
    """The day whose price an order gets that is in at an instant."""
    day = local_day(instant)
    while not (is_bank_day(day) and instant < cut_off(day, hours)):
        day += DAY
    return day


def self_test():
    for y, days in [(2024, 251), (2025, 249), (2026, 251), (2027, 253), (2028, 251)]:
        year = [date(y, 1, 1) + n * DAY for n in range(366)]
        assert sum(is_bank_day(day) for day in year if day.year == y) == days, y
    assert [easter(y) for y in (2026, 2027, 2028)] == [date(2026, 4, 5), date(2027, 3, 28), date(2028, 4, 16)]
    for start, count, end in [
        (date(2026, 4, 1), 2, date(2026, 4, 7)), (date(2026, 4, 30), 2, date(2026, 5, 5)),
        (date(2026, 5, 13), 2, date(2026, 5, 18)), (date(2026, 12, 30), 2, date(2027, 1, 5)),
    ]:
        assert later(start, count) == end, start
    for day, hour in [(date(2026, 3, 27), 13), (date(2026, 3, 30), 12), (date(2026, 10, 23), 12), (date(2026, 10, 26), 13)]:
        assert local(day, 14) == datetime(day.year, day.month, day.day, hour, tzinfo=timezone.utc), day
    tenth = [later(date(2026, month - 1, 31 if month == 4 else 30), 10) for month in (4, 7, 10)]
    assert tenth == [date(2026, 4, 16), date(2026, 7, 14), date(2026, 10, 14)], tenth
    assert cut_off(date(2026, 4, 2), "14:00") == local(date(2026, 4, 2), 11)
    return 18
