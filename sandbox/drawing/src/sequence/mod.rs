//! Who did what with whom, in the order of the world's time: requests, events, deliveries and money between the customer, the
//! partner, the platform, the bank and the fund company.
//!
//! Owns: the lanes, the kinds of steps, and how both are drawn. Invariant: a step is drawn from the lane that acts to the lane that
//! is reached, and an amount is that of its booking. Absent on purpose: how causes are found, which is the server's.

mod chart;
mod facts;
mod words;

pub use facts::{Change, Facts, Lane, Step, StepKind};

use crate::frame::document::{Drawing, Drawn, Head};
use crate::frame::{Width, ink};

impl Drawing for Facts {
    fn head(&self) -> Head<'_> {
        Head { id: "sequence", title: words::title(self), description: words::description(self), inks: &ink::COMMON }
    }

    fn draw(&self, width: Width) -> Drawn {
        chart::draw(self, width)
    }

    fn as_text(&self) -> String {
        words::text(self)
    }
}
