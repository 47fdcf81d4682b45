//! What needs no token: is anybody there, and what time is it.

use super::{Answer, json};
use crate::App;
use crate::wire::text::Timestamp;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// The answer to a ping.
#[derive(Serialize, ToSchema)]
pub(crate) struct Pong {
    /// The present time of the sandbox's first world.
    pong: Timestamp,
}

/// `GET /ping`
pub async fn ping(State(app): State<App>) -> Answer {
    let now = app.worlds.default_world()?.read(|world| world.now())?;
    Ok(json(&Pong { pong: Timestamp(now) }))
}
