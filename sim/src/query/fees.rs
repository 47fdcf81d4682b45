//! Fees and retrocessions as they are: what has accrued, what was charged and why, what comes next
//! (rule: fees/fees-shown).
//!
//! Invariant: what is shown as accrued is what would be charged if the quarter ended with the day shown. Absent on purpose:
//! charging, and the transactions that it made.

use crate::flows::fees::accruals;
use crate::identity::InstrumentId;
use crate::ids::{AccountId, ClientId, OrderId, PartnerId};
use crate::quarter::Quarter;
use crate::records::{Charge, FeeFile, FeePot, FeeTerms, FeeType, Order};
use crate::time::{Date, Instant};
use crate::valuation::Closings;
use crate::world::World;
use rust_decimal::Decimal;

/// The fees of an account at an instant.
#[derive(Clone, Debug)]
pub struct FeesView<'w> {
    /// What is kept: carry, arrears, what is being charged, the last charges.
    pub file: &'w FeeFile,
    /// The last day that has accrued.
    pub through: Date,
    /// Yearly rates today, in basis points, as `Charge::ALL`.
    pub rates: [u32; Charge::ALL.len()],
    /// What has accrued since the last charge and will be charged, as `Charge::ALL`; insurance tax comes by the quarter.
    pub accrued: [Decimal; Charge::ALL.len()],
    /// What has accrued since then and is only calculated, as `Charge::ALL` (rule: fees/partner-fee).
    pub calculated: [Decimal; Charge::ALL.len()],
    /// Terms of the kinds that the client takes, as `Charge::ALL`.
    pub terms: [Option<FeeTerms>; Charge::ALL.len()],
    /// What has accrued in retrocessions and was not paid, by quarter and fund.
    pub retrocessions: Vec<(Quarter, InstrumentId, Decimal)>,
    /// When the next charges fall due, and retrocessions are paid; nothing for an account that is not active.
    pub next: Option<(Instant, Instant)>,
}

/// The fees of an account, unless it was never active.
#[must_use]
pub fn fees(world: &World, id: AccountId) -> Option<FeesView<'_>> {
    let file = fees_of(world, id)?;
    let account = world.accounts.known(id);
    let client = &world.clients[&account.client];
    let today = world.now().local_date();
    let yesterday = today.yesterday().expect("dates stay within the calendar");
    let through = file.last.map_or(yesterday, |last| last.min(yesterday));
    let mut closings = Closings::default();
    let mut accrued = accruals::fees(world, id, through, &mut closings);
    let mut calculated = Charge::ALL.map(|kind| file.calculated(kind));
    let of_today = accrued.iter_mut().zip(&mut calculated).zip(Charge::ALL);
    for ((accrued, calculated), _) in of_today.filter(|(_, kind)| accruals::is_calculated(client, *kind)) {
        *calculated += std::mem::take(accrued);
    }
    let ahead = file.ahead.iter().flat_map(|ahead| &ahead.quarters);
    for kinds in std::iter::once(&file.owed).chain(ahead.map(|(_, kinds)| kinds)) {
        accrued.iter_mut().zip(kinds).for_each(|(sum, owed)| *sum += owed.accrued);
    }
    let due = accruals::retrocessions(world, id, through, &mut closings).into_iter();
    let (fees, given) = (Quarter::of(file.since), Quarter::of(file.next_retrocession));
    Some(FeesView {
        file,
        through,
        rates: accruals::rates(world, account, today),
        accrued,
        calculated,
        terms: Charge::ALL.map(|kind| accruals::terms(client, kind)),
        retrocessions: due.map(|((quarter, fund), sum)| (quarter, fund, sum)).collect(),
        next: account.is_active().then(|| (fees.fees_due(), given.retrocessions_due())),
    })
}

/// The order of a sale, for every reader.
///
/// # Panics
/// When there is none: sales name orders that were placed.
#[must_use]
pub fn sale(world: &World, order: OrderId) -> &Order {
    world.orders.known(order)
}

/// What is kept of an account's fees, unless it was never active.
#[must_use]
pub fn fees_of(world: &World, account: AccountId) -> Option<&FeeFile> {
    world.fees.get(&account).map(AsRef::as_ref)
}

/// What was taken for the clients of the partners that are seen, in the order in which it began (rule: fees/partner-fee).
pub fn fee_pots(world: &World, sees: impl Fn(PartnerId) -> bool) -> impl Iterator<Item = (ClientId, FeeType, &FeePot)> {
    let seen = world.fee_pots.iter().filter(move |((client, _), _)| sees(world.clients[client].partner));
    seen.map(|((client, kind), pot)| (*client, *kind, pot))
}
