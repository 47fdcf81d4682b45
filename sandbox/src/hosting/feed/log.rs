//! The events of one world, kept in order for readers that each have a cursor.
//!
//! Invariant: numbers are consecutive; an event is in the log only once its change can be read; what is kept is bounded,
//! and a reader that falls off is told so, never fed a gap. Numbers go on over resets; what a reset leaves behind is for
//! readers that are still at it, and shown to nobody else. Absent on purpose: replay for new readers
//! (rule: events/no-replay), which start at the end.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use axum::extract::ws::Utf8Bytes;
use sim::Event;
use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// One event as kept.
#[derive(Debug)]
pub struct Entry {
    /// The fact.
    pub event: Event,
    /// Its message, made at most once.
    message: OnceLock<Utf8Bytes>,
}

impl Entry {
    /// The message, made by `render` the first time.
    pub fn message(&self, render: impl FnOnce(&Event) -> Utf8Bytes) -> Utf8Bytes {
        self.message.get_or_init(|| render(&self.event)).clone()
    }

    /// The message, when somebody has made it.
    #[must_use]
    pub fn made(&self) -> Option<&Utf8Bytes> {
        self.message.get()
    }
}

/// Position of a reader: the number of the next event it wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor(pub u64);

/// What a reader finds at its cursor.
#[derive(Debug)]
pub enum ReadResult {
    /// Events from the cursor on, at least one.
    Some(Vec<Arc<Entry>>),
    /// Nothing yet.
    Nothing,
    /// The cursor's event is no longer kept.
    Gone,
}

/// A bounded log of events.
#[derive(Debug)]
pub struct Log {
    ring: Mutex<Ring>,
    news: Notify,
}

#[derive(Debug)]
struct Ring {
    /// Number of the oldest event kept.
    first: u64,
    /// Number of the first event of the world's present life.
    born: u64,
    kept: usize,
    entries: VecDeque<Arc<Entry>>,
}

impl Log {
    /// An empty log that keeps at most `kept` events.
    #[must_use]
    pub fn new(kept: usize) -> Self {
        Self { ring: Mutex::new(Ring { first: 0, born: 0, kept, entries: VecDeque::new() }), news: Notify::new() }
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds events, oldest first; `prepare` sees each before any reader does.
    pub fn append(&self, events: Vec<Event>, mut prepare: impl FnMut(&Entry)) {
        if events.is_empty() {
            return;
        }
        let mut ring = self.ring();
        for event in events {
            let entry = Entry { event, message: OnceLock::new() };
            prepare(&entry);
            ring.entries.push_back(Arc::new(entry));
        }
        ring.trim();
        drop(ring);
        self.news.notify_waiters();
    }

    /// Changes how many events are kept.
    pub fn keep(&self, kept: usize) {
        let mut ring = self.ring();
        ring.kept = kept;
        ring.trim();
    }

    /// Where a new reader starts.
    #[must_use]
    pub fn end(&self) -> Cursor {
        Cursor(self.ring().end())
    }

    /// The oldest event kept of the world's present life.
    #[must_use]
    pub fn start(&self) -> Cursor {
        let ring = self.ring();
        Cursor(ring.first.max(ring.born))
    }

    /// Begins another life: what was told so far is no longer so.
    pub fn begin_anew(&self) {
        let mut ring = self.ring();
        ring.born = ring.end();
    }

    /// Up to `most` events from `cursor` on.
    #[must_use]
    pub fn read(&self, cursor: Cursor, most: usize) -> ReadResult {
        let ring = self.ring();
        let Some(skip) = cursor.0.checked_sub(ring.first) else { return ReadResult::Gone };
        let skip = usize::try_from(skip).unwrap_or(usize::MAX).min(ring.entries.len());
        let entries: Vec<_> = ring.entries.range(skip..).take(most).cloned().collect();
        if entries.is_empty() { ReadResult::Nothing } else { ReadResult::Some(entries) }
    }

    /// Wakes every reader, whether there is news or not.
    pub fn nudge(&self) {
        self.news.notify_waiters();
    }

    /// Resolves at the next news after it was enabled.
    pub fn news(&self) -> Notified<'_> {
        self.news.notified()
    }
}

impl Ring {
    fn end(&self) -> u64 {
        self.first + self.entries.len() as u64
    }

    fn trim(&mut self) {
        while self.entries.len() > self.kept {
            self.entries.pop_front();
            self.first += 1;
        }
    }
}
