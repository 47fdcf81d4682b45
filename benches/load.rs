//! The one load tool of all HTTP benches: a few keep-alive connections, each with one request under way.
//!
//! Both sides of a pair are measured by the same code with the same bytes, so the tool's own cost is in both. Answers are
//! read to their end by `Content-Length` and their status is checked: a fast refusal is not a result.

#![allow(dead_code, reason = "every bench uses its own part")]

use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Connections that ask at the same time.
pub const CONNECTIONS: usize = 16;

/// Asks `request` over and over on `stream` until `until`, and counts the answers.
pub async fn ask_until<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S, request: &[u8], until: Instant) -> u64 {
    let mut answered = 0;
    let mut buffer = Vec::with_capacity(16 * 1024);
    while Instant::now() < until {
        // The clock is read once for eight requests: it must not become part of what is measured.
        for _ in 0..8 {
            ask(&mut stream, request, &mut buffer).await;
            answered += 1;
        }
    }
    answered
}

/// Asks `request` `times` times on `stream`.
pub async fn ask_times<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S, request: &[u8], times: u64) {
    let mut buffer = Vec::with_capacity(16 * 1024);
    for _ in 0..times {
        ask(&mut stream, request, &mut buffer).await;
    }
}

/// One request and its whole answer, whose body begins in `buffer` where the return value says.
///
/// # Panics
/// When the answer is not a 200 or the connection ends: the pair would not be comparable.
pub async fn ask<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut S, request: &[u8], buffer: &mut Vec<u8>) -> usize {
    stream.write_all(request).await.expect("the request is taken");
    buffer.clear();
    let mut body_at = 0;
    let mut wanted = usize::MAX;
    while buffer.len() < wanted {
        let read = stream.read_buf(buffer).await.expect("the answer comes");
        assert!(read > 0, "the connection ended in the middle of {:?}", String::from_utf8_lossy(buffer));
        if body_at == 0
            && let Some(end) = find(buffer, b"\r\n\r\n")
        {
            body_at = end + 4;
            let head = std::str::from_utf8(&buffer[..end]).expect("headers are text");
            assert!(head.starts_with("HTTP/1.1 200"), "{head}\n{}", String::from_utf8_lossy(&buffer[body_at..]));
            wanted = body_at + content_length(head);
        }
    }
    body_at
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}

fn content_length(head: &str) -> usize {
    head.lines()
        .find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().expect("a length"))
        })
        .expect("answers carry their length")
}

/// The bytes of one request.
pub fn request(method: &str, path: &str, token: &str, body: Option<&str>) -> Vec<u8> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n");
    if !token.is_empty() {
        text.push_str(&format!("authorization: Bearer {token}\r\n"));
    }
    if let Some(body) = body {
        text.push_str(&format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len()));
    }
    text.push_str("\r\n");
    text.push_str(body.unwrap_or_default());
    text.into_bytes()
}

/// The bytes of a form that is sent to `path`.
pub fn form(path: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let kind = "application/x-www-form-urlencoded";
    format!("POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n{body}")
        .into_bytes()
}

/// One connection, for what is asked once.
pub struct Exchange(tokio::net::TcpStream);

impl Exchange {
    /// A connection with `address`.
    pub async fn with(address: SocketAddr) -> Self {
        Self(connect(address).await)
    }

    /// The JSON of the answer to `request`, with its text.
    pub async fn ask(&mut self, request: &[u8]) -> (serde_json::Value, String) {
        let mut buffer = Vec::new();
        let body = ask(&mut self.0, request, &mut buffer).await;
        let text = String::from_utf8(buffer.split_off(body)).expect("text");
        (serde_json::from_str(&text).expect("JSON"), text)
    }
}

/// Requests per second of one side, measured over `time` on loopback.
pub async fn rate(address: SocketAddr, request: &[u8], time: Duration) -> f64 {
    per_second(time, |_, until| {
        let request = request.to_vec();
        tokio::spawn(async move { ask_until(connect(address).await, &request, until).await })
    })
    .await
}

/// As `rate`, while one connection sends `change` and is not counted: connections are served in turn, so each of them
/// reads something that has changed since it read last.
pub async fn rate_amid(address: SocketAddr, request: &[u8], change: &[u8], time: Duration) -> f64 {
    per_second(time, |connection, until| {
        let changes = connection == 0;
        let request = if changes { change.to_vec() } else { request.to_vec() };
        tokio::spawn(async move {
            let answered = ask_until(connect(address).await, &request, until).await;
            if changes { 0 } else { answered }
        })
    })
    .await
}

/// Journeys per second that are created and completed by lever, each an account that is opened.
pub async fn journeys(address: SocketAddr, client: &str, token: &str, callback: &str, time: Duration) -> f64 {
    let body = format!(
        r#"{{"journey":{{"journeyType":"createAccount","accountTypes":["depot"],"accountServiceType":"executionOnly","accountCategories":["retail"]}},"callbackUrl":"{callback}"}}"#
    );
    let create = request("POST", &format!("/v2/partner/client/{client}/journey"), token, Some(&body));
    per_second(time, |_, until| {
        let (create, token) = (create.clone(), token.to_owned());
        tokio::spawn(async move { walk_until(connect(address).await, &create, &token, until).await })
    })
    .await
}

async fn connect(address: SocketAddr) -> tokio::net::TcpStream {
    let stream = tokio::net::TcpStream::connect(address).await.expect("the server listens");
    stream.set_nodelay(true).expect("a socket option");
    stream
}

/// What all connections together do in a second.
async fn per_second(time: Duration, start: impl Fn(usize, Instant) -> tokio::task::JoinHandle<u64>) -> f64 {
    let begin = Instant::now();
    let mut asking = Vec::new();
    for connection in 0..CONNECTIONS {
        asking.push(start(connection, begin + time));
    }
    let mut done = 0;
    for asker in asking {
        done += asker.await.expect("an asker ends");
    }
    done as f64 / begin.elapsed().as_secs_f64()
}

/// Creates journeys and completes them one after the other until `until`, and counts them.
async fn walk_until<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    create: &[u8],
    token: &str,
    until: Instant,
) -> u64 {
    let mut walked = 0;
    let mut buffer = Vec::with_capacity(16 * 1024);
    while Instant::now() < until {
        let body = ask(&mut stream, create, &mut buffer).await;
        let journey: serde_json::Value = serde_json::from_slice(&buffer[body..]).expect("JSON");
        let id = journey["id"].as_str().expect("an id");
        let complete = request("POST", &format!("/simulations/journey/{id}/complete"), token, Some("{}"));
        ask(&mut stream, &complete, &mut buffer).await;
        walked += 1;
    }
    walked
}

/// The middle of some figures.
pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// One line of a report: both medians, and the median of the ratios of pairs measured one after the other.
pub fn report(what: &str, pairs: &[(f64, f64)], wanted: Option<f64>) {
    let bare = median(pairs.iter().map(|pair| pair.0).collect());
    let ours = median(pairs.iter().map(|pair| pair.1).collect());
    let ratio = median(pairs.iter().map(|pair| pair.1 / pair.0).collect());
    let verdict = wanted.map_or_else(String::new, |wanted| {
        format!(" (at least {wanted}: {})", if ratio >= wanted { "holds" } else { "DOES NOT HOLD" })
    });
    println!("{what:<31} bare {bare:>9.0}/s   fundsim {ours:>9.0}/s   ratio {ratio:.3}{verdict}");
}
