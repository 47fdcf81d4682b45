//! What the tests of this crate share: a surface over a small world, and requests without a network.

use std::ops::Deref;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use axum::routing::{get, post};
use hosting::clock::Mode;
pub(crate) use hosting::testing::{Hosted, new_world, telemetry};
use hosting::worlds::NewWorld;
use http_body_util::BodyExt as _;
use serde_json::Value;
pub(crate) use testing::{FUND, START, at};

use crate::conformance::Exchange;
use crate::http::service::Surface;
use crate::{App, SurfaceConfig};

/// A surface over one frozen world with all routes, and three of its own: `/panic`,
/// `/echo` and `/whoami`.
pub(crate) struct Bench {
    pub(crate) surface: Surface,
    hosted: Hosted,
}

impl Deref for Bench {
    type Target = Hosted;

    fn deref(&self) -> &Hosted {
        &self.hosted
    }
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with(Mode::Frozen, SurfaceConfig::default())
    }

    pub(crate) fn with(mode: Mode, config: SurfaceConfig) -> Self {
        Self::over(new_world(mode), config)
    }

    /// A surface over this world.
    pub(crate) fn over(new: NewWorld, config: SurfaceConfig) -> Self {
        let hosted = Hosted::over(new);
        let surface = Surface::new(App::new(hosted.worlds.clone(), config), routes());
        Self { surface, hosted }
    }

    /// A token of the `index`th partner, by the endpoint.
    pub(crate) async fn token(&self, index: usize) -> String {
        self.token_for(index, "").await
    }

    /// The same with the rights of `scope`.
    pub(crate) async fn token_for(&self, index: usize, scope: &str) -> String {
        let credentials = &self.world.credentials()[index];
        let form = format!(
            "grant_type=client_credentials&client_id={}&client_secret={}&scope={scope}",
            credentials.client_id,
            credentials.secret.known().expect("a secret").reveal()
        );
        let answer = self.ask(form_request(&form)).await;
        assert_eq!(answer.status, 200, "{:?}", answer.body);
        answer.body["access_token"].as_str().expect("a token").to_owned()
    }

    /// Asks, and looks whether the answer is as the description of the API has it.
    pub(crate) async fn ask(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().to_string(), request.uri().to_string());
        let answer = Answer::of(self.surface.handle(request, None).await.expect("an answer")).await;
        let body = Some(&answer.body).filter(|_| answer.header("content-type") == Some("application/json"));
        let exchange = Exchange { method: &method, path: &path, request: None, status: answer.status, answer: body };
        assert_eq!(exchange.fault(), None);
        answer
    }
}

fn routes() -> Router<App> {
    crate::planes::router::router()
        .route("/panic", get(panicking))
        .route("/echo", post(echo))
        .route("/whoami", get(whoami))
        .fallback(|| async { wire::error::ApiError::not_found("there is nothing here") })
}

async fn panicking() -> StatusCode {
    panic!("as intended")
}

async fn whoami(caller: crate::http::auth::Caller) -> String {
    caller.partner.to_string()
}

async fn echo(
    axum::extract::State(app): axum::extract::State<App>,
    request: axum::extract::Request,
) -> Result<bytes::Bytes, wire::error::ApiError> {
    crate::http::body::read(request.into_body(), app.limits.body_bytes, app.limits.body).await
}

/// An answer, read whole.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) async fn of(response: axum::response::Response) -> Self {
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("a body").to_bytes();
        let text = || Value::String(String::from_utf8_lossy(&bytes).into_owned());
        let body = serde_json::from_slice(&bytes).unwrap_or_else(|_| text());
        Self { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("text"))
    }
}

pub(crate) fn form_request(form: &str) -> Request<Body> {
    Request::post("/v2/partner/auth/token")
        .header("host", "localhost")
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from(form.to_owned()))
        .expect("a request")
}

/// A request with a bearer token and, where given, a JSON body.
pub(crate) fn request(method: Method, path: &str, token: Option<&str>, body: Option<&Value>) -> Request<Body> {
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
