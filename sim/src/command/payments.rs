//! Requests for money to come in (payment instructions, mobile payments, payments over bankgiro), and to pay cash out.

use super::Scope;
use crate::identity::{Ocr, PersonalNumber};
use crate::ids::{AccountId, BankAccountId, PartnerId};
use crate::money::Amount;
use crate::partial::{partly, undivided};
use crate::records::{InstructionType, MobilePaymentType, QrFormat};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

undivided! { MobilePaymentType, QrFormat, WithdrawalType }

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
        /// The account that receives the money.
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

partly! {
    /// Asks a payer for money.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct CreateMobilePayment or PartialMobilePayment {
        /// The caller.
        pub scope: Scope,
        /// The account that receives the money.
        pub account: AccountId,
        /// Where the payer's app is.
        pub kind: MobilePaymentType,
        /// How much.
        pub amount: Amount,
        /// Form of the QR code, with another device only; PNG when none is named.
        pub qr_format: Option<QrFormat>,
    }
}

/// How much is paid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum WithdrawalType {
    /// As much as the request says.
    Amount,
    /// All cash that can be spent.
    Full,
}

partly! {
    /// A payout that a partner asks for (rule: payments/withdrawal-request).
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct Withdraw or PartialWithdrawal {
        /// The caller.
        pub scope: Scope,
        /// Whose cash.
        pub account: AccountId,
        /// An amount, or everything.
        pub kind: WithdrawalType,
        /// Required with `Amount`, forbidden with `Full`.
        pub amount: Option<Amount>,
        /// Where to; has to be the owner's and validated.
        pub bank_account: BankAccountId,
        /// Free text up to 255 characters.
        pub client_ref: Option<Arc<str>>,
        /// Who asks for it.
        pub executor: PersonalNumber,
    }
}
