//! One message to a partner's server.
//!
//! Invariant: what a notification says never changes once it is made; every attempt sends the same bytes, signed anew for
//! its moment. Where it goes follows its webhook.

use std::sync::Arc;

use bytes::Bytes;
use sim::ids::{ClientId, PartnerId};
use sim::time::Instant;
use uuid::Uuid;

use super::signing_keys::SigningKeys;

/// What notifications share that must not overtake each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OrderingKey {
    /// The webhook; `None` for journey callbacks.
    pub webhook: Option<Uuid>,
    /// The journey, or the resource that the event is about.
    pub resource: Uuid,
}

/// What is to be sent, and to whom.
#[derive(Clone, Debug)]
pub struct Notification {
    /// Names the delivery; the same in every repetition of a run.
    pub id: Uuid,
    /// What the receiver deduplicates by: the event's id, or the delivery's own for a journey callback
    /// (rule: events/signatures).
    pub webhook_id: Uuid,
    /// What it must not overtake.
    pub ordering_key: OrderingKey,
    /// Names the event, since the body does not.
    pub event_type: &'static str,
    /// Whose it is: the client of the journey, or of the webhook, whomever the event concerns.
    pub client: ClientId,
    /// The partner of that client, where one is known.
    pub partner: Option<PartnerId>,
    /// Business time of what it is about.
    pub occurred: Instant,
    /// Where it goes.
    pub url: Arc<str>,
    /// Sign it, as they are at the moment of each attempt.
    pub keys: Arc<SigningKeys>,
    /// What it says.
    pub body: Bytes,
}
