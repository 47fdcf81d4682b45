//! The task that carries a world's deliveries out.
//!
//! Invariant: it decides nothing: the queue says what is due, the client reports the outcome. It keeps no world alive, and
//! sleeps while nothing is due. When it is lost (a host that crashes), the next one takes over what it had under way.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use rare::Point;
use serde::Deserialize;
use serde_json::Value;
use sim::Event;
use sim::canary::Canary;
use tokio::sync::Notify;
use uuid::Uuid;

use super::change::{Change, Notes};
use super::egress_client::EgressClient;
use super::host::Host;
use super::notification::{Notification, OrderingKey};
use super::outcome::{AttemptOutcome, DeliveryVerdict, Ended, Failure};
use super::queue::{BegunAgain, Number};
use super::signing_keys::SigningKeys;
use super::state::{Shared, State};
use super::webhooks::{LISTEN, Replay, Replayed, Webhook, resource};
use crate::fault::{DeliveryFault, DueAttempt};
use crate::signature::SigningKey;
use feed::log::{Cursor, EventEntry, ReadResult};
use feed::transport::{TransportClock, TransportTime};

/// Events looked at under one hold of the world's lock.
const BATCH: usize = 100;
/// No further events are turned into deliveries while so many are queued; they wait in the log instead.
const ENOUGH: usize = 10_000;
/// How late the worker is where that is rare.
const LATE: Duration = Duration::from_millis(500);

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
    notes: Notes,
    resting: Resting,
) {
    let mut attempts = FuturesUnordered::new();
    if let Some(host) = host.upgrade() {
        let now = host.time();
        let mut state = shared.lock();
        if host.is_planted(Canary::PostLostAtRestart) {
            state.queue.lose_what_is_under_way(now);
        }
        state.queue.recover(now);
    }
    while let Some(hosted) = host.upgrade().filter(|host| !host.is_gone()) {
        let is_more = fan_out(&*hosted, &shared, hosted.time());
        let DueNow { begun, is_all, wake } = begin(&*hosted, &shared, &notes);
        let clock = hosted.clock().clone();
        attempts.extend(begun.into_iter().map(|begun| attempt(egress_client.clone(), clock.clone(), begun)));
        drop(hosted);
        if !is_all || rare::happens(Point::WorkerWokenEarly) {
            continue;
        }
        tokio::select! {
            biased;
            Some((number, ended)) = attempts.next() => report(&host, &shared, &notes, number, ended),
            () = news.notified() => {}
            () = std::future::ready(()), if is_more => tokio::task::yield_now().await,
            () = reach(&clock, wake), if wake.is_some() => {}
        }
    }
    drop(resting);
}

async fn reach(clock: &TransportClock, wake: Option<TransportTime>) {
    if let Some(at) = wake {
        let late = if rare::happens(Point::WorkerWokenLate) { LATE } else { Duration::ZERO };
        clock.until(at.plus(late)).await;
    }
}

/// An attempt that is to be made, with the keys of this moment, and what a rule has in store for it.
struct Begun {
    number: Number,
    notification: Notification,
    keys: Vec<SigningKey>,
    fault: Option<DeliveryFault>,
}

/// What is due at a moment.
struct DueNow {
    begun: Vec<Begun>,
    /// Whether nothing more is due.
    is_all: bool,
    /// When to look again; `None` when only news can change anything.
    wake: Option<TransportTime>,
}

/// Takes what is due.
fn begin(host: &dyn Host, shared: &Shared, notes: &Notes) -> DueNow {
    let now = host.time();
    let mut state = shared.lock();
    let (mut begun, mut is_all) = (Vec::new(), true);
    while is_all && let Some((number, notification)) = state.queue.begin(now) {
        let attempt = DueAttempt {
            partner: notification.partner,
            path: path(&notification.url),
            event_type: notification.event_type,
            was_put_off: state.queue.numbered(number).is_some_and(|row| row.was_put_off),
        };
        let fault = host.fault(&attempt);
        match fault.filter(|fault| fault.puts_off().is_some()) {
            Some(by) => {
                let id = notification.id;
                drop(notes.note(|| Change::PutOff { id, at: now, by }));
                state.queue.put_off(number, now, by);
            }
            None => {
                let keys = notification.keys.at(now);
                begun.push(Begun { number, notification, keys, fault });
                is_all = !rare::happens(Point::OneAttempt);
            }
        }
    }
    let wake = state.queue.wake_at();
    drop(state);
    DueNow { begun, is_all, wake: wake.and_then(|at| host.reaches(at)) }
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
        if *notification.url == *LISTEN {
            return Ended { signed_at: Some(clock.now().0 / 1_000), ..AttemptOutcome::Left.into() };
        }
        let _slot = egress_client.slots.acquire().await;
        let timestamp = clock.now().0 / 1_000;
        Ended { signed_at: Some(timestamp), ..egress_client.client.post(&notification, keys, timestamp).await }
    };
    let ended = match fault {
        Some(DeliveryFault::Refuse) => AttemptOutcome::Answered(400).into(),
        Some(DeliveryFault::Fail) => AttemptOutcome::Failed(Failure::Fault).into(),
        Some(DeliveryFault::Drop) => AttemptOutcome::Lost.into(),
        Some(DeliveryFault::CorruptSignature) => post(&[SigningKey::of_nobody()]).await,
        Some(DeliveryFault::Duplicate) => {
            let first = post(&keys).await;
            // The outcome of the second one does not count: the first was received.
            post(&keys).await;
            first
        }
        // What is put off is not attempted, and then no longer.
        Some(DeliveryFault::Delay(_) | DeliveryFault::Reorder(_)) | None => post(&keys).await,
    };
    (number, Ended { fault, ..ended })
}

fn report(host: &Weak<dyn Host>, shared: &Shared, notes: &Notes, number: Number, ended: Ended) {
    if let Some(host) = host.upgrade() {
        let now = host.time();
        let mut state = shared.lock();
        // What is sent once more has another number afterwards.
        let Some(before) = state.queue.numbered(number) else { return };
        let id = before.notification.id;
        // An attempt whose outcome is lost is made again.
        drop(notes.note(|| Change::attempted(before, now, ended)));
        reported(&mut state, number, now, ended);
        let reported = state.queue.get(id).cloned();
        drop(state);
        reported.iter().for_each(|delivery| host.record_attempt(delivery));
    }
}

/// What the outcome of an attempt that ended at `now` changes.
fn reported(state: &mut State, number: Number, now: TransportTime, ended: Ended) {
    let Some(before) = state.queue.numbered(number) else { return };
    let (is_stale, webhook) = (before.is_stale, before.notification.ordering_key.webhook);
    state.queue.report(number, now, ended);
    // Where the webhook has gone elsewhere meanwhile, or was enabled once more, this was not its word.
    if let Some(webhook) = webhook.filter(|_| ended.outcome.verdict() == DeliveryVerdict::Gone && !is_stale) {
        state.disable(webhook, now);
    }
}

/// Turns all events that were not looked at into notifications, as of `now`.
pub(super) fn fan_out_all(host: &dyn Host, shared: &Shared, now: TransportTime) {
    while fan_out(host, shared, now) {}
}

/// An attempt is known to have ended, or to have been put off: does again what that changed.
pub(super) fn attempted(shared: &Shared, id: Uuid, begun: BegunAgain, end: &End) {
    let mut state = shared.lock();
    let began = begun.began;
    // What was dropped since needs no outcome.
    let Some(number) = state.queue.begin_again(id, begun) else { return };
    match *end {
        End::Reported { at, ended, again } => {
            reported(&mut state, number, at, ended);
            if again {
                state.queue.go_behind_again(number, at);
            }
        }
        End::PutOff(by) => state.queue.put_off(number, began, by),
    }
}

/// How an attempt that is done again ends.
pub(super) enum End {
    /// With an outcome.
    Reported {
        /// When.
        at: TransportTime,
        /// How.
        ended: Ended,
        /// Whether its delivery is sent once more then.
        again: bool,
    },
    /// Before it was made.
    PutOff(DeliveryFault),
}

/// Turns the next events into notifications to the webhooks that want them; `true` when there may be more at once.
fn fan_out(host: &dyn Host, shared: &Shared, now: TransportTime) -> bool {
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
    let mut state = shared.lock();
    if state.cursor != cursor {
        // The world was put back meanwhile: what was read is no longer so.
        return true;
    }
    (state.cursor, state.missed) = (next, state.missed + missed);
    for notification in notifications {
        // It may have been removed, disabled or moved since it was asked what it wants.
        let webhook = notification.ordering_key.webhook.and_then(|webhook| state.webhooks.get(&webhook));
        if let Some(webhook) = webhook.filter(|webhook| webhook.disabled.is_none()) {
            let url = Arc::clone(&webhook.url);
            state.queue.add(now, Notification { url, ..notification });
        }
    }
    true
}

fn notifications(
    host: &dyn Host,
    from: Cursor,
    entries: &[Arc<EventEntry>],
    webhooks: &[Webhook],
) -> Vec<Notification> {
    let mut notifications = Vec::new();
    for (number, entry) in (from.0..).map(Cursor).zip(entries) {
        let wanted: Vec<&Webhook> = webhooks.iter().filter(|webhook| webhook.wants(number, &entry.event)).collect();
        if wanted.is_empty() {
            continue;
        }
        // A world that has failed sends nothing more; what it did before is in its log.
        let Some(message) = host.message(entry) else {
            continue;
        };
        let Some((id, body)) = split(&message) else { continue };
        notifications.extend(wanted.into_iter().map(|webhook| notification(webhook, &entry.event, id, body.clone())));
    }
    notifications
}

/// Queues again the events of the webhook that `wanted` names, as far as there is room, in the order in which
/// they happened; `None` when there is no such webhook.
pub(super) fn replay_since(
    host: &dyn Host,
    shared: &Shared,
    id: Uuid,
    wanted: Replay,
    now: TransportTime,
) -> Option<Replayed> {
    loop {
        // Earlier events that were not looked at yet have to be queued before the replayed ones.
        fan_out_all(host, shared, now);
        let (webhook, era, room) = {
            let state = shared.lock();
            (state.webhooks.get(&id)?.clone(), state.era, ENOUGH.saturating_sub(state.queue.queued()))
        };
        let (found, mut replayed) = notifications_since(host, &webhook, wanted, room);
        let mut state = shared.lock();
        let url = Arc::clone(&state.webhooks.get(&id)?.url);
        if state.era != era {
            // The world was put back meanwhile: what was read is no longer so.
            continue;
        }
        for (number, notification) in found {
            let at = notification.occurred;
            if !state.queue.resend(now, Notification { url: Arc::clone(&url), ..notification }) {
                replayed.rest = Some((at, number));
                break;
            }
            replayed.events += 1;
        }
        return Some(replayed);
    }
}

/// The notifications of `webhook` for the events that `wanted` names, `room` of them at most, and where to continue.
pub(super) fn notifications_since(
    host: &dyn Host,
    webhook: &Webhook,
    wanted: Replay,
    room: usize,
) -> (Vec<(Cursor, Notification)>, Replayed) {
    let log = host.events();
    let mut cursor = log.start();
    let mut replayed = Replayed { events: 0, rest: None, is_cut: cursor > Cursor(0) };
    let mut found = Vec::new();
    // A replay reaches it even while it is disabled.
    let mut webhook = Webhook { from: Cursor(0), disabled: None, ..webhook.clone() };
    if host.is_planted(Canary::ReplaySignedWithOldSecret)
        && let Some(replaced) = webhook.keys.replaced()
    {
        webhook.keys = Arc::new(SigningKeys::new(replaced));
    }
    loop {
        let entries = match log.read(cursor, BATCH) {
            ReadResult::Some(entries) => entries,
            ReadResult::Nothing => return (found, replayed),
            ReadResult::Gone => {
                (cursor, replayed.is_cut) = (log.start(), true);
                continue;
            }
        };
        for entry in &entries {
            let number = cursor;
            cursor = Cursor(cursor.0 + 1);
            if entry.event.at < wanted.since || wanted.from.is_some_and(|from| number < from) {
                // What came before may be forgotten.
                replayed.is_cut = false;
                continue;
            }
            for notification in notifications(host, number, std::slice::from_ref(entry), std::slice::from_ref(&webhook))
            {
                if found.len() == room {
                    replayed.rest = Some((entry.event.at, number));
                    return (found, replayed);
                }
                found.push((number, notification));
            }
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
        // Also where the event is of every client: the delivery belongs to the client of the webhook.
        client: webhook.client,
        partner: webhook.partner,
        occurred: event.at,
        url: Arc::clone(&webhook.url),
        keys: Arc::clone(&webhook.keys),
        body,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::delivery::Delivery;
    use axum::extract::ws::Utf8Bytes;
    use feed::log::Log;
    use sim::Change;
    use sim::ids::ClientId;
    use sim::input::Cause;
    use sim::machines::Moves;
    use std::time::Duration;
    use testing::{START, at};
    use tracing::Span;

    /// A host whose world has these events and nothing else.
    struct Events {
        log: Log,
        clock: TransportClock,
    }

    impl Host for Events {
        fn span(&self) -> Span {
            Span::none()
        }

        fn webhook_id(&self, number: u64) -> Uuid {
            Uuid::from_u128(number.into())
        }

        fn webhook_key(&self, _: u64) -> SigningKey {
            SigningKey::of_nobody()
        }

        fn is_gone(&self) -> bool {
            false
        }

        fn clock(&self) -> &TransportClock {
            &self.clock
        }

        fn time(&self) -> TransportTime {
            self.clock.now()
        }

        fn reaches(&self, at: TransportTime) -> Option<TransportTime> {
            Some(at)
        }

        fn fault(&self, _: &DueAttempt<'_>) -> Option<DeliveryFault> {
            None
        }

        fn is_planted(&self, _: Canary) -> bool {
            false
        }

        fn record_attempt(&self, _: &Delivery) {}

        fn events(&self) -> &Log {
            &self.log
        }

        fn message(&self, entry: &EventEntry) -> Option<Utf8Bytes> {
            let id = Uuid::from_u128(entry.event.number.into());
            Some(entry.message(|_| format!(r#"{{"eventId":"{id}","payload":{{}}}}"#).into()))
        }
    }

    fn event(number: u64) -> Event {
        let (change, moves) = (Change::InstrumentsReloaded(Arc::from(Vec::new())), Moves::default());
        Event { number, at: at(START), cause: Cause::OPENING, client: None, change, moves }
    }

    /// (rule: events/webhooks)
    #[test]
    fn a_replay_that_is_cut_resumes_within_an_instant_where_it_was_cut() {
        let host = Events { log: Log::new(10), clock: TransportClock::given(|| Duration::ZERO) };
        host.log.append(0, (0..3).map(event).collect(), |_| ());
        let webhook = Webhook {
            id: host.webhook_id(7),
            client: ClientId::from_u128(1),
            partner: None,
            url: "http://receiver.test/".into(),
            keys: Arc::new(SigningKeys::new(host.webhook_key(7))),
            events: Some(vec!["instrument.reloaded"]),
            from: Cursor(0),
            disabled: None,
        };
        let since = at(START);
        let replayed = |from, room| notifications_since(&host, &webhook, Replay { since, from }, room);
        let (whole, all) = replayed(None, 10);
        assert_eq!((whole.len(), all.rest), (3, None));
        let (found, first) = replayed(None, 2);
        let (at, from) = first.rest.expect("more");
        assert_eq!((found.len(), at, from), (2, since, whole[2].0));
        let (found, second) = replayed(Some(from), 2);
        assert_eq!((found.len(), found[0].1.id, second.rest), (1, whole[2].1.id, None));
    }
}
