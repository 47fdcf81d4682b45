//! The store as its users have it.
//!
//! Invariant: the order of the calls is the order of the log. Absent on purpose: how a batch is made, and where it is kept.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};

use tokio::sync::oneshot;

use crate::committer::Committer;
use crate::disk::Disk;
use crate::engine::{Engine, FORMAT};
use crate::folder;
use crate::queue::{Kept, Limits, NoRoom, Queue, Work};
use crate::records::{Records, survey};
use crate::refusal::{Damaged, OpenError, Position, StoreError};

/// A log of records in one file. A clone is the same store.
///
/// When the last clone goes, what was appended is written first, and the file is free for another process unless `Records` still read it.
#[derive(Clone, Debug)]
pub struct Store(Arc<Inner>);

/// A store that was opened.
#[derive(Debug)]
pub struct Opened {
    /// The store.
    pub store: Store,
    /// Where the log is damaged. The store has the records before that, and is sealed.
    pub damaged: Option<Damaged>,
}

#[derive(Debug)]
struct Inner {
    engine: Arc<Engine>,
    queue: Arc<Queue>,
    head: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl Store {
    /// Opens the store of a folder, and makes both where they are absent. All records are read and checked once.
    ///
    /// # Errors
    /// When another process has it open, when its format is not known, and as the system.
    pub fn open(dir: &Path) -> Result<Opened, OpenError> {
        Self::open_and_look(dir, |_| {})
    }

    /// As `open`; `look` sees each record that can be read.
    ///
    /// # Errors
    /// As `open`.
    pub fn open_and_look(dir: &Path, look: impl FnMut(&[u8])) -> Result<Opened, OpenError> {
        Self::begin(folder::open(dir)?, Limits::default(), look)
    }

    /// As `open_and_look`, of a folder that has a store.
    ///
    /// # Errors
    /// `Missing` where it has none, and as `open`.
    pub fn open_present(dir: &Path, look: impl FnMut(&[u8])) -> Result<Opened, OpenError> {
        Self::begin(folder::open_present(dir)?, Limits::default(), look)
    }

    /// Opens the store of a storage, which may be simulated.
    ///
    /// # Errors
    /// As `open`.
    pub fn on(storage: impl redb::StorageBackend) -> Result<Opened, OpenError> {
        Self::start(Disk::new(storage), Limits::default())
    }

    pub(crate) fn start(disk: Arc<Disk>, limits: Limits) -> Result<Opened, OpenError> {
        Self::begin(disk, limits, |_| {})
    }

    fn begin(disk: Arc<Disk>, limits: Limits, look: impl FnMut(&[u8])) -> Result<Opened, OpenError> {
        let (mut inner, committer, damaged) = Inner::open(disk, limits, look)?;
        let thread = thread::Builder::new().name("fundsim-store".to_owned()).spawn(move || committer.run())?;
        inner.thread = Some(thread);
        Ok(Opened { store: Self(Arc::new(inner)), damaged })
    }

    /// A store whose batches are written by hand, so that a test is the same each time.
    #[cfg(test)]
    pub(crate) fn by_hand(disk: Arc<Disk>, limits: Limits) -> Result<(Self, Committer), OpenError> {
        let (inner, committer, _) = Inner::open(disk, limits, |_| {})?;
        Ok((Self(Arc::new(inner)), committer))
    }

    /// Appends a record: it has its place among all others when this returns, before the outcome is polled. The outcome is there once the record
    /// is durable; it is written even if the outcome is dropped.
    ///
    /// The outcome is an error when there is no room (`Busy`), when the record is larger than 512 MiB, and when the store is sealed or finished.
    #[must_use = "an append that is not awaited may have been refused"]
    pub fn append(&self, record: Vec<u8>) -> Kept {
        if let Some(why) = self.why_sealed() {
            return Kept::refused(StoreError::Sealed(why));
        }
        let (answer, awaited) = oneshot::channel();
        match self.0.queue.add(Work::Record(record, answer)) {
            Ok(()) => Kept::awaited(awaited),
            Err(why) => Kept::refused(self.refusal(&why)),
        }
    }

    /// Appends a record whose outcome nobody awaits, in order like the others. It is lost with those behind it when the machine stops before it
    /// is durable, and when the store is sealed or finished.
    ///
    /// It is never left out alone. Where notes wait in such a number that there is no room (512 MiB), the store is sealed.
    pub fn note(&self, record: Vec<u8>) {
        if self.why_sealed().is_some() {
            return;
        }
        if let Err(NoRoom::Full | NoRoom::TooLarge) = self.0.queue.add(Work::Note(record)) {
            self.0.engine.seal("a note found no room, and the log cannot go on without it".to_owned());
        }
    }

    /// The records after a position, in order, up to `head`. They are read batch by batch.
    ///
    /// A batch that turns out to be damaged is an error of the iterator, and seals the store.
    #[must_use]
    pub fn records(&self, after: Position) -> Records {
        Records::surveyed_after(&self.0.engine, after, self.head())
    }

    /// The last record that is durable.
    #[must_use]
    pub fn head(&self) -> Position {
        Position(self.0.head.load(Ordering::Acquire))
    }

    /// A value by its name.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn meta(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.0.engine.value(name).map_err(StoreError::Unreadable)
    }

    /// Keeps a value by its name, in order with the records: what was appended before is durable, too, when this returns.
    /// It waits for the disk, so a task of an async runtime calls it where it may block.
    ///
    /// # Errors
    /// When the name is the store's own, and when the store is sealed or finished.
    pub fn set_meta(&self, name: &str, value: &[u8]) -> Result<(), StoreError> {
        if name == FORMAT {
            return Err(StoreError::Reserved(FORMAT));
        }
        if let Some(why) = self.why_sealed() {
            return Err(StoreError::Sealed(why));
        }
        let (answer, awaited) = mpsc::channel();
        let work = Work::Value(name.to_owned(), value.to_vec(), answer);
        self.0.queue.add(work).map_err(|why| self.refusal(&why))?;
        awaited.recv().unwrap_or_else(|_| Err(StoreError::Sealed("the thread that writes has ended".to_owned())))
    }

    /// Why nothing is written any more.
    #[must_use]
    pub fn why_sealed(&self) -> Option<String> {
        self.0.engine.why_sealed()
    }

    /// Takes nothing any more, and waits until all that was taken is durable, or the store is sealed.
    pub fn finish(&self) {
        self.0.queue.close();
        self.wait();
    }

    /// Waits until all that was taken is durable, or the store is sealed.
    pub(crate) fn wait(&self) {
        self.0.queue.drained();
    }

    fn refusal(&self, why: &NoRoom) -> StoreError {
        match why {
            NoRoom::Closed => StoreError::Finished,
            NoRoom::Full => StoreError::Busy,
            NoRoom::TooLarge => StoreError::TooLarge(self.0.queue.limits().record),
        }
    }
}

impl Inner {
    fn open(
        disk: Arc<Disk>,
        limits: Limits,
        look: impl FnMut(&[u8]),
    ) -> Result<(Self, Committer, Option<Damaged>), OpenError> {
        let engine = Arc::new(Engine::open(disk)?);
        let found = survey(&engine, look)?;
        if let Some(damaged) = &found.damaged {
            engine.seal(damaged.to_string());
        }
        let queue = Arc::new(Queue::new(limits));
        let head = Arc::new(AtomicU64::new(found.place.position));
        let committer = Committer {
            engine: Arc::clone(&engine),
            queue: Arc::clone(&queue),
            head: Arc::clone(&head),
            place: found.place,
            #[cfg(test)]
            answers_first: false,
        };
        Ok((Self { engine, queue, head, thread: None }, committer, found.damaged))
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.queue.close();
        // The thread that writes may be the one that drops the last clone, when an answer wakes who held it.
        if let Some(thread) = self.thread.take().filter(|it| it.thread().id() != thread::current().id()) {
            drop(thread.join());
        }
    }
}

#[cfg(test)]
mod tests;
