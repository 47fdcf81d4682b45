//! The days that a picture covers, and what is written below them.
//!
//! Invariant: a day lies between its two midnights in Stockholm, so days of clock changes are an hour shorter or longer.

use jiff::civil::{Date, Weekday};
use sim::time::{Instant, stockholm};

/// More days than this are marked by months, and more than that by quarters and years.
const DAYS_BY_WEEKS: i64 = 70;
const DAYS_BY_MONTHS: i64 = 430;
const DAYS_BY_QUARTERS: i64 = 1_300;

/// The first instant of a local day.
pub(crate) fn begins(day: Date) -> Instant {
    stockholm(day, 0, 0)
}

pub(crate) fn next(day: Date) -> Date {
    day.tomorrow().unwrap_or(day)
}

/// `2 Jan 2026`.
pub(crate) fn in_words(day: Date) -> String {
    format!("{} {} {}", day.day(), month(day), day.year())
}

/// `08:05:00`, as the clocks of Stockholm show it.
pub(crate) fn clock(at: Instant) -> String {
    let local = at.local();
    format!("{:02}:{:02}:{:02}", local.hour(), local.minute(), local.second())
}

/// `Mon` to `Sun`.
pub(crate) fn weekday(day: Date) -> String {
    day.strftime("%a").to_string()
}

/// `January` to `December`.
pub(crate) fn month_name(day: Date) -> String {
    day.strftime("%B").to_string()
}

/// `Jan` to `Dec`.
pub(crate) fn month(day: Date) -> String {
    day.strftime("%b").to_string()
}

fn starts_quarter(day: Date) -> bool {
    day.day() == 1 && day.month() % 3 == 1
}

/// The unit of the marks on the time axis.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TickUnit {
    Weeks,
    Months,
    Quarters,
    Years,
}

const fn tick_unit(days: i64) -> TickUnit {
    if days <= DAYS_BY_WEEKS {
        TickUnit::Weeks
    } else if days <= DAYS_BY_MONTHS {
        TickUnit::Months
    } else if days <= DAYS_BY_QUARTERS {
        TickUnit::Quarters
    } else {
        TickUnit::Years
    }
}

/// A stretch of the axis with its name.
pub(crate) struct Stretch {
    pub(crate) from: Date,
    /// The day after its last.
    pub(crate) to: Date,
    pub(crate) name: String,
    /// Below the name, where a year begins or the picture does.
    pub(crate) year: Option<i16>,
}

/// The stretches between `first` and `last`, both inclusive; half as many have room where it is narrow.
pub(crate) fn stretches(first: Date, last: Date, is_narrow: bool) -> Vec<Stretch> {
    let days = i64::from((last - first).get_days()) + 1;
    let by = tick_unit(if is_narrow { 2 * days } else { days });
    let starts = |day: Date| match by {
        TickUnit::Weeks => day.weekday() == Weekday::Monday,
        TickUnit::Months => day.day() == 1,
        TickUnit::Quarters => starts_quarter(day),
        TickUnit::Years => day.day() == 1 && day.month() == 1,
    };
    let name = |day: Date| match by {
        TickUnit::Weeks => format!("{} {}", day.day(), month(day)),
        TickUnit::Months => month(day),
        TickUnit::Quarters => format!("Q{}", quarter(day)),
        TickUnit::Years => day.year().to_string(),
    };
    let by_years = by == TickUnit::Years;
    let mut found: Vec<Stretch> = Vec::new();
    for day in all(first, last) {
        if day == first || starts(day) {
            let year = found.last().is_none_or(|before| before.from.year() != day.year());
            let year = (year && !by_years).then(|| day.year());
            found.push(Stretch { from: day, to: day, name: name(day), year });
        }
        if let Some(stretch) = found.last_mut() {
            stretch.to = next(day);
        }
    }
    found
}

/// The days from `first` to `last`.
pub(crate) fn all(first: Date, last: Date) -> impl Iterator<Item = Date> {
    std::iter::successors(Some(first), |day| day.tomorrow().ok()).take_while(move |day| *day <= last)
}

/// The quarter of the year that a day is in, from 1.
pub(crate) fn quarter(day: Date) -> i8 {
    (day.month() + 2) / 3
}

/// The first days of quarters after `first`, each with the quarter that ended before it.
pub(crate) fn quarter_ends(first: Date, last: Date) -> Vec<(Date, String)> {
    let named = |day: Date| (day, format!("Q{} ends", quarter(day.yesterday().unwrap_or(day))));
    all(next(first), next(last)).filter(|day| starts_quarter(*day)).map(named).collect()
}
