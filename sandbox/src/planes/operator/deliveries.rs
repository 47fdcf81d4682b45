//! The log of deliveries, and sending one again.
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
use deliveries::fault::DeliveryFault;
use deliveries::outcome::AttemptOutcome;
use deliveries::queue::{Attempt, Delivery, NoReplay, Status};
use feed::transport::TransportTime;
use hosting::journal::not_kept;
use surface::extract::{NoFields, Query};
use wire::error::ApiError;
use wire::query::Parameters;
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

/// Deliveries, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct DeliveryList {
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
        attempts: row.attempts.iter().map(show_attempt).collect(),
        body: serde_json::from_slice(&notification.body).unwrap_or_default(),
    }
}

fn show_attempt(attempt: &Attempt) -> DeliveryAttempt {
    let (status, failure) = match attempt.outcome {
        AttemptOutcome::Answered(status) => (Some(status), None),
        AttemptOutcome::Failed(failure) => (None, Some(failure)),
        AttemptOutcome::Lost => (None, None),
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

/// `GET /_sandbox/worlds/{worldId}/deliveries`: newest first.
pub(super) async fn list(target: Target, query: Query) -> HandlerResult {
    let filter = query.read(filters)?;
    let clients = target.clients()?;
    let deliveries = &target.world.subscribers.deliveries;
    let (missed, unread) = (deliveries.missed(), deliveries.unread(target.world.subscribers.feed.log()));
    let shown = deliveries.look(|queue| {
        let rows = queue.rows().filter(|row| is_seen(clients.as_deref(), row) && filter.shows(row));
        let (mut total, mut shown) = (0_usize, Vec::new());
        for row in rows {
            total += 1;
            if total <= filter.limit {
                shown.push(row.clone());
            }
        }
        (total, queue.forgotten(), shown)
    });
    let (total, forgotten, rows) = shown;
    let now = target.world.feed_time(&target.world.edge.settings());
    let deliveries = rows.iter().map(|row| show(row, now)).collect();
    Ok(json(&DeliveryList { total, forgotten, missed, unread, deliveries }))
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
        Err(NoReplay::Unknown) => Err(unknown()),
        Err(NoReplay::NoWebhook) => Err(ApiError::conflict("its webhook was removed")),
        Err(NoReplay::NoRoom) => Err(ApiError::unavailable("as many deliveries are queued as may be")),
    }
}
