//! What a world has seen, as a scenario file.
//!
//! Invariant: a partner of a shared world is given its own requests, and what people have done in its journeys; one file of
//! a world is written at a time. Absent on purpose: the language of scenarios.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse as _;

use super::request::{Bearer, HandlerResult, Target};
use hosting::recording::RecordedWorld;
use surface::App;
use wire::error::ApiError;

/// `GET /_sandbox/worlds/{worldId}/scenario`
pub(super) async fn show(State(app): State<App>, target: Target) -> HandlerResult {
    let write = app.scenario_writer.ok_or_else(|| ApiError::not_found("this server writes no scenarios"))?;
    let world = &target.world;
    let _alone = world.edge.recording.telling.lock().await;
    let partners = world.read(|world| {
        let clients = |partner| sim::query::clients_of(world, partner).map(|client| client.id).collect();
        sim::query::partners(world).map(|partner| (partner.id, clients(partner.id))).collect()
    })?;
    let origin = world.identity.origin();
    let part_of = match &target.bearer {
        Bearer::Partner(caller) if !target.operates() => Some(caller.partner),
        Bearer::Partner(_) | Bearer::Operator => None,
    };
    let recorded = RecordedWorld {
        name: world.identity.name(),
        seed: origin.seed.0,
        start: origin.start,
        setup: &origin.setup,
        partners,
        part_of,
        is_shared: target.shared,
        masks: world.masks()?,
    };
    let text = write(world.edge.recording.session(recorded)).await;
    Ok(([(CONTENT_TYPE, "application/yaml")], text).into_response())
}
