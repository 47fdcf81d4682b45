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
use tokio::sync::Notify;
use uuid::Uuid;

use super::egress_client::EgressClient;
use super::host::Host;
use super::notification::{Notification, OrderingKey};
use super::outcome::{Failure, Outcome};
use super::queue::Number;
use super::state::Shared;
use super::webhooks::{Webhook, resource};
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
        for (number, notification, fault) in begun {
            attempts.push(attempt(egress_client.clone(), clock.clone(), number, notification, fault));
        }
        drop(hosted);
        tokio::select! {
            biased;
            Some((number, outcome)) = attempts.next() => report(&host, &shared, number, outcome),
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

/// An attempt that is to be made, and what a rule has in store for it.
type Begun = (Number, Notification, Option<DeliveryFault>);

/// Takes what is due, and says when to look again; `None` when only news can change anything.
fn begin(host: &dyn Host, shared: &Shared) -> (Vec<Begun>, Option<TransportTime>) {
    let now = host.time();
    let mut state = shared.lock();
    let due = std::iter::from_fn(|| state.queue.begin(now));
    let begun = due.map(|(number, notification)| {
        let fault = host.fault(path(&notification.url));
        (number, notification, fault)
    });
    let begun = begun.collect();
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

async fn attempt(
    egress_client: EgressClient,
    clock: TransportClock,
    number: Number,
    notification: Notification,
    fault: Option<DeliveryFault>,
) -> (Number, Outcome) {
    let outcome = match fault {
        Some(DeliveryFault::Refuse) => Outcome::Answered(400),
        Some(DeliveryFault::Fail) => Outcome::Failed(Failure::Fault),
        None => {
            let _slot = egress_client.slots.acquire().await;
            egress_client.client.post(&notification, clock.now().0 / 1_000).await
        }
    };
    (number, outcome)
}

fn report(host: &Weak<dyn Host>, shared: &Shared, number: Number, outcome: Outcome) {
    if let Some(host) = host.upgrade() {
        let now = host.time();
        let mut state = shared.lock();
        state.queue.report(number, now, outcome);
        let told = state.queue.numbered(number).cloned();
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
        key: Arc::clone(&webhook.key),
        body,
    }
}
