//! Orders from their cut-off to their settlement: aggregation, routing, execution, posting.
//!
//! Invariant: all executions of one fund and dealing day use the one published price of that day (invariant 24), and
//! the orders of an aggregate become `sent` together or not at all (invariant 21). All of it falls due, but for
//! the rejection by a fund company. Absent on purpose: what partners ask of an order, which is `orders`.

use crate::calendar::add_bank_days;
use crate::canary::Canary;
use crate::flows::orders::{Execution, execute_order, first_check, refuse_lever, step_order};
use crate::identity::InstrumentId;
use crate::ids::{AggregateId, OrderId, PartnerId};
use crate::input::Origin;
use crate::machines::order::{State, Trigger};
use crate::money::{Amount, Units, product, round_up};
use crate::records::{Order, Side, Trade};
use crate::refusal::Refusal;
use crate::reply::Reply;
use crate::time::{Date, Instant, Millis, stockholm};
use crate::timers::{Timer, TimerProgress};
use crate::world::{Aggregate, World};
use rust_decimal::Decimal;
use std::ops::Range;
use std::sync::Arc;

/// The hour of postings (rule: calendar/settlement-day).
const POSTING_HOUR: i8 = 9;

/// Timer: the cut-off accepts what came in time, takes all that is pending, and strikes the day's price. Where nothing of the
/// fund waits, its rest begins instead (rule: calendar/funds-at-rest).
pub(crate) fn cut_off(world: &mut World, instrument: InstrumentId, day: Date) -> Option<TimerProgress> {
    let quote = world.market.change(instrument);
    if world.planted.is(Canary::CutOffEdgeMoved) && world.now == quote.instrument.cut_off(day) {
        world.timers.set(world.now.plus(Millis(1)), Timer::CutOff(instrument, day));
        return None;
    }
    if quote.may_rest() {
        quote.rest(world.now);
        return None;
    }
    let waiting = std::mem::take(&mut quote.waiting);
    // What a timer has placed or released at this very instant is late (rule: calendar/cut-off).
    let (orders, late): (Vec<_>, Vec<_>) =
        waiting.iter().copied().partition(|&order| world.orders.known(order).ready_since < world.now);
    world.market.change(instrument).waiting = late.into_iter().collect();
    let all = orders.len();
    Some(TimerProgress { orders, ..TimerProgress::new(Timer::CutOff(instrument, day), all) })
}

/// One order of a cut-off.
pub(crate) fn cut_off_order(world: &mut World, batches: &mut Vec<AggregateId>, id: OrderId, day: Date) {
    if world.orders.known(id).state == State::Received {
        first_check(world, id);
    }
    if world.orders.known(id).state == State::Pending {
        join(world, batches, id, day);
    }
}

/// What a cut-off does when it has taken its orders.
pub(crate) fn end_cut_off(world: &mut World, batches: Vec<AggregateId>, instrument: InstrumentId, day: Date) {
    for batch in batches {
        let at = world.now.plus(world.setup.settings.routing_delay);
        world.timers.set(at, Timer::Route(batch));
    }
    strike(world, instrument, day);
    world.plan_cut_off(instrument);
}

fn join(world: &mut World, batches: &mut Vec<AggregateId>, id: OrderId, day: Date) {
    step_order(world, id, Trigger::CutOff);
    let order = world.orders.change(id);
    let (partner, instrument, side) = (world.clients[&order.client].partner, order.instrument, order.side);
    let fits = |batch: &AggregateId| {
        let batch = world.aggregates.known(*batch);
        batch.partner == partner && batch.side == side
    };
    let batch = batches.iter().copied().find(fits).unwrap_or_else(|| {
        let orders = Vec::new();
        let batch = world.aggregates.insert_new(|id| Aggregate { id, partner, instrument, side, day, orders });
        batches.push(batch);
        batch
    });
    world.aggregates.change(batch).orders.push(id);
    order.aggregate = Some(batch);
}

/// Strikes the price of `day` and plans its publication, late if a lever asked for that, and never before an earlier price
/// that is still to be published (rule: securities/prices-in-order).
pub(crate) fn strike(world: &mut World, instrument: InstrumentId, day: Date) {
    let quote = world.market.change(instrument);
    quote.strike(day, world.now);
    let late = std::mem::take(&mut quote.delay);
    let before = quote.publications.last().map_or(world.now, |(_, key)| key.at);
    let at = quote.instrument.publication(day, late).max(before).max(world.now);
    let key = world.timers.set(at, Timer::PublishPrice(instrument, day));
    world.market.change(instrument).publications.push((day, key));
}

/// Timer: the routing intermediary accepts an aggregated order, of which these are the members at `part`.
pub(crate) fn route(world: &mut World, id: AggregateId, part: Range<usize>) {
    let aggregate = Arc::clone(world.aggregates.known(id));
    for order in &aggregate.orders[part] {
        if is_member(world, &aggregate, *order) {
            step_order(world, *order, Trigger::Route);
            world.market.change(aggregate.instrument).book_mut(aggregate.day).orders.push(*order);
        }
    }
}

/// What routing does when all members are sent.
pub(crate) fn end_route(world: &mut World, id: AggregateId) {
    let aggregate = Arc::clone(world.aggregates.known(id));
    // One that comes after its price is executed by itself: the price does not come a second time.
    let nav = world.market.known(aggregate.instrument).nav(aggregate.day, world.now);
    if let Some(published) = nav.and_then(|nav| nav.published) {
        plan_executions(world, aggregate.instrument, aggregate.day, published);
    }
}

/// The routing intermediary refuses an aggregated order: all its orders fall.
pub(crate) fn refuse(world: &mut World, id: AggregateId) {
    let aggregate = Arc::clone(world.aggregates.known(id));
    for order in members(world, &aggregate) {
        step_order(world, order, Trigger::Refuse);
    }
}

/// `RejectOrder`: after the cut-off the whole aggregated order falls, before it the order alone.
pub(crate) fn reject(world: &mut World, partner: PartnerId, id: OrderId) -> Result<Reply, Refusal> {
    let order = world.order_of_partner(partner, id)?;
    if order.state.allows(Trigger::Refuse) {
        let aggregate = order.aggregate.expect("an aggregated order knows its aggregate");
        refuse(world, aggregate);
    } else if order.state.allows(Trigger::Stop) {
        step_order(world, id, Trigger::Stop);
    } else {
        return Err(refuse_lever(world, &order));
    }
    Ok(Reply::Order(Arc::clone(world.orders.known(id))))
}

/// The orders that are still in the aggregate; parked ones have left it.
fn members(world: &World, aggregate: &Aggregate) -> Vec<OrderId> {
    aggregate.orders.iter().copied().filter(|id| is_member(world, aggregate, *id)).collect()
}

fn is_member(world: &World, aggregate: &Aggregate, id: OrderId) -> bool {
    let order = world.orders.known(id);
    order.state == State::Aggregated && order.aggregate == Some(aggregate.id)
}

/// Timer: the price of a dealing day becomes known.
pub(crate) fn publish_price(world: &mut World, instrument: InstrumentId, day: Date) {
    let now = world.now;
    let quote = world.market.change(instrument);
    quote.publish(day, now);
    if quote.book(day).is_some_and(|book| !book.orders.is_empty()) {
        plan_executions(world, instrument, day, now);
    }
}

/// Orders of a dealing day are executed a while after its price was published, or at once where that is over.
fn plan_executions(world: &mut World, instrument: InstrumentId, day: Date, published: Instant) {
    let at = published.plus(world.setup.settings.confirmation_delay).max(world.now);
    world.timers.set(at, Timer::Confirm(instrument, day));
}

/// Timer: the orders of a dealing day are executed at its price.
pub(crate) fn confirm(world: &mut World, instrument: InstrumentId, day: Date) -> TimerProgress {
    let book = world.market.change(instrument).book_mut(day);
    book.executed = true;
    TimerProgress::new(Timer::Confirm(instrument, day), book.orders.len())
}

/// Executes the order at that place of the day's book.
pub(crate) fn confirm_order(world: &mut World, instrument: InstrumentId, day: Date, at: usize) -> Option<Side> {
    let id = order_at(world, instrument, day, at);
    let is_sent = world.orders.known(id).state == State::Sent;
    if is_sent { execute(world, id, day) } else { None }
}

fn order_at(world: &World, instrument: InstrumentId, day: Date, at: usize) -> OrderId {
    world.market.known(instrument).book(day).expect("a day with orders has a book").orders[at]
}

/// Plans the postings of what was executed.
pub(crate) fn end_confirm(world: &mut World, instrument: InstrumentId, day: Date, sides: (bool, bool)) {
    let nav = world.market.known(instrument).nav(day, world.now);
    let published = nav.and_then(|nav| nav.published).expect("confirmed after publication");
    if sides.0 {
        let at = posting(world, settlement_day(world, instrument, Side::Subscription, day), published);
        world.timers.set(at, posting_timer(instrument, day, Side::Subscription));
    }
    if sides.1 {
        let at = posting(world, settlement_day(world, instrument, Side::Redemption, day), published);
        world.timers.set(at, posting_timer(instrument, day, Side::Redemption));
    }
}

/// The day on which what was dealt on `trade` is posted (rule: calendar/settlement-day).
pub(crate) fn settlement_day(world: &World, instrument: InstrumentId, side: Side, trade: Date) -> Date {
    let fund = &world.market.known(instrument).instrument;
    let days = match side {
        Side::Subscription => fund.subscription_settlement_days,
        Side::Redemption => fund.redemption_settlement_days,
    };
    let early = u32::from(world.planted.is(Canary::SettledOneDayEarly));
    add_bank_days(trade, days.saturating_sub(early))
}

/// When an order that was executed so is posted.
pub(crate) fn posting_of(world: &World, instrument: InstrumentId, trade: &Trade) -> Instant {
    let published = world.market.known(instrument).nav(trade.date, world.now).and_then(|nav| nav.published);
    posting(world, trade.settlement, published.unwrap_or(world.now))
}

/// The settlement day at 09:00, or ten minutes after a late price (rule: calendar/settlement-day).
fn posting(world: &World, day: Date, published: Instant) -> Instant {
    let late = published.plus(world.setup.settings.late_posting_delay);
    stockholm(day, POSTING_HOUR, 0).max(late).max(world.now)
}

/// Executes an order at the price of `day`; one that rounds to nothing is canceled instead.
fn execute(world: &mut World, id: OrderId, day: Date) -> Option<Side> {
    let order = Arc::clone(world.orders.known(id));
    let quote = world.market.known(order.instrument);
    let price = quote.nav(day, world.now).expect("a sent order's day has a price").price;
    let decimals = quote.instrument.decimals_units;
    let in_sek = product(price.get(), world.market.rate_of(order.instrument.currency(), day));
    let (amount, units) = match order.side {
        Side::Subscription => {
            let amount = order.amount.expect("a subscription has an amount");
            // What was booked for the purchase: the rest changed money, at the fee of then.
            let booked = order.cash_transaction.expect("a sent subscription is booked");
            (amount, bought(world, world.cash.known(booked).amount, in_sek, decimals))
        }
        Side::Redemption => {
            let units = order.units.expect("a redemption has units");
            (Amount::from_units(units, in_sek), units)
        }
    };
    if units.is_zero() || amount.is_zero() {
        step_order(world, id, Trigger::Void);
        return None;
    }
    let settlement = settlement_day(world, order.instrument, order.side, day);
    execute_order(world, id, Execution { amount, units, trade: Trade { date: day, price, settlement } });
    Some(order.side)
}

fn bought(world: &World, amount: Amount, in_sek: Decimal, decimals: u32) -> Units {
    if world.planted.is(Canary::UnitsRoundedUp) {
        return Units::from_decimal_exact(round_up(amount.get() / in_sek, decimals)).expect("at most 7 decimals");
    }
    Units::bought_for(amount, in_sek, decimals)
}

/// Timer: one side of a dealing day is posted. All orders that settle at this instant do so with the first of their timers, in
/// order of creation, whatever their fund and side (rule: orders/settlement-order).
pub(crate) fn settle(world: &World, instrument: InstrumentId, day: Date, side: Side) -> TimerProgress {
    let own = posting_timer(instrument, day, side);
    let mut orders = Vec::new();
    if confirmed(world, own).next().is_some() {
        let timers = std::iter::once(own).chain(world.timers.due_at(world.now).copied());
        let mut due: Vec<&Order> = timers.flat_map(|timer| confirmed(world, timer)).collect();
        due.sort_unstable_by_key(|order| order.sorted_id);
        orders = due.into_iter().map(|order| order.id).collect();
    }
    TimerProgress { all: orders.len(), orders, ..TimerProgress::new(own, 0) }
}

/// Posts one order. Its event names the timer of its own fund and side.
pub(crate) fn settle_order(world: &mut World, id: OrderId) {
    let order = world.orders.known(id);
    let day = order.trade.expect("a confirmed order has a trade").date;
    world.cause.by = Origin::Timer(posting_timer(order.instrument, day, order.side));
    step_order(world, id, Trigger::Settle);
}

const fn posting_timer(instrument: InstrumentId, day: Date, side: Side) -> Timer {
    match side {
        Side::Subscription => Timer::SettleSubscriptions(instrument, day),
        Side::Redemption => Timer::SettleRedemptions(instrument, day),
    }
}

/// The confirmed orders that a timer posts; none where it is a timer of another kind.
fn confirmed(world: &World, timer: Timer) -> impl Iterator<Item = &Order> {
    let posted = match timer {
        Timer::SettleSubscriptions(instrument, day) => Some((instrument, day, Side::Subscription)),
        Timer::SettleRedemptions(instrument, day) => Some((instrument, day, Side::Redemption)),
        _ => None,
    };
    let book = posted.map(|(instrument, day, side)| (side, world.market.known(instrument).book(day)));
    let orders = book.map(|(side, book)| (side, book.expect("a settled day has a book").orders.iter()));
    orders.into_iter().flat_map(move |(side, orders)| {
        let orders = orders.map(|id| &**world.orders.known(*id));
        orders.filter(move |order| *order.state == State::Confirmed && order.side == side)
    })
}
