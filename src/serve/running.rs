//! A note of what runs at an address, so that the next start there can say what a kill has taken.
//!
//! Owns: the file, where it stands, and what is said of one that was left. Invariant: a note is on the disk whole or not at
//! all, and is gone once a server was told to stop; so one that is found tells of a server that had no time for that.
//! Absent on purpose: secrets, and anything that a world could be made from; a world is kept in a file of its own.

use crate::out;
use etcetera::BaseStrategy as _;
use sandbox::hosting::log::{Level, Log};
use sandbox::hosting::worlds::{WorldHandle, Worlds};
use serde::{Deserialize, Serialize};
use sim::time::Instant;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// How often the note is brought up to date; what happens within it may be missing from a note that is left.
const EVERY: Duration = Duration::from_secs(1);
/// Worlds that a note tells of one by one; it counts the others.
const MOST_TOLD: usize = 100;

/// Keeps the note of this process.
pub(super) struct Running {
    path: PathBuf,
    stop: Sender<()>,
    writer: JoinHandle<()>,
}

/// What the file says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Note {
    process: u32,
    since: String,
    until: String,
    /// The oldest ones.
    worlds: Vec<Standing>,
    total: usize,
}

/// How far a world has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Standing {
    id: String,
    name: String,
    seed: u64,
    start: String,
    inputs: u64,
    events: u64,
    deliveries: usize,
}

impl Standing {
    fn of(world: &WorldHandle) -> Self {
        let origin = world.origin();
        Self {
            id: world.id().to_string(),
            name: world.name().to_string(),
            seed: origin.seed.0,
            start: origin.start.to_string(),
            inputs: world.last_input(),
            events: world.feed.log().end().0,
            deliveries: world.deliveries.look(sandbox::hosting::deliveries::queue::Queue::queued),
        }
    }
}

/// The folder that notes stand in where none is named: the one that the operating system has for what programs remember.
pub(super) fn usual_folder() -> Option<PathBuf> {
    let places = etcetera::choose_base_strategy().ok()?;
    Some(places.state_dir().unwrap_or_else(|| places.data_dir()).join("fundsim"))
}

impl Running {
    /// Says what an earlier server at `address` was killed with, and begins the note of this one; `present` is the wall clock.
    ///
    /// # Errors
    /// Why there can be no note.
    pub(super) fn begin(
        folder: &Path,
        address: SocketAddr,
        worlds: Worlds,
        log: &Log,
        present: fn() -> Instant,
    ) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let path = folder.join(format!("{}.json", address.to_string().replace(['[', ']', ':', '%'], "-")));
        match fs::read(&path) {
            Ok(left) => tell(&path, &left, address, log),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let since = present();
        let mut written = Note::of(&worlds, since, since);
        written.write(&path)?;
        let (stop, stopped) = channel();
        let file = path.clone();
        let writer = Builder::new().name("running".to_owned()).spawn(move || {
            while stopped.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                let note = Note::of(&worlds, since, present());
                // One that cannot be written this time is written the next.
                if !note.says_the_same_as(&written) && note.write(&file).is_ok() {
                    written = note;
                }
            }
        })?;
        Ok(Self { path, stop, writer })
    }

    /// Takes the note away: the server stops as it was told to.
    pub(super) fn end(self) {
        let Self { path, stop, writer } = self;
        drop(stop);
        // A writer that has panicked writes no more, and that is all that matters here.
        drop(writer.join());
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                out::note(&format!("fundsim: {} is left: {error}\n", path.display()));
            }
            _ => {}
        }
    }
}

impl Note {
    fn of(worlds: &Worlds, since: Instant, until: Instant) -> Self {
        let all = worlds.all();
        Self {
            process: process::id(),
            since: since.to_string(),
            until: until.to_string(),
            worlds: all.iter().take(MOST_TOLD).map(|world| Standing::of(world)).collect(),
            total: all.len(),
        }
    }

    fn says_the_same_as(&self, other: &Self) -> bool {
        (&self.worlds, self.total) == (&other.worlds, other.total)
    }

    /// Written beside and moved: whoever is killed meanwhile leaves the one before.
    fn write(&self, path: &Path) -> io::Result<()> {
        let beside = path.with_extension("new");
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        drop(file);
        fs::rename(&beside, path)
    }
}

/// Says what is gone.
fn tell(path: &Path, left: &[u8], address: SocketAddr, log: &Log) {
    let Ok(Note { process, since, until, worlds, total }) = serde_json::from_slice(left) else {
        let path = path.display();
        return log.say(
            Level::Warn,
            format_args!("a server at {address} was killed; what it held is not known, {path} cannot be read"),
        );
    };
    log.say(
        Level::Warn,
        format_args!(
            "the server that ran at {address} since {since} (process {process}) was killed, or broke down, after {until}: {} and nothing of it was kept",
            many(total as u64, "world is gone", "worlds are gone"),
        ),
    );
    for Standing { id, name, seed, start, inputs, events, deliveries } in &worlds {
        let inputs = many(*inputs, "input", "inputs");
        let events = many(*events, "event", "events");
        let deliveries = many(*deliveries as u64, "delivery that waited", "deliveries that waited");
        log.say(
            Level::Warn,
            format_args!("gone: {id} `{name}` with {inputs}, {events} and {deliveries}; it began with --seed {seed} --start {start}"),
        );
    }
    if let Some(more @ 1..) = total.checked_sub(worlds.len()) {
        log.say(Level::Warn, format_args!("gone: {more} more"));
    }
}

fn many(count: u64, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}
