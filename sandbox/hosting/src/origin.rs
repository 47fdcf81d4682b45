//! What a world is made from.

use std::sync::Arc;

use sim::World;
use sim::rng::Seed;
use sim::setup::Setup;
use sim::time::Instant;

use crate::clock::Mode;
use crate::credentials::Source;
use crate::log::WORLDS;
use crate::memory::{Memory, SetAside};
use crate::setup::SurfaceSetup;
use wire::error::ApiError;

/// From how many accounts on the log shows how far a history is: they take a second or more.
const MANY_ACCOUNTS: u32 = 50_000;

/// What a world was made from, so that it can be made again.
#[derive(Clone, Debug)]
pub struct WorldOrigin {
    /// The setup.
    pub setup: Arc<Setup>,
    /// The seed.
    pub seed: Seed,
    /// Where its clock began.
    pub start: Instant,
}

impl WorldOrigin {
    /// Whether a world of `other` is one of this, further on or not.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        self.seed == other.seed && self.start == other.start && self.setup == other.setup
    }

    /// Sets memory aside for the accounts of the setup's history, while the world is opened.
    ///
    /// # Errors
    /// 400 with what is wrong with the setup; 503 when there is not so much memory.
    pub fn set_aside(&self, memory: &Memory) -> Result<SetAside, ApiError> {
        self.setup.check(self.start).map_err(|error| ApiError::invalid_request(error.to_string()))?;
        memory.for_world(self.setup.history.map_or(0, |history| history.memory()))
    }

    /// The world at its start. While it lives through a history of many accounts, the log has a line for each tenth of
    /// its time in which something happens.
    ///
    /// # Errors
    /// 400 with what is wrong with the setup.
    pub fn world(&self) -> Result<World, ApiError> {
        let accounts = self.setup.history.map_or(0, |history| history.accounts);
        let mut tenths = 0;
        let log = |percent: i64| {
            if accounts >= MANY_ACCOUNTS && percent / 10 > tenths {
                tenths = percent / 10;
                tracing::info!(target: WORLDS, "the history of {accounts} accounts: {percent} %");
            }
        };
        World::watched(&self.setup, self.seed, self.start, log)
            .map_err(|error| ApiError::invalid_request(error.to_string()))
    }
}

/// Longest name of a world, in characters.
pub const LONGEST_NAME: usize = 64;

/// A world to be made.
#[derive(Clone, Debug)]
pub struct NewWorld {
    /// Shown name; the setup's when absent.
    pub name: Option<Arc<str>>,
    /// What it is made from.
    pub origin: WorldOrigin,
    /// How its time passes.
    pub mode: Mode,
    /// What the surface before it starts with.
    pub surface: SurfaceSetup,
    /// Where its partners' credentials come from.
    pub credentials: Source,
}

impl NewWorld {
    /// A world of that origin with a frozen clock, and defaults for everything else.
    #[must_use]
    pub fn frozen(origin: WorldOrigin) -> Self {
        let (surface, credentials) = (SurfaceSetup::default(), Source::default());
        Self { name: None, origin, mode: Mode::Frozen, surface, credentials }
    }
}
