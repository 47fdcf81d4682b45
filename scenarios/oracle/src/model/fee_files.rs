//! What the model keeps of fees and retrocessions of one account, and the quarters that it counts by.
//!
//! Invariant: sums of what accrues are in steps of 10^-10 SEK, by kind. Absent on purpose: how anything is computed, which
//! is `fees`.

use super::accruals::{Accrued, Basis, KIND_WORDS, KINDS, Nights};
use super::calendar::{self, Day};
use super::figures::{self, Ore, Steps};
use super::words::{self, listed};
use sim::identity::{Iban, InstrumentId};
use sim::ids::{AccountId, ClientId, OrderId, PaymentId};
use sim::records::{Client, FeeType, Instrument};
use sim::store::Map;
use sim::time::{Date, Instant};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::sync::Arc;

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
    /// A part of what a payer has back.
    Refund(PaymentId, Ore),
}

impl fmt::Display for Taking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Charge(kind, ore, quarter) => {
                write!(f, "{} of {} for {}", figures::amount(ore), KIND_WORDS[kind], written(quarter))
            }
            Self::Retrocession(fund, ore, quarter) => {
                write!(f, "{} of retrocession of {fund} for {}", figures::amount(ore), written(quarter))
            }
            Self::Refund(payment, ore) => write!(f, "{} back for payment {payment}", figures::amount(ore)),
        }
    }
}

impl Taking {
    /// What it does to the balance.
    #[must_use]
    pub const fn signed(self) -> Ore {
        match self {
            Self::Charge(_, ore, _) | Self::Refund(_, ore) => -ore,
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

/// Sales for what the cash does not reach.
#[derive(Clone, Debug, Default)]
pub(super) struct Sales {
    /// What is still to be sold, in steps of 10^-13 SEK.
    pub(super) need: i128,
    pub(super) made: Vec<Sale>,
}

impl Sales {
    /// Those for a shortfall: 1.02 times it.
    pub(super) fn worth(shortfall: Ore) -> Self {
        Self { need: i128::from(shortfall) * 102 * 1_000_000_000, made: Vec::new() }
    }

    pub(super) fn are_over(&self) -> bool {
        self.made.iter().all(|sale| sale.ended.is_some())
    }

    /// What fell has to be sold anew; whether anything did.
    pub(super) fn fell(&mut self) -> bool {
        let fallen = self.made.iter_mut().filter(|sale| sale.ended == Some(true) && sale.covers != 0);
        let again: i128 = fallen.map(|sale| std::mem::take(&mut sale.covers)).sum();
        self.need += again;
        again != 0
    }
}

/// Charges that wait for sales, and what payers have back with them.
#[derive(Clone, Debug)]
pub(super) struct DueCharges {
    pub(super) quarter: Quarter,
    pub(super) amounts: [Ore; KINDS.len()],
    pub(super) refunds: Vec<(PaymentId, Ore)>,
    pub(super) reserved: Ore,
    pub(super) sales: Sales,
}

/// Money that a payer has back and that the cash did not reach.
#[derive(Clone, Debug)]
pub(super) struct DueRefund {
    pub(super) payment: PaymentId,
    pub(super) left: Ore,
    pub(super) sales: Sales,
    /// Whether it waits for the next day of fees.
    pub(super) is_arrears: bool,
}

/// The fees and retrocessions of one account.
#[derive(Clone, Debug, Default)]
pub struct FeeFile {
    /// The quarter before the one in which the account became active, and all whose tax has been computed since.
    pub(super) taxed_through: Option<Quarter>,
    /// Tax charged of the year of that quarter.
    pub(super) taxed: Ore,
    /// What was paid into an insurance, and when.
    pub(super) premiums: Vec<(Day, Ore)>,
    /// What the account was worth when years began.
    pub(super) began: BTreeMap<i32, Ore>,
    /// What its accrual depends on, while the account is active or closing.
    pub(super) basis: Option<Basis>,
    /// Accrued in the present quarter, up to the nights that `basis` has not computed.
    pub(super) accrued: [i128; KINDS.len()],
    /// Accrued in quarters that have ended, and not drawn up.
    pub(super) ended: BTreeMap<Quarter, [i128; KINDS.len()]>,
    /// Accrued of clients' own kinds in the present quarter, and only calculated.
    pub(super) calculated: [i128; 2],
    /// The same of quarters that have ended, and not drawn up.
    pub(super) calculated_ended: [i128; 2],
    /// Everything that has ever accrued and is charged.
    pub(super) total: [i128; KINDS.len()],
    /// What roundings have left over.
    pub(super) carry: [i128; KINDS.len()],
    /// What cash did not reach for.
    pub(super) arrears: [Ore; KINDS.len()],
    pub(super) due: Option<DueCharges>,
    pub(super) refunds: Vec<DueRefund>,
    /// Retrocessions that were not paid.
    pub(super) retrocessions: BTreeMap<(Quarter, InstrumentId), i128>,
    /// Whether the last charges have been drawn up.
    pub(super) is_final: bool,
    /// The quarter in which they were.
    pub(super) finished_in: Option<Quarter>,
    /// Transactions that events must show now.
    pub(super) takings: VecDeque<Taking>,
}

impl FeeFile {
    /// What was charged and is not booked, with what is to come: all that ever accrued, less what was booked.
    #[must_use]
    pub fn open(&self, kind: usize) -> i128 {
        let waits = self.due.as_ref().map_or(0, |due| due.amounts[kind]) + self.arrears[kind];
        let ended: i128 = self.ended.values().map(|kinds| kinds[kind]).sum();
        self.accrued[kind] + ended + self.carry[kind] + ORE * i128::from(waits)
    }

    /// Adds what has accrued in nights of a quarter.
    fn add(&mut self, accrued: Accrued, quarter: Quarter) {
        let charged = accrued.charged.into_iter().zip(self.accrued.iter_mut().zip(&mut self.total));
        charged.for_each(|(steps, (accrued, total))| {
            *accrued += steps;
            *total += steps;
        });
        self.calculated.iter_mut().zip(accrued.calculated).for_each(|(sum, steps)| *sum += steps);
        for (instrument, steps) in accrued.retrocessions {
            *self.retrocessions.entry((quarter, instrument)).or_default() += steps;
        }
    }

    /// The quarter ends, or is charged before it has: what has accrued is its own.
    pub(super) fn end_quarter(&mut self, quarter: Quarter) {
        let ended = self.ended.entry(quarter).or_default();
        ended.iter_mut().zip(&mut self.accrued).for_each(|(ended, steps)| *ended += std::mem::take(steps));
    }

    /// Takes out what has accrued of a kind up to the end of a quarter and was not drawn up.
    pub(super) fn take_ended(&mut self, quarter: Quarter, kind: usize) -> i128 {
        self.ended.range_mut(..=quarter).map(|(_, kinds)| std::mem::take(&mut kinds[kind])).sum()
    }

    /// What has accrued of clients' own kinds since the last charge and is only calculated.
    #[must_use]
    pub fn calculated(&self) -> [i128; 2] {
        [0, 1].map(|own| self.calculated[own] + self.calculated_ended[own])
    }

    /// All that ever accrued of a kind and is charged.
    #[must_use]
    pub const fn total(&self, kind: usize) -> i128 {
        self.total[kind]
    }

    /// Cash set aside for charges.
    #[must_use]
    pub fn reserved(&self) -> Ore {
        self.due.as_ref().map_or(0, |due| due.reserved)
    }

    /// Everything that is sold, for refunds and for charges.
    pub(super) fn sales_mut(&mut self) -> impl Iterator<Item = &mut Sale> {
        let refunds = self.refunds.iter_mut().flat_map(|refund| &mut refund.sales.made);
        refunds.chain(self.due.iter_mut().flat_map(|due| &mut due.sales.made))
    }

    pub(super) fn sales(&self) -> impl Iterator<Item = &Sale> {
        let refunds = self.refunds.iter().flat_map(|refund| &refund.sales.made);
        refunds.chain(self.due.iter().flat_map(|due| &due.sales.made))
    }
}

/// When something of fees happens next.
#[derive(Clone, Debug)]
pub struct Fees {
    /// The day that ends next.
    pub(super) day: Day,
    /// The quarter of that day.
    pub(super) quarter: Quarter,
    /// Prices of the nights of that quarter.
    pub(super) nights: Nights,
    /// What bases were taken by.
    pub(super) agreed: Agreed,
    /// The quarter whose charges fall due next, and when.
    pub(super) charges: (Quarter, Instant),
    /// The quarter whose retrocessions are paid next, and when.
    pub(super) retrocessions: (Quarter, Instant),
    /// Sales that have ended, to be looked at in the same instant.
    pub(super) looks: BTreeSet<(Instant, AccountId)>,
    /// Accounts of which events must show something now.
    pub(super) waiting: BTreeSet<AccountId>,
    /// What was met, and how often.
    pub met: BTreeMap<&'static str, u64>,
    /// What fund companies have given back, by fund and quarter.
    pub given_back: Map<(InstrumentId, Quarter), Ore>,
    /// Fees taken for clients, and payments of them.
    pub pots: Map<(ClientId, FeeType), Pot>,
    /// Clients whose pots have changed since they were looked at.
    pub(super) received: BTreeSet<ClientId>,
}

/// Fees of one kind taken for one client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pot {
    /// Taken and not yet paid to the client.
    pub waiting: Ore,
    /// What was paid on: to whom, how much, when; one payment an instant.
    pub paid: Vec<(Iban, Ore, Instant)>,
}

impl fmt::Display for Pot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paid = self.paid.iter().map(|(iban, ore, at)| format!("{} to {iban} at {at}", words::cash(*ore)));
        write!(f, "{} wait, paid on: {}", words::cash(self.waiting), listed(paid))
    }
}

/// Something that runs should meet.
pub const TO_BE_MET: &[&str] = &[
    "a charge from cash",
    "a charge that waits for sales",
    "a sale for charges that fell",
    "a charge in arrears",
    "a last charge",
    "a retrocession",
    "a refund beyond the cash",
    "a fee for partners or clients",
    "a fee that is paid on at once",
    "a fee that waits for a bank account",
    "a charge too small to sell units for",
    "a day of a fee that is only calculated",
];

/// Clients and funds as they were when bases were last taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Agreed {
    pub(super) clients: Vec<Arc<Client>>,
    pub(super) funds: Vec<Arc<Instrument>>,
}

impl Agreed {
    /// Whether these are the same records still.
    pub(super) fn are<'a>(
        &self,
        clients: impl Iterator<Item = &'a Arc<Client>>,
        funds: impl Iterator<Item = &'a Arc<Instrument>>,
    ) -> bool {
        self.clients.iter().map(Arc::as_ptr).eq(clients.map(Arc::as_ptr))
            && self.funds.iter().map(Arc::as_ptr).eq(funds.map(Arc::as_ptr))
    }
}

impl Fees {
    /// Adds what has accrued on an account by the last midnight.
    pub(super) fn compute(&mut self, file: &mut FeeFile) {
        let Some(accrued) = file.basis.as_mut().and_then(|basis| basis.compute(&self.nights, self.day)) else { return };
        if accrued.calculated_nights > 0 {
            *self.met.entry(TO_BE_MET[11]).or_default() += accrued.calculated_nights;
        }
        file.add(accrued, self.quarter);
    }

    /// Something was met.
    pub(super) fn meet(&mut self, what: &'static str) {
        *self.met.entry(what).or_default() += 1;
    }

    /// Those of a world that begins now.
    #[must_use]
    pub fn beginning(now: Instant) -> Self {
        let day = calendar::local_day(now);
        let quarter = quarter_of(day);
        Self {
            day,
            quarter,
            nights: Nights::default(),
            agreed: Agreed::default(),
            charges: (quarter, charges_due(quarter)),
            retrocessions: (quarter, retrocessions_due(quarter)),
            looks: BTreeSet::new(),
            waiting: BTreeSet::new(),
            met: BTreeMap::new(),
            given_back: Map::default(),
            pots: Map::default(),
            received: BTreeSet::new(),
        }
    }
}
