//! The events of one world, kept in order for readers that each have a cursor.
//!
//! Invariant: numbers are consecutive; an event is in the log only once its change can be read; what is kept is bounded at
//! every moment (rule: events/events-kept), and a reader that falls off is told so, never fed a gap. Numbers go on over
//! resets; what a reset leaves behind is for readers that are still at it, and shown to nobody else. Absent on purpose: replay
//! for new readers (rule: events/no-replay), which start at the end.

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

/// What a log keeps of the world's present life (rule: events/events-kept).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The oldest event kept.
    pub first: Cursor,
    /// The number of the next event to come.
    pub end: Cursor,
    /// How many older ones were let go to keep within the limit.
    pub forgotten: u64,
    /// How many are kept at most.
    pub limit: usize,
}

impl Extent {
    /// How many are kept.
    #[must_use]
    pub const fn kept(&self) -> u64 {
        self.end.0 - self.first.0
    }

    /// How many of the events from `start` on were let go.
    #[must_use]
    pub const fn missed(&self, start: Cursor) -> u64 {
        let missed = self.first.0.saturating_sub(start.0);
        if missed < self.forgotten { missed } else { self.forgotten }
    }
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

    /// Adds events, oldest first, after `let_go` that came before them and are kept nowhere; `prepare` sees each before
    /// any reader does. Room is made beforehand, so that at no moment more are kept than may be.
    pub fn append(&self, let_go: u64, events: Vec<Event>, mut prepare: impl FnMut(&Entry)) {
        if events.is_empty() {
            return;
        }
        let mut ring = self.ring();
        let surplus = events.len().saturating_sub(ring.kept);
        let skipped = let_go + surplus as u64;
        // What stands before a gap is of no use to anybody: a reader would fall into it.
        let room = if skipped > 0 { 0 } else { ring.kept - events.len() };
        ring.shrink_to(room);
        ring.first += skipped;
        for event in events.into_iter().skip(surplus) {
            let entry = Entry { event, message: OnceLock::new() };
            prepare(&entry);
            ring.push(entry);
        }
        drop(ring);
        self.news.notify_waiters();
    }

    /// Changes how many events are kept.
    pub fn keep(&self, kept: usize) {
        let mut ring = self.ring();
        ring.kept = kept;
        ring.shrink_to(kept);
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

    /// What is kept, all of one moment.
    #[must_use]
    pub fn extent(&self) -> Extent {
        let ring = self.ring();
        let (first, end) = (ring.first.max(ring.born), ring.end());
        Extent { first: Cursor(first), end: Cursor(end), forgotten: first - ring.born, limit: ring.kept }
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

    /// Lets the oldest go until no more than `room` are left.
    fn shrink_to(&mut self, room: usize) {
        while self.entries.len() > room {
            self.entries.pop_front();
            self.first += 1;
        }
    }

    /// # Panics
    /// When there is no room: more would be kept than may be.
    fn push(&mut self, entry: Entry) {
        assert!(self.entries.len() < self.kept, "room is made before an event is kept");
        self.entries.push_back(Arc::new(entry));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::Change;
    use sim::identity::InstrumentId;
    use sim::input::Cause;
    use sim::time::Instant;
    use std::sync::Weak;

    /// Events that can be watched from outside.
    fn watched(count: usize) -> (Vec<Event>, Vec<Weak<[InstrumentId]>>) {
        let one = |number: usize| {
            let told: Arc<[InstrumentId]> = Arc::from(Vec::new());
            let seen = Arc::downgrade(&told);
            let change = Change::InstrumentsReloaded(told);
            (
                Event {
                    number: number as u64,
                    at: Instant::MIN,
                    cause: Cause::OPENING,
                    client: None,
                    change,
                    moves: sim::machines::Moves::default(),
                },
                seen,
            )
        };
        (0..count).map(one).unzip()
    }

    /// (rule: events/events-kept)
    #[test]
    fn at_no_moment_are_more_events_kept_than_may_be_not_even_while_many_come_at_once() {
        for (kept, batches) in
            [(10, [3, 3, 3, 3, 3]), (10, [10, 1, 9, 10, 2]), (10, [4, 25, 1, 11, 6]), (1, [7, 1, 2, 1, 3])]
        {
            let log = Log::new(kept);
            let mut seen = Vec::new();
            let mut told = 0;
            for batch in batches {
                let (events, coming) = watched(batch);
                seen.extend(coming);
                told += batch as u64;
                let alive = || seen.iter().filter(|event| event.strong_count() > 0).count();
                log.append(0, events, |_| assert!(alive() <= kept, "{} of {kept} are kept", alive()));
                let extent = log.extent();
                assert_eq!((alive() as u64, extent.end), (extent.kept(), Cursor(told)));
                assert_eq!((extent.forgotten, extent.limit), (told - extent.kept(), kept), "numbers count all");
            }
        }
    }

    /// (rule: events/events-kept)
    #[test]
    fn what_a_change_let_go_before_it_was_told_leaves_a_gap_that_a_reader_falls_into() {
        let log = Log::new(10);
        log.append(0, watched(3).0, |_| ());
        log.append(5, watched(2).0, |_| ());
        let extent = log.extent();
        assert_eq!((extent.first, extent.end, extent.kept(), extent.forgotten), (Cursor(8), Cursor(10), 2, 8));
        assert!(matches!(log.read(Cursor(2), 1), ReadResult::Gone));
        assert!(matches!(log.read(Cursor(8), 9), ReadResult::Some(entries) if entries.len() == 2));
    }
}
