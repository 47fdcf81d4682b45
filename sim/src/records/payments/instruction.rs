//! A payment instruction and its payments. Their lives are the tables in `machines/instruction.rs` and
//! `machines/payment.rs`.
//!
//! Invariant: an instruction is open as long as one of its payments is. A payment that failed says why, one that was paid
//! does not. Absent on purpose: lists of them, which partners have not.

use crate::identity::{AccountRef, InstrumentId};
use crate::ids::{
    AccountId, BankAccountId, CashTransactionId, ClientId, InstructionId, PaymentId, SavingsPlanId, SortedId,
};
use crate::machines::{Current, instruction, payment};
use crate::money::Amount;
use crate::records::Stamp;
use crate::time::Date;
use crate::timers::TimerKey;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How the money of an instruction comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum InstructionType {
    /// The platform charges the owners' bank accounts.
    Autogiro,
    /// The payer sends the total, with the instruction's own reference.
    BankTransfer,
}

impl InstructionType {
    /// Every type.
    pub const ALL: [Self; 2] = [Self::Autogiro, Self::BankTransfer];

    /// The public word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Autogiro => "autogiro",
            Self::BankTransfer => "bankTransfer",
        }
    }
}

/// What a bank says of a charge that was not paid (rule: payments/payment-reason-codes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PaymentReason {
    /// No money, for good.
    NoMoney,
    /// No money yet; it is tried again.
    NoMoneyYet,
    /// No account, or one without autogiro.
    NoAccount,
    /// No mandate.
    NoMandate,
    /// The account is closed or not approved.
    NotApproved,
    /// The mandate is stopped.
    MandateStopped,
    /// A date on which nothing can be charged.
    WrongDate,
    /// More than the mandate allows.
    AboveMaximum,
}

/// Every reason with its code, whether a lever gives it, and what it means.
#[rustfmt::skip]
const REASONS: &[(PaymentReason, &str, bool, &str)] = &[
    (PaymentReason::NoMoney,        "1",  false, "not enough money"),
    (PaymentReason::NoMoneyYet,     "9",  false, "not enough money so far, the charge is tried again"),
    (PaymentReason::NoAccount,      "2",  true,  "the account is closed or unknown to autogiro"),
    (PaymentReason::NoMandate,      "01", false, "there is no mandate"),
    (PaymentReason::NotApproved,    "02", false, "the account is closed or not approved"),
    (PaymentReason::MandateStopped, "03", true,  "the mandate is stopped"),
    (PaymentReason::WrongDate,      "12", true,  "the payment date is wrong"),
    (PaymentReason::AboveMaximum,   "24", true,  "the amount is above what the mandate allows"),
];

impl PaymentReason {
    fn row(self) -> &'static (Self, &'static str, bool, &'static str) {
        REASONS.iter().find(|row| row.0 == self).expect("every reason has its row")
    }

    /// The public code.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.row().1
    }

    /// What it means.
    #[must_use]
    pub fn about(self) -> &'static str {
        self.row().3
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        REASONS.iter().map(|row| row.0)
    }

    /// Those that a lever gives.
    pub fn by_lever() -> impl Iterator<Item = Self> {
        REASONS.iter().filter(|row| row.2).map(|row| row.0)
    }

    /// Whether a lever gives it.
    #[must_use]
    pub fn is_by_lever(self) -> bool {
        self.row().2
    }
}

/// A batch of payments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Instruction {
    /// Public id.
    pub id: InstructionId,
    /// Whose.
    pub client: ClientId,
    /// How the money comes.
    pub kind: InstructionType,
    /// What the payer of a transfer gives as reference.
    pub reference: Option<AccountRef>,
    /// Its payments, as they were given.
    pub payments: Vec<PaymentId>,
    /// How many of them have no end yet.
    pub open: usize,
    /// Whether the platform itself made it, for a savings plan; no partner can read it then.
    pub internal: bool,
    /// Place in the table.
    pub state: Current<instruction::State>,
    /// Creation and change.
    pub stamp: Stamp,
}

/// What a payment of a savings plan is for, as it was when the plan ran (rule: plans/savings-run-amounts).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SavingsPart {
    /// The plan.
    pub plan: SavingsPlanId,
    /// The day of the run.
    pub day: Date,
    /// What each fund is to get.
    pub instruments: Arc<[(InstrumentId, Amount)]>,
}

/// A payment into an account.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Payment {
    /// Public id.
    pub id: PaymentId,
    /// Order of creation; not public.
    pub sorted_id: SortedId,
    /// Whose.
    pub client: ClientId,
    /// The instruction that it belongs to.
    pub instruction: InstructionId,
    /// The account that receives the money.
    pub account: AccountId,
    /// How much.
    pub amount: Amount,
    /// The partner's own reference; none on payments of savings plans.
    pub client_ref: Option<Arc<str>>,
    /// What a savings plan buys with it.
    pub savings: Option<SavingsPart>,
    /// The bank account that is charged: picked when the file is cut, none where nothing can be charged.
    pub bank_account: Option<BankAccountId>,
    /// The day on which the charge is due.
    pub due: Option<Date>,
    /// How often it has been tried.
    pub attempts: u32,
    /// Why it failed, or was not paid so far.
    pub reason: Option<PaymentReason>,
    /// The resulting deposit.
    pub deposit: Option<CashTransactionId>,
    /// The next charge.
    pub timer: Option<TimerKey>,
    /// Place in the table.
    pub state: Current<payment::State>,
    /// Creation and change.
    pub stamp: Stamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: payments/payment-reason-codes)
    #[test]
    fn every_reason_has_the_code_of_the_scheme_and_some_come_by_lever_only() {
        let rows = [
            (PaymentReason::NoMoney, "1", false),
            (PaymentReason::NoMoneyYet, "9", false),
            (PaymentReason::NoAccount, "2", true),
            (PaymentReason::NoMandate, "01", false),
            (PaymentReason::NotApproved, "02", false),
            (PaymentReason::MandateStopped, "03", true),
            (PaymentReason::WrongDate, "12", true),
            (PaymentReason::AboveMaximum, "24", true),
        ];
        assert_eq!(rows.len(), REASONS.len());
        for (reason, code, by_lever) in rows {
            assert_eq!((reason.code(), reason.is_by_lever()), (code, by_lever), "{reason:?}");
        }
    }
}
