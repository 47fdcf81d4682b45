//! The records of a client, newest first, for those who want the last few of a long list.
//!
//! Invariant: the same records as the lists have, in reverse, and none is looked at before it is asked for. Absent on
//! purpose: windows and filters, which lists have.

use crate::command::Purgeable;
use crate::ids::{AccountId, ClientId};
use crate::records::{
    AllocationPlan, CashTransaction, FundTransaction, Journey, MobilePayment, Order, Payment, Transfer,
};
use crate::world::World;
use std::sync::Arc;

/// The orders of `client`.
pub fn newest_orders(world: &World, client: ClientId) -> impl Iterator<Item = &Arc<Order>> {
    let own = world.orders.of_client(client, None).rev();
    own.filter(|order| !world.is_purged(Purgeable::Order(order.id)))
}

/// The cash transactions of `client`.
pub fn newest_cash_transactions(world: &World, client: ClientId) -> impl Iterator<Item = &Arc<CashTransaction>> {
    let own = world.cash.of_client(client, None).rev();
    own.filter(|transaction| !world.is_purged(Purgeable::CashTransaction(transaction.id)))
}

/// The fund transactions of `client`.
pub fn newest_fund_transactions(world: &World, client: ClientId) -> impl Iterator<Item = &Arc<FundTransaction>> {
    let own = world.funds.of_client(client, None).rev();
    own.filter(|transaction| !world.is_purged(Purgeable::FundTransaction(transaction.id)))
}

/// The journeys of `client`.
pub fn newest_journeys(world: &World, client: ClientId) -> impl Iterator<Item = &Arc<Journey>> {
    world.journeys.of_client(client, None).rev()
}

/// The allocation plans of `client` that are not deleted.
pub fn newest_allocation_plans(world: &World, client: ClientId) -> impl Iterator<Item = &Arc<AllocationPlan>> {
    world.allocation_plans.of_client(client, None).rev().filter(|plan| plan.deleted.is_none())
}

/// The payments of `client`, of savings plans too.
pub fn newest_payments(world: &World, client: ClientId) -> impl Iterator<Item = &Arc<Payment>> {
    world.payments.of_client(client, None).rev()
}

/// The mobile payments of `client`.
pub fn newest_mobile_payments(world: &World, client: ClientId) -> impl Iterator<Item = &Arc<MobilePayment>> {
    world.mobile_payments.of_client(client, None).rev()
}

/// The transfers to an account.
pub fn newest_transfers(world: &World, account: AccountId) -> impl Iterator<Item = &Arc<Transfer>> {
    world.transfers.of_account(account, None).rev()
}
