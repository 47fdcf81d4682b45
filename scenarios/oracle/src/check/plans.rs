//! Law 36 on what plans show of their last run: its day, how much of it was done, and why not all of it.
//!
//! Invariant: held against the model after every step in which a plan runs, in answers that show a plan, and over all of
//! them in sweeps. Absent on purpose: what plans buy, which is `money_in`.

use super::{Claim, Fact, Judge, Law};
use crate::model::calendar;
use crate::model::money_files::{PlanId, Run};
use crate::model::words::or_none;
use sim::World;
use sim::ids::AccountId;
use sim::query;
use sim::records::{PlanRun, PlanRunStatus, Stamp};
use sim::time::{Date, Instant};
use std::fmt::Display;

impl Judge {
    /// After a step: the plans that have run in it.
    pub(super) fn plan_runs_stand(&mut self, world: &World) {
        for account in self.model.plans_ran() {
            self.plans_of(world, account);
        }
    }

    /// All plans, for sweeps.
    pub(super) fn sweep_plans(&mut self, world: &World) {
        let accounts: Vec<AccountId> = self.model.accounts.keys().copied().collect();
        accounts.into_iter().for_each(|account| self.plans_of(world, account));
    }

    fn plans_of(&mut self, world: &World, account: AccountId) {
        let now = world.now();
        if let Some(plan) = query::savings_plan_of(world, account) {
            let read = (account, format!("/account/{account}/savingsplan"));
            self.check_run(now, PlanId::Savings(plan.id), plan.last_run.as_ref(), plan.stamp, Some(read));
        }
        if let Some(plan) = query::allocation_plan_of(world, account) {
            let read = (account, format!("/allocationplan/account/{account}"));
            self.check_run(now, PlanId::Allocation(plan.id), plan.last_run.as_ref(), plan.stamp, Some(read));
        }
    }

    /// A plan shows its last run, and was changed by it; `read` is where it can be read, if anywhere.
    pub(super) fn check_run(
        &mut self,
        now: Instant,
        plan: PlanId,
        got: Option<&PlanRun>,
        stamp: Stamp,
        read: Option<(AccountId, String)>,
    ) {
        let due = self.model.money_in.runs.get(&plan).cloned();
        let same = match (got, &due) {
            (None, None) => true,
            (Some(got), Some(due)) => {
                let reasons = got.reasons.iter().map(|reason| &**reason);
                (calendar::day_of(got.date), got.status) == (due.day, due.status)
                    && reasons.eq(due.reasons.iter().map(String::as_str))
            }
            _ => false,
        };
        if !same {
            let what = || {
                let got = got.map(|run| run_of(run.date, run.status, &run.reasons));
                let due = due.as_ref().map(|run| run_of(calendar::date_of(run.day), run.status, &run.reasons));
                format!("{plan} shows as its last run: {}, expected: {}", or_none(got), or_none(due))
            };
            let claim = read.map(|(account, path)| Claim::Read(account, path, fields(due.as_ref())));
            return self.fail(Law::OnePlan, now, what, claim);
        }
        let is_part = due.as_ref().is_some_and(|run| run.status != PlanRunStatus::Done);
        self.met.note_if(Law::OnePlan, is_part);
        let changed = due.is_none_or(|run| stamp.modified >= run.at);
        self.ensure(changed, Law::ModifiedDate, now, || {
            format!("{plan} was last changed at {}, before its run", stamp.modified)
        });
    }
}

/// What a reader should see of a plan.
fn fields(run: Option<&Run>) -> Vec<(&'static str, Fact)> {
    let Some(run) = run else { return vec![("lastRun", Fact::Null)] };
    let status = match run.status {
        PlanRunStatus::Done => "done",
        PlanRunStatus::Partly => "partly",
        PlanRunStatus::Skipped => "skipped",
    };
    vec![
        ("lastRun.date", Fact::Text(calendar::date_of(run.day).to_string())),
        ("lastRun.status", Fact::Text(status.to_owned())),
        ("lastRun.reasons", Fact::Texts(run.reasons.clone())),
    ]
}

/// A run of a plan in words.
fn run_of(day: Date, status: PlanRunStatus, reasons: &[impl Display]) -> String {
    let reasons: String = reasons.iter().map(|reason| format!("; {reason}")).collect();
    format!("{} on {day}{reasons}", status.name())
}
