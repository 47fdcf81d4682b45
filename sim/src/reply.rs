//! What a world answers to an accepted command.

use crate::identity::InstrumentId;
use crate::records::{Account, CashTransaction, Order};
use std::sync::Arc;

/// The resource that a command made or changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// All checks passed; nothing was created.
    Valid,
    /// The order.
    Order(Arc<Order>),
    /// The account.
    Account(Arc<Account>),
    /// The instrument; read it through `query`.
    Instrument(InstrumentId),
    /// The cash transaction.
    CashTransaction(Arc<CashTransaction>),
}
