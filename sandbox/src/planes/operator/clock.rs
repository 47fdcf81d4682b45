//! A world's clock: its time, its mode, and jumps.

use std::sync::Arc;

use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::advance as jumps;
use super::request::{Body, HandlerResult, Target, bad};
use super::values::{Timing, mode, schema_of_text_or_number, text_or_number};
use crate::planes::responses::json;
use hosting::clock::Mode;
use surface::server::CallerGone;
use wire::error::ApiError;
use wire::rows::shape::{described, shape};
use wire::values::number::Number;
use wire::values::text::Timestamp;

/// Time and mode of a world's clock.
#[derive(Serialize, ToSchema)]
#[schema(as = Clock)]
pub(crate) struct ClockShown {
    now: Timestamp,
    /// What happens next; null when there is none, or when it is another partner's.
    #[schema(required = true)]
    next: Option<jumps::Happened>,
    /// The mode in one word, as for `--clock`.
    clock: String,
    #[schema(value_type = String, examples("frozen"))]
    mode: &'static str,
    /// World seconds for each real second; null when frozen.
    #[schema(required = true)]
    factor: Option<Number>,
}

fn state(target: &Target) -> Result<Response, ApiError> {
    let world = &target.world;
    let Timing { clock, mode, factor } = Timing::of(world.mode());
    let shown = world.read(|state| {
        let sight = jumps::Sight::of(state, target.one_among_others());
        let next = state.next_happening().filter(|(_, timer)| sight.has(state, timer));
        let next = next.map(|(at, timer)| jumps::Happened::of(at, &timer));
        ClockShown { now: Timestamp(state.now()), next, clock, mode, factor }
    })?;
    Ok(json(&shown))
}

/// `GET /_sandbox/worlds/{worldId}/clock`
pub(super) async fn show(target: Target) -> HandlerResult {
    state(&target)
}

shape! {
    /// Mode of the clock: in one word, or as mode and factor (rule: calendar/clock-words).
    pub(crate) struct ClockRequest {
        /// The mode in one word, as for `--clock`: `frozen`, `real`, or world seconds for each real second.
        clock: Option<Arc<str>> = optional "clock" as described(text_or_number, schema_of_text_or_number);
        /// `frozen`, `real` or `paced`.
        mode: Option<Arc<str>> = optional "mode";
        /// World seconds for each real second.
        factor: Option<Arc<str>> = optional "factor" as described(text_or_number, schema_of_text_or_number);
    }
}

impl ClockRequest {
    fn wanted(&self) -> Result<Option<Mode>, ApiError> {
        match (self.clock.as_deref(), self.mode.as_deref(), self.factor.as_deref()) {
            (None, None, None) => Ok(None),
            (Some(word), None, None) => mode(word).map(Some),
            (None, name, factor) => {
                Mode::of(name, factor).map(Some).map_err(|error| ApiError::invalid_request(error.to_string()))
            }
            (Some(_), _, _) => Err(bad("clock", "cannot be combined with mode or factor")),
        }
    }
}

/// `PATCH /_sandbox/worlds/{worldId}/clock`
pub(super) async fn change(target: Target, Body(given): Body<ClockRequest>) -> HandlerResult {
    if let Some(mode) = given.wanted()? {
        let _gate = target.world.pass_gate().await;
        target.world.set_mode(mode).await?;
    }
    state(&target)
}

/// `POST /_sandbox/worlds/{worldId}/clock/advance`: stops with the client that asked for it (rule: calendar/advance-stops).
pub(super) async fn advance(
    target: Target,
    caller: CallerGone,
    Body(given): Body<jumps::AdvanceRequest>,
) -> HandlerResult {
    jumps::advance(&target, &caller, &given).await.map(|advanced| json(&advanced))
}
