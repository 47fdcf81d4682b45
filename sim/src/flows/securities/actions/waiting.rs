//! An announced action waits for its day (rule: securities/corporate-action-day).

use super::carrying_out;
use crate::flows::bank;
use crate::identity::InstrumentId;
use crate::ids::CorporateActionId;
use crate::machines::order::State;
use crate::time::Instant;
use crate::timers::{Timer, TimerProgress};
use crate::world::World;

/// Local time at which actions are carried out: after the settlements of 09:00.
const ACTION: (i8, i8) = (9, 15);

/// When an action is looked at next.
pub(super) fn next_look(now: Instant) -> Instant {
    bank::hours::next(now, ACTION.0, ACTION.1)
}

/// Timer: begins to carry the action out, unless orders of the fund are on their way: then it is looked at on the next bank day.
pub(crate) fn look(world: &mut World, id: CorporateActionId) -> Option<TimerProgress> {
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
