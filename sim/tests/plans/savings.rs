//! Savings plans at work.

use crate::common::{Bench, DAILY, amount, id};
use crate::journeys::START;
use crate::payments::{ALWAYS_POOR, HAPPY};
use sim::command::SetTrading;
use sim::records::{CashBooking, MandateStatus, PlacedBy, PlanRunStatus};
use sim::store::Window;
use sim::{Command, query};

/// (rule: plans/savings-run, plans/plan-orders, plans/last-run)
#[test]
fn a_plan_runs_once_a_month_is_charged_the_day_after_and_buys_its_funds() {
    let mut bench = Bench::new(1, START);
    let account = bench.payer(HAPPY, MandateStatus::Active);
    let plan = bench.saves(&account, "1");
    assert_eq!(plan.last_run, None);
    // Days of the runs and of the charges: the first of May is no bank day.
    for (run, charged) in [("2026-04-01", "2026-04-02"), ("2026-05-04", "2026-05-05"), ("2026-06-01", "2026-06-02")] {
        let before = deposits(&bench, &account);
        bench.to(&format!("{charged}T09:59:59.999+02:00"));
        assert_eq!(deposits(&bench, &account), before);
        bench.to(&format!("{charged}T10:00:00+02:00"));
        let paid = bench.cash_of(&account);
        let deposit = paid.last().expect("the charge was paid");
        assert_eq!((deposit.booking, deposit.amount), (CashBooking::Instructed, amount("500")));
        assert_eq!((deposit.client_ref.as_deref(), deposit.text.as_deref()), (None, None));
        let now = bench.plan(&account);
        let last = now.last_run.as_ref().expect("it has run");
        assert_eq!((last.date.to_string().as_str(), last.status), (run, PlanRunStatus::Done));
        assert_eq!(now.stamp.modified, bench.world.now());
        let orders = query::orders(&bench.world, bench.scope.client, &Window::default(), &Default::default());
        let order = orders.last().expect("it has bought");
        assert_eq!((order.instrument, order.amount, order.placed_by), (id(DAILY), Some(amount("500")), PlacedBy::Plan));
        assert_eq!((order.client_ref.as_deref(), order.executor), (None, None));
        bench.to(&format!("{charged}T20:00:00+02:00"));
    }
}

/// (rule: plans/savings-run)
#[test]
fn a_month_runs_once_whatever_becomes_of_day_and_plan() {
    let mut bench = Bench::new(1, START);
    let account = bench.payer(HAPPY, MandateStatus::Active);
    bench.saves(&account, "5");
    bench.to("2026-03-06T12:00:00+01:00");
    assert_eq!(deposits(&bench, &account), 1);
    bench.saves(&account, "20");
    let changed = bench.plan(&account);
    assert!(changed.last_run.is_some(), "it is the same plan");
    bench.to("2026-03-25T12:00:00+01:00");
    assert_eq!(deposits(&bench, &account), 1, "March has had its run");
    bench.does(Command::DeleteSavingsPlan { scope: bench.scope, account: account.id }).expect("deleted");
    bench.saves(&account, "27");
    bench.to("2026-04-19T12:00:00+02:00");
    assert_eq!(deposits(&bench, &account), 1, "nor does another plan run it again");
    bench.to("2026-04-29T12:00:00+02:00");
    assert_eq!(deposits(&bench, &account), 2);
}

fn deposits(bench: &Bench, account: &sim::records::Account) -> usize {
    bench.cash_of(account).iter().filter(|cash| cash.booking == CashBooking::Instructed).count()
}

/// (rule: plans/savings-run-amounts)
#[test]
fn the_amounts_of_six_in_the_morning_are_bought_and_a_closed_account_waits() {
    let mut bench = Bench::new(1, START);
    let account = bench.payer(HAPPY, MandateStatus::Active);
    bench.saves(&account, "5");
    bench.to("2026-03-05T06:00:00+01:00");
    let close = Command::CloseAccount { scope: bench.scope, account: account.id };
    assert!(bench.does(close.clone()).expect_err("a charge is under way").to_string().contains("awaits payments"));
    bench.does(Command::DeleteSavingsPlan { scope: bench.scope, account: account.id }).expect("deleted");
    bench.to("2026-03-06T12:00:00+01:00");
    let orders = query::orders(&bench.world, bench.scope.client, &Window::default(), &Default::default());
    assert_eq!(orders.iter().map(|order| order.amount).collect::<Vec<_>>(), [Some(amount("500"))]);
    assert!(bench.does(close).is_ok());
}

/// (rule: plans/savings-run-amounts, plans/last-run)
#[test]
fn where_nothing_can_be_bought_or_charged_the_month_is_skipped() {
    let trading =
        |open| SetTrading { instrument: id(DAILY), is_buyable: Some(open), is_sellable: None, is_tradable: None };
    let mut bench = Bench::new(1, START);
    let account = bench.payer(HAPPY, MandateStatus::Active);
    bench.saves(&account, "5");
    bench.does(Command::SetTrading(trading(false))).expect("closed");
    bench.to("2026-03-05T06:00:00+01:00");
    let last = bench.plan(&account).last_run.clone().expect("it was looked at");
    assert_eq!((last.status, last.reasons.len()), (PlanRunStatus::Skipped, 1));
    assert_eq!(&*last.reasons[0], "SE0SBX000016SEK: instrument is closed for subscriptions");
    bench.does(Command::SetTrading(trading(true))).expect("open");
    bench.to("2026-03-30T12:00:00+02:00");
    assert!(bench.cash_of(&account).is_empty(), "nothing is charged, and the month is not made up for");

    // Bought at six, closed when the money comes: it stays as cash.
    bench.to("2026-04-07T06:00:00+02:00");
    bench.does(Command::SetTrading(trading(false))).expect("closed");
    bench.to("2026-04-08T12:00:00+02:00");
    assert_eq!(bench.again(&account).balance, amount("500"));
    assert_eq!(bench.plan(&account).last_run.as_ref().map(|run| run.status), Some(PlanRunStatus::Skipped));

    let poor = bench.payer(ALWAYS_POOR, MandateStatus::Active);
    bench.does(Command::SetTrading(trading(true))).expect("open");
    bench.saves(&poor, "20");
    bench.to("2026-04-24T12:00:00+02:00");
    let last = bench.plan(&poor).last_run.clone().expect("it has failed");
    assert_eq!((last.status, last.date.to_string().as_str()), (PlanRunStatus::Skipped, "2026-04-20"));
    assert_eq!(&*last.reasons[0], "the charge failed with 1: not enough money");
    assert!(bench.cash_of(&poor).is_empty());
}
