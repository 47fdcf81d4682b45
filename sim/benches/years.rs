//! A simulated year of savers with events, for one number of accounts and ten times as many, and ten years of performance.
//!
//! Owns: the figures of a world over years. Times are of this thread's processor, the least of the rounds, so that a busy
//! machine blurs them little; the ratios beside them count most. Absent on purpose: any bound that would make a run
//! fail.
//!
//! `cargo bench -p fundsim-sim --bench years`; numbers as arguments set the accounts (1,000 and 10,000 unless given).

#![allow(clippy::disallowed_types, reason = "a bench prints ratios, which need not be exact")]
#![allow(clippy::print_stdout, reason = "a bench prints its report")]

mod savers;

use savers::common::{COMPLEX, DAILY, GLOBAL, T_PLUS_ONE, WEEKLY, amount, at, id, units};
use sim::command::OpenAccount;
use sim::money::Amount;
use sim::query;
use std::hint::black_box;
use std::time::Duration;

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Rounds a figure is the least of.
const ROUNDS: usize = 3;
/// How often what takes milliseconds is repeated.
const REPETITIONS: u32 = 200;

/// Processor time of this thread so far; wall time where the system does not have it.
#[allow(clippy::disallowed_methods, reason = "a bench measures real time")]
fn clock() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = schedule.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// Seconds of the quickest of some rounds.
fn least(mut round: impl FnMut() -> f64) -> f64 {
    (0..ROUNDS).map(|_| round()).fold(f64::INFINITY, f64::min)
}

/// Seconds of one of many repetitions: processor time has steps of milliseconds.
fn timed<T>(work: impl Fn() -> T) -> f64 {
    let begin = clock();
    (0..REPETITIONS).for_each(|_| drop(black_box(work())));
    (clock() - begin).as_secs_f64() / f64::from(REPETITIONS)
}

fn main() {
    let counts: Vec<usize> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let counts = if counts.is_empty() { vec![1_000, 10_000] } else { counts };
    let figures: Vec<f64> = counts.iter().map(|&count| year(count)).collect();
    if let [few, .., many] = figures[..] {
        println!("  for each account, the most to the fewest accounts          {:>10.2}", many / few);
    }
    performance();
}

/// Microseconds an account of a year of savers.
fn year(count: usize) -> f64 {
    let world = savers::savers(count).world;
    let mut figures = (0, 0, 0);
    let seconds = least(|| {
        let mut world = world.clone();
        let begin = clock();
        let events = savers::advance(&mut world, at("2027-01-05T08:00:00+01:00"));
        let seconds = (clock() - begin).as_secs_f64();
        figures = (events, world.records(), world.digest().0);
        seconds
    });
    let each = seconds * 1e6 / f64::from(u32::try_from(count).expect("a small number"));
    println!("a year of {count} savers {seconds:>38.2} s   {each:.1} us an account");
    println!("  {} events, {} records, digest {:032x}", figures.0, figures.1, figures.2);
    each
}

/// Ten years of daily returns of one account of five funds and of an owner with twenty, beside the products of units and
/// prices that such years cannot do without.
fn performance() {
    let mut bench = savers::empty();
    let owner = bench.owner("198112189876");
    let held = || [DAILY, T_PLUS_ONE, GLOBAL, WEEKLY, COMPLEX].map(|fund| (id(fund), units("100.5"))).to_vec();
    for _ in 0..20 {
        let open = OpenAccount { owner: Some(owner.clone()), positions: held(), ..bench.open("10000") };
        bench.account(open);
    }
    savers::advance(&mut bench.world, at("2036-01-05T08:00:00+01:00"));
    let (world, client) = (&bench.world, bench.scope.client);
    let account = query::accounts(world, client, &Default::default(), None)[0].id;
    let days = query::account_performance(world, account, None).len();
    let bare = least(|| {
        timed(|| {
            let of = |fund| {
                let prices = query::prices(world, fund, world.start().local_date(), world.now().local_date());
                prices.iter().map(|(_, price)| Amount::from_units(units("100.5"), price.get())).sum::<Amount>()
            };
            held().into_iter().map(|(fund, _)| of(fund)).sum::<Amount>() > amount("0")
        })
    });
    let one = least(|| timed(|| query::account_performance(world, account, None)));
    let all = least(|| timed(|| query::owner_performance(world, client, owner.key(), None)));
    println!("ten years of performance, five funds an account, {days} days");
    println!("  bare products of units and prices  {:>26.2} ms", bare * 1e3);
    println!("  one account, wanted below 5 ms     {:>26.2} ms   {:.2} of bare", one * 1e3, one / bare);
    println!("  an owner of 20, wanted below 50 ms {:>26.2} ms   {:.2} of 20 bare", all * 1e3, all / bare / 20.0);
}
