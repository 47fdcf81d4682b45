//! The accept loop: any listener in, HTTP/1.1 connections out, and a stop that says goodbye.
//!
//! Owns: every bound of a connection (how many, how long, how large) and the order of a graceful stop. Invariant: headers are
//! the surface's alone (hyper's own `Date` would read the host's clock), and no peer can hold a connection without making
//! progress. A client may end its side after its requests and still receives every answer. Absent on purpose: HTTP/2, which a proxy
//! in front can offer.

mod accept;
mod bodies;
mod io;
mod lagging;
pub mod memory;
mod pulse;
mod tls;

use std::convert::Infallible;
use std::future::Future;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::http::header::{CONNECTION, HeaderValue};
use axum::http::request::Parts;
use axum::http::{Request, Response, StatusCode};
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::Instant;

pub use self::accept::{Arrival, Peer, Tcp, tcp};
use self::accept::{ConnectionPlace, ConnectionTier, Places};
use self::bodies::{RequestBody, ResponseBody};
use self::io::Watched;
use self::pulse::{Phase, Pulse, Watchdog};
pub use self::tls::Tls;
use self::tls::{Channel, handshake};
use crate::service::{Dropped, Surface, is_machinery};
use feed::signal::Signal;
use feed::transport::Limits;
use hosting::log::SERVER;

/// Serves `surface` until `shutdown` is ready, then stops gracefully: no new connections, idle ones close at once, busy
/// ones finish their answer, sockets receive `server_closing` and close with 1001 after the notice, once they were sent all
/// that was committed: shortly before, worlds take no more inputs. Returns when all are closed, at the latest after notice
/// and drain together, or, while sockets lag whose readers still take events, after the stop's own bound.
pub async fn serve<L>(listener: L, surface: Surface, shutdown: impl Future<Output = ()>)
where
    L: Listener,
    L::Addr: Peer,
{
    serve_by(listener, None, surface, shutdown).await;
}

/// As `serve`, in TLS where there is a certificate: then everything is, and plain HTTP is answered 400.
pub async fn serve_by<L>(mut listener: L, tls: Option<Tls>, surface: Surface, shutdown: impl Future<Output = ()>)
where
    L: Listener,
    L::Addr: Peer,
{
    let limits = *surface.limits();
    let places = Places::new(&limits, surface.app().telemetry.metrics.clone());
    let closing = Signal::default();
    surface.start();
    let mut shutdown = pin!(shutdown);
    loop {
        let any = tokio::select! {
            biased;
            () = shutdown.as_mut() => break,
            any = places.any() => any,
        };
        let (io, address) = tokio::select! {
            biased;
            () = shutdown.as_mut() => break,
            accepted = listener.accept() => accepted,
        };
        let (place, standing) = places.give(any, address.is_spare());
        let from = From { peer: address.ip(), standing, is_misplaced: false };
        let (surface, closing) = (surface.clone(), closing.clone());
        match &tls {
            None => drop(tokio::spawn(connection(Channel::Plain(io), place, surface, from, closing))),
            Some(tls) => drop(tokio::spawn(secured(io, tls.clone(), place, surface, from, closing))),
        }
    }
    drop(listener);
    closing.raise();
    stop(&surface, &places).await;
}

async fn stop(surface: &Surface, places: &Places) {
    let (begun, limits) = (Instant::now(), surface.limits());
    surface.stop();
    let closed = async {
        let mut free = pin!(places.all_free());
        // Requests that came before have until then; their events are sent before sockets close.
        let all = tokio::time::timeout(limits.closing_notice.saturating_sub(limits.drain), free.as_mut()).await;
        surface.seal();
        if all.is_err() {
            free.await;
        }
    };
    let usual = limits.closing_notice + limits.drain;
    if tokio::time::timeout(usual, closed).await.is_err() {
        let draining = lagging::drain_sockets(&surface.app().worlds, usual);
        // Connections that are still open then are cut off.
        drop(tokio::time::timeout_at(begun + limits.stop, draining).await);
        lagging::warn(surface.app());
    }
}

/// Who is at the other end, and what for.
#[derive(Clone, Copy)]
struct From {
    peer: Option<IpAddr>,
    standing: ConnectionTier,
    /// It speaks plain HTTP to a server that speaks TLS.
    is_misplaced: bool,
}

/// How long a connection with a reserved place may take for each phase: others wait for it.
const RESERVED: Duration = Duration::from_millis(500);

impl From {
    fn limits(self, limits: &Limits) -> Limits {
        match self.standing {
            ConnectionTier::Usual => *limits,
            ConnectionTier::Reserved => Limits {
                header: limits.header.min(RESERVED),
                write: limits.write.min(RESERVED),
                idle: limits.idle.min(RESERVED),
                ..*limits
            },
        }
    }
}

/// Breaks the connection that a request came on, for fault rules that cut frames.
#[derive(Clone, Debug)]
pub struct Breaker(Arc<Pulse>);

impl Breaker {
    /// The next bytes are cut off in the middle, and the connection with them.
    pub fn break_next_write(&self) {
        self.0.break_next_write();
    }
}

/// Whether the client that asked has ended its side of the connection: for work that is its own. It is always there where
/// requests come without one.
#[derive(Clone, Debug, Default)]
pub struct CallerGone(Option<Arc<Pulse>>);

impl CallerGone {
    /// Whether it has gone, as far as anybody can know.
    pub fn is_gone(&self) -> bool {
        self.0.as_ref().is_some_and(|pulse| pulse.has_input_ended())
    }
}

impl<S: Sync> FromRequestParts<S> for CallerGone {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.extensions.get::<Breaker>().map(|Breaker(pulse)| Arc::clone(pulse))))
    }
}

/// Carries one connection to its end that begins with a handshake.
async fn secured<Io>(io: Io, tls: Tls, place: ConnectionPlace, surface: Surface, from: From, closing: Signal)
where
    Io: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let bound = from.limits(surface.limits()).header;
    let agreed = tokio::select! {
        biased;
        () = closing.raised() => return,
        agreed = handshake(io, &tls, bound) => agreed,
    };
    match agreed {
        Ok(channel) => {
            let from = From { is_misplaced: channel.is_misplaced(), ..from };
            connection(channel, place, surface, from, closing).await;
        }
        Err(error) => {
            let peer = from.peer.map_or_else(|| "a client".to_owned(), |peer| peer.to_string());
            tracing::debug!(target: SERVER, "no TLS with {peer}: {error}");
        }
    }
}

/// Carries one connection to its end.
async fn connection<Io>(io: Channel<Io>, place: ConnectionPlace, surface: Surface, from: From, closing: Signal)
where
    Io: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let pulse = Pulse::new();
    let io = Watched::new(io, Arc::clone(&pulse), surface.clone(), place);
    let limits = from.limits(surface.limits());
    let mut watchdog = Watchdog::new(&pulse);
    let service = service_fn(|request| answer(request, &surface, &pulse, from));
    let mut connection = pin!(
        http1::Builder::new()
            .auto_date_header(false)
            .half_close(true)
            .keep_alive(from.standing == ConnectionTier::Usual && !from.is_misplaced)
            .max_header_size(limits.header_bytes)
            .serve_connection(TokioIo::new(io), service)
            .with_upgrades()
    );
    let mut closed = pin!(closing.raised());
    let mut is_closing = false;
    let mut look = pin!(tokio::time::sleep(limits.header));
    loop {
        tokio::select! {
            biased;
            // How a connection ends, whole or broken, concerns only the other side.
            _ = connection.as_mut() => return,
            () = closed.as_mut(), if !is_closing => {
                is_closing = true;
                connection.as_mut().graceful_shutdown();
            }
            () = look.as_mut() => match watchdog.look(&pulse, &limits) {
                Some(next) => look.as_mut().reset(next),
                None => return,
            },
        }
    }
}

/// One request to one response. An error closes the connection without an answer.
async fn answer(
    request: Request<Incoming>,
    surface: &Surface,
    pulse: &Arc<Pulse>,
    from: From,
) -> Result<Response<ResponseBody>, Dropped> {
    pulse.enter(Phase::Busy);
    let mut request = request.map(|body| Body::new(RequestBody::new(body, Arc::clone(pulse))));
    request.extensions_mut().insert(Breaker(Arc::clone(pulse)));
    let mut response = match from.standing {
        _ if from.is_misplaced => {
            drop(request);
            surface.refuse_plain()
        }
        ConnectionTier::Reserved if !is_machinery(request.uri().path()) => {
            drop(request);
            surface.refuse_place()
        }
        _ => surface.handle(request, from.peer).await?,
    };
    if pulse.has_unread() {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    let is_http = response.status() != StatusCode::SWITCHING_PROTOCOLS;
    Ok(response.map(|body| ResponseBody::new(body, is_http.then(|| Arc::clone(pulse)))))
}

#[cfg(test)]
mod tests;
