//! Facts, in the past tense and in order: what subscribers are told.
//!
//! Invariant: within one change the order is cash transaction, fund transaction, account, order, journey
//! (rule: events/event-order), and an event is emitted only once the change can be read. Absent on purpose: the public
//! id, which is derived when somebody looks (`Event::public_id`).

use crate::identity::InstrumentId;
use crate::ids::{self, ClientId};
use crate::input::Cause;
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
    /// A journey; its creation is not told (rule: events/events-named).
    Journey(Delta<Journey>),
    /// A client; its creation is not told.
    Client(Delta<Client>),
    /// Instruments whose trading or structure changed.
    InstrumentsReloaded(Arc<[InstrumentId]>),
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
        let (resource, revision) = match &self.change {
            Change::Account(delta) => (delta.latest().id.as_uuid(), delta.latest().stamp.revision),
            Change::CashTransaction(delta) => (delta.latest().id.as_uuid(), delta.latest().stamp.revision),
            Change::FundTransaction(delta) => (delta.latest().id.as_uuid(), delta.latest().stamp.revision),
            Change::Order(delta) => (delta.latest().id.as_uuid(), delta.latest().stamp.revision),
            Change::Journey(delta) => (delta.latest().id.as_uuid(), delta.latest().stamp.revision),
            Change::Client(delta) => (delta.latest().id.as_uuid(), delta.latest().stamp.revision),
            Change::InstrumentsReloaded(_) => return ids::event_id(seed, self.kind(), &Uuid::nil(), self.number),
        };
        ids::event_id(seed, self.kind(), &resource, u64::from(revision))
    }
}
