//! What generated runs have met: rows of state tables, classes of refusal, accepted and refused commands, pairs of these, and cases
//! of laws.

pub mod pairs;

use oracle::check::{COMMANDS, Law, Met};
use oracle::model::closings;
use oracle::model::fee_files::TO_BE_MET;
use oracle::model::money_files::ChargeOutcome;
use pairs::Pairs;
use rare::Tally;
use sim::World;
use sim::machines::{MACHINES, Visits};
use sim::refusal::{CLASSES, Class};
use std::collections::BTreeMap;

/// Counts over any number of runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// How often each row of each table was taken.
    pub visits: Visits,
    /// Commands by name: how often they were accepted, and refused in which class.
    pub commands: BTreeMap<&'static str, BTreeMap<Option<Class>, u64>>,
    /// Commands of which the judge did not know whether they would be accepted, by name.
    pub unjudged: BTreeMap<&'static str, u64>,
    /// What fees and closings have met.
    pub fees: BTreeMap<&'static str, u64>,
    /// How charges of payments have ended.
    pub charges: BTreeMap<ChargeOutcome, u64>,
    /// What runs over the network have met besides.
    pub network: BTreeMap<&'static str, u64>,
    /// What has come together.
    pub pairs: Pairs,
    /// Which rare points have happened, in builds that have them.
    pub rare: Tally,
    /// How often the case of each law was met.
    pub laws: Met,
}

impl Default for Coverage {
    fn default() -> Self {
        Self {
            visits: Visits::default(),
            commands: COMMANDS.iter().map(|&name| (name, BTreeMap::from([(None, 0)]))).collect(),
            unjudged: BTreeMap::new(),
            fees: TO_BE_MET.iter().chain(closings::TO_BE_MET).map(|&what| (what, 0)).collect(),
            charges: ChargeOutcome::ALL.iter().map(|&what| (what, 0)).collect(),
            network: BTreeMap::new(),
            pairs: Pairs::default(),
            rare: Tally::new(),
            laws: Met::default(),
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
    /// Notes how a command of this name ended.
    pub fn note(&mut self, name: &'static str, class: Option<Class>) {
        *self.commands.entry(name).or_default().entry(class).or_default() += 1;
    }

    /// Notes that nobody judges whether a command of this name is accepted.
    pub fn note_unjudged(&mut self, name: &'static str) {
        *self.unjudged.entry(name).or_default() += 1;
    }

    /// Notes something that only runs over the network meet.
    pub fn note_network(&mut self, what: &'static str) {
        *self.network.entry(what).or_default() += 1;
    }

    /// Notes the case of a law.
    pub const fn note_law(&mut self, law: Law) {
        self.laws.note(law);
    }

    /// Adds the rows that a world has visited.
    pub fn note_rows(&mut self, world: &World) {
        self.visits.add(world.visits());
    }

    /// Adds what other runs have met.
    pub fn add(&mut self, other: &Self) {
        self.visits.add(&other.visits);
        for (name, ends) in &other.commands {
            let all = self.commands.entry(name).or_default();
            ends.iter().for_each(|(class, more)| *all.entry(*class).or_default() += more);
        }
        for (own, more) in
            [(&mut self.unjudged, &other.unjudged), (&mut self.fees, &other.fees), (&mut self.network, &other.network)]
        {
            more.iter().for_each(|(what, more)| *own.entry(what).or_default() += more);
        }
        for (what, more) in &other.charges {
            *self.charges.entry(*what).or_default() += more;
        }
        self.pairs.add(&other.pairs);
        self.rare.add(&other.rare);
        self.laws.add(&other.laws);
    }

    /// Refusals by class, also of those that were not met.
    #[must_use]
    pub fn refusals(&self) -> BTreeMap<Class, u64> {
        let mut refusals: BTreeMap<Class, u64> = CLASSES.iter().map(|&class| (class, 0)).collect();
        for (class, count) in self.commands.values().flatten() {
            if let Some(class) = class {
                *refusals.entry(*class).or_default() += count;
            }
        }
        refusals
    }

    /// Commands that were accepted.
    #[must_use]
    pub fn accepted(&self) -> u64 {
        self.commands.values().filter_map(|ends| ends.get(&None)).sum()
    }

    /// Commands in all.
    #[must_use]
    pub fn tried(&self) -> u64 {
        self.commands.values().flat_map(BTreeMap::values).sum()
    }

    /// The state tables, with what was visited of them.
    #[must_use]
    pub fn tables(&self) -> Vec<TableCoverage> {
        MACHINES
            .iter()
            .map(|machine| {
                let (rows, unvisited) = (machine.rows().len(), self.visits.never_taken(*machine));
                TableCoverage { machine: machine.name(), rows, visited: rows - unvisited.len(), unvisited }
            })
            .collect()
    }
}
