//! A world of savers, built by commands: every account has a bank account that can be charged, some units, and a savings
//! plan in two funds. Days of the month are spread, so that a year is as even as it is with customers.

#![allow(dead_code, reason = "every bench uses its own part")]

#[path = "../tests/common/mod.rs"]
pub mod common;

use common::{Bench, DAILY, T_PLUS_ONE, id, setup, units};
use sim::command::{CreateJourney, OpenAccount, OpenBankAccount};
use sim::ids::AccountId;
use sim::records::{
    AccountType, Answers, Configuration, JourneyStep, JourneyType, MandateStatus, Periodicity, SavingsPlanConfiguration,
};
use sim::time::Instant;
use sim::{Command, Reply, World};
use std::sync::Arc;

/// A Monday before the first run of anybody's plan.
pub const START: &str = "2026-01-05T08:00:00+01:00";
/// As many timers as a host fires at once while others wait.
const SLICE: usize = 1_024;

/// A world without accounts.
pub fn empty() -> Bench {
    Bench::of(&setup(), 1, START)
}

/// Opens `count` accounts with a bank account and nothing else.
pub fn open_bare(bench: &mut Bench, count: usize) {
    for _ in 0..count {
        let bank = OpenBankAccount { mandate: MandateStatus::Active, ..bench.bank("SE8150000000050000000019") };
        bench.account(OpenAccount { bank_accounts: vec![bank], ..bench.open("0") });
    }
}

/// Opens `count` accounts; each has an owner of its own, and one in eight no cash for its fees.
pub fn open(bench: &mut Bench, count: usize) -> Vec<AccountId> {
    (0..count)
        .map(|at| {
            let bank = OpenBankAccount { mandate: MandateStatus::Active, ..bench.bank("SE8150000000050000000019") };
            let kind = if at % 4 == 3 { AccountType::Insurance } else { AccountType::Isk };
            let held = vec![(id(DAILY), units("10")), (id(T_PLUS_ONE), units("12.5"))];
            let open = OpenAccount {
                account_type: kind,
                positions: held,
                bank_accounts: vec![bank],
                ..bench.open(if at % 8 == 5 { "0" } else { "1000" })
            };
            bench.account(open).id
        })
        .collect()
}

/// Gives every account a savings plan of 500 SEK a month in each of two funds.
pub fn plan(bench: &mut Bench, accounts: &[AccountId]) {
    for (at, &account) in accounts.iter().enumerate() {
        let plan = SavingsPlanConfiguration { periodicity: Some(Periodicity::Monthly), instruments: None };
        let configuration = Configuration {
            savings_plan: Some(plan),
            account: Some(account),
            ..Configuration::empty(JourneyType::UpdateSavingsPlan)
        };
        let create = CreateJourney {
            scope: bench.scope,
            configuration,
            callback_url: Arc::from("https://partner.example/callback"),
            redirect_url: None,
            completion_redirect_url: None,
            partner_data: None,
        };
        let now = bench.world.now();
        let created = bench.world.apply(now, Command::CreateJourney(Box::new(create)));
        let Ok(Reply::Journey(journey)) = created else { panic!("no journey: {created:?}") };
        let mut given = Answers::default();
        for fund in [DAILY, T_PLUS_ONE] {
            given.set(format!("amount.{fund}"), vec![Arc::from("500")]);
        }
        given.set("day", vec![Arc::from((at % 28 + 1).to_string())]);
        let answers = vec![(JourneyStep::SavingsPlan, given)];
        let complete = Command::CompleteJourney { partner: bench.scope.partner, journey: journey.id, answers };
        let completed = bench.world.apply(now, complete);
        assert!(completed.is_ok(), "{completed:?}");
    }
}

/// So many savers at work.
pub fn savers(count: usize) -> Bench {
    let mut bench = empty();
    let accounts = open(&mut bench, count);
    plan(&mut bench, &accounts);
    bench.world.forget_events();
    drop(bench.world.take_callbacks());
    bench
}

/// Moves the clock as a host does: in slices, whose events it takes away. Gives how many there were.
pub fn advance(world: &mut World, to: Instant) -> usize {
    let (mut happened, mut events, mut done) = (Vec::new(), 0, false);
    while !done {
        done = world.advance_slice(to, SLICE, &mut happened);
        happened.clear();
        events += world.events().len();
        world.forget_events();
    }
    events
}
