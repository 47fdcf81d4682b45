//! `/ping`, unknown routes and methods.

use crate::harness::{Api, CLIENTS};
use axum::body::Body;
use axum::http::{Method, Request};

/// (rule: wire/pong)
#[tokio::test]
async fn a_ping_needs_no_token_and_shows_the_worlds_clock() {
    let api = Api::new().await;
    let answer = api.send(Request::get("/ping").body(Body::empty()).expect("a request")).await;
    assert_eq!((answer.status, answer.text.as_str()), (200, r#"{"pong":"2026-03-02T07:00:00.000Z"}"#));
    api.advance_to("2026-03-02T08:30:00+01:00").await;
    assert_eq!(api.get("/ping").await.text, r#"{"pong":"2026-03-02T07:30:00.000Z"}"#);
}

/// (rule: wire/unknown-routes, wire/error-body)
#[tokio::test]
async fn an_unknown_route_or_method_is_not_found_in_the_error_body() {
    let api = Api::new().await;
    for (method, path) in [
        (Method::GET, "/nowhere"),
        (Method::GET, "/v2"),
        (Method::POST, "/ping"),
        (Method::PUT, "/v2/partner/instrument"),
        (Method::GET, "/v2/partner/client/"),
        (Method::PATCH, &format!("/v2/partner/client/{}/order", CLIENTS[0])),
        (Method::GET, "/simulations/account"),
        (Method::GET, "/v2/partner/auth/token"),
    ] {
        let answer = api.send(api.request(method.clone(), path, Body::empty())).await;
        answer.refused(404, "not_found", &format!("there is no {method} {path}"));
    }
}

/// (rule: wire/description)
#[tokio::test]
async fn the_description_of_the_api_is_served_beside_it() {
    let api = Api::new().await;
    let document = api.send(Request::get("/openapi.json").body(Body::empty()).expect("a request")).await.ok();
    assert_eq!(document["info"]["version"], "2.0.0");
    let of = async |plane: &str| {
        let path = format!("/openapi.json?plane={plane}");
        api.send(Request::get(path).body(Body::empty()).expect("a request")).await
    };
    for (plane, path) in
        [("partner", "/v2/partner/client"), ("levers", "/simulations/bankgiro"), ("machinery", "/_sandbox/worlds")]
    {
        let paths = of(plane).await.ok()["paths"].clone();
        assert!(paths.get(path).is_some() && paths.as_object().map_or(0, serde_json::Map::len) < 110, "{plane}");
    }
    let problem = "plane must be one of partner, levers, machinery, not `operator`";
    of("operator").await.refused(400, "invalid_request", problem);
}
