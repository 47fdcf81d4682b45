//! Who did what with whom, in the order of the world's time: requests, events, deliveries and money between the customer, the
//! partner, the platform, the bank and the fund company.
//!
//! Owns: the lanes, the kinds of steps, and how both are drawn. Invariant: a step is drawn from the lane that acts to the lane that
//! is reached, and an amount is that of its booking. Absent on purpose: how causes are found, which is the server's.

mod chart;
mod facts;
mod words;

pub use facts::{Change, Facts, Lane, Step, StepKind};

use crate::frame::document::{self, Head};
use crate::frame::{Picture, Width, ink};

impl Facts {
    /// As a part of a page, under an id of letters, digits and hyphens that nothing else of the page has.
    #[must_use]
    pub fn part(&self, id: &str, width: Width) -> String {
        document::part(&self.head(id), &chart::draw(self, width))
    }

    fn head<'d>(&self, id: &'d str) -> Head<'d> {
        Head { id, title: words::title(self), description: words::description(self), inks: &ink::COMMON }
    }
}

impl Picture for Facts {
    fn svg(&self, width: Width) -> String {
        document::whole(&self.head("sequence"), &chart::draw(self, width))
    }

    fn text(&self) -> String {
        words::text(self)
    }
}
