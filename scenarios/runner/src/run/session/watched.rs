//! A socket that is watched, and an event that came in by it.
//!
//! Invariant: a socket that may be dead without a sign is dead once it is silent. Absent on purpose: when it is read.

use crate::drivers::Socket;
use crate::run::outcome::{StepResult, Trouble};
use crate::run::received_frames::ReceivedFrames;
use serde_json::Value as Json;
use std::time::Duration;
use tokio_tungstenite::tungstenite::Utf8Bytes;

/// A socket with its owner and, if it is a further one, its name.
pub(super) struct Watched {
    pub(super) partner: usize,
    pub(super) client: usize,
    pub(super) name: Option<String>,
    pub(super) socket: Socket,
    /// The network was cut since it last sent something: it may be dead without a sign.
    pub(super) unproven: bool,
    /// No step expects anything of it: it is there to be compared with another one.
    pub(super) is_second: bool,
    /// What it has sent, where the server is no fundsim.
    pub(super) received: ReceivedFrames,
}

impl Watched {
    /// What came in since the last time; an unproven socket that is silent is dead.
    pub(super) async fn catch_up(&mut self, patience: Duration) -> StepResult<Vec<Utf8Bytes>> {
        let patience = if self.unproven { TIME_TO_PROVE.min(patience) } else { patience };
        match self.socket.catch_up(patience).await {
            Ok(frames) => {
                self.unproven = false;
                Ok(frames)
            }
            Err(_) if self.unproven => {
                self.socket.give_up();
                Ok(Vec::new())
            }
            Err(error) => Err(Trouble::new(error.to_string())),
        }
    }
}

/// How long an unproven socket gets to prove that it lives.
const TIME_TO_PROVE: Duration = Duration::from_secs(2);

/// An event as it came in.
pub(crate) struct Arrived {
    pub(crate) partner: usize,
    pub(crate) client: usize,
    pub(crate) socket: Option<String>,
    pub(crate) frame: Json,
    /// Whether the connection speaks of itself, and not the world.
    pub(crate) is_control: bool,
    pub(crate) claimed: bool,
    pub(crate) forgotten: bool,
}

/// Whose socket it is, in words; nothing for the first one of the usual client.
pub(super) fn label(partner: usize, client: usize, name: Option<&str>) -> String {
    let who = match (partner, client) {
        (1, 1) => String::new(),
        (partner, client) => format!("partner {partner} client {client}"),
    };
    match name {
        Some(name) if who.is_empty() => name.to_owned(),
        Some(name) => format!("{who} {name}"),
        None => who,
    }
}
