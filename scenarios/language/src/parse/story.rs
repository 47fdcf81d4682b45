//! A whole file: its words, its world and rows, and its steps with those of the files it uses.
//!
//! Invariant: a file may use files, and every fault of each is found; names of one stay known in the next. Absent on purpose:
//! what one step says (`steps`).

use super::block::block;
use super::find::{find_word, unknown};
use super::reader::Reader;
use super::setups;
use super::steps::{self, Extras, allow, extra, lets};
use crate::ast::{Act, Example, Scenario, StoryStep, WorldBlock};
use crate::diagnostic::Span;
use crate::template::is_filled;
use crate::tree::{Key, Node, NodeKind};
use crate::words::{self, Takes};
use hosting::setup;
use serde_json::json;

/// The format version that this reader understands.
pub const FORMAT_VERSION: u64 = 1;

/// Whether a file only lends its steps.
pub(super) fn is_fragment(root: &Node) -> bool {
    matches!(&root.kind, NodeKind::Map(entries) if entries.iter().any(|(key, _)| key.text == "fragment"))
}

/// A file as a story, or as a part of one.
pub(super) fn file(reader: &mut Reader<'_>, root: &Node) -> Scenario {
    let mut scenario = Scenario::default();
    let NodeKind::Map(entries) = &root.kind else {
        reader.fault(&root.span, "a scenario file is a map").hint =
            Some("it begins with `scenario:` and its title, and has `steps:`".to_owned());
        return scenario;
    };
    let mut titled = false;
    let mut is_reported = false;
    // Names of rows are known to every step, wherever in the file the rows are.
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
            "incomplete" => scenario.incomplete = reader.raw_text(node, "`incomplete`"),
            "tags" => {
                scenario.tags =
                    reader.list(node, "`tags`").iter().filter_map(|tag| reader.raw_text(tag, "a tag")).collect();
            }
            "world" => scenario.world = world(reader, node),
            "examples" => {}
            "use" => {
                for used in reader.one_or_many(node) {
                    scenario.given.extend(use_file(reader, used, None));
                }
            }
            "given" => scenario.given.extend(list(reader, node)),
            "steps" => {
                is_reported = true;
                scenario.steps = list(reader, node);
            }
            unknown => reader.unknown_word(&key.span, unknown, words::FILE_WORDS),
        }
    }
    if !titled {
        reader.fault(&root.span, "the file has no title").hint =
            Some("begin with `scenario:` and the sentence that the story proves".to_owned());
    } else if !is_reported && !scenario.fragment {
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
        let mut values = Vec::new();
        for (key, value) in reader.map(row, "an example") {
            values.push((key.text.clone(), reader.json(value)));
            reader.learn(&key.text);
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
            "setup" => world.setup = setups::read(reader, value),
            "settings" => {
                for (key, value) in reader.map(value, "`settings`") {
                    let setting = (key.text.clone(), reader.json(value));
                    check_setting(reader, &key.span, &value.span, &setting);
                    world.settings.push(setting);
                }
            }
            unknown => reader.unknown_word(&key.span, unknown, words::WORLD_WORDS),
        }
    }
    world
}

/// That a setting exists and can be so; what an example fills in is looked at when it is played.
fn check_setting(reader: &mut Reader<'_>, key: &Span, at: &Span, (name, value): &(String, serde_json::Value)) {
    let known = words::setting_names();
    if !known.contains(&name.as_str()) {
        return reader.unknown_word(key, name, &known);
    }
    if words::OWN_SETTINGS.iter().any(|(own, _)| own == name) || value.as_str().is_some_and(|text| text.contains('{')) {
        return;
    }
    if let Err(wrong) = setup::parse(&json!({ "settings": { name: value } })) {
        reader.fault(at, wrong.description.trim_start_matches("settings.").to_owned());
    }
}

fn start(reader: &mut Reader<'_>, node: &Node) -> Option<String> {
    let text = reader.text(node, "the start")?;
    if is_filled(&text) {
        return Some(text);
    }
    if sim::time::Instant::parse(&text).is_err() {
        reader.fault(&node.span, format!("`{text}` is not an instant")).hint =
            Some("an instant has a day, a time and an offset, as in 2026-03-02T08:00:00+01:00".to_owned());
        return None;
    }
    Some(text)
}

/// The steps of a list, those of used files in their place.
pub(super) fn list(reader: &mut Reader<'_>, node: &Node) -> Vec<StoryStep> {
    let mut steps = Vec::new();
    for item in reader.list(node, "a list of steps") {
        if reader.is_full() {
            reader.fault(&item.span, "");
            break;
        }
        steps.extend(step(reader, item));
    }
    steps
}

/// The steps of one item of a list: several where it uses a file.
pub(super) fn step(reader: &mut Reader<'_>, node: &Node) -> Vec<StoryStep> {
    let nothing = Node { kind: NodeKind::Null, span: node.span.clone() };
    match &node.kind {
        NodeKind::Text(word) => {
            let key = Key { text: word.clone(), span: node.span.clone() };
            one(reader, &key, &nothing, &[])
        }
        NodeKind::Map(entries) => {
            let is_extra = |key: &Key| words::is_beside(&key.text);
            let mut firsts = entries.iter().filter(|(key, _)| !is_extra(key));
            let Some((key, value)) = firsts.next() else {
                reader.fault(&node.span, "a step needs a word for its action").hint =
                    Some("as in `call:`, `subscribe:` or `expect order ORDER:`".to_owned());
                return Vec::new();
            };
            for (second, _) in firsts {
                second_word(reader, key, second);
            }
            let extras: Vec<_> = entries.iter().filter(|(key, _)| is_extra(key)).collect();
            one(reader, key, value, &extras)
        }
        _ => {
            reader.fault(&node.span, "a step is a word with what it needs").hint =
                Some("as in `- advance: 3 bank days`".to_owned());
            Vec::new()
        }
    }
}

fn second_word(reader: &mut Reader<'_>, first: &Key, second: &Key) {
    let hint = match find_word(&second.text) {
        Some(_) => Some(format!("a step does one thing: begin `{}` with a dash of its own", second.text)),
        None => words::hint(&second.text, &words::listed(words::BESIDE)),
    };
    let fault = reader.fault(&second.span, format!("unknown word `{}` after `{}`", second.text, first.text));
    fault.label = "not known here".to_owned();
    fault.hint = hint;
}

fn one(reader: &mut Reader<'_>, key: &Key, value: &Node, extras: &Extras<'_>) -> Vec<StoryStep> {
    let Some((row, captured)) = find_word(&key.text) else {
        unknown(reader, key);
        return Vec::new();
    };
    for name in &captured {
        reader.check_reference(name, &key.span);
    }
    allow(reader, key, extras, row.beside);
    if row.word == "use" {
        return use_file(reader, value, extra(extras, "with"));
    }
    let step = match row.takes {
        Takes::Rounds | Takes::Conditions => block(reader, row.word, key, value, extras, list),
        _ => steps::of_word(reader, row, &captured, key, value, extras),
    };
    step.into_iter().collect()
}

/// The steps of another file, with its values first.
fn use_file(reader: &mut Reader<'_>, node: &Node, with: Option<&Node>) -> Vec<StoryStep> {
    let mut steps = Vec::new();
    if let Some(with) = with {
        let place = Some(reader.place(&with.span));
        let values = lets(reader, with);
        steps.push(StoryStep { place, ..StoryStep::from(Act::Let(values)) });
    }
    let Some(path) = reader.text(node, "a path to a file") else { return steps };
    let Some((source, root)) = reader.other_file(&path, &node.span) else { return steps };
    let used = reader.within(&source, |reader| file(reader, &root));
    steps.extend(used.given);
    steps.extend(used.steps);
    steps
}
