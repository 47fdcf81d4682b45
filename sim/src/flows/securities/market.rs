//! What fund companies and the currency market do: prices by lever, trading flags, late prices, rates.
//!
//! Invariant: a price for a day that has executions never changes. Absent on purpose: anything per account.

use super::fund_checks;
use crate::calendar::next_bank_day;
use crate::command::{MAX_LATE_BANK_DAYS, SetPrice, SetTrading};
use crate::event::Change;
use crate::flows::orders::{is_closed, park, step_order};
use crate::identity::{Currency, InstrumentId};
use crate::ids::OrderId;
use crate::machines::order::{State, Trigger};
use crate::market::rate_publication;
use crate::records::ParkingCheck;
use crate::refusal::{Class, Fault, Refusal};
use crate::reply::Reply;
use crate::time::{Date, Instant, stockholm};
use crate::timers::Timer;
use crate::world::World;
use std::sync::Arc;

/// How far ahead a price may be set, in calendar days.
const MAX_DAYS_AHEAD: i32 = 366;

/// `SetPrice`.
pub(crate) fn set_price(world: &mut World, set: &SetPrice) -> Result<Reply, Refusal> {
    if !set.close_price.is_positive() {
        return Err(Refusal::one(Class::Malformed, "closePrice", Fault::NotPositive));
    }
    fund_checks::known(world, set.instrument)?;
    fund_checks::check_not_ended(world, set.instrument, "instrumentId")?;
    let quote = world.market.known(set.instrument);
    let day = match set.price_date {
        Some(day) => day,
        None => quote.close(world.now).map_or(quote.next_cut_off(world.now).0, |close| close.day),
    };
    check_price_day(world, set.instrument, day)?;
    let quote = world.market.known(set.instrument);
    if quote.is_history(day, world.now) {
        let because = "prices that were published before a split stay as they were";
        return Err(Refusal::conflict("priceDate", Fault::Invalid { because }, "split", Vec::new()));
    }
    let (low, high) = quote.bounds(day, world.now);
    if set.close_price < low || set.close_price > high {
        return Err(Refusal::one(Class::OutsideLimits, "closePrice", Fault::OutsideWalk { low, high }));
    }
    if quote.book(day).is_some_and(|book| book.executed) {
        return Err(Refusal::conflict("priceDate", Fault::AlreadyExecuted, "executed", Vec::new()));
    }
    let now = world.now;
    world.wake_fund(set.instrument);
    world.market.change(set.instrument).set_price(day, set.close_price, now);
    Ok(Reply::Instrument(set.instrument))
}

fn check_price_day(world: &World, instrument: InstrumentId, day: Date) -> Result<(), Refusal> {
    let quote = world.market.known(instrument);
    let today = world.now.local_date();
    let ahead = today.until(day).map_or(i32::MAX, |span| span.get_days());
    if ahead > MAX_DAYS_AHEAD {
        return Err(Refusal::one(Class::OutsideLimits, "priceDate", Fault::TooFar));
    }
    let coming = day >= quote.next_cut_off(world.now).0 && quote.instrument.is_dealing_day(day);
    if quote.nav(day, world.now).is_none() && !coming {
        return Err(Refusal::one(Class::OutsideLimits, "priceDate", Fault::NotADealingDay));
    }
    Ok(())
}

/// `SetTrading`: a fund that closes parks its pending orders; one that is suspended stops the unbooked ones too
/// (rule: orders/suspension).
pub(crate) fn set_trading(world: &mut World, set: &SetTrading) -> Result<Reply, Refusal> {
    fund_checks::known(world, set.instrument)?;
    fund_checks::check_not_in_action(world, set.instrument, "instrumentId")?;
    let now = world.now;
    let quote = world.market.change(set.instrument);
    let fund = Arc::make_mut(&mut quote.instrument);
    let before = (fund.is_buyable, fund.is_sellable, fund.is_tradable);
    let opens = set.is_buyable == Some(true) || set.is_sellable == Some(true);
    fund.is_tradable = set.is_tradable.unwrap_or(fund.is_tradable || opens);
    fund.is_buyable = set.is_buyable.unwrap_or(fund.is_buyable);
    fund.is_sellable = set.is_sellable.unwrap_or(fund.is_sellable);
    if before == (fund.is_buyable, fund.is_sellable, fund.is_tradable) {
        return Ok(Reply::Instrument(set.instrument));
    }
    quote.touch(now);
    let waiting = quote.waiting.clone();
    waiting.iter().for_each(|&id| stop_or_park(world, id));
    world.emit(None, Change::InstrumentsReloaded(Arc::from([set.instrument])));
    Ok(Reply::Instrument(set.instrument))
}

fn stop_or_park(world: &mut World, id: OrderId) {
    let order = world.orders.known(id);
    let quote = world.market.known(order.instrument);
    if !is_closed(quote, order.side) {
        return;
    }
    match *order.state {
        State::Received if !quote.instrument.is_tradable => step_order(world, id, Trigger::Stop),
        State::Pending => park(world, id, [ParkingCheck::ClosedFund]),
        _ => {}
    }
}

/// `DelayNav`: the earliest price that is still to be published comes so many bank days late, and later prices of the fund
/// wait for it (rule: securities/prices-in-order).
pub(crate) fn delay_nav(world: &mut World, instrument: InstrumentId, bank_days: u32) -> Result<Reply, Refusal> {
    if bank_days == 0 {
        return Err(Refusal::one(Class::Malformed, "bankDays", Fault::NotPositive));
    }
    if bank_days > MAX_LATE_BANK_DAYS {
        return Err(Refusal::one(Class::Malformed, "bankDays", Fault::TooFar));
    }
    fund_checks::known(world, instrument)?;
    fund_checks::check_not_ended(world, instrument, "instrumentId")?;
    world.wake_fund(instrument);
    let quote = world.market.change(instrument);
    let Some(&(day, key)) = quote.publications.first() else {
        quote.delay = (quote.delay + bank_days).min(MAX_LATE_BANK_DAYS);
        return Ok(Reply::Instrument(instrument));
    };
    let mut date = key.at.local_date();
    (0..bank_days).for_each(|_| date = next_bank_day(date));
    let time = key.at.local().time();
    let latest = quote.instrument.publication(day, MAX_LATE_BANK_DAYS);
    let at = stockholm(date, time.hour(), time.minute()).min(latest);
    publish_from(world, instrument, at);
    Ok(Reply::Instrument(instrument))
}

/// Moves the earliest pending publication to `at`, and to the same instant each later one that was due by then. Their timers
/// are set anew in order of dealing days, and so they fire in that order.
fn publish_from(world: &mut World, instrument: InstrumentId, at: Instant) {
    let pending = world.market.known(instrument).publications.clone();
    let moved = pending.into_iter().enumerate().take_while(|&(place, (_, key))| place == 0 || key.at <= at);
    for (place, (day, key)) in moved {
        world.timers.cancel(key);
        let key = world.timers.set(at, Timer::PublishPrice(instrument, day));
        world.market.change(instrument).publications[place].1 = key;
    }
}

/// Timer: the rate of a bank day becomes known.
pub(crate) fn publish_rate(world: &mut World, currency: Currency, day: Date) {
    let now = world.now;
    world.market.change_rate(currency).publish(day, now);
    let next = next_bank_day(day);
    world.timers.set(rate_publication(next), Timer::PublishRate(currency, next));
}
