//! What an account owes in fees: what has accrued and is not charged, and what is being charged; what clients take
//! themselves, and what has been paid on to them.
//!
//! Invariant: everything before `next` has accrued, into `carry` or a charge; what was charged is booked, in arrears, or
//! being charged. Absent on purpose: how much accrues on a day, which follows from the day's value.

use super::CashBooking;
use crate::identity::Iban;
use crate::ids::{OrderId, PaymentId};
use crate::money::Amount;
use crate::quarter::Quarter;
use crate::time::{Date, Instant};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// Fees that have a receiving bank account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FeeType {
    /// Fee towards the client legal entity.
    ClientFee,
    /// Fee agreed between partner and customer.
    PartnerFee,
    /// The platform's distribution fee.
    ServiceFee,
}

/// What is charged, in the order in which it is paid (rule: fees/fees-together).
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
    /// The partner's fee (rule: fees/partner-fee).
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

    /// The word that the API uses for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::InsuranceTax => "insurance_tax",
            Self::InsuranceFee => "insurance_fee",
            Self::RiskPremium => "riskpremia_fee",
            Self::Service => "service_fee",
            Self::Partner => "partner_fee",
            Self::Client => "client_fee",
        }
    }

    /// Whose fee it is, where a client takes it.
    #[must_use]
    pub const fn taken_by_client(self) -> Option<FeeType> {
        match self {
            Self::Partner => Some(FeeType::PartnerFee),
            Self::Client => Some(FeeType::ClientFee),
            Self::InsuranceTax | Self::InsuranceFee | Self::RiskPremium | Self::Service => None,
        }
    }
}

/// An amount of each kind, as `Charge::ALL`.
pub type Charges = [Amount; Charge::ALL.len()];

/// What becomes of a client's own fee at each midnight (rule: fees/partner-fee).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FeeMode {
    /// Nothing accrues.
    #[default]
    None,
    /// It accrues and is shown to the operator; nothing is ever taken of it.
    Calculated,
    /// It accrues, and is taken from the account with the next charges.
    Withdrawn,
}

impl FeeMode {
    /// Every mode.
    pub const ALL: [Self; 3] = [Self::None, Self::Calculated, Self::Withdrawn];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Calculated => "calculated",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// What a client has agreed on with its customers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FeeTerms {
    /// Basis points of the value, a year.
    pub basis_points: u32,
    /// What becomes of it.
    pub mode: FeeMode,
}

impl FeeTerms {
    /// Basis points of the whole: no rate is higher.
    pub const MOST: u32 = 10_000;

    /// The yearly rate that accrues, in basis points: none in mode `none`.
    #[must_use]
    pub const fn accruing(self) -> u32 {
        match self.mode {
            FeeMode::None => 0,
            FeeMode::Calculated | FeeMode::Withdrawn => self.basis_points,
        }
    }
}

/// The fees that a client takes besides the platform's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ClientFees {
    /// The partner's.
    pub partner: FeeTerms,
    /// The client's.
    pub client: FeeTerms,
}

/// What was taken of one kind for one client and has left the platform, or waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FeePot {
    /// Taken and not yet paid to the client.
    pub waiting: Amount,
    /// What went to its bank account, oldest first: one payment an instant.
    pub paid: Vec<FeePayment>,
}

/// Fees paid on to a client.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FeePayment {
    /// To this account.
    pub iban: Iban,
    /// How much.
    pub amount: Amount,
    /// When.
    pub at: Instant,
}

/// What is owed of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Owed {
    /// Accrued and not charged; after a charge at most half an ore, either way.
    #[serde(with = "crate::money::exact")]
    pub carry: Decimal,
    /// The part of it that has accrued since the last charge.
    #[serde(with = "crate::money::exact")]
    pub accrued: Decimal,
    /// Charged, and the cash did not reach.
    pub arrears: Amount,
}

/// What has accrued in one quarter at midnights whose mode was `calculated`. It is shown, and never charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Calculated {
    /// When.
    pub quarter: Quarter,
    /// Whose fee it is.
    pub kind: Charge,
    /// How much.
    #[serde(with = "crate::money::exact")]
    pub sum: Decimal,
}

/// What is only calculated since the last charge, by quarter and kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CalculatedFees(Vec<Calculated>);

impl CalculatedFees {
    fn add(&mut self, quarter: Quarter, kind: Charge, sum: Decimal) {
        match self.0.iter_mut().find(|known| (known.quarter, known.kind) == (quarter, kind)) {
            Some(known) => known.sum += sum,
            None => self.0.push(Calculated { quarter, kind, sum }),
        }
    }

    fn sum(&self, of: impl Fn(&Calculated) -> bool) -> Decimal {
        self.0.iter().filter(|known| of(known)).map(|known| known.sum).sum()
    }
}

/// A sale that is to pay for charges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FeeSale {
    /// The order.
    pub order: OrderId,
    /// What its units were worth when it was placed; nothing once it has been canceled.
    #[serde(with = "crate::money::exact")]
    pub worth: Decimal,
}

impl FeeSale {
    /// How much of the shortfall it covers, as far as a decimal can say.
    #[must_use]
    pub fn covers(&self) -> Decimal {
        self.worth / Sales::MARGIN
    }
}

/// Sales under way for what the cash does not reach (rule: fees/forced-redemption).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sales {
    /// What units that are still to be sold must be worth, margin included: a quotient by the margin would not be exact.
    #[serde(with = "crate::money::exact")]
    pub need: Decimal,
    /// Those placed so far, ended ones included.
    pub placed: Vec<FeeSale>,
}

impl Sales {
    /// How much more than the shortfall is sold: 1.02 times it.
    const MARGIN: Decimal = Decimal::from_parts(102, 0, 0, false, 2);

    /// None so far, for what is short.
    pub(crate) fn new(short: Amount) -> Self {
        Self { need: short.get() * Self::MARGIN, placed: Vec::new() }
    }

    fn has(&self, order: OrderId) -> bool {
        self.placed.iter().any(|sale| sale.order == order)
    }
}

/// Charges that wait for sales.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DueCharges {
    /// Their quarter.
    pub quarter: Quarter,
    /// How much of each kind.
    pub amounts: Charges,
    /// What payers have back and was in arrears.
    pub refunds: Vec<(PaymentId, Amount)>,
    /// Cash set aside at once.
    pub reserved: Amount,
    /// What is sold for the rest.
    pub sales: Sales,
}

/// What a payer has back and could not be taken from the account yet (rule: payments/payment-refund).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DueRefund {
    /// The payment that is paid back.
    pub payment: PaymentId,
    /// Not booked yet.
    pub left: Amount,
    /// What is sold for it.
    pub sales: Sales,
    /// Whether its sales have ended, so that what is left is in arrears.
    pub is_arrears: bool,
}

/// The outcome of one kind when it was last charged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Reckoned {
    /// Left from the charge before.
    #[serde(with = "crate::money::exact")]
    pub carried: Decimal,
    /// Accrued since then.
    #[serde(with = "crate::money::exact")]
    pub accrued: Decimal,
    /// Their sum in whole ore, which was charged.
    pub amount: Amount,
    /// Accrued since then at midnights whose mode was `calculated`, in whole ore; not charged.
    pub calculated: Amount,
    /// Asked for again beside it.
    pub arrears: Amount,
    /// The mode on the day of the charge.
    pub mode: FeeMode,
}

/// How the last charges came about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Statement {
    /// Their quarter.
    pub quarter: Quarter,
    /// The first day that accrued in it.
    pub first: Date,
    /// The last.
    pub last: Date,
    /// By kind, as `Charge::ALL`.
    pub kinds: [Reckoned; Charge::ALL.len()],
}

/// What has accrued in quarters after the one that is charged next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ahead {
    /// By quarter, in order, by kind.
    pub quarters: Vec<(Quarter, [Owed; Charge::ALL.len()])>,
}

/// The fees of one account.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FeeFile {
    /// The first day whose charges have not accrued.
    pub next: Date,
    /// The first day that the next charge is for.
    pub since: Date,
    /// The first day whose retrocessions have not been paid.
    pub next_retrocession: Date,
    /// The last day that accrues, once the account is deleted.
    pub last: Option<Date>,
    /// Whether the last charges have been taken; they are taken again where a payout has come back since.
    pub is_final: bool,
    /// By kind, as `Charge::ALL`.
    pub owed: [Owed; Charge::ALL.len()],
    /// The same of quarters after the one that is charged next, in order, where rates have changed before they are charged.
    pub ahead: Option<Box<Ahead>>,
    /// The year of the last insurance tax, and how much of it was charged.
    pub tax: (i16, Amount),
    /// What is being charged.
    pub due: Option<Box<DueCharges>>,
    /// What payers have back and was not booked yet, oldest first.
    pub refunds: Vec<DueRefund>,
    /// How the last charges came about.
    pub statement: Option<Box<Statement>>,
    /// What clients only have calculated, where there is any.
    pub calculated: Option<Box<CalculatedFees>>,
}

impl FeeFile {
    /// The file of an account that is active from `day` on.
    #[must_use]
    pub fn beginning(day: Date) -> Self {
        Self {
            next: day,
            since: day,
            next_retrocession: day,
            last: None,
            is_final: false,
            owed: [Owed::default(); Charge::ALL.len()],
            ahead: None,
            tax: (day.year(), Amount::ZERO),
            due: None,
            refunds: Vec::new(),
            statement: None,
            calculated: None,
        }
    }

    /// What is owed of a quarter after the one that is charged next.
    pub(crate) fn owed_ahead(&mut self, quarter: Quarter) -> &mut [Owed; Charge::ALL.len()] {
        let quarters = &mut self.ahead.get_or_insert_default().quarters;
        if quarters.last().is_none_or(|last| last.0 != quarter) {
            quarters.push((quarter, [Owed::default(); Charge::ALL.len()]));
        }
        &mut quarters.last_mut().expect("it was pushed").1
    }

    /// Takes over what has accrued ahead of the quarter that is charged next from now on.
    pub(crate) fn take_over_ahead(&mut self) {
        let next = Quarter::of(self.since);
        let Some(mut ahead) = self.ahead.take() else { return };
        let due = ahead.quarters.partition_point(|(quarter, _)| *quarter <= next);
        for (kind, accrued) in ahead.quarters.drain(..due).flat_map(|(_, kinds)| kinds.into_iter().enumerate()) {
            let owed = &mut self.owed[kind];
            (owed.carry, owed.accrued) = (owed.carry + accrued.carry, owed.accrued + accrued.accrued);
        }
        self.ahead = Some(ahead).filter(|ahead| !ahead.quarters.is_empty());
    }

    /// So much more has accrued of a kind and is only calculated (rule: fees/partner-fee).
    pub(crate) fn calculate(&mut self, quarter: Quarter, kind: Charge, sum: Decimal) {
        if !sum.is_zero() {
            self.calculated.get_or_insert_default().add(quarter, kind, sum);
        }
    }

    /// What has accrued of a kind since the last charge and is only calculated.
    #[must_use]
    pub fn calculated(&self, kind: Charge) -> Decimal {
        self.calculated.as_ref().map_or(Decimal::ZERO, |fees| fees.sum(|known| known.kind == kind))
    }

    /// Takes out what was only calculated up to the end of `quarter`, as `Charge::ALL`.
    pub(crate) fn take_calculated(&mut self, quarter: Quarter) -> [Decimal; Charge::ALL.len()] {
        let Some(mut fees) = self.calculated.take() else { return [Decimal::ZERO; Charge::ALL.len()] };
        let sums = Charge::ALL.map(|kind| fees.sum(|known| known.kind == kind && known.quarter <= quarter));
        fees.0.retain(|known| known.quarter > quarter);
        self.calculated = (!fees.0.is_empty()).then_some(fees);
        sums
    }

    /// Whether charges or refunds wait for this sale.
    #[must_use]
    pub fn awaits(&self, order: OrderId) -> bool {
        let due = self.due.as_ref().is_some_and(|due| due.sales.has(order));
        due || self.refunds.iter().any(|refund| refund.sales.has(order))
    }
}
