//! A server over connections in memory, for tests.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::Bench;
use crate::server::Tls;
use crate::server::memory::{Dialer, memory};

/// A request for what is not there.
pub const GET: &str = "GET /nowhere HTTP/1.1\r\nhost: localhost\r\n\r\n";

/// A server, and its way in.
pub struct Served {
    /// What it serves.
    pub bench: Bench,
    /// The way in.
    pub dialer: Dialer,
    /// Stops it.
    pub stop: oneshot::Sender<()>,
    /// Ends when the server has ended.
    pub server: JoinHandle<()>,
}

impl Served {
    /// Serves `bench`.
    #[must_use]
    pub fn of(bench: Bench) -> Self {
        Self::by(bench, None)
    }

    /// Serves `bench`, in TLS where there is a certificate.
    #[must_use]
    pub fn by(bench: Bench, tls: Option<Tls>) -> Self {
        let (dialer, listener) = memory();
        let (stop, stopped) = oneshot::channel();
        let surface = bench.surface.clone();
        let server = tokio::spawn(crate::serve_by(listener, tls, surface, async {
            drop(stopped.await);
        }));
        Self { bench, dialer, stop, server }
    }

    /// A new connection.
    ///
    /// # Panics
    /// When nobody listens.
    #[must_use]
    pub fn dial(&self) -> DuplexStream {
        self.dialer.dial().expect("a listener")
    }

    /// Sends `text` on a new connection and reads until the server closes it; answers also how long that took.
    ///
    /// # Panics
    /// When what comes is no text.
    pub async fn whole(&self, text: &str) -> (String, Duration) {
        let mut stream = self.dial();
        stream.write_all(text.as_bytes()).await.expect("room");
        let start = Instant::now();
        (rest(&mut stream).await, start.elapsed())
    }
}

/// All that comes until the server closes the connection.
///
/// # Panics
/// When it is no text.
pub async fn rest(stream: &mut DuplexStream) -> String {
    let mut all = Vec::new();
    stream.read_to_end(&mut all).await.expect("an end");
    String::from_utf8(all).expect("text")
}

/// Reads one answer with a `content-length`.
///
/// # Panics
/// When it has none, or ends too early.
pub async fn answer(stream: &mut DuplexStream) -> String {
    let mut text = String::new();
    loop {
        text.push(char::from(stream.read_u8().await.expect("more")));
        if text.ends_with("\r\n\r\n") {
            break;
        }
    }
    let length = text.lines().find_map(|line| line.strip_prefix("content-length: ")).expect("a length");
    let mut body = vec![0; length.parse().expect("a number")];
    stream.read_exact(&mut body).await.expect("a body");
    text + std::str::from_utf8(&body).expect("text")
}
