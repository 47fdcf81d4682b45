//! Webhooks: register, list, change, remove; another secret, a test, and all since an instant once more. There are none
//! unless they are registered here (rule: events/webhooks).
//!
//! Invariant: a partner's token works on the webhooks of its own clients, nothing else.

use std::sync::Arc;
use std::time::Duration;

use axum::http::Uri;
use serde::Serialize;
use sim::command::Patch;
use sim::ids::ClientId;
use sim::time::Instant;
use utoipa::ToSchema;
use uuid::Uuid;

use super::request::{Bearer, Body, HandlerResult, Target, bad};
use super::values::moment;
use crate::planes::responses::json;
use deliveries::signature::SigningKey;
use deliveries::webhooks::{LISTEN, MOST_WEBHOOKS, Replay, Replayed, Webhook, WebhookChange};
use feed::event_types::EVENT_TYPES;
use feed::log::Cursor;
use hosting::decision::{Carried, HostDecision};
use hosting::faults::EventPattern;
use hosting::journal::not_kept;
use hosting::secrets::masked;
use surface::extract::NoFields;
use wire::error::ApiError;
use wire::rows::shape::{integer, shape};
use wire::values::text::{Id, Timestamp};

/// Longest URL, in bytes.
const LONGEST_URL: usize = 2_048;

/// Seconds for which two secrets sign unless the request names them.
const USUAL_OVERLAP: u64 = 86_400;

/// Seconds for which two secrets may sign.
const LONGEST_OVERLAP: u64 = 30 * 86_400;

shape! {
    /// A webhook to register.
    pub(crate) struct WebhookRequest {
        /// Client whose events it receives.
        client: ClientId = required "client";
        /// An http or https URL, or `listen:` where `fundsim listen` fetches what is sent.
        url: Arc<str> = required "url";
        /// `whsec_` and 24 to 64 bytes in base64; drawn when left out.
        secret: Option<Arc<str>> = optional "secret";
        /// Event types by name, or all of a noun, such as `order.*`; all when left out.
        events: Option<Vec<Arc<str>>> = optional "events";
    }
}

shape! {
    /// Changes to a webhook. Absent fields stay unchanged.
    pub(crate) struct WebhookPatch {
        /// An http or https URL, or `listen:`.
        url: Option<Arc<str>> = optional "url";
        /// Event types by name, or all of a noun, such as `order.*`; null means all.
        events: Patch<Vec<Arc<str>>> = nullable_patch "events";
        /// Whether it receives events. A webhook that has answered 410 is disabled until it is enabled again.
        enabled: Option<bool> = optional "enabled";
    }
}

shape! {
    /// Another secret for a webhook.
    pub(crate) struct RotateRequest {
        /// `whsec_` and 24 to 64 bytes in base64; drawn when left out.
        secret: Option<Arc<str>> = optional "secret";
        /// Seconds for which the previous secret also signs; 86400 when left out.
        overlap_seconds: u64 = or(USUAL_OVERLAP) "overlapSeconds" as integer(0..=LONGEST_OVERLAP);
    }
}

shape! {
    /// Where a replay of events to a webhook begins.
    pub(crate) struct ReplayRequest {
        /// An instant of the world's clock.
        since: Instant = required "since";
        /// Number of the event to continue with: `restFrom` of the previous answer.
        from: Option<u64> = optional "from" as integer(0..=u64::MAX);
    }
}

/// Result of a replay.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReplayShown {
    /// Number of events queued, some of them possibly for the first time.
    events: usize,
    /// `since` for the next request, if not all events fitted into the queue; null if all did.
    #[schema(required = true)]
    rest: Option<Timestamp>,
    /// `from` for the next request: the next event of that instant.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    rest_from: Option<u64>,
    /// Whether events since that instant are no longer kept.
    cut: bool,
}

/// A webhook as it is shown after it was registered; to others than the operator its secret is masked (rule: auth/secrets-shown).
fn show(target: &Target, webhook: &Webhook) -> WebhookShown {
    let shown = registered(target, webhook);
    match target.bearer {
        Bearer::Partner(_) => WebhookShown { secret: masked(&shown.secret), ..shown },
        Bearer::Operator => shown,
    }
}

/// A webhook.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Webhook)]
pub(crate) struct WebhookShown {
    id: Id,
    client: Id,
    url: String,
    /// Secret that signs deliveries. Only the operator and the caller who registers the webhook see all of it.
    secret: String,
    /// Event types; null for all.
    #[schema(required = true)]
    events: Option<Vec<String>>,
    /// Whether it receives events.
    enabled: bool,
    /// When it was disabled.
    #[schema(required = true)]
    disabled_since: Option<Timestamp>,
    /// Until when the previous secret also signs.
    #[schema(required = true)]
    previous_secret_until: Option<Timestamp>,
}

fn registered(target: &Target, webhook: &Webhook) -> WebhookShown {
    let now = target.world.feed_time(&target.world.edge.settings());
    let events = webhook.events.as_ref().map(|events| events.iter().copied().map(str::to_owned).collect());
    WebhookShown {
        id: Id(webhook.id),
        client: Id(webhook.client.as_uuid()),
        url: webhook.url.to_string(),
        secret: webhook.keys.current().reveal(),
        events,
        enabled: webhook.disabled.is_none(),
        disabled_since: webhook.disabled.map(moment),
        previous_secret_until: webhook.keys.previous_until(now).map(moment),
    }
}

fn own(target: &Target) -> Result<Vec<Webhook>, ApiError> {
    let clients = target.clients()?;
    let mut webhooks = target.world.subscribers.deliveries.webhooks();
    webhooks.retain(|webhook| clients.as_ref().is_none_or(|clients| clients.contains(&webhook.client)));
    Ok(webhooks)
}

/// `GET /_sandbox/worlds/{worldId}/webhooks`
pub(super) async fn list(target: Target) -> HandlerResult {
    Ok(json(&own(&target)?.iter().map(|webhook| show(&target, webhook)).collect::<Vec<_>>()))
}

/// `GET /_sandbox/worlds/{worldId}/webhooks/{id}`
pub(super) async fn read(target: Target) -> HandlerResult {
    let id = target.item_id()?;
    let webhook = own(&target)?.into_iter().find(|webhook| webhook.id == id).ok_or_else(unknown)?;
    Ok(json(&show(&target, &webhook)))
}

/// `POST /_sandbox/worlds/{worldId}/webhooks`
pub(super) async fn register(target: Target, Body(given): Body<WebhookRequest>) -> HandlerResult {
    let client = client(&target, given.client)?;
    let url = url(&given.url)?;
    let (key, events) = (secret(given.secret.as_deref())?, events(given.events.as_deref())?);
    let register = HostDecision::Register { client, url: url.to_owned(), key, events };
    match target.world.decide(&register).await? {
        Carried::Webhook(registered) => Ok(json(&self::registered(&target, &registered))),
        _ => Err(ApiError::conflict(format!("a partner may have {MOST_WEBHOOKS} webhooks at once; remove some first"))),
    }
}

/// `PATCH /_sandbox/worlds/{worldId}/webhooks/{id}`
pub(super) async fn change(target: Target, Body(given): Body<WebhookPatch>) -> HandlerResult {
    let id = named(&target)?;
    let url = given.url.as_deref().map(url).transpose()?.map(str::to_owned);
    let events = match given.events {
        Patch::Keep => Patch::Keep,
        Patch::Clear => Patch::Clear,
        Patch::Set(names) => events(Some(&names))?.map_or(Patch::Clear, Patch::Set),
    };
    let change = WebhookChange { url, events, enabled: given.enabled };
    Ok(json(&show(&target, &decided(&target, &HostDecision::Alter(id, change)).await?)))
}

/// `POST /_sandbox/worlds/{worldId}/webhooks/{id}/rotate`: answers the webhook with its new secret.
pub(super) async fn rotate(target: Target, Body(given): Body<RotateRequest>) -> HandlerResult {
    let webhook = named(&target)?;
    let (key, overlap) = (secret(given.secret.as_deref())?, Duration::from_secs(given.overlap_seconds));
    let rotated = decided(&target, &HostDecision::Rotate { webhook, key, overlap }).await?;
    Ok(json(&registered(&target, &rotated)))
}

/// `POST /_sandbox/worlds/{worldId}/webhooks/{id}/test`: answers the delivery that is under way.
pub(super) async fn test(target: Target, _: NoFields) -> HandlerResult {
    let id = named(&target)?;
    let (occurred, now) = (target.world.read(sim::World::now)?, target.world.feed_time(&target.world.edge.settings()));
    let queued = target.world.subscribers.deliveries.test(id, occurred, now).await.map_err(not_kept)?;
    let queued = queued.ok_or_else(unknown)?;
    Ok(json(&super::deliveries::show(&queued, now)))
}

/// `POST /_sandbox/worlds/{worldId}/webhooks/{id}/replay`
pub(super) async fn replay(target: Target, Body(given): Body<ReplayRequest>) -> HandlerResult {
    let id = named(&target)?;
    let world = &target.world;
    let wanted = Replay { since: given.since, from: given.from.map(Cursor) };
    let replayed = world.subscribers.deliveries.replay_since(&**world, id, wanted).await.map_err(not_kept)?;
    let Replayed { events, rest, is_cut } = replayed.ok_or_else(unknown)?;
    let (rest, rest_from) = rest.map(|(at, from)| (Timestamp(at), from.0)).unzip();
    Ok(json(&ReplayShown { events, rest, rest_from, cut: is_cut }))
}

fn unknown() -> ApiError {
    ApiError::not_found("id names no webhook")
}

/// The webhook in the path, if the bearer may see it.
fn named(target: &Target) -> Result<Uuid, ApiError> {
    let id = target.item_id()?;
    own(target)?.iter().any(|webhook| webhook.id == id).then_some(id).ok_or_else(unknown)
}

async fn decided(target: &Target, decision: &HostDecision) -> Result<Webhook, ApiError> {
    match target.world.decide(decision).await? {
        Carried::Webhook(webhook) => Ok(*webhook),
        _ => Err(unknown()),
    }
}

/// `DELETE /_sandbox/worlds/{worldId}/webhooks/{id}`: answers what was removed.
pub(super) async fn remove(target: Target) -> HandlerResult {
    let id = named(&target)?;
    Ok(json(&show(&target, &end(&target, id).await?.ok_or_else(unknown)?)))
}

/// `DELETE /_sandbox/worlds/{worldId}/webhooks`: all that the bearer may see; answers what was removed.
pub(super) async fn clear(target: Target) -> HandlerResult {
    let mut removed = Vec::new();
    for webhook in own(&target)? {
        removed.extend(end(&target, webhook.id).await?.map(|ended| show(&target, &ended)));
    }
    Ok(json(&removed))
}

async fn end(target: &Target, id: Uuid) -> Result<Option<Webhook>, ApiError> {
    Ok(match target.world.decide(&HostDecision::Unregister(id)).await? {
        Carried::Webhook(ended) => Some(*ended),
        _ => None,
    })
}

fn client(target: &Target, id: ClientId) -> Result<ClientId, ApiError> {
    let known = target.world.read(|world| sim::query::client(world, id).is_some())?;
    let seen = target.clients()?.is_none_or(|clients| clients.contains(&id));
    if known && seen { Ok(id) } else { Err(bad("client", "names no client")) }
}

fn url(text: &str) -> Result<&str, ApiError> {
    let is_http = |uri: &Uri| matches!(uri.scheme_str(), Some("http" | "https"));
    let with_host = |uri: &Uri| uri.host().is_some_and(|host| !host.is_empty());
    let is_bare = |uri: &Uri| {
        let authority = uri.authority().map_or("", |authority| authority.as_str());
        let after_host = authority.rsplit_once(']').map_or(authority, |(_, rest)| rest);
        let port = after_host.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
        !authority.contains('@') && port.is_none_or(|port| port.is_ok_and(|port| port > 0))
    };
    let fits = |uri: &Uri| is_http(uri) && with_host(uri) && is_bare(uri) && !text.contains('#');
    if text == LISTEN {
        return Ok(text);
    }
    match text.parse::<Uri>() {
        Ok(uri) if text.len() <= LONGEST_URL && fits(&uri) => Ok(text),
        _ => Err(bad(
            "url",
            format!(
                "must be {LISTEN}, or an http or https URL without user and fragment, with a port from 1 to 65535 if any, of at most {LONGEST_URL} bytes"
            ),
        )),
    }
}

/// A signing key as its owner writes it, if it is one.
fn secret(text: Option<&str>) -> Result<Option<String>, ApiError> {
    let key = text.map(SigningKey::parse).transpose().map_err(|error| bad("secret", error))?;
    Ok(key.map(|key| key.reveal()))
}

/// Event types by name, all of a noun (`order.*`), or all; each once, however often it is named.
fn events(names: Option<&[Arc<str>]>) -> Result<Option<Vec<String>>, ApiError> {
    let Some(names) = names else { return Ok(None) };
    let mut picked = Vec::<String>::new();
    for name in names {
        let pattern = EventPattern::read(name);
        let of_pattern = |known: &&'static str| pattern.as_ref().is_some_and(|pattern| pattern.matches(known));
        let found: Vec<_> = EVENT_TYPES.into_iter().filter(of_pattern).map(str::to_owned).collect();
        if found.is_empty() {
            return Err(bad("events", format!("must be of {}; or of a noun, such as order.*", EVENT_TYPES.join(", "))));
        }
        let others: Vec<_> = found.into_iter().filter(|name| !picked.contains(name)).collect();
        picked.extend(others);
    }
    if picked.is_empty() { Err(bad("events", "must name one or be left out")) } else { Ok(Some(picked)) }
}
