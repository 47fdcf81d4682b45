//! The folder in which a server keeps what its worlds can be made again from: `--data`.
//!
//! Invariant: one process at a time; the keys that credentials, links and tokens are made of are there, too, and nobody else can
//! read the file. A journal that has failed keeps nothing more, and worlds are read as far as it goes. Absent on purpose: what
//! entries mean, which is `hosting::journal`'s, and how records are kept, which is `store`'s.

use feed::input_log::{LogError, Pending};
use hosting::journal::{FORMAT, Journal, Writer};
use hosting::log::SERVER;
use hosting::secrets::{KEY_LENGTH, ServerKey, drawn};
use hosting::worlds::Worlds;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::{Opened, Position, Store, StoreError};

/// How often servers have begun to work with the folder.
const STARTS: &str = "starts";
/// How entries are written.
const ENTRIES: &str = "entries";
/// The key that lasting secrets are made of.
const LASTING: &str = "key.lasting";
/// The key that tokens, forms and instances are made of.
const PASSING: &str = "key.passing";

/// An open folder.
pub(super) struct Data {
    folder: PathBuf,
    store: Store,
    /// Why nothing more can be kept in it.
    damage: Option<String>,
}

/// What a start has found in a folder.
pub(super) struct Kept {
    /// How many worlds there are.
    pub(super) worlds: usize,
    /// How many entries the journal has.
    pub(super) entries: u64,
}

impl Data {
    /// Opens `folder`, made where it does not exist.
    pub(super) fn open(folder: &Path) -> Result<Self, String> {
        let unusable = |why: String| format!("--data {}: {why}", folder.display());
        let Opened { store, damaged } = Store::open(folder).map_err(|error| unusable(error.to_string()))?;
        let data = Self {
            folder: folder.to_owned(),
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
        let mut recovery = worlds.recover();
        for record in self.store.records(Position(0)) {
            let (position, entry) = match record {
                Ok(record) => record,
                // What comes after it is not there: the store takes no records any more.
                Err(store::ReadError::Damaged(_)) => break,
                Err(error) => return Err(self.unusable(&error.to_string())),
            };
            recovery.redo(&entry).map_err(|error| self.unusable(&format!("record {}: {error}", position.0)))?;
        }
        let journal = Arc::new(StoreJournal(self.store.clone()));
        let entries = recovery.end(Writer::new(journal, worlds.clock().clone()), clocks_stood).await;
        if let Some(damage) = self.damage.clone().or_else(|| self.store.why_sealed()) {
            tracing::error!(
                target: SERVER,
                "--data {}: {damage}; worlds can be read as they were before, and take no inputs. `fundsim data check` says more",
                self.folder.display()
            );
        }
        Ok(Kept { worlds: worlds.all().len(), entries })
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
        let key = |bytes: Vec<u8>| bytes.try_into().map_err(|_| self.unusable(&format!("{name} is no key")));
        self.meta(name)?.map(key).transpose()
    }

    fn keep(&self, name: &str, key: [u8; KEY_LENGTH]) -> Result<[u8; KEY_LENGTH], String> {
        self.set(name, &key).map(|()| key)
    }
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
