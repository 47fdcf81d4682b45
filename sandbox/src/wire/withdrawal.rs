//! Withdrawals: the request for one, and the limits of an account (rule: payments/withdrawal-request).
//!
//! Absent on purpose: the answer to a request, which is a cash transaction.

use super::number::Money;
use super::shape::{shape, text_of};
use super::text::Currency;
use serde::Serialize;
use sim::command::PartialWithdrawal;
use sim::query;
use utoipa::ToSchema;

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

/// How much may be taken out of an account; both limits are allowed.
#[derive(Serialize, ToSchema)]
pub struct WithdrawalLimit {
    /// The least that a withdrawal may be.
    min: Money,
    /// The most; less than `min` when nothing can be taken out.
    max: Money,
    /// Always the account's currency.
    currency: Currency,
}

impl WithdrawalLimit {
    /// The public shape of `limits`.
    #[must_use]
    pub const fn of(limits: &query::WithdrawalLimits) -> Self {
        let query::WithdrawalLimits { min, max } = *limits;
        Self { min: Money(min), max: Money(max), currency: Currency(sim::identity::Currency::SEK) }
    }
}
