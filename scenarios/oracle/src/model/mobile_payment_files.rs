//! What the model keeps of one mobile payment.
//!
//! Invariant: a file has the state of its session, since when it has it, and what comes next by itself.

use super::figures::Ore;
use sim::ids::{AccountId, ClientId};
use sim::time::Instant;
use std::sync::Arc;

/// State of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionState {
    /// It waits for its payer.
    Waiting,
    /// The money has moved.
    Paid,
    /// It ended without money, by this code.
    Failed(&'static str),
    /// Nobody knows whether money has moved.
    Silent,
}

impl SessionState {
    /// Public status and error code.
    #[must_use]
    pub const fn shown(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Waiting => ("pending", None),
            Self::Paid => ("paid", None),
            Self::Failed(code) => ("pending", Some(code)),
            Self::Silent => ("pending", Some("DS24")),
        }
    }
}

/// A session.
#[derive(Clone, Debug)]
pub struct MobilePaymentFile {
    /// Its client.
    pub client: ClientId,
    /// The account that receives the money.
    pub account: AccountId,
    /// How much.
    pub ore: Ore,
    /// What its deposit refers to.
    pub payment_id: Arc<str>,
    /// Its state.
    pub state: SessionState,
    /// Since when, or when it was changed last.
    pub since: Instant,
    /// Whether the account is to have a deposit: it took money when the session was paid.
    pub owed: bool,
    /// Deposits booked so far.
    pub booked: u32,
    /// Whether the command of this step has set what comes next: even at this very instant it comes with the next step.
    pub just_set: bool,
    /// The state that it comes to by itself, and when.
    pub(super) answer: Option<(Instant, SessionState)>,
    /// When its payer has no more time.
    pub(super) lapse: Instant,
    /// Whether the banks report late that it was paid.
    pub(super) pays_late: bool,
}

impl MobilePaymentFile {
    /// What comes next by itself; of two at once, what was decided first.
    pub(super) fn due(&self) -> Option<(Instant, SessionState)> {
        match (self.state, self.answer) {
            (SessionState::Waiting, Some((at, state))) if at <= self.lapse => Some((at, state)),
            (SessionState::Waiting, _) => Some((self.lapse, SessionState::Failed("TM01"))),
            (SessionState::Silent, answer) => answer,
            (SessionState::Paid | SessionState::Failed(_), _) => None,
        }
    }

    /// Whether its state may still change.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self.state, SessionState::Waiting | SessionState::Silent)
    }
}
