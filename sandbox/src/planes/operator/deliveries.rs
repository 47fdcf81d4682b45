//! The log of deliveries, read backwards or onwards; a delivery as a message; sending one again.
//!
//! Invariant: a partner's token shows and replays what concerns its own clients, nothing else.

use axum::response::Response;
use serde::Serialize;
use serde_json::Value;
use sim::ids::ClientId;
use utoipa::ToSchema;
use uuid::Uuid;

use super::request::{Bearer, HandlerResult, Target};
use super::values::{limit, moment};
use crate::planes::responses::json;
use deliveries::client::METHOD;
use deliveries::fault::DeliveryFault;
use deliveries::host::Host as _;
use deliveries::message::Message;
use deliveries::outcome::AttemptOutcome;
use deliveries::positions::DeliveryCursor;
use deliveries::queue::{Attempt, Delivery, NoReplay, Status};
use feed::transport::TransportTime;
use hosting::journal::not_kept;
use std::collections::BTreeMap;
use surface::extract::{NoFields, Query};
use utoipa::openapi::schema::Type;
use wire::error::ApiError;
use wire::query::Parameters;
use wire::rows::shape::plain;
use wire::values::text::{Id, Timestamp};
use wire::words::schema_of;

impl Target {
    /// The clients that the bearer may see; `None` means all.
    pub(super) fn clients(&self) -> Result<Option<Vec<ClientId>>, ApiError> {
        let Bearer::Partner(caller) = &self.bearer else { return Ok(None) };
        let of_partner = |world: &sim::World| {
            sim::query::clients_of(world, caller.partner).map(|client| client.id).collect::<Vec<_>>()
        };
        self.world.read(of_partner).map(Some)
    }

    /// The id at the end of the path.
    pub(super) fn item_id(&self) -> Result<Uuid, ApiError> {
        let text = self.item.as_deref().unwrap_or_default();
        Uuid::try_parse(text).map_err(|_| ApiError::not_found("id is not known"))
    }
}

/// Which deliveries are to be listed.
pub(crate) struct Filter {
    limit: usize,
    after: Option<DeliveryCursor>,
    status: Option<Status>,
    resource: Option<Uuid>,
    webhook: Option<Uuid>,
    webhook_id: Option<Uuid>,
}

/// The parameters of the listing.
pub(crate) fn filters(query: &mut Parameters<'_>) -> Filter {
    let words = ["queued", "delivered", "refused", "deadLetter"];
    let form = ("queued, delivered, refused or deadLetter", || schema_of(words));
    Filter {
        limit: limit(query),
        after: query.read(
            "after",
            "Only what came after this cursor, oldest first: `next` of another answer, or `start`.",
            ("a cursor that `next` has shown, or start", || plain(Type::String).into()),
            |text| text.parse().ok(),
        ),
        status: query.read("status", "Only with this status.", form, Status::named),
        resource: query.id("resource", "Only about this resource."),
        webhook: query.id("webhook", "Only by this webhook."),
        webhook_id: query.id("webhookId", "Only with this `webhook-id`: what the receiver has seen of it."),
    }
}

/// Whether those who see only `clients` see a delivery.
pub(super) fn is_seen(clients: Option<&[ClientId]>, row: &Delivery) -> bool {
    clients.is_none_or(|clients| clients.contains(&row.notification.client))
}

impl Filter {
    fn shows(&self, row: &Delivery) -> bool {
        self.status.is_none_or(|status| row.status == status)
            && self.resource.is_none_or(|resource| resource == row.notification.ordering_key.resource)
            && self.webhook.is_none_or(|webhook| Some(webhook) == row.notification.ordering_key.webhook)
            && self.webhook_id.is_none_or(|id| id == row.notification.webhook_id)
    }
}

/// A delivery of an event or a callback, with its attempts.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Delivery)]
pub(crate) struct DeliveryShown {
    id: Id,
    /// `queued`, `delivered`, `refused` or `deadLetter`.
    status: String,
    event_type: String,
    /// Receivers deduplicate by this id.
    webhook_id: Id,
    /// The webhook; null for the callback of a journey.
    #[schema(required = true)]
    webhook: Option<Id>,
    /// The journey, for its callback.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    journey: Option<Id>,
    /// Resource of the event, for a webhook.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    resource: Option<Id>,
    /// The client of the journey, or of the webhook.
    client: Id,
    /// URL of the next attempt, or of the last one.
    url: String,
    /// Time of the world's clock.
    occurred: Timestamp,
    queued: Timestamp,
    #[schema(required = true)]
    next_attempt: Option<Timestamp>,
    /// Whether the next attempt is due.
    due: bool,
    /// Whether a fault rule lets later deliveries overtake this one.
    overtaken: bool,
    /// Delay by a fault rule before the next attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    put_off: Option<PutOff>,
    #[schema(required = true)]
    under_way_since: Option<Timestamp>,
    attempts_made: u32,
    /// How often it was sent again: a listener forwards it once for each of these, and once before.
    sent_again: u32,
    /// The latest attempts.
    attempts: Vec<DeliveryAttempt>,
    /// Body of the delivery.
    #[schema(value_type = Object)]
    body: Value,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DeliveryAttempt {
    at: Timestamp,
    took_ms: u64,
    /// Status that the receiver answered.
    #[schema(required = true)]
    status: Option<u16>,
    /// Why the receiver did not answer.
    #[schema(required = true)]
    error: Option<String>,
    /// The error in words.
    #[schema(required = true)]
    error_description: Option<String>,
    /// Seconds in the receiver's `retry-after`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    retry_after: Option<u64>,
    /// Effect of a fault rule on it: `refuse`, `fail`, `drop`, `duplicate` or `corruptSignature`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    fault: Option<&'static str>,
    /// Delay by a fault rule before this attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    put_off: Option<PutOff>,
}

/// A delay by a fault rule.
#[derive(Serialize, ToSchema)]
struct PutOff {
    /// `delay` or `reorder`.
    #[schema(value_type = String)]
    by: &'static str,
    /// Milliseconds of the delay.
    ms: u64,
}

impl PutOff {
    fn of(fault: DeliveryFault) -> Option<Self> {
        fault.puts_off().map(|span| Self { by: fault.word(), ms: feed::transport::millis(span) })
    }
}

/// Deliveries, newest first; oldest first with `after`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeliveryList {
    /// Names this log. Another one begins where the world is put back, which forgets deliveries.
    log: Id,
    /// `after` for the next request, which shows what comes from now on; with `after`, what came behind the last one shown.
    next: String,
    /// Only with `after`: whether nothing that came after the cursor is missing here, or is here once more. Otherwise the list begins with
    /// the oldest delivery that is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    is_whole: Option<bool>,
    /// Number that match the query.
    total: usize,
    /// Number that are no longer kept.
    forgotten: u64,
    /// Events that were dropped before they were delivered.
    missed: u64,
    /// Events that are not processed yet.
    unread: u64,
    deliveries: Vec<DeliveryShown>,
}

pub(super) fn show(row: &Delivery, now: TransportTime) -> DeliveryShown {
    let notification = &row.notification;
    let of_webhook = notification.ordering_key.webhook.is_some();
    let resource = Id(notification.ordering_key.resource);
    DeliveryShown {
        id: Id(notification.id),
        status: row.status.name().to_owned(),
        event_type: notification.event_type.to_owned(),
        webhook_id: Id(notification.webhook_id),
        webhook: notification.ordering_key.webhook.map(Id),
        journey: (!of_webhook).then_some(resource),
        resource: of_webhook.then_some(resource),
        client: Id(notification.client.as_uuid()),
        url: notification.url.to_string(),
        occurred: Timestamp(notification.occurred),
        queued: moment(row.queued),
        next_attempt: row.next_attempt().map(moment),
        due: row.next_attempt().is_some_and(|at| at <= now),
        overtaken: row.is_overtaken,
        put_off: row.put_off.and_then(PutOff::of),
        under_way_since: row.under_way.map(moment),
        attempts_made: row.made,
        sent_again: row.sent_again(),
        attempts: row.attempts.iter().map(show_attempt).collect(),
        body: serde_json::from_slice(&notification.body).unwrap_or_default(),
    }
}

fn show_attempt(attempt: &Attempt) -> DeliveryAttempt {
    let (status, failure) = match attempt.outcome {
        AttemptOutcome::Answered(status) => (Some(status), None),
        AttemptOutcome::Failed(failure) => (None, Some(failure)),
        AttemptOutcome::Lost | AttemptOutcome::Left => (None, None),
    };
    DeliveryAttempt {
        at: moment(attempt.began),
        took_ms: feed::transport::millis(attempt.ended.since(attempt.began)),
        status,
        error: failure.map(|failure| failure.as_str().to_owned()),
        error_description: failure.map(|failure| failure.to_string()),
        retry_after: attempt.retry_after.map(|wait| wait.as_secs()),
        fault: attempt.fault.map(DeliveryFault::word),
        put_off: attempt.put_off.and_then(PutOff::of),
    }
}

/// `GET /_sandbox/worlds/{worldId}/deliveries`: newest first, or onwards.
pub(super) async fn list(target: Target, query: Query) -> HandlerResult {
    let filter = query.read(filters)?;
    let clients = target.clients()?;
    let reads_all = clients.is_none();
    let deliveries = &target.world.subscribers.deliveries;
    let (missed, unread) = (deliveries.missed(), deliveries.unread(target.world.subscribers.feed.log()));
    let page = deliveries.look(|queue| {
        let page = Page { log: queue.cleared(), forgotten: queue.forgotten(), ..Page::default() };
        let is_seen = |row: &&Delivery| is_seen(clients.as_deref(), row);
        match filter.after {
            None => {
                let last = queue.by_arrival().find(is_seen);
                let next = last.map_or_else(DeliveryCursor::default, |row| row.cursor(reads_all));
                let rows = queue.rows().filter(is_seen).filter(|row| filter.shows(row));
                Page { next, ..page.filled(rows, filter.limit) }
            }
            Some(after) => {
                let (is_whole, rows) = queue.onwards(after, reads_all);
                let mut next = after;
                let mut left = filter.limit;
                // What is not shown was looked at, too.
                let looked = rows.filter(is_seen).filter(|row| {
                    let shows = filter.shows(row);
                    if left > 0 {
                        next = row.cursor(reads_all);
                        left -= usize::from(shows);
                    }
                    shows
                });
                let page = page.filled(looked, filter.limit);
                Page { next, is_whole: Some(is_whole), ..page }
            }
        }
    });
    let now = target.world.feed_time(&target.world.edge.settings());
    let Page { log, next, is_whole, total, forgotten, rows } = page;
    let log = Id(Uuid::new_v5(&target.world.webhook_id(u64::MAX), &log.to_be_bytes()));
    let deliveries = rows.iter().map(|row| show(row, now)).collect();
    Ok(json(&DeliveryList { log, next: next.to_string(), is_whole, total, forgotten, missed, unread, deliveries }))
}

/// What is found for a list.
#[derive(Default)]
struct Page {
    log: u64,
    next: DeliveryCursor,
    is_whole: Option<bool>,
    total: usize,
    forgotten: u64,
    rows: Vec<Delivery>,
}

impl Page {
    fn filled<'q>(self, rows: impl Iterator<Item = &'q Delivery>, limit: usize) -> Self {
        let (mut total, mut shown) = (0_usize, Vec::new());
        for row in rows {
            total += 1;
            if total <= limit {
                shown.push(row.clone());
            }
        }
        Self { total, rows: shown, ..self }
    }
}

/// A delivery as its receiver gets it.
#[derive(Serialize, ToSchema)]
#[schema(as = DeliveryMessage)]
pub(crate) struct MessageShown {
    /// Always `POST`.
    method: String,
    /// URL of the next attempt, or of the last one.
    url: String,
    /// Names in lower case; those of the connection are left out.
    headers: BTreeMap<String, String>,
    /// The body, to be sent as it is: the signatures are those of its bytes in UTF-8.
    body: String,
}

/// `GET /_sandbox/worlds/{worldId}/deliveries/{id}/message`
pub(super) async fn message(target: Target) -> HandlerResult {
    let (id, clients) = (target.item_id()?, target.clients()?);
    let world = &target.world;
    let found = world.subscribers.deliveries.message(&**world, id, |row| is_seen(clients.as_deref(), row));
    let Message { url, headers, body } = found.map_err(refused)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(json(&MessageShown {
        method: METHOD.to_string(),
        url: url.to_string(),
        headers: headers.iter().map(|(name, value)| (name.to_string(), text(value.as_bytes()))).collect(),
        // JSON is text: nothing of it is replaced.
        body: text(&body),
    }))
}

/// `GET /_sandbox/worlds/{worldId}/deliveries/{id}`
pub(super) async fn read(target: Target) -> HandlerResult {
    let (id, clients) = (target.item_id()?, target.clients()?);
    let row = target.world.subscribers.deliveries.look(|queue| queue.get(id).cloned());
    let row = row.filter(|row| is_seen(clients.as_deref(), row)).ok_or_else(unknown)?;
    Ok(json(&show(&row, target.world.feed_time(&target.world.edge.settings()))))
}

fn unknown() -> ApiError {
    ApiError::not_found("id names no delivery that is kept")
}

/// `POST /_sandbox/worlds/{worldId}/deliveries/{id}/replay`: from the first attempt on, at once.
pub(super) async fn replay(target: Target, _: NoFields) -> HandlerResult {
    let id = target.item_id()?;
    let clients = target.clients()?;
    let now = target.world.feed_time(&target.world.edge.settings());
    let replayed = target.world.subscribers.deliveries.replay(id, now, |row| is_seen(clients.as_deref(), row)).await;
    match replayed.map_err(not_kept)? {
        Ok(row) => Ok::<Response, _>(json(&show(&row, now))),
        Err(why) => Err(refused(why)),
    }
}

fn refused(why: NoReplay) -> ApiError {
    match why {
        NoReplay::Unknown => unknown(),
        NoReplay::NoWebhook => ApiError::conflict("its webhook was removed"),
        NoReplay::NoRoom => ApiError::unavailable("as many deliveries are queued as may be"),
    }
}
