//! Money of a period: where it came from, through which accounts it went, and where it is.
//!
//! Owns: which flows are shown, how they are drawn and written. Invariant: the flows are the postings that the books are the sum of,
//! each once; what comes into a node, with what was there before, is what leaves it, with what is there after. Absent on purpose:
//! units and values, which are no money.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! kinds
//! facts
//! words
//! chart, text
//! ```

mod chart;
mod facts;
mod kinds;
mod text;
mod words;

#[cfg(test)]
mod tests;

pub use facts::{Facts, Period};

use crate::frame::document::{Drawing, Drawn, Head};
use crate::frame::{Width, ink};

impl Drawing for Facts {
    fn head(&self) -> Head<'_> {
        Head { id: "money", title: words::title(self), description: words::description(self), inks: &ink::COMMON }
    }

    fn draw(&self, width: Width) -> Drawn {
        chart::draw(self, width)
    }

    fn as_text(&self) -> String {
        text::text(self)
    }
}
