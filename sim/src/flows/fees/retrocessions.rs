//! Retrocessions: what fund companies give back of their fees, all of it to the customers (rule: fees/retrocession).
//!
//! Invariant: each day of each position is paid once, in the sum of its quarter. Absent on purpose: fees, and what accrues by
//! the day.

use super::accruals;
use crate::canary::Canary;
use crate::identity::InstrumentId;
use crate::ids::AccountId;
use crate::ledger::NewCash;
use crate::money::{Amount, round_half_up};
use crate::quarter::Quarter;
use crate::records::CashBooking;
use crate::time::Date;
use crate::timers::{Timer, TimerProgress};
use crate::valuation::Closings;
use crate::world::World;
use std::ops::Range;
use std::sync::Arc;

/// Timer: a quarter's retrocessions are paid, to every active account.
pub(crate) fn pay_all(world: &mut World, quarter: Quarter) -> TimerProgress {
    world.timers.set(quarter.next().retrocessions_due(), Timer::PayRetrocessions(quarter.next()));
    TimerProgress::new(Timer::PayRetrocessions(quarter), world.fees.len())
}

/// Pays the accounts at `part`, in the order in which they became active.
pub(crate) fn pay_part(world: &mut World, quarter: Quarter, part: Range<usize>) {
    let accounts: Vec<AccountId> = world.fees.keys().skip(part.start).take(part.len()).copied().collect();
    let mut closings = Closings::default();
    for id in accounts {
        if world.accounts.known(id).is_active() {
            pay(world, id, quarter.last_day(), &mut closings);
        }
    }
}

/// Pays what has accrued up to `last` and was not paid.
fn pay(world: &mut World, id: AccountId, last: Date, closings: &mut Closings) {
    let kept = world.planted.is(Canary::RetrocessionKept);
    let amounts = if kept { Vec::new() } else { unpaid(world, id, last, closings) };
    let file = world.fee_file_mut(id);
    file.next_retrocession = file.next_retrocession.max(last.tomorrow().expect("dates stay within the calendar"));
    if amounts.is_empty() {
        return;
    }
    world.change_account(id, |world| {
        for ((quarter, instrument), amount) in amounts {
            let reference = Some(Arc::from(format!("{instrument}-{quarter}")));
            world.book_cash(NewCash { reference, ..NewCash::new(id, CashBooking::Retrocession, amount) });
        }
    });
}

/// Pays an account that is closing what it is still due.
pub(crate) fn finish(world: &mut World, id: AccountId) {
    if world.fees.contains_key(&id) {
        pay(world, id, yesterday(world), &mut Closings::default());
    }
}

/// Whether an account that closes today, or has begun to, has something to come.
pub(crate) fn is_anything_due(world: &World, id: AccountId) -> bool {
    world.fees.contains_key(&id) && !unpaid(world, id, yesterday(world), &mut Closings::default()).is_empty()
}

fn yesterday(world: &World) -> Date {
    world.now.local_date().yesterday().expect("dates stay within the calendar")
}

/// What has accrued up to `last` and was not paid, by quarter and fund; less than half an ore is left out.
fn unpaid(world: &World, id: AccountId, last: Date, closings: &mut Closings) -> Vec<((Quarter, InstrumentId), Amount)> {
    let whole = |sum| Amount::from_decimal_exact(round_half_up(sum, 2)).expect("rounded to 2 decimals");
    let sums = accruals::retrocessions(world, id, last, closings).into_iter();
    sums.map(|(of, sum)| (of, whole(sum))).filter(|(_, amount)| amount.is_positive()).collect()
}
