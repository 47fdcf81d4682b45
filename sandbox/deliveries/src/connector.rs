//! How a connection to the outside comes about.
//!
//! Owns: the face of the network that is handed in, the operating system's network behind it, and the dialler that puts
//! the egress rule between a name's addresses and the dialling of one.
//! Invariant: only an address that the rule has seen is dialled, in the order in which the resolver gave them; everything
//! that leaves goes through here. Absent on purpose: proxies, and racing of addresses, which would let chance choose.

use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::http::Uri;
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::egress::Egress;
use super::outcome::Failure;
use crate::network::plain;

/// What a connector does in its own time.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = io::Result<T>> + Send + 'a>>;

/// A network: resolves names and dials addresses. `serve` hands in the operating system's, a simulation its own.
pub trait Connector: Send + Sync + 'static {
    /// The addresses of `host`, best first. Addresses written out are not looked up.
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> Pending<'a, Vec<SocketAddr>>;

    /// Opens a stream to exactly `address`.
    fn dial(&self, address: SocketAddr) -> Pending<'_, Stream>;

    /// Whether `address` is one of this machine's own, beyond what its figures say.
    fn is_own(&self, _address: IpAddr) -> bool {
        false
    }

    /// Whether https may be spoken over it. It draws the operating system's randomness, which a simulation must not.
    fn offers_tls(&self) -> bool {
        false
    }
}

/// The operating system's network.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tcp;

impl Connector for Tcp {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> Pending<'a, Vec<SocketAddr>> {
        Box::pin(async move { Ok(tokio::net::lookup_host((host, port)).await?.collect()) })
    }

    fn dial(&self, address: SocketAddr) -> Pending<'_, Stream> {
        Box::pin(async move {
            let stream = tokio::net::TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            Ok(Stream::new(stream))
        })
    }

    /// What leaves for an address of this machine leaves from that very address. Connecting a datagram socket asks for the
    /// route and sends nothing; without a route nothing can be dialled either.
    fn is_own(&self, address: IpAddr) -> bool {
        let address = plain(address);
        let any: IpAddr = if address.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
        let source = UdpSocket::bind((any, 0)).and_then(|socket| {
            socket.connect((address, ANY_PORT))?;
            socket.local_addr()
        });
        source.is_ok_and(|source| source.ip() == address)
    }

    fn offers_tls(&self) -> bool {
        true
    }
}

/// A port to ask a route with; nothing is sent to it.
const ANY_PORT: u16 = 9;

trait Bytestream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Bytestream for T {}

/// An open connection of whatever network.
pub struct Stream(Box<dyn Bytestream>);

impl Stream {
    /// Takes a connection.
    pub fn new(stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> Self {
        Self(Box::new(stream))
    }
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Stream")
    }
}

impl Connection for Stream {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}

impl AsyncRead for Stream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

/// The addresses that the host of a URL has, best first, with the port that the URL names or means.
///
/// # Errors
/// When the URL has no host, and when its name leads nowhere.
pub async fn addresses_of(connector: &dyn Connector, uri: &Uri) -> Result<Vec<SocketAddr>, Failure> {
    let host = uri.host().ok_or(Failure::NotAUrl)?;
    let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let port = uri.port_u16().unwrap_or(if uri.scheme_str() == Some("https") { 443 } else { 80 });
    match host.parse::<IpAddr>() {
        Ok(address) => Ok(vec![SocketAddr::new(address, port)]),
        Err(_) => connector.resolve(host, port).await.map_err(|_| Failure::Unresolved),
    }
}

/// Dials by URL, under the egress rule.
#[derive(Clone)]
pub(super) struct Dialler {
    connector: Arc<dyn Connector>,
    egress: Arc<Egress>,
}

/// Addresses of one host that are tried before it counts as unreachable.
const MOST_ADDRESSES: usize = 4;

impl Dialler {
    pub(super) const fn new(connector: Arc<dyn Connector>, egress: Arc<Egress>) -> Self {
        Self { connector, egress }
    }

    pub(super) fn offers_tls(&self) -> bool {
        self.connector.offers_tls()
    }

    async fn dial(&self, uri: &Uri) -> Result<Stream, Failure> {
        let addresses = addresses_of(&*self.connector, uri).await?;
        let mut failure = if addresses.is_empty() { Failure::Unresolved } else { Failure::Forbidden };
        let allowed = addresses
            .into_iter()
            .filter(|address| self.egress.allows(address.ip(), self.connector.is_own(address.ip())));
        for address in allowed.take(MOST_ADDRESSES) {
            match self.connector.dial(address).await {
                Ok(stream) => return Ok(stream),
                Err(_) => failure = Failure::Unreachable,
            }
        }
        Err(failure)
    }
}

impl tower_service::Service<Uri> for Dialler {
    type Response = TokioIo<Stream>;
    type Error = Failure;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Failure>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Failure>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let dialler = self.clone();
        Box::pin(async move { dialler.dial(&uri).await.map(TokioIo::new) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: events/egress)
    #[test]
    fn the_operating_systems_network_knows_its_own_addresses_without_sending_anything() {
        for (address, own) in [("127.0.0.1", true), ("::ffff:127.0.0.1", true), ("192.0.2.7", false)] {
            assert_eq!(Tcp.is_own(address.parse().expect("an address")), own, "{address}");
        }
    }
}
