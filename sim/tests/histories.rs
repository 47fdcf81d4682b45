//! Worlds that begin before their start: accounts whose past the seed draws.

use crate::common::{amount, at, setup};
use sim::World;
use sim::money::Amount;
use sim::query;
use sim::records::{Account, CashBooking, CashTransaction, FundTransaction, LedgerAccount, Order, Side};
use sim::rng::Seed;
use sim::setup::{HistorySetup, Setup};
use std::collections::BTreeMap;

const START: &str = "2026-09-01T08:00:00+02:00";

fn grown(accounts: u32, days: u32) -> Setup {
    Setup { history: Some(HistorySetup { accounts, days }), ..setup() }
}

fn world(setup: &Setup, seed: u64) -> World {
    World::new(setup, Seed(seed), at(START)).expect("a valid setup")
}

#[test]
fn the_same_seed_has_the_same_past_and_another_seed_another() {
    let setup = grown(30, 90);
    assert_eq!(world(&setup, 1).digest(), world(&setup, 1).digest());
    assert_ne!(world(&setup, 1).digest(), world(&setup, 2).digest());
}

#[test]
fn who_watches_a_past_sees_whole_percents_that_grow_and_the_same_world() {
    let (setup, mut seen) = (grown(30, 90), Vec::new());
    let watched = World::watched(&setup, Seed(1), at(START), |percent| seen.push(percent)).expect("a valid setup");
    assert!(seen.is_sorted_by(|earlier, later| earlier < later), "{seen:?}");
    assert!(seen.len() > 50 && seen.iter().all(|percent| (1..100).contains(percent)), "{seen:?}");
    assert_eq!(watched.digest(), world(&setup, 1).digest());
}

/// (rule: calendar/before-the-start)
#[test]
fn a_world_with_a_past_shows_its_start_and_has_emitted_no_event_of_it() {
    let mut world = world(&grown(30, 90), 1);
    assert_eq!((world.now(), world.start(), world.last_input()), (at(START), at(START), 0));
    assert!(world.take_events().is_empty() && world.callbacks().is_empty());
    let first = query::every_account(&world).next().expect("an account");
    assert!(first.stamp.created < at(START), "{:?}", first.stamp);
}

#[test]
fn accounts_with_a_past_have_paid_in_bought_sold_withdrawn_and_thought_better_of_it() {
    let world = world(&grown(200, 180), 1);
    let accounts = query::every_account(&world).count();
    let orders =
        |wanted: fn(&sim::records::Order) -> bool| query::every_order(&world).filter(|order| wanted(order)).count();
    let cash = |booking| query::every_cash_transaction(&world).filter(|cash| cash.booking == booking).count();
    assert_eq!(accounts, 200);
    for (what, count, least) in [
        ("purchases", orders(|order| order.side == Side::Subscription), 500),
        ("sales", orders(|order| order.side == Side::Redemption), 100),
        ("orders that are done", orders(|order| order.state.name() == "settled"), 500),
        ("canceled orders", orders(|order| order.canceled.is_some()), 10),
        ("deposits", cash(CashBooking::Bankgiro), 200),
        ("withdrawals", cash(CashBooking::PartnerWithdrawal), 50),
    ] {
        assert!(count >= least, "{count} {what}");
    }
}

/// (rule: money/balance)
#[test]
fn the_books_of_a_past_agree() {
    let world = world(&grown(100, 180), 3);
    let mut balances = BTreeMap::new();
    for cash in query::every_cash_transaction(&world) {
        *balances.entry(cash.account).or_insert(Amount::ZERO) += worth(cash);
    }
    for account in query::every_account(&world) {
        let summed = balances.get(&account.id).copied().unwrap_or(Amount::ZERO);
        assert_eq!(account.balance, summed, "{}", account.id);
        assert!(account.spendable() >= amount("0"), "{} owes {}", account.id, account.spendable());
    }
}

/// What a transaction adds to the balance: credits once they are settled, debits from the beginning.
fn worth(cash: &CashTransaction) -> Amount {
    let (paid, received) =
        (LedgerAccount::Investor(cash.account) == cash.debit, LedgerAccount::Investor(cash.account) == cash.credit);
    assert!(paid != received, "{cash:?}");
    match cash.settlement {
        _ if cash.aborted.is_some() => Amount::ZERO,
        _ if paid => Amount::ZERO - cash.amount,
        Some(_) => cash.amount,
        None => Amount::ZERO,
    }
}

#[test]
fn one_account_more_shifts_nothing_that_another_draws() {
    let pasts = |accounts| {
        let world = world(&grown(accounts, 60), 5);
        query::every_account(&world).map(|account| past(&world, account)).collect::<Vec<_>>()
    };
    let (few, more) = (pasts(10), pasts(11));
    let longest = few.iter().map(Vec::len).max();
    assert!(few.len() == 10 && longest > Some(3), "they have lived through something: {few:?}");
    for past in &few {
        assert!(more.contains(past), "{past:#?}");
    }
}

/// All that an account has lived through, ids aside, which are drawn as things come.
fn past(world: &World, account: &Account) -> Vec<String> {
    let opened = (account.stamp.created, account.account_type, account.owner.key());
    let orders = query::every_order(world).filter(|order| order.account == account.id).map(|order| {
        let Order { side, instrument, amount, units, client_ref, stamp, canceled, .. } = &**order;
        format!("{:?}", (side, instrument, amount, units, client_ref, stamp, canceled, order.state.name()))
    });
    let cash = query::every_cash_transaction(world).filter(|cash| cash.account == account.id).map(|cash| {
        let CashTransaction { booking, kind, client_ref, amount, text, settlement, aborted, stamp, .. } = &**cash;
        format!("{:?}", (booking, kind, client_ref, amount, text, settlement, aborted, stamp))
    });
    let funds = query::every_fund_transaction(world).filter(|moved| moved.account == account.id).map(|moved| {
        let FundTransaction { kind, instrument, units, price, trade, settlement, aborted, stamp, .. } = &**moved;
        format!("{:?}", (kind, instrument, units, price, trade, settlement, aborted, stamp))
    });
    std::iter::once(format!("{opened:?}")).chain(orders).chain(cash).chain(funds).collect()
}

#[test]
fn a_past_has_bounds() {
    for (accounts, days, problem) in [
        (0, 10, "history.accounts must lie between 1 and 1000000"),
        (1_000_001, 1, "history.accounts must lie between 1 and 1000000"),
        (5_001, 366, "history.accounts times history.days must be at most 1830000"),
        (1_000_000, 2, "history.accounts times history.days must be at most 1830000"),
        (10, 0, "history.days must lie between 1 and 366"),
        (10, 367, "history.days must lie between 1 and 366"),
    ] {
        let refused = World::new(&grown(accounts, days), Seed(1), at(START)).expect_err("out of bounds");
        assert_eq!(refused.problems, [problem]);
    }
}
