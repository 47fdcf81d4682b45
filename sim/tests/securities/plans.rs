//! What corporate actions do to plans, universes and transfers.

use super::{START, liquidation, merger, split};
use crate::common::{Bench, DAILY, GLOBAL, T_PLUS_ONE, WEEKLY, amount, id, setup, units};
use crate::journeys::{ANNA, about, answers, moving, opening_by, transfer_of};
use crate::plans::changes::{share, with_both_plans};
use sim::command::{OpenBankAccount, Patch, SignOutcome};
use sim::query::{self, TransactionFilter};
use sim::records::{
    Account, AccountType, Allocation, AllocationPlanConfiguration, Answers, Configuration, CorporateAct, JourneyStep,
    JourneyType, MandateStatus, Output, Periodicity, SavingsPlanConfiguration, TransferAccount, TransferInstrument,
    Universe,
};
use sim::store::Window;
use sim::{Class, Command};
use std::sync::Arc;

/// An account with both plans over two funds.
fn with_plans(bench: &mut Bench) -> Arc<Account> {
    let configuration = with_both_plans();
    let amounts = answers(&[("amount.SE0SBX000016SEK", "500"), ("amount.LU0SBX000058EUR", "750.50"), ("day", "5")]);
    let done = bench.walk(configuration, &[(JourneyStep::SavingsPlan, amounts)]);
    bench.account_of(&done)
}

type Plans = (Option<Vec<Allocation>>, Option<Vec<(String, String)>>);

fn plans(bench: &Bench, account: &Account) -> Plans {
    let allocation = query::allocation_plan_of(&bench.world, account.id).map(|plan| plan.instruments.clone());
    let savings = query::savings_plan_of(&bench.world, account.id).map(|plan| {
        let mut parts: Vec<_> =
            plan.instruments.iter().map(|(fund, amount)| (fund.to_string(), amount.to_string())).collect();
        parts.sort();
        parts
    });
    (allocation, savings)
}

/// (rule: securities/merger, securities/liquidation)
#[test]
fn plans_follow_mergers_and_lose_what_is_liquidated() {
    let savings = |parts: &[(&str, &str)]| {
        Some(parts.iter().map(|(fund, amount)| ((*fund).to_owned(), (*amount).to_owned())).collect::<Vec<_>>())
    };
    let rows: [(&str, CorporateAct, Plans); 4] = [
        (
            DAILY,
            merger(T_PLUS_ONE, None),
            (
                Some(vec![share(T_PLUS_ONE, "33.33"), share(GLOBAL, "66.67")]),
                savings(&[(GLOBAL, "750.50"), (T_PLUS_ONE, "500.00")]),
            ),
        ),
        (DAILY, merger(GLOBAL, None), (Some(vec![share(GLOBAL, "100")]), savings(&[(GLOBAL, "1250.50")]))),
        (DAILY, liquidation(None), (None, savings(&[(GLOBAL, "750.50")]))),
        (
            DAILY,
            split("2"),
            (
                Some(vec![share(DAILY, "33.33"), share(GLOBAL, "66.67")]),
                savings(&[(GLOBAL, "750.50"), (DAILY, "500.00")]),
            ),
        ),
    ];
    for (fund, act, expected) in rows {
        let mut bench = Bench::new(1, START);
        let account = with_plans(&mut bench);
        bench.carry_out(fund, act);
        assert_eq!(plans(&bench, &account), expected, "{act:?}");
    }
}

/// (rule: securities/liquidation)
#[test]
fn a_savings_plan_goes_with_its_last_fund() {
    let mut bench = Bench::new(1, START);
    let account = with_plans(&mut bench);
    bench.carry_out(DAILY, liquidation(None));
    bench.carry_out(GLOBAL, liquidation(None));
    assert_eq!(plans(&bench, &account), (None, None));
    assert!(query::allocation_plans(&bench.world, bench.scope.client).is_empty());
}

/// (rule: securities/merger)
#[test]
fn the_surviving_fund_joins_every_universe_that_holds_the_other() {
    for (held, joins) in [(DAILY, true), (GLOBAL, false)] {
        let mut setup = setup();
        setup.partners[0].clients[0].universe = Universe::Only([id(held)].into_iter().collect());
        let mut bench = Bench::of(&setup, 1, START);
        bench.carry_out(DAILY, merger(T_PLUS_ONE, None));
        let funds = query::instruments(&bench.world, Some(bench.scope.client));
        assert_eq!(funds.iter().any(|view| view.record.id == id(T_PLUS_ONE)), joins, "universe of {held}");
    }
}

fn delivered(bench: &Bench, account: &Account) -> Vec<(String, String)> {
    let filter = TransactionFilter { account: Some(account.id), ..TransactionFilter::default() };
    let all = query::fund_transactions(&bench.world, bench.scope.client, &Window::default(), &filter);
    all.iter().map(|one| (one.instrument.to_string(), one.units.to_string())).collect()
}

/// (rule: securities/ended-funds)
#[test]
fn a_transfer_that_comes_after_an_action_brings_what_the_units_have_become() {
    for (act, units_brought, cash_brought) in [
        (None, Some("12.345678"), false),
        (Some(split("3")), Some("37.037034"), false),
        (Some(liquidation(None)), None, true),
        (Some(merger(GLOBAL, None)), None, true),
    ] {
        let mut bench = Bench::of(&crate::common::free(), 1, START);
        let listed = TransferInstrument { instrument: id(DAILY), units: Some(units("12.345678")) };
        let moved = TransferAccount {
            instruments: Some(vec![listed]),
            default_units_output: vec![Output::Ignore],
            untransferable_units_output: vec![Output::Cash],
            balance_output: vec![Output::Ignore],
            ..moving(AccountType::Isk)
        };
        let configuration =
            Configuration { transfer: Some(transfer_of(vec![moved])), ..opening_by(ANNA, AccountType::Isk) };
        let done = bench.walk(configuration, &[]);
        let account = bench.account_of(&done);
        if let Some(act) = act {
            bench.carry_out(DAILY, act);
        }
        bench.to("2026-04-15T12:00:00+02:00");
        let brought: Vec<_> = units_brought.map(|text| (DAILY.to_owned(), text.to_owned())).into_iter().collect();
        assert_eq!(delivered(&bench, &account), brought, "{act:?}");
        assert_eq!(bench.again(&account).balance > amount("0"), cash_brought, "{act:?}");
    }
}

fn trade_of(bench: &Bench, account: &Account) -> Vec<(String, String)> {
    let filter = query::OrderFilter { account: Some(account.id), ..query::OrderFilter::default() };
    let all = query::orders(&bench.world, bench.scope.client, &Window::default(), &filter);
    let amount = |amount: Option<sim::money::Amount>| amount.map_or("-".to_owned(), |amount| amount.to_string());
    all.iter().map(|one| (one.instrument.to_string(), amount(one.amount))).collect()
}

fn parts(parts: &[(&str, &str)]) -> Vec<(String, String)> {
    parts.iter().map(|&(fund, amount)| (fund.to_owned(), amount.to_owned())).collect()
}

/// (rule: plans/savings-run-amounts, securities/merger)
#[test]
fn a_charge_under_way_buys_what_its_funds_have_become_by_the_time_it_is_paid() {
    /// What becomes of which fund, what is bought for how much, and what stays as cash.
    type Row<'r> = (&'r [(&'r str, CorporateAct)], &'r [(&'r str, &'r str)], &'r str);
    let rows: [Row<'_>; 5] = [
        (&[(DAILY, merger(T_PLUS_ONE, None))], &[(T_PLUS_ONE, "500.00"), (GLOBAL, "750.50")], "0"),
        (&[(DAILY, merger(GLOBAL, None))], &[(GLOBAL, "1250.50")], "0"),
        (&[(GLOBAL, merger(DAILY, None))], &[(DAILY, "1250.50")], "0"),
        // One after the other: what it was merged into is merged itself.
        (
            &[(DAILY, merger(WEEKLY, None)), (WEEKLY, merger(T_PLUS_ONE, None)), (GLOBAL, merger(T_PLUS_ONE, None))],
            &[(T_PLUS_ONE, "1250.50")],
            "0",
        ),
        (&[(DAILY, merger(WEEKLY, None)), (WEEKLY, liquidation(None))], &[(GLOBAL, "750.50")], "500"),
    ];
    for (acts, bought, left) in rows {
        let mut bench = Bench::new(1, START);
        // Charges of this bank account are paid at the second attempt only, so that there is time in between.
        let mut open = bench.open("0");
        open.owner = Some(bench.owner(ANNA));
        open.bank_accounts =
            vec![OpenBankAccount { mandate: MandateStatus::Active, ..bench.bank("SE1850000000050000000086") }];
        let account = bench.account(open);
        let plan = SavingsPlanConfiguration { periodicity: Some(Periodicity::Monthly), instruments: None };
        let configuration =
            Configuration { savings_plan: Some(plan), ..about(&account, JourneyType::UpdateSavingsPlan) };
        let amounts =
            [(format!("amount.{DAILY}"), "500"), (format!("amount.{GLOBAL}"), "750.50"), ("day".to_owned(), "5")];
        let amounts: Vec<_> = amounts.iter().map(|(name, text)| (name.as_str(), *text)).collect();
        bench.walk(configuration, &[(JourneyStep::SavingsPlan, answers(&amounts))]);
        let mornings = ["2026-03-05T06:00:00+01:00", "2026-03-05T12:00:00+01:00", "2026-03-06T12:00:00+01:00"];
        for ((fund, act), announced) in acts.iter().zip(mornings) {
            bench.to(announced);
            bench.announce(fund, *act).expect("it can be announced");
        }
        bench.to("2026-03-09T12:00:00+01:00");
        let mut trade = trade_of(&bench, &account);
        trade.sort();
        let mut bought = parts(bought);
        bought.sort();
        if acts.len() < 3 {
            assert_eq!(trade, bought, "{acts:?}");
            assert_eq!(bench.again(&account).spendable(), amount(left), "{acts:?}");
        } else {
            // It has taken another fund over today and takes no orders until midnight.
            assert_eq!(trade, parts(&[]), "{acts:?}");
            let plan = query::savings_plan_of(&bench.world, account.id).expect("stored");
            let reasons = &plan.last_run.as_ref().expect("it has run").reasons;
            assert_eq!(reasons.len(), 1, "one order was tried for both amounts: {reasons:?}");
            assert!(reasons[0].starts_with(T_PLUS_ONE), "{reasons:?}");
        }
    }
}

/// (rule: securities/ended-funds)
#[test]
fn no_plan_can_be_made_to_name_a_fund_that_has_ended() {
    for act in [merger(GLOBAL, None), liquidation(None)] {
        let mut bench = Bench::new(1, START);
        let account = bench.account_charged_by(MandateStatus::Active);
        bench
            .walk(about(&account, JourneyType::UpdateAllocationPlan), &[(JourneyStep::AllocationPlan, shares(GLOBAL))]);
        bench.carry_out(DAILY, act);
        let (scope, plan) = (bench.scope, query::allocation_plan_of(&bench.world, account.id).expect("stored").id);
        let instruments = Patch::Set(vec![share(DAILY, "100")]);
        let patch = Command::PatchAllocationPlan { scope, plan, bank_account: Patch::Keep, instruments };
        let why = "instruments[0].instrument is suspended from trading".to_owned();
        assert_eq!(bench.pull(patch), Err((Class::Malformed, why)), "{act:?}");
        let allocation = AllocationPlanConfiguration {
            instruments: Some(vec![share(DAILY, "100")]),
            ..AllocationPlanConfiguration::default()
        };
        let savings =
            SavingsPlanConfiguration { periodicity: Some(Periodicity::Monthly), instruments: Some(vec![id(DAILY)]) };
        for (configuration, field) in [
            (
                Configuration {
                    allocation_plan: Some(allocation),
                    ..about(&account, JourneyType::UpdateAllocationPlan)
                },
                "allocationPlan.instruments[0].instrument",
            ),
            (
                Configuration { savings_plan: Some(savings), ..about(&account, JourneyType::UpdateSavingsPlan) },
                "savingsPlan.instruments[0].instrument",
            ),
        ] {
            assert_eq!(bench.complaint(configuration), format!("journey.{field} is suspended from trading"), "{act:?}");
        }
    }
}

fn agreed() -> Answers {
    answers(&[("accept", "yes")])
}

fn shares(fund: &str) -> Answers {
    answers(&[(&format!("allocation.{fund}"), "100")])
}

/// (rule: securities/ended-funds, securities/merger, securities/liquidation)
#[test]
fn what_was_answered_before_a_fund_ended_is_stored_as_if_it_had_been_signed_before() {
    let answered: [(CorporateAct, Plans); 3] = [
        (
            merger(T_PLUS_ONE, None),
            (
                Some(vec![share(T_PLUS_ONE, "33.33"), share(GLOBAL, "66.67")]),
                Some(parts(&[(GLOBAL, "750.50"), (T_PLUS_ONE, "500.00")])),
            ),
        ),
        (merger(GLOBAL, None), (Some(vec![share(GLOBAL, "100")]), Some(parts(&[(GLOBAL, "1250.50")])))),
        (liquidation(None), (None, Some(parts(&[(GLOBAL, "750.50")])))),
    ];
    for (act, expected) in answered {
        let mut bench = Bench::new(1, START);
        let account = bench.account_charged_by(MandateStatus::Active);
        let savings = SavingsPlanConfiguration { periodicity: Some(Periodicity::Monthly), instruments: None };
        let savings = Configuration { savings_plan: Some(savings), ..about(&account, JourneyType::UpdateSavingsPlan) };
        let shares = [(format!("allocation.{DAILY}"), "33.33"), (format!("allocation.{GLOBAL}"), "66.67")];
        let amounts = [(format!("amount.{DAILY}"), "500"), (format!("amount.{GLOBAL}"), "750.50")];
        let given = |given: &[(String, &str)]| {
            answers(&given.iter().map(|(name, text)| (name.as_str(), *text)).collect::<Vec<_>>())
        };
        let journeys = [
            (about(&account, JourneyType::UpdateAllocationPlan), JourneyStep::AllocationPlan, given(&shares)),
            (savings, JourneyStep::SavingsPlan, given(&amounts)),
        ];
        let journeys = journeys.map(|(configuration, step, given)| {
            // A choice that the journey does not offer any more would be asked for again.
            let configuration = Configuration { instruments: Some(vec![id(DAILY), id(GLOBAL)]), ..configuration };
            let journey = bench.opened(configuration);
            bench.sign(journey, ANNA, SignOutcome::Sign).expect("authenticated");
            bench.answer(journey, step, walked(&bench, journey, step, given)).expect("answered");
            bench.answer(journey, JourneyStep::Agreement, agreed()).expect("agreed");
            journey
        });
        bench.announce(DAILY, act).expect("it can be announced");
        bench.to("2026-03-02T09:15:00+01:00");
        let [allocation, savings] = journeys.map(|journey| {
            bench.sign(journey, ANNA, SignOutcome::Sign).expect("signed");
            bench.look(journey).result.clone().expect("complete")
        });
        assert_eq!(plans(&bench, &account), expected, "{act:?}");
        assert_eq!(allocation.allocation_plan.as_ref().map(|plan| plan.instruments.clone()), expected.0, "{act:?}");
        let planned = savings.savings_plan.as_ref().map(|plan| plan.instruments.len());
        assert_eq!(planned, expected.1.map(|left| left.len()), "{act:?}");
    }
}

/// (rule: securities/ended-funds)
#[test]
fn a_customer_who_chose_freely_is_asked_again_when_a_chosen_fund_has_ended() {
    let mut bench = Bench::new(1, START);
    let account = bench.account_charged_by(MandateStatus::Active);
    let journey = bench.opened(about(&account, JourneyType::UpdateAllocationPlan));
    let step = JourneyStep::AllocationPlan;
    bench.sign(journey, ANNA, SignOutcome::Sign).expect("authenticated");
    let given = walked(&bench, journey, step, shares(DAILY));
    bench.answer(journey, step, given).expect("answered");
    bench.answer(journey, JourneyStep::Agreement, agreed()).expect("agreed");
    bench.announce(DAILY, merger(GLOBAL, None)).expect("it can be announced");
    bench.to("2026-03-02T09:15:00+01:00");
    let refused = bench.sign(journey, ANNA, SignOutcome::Sign).expect_err("asked again");
    assert!(refused.to_string().contains(step.name()), "{refused}");
    let given = walked(&bench, journey, step, shares(GLOBAL));
    bench.answer(journey, step, given).expect("answered");
    bench.answer(journey, JourneyStep::Agreement, agreed()).expect("agreed");
    bench.sign(journey, ANNA, SignOutcome::Sign).expect("signed");
    assert_eq!(plans(&bench, &account).0, Some(vec![share(GLOBAL, "100")]));
}

/// What is given, and what the step suggests besides.
fn walked(bench: &Bench, journey: sim::ids::JourneyId, step: JourneyStep, given: Answers) -> Answers {
    let steps = query::journey_steps(&bench.world, journey);
    let fields = steps.into_iter().find(|view| view.step == step).expect("it is shown").fields;
    let asked = fields.iter().filter(|field| field.required && given.one(&field.name).is_none());
    asked.fold(given.clone(), |all, field| all.with(&field.name, field.suggestion.first().expect("suggested")))
}

/// (rule: securities/liquidation)
#[test]
fn a_plan_that_is_replaced_by_one_of_a_fund_that_was_liquidated_goes() {
    let mut bench = Bench::new(1, START);
    let account = bench.account_charged_by(MandateStatus::Active);
    bench.walk(about(&account, JourneyType::UpdateAllocationPlan), &[(JourneyStep::AllocationPlan, shares(GLOBAL))]);
    let plan = AllocationPlanConfiguration {
        instruments: Some(vec![share(DAILY, "100")]),
        ..AllocationPlanConfiguration::default()
    };
    let update = Configuration { allocation_plan: Some(plan), ..about(&account, JourneyType::UpdateAllocationPlan) };
    let journey = bench.opened(update);
    bench.announce(DAILY, liquidation(None)).expect("it can be announced");
    bench.to("2026-03-02T09:15:00+01:00");
    let done = bench.complete(journey, &[]);
    assert_eq!(plans(&bench, &account), (None, None));
    assert_eq!(done.result.as_ref().map(|result| result.allocation_plan.is_none()), Some(true));
}
