//! What an id names, for `why`: an event, a delivery, a webhook, or a resource, also one of which nothing has happened.
//!
//! Invariant: what the bearer may not see is answered like what is not there. Absent on purpose: what has happened (`chain`).

use std::collections::BTreeSet;
use std::sync::Arc;

use sim::event::Change;
use sim::ids::{AccountId, BankAccountId, ClientId};
use sim::query::{Named, named};
use sim::time::Instant;
use sim::{Delta, Event};
use uuid::Uuid;

use super::super::request::Target;
use deliveries::delivery::Delivery;
use deliveries::webhooks::resource;
use feed::event_types::TEST;
use feed::log::{EventEntry, Numbered};
use wire::error::ApiError;

/// What an id names.
#[derive(Debug, Default)]
pub(super) struct Subject {
    pub what: &'static str,
    /// The resource whose changes are listed.
    pub resource: Uuid,
    /// It, its parts, and what it refers to.
    pub own: BTreeSet<Uuid>,
    /// What it was made by, and when.
    pub made_by: Option<(Instant, BTreeSet<Uuid>)>,
    /// The account whose transactions may be its own.
    pub account: Option<AccountId>,
    /// The last event of the chain; the newest there is when none.
    pub until: Option<u64>,
    /// The delivery, where it is one.
    pub delivery: Option<Delivery>,
    /// Whether it is a message without an event.
    pub is_test: bool,
}

impl Subject {
    /// The subject that `id` names, if the bearer may see it; `entries` are the events that it may see.
    pub(super) fn find(target: &Target, id: Uuid, entries: &[Numbered]) -> Result<Option<Self>, ApiError> {
        let clients = target.clients()?;
        let sees = |client: ClientId| clients.as_ref().is_none_or(|clients| clients.contains(&client));
        let resource = |id| -> Result<Option<Self>, ApiError> {
            let found = target.world.read(|world| named(world, id))?;
            let found = found.filter(|named| named.client.map_or_else(|| target.operates(), sees));
            Ok(found.map(|named| Self::of_resource(id, named)).or_else(|| Self::of_gone(id, entries)))
        };
        if let Some(found) = resource(id)? {
            return Ok(Some(found));
        }
        let seed = target.world.identity.origin().seed;
        let by_event_id = |wanted| entries.iter().rev().find(|(_, entry)| entry.event.public_id(seed) == wanted);
        if let Some((number, entry)) = by_event_id(id) {
            return Ok(Some(Self::of_event("event", *number, &entry.event)));
        }
        let delivery = target.world.subscribers.deliveries.look(|queue| queue.get(id).cloned());
        if let Some(delivery) = delivery.filter(|delivery| sees(delivery.notification.client)) {
            let event_entry = event_of_delivery(&delivery, entries, by_event_id);
            return Ok(Some(Self::of_delivery(delivery, event_entry)));
        }
        let webhooks = target.world.subscribers.deliveries.webhooks();
        let webhook = webhooks.into_iter().find(|webhook| webhook.id == id && sees(webhook.client));
        Ok(webhook.map(|webhook| Self::plain("webhook", webhook.id)))
    }

    fn plain(what: &'static str, resource: Uuid) -> Self {
        Self { what, resource, own: BTreeSet::from([resource]), ..Self::default() }
    }

    fn of_resource(id: Uuid, named: Named) -> Self {
        let made_by: BTreeSet<Uuid> = named.made_by.into_iter().collect();
        let mut subject = Self::plain(named.what, id);
        subject.own.extend(named.parts);
        subject.own.extend(named.refers_to);
        subject.made_by = named.created.filter(|_| !made_by.is_empty()).map(|created| (created, made_by));
        subject.account = named.account;
        subject
    }

    /// A resource that is there no more.
    fn of_gone(id: Uuid, entries: &[Numbered]) -> Option<Self> {
        let (_, entry) = entries.iter().rev().find(|(_, entry)| resource(&entry.event) == id)?;
        let noun = entry.event.kind().split('.').next().unwrap_or_default();
        Some(Self { until: None, ..Self::of_event(noun, 0, &entry.event) })
    }

    fn of_event(what: &'static str, number: u64, event: &Event) -> Self {
        let mut subject = Self::plain(what, resource(event));
        subject.own.extend(reference_of(event));
        Self { until: Some(number), account: account_of(event), ..subject }
    }

    fn of_delivery(delivery: Delivery, event_entry: Option<&Numbered>) -> Self {
        let notification = &delivery.notification;
        let is_test = notification.event_type == TEST;
        let key = notification.ordering_key;
        let subject = match event_entry {
            Some((number, entry)) => Self::of_event("delivery", *number, &entry.event),
            // It is about no event that is kept.
            None => {
                let resource = key.webhook.filter(|_| is_test).unwrap_or(key.resource);
                Self { until: Some(0), resource, ..Self::plain("delivery", notification.id) }
            }
        };
        Self { is_test, delivery: Some(delivery), ..subject }
    }

    /// Whether an event is about it.
    pub(super) fn is_about(&self, event: &Event) -> bool {
        let is_own = |id| self.own.contains(&id);
        let made_by =
            |(created, made_by): &(Instant, BTreeSet<Uuid>)| event.at == *created && made_by.contains(&resource(event));
        is_own(resource(event))
            || reference_of(event).is_some_and(is_own)
            || self.made_by.as_ref().is_some_and(made_by)
            || (self.what == "bankAccount" && changes_bank_account(event, BankAccountId::from_uuid(self.resource)))
    }
}

/// The event of a delivery.
fn event_of_delivery<'e>(
    delivery: &Delivery,
    entries: &'e [Numbered],
    by_event_id: impl Fn(Uuid) -> Option<&'e Numbered>,
) -> Option<&'e Numbered> {
    let notification = &delivery.notification;
    if notification.ordering_key.webhook.is_some() {
        return by_event_id(notification.webhook_id);
    }
    // A callback is about the last event of its journey by then.
    let is_it = |entry: &Arc<EventEntry>| {
        resource(&entry.event) == notification.ordering_key.resource && entry.event.at <= notification.occurred
    };
    entries.iter().rev().find(|(_, entry)| is_it(entry))
}

/// What a transaction refers to: its order, payment, withdrawal.
pub(super) fn reference_of(event: &Event) -> Option<Uuid> {
    let reference = match &event.change {
        Change::CashTransaction(delta) => delta.latest().reference.as_deref(),
        Change::FundTransaction(delta) => delta.latest().reference.as_deref(),
        _ => None,
    };
    reference.and_then(|reference| Uuid::try_parse(reference).ok())
}

/// The account that a changed record is of, where it is not an account itself.
pub(super) fn account_of(event: &Event) -> Option<AccountId> {
    match &event.change {
        Change::CashTransaction(delta) => Some(delta.latest().account),
        Change::FundTransaction(delta) => Some(delta.latest().account),
        Change::Order(delta) => Some(delta.latest().account),
        _ => None,
    }
}

fn changes_bank_account(event: &Event, id: BankAccountId) -> bool {
    let Change::Account(delta) = &event.change else { return false };
    let of = |account: &sim::records::Account| account.bank_accounts.iter().find(|bank| bank.id == id).cloned();
    match delta {
        Delta::Created(account) | Delta::Deleted(account) => of(account).is_some(),
        Delta::Updated { previous, current } => of(previous) != of(current),
    }
}
