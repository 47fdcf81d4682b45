//! Closing accounts: selling what is held, paying out what is left, then deleting (rule: accounts/closing,
//! accounts/closing-rounds).
//!
//! Invariant: an account is deleted only when it holds no units, no cash and no order, and when no payout can come back
//! any more, and it is not closed while payments into it are to come. A closing account is looked at on every bank day,
//! after the postings. Before the payout it gets what fund companies give back, and pays its last charges (rule:
//! accounts/arrears-at-closing). A payout that comes back is paid again to another bank account (rule:
//! accounts/payout-of-closing-returns).

use crate::calendar::{add_bank_days, next_bank_day};
use crate::canary::Canary;
use crate::command::Scope;
use crate::flows::accounts::moves::{move_account, wait};
use crate::flows::orders::sell_for_platform;
use crate::flows::{bank, fees, screening, securities};
use crate::identity::InstrumentId;
use crate::ids::{AccountId, BankAccountId};
use crate::ledger::{NewCash, NewFund};
use crate::machines::account::{State, Trigger};
use crate::money::{Amount, Units};
use crate::records::{Account, CashBooking, CashTransaction, FundBooking};
use crate::refusal::{Class, Fault, Refusal};
use crate::reply::Reply;
use crate::time::{Date, Instant, stockholm};
use crate::timers::Timer;
use crate::world::World;
use std::sync::Arc;

/// Local time at which closing accounts are looked at: after settlements and payouts of 09:00.
const LOOK: (i8, i8) = (9, 30);
/// Bank days after a payout of a closing has come back on which it is paid again.
const PAID_AGAIN: u32 = 5;
/// What the bookings of a closing refer to.
const CLOSING: &str = "closing";

/// `CloseAccount`. Closing twice is harmless; where a payout has come back it is tried again on the next bank day.
pub(crate) fn close(world: &mut World, scope: Scope, id: AccountId) -> Result<Reply, Refusal> {
    world.client_in_scope(scope)?;
    let account = Arc::clone(world.account_in_scope(scope, id, "accountId")?);
    if account.deleted.is_some() || account.state == State::Closing {
        ask_again(world, &account);
        return Ok(Reply::Account(account));
    }
    let on = if account.is_active() { Trigger::Close } else { Trigger::Delete };
    if !account.state.allows(on) {
        let status = account.state.name();
        return Err(Refusal::one(Class::NotAllowedNow, "accountId", Fault::NotPossibleIn { status }));
    }
    let comes = fees::retrocessions::is_anything_due(world, id) || securities::transfers::is_expected(world, id);
    let something = is_left(world, &account) || comes;
    if on == Trigger::Close && something && !account.bank_accounts.iter().any(|bank| bank.validated) {
        return Err(Refusal::one(Class::BadTarget, "bankAccounts", Fault::BankAccountNotValidated));
    }
    let instructions = bank::payment_moves::pending_of(world, id);
    if !instructions.is_empty() {
        let instructions = instructions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        return Err(Refusal::one(Class::NotAllowedNow, "accountId", Fault::AwaitsPayments { instructions }));
    }
    // Nothing below can fail.
    if on == Trigger::Close {
        begin(world, id);
    } else {
        move_account(world, id, on);
    }
    Ok(Reply::Account(Arc::clone(world.accounts.known(id))))
}

/// An active account begins to close, and what can be done at once is.
pub(crate) fn begin(world: &mut World, id: AccountId) {
    move_account(world, id, Trigger::Close);
    look(world, id);
}

/// Whether units, cash or orders remain.
fn is_left(world: &World, account: &Account) -> bool {
    let units = account.positions.iter().any(|position| !position.is_empty());
    units || !account.balance.is_zero() || has_open_orders(world, account.id)
}

fn has_open_orders(world: &World, account: AccountId) -> bool {
    world.orders.of_account(account, None).any(|order| !order.state.is_terminal())
}

/// The partner asks again to close an account: what has come back need not wait longer than to the next bank day.
fn ask_again(world: &mut World, account: &Account) {
    let id = account.id;
    let soonest = at_look(next_bank_day(world.now.local_date()));
    if account.deleted.is_some() || pays_again_from(world, id).is_none_or(|from| from <= soonest) {
        return;
    }
    let now = world.now;
    Arc::make_mut(world.standings.or_default(id)).closed_again = Some(now);
    let at = next_look(world, id);
    wait(world, id, Some((at, Timer::WindUpAccount(id))));
}

fn at_look(day: Date) -> Instant {
    stockholm(day, LOOK.0, LOOK.1)
}

/// From when on a closing that had a payout come back is paid again: the fifth bank day after the newest of them, or the
/// bank day after the partner has asked again since.
pub(crate) fn pays_again_from(world: &World, id: AccountId) -> Option<Instant> {
    let returned =
        closing_payouts_of(world, id).filter_map(|payout| bank::payouts::returned_at(world, payout)).max()?;
    let planned = at_look(add_bank_days(returned.local_date(), PAID_AGAIN));
    let asked = world.standings.get(&id).and_then(|standing| standing.closed_again).filter(|asked| *asked >= returned);
    Some(asked.map_or(planned, |asked| planned.min(at_look(next_bank_day(asked.local_date())))))
}

/// When the account is looked at next. Where all that is left is cash that came back, nothing is done before it is paid
/// again.
fn next_look(world: &World, id: AccountId) -> Instant {
    let next = bank::hours::next(world.now, LOOK.0, LOOK.1);
    let account = world.accounts.known(id);
    let rests =
        account.positions.is_empty() && !has_open_orders(world, id) && !securities::transfers::is_expected(world, id);
    pays_again_from(world, id).filter(|_| rests).map_or(next, |from| from.max(next))
}

/// Timer: does what can be done today, and deletes the account when nothing is left.
pub(crate) fn look(world: &mut World, id: AccountId) {
    sell_everything(world, id);
    if !pay_out_everything(world, id) && is_finished(world, id) {
        // Nothing is left to take final charges from: they are arrears.
        fees::charging::finish(world, id);
        move_account(world, id, Trigger::Delete);
        return;
    }
    let at = next_look(world, id);
    wait(world, id, Some((at, Timer::WindUpAccount(id))));
}

/// Orders to sell all units that no order takes yet, fund by fund. A closed fund waits, and so does a sanctioned owner,
/// whose orders would be parked and lapse (rule: accounts/system-orders).
fn sell_everything(world: &mut World, id: AccountId) {
    let account = Arc::clone(world.accounts.known(id));
    if screening::parks_orders(world, &account) {
        return;
    }
    for position in account.positions.iter().filter(|position| position.sellable().is_positive()) {
        let (instrument, units) = (position.instrument, position.sellable());
        let quote = world.market.known(instrument);
        let open = quote.instrument.open_for_redemption() && !quote.refuses_orders(world.now);
        let Some(close) = world.market.close_in_sek(instrument, world.now).filter(|_| open) else { continue };
        if Amount::from_units(units, close).is_zero() {
            write_off(world, id, instrument, units);
        } else {
            sell_for_platform(world, &account, instrument, units);
        }
    }
}

/// A fraction that is worth less than half an ore cannot be sold: it is booked away.
fn write_off(world: &mut World, id: AccountId, instrument: InstrumentId, units: Units) {
    let close = world.market.known(instrument).close(world.now).expect("its price was looked up");
    let today = world.now.local_date();
    world.change_account(id, |world| {
        let fund = world.book_fund(NewFund {
            reference: Some(Arc::from(CLOSING)),
            trade: Some((close.price, close.day)),
            ..NewFund::new(id, FundBooking::WrittenOff, instrument, units)
        });
        world.settle_fund(fund, today);
    });
}

/// Pays all cash out once nothing else is to come; whether it did.
fn pay_out_everything(world: &mut World, id: AccountId) -> bool {
    let account = Arc::clone(world.accounts.known(id));
    // A sanctioned owner is paid nothing: the account waits.
    if screening::parks_orders(world, &account) {
        return false;
    }
    if has_open_orders(world, id) || securities::transfers::is_expected(world, id) {
        return false;
    }
    if pays_again_from(world, id).is_some_and(|from| world.now < from) {
        return false;
    }
    let bank = target(world, &account);
    let booking = match bank {
        Some(_) => CashBooking::ClosingPayout,
        None if is_ended_by_death(world, id) => CashBooking::HeirsPaid,
        None => return false,
    };
    if !account.spendable().is_positive() && !account.positions.is_empty() {
        // Units of a closed fund are still to be sold: what they earn is not the last.
        return false;
    }
    fees::retrocessions::finish(world, id);
    fees::charging::finish(world, id);
    let cash = world.accounts.known(id).spendable();
    if !cash.is_positive() {
        return false;
    }
    let payout = world.change_account(id, |world| {
        let reference = Some(Arc::from(CLOSING));
        world.book_cash(NewCash { reference, payout_to: bank, ..NewCash::new(id, booking, cash) })
    });
    if bank.is_some() {
        bank::payouts::plan(world, payout);
    }
    true
}

/// The insurer pays the heirs of an owner whose death has ended the account (rule: accounts/endowment).
fn is_ended_by_death(world: &World, id: AccountId) -> bool {
    world.standings.get(&id).is_some_and(|standing| standing.ended_by_death.is_some())
}

/// The newest validated bank account that has not sent a payout of this closing back.
fn target(world: &World, account: &Account) -> Option<BankAccountId> {
    let bounced = |bank: BankAccountId| {
        closing_payouts_of(world, account.id)
            .any(|payout| payout.payout_to == Some(bank) && bank::payouts::returned_at(world, payout).is_some())
    };
    account.bank_accounts.iter().rev().find(|bank| bank.validated && !bounced(bank.id)).map(|bank| bank.id)
}

fn closing_payouts_of(world: &World, account: AccountId) -> impl Iterator<Item = &Arc<CashTransaction>> {
    payouts_of(world, account).filter(|payout| payout.booking == CashBooking::ClosingPayout)
}

fn payouts_of(world: &World, account: AccountId) -> impl Iterator<Item = &Arc<CashTransaction>> {
    world.cash.of_account(account, None).filter(|cash| bank::payouts::is_payout(cash) && cash.aborted.is_none())
}

/// Nothing is left, nothing is to come, and no payout can come back any more.
fn is_finished(world: &World, id: AccountId) -> bool {
    let final_now = |payout: &Arc<CashTransaction>| {
        let is_final = |day| world.now >= bank::payouts::final_since(day);
        payout.settlement.is_some_and(is_final) || world.planted.is(Canary::ClosedBeforePayoutIsFinal)
    };
    !is_left(world, world.accounts.known(id))
        && !fees::retrocessions::is_anything_due(world, id)
        && !securities::transfers::is_expected(world, id)
        && payouts_of(world, id).all(final_now)
}
