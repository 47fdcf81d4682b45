//! A note of what runs at an address, so that the next start there can say what a kill has taken.
//!
//! Owns: the file, its path, and what is printed about one that was left. Invariant: a note is on the disk whole or not at
//! all, locked while its server lives, and gone once that has stopped as asked; so one that is found unlocked was left by a
//! server that had no time for that; it is reported before it is written over. Absent on purpose: secrets, and anything that
//! a world could be made from; a world is kept in a file of its own.

use crate::out;
use etcetera::BaseStrategy as _;
use hosting::log::SERVER;
use hosting::worlds::{WorldHandle, Worlds};
use serde::{Deserialize, Serialize};
use sim::time::Instant;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::iter::once;
use std::net::SocketAddr;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// How often the note is brought up to date, beside when a world comes or goes; what happens within it may be missing from a
/// note that is left.
const EVERY: Duration = Duration::from_secs(1);
/// Worlds that a note lists one by one; it counts the others.
const MOST_TOLD: usize = 100;

/// Keeps the note of this process.
pub(super) struct Running {
    path: PathBuf,
    stopping: Arc<AtomicBool>,
    writer: Sender<Ask>,
    thread: JoinHandle<()>,
}

/// What the writer of a note is asked.
enum Ask {
    /// To look at once, not only when it is time.
    Look,
    End,
}

/// What the file says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Note {
    process: u32,
    since: String,
    until: String,
    /// Whether the server was asked to stop, and sockets are still sent what was committed.
    #[serde(default)]
    stopping: bool,
    /// The oldest ones.
    worlds: Vec<WorldNote>,
    total: usize,
}

/// How far a world has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct WorldNote {
    id: String,
    name: String,
    seed: u64,
    start: String,
    inputs: u64,
    events: u64,
    deliveries: usize,
}

impl WorldNote {
    fn of(world: &WorldHandle) -> Self {
        let origin = world.identity.origin();
        Self {
            id: world.identity.id().to_string(),
            name: world.identity.name().to_string(),
            seed: origin.seed.0,
            start: origin.start.to_string(),
            inputs: world.last_input(),
            events: world.subscribers.feed.log().end().0,
            deliveries: world.subscribers.deliveries.look(deliveries::queue::Queue::queued),
        }
    }
}

/// The folder of notes where none is named: the one that the operating system has for what programs remember.
pub(super) fn usual_folder() -> Option<PathBuf> {
    let places = etcetera::choose_base_strategy().ok()?;
    Some(places.state_dir().unwrap_or_else(|| places.data_dir()).join("fundsim"))
}

impl Running {
    /// Says what an earlier server at `address` was killed with, and begins the note of this one; `present` is the wall clock.
    /// `None` where a server that lives has one: it listens at the same address of another network.
    ///
    /// # Errors
    /// Why there can be no note.
    pub(super) fn begin(
        folder: &Path,
        address: SocketAddr,
        worlds: Worlds,
        present: fn() -> Instant,
    ) -> io::Result<Option<Self>> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let path = folder.join(format!("{}.json", address.to_string().replace(['[', ']', ':', '%'], "-")));
        match left(&path)? {
            Left::Nothing => {}
            Left::ByLiving => return Ok(None),
            Left::ByKilled(note) => report_left(&path, &note, address),
        }
        let since = present();
        let mut written = Note::of(&worlds, since, since);
        let mut lock = written.write(&path)?;
        let (writer, asked) = channel();
        let look = writer.clone();
        // A writer that has ended looks no more.
        worlds.on_change(move || look.send(Ask::Look).unwrap_or_default());
        let stopping = Arc::new(AtomicBool::new(false));
        let (file, is_stopping) = (path.clone(), Arc::clone(&stopping));
        let thread = Builder::new().name("running".to_owned()).spawn(move || {
            while is_to_look(&asked) {
                let stopping = is_stopping.load(Ordering::Relaxed);
                let note = Note { stopping, ..Note::of(&worlds, since, present()) };
                // One that cannot be written this time is written the next.
                if !note.says_the_same_as(&written)
                    && let Ok(file) = note.write(&file)
                {
                    (written, lock) = (note, file);
                }
            }
            drop(lock);
        });
        let thread = match thread {
            Ok(thread) => thread,
            Err(error) => return fs::remove_file(&path).and(Err(error)),
        };
        Ok(Some(Self { path, stopping, writer, thread }))
    }

    /// Notes that the server was asked to stop.
    pub(super) fn stops(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        // A writer that has panicked writes no more.
        self.writer.send(Ask::Look).unwrap_or_default();
    }

    /// Takes the note away: the server has stopped.
    pub(super) fn end(self) {
        let Self { path, writer, thread, .. } = self;
        writer.send(Ask::End).unwrap_or_default();
        // A writer that has panicked writes no more, and that is all that matters here.
        drop(thread.join());
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                out::note(&format!("fundsim: {} is left: {error}\n", path.display()));
            }
            _ => {}
        }
    }
}

/// Waits until the note is to be looked at; whether it ever is again. What was asked meanwhile is asked once.
fn is_to_look(asked: &Receiver<Ask>) -> bool {
    let first = match asked.recv_timeout(EVERY) {
        Ok(first) => first,
        Err(RecvTimeoutError::Timeout) => Ask::Look,
        Err(RecvTimeoutError::Disconnected) => Ask::End,
    };
    once(first).chain(asked.try_iter()).all(|ask| matches!(ask, Ask::Look))
}

/// What is at the path of a note.
enum Left {
    Nothing,
    ByLiving,
    ByKilled(Vec<u8>),
}

fn left(path: &Path) -> io::Result<Left> {
    let mut file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Left::Nothing),
        opened => opened?,
    };
    // A file system without locks knows nobody who lives.
    if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return Ok(Left::ByLiving);
    }
    let mut note = Vec::new();
    file.read_to_end(&mut note)?;
    Ok(Left::ByKilled(note))
}

impl Note {
    fn of(worlds: &Worlds, since: Instant, until: Instant) -> Self {
        let all = worlds.all();
        Self {
            process: process::id(),
            since: since.to_string(),
            until: until.to_string(),
            stopping: false,
            worlds: all.iter().take(MOST_TOLD).map(|world| WorldNote::of(world)).collect(),
            total: all.len(),
        }
    }

    fn says_the_same_as(&self, other: &Self) -> bool {
        (&self.worlds, self.total, self.stopping) == (&other.worlds, other.total, other.stopping)
    }

    /// Written beside and moved: a process that is killed meanwhile leaves the one before. The file is locked as long as it
    /// is held.
    fn write(&self, path: &Path) -> io::Result<File> {
        let beside = path.with_extension("new");
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.sync_all()?;
        // A file system without locks keeps notes of servers that live for left ones.
        drop(file.try_lock());
        fs::rename(&beside, path)?;
        Ok(file)
    }
}

/// Reports the lost worlds.
fn report_left(path: &Path, left: &[u8], address: SocketAddr) {
    let Ok(Note { process, since, until, stopping, worlds, total }) = serde_json::from_slice(left) else {
        let path = path.display();
        return say(&format!("a server at {address} was killed; what it held is not known, {path} cannot be read"));
    };
    let end = if stopping { "was stopping, and was killed before it had stopped" } else { "was killed, or broke down" };
    let lost = many(total as u64, "world is lost", "worlds are lost");
    say(&format!(
        "the server that ran at {address} since {since} (process {process}) {end}: {lost}, with all data; the following \
             is the state at {until}, and anything accepted later is lost, too"
    ));
    for WorldNote { id, name, seed, start, inputs, events, deliveries } in &worlds {
        let inputs = many(*inputs, "input", "inputs");
        let events = many(*events, "event", "events");
        let deliveries = many(*deliveries as u64, "delivery that waited", "deliveries that waited");
        say(&format!(
            "lost: {id} `{name}` with at least {inputs}, {events} and {deliveries}; it began with --seed {seed} --start {start}"
        ));
    }
    if let Some(more @ 1..) = total.checked_sub(worlds.len()) {
        say(&format!("lost: {more} more"));
    }
}

/// Printed whatever the level of the log is: it is printed once, and the note is gone then.
fn say(words: &str) {
    if tracing::enabled!(target: SERVER, tracing::Level::ERROR) {
        tracing::error!(target: SERVER, "{words}");
    } else {
        out::note(&format!("fundsim: {words}\n"));
    }
}

fn many(count: u64, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}
