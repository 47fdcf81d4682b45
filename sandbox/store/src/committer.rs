//! What writes: it takes all that waits, makes one batch of it, commits, answers, and begins again.
//!
//! No timer runs: while one batch is on its way to the disk, the next one gathers.
//!
//! Invariant: a record is answered with its position after the commit that has it, and never before. After a commit that failed nothing is
//! written again. Absent on purpose: weaker durability; any try after a failure, since what the disk has then is not known.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::engine::Engine;
use crate::envelope::{Body, Place};
use crate::queue::{Queue, Work};
use crate::refusal::{Position, StoreError};

/// What writes to one store.
#[derive(Debug)]
pub(crate) struct Committer {
    pub(crate) engine: Arc<Engine>,
    pub(crate) queue: Arc<Queue>,
    /// The last record that is durable.
    pub(crate) head: Arc<AtomicU64>,
    /// The end of the log.
    pub(crate) place: Place,
    /// A fault for tests: answers before it commits.
    #[cfg(test)]
    pub(crate) answers_first: bool,
}

impl Committer {
    /// Writes until the queue is closed and empty.
    pub(crate) fn run(mut self) {
        while let Some(batch) = self.queue.take() {
            self.write(batch);
        }
    }

    /// Writes and answers one batch.
    pub(crate) fn write(&mut self, batch: Vec<Work>) {
        let first = self.place.position;
        #[cfg(test)]
        let batch = if self.answers_first { self.answered(batch) } else { batch };
        let outcome = match self.engine.why_sealed() {
            Some(why) => Err(why),
            None => self.commit(&batch).map_err(|why| {
                let why = self.engine.seal(format!("a batch could not be written: {why}"));
                self.engine.read_on_after_failure();
                why
            }),
        };
        self.head.store(self.place.position, Ordering::Release);
        self.queue.release(&batch);
        answer(batch, &outcome, first);
    }

    /// The fault: who waits is answered before the commit.
    #[cfg(test)]
    fn answered(&self, batch: Vec<Work>) -> Vec<Work> {
        let notes = batch.iter().filter_map(Work::record).map(|record| Work::Note(record.to_vec())).collect();
        self.queue.release(&batch);
        answer(batch, &Ok(()), self.place.position);
        notes
    }

    fn commit(&mut self, batch: &[Work]) -> Result<(), String> {
        let mut body = Body::default();
        let packed = batch.iter().filter_map(Work::record).try_for_each(|record| body.push(record));
        packed.map_err(|error| error.to_string())?;
        let values = batch.iter().filter_map(|work| match work {
            Work::Value(name, value, _) => Some((&**name, &**value)),
            Work::Record(..) | Work::Note(_) => None,
        });
        if body.count() == 0 {
            return self.engine.commit(None, values);
        }
        let (place, bytes) = body.pack(self.place).map_err(|error| error.to_string())?;
        self.engine.commit(Some((place.position, &bytes)), values)?;
        self.place = place;
        Ok(())
    }
}

impl Drop for Committer {
    /// Nobody waits for a thread that has ended.
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.engine.seal("the thread that writes has failed".to_owned());
        }
        self.queue.abandon();
    }
}

/// Answers all who wait. The records of the batch follow `first`.
fn answer(batch: Vec<Work>, outcome: &Result<(), String>, first: u64) {
    let outcome = outcome.clone().map_err(StoreError::Sealed);
    let mut position = first;
    for work in batch {
        position += u64::from(work.record().is_some());
        // Who no longer waits does not need the answer.
        match work {
            Work::Record(_, asker) => drop(asker.send(outcome.clone().map(|()| Position(position)))),
            Work::Note(_) => {}
            Work::Value(_, _, asker) => drop(asker.send(outcome.clone())),
        }
    }
}
