//! A world at a glance: what all accounts are worth over days, how far orders are, which requests fail, whether webhooks arrive, and
//! what comes next.
//!
//! Owns: what is counted of a world, and how it is drawn. Invariant: every number is that of a list of the world, and what is left out is
//! counted. Absent on purpose: how requests and deliveries are kept, which is the server's.

mod chart;
mod facts;
mod words;

pub use facts::{Facts, FailingRequest, HookHealth, NextThing, Requests, WorldFacts};

use crate::frame::document::{Drawing, Drawn, Head};
use crate::frame::{Width, ink};

impl Drawing for Facts {
    fn head(&self) -> Head<'_> {
        Head { id: "world", title: words::title(self), description: words::description(self), inks: &ink::COMMON }
    }

    fn draw(&self, width: Width) -> Drawn {
        chart::draw(self, width)
    }

    fn as_text(&self) -> String {
        words::text(self)
    }
}
