//! Spans of business time as people write them: `P1D`, `PT1H30M`, `3 bank days`.
//!
//! Invariant: days, weeks, months and years keep the local time of day, bank days too; hours and less are exact.
//! Absent on purpose: spans backwards, which no world can go.

use std::fmt;
use std::str::FromStr;

use jiff::Span;
use sim::World;
use sim::calendar::next_bank_day;
use sim::time::{Date, Instant, Millis, stockholm};

/// Longest span: a century.
pub const MOST_DAYS: u32 = 36_600;

/// A span of business time.
#[derive(Clone, Copy, Debug)]
pub enum Period {
    /// Bank days, at the same local time.
    BankDays(u32),
    /// Calendar units, then exact units.
    Span(Span),
}

/// The text is no span, or too long a one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeriodError;

impl fmt::Display for PeriodError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be an ISO 8601 period such as P1D or PT1H, or bank days such as 3 bank days, up to a century and to the year 9990")
    }
}

impl std::error::Error for PeriodError {}

impl FromStr for Period {
    type Err = PeriodError;

    fn from_str(text: &str) -> Result<Self, PeriodError> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        if let [count, "bank", "day" | "days"] = words[..] {
            let digits = Some(count).filter(|count| count.bytes().all(|byte| byte.is_ascii_digit()));
            let count = digits.and_then(|count| count.parse().ok()).filter(|count| *count <= MOST_DAYS);
            return count.map(Self::BankDays).ok_or(PeriodError);
        }
        // The library also reads friendlier forms; one form is enough here.
        if !text.starts_with('P') {
            return Err(PeriodError);
        }
        let span: Span = text.parse().map_err(|_| PeriodError)?;
        if span.is_negative() { Err(PeriodError) } else { Ok(Self::Span(span)) }
    }
}

impl Period {
    /// The moment this much after `now`.
    ///
    /// # Errors
    /// When it lies more than a century ahead, or after the end of worlds.
    pub fn after(self, now: Instant) -> Result<Instant, PeriodError> {
        let goal = match self {
            Self::BankDays(count) => {
                let mut day = now.local_date();
                for _ in 0..count {
                    if day > World::END.local_date() {
                        return Err(PeriodError);
                    }
                    day = next_bank_day(day);
                }
                on_day(now, day)
            }
            Self::Span(span) => {
                let whole = Span::new().try_years(span.get_years()).and_then(|days| days.try_months(span.get_months()));
                let whole = whole.and_then(|days| days.try_weeks(span.get_weeks()));
                let whole = whole.and_then(|days| days.try_days(span.get_days())).map_err(|_| PeriodError)?;
                let day = now.local_date().checked_add(whole).map_err(|_| PeriodError)?;
                let kept = if day == now.local_date() { now } else { on_day(now, day) };
                kept.plus(exact(&span)?)
            }
        };
        let most = now.plus(Millis::days(i64::from(MOST_DAYS)));
        if goal > most || goal > World::END { Err(PeriodError) } else { Ok(goal) }
    }
}

/// The hours, minutes, seconds and milliseconds of a span; clocks here know nothing finer.
fn exact(span: &Span) -> Result<Millis, PeriodError> {
    if span.get_microseconds() != 0 || span.get_nanoseconds() != 0 {
        return Err(PeriodError);
    }
    let terms = [
        (i64::from(span.get_hours()), 3_600_000),
        (span.get_minutes(), 60_000),
        (span.get_seconds(), 1_000),
        (span.get_milliseconds(), 1),
    ];
    let sum = terms.iter().try_fold(0_i64, |sum, (count, unit)| sum.checked_add(count.checked_mul(*unit)?));
    sum.map(Millis).ok_or(PeriodError)
}

/// The local time of day of `now` on another day.
fn on_day(now: Instant, day: Date) -> Instant {
    let local = now.local();
    let rest = i64::from(local.second()) * 1_000 + i64::from(local.millisecond());
    stockholm(day, local.hour(), local.minute()).plus(Millis(rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::at;

    fn check(now: &str, period: &str, expected: &str) {
        let period: Period = period.parse().expect("a period");
        assert_eq!(
            period.after(at(now)).expect("within a century").to_string(),
            at(expected).to_string(),
            "{period:?}"
        );
    }

    #[test]
    fn days_and_bank_days_keep_the_local_time_and_hours_are_exact() {
        check("2026-03-02T07:00:00Z", "P1D", "2026-03-03T07:00:00Z");
        check("2026-03-02T07:00:00Z", "PT1H30M0.25S", "2026-03-02T08:30:00.250Z");
        check("2026-03-02T07:00:00Z", "P1M", "2026-04-02T06:00:00Z");
        check("2026-03-02T07:00:00Z", "P1Y2M1W3DT4H", "2027-05-12T10:00:00Z");
        check("2026-03-02T07:00:00Z", "P0D", "2026-03-02T07:00:00Z");
        // Summer time begins on 29 March 2026.
        check("2026-03-28T12:34:56.789Z", "P1D", "2026-03-29T11:34:56.789Z");
        check("2026-03-28T12:34:56.789Z", "PT24H", "2026-03-29T12:34:56.789Z");
        // It ends on 25 October, when the hour from 2 is there twice; this is its second time.
        check("2026-10-25T01:30:00Z", "PT1S", "2026-10-25T01:30:01Z");
        // 2 April is Maundy Thursday; the next bank day is the Tuesday after Easter.
        check("2026-04-01T08:00:00Z", "1 bank day", "2026-04-02T08:00:00Z");
        check("2026-04-02T08:00:00Z", "1 bank days", "2026-04-07T08:00:00Z");
        check("2026-03-27T08:00:00Z", "1 bank day", "2026-03-30T07:00:00Z");
        check("2026-03-02T07:00:00Z", "0 bank days", "2026-03-02T07:00:00Z");
    }

    #[test]
    fn a_span_reaches_a_century_ahead_and_the_end_of_worlds() {
        check("2026-03-02T07:00:00Z", "PT878400H", "2126-05-17T07:00:00Z");
        check("9989-12-31T23:59:59.500Z", "PT0.5S", "9990-01-01T00:00:00Z");
    }

    #[test]
    fn what_is_no_span_forward_within_a_century_is_refused() {
        for text in [
            "",
            "P",
            "1D",
            "1 day",
            "-P1D",
            "P-1D",
            "x bank days",
            "-1 bank days",
            "+1 bank days",
            "99999 bank days",
            "3 bank",
            "P1X",
        ] {
            assert_eq!(text.parse::<Period>().err(), Some(PeriodError), "{text}");
        }
        for text in ["P101Y", "PT878400H0.001S", "PT99999999H", "P9999Y", "PT0.0001S", "PT1.000000001S"] {
            let after = text.parse::<Period>().and_then(|period| period.after(at("2026-03-02T07:00:00Z")));
            assert_eq!(after, Err(PeriodError), "{text}");
        }
        for text in ["P90Y", "36600 bank days", "PT1S"] {
            let after = text.parse::<Period>().and_then(|period| period.after(at("9989-12-31T23:59:59.500Z")));
            assert_eq!(after, Err(PeriodError), "{text}");
        }
    }
}
