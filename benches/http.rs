//! GET account and POST order over loopback, against a bare axum route that answers the same bytes.
//!
//! Standing clock, funded accounts, no sockets. Each side runs on a thread of its own with a single-threaded runtime, the
//! load tool on another; pairs are interleaved and the median of their ratios counts. `cargo bench --bench http`.

#![allow(clippy::print_stdout, reason = "a bench prints its report")]
#![allow(missing_docs, reason = "a bench has no readers of its items")]

#[path = "load.rs"]
mod load;

use axum::http::header::CONTENT_TYPE;
use axum::routing::{get, post};
use bytes::Bytes;
use load::{rate, report, request};
use sandbox::clock::Mode;
use sandbox::secrets::ServerKey;
use sandbox::setup;
use sandbox::transport::TransportClock;
use sandbox::worlds::{NewWorld, Origin, Worlds};
use sandbox::{SurfaceConfig, app, serve, server};
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// Pairs a figure is the median of.
const PAIRS: usize = 9;
/// How long each side of a pair is asked.
const TIME: Duration = Duration::from_millis(1_500);
/// Time for caches, branch predictors and the allocator to settle.
const WARM_UP: Duration = Duration::from_millis(500);
/// The fund that orders buy: open to everybody, in kronor.
const FUND: &str = "SE0SBX000016SEK";

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

/// Runs `serving` on a thread of its own and returns where it listens.
fn on_a_thread<F, Fut>(name: &str, serving: F) -> SocketAddr
where
    F: FnOnce(tokio::net::TcpListener) -> Fut + Send + 'static,
    Fut: Future<Output = ()>,
{
    let (tell, told) = mpsc::channel();
    let serving_thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
            tell.send(listener.local_addr().expect("an address")).expect("somebody asks");
            serving(listener).await;
        });
    });
    drop(serving_thread.expect("a thread"));
    told.recv().expect("the server starts")
}

fn fundsim() -> (SocketAddr, Credentials) {
    let worlds =
        Worlds::new(ServerKey::fixed(&[7; 32]), TransportClock::starting_at(Duration::from_secs(1_772_400_000)));
    let start = sim::time::Instant::parse("2026-03-02T08:00:00+01:00").expect("an instant");
    let origin = Origin { setup: Arc::new(setup::demo()), seed: sim::rng::Seed(42), start };
    let made = worlds
        .make(NewWorld { name: None, origin, mode: Mode::Frozen, settings: Default::default() })
        .expect("the demo world is sound");
    let first = &made.credentials()[0];
    let credentials = Credentials { id: first.client_id.to_string(), secret: first.secret.reveal().to_owned() };
    let address = on_a_thread("fundsim", move |listener| {
        serve(server::tcp(listener), app(worlds, SurfaceConfig::default()), std::future::pending())
    });
    (address, credentials)
}

struct Credentials {
    id: String,
    secret: String,
}

fn bare(account: Bytes, order: Bytes) -> SocketAddr {
    let router = axum::Router::new()
        .route("/account", get(move || async move { ([(CONTENT_TYPE, "application/json")], account) }))
        .route(
            "/order",
            post(move |body: Bytes| async move {
                let read: Order = serde_json::from_slice(&body).expect("the body is an order");
                drop(read);
                ([(CONTENT_TYPE, "application/json")], order)
            }),
        );
    on_a_thread("bare", move |listener| async move {
        axum::serve(server::tcp(listener), router).await.expect("it serves");
    })
}

/// Sends one request and gives the JSON of its answer, with its bytes.
async fn ask(address: SocketAddr, request: &[u8]) -> (Value, Bytes) {
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("the server listens");
    let closing = String::from_utf8(request.to_vec()).expect("text").replacen("\r\n", "\r\nconnection: close\r\n", 1);
    stream.write_all(closing.as_bytes()).await.expect("the request is taken");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("the answer comes");
    let at = answer.windows(4).position(|window| window == b"\r\n\r\n").expect("a header") + 4;
    let head = String::from_utf8_lossy(&answer[..at]).into_owned();
    assert!(head.starts_with("HTTP/1.1 200"), "{head}{}", String::from_utf8_lossy(&answer[at..]));
    let body = Bytes::copy_from_slice(&answer[at..]);
    (serde_json::from_slice(&body).expect("JSON"), body)
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let (ours, credentials) = fundsim();
    let body = format!(
        r#"{{"grant_type":"client_credentials","client_id":"{}","client_secret":"{}"}}"#,
        credentials.id, credentials.secret
    );
    let (token, _) = ask(ours, &request("POST", "/v2/partner/auth/token", "", Some(&body))).await;
    let token = text(&token["access_token"]);
    let (clients, _) = ask(ours, &request("GET", "/v2/partner/client", &token, None)).await;
    let client = text(&clients[0]["id"]);
    let body = format!(
        r#"{{"clientId":"{client}","accountType":"depot","cash":900000000000,"positions":[{{"instrument":"{FUND}","units":10}}]}}"#
    );
    let (account, _) = ask(ours, &request("POST", "/simulations/account", &token, Some(&body))).await;
    let account = text(&account["id"]);

    let get = request("GET", &format!("/v2/partner/client/{client}/account/{account}"), &token, None);
    let body = format!(
        r#"{{"account":"{account}","orderType":"subscription","instrument":"{FUND}","amount":1000.50,"clientRef":"bench"}}"#
    );
    let post = request("POST", &format!("/v2/partner/client/{client}/order"), &token, Some(&body));
    let (_, account_bytes) = ask(ours, &get).await;
    let (_, order_bytes) = ask(ours, &post).await;
    println!("GET account answers {} bytes, POST order {} bytes", account_bytes.len(), order_bytes.len());
    let bare = bare(account_bytes, order_bytes);
    let bare_get = request("GET", "/account", &token, None);
    let bare_post = request("POST", "/order", &token, Some(&body));

    for (what, bare_request, our_request, wanted) in
        [("GET account, loopback", bare_get, get, 0.85), ("POST order, loopback", bare_post, post, 0.6)]
    {
        rate(bare, &bare_request, WARM_UP).await;
        rate(ours, &our_request, WARM_UP).await;
        let mut pairs = Vec::new();
        for _ in 0..PAIRS {
            pairs.push((rate(bare, &bare_request, TIME).await, rate(ours, &our_request, TIME).await));
        }
        report(what, &pairs, wanted);
    }
}
