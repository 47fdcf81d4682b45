//! What the world tells the outside by itself: journey callbacks, and webhooks where the operator registered some.
//!
//! Owns: the queue of one world with its webhooks, and taking in what the world wants told. Invariant: callbacks are queued
//! under the world's lock, hence in the order in which they happened, and none is lost between world and queue. What
//! becomes of a delivery never changes the world, and is no part of its digest.
//! Absent on purpose: deliveries that outlive the process.

pub mod client;
pub mod connector;
pub mod delivery;
pub mod egress;
pub mod egress_client;
pub(crate) mod host;
pub mod machine;
pub mod notification;
pub mod outcome;
pub mod queue;
pub mod signature;
mod state;
#[cfg(test)]
mod testing;
pub mod webhooks;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, MutexGuard, OnceLock, Weak};

use sim::World;
use sim::ids::{ClientId, PartnerId};
use sim::settings::Settings;
use tokio::sync::Notify;
use uuid::Uuid;

use self::egress_client::EgressClient;
use self::host::Host;
use self::notification::{Notification, OrderingKey};
use self::queue::Queue;
use self::signature::SigningKey;
use self::state::{Shared, State};
use self::webhooks::{MOST_WEBHOOKS, Webhook};
use crate::hosting::feed::log::Log;
use crate::hosting::secrets::ServerKey;
use crate::hosting::transport::TransportTime;
use crate::hosting::worlds::WorldId;
use crate::wire;

/// What a journey callback is called in its `event-type` header: no event has this name, since its body is its own.
pub const CALLBACK: &str = "journey.callback";

/// The deliveries of one world.
pub struct Deliveries {
    host: Weak<dyn Host>,
    id: WorldId,
    key: ServerKey,
    /// Signs the callbacks of each partner.
    keys: Vec<(PartnerId, Arc<SigningKey>)>,
    egress_client: Arc<OnceLock<EgressClient>>,
    state: Shared,
    news: Arc<Notify>,
    working: Arc<AtomicBool>,
    registered: AtomicU64,
}

impl Deliveries {
    pub(crate) fn new(
        host: Weak<dyn Host>,
        id: WorldId,
        key: ServerKey,
        keys: Vec<(PartnerId, Arc<SigningKey>)>,
        egress_client: Arc<OnceLock<EgressClient>>,
    ) -> Self {
        Self {
            host,
            id,
            key,
            keys,
            egress_client,
            state: Shared::default(),
            news: Arc::default(),
            working: Arc::default(),
            registered: AtomicU64::new(0),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    fn callback_key(&self, partner: PartnerId) -> Option<&Arc<SigningKey>> {
        self.keys.iter().find(|(known, _)| *known == partner).map(|(_, key)| key)
    }

    /// Takes in what the world wants told. To be called under the world's lock, after its events were published.
    pub(crate) fn collect(&self, world: &mut World, now: impl Fn(&World) -> TransportTime) {
        let callbacks = world.take_callbacks();
        let mut state = self.state();
        if callbacks.is_empty() && state.webhooks.is_empty() {
            return;
        }
        let now = now(world);
        for callback in callbacks {
            let partner = sim::query::client(world, callback.client).map(|client| client.partner);
            // A client that is gone still has its partner; only a world without partners has none, and no journeys.
            let key = partner.and_then(|partner| self.callback_key(partner)).or(self.keys.first().map(|(_, key)| key));
            let Some(key) = key else { continue };
            state.queue.add(now, notification_of(callback, Arc::clone(key), &world.setup().settings));
        }
        drop(state);
        self.wake();
    }

    /// Has the worker look again; starts it where none is running and there is a runtime to run it.
    pub(crate) fn wake(&self) {
        self.news.notify_one();
        let Some(egress_client) = self.egress_client.get() else { return };
        if tokio::runtime::Handle::try_current().is_ok() && !self.working.swap(true, Ordering::AcqRel) {
            let resting = worker::Resting(Arc::clone(&self.working));
            tokio::spawn(worker::work(
                self.host.clone(),
                self.state.clone(),
                egress_client.clone(),
                Arc::clone(&self.news),
                resting,
            ));
        }
    }

    /// As `wake`, if there is anything to do.
    pub(crate) fn resume(&self) {
        let state = self.state();
        if state.queue.queued() > 0 || !state.webhooks.is_empty() {
            drop(state);
            self.wake();
        }
    }

    /// Has the worker look whether its world still stands.
    pub(crate) fn stop(&self) {
        self.news.notify_one();
    }

    /// Forgets what was and is to be delivered, since the world it tells of is gone. Webhooks stay, and hear what comes.
    pub(crate) fn forget(&self, log: &Log) {
        let mut state = self.state();
        state.queue.clear();
        state.cursor = log.end();
    }

    /// Looks at the queue.
    pub fn look<R>(&self, f: impl FnOnce(&Queue) -> R) -> R {
        f(&self.state().queue)
    }

    /// Works on the queue and has the worker look again.
    pub fn change<R>(&self, f: impl FnOnce(&mut Queue) -> R) -> R {
        let result = f(&mut self.state().queue);
        self.wake();
        result
    }

    /// Events that webhooks were not told because they were no longer kept.
    #[must_use]
    pub fn missed(&self) -> u64 {
        self.state().missed
    }

    /// Events that were not looked at yet for webhooks; zero while there are none.
    #[must_use]
    pub fn unread(&self, log: &Log) -> u64 {
        let state = self.state();
        if state.webhooks.is_empty() { 0 } else { log.end().0.saturating_sub(state.cursor.0) }
    }

    /// Registers a webhook for what happens from now on, with `key` or one of its own; `None` when there are too many.
    pub fn register(
        &self,
        log: &Log,
        client: ClientId,
        url: Arc<str>,
        key: Option<SigningKey>,
        events: Option<Vec<&'static str>>,
    ) -> Option<Webhook> {
        let mut state = self.state();
        if state.webhooks.len() >= MOST_WEBHOOKS {
            return None;
        }
        let count = self.registered.fetch_add(1, Ordering::Relaxed);
        let key = Arc::new(key.unwrap_or_else(|| self.key.webhook_key(self.id, count)));
        let from = log.end();
        if state.webhooks.is_empty() {
            state.cursor = from;
        }
        let webhook = Webhook { id: self.key.webhook_id(self.id, count), client, url, key, events, from };
        state.webhooks.insert(webhook.id, webhook.clone());
        drop(state);
        self.wake();
        Some(webhook)
    }

    /// Removes a webhook; what is queued for it will not be sent.
    pub fn unregister(&self, id: Uuid) -> Option<Webhook> {
        let mut state = self.state();
        let removed = state.webhooks.shift_remove(&id)?;
        state.queue.give_up(id);
        Some(removed)
    }

    /// The webhooks, oldest first.
    #[must_use]
    pub fn webhooks(&self) -> Vec<Webhook> {
        self.state().webhooks.values().cloned().collect()
    }
}

impl Drop for Deliveries {
    fn drop(&mut self) {
        self.stop();
    }
}

impl std::fmt::Debug for Deliveries {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Deliveries").field("queued", &self.look(Queue::queued)).finish_non_exhaustive()
    }
}

fn notification_of(callback: sim::Callback, key: Arc<SigningKey>, settings: &Settings) -> Notification {
    let sim::Callback { id, at, client, journey, url, body } = callback;
    Notification {
        id,
        webhook_id: id,
        ordering_key: OrderingKey { webhook: None, resource: journey.as_uuid() },
        event_type: CALLBACK,
        client: Some(client),
        occurred: at,
        url,
        key,
        body: wire::callback::render(&body, settings),
    }
}

#[cfg(test)]
mod tests;
