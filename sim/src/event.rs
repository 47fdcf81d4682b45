//! Facts, in the past tense and in order: what subscribers are sent.
//!
//! Invariant: within one change the order is cash transaction, fund transaction, account, order, journey
//! (rule: events/event-order), and an event is emitted only once the change can be read. Absent on purpose: the public
//! id, which is derived when it is read (`Event::public_id`).

use crate::identity::InstrumentId;
use crate::ids::{self, ClientId};
use crate::input::Cause;
use crate::machines::Moves;
use crate::records::{Account, CashTransaction, Client, FundTransaction, Journey, Order};
use crate::rng::Seed;
use crate::time::Instant;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use uuid::Uuid;

/// One fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Position in the world's history, from 0, without gaps.
    pub number: u64,
    /// When it happened.
    pub at: Instant,
    /// What it came from.
    pub cause: Cause,
    /// Whom it concerns; `None` means every client.
    pub client: Option<ClientId>,
    /// What changed.
    pub change: Change,
    /// The rows of its life cycle's table that led from the state before to the state after, in order; a new record, and one that
    /// stayed in its state, has none.
    pub moves: Moves,
}

/// What changed, by resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// An account.
    Account(Delta<Account>),
    /// A cash transaction.
    CashTransaction(Delta<CashTransaction>),
    /// A fund transaction.
    FundTransaction(Delta<FundTransaction>),
    /// An order.
    Order(Delta<Order>),
    /// A journey; its creation has no event (rule: events/events-named).
    Journey(Delta<Journey>),
    /// A client; its creation has no event.
    Client(Delta<Client>),
    /// Instruments whose trading or structure changed.
    InstrumentsReloaded(Arc<[InstrumentId]>),
}

impl Change {
    /// The id of the one resource that has changed, and its revision; none where several have.
    #[must_use]
    pub fn resource(&self) -> Option<(Uuid, u32)> {
        Some(match self {
            Self::Account(delta) => (delta.latest().id.as_uuid(), delta.latest().stamp.revision),
            Self::CashTransaction(delta) => (delta.latest().id.as_uuid(), delta.latest().stamp.revision),
            Self::FundTransaction(delta) => (delta.latest().id.as_uuid(), delta.latest().stamp.revision),
            Self::Order(delta) => (delta.latest().id.as_uuid(), delta.latest().stamp.revision),
            Self::Journey(delta) => (delta.latest().id.as_uuid(), delta.latest().stamp.revision),
            Self::Client(delta) => (delta.latest().id.as_uuid(), delta.latest().stamp.revision),
            Self::InstrumentsReloaded(_) => return None,
        })
    }
}

/// Before and after of one record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Delta<T> {
    /// It came to be.
    Created(Arc<T>),
    /// It changed.
    Updated {
        /// State before.
        previous: Arc<T>,
        /// State after.
        current: Arc<T>,
    },
    /// It is gone.
    Deleted(Arc<T>),
}

impl<T> Delta<T> {
    /// The verb of the event type.
    #[must_use]
    pub const fn verb(&self) -> &'static str {
        match self {
            Self::Created(_) => "create",
            Self::Updated { .. } => "update",
            Self::Deleted(_) => "delete",
        }
    }

    /// The newest state there is.
    #[must_use]
    pub const fn latest(&self) -> &Arc<T> {
        match self {
            Self::Created(record) | Self::Deleted(record) => record,
            Self::Updated { current, .. } => current,
        }
    }
}

/// Events that were not taken yet: so many at most, of which the oldest are dropped (rule: events/events-kept). Written
/// down they are a plain list; the bound is the host's, and set anew.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<Event>", into = "Vec<Event>")]
pub(crate) struct PendingEvents {
    /// In order from `oldest` to the end, then from the front.
    events: Vec<Event>,
    /// The position of the oldest; not at the front only once there are `most` of them.
    oldest: usize,
    most: usize,
    let_go: u64,
}

impl PendingEvents {
    /// None yet, and no bound.
    pub(crate) const fn new() -> Self {
        Self::of(Vec::new())
    }

    const fn of(events: Vec<Event>) -> Self {
        Self { events, oldest: 0, most: usize::MAX, let_go: 0 }
    }

    /// Holds `most` from now on, and at least one.
    pub(crate) fn keep(&mut self, most: usize) {
        self.put_in_order();
        self.most = most.max(1);
        let surplus = self.events.len().saturating_sub(self.most);
        self.events.drain(..surplus);
        self.let_go += surplus as u64;
    }

    pub(crate) fn push(&mut self, event: Event) {
        if self.events.len() < self.most {
            self.events.push(event);
            return;
        }
        self.events[self.oldest] = event;
        self.oldest = (self.oldest + 1) % self.most;
        self.let_go += 1;
    }

    /// Puts the oldest at the front: to be called when a change is done.
    pub(crate) fn put_in_order(&mut self) {
        self.events.rotate_left(self.oldest);
        self.oldest = 0;
    }

    /// The events, oldest first, once they are in order.
    pub(crate) fn as_slice(&self) -> &[Event] {
        &self.events
    }

    /// How many have given way since the last ones were taken.
    pub(crate) const fn let_go(&self) -> u64 {
        self.let_go
    }

    pub(crate) fn take(&mut self) -> Vec<Event> {
        self.put_in_order();
        self.let_go = 0;
        std::mem::take(&mut self.events)
    }

    /// Drops them, keeping their memory for the next ones.
    pub(crate) fn clear(&mut self) {
        self.events.clear();
        (self.oldest, self.let_go) = (0, 0);
    }
}

impl From<Vec<Event>> for PendingEvents {
    fn from(events: Vec<Event>) -> Self {
        Self::of(events)
    }
}

impl From<PendingEvents> for Vec<Event> {
    fn from(mut pending: PendingEvents) -> Self {
        pending.take()
    }
}

impl Event {
    /// The public event type, such as `order.update`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        macro_rules! name {
            ($noun:literal, $delta:expr) => {
                match $delta {
                    Delta::Created(_) => concat!($noun, ".create"),
                    Delta::Updated { .. } => concat!($noun, ".update"),
                    Delta::Deleted(_) => concat!($noun, ".delete"),
                }
            };
        }
        match &self.change {
            Change::Account(delta) => name!("account", delta),
            Change::CashTransaction(delta) => name!("cashTransaction", delta),
            Change::FundTransaction(delta) => name!("fundTransaction", delta),
            Change::Order(delta) => name!("order", delta),
            Change::Journey(delta) => name!("journey", delta),
            Change::Client(delta) => name!("client", delta),
            Change::InstrumentsReloaded(_) => "instrument.reloaded",
        }
    }

    /// The public id: the same on every connection, instance and repetition (rule: events/event-id).
    #[must_use]
    pub fn public_id(&self, seed: Seed) -> Uuid {
        match self.change.resource() {
            Some((resource, revision)) => ids::event_id(seed, self.kind(), &resource, u64::from(revision)),
            None => ids::event_id(seed, self.kind(), &Uuid::nil(), self.number),
        }
    }
}
