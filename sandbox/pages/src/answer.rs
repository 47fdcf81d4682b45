//! Answers of the page layer, and the headers that all of them carry.
//!
//! Invariant: every page forbids scripts other than the pages' own, frames, other hosts, sniffing, referrers and keeping. Absent on purpose: contents.

use axum::body::Body;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, REFERRER_POLICY, VARY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use maud::Markup;

use super::frame::{self, Frame, STYLES, TOTAL, WAITS};
use super::lang::Lang;
use super::templates::{self, EndPage};
use surface::body::Unpacked;

/// Headers of every answer of the pages, beside the policy.
#[rustfmt::skip]
static HEADERS: [(HeaderName, &str); 8] = [
    (CACHE_CONTROL, "no-store"),
    (REFERRER_POLICY, "no-referrer"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=()"),
    (VARY, "accept-language"),
];

/// What a page may do: show itself in its own style, run its own script, and talk to its own server alone.
fn policy() -> String {
    let styles: Vec<&str> = STYLES.iter().map(|style| style.source.as_str()).collect();
    format!(
        "default-src 'none'; style-src {}; script-src {} {}; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        styles.join(" "),
        TOTAL.source,
        WAITS.source
    )
}

fn dressed(mut response: Response) -> Response {
    let headers: &mut HeaderMap = response.headers_mut();
    for (name, value) in &HEADERS {
        headers.insert(name.clone(), HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::try_from(policy()) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// A page.
#[must_use]
pub fn page(status: StatusCode, lang: Lang, markup: Markup) -> Response {
    let text = Bytes::from(markup.into_string());
    let mut response = Response::new(Body::from(text.clone()));
    response.extensions_mut().insert(Unpacked(text));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    response.headers_mut().insert(CONTENT_LANGUAGE, HeaderValue::from_static(lang.tag()));
    dressed(response)
}

/// See another of our pages: what follows every accepted form, so that going back or loading again sends nothing twice.
/// `location` is relative and made by us.
#[must_use]
pub fn see(location: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    if let Ok(location) = HeaderValue::try_from(location) {
        response.headers_mut().insert(LOCATION, location);
    }
    dressed(response)
}

/// A document.
#[must_use]
pub fn pdf(bytes: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(bytes));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/pdf"));
    dressed(response)
}

/// A page that belongs to no journey any more.
#[must_use]
pub fn bare(lang: Lang, status: StatusCode, end: &EndPage) -> Response {
    let frame =
        Frame { lang, title: &end.head, client: None, day: None, way: None, other: None, onward: None, waits: false };
    page(status, lang, frame::page(&frame, &templates::end(end)))
}
