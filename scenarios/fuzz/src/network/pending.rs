//! Requests that are kept for later: those that wait to be sent at once, and those that were not answered.
//!
//! Absent on purpose: what becomes of them (`at_once`, `unanswered`).

use crate::generate::Step;
use language::ast::StoryStep;
use sim::Command;

/// Most requests without an answer that are kept in doubt at once.
pub(super) const MOST_DOUBTS: usize = 3;

/// A request that was not answered.
pub(super) struct UnansweredRequest {
    pub(super) step: Step,
    pub(super) command: Command,
    /// Whether it must have happened, where the cause of the silence decides that.
    pub(super) happened: Option<bool>,
    /// The place of its step in the story, when it was struck on its way.
    pub(super) struck: Option<usize>,
}

/// Requests that wait until there are enough of them.
#[derive(Default)]
pub(super) struct AtOnce {
    pub(super) wanted: usize,
    pub(super) pauses: u8,
    pub(super) waiting: Vec<Waiting>,
}

/// A request that waits.
pub(super) struct Waiting {
    pub(super) step: Step,
    pub(super) command: Command,
    pub(super) story_step: StoryStep,
}

impl AtOnce {
    /// So many requests are to be sent at once; `pauses` holds the ticks before each, as digits.
    pub(super) const fn begin(&mut self, count: usize, pauses: u8) {
        (self.wanted, self.pauses) = (count, pauses);
    }

    pub(super) const fn is_open(&self) -> bool {
        self.wanted > 0
    }
}
