//! What the world knows beside the public records: how an account was opened, the KYC of its owner, and what is
//! under way for a bank account.
//!
//! Absent on purpose: anything a partner reads directly; the public parts are derived (KYC status, agreements).

use crate::ids::{ClientId, JourneyId, SubmissionId};
use crate::machines::Current;
use crate::machines::bank_account::State;
use crate::records::{Company, KycAnswer, OwnerKey, Signature};
use crate::time::Instant;
use crate::timers::TimerKey;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How a journey opened an account, and the account's KYC.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AccountOrigin {
    /// The journey that opened it.
    pub journey: Option<JourneyId>,
    /// The customer's e-mail.
    pub email: Option<Arc<str>>,
    /// Answers in force.
    pub kyc: Vec<KycAnswer>,
    /// When they were last given; the account's creation when absent.
    pub kyc_updated: Option<Instant>,
    /// Who has signed the account's agreements.
    pub signatures: Vec<Signature>,
    /// Whether the insurer's signature is missing.
    pub awaits_insurer: bool,
    /// The submission whose signatures are needed.
    pub submission: Option<SubmissionId>,
    /// What is known of the company that owns it.
    pub company: Option<Arc<Company>>,
    /// When the death of its owner ended the account.
    pub ended_by_death: Option<Instant>,
    /// When the partner last asked to close it while a payout of the closing had come back
    /// (rule: accounts/payout-of-closing-returns).
    pub closed_again: Option<Instant>,
    /// The approval, or the end of the wait for signatures.
    pub timer: Option<TimerKey>,
}

/// What is under way for a bank account.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BankFile {
    /// Client it belongs to.
    pub client: ClientId,
    /// Owner it belongs to.
    pub owner: OwnerKey,
    /// The account check.
    pub check: Current<State>,
    /// The check's timer.
    pub check_timer: Option<TimerKey>,
    /// The timer of the bank's answer on the mandate.
    pub mandate_timer: Option<TimerKey>,
    /// When a mandate was last signed, and by whom.
    pub mandate_signed: Option<Signature>,
    /// Journeys whose result shows it.
    pub journeys: Vec<JourneyId>,
    /// How often it has been charged, paid or not.
    pub attempts: u32,
    /// How many of those charges were paid.
    pub charges: u32,
}
