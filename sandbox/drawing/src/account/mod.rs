//! An account's life as a picture: what it is worth, what came and went, and what was ordered, over the same days.
//!
//! Owns: which facts are shown, how they are drawn, and how a picture reads without eyes or in the dark. Invariant: a picture
//! depends on the world alone, byte for byte, and every coordinate maps to the number that the ledger has: no bar is made
//! larger to be seen. Absent on purpose: any figure that the world does not know by itself.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! facts, layout
//! words
//! chart
//! ```

mod chart;
mod facts;
mod layout;
mod words;

pub use facts::Facts;

use crate::frame::document::{Drawing, Drawn, Head};
use crate::frame::{Width, ink};

impl Drawing for Facts {
    fn head(&self) -> Head<'_> {
        Head {
            id: &self.reference,
            title: words::title(self),
            description: words::description(self),
            inks: &ink::OF_ACCOUNT,
        }
    }

    fn draw(&self, width: Width) -> Drawn {
        chart::draw(self, width)
    }

    fn as_text(&self) -> String {
        words::text(self)
    }
}
