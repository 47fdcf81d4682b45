//! The tables of the file: batches by the position of their last record, and values by name.
//!
//! Every commit is durable when it returns; no weaker one exists here. A panic of the engine, which a damaged file can cause, is an error.
//! After an error of the disk the engine refuses to read as well; it is opened once more over memory then, and reads go on.
//!
//! The engine commits with one sync. When a file was not closed, and a part of its last commit is damaged, the engine takes that commit for one
//! that did not end and leaves it out. A second sync in each commit would show the difference, and halves how many commits there are in a second.
//!
//! Invariant: what a commit has is written whole, or not at all. Absent on purpose: what a batch has inside; savepoints; quick repair, which
//! costs by the size of the file.

use std::fmt;
use std::ops::Bound;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redb::{
    AccessGuard, BackendError, Builder, ConcurrencyMode, Database, DatabaseError, Durability, ReadableDatabase as _,
    ReadableTable as _, StorageBackend as _,
};
use redb::{ReadOnlyDatabase, ReadTransaction, StorageError, TableDefinition, TableError, TableHandle as _};

use crate::disk::{Disk, View};
use crate::refusal::OpenError;

const BATCHES: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("batches");
const META: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("meta");

/// The name of the value that says which format the file has.
pub(crate) const FORMAT: &str = "format";
/// The format that this build reads and writes.
pub(crate) const KNOWN: &[u8] = b"1";

/// Bytes that the engine keeps in memory at most.
const CACHE: usize = 32 << 20;

/// Bytes of the engine's mark, with which a file begins.
const MARK: usize = 9;
/// The flag behind the mark which says that the engine has not closed the file.
const UNCLOSED: u8 = 2;
/// Where the engine begins to write what a store has; its own head is before.
const FIRST_PAGE: usize = 4096;
/// A file that was being made when the machine stopped is shorter.
const LONGEST_BEGINNING: u64 = 4 << 20;

/// What is said of a panic of the engine.
const FOUND_DAMAGED: &str = "the engine found the file damaged";

/// One batch as it is kept: the position of its last record, and its bytes.
pub(crate) type StoredBatch = (u64, Vec<u8>);

/// A file that is open.
pub(crate) struct Engine {
    disk: Arc<Disk>,
    database: Mutex<Arc<Opened>>,
    /// What the engine found wrong with the file when it was opened.
    damage: Option<String>,
}

/// The engine, as it was opened.
enum Handle {
    /// On the storage.
    Writable(Database),
    /// Over memory: the engine reads the file as it is.
    Readable(ReadOnlyDatabase),
    /// Over memory: the engine repaired its copy.
    Repaired(Database),
}

/// The engine while it is open; none where it cannot be opened.
struct Opened(Option<Handle>);

impl Opened {
    fn writable(&self) -> Result<&Database, String> {
        match &self.0 {
            Some(Handle::Writable(database)) => Ok(database),
            _ => Err("the file is open to be read only".to_owned()),
        }
    }

    fn begin_read(&self) -> Result<ReadTransaction, redb::Error> {
        match &self.0 {
            Some(Handle::Writable(database) | Handle::Repaired(database)) => Ok(database.begin_read()?),
            Some(Handle::Readable(database)) => Ok(database.begin_read()?),
            None => Err(redb::Error::DatabaseClosed),
        }
    }
}

impl Drop for Opened {
    /// Closes the engine, which can panic with a damaged file.
    fn drop(&mut self) {
        let handle = self.0.take();
        drop(catch_unwind(AssertUnwindSafe(|| drop(handle))));
    }
}

impl Engine {
    /// Opens a storage, to be written; an empty one becomes a store. One that the engine finds damaged is open to be read only.
    ///
    /// # Errors
    /// When somebody else has it, when it is no store, and as the engine.
    pub(crate) fn open(disk: Arc<Disk>) -> Result<Self, OpenError> {
        let engine = Self::begin(View::through(&disk), disk)?;
        engine.check_format(engine.damage.is_none())?;
        Ok(engine)
    }

    /// Opens a storage that is a store, without writing to it.
    ///
    /// # Errors
    /// As `open`.
    pub(crate) fn read_only(disk: Arc<Disk>) -> Result<Self, OpenError> {
        let engine = Self::begin(View::read_only(&disk), disk)?;
        engine.seal("it was opened to be read".to_owned());
        engine.check_format(false)?;
        Ok(engine)
    }

    /// Has the engine check the whole file. Its tables say which parts of the file are free, so to write with damaged ones would destroy records.
    fn begin(view: View, disk: Arc<Disk>) -> Result<Self, OpenError> {
        clear_beginning(&view)?;
        let (opened, damage) = match start(view, true) {
            Ok(database) => (Handle::Writable(database), None),
            Err(NotStarted::Damaged(what)) => {
                disk.seal(|| what.clone());
                let opened = start_over_memory(&disk)
                    .map_err(|error| OpenError::Engine(format!("{what}; it cannot be read either: {error}")))?;
                (opened, Some(what))
            }
            Err(NotStarted::AlreadyOpen) => return Err(OpenError::AlreadyOpen),
            Err(NotStarted::Failed(what)) => return Err(OpenError::Engine(what)),
        };
        Ok(Self { disk, database: Mutex::new(Arc::new(Opened(Some(opened)))), damage })
    }

    /// Reads the format; writes it into a file that has nothing yet.
    fn check_format(&self, is_new_allowed: bool) -> Result<(), OpenError> {
        let (format, tables) = self
            .read(|opened| {
                let read = opened.begin_read()?;
                let tables: Vec<_> = read.list_tables()?.map(|table| table.name().to_owned()).collect();
                let format = match read.open_table(META) {
                    Ok(table) => table.get(FORMAT)?.map(|value| value.value().to_vec()),
                    Err(TableError::TableDoesNotExist(_)) => None,
                    Err(error) => return Err(error.into()),
                };
                Ok((format, tables))
            })
            .map_err(OpenError::Engine)?;
        match format {
            Some(format) if format == KNOWN => Ok(()),
            Some(format) => Err(OpenError::Format(format!(
                "the store has format {}, and this build knows format {}",
                String::from_utf8_lossy(&format),
                String::from_utf8_lossy(KNOWN)
            ))),
            None if tables.is_empty() && is_new_allowed => {
                self.commit(None, [(FORMAT, KNOWN)]).map_err(OpenError::Engine)
            }
            None => Err(OpenError::Format("the file has no format of a store".to_owned())),
        }
    }

    /// Writes a batch and values, all or none of them; they are durable when this returns.
    ///
    /// # Errors
    /// In words. The outcome is not known then, and nothing may be written any more.
    pub(crate) fn commit<'a>(
        &self,
        batch: Option<(u64, &[u8])>,
        values: impl IntoIterator<Item = (&'a str, &'a [u8])>,
    ) -> Result<(), String> {
        let opened = self.opened();
        let database = opened.writable()?;
        caught(|| {
            let mut write = database.begin_write()?;
            write.set_durability(Durability::Immediate)?;
            let mut batches = write.open_table(BATCHES)?;
            if let Some((last, bytes)) = batch {
                batches.insert(last, bytes)?;
            }
            drop(batches);
            let mut meta = write.open_table(META)?;
            for (name, value) in values {
                meta.insert(name, value)?;
            }
            drop(meta);
            Ok(write.commit()?)
        })
    }

    /// The first batch that has a record after `position`.
    ///
    /// # Errors
    /// In words.
    pub(crate) fn batch_after(&self, position: u64) -> Result<Option<StoredBatch>, String> {
        let Some(next) = position.checked_add(1) else {
            return Ok(None);
        };
        self.read(|opened| {
            let table = opened.begin_read()?.open_table(BATCHES)?;
            let found = table.range(next..)?.next().transpose()?;
            Ok(found.map(|(last, bytes)| (last.value(), bytes.value().to_vec())))
        })
    }

    /// The last batch that ends at `position` or before it.
    ///
    /// # Errors
    /// In words.
    pub(crate) fn batch_until(&self, position: u64) -> Result<Option<StoredBatch>, String> {
        self.read(|opened| {
            let table = opened.begin_read()?.open_table(BATCHES)?;
            let found = table.range(..=position)?.next_back().transpose()?;
            Ok(found.map(|(last, bytes)| (last.value(), bytes.value().to_vec())))
        })
    }

    /// A value.
    ///
    /// # Errors
    /// In words.
    pub(crate) fn value(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        self.read(|opened| {
            let table = opened.begin_read()?.open_table(META)?;
            Ok(table.get(name)?.map(|value| value.value().to_vec()))
        })
    }

    /// All values but the format, by their names.
    ///
    /// # Errors
    /// In words.
    pub(crate) fn values(&self) -> Result<Vec<(String, Vec<u8>)>, String> {
        self.read(|opened| {
            let table = opened.begin_read()?.open_table(META)?;
            let read = |(name, value): (AccessGuard<'_, &str>, AccessGuard<'_, &[u8]>)| {
                (name.value().to_owned(), value.value().to_vec())
            };
            let all = table.iter()?.map(|row| row.map(read)).collect::<Result<Vec<_>, _>>()?;
            Ok(all.into_iter().filter(|(name, _)| name != FORMAT).collect())
        })
    }

    /// Ends all writing; the first reason is kept.
    pub(crate) fn seal(&self, why: String) -> String {
        self.disk.seal(|| why).to_owned()
    }

    /// What the engine found wrong with the file when it was opened: nothing is written to it then.
    pub(crate) fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    /// Why nothing is written any more.
    pub(crate) fn why_sealed(&self) -> Option<String> {
        self.disk.why_sealed().map(str::to_owned)
    }

    /// Reads. An error of the engine seals the store, and the file is opened once more to be read only.
    fn read<T>(&self, read: impl Fn(&Opened) -> Result<T, redb::Error>) -> Result<T, String> {
        let opened = self.opened();
        let why = match caught(|| read(&opened)) {
            Ok(found) => return Ok(found),
            Err(why) => why,
        };
        self.seal(why);
        self.read_on(&opened);
        caught(|| read(&self.opened()))
    }

    /// Opens the file once more over memory, so that it can be read after an error. Does nothing where that was done.
    pub(crate) fn read_on_after_failure(&self) {
        let opened = self.opened();
        self.read_on(&opened);
    }

    fn read_on(&self, failed: &Arc<Opened>) {
        let mut now = self.lock();
        if Arc::ptr_eq(&now, failed) && failed.writable().is_ok() {
            *now = Arc::new(Opened(start_over_memory(&self.disk).ok()));
        }
    }

    fn opened(&self) -> Arc<Opened> {
        Arc::clone(&self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Arc<Opened>> {
        self.database.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("disk", &self.disk).field("damage", &self.damage).finish_non_exhaustive()
    }
}

/// Why the engine did not start.
enum NotStarted {
    AlreadyOpen,
    Damaged(String),
    Failed(String),
}

impl fmt::Display for NotStarted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AlreadyOpen => f.write_str("it is open already"),
            Self::Damaged(what) | Self::Failed(what) => f.write_str(what),
        }
    }
}

/// Starts the engine, which makes an empty storage its own and repairs one that was not closed.
fn start(view: View, is_checked: bool) -> Result<Database, NotStarted> {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE).set_check_integrity_on_open(is_checked);
    match catch_unwind(AssertUnwindSafe(|| builder.create_with_backend(view))) {
        Ok(Ok(database)) => Ok(database),
        Ok(Err(DatabaseError::DatabaseAlreadyOpen)) => Err(NotStarted::AlreadyOpen),
        Ok(Err(DatabaseError::Storage(StorageError::Corrupted(what)))) => {
            Err(NotStarted::Damaged(format!("the engine found the file damaged: {what}")))
        }
        Ok(Err(error)) => Err(NotStarted::Failed(error.to_string())),
        Err(_) => Err(NotStarted::Damaged(FOUND_DAMAGED.to_owned())),
    }
}

/// Starts the engine beside one that failed, to be read only: as the file is, or else with a repair, or else as if it had been closed well.
fn start_over_memory(disk: &Arc<Disk>) -> Result<Handle, NotStarted> {
    let read_only = |view| {
        let mut builder = Builder::new();
        // A reader in this mode does not need to know which parts of the file are free.
        builder.set_cache_size(CACHE).set_concurrency_mode(ConcurrencyMode::SingleWriter);
        catch_unwind(AssertUnwindSafe(|| builder.open_read_only_with_backend(view).ok())).ok().flatten()
    };
    if let Some(database) = read_only(View::over(disk)) {
        return Ok(Handle::Readable(database));
    }
    let failed = match start(View::over(disk), false) {
        Ok(database) => return Ok(Handle::Repaired(database)),
        Err(why) => why,
    };
    let view = View::over(disk);
    let mut flags = [0];
    let is_marked =
        view.read(MARK as u64, &mut flags).is_ok() && view.write(MARK as u64, &[flags[0] & !UNCLOSED]).is_ok();
    is_marked.then_some(view).and_then(read_only).map(Handle::Readable).ok_or(failed)
}

/// Carries out a step of the engine; its error, or its panic, in words.
fn caught<T>(step: impl FnOnce() -> Result<T, redb::Error>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(step)) {
        Ok(done) => done.map_err(|error| error.to_string()),
        Err(_) => Err(FOUND_DAMAGED.to_owned()),
    }
}

/// Empties a storage that the engine was making when the machine stopped. The engine writes its mark last, and writes nothing behind its head
/// before that: such a file has no mark and nothing behind, so there is nothing to lose.
fn clear_beginning(view: &View) -> Result<(), OpenError> {
    if !is_beginning(view)? {
        return Ok(());
    }
    // Another process may be making the file now: it has the lock then.
    let everything = (Bound::Unbounded, Bound::Unbounded);
    let is_locked = match view.try_lock_range(everything.0, everything.1) {
        Ok(true) => true,
        Ok(false) => return Err(OpenError::AlreadyOpen),
        Err(BackendError::Unsupported) => false,
        Err(error) => return Err(OpenError::Engine(error.to_string())),
    };
    if is_beginning(view)? {
        view.set_len(0)?;
    }
    if is_locked {
        view.unlock_range(everything.0, everything.1).map_err(|error| OpenError::Engine(error.to_string()))?;
    }
    Ok(())
}

fn is_beginning(view: &View) -> Result<bool, OpenError> {
    let length = view.len()?;
    if length == 0 || length > LONGEST_BEGINNING {
        return Ok(false);
    }
    let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
    view.read(0, &mut bytes)?;
    let is_zero = |bytes: &[u8]| bytes.iter().all(|byte| *byte == 0);
    Ok(is_zero(&bytes[..bytes.len().min(MARK)]) && is_zero(bytes.get(FIRST_PAGE..).unwrap_or_default()))
}
