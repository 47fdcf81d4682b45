//! Partners and their clients.

use crate::command::{PartialClient, PartialClientPatch, Purgeable, Scope};
use crate::flows::clients as flow;
use crate::ids::PartnerId;
use crate::records::{Client, Partner};
use crate::refusal::Problem;
use crate::world::World;
use std::sync::Arc;

pub use crate::scope::client;

/// All partners in setup order.
pub fn partners(world: &World) -> impl Iterator<Item = &Partner> {
    world.partners.values()
}

/// All clients in order of creation.
pub fn clients(world: &World) -> impl Iterator<Item = &Arc<Client>> {
    world.clients.values().filter(|client| !world.is_purged(Purgeable::Client(client.id)))
}

/// The clients of a partner in order of creation.
pub fn clients_of(world: &World, partner: PartnerId) -> impl Iterator<Item = &Arc<Client>> {
    clients(world).filter(move |client| client.partner == partner)
}

/// Everything that is known to be wrong with a new client of `partner`.
#[must_use]
pub fn client_problems(world: &World, partner: PartnerId, create: &PartialClient) -> Vec<Problem> {
    let first = flow::first_of(world, partner);
    first.map_or_else(|refusal| refusal.problems, |first| flow::problems(world, first, create))
}

/// Everything that is known to be wrong with a patch of the scope's client.
#[must_use]
pub fn client_patch_problems(world: &World, scope: Scope, patch: &PartialClientPatch) -> Vec<Problem> {
    let client = world.client_in_scope(scope);
    client.map_or_else(|refusal| refusal.problems, |client| flow::patch_problems(client, patch))
}
