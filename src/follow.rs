//! Following a world of a running sandbox: word that something is new, for as long as its stream lasts.
//!
//! Invariant: looking on leaves no trace in the world. Absent on purpose: what is new, which a reader asks for by its own cursor, and
//! when the next stream is opened.

use crate::bearer::Shown;
use runner::drivers::live;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// A stream that is silent for longer has ended: its server says something every ten seconds.
const QUIET: Duration = Duration::from_secs(30);
/// Between two tries to reach a server that is away, at first and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(5));

/// Why a look at the server found nothing.
pub(crate) enum Missed {
    /// The server is away, or no longer takes the token.
    Away(String),
    /// It never answers this.
    Refused(String),
}

impl Missed {
    /// Why, in one line.
    pub(crate) fn why(self) -> String {
        match self {
            Self::Away(why) | Self::Refused(why) => why,
        }
    }

    /// What a status that is not 2xx means.
    pub(crate) fn of(status: u16, why: String) -> Self {
        if matches!(status, 401 | 500..) { Self::Away(why) } else { Self::Refused(why) }
    }
}

/// The stream of a world.
pub(crate) struct Stream {
    url: String,
    news: Receiver<()>,
    watching: JoinHandle<Result<Option<u16>, String>>,
}

impl Stream {
    /// Opens it.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(crate) fn open(shown: &Shown, world: &str) -> Result<Self, String> {
        let (sender, news) = mpsc::channel();
        let (server, token) = (shown.server.clone(), shown.token.clone());
        let path = format!("/_sandbox/worlds/{world}/stream");
        let watching = Builder::new()
            .name("watch".to_owned())
            .spawn(move || live::watch(&server, &path, token.as_deref(), QUIET, || sender.send(()).is_ok()));
        let watching = watching.map_err(|error| error.to_string())?;
        Ok(Self { url: shown.server.url.clone(), news, watching })
    }

    /// Waits until there may be something new, which the stream says at once; `false` when it has ended.
    pub(crate) fn wait(&self) -> bool {
        match self.news.recv_timeout(QUIET) {
            Ok(()) => while self.news.try_recv().is_ok() {},
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return false,
        }
        true
    }

    /// Why it has ended, where the next one may do better.
    ///
    /// # Errors
    /// Why no other one is better.
    pub(crate) fn end(self) -> Result<String, String> {
        let Self { url, news, watching } = self;
        drop(news);
        match watching.join() {
            Ok(Ok(Some(404))) => Err(format!("{url} no longer has this world")),
            Ok(Ok(Some(403))) => Err(format!("{url} does not let this caller look on")),
            Ok(Ok(Some(status))) => Ok(format!("{url} answers {status}")),
            Ok(Err(why)) => Ok(why),
            // An hour is over, or the token, or the server stops.
            Ok(Ok(None)) | Err(_) => Ok(format!("{url} has ended the stream")),
        }
    }
}

/// The time between tries to reach a server that is away.
pub(crate) struct Pauses(Duration);

impl Pauses {
    /// Short ones.
    pub(crate) const fn new() -> Self {
        Self(PAUSE.0)
    }

    /// Waits for a while.
    pub(crate) fn pass(&self) {
        std::thread::sleep(self.0);
    }

    /// The server was away once more.
    pub(crate) fn grow(&mut self) {
        self.0 = (self.0 * 2).min(PAUSE.1);
    }
}
