//! What the tests of this crate share with those of the crates above: a surface over a small world, and requests without a
//! network.

pub mod served;

use std::ops::Deref;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use axum::routing::{get, post};
use hosting::clock::Mode;
use hosting::testing::{Hosted, new_world};
use hosting::worlds::NewWorld;
use http_body_util::BodyExt as _;
use serde_json::Value;

use crate::route::Route;
use crate::{App, Routes, Surface, SurfaceConfig};

/// Looks at an exchange (method, path, answer), and panics where it is not as described.
pub type Check = fn(&str, &str, &Answer);

/// A surface over one frozen world: its routes, and three of its own, `/panic`, `/echo` and `/whoami`.
pub struct Bench {
    /// The surface.
    pub surface: Surface,
    hosted: Hosted,
    check: Check,
}

impl Deref for Bench {
    type Target = Hosted;

    fn deref(&self) -> &Hosted {
        &self.hosted
    }
}

impl Bench {
    /// A surface over this world with these rows, and what is served beside them.
    #[must_use]
    pub fn over(
        new: NewWorld,
        config: SurfaceConfig,
        rows: impl IntoIterator<Item = &'static Route>,
        beside: Router<App>,
        check: Check,
    ) -> Self {
        let hosted = Hosted::over(new);
        let beside = beside.route("/panic", get(panicking)).route("/echo", post(echo)).route("/whoami", get(whoami));
        let surface = Surface::new(App::new(hosted.worlds.clone(), config), Routes::new(rows, beside));
        Self { surface, hosted, check }
    }

    /// The token endpoint alone, over a frozen world.
    #[must_use]
    pub fn new() -> Self {
        Self::with(Mode::Frozen, SurfaceConfig::default())
    }

    /// The token endpoint alone, over a world whose time passes by `mode`.
    #[must_use]
    pub fn with(mode: Mode, config: SurfaceConfig) -> Self {
        let routes = Router::new()
            .route(crate::token_endpoint::PATH, post(crate::token_endpoint::token))
            .fallback(|| async { wire::error::ApiError::not_found("there is nothing here") });
        Self::over(new_world(mode), config, [], routes, |_, _, _| {})
    }

    /// A token of the `index`th partner, by the endpoint.
    pub async fn token(&self, index: usize) -> String {
        self.token_for(index, "").await
    }

    /// The same with the rights of `scope`.
    ///
    /// # Panics
    /// When it is refused.
    pub async fn token_for(&self, index: usize, scope: &str) -> String {
        let credentials = &self.world.identity.credentials()[index];
        let form = format!(
            "grant_type=client_credentials&client_id={}&client_secret={}&scope={scope}",
            credentials.client_id,
            credentials.secret.known().expect("a secret").reveal()
        );
        let answer = self.ask(form_request(&form)).await;
        assert_eq!(answer.status, 200, "{:?}", answer.body);
        answer.body["access_token"].as_str().expect("a token").to_owned()
    }

    /// Asks, and looks at the answer.
    ///
    /// # Panics
    /// When there is none, or it is not as described.
    pub async fn ask(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().to_string(), request.uri().to_string());
        let answer = Answer::of(self.surface.handle(request, None).await.expect("an answer")).await;
        (self.check)(&method, &path, &answer);
        answer
    }
}

impl Default for Bench {
    fn default() -> Self {
        Self::new()
    }
}

async fn panicking() -> StatusCode {
    panic!("as intended")
}

async fn whoami(caller: crate::auth::Caller) -> String {
    caller.partner.to_string()
}

async fn echo(State(app): State<App>, request: axum::extract::Request) -> Result<bytes::Bytes, wire::error::ApiError> {
    crate::body::read(request.into_body(), app.limits.body_bytes, app.limits.body).await
}

/// An answer, read whole.
#[derive(Debug)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body, as a text where it is not JSON.
    pub body: Value,
}

impl Answer {
    /// Reads `response` to its end.
    ///
    /// # Panics
    /// When the body ends too early.
    pub async fn of(response: axum::response::Response) -> Self {
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("a body").to_bytes();
        let text = || Value::String(String::from_utf8_lossy(&bytes).into_owned());
        let body = serde_json::from_slice(&bytes).unwrap_or_else(|_| text());
        Self { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    /// A header.
    ///
    /// # Panics
    /// When it is no text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("text"))
    }
}

/// A request for a token.
///
/// # Panics
/// Never: the request is a right one.
#[must_use]
pub fn form_request(form: &str) -> Request<Body> {
    Request::post("/v2/partner/auth/token")
        .header("host", "localhost")
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from(form.to_owned()))
        .expect("a request")
}

/// A request with a bearer token and, where given, a JSON body.
///
/// # Panics
/// When `path` is no path.
#[must_use]
pub fn request(method: Method, path: &str, token: Option<&str>, body: Option<&Value>) -> Request<Body> {
    let mut builder = Request::builder().method(method).uri(path).header("host", "localhost");
    if let Some(token) = token {
        builder = builder.header("authorization", format!("Bearer {token}"));
    }
    match body {
        None => builder.body(Body::empty()),
        Some(body) => builder.header("content-type", "application/json").body(Body::from(body.to_string())),
    }
    .expect("a request")
}
