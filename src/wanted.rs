//! Which lines of a log are meant: by the status of answers, and by when they were.
//!
//! Absent on purpose: the lines (`logs`, `listen`).

use crate::period::duration;
use sim::time::Instant;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Statuses of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Statuses {
    /// This one.
    One(u16),
    /// Those that begin with this digit.
    Hundred(u16),
    /// None: the connection was dropped.
    Dropped,
}

impl Statuses {
    /// Whether an answer has one of them.
    pub(crate) fn has(self, status: Option<u16>) -> bool {
        match self {
            Self::One(one) => status == Some(one),
            Self::Hundred(digit) => status.is_some_and(|status| status / 100 == digit),
            Self::Dropped => status.is_none(),
        }
    }
}

/// `404`, `4xx` or `none`.
pub(crate) fn status(text: &str) -> Result<Statuses, String> {
    let refused = || format!("`{text}` is not a status; write 404, 4xx or none");
    let small = text.to_ascii_lowercase();
    if small == "none" {
        return Ok(Statuses::Dropped);
    }
    let (digits, statuses): (&str, fn(u16) -> Statuses) = match small.strip_suffix("xx") {
        Some(digit) => (digit, Statuses::Hundred),
        None => (&small, Statuses::One),
    };
    let number: u16 = digits.parse().map_err(|_| refused())?;
    let bounds = if digits.len() == small.len() { 100..=599 } else { 1..=5 };
    if bounds.contains(&number) { Ok(statuses(number)) } else { Err(refused()) }
}

/// The oldest moment that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Since {
    /// So long ago.
    Ago(Duration),
    /// This instant, in milliseconds since 1970.
    At(i64),
}

impl Since {
    /// The moment, in milliseconds since 1970.
    pub(crate) fn moment(self) -> i64 {
        match self {
            Self::At(ms) => ms,
            Self::Ago(time) => now() - i64::try_from(time.as_millis()).unwrap_or(i64::MAX),
        }
    }
}

/// What the clock of this machine shows, in milliseconds since 1970.
#[allow(clippy::disallowed_methods, reason = "how long ago a line was written is asked by the clock of this machine")]
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// `10m`, `2h`, `1d`, `now` or an instant.
pub(crate) fn since(text: &str) -> Result<Since, String> {
    if let Ok(instant) = Instant::parse(text) {
        return Ok(Since::At(instant.ms()));
    }
    if text == "now" {
        return Ok(Since::Ago(Duration::ZERO));
    }
    let days =
        text.strip_suffix('d').and_then(|days| days.parse::<u64>().ok()).and_then(|days| days.checked_mul(86_400));
    match days {
        Some(seconds) => Ok(Since::Ago(Duration::from_secs(seconds))),
        None => duration(text).map(Since::Ago).map_err(|_| {
            format!(
                "`{text}` is no time; write 10m, 2h or 1d for how long ago, or an instant such as 2026-03-02T08:00:00Z"
            )
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_one_or_a_hundred_of_them() {
        assert_eq!(status("404"), Ok(Statuses::One(404)));
        assert_eq!(status("5XX"), Ok(Statuses::Hundred(5)));
        assert!(status("5xx").is_ok_and(|statuses| statuses.has(Some(503)) && !statuses.has(Some(404))));
        assert!(status("none").is_ok_and(|statuses| statuses.has(None) && !statuses.has(Some(200))));
        for wrong in ["", "x", "xx", "0xx", "6xx", "44xx", "99", "600", "-1"] {
            assert!(status(wrong).is_err_and(|why| why.contains("4xx")), "{wrong}");
        }
    }

    #[test]
    fn a_moment_is_some_time_ago_or_an_instant() {
        assert_eq!(since("10m"), Ok(Since::Ago(Duration::from_secs(600))));
        assert_eq!(since("now"), Ok(Since::Ago(Duration::ZERO)));
        assert_eq!(since("2d"), Ok(Since::Ago(Duration::from_secs(172_800))));
        assert_eq!(since("1970-01-01T00:00:01Z"), Ok(Since::At(1_000)));
        assert!(since("yesterday").is_err_and(|why| why.contains("1d")));
    }
}
