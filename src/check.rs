//! `fundsim check`: every mistake of every file, in its place, without running anything.

use crate::args::{Check, Output};
use crate::exit::{FAILED, WELL};
use crate::out;
use language::diagnostic::Diagnostic;
use language::lint;
use runner::suite;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

/// Reads all files and shows what is wrong with them.
pub(crate) fn check(flags: &Check) -> u8 {
    let files = match suite::find(&flags.paths) {
        Ok(files) => files,
        Err(error) => return out::refuse(&error.to_string()),
    };
    if files.is_empty() {
        return out::refuse("there is no scenario file (their names end in .yaml)");
    }
    let found = files.iter().flat_map(|file| lint::check(file).err().unwrap_or_default());
    // A problem in a file that several use is reported once.
    let mut reported = BTreeSet::new();
    let place =
        |fault: &Diagnostic| (fault.span.line, fault.span.column, fault.message.clone(), fault.source.text.clone());
    let faults: Vec<Diagnostic> = found.filter(|fault| reported.insert(place(fault))).collect();
    match flags.output {
        Output::Json => out::say(&format!(
            "{}\n",
            json!({ "files": files.len(), "faults": faults.iter().map(fault).collect::<Vec<_>>() })
        )),
        Output::Text => {
            out::faults(&faults);
            let files = plural(files.len(), "file");
            match faults.len() {
                0 => out::say(&format!("{files}, nothing wrong\n")),
                count => out::say(&format!("{files}, {}\n", plural(count, "mistake"))),
            }
        }
    }
    if faults.is_empty() { WELL } else { FAILED }
}

fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn fault(fault: &Diagnostic) -> Json {
    json!({
        "file": &*fault.source.path,
        "line": fault.span.line,
        "column": fault.span.column,
        "message": fault.message,
        "hint": fault.hint,
    })
}
