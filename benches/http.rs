//! What `fundsim serve` serves, beside a bare axum route that answers the same bytes: an account that orders change between
//! reads, an order, a list of a hundred orders, and journeys against the bare POST.
//!
//! Both are programs of their own with the same runtime and allocator. The server is as it starts: a line of its log for each
//! request (in a file), the request log and the recording; only its clock stands still. Pairs are interleaved and the median of
//! their ratios counts. `cargo bench --bench http`; after `--`, the name of a row measures that row alone.

#![allow(clippy::print_stdout, reason = "a bench prints its report, and the bare server where it listens")]
#![allow(missing_docs, reason = "a bench has no readers of its items")]

#[path = "load.rs"]
mod load;
#[path = "served.rs"]
mod served;

use load::{Exchange, journeys, rate, rate_amid, report, request};
use serde_json::{Value, json};
use served::{FUND, START, bare};
use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Pairs a figure is the median of.
const PAIRS: usize = 9;
/// How long each side of a pair is asked.
const TIME: Duration = Duration::from_millis(1_500);
/// Time for caches, branch predictors and the allocator to settle.
const WARM_UP: Duration = Duration::from_millis(500);
/// Says that this program is to be the bare server.
const BARE: &str = "--bare-server";

/// A server that ends with this value.
struct Server {
    process: Child,
    address: SocketAddr,
    /// The line it printed when it was ready.
    ready: Value,
}

impl Server {
    /// Starts `command`, which prints where it listens, and gives it `input`.
    fn start(command: &mut Command, input: &[u8]) -> Self {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the server starts");
        process.stdin.take().expect("its input").write_all(input).expect("it reads");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let ready: Value = serde_json::from_str(&line).expect("JSON");
        let address = ready["url"].as_str().and_then(|url| url.strip_prefix("http://")).expect("a URL");
        Self { address: address.parse().expect("an address"), process, ready }
    }

    /// `fundsim serve`, whose log goes to a file.
    fn fundsim() -> Self {
        let log = File::create(concat!(env!("CARGO_TARGET_TMPDIR"), "/http-bench.log")).expect("a file for the log");
        let flags = ["serve", "--listen", "127.0.0.1:0", "--seed", "42", "--start", START, "--clock", "frozen"];
        let mut command = Command::new(env!("CARGO_BIN_EXE_fundsim"));
        Self::start(command.args(flags).args(["--output", "json"]).stderr(log), b"")
    }

    /// This program as the bare server of these answers.
    fn bare(answers: &Value) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        Self::start(command.arg(BARE), answers.to_string().as_bytes())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        self.process.kill().unwrap_or_default();
        self.process.wait().expect("it ends");
    }
}

/// Serves the answers that come as JSON on standard input.
#[tokio::main]
async fn serve_bare() {
    let answers: Value = serde_json::from_reader(std::io::stdin()).expect("the answers");
    let text = |name: &str| answers[name].as_str().expect("a text").to_owned();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("{}", json!({ "url": format!("http://{}", listener.local_addr().expect("an address")) }));
    axum::serve(listener, bare(text("account").into(), text("order").into(), text("orders").into()))
        .await
        .expect("it serves");
}

/// A pair of requests, for the bare server and for fundsim.
struct Pair {
    bare: Vec<u8>,
    ours: Vec<u8>,
}

fn main() {
    if std::env::args().any(|argument| argument == BARE) {
        serve_bare();
    } else {
        measure();
    }
}

#[tokio::main(flavor = "current_thread")]
async fn measure() {
    let named: Vec<_> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let is_wanted = |row: &str| named.is_empty() || named.iter().any(|name| row.contains(name.as_str()));

    let fundsim = Server::fundsim();
    let ours = fundsim.address;
    let partner = &fundsim.ready["partners"][0];
    let client = text(&partner["clients"][0]["id"]);
    let mut exchange = Exchange::with(ours).await;
    let credentials = format!(
        "grant_type=client_credentials&client_id={}&client_secret={}",
        text(&partner["clientId"]),
        text(&partner["clientSecret"])
    );
    let (granted, _) = exchange.ask(&load::form("/v2/partner/auth/token", &credentials)).await;
    let token = text(&granted["access_token"]);
    let opening = json!({
        "clientId": client, "accountType": "depot", "cash": 900_000_000_000_u64,
        "positions": [{"instrument": FUND, "units": 10}],
    });
    let opening = request("POST", "/simulations/account", &token, Some(&opening.to_string()));
    let account = text(&exchange.ask(&opening).await.0["id"]);
    let order = format!(
        r#"{{"account":"{account}","orderType":"subscription","instrument":"{FUND}","amount":1000.50,"clientRef":"bench"}}"#
    );

    let path = format!("/v2/partner/client/{client}");
    let get = request("GET", &format!("{path}/account/{account}"), &token, None);
    let post = request("POST", &format!("{path}/order"), &token, Some(&order));
    let list = request("GET", &format!("{path}/order?limit=100"), &token, None);
    let (_, account_bytes) = exchange.ask(&get).await;
    let (_, order_bytes) = exchange.ask(&post).await;
    for _ in 1..100 {
        exchange.ask(&post).await;
    }
    let (_, orders_bytes) = exchange.ask(&list).await;
    let bare_server = Server::bare(&json!({ "account": account_bytes, "order": order_bytes, "orders": orders_bytes }));
    let bare = bare_server.address;
    let get = Pair { bare: request("GET", "/account", &token, None), ours: get };
    let post = Pair { bare: request("POST", "/order", &token, Some(&order)), ours: post };
    let list = Pair { bare: request("GET", "/orders", &token, None), ours: list };

    for (what, pair, changes, wanted) in [
        ("list of 100 orders", &list, None, 0.6),
        ("GET changing account", &get, Some(&post), 0.75),
        ("POST order", &post, None, 0.7),
    ] {
        if !is_wanted(what) {
            continue;
        }
        let side = async |address, request: &[u8], change: Option<&Vec<u8>>, time| match change {
            Some(change) => rate_amid(address, request, change, time).await,
            None => rate(address, request, time).await,
        };
        let bare_side = async |time| side(bare, &pair.bare, changes.map(|pair| &pair.bare), time).await;
        let our_side = async |time| side(ours, &pair.ours, changes.map(|pair| &pair.ours), time).await;
        bare_side(WARM_UP).await;
        our_side(WARM_UP).await;
        let mut pairs = Vec::new();
        for _ in 0..PAIRS {
            pairs.push((bare_side(TIME).await, our_side(TIME).await));
        }
        report(what, &pairs, Some(wanted));
    }

    if is_wanted("journeys created and completed") {
        let callback = format!("http://{bare}/callback");
        let mut pairs = Vec::new();
        journeys(ours, &client, &token, &callback, WARM_UP).await;
        for _ in 0..PAIRS {
            let figure = journeys(ours, &client, &token, &callback, TIME).await;
            pairs.push((rate(bare, &post.bare, TIME).await, figure));
        }
        // Two requests, an account opened and a callback delivered: nothing to hold it to.
        report("journeys created and completed", &pairs, None);
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}
