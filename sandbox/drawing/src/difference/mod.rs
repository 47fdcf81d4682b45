//! What differs between two worlds, along their time: which resources only one of them has, which have changed, and since when.
//!
//! Owns: which differences are shown, how they are drawn and written. Invariant: each difference is drawn at the first instant at which
//! it can be seen. Absent on purpose: what time alone moves.
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

pub use facts::{DifferenceFact, DifferenceKind, Facts, TopicCount, WorldSide};

use crate::frame::document::{Drawing, Drawn, Head};
use crate::frame::lines::Lines;
use crate::frame::{Width, ink};

impl Drawing for Facts {
    fn head(&self) -> Head<'_> {
        Head { id: "difference", title: self.title(), description: self.description(), inks: &ink::COMMON }
    }

    fn draw(&self, width: Width) -> Drawn {
        chart::draw(self, width)
    }

    fn as_text(&self) -> String {
        let mut lines = Lines::titled(&self.title(), &self.subtitle());
        let count = |topic: &TopicCount| {
            let TopicCount { resource, alike, only_here, only_there, changed } = topic;
            let counts = [only_here, only_there, changed, alike].map(usize::to_string);
            let [only_here, only_there, changed, alike] = counts;
            [(*resource).to_owned(), only_here, only_there, changed, alike]
        };
        lines.heading("Resources");
        let rows: Vec<_> = self.topics.iter().map(count).collect();
        lines.table(["", "only here", "only there", "changed", "alike"], &rows);
        if !self.differences.is_empty() {
            lines.heading("The first differences");
            for difference in self.differences.iter().take(facts::LISTED) {
                let since = difference.at.map_or_else(|| "not known when".to_owned(), facts::when);
                lines.line(&format!("{since:<20} {}", facts::difference_in_words(difference)));
            }
        }
        lines.end()
    }
}
