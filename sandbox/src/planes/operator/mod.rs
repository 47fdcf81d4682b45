//! `/_sandbox`: the machinery of worlds, clocks, faults and looking back. No part of the partner API.
//!
//! Invariant: with an operator's token set, it opens everything, and a partner's token opens the partner's own world and
//! nothing else; without one set, whoever reaches the port may do all (binding beyond loopback then needs `--open`).
//! Absent on purpose: any change that a partner, a customer or an outsider could cause; those are commands.

mod advance;
mod clock;
mod deliveries;
mod faults;
mod looking;
mod plain;
mod settings;
mod webhooks;
mod worlds;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::Value;
use sim::ids::PartnerId;

pub use self::worlds::{describe, line};
use crate::App;
use crate::hosting::worlds::{WorldHandle, WorldId};
use crate::http::auth::{self, Caller};
use crate::http::body;
use crate::wire::error::ApiError;

/// What a handler answers.
type Answer = Result<Response, ApiError>;

#[rustfmt::skip]
listed! {
    under "/_sandbox";
    get    "/worlds"                                => worlds::list;
    post   "/worlds"                                => worlds::make;
    get    "/worlds/{worldId}"                      => worlds::read;
    delete "/worlds/{worldId}"                      => worlds::remove;
    post   "/worlds/{worldId}/reset"                => worlds::reset;
    post   "/worlds/{worldId}/fork"                 => worlds::fork;
    get    "/worlds/{worldId}/digest"               => worlds::digest;
    get    "/worlds/{worldId}/snapshots"            => worlds::snapshots;
    post   "/worlds/{worldId}/snapshots"            => worlds::snapshot;
    post   "/worlds/{worldId}/snapshots/{id}/restore" => worlds::restore;
    get    "/worlds/{worldId}/clock"                => clock::show;
    patch  "/worlds/{worldId}/clock"                => clock::change;
    post   "/worlds/{worldId}/clock/advance"        => clock::advance;
    get    "/worlds/{worldId}/settings"             => settings::show_all;
    patch  "/worlds/{worldId}/settings"             => settings::change;
    get    "/worlds/{worldId}/faults"               => faults::list;
    post   "/worlds/{worldId}/faults"               => faults::add;
    delete "/worlds/{worldId}/faults/{id}"          => faults::remove;
    get    "/worlds/{worldId}/requests"             => looking::requests;
    get    "/worlds/{worldId}/events"               => looking::events;
    get    "/worlds/{worldId}/sockets"              => looking::sockets;
    post   "/worlds/{worldId}/sockets/close"        => looking::close_sockets;
    get    "/worlds/{worldId}/deliveries"           => deliveries::list;
    post   "/worlds/{worldId}/deliveries/{id}/replay" => deliveries::replay;
    get    "/worlds/{worldId}/webhooks"             => webhooks::list;
    post   "/worlds/{worldId}/webhooks"             => webhooks::register;
    delete "/worlds/{worldId}/webhooks"             => webhooks::clear;
    delete "/worlds/{worldId}/webhooks/{id}"        => webhooks::remove;
}

/// The routes under `/_sandbox`.
pub fn routes() -> Router<App> {
    // Routes nested here would otherwise fall through to pages of the framework.
    listed()
        .fallback(|| async { ApiError::not_found("there is nothing at this path") })
        .method_not_allowed_fallback(|| async { ApiError::not_found("this path does not answer to this method") })
}

/// Who works the machinery.
#[derive(Clone, Debug)]
enum Worker {
    /// Everything is open to it.
    Operator,
    /// Its own world is.
    Partner(Caller),
}

impl Worker {
    /// Recognises the bearer.
    fn of(parts: &Parts, app: &App) -> Result<Self, ApiError> {
        let shown = auth::bearer(&parts.headers);
        let caller = || match parts.extensions.get::<auth::RequestContext>() {
            Some(context) => context.caller.clone(),
            None => auth::authenticate(&app.worlds, &parts.headers, None),
        };
        match (&app.operator_token, shown) {
            (Some(token), Ok(shown)) if token.is(shown) => Ok(Self::Operator),
            (Some(_), _) => caller().map(Self::Partner).map_err(auth::Denied::answer),
            (None, Ok(_)) => caller().map(Self::Partner).map_err(auth::Denied::answer),
            (None, Err(_)) => Ok(Self::Operator),
        }
    }
}

/// The operator, where only it may act.
struct Operator;

impl FromRequestParts<App> for Operator {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        match Worker::of(parts, app)? {
            Worker::Operator => Ok(Self),
            Worker::Partner(_) if app.operator_token.is_none() => Ok(Self),
            Worker::Partner(_) => Err(ApiError::forbidden("this is the operator's")),
        }
    }
}

/// The world in the path, which the bearer may work on.
struct Target {
    world: Arc<WorldHandle>,
    worker: Worker,
    /// Whether the machinery is shared: a partner then sees of its world what is its own.
    shared: bool,
    /// The last parameter of the path, where there are two.
    item: Option<String>,
}

impl Target {
    /// Whether the bearer may see what is `partner`'s.
    fn sees(&self, partner: PartnerId) -> bool {
        match &self.worker {
            Worker::Operator => true,
            Worker::Partner(caller) => !self.shared || caller.partner == partner,
        }
    }
}

impl FromRequestParts<App> for Target {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let worker = Worker::of(parts, app)?;
        let parameters = RawPathParams::from_request_parts(parts, app).await;
        let parameters = parameters.map_err(|_| ApiError::invalid_request("path must be UTF-8 text"))?;
        let mut texts = parameters.iter().map(|(_, text)| text);
        let name = texts.next().unwrap_or_default();
        let world = find(app, &worker, name)?;
        let item = texts.next().map(str::to_owned);
        Ok(Self { world, worker, shared: app.operator_token.is_some(), item })
    }
}

/// Whether a partner's token is held to its own world: always, unless the machinery is open to everybody.
fn find(app: &App, worker: &Worker, name: &str) -> Result<Arc<WorldHandle>, ApiError> {
    let unknown = || ApiError::not_found("worldId names no world");
    match worker {
        Worker::Partner(caller) if name == "current" || name == caller.world.id().to_string() => {
            Ok(Arc::clone(&caller.world))
        }
        Worker::Partner(_) if app.operator_token.is_some() => {
            Err(ApiError::forbidden("worldId is not the world of this token"))
        }
        Worker::Operator if name == "current" => {
            Err(ApiError::invalid_request("current needs a partner's access token"))
        }
        _ => name.parse::<WorldId>().ok().and_then(|id| app.worlds.get(id)).ok_or_else(unknown),
    }
}

/// A JSON body of a known shape; none at all reads as an empty object. Unknown fields are refused: here a misspelt word
/// would go unnoticed.
struct Body<T>(T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        let text = body::read(request.into_body(), app.limits.body_bytes, app.limits.body).await?;
        let text: &[u8] = if text.trim_ascii().is_empty() { b"{}" } else { &text };
        let wrong = |why: &str| ApiError::invalid_request(format!("body: {why}"));
        if text.trim_ascii_start().first() != Some(&b'{') {
            return Err(wrong(plain::NO_OBJECT));
        }
        serde_json::from_slice(text).map(Self).map_err(|error| wrong(&plain::plain(&error)))
    }
}

/// 200 with `value`.
fn json(value: &Value) -> Response {
    ([(CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

fn bad(field: &str, why: impl std::fmt::Display) -> ApiError {
    ApiError::invalid_request(format!("{field} {why}"))
}
