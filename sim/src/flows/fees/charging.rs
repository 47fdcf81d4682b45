//! Fees: what has accrued is charged together after each quarter, from cash or from units that are sold for it
//! (rule: fees/distribution-fee, fees/fees-together, fees/fee-booking).
//!
//! Invariant: what was charged and is booked, waits for sales or is in arrears, together with the carry, is what accrued
//! (invariant 7). Absent on purpose: retrocessions, what accrues by the day, and how insurance tax is reckoned.

use super::{accruals, insurance_tax, partner, refunds, sales};
use crate::canary::Canary;
use crate::ids::{AccountId, PaymentId};
use crate::ledger::NewCash;
use crate::money::{Amount, round_half_up};
use crate::quarter::Quarter;
use crate::records::{Charge, Charges, DueCharges, FeeMode, Owed, Reckoned, Sales, Statement};
use crate::time::Date;
use crate::timers::{Timer, TimerProgress};
use crate::valuation::Closings;
use crate::world::World;
use rust_decimal::Decimal;
use std::ops::Range;
use std::sync::Arc;

/// Timer: a quarter's charges fall due, for every active account.
///
/// # Panics
/// When the quarter has not ended: no timer is set before its charges are due, and days that are still to come have no end.
pub(crate) fn charge_all(world: &mut World, quarter: Quarter) -> TimerProgress {
    assert!(quarter.fees_due() <= world.now, "the charges of {quarter} are not due yet");
    world.timers.set(quarter.next().fees_due(), Timer::ChargeFees(quarter.next()));
    TimerProgress::new(Timer::ChargeFees(quarter), world.fees.len())
}

/// Charges the accounts at `part`, in the order in which they became active.
pub(crate) fn charge_part(world: &mut World, quarter: Quarter, part: Range<usize>) {
    let accounts: Vec<AccountId> = world.fees.keys().skip(part.start).take(part.len()).copied().collect();
    let mut closings = Closings::default();
    for id in accounts {
        if world.accounts.known(id).is_active() {
            charge(world, id, quarter, &mut closings);
        }
    }
}

fn charge(world: &mut World, id: AccountId, quarter: Quarter, closings: &mut Closings) {
    if world.fees[&id].since > quarter.last_day() {
        // It has opened since, and what has accrued is the next quarter's.
        return;
    }
    let amounts = draw_up(world, id, quarter, quarter.last_day(), closings);
    let file = world.fee_file_mut(id);
    if file.due.is_some() {
        // Sales of the quarter before are still under way: the next fee day asks again.
        amounts.iter().zip(&mut file.owed).for_each(|(amount, owed)| owed.arrears += *amount);
        return;
    }
    let refunds = refunds::arrears(world, id);
    let total = amounts.iter().copied().chain(refunds.iter().map(|refund| refund.1)).sum::<Amount>();
    if total.is_zero() {
        return;
    }
    let reserved = world.accounts.known(id).spendable().min(total);
    world.accounts.change(id).reserved += reserved;
    let sales = sales_for(world, id, total - reserved);
    world.fee_file_mut(id).due = Some(Box::new(DueCharges { quarter, amounts, refunds, reserved, sales }));
    book_when_sold(world, id);
}

/// Sales for what the cash does not reach. Where it is too little to sell for, it becomes arrears
/// (rule: fees/smallest-forced-sale).
fn sales_for(world: &mut World, id: AccountId, short: Amount) -> Sales {
    if short < world.setup.settings.smallest_forced_sale {
        return Sales::default();
    }
    let mut sales = Sales::new(short);
    sales::sell(world, id, &mut sales);
    sales
}

/// Lets everything up to `last` accrue, and takes out what is charged of each kind: arrears, and what has accrued, to the
/// ore.
fn draw_up(world: &mut World, id: AccountId, quarter: Quarter, last: Date, closings: &mut Closings) -> Charges {
    partner::accrue(world, id, last, closings);
    let tax = insurance_tax::due(world, id, quarter);
    let client = Arc::clone(&world.clients[&world.accounts.known(id).client]);
    let cut_off = world.planted.is(Canary::FeeRoundedDown);
    let file = world.fee_file_mut(id);
    let charged = if file.tax.0 == quarter.year { file.tax.1 } else { Amount::ZERO };
    file.tax = (quarter.year, charged.max(tax));
    let tax = (file.tax.1 - charged).get();
    let taxed = &mut file.owed[Charge::InsuranceTax as usize];
    (taxed.carry, taxed.accrued) = (taxed.carry + tax, taxed.accrued + tax);
    let calculated = file.take_calculated(quarter);
    let mut amounts = [Amount::ZERO; Charge::ALL.len()];
    let mut kinds = [Reckoned::default(); Charge::ALL.len()];
    for (at, kind) in Charge::ALL.into_iter().enumerate() {
        let mode = accruals::terms(&client, kind).map_or(FeeMode::Withdrawn, |terms| terms.mode);
        kinds[at] = reckon(&mut file.owed[at], calculated[at], mode, cut_off);
        amounts[at] = kinds[at].amount + kinds[at].arrears;
    }
    file.statement = Some(Box::new(Statement { quarter, first: file.since, last: last.max(file.since), kinds }));
    file.since = file.since.max(last.tomorrow().expect("dates stay within the calendar"));
    file.take_over_ahead();
    amounts
}

/// What one kind comes to. What has accrued was sorted by the mode of each midnight; the mode of today is only shown
/// (rule: fees/partner-fee).
fn reckon(owed: &mut Owed, calculated: Decimal, mode: FeeMode, cut_off: bool) -> Reckoned {
    let accrued = std::mem::take(&mut owed.accrued);
    let carried = owed.carry - accrued;
    let whole = |sum: Decimal| if cut_off { sum.trunc_with_scale(2) } else { round_half_up(sum, 2) };
    let whole = |sum| Amount::from_decimal_exact(whole(sum)).expect("rounded to 2 decimals").max(Amount::ZERO);
    let amount = whole(owed.carry);
    owed.carry -= amount.get();
    let arrears = std::mem::take(&mut owed.arrears);
    Reckoned { carried, accrued, amount, calculated: whole(calculated), arrears, mode }
}

/// Timer: a sale of the account has ended.
pub(crate) fn sale_ended(world: &mut World, id: AccountId) {
    refunds::sale_ended(world, id);
    book_when_sold(world, id);
}

/// Books what is being charged once no sale is under way any more; what the cash does not reach is in arrears.
fn book_when_sold(world: &mut World, id: AccountId) {
    let Some(mut due) = world.fee_file_mut(id).due.take() else { return };
    if !sales::go_on(world, id, &mut due.sales) {
        world.fee_file_mut(id).due = Some(due);
        return;
    }
    world.accounts.change(id).reserved -= due.reserved;
    take(world, id, due.quarter, due.amounts, due.refunds);
}

/// Takes what payers have back and charges from the cash, in their order; the rest is in arrears.
fn take(world: &mut World, id: AccountId, quarter: Quarter, amounts: Charges, refunds: Vec<(PaymentId, Amount)>) {
    let mut left = world.accounts.known(id).spendable();
    let mut pay = |amount: Amount| {
        let paid = amount.min(left);
        left -= paid;
        paid
    };
    let back: Vec<(PaymentId, Amount, Amount)> =
        refunds.into_iter().map(|(payment, amount)| (payment, amount, pay(amount))).collect();
    let paid = amounts.map(pay);
    let file = world.fee_file_mut(id);
    for ((owed, amount), paid) in file.owed.iter_mut().zip(amounts).zip(paid) {
        owed.arrears += amount - paid;
    }
    for (payment, amount, part) in back.iter().filter(|(_, amount, part)| amount > part) {
        refunds::keep(world, id, *payment, *amount - *part);
    }
    if paid.iter().all(|paid| paid.is_zero()) && back.iter().all(|(_, _, part)| part.is_zero()) {
        return;
    }
    let client = world.accounts.known(id).client;
    world.change_account(id, |world| {
        for (payment, _, part) in back.into_iter().filter(|(_, _, part)| part.is_positive()) {
            refunds::book_part(world, payment, part);
        }
        for (kind, paid) in Charge::ALL.into_iter().zip(paid).filter(|(_, paid)| paid.is_positive()) {
            let reference = Some(Arc::from(quarter.to_string()));
            world.book_cash(NewCash { reference, ..NewCash::new(id, kind.booking(), paid) });
            if let Some(taken) = kind.taken_by_client() {
                partner::receive(world, client, taken, paid);
            }
        }
    });
}

/// The last charges of an account that is closing, as far as its cash reaches: what has accrued until yesterday. Once, and again
/// before each payout that follows one that has come back (rule: accounts/arrears-at-closing).
pub(crate) fn finish(world: &mut World, id: AccountId) {
    let Some(file) = world.fees.get(&id) else { return };
    if file.is_final && !world.accounts.known(id).spendable().is_positive() {
        return;
    }
    let last = world.now.local_date().yesterday().expect("dates stay within the calendar");
    let (started, ended) = (Quarter::of(file.since), insurance_tax::last_quarter(world, id, last));
    sale_ended(world, id);
    // More than one between a quarter's end and its fee day.
    let (mut quarter, mut closings) = (started.min(ended), Closings::default());
    while quarter <= ended {
        let amounts = draw_up(world, id, quarter, quarter.last_day().min(last), &mut closings);
        let refunds = refunds::arrears(world, id);
        take(world, id, quarter, amounts, refunds);
        quarter = quarter.next();
    }
    world.fee_file_mut(id).is_final = true;
}
