//! The task that carries a world's deliveries out.
//!
//! Invariant: it decides nothing: the queue says what is due, the client what came of it. It holds no world alive, and
//! sleeps while nothing is due. When it is lost (a host that crashes), the next one takes over what it had under way.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use serde::Deserialize;
use serde_json::Value;
use sim::Event;
use sim::time::Instant;
use tokio::sync::Notify;
use uuid::Uuid;

use super::egress_client::EgressClient;
use super::host::Host;
use super::notification::{Notification, OrderingKey};
use super::outcome::{Ended, Failure, Outcome, Verdict};
use super::queue::Number;
use super::signature::SigningKey;
use super::state::Shared;
use super::webhooks::{Replayed, Webhook, resource};
use crate::hosting::faults::DeliveryFault;
use crate::hosting::feed::log::{Cursor, Entry, ReadResult};
use crate::hosting::transport::{TransportClock, TransportTime};

/// Events looked at under one hold of the world's lock.
const BATCH: usize = 100;
/// No further events are turned into deliveries while so many are queued; they wait in the log instead.
const ENOUGH: usize = 10_000;

/// Lowers the flag that says a worker is running, however it ends.
pub(super) struct Resting(pub Arc<AtomicBool>);

impl Drop for Resting {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// Delivers until the world is dropped.
pub(super) async fn work(
    host: Weak<dyn Host>,
    shared: Shared,
    egress_client: EgressClient,
    news: Arc<Notify>,
    resting: Resting,
) {
    let mut attempts = FuturesUnordered::new();
    if let Some(host) = host.upgrade() {
        let now = host.time();
        shared.lock().queue.recover(now);
    }
    while let Some(hosted) = host.upgrade().filter(|host| !host.is_gone()) {
        let more = fan_out(&*hosted, &shared);
        let (begun, wake) = begin(&*hosted, &shared);
        let clock = hosted.clock().clone();
        attempts.extend(begun.into_iter().map(|begun| attempt(egress_client.clone(), clock.clone(), begun)));
        drop(hosted);
        tokio::select! {
            biased;
            Some((number, ended)) = attempts.next() => report(&host, &shared, number, ended),
            () = news.notified() => {}
            () = std::future::ready(()), if more => tokio::task::yield_now().await,
            () = reach(&clock, wake), if wake.is_some() => {}
        }
    }
    drop(resting);
}

async fn reach(clock: &TransportClock, wake: Option<TransportTime>) {
    if let Some(at) = wake {
        clock.until(at).await;
    }
}

/// An attempt that is to be made, with the keys of this moment, and what a rule has in store for it.
struct Begun {
    number: Number,
    notification: Notification,
    keys: Vec<SigningKey>,
    fault: Option<DeliveryFault>,
}

/// Takes what is due, and says when to look again; `None` when only news can change anything.
fn begin(host: &dyn Host, shared: &Shared) -> (Vec<Begun>, Option<TransportTime>) {
    let now = host.time();
    let mut state = shared.lock();
    let mut begun = Vec::new();
    while let Some((number, notification)) = state.queue.begin(now) {
        let was_put_off = state.queue.numbered(number).is_some_and(|row| row.was_put_off);
        let fault = host.fault(path(&notification.url), notification.event_type, was_put_off);
        match fault {
            Some(DeliveryFault::Delay(span)) => state.queue.put_off(number, now.plus(span), false),
            Some(DeliveryFault::Reorder(span)) => state.queue.put_off(number, now.plus(span), true),
            _ => {
                let keys = notification.keys.at(now);
                begun.push(Begun { number, notification, keys, fault });
            }
        }
    }
    let wake = state.queue.wake_at();
    drop(state);
    (begun, wake.and_then(|at| host.reaches(at)))
}

/// The path of a URL, for rules that match by it.
fn path(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.find('/').map_or("/", |at| &rest[at..]);
    path.split(['?', '#']).next().unwrap_or("/")
}

async fn attempt(egress_client: EgressClient, clock: TransportClock, begun: Begun) -> (Number, Ended) {
    let Begun { number, notification, keys, fault } = begun;
    let post = async |keys: &[SigningKey]| {
        let _slot = egress_client.slots.acquire().await;
        egress_client.client.post(&notification, keys, clock.now().0 / 1_000).await
    };
    let ended = match fault {
        Some(DeliveryFault::Refuse) => Outcome::Answered(400).into(),
        Some(DeliveryFault::Fail) => Outcome::Failed(Failure::Fault).into(),
        Some(DeliveryFault::Drop) => Outcome::Lost.into(),
        Some(DeliveryFault::CorruptSignature) => post(&[SigningKey::of_nobody()]).await,
        Some(DeliveryFault::Duplicate) => {
            let first = post(&keys).await;
            // What becomes of the second one is the receiver's affair: it has been told.
            post(&keys).await;
            first
        }
        // What is put off is not attempted, and then no longer.
        Some(DeliveryFault::Delay(_) | DeliveryFault::Reorder(_)) | None => post(&keys).await,
    };
    (number, Ended { fault, ..ended })
}

fn report(host: &Weak<dyn Host>, shared: &Shared, number: Number, ended: Ended) {
    if let Some(host) = host.upgrade() {
        let now = host.time();
        let mut state = shared.lock();
        state.queue.report(number, now, ended);
        let told = state.queue.numbered(number).cloned();
        let gone = told.as_ref().filter(|_| ended.outcome.verdict() == Verdict::Gone);
        if let Some(webhook) = gone.and_then(|row| row.notification.ordering_key.webhook) {
            state.disable(webhook, now);
        }
        drop(state);
        told.iter().for_each(|delivery| host.tell(delivery));
    }
}

/// Turns the next events into notifications to the webhooks that want them; `true` when there may be more at once.
fn fan_out(host: &dyn Host, shared: &Shared) -> bool {
    let (cursor, webhooks) = {
        let state = shared.lock();
        if state.webhooks.is_empty() || state.queue.queued() >= ENOUGH {
            return false;
        }
        (state.cursor, state.webhooks.values().cloned().collect::<Vec<_>>())
    };
    let log = host.events();
    let (next, missed, notifications) = match log.read(cursor, BATCH) {
        ReadResult::Nothing => return false,
        ReadResult::Gone => (log.start(), log.start().0.saturating_sub(cursor.0), Vec::new()),
        ReadResult::Some(entries) => {
            (Cursor(cursor.0 + entries.len() as u64), 0, notifications(host, cursor, &entries, &webhooks))
        }
    };
    let now = host.time();
    let mut state = shared.lock();
    if state.cursor != cursor {
        // The world was put back meanwhile: what was read is no longer so.
        return true;
    }
    (state.cursor, state.missed) = (next, state.missed + missed);
    for notification in notifications {
        if notification.ordering_key.webhook.is_some_and(|webhook| state.webhooks.contains_key(&webhook)) {
            state.queue.add(now, notification);
        }
    }
    true
}

fn notifications(host: &dyn Host, from: Cursor, entries: &[Arc<Entry>], webhooks: &[Webhook]) -> Vec<Notification> {
    let mut notifications = Vec::new();
    for (number, entry) in (from.0..).map(Cursor).zip(entries) {
        let wanted: Vec<&Webhook> = webhooks.iter().filter(|webhook| webhook.wants(number, &entry.event)).collect();
        if wanted.is_empty() {
            continue;
        }
        // A world that has failed tells nothing more; what it did before is in its log.
        let Some(message) = host.message(entry) else {
            continue;
        };
        let Some((id, body)) = split(&message) else { continue };
        notifications.extend(wanted.into_iter().map(|webhook| notification(webhook, &entry.event, id, body.clone())));
    }
    notifications
}

/// Queues again what `webhook` is told of the events from `since` on, as far as there is room.
pub(super) fn replay_since(host: &dyn Host, shared: &Shared, webhook: &Webhook, since: Instant) -> Replayed {
    let log = host.events();
    let mut cursor = log.start();
    let mut replayed = Replayed { events: 0, rest: None, is_cut: cursor > Cursor(0) };
    // Told of everything it asks for, even while it is told nothing else.
    let webhook = Webhook { from: Cursor(0), disabled: None, ..webhook.clone() };
    loop {
        let entries = match log.read(cursor, BATCH) {
            ReadResult::Some(entries) => entries,
            ReadResult::Nothing => return replayed,
            ReadResult::Gone => {
                (cursor, replayed.is_cut) = (log.start(), true);
                continue;
            }
        };
        for entry in &entries {
            if entry.event.at < since {
                // What came before the instant may be forgotten.
                replayed.is_cut = false;
            } else {
                for notification in
                    notifications(host, cursor, std::slice::from_ref(entry), std::slice::from_ref(&webhook))
                {
                    let now = host.time();
                    let mut state = shared.lock();
                    if state.queue.queued() >= ENOUGH || !state.queue.resend(now, notification) {
                        replayed.rest = Some(entry.event.at);
                        return replayed;
                    }
                    replayed.events += 1;
                }
            }
            cursor = Cursor(cursor.0 + 1);
        }
    }
}

/// A socket message without its envelope: the event's id and the payload (specification, Webhook callback).
fn split(message: &str) -> Option<(Uuid, Bytes)> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Message {
        event_id: Uuid,
        payload: Value,
    }
    let message: Message = serde_json::from_str(message).ok()?;
    Some((message.event_id, message.payload.to_string().into()))
}

fn notification(webhook: &Webhook, event: &Event, id: Uuid, body: Bytes) -> Notification {
    Notification {
        id: Uuid::new_v5(&webhook.id, id.as_bytes()),
        webhook_id: id,
        ordering_key: OrderingKey { webhook: Some(webhook.id), resource: resource(event) },
        event_type: event.kind(),
        client: event.client,
        occurred: event.at,
        url: Arc::clone(&webhook.url),
        keys: Arc::clone(&webhook.keys),
        body,
    }
}
