//! `fundsim data`: what is done with the folder of `serve --data` while no server has it open.
//!
//! Absent on purpose: what its records mean, and a repair that leaves some of them out.

use crate::args::Data;
use crate::exit::{FAILED, WELL};
use crate::out;
use crate::serve;
use crate::serve::data::Outcomes;
use hosting::worlds::dropped::{Compaction, Dropped};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write as _};
use std::path::Path;
use store::{Checked, Held, TransferError};

/// What is said of a world of which a snapshot was kept, and where there is none.
const SNAPSHOT: [&str; 2] = ["its state is kept", "there are no worlds\n"];
/// What is said of a world that was upgraded, and where there is none to upgrade.
const UPGRADE: [&str; 2] =
    ["it continues by the rules of this version", "all worlds follow the rules of this version\n"];

/// Does what is asked with a folder.
pub(crate) fn data(what: &Data) -> u8 {
    match what {
        Data::Check { folder } => check(folder),
        Data::Export { folder } => export(folder),
        Data::Import { folder, file } => import(folder, file),
        Data::Compact { folder } => compact(folder),
        Data::Snapshot { folder } => of_worlds(folder, SNAPSHOT, serve::data::snapshot(folder)),
        Data::Upgrade { folder } => of_worlds(folder, UPGRADE, serve::data::upgrade(folder)),
    }
}

fn refuse(folder: &Path, why: impl std::fmt::Display) -> u8 {
    out::refuse(&format!("{}: {why}", folder.display()))
}

fn check(folder: &Path) -> u8 {
    match store::check(folder) {
        Err(error) => refuse(folder, error),
        Ok(Checked { batches, records, bytes, file_bytes, damaged }) => {
            out::say(&format!(
                "{records} records in {batches} batches, {bytes} bytes of a file of {file_bytes}; each batch was read and follows \
                 from the one before it\n"
            ));
            match damaged {
                None => WELL,
                Some(damaged) => {
                    out::say(&format!(
                        "what comes after record {} is damaged: {}\n`fundsim serve --data` serves what is before it, and takes \
                         nothing more; `fundsim data export` writes it out\n",
                        damaged.after.0, damaged.what
                    ));
                    FAILED
                }
            }
        }
    }
}

fn export(folder: &Path) -> u8 {
    let mut to = BufWriter::new(io::stdout().lock());
    let exported =
        store::export(folder, &mut to).and_then(|count| to.flush().map(|()| count).map_err(TransferError::from));
    drop(to);
    match exported {
        Ok(count) => {
            out::note(&format!("{count} records; the server's keys are not among them\n"));
            WELL
        }
        Err(error) => refuse(folder, error),
    }
}

fn import(folder: &Path, file: &Path) -> u8 {
    let imported = if file.as_os_str() == "-" {
        store::import(folder, io::stdin().lock())
    } else {
        match File::open(file) {
            Ok(lines) => store::import(folder, BufReader::new(lines)),
            Err(error) => return refuse(file, error),
        }
    };
    match imported {
        Ok(count) => {
            out::say(&format!(
                "{count} records; a server makes new keys here, so that partners have other secrets, unless --key-file names theirs\n"
            ));
            WELL
        }
        Err(error) => refuse(folder, error),
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
fn of_worlds(folder: &Path, [done, none]: [&str; 2], work: impl Future<Output = Result<Outcomes, String>>) -> u8 {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return refuse(folder, error),
    };
    let outcomes = match runtime.block_on(work) {
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
