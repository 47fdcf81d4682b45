//! A world as it stood before: twins of it, and the way back.
//!
//! Invariant: what stood at a moment is what came of the inputs up to there, to the last bit (rule: calendar/history).

use std::sync::Arc;

use axum::extract::State;

use super::request::{Body, HandlerResult, Target, bad};
use super::values::instant;
use super::worlds::{line_of_twin, name, world_after};
use crate::App;
use crate::hosting::history::Moment;
use crate::hosting::input_log::Position;
use crate::planes::responses::json;
use crate::wire::error::ApiError;
use crate::wire::shape::{integer, shape};

shape! {
    /// What a twin is called, and as of when it is one; as of now when neither `at` nor `input` is given.
    pub(crate) struct ForkRequest {
        /// Made up when left out.
        name: Option<Arc<str>> = optional "name";
        /// A timestamp: the world as it stood when its clock showed that, everything of that instant included.
        at: Option<Arc<str>> = optional "at";
        /// Number of an input: the world as it stood after it.
        input: Option<u64> = optional "input" as integer(0..=u64::MAX);
    }
}

shape! {
    /// Where a world is put back to: exactly one of `to` and `input`.
    pub(crate) struct RewindRequest {
        /// A timestamp that its clock has shown.
        to: Option<Arc<str>> = optional "to";
        /// Number of an input.
        input: Option<u64> = optional "input" as integer(0..=u64::MAX);
    }
}

/// The moment that is asked for by its instant, which stands in `field`, or by its input.
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
    let fork = match moment("at", given.at.as_deref(), given.input)? {
        None => app.worlds.fork(&target.world, name)?,
        Some(moment) => {
            let (_, world) = target.world.stood_at(moment).await?;
            app.worlds.fork_as(&target.world, world, name)?
        }
    };
    line_of_twin(&app, &target, &fork)
}

/// `POST /_sandbox/worlds/{worldId}/rewind`: back to where it stood, with the same credentials and tokens.
pub(super) async fn rewind(State(app): State<App>, target: Target, Body(given): Body<RewindRequest>) -> HandlerResult {
    let moment = moment("to", given.to.as_deref(), given.input)?;
    let moment = moment.ok_or_else(|| bad("to", "or input must say where to"))?;
    let _gate = target.world.gate().lock().await;
    target.world.rewind(moment).await?;
    Ok(json(&world_after(&app, &target)))
}
