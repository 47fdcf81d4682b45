//! What was told to whom and how often: the log of deliveries, and sending one again.
//!
//! Invariant: a partner's token shows and replays what concerns its own clients, nothing else.

use axum::extract::RawQuery;
use axum::response::Response;
use serde_json::{Value, json};
use sim::ids::ClientId;
use uuid::Uuid;

use super::request::{Bearer, HandlerResult, Target, bad, json as answer};
use super::values::{moment, window};
use crate::hosting::deliveries::outcome::{Failure, Outcome};
use crate::hosting::deliveries::queue::{Attempt, Delivery, NoReplay, Status};
use crate::hosting::transport::TransportTime;
use crate::http::auth::form::Parameters;
use crate::http::extract::NoFields;
use crate::wire::error::ApiError;

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
        Uuid::try_parse(text).map_err(|_| ApiError::not_found("id names nothing here"))
    }
}

/// Which deliveries are to be listed.
struct Filter {
    clients: Option<Vec<ClientId>>,
    status: Option<Status>,
    resource: Option<Uuid>,
    webhook: Option<Uuid>,
}

impl Filter {
    fn of(target: &Target, query: Option<&str>) -> Result<Self, ApiError> {
        let parameters = Parameters::from_form(query.unwrap_or_default().as_bytes());
        let parameters = parameters.map_err(ApiError::invalid_request)?;
        let id = |name: &str| {
            let parsed = parameters.get(name).map(Uuid::try_parse).transpose();
            parsed.map_err(|_| bad(name, "must be a UUID"))
        };
        let status = parameters.get("status").map(|text| Status::named(text).ok_or_else(|| bad("status", WORDS)));
        Ok(Self {
            clients: target.clients()?,
            status: status.transpose()?,
            resource: id("resource")?,
            webhook: id("webhook")?,
        })
    }

    fn shows(&self, row: &Delivery) -> bool {
        let client = |clients: &Vec<ClientId>| row.notification.client.is_none_or(|client| clients.contains(&client));
        self.clients.as_ref().is_none_or(client)
            && self.status.is_none_or(|status| row.status == status)
            && self.resource.is_none_or(|resource| resource == row.notification.ordering_key.resource)
            && self.webhook.is_none_or(|webhook| Some(webhook) == row.notification.ordering_key.webhook)
    }
}

const WORDS: &str = "must be queued, delivered, refused or deadLetter";

fn show(row: &Delivery, now: TransportTime) -> Value {
    let notification = &row.notification;
    let resource = if notification.ordering_key.webhook.is_none() { "journey" } else { "resource" };
    json!({
        "id": notification.id,
        "status": row.status.name(),
        "eventType": notification.event_type,
        "webhookId": notification.webhook_id,
        "webhook": notification.ordering_key.webhook,
        resource: notification.ordering_key.resource,
        "client": notification.client.map(|client| client.to_string()),
        "url": &*notification.url,
        "occurred": notification.occurred.to_string(),
        "queued": moment(row.queued),
        "nextAttempt": row.next_attempt().map(moment),
        "due": row.next_attempt().is_some_and(|at| at <= now),
        "underWaySince": row.under_way.map(moment),
        "attemptsMade": row.made,
        "attempts": row.attempts.iter().map(show_attempt).collect::<Value>(),
        "body": serde_json::from_slice::<Value>(&notification.body).unwrap_or_default(),
    })
}

fn show_attempt(attempt: &Attempt) -> Value {
    let (status, failure) = match attempt.outcome {
        Outcome::Answered(status) => (Some(status), None),
        Outcome::Failed(failure) => (None, Some(failure)),
    };
    json!({
        "at": moment(attempt.began),
        "tookMs": crate::hosting::transport::millis(attempt.ended.since(attempt.began)),
        "status": status,
        "error": failure.map(Failure::as_str),
        "errorDescription": failure.map(|failure| failure.to_string()),
    })
}

/// `GET /_sandbox/worlds/{worldId}/deliveries`: newest first.
pub(super) async fn list(target: Target, RawQuery(query): RawQuery) -> HandlerResult {
    let (_, limit) = window(query.as_deref())?;
    let filter = Filter::of(&target, query.as_deref())?;
    let deliveries = &target.world.deliveries;
    let (missed, unread) = (deliveries.missed(), deliveries.unread(target.world.feed.log()));
    let shown = deliveries.look(|queue| {
        let rows = queue.rows().filter(|row| filter.shows(row));
        let (mut total, mut shown) = (0_usize, Vec::new());
        for row in rows {
            total += 1;
            if total <= limit {
                shown.push(row.clone());
            }
        }
        (total, queue.forgotten(), shown)
    });
    let (total, forgotten, rows) = shown;
    let now = target.world.feed_time(&target.world.settings());
    let rows: Value = rows.iter().map(|row| show(row, now)).collect();
    Ok(answer(
        &json!({ "total": total, "forgotten": forgotten, "missed": missed, "unread": unread, "deliveries": rows }),
    ))
}

/// `POST /_sandbox/worlds/{worldId}/deliveries/{id}/replay`: from the first attempt on, at once.
pub(super) async fn replay(target: Target, _: NoFields) -> HandlerResult {
    let id = target.item_id()?;
    let clients = target.clients()?;
    let filter = Filter { clients, status: None, resource: None, webhook: None };
    let now = target.world.feed_time(&target.world.settings());
    let replayed = target.world.deliveries.change(|queue| {
        queue.get(id).filter(|row| filter.shows(row)).ok_or(NoReplay::Unknown)?;
        queue.replay(id, now).map(|row| show(row, now))
    });
    match replayed {
        Ok(shown) => Ok::<Response, _>(answer(&shown)),
        Err(NoReplay::Unknown) => Err(ApiError::not_found("id names no delivery that is kept")),
        Err(NoReplay::NoRoom) => Err(ApiError::unavailable("as many deliveries are queued as may be")),
    }
}
