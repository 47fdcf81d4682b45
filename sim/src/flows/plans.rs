//! Allocation plans and savings plans: stored by journeys, patched and deleted by partners
//! (rule: payments/allocation-plan-shape, payments/savings-plan-shape, payments/deleting-plans).
//!
//! Invariant: at most one plan of each kind an account (invariant 36), shares of exactly 100.00 (invariant 35). No event
//! tells a plan (rule: events/events-named). Absent on purpose: running them.

use crate::command::{Patch, Scope};
use crate::flows::journeys::allocation_problems;
use crate::flows::savings_runs;
use crate::identity::InstrumentId;
use crate::ids::{AccountId, AllocationPlanId, BankAccountId, SavingsPlanId};
use crate::money::Amount;
use crate::partial::Whole as _;
use crate::records::{Allocation, AllocationPlan, DepositType, MandateStatus, Periodicity, SavingsPlan, Stamp};
use crate::refusal::{Class, Fault, Problem, Refusal};
use crate::reply::Reply;
use crate::time::Date;
use crate::world::World;
use std::sync::Arc;

/// The allocation plan of an account.
#[must_use]
pub fn allocation_plan_of(world: &World, account: AccountId) -> Option<&Arc<AllocationPlan>> {
    world.allocation_plans.of_account(account, None).find(|plan| plan.deleted.is_none())
}

/// The savings plan of an account.
#[must_use]
pub fn savings_plan_of(world: &World, account: AccountId) -> Option<&Arc<SavingsPlan>> {
    world.savings_plans.of_account(account, None).find(|plan| plan.deleted.is_none())
}

/// Stores the allocation plan of an account; an existing one is replaced under its id.
pub(crate) fn store_allocation(
    world: &mut World,
    account: AccountId,
    bank_account: Option<BankAccountId>,
    deposit_type: DepositType,
    periodicity: Periodicity,
    instruments: Vec<Allocation>,
) {
    let now = world.now;
    if let Some(id) = allocation_plan_of(world, account).map(|plan| plan.id) {
        let plan = world.allocation_plans.change(id);
        (plan.bank_account, plan.deposit_type, plan.periodicity) = (bank_account, deposit_type, periodicity);
        plan.instruments = instruments;
        plan.stamp.touch(now);
        return;
    }
    let client = world.accounts.known(account).client;
    world.allocation_plans.insert_new(now, |id, sorted_id| AllocationPlan {
        id,
        sorted_id,
        client,
        account,
        bank_account,
        instruments,
        deposit_type,
        periodicity,
        last_run: None,
        deleted: None,
        stamp: Stamp::new(now),
    });
}

/// Stores the savings plan of an account; an existing one is replaced under its id.
pub(crate) fn store_savings(
    world: &mut World,
    account: AccountId,
    bank_account: BankAccountId,
    day: i8,
    instruments: Vec<(InstrumentId, Amount)>,
    start: Date,
) {
    let now = world.now;
    if let Some(id) = savings_plan_of(world, account).map(|plan| plan.id) {
        let plan = world.savings_plans.change(id);
        (plan.bank_account, plan.day, plan.start) = (bank_account, day, start);
        plan.instruments = instruments;
        plan.stamp.touch(now);
        savings_runs::schedule(world, id);
        return;
    }
    let client = world.accounts.known(account).client;
    // A month that has had its run has had it, also when its plan is gone.
    let ran = world.savings_plans.of_account(account, None).filter_map(|plan| plan.ran).max();
    let plan = world.savings_plans.insert_new(now, |id, sorted_id| SavingsPlan {
        id,
        sorted_id,
        client,
        account,
        bank_account,
        day,
        instruments,
        start,
        last_run: None,
        ran,
        timer: None,
        deleted: None,
        stamp: Stamp::new(now),
    });
    savings_runs::schedule(world, plan.id);
}

fn plan_in_scope(world: &World, scope: Scope, id: AllocationPlanId) -> Result<Arc<AllocationPlan>, Refusal> {
    world.client_in_scope(scope)?;
    match world.allocation_plans.get(id) {
        Some(plan) if plan.client == scope.client && plan.deleted.is_none() => Ok(Arc::clone(plan)),
        _ => Err(Refusal::one(Class::Unknown, "allocationPlanId", Fault::NotFound)),
    }
}

/// `PatchAllocationPlan` (rule: payments/allocation-plan-shape): an empty patch changes nothing.
pub(crate) fn patch(
    world: &mut World,
    scope: Scope,
    id: AllocationPlanId,
    bank_account: Patch<BankAccountId>,
    instruments: Patch<Vec<Allocation>>,
) -> Result<Reply, Refusal> {
    let client = world.client_in_scope(scope)?;
    let problems = match &instruments {
        Patch::Keep => Vec::new(),
        Patch::Clear => vec![Problem::new("instruments", Fault::Missing)],
        Patch::Set(shares) => allocation_problems(world, client, "instruments", &shares.partial()),
    };
    Refusal::unless_empty(Class::Malformed, problems)?;
    let plan = plan_in_scope(world, scope, id)?;
    if let Patch::Set(bank) = bank_account {
        check_mandate(world, plan.account, bank)?;
    }
    if bank_account.is_keep() && instruments.is_keep() {
        return Ok(Reply::AllocationPlan(plan));
    }
    // Nothing below can fail.
    let now = world.now;
    let changed = world.allocation_plans.change(id);
    match bank_account {
        Patch::Keep => {}
        Patch::Clear => (changed.bank_account, changed.deposit_type) = (None, DepositType::Manual),
        Patch::Set(bank) => (changed.bank_account, changed.deposit_type) = (Some(bank), DepositType::Autogiro),
    }
    if let Patch::Set(shares) = instruments {
        changed.instruments = shares;
    }
    changed.stamp.touch(now);
    Ok(Reply::AllocationPlan(Arc::clone(world.allocation_plans.known(id))))
}

fn check_mandate(world: &World, account: AccountId, bank: BankAccountId) -> Result<(), Refusal> {
    let known = world.accounts.known(account).bank_accounts.iter().find(|known| known.id == bank);
    let usable = known.is_some_and(|known| matches!(*known.mandate, MandateStatus::Active | MandateStatus::Pending));
    if usable {
        return Ok(());
    }
    let because = "a bank account of the owner with an active or pending mandate is expected";
    Err(Refusal::one(Class::BadTarget, "bankAccount", Fault::Invalid { because }))
}

/// `DeleteAllocationPlan`.
pub(crate) fn delete_allocation(world: &mut World, scope: Scope, id: AllocationPlanId) -> Result<Reply, Refusal> {
    plan_in_scope(world, scope, id)?;
    remove_allocation(world, id);
    Ok(Reply::AllocationPlan(Arc::clone(world.allocation_plans.known(id))))
}

/// `DeleteSavingsPlan`.
pub(crate) fn delete_savings(world: &mut World, scope: Scope, account: AccountId) -> Result<Reply, Refusal> {
    world.client_in_scope(scope)?;
    world.account_in_scope(scope, account, "accountId")?;
    let Some(id) = savings_plan_of(world, account).map(|plan| plan.id) else {
        return Err(Refusal::one(Class::Unknown, "savingsplan", Fault::NotFound));
    };
    remove_savings(world, id);
    Ok(Reply::SavingsPlan(Arc::clone(world.savings_plans.known(id))))
}

fn remove_allocation(world: &mut World, id: AllocationPlanId) {
    let now = world.now;
    let plan = world.allocation_plans.change(id);
    plan.deleted = Some(now);
    plan.stamp.touch(now);
}

fn remove_savings(world: &mut World, id: SavingsPlanId) {
    savings_runs::stop(world, id);
    let now = world.now;
    let plan = world.savings_plans.change(id);
    plan.deleted = Some(now);
    plan.stamp.touch(now);
}

/// Removes the plans of an account that is closed.
pub(crate) fn remove_all(world: &mut World, account: AccountId) {
    if let Some(id) = allocation_plan_of(world, account).map(|plan| plan.id) {
        remove_allocation(world, id);
    }
    if let Some(id) = savings_plan_of(world, account).map(|plan| plan.id) {
        remove_savings(world, id);
    }
}

/// Plans name `into` instead of `fund`, which has become it: shares and amounts are added where they name both
/// (rule: payments/merger).
pub(crate) fn follow_merger(world: &mut World, fund: InstrumentId, into: InstrumentId) {
    let now = world.now;
    for id in allocation_plans_with(world, fund) {
        let plan = world.allocation_plans.change(id);
        let shares = plan.instruments.iter().map(|share| (share.instrument, share.percent)).collect();
        let shares = joined(shares, fund, into).into_iter();
        plan.instruments = shares.map(|(instrument, percent)| Allocation { instrument, percent }).collect();
        plan.stamp.touch(now);
    }
    for id in savings_plans_with(world, fund) {
        let plan = world.savings_plans.change(id);
        plan.instruments = joined(std::mem::take(&mut plan.instruments), fund, into);
        plan.stamp.touch(now);
    }
}

/// `parts` with that of `fund` given to `into`.
fn joined<T: Copy + std::ops::AddAssign>(
    mut parts: Vec<(InstrumentId, T)>,
    fund: InstrumentId,
    into: InstrumentId,
) -> Vec<(InstrumentId, T)> {
    let known = parts.iter().position(|(instrument, _)| *instrument == into);
    let left = parts.iter().position(|(instrument, _)| *instrument == fund);
    match (left, known) {
        (Some(left), Some(known)) => {
            let part = parts[left].1;
            parts[known].1 += part;
            parts.remove(left);
        }
        (Some(left), None) => parts[left].0 = into,
        (None, _) => {}
    }
    parts
}

/// Plans lose a fund that is liquidated: savings plans its amount, and themselves with the last one; allocation plans, whose
/// shares would no longer make a whole, themselves (rule: payments/liquidation).
pub(crate) fn drop_fund(world: &mut World, fund: InstrumentId) {
    let now = world.now;
    for id in allocation_plans_with(world, fund) {
        remove_allocation(world, id);
    }
    for id in savings_plans_with(world, fund) {
        let plan = world.savings_plans.change(id);
        plan.instruments.retain(|(instrument, _)| *instrument != fund);
        if plan.instruments.is_empty() {
            remove_savings(world, id);
        } else {
            plan.stamp.touch(now);
        }
    }
}

fn allocation_plans_with(world: &World, fund: InstrumentId) -> Vec<AllocationPlanId> {
    let names = |plan: &&Arc<AllocationPlan>| plan.instruments.iter().any(|share| share.instrument == fund);
    world.allocation_plans.iter().filter(|plan| plan.deleted.is_none()).filter(names).map(|plan| plan.id).collect()
}

fn savings_plans_with(world: &World, fund: InstrumentId) -> Vec<SavingsPlanId> {
    let names = |plan: &&Arc<SavingsPlan>| plan.instruments.iter().any(|(instrument, _)| *instrument == fund);
    world.savings_plans.iter().filter(|plan| plan.deleted.is_none()).filter(names).map(|plan| plan.id).collect()
}
