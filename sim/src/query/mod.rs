//! Reading a world: listings, filters and values derived from something that changes without the record changing.
//!
//! Invariant: nothing here changes anything, and the same world gives the same answer. Absent on purpose: spelling on
//! the wire, except the public names of states, which refusals quote.

mod accounts;
mod instruments;
mod journeys;
mod lists;
mod standing;

pub use accounts::{PositionView, account, accounts, positions, registered_person, value};
pub use instruments::{InstrumentView, instrument, instruments, price_of_day, prices, rate, rate_of_day};
pub use journeys::{
    Choice, FieldKind, FieldView, StepState, StepView, journey, journey_by_link, journey_current, journey_problems,
    journey_step_with, journey_steps, journeys,
};
pub use lists::{
    OrderFilter, TransactionFilter, cash_transaction, cash_transactions, fund_transaction, fund_transactions, order,
    order_problems, orders,
};
pub use standing::{
    AgreementFacts, KycView, agreement, agreement_types, allocation_plan, allocation_plan_of, allocation_plans,
    bank_file, has_withdrawal_grant, kyc_status, savings_plan_of, standing, submission, transfer, transfers,
};

pub use crate::flows::journeys::is_dangerous_scheme;

use crate::command::{PartialClient, PartialClientPatch, Purgeable, Scope};
use crate::flows::clients;
use crate::ids::{AccountId, ClientId, OrderId, PartnerId};
use crate::machines::order::State;
use crate::records::{Account, AccountStatus, Client, Order, Partner};
use crate::refusal::{Class, Fault, Problem, Refusal};
use crate::settings::Settings;
use crate::setup::Custodian;
use crate::world::{Aggregate, World};
use std::sync::Arc;

/// The public word for an order's state (rule: orders/order-states).
#[must_use]
pub const fn order_status(state: State) -> &'static str {
    match state {
        State::Received => "received",
        State::HoldUnbooked | State::HoldBooked => "hold",
        State::Pending | State::Aggregated => "pending",
        State::Sent | State::Confirmed => "sent",
        State::Settled => "settled",
        State::CanceledUnbooked | State::CanceledBooked => "canceled",
    }
}

/// The word that a world with these settings shows for an order's state (rule: orders/confirmed-is-inside-sent).
#[must_use]
pub const fn shown_order_status(settings: &Settings, state: State) -> &'static str {
    match state {
        State::Confirmed if settings.expose_confirmed => "confirmed",
        other => order_status(other),
    }
}

/// The public word for an account's status.
#[must_use]
pub const fn account_status(status: AccountStatus) -> &'static str {
    match status {
        AccountStatus::Pending => "pending",
        AccountStatus::Active => "active",
        AccountStatus::Rejected => "rejected",
        AccountStatus::Confirm => "confirm",
        AccountStatus::Closing => "closing",
    }
}

/// All partners in setup order.
pub fn partners(world: &World) -> impl Iterator<Item = &Partner> {
    world.partners.values()
}

/// One client.
#[must_use]
pub fn client(world: &World, client: ClientId) -> Option<&Arc<Client>> {
    world.clients.get(&client).filter(|client| !world.is_purged(Purgeable::Client(client.id)))
}

/// Everything that is known to be wrong with a new client of `partner`.
#[must_use]
pub fn client_problems(world: &World, partner: PartnerId, create: &PartialClient) -> Vec<Problem> {
    let first = clients::first_of(world, partner);
    first.map_or_else(|refusal| refusal.problems, |first| clients::problems(world, first, create))
}

/// Everything that is known to be wrong with a patch of the scope's client.
#[must_use]
pub fn client_patch_problems(world: &World, scope: Scope, patch: &PartialClientPatch) -> Vec<Problem> {
    let client = world.client_in_scope(scope);
    client.map_or_else(|refusal| refusal.problems, |client| clients::patch_problems(client, patch))
}

/// The clients of a partner in order of creation.
pub fn clients_of(world: &World, partner: PartnerId) -> impl Iterator<Item = &Arc<Client>> {
    clients(world).filter(move |client| client.partner == partner)
}

/// All clients in order of creation.
pub fn clients(world: &World) -> impl Iterator<Item = &Arc<Client>> {
    world.clients.values().filter(|client| !world.is_purged(Purgeable::Client(client.id)))
}

/// Custodians that transfers can come from.
#[must_use]
pub fn custodians(world: &World) -> &[Custodian] {
    &world.setup().custodians
}

/// The aggregated order that took an order, if one has.
#[must_use]
pub fn aggregate(world: &World, order: OrderId) -> Option<&Aggregate> {
    world.aggregates.get(&world.orders.get(order)?.aggregate?)
}

impl World {
    /// The client of a scope, if it is the partner's own.
    ///
    /// # Errors
    /// `OutOfScope` when it is unknown or somebody else's: the two are not told apart.
    pub fn client_in_scope(&self, scope: Scope) -> Result<&Arc<Client>, Refusal> {
        match client(self, scope.client) {
            Some(client) if client.partner == scope.partner => Ok(client),
            _ => Err(Refusal::one(Class::OutOfScope, "clientId", Fault::NotYours)),
        }
    }

    /// An order of a partner, whichever client it stands under.
    pub(crate) fn order_of_partner(&self, partner: PartnerId, id: OrderId) -> Result<Arc<Order>, Refusal> {
        let found = self.orders.get(id).filter(|order| self.clients[&order.client].partner == partner);
        match found.filter(|_| !self.is_purged(Purgeable::Order(id))) {
            Some(order) => Ok(Arc::clone(order)),
            None => Err(Refusal::one(Class::Unknown, "orderId", Fault::NotFound)),
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
