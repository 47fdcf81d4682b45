//! The routes of all planes as one router.
//!
//! Invariant: a route is served, described and checked for rights by its row (`http/route.rs`) and by nothing else. What no
//! row names is 404 with the error body, an unknown method too (rule: wire/unknown-routes).
//! Absent on purpose: the rows, which stand in their planes, and the pages, which are no API.

use std::sync::LazyLock;

use crate::App;
use crate::http::openapi;
use crate::http::route::Route;
use crate::planes::{levers, operator, pages, partner};
use crate::wire::error::ApiError;
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, Uri};
use axum::response::IntoResponse;
use axum::routing::{MethodRouter, any, get};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// What the machinery's paths begin with.
const MACHINERY: &str = "/_sandbox";

static PARTNER: LazyLock<Vec<Route>> = LazyLock::new(partner::routes::routes);
static LEVERS: LazyLock<Vec<Route>> = LazyLock::new(levers::routes);
static OPERATOR: LazyLock<Vec<Route>> = LazyLock::new(operator::routes);

/// Every route of the partner API, every lever, and the machinery, in order.
pub fn rows() -> impl Iterator<Item = &'static Route> {
    PARTNER.iter().chain(LEVERS.iter()).chain(OPERATOR.iter())
}

/// The description of the partner API.
#[must_use]
pub fn openapi() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| openapi::document(&PARTNER));
    &TEXT
}

/// All that is served, but for an answer to what nobody knows.
pub(crate) fn router() -> Router<App> {
    let machinery = served(&OPERATOR, MACHINERY, MethodRouter::new())
        .fallback(|| async { ApiError::not_found("there is nothing at this path") })
        .method_not_allowed_fallback(|| async { ApiError::not_found("this path does not answer to this method") });
    // With a fallback of their own, the framework does not tell which methods there are.
    served(&PARTNER, "", any(not_found))
        .merge(served(&LEVERS, "", any(not_found)))
        .nest(MACHINERY, machinery)
        .merge(pages::routes())
        .route("/_sandbox/openapi.json", get(description))
}

/// `router` with an answer to what nobody knows.
pub(crate) fn complete(router: Router<App>) -> Router<App> {
    router.fallback(not_found).method_not_allowed_fallback(not_found)
}

/// The handlers of `rows`, by their paths behind `prefix`; `others` answers the other methods of a path.
fn served(rows: &[Route], prefix: &str, others: MethodRouter<App>) -> Router<App> {
    let mut paths = IndexMap::<_, _, FxBuildHasher>::default();
    for row in rows {
        let path = paths.entry(row.path).or_insert_with(|| others.clone());
        *path = row.add_to(std::mem::take(path));
    }
    paths.into_iter().fold(Router::new(), |router, (path, methods)| router.route(&path[prefix.len()..], methods))
}

async fn description() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], openapi())
}

async fn not_found(method: Method, uri: Uri) -> ApiError {
    ApiError::not_found(format!("there is no {method} {}", uri.path()))
}

#[cfg(test)]
mod access;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SurfaceConfig;
    use crate::testing::{Answer, Bench, request};

    #[tokio::test]
    async fn a_head_has_the_headers_of_the_get_and_no_body() {
        let bench = Bench::new();
        let get = bench.surface.handle(request(Method::GET, "/ping", None, None), None).await.expect("an answer");
        let head = bench.surface.handle(request(Method::HEAD, "/ping", None, None), None).await.expect("an answer");
        assert_eq!(head.status(), get.status());
        assert_eq!(head.headers()["content-type"], get.headers()["content-type"]);
        let body = axum::body::to_bytes(get.into_body(), 1_024).await.expect("a body");
        assert_eq!(head.headers()["content-length"], body.len().to_string());
        assert!(axum::body::to_bytes(head.into_body(), 1_024).await.expect("a body").is_empty());
    }

    /// (rule: wire/unknown-routes)
    #[tokio::test]
    async fn what_no_row_names_is_404_and_tells_no_methods() {
        let worlds = Bench::new().surface.app().worlds.clone();
        let surface = crate::app(worlds, SurfaceConfig::default());
        for (method, path) in [
            (Method::PUT, "/ping"),
            (Method::DELETE, "/v2/partner/client"),
            (Method::GET, "/v2/partner/client/"),
            (Method::GET, "/v2/partner"),
        ] {
            let answer = surface.handle(request(method.clone(), path, None, None), None).await.expect("an answer");
            assert!(!answer.headers().contains_key("allow"), "{method} {path}");
            let answer = Answer::of(answer).await;
            assert_eq!((answer.status, answer.body["error"].as_str()), (404, Some("not_found")));
            assert_eq!(answer.body["error_description"], format!("there is no {method} {path}"));
        }
    }
}
