//! Who may ask: partners, outsiders by levers, the operator, customers on pages. Each plane is a folder of handlers.
//!
//! Owns: putting the planes together as one surface. Absent on purpose: the way of bytes and requests to a handler, which is
//! `http`'s.

#[macro_use]
mod listed;

pub mod levers;
pub mod operator;
pub mod pages;
pub mod partner;
pub mod router;

use axum::Router;

use self::partner::subscribe::socket;
use crate::hosting::worlds::Worlds;
use crate::http::auth::endpoint;
use crate::http::service::Surface;
use crate::http::shared::{App, SurfaceConfig};

/// The surface over `worlds`, ready to be served or called directly.
#[must_use]
pub fn app(worlds: Worlds, config: SurfaceConfig) -> Surface {
    Surface::new(App::new(worlds, config), router::routes(), router::complete(routes()))
}

#[rustfmt::skip]
listed! {
    under "";
    post "/v2/partner/auth/token"                       => endpoint::token;
    get  "/v2/partner/client/{clientId}/subscribe"      => socket::subscribe;
}

/// What is neither a resource nor a lever: tokens, the socket, the machinery, the pages.
pub(crate) fn routes() -> Router<App> {
    listed().nest("/_sandbox", operator::routes()).merge(pages::routes())
}
