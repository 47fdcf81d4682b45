//! Life of a transfer from another custodian (rule: journeys/transfer-timing).
//!
//! Owns: the states a transfer may be in and the only ways between them.
//! Invariant: nothing is booked before `Completed`. Absent on purpose: what the ceding custodian holds.

/// Where a transfer stands; the public words are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum State {
    /// Ordered; waits for the account to be active, and for the next bank day.
    New,
    /// Sent to the ceding custodian.
    Sent,
    /// The ceding custodian has agreed.
    Accepted,
    /// Units and cash are booked.
    Completed,
    /// The ceding custodian has refused.
    Rejected,
    /// The account was rejected or closed.
    Canceled,
}

/// What moves a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trigger {
    /// It is sent.
    Send,
    /// The ceding custodian agrees.
    Accept,
    /// The ceding custodian refuses.
    Refuse,
    /// Units and cash arrive.
    Complete,
    /// The account is rejected or closed.
    Cancel,
}

/// What a move does besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Nothing.
    Nothing,
    /// The external reference is set.
    Refer,
    /// Units and cash are booked.
    Book,
}

/// One way from one state to another.
pub type Row = (State, Trigger, State, Effect);

use Effect::{Book, Nothing, Refer};
use State::{Accepted, Canceled, Completed, New, Rejected, Sent};
use Trigger::{Accept, Cancel, Complete, Refuse, Send};

/// Every move a transfer can make. It begins in `New`. A refusal of the check before signing comes from `New`
/// (rule: journeys/transfer-timing).
#[rustfmt::skip]
pub const TABLE: &[Row] = &[
    // from     on         to          effect
    (New,       Send,      Sent,       Refer),
    (New,       Refuse,    Rejected,   Nothing),
    (New,       Cancel,    Canceled,   Nothing),

    (Sent,      Accept,    Accepted,   Nothing),
    (Sent,      Refuse,    Rejected,   Nothing),
    (Sent,      Cancel,    Canceled,   Nothing),

    (Accepted,  Complete,  Completed,  Book),
];

/// Every state, in the order of a life.
pub const STATES: &[State] = &[New, Sent, Accepted, Completed, Rejected, Canceled];

/// Every trigger.
pub const TRIGGERS: &[Trigger] = &[Send, Accept, Refuse, Complete, Cancel];

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
            Sent => "sent",
            Accepted => "accepted",
            Completed => "completed",
            Rejected => "rejected",
            Canceled => "canceled",
        }
    }

    /// Whether no row leads on.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(self, Completed | Rejected | Canceled)
    }
}

#[cfg(test)]
mod tests {
    table_laws!(first: &[New]);
}
