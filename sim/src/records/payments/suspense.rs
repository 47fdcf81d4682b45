//! Money that came in and that no account could take (rule: payments/suspense).
//! Its life is the table in `machines/suspense.rs`.
//!
//! Invariant: an open item is on the platform's account of suspense with its whole amount; it is no transaction of an
//! account. Absent on purpose: partners; only the operator sees it.

use crate::ids::{AccountId, CashTransactionId, SuspenseItemId};
use crate::machines::Current;
use crate::machines::suspense::State;
use crate::money::Amount;
use crate::records::Stamp;
use crate::time::Date;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Why money could not be booked on an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SuspenseReason {
    /// The reference belongs to no account and to no payment.
    UnknownReference,
    /// The account is not active.
    AccountNotActive,
    /// The reference belongs to a payment over another amount.
    OtherAmount,
}

impl SuspenseReason {
    /// The word shown to the operator.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UnknownReference => "unknownReference",
            Self::AccountNotActive => "accountNotActive",
            Self::OtherAmount => "otherAmount",
        }
    }
}

/// Money that could not be deposited into an account.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SuspenseItem {
    /// Its id.
    pub id: SuspenseItemId,
    /// Reference that the payer gave: an OCR reference, or the id of a payment.
    pub reference: Arc<str>,
    /// How much.
    pub amount: Amount,
    /// The day on which it came.
    pub day: Date,
    /// Why it is in suspense.
    pub reason: SuspenseReason,
    /// The intended account, if it is known.
    pub meant_for: Option<AccountId>,
    /// The resulting deposit.
    pub deposit: Option<CashTransactionId>,
    /// Place in the table.
    pub state: Current<State>,
    /// Creation and change.
    pub stamp: Stamp,
}
