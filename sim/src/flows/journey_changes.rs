//! Changes of a journey without a row of its table, and the event of every change.
//!
//! Absent on purpose: the moves of a journey, which are `journeys`.

use crate::event::{Change, Delta};
use crate::ids::JourneyId;
use crate::records::Journey;
use crate::world::World;
use std::sync::Arc;

/// Changes a public field of a journey and emits its event.
pub(crate) fn change(world: &mut World, id: JourneyId, f: impl FnOnce(&mut Journey)) {
    let previous = Arc::clone(world.journeys.known(id));
    f(world.journeys.change(id));
    emit_update(world, previous);
}

/// Stamps a journey that has changed since `previous` and emits its event.
pub(crate) fn emit_update(world: &mut World, previous: Arc<Journey>) {
    let now = world.now;
    let current = world.journeys.changed(previous.id, |journey| journey.stamp.touch(now));
    world.emit(Some(current.client), Change::Journey(Delta::Updated { previous, current }));
}
