//! For those who look after the process: whether it lives, whether it takes requests, and its figures.
//!
//! Invariant: the two answers about health are open to all and say nothing else; figures are the operator's. Absent on purpose:
//! what is counted as things happen (`hosting::metrics`); this file has the figures that follow from the worlds as they are.

use std::sync::atomic::AtomicU64;

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use serde::Serialize;
use utoipa::ToSchema;

use super::request::{HandlerResult, Operator};
use crate::planes::responses::json;
use deliveries::machine;
use deliveries::queue::Queue;
use hosting::worlds::Worlds;
use surface::App;
use wire::error::ApiError;

/// What the figures are written in.
pub(super) const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Health of the process.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    /// `ok` of `/healthz`, `ready` of `/readyz`.
    #[schema(value_type = String)]
    status: &'static str,
}

/// `GET /healthz`: the process answers.
pub(super) async fn lives() -> Response {
    json(&Health { status: "ok" })
}

/// `GET /readyz`: it takes requests, keeps what they change where it is to, and is not about to stop.
pub(super) async fn is_ready(State(app): State<App>) -> HandlerResult {
    if app.is_closing() {
        return Err(ApiError::try_again("the server is closing", 2));
    }
    if app.worlds.journal_failure().is_some() {
        return Err(ApiError::unavailable("nothing more can be kept; the log of the server says why"));
    }
    Ok(json(&Health { status: "ready" }))
}

/// `GET /metrics`
pub(super) async fn metrics(State(app): State<App>, _: Operator) -> HandlerResult {
    let mut registry = Registry::with_prefix("fundsim");
    app.telemetry.metrics.enter(&mut registry);
    enter(&app.worlds, &mut registry);
    let mut text = String::new();
    encode(&mut text, &registry).map_err(|_| ApiError::server_error("the figures cannot be written"))?;
    Ok(([(CONTENT_TYPE, OPEN_METRICS)], text).into_response())
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfWorld {
    world: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WorldStatus {
    world: String,
    status: &'static str,
}

/// The status of each world.
fn enter(worlds: &Worlds, registry: &mut Registry) {
    let count = Gauge::<i64>::default();
    let sockets = Family::<OfWorld, Gauge>::default();
    let kept = Family::<OfWorld, Gauge>::default();
    let deliveries = Family::<WorldStatus, Gauge>::default();
    let clock = Family::<OfWorld, Gauge<f64, AtomicU64>>::default();
    let speed = Family::<OfWorld, Gauge<f64, AtomicU64>>::default();
    for world in worlds.all() {
        count.inc();
        let label = OfWorld { world: world.identity.id().to_string() };
        let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        sockets.get_or_create(&label).set(whole(world.subscribers.feed.open_sockets().len() as u64));
        kept.get_or_create(&label).set(whole(world.subscribers.feed.log().extent().kept));
        for (status, many) in world.subscribers.deliveries.look(standing) {
            deliveries.get_or_create(&WorldStatus { world: label.world.clone(), status }).set(many);
        }
        clock.get_or_create(&label).set(world.last_now().ms() as f64 / 1_000.0);
        let factor = world.mode().factor().map_or(0.0, |factor| factor.decimal().try_into().unwrap_or_default());
        speed.get_or_create(&label).set(factor);
    }
    registry.register("worlds", "Worlds on this server", count);
    registry.register("sockets", "WebSockets open", sockets);
    registry.register("events_kept", "Events kept for readers", kept);
    registry.register("deliveries", "Deliveries kept, by status", deliveries);
    registry.register("clock_timestamp_seconds", "Business time, since 1970", clock);
    registry.register("clock_factor", "World seconds for each real second; 0 while the clock is frozen", speed);
}

/// How many deliveries have each status.
fn standing(queue: &Queue) -> Vec<(&'static str, i64)> {
    let mut counts: Vec<(&'static str, i64)> = machine::TABLE.states.iter().map(|status| (status.name(), 0)).collect();
    for delivery in queue.rows() {
        if let Some((_, count)) = counts.iter_mut().find(|(status, _)| *status == delivery.status.name()) {
            *count += 1;
        }
    }
    counts
}

#[cfg(test)]
mod tests;
