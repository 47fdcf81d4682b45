//! Settings of one world: of its surface, and under `world` those that it decides by.
//!
//! Invariant: what is shown can be sent back as it is, and changes nothing then.

use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use serde_json::{Map, Value, json};
use sim::settings::Settings;

use super::request::{HandlerResult, RawBody, Target, json as answer};
use crate::hosting::decision::HostDecision;
use crate::hosting::network::Network;
use crate::hosting::setup::{over, shown};
use crate::hosting::transport::SurfaceSettings;
use crate::hosting::worlds::WorldHandle;
use crate::wire::error::ApiError;
use crate::wire::fields::{self, Fields, Spot};
use crate::wire::shape::{Readable as _, by};

/// Longest wait that can be set, in seconds: a year.
const LONGEST: u64 = 366 * 86_400;

/// Most waits between the attempts of a delivery.
const MOST_WAITS: usize = 100;

fn show(world: &WorldHandle) -> Result<Value, ApiError> {
    let waits = world.deliveries.look(|queue| queue.policy().waits.iter().map(Duration::as_secs).collect::<Vec<_>>());
    let of_world = world.read(|state| shown(Settings::ROWS, &state.setup().settings))?;
    let mut all = shown(SurfaceSettings::ROWS, &world.settings());
    all.extend(Map::from_iter([
        ("deliveryWaitsSeconds".to_owned(), json!(waits)),
        ("allowlist".to_owned(), world.allowlist.list().iter().map(ToString::to_string).collect()),
        ("world".to_owned(), of_world.into()),
    ]));
    Ok(all.into())
}

/// `GET /_sandbox/worlds/{worldId}/settings`
pub(super) async fn show_all(target: Target) -> HandlerResult {
    Ok::<Response, _>(answer(&show(&target.world)?))
}

/// `PATCH /_sandbox/worlds/{worldId}/settings`
pub(super) async fn change(target: Target, given: RawBody) -> HandlerResult {
    target.world.patching(|| patch(&target.world, &given))?;
    Ok(answer(&show(&target.world)?))
}

fn patch(world: &Arc<WorldHandle>, given: &RawBody) -> Result<(), ApiError> {
    let now = world.settings();
    let of_world = world.read(|state| state.setup().settings.clone())?;
    let (settings, waits, networks, changed) = given.read(|body| {
        let settings = over(body, SurfaceSettings::ROWS, &now);
        let waits = body.optional("deliveryWaitsSeconds", by(waits));
        let networks = body.optional("allowlist", by(networks));
        let changed = body.optional("world", by(|spot| spot.object(|given| running(given, &of_world))));
        Some((settings?, waits?, networks?, changed?))
    })?;
    if let Some(changed) = changed.filter(|changed| *changed != of_world) {
        world.configure(changed)?;
    }
    world.decide(&HostDecision::Settings(Box::new(settings)))?;
    if let Some(waits) = waits {
        world.decide(&HostDecision::Waits(waits))?;
    }
    if let Some(networks) = networks {
        world.decide(&HostDecision::Allowlist(networks))?;
    }
    Ok(())
}

/// Settings of a running world: some stay as they were when it was made.
fn running(given: &mut Fields<'_, '_>, now: &Settings) -> Option<Settings> {
    let changed = over(given, Settings::ROWS, now)?;
    for row in Settings::ROWS {
        if !row.live && (row.get)(&changed) != (row.get)(now) {
            given.problem(row.name, "cannot be changed in a running world");
        }
    }
    Some(changed)
}

/// Waits between the attempts of a delivery; as many as somebody wants to wait for.
fn waits(spot: Spot<'_, '_>) -> Option<Vec<Duration>> {
    let seconds = spot.list(fields::integer(1..=LONGEST))?;
    if seconds.len() > MOST_WAITS {
        return spot.wrong(format_args!("must be at most {MOST_WAITS}"));
    }
    Some(seconds.into_iter().map(Duration::from_secs).collect())
}

fn networks(spot: Spot<'_, '_>) -> Option<Vec<Network>> {
    let texts = Vec::<Arc<str>>::read(spot)?;
    let networks: Result<Vec<Network>, _> = texts.iter().map(|text| text.parse()).collect();
    networks.map_or_else(|error| spot.wrong(error), Some)
}
