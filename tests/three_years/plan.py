"""What the customer and the partner do in three years: when, what, how much. Nothing here is drawn by chance."""

from datetime import date
from decimal import Decimal as D

from bank_days import local

INDEX, RATES, SMALL, SHORT = "SE0SBX000016SEK", "SE0SBX000040SEK", "SE0SBX000065SEK", "SE0SBX000032SEK"
FUNDS = [INDEX, RATES, SMALL, SHORT]
IBAN = "SE8150000000050000000019"
START = "2026-01-02T08:00:00+01:00"
FIRST, LAST = date(2026, 1, 2), date(2028, 12, 31)

ALLOCATION = [(INDEX, D("45.55")), (RATES, D("33.33")), (SMALL, D("21.12"))]
SAVED = [(SMALL, D("1200")), (SHORT, D("800.50"))]
SAVING_DAY = 25


def at(text):
    """A local instant: `2026-01-03 14:00`, or with seconds."""
    day, time = text.split()
    return local(date.fromisoformat(day), *map(int, time.split(":")))


# Three ways for money to come, two to go, orders by the partner, splits both ways, a dividend, and the end.
ACTS = [
    (at("2026-01-02 08:05"), "allocate"),
    (at("2026-01-02 08:10"), "save"),
    (at("2026-01-03 14:00"), "mobile", D("10000")),                      # a Saturday
    (at("2026-02-12 14:59:59"), "bankgiro", D("25000.10")),
    (at("2026-03-16 10:00"), "autogiro", [D("4000"), D("1500.55")]),
    (at("2026-03-25 10:00"), "withdraw", None),                          # everything: units are sold for the fee
    (at("2026-04-02 15:00"), "bankgiro", D("5432.10")),                  # too late, before Easter
    (at("2026-06-24 20:15"), "mobile", D("2500.75")),
    (at("2026-07-06 09:00"), "sell", INDEX, D("24.5")),
    (at("2026-07-13 11:59"), "withdraw", D("1000")),
    (at("2026-08-20 11:00"), "partner fee", D("45")),                   # from here on, in basis points
    (at("2026-09-15 09:00"), "buy", SHORT, D("300")),
    (at("2026-09-16 09:00"), "buy and cancel", RATES, D("250")),
    (at("2026-12-23 10:00"), "bankgiro", D("8000")),
    (at("2027-02-14 23:30"), "mobile", D("3333.33")),                    # a Sunday
    (at("2027-03-10 10:00"), "sell and withdraw", RATES, D("15.5")),
    (at("2027-04-12 14:00"), "autogiro", [D("6000")]),
    (at("2027-05-11 08:00"), "split", INDEX, D("3")),
    (at("2027-06-01 10:00"), "dividend", D("250.25")),
    (at("2027-07-15 16:30"), "bankgiro", D("7000.01")),
    (at("2027-09-01 14:30"), "sell", SMALL, D("3.1234")),                # after the cut-off
    (at("2027-10-12 12:00"), "withdraw", D("500")),                      # too late for the next day
    (at("2027-12-30 09:30"), "mobile", D("1000.50")),
    (at("2028-02-28 15:00"), "autogiro", [D("2222.22")]),                # after the file, before a leap day
    (at("2028-03-20 10:00"), "withdraw", None),
    (at("2028-04-06 09:00"), "partner fee", D("20")),
    (at("2028-04-12 14:00"), "bankgiro", D("12000")),
    (at("2028-06-13 08:00"), "split", RATES, D("0.5")),
    (at("2028-08-05 12:00"), "mobile", D("4800.50")),
    (at("2028-10-31 09:00"), "sell", INDEX, D("100.25")),
    (at("2028-12-11 10:00"), "close account"),
]
