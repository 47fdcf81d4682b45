//! A world's clock: where it stands, how it goes, and jumps.

use std::panic::resume_unwind;
use std::sync::Arc;

use axum::response::Response;
use serde_json::json;

use super::advance as jumps;
use super::request::{Body, HandlerResult, Target, bad, json as answer};
use super::values::{mode, tell_mode, text_or_number};
use crate::hosting::clock::Mode;
use crate::hosting::current;
use crate::hosting::worlds::WorldHandle;
use crate::wire::error::ApiError;
use crate::wire::shape::{by, shape};

fn state(world: &WorldHandle) -> Result<Response, ApiError> {
    let mut shown = world.read(|state| {
        let next = state
            .next_timer()
            .map(|(at, timer)| json!({ "at": at.to_string(), "what": timer.what(), "resource": timer.resource() }));
        json!({ "now": state.now().to_string(), "next": next })
    })?;
    tell_mode(&mut shown, world.mode());
    Ok(answer(&shown))
}

/// `GET /_sandbox/worlds/{worldId}/clock`
pub(super) async fn show(target: Target) -> HandlerResult {
    state(&target.world)
}

shape! {
    /// How time is to pass: by one word, or by its name and its factor (rule: calendar/clock-words).
    pub(super) struct Change {
        clock: Option<Arc<str>> = optional "clock" as by(text_or_number);
        mode: Option<Arc<str>> = optional "mode";
        factor: Option<Arc<str>> = optional "factor" as by(text_or_number);
    }
}

impl Change {
    fn wanted(&self) -> Result<Option<Mode>, ApiError> {
        match (self.clock.as_deref(), self.mode.as_deref(), self.factor.as_deref()) {
            (None, None, None) => Ok(None),
            (Some(word), None, None) => mode(word).map(Some),
            (None, name, factor) => {
                Mode::of(name, factor).map(Some).map_err(|error| ApiError::invalid_request(error.to_string()))
            }
            (Some(_), _, _) => Err(bad("clock", "says it all: neither mode nor factor goes with it")),
        }
    }
}

/// `PATCH /_sandbox/worlds/{worldId}/clock`
pub(super) async fn change(target: Target, Body(given): Body<Change>) -> HandlerResult {
    if let Some(mode) = given.wanted()? {
        let _gate = target.world.gate().lock().await;
        target.world.set_mode(mode)?;
    }
    state(&target.world)
}

/// `POST /_sandbox/worlds/{worldId}/clock/advance`: carried out by a task of its own, so that it comes to its end although
/// nobody waits for the answer any more (rule: calendar/advance-finishes).
pub(super) async fn advance(target: Target, Body(given): Body<jumps::AdvanceRequest>) -> HandlerResult {
    let advancing = tokio::spawn(current::inherit(async move { jumps::advance(&target.world, &given).await }));
    match advancing.await {
        Ok(told) => told.map(|told| answer(&told)),
        Err(ended) => match ended.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(_) => Err(ApiError::try_again("the server is closing", 2)),
        },
    }
}
