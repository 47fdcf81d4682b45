//! Where people on pages are: what each has before them, and where their last answer leads.
//!
//! Absent on purpose: what is told of it (`pages`).

use crate::page::Page;
use sim::ids::JourneyId;
use std::collections::BTreeMap;

/// The browsers of all who are on their way through a journey; a story has one.
#[derive(Debug, Default)]
pub(super) struct Browsers {
    pub(super) windows: BTreeMap<JourneyId, Window>,
    /// Whose window is in front.
    pub(super) front: Option<JourneyId>,
}

/// One of them.
#[derive(Debug, Default)]
pub(super) struct Window {
    pub(super) page: Option<Page>,
    /// Where the last answer leads.
    pub(super) onward: Option<String>,
    /// Where the last form went, and what it held.
    pub(super) sent: Option<(String, Vec<u8>)>,
}
