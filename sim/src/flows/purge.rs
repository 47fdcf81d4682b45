//! What partners are made to forget: the only source of the `*.delete` events that no partner call causes
//! (rule: accounts/purging, events/delete-events).
//!
//! Invariant: nothing that counts is forgotten. Only what has ended can be purged, and of transactions only aborted ones;
//! the world's own books keep everything, so balances and reservations stay what they are. A journey and an
//! account say so themselves, as their shapes do; anything else is as if it had never been. Absent on purpose: accounts that
//! were active, which their closing deletes.

use crate::command::{Purgeable, Scope};
use crate::event::{Change, Delta};
use crate::flows::accounts::moves::move_account;
use crate::flows::journeys;
use crate::flows::orders::refuse_lever;
use crate::ids::{AccountId, CashTransactionId, ClientId, FundTransactionId, OrderId, PartnerId};
use crate::machines::account::{State, Trigger};
use crate::refusal::{Class, Fault, Refusal};
use crate::reply::Reply;
use crate::scope;
use crate::world::World;
use std::sync::Arc;

/// `Purge`.
pub(crate) fn purge(world: &mut World, partner: PartnerId, what: Purgeable) -> Result<Reply, Refusal> {
    match what {
        Purgeable::Client(id) => client(world, partner, id),
        Purgeable::Account(id) => account(world, partner, id),
        Purgeable::Journey(id) => journeys::purge(world, partner, id),
        Purgeable::Order(id) => order(world, partner, id),
        Purgeable::CashTransaction(id) => cash(world, partner, id),
        Purgeable::FundTransaction(id) => fund(world, partner, id),
    }
}

fn client(world: &mut World, partner: PartnerId, id: ClientId) -> Result<Reply, Refusal> {
    let client = Arc::clone(world.client_in_scope(Scope { partner, client: id })?);
    let account = world.accounts.of_client(id, None);
    let account = account.filter(|account| account.deleted.is_none() && account.state != State::Rejected);
    let running = world.journeys.of_client(id, None).filter(|journey| !journey.state.is_terminal());
    let status = match (account.count(), running.count()) {
        (0, 0) => None,
        (0, _) => Some("in use: a journey is under way"),
        _ => Some("in use: it has accounts that are not closed"),
    };
    if let Some(status) = status {
        return Err(Refusal::conflict("clientId", Fault::NotPossibleIn { status }, "in use", Vec::new()));
    }
    forget(world, Purgeable::Client(id), id, Change::Client(Delta::Deleted(Arc::clone(&client))));
    Ok(Reply::Client(client))
}

/// An account that was refused is deleted; the others are deleted by being closed.
fn account(world: &mut World, partner: PartnerId, id: AccountId) -> Result<Reply, Refusal> {
    let account = world.account_of_partner(partner, id)?;
    if !account.state.allows(Trigger::Purge) {
        let status = if account.deleted.is_some() { "deleted" } else { account.state.name() };
        return Err(Refusal::conflict("accountId", Fault::NotPossibleIn { status }, status, Vec::new()));
    }
    move_account(world, id, Trigger::Purge);
    Ok(Reply::Account(Arc::clone(world.accounts.known(id))))
}

fn order(world: &mut World, partner: PartnerId, id: OrderId) -> Result<Reply, Refusal> {
    let order = world.order_of_partner(partner, id)?;
    if !order.state.is_terminal() {
        return Err(refuse_lever(world, &order));
    }
    forget(world, Purgeable::Order(id), order.client, Change::Order(Delta::Deleted(Arc::clone(&order))));
    Ok(Reply::Order(order))
}

fn cash(world: &mut World, partner: PartnerId, id: CashTransactionId) -> Result<Reply, Refusal> {
    let found = world.cash.get(id).filter(|one| world.owns(partner, one.client));
    let found = found.filter(|one| scope::cash_transaction(world, one.client, id).is_some()).cloned();
    let transaction = found.ok_or_else(unknown)?;
    counts(transaction.aborted.is_some(), transaction.settlement.is_some())?;
    let change = Change::CashTransaction(Delta::Deleted(Arc::clone(&transaction)));
    forget(world, Purgeable::CashTransaction(id), transaction.client, change);
    Ok(Reply::CashTransaction(transaction))
}

fn fund(world: &mut World, partner: PartnerId, id: FundTransactionId) -> Result<Reply, Refusal> {
    let found = world.funds.get(id).filter(|one| world.owns(partner, one.client));
    let found = found.filter(|one| scope::fund_transaction(world, one.client, id).is_some()).cloned();
    let transaction = found.ok_or_else(unknown)?;
    counts(transaction.aborted.is_some(), transaction.settlement.is_some())?;
    let change = Change::FundTransaction(Delta::Deleted(Arc::clone(&transaction)));
    forget(world, Purgeable::FundTransaction(id), transaction.client, change);
    Ok(Reply::FundTransaction(transaction))
}

/// Money and units that were booked cannot be forgotten.
fn counts(aborted: bool, settled: bool) -> Result<(), Refusal> {
    if aborted {
        return Ok(());
    }
    let status = if settled { "settled" } else { "not settled" };
    Err(Refusal::conflict("transactionId", Fault::NotPossibleIn { status }, status, Vec::new()))
}

fn unknown() -> Refusal {
    Refusal::one(Class::Unknown, "transactionId", Fault::NotFound)
}

fn forget(world: &mut World, what: Purgeable, client: ClientId, change: Change) {
    let now = world.now;
    world.purged.insert(what, now);
    world.emit(Some(client), change);
}
