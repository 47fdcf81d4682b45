//! A world's clock: where it stands, how it goes, and jumps.

use std::sync::Arc;

use axum::response::Response;
use serde_json::json;

use super::advance as jumps;
use super::request::{Body, HandlerResult, Target, bad, json as answer};
use super::values::{mode, mode_words, text_or_number};
use crate::hosting::clock::Mode;
use crate::hosting::worlds::WorldHandle;
use crate::wire::error::ApiError;
use crate::wire::shape::{by, shape};

fn state(world: &WorldHandle) -> Result<Response, ApiError> {
    let (mode, factor) = mode_words(world.mode());
    let shown = world.read(|state| {
        let next = state
            .next_timer()
            .map(|(at, timer)| json!({ "at": at.to_string(), "what": timer.what(), "resource": timer.resource() }));
        json!({ "now": state.now().to_string(), "mode": mode, "factor": factor, "next": next })
    })?;
    Ok(answer(&shown))
}

/// `GET /_sandbox/worlds/{worldId}/clock`
pub(super) async fn show(target: Target) -> HandlerResult {
    state(&target.world)
}

shape! {
    /// How time is to pass.
    pub(super) struct Change {
        mode: Option<Arc<str>> = optional "mode";
        factor: Option<Arc<str>> = optional "factor" as by(text_or_number);
    }
}

/// `PATCH /_sandbox/worlds/{worldId}/clock`
pub(super) async fn change(target: Target, Body(given): Body<Change>) -> HandlerResult {
    let mode = match (given.mode.as_deref(), given.factor) {
        (None, None) => return state(&target.world),
        (Some("frozen"), None) => Mode::Frozen,
        (Some("real"), None) => Mode::Paced(crate::hosting::clock::Factor::REAL),
        (Some("paced") | None, Some(factor)) => match mode(&factor)? {
            paced @ Mode::Paced(_) => paced,
            Mode::Frozen => return Err(bad("factor", "must be a number")),
        },
        (Some("paced"), None) => return Err(bad("factor", "is required with paced")),
        (Some("frozen" | "real"), Some(_)) => return Err(bad("factor", "goes with paced only")),
        (Some(_), _) => return Err(bad("mode", "must be frozen, real or paced")),
    };
    let _gate = target.world.gate().lock().await;
    target.world.set_mode(mode)?;
    state(&target.world)
}

/// `POST /_sandbox/worlds/{worldId}/clock/advance`
pub(super) async fn advance(target: Target, Body(given): Body<jumps::AdvanceRequest>) -> HandlerResult {
    jumps::advance(&target.world, &given).await.map(|told| answer(&told))
}
