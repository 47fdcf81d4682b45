//! The life of an account as a picture.
//!
//! Absent on purpose: what is drawn, and how (`drawing::picture`).

use axum::http::HeaderName;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use axum::response::IntoResponse as _;
use sim::ids::AccountId;

use super::request::{HandlerResult, Target};
use drawing::picture;
use wire::error::ApiError;

/// Opened by itself, a picture is a document: it runs and loads nothing, and is taken for nothing else.
const HEADERS: [(HeaderName, &str); 3] = [
    (CONTENT_TYPE, "image/svg+xml"),
    (CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
];

/// `GET /_sandbox/worlds/{worldId}/accounts/{accountId}/picture.svg`: an account of a partner that the bearer may see.
pub(super) async fn show(target: Target) -> HandlerResult {
    let unknown = || ApiError::not_found("accountId names no account of this world");
    let id = target.item.as_deref().and_then(|text| AccountId::parse(text).ok()).ok_or_else(unknown)?;
    let drawn = target.world.read(|world| {
        let history = sim::query::history(world, id)?;
        let client = sim::query::clients(world).find(|client| client.id == history.account.client)?;
        target.sees(client.partner).then(|| picture::of(world, history))
    })?;
    Ok((HEADERS, drawn.ok_or_else(unknown)?).into_response())
}
