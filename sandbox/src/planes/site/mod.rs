//! Pages for those who build against the sandbox: `/`, what runs here, and `/docs`, all planes described.
//!
//! Invariant: they ask for no other host, and change nothing. The landing page has no script; `/docs` has one, served from
//! this program. Absent on purpose: the hosted pages of customers, which are `pages`.

mod docs;
mod landing;

use crate::App;
use axum::Router;
use axum::routing::get;

/// The routes of these pages.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/", get(landing::show))
        .route("/docs", get(docs::show))
        .route("/docs/rapidoc.js", get(docs::script))
        .route("/docs/LICENSE.txt", get(docs::licence))
}
