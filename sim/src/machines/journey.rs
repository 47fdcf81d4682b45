//! Life of a journey (rule: journeys/opening, journeys/error-codes).
//!
//! Owns: the states a journey may be in, the only ways between them, and which of them the partner's callback hears of.
//! Invariant: no row leads out of a terminal state, so a journey notifies at most once. Absent on purpose: steps and
//! answers, which move inside `Pending`.

/// Where a journey stands; the public words are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum State {
    /// Created, not yet opened by the end customer.
    New,
    /// Opened.
    Pending,
    /// Signed; what it was for has happened.
    Complete,
    /// The end customer aborted.
    Canceled,
    /// It failed.
    Error,
    /// Its time ran out.
    Expired,
}

/// What moves a journey.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trigger {
    /// The end customer opens the link.
    Open,
    /// The end customer signs the last step.
    Complete,
    /// The end customer aborts.
    Abort,
    /// A fault or a rule stops it.
    Fail,
    /// Its time runs out.
    Expire,
}

/// What a move tells besides the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Nothing.
    Nothing,
    /// One callback.
    Notify,
}

/// One way from one state to another.
pub type Row = (State, Trigger, State, Effect);

use Effect::{Nothing, Notify};
use State::{Canceled, Error, Expired, New, Pending};
use Trigger::{Abort, Expire, Fail, Open};

/// Every move a journey can make. A journey begins in `New`.
#[rustfmt::skip]
pub const TABLE: &[Row] = &[
    // from     on                 to               callback
    (New,       Open,              Pending,         Nothing),
    (New,       Fail,              Error,           Notify),
    (New,       Expire,            Expired,         Nothing),

    (Pending,   Trigger::Complete, State::Complete, Notify),
    (Pending,   Abort,             Canceled,        Notify),
    (Pending,   Fail,              Error,           Notify),
    (Pending,   Expire,            Expired,         Nothing),
];

/// Every state, in the order of a life.
pub const STATES: &[State] = &[New, Pending, State::Complete, Canceled, Error, Expired];

/// Every trigger.
pub const TRIGGERS: &[Trigger] = &[Open, Trigger::Complete, Abort, Fail, Expire];

/// The row for `on` in `from`, with its place in the table; `None` when the move is forbidden.
#[must_use]
pub fn step(from: State, on: Trigger) -> Option<(usize, State, Effect)> {
    TABLE.iter().position(|row| (row.0, row.1) == (from, on)).map(|at| (at, TABLE[at].2, TABLE[at].3))
}

impl State {
    /// The public word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            New => "new",
            Pending => "pending",
            Self::Complete => "complete",
            Canceled => "canceled",
            Error => "error",
            Expired => "expired",
        }
    }

    /// Whether no row leads on.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Complete | Canceled | Error | Expired)
    }
}

#[cfg(test)]
mod tests {
    table_laws!(first: &[New]);

    #[test]
    fn the_callback_hears_of_canceled_error_and_complete_and_of_nothing_else() {
        for &(_, _, to, effect) in TABLE {
            let heard = matches!(to, State::Complete | Canceled | Error);
            assert_eq!(effect == Notify, heard, "{to:?}");
        }
    }
}
