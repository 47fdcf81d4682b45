//! The webhooks and the events that each is sent (rule: events/webhooks).
//!
//! Invariant: a webhook is sent nothing from before its registration, and only the operator registers one.
//! Their number is bounded. Absent on purpose: proving that the URL belongs to the one who registers it, since only the
//! operator and the partner itself can.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sim::command::Patch;
use sim::ids::{ClientId, PartnerId};
use sim::time::Instant;
use sim::{Change, Delta, Event};
use uuid::Uuid;

use super::signing_keys::SigningKeys;
use feed::log::Cursor;
use feed::transport::TransportTime;

/// Webhooks that each partner may have at once in a world (rule: auth/quotas).
pub const MOST_WEBHOOKS: usize = 100;

/// The address of a webhook whose deliveries a listener fetches: nobody is called (rule: events/listening).
pub const LISTEN: &str = "listen:";

/// One registration.
#[derive(Clone, Debug)]
pub struct Webhook {
    /// Names it.
    pub id: Uuid,
    /// The client whose events it is sent.
    pub client: ClientId,
    /// The partner of that client, where one is known.
    pub partner: Option<PartnerId>,
    /// Where to.
    pub url: Arc<str>,
    /// Sign what it is sent.
    pub keys: Arc<SigningKeys>,
    /// Which events; `None` means all.
    pub events: Option<Vec<&'static str>>,
    /// The first event it may be sent.
    pub from: Cursor,
    /// Since when it is disabled; `None` while it is enabled.
    pub disabled: Option<TransportTime>,
}

/// What is to be otherwise about a webhook. What is left out stays.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WebhookChange {
    /// Where to.
    pub url: Option<String>,
    /// Which events; all when cleared.
    pub events: Patch<Vec<String>>,
    /// Whether it is enabled.
    pub enabled: Option<bool>,
}

impl Webhook {
    /// Whether it is to be sent `event`, which has this number in the log.
    #[must_use]
    pub fn wants(&self, number: Cursor, event: &Event) -> bool {
        self.from <= number && self.disabled.is_none() && self.is_about(event)
    }

    /// Whether `event` is of a client and a type that it is sent.
    #[must_use]
    pub fn is_about(&self, event: &Event) -> bool {
        let kind = event.kind();
        event.client.is_none_or(|client| client == self.client)
            && self.events.as_ref().is_none_or(|events| events.contains(&kind))
    }
}

/// What is to be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replay {
    /// What happened from this instant on.
    pub since: Instant,
    /// Of that, what has this number or a later one: where an earlier replay had no room for more.
    pub from: Option<Cursor>,
}

/// What was queued by a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Events that are queued now.
    pub events: usize,
    /// Where the next replay continues, when there was no room for more.
    pub rest: Option<(Instant, Cursor)>,
    /// Whether some of the events asked for are no longer kept.
    pub is_cut: bool,
}

/// The resource that `event` is about; events about the same one keep their order.
#[must_use]
pub fn resource(event: &Event) -> Uuid {
    fn id<T>(delta: &Delta<T>, id: impl Fn(&T) -> Uuid) -> Uuid {
        id(delta.latest())
    }
    match &event.change {
        Change::Account(delta) => id(delta, |record| record.id.as_uuid()),
        Change::CashTransaction(delta) => id(delta, |record| record.id.as_uuid()),
        Change::FundTransaction(delta) => id(delta, |record| record.id.as_uuid()),
        Change::Order(delta) => id(delta, |record| record.id.as_uuid()),
        Change::Journey(delta) => id(delta, |record| record.id.as_uuid()),
        Change::Client(delta) => id(delta, |record| record.id.as_uuid()),
        Change::InstrumentsReloaded(_) => Uuid::nil(),
    }
}
