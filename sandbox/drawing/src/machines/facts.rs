//! What the picture of state tables shows: each table with how often its rows were taken.
//!
//! Invariant: every row of a table is here, those that were never taken with 0. Absent on purpose: who took them, which its caller
//! decides.

use crate::frame::time_axis::in_words;
use serde::Serialize;
use sim::machines::{MACHINES, Machine};
use sim::time::Instant;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A state, and how often something has entered it or began in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct StateCount {
    pub(super) state: String,
    pub(super) entered: u64,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct RowCount {
    pub(super) from: String,
    pub(super) on: String,
    pub(super) to: String,
    pub(super) taken: u64,
}

/// A state table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct MachineTable {
    pub(super) machine: Cow<'static, str>,
    pub(super) about: &'static str,
    /// None where only rows were counted.
    pub(super) states: Vec<StateCount>,
    pub(super) rows: Vec<RowCount>,
    /// How many rows were taken at least once.
    pub(super) met: usize,
}

impl MachineTable {
    /// The states that a row leads from, and what moves them, in the order of the rows.
    pub(super) fn sides(&self) -> (Vec<&str>, Vec<&str>) {
        let (mut seen, mut used) = (BTreeSet::new(), BTreeSet::new());
        let states = self.rows.iter().map(|row| row.from.as_str()).filter(|from| seen.insert(*from)).collect();
        (states, self.rows.iter().map(|row| row.on.as_str()).filter(|on| used.insert(*on)).collect())
    }

    /// A state with how often it was entered, where that was counted.
    pub(super) fn counted_state(&self, state: &str) -> String {
        match self.states.iter().find(|known| known.state == state) {
            Some(known) => format!("{state}  {}", known.entered),
            None => state.to_owned(),
        }
    }
}

/// All of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// When the tables were read, by the clock of the world; none where they are of many worlds.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Instant>,
    pub(super) machines: Vec<MachineTable>,
}

impl Facts {
    /// Tables with how often each of their states was entered, and each of their rows taken.
    pub fn of<'c>(
        at: Instant,
        counted: impl IntoIterator<Item = (&'static dyn Machine, &'c [u64], &'c [u64])>,
    ) -> Self {
        let table = |(machine, states, rows): (&'static dyn Machine, &[u64], &[u64])| {
            let states = machine.states().into_iter().zip(states);
            let counted = machine.rows().into_iter().zip(rows);
            MachineTable {
                machine: machine.name().into(),
                about: machine.about(),
                states: states.map(|(state, entered)| StateCount { state, entered: *entered }).collect(),
                rows: counted.map(|([from, on, to, _], taken)| RowCount { from, on, to, taken: *taken }).collect(),
                met: rows.iter().filter(|taken| **taken > 0).count(),
            }
        };
        Self { at: Some(at), machines: counted.into_iter().map(table).collect() }
    }

    /// Tables by name, each with how often runs in many worlds took its rows: from, on, to.
    pub fn of_runs<'c>(counted: impl IntoIterator<Item = (&'c str, Vec<([&'c str; 3], u64)>)>) -> Self {
        let row = |([from, on, to], taken): ([&str; 3], u64)| RowCount {
            from: from.to_owned(),
            on: on.to_owned(),
            to: to.to_owned(),
            taken,
        };
        let table = |(name, rows): (&str, Vec<_>)| MachineTable {
            machine: name.to_owned().into(),
            about: MACHINES.iter().find(|machine| machine.name() == name).map_or("", |machine| machine.about()),
            states: Vec::new(),
            met: rows.iter().filter(|(_, taken)| *taken > 0).count(),
            rows: rows.into_iter().map(row).collect(),
        };
        Self { at: None, machines: counted.into_iter().map(table).collect() }
    }

    /// Rows that were taken, and all of them.
    pub(super) fn met(&self) -> (usize, usize) {
        self.machines.iter().fold((0, 0), |(met, all), table| (met + table.met, all + table.rows.len()))
    }

    pub(super) fn title(&self) -> String {
        match self.at {
            Some(at) => format!("State tables up to {}", in_words(at.local_date())),
            None => "State tables of all runs".to_owned(),
        }
    }

    pub(super) fn subtitle(&self) -> String {
        let (met, all) = self.met();
        format!("{met} of {all} rows taken; the shade grows with each power of ten; hatched with 0: never taken")
    }

    /// What the picture shows, for those who do not see it.
    pub(super) fn description(&self) -> String {
        let (met, all) = self.met();
        let mut text = format!("{met} of {all} rows of state tables were taken.");
        for table in &self.machines {
            let most = table.rows.iter().max_by_key(|row| row.taken).filter(|row| row.taken > 0);
            let most = most.map(|row| format!("; the most, {}: {} on {}", row.taken, row.from, row.on));
            text.push_str(&format!(
                " {}: {} of {}{}.",
                table.machine,
                table.met,
                table.rows.len(),
                most.unwrap_or_default()
            ));
        }
        text
    }
}

/// A row in words.
pub(super) fn row_in_words(row: &RowCount) -> String {
    let times = match row.taken {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        many => format!("{many} times"),
    };
    format!("{} on {} leads to {}: {times}", row.from, row.on, row.to)
}
