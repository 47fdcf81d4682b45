//! What an action concerns: its funds, the orders that it cancels, and accounts.
//!
//! Absent on purpose: orders between their cut-off and their settlement, for which an action waits.

use crate::flows::orders::step_order;
use crate::flows::plans;
use crate::identity::InstrumentId;
use crate::ids::{AccountId, CorporateActionId, OrderId};
use crate::machines::order::Trigger;
use crate::records::{Account, Order};
use crate::world::World;
use std::collections::BTreeSet;
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

/// The system cancels the order, unless it has ended already.
pub(super) fn stop(world: &mut World, order: OrderId) {
    if world.orders.known(order).state.allows(Trigger::Stop) {
        step_order(world, order, Trigger::Stop);
    }
}

/// The accounts that hold the fund, and where it has ended those whose plans name it, in order of creation.
pub(super) fn accounts(world: &World, fund: InstrumentId) -> Vec<AccountId> {
    let has_ended = world.market.known(fund).ended.is_some();
    let planned = if has_ended { plans::changes::accounts_that_plan(world, fund) } else { BTreeSet::new() };
    let is_concerned = |account: &&Arc<Account>| account.position(fund).is_some() || planned.contains(&account.id);
    world.accounts.iter().filter(is_concerned).map(|account| account.id).collect()
}
