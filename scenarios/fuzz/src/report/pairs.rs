//! Pairs in a report: how many of those that could be met were, and which common things have never met.
//!
//! Invariant: of what was never met no report says more than `MOST_NAMED` a table, the most common things first. Absent on purpose: what
//! a pair is, which `coverage` says.

use crate::coverage::pairs::{Pairs, SIDES, STATES, WORK};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use sim::timers::Timer;
use std::collections::{BTreeMap, BTreeSet};

/// Most pairs of one table that a report names as never met.
const MOST_NAMED: usize = 12;
/// The sides of an instant that are within a millisecond of it.
const CLOSE: std::ops::RangeInclusive<usize> = 1..=3;
/// Work that is about orders, which commands about funds change, too.
const OF_ORDERS: usize = 10;

/// Pairs of one kind: what was met, by the command and what it met.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairTable {
    /// By what was met and then by command: how often, or how often on each side of an instant.
    pub counts: BTreeMap<String, BTreeMap<String, Vec<u64>>>,
}

/// All pairs of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairReport {
    /// Commands within a day of the instant of a timer, by its kind.
    pub timers: PairTable,
    /// Commands by the state of what they are about.
    pub states: PairTable,
    /// Changes by the work that waits then.
    pub work: PairTable,
}

/// A pair that could be met and never was, with how often each of the two was met with something else.
struct Missed<'a> {
    row: &'a str,
    command: &'a str,
    times: [u64; 2],
}

impl PairTable {
    fn note(&mut self, (row, command): (&str, &str), counts: &[u64]) {
        let own = self.counts.entry(row.to_owned()).or_default().entry(command.to_owned()).or_default();
        own.resize(own.len().max(counts.len()), 0);
        own.iter_mut().zip(counts).for_each(|(own, more)| *own += more);
    }

    fn add(&mut self, other: &Self) {
        for (row, commands) in &other.counts {
            commands.iter().for_each(|(command, counts)| self.note((row, command), counts));
        }
    }

    fn met(&self, row: &str, command: &str) -> u64 {
        self.counts.get(row).and_then(|commands| commands.get(command)).map_or(0, |counts| counts.iter().sum())
    }

    fn commands(&self) -> BTreeSet<&str> {
        self.counts.values().flat_map(BTreeMap::keys).map(String::as_str).collect()
    }

    /// What was never met of the pairs of these rows with every command that met one of them; the most common things first.
    fn missed<'a>(&'a self, rows: &[&'a str]) -> Vec<Missed<'a>> {
        let all = |row: &str| self.commands().iter().map(|command| self.met(row, command)).sum::<u64>();
        let of_rows: Vec<u64> = rows.iter().map(|row| all(row)).collect();
        let mut missed = Vec::new();
        for command in self.commands() {
            let times: u64 = rows.iter().map(|row| self.met(row, command)).sum();
            if times == 0 {
                continue;
            }
            let never = rows.iter().zip(&of_rows).filter(|(row, _)| self.met(row, command) == 0);
            missed.extend(never.map(|(row, of_row)| Missed { row, command, times: [*of_row, times] }));
        }
        missed
            .sort_by_key(|missed| (std::cmp::Reverse(missed.times.iter().min().copied()), missed.row, missed.command));
        missed
    }
}

impl PairReport {
    /// The pairs that runs have met.
    pub(super) fn of(pairs: &Pairs) -> Self {
        let mut report = Self::default();
        pairs.timers.iter().for_each(|(pair, counts)| report.timers.note(*pair, counts));
        pairs.states.iter().for_each(|(pair, count)| report.states.note(*pair, &[*count]));
        pairs.work.iter().for_each(|(pair, count)| report.work.note(*pair, &[*count]));
        report
    }

    /// Adds those of another part.
    pub(super) fn add(&mut self, other: &Self) {
        self.timers.add(&other.timers);
        self.states.add(&other.states);
        self.work.add(&other.work);
    }

    /// Whether runs have looked for any.
    pub(super) fn is_empty(&self) -> bool {
        self.timers.counts.is_empty() && self.states.counts.is_empty()
    }

    /// Each table with its title, how many of its pairs were met, and those that were never.
    fn tables(&self) -> Vec<(&'static str, &PairTable, usize, Vec<Missed<'_>>)> {
        let things: BTreeSet<&str> = STATES.iter().map(|state| thing(state)).collect();
        let of = |name: &str| STATES.iter().copied().filter(|state| thing(state) == name).collect::<Vec<_>>();
        let states = things.into_iter().flat_map(|name| self.states.missed(&of(name))).collect();
        let work = [&WORK[..OF_ORDERS], &WORK[OF_ORDERS..]].iter().flat_map(|rows| self.work.missed(rows)).collect();
        let met = |table: &PairTable| table.counts.values().map(BTreeMap::len).sum();
        [
            ("timer and command", &self.timers, self.timers.missed(Timer::ALL_WHAT)),
            ("state and command", &self.states, states),
            ("work that waits and command", &self.work, work),
        ]
        .map(|(title, table, missed)| (title, table, met(table), missed))
        .into()
    }

    /// In words: what was met, and the first of what was not.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (title, _, met, missed) in self.tables() {
            lines.push(format!("{title}: {met} of {} pairs met", met + missed.len()));
            let named = missed.iter().take(MOST_NAMED);
            lines.extend(named.map(|missed| format!("  never met: {} x {}", missed.row, missed.command)));
            if missed.len() > MOST_NAMED {
                lines.push(format!("  and {} more", missed.len() - MOST_NAMED));
            }
        }
        let close = self.timers.counts.values().flat_map(BTreeMap::values).filter(|counts| is_close(counts)).count();
        lines.push(format!("timer and command within a millisecond of each other: {close} pairs met"));
        lines
    }

    /// The first of what was never met, with how often each of the two was met with something else.
    pub(super) fn never(&self) -> Vec<(String, String)> {
        let mut never = Vec::new();
        for (_, _, _, missed) in self.tables() {
            let left = missed.len().saturating_sub(MOST_NAMED);
            never.extend(missed.iter().take(MOST_NAMED).map(|missed| {
                let [row, command] = missed.times;
                let near =
                    format!("the first was met {row} times with other commands, the second {command} times elsewhere");
                (format!("{} x {}", missed.row, missed.command), near)
            }));
            if left > 0 {
                never.push((format!("{left} more pairs of this table"), String::new()));
            }
        }
        never
    }

    /// Each table as a map of how often, with `cell` for one count and its title.
    pub(super) fn maps(&self, cell: impl Fn(u64, &str) -> Markup) -> Markup {
        html! {
            @for (title, table, met, missed) in self.tables() {
                section {
                    h2 { "Pairs: " (title) }
                    p.note { (met) " of " (met + missed.len()) " pairs met" }
                    div.map {
                        table {
                            thead { tr { td {} @for command in table.commands() { th scope="col" { span { (command) } } } } }
                            tbody {
                                @for (row, commands) in &table.counts {
                                    tr {
                                        th scope="row" { (row) }
                                        @for command in table.commands() {
                                            @let counts = commands.get(command);
                                            (cell(table.met(row, command), &sides(counts.map(Vec::as_slice))))
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The first words of a state that say what it is the state of.
fn thing(state: &str) -> &str {
    if state.starts_with("mobile payment") { "mobile payment" } else { state.split(' ').next().unwrap_or_default() }
}

/// Whether a command came within a millisecond of a timer.
fn is_close(counts: &[u64]) -> bool {
    counts.iter().enumerate().any(|(side, count)| CLOSE.contains(&side) && *count > 0)
}

/// How often on each side of an instant, in words.
fn sides(counts: Option<&[u64]>) -> String {
    let counts = counts.filter(|counts| counts.len() == SIDES.len()).unwrap_or_default();
    let listed = SIDES.iter().zip(counts).filter(|(_, count)| **count > 0);
    listed.map(|(side, count)| format!("{count} {side}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_common_and_has_never_met_comes_first() {
        let mut table = PairTable::default();
        for (pair, count) in [(("a", "x"), 9), (("a", "y"), 9), (("b", "x"), 9), (("c", "x"), 1)] {
            table.note(pair, &[count]);
        }
        let missed = table.missed(&["a", "b", "c", "d"]);
        let named: Vec<_> = missed.iter().map(|missed| (missed.row, missed.command)).collect();
        assert_eq!(named, [("b", "y"), ("c", "y"), ("d", "x"), ("d", "y")]);
    }

    #[test]
    fn parts_add_up() {
        let mut one = PairReport::default();
        one.timers.note(("cut-off", "an order"), &[1, 0, 2, 0, 0]);
        let other = one.clone();
        one.add(&other);
        assert_eq!(one.timers.counts["cut-off"]["an order"], [2, 0, 4, 0, 0]);
        assert!(one.lines().iter().any(|line| line.ends_with("each other: 1 pairs met")));
    }
}
