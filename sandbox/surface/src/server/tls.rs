//! TLS in front of HTTP: the certificate that is in force, and the handshake of one connection.
//!
//! Owns: protocol versions (1.2 and 1.3), ALPN, and what becomes of bytes that are no TLS. Invariant: a handshake holds the place of
//! its connection, ends within its bound, and never waits in the accept loop; a certificate that does not fit its key never comes into
//! force. Absent on purpose: files, which are the program's, and certificates of clients.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, PoisonError, RwLock};
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// What is spoken in TLS, by the names of ALPN. Sockets of events begin as HTTP/1.1.
const PROTOCOLS: [&[u8]; 2] = [b"http/1.1", b"http/1.0"];

/// The first byte of each record of a handshake (RFC 8446, section 5.1). No method of HTTP begins with it.
const HANDSHAKE: u8 = 22;

/// A certificate with its key, in force for new connections. Clones share it.
#[derive(Clone, Debug)]
pub struct Tls(Arc<RwLock<Arc<ServerConfig>>>);

impl Tls {
    /// Serves with `chain`, the server's own certificate first, and the key of that certificate.
    ///
    /// # Errors
    /// When they do not fit, or are of a kind that TLS does not use.
    pub fn new(chain: Vec<CertificateDer<'static>>, key: PrivateKeyDer<'static>) -> Result<Self, rustls::Error> {
        Ok(Self(Arc::new(RwLock::new(config(chain, key)?))))
    }

    /// Has new connections get another certificate. Open ones stay as they are; no session of the old one is resumed.
    ///
    /// # Errors
    /// As `new`; the old one stays in force then.
    pub fn replace(
        &self,
        chain: Vec<CertificateDer<'static>>,
        key: PrivateKeyDer<'static>,
    ) -> Result<(), rustls::Error> {
        let new = config(chain, key)?;
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = new;
        Ok(())
    }

    fn acceptor(&self) -> TlsAcceptor {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner)).into()
    }
}

fn config(
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
) -> Result<Arc<ServerConfig>, rustls::Error> {
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_protocol_versions(&[&rustls::version::TLS13, &rustls::version::TLS12])?;
    let mut config = builder.with_no_client_auth().with_single_cert(chain, key)?;
    config.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).to_vec();
    Ok(Arc::new(config))
}

/// A connection whose bytes can be read as HTTP.
pub(super) enum Channel<Io: AsyncRead + AsyncWrite + Unpin> {
    /// Without TLS, as the server speaks.
    Plain(Io),
    /// Without TLS, where the server speaks TLS: a client's mistake.
    Misplaced(Begun<Io>),
    /// In TLS.
    Secure(Box<TlsStream<Begun<Io>>>),
}

impl<Io: AsyncRead + AsyncWrite + Unpin> Channel<Io> {
    /// Whether the client speaks plain HTTP to a server that does not.
    pub(super) const fn is_misplaced(&self) -> bool {
        matches!(self, Self::Misplaced(_))
    }
}

impl<Io: AsyncRead + AsyncWrite + Unpin> Drop for Channel<Io> {
    /// However a connection ends, the other side learns of it in TLS, too, if there is room to say so.
    fn drop(&mut self) {
        if let Self::Secure(io) = self {
            drop(Pin::new(io).poll_shutdown(&mut Context::from_waker(Waker::noop())));
        }
    }
}

/// Takes the handshake of `io` within `bound`.
///
/// # Errors
/// Why there was none: the other side said nothing in time, went away, or offered what the server does not speak.
pub(super) async fn handshake<Io>(mut io: Io, tls: &Tls, bound: Duration) -> io::Result<Channel<Io>>
where
    Io: AsyncRead + AsyncWrite + Unpin,
{
    let agreed = async {
        let first = io.read_u8().await?;
        let begun = Begun { first: Some(first), io };
        if first != HANDSHAKE {
            return Ok(Channel::Misplaced(begun));
        }
        Ok(Channel::Secure(Box::new(tls.acceptor().accept(begun).await?)))
    };
    tokio::time::timeout(bound, agreed).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

/// A stream of which the first byte was looked at, and is read again.
pub(super) struct Begun<Io> {
    first: Option<u8>,
    io: Io,
}

impl<Io: AsyncRead + Unpin> AsyncRead for Begun<Io> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if buffer.remaining() > 0
            && let Some(first) = self.first.take()
        {
            buffer.put_slice(&[first]);
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.io).poll_read(cx, buffer)
    }
}

impl<Io: AsyncWrite + Unpin> AsyncWrite for Begun<Io> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}

impl<Io: AsyncRead + AsyncWrite + Unpin> AsyncRead for Channel<Io> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(io) => Pin::new(io).poll_read(cx, buffer),
            Self::Misplaced(io) => Pin::new(io).poll_read(cx, buffer),
            // Some clients end their side without a word of TLS. A message of HTTP shows by itself whether it is whole.
            Self::Secure(io) => match ready!(Pin::new(io).poll_read(cx, buffer)) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Poll::Ready(Ok(())),
                read => Poll::Ready(read),
            },
        }
    }
}

impl<Io: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Channel<Io> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(io) => Pin::new(io).poll_write(cx, bytes),
            Self::Misplaced(io) => Pin::new(io).poll_write(cx, bytes),
            Self::Secure(io) => Pin::new(io).poll_write(cx, bytes),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(io) => Pin::new(io).poll_write_vectored(cx, slices),
            Self::Misplaced(io) => Pin::new(io).poll_write_vectored(cx, slices),
            Self::Secure(io) => Pin::new(io).poll_write_vectored(cx, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Self::Plain(io) => io.is_write_vectored(),
            Self::Misplaced(io) => io.is_write_vectored(),
            Self::Secure(io) => io.is_write_vectored(),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(io) => Pin::new(io).poll_flush(cx),
            Self::Misplaced(io) => Pin::new(io).poll_flush(cx),
            Self::Secure(io) => Pin::new(io).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(io) => Pin::new(io).poll_shutdown(cx),
            Self::Misplaced(io) => Pin::new(io).poll_shutdown(cx),
            Self::Secure(io) => Pin::new(io).poll_shutdown(cx),
        }
    }
}

#[cfg(test)]
mod tests;
