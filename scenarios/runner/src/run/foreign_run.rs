//! How a story fares on a server that is no fundsim: what was skipped so far, and what that keeps from being judged.
//!
//! Invariant: nothing here outlives the run. Absent on purpose: what is done with it (`run::foreign`).

use super::references::References;
use crate::foreign::{Foreign, Levers, Tally};
use language::matching::Mismatch;
use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

/// Names that only a world of the story's own has.
const OF_A_WORLD: &[&str] = &["world", "now", "today"];

/// How a story fares on such a server.
pub(crate) struct ForeignRun {
    pub(super) without: Vec<String>,
    pub(super) tally: Tally,
    /// Names that skipped steps would have given.
    pub(super) missing: BTreeSet<String>,
    /// Whether a step was skipped that would have changed the world.
    pub(super) has_moved: bool,
    /// Whether events are unclaimed since the step was skipped that would have claimed them.
    pub(super) unclaimed: bool,
    /// Keeps the story's references apart from those of other runs.
    pub(super) references: References,
    /// What the last response was, if the step had one.
    pub(super) status: Option<u16>,
    /// What the description of the API says against the step's responses.
    pub(super) faults: Vec<Mismatch>,
    /// What is wrong with events that came since the last step was concluded.
    pub(super) event_faults: Vec<Mismatch>,
    /// Which levers the server has.
    pub(super) levers: Levers,
}

impl ForeignRun {
    pub(super) fn new(foreign: &Foreign) -> Self {
        Self {
            without: foreign.without.clone(),
            tally: Tally::default(),
            missing: OF_A_WORLD.iter().map(|name| (*name).to_owned()).collect(),
            has_moved: false,
            unclaimed: false,
            references: References::of(started()),
            status: None,
            faults: Vec::new(),
            event_faults: Vec::new(),
            levers: foreign.levers.clone(),
        }
    }

    /// What was asked and what was not.
    pub(super) fn into_tally(self) -> Tally {
        self.tally
    }
}

#[allow(clippy::disallowed_methods, reason = "keeps runs on a shared server apart; it is neither shown nor compared")]
fn started() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos())
}
