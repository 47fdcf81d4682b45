//! Every record of a kind, for those who look at a whole world rather than at a client's part of it.
//!
//! Invariant: in order of creation, also what was purged. Absent on purpose: filters.

use crate::records::{
    Account, AllocationPlan, CashTransaction, FundTransaction, Instruction, Journey, Order, Payment, SavingsPlan,
    Transfer,
};
use crate::world::World;
use std::sync::Arc;

/// All accounts.
pub fn every_account(world: &World) -> impl Iterator<Item = &Arc<Account>> {
    world.accounts.iter()
}

/// All orders.
pub fn every_order(world: &World) -> impl Iterator<Item = &Arc<Order>> {
    world.orders.iter()
}

/// All cash transactions.
pub fn every_cash_transaction(world: &World) -> impl Iterator<Item = &Arc<CashTransaction>> {
    world.cash.iter()
}

/// All fund transactions.
pub fn every_fund_transaction(world: &World) -> impl Iterator<Item = &Arc<FundTransaction>> {
    world.funds.iter()
}

/// All journeys.
pub fn every_journey(world: &World) -> impl Iterator<Item = &Arc<Journey>> {
    world.journeys.iter()
}

/// All transfers from custodians.
pub fn every_transfer(world: &World) -> impl Iterator<Item = &Arc<Transfer>> {
    world.transfers.iter()
}

/// All allocation plans.
pub fn every_allocation_plan(world: &World) -> impl Iterator<Item = &Arc<AllocationPlan>> {
    world.allocation_plans.iter()
}

/// All savings plans.
pub fn every_savings_plan(world: &World) -> impl Iterator<Item = &Arc<SavingsPlan>> {
    world.savings_plans.iter()
}

/// All instructions.
pub fn every_instruction(world: &World) -> impl Iterator<Item = &Arc<Instruction>> {
    world.instructions.iter()
}

/// All payments of instructions.
pub fn every_payment(world: &World) -> impl Iterator<Item = &Arc<Payment>> {
    world.payments.iter()
}
