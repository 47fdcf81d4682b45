//! Pages for those who build against the sandbox: `/`, what runs here, and `/docs`, all planes described, and
//! `/guide`, the documents as a book; and for those who change it, `/look`, colours, type and parts.
//!
//! Invariant: they ask for no other host, and change nothing. The landing page, the guide and `/look` have no script; `/docs` has one, served from
//! this program. `/llms.txt` says the same to assistants. Absent on purpose: the hosted pages of customers, which are `pages`.

mod docs;
mod file;
mod guide;
mod head;
mod landing;
mod llms;
mod look;

use axum::Router;
use axum::routing::get;
use serde_json::Value;
use surface::App;

pub use docs::CHAPTERS;
pub(crate) use file::file;
pub use llms::llms;

/// The routes of these pages; `description` gives the document that they show.
pub(crate) fn routes(description: fn() -> &'static Value) -> Router<App> {
    Router::new()
        .merge(file("/", get(landing::show)))
        .merge(docs::routes(description))
        .merge(guide::routes())
        .merge(look::routes())
}
