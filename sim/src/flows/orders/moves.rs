//! The one way in which an order changes its state: the table's row, its effect, and what a partner sees of it.

use super::legs::{abort_first_leg, book_first_leg, unreserve};
use crate::calendar::add_bank_days;
use crate::canary::Canary;
use crate::event::{Change, Delta};
use crate::ids::OrderId;
use crate::machines::order::{Effect, State, Trigger, step};
use crate::query;
use crate::records::Order;
use crate::time::stockholm;
use crate::timers::Timer;
use crate::world::World;
use std::sync::Arc;

/// Takes the table's row for `on`, with its effect on money and units, and tells what a partner can see of it.
///
/// # Panics
/// When the table has no row: callers have asked it before, or are timers that only live while it has.
pub(crate) fn move_order(world: &mut World, id: OrderId, on: Trigger) {
    let previous = Arc::clone(world.orders.known(id));
    let (row, to, effect) = step(previous.state, on).expect("the table allows what a flow does");
    world.note_row(row);
    let forgets = effect == Effect::Unreserve && world.planted.is(Canary::ReservationForgottenOnCancel);
    match effect {
        Effect::Book => book_first_leg(world, &previous),
        Effect::Unreserve if !forgets => unreserve(world, &previous),
        Effect::Abort => abort_first_leg(world, &previous),
        Effect::Unreserve | Effect::Nothing | Effect::Execute | Effect::Post => {}
    }
    if on == Trigger::Park && previous.state.reserves() && world.planted.is(Canary::HoldDropsReservation) {
        unreserve(world, &previous);
    }
    enter(world, id, to, on);
    tell(world, previous);
}

/// Puts the order into its new state, with the timer, dates and queue that belong to it.
fn enter(world: &mut World, id: OrderId, to: State, on: Trigger) {
    let now = world.now;
    let order = world.orders.change(id);
    order.state = to;
    if let Some(key) = order.timer.take() {
        world.timers.cancel(key);
    }
    match to {
        State::CanceledBooked | State::CanceledUnbooked => order.canceled = Some(now),
        State::HoldBooked | State::HoldUnbooked => {
            order.aggregate = None;
            let until = stockholm(add_bank_days(now.local_date(), world.setup.settings.hold_bank_days), 9, 0);
            order.timer = Some(world.timers.set(until, Timer::LapseOrder(id)));
        }
        State::Pending if on == Trigger::Release => {
            order.ready_since = now;
            let instrument = order.instrument;
            world.market.change(instrument).waiting.push(id);
        }
        _ => {}
    }
}

/// Stamps and tells an order's change since `previous`, if a partner can see one.
pub(crate) fn tell(world: &mut World, previous: Arc<Order>) {
    let order = world.orders.known(previous.id);
    let visible = query::order_status(order.state) != query::order_status(previous.state)
        || (order.amount, order.units) != (previous.amount, previous.units);
    if !visible {
        return;
    }
    let now = world.now;
    let current = world.orders.changed(previous.id, |order| order.stamp.touch(now));
    let client = Some(current.client);
    let change = Change::Order(Delta::Updated { previous, current });
    if world.planted.is(Canary::EventSentTwice) {
        world.emit(client, change.clone());
    }
    world.emit(client, change);
}
