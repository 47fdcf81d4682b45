//! What of a journal is not needed to make its worlds again: worlds that were dropped.
//!
//! Invariant: without it the same worlds are made, and neither numbers nor seeds nor secrets are given again. Absent on purpose: how
//! entries are read and kept.

use std::collections::BTreeSet;

use memchr::memmem;

use crate::journal::{Entry, What, world_of};
use feed::transport::TransportTime;

/// Which worlds of a journal need not be made again: those that were dropped, and from which no world that is alive was forked.
#[derive(Debug, Default)]
pub struct Dropped {
    dropped: BTreeSet<u64>,
    /// Each fork with the world that it was forked from.
    forks: Vec<(u64, u64)>,
}

impl Dropped {
    /// Reads one entry. What cannot be read says nothing.
    pub fn note(&mut self, entry: &[u8]) {
        // Few entries have these words, and in a text the quotes would be escaped.
        let may_have = |words: &str| memmem::find(entry, words.as_bytes()).is_some();
        if !may_have("\"dropped\":") && !may_have("\"forked\":") {
            return;
        }
        match serde_json::from_slice(entry) {
            Ok(Entry { what: What::Dropped(world), .. }) => drop(self.dropped.insert(world)),
            Ok(Entry { what: What::Forked(fork), .. }) => self.forks.push((fork.world, fork.of)),
            _ => {}
        }
    }

    /// Their numbers.
    #[must_use]
    pub fn worlds(mut self) -> BTreeSet<u64> {
        // A fork comes after the world that it was forked from.
        for (fork, of) in self.forks.into_iter().rev() {
            if !self.dropped.contains(&fork) {
                self.dropped.remove(&of);
            }
        }
        self.dropped
    }
}

/// Leaves out of a journal what is not needed.
#[derive(Debug)]
pub struct Compaction {
    /// Worlds that need not be made.
    left_out: BTreeSet<u64>,
    /// When the last entry was made.
    at: TransportTime,
    entries: u64,
    last: u64,
    made: u64,
    requests: u64,
    brought: BTreeSet<u64>,
}

impl Compaction {
    /// Without these worlds.
    #[must_use]
    pub fn without(left_out: BTreeSet<u64>) -> Self {
        let (at, brought) = (TransportTime(0), BTreeSet::new());
        Self { left_out, at, entries: 0, last: 0, made: 0, requests: 0, brought }
    }

    /// Whether an entry is needed. What cannot be read is, unless it is of a world that is not.
    pub fn needs(&mut self, entry: &[u8]) -> bool {
        let read: Result<Entry<'_>, _> = serde_json::from_slice(entry);
        let world = read.as_ref().map_or_else(|_| world_of(entry), |entry| entry.what.world());
        if let Ok(Entry { at, .. }) = read {
            self.at = self.at.max(at);
        }
        let Some(world) = world.filter(|world| self.left_out.contains(world)) else { return true };
        self.entries += 1;
        self.last = self.last.max(world);
        match read.map(|entry| entry.what) {
            Ok(What::Made(made)) => {
                self.made += 1;
                self.brought.extend(Some(made.credentials.world()).filter(|number| *number != world));
            }
            Ok(What::Input(input)) => self.requests = self.requests.max(input.request.unwrap_or(0)),
            _ => {}
        }
        false
    }

    /// The entry that stands for what was left out, and how many entries that were; none where nothing was.
    #[must_use]
    pub fn end(self) -> Option<(Vec<u8>, u64)> {
        let Self { at, entries, last, made, requests, brought, .. } = self;
        let what = What::Numbered { last, made, requests, brought: brought.into_iter().collect() };
        (entries > 0).then(|| (Entry { at, what }.write(), entries))
    }
}
