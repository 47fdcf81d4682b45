//! Who wants to be told which events by webhook (rule: events/webhooks).
//!
//! Invariant: nobody is told what happened before it registered, and nothing at all unless the operator registered it.
//! Their number is bounded. Absent on purpose: proving that the URL belongs to the one who registers it, since only the
//! operator and the partner itself can.

use std::sync::Arc;

use sim::ids::ClientId;
use sim::{Change, Delta, Event};
use uuid::Uuid;

use super::signature::SigningKey;
use crate::hosting::feed::log::Cursor;

/// Webhooks that may be registered at once in a world.
pub const MOST_WEBHOOKS: usize = 100;

/// The events there are, as a filter names them.
pub const EVENT_TYPES: [&str; 17] = [
    "account.create",
    "account.update",
    "account.delete",
    "client.update",
    "client.delete",
    "cashTransaction.create",
    "cashTransaction.update",
    "cashTransaction.delete",
    "fundTransaction.create",
    "fundTransaction.update",
    "fundTransaction.delete",
    "order.create",
    "order.update",
    "order.delete",
    "instrument.reloaded",
    "journey.update",
    "journey.delete",
];

/// One registration.
#[derive(Clone, Debug)]
pub struct Webhook {
    /// Names it.
    pub id: Uuid,
    /// Whose events it is told.
    pub client: ClientId,
    /// Where to.
    pub url: Arc<str>,
    /// Signs what it is told.
    pub key: Arc<SigningKey>,
    /// Which events; `None` means all.
    pub events: Option<Vec<&'static str>>,
    /// The first event it may be told.
    pub from: Cursor,
}

impl Webhook {
    /// Whether it is to be told `event`, which has this number in the log.
    #[must_use]
    pub fn wants(&self, number: Cursor, event: &Event) -> bool {
        let kind = event.kind();
        self.from <= number
            && event.client.is_none_or(|client| client == self.client)
            && self.events.as_ref().is_none_or(|events| events.contains(&kind))
    }
}

/// The event type of this name.
#[must_use]
pub fn event_type(name: &str) -> Option<&'static str> {
    EVENT_TYPES.into_iter().find(|known| *known == name)
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
