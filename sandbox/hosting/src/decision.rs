//! What the host decides for a world, as the log of its inputs keeps it: all that can change an answer beside commands
//! and time.
//!
//! Invariant: a decision is carried out where the log is read, like every other input. Absent on purpose: how each is
//! carried out, which is the world's host's.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sim::ids::{ClientId, PartnerId};
use sim::input::Act;
use sim::{Input, World};
use uuid::Uuid;

use super::clock::Mode;
use super::faults::{FaultEffect, Match};
use super::partners_may::WorldActs;
use super::snapshot_name::SnapshotName;
use deliveries::network::Network;
use deliveries::webhooks::{Webhook, WebhookChange};
use feed::input_log::LogError;
use feed::lineage::Point;
use feed::transport::SurfaceSettings;

/// One decision.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum HostDecision {
    /// Back to the start.
    Reset,
    /// Keep the world as it is, under a name.
    Keep(SnapshotName),
    /// Keep a world that was brought from elsewhere, under a name.
    Bring(SnapshotName, #[serde(with = "written")] Arc<World>),
    /// Back to what was kept under the name.
    Restore(SnapshotName),
    /// Back to where it stood before.
    Rewind(Point),
    /// A fork was made.
    Fork,
    /// Time passes in another way from now on.
    Clock(Mode),
    /// Other periods and bounds.
    Settings(Box<SurfaceSettings>),
    /// Other waits between the attempts of a delivery.
    Waits(Vec<Duration>),
    /// Other networks that are let in.
    Allowlist(Vec<Network>),
    /// Other acts that partners may do to a world that they share.
    PartnersMay(WorldActs),
    /// Rules of faults, all or none, of a partner or, without one, about everybody.
    AddFaults(Option<PartnerId>, Vec<(Match, FaultEffect)>),
    /// One rule less.
    RemoveFault(u64),
    /// No rules of a partner any more, or, without one, no rules at all.
    ClearFaults(Option<PartnerId>),
    /// Register a subscriber.
    Register {
        /// Client whose events it receives.
        client: ClientId,
        /// Where to.
        url: String,
        /// What signs, as its owner writes it; the log is as secret as that.
        key: Option<String>,
        /// Which events; all when absent.
        events: Option<Vec<String>>,
    },
    /// A webhook is to be otherwise.
    Alter(Uuid, WebhookChange),
    /// A webhook gets another key.
    Rotate {
        /// Which.
        webhook: Uuid,
        /// What signs from now on, as its owner writes it; the log is as secret as that.
        key: Option<String>,
        /// How long the key before signs, too.
        overlap: Duration,
    },
    /// Remove a subscriber.
    Unregister(Uuid),
}

/// The outcome of a decision.
#[derive(Debug)]
pub enum Carried {
    /// It was carried out.
    Done,
    /// There is no room for it, or nothing that it names.
    Nothing,
    /// The rules' numbers.
    Faults(Vec<u64>),
    /// The registration, or the one that has ended.
    Webhook(Box<Webhook>),
}

impl HostDecision {
    /// As the world's log keeps it.
    ///
    /// # Panics
    /// When JSON refuses it: a bug.
    #[must_use]
    pub fn act(&self) -> Act {
        let words = serde_json::to_string(self).expect("plain data with texts for keys is JSON");
        Act::Surface(words.into())
    }

    /// Whether it may put the world back to a moment of its past.
    #[must_use]
    pub const fn goes_back(&self) -> bool {
        matches!(self, Self::Reset | Self::Restore(_) | Self::Rewind(_))
    }

    /// What the decision in these words is called, and nothing of what it holds.
    #[must_use]
    pub fn name(words: &str) -> String {
        let name = |decision| match decision {
            Value::String(name) => Some(name),
            Value::Object(fields) => fields.keys().next().cloned(),
            _ => None,
        };
        serde_json::from_str(words).ok().and_then(name).unwrap_or_default()
    }

    /// The decision in an input, if it is one.
    ///
    /// # Errors
    /// `Never` when it is one that this build does not know.
    pub fn of(input: &Input) -> Result<Option<Self>, LogError> {
        match &input.act {
            Act::Surface(words) => match serde_json::from_str(words) {
                Ok(decision) => Ok(Some(decision)),
                Err(fault) => Err(LogError::Never(format!("a decision that cannot be read: {fault}"))),
            },
            _ => Ok(None),
        }
    }
}
