//! What corporate actions do to plans, universes and transfers.

use super::{START, liquidation, merger, split};
use crate::common::{Bench, DAILY, GLOBAL, T_PLUS_ONE, amount, id, setup, units};
use crate::journeys::plans::{share, with_both_plans};
use crate::journeys::{ANNA, answers, moving, opening_by, transfer_of};
use sim::query::{self, TransactionFilter};
use sim::records::{
    Account, AccountType, Allocation, Configuration, CorporateAct, JourneyStep, Output, TransferAccount,
    TransferInstrument, Universe,
};
use sim::store::Window;
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

/// (rule: payments/merger, payments/liquidation)
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

/// (rule: payments/liquidation)
#[test]
fn a_savings_plan_goes_with_its_last_fund() {
    let mut bench = Bench::new(1, START);
    let account = with_plans(&mut bench);
    bench.carry_out(DAILY, liquidation(None));
    bench.carry_out(GLOBAL, liquidation(None));
    assert_eq!(plans(&bench, &account), (None, None));
    assert!(query::allocation_plans(&bench.world, bench.scope.client).is_empty());
}

/// (rule: payments/merger)
#[test]
fn the_fund_that_goes_on_joins_every_universe_that_holds_the_other() {
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

/// (rule: payments/ended-funds)
#[test]
fn a_transfer_that_comes_after_an_action_brings_what_the_units_have_become() {
    for (act, units_brought, cash_brought) in [
        (None, Some("12.345678"), false),
        (Some(split("3")), Some("37.037034"), false),
        (Some(liquidation(None)), None, true),
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
