//! Webhooks: register, list, remove. There are none unless they are registered here (rule: events/webhooks).
//!
//! Invariant: a partner's token works on the webhooks of its own clients, nothing else.

use std::sync::Arc;

use axum::http::Uri;
use serde::Serialize;
use sim::ids::ClientId;
use utoipa::ToSchema;

use super::request::{Bearer, Body, HandlerResult, Target, bad};
use crate::hosting::decision::{Carried, HostDecision};
use crate::hosting::deliveries::signature::SigningKey;
use crate::hosting::deliveries::webhooks::{EVENT_TYPES, MOST_WEBHOOKS, Webhook, event_type};
use crate::hosting::secrets::masked;
use crate::planes::responses::json;
use crate::wire::error::ApiError;
use crate::wire::shape::shape;
use crate::wire::text::Id;

/// Longest URL, in bytes.
const LONGEST_URL: usize = 2_048;

shape! {
    /// A webhook to be registered.
    pub(crate) struct WebhookRequest {
        /// Whose events.
        client: ClientId = required "client";
        /// An http or https URL.
        url: Arc<str> = required "url";
        /// `whsec_` and 24 to 64 bytes in base64; drawn when left out.
        secret: Option<Arc<str>> = optional "secret";
        /// Event types by name, or all of a noun, such as `order.*`; all when left out.
        events: Option<Vec<Arc<str>>> = optional "events";
    }
}

/// A webhook as it is told after it was registered; to others than the operator its secret is masked (rule: auth/secrets-shown).
fn show(target: &Target, webhook: &Webhook) -> WebhookShown {
    let shown = registered(webhook);
    match target.bearer {
        Bearer::Partner(_) => WebhookShown { secret: masked(&shown.secret), ..shown },
        Bearer::Operator => shown,
    }
}

/// A webhook.
#[derive(Serialize, ToSchema)]
#[schema(as = Webhook)]
pub(crate) struct WebhookShown {
    id: Id,
    client: Id,
    url: String,
    /// Signs what is sent; in full to the operator, and to whoever registers it.
    secret: String,
    /// Event types; null for all.
    #[schema(required = true)]
    events: Option<Vec<String>>,
}

fn registered(webhook: &Webhook) -> WebhookShown {
    let events = webhook.events.as_ref().map(|events| events.iter().copied().map(str::to_owned).collect());
    WebhookShown {
        id: Id(webhook.id),
        client: Id(webhook.client.as_uuid()),
        url: webhook.url.to_string(),
        secret: webhook.key.reveal(),
        events,
    }
}

fn own(target: &Target) -> Result<Vec<Webhook>, ApiError> {
    let clients = target.clients()?;
    let mut webhooks = target.world.deliveries.webhooks();
    webhooks.retain(|webhook| clients.as_ref().is_none_or(|clients| clients.contains(&webhook.client)));
    Ok(webhooks)
}

/// `GET /_sandbox/worlds/{worldId}/webhooks`
pub(super) async fn list(target: Target) -> HandlerResult {
    Ok(json(&own(&target)?.iter().map(|webhook| show(&target, webhook)).collect::<Vec<_>>()))
}

/// `POST /_sandbox/worlds/{worldId}/webhooks`
pub(super) async fn register(target: Target, Body(given): Body<WebhookRequest>) -> HandlerResult {
    let client = client(&target, given.client)?;
    let url = url(&given.url)?;
    let key = given.secret.as_deref().map(SigningKey::parse).transpose().map_err(|error| bad("secret", error))?;
    let events = given.events.as_deref().map(events).transpose()?;
    let events = events.map(|names| names.into_iter().map(str::to_owned).collect());
    let register = HostDecision::Register { client, url: url.to_owned(), key: key.map(|key| key.reveal()), events };
    match target.world.decide(&register)? {
        Carried::Webhook(registered) => Ok(json(&self::registered(&registered))),
        _ => Err(ApiError::unavailable(format!("there are {MOST_WEBHOOKS} webhooks already"))),
    }
}

/// `DELETE /_sandbox/worlds/{worldId}/webhooks/{id}`: answers what was removed.
pub(super) async fn remove(target: Target) -> HandlerResult {
    let id = target.item_id()?;
    let unknown = || ApiError::not_found("id names no webhook");
    own(&target)?.iter().find(|webhook| webhook.id == id).ok_or_else(unknown)?;
    Ok(json(&show(&target, &end(&target, id)?.ok_or_else(unknown)?)))
}

/// `DELETE /_sandbox/worlds/{worldId}/webhooks`: all that the bearer may see; answers what was removed.
pub(super) async fn clear(target: Target) -> HandlerResult {
    let removed = own(&target)?.into_iter().filter_map(|webhook| end(&target, webhook.id).transpose());
    Ok(json(&removed.map(|webhook| Ok(show(&target, &webhook?))).collect::<Result<Vec<_>, ApiError>>()?))
}

fn end(target: &Target, id: uuid::Uuid) -> Result<Option<Webhook>, ApiError> {
    Ok(match target.world.decide(&HostDecision::Unregister(id))? {
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
    match text.parse::<Uri>() {
        Ok(uri) if text.len() <= LONGEST_URL && fits(&uri) => Ok(text),
        _ => Err(bad(
            "url",
            format!(
                "must be an http or https URL without user and fragment, with a port from 1 to 65535 if any, of at most {LONGEST_URL} bytes"
            ),
        )),
    }
}

/// Event types by name, or all of a noun: `order.*`.
fn events(names: &[Arc<str>]) -> Result<Vec<&'static str>, ApiError> {
    let mut picked = Vec::new();
    for name in names {
        let noun = name.strip_suffix('*').filter(|noun| noun.ends_with('.'));
        let of_noun = EVENT_TYPES.into_iter().filter(|known| noun.is_some_and(|noun| known.starts_with(noun)));
        let found: Vec<_> = event_type(name).into_iter().chain(of_noun).collect();
        if found.is_empty() {
            return Err(bad("events", format!("must be of {}; or of a noun, such as order.*", EVENT_TYPES.join(", "))));
        }
        picked.extend(found);
    }
    if picked.is_empty() { Err(bad("events", "must name one or be left out")) } else { Ok(picked) }
}
