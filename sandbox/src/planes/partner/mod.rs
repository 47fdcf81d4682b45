//! Handlers of the partner API: extract, convert, submit or read, render. One file a resource; `routes` has them all.
//!
//! Invariant: the world is let go before anything is rendered, and nothing here decides about money or states. The
//! order of refusals is that of the row and then of the lines: credentials, the right, ids in the path and the type of the
//! body, the client, query and body, then the world.

pub mod accounts;
pub mod agreements;
pub mod clients;
pub mod instruments;
pub mod journeys;
pub mod orders;
pub mod plans;
pub(crate) mod routes;
pub mod subscribe;
pub mod system;
pub mod transactions;

use crate::http::auth::Caller;
use crate::wire;
use crate::wire::error::ApiError;
use crate::wire::fields::Unknown;
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use serde::Serialize;
use sim::{Class, Fault, Refusal, Reply};

/// What a handler answers.
pub type HandlerResult = Result<Response, ApiError>;

/// 200 with `shape` as JSON.
pub(crate) fn json<T: Serialize>(shape: &T) -> Response {
    let mut response = Response::new(Body::from(wire::to_json(shape)));
    // Room for what the surface and the connection add, so that the headers are allocated once.
    let mut headers = HeaderMap::with_capacity(6);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    *response.headers_mut() = headers;
    response
}

/// What is told of an id that names nothing here (rule: wire/unknown-ids).
pub(crate) fn unknown(caller: &Caller, field: &'static str) -> ApiError {
    caller.world.refusal(Refusal::one(Class::Unknown, field, Fault::NotFound))
}

/// What becomes of fields that no row names, in the caller's world (rule: wire/unknown-fields).
pub(crate) fn strictness(caller: &Caller) -> Unknown {
    if caller.world.settings().strict_bodies { Unknown::Refused } else { Unknown::Ignored }
}

/// The world answered with something else than the command calls for: a fault of ours.
pub(crate) fn unexpected_reply(reply: &Reply) -> ApiError {
    ApiError::server_error(format!("the world answered a command with an unexpected reply: {reply:?}"))
}
