//! Withdrawals: the request for one, and the limits of an account (rule: payments/withdrawal-request).
//!
//! Absent on purpose: the answer to a request, which is a cash transaction.

use crate::rows::shape::{shape, text_of};
use crate::rows::shown::shown;
use crate::values::number::Money;
use crate::values::text::Currency;
use sim::command::PartialWithdrawal;
use sim::query;

shape! {
    /// Pays cash out to a bank account of the owner.
    pub partial WithdrawalRequest of PartialWithdrawal {
        kind = required "withdrawalType";
        /// SEK; required with `amount`, forbidden with `full`.
        amount = optional "amount";
        /// A validated bank account of the owner.
        bank_account = required "bankAccount";
        /// Your own reference.
        client_ref = optional "clientRef" as text_of(255);
        /// The owner, or a signatory of the owner.
        executor = required "executorRef";
    }
}

shown! {
    /// How much may be taken out of an account; both limits are allowed.
    pub WithdrawalLimit of query::WithdrawalLimits {
        /// The least that a withdrawal may be.
        min: Money = "min";
        /// The most; less than `min` when nothing can be taken out.
        max: Money = "max";
        /// Always the account's currency.
        also currency: Currency = "currency" by Currency(sim::identity::Currency::SEK);
    }
}
