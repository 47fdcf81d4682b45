//! An announced action waits for its day (rule: payments/corporate-action-day).

use super::{liquidation, merger, split};
use crate::event::Change;
use crate::flows::bank_hours;
use crate::flows::orders::step_order;
use crate::identity::InstrumentId;
use crate::ids::{CorporateActionId, OrderId};
use crate::machines::order::{State, Trigger};
use crate::records::{CorporateAct, Order};
use crate::time::Instant;
use crate::timers::Timer;
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
    let stops = |order: &&Arc<Order>| order.instrument == instrument && order.state.allows(Trigger::Stop);
    let orders: Vec<OrderId> = world.orders.iter().filter(stops).map(|order| order.id).collect();
    orders.into_iter().for_each(|order| step_order(world, order, Trigger::Stop));
}

/// Timer: carries the action out, unless orders of the fund are on their way: then on the next bank day.
pub(crate) fn look(world: &mut World, id: CorporateActionId) {
    let action = **world.corporate_actions.known(id);
    if has_orders_under_way(world, action.instrument) {
        world.timers.set(next_look(world.now), Timer::CarryOut(id));
        return;
    }
    // Orders that were parked after the cut-off had taken them.
    stop_orders(world, action.instrument);
    match action.act {
        CorporateAct::Split { factor } => split::carry_out(world, &action, factor),
        CorporateAct::Merge { into, ratio } => merger::carry_out(world, &action, into, ratio),
        CorporateAct::Liquidate { price } => liquidation::carry_out(world, &action, price),
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
