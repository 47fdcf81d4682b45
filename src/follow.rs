//! Following a world of a running sandbox: what is new is read at once, for as long as the sandbox answers or comes back.
//!
//! Invariant: looking on leaves no trace in the world. Absent on purpose: what is new, which a reader asks for by its own cursor.

use crate::bearer::Shown;
use crate::out;
use runner::drivers::live;
use serde_json::Value as Json;
use std::convert::Infallible;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, Builder, JoinHandle};
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
    fn of(status: u16, why: String) -> Self {
        if matches!(status, 401 | 500..) { Self::Away(why) } else { Self::Refused(why) }
    }
}

/// Reads `path` without a trace.
///
/// # Errors
/// Why there is no answer, or none with status 200.
pub(crate) fn read(shown: &Shown, path: &str) -> Result<Json, Missed> {
    let (token, patience) = (shown.token.as_deref(), shown.patience);
    let (status, answer) = live::observe(&shown.server, path, token, patience).map_err(Missed::Away)?;
    if status == 200 { Ok(answer) } else { Err(Missed::of(status, shown.refusal(status, &answer))) }
}

/// Who reads what is new in a world.
pub(crate) trait Follower {
    /// The sandbox, and the id of the world.
    fn of(&self) -> (&Shown, &str);

    /// Reads what is new.
    fn catch_up(&mut self) -> Result<(), Missed>;

    /// Shows the credentials again, which give a new token, and looks whether the world is still there.
    fn renew(&mut self) -> Result<(), String>;
}

/// Has what is new read, for as long as the sandbox answers or comes back.
///
/// # Errors
/// Why it will never answer.
pub(crate) fn follow(follower: &mut impl Follower) -> Result<Infallible, String> {
    let mut pause = PAUSE.0;
    let mut is_away = false;
    loop {
        let (shown, world) = follower.of();
        let stream = Stream::open(shown, world)?;
        while stream.wait() {
            match follower.catch_up() {
                Ok(()) => {
                    if std::mem::take(&mut is_away) {
                        out::note(&format!("fundsim: {} answers again\n", stream.url));
                    }
                    pause = PAUSE.0;
                }
                Err(Missed::Refused(why)) => return Err(why),
                Err(Missed::Away(_)) => break,
            }
        }
        let why = stream.end()?;
        // Who is away for a moment is not worth a word.
        thread::sleep(pause);
        if let Err(missed) = follower.renew() {
            if !std::mem::replace(&mut is_away, true) {
                out::note(&format!("fundsim: {why}; waiting for it ({missed})\n"));
            }
            pause = (pause * 2).min(PAUSE.1);
        }
    }
}

/// The stream of a world.
struct Stream {
    url: String,
    news: Receiver<()>,
    watching: JoinHandle<Result<Option<u16>, String>>,
}

impl Stream {
    /// Opens it.
    ///
    /// # Errors
    /// When the system gives no thread.
    fn open(shown: &Shown, world: &str) -> Result<Self, String> {
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
    fn wait(&self) -> bool {
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
    fn end(self) -> Result<String, String> {
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
