//! Tunables of the surface for one world: periods, bounds, the allowlist.
//!
//! What the world itself decides by is shown under `world`. Absent on purpose: changing that, because it is part of what
//! the world was made from.

use std::time::Duration;

use axum::response::Response;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::request::{Answer, Body, Target, bad, json as answer};
use crate::hosting::allowlist::Network;
use crate::hosting::decision::Decision;
use crate::hosting::setup::spelt;
use crate::hosting::transport::SurfaceSettings;
use crate::hosting::worlds::WorldHandle;
use crate::wire::error::{ApiError, UnknownResource};

/// Longest period that can be set: a year.
const LONGEST: u64 = 366 * 86_400;

/// Most waits between the attempts of a delivery.
const MOST_WAITS: usize = 100;

/// Largest bound that can be set.
const LARGEST: usize = 10_000_000;

fn show(world: &WorldHandle) -> Value {
    let SurfaceSettings {
        heartbeat,
        socket_cap,
        socket_stall,
        token_life,
        virtual_transport,
        events_kept,
        requests_kept,
        sockets_per_client,
        sockets_per_world,
        tokens_per_partner,
        strict_bodies,
        unknown_resource,
    } = world.settings();
    json!({
        "heartbeatSeconds": heartbeat.as_secs(),
        "socketCapSeconds": socket_cap.as_secs(),
        "socketStallSeconds": socket_stall.as_secs(),
        "tokenLifeSeconds": token_life.as_secs(),
        "virtualTransport": virtual_transport,
        "eventsKept": events_kept,
        "requestsKept": requests_kept,
        "socketsPerClient": sockets_per_client,
        "socketsPerWorld": sockets_per_world,
        "tokensPerPartner": tokens_per_partner,
        "strictBodies": strict_bodies,
        "unknownResourceStatus": unknown_resource.status(),
        "deliveryWaitsSeconds": world.deliveries.look(|queue| queue.policy().waits.iter().map(Duration::as_secs).collect::<Vec<_>>()),
        "allowlist": world.allowlist.list().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "world": spelt(&world.origin().setup.settings).into_iter().collect::<Map<_, _>>(),
    })
}

/// What is to change; the rest stays.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Change {
    heartbeat_seconds: Option<u64>,
    socket_cap_seconds: Option<u64>,
    socket_stall_seconds: Option<u64>,
    token_life_seconds: Option<u64>,
    virtual_transport: Option<bool>,
    events_kept: Option<usize>,
    requests_kept: Option<usize>,
    sockets_per_client: Option<usize>,
    sockets_per_world: Option<usize>,
    tokens_per_partner: Option<usize>,
    strict_bodies: Option<bool>,
    unknown_resource_status: Option<u16>,
    delivery_waits_seconds: Option<Vec<u64>>,
    allowlist: Option<Vec<String>>,
}

impl Change {
    fn over(&self, now: SurfaceSettings) -> Result<SurfaceSettings, ApiError> {
        Ok(SurfaceSettings {
            heartbeat: period("heartbeatSeconds", self.heartbeat_seconds, now.heartbeat)?,
            socket_cap: period("socketCapSeconds", self.socket_cap_seconds, now.socket_cap)?,
            socket_stall: period("socketStallSeconds", self.socket_stall_seconds, now.socket_stall)?,
            token_life: period("tokenLifeSeconds", self.token_life_seconds, now.token_life)?,
            virtual_transport: self.virtual_transport.unwrap_or(now.virtual_transport),
            events_kept: bound("eventsKept", self.events_kept, now.events_kept)?,
            requests_kept: bound("requestsKept", self.requests_kept, now.requests_kept)?,
            sockets_per_client: bound("socketsPerClient", self.sockets_per_client, now.sockets_per_client)?,
            sockets_per_world: bound("socketsPerWorld", self.sockets_per_world, now.sockets_per_world)?,
            tokens_per_partner: bound("tokensPerPartner", self.tokens_per_partner, now.tokens_per_partner)?,
            strict_bodies: self.strict_bodies.unwrap_or(now.strict_bodies),
            unknown_resource: match self.unknown_resource_status {
                None => now.unknown_resource,
                Some(status) => UnknownResource::of(status)
                    .ok_or_else(|| bad("unknownResourceStatus", "must be 400, 403 or 404"))?,
            },
        })
    }
}

fn period(name: &str, asked: Option<u64>, now: Duration) -> Result<Duration, ApiError> {
    match asked {
        None => Ok(now),
        Some(seconds) if (1..=LONGEST).contains(&seconds) => Ok(Duration::from_secs(seconds)),
        Some(_) => Err(bad(name, format!("must be 1 to {LONGEST}"))),
    }
}

fn bound(name: &str, asked: Option<usize>, now: usize) -> Result<usize, ApiError> {
    match asked {
        None => Ok(now),
        Some(count) if (1..=LARGEST).contains(&count) => Ok(count),
        Some(_) => Err(bad(name, format!("must be 1 to {LARGEST}"))),
    }
}

/// Waits between the attempts of a delivery; as many as somebody wants to wait for.
fn waits(asked: &[u64]) -> Result<Vec<Duration>, ApiError> {
    let name = "deliveryWaitsSeconds";
    if asked.len() > MOST_WAITS {
        return Err(bad(name, format!("must be at most {MOST_WAITS}")));
    }
    asked.iter().map(|seconds| period(name, Some(*seconds), Duration::ZERO)).collect()
}

/// `GET /_sandbox/worlds/{worldId}/settings`
pub(super) async fn show_all(target: Target) -> Response {
    answer(&show(&target.world))
}

/// `PATCH /_sandbox/worlds/{worldId}/settings`
pub(super) async fn change(target: Target, Body(asked): Body<Change>) -> Answer {
    let settings = asked.over(target.world.settings())?;
    let networks =
        asked.allowlist.map(|texts| texts.iter().map(|text| text.parse::<Network>()).collect::<Result<Vec<_>, _>>());
    let networks = networks.transpose().map_err(|error| bad("allowlist", error))?;
    let waits = asked.delivery_waits_seconds.as_deref().map(waits).transpose()?;
    target.world.decide(&Decision::Settings(Box::new(settings)))?;
    if let Some(waits) = waits {
        target.world.decide(&Decision::Waits(waits))?;
    }
    if let Some(networks) = networks {
        target.world.decide(&Decision::Allowlist(networks))?;
    }
    Ok(answer(&show(&target.world)))
}
