//! A transfer of holdings from another custodian. Its life is the table in `machines/transfer.rs`.

use crate::ids::{AccountId, ClientId, CustodianId, JourneyId, SortedId, TransferId};
use crate::machines::Current;
use crate::machines::transfer::State;
use crate::records::{AccountType, Output, Stamp, TransferInstrument};
use crate::timers::TimerKey;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What the customer has decided for one account at a custodian.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TransferOrder {
    /// Account number there.
    pub account_number: Arc<str>,
    /// Kind of the account there.
    pub source_account_type: AccountType,
    /// Whether it is closed afterwards.
    pub close_account_and_savingsplans: bool,
    /// Whether the journey could not be completed without.
    pub required: bool,
    /// Units that cannot move: `Cash` or `Ignore`.
    pub untransferable_units_output: Output,
    /// Funds that are not listed.
    pub default_units_output: Output,
    /// Cash there: `Cash` or `Ignore`.
    pub balance_output: Output,
    /// Funds to move as units, where units move.
    pub instruments: Vec<TransferInstrument>,
}

impl TransferOrder {
    /// What is wanted of a fund's units: those that are listed move as units, but into an insurance, which takes none
    /// (rule: securities/transfer-deliveries).
    #[must_use]
    pub fn output_of(&self, listed: bool) -> Output {
        let moves = listed && self.source_account_type != AccountType::Insurance;
        if moves { Output::Units } else { self.default_units_output }
    }
}

/// A transfer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Transfer {
    /// Public id.
    pub id: TransferId,
    /// Position in listings.
    pub sorted_id: SortedId,
    /// Client of the account.
    pub client: ClientId,
    /// The receiving account.
    pub account: AccountId,
    /// The ceding custodian.
    pub custodian: CustodianId,
    /// Reference at the custodian, set when it is sent.
    pub external_ref: Option<Arc<str>>,
    /// Place in the table.
    pub state: Current<State>,
    /// What was decided.
    pub order: Arc<TransferOrder>,
    /// The journey it came from.
    pub journey: JourneyId,
    /// Creation and change.
    pub stamp: Stamp,
    /// The timer that moves it on by itself, if one is set.
    pub timer: Option<TimerKey>,
}
