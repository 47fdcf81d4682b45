//! Clones of a world by name.
//!
//! Invariant: bounded in number; a snapshot is never changed, only taken again under its name.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use sim::World;
use sim::time::Instant;

use crate::hosting::input_log::Position;
use crate::hosting::setup::SurfaceSetup;

/// Snapshots that a world may have at once.
pub const MOST_SNAPSHOTS: usize = 32;

/// One of them.
#[derive(Clone)]
pub struct Snapshot {
    /// The input after which it was kept, and what the surface was set to; none when it was brought from elsewhere.
    pub origin: Option<(Position, SurfaceSetup)>,
    /// The world as it stood.
    pub world: Arc<World>,
}

/// The snapshots of one world.
#[derive(Default)]
pub struct Snapshots {
    by_name: Mutex<IndexMap<String, Snapshot, FxBuildHasher>>,
}

impl Snapshots {
    fn by_name(&self) -> MutexGuard<'_, IndexMap<String, Snapshot, FxBuildHasher>> {
        self.by_name.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps `snapshot` under `name`, in place of an earlier one; `false` when there are too many.
    pub fn keep(&self, name: String, snapshot: Snapshot) -> bool {
        let mut by_name = self.by_name();
        let fits = by_name.len() < MOST_SNAPSHOTS || by_name.contains_key(&name);
        if fits {
            by_name.insert(name, snapshot);
        }
        fits
    }

    /// Whether there is one with `name`.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.by_name().contains_key(name)
    }

    /// The snapshot with `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Snapshot> {
        self.by_name().get(name).cloned()
    }

    /// Name and business time of each, oldest first.
    #[must_use]
    pub fn list(&self) -> Vec<(String, Instant)> {
        self.by_name().iter().map(|(name, snapshot)| (name.clone(), snapshot.world.now())).collect()
    }
}
