//! Worlds of one family: which began as forks of which, where each was put back, and which snapshots it has.
//!
//! Owns: which branches are shown, how they are drawn and written. Invariant: every branch of a shown world is shown, or counted among
//! those that are left out. Absent on purpose: what happened on a branch.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! facts
//! chart
//! ```

mod chart;
mod facts;

#[cfg(test)]
mod tests;

pub use facts::{BranchFact, Facts, SnapshotFact, WorldFact};

use crate::frame::document::{Drawing, Drawn, Head};
use crate::frame::lines::Lines;
use crate::frame::{Width, ink};

impl Drawing for Facts {
    fn head(&self) -> Head<'_> {
        Head { id: "forks", title: self.title(), description: self.description(), inks: &ink::COMMON }
    }

    fn draw(&self, width: Width) -> Drawn {
        chart::draw(self, width)
    }

    fn as_text(&self) -> String {
        let mut lines = Lines::titled(&self.title(), &self.subtitle());
        for world in &self.worlds {
            let of = world.fork_of.as_ref().map(|of| format!(", a fork of {of}")).unwrap_or_default();
            lines.heading(&format!("{}, {}{of}", world.name, world.id));
            let row = |branch: &BranchFact| {
                [
                    if branch.present { "*" } else { "" }.to_owned(),
                    branch.begin.to_owned(),
                    branch.continues.map(|input| input.to_string()).unwrap_or_default(),
                    branch.from.to_string(),
                    branch.to.to_string(),
                    branch.inputs.to_string(),
                ]
            };
            let rows: Vec<_> = world.branches.iter().map(row).collect();
            lines.table(["", "branch", "from input", "begins", "reaches", "inputs"], &rows);
            for snapshot in &world.snapshots {
                let input = snapshot.input.map(|input| format!(" after input {input}")).unwrap_or_default();
                lines.line(&format!("snapshot {}, {}{input}", snapshot.name, snapshot.at));
            }
        }
        lines.end()
    }
}
