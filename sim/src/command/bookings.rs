//! What the back office books on an account by lever, and which kinds there are (rule: payments/corrections,
//! payments/dividends).

use crate::identity::InstrumentId;
use crate::ids::{AccountId, PartnerId};
use crate::money::{Amount, Units};
use crate::records::{CashBooking, CashRefType, CashTerms, CashType, FundBooking, FundRefType, FundTerms, FundType};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

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
        /// What they have cost in SEK, for units that come; their worth at the last price when it is not said.
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
