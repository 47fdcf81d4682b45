//! Requests that a follower brings to the leader, sockets included.
//!
//! Owns: what is said of the caller on the way, and when a request may be tried again: only where the leader has not begun with it. Invariant:
//! a connection that breaks on the way to the leader, or because the leader is another one now, breaks that of the client, as if it had been
//! connected there. Absent on purpose: who leads.

use std::io;
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::header::{CONNECTION, EXPECT, HeaderName, HeaderValue, TRANSFER_ENCODING, UPGRADE};
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderMap, Request, Response, StatusCode, Uri};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::upgrade::OnUpgrade;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::{self, Client};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::io::AsyncWriteExt as _;
use tokio::time::timeout;
use tower_service::Service;

use deliveries::connector::{Connector, Stream, addresses_of};
use deliveries::trust::Trust;
use hosting::log::SERVER;
use hosting::secrets::Secret;
use surface::body;
use surface::service::Dropped;
use wire::error::ApiError;

/// Who forwards, and for whom.
const FORWARDED: HeaderName = HeaderName::from_static("fundsim-forwarded");
/// An answer of an instance that does not lead.
const NOT_LEADING: HeaderName = HeaderName::from_static("fundsim-not-leading");
/// The caller has no address.
const NOBODY: &str = "-";

/// Bodies up to this length are kept until the leader has taken them.
const KEPT: usize = 1 << 20;
/// How long connecting may take.
const CONNECTING: Duration = Duration::from_secs(1);
/// How long a tunnel has once one side has ended, or the leader stops.
const PARTING: Duration = Duration::from_secs(3);
/// A connection that is not used for so long is closed.
const UNUSED: Duration = Duration::from_secs(10);

/// Headers that are about one connection alone.
const OF_A_CONNECTION: [HeaderName; 6] = [
    CONNECTION,
    TRANSFER_ENCODING,
    UPGRADE,
    EXPECT,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
];

/// The network that leaders are reached over.
#[derive(Clone)]
struct Network(Arc<dyn Connector>);

impl Network {
    async fn dial(self, uri: Uri) -> io::Result<TokioIo<Stream>> {
        let mut failure = io::ErrorKind::AddrNotAvailable.into();
        for address in addresses_of(&*self.0, &uri).await.map_err(io::Error::other)? {
            match self.0.dial(address).await {
                Ok(stream) => return Ok(TokioIo::new(stream)),
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }
}

impl Service<Uri> for Network {
    type Response = TokioIo<Stream>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let dialling = self.clone().dial(uri);
        Box::pin(async { timeout(CONNECTING, dialling).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())) })
    }
}

/// A request that is ready to be forwarded.
pub(crate) struct Outgoing {
    parts: axum::http::request::Parts,
    body: OutgoingBody,
}

enum OutgoingBody {
    Whole(Bytes),
    /// Only once.
    Once(Option<Body>),
}

/// What became of a request.
pub(crate) enum Forwarded {
    Answered(Response<Body>),
    /// The leader has not begun with it.
    NotTaken,
}

/// Brings requests to leaders.
pub(crate) struct Forwarder {
    client: Client<HttpsConnector<Network>, Body>,
    passphrase: Secret,
    /// The last leader that was not reached.
    unreached: Mutex<String>,
}

/// What a request says of how it came.
pub(crate) enum Came {
    /// From its caller.
    Directly,
    /// By another instance, from a caller at this address.
    From(Option<IpAddr>),
    /// It says that it came by another instance, and it did not.
    Forged,
}

impl Forwarder {
    pub(crate) fn new(passphrase: Secret, trust: &Trust, network: Arc<dyn Connector>) -> Self {
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(trust.client_config().as_ref().clone())
            .https_or_http()
            .enable_http1()
            .wrap_connector(Network(network));
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(UNUSED)
            .build(connector);
        Self { client, passphrase, unreached: Mutex::default() }
    }

    /// How a request came; what it says of that is taken out of it.
    pub(crate) fn came(&self, headers: &mut HeaderMap) -> Came {
        let Some(header) = headers.remove(FORWARDED) else { return Came::Directly };
        let read = header.to_str().ok().and_then(|header| header.split_once(' '));
        match read.filter(|(passphrase, _)| self.passphrase.is(passphrase)) {
            Some((_, NOBODY)) => Came::From(None),
            Some((_, peer)) => peer.parse().map_or(Came::Forged, |peer| Came::From(Some(peer))),
            None => Came::Forged,
        }
    }

    /// Makes a request of `peer` ready, whose body comes within `patience` if it is short.
    ///
    /// # Errors
    /// 400 when it does not.
    pub(crate) async fn ready(
        &self,
        request: Request<Body>,
        peer: Option<IpAddr>,
        patience: Duration,
    ) -> Result<Outgoing, ApiError> {
        let (mut parts, body) = request.into_parts();
        let upgrade = parts.headers.get(UPGRADE).cloned();
        OF_A_CONNECTION.iter().for_each(|name| drop(parts.headers.remove(name)));
        if let Some(upgrade) = upgrade {
            parts.headers.insert(CONNECTION, HeaderValue::from_static("upgrade"));
            parts.headers.insert(UPGRADE, upgrade);
        }
        let peer = peer.map_or_else(|| NOBODY.to_owned(), |peer| peer.to_string());
        let header = HeaderValue::from_str(&format!("{} {peer}", self.passphrase.reveal()));
        let mut header = header.map_err(|_| ApiError::server_error("an address is no header"))?;
        header.set_sensitive(true);
        parts.headers.insert(FORWARDED, header);
        let is_short = body.size_hint().upper().is_some_and(|most| most <= KEPT as u64);
        let body = if is_short {
            OutgoingBody::Whole(body::read(body, KEPT, patience).await?)
        } else {
            OutgoingBody::Once(Some(body))
        };
        Ok(Outgoing { parts, body })
    }

    /// Brings it to the leader at `url`.
    ///
    /// # Errors
    /// `Dropped` when the connection breaks after the leader may have begun with it.
    pub(crate) async fn forward(
        &self,
        url: &str,
        outgoing: &mut Outgoing,
        is_over: impl Future<Output = ()> + Send + 'static,
    ) -> Result<Forwarded, Dropped> {
        let upgrading = outgoing.parts.extensions.remove::<OnUpgrade>();
        let Some(request) = outgoing.to(url) else { return Err(Dropped) };
        let mut is_over: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(is_over);
        let answered = tokio::select! {
            biased;
            answered = self.client.request(request) => answered,
            () = is_over.as_mut() => return Err(Dropped),
        };
        let mut response = match answered {
            Ok(response) => response,
            Err(error) if error.is_connect() => {
                self.unreached(url, &error);
                return outgoing.not_taken(upgrading);
            }
            Err(_) => return Err(Dropped),
        };
        if response.headers().contains_key(NOT_LEADING) {
            return outgoing.not_taken(upgrading);
        }
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            let Some(upgrading) = upgrading else { return Err(Dropped) };
            let there = hyper::upgrade::on(&mut response);
            tokio::spawn(tunnel(upgrading, there, is_over));
            return Ok(Forwarded::Answered(response.map(|_| Body::empty())));
        }
        OF_A_CONNECTION.iter().for_each(|name| drop(response.headers_mut().remove(name)));
        Ok(Forwarded::Answered(response.map(|body| Body::new(Until { body, is_over }))))
    }

    /// Says once of each leader that it is not reached.
    fn unreached(&self, url: &str, error: &legacy::Error) {
        let mut last_url = self.unreached.lock().unwrap_or_else(PoisonError::into_inner);
        if *last_url != url {
            url.clone_into(&mut last_url);
            let cause = std::error::Error::source(error).map(|cause| format!(": {cause}")).unwrap_or_default();
            tracing::warn!(target: SERVER, "the instance that leads is not reached at {url}: {error}{cause}");
        }
    }
}

/// The body of an answer, which breaks off when the leader is another one.
struct Until {
    body: Incoming,
    is_over: Pin<Box<dyn Future<Output = ()> + Send>>,
}

impl axum::body::HttpBody for Until {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            return Poll::Ready(frame.map(|frame| frame.map_err(io::Error::other)));
        }
        self.is_over.as_mut().poll(context).map(|()| Some(Err(io::ErrorKind::ConnectionReset.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The answer to a request that was forwarded to an instance that does not lead.
pub(crate) fn not_leading(mut refusal: Response<Body>) -> Response<Body> {
    refusal.headers_mut().insert(NOT_LEADING, HeaderValue::from_static("true"));
    refusal
}

impl Outgoing {
    /// The request as it came, for this instance, which leads now.
    pub(crate) fn taken_back(self) -> Request<Body> {
        let Self { mut parts, body } = self;
        parts.headers.remove(FORWARDED);
        let body = match body {
            OutgoingBody::Whole(bytes) => Body::from(bytes),
            OutgoingBody::Once(body) => body.unwrap_or_default(),
        };
        Request::from_parts(parts, body)
    }

    /// It is as it was before it was sent.
    fn not_taken(&mut self, upgrading: Option<OnUpgrade>) -> Result<Forwarded, Dropped> {
        if let Some(upgrading) = upgrading {
            self.parts.extensions.insert(upgrading);
        }
        if matches!(self.body, OutgoingBody::Once(None)) { Err(Dropped) } else { Ok(Forwarded::NotTaken) }
    }

    /// The request as it is sent to `url`; none when its body was sent before.
    fn to(&mut self, url: &str) -> Option<Request<Body>> {
        let path = self.parts.uri.path_and_query().map_or("/", PathAndQuery::as_str);
        let uri: Uri = format!("{url}{path}").parse().ok()?;
        let body = match &mut self.body {
            OutgoingBody::Whole(bytes) => Body::from(bytes.clone()),
            OutgoingBody::Once(body) => body.take()?,
        };
        let mut request = Request::new(body);
        *request.method_mut() = self.parts.method.clone();
        *request.uri_mut() = uri;
        *request.headers_mut() = self.parts.headers.clone();
        Some(request)
    }
}

/// Carries bytes both ways until either side ends, or the leader is another one; then what is on its way has a while.
async fn tunnel(here: OnUpgrade, there: OnUpgrade, is_over: impl Future<Output = ()>) {
    let (Ok(here), Ok(there)) = tokio::join!(here, there) else { return };
    let (mut from_here, mut to_here) = tokio::io::split(TokioIo::new(here));
    let (mut from_there, mut to_there) = tokio::io::split(TokioIo::new(there));
    // How it ends, whole or broken, concerns only the two sides.
    let mut up = pin!(async {
        drop(tokio::io::copy(&mut from_here, &mut to_there).await);
        drop(to_there.shutdown().await);
    });
    let mut down = pin!(async {
        drop(tokio::io::copy(&mut from_there, &mut to_here).await);
        drop(to_here.shutdown().await);
    });
    tokio::select! {
        biased;
        () = up.as_mut() => drop(timeout(PARTING, down).await),
        () = down.as_mut() => drop(timeout(PARTING, up).await),
        // A leader that stops says goodbye to its sockets.
        () = is_over => drop(timeout(PARTING, down).await),
    }
}
