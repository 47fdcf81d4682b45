//! An announced action waits for its day (rule: payments/corporate-action-day).

use super::carrying_out;
use crate::flows::bank_hours;
use crate::flows::orders::step_order;
use crate::identity::InstrumentId;
use crate::ids::{CorporateActionId, OrderId};
use crate::machines::order::{State, Trigger};
use crate::records::Order;
use crate::time::Instant;
use crate::timers::{Timer, Underway};
use crate::world::World;
use std::sync::Arc;

/// Local time at which actions are carried out: after the settlements of 09:00.
const ACTION: (i8, i8) = (9, 15);

/// When an action is looked at next.
pub(super) fn next_look(now: Instant) -> Instant {
    bank_hours::next(now, ACTION.0, ACTION.1)
}

/// The fund, and the one it is merged into.
pub(super) fn concerned(world: &World, id: CorporateActionId) -> Vec<InstrumentId> {
    let action = world.corporate_actions.known(id);
    std::iter::once(action.instrument).chain(action.act.successor()).collect()
}

/// The system cancels the fund's orders that no cut-off has taken.
pub(super) fn stop_orders(world: &mut World, instrument: InstrumentId) {
    orders_to_stop(world, instrument).into_iter().for_each(|order| stop(world, order));
}

/// The fund's orders that the system would cancel.
pub(super) fn orders_to_stop(world: &World, instrument: InstrumentId) -> Vec<OrderId> {
    let stops = |order: &&Arc<Order>| order.instrument == instrument && order.state.allows(Trigger::Stop);
    world.orders.iter().filter(stops).map(|order| order.id).collect()
}

/// The system cancels the order, unless somebody has been quicker.
pub(super) fn stop(world: &mut World, order: OrderId) {
    if world.orders.known(order).state.allows(Trigger::Stop) {
        step_order(world, order, Trigger::Stop);
    }
}

/// Timer: begins to carry the action out, unless orders of the fund are on their way: then it is looked at on the next bank day.
pub(crate) fn look(world: &mut World, id: CorporateActionId) -> Option<Underway> {
    let action = **world.corporate_actions.known(id);
    if has_orders_under_way(world, action.instrument) {
        world.timers.set(next_look(world.now), Timer::CarryOut(id));
        return None;
    }
    Some(carrying_out::begin(world, &action))
}

fn has_orders_under_way(world: &World, instrument: InstrumentId) -> bool {
    let under_way = |state| matches!(state, State::Aggregated | State::Sent | State::Confirmed);
    world.orders.iter().any(|order| order.instrument == instrument && under_way(*order.state))
}
