//! Both sides of a pair: the demo world behind its whole surface, and a bare axum route that answers the same bytes.
//!
//! Standing clock, one funded account, no sockets. The requests of both sides are the same but for their paths; the bare
//! POST parses the same body.

#![allow(dead_code, reason = "every bench uses its own part")]

use crate::load::request;
use axum::Router;
use axum::body::Body;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{Method, Request};
use axum::routing::{get, post};
use bytes::Bytes;
use feed::transport::TransportClock;
use hosting::secrets::ServerKey;
use hosting::setup;
use hosting::worlds::{NewWorld, WorldOrigin, Worlds};
use sandbox::app;
use serde_json::{Value, json};
use std::sync::Arc;
use surface::{Surface, SurfaceConfig};
use testing::Now as _;

/// The fund that orders buy: open to everybody, in kronor.
pub const FUND: &str = "SE0SBX000016SEK";
/// When worlds start: a Monday morning.
pub const START: &str = "2026-03-02T08:00:00+01:00";

/// The body that the bare route reads.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "reading it is the work")]
struct Order {
    account: String,
    order_type: String,
    instrument: String,
    amount: serde_json::Number,
    client_ref: String,
}

/// One request as both sides get it.
#[derive(Clone)]
pub struct Pair {
    /// For the bare route.
    pub bare: Vec<u8>,
    /// For fundsim.
    pub ours: Vec<u8>,
}

/// A served world and its counterpart.
pub struct Sides {
    /// fundsim.
    pub surface: Surface,
    /// The bare routes: `GET /account` and `POST /order`, and a receiver of callbacks.
    pub bare: Router,
    /// The partner's token.
    pub token: String,
    /// The client of the funded account.
    pub client: String,
    /// Reads the account.
    pub get: Pair,
    /// Places an order.
    pub post: Pair,
}

impl Sides {
    /// A world whose transport clock is `clock`, with one client's account opened and funded.
    pub async fn new(clock: TransportClock) -> Self {
        let worlds = Worlds::new(ServerKey::fixed(&[7; 32]), clock);
        let start = sim::time::Instant::parse(START).expect("an instant");
        let origin = WorldOrigin { setup: Arc::new(setup::demo()), seed: sim::rng::Seed(42), start };
        let new = NewWorld::frozen(origin);
        let made = worlds.make(new).now().expect("the demo world is sound");
        let first = &made.identity.credentials()[0];
        let credentials = json!({
            "grant_type": "client_credentials",
            "client_id": first.client_id.to_string(),
            "client_secret": first.secret.known().expect("a secret").reveal(),
        });
        let surface = app(worlds, SurfaceConfig::default());
        let (token, _) = ask(&surface, Method::POST, "/v2/partner/auth/token", "", Some(&credentials)).await;
        let token = text(&token["access_token"]);
        let (clients, _) = ask(&surface, Method::GET, "/v2/partner/client", &token, None).await;
        let client = text(&clients[0]["id"]);
        let opening = json!({
            "clientId": client, "accountType": "depot", "cash": 900_000_000_000_u64,
            "positions": [{"instrument": FUND, "units": 10}],
        });
        let (account, _) = ask(&surface, Method::POST, "/simulations/account", &token, Some(&opening)).await;
        let account = text(&account["id"]);

        let order = format!(
            r#"{{"account":"{account}","orderType":"subscription","instrument":"{FUND}","amount":1000.50,"clientRef":"bench"}}"#
        );
        let read = format!("/v2/partner/client/{client}/account/{account}");
        let place = format!("/v2/partner/client/{client}/order");
        let placed = serde_json::from_str(&order).expect("JSON");
        let (_, account) = ask(&surface, Method::GET, &read, &token, None).await;
        let (_, answer) = ask(&surface, Method::POST, &place, &token, Some(&placed)).await;
        Self {
            get: Pair { bare: request("GET", "/account", &token, None), ours: request("GET", &read, &token, None) },
            post: Pair {
                bare: request("POST", "/order", &token, Some(&order)),
                ours: request("POST", &place, &token, Some(&order)),
            },
            bare: bare(account, answer, Bytes::new()),
            surface,
            token,
            client,
        }
    }

    /// Reads `path` under the client, as JSON and as bytes.
    pub async fn read(&self, path: &str) -> (Value, Bytes) {
        let path = format!("/v2/partner/client/{}/{path}", self.client);
        ask(&self.surface, Method::GET, &path, &self.token, None).await
    }
}

/// Routes that answer these bytes: `GET /account`, `POST /order`, `GET /orders`, and a receiver of callbacks.
pub fn bare(account: Bytes, order: Bytes, orders: Bytes) -> Router {
    let place = move |body: Bytes| async move {
        let read: Order = serde_json::from_slice(&body).expect("the body is an order");
        drop(read);
        ([(CONTENT_TYPE, "application/json")], order)
    };
    Router::new()
        .route("/account", get(move || async move { ([(CONTENT_TYPE, "application/json")], account) }))
        .route("/orders", get(move || async move { ([(CONTENT_TYPE, "application/json")], orders) }))
        .route("/order", post(place))
        .route("/callback", post(|| async {}))
}

/// Asks without a network, and gives the JSON of the answer with its bytes.
async fn ask(surface: &Surface, method: Method, path: &str, token: &str, body: Option<&Value>) -> (Value, Bytes) {
    let mut request = Request::builder().method(method).uri(path).header(CONTENT_TYPE, "application/json");
    if !token.is_empty() {
        request = request.header(AUTHORIZATION, format!("Bearer {token}"));
    }
    let request = request.body(body.map_or_else(Body::empty, |body| Body::from(body.to_string()))).expect("a request");
    let answer = surface.handle(request, None).await.expect("no rule breaks the connection");
    let status = answer.status();
    let body = axum::body::to_bytes(answer.into_body(), 1 << 20).await.expect("a body");
    assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&body));
    (serde_json::from_slice(&body).expect("JSON"), body)
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}
