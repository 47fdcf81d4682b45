//! Moves of the business clock, and what can be waited for.
//!
//! Absent on purpose: moves whose end depends on chance.

use super::Ref;
use sim::time::Instant;

/// A move of the business clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// A period in ISO 8601 spelling, handed to the server as it is.
    By(String),
    /// Bank days, at the same local time of day.
    BankDays(u32),
    /// Calendar days, at the same local time of day.
    Days(u32),
    /// To an RFC 3339 instant, to a day at the same local time, to a day and a local time, or to a text that becomes one of them.
    To(String),
    /// To the next time the clock in Stockholm shows this, `HH:MM`.
    ToLocalTime(String),
    /// To a fund's next cut-off, or so many milliseconds from it.
    CutOff {
        /// Which fund; the soonest cut-off of any when `None`.
        instrument: Option<Ref>,
        /// Negative is before it. Needs a fund.
        offset_ms: i64,
    },
    /// To the settlement of an order.
    Settlement(Ref),
    /// Until an order, account or journey has a status; bounded.
    Until {
        /// Order, account or journey.
        noun: Noun,
        /// Which one.
        of: Ref,
        /// The status to wait for.
        status: String,
    },
    /// To whatever is due next.
    Next,
}

/// What can have a status to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noun {
    /// An order.
    Order,
    /// An account.
    Account,
    /// A journey.
    Journey,
}

impl Move {
    /// To this instant, as clocks in Stockholm show it.
    #[must_use]
    pub fn to(at: Instant) -> Self {
        Self::To(in_stockholm(at))
    }
}

/// An instant as clocks in Stockholm show it, with their offset.
fn in_stockholm(at: Instant) -> String {
    let local = at.local();
    let midnight = Instant::at_utc_midnight(local.date()).ms();
    let wall = midnight + (i64::from(local.hour()) * 60 + i64::from(local.minute())) * 60_000;
    let offset = if wall - at.ms() > 90 * 60_000 { "+02:00" } else { "+01:00" };
    let text = format!("{}T{:02}:{:02}:{:02}", local.date(), local.hour(), local.minute(), local.second());
    match at.ms() % 1_000 {
        0 => format!("{text}{offset}"),
        ms => format!("{text}.{ms:03}{offset}"),
    }
}
