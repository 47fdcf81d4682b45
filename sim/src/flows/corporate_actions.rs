//! Corporate actions: a fund is split, merged into another, or liquidated.
//!
//! An action is announced by lever and carried out later, on the first bank day without an order of the fund between its
//! cut-off and its settlement (rule: payments/corporate-action-day). Invariant: when it is carried out nothing of the fund
//! is reserved, pending or unsettled, so a position's units are its settled units. A split changes nobody's worth by more
//! than the rounding of units and price; a merger keeps worth and acquisition cost (invariants 15 and 16). Absent on
//! purpose: prices of the days between announcement and action, which come as on any day.

use crate::canary::Canary;
use crate::event::Change;
use crate::flows::orders::step_order;
use crate::flows::{bank_hours, fund_checks, plans};
use crate::identity::InstrumentId;
use crate::ids::{AccountId, CorporateActionId, OrderId};
use crate::ledger::{NewCash, NewFund};
use crate::machines::order::{State, Trigger};
use crate::market::Close;
use crate::money::{Amount, Price, Ratio, Units, round_down, round_half_up};
use crate::records::{
    Account, CashBooking, CorporateAct, CorporateAction, FundBooking, Order, Position, Trading, Universe,
};
use crate::refusal::{Class, Fault, Refusal};
use crate::reply::Reply;
use crate::time::{Date, stockholm};
use crate::timers::Timer;
use crate::world::World;
use rust_decimal::Decimal;
use std::sync::Arc;

/// Local time at which actions are carried out: after the settlements of 09:00.
const ACTION: (i8, i8) = (9, 15);
/// The smallest factor of a split, and ratio of a merger: one thousandth.
const LEAST: Decimal = Decimal::from_parts(1, 0, 0, false, 3);
/// The largest.
const MOST: Decimal = Decimal::ONE_THOUSAND;

/// `Announce`: trading stops, orders that the cut-off has not taken are canceled, the rest is waited for.
pub(crate) fn announce(world: &mut World, instrument: InstrumentId, act: CorporateAct) -> Result<Reply, Refusal> {
    check_figures(instrument, act)?;
    fund_checks::known(world, instrument)?;
    if act.successor().is_some_and(|into| world.market.quote(into).is_none()) {
        return Err(Refusal::one(Class::Unknown, "into", Fault::NotFound));
    }
    fund_checks::goes_on(world, instrument, "instrumentId")?;
    act.successor().map_or(Ok(()), |into| fund_checks::goes_on(world, into, "into"))?;
    check_prices(world, instrument, act)?;
    fund_checks::is_free(world, instrument, "instrumentId")?;
    act.successor().map_or(Ok(()), |into| fund_checks::is_free(world, into, "into"))?;
    // Nothing below can fail.
    let now = world.now;
    let trading_before = world.market.known(instrument).instrument.trading();
    let id = world.corporate_actions.insert_new(|id| CorporateAction {
        id,
        instrument,
        act,
        announced: now,
        trading_before,
        carried_out: None,
    });
    concerned(world, id).into_iter().for_each(|fund| world.market.change(fund).action = Some(id));
    let quote = world.market.change(instrument);
    Arc::make_mut(&mut quote.instrument).set_trading(Trading::STOPPED);
    quote.modified = now;
    stop_orders(world, instrument);
    world.timers.set(bank_hours::next(now, ACTION.0, ACTION.1), Timer::CarryOut(id));
    world.emit(None, Change::InstrumentsReloaded(Arc::from([instrument])));
    Ok(Reply::Instrument(instrument))
}

fn check_figures(instrument: InstrumentId, act: CorporateAct) -> Result<(), Refusal> {
    let within = |field, ratio: Ratio| match ratio.get() {
        _ if !ratio.is_positive() => Err(Refusal::one(Class::Malformed, field, Fault::NotPositive)),
        number if number < LEAST || number > MOST => {
            let because = "from 0.001 to 1000 is possible";
            Err(Refusal::one(Class::Malformed, field, Fault::Invalid { because }))
        }
        _ => Ok(()),
    };
    match act {
        CorporateAct::Split { factor } if factor.get() == Decimal::ONE => {
            let because = "one unit stays one unit";
            Err(Refusal::one(Class::Malformed, "factor", Fault::Invalid { because }))
        }
        CorporateAct::Split { factor } => within("factor", factor),
        CorporateAct::Merge { into, .. } if into == instrument => {
            let because = "a fund is merged into another";
            Err(Refusal::one(Class::Malformed, "into", Fault::Invalid { because }))
        }
        CorporateAct::Merge { ratio, .. } => ratio.map_or(Ok(()), |ratio| within("ratio", ratio)),
        CorporateAct::Liquidate { price } if price.is_some_and(|price| !price.is_positive()) => {
            Err(Refusal::one(Class::Malformed, "price", Fault::NotPositive))
        }
        CorporateAct::Liquidate { .. } => Ok(()),
    }
}

/// Both funds have a price; one that is given moves as prices may (rule: orders/price-bounds).
fn check_prices(world: &World, instrument: InstrumentId, act: CorporateAct) -> Result<(), Refusal> {
    let quote = world.market.known(instrument);
    let no_price = |field| Err(Refusal::one(Class::OutsideLimits, field, Fault::NoPriceYet));
    if quote.close().is_none() {
        return no_price("instrumentId");
    }
    match act {
        CorporateAct::Merge { into, .. } if world.market.known(into).close().is_none() => no_price("into"),
        CorporateAct::Liquidate { price: Some(price) } => {
            let (low, high) = quote.bounds(quote.next_cut_off.0);
            if low <= price && price <= high {
                return Ok(());
            }
            Err(Refusal::one(Class::OutsideLimits, "price", Fault::OutsideWalk { low, high }))
        }
        _ => Ok(()),
    }
}

/// The fund, and the one it is merged into.
fn concerned(world: &World, id: CorporateActionId) -> Vec<InstrumentId> {
    let action = world.corporate_actions.known(id);
    std::iter::once(action.instrument).chain(action.act.successor()).collect()
}

/// The system cancels the fund's orders that no cut-off has taken.
fn stop_orders(world: &mut World, instrument: InstrumentId) {
    let stops = |order: &&Arc<Order>| order.instrument == instrument && order.state.allows(Trigger::Stop);
    let orders: Vec<OrderId> = world.orders.iter().filter(stops).map(|order| order.id).collect();
    orders.into_iter().for_each(|order| step_order(world, order, Trigger::Stop));
}

/// Timer: carries the action out, unless orders of the fund are on their way: then on the next bank day.
pub(crate) fn look(world: &mut World, id: CorporateActionId) {
    let action = **world.corporate_actions.known(id);
    if has_orders_under_way(world, action.instrument) {
        world.timers.set(bank_hours::next(world.now, ACTION.0, ACTION.1), Timer::CarryOut(id));
        return;
    }
    // Orders that were parked after the cut-off had taken them.
    stop_orders(world, action.instrument);
    match action.act {
        CorporateAct::Split { factor } => split(world, &action, factor),
        CorporateAct::Merge { into, ratio } => merge(world, &action, into, ratio),
        CorporateAct::Liquidate { price } => liquidate(world, &action, price),
    }
    let now = world.now;
    let funds = concerned(world, id);
    funds.iter().for_each(|fund| world.market.change(*fund).action = None);
    world.corporate_actions.change(id).carried_out = Some(now);
    world.emit(None, Change::InstrumentsReloaded(Arc::from(funds)));
}

fn has_orders_under_way(world: &World, instrument: InstrumentId) -> bool {
    let under_way = |state| matches!(state, State::Aggregated | State::Sent | State::Confirmed);
    world.orders.iter().any(|order| order.instrument == instrument && under_way(*order.state))
}

/// The accounts that hold the fund, with what they hold.
fn holders(world: &World, instrument: InstrumentId) -> Vec<(AccountId, Position)> {
    let held = |account: &Arc<Account>| Some((account.id, account.position(instrument)?.clone()));
    let holders: Vec<_> = world.accounts.iter().filter_map(held).collect();
    debug_assert!(holders.iter().all(|(_, held)| held.units == held.settled && held.reserved.is_zero()));
    holders
}

/// A booking, explained by its action.
fn of(action: &CorporateAction, trade: (Price, Date), new: NewFund) -> NewFund {
    NewFund { reference: Some(action.id.text()), trade: Some(trade), ..new }
}

/// One unit becomes so many: the difference is booked at price 0, what was paid for all of it stays.
fn split(world: &mut World, action: &CorporateAction, factor: Ratio) {
    let fund = action.instrument;
    for (account, held) in holders(world, fund) {
        let mut after = held.units.scaled(factor);
        if world.planted.is(Canary::SplitChangesValue) {
            after = Units::from_decimal_exact(round_down(after.get(), 0)).expect("whole units");
        }
        let (booking, difference) = match after - held.units {
            more if more.is_positive() => (FundBooking::SplitUp, more),
            less if less.is_negative() => (FundBooking::SplitDown, -less),
            _ => continue,
        };
        let trade = (Price::ZERO, world.now.local_date());
        let new = of(action, trade, NewFund::new(account, booking, fund, difference));
        world.change_account(account, |world| world.book_fund(new));
    }
    let now = world.now;
    let quote = world.market.change(fund);
    quote.split(factor, now);
    Arc::make_mut(&mut quote.instrument).set_trading(action.trading_before);
}

/// All units of the fund become units of another, and the fraction becomes cash.
fn merge(world: &mut World, action: &CorporateAction, into: InstrumentId, ratio: Option<Ratio>) {
    let now = world.now;
    let close = |world: &World, fund| *world.market.known(fund).close().expect("checked: it has a price");
    let in_sek =
        |world: &World, fund| world.market.close_in_sek(fund, now).expect("a fund with a price has one in SEK");
    let (left, joined) = (close(world, action.instrument), close(world, into));
    let worth = in_sek(world, into);
    let ratio = ratio.unwrap_or_else(|| ratio_of(in_sek(world, action.instrument), worth));
    let decimals = world.market.known(into).instrument.decimals_units;
    for (account, held) in holders(world, action.instrument) {
        let exact = held.units.times(ratio);
        let units = Units::from_decimal_exact(round_down(exact, decimals)).expect("rounded to the fund's decimals");
        let fraction = round_half_up((exact - units.get()) * worth, Amount::MAX_DECIMALS);
        let fraction = Amount::from_decimal_exact(fraction).expect("rounded to 2 decimals");
        let cost = if world.planted.is(Canary::MergerLosesCost) { Decimal::ZERO } else { held.cost };
        world.change_account(account, |world| {
            pay(world, action, account, fraction);
            end_units(world, action, account, &held, &left);
            if units.is_positive() {
                let trade = (joined.price, joined.day);
                let new = of(action, trade, NewFund::new(account, FundBooking::MergedIn, into, units));
                world.book_fund(NewFund { cost, ..new });
            }
        });
    }
    for client in world.clients.values_mut() {
        if !client.universe.contains(action.instrument) || client.universe.contains(into) {
            continue;
        }
        if let Universe::Only(funds) = &mut Arc::make_mut(client).universe {
            funds.insert(into);
        }
    }
    let midnight = stockholm(now.local_date().tomorrow().expect("dates stay within the calendar"), 0, 0);
    world.market.change(into).refuses_until = Some(midnight);
    end(world, action.instrument, Some(into));
}

/// Units of one fund for a unit of another, by their prices in SEK (rule: payments/merger).
fn ratio_of(left: Decimal, joined: Decimal) -> Ratio {
    let ratio = left.checked_div(joined).unwrap_or(MOST);
    let ratio = round_half_up(ratio.min(Decimal::from(1_000_000_000_u64)), Ratio::MAX_DECIMALS);
    Ratio::from_decimal_exact(ratio).expect("rounded to 10 decimals")
}

/// All units become cash at the final price.
fn liquidate(world: &mut World, action: &CorporateAction, price: Option<Price>) {
    let fund = action.instrument;
    let close = *world.market.known(fund).close().expect("checked: it has a price");
    let close = Close { price: price.unwrap_or(close.price), ..close };
    let in_sek = close.price.get() * world.market.rate_at(fund.currency(), world.now);
    for (account, held) in holders(world, fund) {
        world.change_account(account, |world| {
            pay(world, action, account, Amount::from_units(held.units, in_sek));
            end_units(world, action, account, &held, &close);
        });
    }
    end(world, fund, None);
}

fn pay(world: &mut World, action: &CorporateAction, account: AccountId, amount: Amount) {
    if amount.is_positive() {
        let cash = NewCash::new(account, CashBooking::ActionPaid, amount);
        world.book_cash(NewCash { reference: Some(action.id.text()), ..cash });
    }
}

/// All units of an ending fund go.
fn end_units(world: &mut World, action: &CorporateAction, account: AccountId, held: &Position, close: &Close) {
    let new = NewFund::new(account, FundBooking::Ended, held.instrument, held.units);
    world.book_fund(of(action, (close.price, close.day), new));
}

/// The fund has ended: no further cut-offs and prices (rule: payments/ended-funds).
fn end(world: &mut World, fund: InstrumentId, into: Option<InstrumentId>) {
    let now = world.now;
    world.timers.cancel_all(|timer| matches!(timer, Timer::CutOff(of, _) | Timer::PublishPrice(of, _) if *of == fund));
    world.market.change(fund).end(now, into);
    plans::follow(world, fund);
}
