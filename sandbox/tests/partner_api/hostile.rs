//! Whatever a caller can get wrong, over a connection and in virtual time: the specified error body, in bounded time, and
//! the world is the same as before.

use crate::harness::{Api, CLIENTS, FUND, NOBODY};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::time::Instant;

/// Longest that anything may take: an idle connection's 75 seconds, and a look every few.
const PATIENCE: Duration = Duration::from_secs(90);

/// A served surface with good requests for two routes.
struct Served {
    api: Api,
    dialer: surface::server::memory::Dialer,
    token: String,
    account: String,
    /// An account of the second partner.
    foreign: String,
}

async fn serve() -> Served {
    let api = Api::new().await;
    let (dialer, listener) = surface::server::memory::memory();
    tokio::spawn(surface::server::serve(listener, api.surface(), std::future::pending()));
    let account = api.account(2).await;
    let theirs = api.get_as(1, &format!("/v2/partner/client/{}/account", CLIENTS[2])).await.ok();
    let foreign = theirs[0]["id"].as_str().expect("an id").to_owned();
    // The first tokens die here.
    tokio::time::advance(Duration::from_secs(3_601)).await;
    let token = api.issue(0, "").await;
    Served { api, dialer, token, account, foreign }
}

/// One request, whole or not.
#[derive(Clone)]
struct Ask {
    path: String,
    token: Option<String>,
    body: Vec<u8>,
    /// Bytes that are announced and never sent.
    held_back: usize,
}

impl Ask {
    fn bytes(&self) -> Vec<u8> {
        let length = self.body.len() + self.held_back;
        let mut head = format!("POST {} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n", self.path);
        if let Some(token) = &self.token {
            head.push_str(&format!("authorization: Bearer {token}\r\n"));
        }
        head.push_str(&format!("content-length: {length}\r\nconnection: close\r\n\r\n"));
        [head.into_bytes(), self.body.clone()].concat()
    }
}

impl Served {
    fn ask(&self, route: &str, body: impl Into<Vec<u8>>) -> Ask {
        let path = format!("/v2/partner/client/{}/{route}", CLIENTS[0]);
        Ask { path, token: Some(self.token.clone()), body: body.into(), held_back: 0 }
    }

    fn order(&self) -> Value {
        json!({"account": self.account, "orderType": "subscription", "instrument": FUND, "amount": 1000, "clientRef": "?"})
    }

    fn journey(&self) -> Value {
        json!({
            "journey": {
                "journeyType": "updateAllocationPlan",
                "account": self.account,
                "allocationPlan": {"instruments": [{"instrument": FUND, "allocation": 100}]},
            },
            "callbackUrl": "http://127.0.0.1:9/callback",
            "redirectUrl": "myapp://?",
        })
    }

    /// Sends `bytes` and reads until the server closes; answers also how long that took.
    async fn send(&self, bytes: &[u8]) -> (String, Duration) {
        let mut stream = self.dialer.dial().expect("a listener");
        let start = Instant::now();
        // A server that has closed takes no more: what it answered before counts.
        stream.write_all(bytes).await.ok();
        (rest(&mut stream).await, start.elapsed())
    }

    /// Sends `bytes`, expects `status` and the error body within `PATIENCE`, and the world unchanged.
    async fn refuses(&self, what: &str, bytes: &[u8], (status, error, description): (u16, &str, &str)) {
        let before = self.api.digest();
        let (answer, took) = self.send(bytes).await;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{what}: {answer:?}"));
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{what}: {head}");
        assert!(head.contains("content-type: application/json"), "{what}: {head}");
        let body: Value = serde_json::from_str(body).unwrap_or_else(|error| panic!("{what}: {error} in {body}"));
        assert_eq!(body, json!({"error": error, "error_description": description}), "{what}");
        assert!(took <= PATIENCE, "{what} took {took:?}");
        assert_eq!(self.api.digest(), before, "{what} changed the world");
    }
}

async fn rest(stream: &mut DuplexStream) -> String {
    let mut all = Vec::new();
    stream.read_to_end(&mut all).await.expect("an end");
    String::from_utf8(all).expect("text")
}

/// `body` with the text `digits` in place of the number at `path`; none removes the field.
fn number(body: &Value, path: &str, digits: Option<&str>) -> Vec<u8> {
    let mut body = body.clone();
    let (outer, name) = path.rsplit_once('/').expect("a pointer");
    let fields = body.pointer_mut(outer).and_then(Value::as_object_mut).expect("an object");
    match digits {
        Some(digits) => drop(fields.insert(name.to_owned(), serde_json::from_str(digits).expect("JSON"))),
        None => drop(fields.shift_remove(name)),
    }
    body.to_string().into_bytes()
}

/// What is wrong with any body at all, whatever the route; `good` has a question mark in a text.
fn wrong_bodies(good: &Value) -> [(&'static str, Vec<u8>, &'static str); 5] {
    let text = good.to_string();
    let mut not_utf8 = text.clone().into_bytes();
    let at = not_utf8.iter().position(|&byte| byte == b'?').expect("a question mark");
    not_utf8[at] = 0xC3;
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    [
        ("bad UTF-8", not_utf8, "body must be UTF-8 text"),
        ("2 MiB", vec![b' '; 2 << 20], "body is larger than 1048576 bytes"),
        ("depth 10,000", deep.into_bytes(), "body must not nest more than 32 levels"),
        ("nothing", Vec::new(), "body is required"),
        ("another form", b"amount=1".to_vec(), "body must be JSON: expected value at line 1 column 1"),
    ]
}

const INVALID: &str = "invalid_request";

#[tokio::test(start_paused = true)]
async fn every_wrong_post_is_answered_with_an_error_body_and_changes_nothing() {
    let served = serve().await;
    let (order, journey) = (served.order(), served.journey());
    let (foreign, nobody) = (format!("\"{}\"", served.foreign), format!("\"{NOBODY}\""));
    let (amount, share) = ("/amount", "/journey/allocationPlan/instruments/0/allocation");
    let (account, of_journey) = ("/account", "/journey/account");
    let long = "9".repeat(90);
    let at = "journey.allocationPlan.instruments[0].allocation";
    let of_share = |problem: &str| format!("{at} {problem}");
    let sum = "journey.allocationPlan.instruments must add up to exactly 100.00 percent; the sum is -5.00";
    #[rustfmt::skip]
    let fields = [
        ("order",   "a wrong type",         number(&order, amount, Some("\"1000\"")),  "amount must be a number, not a string".to_owned()),
        ("order",   "a missing field",      number(&order, amount, None),              "amount is required".to_owned()),
        ("order",   "extra decimals",       number(&order, amount, Some("10.001")),    "amount must have at most 2 decimals".to_owned()),
        ("order",   "a negative number",    number(&order, amount, Some("-5")),        "amount must be greater than zero".to_owned()),
        ("order",   "a huge number",        number(&order, amount, Some("1e400")),     "amount is too large".to_owned()),
        ("order",   "a long number",        number(&order, amount, Some(&long)),       "amount is too large".to_owned()),
        ("order",   "an unknown id",        number(&order, account, Some(&nobody)),    "account is not known".to_owned()),
        ("order",   "another partner's id", number(&order, account, Some(&foreign)),   "account is not known".to_owned()),
        ("journey", "a wrong type",         number(&journey, share, Some("\"100\"")),  of_share("must be a number, not a string")),
        ("journey", "a missing field",      number(&journey, share, None),             of_share("is required")),
        ("journey", "extra decimals",       number(&journey, share, Some("99.999")),   of_share("must have at most 2 decimals")),
        ("journey", "a negative number",    number(&journey, share, Some("-5")),       format!("{}; {sum}", of_share("must be greater than zero"))),
        ("journey", "a huge number",        number(&journey, share, Some("1e400")),    of_share("is too large")),
        ("journey", "a long number",        number(&journey, share, Some(&long)),      of_share("is too large")),
        ("journey", "an unknown id",        number(&journey, of_journey, Some(&nobody)),  "journey.account is not known".to_owned()),
        ("journey", "another partner's id", number(&journey, of_journey, Some(&foreign)), "journey.account is not known".to_owned()),
    ];
    for (route, what, body, problem) in fields {
        let what = format!("{route}: {what}");
        served.refuses(&what, &served.ask(route, body).bytes(), (400, INVALID, &problem)).await;
    }
    for (route, good) in [("order", &order), ("journey", &journey)] {
        for (what, body, problem) in wrong_bodies(good) {
            let what = format!("{route}: {what}");
            served.refuses(&what, &served.ask(route, body).bytes(), (400, INVALID, problem)).await;
        }
        let right = served.ask(route, good.to_string());
        let stale = Some(served.api.first_token(0).to_owned());
        let elsewhere = right.path.replace(CLIENTS[0], CLIENTS[2]);
        let slow = "body did not arrive within 20 s";
        let (scope, dead) =
            ("clientId is not within the scope of this token", "the access token is not valid, or no longer");
        #[rustfmt::skip]
        let callers = [
            ("a slow body",              Ask { held_back: 1, ..right.clone() },       (400, INVALID, slow)),
            ("an expired token",         Ask { token: stale, ..right.clone() },       (401, "unauthorized", dead)),
            ("no token",                 Ask { token: None, ..right.clone() },        (401, "unauthorized", "an access token is required")),
            ("another partner's client", Ask { path: elsewhere, ..right.clone() },    (403, "forbidden", scope)),
        ];
        for (what, ask, answer) in callers {
            served.refuses(&format!("{route}: {what}"), &ask.bytes(), answer).await;
        }
        // The same request, with nothing wrong, is taken: every refusal above was for its own reason.
        let before = served.api.digest();
        let (answer, _) = served.send(&right.bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{route}: {answer}");
        assert_ne!(served.api.digest(), before);
    }
}

#[tokio::test(start_paused = true)]
async fn headers_that_cannot_be_read_or_do_not_come_end_the_connection_in_bounded_time() {
    let served = serve().await;
    let line = format!("POST /v2/partner/client/{}/order HTTP/1.1\r\n", CLIENTS[0]);
    let unreadable = (400, INVALID, "the request's header cannot be read");
    let too_large = (431, INVALID, "the request's header is larger than 32768 bytes, or has more than 100 fields");
    for (what, bytes, refusal) in [
        ("a line without a colon", format!("{line}no colon\r\n\r\n"), unreadable),
        ("no method", "\0\0\0\r\n\r\n".to_owned(), unreadable),
        ("another protocol", line.replace("1.1", "9.9") + "\r\n", unreadable),
        ("too long a line", format!("{line}a: {}\r\n\r\n", "a".repeat(40 * 1024)), too_large),
        ("too many lines", format!("{line}{}\r\n", "a: b\r\n".repeat(200)), too_large),
        ("a length that is none", format!("{line}content-length: many\r\n\r\n"), unreadable),
    ] {
        served.refuses(what, bytes.as_bytes(), refusal).await;
    }
    let before = served.api.digest();
    for bytes in ["", "POST /", &format!("{line}host: localhost\r\nauthoriz")] {
        let (answer, took) = served.send(bytes.as_bytes()).await;
        assert!(took <= PATIENCE, "{bytes:?} took {took:?}");
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{bytes:?}: {answer}");
    }
    // One byte a second gets nobody further.
    let mut stream = served.dialer.dial().expect("a listener");
    let start = Instant::now();
    for byte in format!("{line}{}", "a: b\r\n".repeat(50)).bytes() {
        if stream.write_u8(byte).await.is_err() {
            break;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    assert!(start.elapsed() <= PATIENCE, "{:?}", start.elapsed());
    assert_eq!(served.api.digest(), before);
}
