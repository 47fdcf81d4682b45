//! What needs no token: is anybody there, and what time is it.

use crate::App;
use crate::http::auth::RequestContext;
use crate::planes::responses::{HandlerResult, json};
use crate::wire::ping::Pong;
use axum::Extension;
use axum::extract::State;

/// `GET /ping`
pub async fn ping(State(app): State<App>, context: Option<Extension<RequestContext>>) -> HandlerResult {
    let own = context.and_then(|Extension(context)| context.caller.ok()).map(|caller| caller.world);
    let world = own.map_or_else(|| app.worlds.default_world(), Ok)?;
    let now = world.read(|world| world.now())?;
    Ok(json(&Pong::at(now)))
}
