//! From a file to a story.
//!
//! Owns: reading a whole file with the files it uses, and the checks that need their places: known words, known names,
//! right kinds. Invariant: a file either becomes a story or at least one diagnostic, never a panic; all faults of a file
//! are found in one go. Absent on purpose: carrying anything out.

mod browse;
mod connections;
mod expected;
mod find;
mod moves;
mod reader;
mod receiver;
mod request;
mod steps;

pub use expected::EVENT_TYPES;
pub use moves::iso_ms;

use crate::ast::{Example, Scenario, WorldBlock};
use crate::diagnostic::{Diagnostic, Source, Span};
use crate::tree::{self, Kind, Node};
use crate::words;
use reader::Reader;
use std::io;
use std::path::{Path, PathBuf};

/// The format version that this reader understands.
pub const FORMAT_VERSION: u64 = 1;
/// Files larger than this are refused unread.
pub const LARGEST_FILE: usize = 1 << 20;
/// How deep files may use files.
const DEEPEST_USE: usize = 8;

/// Where used files come from.
pub trait Files {
    /// The text of a file.
    ///
    /// # Errors
    /// When it cannot be read.
    fn read(&self, path: &Path) -> io::Result<String>;
}

/// Files of the file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct OnDisk;

impl Files for OnDisk {
    fn read(&self, path: &Path) -> io::Result<String> {
        let size = std::fs::metadata(path)?.len();
        if usize::try_from(size).map_or(true, |size| size > LARGEST_FILE) {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {LARGEST_FILE} bytes")));
        }
        let bytes = std::fs::read(path)?;
        String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not UTF-8 text"))
    }
}

/// A story read from the file system.
///
/// # Errors
/// All faults of the file, at least one.
pub fn load(path: &Path) -> Result<Scenario, Vec<Diagnostic>> {
    let name = path.display().to_string();
    match OnDisk.read(path) {
        Ok(text) => parse(&Source::new(name, text), &OnDisk),
        Err(error) => Err(vec![unreadable(&name, &error)]),
    }
}

/// A story from text.
///
/// # Errors
/// All faults of the text, at least one.
pub fn parse(source: &Source, files: &dyn Files) -> Result<Scenario, Vec<Diagnostic>> {
    let root = tree::read(source).map_err(|fault| vec![*fault])?;
    let mut reader = Reader::new(source, files);
    let scenario = file(&mut reader, &root);
    let faults = reader.into_faults();
    if faults.is_empty() { Ok(scenario) } else { Err(faults) }
}

/// A file of plain values, YAML or JSON (which is YAML): a setup, a configuration.
///
/// # Errors
/// All faults of the file, at least one.
pub fn load_value(path: &Path) -> Result<serde_json::Value, Vec<Diagnostic>> {
    let name = path.display().to_string();
    let text = OnDisk.read(path).map_err(|error| vec![unreadable(&name, &error)])?;
    let source = Source::new(name, text);
    let root = tree::read(&source).map_err(|fault| vec![*fault])?;
    Ok(reader::plain(&root))
}

fn unreadable(name: &str, error: &io::Error) -> Diagnostic {
    let source = Source::new(name, "");
    let span = source.span(0, 0, 1, 1);
    Diagnostic::new(&source, span, format!("the file cannot be read: {error}"))
}

fn file(reader: &mut Reader<'_>, root: &Node) -> Scenario {
    let mut scenario = Scenario::default();
    let Kind::Map(entries) = &root.kind else {
        reader.fault(&root.span, "a scenario file is a map").hint =
            Some("it begins with `scenario:` and its title, and has `steps:`".to_owned());
        return scenario;
    };
    let mut titled = false;
    let mut told = false;
    // Names of rows are known to every step, wherever in the file the rows stand.
    if let Some((_, node)) = entries.iter().find(|(key, _)| key.text == "examples") {
        scenario.examples = examples(reader, node);
    }
    for (key, node) in entries {
        match key.text.as_str() {
            "fundsim" => version(reader, node),
            "scenario" | "fragment" => {
                titled = true;
                scenario.fragment = key.text == "fragment";
                scenario.title = reader.raw_text(node, "the title").unwrap_or_default();
            }
            "about" => scenario.about = reader.raw_text(node, "`about`"),
            "tags" => {
                scenario.tags =
                    reader.list(node, "`tags`").iter().filter_map(|tag| reader.raw_text(tag, "a tag")).collect();
            }
            "world" => scenario.world = world(reader, node),
            "examples" => {}
            "use" => {
                for used in reader.one_or_many(node) {
                    scenario.given.extend(steps::use_file(reader, used, None));
                }
            }
            "given" => scenario.given.extend(steps::list(reader, node)),
            "steps" => {
                told = true;
                scenario.steps = steps::list(reader, node);
            }
            unknown => reader.unknown_word(&key.span, unknown, words::FILE_WORDS),
        }
    }
    if !titled {
        reader.fault(&root.span, "the file has no title").hint =
            Some("begin with `scenario:` and the sentence that the story proves".to_owned());
    } else if !told && !scenario.fragment {
        reader.fault(&root.span, "the story has no `steps:`").hint = Some("add `steps:` and a list".to_owned());
    }
    scenario
}

fn version(reader: &mut Reader<'_>, node: &Node) {
    let Some(version) = reader.whole(node, "the format version") else { return };
    if version != FORMAT_VERSION {
        reader.fault(&node.span, format!("this file is of format version {version}")).hint =
            Some(format!("this fundsim reads version {FORMAT_VERSION}"));
    }
}

fn examples(reader: &mut Reader<'_>, node: &Node) -> Vec<Example> {
    let mut rows = Vec::new();
    for row in reader.list(node, "`examples`") {
        let values: Vec<_> =
            reader.map(row, "an example").iter().map(|(key, value)| (key.text.clone(), reader.json(value))).collect();
        for (name, _) in &values {
            reader.learn(name);
        }
        rows.push(Example { values });
    }
    if rows.is_empty() {
        reader.fault(&node.span, "`examples` has no row").hint = Some("leave it out, or add a row".to_owned());
    }
    rows
}

fn world(reader: &mut Reader<'_>, node: &Node) -> WorldBlock {
    let mut world = WorldBlock::default();
    for (key, value) in reader.map(node, "`world`") {
        match key.text.as_str() {
            "seed" => world.seed = reader.whole(value, "a seed"),
            "start" => world.start = start(reader, value),
            "setup" => world.setup = setup(reader, value),
            "settings" => {
                world.settings = reader
                    .map(value, "`settings`")
                    .iter()
                    .map(|(key, value)| (key.text.clone(), reader.json(value)))
                    .collect();
            }
            unknown => reader.unknown_word(&key.span, unknown, words::WORLD_WORDS),
        }
    }
    world
}

fn start(reader: &mut Reader<'_>, node: &Node) -> Option<String> {
    let text = reader.text(node, "the start")?;
    if sim::time::Instant::parse(&text).is_err() {
        reader.fault(&node.span, format!("`{text}` is not an instant")).hint =
            Some("an instant has a day, a time and an offset, as in 2026-03-02T08:00:00+01:00".to_owned());
        return None;
    }
    Some(text)
}

/// A setup is a name, a map, or a file beside this one that holds a map.
fn setup(reader: &mut Reader<'_>, node: &Node) -> Option<serde_json::Value> {
    let Kind::Text(text) = &node.kind else { return Some(reader.json(node)) };
    let is_file = [".yaml", ".yml", ".json"].iter().any(|ending| text.ends_with(ending));
    if !is_file {
        return Some(serde_json::Value::String(text.clone()));
    }
    let (_, root) = reader.other_file(text, &node.span)?;
    Some(reader::plain(&root))
}

/// Where a used file lies: beside the one that uses it.
fn beside(source: &Source, path: &str) -> PathBuf {
    Path::new(&*source.path).parent().unwrap_or(Path::new("")).join(path)
}

/// Too deep, or in a circle.
fn too_deep(reader: &mut Reader<'_>, span: &Span) {
    reader.fault(span, "files use files too deeply").hint = Some("does a file use itself?".to_owned());
}
