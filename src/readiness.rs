//! `fundsim readiness`: what an integration has met of a world of a running sandbox, or of the worlds of a suite, and what never.
//!
//! Absent on purpose: counting, which is the server's, and how it is shown, which is `runner::report`'s.

use crate::args::{Output, Readiness};
use crate::bearer;
use crate::exit::{FAILED, WELL};
use crate::out;
use runner::report::readiness::sum::sum;
use runner::report::readiness::{Coverage, html, text};
use serde_json::Value as Json;
use std::fs;
use std::path::PathBuf;

/// Asks the server, shows its answer, and holds it against the share that is wanted.
pub(crate) fn readiness(flags: &Readiness) -> u8 {
    match show(flags) {
        Ok(share) => {
            let wanted = flags.fail_under.map_or(0, u64::from);
            if share >= wanted {
                return WELL;
            }
            out::note(&format!("fundsim: {share} % is below --fail-under {wanted}\n"));
            FAILED
        }
        Err(why) => out::refuse(&why),
    }
}

/// Shows the answer, and gives its share.
fn show(flags: &Readiness) -> Result<u64, String> {
    let (world, url, answer) = if flags.from.is_empty() { ask(flags)? } else { added_up(&flags.from)? };
    let coverage = Coverage::read(answer.clone())?;
    if let Some(path) = &flags.html {
        let wanted = flags.fail_under.map(u64::from);
        let about = html::About { world: &world, url: &url, version: env!("CARGO_PKG_VERSION"), wanted };
        let page = html::page(&coverage, &about);
        std::fs::write(path, page).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    match flags.output {
        Output::Json => out::say(&format!("{answer}\n")),
        Output::Text => out::say(&text(&coverage, &world, flags.all)),
    }
    Ok(coverage.share)
}

/// How many worlds there are, where they are from, and the sum of them.
fn added_up(paths: &[PathBuf]) -> Result<(String, String, Json), String> {
    let mut answers = Vec::new();
    for file in files(paths)? {
        let named = |why: String| format!("{}: {why}", file.display());
        let text = fs::read_to_string(&file).map_err(|error| named(error.to_string()))?;
        let answer: Json = serde_json::from_str(&text).map_err(|error| named(format!("it is no JSON: {error}")))?;
        Coverage::read(answer.clone()).map_err(named)?;
        answers.push(answer);
    }
    let from: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
    let worlds = if answers.len() == 1 { "1 world".to_owned() } else { format!("{} worlds", answers.len()) };
    Ok((worlds, from.join(", "), sum(&answers)?))
}

/// The files that are named, and the JSON files in the folders that are, by name.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for path in paths {
        let named = |error: std::io::Error| format!("{}: {error}", path.display());
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut found = Vec::new();
        for entry in fs::read_dir(path).map_err(named)? {
            found.push(entry.map_err(named)?.path());
        }
        found.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
        if found.is_empty() {
            return Err(format!("{}: no coverage is there", path.display()));
        }
        found.sort();
        files.append(&mut found);
    }
    Ok(files)
}

/// The world, the address of its server, and what that says of it.
fn ask(flags: &Readiness) -> Result<(String, String, Json), String> {
    let shown = bearer::shown(flags.url.as_deref(), &flags.bearer)?;
    let world = shown.world(flags.world.as_deref())?;
    let partner = flags.partner.map(|partner| format!("?partner={partner}")).unwrap_or_default();
    let answer = shown.get(&format!("/_sandbox/worlds/{world}/coverage{partner}"))?;
    let answer = serde_json::from_str(&answer).map_err(|error| format!("the server's coverage is no JSON: {error}"))?;
    let world = if world == "current" { "the partner's world".to_owned() } else { world };
    Ok((world, shown.server.url, answer))
}
