//! What a server that is no fundsim is asked before anything is played on it, and how it is asked while it is busy.
//!
//! Invariant: nothing is changed on the server, and each question is put once, apart from what a busy server is asked again.
//! Absent on purpose: judging; what cannot be asked at all is reported in one line.

use super::target::Target;
use super::{Driver, From, NoAnswer, Request, Response, live};
use crate::foreign::{Foreign, Levers, chapter_of_request};
use bytes::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use hyper::{HeaderMap, Method};
use serde_json::Value as Json;
use std::time::Duration;

/// Statuses of a server that may well answer in a while.
const BUSY: &[u16] = &[429, 500, 502, 503, 504];
/// How often it is asked then, in all.
const MOST_TRIES: usize = 5;
/// Between two tries, unless the server says how long.
const PAUSE: Duration = Duration::from_millis(500);
/// Most of what it can say.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// How long a socket may take to close.
const CLOSE: Duration = Duration::from_secs(2);

/// Statuses by which a server, or a gateway before it, says that it has no levers.
const NO_LEVERS: &[u16] = &[401, 403, 404, 405, 501];

/// The lever that opens accounts.
pub const OPEN_ACCOUNT: &str = "/simulations/account";

/// Asks until the answer is not that the server is busy.
///
/// # Errors
/// When there is no answer.
pub async fn patiently(driver: &mut dyn Driver, request: Request) -> Result<Response, NoAnswer> {
    let mut tries = 1;
    loop {
        let answer = driver.call(request.clone()).await?;
        if !BUSY.contains(&answer.status) || tries == MOST_TRIES {
            return Ok(answer);
        }
        tries += 1;
        let seconds = answer.headers.get(RETRY_AFTER).and_then(|seconds| seconds.to_str().ok()?.trim().parse().ok());
        tokio::time::sleep(seconds.map_or(PAUSE, Duration::from_secs).min(LONGEST_PAUSE)).await;
    }
}

/// A question of a partner.
#[must_use]
pub fn question(path: &str, token: Option<&str>) -> Request {
    let mut headers = HeaderMap::new();
    if let Some(token) = token.and_then(|token| HeaderValue::from_str(&format!("Bearer {token}")).ok()) {
        headers.insert(AUTHORIZATION, token);
    }
    Request { from: From::Elsewhere, method: Method::GET, path: path.to_owned(), headers, body: Bytes::new() }
}

/// The token of one of the partners that the file names.
///
/// # Errors
/// Why it gets none, in one line.
pub async fn token(driver: &mut dyn Driver, at: usize, partner: &Json) -> Result<String, String> {
    let form = form_urlencoded::Serializer::new(String::new())
        .append_pair("grant_type", "client_credentials")
        .append_pair("client_id", text(partner, "clientId"))
        .append_pair("client_secret", text(partner, "clientSecret"))
        .finish();
    let mut asked = question("/v2/partner/auth/token", None);
    asked.method = Method::POST;
    asked.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    asked.body = Bytes::from(form);
    let answer = patiently(driver, asked).await.map_err(|error| format!("partner {}: {error}", at + 1))?;
    let body: Json = serde_json::from_slice(&answer.body).unwrap_or_default();
    let token = body.get("access_token").and_then(Json::as_str).map(str::to_owned);
    token.ok_or_else(|| {
        let status = answer.status;
        format!("partner {} gets no token: POST /v2/partner/auth/token answers {status}", at + 1)
    })
}

/// Whether a server can be asked as its file says: a token for each partner, each client read, a socket; and whether it has levers.
///
/// # Errors
/// What is not as the file says, in one line.
pub fn probe(server: &Target, patience: Duration, foreign: Foreign) -> Result<Foreign, String> {
    let asked = live::run(server, None, patience, async |mut driver| look(&mut driver, foreign).await);
    asked.map_err(|error| error.to_string())?.map_err(|why| format!("{}: {why}", server.url))
}

async fn look(driver: &mut dyn Driver, foreign: Foreign) -> Result<Foreign, String> {
    let has = |chapter: &str| !foreign.without.iter().any(|without| without == chapter);
    let mut first = None;
    for (at, partner) in foreign.partners.iter().enumerate() {
        let token = token(driver, at, partner).await?;
        for client in partner.get("clients").and_then(Json::as_array).into_iter().flatten() {
            let path = format!("/v2/partner/client/{}", text(client, "id"));
            if has("Clients") {
                let read = patiently(driver, question(&path, Some(&token))).await;
                let status = read.map_err(|error| format!("{path}: {error}"))?.status;
                if status != 200 {
                    return Err(format!(
                        "partner {} cannot read its client: GET {path} answers {status}; a server without that says \"without\": \
                         [\"Clients\"]",
                        at + 1
                    ));
                }
            }
            first.get_or_insert((path, token.clone()));
        }
    }
    let (path, token) = first.ok_or_else(|| "the file names no client".to_owned())?;
    if has("Events") {
        let opened = driver.open_socket(&format!("{path}/subscribe"), question("", Some(&token)).headers).await;
        let socket = opened.map_err(|error| {
            format!("{path}/subscribe: {error}; a server without event sockets says \"without\": [\"Events\"]")
        })?;
        socket.close(CLOSE).await;
    }
    let is_without_opening = chapter_of_request("POST", OPEN_ACCOUNT).is_some_and(|chapter| !has(chapter));
    let levers =
        if is_without_opening || !has_levers(driver, &token).await? { Levers::none() } else { Levers::default() };
    Ok(Foreign { levers, ..foreign })
}

/// Whether the lever that opens accounts is there; it is asked what is no JSON, which opens none.
async fn has_levers(driver: &mut dyn Driver, token: &str) -> Result<bool, String> {
    let mut asked = question(OPEN_ACCOUNT, Some(token));
    asked.method = Method::POST;
    asked.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    asked.body = Bytes::from_static(b"{\"accountType\": ");
    let answer = driver.call(asked).await.map_err(|error| format!("{OPEN_ACCOUNT}: {error}"))?;
    Ok(!NO_LEVERS.contains(&answer.status))
}

fn text<'j>(value: &'j Json, key: &str) -> &'j str {
    value.get(key).and_then(Json::as_str).unwrap_or_default()
}
