//! Savings plans at work: once a month the plan's sum is charged, and its funds are bought with it
//! (rule: plans/savings-run, plans/savings-run-amounts).
//!
//! Invariant: a plan has one timer, and a month has one run, whatever becomes of day and plan (invariant 36). Absent on
//! purpose: the charge, which is `payments::charges`.

use super::{funds, orders};
use crate::calendar::bank_day_on_or_after;
use crate::canary::Canary;
use crate::flows::bank;
use crate::ids::{AccountId, SavingsPlanId};
use crate::money::Amount;
use crate::records::{PaymentReason, PlanRun, PlanRunStatus, SavingsPart};
use crate::time::{Date, Instant, stockholm};
use crate::timers::Timer;
use crate::world::World;
use std::sync::Arc;

/// Local hour at which savings plans run.
const RUN_HOUR: i8 = 6;

/// The month, by its first day, and the instant of the first run after `now`.
fn next_run(now: Instant, day: i8, start: Date, ran: Option<Date>) -> Option<(Date, Instant)> {
    // What is due at the end of the month before may have moved into this one.
    let mut month = now.local_date().first_of_month().yesterday().ok()?.first_of_month();
    loop {
        let due = bank_day_on_or_after(month.with().day(day).build().ok()?);
        let at = stockholm(due, RUN_HOUR, 0);
        if ran.is_none_or(|ran| month > ran) && due >= start && at > now {
            return Some((month, at));
        }
        month = month.last_of_month().tomorrow().ok()?;
    }
}

/// Sets the timer of the next run anew.
pub(crate) fn schedule(world: &mut World, id: SavingsPlanId) {
    stop(world, id);
    let plan = world.savings_plans.known(id);
    if let Some((month, at)) = next_run(world.now, plan.day, plan.start, plan.ran) {
        world.savings_plans.change(id).timer = Some(world.timers.set(at, Timer::RunSavings(id, month)));
    }
}

/// The plan will not run any more.
pub(crate) fn stop(world: &mut World, id: SavingsPlanId) {
    if let Some(key) = world.savings_plans.change(id).timer.take() {
        world.timers.cancel(key);
    }
}

/// Timer: the plan's day has come. An account that is not active is passed over.
pub(crate) fn run(world: &mut World, id: SavingsPlanId, month: Date) {
    let plan = Arc::clone(world.savings_plans.known(id));
    if world.accounts.known(plan.account).is_active() {
        world.savings_plans.change(id).ran = Some(month);
        let refusals: Vec<Arc<str>> = plan
            .instruments
            .iter()
            .filter_map(|&(instrument, amount)| orders::refused(world, plan.account, instrument, amount))
            .collect();
        let day = world.now.local_date();
        if refusals.len() == plan.instruments.len() {
            note(world, id, PlanRun { date: day, status: PlanRunStatus::Skipped, reasons: refusals });
        } else {
            let sum = plan.instruments.iter().map(|&(_, amount)| amount).sum::<Amount>();
            let part = SavingsPart { plan: id, day, instruments: Arc::clone(&plan.instruments) };
            bank::payment_moves::charge_savings(world, plan.account, sum, part);
        }
    }
    schedule(world, id);
    if world.planted.is(Canary::SavedTwiceAMonth) && plan.ran != Some(month) {
        let at = stockholm(bank_day_on_or_after(world.now.local_date().tomorrow().expect("a day")), RUN_HOUR, 0);
        world.timers.set(at, Timer::RunSavings(id, month));
    }
}

/// The charge was paid: its funds are bought, or what they have become; what cannot be stays as cash.
pub(crate) fn buy(world: &mut World, account: AccountId, part: &SavingsPart) {
    let parts = funds::followed(world, &part.instruments);
    let run = orders::place(world, account, &parts);
    note(world, part.plan, PlanRun { date: part.day, ..run });
}

/// The charge failed: nothing is bought, and the next month is next.
pub(crate) fn skip(world: &mut World, part: &SavingsPart, reason: PaymentReason) {
    let reasons = vec![Arc::from(format!("the charge failed with {}: {}", reason.code(), reason.about()))];
    note(world, part.plan, PlanRun { date: part.day, status: PlanRunStatus::Skipped, reasons });
}

/// Sets the outcome of a run in its plan, if the plan still exists.
fn note(world: &mut World, id: SavingsPlanId, run: PlanRun) {
    let now = world.now;
    let plan = world.savings_plans.change(id);
    if plan.deleted.is_none() {
        plan.last_run = Some(run);
        plan.stamp.touch(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::parse_date;

    /// (rule: plans/savings-run)
    #[test]
    fn a_run_moves_to_the_next_bank_day_and_stays_its_own_months() {
        let day = |text| parse_date(text).expect("a day");
        let rows = [
            ("2026-04-15T10:00:00+02:00", 1, None, "2026-05-01", "2026-05-04T06:00:00+02:00"),
            ("2026-05-10T10:00:00+02:00", 6, None, "2026-06-01", "2026-06-08T06:00:00+02:00"),
            ("2026-12-01T10:00:00+01:00", 25, None, "2026-12-01", "2026-12-28T06:00:00+01:00"),
            ("2026-02-10T10:00:00+01:00", 28, None, "2026-02-01", "2026-03-02T06:00:00+01:00"),
            // February's run is still to come on the first of March, unless it was made under another day.
            ("2026-03-01T10:00:00+01:00", 28, None, "2026-02-01", "2026-03-02T06:00:00+01:00"),
            ("2026-03-01T10:00:00+01:00", 28, Some("2026-02-01"), "2026-03-01", "2026-03-30T06:00:00+02:00"),
            // The instant itself is late.
            ("2026-03-02T06:00:00+01:00", 28, None, "2026-03-01", "2026-03-30T06:00:00+02:00"),
            ("2026-03-10T10:00:00+01:00", 20, Some("2026-03-01"), "2026-04-01", "2026-04-20T06:00:00+02:00"),
        ];
        for (now, on, ran, month, at) in rows {
            let instant = |text| Instant::parse(text).expect("an instant");
            let found = next_run(instant(now), on, day("2026-01-01"), ran.map(day));
            assert_eq!(found, Some((day(month), instant(at))), "day {on} seen at {now}, ran {ran:?}");
        }
        let first =
            next_run(Instant::parse("2026-02-10T10:00:00+01:00").expect("an instant"), 28, day("2026-03-02"), None);
        assert_eq!(first.map(|run| run.0), Some(day("2026-02-01")), "the start is compared to the moved day");
    }
}
