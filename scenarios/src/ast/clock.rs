//! Moves of the business clock, and what can be waited for.
//!
//! Absent on purpose: moves whose end depends on chance.

use super::Ref;

/// A move of the business clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// A period in ISO 8601 spelling, handed to the server as it is.
    By(String),
    /// Bank days, at the same local time of day.
    BankDays(u32),
    /// Calendar days, at the same local time of day.
    Days(u32),
    /// To an RFC 3339 instant, or a text that becomes one.
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
