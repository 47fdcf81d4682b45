//! What an account owes in fees: what has accrued and is not charged, and what is being charged.
//!
//! Invariant: everything before `next` has accrued, into `carry` or a charge; what was charged is booked, in arrears, or
//! being charged. Absent on purpose: how much accrues on a day, which follows from the day's value.

use super::CashBooking;
use crate::ids::OrderId;
use crate::money::Amount;
use crate::quarter::Quarter;
use crate::time::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// What is charged, in the order in which it is paid (rule: payments/fees-together).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Charge {
    /// Yield tax, which an insurer takes; it does not accrue by the day.
    InsuranceTax,
    /// The insurer's fee.
    InsuranceFee,
    /// What the insurer takes for the risk of a person over 65.
    RiskPremium,
    /// The distribution fee.
    Service,
    /// The partner's fee (rule: payments/partner-fee).
    Partner,
    /// The client's own.
    Client,
}

impl Charge {
    /// Every kind, in the order of payment.
    pub const ALL: [Self; 6] =
        [Self::InsuranceTax, Self::InsuranceFee, Self::RiskPremium, Self::Service, Self::Partner, Self::Client];

    /// How it is booked.
    #[must_use]
    pub const fn booking(self) -> CashBooking {
        match self {
            Self::InsuranceTax => CashBooking::InsuranceTax,
            Self::InsuranceFee => CashBooking::InsuranceFee,
            Self::RiskPremium => CashBooking::RiskPremium,
            Self::Service => CashBooking::ServiceFee,
            Self::Partner => CashBooking::PartnerFee,
            Self::Client => CashBooking::ClientFee,
        }
    }
}

/// What is owed of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Owed {
    /// Accrued and not charged; after a charge at most half an ore, either way.
    #[serde(with = "crate::money::exact")]
    pub carry: Decimal,
    /// Charged, and the cash did not reach.
    pub arrears: Amount,
}

/// A sale that is to pay for charges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FeeSale {
    /// The order.
    pub order: OrderId,
    /// How much of the shortfall it covers.
    #[serde(with = "crate::money::exact")]
    pub covers: Decimal,
}

/// Charges that wait for sales.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DueCharges {
    /// Their quarter.
    pub quarter: Quarter,
    /// How much of each kind.
    pub amounts: [Amount; 6],
    /// Cash set aside at once.
    pub reserved: Amount,
    /// What no sale covers yet.
    #[serde(with = "crate::money::exact")]
    pub shortfall: Decimal,
    /// Sales so far, ended ones included.
    pub sales: Vec<FeeSale>,
}

/// The fees of one account.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FeeFile {
    /// The first day whose charges have not accrued.
    pub next: Date,
    /// The first day whose retrocessions have not been paid.
    pub next_retrocession: Date,
    /// The last day that accrues, once the account is closing.
    pub last: Option<Date>,
    /// Whether the final charges have been taken.
    pub is_final: bool,
    /// By kind, as `Charge::ALL`.
    pub owed: [Owed; 6],
    /// The year of the last insurance tax, and how much of it was charged.
    pub tax: (i16, Amount),
    /// What is being charged.
    pub due: Option<DueCharges>,
}

impl FeeFile {
    /// The file of an account that is active from `day` on.
    #[must_use]
    pub fn beginning(day: Date) -> Self {
        Self {
            next: day,
            next_retrocession: day,
            last: None,
            is_final: false,
            owed: [Owed::default(); 6],
            tax: (day.year(), Amount::ZERO),
            due: None,
        }
    }
}
