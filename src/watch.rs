//! Waiting for files to change.
//!
//! Invariant: folders are watched, not files, since editors put a new file in the place of the old one; what only reads
//! changes nothing. Absent on purpose: which stories a change concerns (`run`).

use notify::event::ModifyKind;
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use runner::suite::real;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// A change is over when nothing more comes for so long: editors write in several steps.
const SETTLED: Duration = Duration::from_millis(150);

/// What is reported about the files.
pub(crate) enum Word {
    /// These were changed, made or removed.
    Changed(Vec<PathBuf>),
    /// Nothing more will be reported.
    End,
}

/// Folders that are watched.
pub(crate) struct Watch {
    watcher: RecommendedWatcher,
    known: BTreeSet<PathBuf>,
    words: Receiver<Word>,
    sender: Sender<Word>,
}

impl Watch {
    pub(crate) fn new() -> Result<Self, String> {
        let (sender, words) = channel();
        let changes = sender.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if let Ok(event) = event
                && is_change(event.kind)
            {
                // Nobody listens once the program ends.
                drop(changes.send(Word::Changed(event.paths)));
            }
        });
        Ok(Self { watcher: watcher.map_err(|error| error.to_string())?, known: BTreeSet::new(), words, sender })
    }

    /// What ends the waiting.
    pub(crate) fn end(&self) -> impl FnOnce() + Send + use<> {
        let sender = self.sender.clone();
        move || drop(sender.send(Word::End))
    }

    /// From here on a change in this folder is reported; with those below it where all are meant.
    pub(crate) fn folder(&mut self, folder: &Path, all: bool) -> Result<(), String> {
        let mode = if all { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
        if self.known.iter().any(|known| known == folder) {
            return Ok(());
        }
        self.watcher.watch(folder, mode).map_err(|error| error.to_string())?;
        self.known.insert(folder.to_owned());
        Ok(())
    }

    /// What has changed, by real paths, once it has settled; `None` at the end.
    pub(crate) fn next(&self) -> Option<BTreeSet<PathBuf>> {
        let mut changed = BTreeSet::new();
        let mut word = self.words.recv().ok()?;
        loop {
            match word {
                Word::End => return None,
                Word::Changed(paths) => changed.extend(paths.iter().map(|path| real(path))),
            }
            match self.words.recv_timeout(SETTLED) {
                Ok(more) => word = more,
                Err(_) => return Some(changed),
            }
        }
    }
}

fn is_change(kind: EventKind) -> bool {
    !matches!(kind, EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)))
}
