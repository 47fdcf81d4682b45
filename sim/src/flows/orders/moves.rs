//! The one way in which an order changes its state: the table's row, its effect, and what a partner sees of it.

use super::bookings::{Execution, abort, book, execute, post, unreserve};
use crate::calendar::add_bank_days;
use crate::canary::Canary;
use crate::event::{Change, Delta};
use crate::ids::OrderId;
use crate::machines::Noted;
use crate::machines::order::{Effect, State, TABLE, Trigger};
use crate::records::{Order, ParkedBy, ParkingCheck};
use crate::time::end_of_days;
use crate::timers::Timer;
use crate::world::World;
use std::sync::Arc;

/// Takes the table's row for `on`, with its effect on money and units, and emits what a partner can see of it.
pub(crate) fn step_order(world: &mut World, id: OrderId, on: Trigger) {
    move_order(world, id, on, None);
}

/// Parks the order, and keeps which checks did it.
pub(crate) fn park(world: &mut World, id: OrderId, by: impl IntoIterator<Item = ParkingCheck>) {
    let order = world.orders.change(id);
    order.parked_by = by.into_iter().collect();
    for check in order.parked_by.checks() {
        world.visits.note(Some(order.client), Noted::Reason(TABLE.name, check.name()));
    }
    step_order(world, id, Trigger::Park);
}

/// The same for `Price`, which brings the execution along.
pub(crate) fn execute_order(world: &mut World, id: OrderId, execution: Execution) {
    move_order(world, id, Trigger::Price, Some(execution));
}

/// Moves an order along the table.
fn move_order(world: &mut World, id: OrderId, on: Trigger, execution: Option<Execution>) {
    let previous = Arc::clone(world.orders.known(id));
    let row = world.visits.take(&mut world.orders.change(id).state, on, Some(previous.client));
    match row.effect {
        Effect::Nothing => {}
        Effect::Book => book(world, &previous),
        Effect::Unreserve => {
            if !world.planted.is(Canary::ReservationForgottenOnCancel) {
                unreserve(world, &previous);
            }
        }
        Effect::Abort => abort(world, &previous),
        Effect::Execute => execute(world, &previous, execution.expect("a price comes with its execution")),
        Effect::Post => post(world, &previous),
    }
    if on == Trigger::Park && previous.state.reserves() && world.planted.is(Canary::HoldDropsReservation) {
        unreserve(world, &previous);
    }
    enter(world, id, row.to, on);
    emit_update(world, previous);
}

/// The timer, dates and queue that belong to the new state.
fn enter(world: &mut World, id: OrderId, to: State, on: Trigger) {
    let now = world.now;
    let order = world.orders.change(id);
    if let Some(key) = order.timer.take() {
        world.timers.cancel(key);
    }
    match to {
        State::CanceledBooked | State::CanceledUnbooked => {
            order.canceled = Some(now);
            order.canceled_on = Some(on);
            end_fee_sale(world, id);
        }
        State::Settled => end_fee_sale(world, id),
        State::HoldBooked | State::HoldUnbooked => {
            order.aggregate = None;
            let until = end_of_days(add_bank_days(now.local_date(), world.setup.settings.hold_bank_days));
            order.timer = Some(world.timers.set(until, Timer::LapseOrder(id)));
        }
        State::Pending if on == Trigger::Release => {
            order.ready_since = now;
            order.parked_by = ParkedBy::default();
            let instrument = order.instrument;
            world.wait_for_cut_off(instrument, id);
        }
        State::Received | State::Pending | State::Aggregated | State::Sent | State::Confirmed => {}
    }
}

/// Charges that wait for this sale, if any, are looked at right after it (rule: fees/fee-booking).
fn end_fee_sale(world: &mut World, id: OrderId) {
    let account = world.orders.known(id).account;
    if world.fees.get(&account).is_some_and(|file| file.awaits(id)) {
        world.timers.set(world.now, Timer::EndFeeSale(account));
    }
}

/// Stamps an order that has changed since `previous` and emits its event, if a partner can see the change.
fn emit_update(world: &mut World, previous: Arc<Order>) {
    let order = world.orders.known(previous.id);
    let visible =
        order.state.name() != previous.state.name() || (order.amount, order.units) != (previous.amount, previous.units);
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
