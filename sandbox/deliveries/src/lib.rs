//! What the server sends to partners' servers: journey callbacks, and webhooks where the operator registered some.
//!
//! Owns: the queue of one world with its webhooks, and queueing what the world emits. Invariant: callbacks are queued
//! under the world's lock, in the order in which they happened, and none is lost between world and queue. What
//! becomes of a delivery never changes the world, and is no part of its digest.
//! Absent on purpose: where what happens to them is kept.
//!
//! # Files
//!
//! > The world leaves callbacks; the queue says when; the client makes one attempt; the outcome goes into the log.
//!
//! | file | owns |
//! |---|---|
//! | `notification.rs` | one message: bytes, address, key, and the ordering key it must not overtake |
//! | `machine.rs` `delivery.rs` | the life of one delivery, as a table; one delivery as the log keeps it |
//! | `positions.rs` | the order in which deliveries came, and the cursors of its readers |
//! | `message.rs` | a message as it was, or would be, sent: for readers |
//! | `queue.rs` | order, retries, the log and its bounds; no socket, task or clock |
//! | `outcome.rs` | the outcome of an attempt, and which answers count |
//! | `client.rs` `connector.rs` | one attempt within its bounds, over whatever network is handed in |
//! | `trust.rs` | whose certificates are trusted where https is called |
//! | `egress.rs` | which addresses may be dialled: judged after resolving, on the very address that is dialled |
//! | `network.rs` `reach.rs` | networks in CIDR notation; whether others than this machine can reach the server |
//! | `signature.rs` `signing_keys.rs` | the Standard Webhooks scheme; the secrets that sign for one receiver at a moment |
//! | `change.rs` | what happens beside the inputs of the world, so that it can be done again |
//! | `webhooks.rs` | who registered for which events, and which webhooks are disabled |
//! | `worker.rs` | the task that carries it out; decides nothing |
//!
//! `host.rs` is what a hosted world gives: its clock, its events, its secrets and its faults. The worker asks it about the attempt that it is
//! about to make; a delivery that is put off goes back into the queue.
//!
//! Callbacks are queued under the world's lock, so their order is the world's; webhooks read the event log by cursor, like sockets do,
//! and wait there when their receivers are slow. What becomes of a delivery never changes the world and is no part of its digest.
//! `scenarios/runner/src/drivers/receiver.rs` is the other side: the partner's own server, as a host of the simulated network, over memory, or on
//! a port, behaving well or in every bad way a receiver can.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! fault, machine, network, positions, reach, signature
//! egress, outcome, signing_keys
//! connector, notification, trust, webhooks
//! client, delivery
//! change, egress_client, host, queue
//! message, state, testing
//! worker
//! ```

pub mod change;
pub mod client;
pub mod connector;
pub mod delivery;
pub mod egress;
pub mod egress_client;
pub mod fault;
pub mod host;
pub mod machine;
pub mod message;
pub mod network;
pub mod notification;
pub mod outcome;
pub mod positions;
pub mod queue;
pub mod reach;
pub mod signature;
pub mod signing_keys;
mod state;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod trust;
pub mod webhooks;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, MutexGuard, OnceLock, Weak};

use sim::World;
use sim::command::Patch;
use sim::ids::{ClientId, PartnerId};
use sim::settings::Settings;
use sim::time::Instant;
use tokio::sync::Notify;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::change::{Change, Note, Notes};
use crate::egress_client::EgressClient;
use crate::host::Host;
use crate::message::Message;
use crate::notification::{Notification, OrderingKey};
use crate::outcome::Ended;
use crate::queue::{BegunAgain, Delivery, NoReplay, Queue};
use crate::signature::SigningKey;
use crate::signing_keys::SigningKeys;
use crate::state::{Shared, State};
use crate::webhooks::{MOST_WEBHOOKS, Replay, Replayed, Webhook, WebhookChange};
use crate::worker::End;
use feed::event_types::{CALLBACK, TEST, event_types};
use feed::input_log::LogError;
use feed::log::{Cursor, Log};
use feed::transport::TransportTime;

/// The deliveries of one world.
pub struct Deliveries {
    host: Weak<dyn Host>,
    /// Sign the callbacks of each partner.
    keys: Vec<(PartnerId, Arc<SigningKeys>)>,
    egress_client: Arc<OnceLock<EgressClient>>,
    state: Shared,
    news: Arc<Notify>,
    working: Arc<AtomicBool>,
    notes: Notes,
    registered: AtomicU64,
    tested: AtomicU64,
}

impl Deliveries {
    /// Deliveries of `host`, whose callbacks to each partner its key signs, by a way out that may be opened later.
    pub fn new(
        host: Weak<dyn Host>,
        keys: Vec<(PartnerId, SigningKey)>,
        egress_client: Arc<OnceLock<EgressClient>>,
    ) -> Self {
        let keys = keys.into_iter().map(|(partner, key)| (partner, Arc::new(SigningKeys::new(key)))).collect();
        Self {
            host,
            keys,
            egress_client,
            state: Shared::default(),
            news: Arc::default(),
            working: Arc::default(),
            notes: Notes::default(),
            registered: AtomicU64::new(0),
            tested: AtomicU64::new(0),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    fn callback_keys(&self, partner: PartnerId) -> Option<&Arc<SigningKeys>> {
        self.keys.iter().find(|(known, _)| *known == partner).map(|(_, keys)| keys)
    }

    /// Queues what the world emitted. The caller holds the world's lock and has published the events.
    pub fn collect(&self, world: &mut World, now: impl Fn(&World) -> TransportTime) {
        let callbacks = world.take_callbacks();
        let mut state = self.state();
        if callbacks.is_empty() && state.webhooks.is_empty() {
            return;
        }
        let now = now(world);
        for callback in callbacks {
            let partner = sim::query::client(world, callback.client).map(|client| client.partner);
            // A client that is gone still has its partner; only a world without partners has none, and no journeys.
            let of_partner = partner.and_then(|partner| self.callback_keys(partner));
            let Some(keys) = of_partner.or(self.keys.first().map(|(_, keys)| keys)) else { continue };
            state.queue.add(now, notification_of(callback, partner, Arc::clone(keys), &world.setup().settings));
        }
        drop(state);
        self.wake();
    }

    /// Has the worker look again; starts it where none is running and there is a runtime to run it.
    pub fn wake(&self) {
        self.news.notify_one();
        let (Some(egress_client), Some(host)) = (self.egress_client.get(), self.host.upgrade()) else { return };
        if tokio::runtime::Handle::try_current().is_ok() && !self.working.swap(true, Ordering::AcqRel) {
            let resting = worker::Resting(Arc::clone(&self.working));
            let work = worker::work(
                self.host.clone(),
                self.state.clone(),
                egress_client.clone(),
                Arc::clone(&self.news),
                self.notes.clone(),
                resting,
            );
            tokio::spawn(work.instrument(host.span()));
        }
    }

    /// As `wake`, if there is anything to do.
    pub fn resume(&self) {
        let state = self.state();
        if state.queue.queued() > 0 || !state.webhooks.is_empty() {
            drop(state);
            self.wake();
        }
    }

    /// Has the worker check whether its world still exists.
    pub fn stop(&self) {
        self.news.notify_one();
    }

    /// Forgets past and queued deliveries, since their world is gone. Webhooks stay, and are sent later events.
    pub fn forget(&self, log: &Log) {
        let mut state = self.state();
        state.queue.clear();
        (state.cursor, state.era) = (log.end(), state.era + 1);
    }

    /// Notes with `note`, from now on, what happens beside the inputs of the world. Once.
    pub fn note_changes(&self, note: Box<Note>) {
        self.notes.begin(note);
    }

    /// Turns the events that were not looked at yet into deliveries, as of `now`, without waiting for the worker.
    pub fn catch_up(&self, host: &dyn Host, now: TransportTime) {
        worker::fan_out_all(host, &self.state, now);
    }

    /// Does again what a journal has noted, without noting it.
    pub fn redo(&self, host: &dyn Host, change: Change) {
        match change {
            Change::Attempted {
                id,
                queued,
                began,
                ended,
                outcome,
                retry_after,
                fault,
                signed_at,
                went_to,
                is_stale,
                again,
            } => {
                let begun = BegunAgain { queued: Some(queued), began, went_to, is_stale };
                let end = End::Reported { at: ended, ended: Ended { outcome, retry_after, fault, signed_at }, again };
                worker::attempted(&self.state, id, begun, &end);
            }
            Change::PutOff { id, at, by } => {
                let begun = BegunAgain { queued: None, began: at, went_to: None, is_stale: false };
                worker::attempted(&self.state, id, begun, &End::PutOff(by));
            }
            Change::Replayed { id, at } => {
                drop(self.send_again(id, at, |_| true));
            }
            Change::Resent { webhook, since, from, at } => {
                let wanted = Replay { since, from: from.map(Cursor) };
                worker::replay_since(host, &self.state, webhook, wanted, at);
            }
            Change::Tested { webhook, occurred, at } => {
                self.add_test(webhook, occurred, at);
            }
        }
    }

    /// How many webhooks, with the keys that were made for them, and test messages there were.
    #[must_use]
    pub fn counts(&self) -> (u64, u64) {
        (self.registered.load(Ordering::Relaxed), self.tested.load(Ordering::Relaxed))
    }

    /// So many webhooks and test messages there were before.
    pub fn continues_after(&self, (registered, tested): (u64, u64)) {
        self.registered.fetch_max(registered, Ordering::Relaxed);
        self.tested.fetch_max(tested, Ordering::Relaxed);
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

    /// Events that were not sent to webhooks because they were no longer kept.
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

    /// Registers a webhook for what happens from now on, with `key` or one of its own; `None` when its partner has too many.
    pub fn register(
        &self,
        host: &dyn Host,
        (client, partner): (ClientId, Option<PartnerId>),
        url: Arc<str>,
        key: Option<SigningKey>,
        events: Option<Vec<&'static str>>,
    ) -> Option<Webhook> {
        let mut state = self.state();
        if state.webhooks.values().filter(|webhook| webhook.partner == partner).count() >= MOST_WEBHOOKS {
            return None;
        }
        let count = self.registered.fetch_add(1, Ordering::Relaxed);
        let key = key.unwrap_or_else(|| host.webhook_key(count));
        let keys = Arc::new(SigningKeys::new(key));
        let from = host.events().end();
        if state.webhooks.is_empty() {
            state.cursor = from;
        }
        let id = host.webhook_id(count);
        let webhook = Webhook { id, client, partner, url, keys, events, from, disabled: None };
        state.webhooks.insert(webhook.id, webhook.clone());
        drop(state);
        self.wake();
        Some(webhook)
    }

    /// Has a webhook sign with `key`, or one of its own, and until then with the one before, too; `None` when there is none.
    pub fn rotate(&self, host: &dyn Host, id: Uuid, key: Option<SigningKey>, until: TransportTime) -> Option<Webhook> {
        let state = self.state();
        let webhook = state.webhooks.get(&id)?;
        let drawn = || host.webhook_key(self.registered.fetch_add(1, Ordering::Relaxed));
        webhook.keys.rotate(key.unwrap_or_else(drawn), until);
        Some(webhook.clone())
    }

    /// Changes a webhook; `None` when there is none. What is queued for it goes to its address, whichever that is by then; one
    /// that is enabled again is sent what happens from then on.
    pub fn alter(&self, id: Uuid, log: &Log, now: TransportTime, change: &WebhookChange) -> Option<Webhook> {
        let mut state = self.state();
        let webhook = state.webhooks.get_mut(&id)?;
        match &change.events {
            Patch::Set(events) => webhook.events = Some(event_types(events)),
            Patch::Clear => webhook.events = None,
            Patch::Keep => {}
        }
        if change.enabled == Some(true) && webhook.disabled.take().is_some() {
            webhook.from = log.end();
        }
        let moved = change.url.as_deref().filter(|url| **url != *webhook.url).map(Arc::<str>::from);
        if let Some(url) = moved {
            webhook.url = Arc::clone(&url);
            state.queue.redirect(id, now, &url);
        }
        match change.enabled {
            Some(true) => state.queue.mark_stale(id),
            Some(false) => state.disable(id, now),
            None => {}
        }
        state.webhooks.get(&id).cloned()
    }

    /// Queues a message by which the owner of a webhook sees that it works; `None` when there is no such webhook.
    ///
    /// # Errors
    /// When the journal does not keep it.
    pub async fn test(&self, id: Uuid, occurred: Instant, now: TransportTime) -> Result<Option<Delivery>, LogError> {
        let queued = self.add_test(id, occurred, now);
        if queued.is_some() {
            self.notes.note(|| Change::Tested { webhook: id, occurred, at: now }).await?;
        }
        Ok(queued)
    }

    fn add_test(&self, id: Uuid, occurred: Instant, now: TransportTime) -> Option<Delivery> {
        let mut state = self.state();
        let webhook = state.webhooks.get(&id)?.clone();
        let count = self.tested.fetch_add(1, Ordering::Relaxed);
        let test = Uuid::new_v5(&id, &count.to_be_bytes());
        let current = serde_json::json!({ "webhook": id, "url": &*webhook.url });
        let body = serde_json::json!({ "current": current, "previous": null });
        state.queue.add(
            now,
            Notification {
                id: test,
                webhook_id: test,
                ordering_key: OrderingKey { webhook: Some(id), resource: test },
                event_type: TEST,
                client: webhook.client,
                partner: webhook.partner,
                occurred,
                url: webhook.url,
                keys: webhook.keys,
                body: body.to_string().into(),
            },
        );
        let queued = state.queue.get(test).cloned();
        drop(state);
        self.wake();
        queued
    }

    /// Queues the events of a webhook that `wanted` names, again or for the first time, in the order in which they
    /// happened; `None` when there is no such webhook.
    ///
    /// # Errors
    /// When the journal does not keep it.
    pub async fn replay_since(&self, host: &dyn Host, id: Uuid, wanted: Replay) -> Result<Option<Replayed>, LogError> {
        let now = host.time();
        let Some(replayed) = worker::replay_since(host, &self.state, id, wanted, now) else { return Ok(None) };
        let kept = self.notes.note(|| Change::resent(id, wanted, now));
        self.wake();
        kept.await?;
        Ok(Some(replayed))
    }

    /// Sends one delivery again that `is_seen`, to the present address of its webhook; answers it as it is queued.
    ///
    /// # Errors
    /// When the journal does not keep that; within, when the delivery is not kept or not seen, when its webhook was removed, or
    /// when there is no room.
    pub async fn replay(
        &self,
        id: Uuid,
        now: TransportTime,
        is_seen: impl FnOnce(&Delivery) -> bool,
    ) -> Result<Result<Delivery, NoReplay>, LogError> {
        let queued = self.send_again(id, now, is_seen);
        if queued.is_ok() {
            self.notes.note(|| Change::Replayed { id, at: now }).await?;
        }
        Ok(queued)
    }

    fn send_again(
        &self,
        id: Uuid,
        now: TransportTime,
        is_seen: impl FnOnce(&Delivery) -> bool,
    ) -> Result<Delivery, NoReplay> {
        let mut state = self.state();
        let row = state.queue.get(id).filter(|row| is_seen(row)).ok_or(NoReplay::Unknown)?;
        let url = match row.notification.ordering_key.webhook {
            Some(webhook) => Some(Arc::clone(&state.webhooks.get(&webhook).ok_or(NoReplay::NoWebhook)?.url)),
            None => None,
        };
        let queued = state.queue.replay(id, now, url.as_ref()).cloned();
        drop(state);
        self.wake();
        queued
    }

    /// A delivery that `is_seen` as it was sent last; as it would be sent, where it was not yet.
    ///
    /// # Errors
    /// When the delivery is not kept or not seen, or when its webhook was removed: nothing of it is signed again.
    pub fn message(
        &self,
        host: &dyn Host,
        id: Uuid,
        is_seen: impl FnOnce(&Delivery) -> bool,
    ) -> Result<Message, NoReplay> {
        let state = self.state();
        let row = state.queue.get(id).filter(|row| is_seen(row)).ok_or(NoReplay::Unknown)?;
        match row.notification.ordering_key.webhook {
            Some(webhook) if !state.webhooks.contains_key(&webhook) => Err(NoReplay::NoWebhook),
            Some(_) | None => Ok(Message::of(row, host)),
        }
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

/// The delivery of a callback to the partner that asked for it.
#[must_use]
pub fn notification_of(
    callback: sim::Callback,
    partner: Option<PartnerId>,
    keys: Arc<SigningKeys>,
    settings: &Settings,
) -> Notification {
    let sim::Callback { id, at, client, journey, url, body } = callback;
    Notification {
        id,
        webhook_id: id,
        ordering_key: OrderingKey { webhook: None, resource: journey.as_uuid() },
        event_type: CALLBACK,
        client,
        partner,
        occurred: at,
        url,
        keys,
        body: wire::journeys::callback::render(&body, settings),
    }
}
