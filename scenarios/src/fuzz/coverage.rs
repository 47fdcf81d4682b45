//! What generated runs have met: rows of state tables, classes of refusal, accepted and refused commands.

use sim::World;
use sim::machines::order;
use sim::refusal::{CLASSES, Class};
use std::collections::BTreeMap;

/// Counts over any number of runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// How often each row of the order table was taken, in table order.
    pub order_rows: Vec<u64>,
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

    /// Adds the rows that a world has visited.
    pub fn note_rows(&mut self, world: &World) {
        for (count, visits) in self.order_rows.iter_mut().zip(world.order_rows_visited()) {
            *count += visits;
        }
    }

    /// Adds what other runs have met.
    pub fn add(&mut self, other: &Self) {
        for (count, more) in self.order_rows.iter_mut().zip(&other.order_rows) {
            *count += more;
        }
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

    /// Every state table with what was visited of it.
    #[must_use]
    pub fn tables(&self) -> Vec<TableCoverage> {
        let unvisited = order::TABLE.iter().zip(&self.order_rows).filter(|(_, count)| **count == 0);
        let unvisited: Vec<String> =
            unvisited.map(|((from, on, to, _), _)| format!("{from:?} --{on:?}--> {to:?}")).collect();
        let rows = order::TABLE.len();
        vec![TableCoverage { machine: "order", rows, visited: rows - unvisited.len(), unvisited }]
    }
}
