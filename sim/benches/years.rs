//! A simulated year of savers, one after the other, with events: what it takes, and whether it grows with their number alone.

#![allow(clippy::print_stdout, reason = "a bench prints its report")]

mod savers;

use savers::common::at;
use std::time::Duration;

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Processor time of this thread so far; wall time where the system does not tell.
#[allow(clippy::disallowed_methods, reason = "a bench measures real time")]
fn clock() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

fn main() {
    let counts: Vec<usize> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let counts = if counts.is_empty() { vec![1_000, 10_000] } else { counts };
    for count in counts {
        let begin = clock();
        let mut bench = savers::savers(count);
        let built = clock();
        let told = savers::advance(&mut bench.world, at("2027-01-05T08:00:00+01:00"));
        let year = clock() - built;
        println!(
            "{count:>8} accounts: built in {:.2} s, a year in {:.2} s, {:.1} us an account; {told} events, {} records, digest {}",
            (built - begin).as_secs_f64(),
            year.as_secs_f64(),
            year.as_secs_f64() * 1e6 / count as f64,
            bench.world.records(),
            bench.world.digest(),
        );
    }
}
