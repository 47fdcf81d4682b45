//! Requests for money to come in: payment instructions and payments over bankgiro.

use super::Scope;
use crate::identity::Ocr;
use crate::ids::{AccountId, PartnerId};
use crate::money::Amount;
use crate::partial::partly;
use crate::records::InstructionType;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

partly! {
    /// A batch of payments into accounts of one client.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct CreateInstruction or PartialInstruction {
        /// The caller.
        pub scope: Scope,
        /// How the money comes.
        pub kind: InstructionType,
        /// The payments, 1 to 1,000.
        pub payments: Vec<NewPayment>,
    }

    /// One payment of a batch.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct NewPayment or PartialNewPayment {
        /// Where the money goes.
        pub account: AccountId,
        /// How much.
        pub amount: Amount,
        /// The partner's own reference, unique for the client for ever.
        pub client_ref: Arc<str>,
    }
}

/// A payment over bankgiro by lever.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PayByBankgiro {
    /// The caller; only its own references lead anywhere.
    pub partner: PartnerId,
    /// What the payer gave.
    pub reference: Ocr,
    /// How much.
    pub amount: Amount,
}
