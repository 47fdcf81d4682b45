//! A port that is served: what is said when it is ready, and the signals that end it.
//!
//! Invariant: the first signal stops the server as it should, the second at once. Absent on purpose: what is served.

use super::config::Config;
use super::plan::since_epoch;
use super::tls::Secured;
use super::{banner, data};
use crate::args::Output;
use crate::exit::WELL;
use crate::out;
use hosting::worlds::WorldHandle;
use std::pin::pin;
use std::sync::Arc;
use surface::App;
use surface::server::Front;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Says that the server is ready, and how it is used.
pub(super) fn announce(
    config: &Config,
    app: &App,
    world: &WorldHandle,
    credentials: &banner::Credentials,
    kept: Option<&data::Kept>,
    secured: Option<&Secured>,
) -> Result<(), String> {
    let mut line = sandbox::planes::operator::line(app, world).map_err(|error| error.description)?;
    if let (Some(secured), Some(line)) = (secured, line.as_object_mut()) {
        line.insert("tls".to_owned(), secured.json());
    }
    match config.output {
        Output::Json => out::say(&format!("{line}\n")),
        Output::Text => out::say(&banner::text(&line, world.mode(), credentials, kept, secured)),
    }
    Ok(())
}

/// A port that is served until signals end it.
pub(super) struct Serving {
    /// None once it is served.
    pub(super) listener: Option<surface::server::Tcp>,
    pub(super) secured: Option<Arc<Secured>>,
    pub(super) signals: Signals,
}

impl Serving {
    /// Serves until a signal stops it: then `hand_over` has its time before connections close. Answers the exit code.
    pub(super) async fn serve(&mut self, front: impl Front, hand_over: impl Future<Output = ()>) -> u8 {
        let Self { listener, secured, signals } = self;
        let Some(listener) = listener.take() else { return WELL };
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let certificate = secured.as_ref().map(|secured| secured.tls());
        let mut serving = pin!(surface::serve_by(listener, certificate, front, async { drop(stopped.await) }));
        let of_files = secured.as_ref().filter(|secured| secured.is_of_files());
        loop {
            tokio::select! {
                biased;
                () = serving.as_mut() => return WELL,
                asked = signals.next() => match (asked, of_files) {
                    (HANG_UP, Some(secured)) => secured.reload(since_epoch()),
                    _ => break,
                }
            }
        }
        out::note_when_read("closing: sockets are closed, connections finish; another signal stops immediately\n");
        let mut hand_over = pin!(hand_over);
        let mut stop = Some(stop);
        loop {
            tokio::select! {
                biased;
                () = serving.as_mut() => return WELL,
                () = hand_over.as_mut(), if stop.is_some() => drop(stop.take()),
                code = signals.next() => match (code, of_files) {
                    // A server that closes takes no new connections.
                    (HANG_UP, Some(_)) => {}
                    _ => return code,
                }
            }
        }
    }
}

/// The exit code of SIGHUP.
const HANG_UP: u8 = 129;

/// Ctrl-C, SIGTERM and SIGHUP, which a terminal sends that is closed; each with the exit code that shells know it by.
pub(super) struct Signals {
    hang_up: Signal,
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    /// Listening for them begins at once.
    pub(super) fn new() -> Result<Self, String> {
        let listen = |kind| signal(kind).map_err(|error| error.to_string());
        Ok(Self {
            hang_up: listen(SignalKind::hangup())?,
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
        })
    }

    /// The exit code of a process that the next signal ends: 128 and its number.
    pub(super) async fn next(&mut self) -> u8 {
        tokio::select! {
            biased;
            _ = self.hang_up.recv() => HANG_UP,
            _ = self.interrupt.recv() => 130,
            _ = self.terminate.recv() => 143,
        }
    }
}
