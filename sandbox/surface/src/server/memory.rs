//! Connections in memory: a listener and the dialler that reaches it, for drivers and tests without a network.

use std::future::pending;
use std::io;

use axum::serve::Listener;
use tokio::io::DuplexStream;
use tokio::sync::mpsc;

/// Bytes in flight in each direction of a connection.
const BUFFER: usize = 64 * 1024;

/// Makes connections to its listener. Clones reach the same one.
#[derive(Clone, Debug)]
pub struct Dialer(mpsc::UnboundedSender<DuplexStream>);

/// Accepts what its dialler makes.
#[derive(Debug)]
pub struct MemoryListener(mpsc::UnboundedReceiver<DuplexStream>);

/// A dialler and its listener.
#[must_use]
pub fn memory() -> (Dialer, MemoryListener) {
    let (sender, receiver) = mpsc::unbounded_channel();
    (Dialer(sender), MemoryListener(receiver))
}

impl Dialer {
    /// A new connection.
    ///
    /// # Errors
    /// When the listener is gone.
    pub fn dial(&self) -> io::Result<DuplexStream> {
        let (ours, theirs) = tokio::io::duplex(BUFFER);
        self.0.send(theirs).map_err(|_| io::ErrorKind::ConnectionRefused)?;
        Ok(ours)
    }
}

impl Listener for MemoryListener {
    type Io = DuplexStream;
    type Addr = ();

    async fn accept(&mut self) -> (DuplexStream, ()) {
        match self.0.recv().await {
            Some(stream) => (stream, ()),
            // Without diallers nobody comes any more.
            None => pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<()> {
        Ok(())
    }
}
