//! The difference of two worlds along time, from their comparison and their events.
//!
//! Owns: since when a resource differs. Invariant: what differs is what the comparison without prices lists. Absent on purpose: how it
//! is drawn (`drawing::difference`).

use std::collections::BTreeMap;
use std::sync::Arc;

use drawing::difference::{DifferenceFact, DifferenceKind, Facts, TopicCount, WorldSide};
use feed::log::Numbered;
use hosting::worlds::WorldHandle;
use sim::World;
use sim::time::Instant;
use uuid::Uuid;

use super::super::compare::{self, Count, Difference};
use super::super::request::{Target, bad};
use hosting::world_id::WorldId;
use surface::App;
use wire::error::ApiError;

/// Most events of each world that are looked at: those that led to its present, the last ones.
const MOST_EVENTS: usize = 200_000;
/// Paths of fields that a resource names.
const MOST_FIELDS: usize = 20;

/// What differs between the world and the other one, and since when.
pub(super) async fn facts(app: &App, target: &Target, other: Option<WorldId>) -> Result<Facts, ApiError> {
    let other = other.and_then(|id| app.worlds.get(id)).ok_or_else(|| bad("with", "names no world"))?;
    let worlds = (target.world.copy()?, other.copy()?);
    let handles = [Arc::clone(&target.world), other];
    Ok(app.worlds.work().carry_out(move || between(&handles, &worlds)).await)
}

fn between([here, there]: &[Arc<WorldHandle>; 2], worlds: &(World, World)) -> Facts {
    let found = compare::all_differences(&worlds.0, &worlds.1);
    let changes = [changes(here), changes(there)];
    let differences = found.differences.iter().map(|difference| fact(difference, worlds, &changes));
    let side = |handle: &WorldHandle, world: &World| WorldSide {
        id: handle.identity.id().to_string(),
        name: handle.identity.name().to_string(),
        now: world.now(),
    };
    let topic = |count: &Count| TopicCount {
        resource: count.resource,
        alike: count.alike,
        only_here: count.only_here,
        only_there: count.only_there,
        changed: count.different,
    };
    let (here, there) = (side(here, &worlds.0), side(there, &worlds.1));
    Facts::of(here, there, found.counts.iter().map(topic).collect(), differences.collect())
}

/// The events of each resource, in order.
type Changes = BTreeMap<Uuid, Vec<Numbered>>;

fn changes(handle: &WorldHandle) -> Changes {
    let log = handle.subscribers.feed.log();
    let mut found = Changes::new();
    for (number, entry) in log.look_back(log.last(MOST_EVENTS), MOST_EVENTS) {
        if let Some((id, _)) = entry.event.change.resource() {
            found.entry(id).or_default().push((number, entry));
        }
    }
    found
}

fn fact(difference: &Difference, worlds: &(World, World), changes: &[Changes; 2]) -> DifferenceFact {
    let kind = match difference.only {
        Some("here") => DifferenceKind::OnlyHere,
        Some(_) => DifferenceKind::OnlyThere,
        None => DifferenceKind::Changed,
    };
    let id = Uuid::try_parse(&difference.id).ok();
    let created = |world: &World| sim::query::named(world, id?)?.created;
    let at = match kind {
        DifferenceKind::OnlyHere => created(&worlds.0),
        DifferenceKind::OnlyThere => created(&worlds.1),
        DifferenceKind::Changed => id.and_then(|id| parted(changes.each_ref().map(|known| known.get(&id)))),
    };
    let fields = difference.fields.iter().take(MOST_FIELDS).map(|field| field.path.clone());
    DifferenceFact { resource: difference.resource, id: difference.id.clone(), kind, at, fields: fields.collect() }
}

/// The first instant at which one world has changed a resource and the other has not, or in another way.
fn parted(changes: [Option<&Vec<Numbered>>; 2]) -> Option<Instant> {
    let [here, there] = changes.map(|known| known.map_or(&[][..], |known| &known[..]));
    let same = |(_, one): &Numbered, (_, other): &Numbered| {
        Arc::ptr_eq(one, other) || (one.event.at == other.event.at && one.event.change == other.event.change)
    };
    let alike = here.iter().zip(there).take_while(|(one, other)| same(one, other)).count();
    let next = [here.get(alike), there.get(alike)].into_iter().flatten().map(|(_, entry)| entry.event.at);
    next.min()
}
