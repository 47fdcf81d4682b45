//! A request to pay cash out.

use super::Scope;
use crate::identity::PersonalNumber;
use crate::ids::{AccountId, BankAccountId};
use crate::money::Amount;
use crate::partial::{partly, undivided};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How much is paid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum WithdrawalType {
    /// As much as the request says.
    Amount,
    /// All cash that can be spent.
    Full,
}

undivided! { WithdrawalType }

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
