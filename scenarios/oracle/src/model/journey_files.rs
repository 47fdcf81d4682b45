//! What the model keeps of one journey, of a bank account or transfer that a journey has made, and of what a transfer brings.
//!
//! Invariant: every file says what happens next by itself, and when; `last` is the record as in its last event.

use super::figures::{Ore, Steps};
use super::prices;
use super::{calendar, words};
use rust_decimal::Decimal;
use sim::identity::InstrumentId;
use sim::ids::{AccountId, ClientId};
use sim::machines::journey::State as JourneyState;
use sim::machines::transfer::State as TransferState;
use sim::records::{Answers, BankAccount, Journey, JourneyStep, JourneyType};
use sim::time::Instant;
use std::fmt;
use std::sync::Arc;

/// A journey.
#[derive(Clone, Debug)]
pub struct JourneyFile {
    /// Its client.
    pub client: ClientId,
    /// Its type.
    pub kind: JourneyType,
    /// Its state.
    pub state: JourneyState,
    /// When its time is up.
    pub expiry: Instant,
    /// The partner's data.
    pub scope: Option<Arc<str>>,
    /// Where the callback about its end goes.
    pub url: Arc<str>,
    /// As in its last event.
    pub last: Arc<Journey>,
    /// As it was when it ended.
    pub ended: Option<Arc<Journey>>,
    /// Callbacks made.
    pub callbacks: u32,
    /// Accounts it has opened.
    pub accounts: Vec<AccountId>,
    /// Whether it was purged: it has no further events.
    pub purged: bool,
    /// What the customer had answered to the steps before, when agreeing last.
    pub agreed: Option<Vec<(JourneyStep, Arc<Answers>)>>,
}

/// A bank account.
#[derive(Clone, Debug)]
pub struct BankFile {
    /// As in its last event.
    pub last: Arc<BankAccount>,
    /// One account of its owner.
    pub account: AccountId,
    /// Whether the check has passed or failed; none while it has done neither.
    pub passed: Option<bool>,
    /// When the check ends.
    pub check_at: Option<Instant>,
    /// When the bank answers on the mandate.
    pub answer_at: Option<Instant>,
}

/// A transfer from another custodian.
#[derive(Clone, Debug)]
pub struct TransferFile {
    /// The account.
    pub account: AccountId,
    /// Its state.
    pub state: TransferState,
    /// When it came there.
    pub since: Instant,
    /// What comes next by itself.
    pub due: Option<(Instant, TransferState)>,
    /// Whether the ceding custodian refuses.
    pub refused: bool,
    /// What is still to be booked, once it is completed.
    pub delivery: Option<Delivery>,
}

/// Units of one fund on their way in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lot {
    /// The fund.
    pub instrument: InstrumentId,
    /// How many.
    pub steps: Steps,
    /// What they were bought for, as the custodian reports it.
    pub cost: Decimal,
    /// The last price, which the transaction shows.
    pub close: prices::Close,
}

/// What arrives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// Units, not yet booked.
    pub lots: Vec<Lot>,
    /// Cash, not yet booked.
    pub ore: Ore,
}

impl fmt::Display for Lot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (price, day) = (words::price(self.close.price), calendar::date_of(self.close.day));
        write!(f, "{} at {price} of {day}", words::units_of(self.steps, self.instrument))
    }
}

impl TransferFile {
    pub(super) fn move_to(&mut self, state: TransferState, at: Instant, due: Option<(Instant, TransferState)>) {
        (self.state, self.since, self.due) = (state, at, due);
    }
}
