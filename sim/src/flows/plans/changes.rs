//! Allocation plans and savings plans: stored by journeys, patched and deleted by partners
//! (rule: plans/allocation-plan-shape, plans/savings-plan-shape, plans/deleting-plans).
//!
//! Invariant: at most one plan of each kind an account (invariant 36), shares of exactly 100.00 (invariant 35). No event
//! is about a plan (rule: events/events-named). Absent on purpose: running them.

use super::savings_runs;
use crate::command::{Patch, Scope};
use crate::flows::plans::checks::allocation_problems;
use crate::flows::plans::funds::{amounts_left, shares_left};
use crate::identity::InstrumentId;
use crate::ids::{AccountId, AllocationPlanId, BankAccountId, SavingsPlanId};
use crate::money::Amount;
use crate::partial::Whole as _;
use crate::records::{
    Account, Allocation, AllocationPlan, DepositType, MandateStatus, Periodicity, SavingsPlan, Stamp,
};
use crate::refusal::{Class, Fault, Problem, Refusal};
use crate::reply::Reply;
use crate::time::Date;
use crate::world::World;
use std::collections::BTreeSet;
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

/// Stores the allocation plan of an account, as funds that have ended leave it; an existing one is replaced under its id,
/// and goes where nothing is left.
pub(crate) fn store_allocation(
    world: &mut World,
    account: AccountId,
    bank_account: Option<BankAccountId>,
    deposit_type: DepositType,
    periodicity: Periodicity,
    instruments: &[Allocation],
) -> Option<Arc<AllocationPlan>> {
    let now = world.now;
    let known = allocation_plan_of(world, account).map(|plan| plan.id);
    let Some(instruments) = shares_left(world, instruments) else {
        known.into_iter().for_each(|id| remove_allocation(world, id));
        return None;
    };
    if let Some(id) = known {
        let plan = world.allocation_plans.change(id);
        (plan.bank_account, plan.deposit_type, plan.periodicity) = (bank_account, deposit_type, periodicity);
        plan.instruments = instruments;
        plan.stamp.touch(now);
        return Some(Arc::clone(world.allocation_plans.known(id)));
    }
    let &Account { id: account, client, .. } = &**world.accounts.known(account);
    let plan = world.allocation_plans.insert_new(now, |id, sorted_id| AllocationPlan {
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
    Some(plan)
}

/// Stores the savings plan of an account, as funds that have ended leave it; an existing one is replaced under its id, and
/// goes where nothing is left.
pub(crate) fn store_savings(
    world: &mut World,
    account: AccountId,
    bank_account: BankAccountId,
    day: i8,
    instruments: &[(InstrumentId, Amount)],
    start: Date,
) -> Option<Arc<SavingsPlan>> {
    let now = world.now;
    let known = savings_plan_of(world, account).map(|plan| plan.id);
    let instruments: Arc<[_]> = amounts_left(world, instruments).into();
    if instruments.is_empty() {
        known.into_iter().for_each(|id| remove_savings(world, id));
        return None;
    }
    if let Some(id) = known {
        let plan = world.savings_plans.change(id);
        (plan.bank_account, plan.day, plan.start) = (bank_account, day, start);
        plan.instruments = instruments;
        plan.stamp.touch(now);
        savings_runs::schedule(world, id);
        return Some(Arc::clone(world.savings_plans.known(id)));
    }
    let &Account { id: account, client, .. } = &**world.accounts.known(account);
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
    Some(Arc::clone(world.savings_plans.known(plan.id)))
}

fn plan_in_scope(world: &World, scope: Scope, id: AllocationPlanId) -> Result<Arc<AllocationPlan>, Refusal> {
    world.client_in_scope(scope)?;
    match world.allocation_plans.get(id) {
        Some(plan) if plan.client == scope.client && plan.deleted.is_none() => Ok(Arc::clone(plan)),
        _ => Err(Refusal::one(Class::Unknown, "allocationPlanId", Fault::NotFound)),
    }
}

/// `PatchAllocationPlan` (rule: plans/allocation-plan-shape): an empty patch changes nothing.
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

/// A fund has ended: plans name its successor, shares and amounts added where they name both, or lose it. A savings plan
/// goes with its last fund, an allocation plan with the first, as its shares would not make a whole
/// (rule: securities/merger, securities/liquidation). These are the plans of one account.
pub(crate) fn follow_of(world: &mut World, account: AccountId, fund: InstrumentId) {
    if let Some(id) = allocation_plan_of(world, account).map(|plan| plan.id) {
        follow_allocation(world, id, fund);
    }
    if let Some(id) = savings_plan_of(world, account).map(|plan| plan.id) {
        follow_savings(world, id, fund);
    }
}

/// As `follow_of`, of one allocation plan; one that does not name the fund stays as it is.
fn follow_allocation(world: &mut World, id: AllocationPlanId, fund: InstrumentId) {
    let (now, plan) = (world.now, world.allocation_plans.known(id));
    if !shares_in(plan, fund) {
        return;
    }
    match shares_left(world, &plan.instruments) {
        Some(shares) => {
            let plan = world.allocation_plans.change(id);
            plan.instruments = shares;
            plan.stamp.touch(now);
        }
        None => remove_allocation(world, id),
    }
}

/// As `follow_of`, of one savings plan; one that does not name the fund stays as it is.
fn follow_savings(world: &mut World, id: SavingsPlanId, fund: InstrumentId) {
    let (now, plan) = (world.now, world.savings_plans.known(id));
    if !saves_in(plan, fund) {
        return;
    }
    let amounts = amounts_left(world, &plan.instruments);
    if amounts.is_empty() {
        remove_savings(world, id);
    } else {
        let plan = world.savings_plans.change(id);
        plan.instruments = amounts.into();
        plan.stamp.touch(now);
    }
}

/// The accounts with plans that name the fund.
pub(crate) fn accounts_that_plan(world: &World, fund: InstrumentId) -> BTreeSet<AccountId> {
    let allocated = world.allocation_plans.iter().filter(|plan| shares_in(plan, fund)).map(|plan| plan.account);
    let saved = world.savings_plans.iter().filter(|plan| saves_in(plan, fund)).map(|plan| plan.account);
    allocated.chain(saved).collect()
}

fn shares_in(plan: &AllocationPlan, fund: InstrumentId) -> bool {
    plan.deleted.is_none() && plan.instruments.iter().any(|share| share.instrument == fund)
}

fn saves_in(plan: &SavingsPlan, fund: InstrumentId) -> bool {
    plan.deleted.is_none() && plan.instruments.iter().any(|(instrument, _)| *instrument == fund)
}
