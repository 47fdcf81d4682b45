//! The events of one world, kept in order for readers that each have a cursor.
//!
//! Invariant: numbers are consecutive; an event is in the log only once its change can be read; what is kept is bounded at
//! every moment (rule: events/events-kept), and a reader that falls behind gets an error, never a gap. Numbers continue over
//! resets and rewinds. Events that these undo are sent only to readers that have not passed them yet. Events that led to
//! where a world was put back can be looked back on and are never sent again. Absent on purpose: which events led there,
//! which the lineage decides; replay for new readers (rule: events/no-replay), which start at the end.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use axum::extract::ws::Utf8Bytes;
use rare::Point;
use sim::{Change, Event};
use tokio::sync::Notify;
use tokio::sync::futures::Notified;

use crate::lineage::Path;

/// One event as kept.
#[derive(Debug)]
pub struct EventEntry {
    /// The fact.
    pub event: Event,
    /// Its message, made at most once.
    message: OnceLock<Utf8Bytes>,
}

impl EventEntry {
    /// The message, made by `render` the first time.
    pub fn message(&self, render: impl FnOnce(&Event) -> Utf8Bytes) -> Utf8Bytes {
        self.message.get_or_init(|| render(&self.event)).clone()
    }

    /// The message, once it is made.
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
    Some(Vec<Arc<EventEntry>>),
    /// Nothing yet.
    Nothing,
    /// The cursor's event is no longer kept.
    Gone,
}

/// What a log keeps of what led to the world's present (rule: events/events-kept).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The oldest event kept.
    pub first: Cursor,
    /// The number of the next event to come.
    pub end: Cursor,
    /// How many are kept.
    pub kept: u64,
    /// How many older ones were let go to keep within the limit.
    pub forgotten: u64,
    /// Number of events kept at most.
    pub limit: usize,
}

impl Extent {
    /// How many of the events from `start` on were let go.
    #[must_use]
    pub const fn missed(&self, start: Cursor) -> u64 {
        let missed = self.first.0.saturating_sub(start.0);
        if missed < self.forgotten { missed } else { self.forgotten }
    }
}

/// An event that led to the world's present, with its number.
pub type Numbered = (u64, Arc<EventEntry>);

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
    /// Number of the first event since the world was last put back.
    first_of_branch: u64,
    /// How many events had happened in the world by then.
    before_branch: u64,
    kept: usize,
    entries: VecDeque<Arc<EventEntry>>,
    /// What led to where it was put back, in order: for looking back. One that some reader has not passed is in `entries`, too.
    past: VecDeque<Numbered>,
}

impl Log {
    /// An empty log that keeps at most `kept` events.
    #[must_use]
    pub fn new(kept: usize) -> Self {
        let (entries, past) = (VecDeque::new(), VecDeque::new());
        let ring = Ring { first: 0, first_of_branch: 0, before_branch: 0, kept, entries, past };
        Self { ring: Mutex::new(ring), news: Notify::new() }
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds events, oldest first, after `let_go` that came before them and are kept nowhere; `prepare` sees each before
    /// any reader does. Room is made beforehand, so that at no moment more are kept than may be.
    pub fn append(&self, let_go: u64, events: Vec<Event>, mut prepare: impl FnMut(&EventEntry)) {
        if events.is_empty() {
            return;
        }
        let mut ring = self.ring();
        let surplus = events.len().saturating_sub(ring.kept);
        let skipped = let_go + surplus as u64;
        // Events before a gap are dropped too: a reader would meet the gap.
        let room = if skipped > 0 { 0 } else { ring.kept - events.len() };
        ring.shrink_to(room);
        ring.first += skipped;
        for event in events.into_iter().skip(surplus) {
            let entry = EventEntry { event, message: OnceLock::new() };
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

    /// The oldest event kept since the world was last put back.
    #[must_use]
    pub fn start(&self) -> Cursor {
        let ring = self.ring();
        Cursor(ring.first.max(ring.first_of_branch))
    }

    /// What is kept, all of one moment.
    #[must_use]
    pub fn extent(&self) -> Extent {
        let ring = self.ring();
        let end = ring.end();
        let begin = ring.first.max(ring.first_of_branch);
        let kept = ring.past.len() as u64 + (end - begin);
        let first = ring.past.front().map_or(begin, |(number, _)| *number);
        let forgotten = ring.before_branch + (end - ring.first_of_branch) - kept;
        Extent { first: Cursor(first), end: Cursor(end), kept, forgotten, limit: ring.kept }
    }

    /// The world was put back to where `path` leads, when so many events had happened: all others are undone.
    pub fn restored(&self, path: &Path, events: u64) {
        let mut ring = self.ring();
        ring.past = ring.leading_to(path).into();
        (ring.first_of_branch, ring.before_branch) = (ring.end(), events);
    }

    /// What led to where a fork of the world begins.
    #[must_use]
    pub fn leading_to(&self, path: &Path) -> Vec<Numbered> {
        let mut led = self.ring().leading_to(path);
        for (_, entry) in &mut led {
            // Its message has a link, which is each world's own.
            if let Change::Journey(_) = entry.event.change {
                *entry = Arc::new(EventEntry { event: entry.event.clone(), message: OnceLock::new() });
            }
        }
        led
    }

    /// Continues after `past`, events that another log has sent, where `events` had happened in all. To be called before this
    /// log sends anything.
    pub fn go_on_after(&self, past: Vec<Numbered>, events: u64) {
        let mut ring = self.ring();
        let end = past.last().map_or(0, |(number, _)| number + 1);
        (ring.first, ring.first_of_branch, ring.before_branch) = (end, end, events);
        ring.past = past.into();
        let kept = ring.kept;
        ring.shrink_to(kept);
    }

    /// Up to `most` of the events that led to the world's present, from `start` on: also those that are never sent again.
    #[must_use]
    pub fn look_back(&self, start: Cursor, most: usize) -> Vec<Numbered> {
        self.ring().leading(start.0).take(most).collect()
    }

    /// Where the last `most` of them begin.
    #[must_use]
    pub fn last(&self, most: usize) -> Cursor {
        let ring = self.ring();
        let place = ring.leading(0).rev().take(most).last();
        Cursor(place.map_or(ring.end(), |(number, _)| number))
    }

    /// Up to `most` events from `cursor` on; fewer do not mean that there are no more.
    #[must_use]
    pub fn read(&self, cursor: Cursor, most: usize) -> ReadResult {
        let ring = self.ring();
        let Some(skip) = cursor.0.checked_sub(ring.first) else { return ReadResult::Gone };
        let skip = usize::try_from(skip).unwrap_or(usize::MAX).min(ring.entries.len());
        let is_short = ring.entries.len() - skip > 1 && rare::happens(Point::EventsReadShort);
        let most = if is_short { most.min(1) } else { most };
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

    /// What led to the world's present, from a number on, oldest first.
    fn leading(&self, start: u64) -> impl DoubleEndedIterator<Item = Numbered> {
        let before = self.past.partition_point(|(number, _)| *number < start);
        let begin = self.first.max(self.first_of_branch).max(start).min(self.end());
        let skip = usize::try_from(begin - self.first).unwrap_or(usize::MAX);
        let numbered = self.entries.range(skip..).enumerate();
        let numbered = numbered.map(move |(place, entry)| (begin + place as u64, Arc::clone(entry)));
        self.past.range(before..).cloned().chain(numbered)
    }

    /// What is held of what led to where `path` leads.
    fn leading_to(&self, path: &Path) -> Vec<Numbered> {
        let passed = self.past.iter().take_while(|(number, _)| *number < self.first).cloned();
        let numbered = (self.first..).zip(self.entries.iter().cloned());
        passed
            .chain(numbered)
            .filter(|(_, entry)| path.holds_event(entry.event.cause.input, entry.event.number))
            .collect()
    }

    /// Events that are held: one of the past may be in both places.
    fn held(&self) -> usize {
        self.past.partition_point(|(number, _)| *number < self.first) + self.entries.len()
    }

    /// Lets events go until no more than `room` are held: first those that led nowhere, then the oldest.
    fn shrink_to(&mut self, room: usize) {
        while self.held() > room {
            if self.first >= self.first_of_branch && !self.past.is_empty() {
                self.past.pop_front();
            } else {
                self.entries.pop_front();
                self.first += 1;
            }
        }
    }

    /// # Panics
    /// When there is no room: more would be kept than may be.
    fn push(&mut self, entry: EventEntry) {
        assert!(self.entries.len() < self.kept, "room is made before an event is kept");
        self.entries.push_back(Arc::new(entry));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input_log::Position;
    use crate::lineage::{Lineage, Point, RestoreTarget, Restored};
    use sim::Change;
    use sim::identity::InstrumentId;
    use sim::input::Cause;
    use sim::time::Instant;
    use std::sync::Weak;

    /// Events that can be watched from outside.
    fn watched(count: usize) -> (Vec<Event>, Vec<Weak<[InstrumentId]>>) {
        let one = |number: usize| {
            let instruments: Arc<[InstrumentId]> = Arc::from(Vec::new());
            let seen = Arc::downgrade(&instruments);
            let change = Change::InstrumentsReloaded(instruments);
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
            let mut appended = 0;
            for batch in batches {
                let (events, coming) = watched(batch);
                seen.extend(coming);
                appended += batch as u64;
                let alive = || seen.iter().filter(|event| event.strong_count() > 0).count();
                log.append(0, events, |_| assert!(alive() <= kept, "{} of {kept} are kept", alive()));
                let extent = log.extent();
                assert_eq!((alive() as u64, extent.end), (extent.kept, Cursor(appended)));
                assert_eq!((extent.forgotten, extent.limit), (appended - extent.kept, kept), "numbers count all");
            }
        }
    }

    /// (rule: events/events-kept)
    #[test]
    fn events_that_a_change_drops_leave_a_gap_that_a_reader_meets() {
        let log = Log::new(10);
        log.append(0, watched(3).0, |_| ());
        log.append(5, watched(2).0, |_| ());
        let extent = log.extent();
        assert_eq!((extent.first, extent.end, extent.kept, extent.forgotten), (Cursor(8), Cursor(10), 2, 8));
        assert!(matches!(log.read(Cursor(2), 1), ReadResult::Gone));
        assert!(matches!(log.read(Cursor(8), 9), ReadResult::Some(entries) if entries.len() == 2));
    }

    fn numbers(log: &Log) -> Vec<(u64, u64)> {
        let led = log.look_back(Cursor(0), usize::MAX);
        led.into_iter().map(|(number, entry)| (number, entry.event.number)).collect()
    }

    /// Events with the numbers that their world gives them, and the inputs that caused them.
    fn happened(from: u64, inputs: &[u64]) -> Vec<Event> {
        let numbered = watched(inputs.len()).0.into_iter().zip(from..).zip(inputs);
        let by = |input: u64| Cause { input, ..Cause::OPENING };
        numbered.map(|((event, number), input)| Event { number, cause: by(*input), ..event }).collect()
    }

    /// The input at `at` puts the world back to where `to` was the last input and so many events had happened.
    fn put_back(log: &Log, lineage: &mut Lineage, at: u64, to: Option<u64>, events: u64) {
        let point = |input| RestoreTarget::Point(Point::after(Position(input)));
        let to = to.map_or(RestoreTarget::Start, point);
        lineage.branch(Position(at), Restored { to, now: Instant::MIN, events });
        log.restored(&lineage.path_to_present(), events);
    }

    /// (rule: events/events-kept, calendar/history)
    #[test]
    fn the_events_before_a_branch_are_history_and_are_not_sent_again() {
        let log = Log::new(10);
        let mut lineage = Lineage::default();
        log.append(0, happened(0, &[2, 3, 5, 6]), |_| ());
        put_back(&log, &mut lineage, 9, Some(3), 2);
        assert_eq!((numbers(&log), log.end(), log.start()), (vec![(0, 0), (1, 1)], Cursor(4), Cursor(4)));
        log.append(0, happened(2, &[10]), |_| ());
        assert_eq!(numbers(&log), [(0, 0), (1, 1), (4, 2)]);
        assert_eq!((log.last(2), log.extent().kept, log.extent().forgotten), (Cursor(1), 3, 0));
        // Back to what was undone, further on than it had come.
        put_back(&log, &mut lineage, 14, Some(8), 3);
        assert_eq!(numbers(&log), [(0, 0), (1, 1), (2, 2)]);
        // And to the second branch again.
        put_back(&log, &mut lineage, 20, Some(12), 3);
        assert_eq!(numbers(&log), [(0, 0), (1, 1), (4, 2)]);
        // Nothing leads to the start.
        put_back(&log, &mut lineage, 30, None, 0);
        assert_eq!((numbers(&log), log.extent().forgotten), (vec![], 0));
        assert!(matches!(log.read(Cursor(0), 9), ReadResult::Some(entries) if entries.len() == 5), "for those at it");
    }

    /// (rule: events/events-kept)
    #[test]
    fn what_can_be_looked_back_on_counts_among_what_is_kept_and_goes_after_what_was_undone() {
        let log = Log::new(5);
        let mut lineage = Lineage::default();
        log.append(0, happened(0, &[2, 3, 5, 6]), |_| ());
        put_back(&log, &mut lineage, 9, Some(3), 2);
        log.append(0, happened(2, &[10, 10]), |_| ());
        assert_eq!(numbers(&log), [(0, 0), (1, 1), (4, 2), (5, 3)]);
        assert!(matches!(log.read(Cursor(0), 1), ReadResult::Gone), "what was undone gave way");
        log.append(0, happened(4, &[11, 11, 11]), |_| ());
        let extent = log.extent();
        assert_eq!((extent.first, extent.kept, extent.forgotten, extent.limit), (Cursor(4), 5, 2, 5));
        let fork = Log::new(3);
        fork.go_on_after(log.leading_to(&lineage.path_to(Position(12), 7)), 7);
        assert_eq!((numbers(&fork).len(), fork.extent().forgotten, fork.end()), (3, 4, Cursor(9)));
    }
}
