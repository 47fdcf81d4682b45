//! Routes as one router: what all of them share; `access` asks each as everybody who might, `partners` as one of two partners
//! that share a world.

mod access;
mod partners;
mod quotas;

use super::*;
use crate::testing::{Answer, Bench, request};
use surface::SurfaceConfig;

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
async fn an_unknown_path_is_404_and_lists_no_methods() {
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
