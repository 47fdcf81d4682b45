//! An account's life as a picture: what it is worth, what came and went, and what was ordered, over the same days.
//!
//! Owns: which facts are shown, how they are drawn, and how a picture reads without eyes or in the dark. Invariant: a picture
//! depends on the world alone, byte for byte, and every coordinate maps to the number that the ledger has: no bar is made
//! larger to be seen. Absent on purpose: any figure that the world does not know by itself.

mod canvas;
mod chart;
mod document;
mod facts;
mod ink;
mod labels;
mod numbers;
mod time_axis;
mod words;

#[cfg(test)]
mod tests;

use facts::Facts;
use sim::query::AccountHistory;
use sim::world::World;

/// The picture of an account with its history, as an SVG document.
#[must_use]
pub fn of(world: &World, history: AccountHistory) -> String {
    let facts = Facts::of(world, history);
    let drawn = chart::draw(&facts);
    document::whole(&facts, &drawn)
}
