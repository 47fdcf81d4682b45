//! A running server, over real TCP, with TLS where its address begins with `https`.
//!
//! Absent on purpose: outages, which nobody can order here.

use super::application::Application;
use super::http::{Connection, broken, message, open};
use super::receiver::Receiver;
use super::target::Target;
use super::{Doing, Driver, From, NoAnswer, Request, Response, Socket, Stream};
use bytes::Bytes;
use deliveries::trust::{self, Trust};
use http_body_util::BodyExt as _;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use hyper::{HeaderMap, Method, Uri};
use rustls::pki_types::ServerName;
use serde_json::Value as Json;
use std::future::Future;
use std::io;
use std::time::Duration;
use tokio_rustls::TlsConnector;

/// How long a server may take unless the caller says otherwise: a long jump of the clock on a busy machine takes its time.
pub const TIMEOUT: Duration = Duration::from_secs(60);
/// How long it may take to say that it is there.
const FIRST_WORD: Duration = Duration::from_secs(10);
/// The header of a caller that only looks on.
const OBSERVER: &str = "fundsim-observer";
/// Ports that are not written.
const HTTP: u16 = 80;
const HTTPS: u16 = 443;

/// A server somewhere.
pub struct Live {
    connection: Connection,
    address: Address,
    operator_token: Option<String>,
    receiver: Receiver,
    patience: Duration,
    application: Option<Application>,
}

impl Live {
    /// The same server beside an application that uses it.
    #[must_use]
    pub fn beside(self, application: Option<Application>) -> Self {
        Self { application, ..self }
    }
}

/// Where a server is, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Address {
    host: String,
    port: u16,
    prefix: String,
    /// Whom its certificate is trusted by; none where no TLS is spoken.
    trust: Option<Trust>,
}

impl Address {
    fn of(Target { url, trust }: &Target) -> Result<Self, String> {
        let uri: Uri = url.parse().map_err(|error| format!("`{url}` is not a URL: {error}"))?;
        let trust = match uri.scheme_str() {
            Some("http") => None,
            Some("https") => Some(trust.clone()),
            _ => return Err(format!("`{url}` must begin with http:// or https://")),
        };
        let host = uri.host().ok_or_else(|| format!("`{url}` names no host"))?;
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let prefix = uri.path().trim_end_matches('/').to_owned();
        let usual = if trust.is_some() { HTTPS } else { HTTP };
        Ok(Self { host, port: uri.port_u16().unwrap_or(usual), prefix, trust })
    }

    fn authority(&self) -> String {
        if self.host.contains(':') {
            return format!("[{}]:{}", self.host, self.port);
        }
        format!("{}:{}", self.host, self.port)
    }

    async fn dial(&self) -> io::Result<Box<dyn Stream>> {
        let stream = tokio::net::TcpStream::connect((self.host.as_str(), self.port)).await?;
        stream.set_nodelay(true)?;
        let Some(trust) = &self.trust else { return Ok(Box::new(stream)) };
        let name = ServerName::try_from(self.host.clone()).map_err(io::Error::other)?;
        let agreed = TlsConnector::from(trust.client_config()).connect(name, stream).await;
        let stream = agreed.map_err(|error| match trust::fault_of_tls(&error) {
            Some(fault) => io::Error::other(trust::explained(fault)),
            None => io::Error::new(error.kind(), format!("no TLS was agreed on: {error}")),
        })?;
        Ok(Box::new(stream))
    }
}

/// Whether the address of a server can be used.
///
/// # Errors
/// What is wrong with it.
pub fn check_url(server: &Target) -> Result<(), String> {
    Address::of(server).map(|_| ())
}

/// Whether a server is there that answers anything at all: before stories are begun that would all wait for it.
///
/// # Errors
/// Why there is none, in one line.
pub fn reach(server: &Target, timeout: Duration) -> Result<(), String> {
    ask(server, "/healthz", HeaderMap::new(), timeout.min(FIRST_WORD)).map(drop)
}

/// What a server answers to one question of its operator, or of a partner: the status, and the body where it is JSON.
///
/// # Errors
/// Why there is no answer, in one line.
pub fn get(server: &Target, path: &str, token: Option<&str>, patience: Duration) -> Result<(u16, Json), String> {
    let (status, body) = get_bytes(server, path, token, patience)?;
    Ok((status, serde_json::from_slice(&body).unwrap_or_default()))
}

/// What a server answers to a request of its operator, or of a partner: the status, and the body where it is JSON.
///
/// # Errors
/// As `get`.
pub fn call(
    server: &Target,
    method: &str,
    path: &str,
    token: Option<&str>,
    body: Option<&Json>,
    patience: Duration,
) -> Result<(u16, Json), String> {
    let method: Method = method.parse().map_err(|_| format!("`{method}` is not a method"))?;
    let mut headers = bearer(token)?;
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let body = body.map_or_else(Bytes::new, |body| Bytes::from(body.to_string()));
    let response = send(server, method, path, headers, body, patience)?;
    Ok((response.status, serde_json::from_slice(&response.body).unwrap_or_default()))
}

/// The same for a `GET` that leaves no trace in the world (rule: wire/observers).
///
/// # Errors
/// As `get`.
pub fn observe(server: &Target, path: &str, token: Option<&str>, patience: Duration) -> Result<(u16, Json), String> {
    let (status, body) = observe_bytes(server, path, token, patience)?;
    Ok((status, serde_json::from_slice(&body).unwrap_or_default()))
}

/// The same with the body as it came.
///
/// # Errors
/// As `get`.
pub fn observe_bytes(
    server: &Target,
    path: &str,
    token: Option<&str>,
    patience: Duration,
) -> Result<(u16, Bytes), String> {
    let response = ask(server, path, observer(token)?, patience)?;
    Ok((response.status, response.body))
}

fn observer(token: Option<&str>) -> Result<HeaderMap, String> {
    let mut headers = bearer(token)?;
    headers.insert(OBSERVER, HeaderValue::from_static("true"));
    Ok(headers)
}

/// Opens a stream of server-sent events, without a trace in the world, and calls `each` for every message, until it says no more, the
/// stream ends, or nothing comes for `quiet`. The status of the answer, where it is another one than 200.
///
/// # Errors
/// Why there is no answer, in one line.
pub fn watch(
    server: &Target,
    path: &str,
    token: Option<&str>,
    quiet: Duration,
    mut each: impl FnMut() -> bool,
) -> Result<Option<u16>, String> {
    let address = Address::of(server)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let path = format!("{}{path}", address.prefix);
    let request =
        Request { from: From::Elsewhere, method: Method::GET, path, headers: observer(token)?, body: Bytes::new() };
    let watched = runtime.block_on(async {
        let mut sender = timeout(quiet, open(|| address.dial())).await??;
        let answer = timeout(quiet, async {
            sender.send_request(message(request, &address.authority())?).await.map_err(broken)
        });
        let answer = answer.await??;
        if answer.status() != 200 {
            return Ok(Some(answer.status().as_u16()));
        }
        let mut body = answer.into_body();
        while let Some(frame) = timeout(quiet, body.frame()).await? {
            let data = frame.map_err(broken)?.into_data().unwrap_or_default();
            // One message is one frame, or several in one; which they are does not matter.
            if data.starts_with(b"data:") && !each() {
                break;
            }
        }
        Ok(None)
    });
    watched.map_err(|error: NoAnswer| format!("{}: {error}", server.url))
}

async fn timeout<T>(quiet: Duration, work: impl Future<Output = T>) -> Result<T, NoAnswer> {
    tokio::time::timeout(quiet, work).await.map_err(|_| NoAnswer(format!("nothing came within {quiet:?}")))
}

/// The same with the body as it is.
///
/// # Errors
/// As `get`.
pub fn get_bytes(server: &Target, path: &str, token: Option<&str>, patience: Duration) -> Result<(u16, Bytes), String> {
    let response = ask(server, path, bearer(token)?, patience)?;
    Ok((response.status, response.body))
}

fn bearer(token: Option<&str>) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    if let Some(token) = token {
        let bearer = format!("Bearer {token}").try_into();
        headers.insert(
            AUTHORIZATION,
            bearer.map_err(|_| "the token has characters that a header does not allow".to_owned())?,
        );
    }
    Ok(headers)
}

/// The access token that a partner gets for its credentials.
///
/// # Errors
/// Why it gets none, in one line.
pub fn token(server: &Target, client_id: &str, client_secret: &str, patience: Duration) -> Result<String, String> {
    let form = form_urlencoded::Serializer::new(String::new())
        .append_pair("grant_type", "client_credentials")
        .append_pair("client_id", client_id)
        .append_pair("client_secret", client_secret)
        .finish();
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    let response = send(server, Method::POST, "/v2/partner/auth/token", headers, Bytes::from(form), patience)?;
    let answer: Json = serde_json::from_slice(&response.body).unwrap_or_default();
    let text = |key: &str| answer.get(key).and_then(Json::as_str).map(str::to_owned);
    text("access_token").ok_or_else(|| {
        let why = text("error_description").unwrap_or_else(|| "it is not a fundsim server".to_owned());
        format!("{} answers {}: {why}", server.url, response.status)
    })
}

fn ask(server: &Target, path: &str, headers: HeaderMap, patience: Duration) -> Result<Response, String> {
    send(server, Method::GET, path, headers, Bytes::new(), patience)
}

fn send(
    server: &Target,
    method: Method,
    path: &str,
    headers: HeaderMap,
    body: Bytes,
    patience: Duration,
) -> Result<Response, String> {
    let address = Address::of(server)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let path = format!("{}{path}", address.prefix);
    let request = Request { from: From::Elsewhere, method, path, headers, body };
    let mut connection = Connection::default();
    let called = runtime.block_on(connection.call(request, &address.authority(), patience, || address.dial()));
    called.map_err(|error| format!("{}: {error}", server.url))
}

/// Runs `story` against a server.
///
/// # Errors
/// When its address is of no use or the runtime cannot be built.
pub fn run<T, F>(
    server: &Target,
    operator_token: Option<&str>,
    patience: Duration,
    story: impl FnOnce(Live) -> F,
) -> io::Result<T>
where
    F: Future<Output = T>,
{
    let address = Address::of(server).map_err(io::Error::other)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let operator_token = operator_token.map(str::to_owned);
    runtime.block_on(async {
        let receiver = Receiver::default();
        receiver.listen().await?;
        let connection = Connection::default();
        Ok(story(Live { connection, address, operator_token, receiver, patience, application: None }).await)
    })
}

impl Driver for Live {
    fn call(&mut self, mut request: Request) -> Doing<'_, Result<Response, NoAnswer>> {
        Box::pin(async move {
            let asked = self.application.is_some().then(|| (request.method.to_string(), request.path.clone()));
            request.path = format!("{}{}", self.address.prefix, request.path);
            let address = &self.address;
            let answer = self.connection.call(request, &address.authority(), self.patience, || address.dial()).await;
            if let (Some(application), Some(asked)) = (&mut self.application, asked) {
                if let Ok(answer) = &answer {
                    application.notes_added((&asked.0, &asked.1), answer.status, &answer.body);
                }
                let id = |answer: &Response| answer.headers.get("request-id")?.to_str().ok()?.parse().ok();
                match answer.as_ref().ok().and_then(id) {
                    Some(id) => drop(application.own_requests.insert(id)),
                    None => application.unanswered.push(asked),
                }
            }
            answer
        })
    }

    fn open_socket<'d>(&'d mut self, path: &'d str, headers: HeaderMap) -> Doing<'d, Result<Socket, NoAnswer>> {
        Box::pin(async move {
            let stream = match tokio::time::timeout(self.patience, self.address.dial()).await {
                Ok(stream) => stream.map_err(|error| NoAnswer(format!("cannot connect: {error}")))?,
                Err(_) => return Err(NoAnswer("cannot connect in time".to_owned())),
            };
            if let Some(application) = &mut self.application {
                application.own_sockets.push(path.to_owned());
            }
            let path = format!("{}{path}", self.address.prefix);
            Socket::open(stream, &self.address.authority(), &path, headers, self.patience).await
        })
    }

    fn name(&self) -> &'static str {
        "live"
    }

    fn application(&mut self) -> Option<&mut Application> {
        self.application.as_mut()
    }

    fn call_application(&mut self, mut request: Request, patience: Duration) -> Doing<'_, Result<Response, NoAnswer>> {
        Box::pin(async move {
            let target = self.application.as_ref().map(Application::target);
            let target = target.ok_or_else(|| NoAnswer("no application is named".to_owned()))?;
            let address = Address::of(&target.server).map_err(NoAnswer)?;
            request.path = format!("{}{}", address.prefix, request.path);
            let given: Vec<_> = target.headers.iter().filter(|(name, _)| !request.headers.contains_key(name)).collect();
            for (name, value) in given {
                request.headers.append(name, value.clone());
            }
            Connection::default().call(request, &address.authority(), patience, || address.dial()).await
        })
    }

    fn receiver(&self) -> &Receiver {
        &self.receiver
    }

    fn operator_token(&self) -> Option<&str> {
        self.operator_token.as_deref()
    }

    fn patience(&self) -> Duration {
        self.patience
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_or_refused_in_words() {
        let of = |url: &str| Address::of(&Target { url: url.to_owned(), trust: Trust::default() });
        let address = |host: &str, port, prefix: &str, is_secure: bool| {
            let trust = is_secure.then(Trust::default);
            Ok(Address { host: host.into(), port, prefix: prefix.into(), trust })
        };
        assert_eq!(of("http://127.0.0.1:8080"), address("127.0.0.1", 8080, "", false));
        assert_eq!(of("http://[::1]:8080/"), address("::1", 8080, "", false));
        assert_eq!(of("http://sandbox.example/base/"), address("sandbox.example", 80, "/base", false));
        assert_eq!(of("https://sandbox.example"), address("sandbox.example", 443, "", true));
        assert_eq!(of("https://[::1]:8443/"), address("::1", 8443, "", true));
        for bad in ["sandbox.example", "", "http://", "https://", "ftp://x"] {
            assert!(of(bad).is_err(), "{bad}");
        }
    }
}
