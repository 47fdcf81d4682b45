//! Retrocessions: what fund companies give back of their fees, all of it to the customers (rule: payments/retrocession).
//!
//! Invariant: each day of each position is paid once. Absent on purpose: fees.

use crate::identity::InstrumentId;
use crate::ids::AccountId;
use crate::ledger::NewCash;
use crate::money::{Amount, round_half_up};
use crate::quarter::Quarter;
use crate::records::CashBooking;
use crate::time::Date;
use crate::timers::Timer;
use crate::valuation::Days;
use crate::world::World;
use rust_decimal::Decimal;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Decimals of what accrues on a day.
const ACCRUAL_SCALE: u32 = 10;
/// Basis points of a whole, times the days of every year.
const PER_DAY: Decimal = Decimal::from_parts(3_650_000, 0, 0, false, 0);

/// Timer: a quarter's retrocessions are paid, to every active account.
pub(crate) fn pay_all(world: &mut World, quarter: Quarter) {
    world.timers.set(quarter.next().retrocessions_due(), Timer::PayRetrocessions(quarter.next()));
    let accounts: Vec<AccountId> = world.fees.keys().copied().collect();
    for id in accounts {
        if world.accounts.known(id).is_active() {
            pay(world, id, quarter.last_day());
        }
    }
}

/// Pays what has accrued up to `last` and was not paid.
fn pay(world: &mut World, id: AccountId, last: Date) {
    let amounts = unpaid(world, id, last);
    let quarter = Quarter::of(last);
    let file = Arc::make_mut(world.fees.get_mut(&id).expect("an account that was active has a file"));
    file.next_retrocession = file.next_retrocession.max(last.tomorrow().expect("dates stay within the calendar"));
    if amounts.is_empty() {
        return;
    }
    world.change_account(id, |world| {
        for (instrument, amount) in amounts {
            let reference = Some(Arc::from(format!("{instrument}-{quarter}")));
            world.book_cash(NewCash { reference, ..NewCash::new(id, CashBooking::Retrocession, amount) });
        }
    });
}

/// Pays an account that is closing what it is still due; once.
pub(crate) fn finish(world: &mut World, id: AccountId) {
    let file = world.fees.get(&id).filter(|file| !file.is_final);
    if let Some(last) = file.and_then(|file| file.last) {
        pay(world, id, last);
    }
}

/// Whether an account that closes today has something to come.
pub(crate) fn is_anything_due(world: &World, id: AccountId) -> bool {
    let yesterday = world.now.local_date().yesterday().expect("dates stay within the calendar");
    world.fees.contains_key(&id) && !unpaid(world, id, yesterday).is_empty()
}

/// What has accrued up to `last` and was not paid, by fund; a fund that comes to less than half an ore is left out.
fn unpaid(world: &World, id: AccountId, last: Date) -> BTreeMap<InstrumentId, Amount> {
    let mut sums: BTreeMap<InstrumentId, Decimal> = BTreeMap::new();
    let mut days = Days::new(world, id);
    days.skip_to(world.fees[&id].next_retrocession);
    while days.begin() <= last && days.next().is_some() {
        for held in days.held().filter(|held| held.units.is_positive()) {
            let Some(close) = held.close else { continue };
            let rebate = world.market.known(held.instrument).instrument.rebate;
            if !rebate.is_zero() {
                let day = round_half_up(held.units.get() * close * rebate / PER_DAY, ACCRUAL_SCALE);
                *sums.entry(held.instrument).or_default() += day;
            }
        }
    }
    let whole = |sum| Amount::from_decimal_exact(round_half_up(sum, 2)).expect("rounded to 2 decimals");
    sums.into_iter().map(|(fund, sum)| (fund, whole(sum))).filter(|(_, amount)| amount.is_positive()).collect()
}
