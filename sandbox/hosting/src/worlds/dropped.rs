//! What of a journal is not needed to make its worlds again: worlds that were dropped.
//!
//! Invariant: without it the same worlds are made, and neither numbers nor seeds nor secrets are given again. Absent on purpose: how
//! entries are read and kept.

use std::collections::BTreeSet;

use memchr::memmem::Finder;

use crate::journal::{Entry, Unreadable, What};
use feed::transport::TransportTime;

/// Which worlds of a journal need not be made again: those that were dropped, and from which no world that is alive was forked.
#[derive(Debug)]
pub struct Dropped {
    /// An entry without either word is skipped.
    words: [Finder<'static>; 2],
    dropped: BTreeSet<u64>,
    /// Each fork with the world that it was forked from.
    forks: Vec<(u64, u64)>,
    /// Whether a fork could not be read, so that any world may lead to it.
    is_unsure: bool,
}

impl Default for Dropped {
    fn default() -> Self {
        // Few entries have these words, and in a text the quotes would be escaped.
        let words = [Finder::new("\"dropped\""), Finder::new("\"forked\"")];
        Self { words, dropped: BTreeSet::new(), forks: Vec::new(), is_unsure: false }
    }
}

impl Dropped {
    /// Reads one entry.
    pub fn note(&mut self, entry: &[u8]) {
        if self.words.iter().all(|word| word.find(entry).is_none()) {
            return;
        }
        match serde_json::from_slice(entry) {
            Ok(Entry { what: What::Dropped(world), .. }) => drop(self.dropped.insert(world)),
            Ok(Entry { what: What::Forked(fork), .. }) => self.forks.push((fork.world, fork.of)),
            Ok(_) => {}
            Err(_) => self.is_unsure |= Unreadable::of(entry).what == "forked",
        }
    }

    /// Their numbers.
    #[must_use]
    pub fn worlds(mut self) -> BTreeSet<u64> {
        if self.is_unsure {
            return BTreeSet::new();
        }
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
    /// When the last one was made that is written.
    written: TransportTime,
    /// How many entries are left out.
    entries: u64,
    /// What stands for those that were left out since something was written for them.
    counted: Option<Counted>,
}

/// What is to be known of worlds that are left out.
#[derive(Debug, Default)]
struct Counted {
    last: u64,
    made: u64,
    requests: u64,
    brought: BTreeSet<u64>,
}

impl Compaction {
    /// Without these worlds.
    #[must_use]
    pub const fn without(left_out: BTreeSet<u64>) -> Self {
        let (at, written) = (TransportTime(0), TransportTime(0));
        Self { left_out, at, written, entries: 0, counted: None }
    }

    /// Takes the next entry, and hands what is written in its place to `write`. What cannot be read is written, unless it is of a world
    /// that is left out.
    pub fn take(&mut self, entry: Vec<u8>, mut write: impl FnMut(Vec<u8>)) {
        let read: Result<Entry<'_>, _> = serde_json::from_slice(&entry);
        let (at, world, is_start) = match &read {
            Ok(Entry { at, what }) => (Some(*at), what.world(), matches!(what, What::Started { .. })),
            Err(_) => {
                let Unreadable { at, world, .. } = Unreadable::of(&entry);
                (at, world, false)
            }
        };
        let Some(world) = world.filter(|world| self.left_out.contains(world)) else {
            drop(read);
            // A start goes by when the entry before it was made.
            if is_start && self.at > self.written {
                self.counted.get_or_insert_default();
                self.stand_for(&mut write);
            }
            self.at = self.at.max(at.unwrap_or_default());
            self.written = self.at;
            write(entry);
            return;
        };
        self.at = self.at.max(at.unwrap_or_default());
        self.entries += 1;
        let counted = self.counted.get_or_insert_default();
        counted.last = counted.last.max(world);
        match read.map(|entry| entry.what) {
            Ok(What::Made(made)) => {
                counted.made += 1;
                counted.brought.extend(Some(made.credentials.world()).filter(|number| *number != world));
            }
            Ok(What::Input(input)) => counted.requests = counted.requests.max(input.request.unwrap_or(0)),
            _ => {}
        }
    }

    /// Hands the last entry to `write` that stands for some that were left out; how many were.
    pub fn end(mut self, mut write: impl FnMut(Vec<u8>)) -> u64 {
        self.stand_for(&mut write);
        self.entries
    }

    fn stand_for(&mut self, write: &mut impl FnMut(Vec<u8>)) {
        if let Some(Counted { last, made, requests, brought }) = self.counted.take() {
            let what = What::Numbered { last, made, requests, brought: brought.into_iter().collect() };
            self.written = self.at;
            write(Entry { at: self.at, what }.write());
        }
    }
}
