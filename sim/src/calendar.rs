//! Bank days: when Swedish banks settle, and when the markets some funds depend on are closed.
//!
//! Owns: the holiday rules (rule: calendar/bank-day, calendar/half-day) and every way of counting in bank days.
//! Invariant: the answer follows from the date alone; a holiday on a weekend is lost, there are no substitute days.
//! Absent on purpose: hours (a half-day is only named here), closures decreed for one occasion, a fund's own closed days.

use jiff::civil::Weekday;
use serde::{Deserialize, Serialize};

use crate::time::Date;
use std::sync::OnceLock;

/// Easter Sunday of the Gregorian calendar.
///
/// # Panics
/// When `year` is not in 1 to 9999: a bug in the caller.
pub fn easter(year: i16) -> Date {
    assert!((1..=9999).contains(&year), "no Easter in {year}");
    let y = i32::from(year);
    let (a, b, c) = (y % 19, y / 100, y % 100);
    let (d, e) = (b / 4, b % 4);
    let g = (b - (b + 8) / 25 + 1) / 3;
    let h = (19 * a + b - d - g + 15) % 30;
    let l = (32 + 2 * e + 2 * (c / 4) - h - c % 4) % 7;
    let m = (a + 11 * h + 22 * l) / 451;
    let n = h + l - 7 * m + 114;
    let small = |n: i32| i8::try_from(n).expect("a month or a day");
    Date::constant(year, small(n / 31), small(n % 31 + 1))
}

/// The English name of the Swedish bank holiday on `date`, weekends included.
pub fn holiday_name(date: Date) -> Option<&'static str> {
    let fixed = match (date.month(), date.day()) {
        (1, 1) => "New Year's Day",
        (1, 6) => "Epiphany",
        (5, 1) => "Labour Day",
        (6, 6) => "National Day",
        (6, 19..=25) if date.weekday() == Weekday::Friday => "Midsummer Eve",
        (12, 24) => "Christmas Eve",
        (12, 25) => "Christmas Day",
        (12, 26) => "Boxing Day",
        (12, 31) => "New Year's Eve",
        _ => "",
    };
    if !fixed.is_empty() {
        return Some(fixed);
    }
    match from_easter(date)? {
        -2 => Some("Good Friday"),
        1 => Some("Easter Monday"),
        39 => Some("Ascension Day"),
        _ => None,
    }
}

/// Whether Swedish banks settle on `date`.
pub fn is_bank_day(date: Date) -> bool {
    marks(date) & BANK_DAY != 0
}

/// Whether `date` is a bank day on which the Swedish market closes about 13:00.
pub fn is_half_day(date: Date) -> bool {
    marks(date) & HALF_DAY != 0
}

/// What a day is, as bits.
type Marks = u8;

const BANK_DAY: Marks = 1;
const HALF_DAY: Marks = 2;
const CLOSED_IN_US: Marks = 4;
const CLOSED_IN_LUXEMBOURG: Marks = 8;
const CLOSED_IN_UK: Marks = 16;

/// The first year whose days are kept once they were asked for; the rules are computed again for the days of others.
const FIRST_KEPT: i16 = 1970;
/// How many years are kept.
const KEPT_YEARS: usize = 256;
/// Places of the days of a year: 32 for each month.
const PLACES: usize = 13 * 32;

static KEPT: [OnceLock<Box<[Marks; PLACES]>>; KEPT_YEARS] = [const { OnceLock::new() }; KEPT_YEARS];

/// What `date` is.
fn marks(date: Date) -> Marks {
    let year = usize::try_from(date.year() - FIRST_KEPT).ok().and_then(|at| KEPT.get(at));
    year.map_or_else(|| computed(date), |year| year.get_or_init(|| marks_of_year(date.year()))[place_in_year(date)])
}

fn place_in_year(date: Date) -> usize {
    usize::from(date.month().unsigned_abs()) * 32 + usize::from(date.day().unsigned_abs())
}

fn marks_of_year(year: i16) -> Box<[Marks; PLACES]> {
    let mut marks = Box::new([0; PLACES]);
    let first = Date::new(year, 1, 1).ok();
    let days = std::iter::successors(first, |day| day.tomorrow().ok()).take_while(|day| day.year() == year);
    days.for_each(|day| marks[place_in_year(day)] = computed(day));
    marks
}

/// What `date` is by the rules.
fn computed(date: Date) -> Marks {
    let mark = |holds: bool, mark: Marks| if holds { mark } else { 0 };
    let is_open = !is_weekend(date) && holiday_name(date).is_none();
    mark(is_open, BANK_DAY)
        | mark(is_open && is_eve(date), HALF_DAY)
        | mark(is_weekend(date) || us_holiday(date), CLOSED_IN_US)
        | mark(is_weekend(date) || luxembourg_holiday(date), CLOSED_IN_LUXEMBOURG)
        | mark(is_weekend(date) || uk_holiday(date), CLOSED_IN_UK)
}

/// Whether the Swedish market closes about 13:00 on `date`, if it opens.
fn is_eve(date: Date) -> bool {
    match (date.month(), date.day()) {
        (1, 5) | (4, 30) => true,
        // The Friday before the first Saturday on or after 31 October.
        (10, 30 | 31) | (11, 1..=5) => date.weekday() == Weekday::Friday,
        _ => matches!(from_easter(date), Some(-3 | 38)),
    }
}

/// The first bank day strictly after `date`.
pub fn next_bank_day(date: Date) -> Date {
    bank_day_on_or_after(after(date))
}

/// `date` itself when it is a bank day, else the next one.
pub fn bank_day_on_or_after(mut date: Date) -> Date {
    while !is_bank_day(date) {
        date = after(date);
    }
    date
}

/// The `n`-th bank day strictly after `date`; `date` itself, bank day or not, when `n` is 0.
pub fn add_bank_days(mut date: Date, n: u32) -> Date {
    for _ in 0..n {
        date = next_bank_day(date);
    }
    date
}

/// How many bank days lie in (`from`, `to`]; negative, over (`to`, `from`], when `to` is the earlier.
pub fn bank_days_between(from: Date, to: Date) -> i32 {
    if to < from {
        return -bank_days_between(to, from);
    }
    let mut count = 0;
    let mut date = from;
    while date < to {
        date = after(date);
        count += i32::from(is_bank_day(date));
    }
    count
}

/// A foreign market whose closed days also close the funds that depend on it (rule: calendar/foreign-holidays).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ForeignCalendar {
    /// The stock exchanges of New York, under the rules in force since 2022.
    Us,
    /// The banks of Luxembourg, under the rules in force since 2019.
    Luxembourg,
    /// The London exchange: the bank holidays of England.
    Uk,
}

impl ForeignCalendar {
    /// Whether the market is closed on `date`, weekends included.
    pub fn is_closed(self, date: Date) -> bool {
        let closed = match self {
            ForeignCalendar::Us => CLOSED_IN_US,
            ForeignCalendar::Luxembourg => CLOSED_IN_LUXEMBOURG,
            ForeignCalendar::Uk => CLOSED_IN_UK,
        };
        marks(date) & closed != 0
    }
}

/// Given a weekday. A holiday on Saturday is kept on Friday, one on Sunday on Monday; New Year's Day never moves back,
/// since the exchange does not close at the end of a year.
fn us_holiday(date: Date) -> bool {
    use Weekday::{Friday, Monday, Thursday};
    let weekday = date.weekday();
    let observed = |month: i8, day: i8| {
        date.month() == month
            && (date.day() == day
                || (weekday == Monday && date.day() == day + 1)
                || (weekday == Friday && date.day() == day - 1))
    };
    let nth = |month: i8, on: Weekday, days: std::ops::RangeInclusive<i8>| {
        date.month() == month && weekday == on && days.contains(&date.day())
    };
    observed(1, 1)
        || nth(1, Monday, 15..=21)
        || nth(2, Monday, 15..=21)
        || from_easter(date) == Some(-2)
        || nth(5, Monday, 25..=31)
        || observed(6, 19)
        || observed(7, 4)
        || nth(9, Monday, 1..=7)
        || nth(11, Thursday, 22..=28)
        || observed(12, 25)
}

fn luxembourg_holiday(date: Date) -> bool {
    let fixed = [(1, 1), (5, 1), (5, 9), (6, 23), (8, 15), (11, 1), (12, 25), (12, 26)];
    fixed.contains(&(date.month(), date.day())) || matches!(from_easter(date), Some(-2 | 1 | 39 | 50))
}

/// Given a weekday. Holidays on a weekend move to the next free weekdays.
fn uk_holiday(date: Date) -> bool {
    let (month, day, weekday) = (date.month(), date.day(), date.weekday());
    match (month, day) {
        (1, 1) | (12, 25 | 26) => true,
        (1, 2 | 3) | (5, 1..=7 | 25..=31) | (8, 25..=31) => weekday == Weekday::Monday,
        // Christmas or Boxing Day on a weekend: 27 December replaces it on Monday or Tuesday, 28 December likewise.
        (12, 27 | 28) => matches!(weekday, Weekday::Monday | Weekday::Tuesday),
        _ => matches!(from_easter(date), Some(-2 | 1)),
    }
}

fn is_weekend(date: Date) -> bool {
    matches!(date.weekday(), Weekday::Saturday | Weekday::Sunday)
}

/// Days since Easter Sunday of the same year; `None` in the months no rule reaches, to save the computing.
fn from_easter(date: Date) -> Option<i32> {
    if !(3..=6).contains(&date.month()) || date.year() < 1 {
        return None;
    }
    let easter = easter(date.year());
    Some(i32::from(date.day_of_year()) - i32::from(easter.day_of_year()))
}

fn after(date: Date) -> Date {
    date.tomorrow().expect("the world ends before the calendar does")
}

/// So many calendar days after `day`.
#[must_use]
pub fn days_later(day: Date, days: u32) -> Date {
    day.checked_add(jiff::Span::new().days(i64::from(days))).unwrap_or(Date::MAX)
}

/// So many years after `day`.
#[must_use]
pub fn years_later(day: Date, years: u32) -> Date {
    day.checked_add(jiff::Span::new().years(i64::from(years))).unwrap_or(Date::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::parse_date;

    fn day(text: &str) -> Date {
        parse_date(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
    }

    fn days_of(year: i16) -> impl Iterator<Item = Date> {
        Date::constant(year, 1, 1).series(jiff::Span::new().days(1)).take_while(move |d| d.year() == year)
    }

    fn listed(year: i16, wanted: impl Fn(Date) -> bool) -> String {
        let found: Vec<_> =
            days_of(year).filter(|d| wanted(*d)).map(|d| format!("{}/{}", d.day(), d.month())).collect();
        found.join(" ")
    }

    /// (rule: calendar/bank-day, calendar/easter, calendar/half-day)
    #[test]
    fn each_year_has_the_bank_days_holidays_and_half_days_of_the_check_table() {
        for (year, easter_day, bank_days, holidays, half_days) in [
            (
                2024,
                "2024-03-31",
                251,
                "1/1 29/3 1/4 1/5 9/5 6/6 21/6 24/12 25/12 26/12 31/12",
                "5/1 28/3 30/4 8/5 1/11",
            ),
            (
                2025,
                "2025-04-20",
                249,
                "1/1 6/1 18/4 21/4 1/5 29/5 6/6 20/6 24/12 25/12 26/12 31/12",
                "17/4 30/4 28/5 31/10",
            ),
            (2026, "2026-04-05", 251, "1/1 6/1 3/4 6/4 1/5 14/5 19/6 24/12 25/12 31/12", "5/1 2/4 30/4 13/5 30/10"),
            (2027, "2027-03-28", 253, "1/1 6/1 26/3 29/3 6/5 25/6 24/12 31/12", "5/1 25/3 30/4 5/5 5/11"),
            (2028, "2028-04-16", 251, "6/1 14/4 17/4 1/5 25/5 6/6 23/6 25/12 26/12", "5/1 13/4 24/5 3/11"),
        ] {
            assert_eq!(easter(year), day(easter_day));
            assert_eq!(days_of(year).filter(|d| is_bank_day(*d)).count(), bank_days, "{year}");
            assert_eq!(listed(year, |d| !is_weekend(d) && !is_bank_day(d)), holidays, "{year}");
            assert_eq!(listed(year, is_half_day), half_days, "{year}");
        }
    }

    #[test]
    fn settlement_counts_bank_days_only() {
        for (from, n, to) in [
            ("2026-04-01", 1, "2026-04-02"),
            ("2026-04-01", 2, "2026-04-07"),
            ("2026-04-02", 1, "2026-04-07"),
            ("2026-04-02", 2, "2026-04-08"),
            ("2026-04-30", 1, "2026-05-04"),
            ("2026-04-30", 2, "2026-05-05"),
            ("2026-05-13", 1, "2026-05-15"),
            ("2026-05-13", 2, "2026-05-18"),
            ("2026-06-18", 1, "2026-06-22"),
            ("2026-12-23", 1, "2026-12-28"),
            ("2026-12-23", 2, "2026-12-29"),
            ("2026-12-30", 1, "2027-01-04"),
            ("2026-12-30", 2, "2027-01-05"),
            ("2026-05-01", 0, "2026-05-01"),
        ] {
            assert_eq!(add_bank_days(day(from), n), day(to), "{from} + {n}");
            assert_eq!(i64::from(bank_days_between(day(from), day(to))), i64::from(n), "{from} to {to}");
            assert_eq!(i64::from(bank_days_between(day(to), day(from))), -i64::from(n), "{to} to {from}");
        }
    }

    #[test]
    fn a_due_day_on_a_holiday_moves_to_the_next_bank_day() {
        for (due, moved) in [
            ("2026-05-01", "2026-05-04"),
            ("2026-06-06", "2026-06-08"),
            ("2026-12-25", "2026-12-28"),
            ("2026-02-28", "2026-03-02"),
            ("2026-03-02", "2026-03-02"),
        ] {
            assert_eq!(bank_day_on_or_after(day(due)), day(moved));
        }
    }

    #[test]
    fn a_day_that_is_kept_is_what_the_rules_say() {
        for year in (1970..=2225).step_by(5).chain([1969, 2226]) {
            for date in days_of(year) {
                let closed = [ForeignCalendar::Us, ForeignCalendar::Luxembourg, ForeignCalendar::Uk]
                    .map(|market| market.is_closed(date));
                let weekend = is_weekend(date);
                let holidays = [us_holiday(date), luxembourg_holiday(date), uk_holiday(date)];
                assert_eq!(is_bank_day(date), !weekend && holiday_name(date).is_none(), "{date}");
                assert_eq!(is_half_day(date), is_bank_day(date) && is_eve(date), "{date}");
                assert_eq!(closed, holidays.map(|holiday| weekend || holiday), "{date}");
            }
        }
    }

    #[test]
    fn holidays_are_named_on_weekends_too_and_whit_monday_is_none() {
        for (date, name) in [
            ("2026-06-06", Some("National Day")),
            ("2026-06-19", Some("Midsummer Eve")),
            ("2026-05-14", Some("Ascension Day")),
            ("2026-04-06", Some("Easter Monday")),
            ("2026-12-31", Some("New Year's Eve")),
            ("2026-05-25", None),
            ("2026-12-23", None),
        ] {
            assert_eq!(holiday_name(day(date)), name, "{date}");
        }
    }

    #[test]
    fn a_year_has_at_least_248_bank_days_and_never_six_closed_days_in_a_row() {
        for year in 1997..=2200 {
            let bank_days = days_of(year).filter(|d| is_bank_day(*d)).count();
            assert!((248..=254).contains(&bank_days), "{year}: {bank_days}");
            for date in days_of(year).filter(|d| !is_bank_day(*d)) {
                assert!(next_bank_day(date) <= date.checked_add(jiff::Span::new().days(5)).unwrap(), "{date}");
            }
        }
    }

    /// (rule: calendar/foreign-holidays)
    #[test]
    fn foreign_markets_close_on_their_own_days() {
        use ForeignCalendar::{Luxembourg, Uk, Us};
        for (calendar, year, closed) in [
            (Us, 2024, "1/1 15/1 19/2 29/3 27/5 19/6 4/7 2/9 28/11 25/12"),
            (Us, 2026, "1/1 19/1 16/2 3/4 25/5 19/6 3/7 7/9 26/11 25/12"),
            // 1 January 2028 is a Saturday: the exchange stays open on the Friday before.
            (Us, 2027, "1/1 18/1 15/2 26/3 31/5 18/6 5/7 6/9 25/11 24/12"),
            (Us, 2028, "17/1 21/2 14/4 29/5 19/6 4/7 4/9 23/11 25/12"),
            (Us, 2023, "2/1 16/1 20/2 7/4 29/5 19/6 4/7 4/9 23/11 25/12"),
            (Luxembourg, 2026, "1/1 3/4 6/4 1/5 14/5 25/5 23/6 25/12"),
            (Uk, 2026, "1/1 3/4 6/4 4/5 25/5 31/8 25/12 28/12"),
            (Uk, 2027, "1/1 26/3 29/3 3/5 31/5 30/8 27/12 28/12"),
            (Uk, 2028, "3/1 14/4 17/4 1/5 29/5 28/8 25/12 26/12"),
            (Uk, 2022, "3/1 15/4 18/4 2/5 30/5 29/8 26/12 27/12"),
        ] {
            assert_eq!(listed(year, |d| !is_weekend(d) && calendar.is_closed(d)), closed, "{calendar:?} {year}");
        }
        assert!(Us.is_closed(day("2026-07-04")));
    }

    #[test]
    fn calendars_are_recorded_in_lower_case() {
        use crate::laws::{recorded, replayed};
        for (calendar, text) in
            [(ForeignCalendar::Us, "us"), (ForeignCalendar::Luxembourg, "luxembourg"), (ForeignCalendar::Uk, "uk")]
        {
            assert_eq!(recorded(&calendar), text);
            assert_eq!(replayed(text), Ok(calendar));
        }
    }
}
