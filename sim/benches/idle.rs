//! What a year costs a world of funds that nobody uses, beside a world without funds.
//!
//! Counted in instructions: `cargo bench -p fundsim-sim --bench idle --no-run`, then `valgrind --tool=callgrind PROGRAM FUNDS`.
//! `FUNDS` is how many funds the world has; 0 is what everything else costs. Absent on purpose: times, which say little here.

#![allow(clippy::print_stdout, reason = "a bench prints its report")]

#[path = "../tests/common/mod.rs"]
mod common;

use common::{at, setup};
use sim::World;
use sim::identity::{InstrumentId, Isin};
use sim::rng::Seed;
use std::sync::Arc;

fn main() {
    let count = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(100);
    let mut setup = setup();
    let pattern = setup.instruments.swap_remove(0);
    let fund = |number: u32| {
        let isin = Isin::with_check_digit(&format!("SE0SBX{number:05}")).expect("eleven characters");
        let id = InstrumentId::new(isin, pattern.id.currency());
        sim::records::Instrument { id, name: Arc::from(format!("Fund {number}")), ..pattern.clone() }
    };
    setup.instruments = (0..count).map(fund).collect();
    let mut world = World::new(&setup, Seed(1), at("2026-01-05T08:00:00+01:00")).expect("a valid setup");
    let happened = world.advance(at("2027-01-05T08:00:00+01:00")).len();
    println!("a year of {count} idle funds: {happened} happenings told");
}
