//! What a world of savers takes in memory, stage by stage and type by type, events aside.
//!
//! Bytes are those asked of the allocator, so they are the same on every machine. `cargo bench -p fundsim-sim --bench memory`;
//! a number as argument sets the accounts.

#![allow(clippy::print_stdout, reason = "a bench prints its report")]

mod savers;

use cap::Cap;
use savers::common::at;
use sim::World;
use sim::records::{
    Account, CashTransaction, FundTransaction, Instruction, Journey, Order, Payment, SavingsPlan,
};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Accounts unless an argument says otherwise: little enough to be counted in seconds, enough for tables to even out.
const ACCOUNTS: usize = 2_000;

fn main() {
    let count = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(ACCOUNTS);
    let mut bench = savers::empty();
    let mut stage = ALLOCATOR.allocated();
    let mut grown = |what: &str, by: usize, of: &str, world: &mut World| {
        drop(world.take_events());
        drop(world.take_callbacks());
        let now = ALLOCATOR.allocated();
        let bytes = now.saturating_sub(stage);
        println!("{what:<46} {:>8} bytes {of}, {by} of them", bytes / by.max(1));
        stage = ALLOCATOR.allocated();
    };
    let accounts = savers::open(&mut bench, count);
    grown("an account with two positions", count, "an account", &mut bench.world);
    savers::plan(&mut bench, &accounts);
    grown("its savings plan, by a journey", count, "an account", &mut bench.world);
    savers::advance(&mut bench.world, at("2027-01-05T08:00:00+01:00"));
    let orders = settled(&bench.world);
    grown("a year of plans and fees", orders, "an order", &mut bench.world);
    for (what, bytes) in [
        ("Account", size_of::<Account>()),
        ("Order", size_of::<Order>()),
        ("CashTransaction", size_of::<CashTransaction>()),
        ("FundTransaction", size_of::<FundTransaction>()),
        ("Instruction", size_of::<Instruction>()),
        ("Payment", size_of::<Payment>()),
        ("SavingsPlan", size_of::<SavingsPlan>()),
        ("Journey", size_of::<Journey>()),
        ("Event", size_of::<sim::Event>()),
    ] {
        println!("  {what:<44} {bytes:>8} bytes");
    }
    println!("records {}", bench.world.records());
}

/// Orders that have been posted.
fn settled(world: &World) -> usize {
    let client = sim::query::clients(world).next().expect("a client").id;
    let orders = sim::query::orders(world, client, &Default::default(), &Default::default());
    orders.iter().filter(|order| order.state.name() == "settled").count()
}
