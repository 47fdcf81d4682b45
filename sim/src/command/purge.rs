//! What can be forgotten.

use crate::ids::{AccountId, CashTransactionId, ClientId, FundTransactionId, JourneyId, LookupKey, OrderId};
use serde::{Deserialize, Serialize};

/// What can be purged (rule: accounts/purging, events/delete-events).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Purgeable {
    /// A client without open accounts and running journeys.
    Client(ClientId),
    /// An account whose application was refused; it stays readable and says that it is deleted.
    Account(AccountId),
    /// A journey that has ended; it stays readable and says that it is deleted.
    Journey(JourneyId),
    /// An order that is settled or canceled.
    Order(OrderId),
    /// An aborted cash transaction.
    CashTransaction(CashTransactionId),
    /// An aborted fund transaction.
    FundTransaction(FundTransactionId),
}

impl LookupKey for Purgeable {}
