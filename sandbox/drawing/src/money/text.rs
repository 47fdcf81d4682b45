//! The picture of money as plain text: the same flows, readable at 100 columns.
//!
//! Invariant: every amount of the facts is written.

use super::facts::{Facts, Flow, LedgerLine, Node};
use super::words::{left_out, plain, title};
use std::fmt::Write as _;

const WRITTEN: &str = "a text takes what is written";

/// The text.
pub(super) fn text(facts: &Facts) -> String {
    let mut text = format!("{}, {}\n", title(facts), facts.currency);
    for (heading, column) in [("Comes into accounts", 1), ("Leaves accounts", 3)] {
        let kinds: Vec<&Node> = facts.column(column).collect();
        let sum = kinds.iter().map(|kind| kind.ore).sum();
        writeln!(text, "\n{heading:<60}{:>20}", plain(sum)).expect(WRITTEN);
        for kind in kinds {
            writeln!(text, "  {:<58}{:>20}", kind.name, plain(kind.ore)).expect(WRITTEN);
            for flow in facts.flows.iter().filter(|flow| flow.from == kind.id || flow.to == kind.id) {
                let (word, end) = if flow.to == kind.id { ("from", &flow.from) } else { ("to", &flow.to) };
                let name = facts.name_of(end);
                writeln!(text, "    {:<56.56}{:>20}", format!("{word} {name}"), plain(flow.ore)).expect(WRITTEN);
            }
        }
    }
    if !facts.between.is_empty() {
        writeln!(text, "\nBetween the platform's own accounts").expect(WRITTEN);
        for Flow { from, to, ore, .. } in &facts.between {
            writeln!(text, "  {:<58}{:>20}", format!("{from} to {to}"), plain(*ore)).expect(WRITTEN);
        }
    }
    writeln!(text, "\n{:<20}{:>20}{:>20}{:>20}{:>20}", "Ledger", "before", "received", "paid", "after").expect(WRITTEN);
    for LedgerLine { account, before, received, paid, after } in &facts.ledger {
        let [before, received, paid, after] = [*before, *received, *paid, *after].map(plain);
        writeln!(text, "{account:<20}{before:>20}{received:>20}{paid:>20}{after:>20}").expect(WRITTEN);
    }
    left_out(facts).into_iter().for_each(|line| writeln!(text, "\n{line}").expect(WRITTEN));
    text
}
