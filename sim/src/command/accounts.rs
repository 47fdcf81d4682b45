//! A request to open an account at once, what is decided about one that waits, what screening finds of an owner; and what the
//! back office books by lever, and which kinds there are (rule: accounts/corrections, accounts/dividends).

use super::Scope;
use crate::identity::{Iban, InstrumentId};
use crate::ids::{AccountId, PartnerId};
use crate::money::{Amount, Units};
use crate::records::{
    AccountType, CashBooking, CashRefType, CashTerms, CashType, Category, FundBooking, FundRefType, FundTerms,
    FundType, MandateStatus, Owner, ServiceType,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An account at once.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OpenAccount {
    /// The caller.
    pub scope: Scope,
    /// Kind of account.
    pub account_type: AccountType,
    /// Owner; one is made from the seed when none is given.
    pub owner: Option<Owner>,
    /// Shown name; by type when none is given (rule: accounts/default-name).
    pub name: Option<Arc<str>>,
    /// Investment service.
    pub service_type: ServiceType,
    /// MiFID II classification.
    pub category: Category,
    /// Opening cash; zero for none.
    pub cash: Amount,
    /// Opening positions.
    pub positions: Vec<(InstrumentId, Units)>,
    /// Bank accounts of the owner.
    pub bank_accounts: Vec<OpenBankAccount>,
    /// Whether the owner has answered the appropriateness question.
    pub fund_knowledge: bool,
}

/// A bank account that comes with an account.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OpenBankAccount {
    /// ISO 13616.
    pub iban: Iban,
    /// The owner's name for it.
    pub name: Option<Arc<str>>,
    /// Whether the account check has passed.
    pub validated: bool,
    /// Autogiro mandate.
    pub mandate: MandateStatus,
}

/// A decision about an account that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Decision {
    /// The platform approves.
    Approve,
    /// The application or a signature is refused.
    Reject,
    /// Every signature that is missing is given: the insurer's, and those of further signatories.
    Confirm,
}

/// What screening finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ScreeningHit {
    /// Politically exposed: high risk, KYC holds a year.
    Pep,
    /// Sanctioned: orders go to hold, no withdrawals.
    Sanctions,
    /// No longer on any list.
    Clear,
}

/// A booking by lever.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Book {
    /// The caller; only the account's own partner may.
    pub partner: PartnerId,
    /// On which account.
    pub account: AccountId,
    /// Cash or units.
    pub what: Booked,
    /// Why, in words: the `text` of cash, the `ref` of units.
    pub text: Option<Arc<str>>,
}

/// Cash or units.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Booked {
    /// Cash.
    Cash {
        /// In or out, by the public word.
        kind: CashType,
        /// Why, by the public word; with `kind` one of [`CASH_BOOKINGS`].
        ref_type: CashRefType,
        /// How much.
        amount: Amount,
    },
    /// Units.
    Units {
        /// In or out, by the public word.
        kind: FundType,
        /// Why, by the public word; with `kind` one of [`UNIT_BOOKINGS`].
        ref_type: FundRefType,
        /// Which fund.
        instrument: InstrumentId,
        /// How many.
        units: Units,
        /// Cost in SEK of units that come in; their worth at the last price when absent.
        cost: Option<Amount>,
    },
}

/// The kinds of cash booking that a lever can make.
pub const CASH_BOOKINGS: &[CashBooking] = &[
    CashBooking::CorrectedUp,
    CashBooking::CorrectedDown,
    CashBooking::Dividend,
    CashBooking::Compensation,
    CashBooking::Gift,
    CashBooking::Inheritance,
    CashBooking::Donation,
];

/// The kinds of fund booking that a lever can make.
pub const UNIT_BOOKINGS: &[FundBooking] = &[
    FundBooking::CorrectedUp,
    FundBooking::CorrectedDown,
    FundBooking::Dividend,
    FundBooking::Compensation,
    FundBooking::GiftIn,
    FundBooking::GiftOut,
    FundBooking::InheritanceIn,
    FundBooking::InheritanceOut,
];

/// The cash booking with these public words, if a lever can make it.
pub(crate) fn cash_booking(kind: CashType, ref_type: CashRefType) -> Option<CashBooking> {
    let fits = |terms: CashTerms| (terms.kind, terms.ref_type) == (kind, ref_type);
    CASH_BOOKINGS.iter().copied().find(|booking| fits(booking.terms()))
}

/// The fund booking with these public words, if a lever can make it.
pub(crate) fn unit_booking(kind: FundType, ref_type: FundRefType) -> Option<FundBooking> {
    let fits = |terms: FundTerms| (terms.kind, terms.ref_type) == (kind, ref_type);
    UNIT_BOOKINGS.iter().copied().find(|booking| fits(booking.terms()))
}
