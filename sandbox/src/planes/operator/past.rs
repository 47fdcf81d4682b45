//! A world as it stood before: forks of it, and the way back.
//!
//! Invariant: the world at a moment is the result of the inputs up to there, to the last bit (rule: calendar/history).

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::IntoResponse as _;

use super::request::{Body, HandlerResult, Target, bad};
use super::values::instant;
use super::worlds::{Snapshot, line_of_fork, name, too_many, world_after};
use crate::planes::responses::json;
use feed::input_log::Position;
use feed::lineage::Moment;
use hosting::decision::Carried;
use hosting::quotas::Held;
use hosting::snapshot_file::{self, Brought};
use surface::App;
use surface::body;
use surface::extract::check_content_type;
use wire::error::ApiError;
use wire::rows::shape::{integer, shape};

shape! {
    /// Name of a fork, and the moment it begins from: now when neither `at` nor `input` is given.
    pub(crate) struct ForkRequest {
        /// Generated when left out.
        name: Option<Arc<str>> = optional "name";
        /// A timestamp: the fork begins when the world's clock showed this, after everything of that instant.
        at: Option<Arc<str>> = optional "at";
        /// Number of an input: the fork begins after it.
        input: Option<u64> = optional "input" as integer(0..=u64::MAX);
    }
}

shape! {
    /// Where to rewind a world to: exactly one of `to` and `input`.
    pub(crate) struct RewindRequest {
        /// A timestamp that its clock has shown.
        to: Option<Arc<str>> = optional "to";
        /// Number of an input.
        input: Option<u64> = optional "input" as integer(0..=u64::MAX);
    }
}

/// The moment that is asked for by its instant, which is in `field`, or by its input.
fn moment(field: &str, at: Option<&str>, input: Option<u64>) -> Result<Option<Moment>, ApiError> {
    match (at, input) {
        (None, None) => Ok(None),
        (Some(text), None) => instant(field, text).map(Moment::Instant).map(Some),
        (None, Some(input)) => Ok(Some(Moment::Input(Position(input)))),
        (Some(_), Some(_)) => Err(bad(field, "and input are two ways to say it; give one")),
    }
}

/// `POST /_sandbox/worlds/{worldId}/fork`: a fork with credentials of its own, of now or of before.
pub(super) async fn fork(State(app): State<App>, target: Target, Body(given): Body<ForkRequest>) -> HandlerResult {
    let name = given.name.as_deref().map(name).transpose()?;
    let moment = moment("at", given.at.as_deref(), given.input)?;
    let place = app.worlds.reserve_for(target.owner())?;
    let stood = match moment {
        None => target.world.present_state()?,
        Some(moment) => target.world.stood_at(moment).await?,
    };
    let fork = app.worlds.fork_as(place, &target.world, stood, name).await?;
    line_of_fork(&app, &target, &fork)
}

/// Refuses a partner where it does not see the whole world.
fn whole(target: &Target) -> Result<(), ApiError> {
    if target.operates() { Ok(()) } else { Err(ApiError::forbidden("this is the operator's")) }
}

/// `GET /_sandbox/worlds/{worldId}/snapshots/{snapshotId}/file`: to be taken to another process.
pub(super) async fn file(State(app): State<App>, target: Target) -> HandlerResult {
    whole(&target)?;
    let name = target.snapshot()?;
    let snapshot = target.world.snapshots.get(&name).ok_or_else(|| ApiError::not_found("id names no snapshot"))?;
    let (origin, kept) = (target.world.identity.origin().clone(), target.world.identity.kept_credentials());
    let written =
        app.worlds.work().carry_out(move || snapshot_file::write(&origin, &snapshot.world, Some(&kept))).await?;
    let disposition = format!("attachment; filename=\"{}.json\"", name.name);
    Ok(([(CONTENT_TYPE, "application/json"), (CONTENT_DISPOSITION, &disposition)], written).into_response())
}

/// Bytes that an input has in a capsule, about.
const BYTES_OF_INPUT: u64 = 512;

/// `GET /_sandbox/worlds/{worldId}/capsule`: the world with all that led to it (rule: wire/capsules).
pub(super) async fn capsule(State(app): State<App>, target: Target) -> HandlerResult {
    whole(&target)?;
    let inputs = target.world.last_input() - target.world.past_begins();
    let _set_aside = app.worlds.memory().for_file(inputs.saturating_mul(BYTES_OF_INPUT))?;
    let disposition = format!("attachment; filename=\"{}.capsule.json\"", target.world.identity.id());
    let world = Arc::clone(&target.world);
    let written = app.worlds.work().carry_out(move || world.capsule()?.write()).await?;
    Ok(([(CONTENT_TYPE, "application/json"), (CONTENT_DISPOSITION, &disposition)], written).into_response())
}

/// `PUT /_sandbox/worlds/{worldId}/snapshots/{snapshotId}/file`: what was taken from a world of the same start.
pub(super) async fn bring(State(app): State<App>, target: Target, request: Request) -> HandlerResult {
    whole(&target)?;
    let name = target.new_snapshot(target.item.as_deref().unwrap_or_default())?;
    let _held = target.owner().map(|owner| app.worlds.quotas().hold(Held::Upload, owner)).transpose()?;
    check_content_type(request.headers())?;
    let length = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let _set_aside = app.worlds.memory().for_file(length.unwrap_or(snapshot_file::LARGEST as u64))?;
    let bytes = body::read(request.into_body(), snapshot_file::LARGEST, app.limits.body).await?;
    let memory = app.worlds.memory();
    let Brought { origin, world, .. } =
        app.worlds.work().carry_out(move || snapshot_file::read(&bytes, &memory)).await?;
    if !target.world.identity.origin().is_like(&origin) {
        return Err(ApiError::conflict(format!(
            "the file is of a world of seed {} and another start or setup; `fundsim serve --snapshot FILE` serves it",
            origin.seed.0
        )));
    }
    let now = world.now();
    if let Carried::Nothing = target.world.bring(name.clone(), world).await? {
        return Err(too_many());
    }
    Ok(json(&Snapshot::new(&target, &name, now)))
}

/// `POST /_sandbox/worlds/{worldId}/rewind`: back to where it stood, with the same credentials and tokens.
pub(super) async fn rewind(State(app): State<App>, target: Target, Body(given): Body<RewindRequest>) -> HandlerResult {
    let moment = moment("to", given.to.as_deref(), given.input)?;
    let moment = moment.ok_or_else(|| bad("to", "or input must say where to"))?;
    let _gate = target.world.pass_gate().await;
    target.world.rewind(moment).await?;
    Ok(json(&world_after(&app, &target)))
}
