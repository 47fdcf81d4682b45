//! `/docs`: the description as a page that can be read and tried, offline.
//!
//! The page is RapiDoc 9.3.8 (MIT, its licence beside it), one file that reads `/openapi.json`. Invariant: what the page
//! loads and where it sends requests is this server and nothing else. Absent on purpose: fonts, and the library's own logo.

use crate::planes::pages::marks;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::response::IntoResponse;
use maud::{DOCTYPE, PreEscaped, html};

const SCRIPT: &str = include_str!("rapidoc-min.js");
const LICENCE: &str = include_str!("rapidoc-LICENSE.txt");

/// One script of ours, styles that it sets itself, requests to this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' \
                      data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 5] = [
    (CONTENT_TYPE, "text/html; charset=utf-8"),
    (CONTENT_SECURITY_POLICY, POLICY),
    (REFERRER_POLICY, "no-referrer"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
];

/// What the page looks like before and around the library's own part.
const STYLE: &str = "html,body{margin:0;height:100%}rapi-doc{width:100%;height:100%}p{font:1rem/1.5 sans-serif;padding:1rem}h1{font-size:1.1rem;margin:0;padding:.9rem 1rem}h1 a{color:#fff}";

/// `GET /docs`
pub(super) async fn show() -> impl IntoResponse {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "All planes described \u{2013} fundsim" }
                link rel="icon" href=(marks::ICON);
                style { (PreEscaped(STYLE)) }
                script type="module" src="docs/rapidoc.js" {}
            }
            body {
                rapi-doc spec-url="openapi.json" load-fonts="false" theme="light" render-style="focused" show-header="false"
                    primary-color="#0d5c53" nav-bg-color="#11171c" nav-text-color="#dfe5e6" nav-accent-color="#6cc7b6"
                    nav-hover-bg-color="#1a2229" bg-color="#fffefb" text-color="#17212b" font-size="large"
                    regular-font="Inter, system-ui, sans-serif" mono-font="ui-monospace, monospace" schema-style="table"
                    schema-description-expanded="true" sort-tags="false" show-method-in-nav-bar="as-colored-text"
                    allow-spec-url-load="false" allow-spec-file-load="false" allow-server-selection="false"
                    allow-advanced-search="true" {
                    h1 slot="nav-logo" { a href="." { "fundsim" } }
                }
                noscript { p { "This page needs its script. The description itself: " a href="openapi.json" { "openapi.json" } } }
            }
        }
    };
    (HEADERS, page.into_string())
}

/// `GET /docs/rapidoc.js`
pub(super) async fn script() -> impl IntoResponse {
    let kind = [(CONTENT_TYPE, "text/javascript; charset=utf-8"), (CACHE_CONTROL, "public, max-age=86400")];
    (kind, [(X_CONTENT_TYPE_OPTIONS, "nosniff")], SCRIPT)
}

/// `GET /docs/LICENSE.txt`
pub(super) async fn licence() -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/plain; charset=utf-8"), (X_CONTENT_TYPE_OPTIONS, "nosniff")], LICENCE)
}
