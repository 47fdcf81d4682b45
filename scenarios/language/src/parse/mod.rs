//! From a file to a story.
//!
//! Owns: reading a whole file with the files it uses, and the checks that need their places: known words, known names,
//! right kinds. Invariant: a file either becomes a story or at least one diagnostic, never a panic; all faults of a file
//! are found in one go. Absent on purpose: carrying anything out.

mod application;
pub mod block;
mod bodies;
mod browse;
mod configurations;
mod connections;
mod expected;
mod files;
pub mod filled;
mod find;
mod late;
pub mod moves;
mod reader;
mod receiver;
mod request;
mod setups;
mod statuses;
mod steps;
mod story;

pub(crate) use application::READS;
pub use expected::EVENT_TYPES;
pub use files::{Files, LARGEST_FILE, NoFiles, OnDisk, STDIN, text_of};
pub use moves::iso_ms;
pub use story::FORMAT_VERSION;

use crate::ast::{Scenario, StoryStep};
use crate::diagnostic::{Diagnostic, Source};
use crate::tree;
use reader::Reader;
use std::io;
use std::path::Path;

/// A story read from the file system.
///
/// # Errors
/// All faults of the file, at least one.
pub fn load(path: &Path) -> Result<Scenario, Vec<Diagnostic>> {
    parse(&source(path)?, &OnDisk)
}

/// The text of a file, read once.
///
/// # Errors
/// The one fault that it cannot be read.
pub fn source(path: &Path) -> Result<Source, Vec<Diagnostic>> {
    let name = path.display().to_string();
    match OnDisk.read(path) {
        Ok(text) => Ok(Source::new(name, text)),
        Err(error) => Err(vec![unreadable(&name, &error)]),
    }
}

/// A story from text.
///
/// # Errors
/// All faults of the text, at least one.
pub fn parse(source: &Source, files: &dyn Files) -> Result<Scenario, Vec<Diagnostic>> {
    read(source, Reader::new(source, files))
}

/// A part of a story from text, where some names are saved before it begins; it uses no files.
///
/// # Errors
/// All faults of the text, at least one.
pub fn parse_knowing(source: &Source, knows: &dyn Fn(&str) -> bool) -> Result<Scenario, Vec<Diagnostic>> {
    read(source, Reader::new(source, &NoFiles).knowing(knows))
}

/// One step from text, without a story: no name is saved before it but those of the world, and it uses no files.
///
/// # Errors
/// All faults of the text, at least one.
pub fn single_step(source: &Source) -> Result<StoryStep, Vec<Diagnostic>> {
    let root = tree::read(source).map_err(|fault| vec![*fault])?;
    let mut reader = Reader::new(source, &NoFiles).alone();
    let mut steps = story::step(&mut reader, &root);
    let faults = reader.into_faults();
    match steps.pop() {
        Some(step) if faults.is_empty() => Ok(step),
        None if faults.is_empty() => {
            Err(vec![Diagnostic::new(source, root.span, "a step needs a word for its action")])
        }
        _ => Err(faults),
    }
}

fn read(source: &Source, mut reader: Reader<'_>) -> Result<Scenario, Vec<Diagnostic>> {
    let root = tree::read(source).map_err(|fault| vec![*fault])?;
    if story::is_fragment(&root) {
        // The files that use it give it names; which ones is checked when they are read.
        reader = reader.knowing_all();
    }
    let scenario = story::file(&mut reader, &root);
    let faults = reader.into_faults();
    if faults.is_empty() { Ok(scenario) } else { Err(faults) }
}

/// A file of plain values, YAML or JSON (which is YAML): a setup, a configuration.
///
/// # Errors
/// All faults of the file, at least one.
pub fn load_value(path: &Path) -> Result<serde_json::Value, Vec<Diagnostic>> {
    value(&source(path)?)
}

/// Plain values from text.
///
/// # Errors
/// All faults of the text, at least one.
pub fn value(source: &Source) -> Result<serde_json::Value, Vec<Diagnostic>> {
    let root = tree::read(source).map_err(|fault| vec![*fault])?;
    Ok(reader::plain(&root))
}

fn unreadable(name: &str, error: &io::Error) -> Diagnostic {
    let source = Source::new(name, "");
    let span = source.span(0, 0, 1, 1);
    Diagnostic::new(&source, span, format!("the file cannot be read: {error}"))
}
