//! Life of an account (rule: accounts/approval).
//!
//! Owns: the states an account may be in and the only ways between them. States tell more than the five public words:
//! a deleted account keeps the word it had (rule: accounts/deleted-accounts), and is a state of its own here.
//! Invariant: business is done in `Active` alone. Absent on purpose: clocks, who may ask, what is sold on closing.

use crate::records::AccountStatus;

/// Where an account stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum State {
    /// Waiting for the insurer's or further signatories' signatures.
    Confirm,
    /// Waiting for approval.
    Pending,
    /// Open for business.
    Active,
    /// Refused.
    Rejected,
    /// Being closed.
    Closing,
    /// Closed for good. Public `closing`, deleted.
    Closed,
    /// Deleted before all had signed. Public `confirm`, deleted.
    ConfirmDeleted,
    /// Deleted before it was approved. Public `pending`, deleted.
    PendingDeleted,
}

/// What moves an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trigger {
    /// The last signature is given.
    Sign,
    /// A signature is refused, or the application is.
    Refuse,
    /// Two weeks passed without all signatures.
    Lapse,
    /// The platform approves.
    Approve,
    /// The partner closes it and something is left to wind up.
    Close,
    /// Nothing is left: it is deleted.
    Delete,
}

/// What a move does besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Nothing.
    Nothing,
    /// The approval is under way.
    AskApproval,
    /// Queued transfers start.
    Begin,
    /// Transfers that have not been accepted are canceled.
    StopTransfers,
    /// Orders are canceled or sold out, plans removed.
    WindUp,
}

/// One way from one state to another.
pub type Row = (State, Trigger, State, Effect);

use Effect::{AskApproval, Begin, Nothing, StopTransfers, WindUp};
use State::{Active, Closed, Closing, Confirm, ConfirmDeleted, Pending, PendingDeleted, Rejected};
use Trigger::{Approve, Close, Delete, Lapse, Refuse, Sign};

/// Every move an account can make. It begins in `Confirm` or `Pending` (journeys), or in `Active` (setup and lever).
#[rustfmt::skip]
pub const TABLE: &[Row] = &[
    // from     on        to               effect
    (Confirm,   Sign,     Pending,         AskApproval),
    (Confirm,   Refuse,   Rejected,        StopTransfers),
    (Confirm,   Lapse,    Rejected,        StopTransfers),
    (Confirm,   Delete,   ConfirmDeleted,  StopTransfers),

    (Pending,   Approve,  Active,          Begin),
    (Pending,   Refuse,   Rejected,        StopTransfers),
    (Pending,   Delete,   PendingDeleted,  StopTransfers),

    (Active,    Close,    Closing,         WindUp),
    (Closing,   Delete,   Closed,          Nothing),
];

/// Every state, in the order of a life.
pub const STATES: &[State] = &[Confirm, Pending, Active, Rejected, Closing, Closed, ConfirmDeleted, PendingDeleted];

/// Every trigger.
pub const TRIGGERS: &[Trigger] = &[Sign, Refuse, Lapse, Approve, Close, Delete];

/// The row for `on` in `from`, with its place in the table; `None` when the move is forbidden.
#[must_use]
pub fn step(from: State, on: Trigger) -> Option<(usize, State, Effect)> {
    TABLE.iter().position(|row| (row.0, row.1) == (from, on)).map(|at| (at, TABLE[at].2, TABLE[at].3))
}

impl State {
    /// The state of an account with that public word, deleted or not.
    ///
    /// # Panics
    /// For a deleted account whose word no deleted account can have: a bug.
    #[must_use]
    pub fn of(status: AccountStatus, deleted: bool) -> Self {
        match (status, deleted) {
            (AccountStatus::Pending, false) => Pending,
            (AccountStatus::Pending, true) => PendingDeleted,
            (AccountStatus::Active, false) => Active,
            (AccountStatus::Rejected, false) => Rejected,
            (AccountStatus::Confirm, false) => Confirm,
            (AccountStatus::Confirm, true) => ConfirmDeleted,
            (AccountStatus::Closing, false) => Closing,
            (AccountStatus::Closing, true) => Closed,
            (AccountStatus::Active | AccountStatus::Rejected, true) => unreachable!("such an account is never deleted"),
        }
    }

    /// The public word and whether the account is deleted.
    #[must_use]
    pub const fn parts(self) -> (AccountStatus, bool) {
        match self {
            Confirm => (AccountStatus::Confirm, false),
            Pending => (AccountStatus::Pending, false),
            Active => (AccountStatus::Active, false),
            Rejected => (AccountStatus::Rejected, false),
            Closing => (AccountStatus::Closing, false),
            Closed => (AccountStatus::Closing, true),
            ConfirmDeleted => (AccountStatus::Confirm, true),
            PendingDeleted => (AccountStatus::Pending, true),
        }
    }

    /// Whether no row leads on.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(self, Rejected | Closed | ConfirmDeleted | PendingDeleted)
    }
}

#[cfg(test)]
mod tests {
    table_laws!(first: &[Confirm, Pending, Active]);

    #[test]
    fn a_state_is_its_public_word_and_whether_it_is_deleted() {
        for &state in STATES {
            let (status, deleted) = state.parts();
            assert_eq!(State::of(status, deleted), state);
        }
    }
}
