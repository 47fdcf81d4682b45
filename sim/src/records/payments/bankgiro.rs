//! A payment over bankgiro, from the payer's bank until it is booked (rule: payments/bankgiro-deposit).
//!
//! Invariant: it is booked once, at the instant that it says. Absent on purpose: what became of it. Who pays by a
//! reference does not learn whose it is.

use crate::identity::Ocr;
use crate::ids::{BankgiroItemId, PartnerId};
use crate::money::Amount;
use crate::records::Stamp;
use crate::time::Instant;
use serde::{Deserialize, Serialize};

/// A payment over bankgiro.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BankgiroItem {
    /// Its id.
    pub id: BankgiroItemId,
    /// The partner whose lever it was; the references of others lead nowhere.
    pub partner: PartnerId,
    /// What the payer gave.
    pub reference: Ocr,
    /// How much.
    pub amount: Amount,
    /// When it is booked.
    pub books: Instant,
    /// Creation and change.
    pub stamp: Stamp,
}
