//! The life of an account as a picture.
//!
//! Absent on purpose: what is drawn, and how (`crate::picture`).

use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse as _;
use sim::ids::AccountId;

use super::request::{HandlerResult, Target};
use crate::picture;
use crate::wire::error::ApiError;

/// `GET /_sandbox/worlds/{worldId}/accounts/{accountId}/picture.svg`: an account of a partner that the bearer may see.
pub(super) async fn show(target: Target) -> HandlerResult {
    let unknown = || ApiError::not_found("accountId names no account of this world");
    let id = target.item.as_deref().and_then(|text| AccountId::parse(text).ok()).ok_or_else(unknown)?;
    let drawn = target.world.read(|world| {
        let history = sim::query::history(world, id)?;
        let client = sim::query::clients(world).find(|client| client.id == history.account.client)?;
        target.sees(client.partner).then(|| picture::of(world, history))
    })?;
    Ok(([(CONTENT_TYPE, "image/svg+xml")], drawn.ok_or_else(unknown)?).into_response())
}
