//! What the tests of this crate share: numbers by seed, a simulated disk that fails or loses power, a folder of its own for a test.

use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};

use redb::StorageBackend;

use crate::refusal::TransferError;
use crate::store::Store;
use crate::tools::export;

/// Numbers by seed (SplitMix64).
pub struct Rng(pub u64);

impl Rng {
    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.draw() % end as u64).expect("a number below a usize")
    }

    /// So many bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.draw().to_le_bytes()[0]).collect()
    }
}

/// What was written and not synced.
#[derive(Clone, Debug)]
enum Change {
    Write(usize, Vec<u8>),
    Length(usize),
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            // What lies behind the end was lost with the length that it needed.
            Self::Write(at, data) => {
                let end = (at + data.len()).min(bytes.len());
                let at = (*at).min(end);
                bytes[at..end].copy_from_slice(&data[..end - at]);
            }
            Self::Length(length) => bytes.resize(*length, 0),
        }
    }
}

#[derive(Debug, Default)]
struct Simulated {
    now: Vec<u8>,
    durable: Vec<u8>,
    unsynced: Vec<Change>,
    /// How many more changes and syncs succeed.
    left: Option<usize>,
    has_failed: bool,
    /// How many changes and syncs there were, failed ones included.
    count: usize,
    /// A fault: a sync says that it happened, and does nothing.
    ignores_syncs: bool,
}

/// A disk in memory. Its changes are durable once they are synced; each clone is the same disk.
#[derive(Clone, Debug, Default)]
pub struct SimulatedDisk(Arc<Mutex<Simulated>>);

/// Disks keep or lose a sector as a whole.
const SECTOR: usize = 512;

impl SimulatedDisk {
    /// A disk that holds these bytes.
    #[must_use]
    pub fn with(bytes: Vec<u8>) -> Self {
        Self(Arc::new(Mutex::new(Simulated { now: bytes.clone(), durable: bytes, ..Simulated::default() })))
    }

    /// What it shows now, synced or not.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.state().now.clone()
    }

    /// Lets `count` changes and syncs succeed and each later one fail.
    pub fn fail_after(&self, count: usize) {
        self.state().left = Some(count);
    }

    /// Plants a fault: a sync says that it happened, and does nothing.
    pub fn ignore_syncs(&self) {
        self.state().ignores_syncs = true;
    }

    /// How many changes and syncs were tried.
    pub fn count(&self) -> usize {
        self.state().count
    }

    /// The disk after a loss of power: each change that was not synced is kept, lost, or torn between two sectors.
    pub fn after_loss(&self, rng: &mut Rng) -> Self {
        let state = self.state();
        let mut bytes = state.durable.clone();
        let mode = rng.below(4);
        for change in &state.unsynced {
            match (mode, change) {
                (0, _) => change.apply(&mut bytes),
                (1, _) => {}
                (_, Change::Length(_)) => {
                    if rng.below(2) == 0 {
                        change.apply(&mut bytes);
                    }
                }
                (_, Change::Write(at, data)) => {
                    let is_torn = rng.below(3) == 0;
                    let mut is_kept = rng.below(2) == 0;
                    let mut from = 0;
                    while from < data.len() {
                        let to = ((at + from) / SECTOR * SECTOR + SECTOR - at).min(data.len());
                        if is_torn {
                            is_kept = rng.below(2) == 0;
                        }
                        if is_kept {
                            Change::Write(at + from, data[from..to].to_vec()).apply(&mut bytes);
                        }
                        from = to;
                    }
                }
            }
        }
        Self::with(bytes)
    }

    fn state(&self) -> MutexGuard<'_, Simulated> {
        self.0.lock().expect("no test failed with the disk")
    }
}

impl Simulated {
    fn step(&mut self, change: Option<Change>) -> io::Result<()> {
        self.count += 1;
        if self.left == Some(0) {
            // The first change that fails may have reached the disk, in part or whole.
            self.unsynced.extend(change.filter(|_| !std::mem::replace(&mut self.has_failed, true)));
            return Err(io::Error::other("the simulated disk fails"));
        }
        self.left = self.left.map(|left| left - 1);
        if let Some(change) = change {
            change.apply(&mut self.now);
            self.unsynced.push(change);
        }
        Ok(())
    }
}

fn place(number: u64) -> usize {
    usize::try_from(number).expect("a simulated disk is small")
}

impl StorageBackend for SimulatedDisk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.state().now.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let (state, at) = (self.state(), place(offset));
        let found = state.now.get(at..at + out.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
        out.copy_from_slice(found);
        Ok(())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        self.state().step(Some(Change::Length(place(length))))
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut state = self.state();
        state.step(None)?;
        if !state.ignores_syncs {
            for change in std::mem::take(&mut state.unsynced) {
                change.apply(&mut state.durable);
            }
        }
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.state().step(Some(Change::Write(place(offset), data.to_vec())))
    }
}

/// What a future has already; none while it waits.
pub fn outcome_now<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => Some(outcome),
        Poll::Pending => None,
    }
}

/// What a future has in the end.
pub fn outcome<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(future)
}

/// A folder of a test, which goes with it. It is not there before it is made.
pub struct TestFolder(PathBuf);

impl TestFolder {
    /// One that no other test has.
    ///
    /// # Panics
    /// When there is something of that name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("fundsim-store-{}-{name}", std::process::id()));
        assert!(!path.exists(), "{} is there", path.display());
        Self(path)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

/// A folder with these records, one a batch.
pub fn folder_with(name: &str, records: &[&[u8]]) -> TestFolder {
    let dir = TestFolder::new(name);
    let store = Store::open(dir.path()).expect("a store").store;
    for record in records {
        store.note(record.to_vec());
        store.wait();
    }
    dir
}

/// The records of a folder as lines.
pub fn exported(dir: &Path) -> (Result<u64, TransferError>, String) {
    let mut out = Vec::new();
    let count = export(dir, &mut out);
    (count, String::from_utf8(out).expect("text"))
}
