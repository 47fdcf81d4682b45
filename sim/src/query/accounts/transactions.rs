//! Transactions, listed and filtered (rule: wire/transaction-filters).

use crate::command::Purgeable;
use crate::identity::InstrumentId;
use crate::ids::{AccountId, ClientId, OrderId};
use crate::records::{CashRefType, CashTransaction, CashType, FundRefType, FundTransaction, FundType};
use crate::store::Window;
use crate::time::{Date, Instant};
use crate::world::World;
use std::sync::Arc;

/// Which transactions to list; `None` means any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TransactionFilter {
    /// Of this account.
    pub account: Option<AccountId>,
    /// Created on or after this local day.
    pub date_from: Option<Date>,
    /// Created on or before this local day.
    pub date_to: Option<Date>,
    /// With exactly this `ref`.
    pub reference: Option<String>,
    /// Cash transactions with this `refType`.
    pub cash_ref_type: Option<CashRefType>,
    /// Fund transactions with this `refType`.
    pub fund_ref_type: Option<FundRefType>,
    /// Cash transactions of this kind.
    pub cash_type: Option<CashType>,
    /// Fund transactions of this kind.
    pub fund_type: Option<FundType>,
    /// In this fund: fund transactions of it, cash transactions whose order is in it.
    pub instrument: Option<InstrumentId>,
}

impl TransactionFilter {
    fn day(&self, created: Instant) -> bool {
        if self.date_from.is_none() && self.date_to.is_none() {
            return true;
        }
        let day = created.local_date();
        self.date_from.is_none_or(|from| from <= day) && self.date_to.is_none_or(|to| day <= to)
    }
}

/// The cash transactions of `client`.
#[must_use]
pub fn cash_transactions(
    world: &World,
    client: ClientId,
    window: &Window,
    filter: &TransactionFilter,
) -> Vec<Arc<CashTransaction>> {
    let keep = |transaction: &CashTransaction| {
        transaction.client == client
            && filter.day(transaction.stamp.created)
            && filter.reference.is_none() | (filter.reference.as_deref() == transaction.reference.as_deref())
            && filter.cash_ref_type.is_none_or(|wanted| transaction.ref_type == wanted)
            && filter.cash_type.is_none_or(|wanted| transaction.kind == wanted)
            && filter.instrument.is_none_or(|wanted| fund_of(world, transaction) == Some(wanted))
            && !world.is_purged(Purgeable::CashTransaction(transaction.id))
    };
    match filter.account {
        Some(account) => window.of_account(&world.cash, account, keep),
        None => window.of_client(&world.cash, client, keep),
    }
}

/// The fund of the order that a cash transaction belongs to.
fn fund_of(world: &World, transaction: &CashTransaction) -> Option<InstrumentId> {
    if transaction.ref_type != CashRefType::Order {
        return None;
    }
    let order = OrderId::parse(transaction.reference.as_deref()?).ok()?;
    world.orders.get(order).map(|order| order.instrument)
}

/// The fund transactions of `client`.
#[must_use]
pub fn fund_transactions(
    world: &World,
    client: ClientId,
    window: &Window,
    filter: &TransactionFilter,
) -> Vec<Arc<FundTransaction>> {
    let keep = |transaction: &FundTransaction| {
        transaction.client == client
            && filter.day(transaction.stamp.created)
            && filter.reference.is_none() | (filter.reference.as_deref() == transaction.reference.as_deref())
            && filter.fund_ref_type.is_none_or(|wanted| transaction.ref_type == wanted)
            && filter.fund_type.is_none_or(|wanted| transaction.kind == wanted)
            && filter.instrument.is_none_or(|wanted| transaction.instrument == wanted)
            && !world.is_purged(Purgeable::FundTransaction(transaction.id))
    };
    match filter.account {
        Some(account) => window.of_account(&world.funds, account, keep),
        None => window.of_client(&world.funds, client, keep),
    }
}
