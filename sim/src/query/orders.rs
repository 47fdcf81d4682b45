//! Orders, listed and filtered (rule: wire/order-filters); what would refuse one, and what became of it at its cut-off.

use crate::command::{PlaceOrder, Purgeable};
use crate::flows::orders as flow;
use crate::identity::InstrumentId;
use crate::ids::{AccountId, ClientId, OrderId};
use crate::records::{Order, Side};
use crate::refusal::Refusal;
use crate::store::Window;
use crate::world::{Aggregate, World};
use std::sync::Arc;

pub use crate::flows::orders::problems as order_problems;
pub use crate::scope::order;

/// Which orders to list; `None` means any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderFilter {
    /// Of this account.
    pub account: Option<AccountId>,
    /// With this public status word.
    pub status: Option<String>,
    /// On this side.
    pub side: Option<Side>,
    /// In this fund.
    pub instrument: Option<InstrumentId>,
    /// With exactly this reference.
    pub client_ref: Option<String>,
}

/// The orders of `client`.
#[must_use]
pub fn orders(world: &World, client: ClientId, window: &Window, filter: &OrderFilter) -> Vec<Arc<Order>> {
    let keep = |order: &Order| {
        filter.side.is_none_or(|side| order.side == side)
            && filter.instrument.is_none_or(|instrument| order.instrument == instrument)
            && filter.status.as_deref().is_none_or(|status| order.state.shown(&world.setup.settings) == status)
            && filter.client_ref.is_none() | (filter.client_ref.as_deref() == order.client_ref.as_deref())
            && !world.is_purged(Purgeable::Order(order.id))
    };
    match filter.account {
        Some(account) => window.of_account(&world.orders, account, |order| order.client == client && keep(order)),
        None => window.of_client(&world.orders, client, keep),
    }
}

/// Why this order would be refused if it came now; none when it would be taken.
#[must_use]
pub fn order_refusal(world: &World, order: &PlaceOrder) -> Option<Refusal> {
    flow::check(world, order).err()
}

/// The aggregated order that took an order, if one has.
#[must_use]
pub fn aggregate(world: &World, order: OrderId) -> Option<&Aggregate> {
    world.aggregates.get(world.orders.get(order)?.aggregate?).map(AsRef::as_ref)
}
