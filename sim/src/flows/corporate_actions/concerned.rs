//! What an action concerns beside accounts: its funds, and the orders that it cancels.
//!
//! Absent on purpose: orders between their cut-off and their settlement, for which an action waits.

use crate::flows::orders::step_order;
use crate::identity::InstrumentId;
use crate::ids::{CorporateActionId, OrderId};
use crate::machines::order::Trigger;
use crate::records::Order;
use crate::world::World;
use std::sync::Arc;

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
