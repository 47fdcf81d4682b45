//! The days of a world: which are bank days, half-days and holidays, and what is due on each.
//!
//! Owns: what a day shows, and how months are drawn. Invariant: every number on a day is the length of a list of the world. Absent on
//! purpose: how the world plans (`sim::calendar`, `sim::timers`).

mod chart;
mod facts;
mod words;

pub use facts::{Day, DayKind, DueKind, Facts};

use crate::frame::document::{Drawing, Drawn, Head};
use crate::frame::{Width, ink};

impl Drawing for Facts {
    fn head(&self) -> Head<'_> {
        Head { id: "calendar", title: words::title(self), description: words::description(self), inks: &ink::COMMON }
    }

    fn draw(&self, width: Width) -> Drawn {
        chart::draw(self, width)
    }

    fn as_text(&self) -> String {
        words::text(self)
    }
}
