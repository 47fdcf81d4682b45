//! What a copy of a world costs, and what the first changes after it cost, by the size of the world.
//!
//! Each account has cash and two positions: four records and about as many entries of maps. `cargo bench -p fundsim-sim
//! --bench copies`; numbers as arguments set the accounts.

#![allow(clippy::print_stdout, reason = "a bench prints its report")]

mod savers;

use savers::common::{Bench, DAILY, T_PLUS_ONE, id, units};
use sim::command::OpenAccount;
use sim::ids::AccountId;
use sim::{Command, World, query};
use std::sync::Arc;
use std::time::{Duration, Instant as Clock};

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Accounts unless arguments say otherwise.
const SIZES: [usize; 4] = [4_000, 20_000, 100_000, 250_000];
/// Copies that a figure is the median of.
const ROUNDS: usize = 9;
/// Orders after a copy.
const ORDERS: usize = 200;

fn main() {
    let sizes: Vec<usize> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    println!(
        "{:>9} {:>9} {:>12} {:>11} {:>13} {:>13}",
        "accounts", "records", "an opening", "a copy", "an order", "after a copy"
    );
    for count in if sizes.is_empty() { SIZES.to_vec() } else { sizes } {
        let mut bench = savers::empty();
        let begin = now();
        let accounts: Vec<AccountId> = (0..count).map(|_| open(&mut bench)).collect();
        let opening = begin.elapsed() / u32::try_from(count).unwrap_or(u32::MAX);
        bench.world.forget_events();
        let mut figures = [const { Vec::new() }; 3];
        for round in 0..ROUNDS {
            figures[0].push(orders(&mut bench, &accounts, 2 * round));
            let begin = now();
            let copy: World = bench.world.clone();
            figures[1].push(begin.elapsed());
            figures[2].push(orders(&mut bench, &accounts, 2 * round + 1));
            drop(copy);
        }
        let [order, copy, after] = figures.map(median);
        println!(
            "{count:>9} {:>9} {:>12} {:>11} {:>13} {:>13}",
            bench.world.records(),
            shown(opening),
            shown(copy),
            shown(order),
            shown(after)
        );
    }
}

fn open(bench: &mut Bench) -> AccountId {
    let positions = vec![(id(DAILY), units("10")), (id(T_PLUS_ONE), units("12.5"))];
    bench.account(OpenAccount { positions, ..bench.open("100000") }).id
}

/// What an order costs, of some by accounts all over the world.
fn orders(bench: &mut Bench, accounts: &[AccountId], round: usize) -> Duration {
    let begin = now();
    for at in 0..ORDERS {
        let account = accounts[(at * 7_919 + round * 104_729) % accounts.len()];
        let account = Arc::clone(query::account(&bench.world, bench.scope.client, account).expect("it was opened"));
        let order = bench.buy(&account, DAILY, "100");
        let order = bench.world.apply(bench.world.now(), Command::PlaceOrder(order));
        assert!(order.is_ok(), "{order:?}");
    }
    bench.world.forget_events();
    begin.elapsed() / u32::try_from(ORDERS).unwrap_or(u32::MAX)
}

#[allow(clippy::disallowed_methods, reason = "a bench measures real time")]
fn now() -> Clock {
    Clock::now()
}

fn median(mut figures: Vec<Duration>) -> Duration {
    figures.sort_unstable();
    figures[figures.len() / 2]
}

fn shown(time: Duration) -> String {
    format!("{:.1} µs", time.as_secs_f64() * 1_000_000.0)
}
