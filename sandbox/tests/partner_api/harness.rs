//! The demo world of seed 42, standing on a Monday morning, and a partner's hands.

use crate::conformance::Exchange;
use axum::body::Body;
use axum::http::{Method, Request, header};
use feed::transport::{SurfaceSettings, TransportClock};
use hosting::secrets::ServerKey;
use hosting::setup;
use hosting::setup::SurfaceSetup;
use hosting::worlds::{NewWorld, WorldHandle, WorldOrigin, Worlds};
use http_body_util::BodyExt as _;
use serde_json::Value;
use sim::digest::Digest;
use sim::rng::Seed;
use sim::time::Instant;
use std::sync::Arc;
use std::time::Duration;
use surface::{Surface, SurfaceConfig};
use testing::Now as _;

/// The first partner's clients, and the second partner's only one.
pub(crate) const CLIENTS: [&str; 3] = [
    "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
    "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f02",
    "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f03",
];
/// An id that names nothing.
pub(crate) const NOBODY: &str = "00000000-0000-4000-8000-00000000dead";
/// The plain fund.
pub(crate) const FUND: &str = "SE0SBX000016SEK";
/// Monday 2 March 2026, 08:00 in Stockholm.
const START: &str = "2026-03-02T07:00:00Z";

/// A surface over the demo world, with a token of each partner.
pub(crate) struct Api {
    surface: Surface,
    pub(crate) world: Arc<WorldHandle>,
    tokens: Vec<String>,
}

/// An answer, read whole.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) content_type: String,
    pub(crate) text: String,
}

/// A tree as indented text.
pub(crate) fn pretty(tree: &Value) -> String {
    serde_json::to_string_pretty(tree).expect("JSON")
}

impl Answer {
    /// The body as a tree.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The body of a 200, indented; digits and the order of keys are as they came.
    pub(crate) fn pretty(&self) -> String {
        pretty(&self.ok())
    }

    /// The body of a 200 as a tree (rule: wire/success).
    pub(crate) fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        assert_eq!(self.content_type, "application/json");
        self.json()
    }

    /// Checks a refusal: its status, its word and its whole description.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, error: &str, description: &str) {
        let body = self.json();
        assert_eq!((self.status, body["error"].as_str()), (status, Some(error)), "{self:?}");
        assert_eq!(body["error_description"], description);
        assert_eq!(self.content_type, "application/json");
    }
}

impl Api {
    pub(crate) async fn new() -> Self {
        Self::with(SurfaceSettings::default()).await
    }

    pub(crate) async fn with(settings: SurfaceSettings) -> Self {
        Self::over(setup::demo(), settings).await
    }

    /// A world whose tunables differ from the demo world's.
    pub(crate) async fn new_in(change: impl FnOnce(&mut sim::settings::Settings)) -> Self {
        let mut setup = setup::demo();
        change(&mut setup.settings);
        Self::over(setup, SurfaceSettings::default()).await
    }

    /// The demo world, changed before it begins.
    pub(crate) async fn of(change: impl FnOnce(&mut sim::setup::Setup)) -> Self {
        let mut setup = setup::demo();
        change(&mut setup);
        Self::over(setup, SurfaceSettings::default()).await
    }

    async fn over(setup: sim::setup::Setup, settings: SurfaceSettings) -> Self {
        let start = Instant::parse(START).expect("an instant");
        let epoch = Duration::from_millis(start.ms().unsigned_abs());
        let worlds = Worlds::new(ServerKey::fixed(&[7; 32]), TransportClock::starting_at(epoch));
        let origin = WorldOrigin { setup: Arc::new(setup), seed: Seed(42), start };
        let surface = SurfaceSetup { settings, ..SurfaceSetup::default() };
        let world = worlds.make(NewWorld { surface, ..NewWorld::frozen(origin) }).now().expect("a world");
        let surface = sandbox::app(worlds, SurfaceConfig::default());
        let mut api = Self { surface, world, tokens: Vec::new() };
        for partner in 0..2 {
            let token = api.issue(partner, "").await;
            api.tokens.push(token);
        }
        api
    }

    /// What is behind the routes, to be served over a connection.
    pub(crate) fn surface(&self) -> Surface {
        self.surface.clone()
    }

    /// The token that a partner was given first.
    pub(crate) fn first_token(&self, partner: usize) -> &str {
        &self.tokens[partner]
    }

    /// A fresh token of a partner.
    pub(crate) async fn issue(&self, partner: usize, scope: &str) -> String {
        let credentials = &self.world.identity.credentials()[partner];
        let (id, secret) = (credentials.client_id, credentials.secret.known().expect("a secret").reveal());
        let form = format!("grant_type=client_credentials&client_id={id}&client_secret={secret}&scope={scope}");
        let request = Request::post("/v2/partner/auth/token")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from(form))
            .expect("a request");
        self.send(request).await.ok()["access_token"].as_str().expect("a token").to_owned()
    }

    /// Asks, and looks whether the answer is as the description of the API has it.
    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().to_string(), request.uri().to_string());
        let answer = self.answered(request).await;
        let json = (answer.content_type == "application/json").then(|| answer.json());
        let exchange =
            Exchange { method: &method, path: &path, request: None, status: answer.status, answer: json.as_ref() };
        assert_eq!(exchange.fault(), None);
        answer
    }

    async fn answered(&self, request: Request<Body>) -> Answer {
        let (parts, body) = self.surface.handle(request, None).await.expect("an answer").into_parts();
        let bytes = body.collect().await.expect("a body").to_bytes();
        let content_type = parts.headers.get(header::CONTENT_TYPE).map_or("", |value| value.to_str().expect("text"));
        Answer {
            status: parts.status.as_u16(),
            content_type: content_type.to_owned(),
            text: String::from_utf8(bytes.to_vec()).expect("UTF-8"),
        }
    }

    /// Content type and bytes of a 200 that is no text.
    pub(crate) async fn download(&self, path: &str, languages: &'static str) -> (String, Vec<u8>) {
        let mut request = self.request(Method::GET, path, Body::empty());
        request.headers_mut().insert(header::ACCEPT_LANGUAGE, header::HeaderValue::from_static(languages));
        let (parts, body) = self.surface.handle(request, None).await.expect("an answer").into_parts();
        assert_eq!(parts.status, 200);
        let content_type = parts.headers[header::CONTENT_TYPE].to_str().expect("text").to_owned();
        (content_type, body.collect().await.expect("a body").to_bytes().to_vec())
    }

    /// A request of the first partner.
    pub(crate) fn request(&self, method: Method, path: &str, body: Body) -> Request<Body> {
        self.request_of(0, method, path, body)
    }

    /// A request of a partner. A path that does not begin with a slash is under its first client.
    pub(crate) fn request_of(&self, partner: usize, method: Method, path: &str, body: Body) -> Request<Body> {
        let client = CLIENTS[partner * 2];
        let path = match path.strip_prefix('/') {
            Some(_) => path.to_owned(),
            None => format!("/v2/partner/client/{client}/{path}"),
        };
        Request::builder()
            .method(method)
            .uri(path)
            .header(header::AUTHORIZATION, format!("Bearer {}", self.tokens[partner]))
            .header(header::CONTENT_TYPE, "application/json")
            .body(body)
            .expect("a request")
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path, Body::empty())).await
    }

    pub(crate) async fn get_as(&self, partner: usize, path: &str) -> Answer {
        self.send(self.request_of(partner, Method::GET, path, Body::empty())).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.send(self.request(Method::DELETE, path, Body::empty())).await
    }

    pub(crate) async fn patch(&self, path: &str, body: impl ToString) -> Answer {
        self.send(self.request(Method::PATCH, path, Body::from(body.to_string()))).await
    }

    pub(crate) async fn post(&self, path: &str, body: impl ToString) -> Answer {
        self.send(self.request(Method::POST, path, Body::from(body.to_string()))).await
    }

    /// Lets the world's clock run to an instant.
    pub(crate) async fn advance_to(&self, instant: &str) {
        let body = serde_json::json!({ "to": instant });
        let answer = self.post("/_sandbox/worlds/current/clock/advance", body).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }

    pub(crate) fn digest(&self) -> Digest {
        self.world.read(sim::World::digest).expect("a world")
    }

    /// The id of the `index`th account of the first client: 0 Astrid's ISK, 1 her depot, 2 an ISK with 100,000.00 and
    /// nothing else, 3 an insurance, 4 a foundation's depot.
    pub(crate) async fn account(&self, index: usize) -> String {
        self.get("account").await.ok()[index]["id"].as_str().expect("an id").to_owned()
    }

    /// Subscribes for the third account and answers the order's id.
    pub(crate) async fn subscribe(&self, amount: &str) -> String {
        let account = self.account(2).await;
        let body =
            format!(r#"{{"account":"{account}","orderType":"subscription","instrument":"{FUND}","amount":{amount}}}"#);
        self.post("order", body).await.ok()["id"].as_str().expect("an id").to_owned()
    }
}
