//! Life of a connected bank account until it is known to be its owner's (rule: payments/bank-account-check).
//!
//! Owns: the states of the account check. Invariant: `validated` is true in `Active` and nowhere else, and never goes
//! back. Absent on purpose: the autogiro mandate, which is a life of its own.

/// Where the account check stands; the public words of a journey's result are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum State {
    /// Waiting for the check.
    Pending,
    /// Name and ownership match: ready for withdrawals.
    Active,
    /// They do not.
    Rejected,
}

/// What moves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trigger {
    /// The check passes.
    Pass,
    /// The check fails.
    Fail,
}

/// What a move does besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Nothing.
    Nothing,
    /// `validated` becomes true.
    Validate,
}

/// One way from one state to another.
pub type Row = (State, Trigger, State, Effect);

use Effect::{Nothing, Validate};
use State::{Active, Pending, Rejected};
use Trigger::{Fail, Pass};

/// Every move. A bank account begins in `Pending`, or as the setup or a lever says.
#[rustfmt::skip]
pub const TABLE: &[Row] = &[
    // from     on      to         effect
    (Pending,   Pass,   Active,    Validate),
    (Pending,   Fail,   Rejected,  Nothing),
];

/// Every state, in the order of a life.
pub const STATES: &[State] = &[Pending, Active, Rejected];

/// Every trigger.
pub const TRIGGERS: &[Trigger] = &[Pass, Fail];

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
            Pending => "pending",
            Active => "active",
            Rejected => "rejected",
        }
    }

    /// Whether no row leads on.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(self, Active | Rejected)
    }
}

#[cfg(test)]
mod tests {
    table_laws!(first: &[Pending]);
}
