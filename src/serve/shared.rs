//! What is done with a log that several instances share, while none of them uses it: `fundsim data` with a URL.
//!
//! Invariant: nothing is written while an instance leads. Absent on purpose: what entries mean, which is `hosting::journal`'s, and folders
//! (`data.rs`).

use super::data::{ENTRIES, LASTING, Outcomes, PASSING, key_of, with_unreadable};
use super::several;
use feed::input_log::{Pending, ready};
use feed::transport::TransportClock;
use hosting::journal::{FORMAT, Journal, Writer};
use hosting::secrets::ServerKey;
use hosting::worlds::Worlds;
use hosting::worlds::recovery::Recovery;
use instances::SharedLog;
use instances::tools::{self, Read, ToolError};
use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use store::Position;

/// Reads all of the log at `url`.
///
/// # Errors
/// Why it cannot be used, in words.
pub(crate) async fn check(url: &str) -> Result<Read, String> {
    let log = open(url).await?;
    tools::read(&*log, |_, _| Ok::<_, String>(())).await
}

/// Writes each of its records as a line; how many there were.
///
/// # Errors
/// Why it cannot be used or written, in words.
pub(crate) async fn export(url: &str, to: &mut impl Write) -> Result<u64, String> {
    let log = open(url).await?;
    let words = |error: store::TransferError| error.to_string();
    let read = tools::read(&*log, |at, record| store::write_line(Position(at), record, to).map_err(words)).await?;
    to.flush().map_err(|error| error.to_string())?;
    match read.damaged {
        Some(damaged) => Err(damaged.to_string()),
        None => Ok(read.place.position),
    }
}

/// Takes each line as a record, into a log that has none; how many there were.
///
/// # Errors
/// Why it cannot be used, in words. It has a part of the records then.
pub(crate) async fn import(url: &str, lines: impl BufRead) -> Result<u64, String> {
    let log = open(url).await?;
    tools::is_free(&*log).await?;
    let head = log.head().await.map_err(ToolError::from)?;
    if head.place.position > 0 {
        return Err(ToolError::NotEmpty(head.place.position).into());
    }
    log.keep(ENTRIES, &u64::from(FORMAT).to_be_bytes()).await.map_err(ToolError::from)?;
    let records = store::records_of(lines).map(|record| record.map_err(|error| error.to_string()));
    tools::append(&*log, &head, records).await
}

/// Appends a snapshot of each world, from which a build of other rules can continue.
///
/// # Errors
/// Why the log cannot be used, in words.
pub(crate) async fn snapshot(url: &str) -> Result<Outcomes, String> {
    let Still { log, worlds } = still(url).await?;
    let (recovery, read) = redo(&*log, &worlds).await?;
    let mut outcomes = Outcomes::new();
    let mut entries = Vec::new();
    for (world, entry) in recovery.entries_of_snapshots() {
        outcomes.push((world, entry.map(|entry| entries.push(entry))));
    }
    append(&*log, &read, entries).await?;
    Ok(with_unreadable(outcomes, &worlds))
}

/// Lets worlds of other rules continue by those of this build, from their snapshots.
///
/// # Errors
/// Why the log cannot be used, in words.
pub(crate) async fn upgrade(url: &str) -> Result<Outcomes, String> {
    let Still { log, worlds } = still(url).await?;
    let (mut recovery, read) = redo(&*log, &worlds).await?;
    let gathered = Gathered::default();
    let outcomes = recovery.adopt(&Writer::new(Arc::new(gathered.clone()), worlds.clock().clone())).await;
    append(&*log, &read, gathered.taken()).await?;
    Ok(with_unreadable(outcomes, &worlds))
}

/// A log that no instance uses, and worlds of its key.
struct Still {
    log: Arc<dyn SharedLog>,
    worlds: Worlds,
}

async fn open(url: &str) -> Result<Arc<dyn SharedLog>, String> {
    let log = instances::open(url, &crate::trust::of_flag(None)?).await?;
    let format = log.value(ENTRIES).await.map_err(ToolError::from)?;
    match format {
        Some(format) if format != u64::from(FORMAT).to_be_bytes() => Err(several::other_format()),
        Some(_) | None => Ok(log),
    }
}

async fn still(url: &str) -> Result<Still, String> {
    let log = open(url).await?;
    tools::is_free(&*log).await?;
    let half = async |name: &str| {
        let kept = log.value(name).await.map_err(ToolError::from)?;
        // A key that was made here would be none that a partner's secrets come from.
        let kept = kept.ok_or_else(|| {
            "no instance has used it yet: start one with it first, and with its --key-file if it had one".to_owned()
        })?;
        key_of(kept).ok_or_else(|| format!("{name} is no key"))
    };
    let key = ServerKey::of_halves(&half(LASTING).await?, &half(PASSING).await?);
    let worlds = Worlds::continuing(key, TransportClock::starting_at(Duration::ZERO), 0);
    Ok(Still { log, worlds })
}

/// Does all entries again.
async fn redo<'worlds>(log: &dyn SharedLog, worlds: &'worlds Worlds) -> Result<(Recovery<'worlds>, Read), String> {
    let mut recovery = worlds.recover(BTreeSet::new());
    let read = tools::read(log, |_, entry| recovery.redo(entry).map_err(|error| error.to_string())).await?;
    match read.damaged {
        Some(damaged) => Err(damaged.to_string()),
        None => Ok((recovery, read)),
    }
}

/// Appends entries to the log as it was read.
async fn append(log: &dyn SharedLog, read: &Read, entries: Vec<Vec<u8>>) -> Result<(), String> {
    if entries.is_empty() {
        return Ok(());
    }
    tools::append(log, &read.head, entries.into_iter().map(Ok::<_, String>)).await.map(drop)
}

/// Entries that are appended later.
#[derive(Clone, Default)]
struct Gathered(Arc<Mutex<Vec<Vec<u8>>>>);

impl Gathered {
    fn taken(&self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Journal for Gathered {
    fn append(&self, entry: Vec<u8>) -> Pending<'static, ()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
        ready(Ok(()))
    }

    fn failure(&self) -> Option<String> {
        None
    }
}
