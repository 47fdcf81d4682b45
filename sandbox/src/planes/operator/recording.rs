//! What a world has seen, as a scenario file.
//!
//! Invariant: a partner of a shared world is told what it has asked itself, and what people have done in its journeys. Absent on
//! purpose: the language of scenarios.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse as _;

use super::request::{HandlerResult, Target};
use crate::App;
use crate::hosting::recording::{By, Exchange, Told};
use crate::wire::error::ApiError;

/// `GET /_sandbox/worlds/{worldId}/scenario`
pub(super) async fn show(State(app): State<App>, target: Target) -> HandlerResult {
    let write = app.scenario_writer.ok_or_else(|| ApiError::not_found("this server writes no scenarios"))?;
    let world = &target.world;
    let partners = world.read(|world| {
        let clients = |partner| sim::query::clients_of(world, partner).map(|client| client.id).collect();
        sim::query::partners(world).map(|partner| (partner.id, clients(partner.id))).collect()
    })?;
    let origin = world.origin();
    let told = Told { name: world.name(), seed: origin.seed.0, start: origin.start, setup: &origin.setup, partners };
    // Time passes for everybody.
    let is_clock = |exchange: &Exchange| exchange.target.ends_with("/clock/advance");
    let session = world.recording.session(told, |exchange| match exchange.by {
        By::Partner(partner) | By::Person(partner, _) => target.sees(partner) || is_clock(exchange),
        By::Operator | By::Payer => target.operates() || is_clock(exchange),
    });
    Ok(([(CONTENT_TYPE, "application/yaml")], write(&session)).into_response())
}
