//! Where people on pages are: what each has before them, and where their last answer leads.
//!
//! Absent on purpose: what a story says of it (`pages`).

use page::Page;
use sim::ids::JourneyId;
use std::collections::{BTreeMap, VecDeque};

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
    /// What it showed before, and another tab may still show.
    pub(super) before: VecDeque<Page>,
    /// The step that has opened an address, until a page has come and shown its language.
    pub(super) opening: Option<usize>,
    /// Where the last answer leads.
    pub(super) onward: Option<String>,
    /// Where the last form went, and what it held.
    pub(super) sent: Option<(String, Vec<u8>)>,
}

/// Pages of before that are remembered.
const MOST_BEFORE: usize = 8;

impl Window {
    /// Another page comes in the place of the one that was shown.
    pub(super) fn shows(&mut self, page: Page) {
        self.before.retain(|known| known.path != page.path);
        self.before.extend(self.page.replace(page));
        if self.before.len() > MOST_BEFORE {
            self.before.pop_front();
        }
    }
}
