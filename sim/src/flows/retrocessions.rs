//! Retrocessions: what fund companies give back of their fees, all of it to the customers (rule: payments/retrocession).
//!
//! Invariant: each day of each position is paid once. Absent on purpose: fees.

use crate::identity::InstrumentId;
use crate::ids::AccountId;
use crate::ledger::NewCash;
use crate::money::{Amount, Units, nearest, round_half_up, ten_to};
use crate::quarter::Quarter;
use crate::records::{CashBooking, FeeFile};
use crate::time::Date;
use crate::timers::Timer;
use crate::valuation::{Closings, History, PRICE_SCALE};
use crate::world::World;
use rust_decimal::Decimal;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Decimals of what accrues on a day.
const ACCRUAL_SCALE: u32 = 10;
/// Basis points of a whole, times the days of every year.
const PER_DAY: i128 = 10_000 * 365;
/// More than any position is given back for a day, in steps.
const MOST: i128 = ten_to(24);

/// Timer: a quarter's retrocessions are paid, to every active account.
pub(crate) fn pay_all(world: &mut World, quarter: Quarter) {
    world.timers.set(quarter.next().retrocessions_due(), Timer::PayRetrocessions(quarter.next()));
    let accounts: Vec<AccountId> = world.fees.keys().copied().collect();
    let mut closings = Closings::new(quarter.first_day(), quarter.last_day());
    for id in accounts {
        if world.accounts.known(id).is_active() {
            pay(world, id, quarter.last_day(), &mut closings);
        }
    }
}

/// Pays what has accrued up to `last`, the last day of `closings`, and was not paid.
fn pay(world: &mut World, id: AccountId, last: Date, closings: &mut Closings) {
    let amounts = unpaid(world, id, closings);
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
        pay(world, id, last, &mut Closings::new(world.fees[&id].next_retrocession, last));
    }
}

/// Whether an account that closes today has something to come.
pub(crate) fn is_anything_due(world: &World, id: AccountId) -> bool {
    let yesterday = world.now.local_date().yesterday().expect("dates stay within the calendar");
    let due = |file: &FeeFile| unpaid(world, id, &mut Closings::new(file.next_retrocession, yesterday));
    world.fees.get(&id).is_some_and(|file| !due(file).is_empty())
}

/// What has accrued up to the last day of `closings` and was not paid, by fund; a fund that comes to less than half an ore is
/// left out.
fn unpaid(world: &World, id: AccountId, closings: &mut Closings) -> BTreeMap<InstrumentId, Amount> {
    let next = world.fees[&id].next_retrocession;
    closings.reach_back_to(next);
    let mut sums: BTreeMap<InstrumentId, i128> = BTreeMap::new();
    History::of(world, id).holdings(&world.market, closings, next, |instrument, units, prices| {
        let rebate = world.market.known(instrument).instrument.rebate;
        if units > 0 && !rebate.is_zero() {
            let days = prices.iter().map(|&close| accrual(units, close, rebate));
            *sums.entry(instrument).or_default() += days.sum::<i128>();
        }
    });
    let whole = |steps| {
        let exact = Decimal::from_i128_with_scale(steps, ACCRUAL_SCALE);
        Amount::from_decimal_exact(round_half_up(exact, 2)).expect("rounded to 2 decimals")
    };
    sums.into_iter().map(|(fund, sum)| (fund, whole(sum))).filter(|(_, amount)| amount.is_positive()).collect()
}

/// What is given back for a day, in steps of 10^-10 SEK, halves rounded up: for so many steps of units at a price in millionths.
fn accrual(units: i128, close: i128, rebate: Decimal) -> i128 {
    let by = ten_to(Units::MAX_DECIMALS + PRICE_SCALE + rebate.scale() - ACCRUAL_SCALE) * PER_DAY;
    let (worth, rebate) = (units.saturating_mul(close), rebate.mantissa());
    // More than anybody holds need not be exact.
    worth.checked_mul(rebate).map_or(MOST, |product| nearest(product, by).min(MOST))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: payments/retrocession)
    #[test]
    fn a_day_accrues_the_worth_times_the_rebate_and_halves_go_up() {
        for (units, close, rebate, steps) in [
            // 100 units at 123.45, half a percent a year: 0.16910958904...
            (1_000_000_000, 123_450_000, Decimal::from(50), 1_691_095_890),
            (1_000_000_000, 123_450_000, Decimal::new(5_000, 2), 1_691_095_890),
            (1, 1_825_000_000, Decimal::ONE, 1),
            (1, 1_824_999_999, Decimal::ONE, 0),
            (0, 123_450_000, Decimal::from(50), 0),
            (i128::MAX, 123_450_000, Decimal::from(50), MOST),
        ] {
            assert_eq!(accrual(units, close, rebate), steps, "{units} units at {close}, {rebate}");
        }
    }
}
