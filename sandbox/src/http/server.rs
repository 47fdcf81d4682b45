//! The accept loop: any listener in, HTTP/1.1 connections out, and a stop that says goodbye.
//!
//! Owns: every bound of a connection (how many, how long, how large) and the order of a graceful stop.
//! Invariant: headers are the surface's alone (hyper's own `Date` would read the host's clock), and no peer can hold a
//! connection without making progress. Absent on purpose: TLS and HTTP/2, which a proxy in front can offer.

mod bodies;
mod io;
pub mod memory;
mod pulse;

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;

use axum::http::header::{CONNECTION, HeaderValue};
use axum::http::{Request, Response, StatusCode};
use axum::serve::{Listener, ListenerExt as _};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Semaphore;

use self::bodies::{RequestBody, ResponseBody};
use self::io::Watched;
use self::pulse::{Phase, Pulse, Watchdog};
use crate::hosting::signal::Signal;
use crate::http::service::{Dropped, Surface};

/// Where a connection comes from, as far as its listener knows.
pub trait Peer {
    /// The other side's address; `None` for streams without one.
    fn ip(&self) -> Option<IpAddr>;
}

impl Peer for SocketAddr {
    fn ip(&self) -> Option<IpAddr> {
        Some(Self::ip(self))
    }
}

impl Peer for () {
    fn ip(&self) -> Option<IpAddr> {
        None
    }
}

/// A TCP listener whose connections send small answers at once. Accept errors are retried after a pause.
pub fn tcp(listener: tokio::net::TcpListener) -> impl Listener<Io = tokio::net::TcpStream, Addr = SocketAddr> {
    listener.tap_io(|stream| {
        // Without it answers still arrive, only later.
        drop(stream.set_nodelay(true));
    })
}

/// Serves `surface` until `shutdown` is ready, then stops gracefully: no new connections, idle ones close at once, busy
/// ones finish their answer, sockets hear `server_closing` and close with 1001 after the notice. Returns when all are
/// closed, at the latest after notice and drain together.
pub async fn serve<L>(mut listener: L, surface: Surface, shutdown: impl Future<Output = ()>)
where
    L: Listener,
    L::Addr: Peer,
{
    let limits = *surface.limits();
    let slots = Arc::new(Semaphore::new(limits.connections));
    let closing = Signal::default();
    surface.start();
    let mut shutdown = pin!(shutdown);
    loop {
        let slot = tokio::select! {
            biased;
            () = shutdown.as_mut() => break,
            slot = Arc::clone(&slots).acquire_owned() => slot.expect("the slots are never closed"),
        };
        let (io, address) = tokio::select! {
            biased;
            () = shutdown.as_mut() => break,
            accepted = listener.accept() => accepted,
        };
        let pulse = Pulse::new();
        let io = Watched::new(io, Arc::clone(&pulse), surface.clone(), slot);
        tokio::spawn(connection(io, pulse, surface.clone(), address.ip(), closing.clone()));
    }
    drop(listener);
    closing.raise();
    surface.stop();
    let all = u32::try_from(limits.connections).unwrap_or(u32::MAX);
    let patience = limits.closing_notice + limits.drain;
    // Connections that are still open then are cut off.
    drop(tokio::time::timeout(patience, slots.acquire_many(all)).await);
}

/// Carries one connection to its end.
async fn connection<Io>(io: Watched<Io>, pulse: Arc<Pulse>, surface: Surface, peer: Option<IpAddr>, closing: Signal)
where
    Io: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let limits = *surface.limits();
    let mut watchdog = Watchdog::new(&pulse);
    let service = service_fn(|request| answer(request, &surface, &pulse, peer));
    let mut connection = pin!(
        http1::Builder::new()
            .auto_date_header(false)
            .max_header_size(limits.header_bytes)
            .serve_connection(TokioIo::new(io), service)
            .with_upgrades()
    );
    let mut closed = pin!(closing.raised());
    let mut told = false;
    let mut look = pin!(tokio::time::sleep(limits.header));
    loop {
        tokio::select! {
            biased;
            // How a connection ends, whole or broken, concerns only the other side.
            _ = connection.as_mut() => return,
            () = closed.as_mut(), if !told => {
                told = true;
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
    peer: Option<IpAddr>,
) -> Result<Response<ResponseBody>, Dropped> {
    pulse.enter(Phase::Busy);
    let request = request.map(|body| RequestBody::new(body, Arc::clone(pulse)));
    let mut response = surface.handle(request, peer).await?;
    if pulse.has_unread() {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    let goes_on = response.status() != StatusCode::SWITCHING_PROTOCOLS;
    Ok(response.map(|body| ResponseBody::new(body, goes_on.then(|| Arc::clone(pulse)))))
}

#[cfg(test)]
mod tests;
