//! What the deliveries of a world and their worker share: the queue, the webhooks, and how far the events were read.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use uuid::Uuid;

use super::queue::{Policy, Queue};
use super::webhooks::Webhook;
use feed::log::Cursor;
use feed::transport::TransportTime;

pub(super) struct State {
    pub queue: Queue,
    pub webhooks: IndexMap<Uuid, Webhook, FxBuildHasher>,
    /// The next event to look at.
    pub cursor: Cursor,
    /// Events that were no longer kept when their turn came.
    pub missed: u64,
    /// How often the world was put back.
    pub era: u64,
}

impl Default for State {
    fn default() -> Self {
        Self {
            queue: Queue::new(Policy::default()),
            webhooks: IndexMap::default(),
            cursor: Cursor(0),
            missed: 0,
            era: 0,
        }
    }
}

impl State {
    /// Sends nothing to a webhook from now on; what is queued for it stays in the log as dead letters.
    pub fn disable(&mut self, id: Uuid, now: TransportTime) {
        if let Some(webhook) = self.webhooks.get_mut(&id) {
            webhook.disabled.get_or_insert(now);
            self.queue.give_up(id);
        }
    }
}

/// The state behind its lock. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Shared(Arc<Mutex<State>>);

impl Shared {
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
