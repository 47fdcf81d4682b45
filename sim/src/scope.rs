//! What a partner or a client can reach by an id.
//!
//! Invariant: what is another partner's, and what was purged, is as if it had never been. Absent on
//! purpose: lists, which are queries.

use crate::command::{Purgeable, Scope};
use crate::ids::{AccountId, CashTransactionId, ClientId, FundTransactionId, OrderId, PartnerId};
use crate::records::{Account, CashTransaction, Client, FundTransaction, Order, Permissions};
use crate::refusal::{Class, Fault, Refusal};
use crate::world::World;
use std::sync::Arc;

/// One client.
#[must_use]
pub fn client(world: &World, client: ClientId) -> Option<&Arc<Client>> {
    world.clients.get(&client).filter(|client| !world.is_purged(Purgeable::Client(client.id)))
}

/// An order of `client`; none when it is unknown or another client's.
#[must_use]
pub fn order(world: &World, client: ClientId, id: OrderId) -> Option<&Arc<Order>> {
    world.orders.get(id).filter(|order| order.client == client && !world.is_purged(Purgeable::Order(id)))
}

/// A cash transaction of `client`; none when it is unknown or another client's.
#[must_use]
pub fn cash_transaction(world: &World, client: ClientId, id: CashTransactionId) -> Option<&Arc<CashTransaction>> {
    let kept = |_: &&Arc<CashTransaction>| !world.is_purged(Purgeable::CashTransaction(id));
    world.cash.get(id).filter(|transaction| transaction.client == client).filter(kept)
}

/// A fund transaction of `client`; none when it is unknown or another client's.
#[must_use]
pub fn fund_transaction(world: &World, client: ClientId, id: FundTransactionId) -> Option<&Arc<FundTransaction>> {
    let kept = |_: &&Arc<FundTransaction>| !world.is_purged(Purgeable::FundTransaction(id));
    world.funds.get(id).filter(|transaction| transaction.client == client).filter(kept)
}

impl World {
    /// The client of a scope, if it is the partner's own.
    ///
    /// # Errors
    /// `OutOfScope` when it is unknown or another partner's: both get the same refusal.
    pub fn client_in_scope(&self, scope: Scope) -> Result<&Arc<Client>, Refusal> {
        match client(self, scope.client) {
            Some(client) if client.partner == scope.partner => Ok(client),
            _ => Err(Refusal::one(Class::OutOfScope, "clientId", Fault::NotYours)),
        }
    }

    /// The client of a scope, if it may do what `may` asks (rule: payments/payment-permissions).
    ///
    /// # Errors
    /// `OutOfScope`, as for a client of another partner.
    pub fn client_that_may(&self, scope: Scope, may: impl Fn(&Permissions) -> bool) -> Result<&Arc<Client>, Refusal> {
        let client = self.client_in_scope(scope)?;
        if may(&client.permissions) {
            return Ok(client);
        }
        Err(Refusal::one(Class::OutOfScope, "clientId", Fault::NotPermitted))
    }

    /// Whether a client is the partner's own, and it was not purged with all its resources
    /// (rule: auth/lever-scope, accounts/purging).
    pub(crate) fn owns(&self, partner: PartnerId, id: ClientId) -> bool {
        client(self, id).is_some_and(|client| client.partner == partner)
    }

    /// An order of a partner, under any of its clients.
    pub(crate) fn order_of_partner(&self, partner: PartnerId, id: OrderId) -> Result<Arc<Order>, Refusal> {
        let found = self.orders.get(id).filter(|order| self.owns(partner, order.client));
        match found.filter(|_| !self.is_purged(Purgeable::Order(id))) {
            Some(order) => Ok(Arc::clone(order)),
            None => Err(Refusal::one(Class::Unknown, "orderId", Fault::NotFound)),
        }
    }

    /// An account of a partner, under any of its clients.
    pub(crate) fn account_of_partner(&self, partner: PartnerId, id: AccountId) -> Result<Arc<Account>, Refusal> {
        match self.accounts.get(id) {
            Some(account) if self.owns(partner, account.client) => Ok(Arc::clone(account)),
            _ => Err(Refusal::one(Class::Unknown, "accountId", Fault::NotFound)),
        }
    }

    /// Whether partners were made to forget it.
    pub(crate) fn is_purged(&self, what: Purgeable) -> bool {
        self.purged.contains_key(&what)
    }

    /// An account of the scope's client.
    ///
    /// # Errors
    /// `Unknown`, also when it is another client's.
    pub fn account_in_scope(&self, scope: Scope, id: AccountId, field: &'static str) -> Result<&Arc<Account>, Refusal> {
        match self.accounts.get(id) {
            Some(account) if account.client == scope.client => Ok(account),
            _ => Err(Refusal::one(Class::Unknown, field, Fault::NotFound)),
        }
    }
}

/// Refuses what only an active account takes; `field` names the account.
pub(crate) fn must_be_active(account: &Account, field: &'static str) -> Result<(), Refusal> {
    if account.is_active() {
        return Ok(());
    }
    Err(Refusal::one(Class::AccountNotActive, field, Fault::NotActive { status: account.state.name() }))
}
