//! Clones of a world by name: the operator's, and those of each partner that shares the world.
//!
//! Invariant: bounded in number for each of them; a snapshot is never changed, only taken again under its name.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use sim::World;
use sim::time::Instant;

use crate::setup::SurfaceSetup;
use crate::snapshot_name::SnapshotName;
use feed::input_log::Position;

/// Snapshots that the operator, and each partner, may have at once of a world (rule: auth/quotas).
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
    by_name: Mutex<IndexMap<SnapshotName, Snapshot, FxBuildHasher>>,
}

impl Snapshots {
    fn by_name(&self) -> MutexGuard<'_, IndexMap<SnapshotName, Snapshot, FxBuildHasher>> {
        self.by_name.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// After which inputs they were kept, where they were kept here.
    #[must_use]
    pub fn positions(&self) -> Vec<Position> {
        self.by_name().values().filter_map(|kept| kept.origin.as_ref()).map(|(position, _)| *position).collect()
    }

    /// Keeps `snapshot` under `name`, in place of an earlier one; `false` when its owner has too many.
    pub fn keep(&self, name: SnapshotName, snapshot: Snapshot) -> bool {
        let mut by_name = self.by_name();
        let has = by_name.keys().filter(|known| known.owner == name.owner).count();
        let fits = has < MOST_SNAPSHOTS || by_name.contains_key(&name);
        if fits {
            by_name.insert(name, snapshot);
        }
        fits
    }

    /// Whether there is one with `name`.
    #[must_use]
    pub fn has(&self, name: &SnapshotName) -> bool {
        self.by_name().contains_key(name)
    }

    /// The snapshot with `name`.
    #[must_use]
    pub fn get(&self, name: &SnapshotName) -> Option<Snapshot> {
        self.by_name().get(name).cloned()
    }

    /// Name and business time of each, oldest first.
    #[must_use]
    pub fn list(&self) -> Vec<(SnapshotName, Instant)> {
        self.by_name().iter().map(|(name, snapshot)| (name.clone(), snapshot.world.now())).collect()
    }
}
