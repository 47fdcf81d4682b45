//! What needs no token: is anybody there, and what time is it.

use crate::planes::responses::{HandlerResult, json};
use axum::Extension;
use axum::extract::State;
use surface::App;
use surface::auth::RequestContext;
use wire::ping::Pong;

/// `GET /ping`
pub async fn ping(State(app): State<App>, context: Option<Extension<RequestContext>>) -> HandlerResult {
    let own = context.and_then(|Extension(context)| context.caller.ok()).map(|caller| caller.world);
    let now = match own.or_else(|| app.worlds.oldest_well()) {
        Some(world) => world.read(|world| world.now())?,
        // One can still be made.
        None => app.present(),
    };
    Ok(json(&Pong::at(now)))
}
