//! Allocation plans at work: every deposit is distributed over the funds of its account's plan
//! (rule: plans/allocation-run).
//!
//! Invariant: the parts of a deposit add up to it, to the ore (invariant 35). Absent on purpose: which deposits count,
//! which their flows know.

use super::orders;
use crate::flows::plans::changes::allocation_plan_of;
use crate::ids::AccountId;
use crate::money::{Amount, split_by_percent};
use crate::world::World;

/// A deposit was booked on the account: its allocation plan runs, where it has one.
pub(crate) fn deposited(world: &mut World, account: AccountId, amount: Amount) {
    let Some(plan) = allocation_plan_of(world, account) else { return };
    let id = plan.id;
    let percents: Vec<_> = plan.instruments.iter().map(|share| share.percent.get()).collect();
    let amounts = split_by_percent(amount, &percents);
    let parts: Vec<_> = plan.instruments.iter().map(|share| share.instrument).zip(amounts).collect();
    let run = orders::place(world, account, &parts);
    let now = world.now;
    let plan = world.allocation_plans.change(id);
    plan.last_run = Some(run);
    plan.stamp.touch(now);
}
