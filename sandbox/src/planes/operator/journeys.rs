//! The journeys of a world, for those who look at all of it: the partner API has no list of them.
//!
//! Invariant: each is shown as the partner API shows it, and to nobody who could not read it there. Absent on purpose: paging;
//! a thousand is the most that a list of the machinery shows.

use serde::Serialize;
use sim::ids::ClientId;
use utoipa::ToSchema;

use super::request::{HandlerResult, Target};
use super::values::limit;
use crate::planes::responses::{json, settings};
use surface::extract::Query;
use wire::journeys::Journey;
use wire::query::Parameters;
use wire::words::schema_of;

/// Journeys that were started.
#[derive(Serialize, ToSchema)]
pub(crate) struct JourneyList<'a> {
    /// Number that match the query, whatever the limit.
    total: usize,
    journeys: Vec<Journey<'a>>,
}

/// Which journeys are to be listed.
pub(crate) struct Filter {
    limit: usize,
    client: Option<ClientId>,
    status: Option<&'static str>,
}

/// The statuses of a journey.
const STATUSES: [&str; 6] = ["new", "pending", "complete", "canceled", "error", "expired"];

/// The parameters of the listing.
pub(crate) fn filters(query: &mut Parameters<'_>) -> Filter {
    let form = (STATUSES.join(", "), || schema_of(STATUSES));
    Filter {
        limit: limit(query),
        client: query.id("client", "Only this client's."),
        status: query
            .read("status", "Only with this status.", form, |text| STATUSES.into_iter().find(|status| *status == text)),
    }
}

/// `GET /_sandbox/worlds/{worldId}/journeys`: newest first; those of a client, or with a status.
pub(super) async fn list(target: Target, query: Query) -> HandlerResult {
    let wanted = query.read(filters)?;
    let clients = target.clients()?;
    let (mut found, settings) = target.world.read(|world| {
        let seen = |client| clients.as_ref().is_none_or(|clients| !target.shared || clients.contains(&client));
        let found = sim::query::every_journey(world)
            .filter(|journey| seen(journey.client) && wanted.client.is_none_or(|client| client == journey.client))
            .filter(|journey| wanted.status.is_none_or(|status| status == journey.state.name()))
            .cloned()
            .collect::<Vec<_>>();
        (found, settings(world))
    })?;
    let total = found.len();
    found.reverse();
    found.truncate(wanted.limit);
    let links = target.world.identity.links();
    let journeys = found.iter().map(|journey| Journey::of(journey, links, &settings)).collect();
    Ok(json(&JourneyList { total, journeys }))
}
