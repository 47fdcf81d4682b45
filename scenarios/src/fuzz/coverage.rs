//! What generated runs have met: rows of state tables, classes of refusal, accepted and refused commands.

use sim::World;
use sim::machines::{account, bank_account, journey, mandate, order, transfer};
use sim::refusal::{CLASSES, Class};
use sim::world::RowsVisited;
use std::collections::{BTreeMap, BTreeSet};

/// The machine of orders, and those that journeys move.
pub const ORDER: &str = "order";
/// See `ORDER`.
pub const OF_JOURNEYS: [&str; 5] = ["journey", "account", "bankAccount", "mandate", "transfer"];

/// Counts over any number of runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// How often each row of the order table was taken, in table order.
    pub order_rows: Vec<u64>,
    /// The same for the tables of journeys, accounts, bank accounts, mandates and transfers.
    pub journey_rows: RowsVisited,
    /// Machines that the runs were to visit.
    pub machines: BTreeSet<&'static str>,
    /// Refusals by class.
    pub refusals: BTreeMap<Class, u64>,
    /// Commands that were accepted.
    pub accepted: u64,
    /// Commands that were refused.
    pub refused: u64,
    /// What runs over the network have met besides.
    pub network: BTreeMap<&'static str, u64>,
}

impl Default for Coverage {
    fn default() -> Self {
        Self {
            order_rows: vec![0; order::TABLE.len()],
            journey_rows: RowsVisited::default(),
            machines: BTreeSet::new(),
            refusals: CLASSES.iter().map(|&class| (class, 0)).collect(),
            accepted: 0,
            refused: 0,
            network: BTreeMap::new(),
        }
    }
}

/// How much of one state table was visited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableCoverage {
    /// The table's machine.
    pub machine: &'static str,
    /// Rows it has.
    pub rows: usize,
    /// Rows that were taken at least once.
    pub visited: usize,
    /// The others, as `from --on--> to`.
    pub unvisited: Vec<String>,
}

impl Coverage {
    /// Notes how a command ended.
    pub fn note(&mut self, refused: Option<Class>) {
        match refused {
            None => self.accepted += 1,
            Some(class) => {
                self.refused += 1;
                *self.refusals.entry(class).or_default() += 1;
            }
        }
    }

    /// Notes something that only runs over the network meet.
    pub fn note_network(&mut self, what: &'static str) {
        *self.network.entry(what).or_default() += 1;
    }

    /// Adds the rows that a world of orders has visited.
    pub fn note_rows(&mut self, world: &World) {
        self.machines.insert(ORDER);
        add(&mut self.order_rows, world.order_rows_visited());
    }

    /// Adds the rows that a world of journeys has visited.
    pub fn note_journey_rows(&mut self, world: &World) {
        self.machines.extend(OF_JOURNEYS);
        self.journey_rows = sum(&self.journey_rows, world.rows_visited());
    }

    /// Adds what other runs have met.
    pub fn add(&mut self, other: &Self) {
        add(&mut self.order_rows, &other.order_rows);
        self.journey_rows = sum(&self.journey_rows, &other.journey_rows);
        self.machines.extend(&other.machines);
        for (class, more) in &other.refusals {
            *self.refusals.entry(*class).or_default() += more;
        }
        self.accepted += other.accepted;
        self.refused += other.refused;
        for (what, more) in &other.network {
            *self.network.entry(what).or_default() += more;
        }
    }

    /// Commands in all.
    #[must_use]
    pub const fn commands(&self) -> u64 {
        self.accepted + self.refused
    }

    /// The state tables that were to be visited, with what was visited of them.
    #[must_use]
    pub fn tables(&self) -> Vec<TableCoverage> {
        let rows = &self.journey_rows;
        macro_rules! table {
            ($name:expr, $machine:ident, $counts:expr) => {{
                let told = $machine::TABLE.iter().map(|(from, on, to, _)| format!("{from:?} --{on:?}--> {to:?}"));
                TableCoverage::of($name, told, $counts)
            }};
        }
        let all = [
            table!(ORDER, order, &self.order_rows),
            table!(OF_JOURNEYS[0], journey, &rows.journey),
            table!(OF_JOURNEYS[1], account, &rows.account),
            table!(OF_JOURNEYS[2], bank_account, &rows.bank_account),
            table!(OF_JOURNEYS[3], mandate, &rows.mandate),
            table!(OF_JOURNEYS[4], transfer, &rows.transfer),
        ];
        all.into_iter().filter(|table| self.machines.contains(table.machine)).collect()
    }
}

impl TableCoverage {
    fn of(machine: &'static str, told: impl Iterator<Item = String>, counts: &[u64]) -> Self {
        let unvisited: Vec<String> = told.zip(counts).filter(|(_, count)| **count == 0).map(|(row, _)| row).collect();
        let rows = counts.len();
        Self { machine, rows, visited: rows - unvisited.len(), unvisited }
    }
}

fn add(sum: &mut [u64], more: &[u64]) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

fn sum(one: &RowsVisited, other: &RowsVisited) -> RowsVisited {
    let mut sum = one.clone();
    add(&mut sum.journey, &other.journey);
    add(&mut sum.account, &other.account);
    add(&mut sum.bank_account, &other.bank_account);
    add(&mut sum.mandate, &other.mandate);
    add(&mut sum.transfer, &other.transfer);
    sum
}
