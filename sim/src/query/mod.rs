//! Reading a world: listings, filters and values derived from something that changes without the record changing.
//!
//! Invariant: nothing here changes anything, and the same world gives the same answer. Absent on purpose: spelling on
//! the wire, except the public names of states, which refusals quote.

mod accounts;
mod books;
mod everything;
mod explanation;
mod fees;
mod history;
mod instruments;
mod journeys;
mod lists;
mod mobile_payments;
mod named;
mod newest;
mod performance;
mod standing;
mod timers;

pub use accounts::{PositionView, account, accounts, positions};
pub use books::{Books, LedgerEntry, books};
pub use everything::{
    every_account, every_allocation_plan, every_cash_transaction, every_fund_transaction, every_instruction,
    every_journey, every_order, every_payment, every_savings_plan, every_transfer,
};
pub use explanation::{Explanation, Fact, Reason, explanations, settlement_day};
pub use fees::{FeesView, fee_pots, fees, fees_of, sale};
pub use history::{History, HistoryDay, history};
pub use instruments::{InstrumentView, instrument, instruments, price_of_day, prices, rate, rate_of_day, year_return};
pub use journeys::{
    StepState, StepView, journey, journey_bank_account, journey_by_link, journey_company, journey_current,
    journey_problems, journey_step_with, journey_steps, journeys,
};
pub use lists::{OrderFilter, TransactionFilter, cash_transactions, fund_transactions, orders};
pub use mobile_payments::{mobile_payment, mobile_payment_by_id, mobile_payment_by_token, mobile_payments};
pub use named::{Named, named, transactions_of};
pub use newest::{
    newest_allocation_plans, newest_cash_transactions, newest_fund_transactions, newest_journeys,
    newest_mobile_payments, newest_orders, newest_payments, newest_transfers,
};
pub use performance::{Entry, Range, account_performance, owner_performance};
pub use standing::{
    AgreementFacts, KycView, agreement, agreement_types, allocation_plan, allocation_plans, bank_file, company,
    kyc_status, standing, submission, transfer, transfers,
};

pub use timers::{About, Concerned, Dealings, about, concerned};

pub use crate::flows::accounts::open::registered_person;
pub use crate::flows::bank::payouts::has_withdrawal_grant;
pub use crate::flows::bank::withdrawal_limits::{WithdrawalLimits, shown as withdrawal_limits};
pub use crate::flows::journeys::{Choice, FieldKind, FieldView, is_redirect};
pub use crate::flows::orders::problems as order_problems;
pub use crate::flows::payments::bankgiro::PLATFORM_NUMBER;
pub use crate::flows::payments::instructions::{
    MAX_PAYMENTS, of_client as instruction, payments_of, problems as instruction_problems,
};
pub use crate::flows::payments::mobile::problems as mobile_payment_problems;
pub use crate::flows::payments::withdrawals::problems as withdrawal_problems;
pub use crate::flows::plans::changes::{allocation_plan_of, savings_plan_of};
pub use crate::scope::{cash_transaction, client, fund_transaction, order};
pub use crate::valuation::value;

use crate::command::{PartialClient, PartialClientPatch, PlaceOrder, Purgeable, Scope, Withdraw};
use crate::flows::{clients, orders as order_flow, payments};
use crate::ids::{ClientId, OrderId, PartnerId};
use crate::records::{AccountStatus, Client, Partner, SuspenseItem};
use crate::refusal::{Problem, Refusal};
use crate::setup::Custodian;
use crate::world::{Aggregate, World};
use std::sync::Arc;

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

/// Money that no account could take, in the order in which it came.
pub fn suspense(world: &World) -> impl ExactSizeIterator<Item = &Arc<SuspenseItem>> {
    world.suspense.iter()
}

/// All partners in setup order.
pub fn partners(world: &World) -> impl Iterator<Item = &Partner> {
    world.partners.values()
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

/// Why this order would be refused if it came now; none when it would be taken.
#[must_use]
pub fn order_refusal(world: &World, order: &PlaceOrder) -> Option<Refusal> {
    order_flow::check(world, order).err()
}

/// Why this withdrawal would be refused if it came now; none when it would be taken.
#[must_use]
pub fn withdrawal_refusal(world: &World, withdrawal: &Withdraw) -> Option<Refusal> {
    payments::withdrawals::check(world, withdrawal).err()
}

/// Whether a payment of `client` ever had this `clientRef` (rule: payments/payment-client-ref).
#[must_use]
pub fn has_payment_ref(world: &World, client: ClientId, client_ref: &str) -> bool {
    world.payment_refs.contains_key(&(client, Arc::from(client_ref)))
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
    world.aggregates.get(world.orders.get(order)?.aggregate?).map(AsRef::as_ref)
}
