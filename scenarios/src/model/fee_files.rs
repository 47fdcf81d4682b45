//! What the model keeps of fees and retrocessions of one account, and the quarters that it counts by.
//!
//! Invariant: sums of what accrues are in steps of 10^-10 SEK, by kind. Absent on purpose: how anything is reckoned, which
//! is `fees`.

use super::calendar::{self, Day};
use super::figures::{Ore, Steps};
use sim::identity::InstrumentId;
use sim::ids::OrderId;
use sim::records::CashRefType;
use sim::time::{Date, Instant};
use std::collections::{BTreeMap, VecDeque};

/// What is charged, in the order in which it is paid (rule: payments/fees-together).
pub const KINDS: [CashRefType; 6] = [
    CashRefType::InsuranceTax,
    CashRefType::InsuranceFee,
    CashRefType::RiskpremiaFee,
    CashRefType::ServiceFee,
    CashRefType::PartnerFee,
    CashRefType::ClientFee,
];

/// An ore in steps of what accrues.
pub const ORE: i128 = 100_000_000;

/// A quarter, counted from the first of year 0.
pub type Quarter = i32;

/// The quarter of a day.
#[must_use]
pub fn quarter_of(day: Day) -> Quarter {
    let date = calendar::date_of(day);
    i32::from(date.year()) * 4 + (i32::from(date.month()) - 1) / 3
}

/// The first day of a quarter.
#[must_use]
pub fn first_day(quarter: Quarter) -> Day {
    let (year, month) = (i16::try_from(quarter / 4), i8::try_from(quarter % 4 * 3 + 1));
    let date = year.ok().zip(month.ok()).and_then(|(year, month)| Date::new(year, month, 1).ok());
    calendar::day_of(date.unwrap_or(Date::MAX))
}

/// How a quarter is written.
#[must_use]
pub fn written(quarter: Quarter) -> String {
    format!("{}Q{}", quarter / 4, quarter % 4 + 1)
}

/// When the charges of a quarter fall due: at 06:00 on the first bank day after it.
#[must_use]
pub fn charges_due(quarter: Quarter) -> Instant {
    calendar::at_local(calendar::bank_days_after(first_day(quarter + 1) - 1, 1), 6, 0)
}

/// When the retrocessions of a quarter are paid: at 09:00 on the tenth.
#[must_use]
pub fn retrocessions_due(quarter: Quarter) -> Instant {
    calendar::at_local(calendar::bank_days_after(first_day(quarter + 1) - 1, 10), 9, 0)
}

/// A transaction that must come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taking {
    /// A charge: the place of its kind, how much, of which quarter.
    Charge(usize, Ore, Quarter),
    /// A retrocession of a fund.
    Retrocession(InstrumentId, Ore, Quarter),
}

impl Taking {
    /// What it does to the balance.
    #[must_use]
    pub const fn signed(self) -> Ore {
        match self {
            Self::Charge(_, ore, _) => -ore,
            Self::Retrocession(_, ore, _) => ore,
        }
    }
}

/// A sale that is to pay for charges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sale {
    pub(super) order: Option<OrderId>,
    pub(super) instrument: InstrumentId,
    pub(super) steps: Steps,
    /// Units times price, in steps of 10^-13 SEK; nothing once it has fallen.
    pub(super) covers: i128,
    /// Whether it has ended, and fell.
    pub(super) ended: Option<bool>,
}

/// Charges that wait for sales.
#[derive(Clone, Debug)]
pub(super) struct DueCharges {
    pub(super) quarter: Quarter,
    pub(super) amounts: [Ore; KINDS.len()],
    pub(super) reserved: Ore,
    /// What is still to be sold, in steps of 10^-13 SEK.
    pub(super) need: i128,
    pub(super) sales: Vec<Sale>,
    /// When a sale has ended that was not looked at.
    pub(super) look: Option<Instant>,
}

/// The fees and retrocessions of one account.
#[derive(Clone, Debug, Default)]
pub struct FeeFile {
    /// The quarter before the one in which the account became active, and all whose tax has been reckoned since.
    pub(super) taxed_through: Option<Quarter>,
    /// Tax charged of the year of that quarter.
    pub(super) taxed: Ore,
    /// What was paid into an insurance, and when.
    pub(super) premiums: Vec<(Day, Ore)>,
    /// What the account was worth when years began.
    pub(super) began: BTreeMap<i32, Ore>,
    /// Accrued in the quarter that goes on.
    pub(super) accrued: [i128; KINDS.len()],
    /// Accrued in quarters that have ended, and not drawn up.
    pub(super) ended: [i128; KINDS.len()],
    /// Everything that has ever accrued.
    pub(super) total: [i128; KINDS.len()],
    /// What roundings have left over.
    pub(super) carry: [i128; KINDS.len()],
    /// What cash did not reach for.
    pub(super) arrears: [Ore; KINDS.len()],
    pub(super) due: Option<DueCharges>,
    /// Retrocessions that were not paid.
    pub(super) retrocessions: BTreeMap<(Quarter, InstrumentId), i128>,
    /// The last day that accrues, once the account is closing.
    pub(super) last: Option<Day>,
    /// Whether the last charges have been drawn up.
    pub(super) is_final: bool,
    /// Transactions that must be told now.
    pub(super) takings: VecDeque<Taking>,
}

impl FeeFile {
    /// What was charged and is not booked, with what is to come: all that ever accrued, less what was booked.
    #[must_use]
    pub fn open(&self, kind: usize) -> i128 {
        let waits = self.due.as_ref().map_or(0, |due| due.amounts[kind]) + self.arrears[kind];
        self.accrued[kind] + self.ended[kind] + self.carry[kind] + ORE * i128::from(waits)
    }

    /// All that ever accrued of a kind.
    #[must_use]
    pub const fn total(&self, kind: usize) -> i128 {
        self.total[kind]
    }

    /// Cash set aside for charges.
    #[must_use]
    pub fn reserved(&self) -> Ore {
        self.due.as_ref().map_or(0, |due| due.reserved)
    }

    /// Charges that wait for sales, and what they wait for.
    pub(super) fn sale_of(&mut self, order: OrderId) -> Option<&mut Sale> {
        self.due.as_mut()?.sales.iter_mut().find(|sale| sale.order == Some(order))
    }
}
