//! One step of a run on a host.
//!
//! Invariant: as with generated steps, taking one away leaves the meaning of the others; a step that names what is not there
//! (a snapshot, a webhook, an earlier moment) does nothing. Absent on purpose: ids, which only a server knows.

use crate::generate::{ClientNo, Step};
use crate::shrink::Shrink;

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostStep {
    /// What a step of the world level does, sent as a request.
    Do(Step),
    /// The world is put back so many moments, by the number of an input or by the instant.
    Rewind {
        /// How many moments.
        back: u8,
        /// Whether the instant names the moment.
        by_instant: bool,
    },
    /// The world is put back to its start.
    Reset,
    /// A snapshot is taken.
    Snapshot,
    /// A snapshot is restored, newest first.
    Restore(u8),
    /// A fork begins so many moments ago, is compared, used by its own partner and dropped.
    Fork {
        /// How many moments.
        back: u8,
    },
    /// A setting of the surface is changed, by its place, to one of its values.
    Surface(u8, u8),
    /// A setting of the world is changed, by its place, to one of its values.
    World(u8, u8),
    /// What a client may do is changed, by the place of the permission.
    Permit(ClientNo, u8, bool),
    /// Whether a client's withdrawals need a signature.
    Sign(ClientNo, bool),
    /// A webhook is registered: of which client, for which events, by their place.
    Webhook(ClientNo, u8),
    /// A webhook is changed, oldest first: its address, whether it is enabled.
    ChangeWebhook(u8, bool),
    /// A webhook is removed, oldest first.
    RemoveWebhook(u8),
    /// A rule hits so many reads of a client's plans.
    Rule(u8),
    /// A client's plans are read, which a rule may hit.
    Read(ClientNo),
    /// A rule is removed, oldest first.
    RemoveRule(u8),
    /// A socket opens.
    Socket(ClientNo),
    /// A token with two rights, by their places, asks for everything; they are separated by a comma or by a space.
    Rights(u8, u8, bool),
    /// The operator keeps the market to itself, the world is put back, and the market is open again.
    KeepMarket,
    /// Few events are kept, and then many again.
    KeepEvents,
    /// A world with a named partner is made, deleted and made again.
    MakeAgain,
    /// What was recorded so far is played.
    PlayRecording,
    /// Something that was made is explained, newest first.
    Explain(u8),
    /// The clock goes by itself for a while, at a pace by its place.
    SetGoing(u8),
}

impl Shrink for HostStep {
    fn candidates(&self) -> Vec<Self> {
        match *self {
            Self::Do(step) => step.candidates().into_iter().map(Self::Do).collect(),
            Self::Rewind { back, by_instant } if back > 1 => vec![Self::Rewind { back: 1, by_instant }],
            Self::Fork { back } if back > 0 => vec![Self::Fork { back: 0 }],
            Self::Rule(times) if times > 1 => vec![Self::Rule(1)],
            _ => Vec::new(),
        }
    }

    fn weight(&self) -> u32 {
        match self {
            Self::Do(step) => step.weight(),
            Self::Rewind { back, .. } | Self::Fork { back } | Self::Rule(back) => u32::from(*back),
            _ => 0,
        }
    }

    fn numbers(&self) -> Vec<(u64, u64)> {
        if let Self::Do(step) = self { step.numbers() } else { Vec::new() }
    }

    fn with_number(&self, at: usize, value: u64) -> Self {
        if let Self::Do(step) = self { Self::Do(step.with_number(at, value)) } else { *self }
    }

    fn folded(&self, next: &Self) -> Option<Self> {
        match (self, next) {
            (Self::Do(one), Self::Do(other)) => one.folded(other).map(Self::Do),
            _ => None,
        }
    }
}
