//! Whether a world is in use: what keeps it from being dropped as idle.
//!
//! Invariant: who is being answered, listens, watches, or waits for a long change to end, uses the world. Absent on purpose:
//! for how long unused worlds are kept, which is the operator's.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::MutexGuard;

use super::WorldHandle;
use feed::transport::TransportTime;

/// The gate, held. The world counts as used until it is let go.
pub struct Gate<'w> {
    world: &'w WorldHandle,
    _held: MutexGuard<'w, ()>,
}

impl Drop for Gate<'_> {
    fn drop(&mut self) {
        self.world.is_used(self.world.server.clock.now());
    }
}

/// Somebody who watches a world: it counts as used until they leave.
pub struct Watcher(Arc<WorldHandle>);

impl Drop for Watcher {
    fn drop(&mut self) {
        self.0.is_used(self.0.server.clock.now());
        self.0.watchers.fetch_sub(1, Ordering::AcqRel);
    }
}

impl WorldHandle {
    /// Passes the gate, which long changes of a world pass one at a time.
    pub async fn pass_gate(&self) -> Gate<'_> {
        Gate { _held: self.gate.lock().await, world: self }
    }

    /// Somebody begins to watch.
    pub fn watch(self: &Arc<Self>) -> Watcher {
        self.watchers.fetch_add(1, Ordering::AcqRel);
        Watcher(Arc::clone(self))
    }

    /// Somebody asks something of it.
    pub fn is_used(&self, now: TransportTime) {
        self.used.fetch_max(now.0, Ordering::Relaxed);
    }

    /// Whether it had no request for so long, has no subscribers, and runs no advance.
    pub(in crate::worlds) fn is_idle(&self, now: TransportTime, idle: Duration) -> bool {
        let used = TransportTime(self.used.load(Ordering::Relaxed));
        let is_watched = self.watchers.load(Ordering::Acquire) > 0 || !self.subscribers.feed.open_sockets().is_empty();
        now.since(used) >= idle && !is_watched && self.gate.try_lock().is_ok()
    }
}
