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
mod tests {
    use super::*;
    use crate::SurfaceConfig;
    use crate::hosting::clock::Mode;
    use crate::hosting::secrets::Secret;
    use crate::http::auth::Access;
    use crate::http::auth::{Resource, Right};
    use crate::http::route::Needs;
    use crate::testing::{Answer, Bench, FUND, new_world, request};

    /// The operator's token.
    const OPERATOR_TOKEN: &str = "operator";

    /// How a client that is not the partner's is refused.
    const NOBODYS: &str = "clientId is not within the scope of this token";

    /// A surface with an operator's token, and a partner's token for each right.
    struct Callers {
        bench: Bench,
        tokens: Vec<(Right, String)>,
    }

    impl Callers {
        async fn new() -> Self {
            let operator_token = Some(Secret::new(OPERATOR_TOKEN));
            let bench = Bench::with(Mode::Frozen, SurfaceConfig { operator_token, ..SurfaceConfig::default() });
            bench.surface.app().worlds.make(new_world(Mode::Frozen)).expect("a second world");
            let mut tokens = Vec::new();
            for right in Right::all() {
                tokens.push((right, bench.token_for(0, &right.to_string()).await));
            }
            Self { bench, tokens }
        }

        /// Calls a route with ids of the right form; the client is the partner's own.
        async fn call(&self, row: &Route, world: &str, token: Option<&str>) -> Answer {
            let client = self.bench.scope(0).client.to_string();
            let filled = row.path.split('/').map(|part| match part {
                "{clientId}" => &client,
                "{worldId}" => world,
                "{instrumentId}" => FUND,
                "{agreementTypeKey}" => "account",
                id if id.starts_with('{') => "00000000-0000-4000-8000-000000000000",
                word => word,
            });
            let path = filled.collect::<Vec<_>>().join("/");
            let mut request = request(row.method.clone(), &path, token, Some(&serde_json::json!({})));
            for (name, value) in [("connection", "upgrade"), ("upgrade", "websocket"), ("sec-websocket-version", "13")]
            {
                request.headers_mut().insert(name, value.parse().expect("a value"));
            }
            self.bench.ask(request).await
        }

        /// How a route treats callers otherwise than `needs` has it.
        async fn faults(&self, row: &Route, needs: Needs) -> Vec<String> {
            let mut faults = Vec::new();
            let mut check = |holds: bool, what: &str, answer: &Answer| {
                if !holds {
                    faults.push(format!("{} {} {what}: {} {}", row.method, row.path, answer.status, answer.body));
                }
            };
            let answer = self.call(row, "world-1", None).await;
            check((answer.status == 401) == (needs != Needs::Nothing), "without a token", &answer);
            let is_machinery = matches!(needs, Needs::Operator | Needs::OwnWorld);
            // Rights say nothing to the machinery, where one call may remove the world.
            let tokens = if is_machinery { &self.tokens[..1] } else { &self.tokens[..] };
            for (right, token) in tokens {
                if needs == Needs::OwnWorld {
                    let answer = self.call(row, "world-2", Some(token)).await;
                    check(answer.status == 403, "in another world", &answer);
                }
                let answer = self.call(row, "world-1", Some(token)).await;
                let refusal = match needs {
                    Needs::Right(needed) if *right != needed => {
                        Some(format!("the access token lacks the scope {needed}"))
                    }
                    Needs::AnyWrite if right.access == Access::Read => {
                        Some("the access token lacks a scope to write".to_owned())
                    }
                    Needs::Operator => Some("this is the operator's".to_owned()),
                    _ => None,
                };
                let holds = match refusal {
                    Some(text) => {
                        let body = serde_json::json!({ "error": "forbidden", "error_description": text });
                        (answer.status, &answer.body) == (403, &body)
                    }
                    // Once it is purged, the client is nobody's.
                    None if answer.body["error_description"] == NOBODYS => row.path.ends_with("/purge"),
                    None => ![401, 403].contains(&answer.status),
                };
                check(holds, &format!("with {right}"), &answer);
            }
            if is_machinery {
                let answer = self.call(row, "world-2", Some(OPERATOR_TOKEN)).await;
                check(![401, 403].contains(&answer.status), "as the operator", &answer);
            }
            faults
        }
    }

    /// (rule: auth/token-scope, auth/lever-scope, auth/operator-token)
    #[tokio::test]
    async fn every_route_admits_the_callers_of_its_row_and_no_others() {
        for row in rows() {
            // A call may purge the client or remove the world.
            assert_eq!(Callers::new().await.faults(row, row.needs).await, [""; 0]);
        }
    }

    #[tokio::test]
    async fn a_route_that_admits_others_than_its_row_says_is_found_out() {
        let callers = Callers::new().await;
        let right = |resource, access| Needs::Right(Right { resource, access });
        for (index, row) in rows().enumerate() {
            let all = [
                Needs::Nothing,
                Needs::Token,
                right(Resource::Instruction, Access::Read),
                Needs::Operator,
                Needs::OwnWorld,
            ];
            // One wrong guess a row is enough, and the rows differ enough.
            let wrong = all[index % all.len()];
            if wrong != row.needs && !row.path.starts_with(MACHINERY) {
                assert!(!callers.faults(row, wrong).await.is_empty(), "{} {} as {wrong:?}", row.method, row.path);
            }
        }
    }

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
