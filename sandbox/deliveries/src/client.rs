//! One attempt to deliver: connect, post, read the answer, within one bound of time and one of bytes.
//!
//! Owns: everything a receiver could do to its sender, which is nothing: it cannot make the sender wait longer than the
//! timeout, read more than the cap, go elsewhere, or try again unseen.
//! Invariant: one attempt is one connection, closed when the attempt ends. An answer counts when it was read to its end or
//! to the cap; one that breaks off is none. Absent on purpose: cookies, redirects, kept connections, compressed answers.

use std::error::Error;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::http::header::{CONNECTION, CONTENT_TYPE, HeaderValue, RETRY_AFTER, USER_AGENT};
use axum::http::{HeaderMap, Method, Request, Uri};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::{self, connect::Connect};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::ClientConfig;

use super::connector::{Connector, Dialler};
use super::egress::Egress;
use super::notification::Notification;
use super::outcome::{AttemptOutcome, Ended, Failure};
use crate::signature::{self, SigningKey};
use crate::trust::{self, Trust};

/// Around connecting, sending and reading the whole answer (rule: events/delivery-retries).
pub const TIMEOUT: Duration = Duration::from_secs(10);
/// Bytes of an answer's body that are read; what follows is not waited for.
pub const MOST_READ: usize = 64 * 1024;
/// Bytes of an answer's head that are read.
const MOST_HEAD: usize = 64 * 1024;
/// Longest wait that a receiver may ask for (rule: events/delivery-retries).
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);
/// The method of every message.
pub const METHOD: Method = Method::POST;
/// Shown to receivers.
const AGENT: &str = concat!("fundsim/", env!("CARGO_PKG_VERSION"));

type Plain = legacy::Client<Dialler, Full<Bytes>>;
type Secure = legacy::Client<HttpsConnector<Dialler>, Full<Bytes>>;

/// Posts notifications. Clones share what they hold.
#[derive(Clone)]
pub struct Client {
    dialler: Dialler,
    plain: Plain,
    /// Whom https receivers are trusted by.
    trust: Trust,
    /// Made when the first https address is met.
    secure: Arc<OnceLock<Secure>>,
}

impl Client {
    /// A client that reaches the outside through `connector` and nothing else, as far as `egress` allows, and receivers with https
    /// as far as `trust` does.
    #[must_use]
    pub fn new(connector: Arc<dyn Connector>, egress: Egress, trust: Trust) -> Self {
        let dialler = Dialler::new(connector, Arc::new(egress));
        Self { plain: over(dialler.clone()), dialler, trust, secure: Arc::default() }
    }

    /// Makes one attempt to deliver `notification`, signed with `keys` for `timestamp` (unix seconds).
    pub async fn post(&self, notification: &Notification, keys: &[SigningKey], timestamp: u64) -> Ended {
        let attempt = async { self.exchange(request(notification, keys, timestamp)?, timestamp).await };
        match tokio::time::timeout(TIMEOUT, attempt).await {
            Ok(Ok(ended)) => ended,
            Ok(Err(failure)) => AttemptOutcome::Failed(failure).into(),
            Err(_) => AttemptOutcome::Failed(Failure::Timeout).into(),
        }
    }

    async fn exchange(&self, request: Request<Full<Bytes>>, now: u64) -> Result<Ended, Failure> {
        let sent = match request.uri().scheme_str() {
            Some("http") => self.plain.request(request).await,
            Some("https") if self.dialler.offers_tls() => self.secure().request(request).await,
            Some("https") => return Err(Failure::NoTls),
            _ => return Err(Failure::NotAUrl),
        };
        let (head, body) = sent.map_err(|error| failure_of(&error))?.into_parts();
        read(body).await?;
        let retry_after = head.headers.get(RETRY_AFTER).and_then(|value| wanted_wait(value.to_str().ok()?, now));
        Ok(Ended { retry_after, ..AttemptOutcome::Answered(head.status.as_u16()).into() })
    }

    fn secure(&self) -> &Secure {
        self.secure.get_or_init(|| over(secured(self.dialler.clone(), &self.trust)))
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Client")
    }
}

/// A client without anything hidden: no kept connections, no attempts of its own.
fn over<C: Connect + Clone>(connector: C) -> legacy::Client<C, Full<Bytes>> {
    legacy::Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_max_idle_per_host(0)
        .retry_canceled_requests(false)
        .http1_max_buf_size(MOST_HEAD)
        .build(connector)
}

/// https to receivers that are trusted.
fn secured(dialler: Dialler, trust: &Trust) -> HttpsConnector<Dialler> {
    let builder = HttpsConnectorBuilder::new().with_tls_config(ClientConfig::clone(&trust.client_config()));
    builder.https_only().enable_http1().wrap_connector(dialler)
}

/// How long a receiver wants to be left alone, in seconds or until a date (RFC 9110, section 10.2.3).
fn wanted_wait(value: &str, now: u64) -> Option<Duration> {
    // However many digits it has: what is beyond every number is beyond the longest wait, too.
    let is_count = !value.trim().is_empty() && value.trim().bytes().all(|byte| byte.is_ascii_digit());
    let seconds = || is_count.then(|| value.trim().parse::<u64>().unwrap_or(u64::MAX));
    let until = || {
        let date = httpdate::parse_http_date(value.trim()).ok()?;
        let since = date.duration_since(std::time::SystemTime::UNIX_EPOCH).ok()?;
        Some(since.as_secs().saturating_sub(now))
    };
    seconds().or_else(until).map(|seconds| Duration::from_secs(seconds).min(LONGEST_WAIT))
}

fn request(notification: &Notification, keys: &[SigningKey], timestamp: u64) -> Result<Request<Full<Bytes>>, Failure> {
    let uri: Uri = notification.url.parse().map_err(|_| Failure::NotAUrl)?;
    if uri.host().is_none_or(str::is_empty) {
        return Err(Failure::NotAUrl);
    }
    let mut request = Request::new(Full::new(notification.body.clone()));
    *request.method_mut() = METHOD;
    *request.uri_mut() = uri;
    *request.headers_mut() = headers(notification, keys, timestamp);
    request.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    Ok(request)
}

/// The headers of a message, beside those of its connection.
pub(super) fn headers(notification: &Notification, keys: &[SigningKey], timestamp: u64) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
    headers.insert("event-type", HeaderValue::from_static(notification.event_type));
    signature::put(keys, &mut headers, &notification.webhook_id.to_string(), timestamp, &notification.body);
    headers
}

/// Reads `body` to its end or to the cap, and forgets it.
async fn read(mut body: Incoming) -> Result<(), Failure> {
    let mut left = MOST_READ;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Failure::Broken)?;
        match left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) {
            Some(rest) => left = rest,
            None => return Ok(()),
        }
    }
    Ok(())
}

/// Our own word where the dialler gave one; else a connection that could not be agreed on, or one that broke.
fn failure_of(error: &legacy::Error) -> Failure {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(inner) = cause {
        if let Some(failure) = inner.downcast_ref::<Failure>() {
            return *failure;
        }
        cause = inner.source();
    }
    match trust::fault_of_tls(error) {
        Some(fault) => trust::failure_of(fault),
        None if error.is_connect() => Failure::Untrusted,
        None => Failure::Broken,
    }
}

#[cfg(test)]
mod tests;
