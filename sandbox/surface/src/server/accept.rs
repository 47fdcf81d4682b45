//! How connections are let in: the listener, its spare file descriptors, and the places for connections.
//!
//! Invariant: a shortage is logged once when it begins and once when it is over, never once an attempt; while it lasts, a few
//! connections at a time still get in, marked `ConnectionTier::Reserved`: they may ask the operator's plane one thing, and everybody
//! else gets a 503 at once. Absent on purpose: what is answered to them (`refusals`).

use std::fmt;
use std::fs::File;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::serve::Listener;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use feed::transport::Limits;
use hosting::log::SERVER;
use hosting::metrics::{Connected, Metrics};

/// Where a connection comes from, as far as its listener knows.
pub trait Peer {
    /// The other side's address; `None` for streams without one.
    fn ip(&self) -> Option<IpAddr>;

    /// Whether it was let in with a descriptor that is kept for shortages.
    fn is_spare(&self) -> bool {
        false
    }
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

/// A connection over TCP.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    address: SocketAddr,
    spare: bool,
}

impl Peer for Arrival {
    fn ip(&self) -> Option<IpAddr> {
        Some(self.address.ip())
    }

    fn is_spare(&self) -> bool {
        self.spare
    }
}

/// Bytes that may wait in the kernel to be sent on one connection. With as many as it likes to take, a reader that lags would
/// look for seconds as if it took nothing.
#[cfg(target_os = "linux")]
const UNSENT: u32 = 64 * 1024;

/// A TCP listener whose connections send small answers at once, and which knows what to do without free descriptors.
#[must_use]
pub fn tcp(listener: TcpListener) -> Tcp {
    let shortage = Shortage::new(
        "no file descriptor is free: new connections are answered 503, apart from the operator's plane; raise `ulimit -n`",
        "file descriptors are free again",
    );
    // Connections inherit this bound on unsent bytes from their listener. On other systems the kernel keeps more unsent bytes.
    #[cfg(target_os = "linux")]
    drop(socket2::SockRef::from(&listener).set_tcp_notsent_lowat(UNSENT));
    Tcp { listener, spares: Vec::with_capacity(SPARES), shortage }
}

/// See `tcp`.
#[derive(Debug)]
pub struct Tcp {
    listener: TcpListener,
    spares: Vec<File>,
    shortage: Shortage,
}

/// Descriptors kept for a shortage: as many connections get in at once then.
const SPARES: usize = 8;

/// Between two looks while even the spare descriptors are used.
const PAUSE: Duration = Duration::from_millis(50);

impl Tcp {
    /// Opens spare descriptors until there are enough; `false` when there is no room for them.
    fn refill(&mut self) -> bool {
        while self.spares.len() < SPARES {
            match File::open("/dev/null") {
                Ok(spare) => self.spares.push(spare),
                // A machine without that file has no spares, which is no shortage.
                Err(error) => return !is_shortage(&error),
            }
        }
        true
    }
}

impl Listener for Tcp {
    type Io = TcpStream;
    type Addr = Arrival;

    async fn accept(&mut self) -> (TcpStream, Arrival) {
        let mut spare = !self.refill();
        if !spare {
            self.shortage.is_over();
        }
        loop {
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    // Without it answers still arrive, only later.
                    drop(stream.set_nodelay(true));
                    return (stream, Arrival { address, spare });
                }
                Err(error) if is_shortage(&error) => {
                    self.shortage.begins();
                    spare = true;
                    if self.spares.pop().is_none() {
                        tokio::time::sleep(PAUSE).await;
                    }
                }
                // The other side has gone before it was let in, or something that passes.
                Err(_) => tokio::task::yield_now().await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<Arrival> {
        self.listener.local_addr().map(|address| Arrival { address, spare: false })
    }
}

/// Out of descriptors or of memory for them, by the numbers of POSIX.
fn is_shortage(error: &io::Error) -> bool {
    const ENOMEM: i32 = 12;
    const ENFILE: i32 = 23;
    const EMFILE: i32 = 24;
    const ENOBUFS: i32 = 105;
    matches!(error.raw_os_error(), Some(ENOMEM | ENFILE | EMFILE | ENOBUFS))
}

/// Something of which there is too little at times.
pub(super) struct Shortage {
    begun: &'static str,
    over: &'static str,
    /// When it was met last; `None` while there is enough.
    met: Mutex<Option<Instant>>,
}

/// A shortage is over after this long without one, so that a server at the limit does not log it again and again.
const CALM: Duration = Duration::from_secs(5);

impl Shortage {
    pub(super) const fn new(begun: &'static str, over: &'static str) -> Self {
        Self { begun, over, met: Mutex::new(None) }
    }

    pub(super) fn begins(&self) {
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        if met.replace(Instant::now()).is_none() {
            tracing::warn!(target: SERVER, "{}", self.begun);
        }
    }

    pub(super) fn is_over(&self) {
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        if met.is_some_and(|met| met.elapsed() >= CALM) {
            *met = None;
            tracing::warn!(target: SERVER, "{}", self.over);
        }
    }
}

impl fmt::Debug for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Shortage").field(&self.begun).finish()
    }
}

/// What a connection may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConnectionTier {
    /// Everything.
    Usual,
    /// One thing of the operator's plane, soon.
    Reserved,
}

/// The places for connections: the usual ones, and some in reserve.
pub(super) struct Places {
    all: Arc<Semaphore>,
    usual: Arc<Semaphore>,
    count: usize,
    shortage: Shortage,
    metrics: Metrics,
}

/// A place that a connection has until it is dropped.
pub(super) struct ConnectionPlace {
    _any: OwnedSemaphorePermit,
    _usual: Option<OwnedSemaphorePermit>,
    _counted: Connected,
}

impl Places {
    pub(super) fn new(limits: &Limits, metrics: Metrics) -> Self {
        let count = limits.connections + limits.reserved;
        let shortage = Shortage::new(
            "every place for a connection is taken: new ones are answered 503, apart from the operator's plane",
            "there are places for connections again",
        );
        Self {
            all: Arc::new(Semaphore::new(count)),
            usual: Arc::new(Semaphore::new(limits.connections)),
            count,
            shortage,
            metrics,
        }
    }

    /// Waits until another connection may be let in, of either tier.
    pub(super) async fn any(&self) -> OwnedSemaphorePermit {
        Arc::clone(&self.all).acquire_owned().await.expect("the places are never closed")
    }

    /// The place of a connection that has been let in on `any`.
    pub(super) fn give(&self, any: OwnedSemaphorePermit, is_spare: bool) -> (ConnectionPlace, ConnectionTier) {
        let usual = if is_spare { None } else { Arc::clone(&self.usual).try_acquire_owned().ok() };
        let standing = match (&usual, is_spare) {
            (Some(_), _) => {
                self.shortage.is_over();
                ConnectionTier::Usual
            }
            (None, true) => ConnectionTier::Reserved,
            (None, false) => {
                self.shortage.begins();
                ConnectionTier::Reserved
            }
        };
        (ConnectionPlace { _any: any, _usual: usual, _counted: self.metrics.connected() }, standing)
    }

    /// Waits until no connection has a place.
    pub(super) async fn all_free(&self) {
        drop(self.all.acquire_many(u32::try_from(self.count).unwrap_or(u32::MAX)).await);
    }
}
