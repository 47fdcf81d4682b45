//! A page or a file as a route: logged and counted by its path.
//!
//! Absent on purpose: rights, which pages do not ask for.

use axum::Router;
use axum::extract::Request;
use axum::middleware::map_request;
use axum::routing::MethodRouter;
use hosting::current::note_route;
use std::future::ready;
use surface::App;

/// A path that is no row of a plane; it is logged and counted by its name as those are (rule: wire/health).
pub(crate) fn file(path: &'static str, methods: MethodRouter<App>) -> Router<App> {
    let note = move |request: Request| {
        note_route(path, None);
        ready(request)
    };
    Router::new().route(path, methods.route_layer(map_request(note)))
}
