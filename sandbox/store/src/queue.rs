//! What waits for the disk, in the order of the calls.
//!
//! Records that somebody waits for share one room, counted in bytes, and are refused when it is full. A record that is larger than this room
//! waits beside it, one at a time. Notes have a room of their own: a note that were left out would leave a hole in the middle of the log,
//! so none is refused. Where their room is full, records are refused in their place, and where notes outgrow the largest record, the log
//! can only end (`add` says so).
//!
//! Invariant: what was taken is answered once, in this order. Absent on purpose: the disk, timers.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::task::{Context, Poll};

use rare::Point;
use tokio::sync::oneshot;

use crate::envelope::LARGEST_RECORD;
use crate::refusal::{Position, StoreError};

/// How many bytes may wait, and how many are written at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// A batch takes no further record from here on.
    pub(crate) batch: usize,
    /// Records that are waited for, and notes: each.
    pub(crate) room: usize,
    /// The largest record.
    pub(crate) record: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { batch: 4 << 20, room: 64 << 20, record: LARGEST_RECORD }
    }
}

/// What one thing that waits costs beside its bytes.
const OVERHEAD: usize = 64;

/// One thing to be written.
#[derive(Debug)]
pub(crate) enum Work {
    /// A record, and where its position is awaited.
    Record(Vec<u8>, oneshot::Sender<Result<Position, StoreError>>),
    /// A record whose position nobody waits for.
    Note(Vec<u8>),
    /// A value with its name, and where the outcome is awaited.
    Value(String, Vec<u8>, mpsc::Sender<Result<(), StoreError>>),
}

impl Work {
    /// The record that is to be appended.
    pub(crate) fn record(&self) -> Option<&[u8]> {
        match self {
            Self::Record(record, _) | Self::Note(record) => Some(record),
            Self::Value(..) => None,
        }
    }

    fn cost(&self) -> usize {
        let bytes = match self {
            Self::Record(record, _) | Self::Note(record) => record.len(),
            Self::Value(name, value, _) => name.len() + value.len(),
        };
        bytes + OVERHEAD
    }
}

/// Why something was not taken.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NoRoom {
    /// Nothing is taken any more.
    Closed,
    /// Too much waits.
    Full,
    /// The record is too large.
    TooLarge,
}

#[derive(Debug, Default)]
struct State {
    work: VecDeque<Work>,
    /// Bytes of records that are waited for, those included that are being written; then of a larger one, of notes, of values.
    records: usize,
    large: usize,
    notes: usize,
    values: usize,
    is_closed: bool,
}

impl State {
    /// The room that such work is in.
    fn room(&mut self, work: &Work, limits: &Limits) -> &mut usize {
        match work {
            Work::Record(..) if work.cost() > limits.room => &mut self.large,
            Work::Record(..) => &mut self.records,
            Work::Note(_) => &mut self.notes,
            Work::Value(..) => &mut self.values,
        }
    }

    const fn is_idle(&self) -> bool {
        self.records + self.large + self.notes + self.values == 0
    }
}

/// How many of those that wait are in one batch, where its bytes allow that: all of them, unless less has come so far.
fn most_at_once(waiting: usize) -> usize {
    match waiting {
        2.. if rare::happens(Point::BatchOfOne) => 1,
        2.. if rare::happens(Point::BatchCutInTwo) => waiting.div_ceil(2),
        _ => usize::MAX,
    }
}

/// The queue of one store.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    limits: Limits,
    state: Mutex<State>,
    changed: Condvar,
}

impl Queue {
    /// An empty queue.
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// The bounds.
    pub(crate) const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Takes `work` behind all that waits.
    ///
    /// # Errors
    /// When there is no room. For a note, `Full` means that the log cannot have it and cannot go on without it.
    pub(crate) fn add(&self, work: Work) -> Result<(), NoRoom> {
        let mut state = self.state();
        let cost = work.cost();
        let limits = &self.limits;
        if state.is_closed {
            return Err(NoRoom::Closed);
        }
        if work.record().is_some_and(|record| record.len() > limits.record) {
            return Err(NoRoom::TooLarge);
        }
        let is_room = match work {
            Work::Record(..) if state.notes > limits.room => false,
            Work::Record(..) if cost > limits.room => state.large == 0,
            Work::Record(..) => state.records + cost <= limits.room,
            Work::Note(_) => state.notes <= limits.record,
            Work::Value(..) => true,
        };
        if !is_room {
            return Err(NoRoom::Full);
        }
        *state.room(&work, limits) += cost;
        state.work.push_back(work);
        drop(state);
        self.changed.notify_all();
        Ok(())
    }

    /// Waits for work and takes as much as one batch has, at least one piece. None once the queue is closed and empty.
    pub(crate) fn take(&self) -> Option<Vec<Work>> {
        let mut state = self.state();
        while state.work.is_empty() && !state.is_closed {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        Some(self.batch(&mut state)).filter(|batch| !batch.is_empty())
    }

    /// As `take`, without waiting.
    #[cfg(test)]
    pub(crate) fn take_now(&self) -> Option<Vec<Work>> {
        Some(self.batch(&mut self.state())).filter(|batch| !batch.is_empty())
    }

    fn batch(&self, state: &mut State) -> Vec<Work> {
        let (mut batch, mut bytes) = (Vec::new(), 0_usize);
        let most = most_at_once(state.work.len());
        while let Some(next) = state.work.front() {
            bytes = bytes.saturating_add(next.cost());
            if (bytes > self.limits.batch && !batch.is_empty()) || batch.len() == most {
                break;
            }
            batch.extend(state.work.pop_front());
        }
        batch
    }

    /// Gives back the room of work that is written or refused. To be called before it is answered.
    pub(crate) fn release(&self, batch: &[Work]) {
        let mut state = self.state();
        for work in batch {
            let cost = work.cost();
            let room = state.room(work, &self.limits);
            *room = room.saturating_sub(cost);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Takes nothing any more.
    pub(crate) fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }

    /// Takes nothing any more, and drops what waits: who waits for it learns that the thread has ended.
    pub(crate) fn abandon(&self) {
        *self.state() = State { is_closed: true, ..State::default() };
        self.changed.notify_all();
    }

    /// Waits until nothing waits and nothing is being written.
    pub(crate) fn drained(&self) {
        let mut state = self.state();
        while !state.is_idle() {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The outcome of an append, once it is durable. A record is written whether its `Kept` is awaited or dropped.
#[derive(Debug)]
pub struct Kept(Answer);

#[derive(Debug)]
enum Answer {
    Awaited(oneshot::Receiver<Result<Position, StoreError>>),
    Refused(StoreError),
}

impl Kept {
    pub(crate) const fn awaited(answer: oneshot::Receiver<Result<Position, StoreError>>) -> Self {
        Self(Answer::Awaited(answer))
    }

    pub(crate) const fn refused(why: StoreError) -> Self {
        Self(Answer::Refused(why))
    }
}

impl Future for Kept {
    type Output = Result<Position, StoreError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.0 {
            Answer::Awaited(answer) => Pin::new(answer).poll(context).map(|answer| {
                answer.unwrap_or_else(|_| Err(StoreError::Sealed("the thread that writes has ended".to_owned())))
            }),
            Answer::Refused(why) => Poll::Ready(Err(why.clone())),
        }
    }
}
