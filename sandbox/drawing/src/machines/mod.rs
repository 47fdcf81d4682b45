//! The state tables as maps of how often: a shade for each row that was taken, a hatch for each that never was.
//!
//! Owns: which tables are shown, how they are drawn and written. Invariant: every row of a table is drawn with its count. Absent on
//! purpose: what would make a row be taken, which coverage lists.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! facts, shades
//! chart
//! ```

mod chart;
mod facts;
mod shades;

#[cfg(test)]
mod tests;

pub use facts::Facts;

use crate::frame::Width;
use crate::frame::document::{Drawing, Drawn, Head};
use crate::frame::lines::Lines;

impl Drawing for Facts {
    fn head(&self) -> Head<'_> {
        Head { id: "machines", title: self.title(), description: self.description(), inks: &shades::INKS }
    }

    fn draw(&self, width: Width) -> Drawn {
        chart::draw(self, width)
    }

    fn as_text(&self) -> String {
        let (met, all) = self.met();
        let mut lines = Lines::titled(&self.title(), &format!("{met} of {all} rows taken"));
        for table in &self.machines {
            lines.heading(&format!("{}, {}: {} of {} rows", table.machine, table.about, table.met, table.rows.len()));
            let row = |row: &facts::RowCount| {
                let never = if row.taken == 0 { "never" } else { "" };
                [row.from.clone(), row.on.clone(), row.to.clone(), row.taken.to_string(), never.to_owned()]
            };
            lines.table(["from", "on", "to", "taken", ""], &table.rows.iter().map(row).collect::<Vec<_>>());
        }
        lines.end()
    }
}
