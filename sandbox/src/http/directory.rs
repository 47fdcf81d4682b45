//! From the method and path of a request to the handler that answers it, for the routes of the partner API.
//!
//! Owns: finding the handler, the ids in the path (`Placed`), and answers to `HEAD`. Invariant: a path is found exactly as
//! axum's router would find it (both ask `matchit`), and a handler is called at once, without layers around it: this is on
//! the way of every request. Absent on purpose: what is said when nothing is found, which is the router's.

use std::pin::Pin;

use axum::body::{Body, HttpBody as _};
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::header::CONTENT_LENGTH;
use axum::http::{HeaderValue, Method};
use axum::response::Response;

use crate::App;

/// An answer on its way.
type Answering = Pin<Box<dyn Future<Output = Response> + Send>>;

type Doorman = Box<dyn Fn(Request, App) -> Answering + Send + Sync>;

/// The routes of an API with their handlers.
#[derive(Default)]
pub struct Directory {
    paths: matchit::Router<Place>,
}

/// What is served at one path.
struct Place {
    pattern: &'static str,
    doormen: Vec<(Method, Doorman)>,
}

/// A handler that was found.
pub(crate) struct Found<'d> {
    /// The path of its route, with names in braces where ids stand.
    pub pattern: &'static str,
    doorman: &'d Doorman,
    bodiless: bool,
}

impl Directory {
    /// Adds a route.
    ///
    /// # Panics
    /// When the pattern is malformed, or stands in the way of another one.
    #[must_use]
    pub fn with<H, T>(mut self, method: Method, pattern: &'static str, handler: H) -> Self
    where
        H: Handler<T, App, Future = Answering> + Sync,
        T: 'static,
    {
        let doorman: Doorman = Box::new(move |request, app| handler.clone().call(request, app));
        // Looked up as a path, a pattern may be taken for another one's: `{a}` stands for any text, also for `{b}`.
        let known = self.paths.at_mut(pattern).ok().map(|known| known.value).filter(|known| known.pattern == pattern);
        match known {
            Some(place) => place.doormen.push((method, doorman)),
            None => {
                let place = Place { pattern, doormen: vec![(method, doorman)] };
                self.paths.insert(pattern, place).expect("the routes of the program do not contradict each other");
            }
        }
        self
    }

    /// Who answers a request for `path`; a `HEAD` is answered by whoever answers the `GET`.
    pub(crate) fn find(&self, method: &Method, path: &str) -> Option<Found<'_>> {
        let place = self.paths.at(path).ok()?.value;
        let bodiless = method == Method::HEAD;
        let asked = if bodiless { &Method::GET } else { method };
        let (_, doorman) = place.doormen.iter().find(|(known, _)| known == asked)?;
        Some(Found { pattern: place.pattern, doorman, bodiless })
    }
}

impl Found<'_> {
    /// Calls the handler.
    pub(crate) async fn answer(self, request: Request, app: App) -> Response {
        let response = (self.doorman)(request, app).await;
        if self.bodiless { without_body(response) } else { response }
    }
}

/// What a `HEAD` gets: the length that the body would have, and no body.
fn without_body(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    if let Some(length) = body.size_hint().exact() {
        parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    Response::from_parts(parts, Body::empty())
}

/// The names and the raw texts of the ids in `path`, which was found by `pattern`.
pub(crate) fn ids<'t>(pattern: &'static str, path: &'t str) -> impl Iterator<Item = (&'static [u8], &'t [u8])> {
    // Byte by byte: a search for a character sets out anew at every slash, and these texts are short.
    let slash = |byte: &u8| *byte == b'/';
    let pairs = pattern.as_bytes().split(slash).zip(path.as_bytes().split(slash));
    pairs.filter_map(|(named, text)| Some((named.strip_prefix(b"{")?.strip_suffix(b"}")?, text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, request};

    #[test]
    fn the_ids_in_a_path_are_named_by_its_pattern() {
        let found: Vec<_> = ids("/a/{first}/b/{second}", "/a/1/b/2%203").collect();
        assert_eq!(found, [(&b"first"[..], &b"1"[..]), (b"second", b"2%203")]);
    }

    #[test]
    fn routes_are_found_by_method_and_whole_path() {
        async fn answers() {}
        let directory = Directory::default()
            .with(Method::GET, "/a/{id}", answers)
            .with(Method::DELETE, "/a/{id}", answers)
            .with(Method::GET, "/a/b", answers)
            .with(Method::GET, "/a/{id}/c", answers);
        let found = |method, path| directory.find(&method, path).map(|found| found.pattern);
        for (method, path, pattern) in [
            (Method::GET, "/a/1", Some("/a/{id}")),
            (Method::HEAD, "/a/1", Some("/a/{id}")),
            (Method::DELETE, "/a/1", Some("/a/{id}")),
            (Method::POST, "/a/1", None),
            (Method::GET, "/a/b", Some("/a/b")),
            (Method::DELETE, "/a/b", None),
            (Method::GET, "/a/1/c", Some("/a/{id}/c")),
            (Method::GET, "/a/1/", None),
            (Method::GET, "/a/", None),
            (Method::GET, "/a", None),
        ] {
            assert_eq!(found(method.clone(), path), pattern, "{method} {path}");
        }
    }

    #[tokio::test]
    async fn a_head_has_the_headers_of_the_get_and_no_body() {
        let worlds = Bench::new().surface.app().worlds.clone();
        let surface = crate::app(worlds, crate::SurfaceConfig::default());
        let get = surface.handle(request(Method::GET, "/ping", None, None), None).await.expect("an answer");
        let head = surface.handle(request(Method::HEAD, "/ping", None, None), None).await.expect("an answer");
        assert_eq!(head.status(), get.status());
        assert_eq!(head.headers()["content-type"], get.headers()["content-type"]);
        let body = axum::body::to_bytes(get.into_body(), 1_024).await.expect("a body");
        assert_eq!(head.headers()["content-length"], body.len().to_string());
        assert!(axum::body::to_bytes(head.into_body(), 1_024).await.expect("a body").is_empty());
    }
}
