//! `/docs`: the description of the API as pages that can be read, linked to and tried.
//!
//! Owns: the routes of these pages, and the headers of their answers. Invariant: what a page says of an operation, a schema
//! or a webhook comes from the document at `/openapi.json`, and what it says of a rule from `docs/rules`; a page loads and
//! asks nothing but this server, and is complete without its script, but for sending. Absent on purpose: a library for
//! descriptions, since those that exist are larger than all these pages together (`docs/performance.md`).

mod chapters;
mod code;
mod description;
mod form;
mod frame;
mod index;
mod intro;
mod operation;
mod place;
mod prefilled;
mod rules;
mod shapes;
mod text;
mod webhooks;

#[cfg(test)]
mod tests;

pub use chapters::CHAPTERS;

use crate::planes::site::file::file;
use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use frame::Page;
use place::PathToRoot;
use prefilled::Viewer;
use serde_json::Value;
use surface::App;
use surface::auth::Caller;

/// A script and a style of ours, requests to this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Pages show ids of a world, and the secret of a partner on a server that is private: they are not kept.
const HEADERS: [(HeaderName, &str); 6] = [
    (CONTENT_TYPE, "text/html; charset=utf-8"),
    (CACHE_CONTROL, "no-store"),
    (CONTENT_SECURITY_POLICY, POLICY),
    (REFERRER_POLICY, "no-referrer"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
];

/// The files: where they are, what they are, what is in them.
const FILES: [(&str, &str, &str); 2] = [
    ("/docs/style.css", "text/css; charset=utf-8", include_str!("style.css")),
    ("/docs/try.js", "text/javascript; charset=utf-8", include_str!("try.js")),
];

/// The last part of a path. What cannot be read leads to no page.
type Name = Result<Path<String>, PathRejection>;

/// The pages of the document that `source` gives, and their files.
pub(super) fn routes(source: fn() -> &'static Value) -> Router<App> {
    description::show(source);
    let pages = file("/docs", get(start))
        .merge(file("/docs/{operationId}", get(one_operation)))
        .merge(file("/docs/schemas", get(all_schemas)))
        .merge(file("/docs/schemas/{name}", get(one_schema)))
        .merge(file("/docs/webhooks", get(all_webhooks)))
        .merge(file("/docs/webhooks/{event}", get(one_webhook)))
        .merge(file("/docs/rules", get(all_rules)))
        .merge(file("/docs/rules/{topic}", get(one_topic)));
    FILES.into_iter().fold(pages, |router, (path, kind, content)| {
        let kept = [(CACHE_CONTROL, "no-cache"), (X_CONTENT_TYPE_OPTIONS, "nosniff")];
        router.merge(file(path, get(async move || ([(CONTENT_TYPE, kind)], kept, content))))
    })
}

/// `GET /docs`
async fn start(State(app): State<App>) -> Response {
    shown(Some(intro::page(PathToRoot::START, &app)), PathToRoot::START)
}

/// `GET /docs/{operationId}`; with a token, with the values of its partner's part of its world.
async fn one_operation(State(app): State<App>, caller: Result<Caller, wire::error::ApiError>, name: Name) -> Response {
    let operation = name.ok().and_then(|Path(name)| description::operation(&name));
    let viewer = Viewer::of(&app, caller.ok());
    let page =
        operation.map(|operation| operation::page(PathToRoot::PAGE, &operation, viewer.as_ref(), &app.public_url));
    shown(page, PathToRoot::PAGE)
}

/// `GET /docs/schemas`
async fn all_schemas() -> Response {
    shown(Some(intro::schemas(PathToRoot::PAGE)), PathToRoot::PAGE)
}

/// `GET /docs/schemas/{name}`
async fn one_schema(name: Name) -> Response {
    shown(name.ok().and_then(|Path(name)| intro::schema(PathToRoot::BELOW, &name)), PathToRoot::BELOW)
}

/// `GET /docs/webhooks`
async fn all_webhooks() -> Response {
    shown(Some(webhooks::all(PathToRoot::PAGE)), PathToRoot::PAGE)
}

/// `GET /docs/webhooks/{event}`
async fn one_webhook(event: Name) -> Response {
    shown(event.ok().and_then(|Path(event)| webhooks::one(PathToRoot::BELOW, &event)), PathToRoot::BELOW)
}

/// `GET /docs/rules`
async fn all_rules() -> Response {
    shown(Some(rules::contents(PathToRoot::PAGE)), PathToRoot::PAGE)
}

/// `GET /docs/rules/{topic}`
async fn one_topic(topic: Name) -> Response {
    shown(topic.ok().and_then(|Path(topic)| rules::topic(PathToRoot::BELOW, &topic)), PathToRoot::BELOW)
}

/// A page, or that there is none.
fn shown(page: Option<Page>, place: PathToRoot) -> Response {
    let (status, page) = page.map_or_else(|| (StatusCode::NOT_FOUND, frame::missing()), |page| (StatusCode::OK, page));
    (status, HEADERS, frame::whole(&page, place).into_string()).into_response()
}
