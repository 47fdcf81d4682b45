//! What a world takes in memory, stage by stage and type by type, events aside.
//!
//! Bytes are those asked of the allocator, so they are nearly the same on every machine; tables that double are counted as
//! they are. `cargo bench -p fundsim-sim --bench memory`; a number as argument sets the accounts.

#![allow(clippy::print_stdout, reason = "a bench prints its report")]

mod savers;

use cap::Cap;
use savers::common::{DAILY, at};
use sim::records::{
    Account, CashTransaction, FeeFile, FundTransaction, Instruction, Journey, Order, Payment, SavingsPlan,
};
use sim::{World, query};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Accounts unless an argument says otherwise: little enough to be counted in seconds, enough for tables to even out.
const ACCOUNTS: usize = 4_000;

fn main() {
    let count = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(ACCOUNTS);
    let mut bench = savers::empty();
    let mut stage = Stage(ALLOCATOR.allocated());
    savers::open_bare(&mut bench, count);
    stage.print_growth("an account with a bank account, wanted 2,048", count, &mut bench.world);

    let mut bench = savers::empty();
    stage = Stage(ALLOCATOR.allocated());
    let accounts = savers::open(&mut bench, count);
    stage.print_growth("  and with cash, two positions and their transactions", count, &mut bench.world);
    orders(&mut bench);
    stage.print_growth("a settled order of a partner, wanted 1,536", settled(&bench.world), &mut bench.world);

    let before = settled(&bench.world);
    savers::plan(&mut bench, &accounts);
    stage.print_growth("a savings plan, with the journey that stored it", count, &mut bench.world);
    savers::advance(&mut bench.world, at("2027-01-20T08:00:00+01:00"));
    let bought = settled(&bench.world) - before;
    stage.print_growth("a settled order of a plan, with payments and a year's fees", bought, &mut bench.world);
    for (what, bytes) in [
        ("Account", size_of::<Account>()),
        ("FeeFile", size_of::<FeeFile>()),
        ("Order", size_of::<Order>()),
        ("CashTransaction", size_of::<CashTransaction>()),
        ("FundTransaction", size_of::<FundTransaction>()),
        ("Instruction", size_of::<Instruction>()),
        ("Payment", size_of::<Payment>()),
        ("SavingsPlan", size_of::<SavingsPlan>()),
        ("Journey", size_of::<Journey>()),
        ("Event", size_of::<sim::Event>()),
    ] {
        println!("  {what:<58} {bytes:>8} bytes");
    }
}

/// What was allocated when a stage began.
struct Stage(usize);

impl Stage {
    /// Prints how many bytes each of `count` has added since the last call, and begins the next stage.
    fn print_growth(&mut self, what: &str, count: usize, world: &mut World) {
        drop(world.take_events());
        drop(world.take_callbacks());
        let bytes = ALLOCATOR.allocated().saturating_sub(self.0);
        println!("{what:<60} {:>8} bytes, over {count}", bytes / count.max(1));
        self.0 = ALLOCATOR.allocated();
    }
}

/// An order of the partner on every account that has cash, until all are settled.
fn orders(bench: &mut savers::common::Bench) {
    let accounts = query::accounts(&bench.world, bench.scope.client, &Default::default(), None);
    for account in accounts.iter().filter(|account| account.balance.is_positive()) {
        bench.order(bench.buy(account, DAILY, "500"));
    }
    drop(accounts);
    savers::advance(&mut bench.world, at("2026-01-20T08:00:00+01:00"));
}

/// Orders that have been posted.
fn settled(world: &World) -> usize {
    let client = query::clients(world).next().expect("a client").id;
    let orders = query::orders(world, client, &Default::default(), &Default::default());
    orders.iter().filter(|order| order.state.name() == "settled").count()
}
