//! `fundsim data`: what is done with the folder of `serve --data` while no server has it open.
//!
//! Absent on purpose: what its records mean, and a repair that leaves some of them out.

use crate::args::Data;
use crate::exit::{FAILED, WELL};
use crate::out;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write as _};
use std::path::Path;
use store::{Checked, TransferError};

/// Does what is asked with a folder.
pub(crate) fn data(what: &Data) -> u8 {
    match what {
        Data::Check { folder } => check(folder),
        Data::Export { folder } => export(folder),
        Data::Import { folder, file } => import(folder, file),
        Data::Compact { folder } => compact(folder),
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
    match store::compact(folder) {
        Ok((before, after)) => {
            out::say(&format!("{before} bytes before, {after} after\n"));
            WELL
        }
        Err(error) => refuse(folder, error),
    }
}
