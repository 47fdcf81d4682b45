//! Pages for those who build against the sandbox: `/`, what runs here, and `/docs`, all planes described.
//!
//! Invariant: they ask for no other host, and change nothing. The landing page has no script; `/docs` has one, served from
//! this program. Absent on purpose: the hosted pages of customers, which are `pages`.

mod docs;
mod landing;

use crate::App;
use crate::hosting::current::note_route;
use axum::Router;
use axum::extract::Request;
use axum::middleware::map_request;
use axum::routing::{MethodRouter, get};
use std::future::ready;

/// The routes of these pages.
pub(crate) fn routes() -> Router<App> {
    Router::new().merge(file("/", get(landing::show))).merge(docs::routes())
}

/// A path that is no row of a plane; it is told and counted by its name as those are (rule: wire/health).
pub(crate) fn file(path: &'static str, methods: MethodRouter<App>) -> Router<App> {
    let note = move |request: Request| {
        note_route(path);
        ready(request)
    };
    Router::new().route(path, methods.route_layer(map_request(note)))
}
