//! The folder in which a server keeps what its worlds can be made again from: `--data`.
//!
//! Invariant: one process at a time; the keys that credentials, links and tokens are made of are there, too, and nobody else can
//! read the file. A journal that has failed keeps nothing more, and worlds are read as far as it goes. Absent on purpose: what
//! entries mean, which is `hosting::journal`'s, and how records are kept, which is `store`'s.

use feed::input_log::{LogError, Pending};
use feed::transport::TransportClock;
use hosting::journal::{Entry, FORMAT, Journal, Writer};
use hosting::log::SERVER;
use hosting::secrets::{KEY_LENGTH, ServerKey, drawn};
use hosting::world_id::WorldId;
use hosting::worlds::Worlds;
use hosting::worlds::dropped::Dropped;
use hosting::worlds::recovery::Recovery;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use store::{OpenError, Opened, Position, ReadError, Store, StoreError};

/// How often servers have begun to work with the folder.
const STARTS: &str = "starts";
/// How entries are written.
pub(super) const ENTRIES: &str = "entries";
/// The key that lasting secrets are made of.
pub(super) const LASTING: &str = "key.lasting";
/// The key that tokens, forms and instances are made of.
pub(super) const PASSING: &str = "key.passing";

/// An open folder.
pub(crate) struct Data {
    folder: PathBuf,
    store: Store,
    /// Worlds that need not be made again.
    needless: BTreeSet<u64>,
    /// Why nothing more can be kept in it.
    damage: Option<String>,
}

/// What a start has found in a folder.
pub(super) struct Kept {
    /// How many worlds continue.
    pub(super) worlds: usize,
    /// How many entries the journal has.
    pub(super) entries: u64,
    /// How many worlds cannot be made again.
    pub(super) unreadable: usize,
}

impl Data {
    /// Opens `folder`, made where it does not exist.
    pub(super) fn open(folder: &Path) -> Result<Self, String> {
        Self::of(folder, |dropped| Store::open_and_look(folder, |entry| dropped.note(entry)))
    }

    /// Opens `folder`, which was a server's.
    pub(crate) fn open_present(folder: &Path) -> Result<Self, String> {
        Self::of(folder, |dropped| Store::open_present(folder, |entry| dropped.note(entry)))
    }

    fn of(folder: &Path, open: impl FnOnce(&mut Dropped) -> Result<Opened, OpenError>) -> Result<Self, String> {
        let unusable = |why: String| format!("--data {}: {why}", folder.display());
        let mut dropped = Dropped::default();
        let Opened { store, damaged } = open(&mut dropped).map_err(|error| unusable(error.to_string()))?;
        let data = Self {
            folder: folder.to_owned(),
            needless: dropped.worlds(),
            damage: damaged
                .map(|damaged| format!("what comes after record {} is damaged: {}", damaged.after.0, damaged.what)),
            store,
        };
        match data.number(ENTRIES)? {
            None => data.set(ENTRIES, &u64::from(FORMAT).to_be_bytes())?,
            Some(format) if format == u64::from(FORMAT) => {}
            Some(format) => {
                return Err(unusable(format!("its entries have format {format}, and this build knows {FORMAT}")));
            }
        }
        Ok(data)
    }

    /// The keys of a server that keeps its worlds here: those of the first start. `named` is the one that a file holds.
    pub(super) fn key(&self, named: Option<[u8; KEY_LENGTH]>) -> Result<ServerKey, String> {
        let no_randomness = |error| format!("no randomness for secrets: {error}");
        let lasting = match (self.bytes(LASTING)?, named) {
            (Some(kept), Some(named)) if kept != named => {
                return Err(self.unusable("its worlds were made with another key than --key-file holds"));
            }
            (Some(kept), _) => kept,
            (None, Some(named)) => self.keep(LASTING, named)?,
            (None, None) => self.keep(LASTING, drawn().map_err(no_randomness)?)?,
        };
        let passing = match self.bytes(PASSING)? {
            Some(kept) => kept,
            None => self.keep(PASSING, drawn().map_err(no_randomness)?)?,
        };
        Ok(ServerKey::of_halves(&lasting, &passing))
    }

    /// Counts this start; the first is 0.
    pub(super) fn count_start(&self) -> Result<u32, String> {
        let starts = self.number(STARTS)?.unwrap_or(0);
        self.set(STARTS, &(starts + 1).to_be_bytes())?;
        u32::try_from(starts).map_err(|_| self.unusable("it was used too often"))
    }

    /// Makes the worlds again that are kept here, and keeps from then on what happens.
    pub(super) async fn recover(&self, worlds: &Worlds, clocks_stood: bool) -> Result<Kept, String> {
        let recovery = self.redo(worlds)?;
        let entries = recovery.end(self.writer(worlds), clocks_stood).await;
        if let Some(damage) = self.damage.clone().or_else(|| self.store.why_sealed()) {
            tracing::error!(
                target: SERVER,
                "--data {}: {damage}; worlds can be read as they were before, and take no inputs. `fundsim data check` says more",
                self.folder.display()
            );
        }
        let unreadable = worlds.unreadable();
        for (world, why) in &unreadable {
            tracing::error!(target: SERVER, world = world.number(), "{world}: {}", why.description);
        }
        let well = worlds.all().iter().filter(|world| world.failure().is_none()).count();
        Ok(Kept { worlds: well, entries, unreadable: unreadable.len() })
    }

    /// Keeps what happens in these worlds.
    fn writer(&self, worlds: &Worlds) -> Writer {
        Writer::new(Arc::new(StoreJournal(self.store.clone())), worlds.clock().clone())
    }

    /// Does all entries again, while a thread reads and parses those that come next.
    fn redo<'worlds>(&self, worlds: &'worlds Worlds) -> Result<Recovery<'worlds>, String> {
        let mut recovery = worlds.recover(self.needless.clone());
        let records = self.store.records(Position(0)).map(|record| {
            record.map(|(_, entry)| {
                let read = Entry::read(&entry);
                (entry, read)
            })
        });
        let redone = store::in_parts(
            records,
            |record| record.as_ref().map_or(0, |(entry, _)| entry.len()),
            |records| {
                for record in records {
                    match record {
                        Ok((entry, read)) => recovery.redo_read(&entry, read).map_err(|error| error.to_string())?,
                        // What comes after it is not there: the store takes no records any more.
                        Err(ReadError::Damaged(_)) => break,
                        Err(error) => return Err(error.to_string()),
                    }
                }
                Ok(())
            },
        );
        redone.map_err(|error| error.to_string()).flatten().map_err(|why| self.unusable(&why))?;
        Ok(recovery)
    }

    /// The folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Waits until all that was taken is kept. Nothing is taken afterwards.
    pub(super) fn finish(&self) {
        self.store.finish();
    }

    fn unusable(&self, why: &str) -> String {
        format!("--data {}: {why}", self.folder.display())
    }

    fn meta(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        self.store.meta(name).map_err(|error| self.unusable(&error.to_string()))
    }

    fn set(&self, name: &str, value: &[u8]) -> Result<(), String> {
        match self.store.set_meta(name, value) {
            // A damaged folder is read as far as it goes.
            Err(StoreError::Sealed(_)) if self.damage.is_some() => Ok(()),
            set => set.map_err(|error| self.unusable(&error.to_string())),
        }
    }

    fn number(&self, name: &str) -> Result<Option<u64>, String> {
        let number = |bytes: Vec<u8>| {
            let bytes = bytes.try_into().map_err(|_| self.unusable(&format!("{name} is no number")))?;
            Ok(u64::from_be_bytes(bytes))
        };
        self.meta(name)?.map(number).transpose()
    }

    fn bytes(&self, name: &str) -> Result<Option<[u8; KEY_LENGTH]>, String> {
        let key = |bytes| key_of(bytes).ok_or_else(|| self.unusable(&format!("{name} is no key")));
        self.meta(name)?.map(key).transpose()
    }

    fn keep(&self, name: &str, key: [u8; KEY_LENGTH]) -> Result<[u8; KEY_LENGTH], String> {
        self.set(name, &key).map(|()| key)
    }
}

/// The key that these bytes are.
pub(super) fn key_of(bytes: Vec<u8>) -> Option<[u8; KEY_LENGTH]> {
    bytes.try_into().ok()
}

/// What became of each world of a folder, by its name.
pub(crate) type Outcomes = Vec<(WorldId, Result<(), String>)>;

/// Appends a snapshot of each world, from which a build of other rules can continue.
///
/// # Errors
/// Why the folder cannot be used, in words.
pub(crate) async fn snapshot(folder: &Path) -> Result<Outcomes, String> {
    let (data, worlds) = still(folder)?;
    let mut outcomes: Outcomes = Vec::new();
    for (world, entry) in data.redo(&worlds)?.entries_of_snapshots() {
        let kept = match entry {
            Ok(entry) => data.store.append(entry).await.map(drop).map_err(|error| error.to_string()),
            Err(why) => Err(why),
        };
        outcomes.push((world, kept));
    }
    Ok(with_unreadable(outcomes, &worlds))
}

/// Lets worlds of other rules continue by those of this build, from their snapshots.
///
/// # Errors
/// Why the folder cannot be used, in words.
pub(crate) async fn upgrade(folder: &Path) -> Result<Outcomes, String> {
    let (data, worlds) = still(folder)?;
    let mut recovery = data.redo(&worlds)?;
    let outcomes = recovery.adopt(&data.writer(&worlds)).await;
    Ok(with_unreadable(outcomes, &worlds))
}

/// The folder, whole, and the worlds that are made of it while no server serves them.
fn still(folder: &Path) -> Result<(Data, Worlds), String> {
    let data = Data::open_present(folder)?;
    if let Some(damage) = &data.damage {
        return Err(data.unusable(damage));
    }
    // A key that was made here would be none that a partner's secrets come from.
    if data.bytes(LASTING)?.is_none() {
        return Err(
            data.unusable("no server has used it yet: start one with it first, and with its --key-file if it had one")
        );
    }
    let worlds = Worlds::continuing(data.key(None)?, TransportClock::starting_at(Duration::ZERO), 0);
    Ok((data, worlds))
}

/// With those that cannot be made again, where nothing was said of them.
pub(super) fn with_unreadable(mut outcomes: Outcomes, worlds: &Worlds) -> Outcomes {
    for (world, why) in worlds.unreadable() {
        if outcomes.iter().all(|(known, _)| *known != world) {
            let how =
                "`fundsim data snapshot`, by the version that made it, keeps the state from which it can be upgraded";
            outcomes.push((world, Err(format!("{}; {how}", why.description))));
        }
    }
    outcomes
}

/// The records of a store as a journal.
struct StoreJournal(Store);

impl Journal for StoreJournal {
    fn append(&self, entry: Vec<u8>) -> Pending<'static, ()> {
        let kept = self.0.append(entry);
        Box::pin(async move {
            kept.await.map(drop).map_err(|error| match error {
                StoreError::Busy => LogError::Retry(error.to_string()),
                error => LogError::Never(error.to_string()),
            })
        })
    }

    fn failure(&self) -> Option<String> {
        self.0.why_sealed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hosting::testing::journals::{Doing, TestedJournal, holds};
    use store::testing::{Rng, SimulatedDisk, TestFolder};

    /// A store on a disk of its own kind.
    struct InStore<D> {
        disk: D,
        open: Option<Store>,
    }

    /// Where a store is kept.
    trait Kept {
        /// What happens before a process can close what it has open.
        fn power_goes(&mut self) {}

        /// What the end of a process leaves, opened.
        fn again(&mut self) -> Store;

        /// Keeps nothing more; `false` where a test cannot have that.
        fn fail(&self) -> bool;
    }

    impl Kept for TestFolder {
        fn again(&mut self) -> Store {
            Store::open(self.path()).expect("a store").store
        }

        fn fail(&self) -> bool {
            false
        }
    }

    /// A disk that loses power at the end of each process.
    struct LosesPower(SimulatedDisk, Rng);

    impl Kept for LosesPower {
        fn power_goes(&mut self) {
            self.0 = self.0.after_loss(&mut self.1);
        }

        fn again(&mut self) -> Store {
            Store::on(self.0.clone()).expect("a store").store
        }

        fn fail(&self) -> bool {
            self.0.fail_after(0);
            true
        }
    }

    impl<D: Kept> TestedJournal for InStore<D> {
        fn open(&mut self) -> Doing<'_, Arc<dyn Journal>> {
            self.disk.power_goes();
            self.open = None;
            let store = self.open.insert(self.disk.again()).clone();
            Box::pin(async { Arc::new(StoreJournal(store)) as Arc<dyn Journal> })
        }

        fn entries(&mut self) -> Doing<'_, Vec<Vec<u8>>> {
            let records = self.open.as_ref().expect("an open store").records(Position(0));
            let entries = records.map(|record| record.expect("a record").1).collect();
            Box::pin(async { entries })
        }

        fn fail(&mut self) -> Doing<'_, bool> {
            let fails = self.disk.fail();
            Box::pin(async move { fails })
        }
    }

    #[tokio::test]
    async fn a_journal_in_a_folder_does_what_every_journal_does() {
        holds(&mut InStore { disk: TestFolder::new("journal"), open: None }).await;
    }

    #[tokio::test]
    async fn a_journal_on_a_disk_that_loses_power_does_what_every_journal_does() {
        for seed in 0..20 {
            holds(&mut InStore { disk: LosesPower(SimulatedDisk::default(), Rng(seed)), open: None }).await;
        }
    }
}
