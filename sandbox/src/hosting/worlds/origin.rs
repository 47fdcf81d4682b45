//! What a world is called in its process, and what it is made from.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use sim::World;
use sim::rng::Seed;
use sim::setup::Setup;
use sim::time::Instant;

use crate::hosting::clock::Mode;
use crate::hosting::credentials::Source;
use crate::hosting::setup::SurfaceSetup;
use crate::wire::error::ApiError;

/// Names a world in this process; text is `world-` and a number from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorldId(u64);

impl WorldId {
    /// The id with this number.
    #[must_use]
    pub const fn from_number(number: u64) -> Self {
        Self(number)
    }

    /// The number.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for WorldId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "world-{}", self.0)
    }
}

/// The text names no world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorldIdError;

impl FromStr for WorldId {
    type Err = WorldIdError;

    fn from_str(text: &str) -> Result<Self, WorldIdError> {
        let digits = text.strip_prefix("world-").ok_or(WorldIdError)?;
        let number: u64 = digits.parse().map_err(|_| WorldIdError)?;
        if number.to_string() == digits { Ok(Self(number)) } else { Err(WorldIdError) }
    }
}

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

    /// The world at its start.
    ///
    /// # Errors
    /// 400 with what is wrong with the setup.
    pub fn world(&self) -> Result<World, ApiError> {
        World::new(&self.setup, self.seed, self.start).map_err(|error| ApiError::invalid_request(error.to_string()))
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
