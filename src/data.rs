//! `fundsim data`: what is done with the folder of `serve --data`, or with the log of `serve --log`, while no server uses it.
//!
//! Absent on purpose: what its records mean, and a repair that leaves some of them out.

use crate::args::{Data, Kept};
use crate::exit::{FAILED, WELL};
use crate::out;
use crate::serve;
use crate::serve::data::Outcomes;
#[cfg(feature = "several")]
use crate::serve::shared;
use hosting::worlds::dropped::{Compaction, Dropped};
#[cfg(feature = "several")]
use instances::tools::Read;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write as _};
use std::path::Path;
use store::{Checked, Held, TransferError};

/// What is said of a world of which a snapshot was kept, and where there is none.
const SNAPSHOT: [&str; 2] = ["its state is kept", "there are no worlds\n"];
/// What is said of a world that was upgraded, and where there is none to upgrade.
const UPGRADE: [&str; 2] =
    ["it continues by the rules of this version", "all worlds follow the rules of this version\n"];

/// Does what is asked with a folder or a log.
pub(crate) fn data(what: &Data) -> u8 {
    match what {
        Data::Check { kept } => check(kept),
        Data::Export { kept } => export(kept),
        Data::Import { kept, file } => import(kept, file),
        Data::Compact { folder } => compact(folder),
        Data::Snapshot { kept: Kept::Folder(folder) } => of_worlds(SNAPSHOT, serve::data::snapshot(folder)),
        #[cfg(feature = "several")]
        Data::Snapshot { kept: Kept::Log(url) } => of_worlds(SNAPSHOT, shared::snapshot(url)),
        Data::Upgrade { kept: Kept::Folder(folder) } => of_worlds(UPGRADE, serve::data::upgrade(folder)),
        #[cfg(feature = "several")]
        Data::Upgrade { kept: Kept::Log(url) } => of_worlds(UPGRADE, shared::upgrade(url)),
    }
}

fn refuse(folder: &Path, why: impl std::fmt::Display) -> u8 {
    out::refuse(&format!("{}: {why}", folder.display()))
}

fn check(kept: &Kept) -> u8 {
    let (records, batches, size, damaged) = match kept {
        Kept::Folder(folder) => match store::check(folder) {
            Err(error) => return refuse(folder, error),
            Ok(Checked { batches, records, bytes, file_bytes, damaged }) => {
                (records, batches, format!("{bytes} bytes of a file of {file_bytes}"), damaged)
            }
        },
        #[cfg(feature = "several")]
        Kept::Log(url) => match awaited(shared::check(url)) {
            Err(why) => return out::refuse(&why),
            Ok(Read { place, batches, bytes, damaged, .. }) => {
                (place.position, batches, format!("{bytes} bytes"), damaged)
            }
        },
    };
    out::say(&format!(
        "{records} records in {batches} batches, {size}; each batch was read and follows from the one before it\n"
    ));
    let Some(damaged) = damaged else { return WELL };
    let then = match kept {
        Kept::Folder(_) => {
            "`fundsim serve --data` serves what is before it, and takes nothing more; `fundsim data export` writes it out"
        }
        #[cfg(feature = "several")]
        Kept::Log(_) => "instances do not get past it; `fundsim data export` writes out what is before it",
    };
    out::say(&format!("what comes after record {} is damaged: {}\n{then}\n", damaged.after.0, damaged.what));
    FAILED
}

fn export(kept: &Kept) -> u8 {
    let mut to = BufWriter::new(io::stdout().lock());
    let words = |error: TransferError| error.to_string();
    let exported = match kept {
        Kept::Folder(folder) => {
            let exported = store::export(folder, &mut to);
            let exported = exported.and_then(|count| to.flush().map(|()| count).map_err(TransferError::from));
            exported.map_err(|error| format!("{}: {}", folder.display(), words(error)))
        }
        #[cfg(feature = "several")]
        Kept::Log(url) => awaited(shared::export(url, &mut to)),
    };
    drop(to);
    match exported {
        Ok(count) => {
            out::note(&format!("{count} records; the server's keys are not among them\n"));
            WELL
        }
        Err(why) => out::refuse(&why),
    }
}

fn import(kept: &Kept, file: &Path) -> u8 {
    let lines: Box<dyn BufRead> = if file.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        match File::open(file) {
            Ok(lines) => Box::new(BufReader::new(lines)),
            Err(error) => return refuse(file, error),
        }
    };
    let imported = match kept {
        Kept::Folder(folder) => store::import(folder, lines).map_err(|error| format!("{}: {error}", folder.display())),
        #[cfg(feature = "several")]
        Kept::Log(url) => awaited(shared::import(url, lines)),
    };
    match imported {
        Ok(count) => {
            out::say(&format!(
                "{count} records; a server makes new keys here, so that partners have other secrets, unless --key-file names theirs\n"
            ));
            WELL
        }
        Err(why) => out::refuse(&why),
    }
}

fn compact(folder: &Path) -> u8 {
    match compacted(folder) {
        Ok(((before, after), left_out)) => {
            out::say(&format!(
                "{before} bytes before, {after} after; {left_out} records of dropped worlds are left out\n"
            ));
            WELL
        }
        Err(error) => refuse(folder, error),
    }
}

/// The bytes of the file before and after, and how many records are left out.
fn compacted(folder: &Path) -> Result<((u64, u64), u64), TransferError> {
    let mut dropped = Dropped::default();
    let held = Held::of(folder, |record| dropped.note(record))?;
    let (mut compaction, mut anew) = (Compaction::without(dropped.worlds()), held.anew()?);
    for record in held.records() {
        let (_, record) = record?;
        compaction.take(record, |record| anew.add(record));
    }
    let left_out = compaction.end(|record| anew.add(record));
    Ok((anew.end()?, left_out))
}

/// What became of each world, one line each.
fn of_worlds([done, none]: [&str; 2], work: impl Future<Output = Result<Outcomes, String>>) -> u8 {
    let outcomes = match awaited(work) {
        Ok(outcomes) => outcomes,
        Err(why) => return out::refuse(&why),
    };
    if outcomes.is_empty() {
        out::say(none);
    }
    for (world, outcome) in &outcomes {
        let words = outcome.as_ref().map_or_else(|why| &**why, |()| done);
        out::say(&format!("{world}: {words}\n"));
    }
    if outcomes.iter().all(|(_, outcome)| outcome.is_ok()) { WELL } else { FAILED }
}

/// The outcome of `work`. Connections are served meanwhile, whatever it does.
fn awaited<T>(work: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.map_err(|error| format!("no runtime: {error}"))?.block_on(work)
}
