//! The routes of all planes.
//!
//! Invariant: a route is served, described and checked for rights by its row (`surface/src/route.rs`) and by nothing else. What no
//! row names is 404 with the error body, an unknown method too (rule: wire/unknown-routes).
//! Absent on purpose: the rows, which are in their planes, and the pages, which are no API.

use std::fmt;
use std::sync::LazyLock;

use crate::planes::{console, levers, operator, partner, site};
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, Uri};
use axum::response::IntoResponse;
use axum::routing::get;
use serde_json::Value;
use surface::auth::TOKEN_PATH;
use surface::extract::Query;
use surface::openapi;
use surface::route::{Authorization, Route};
use surface::{App, Routes};
use tower_http::compression::CompressionLayer;
use utoipa::openapi::RefOr;
use wire::error::ApiError;

static PARTNER: LazyLock<Vec<Route>> = LazyLock::new(|| (0..).zip(partner::routes::routes()).map(counted).collect());
static LEVERS: LazyLock<Vec<Route>> = LazyLock::new(levers::routes);
static OPERATOR: LazyLock<Vec<Route>> = LazyLock::new(|| operator::routes(|| rows().collect()));

/// Every route of the partner API, every lever, and the machinery, in order.
pub fn rows() -> impl Iterator<Item = &'static Route> {
    PARTNER.iter().chain(LEVERS.iter()).chain(OPERATOR.iter())
}

/// A row of the partner API, whose answers are counted where it is some partner's (rule: wire/coverage).
fn counted((place, row): (u16, Route)) -> Route {
    let is_anybodys = row.authorization == Authorization::Nothing && row.path != TOKEN_PATH;
    if is_anybodys { row } else { row.counted_at(place) }
}

static OPENAPI: LazyLock<Value> = LazyLock::new(|| openapi::document(&rows().collect::<Vec<_>>()));

/// A part of what is served, with a description of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// The partner API, with its webhooks.
    Partner,
    /// What customers, banks, fund companies and others outside cause.
    Levers,
    /// Worlds, clocks, faults, and looking back.
    Machinery,
}

impl Plane {
    /// Every plane.
    pub const ALL: [Self; 3] = [Self::Partner, Self::Levers, Self::Machinery];

    /// Its name in addresses and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Partner => "partner",
            Self::Levers => "levers",
            Self::Machinery => "machinery",
        }
    }

    /// Its routes.
    pub fn rows(self) -> &'static [Route] {
        match self {
            Self::Partner => &PARTNER,
            Self::Levers => &LEVERS,
            Self::Machinery => &OPERATOR,
        }
    }
}

/// The description of one plane, as indented JSON (rule: wire/description).
#[must_use]
pub fn openapi_of(plane: Plane) -> &'static str {
    static TEXTS: LazyLock<[String; 3]> = LazyLock::new(|| {
        Plane::ALL.map(|plane| {
            let paths = plane.rows().iter().map(|row| row.path).collect();
            format!("{:#}", openapi::part(&OPENAPI, &paths, plane == Plane::Partner))
        })
    });
    &TEXTS[plane as usize]
}

/// The description of all planes, as indented JSON.
#[must_use]
pub fn openapi() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| format!("{:#}", *OPENAPI));
    &TEXT
}

/// The description of all planes for validators of bodies: where a field says which shape a body is, the body is held to that
/// shape alone, and a fault has its place in it.
#[must_use]
pub fn openapi_for_validators() -> Value {
    openapi::for_validators(OPENAPI.clone())
}

/// The description of the event socket, as indented JSON.
#[must_use]
pub fn asyncapi() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| format!("{:#}", openapi::asyncapi(&OPENAPI)));
    &TEXT
}

/// All that is served: made once, however many services there are.
pub(crate) fn routes() -> Routes {
    static ROUTES: LazyLock<Routes> = LazyLock::new(|| Routes::new(rows(), beside()));
    ROUTES.clone()
}

/// What is served beside the rows: pages, documents, and an answer to what nobody knows.
pub(crate) fn beside() -> Router<App> {
    pages::routes().merge(documents()).fallback(not_found).method_not_allowed_fallback(not_found)
}

/// What is read by people and by tools that make clients; packed for those who take it.
fn documents() -> Router<App> {
    site::routes(|| &OPENAPI)
        .merge(console::routes())
        .merge(site::file("/openapi.json", get(of_plane)))
        .merge(site::file("/asyncapi.json", get(async || described(asyncapi()))))
        .merge(site::file("/llms.txt", get(async || ([(CONTENT_TYPE, "text/plain; charset=utf-8")], site::llms()))))
        .layer(CompressionLayer::new())
}

fn described(document: &'static str) -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], document)
}

/// `GET /openapi.json`: all planes, or the one that is asked for (rule: wire/description).
async fn of_plane(query: Query) -> Result<impl IntoResponse, ApiError> {
    let names = || Plane::ALL.map(Plane::name);
    let choices = fmt::from_fn(|f| write!(f, "one of {}", names().join(", ")));
    let parse = |text: &str| Plane::ALL.into_iter().find(|plane| plane.name() == text);
    let plane = query.read(|query| query.read("plane", "", (choices, RefOr::default), parse))?;
    Ok(described(plane.map_or_else(openapi, openapi_of)))
}

async fn not_found(method: Method, uri: Uri) -> ApiError {
    ApiError::not_found(format!("there is no {method} {}", uri.path()))
}

#[cfg(test)]
mod tests;
