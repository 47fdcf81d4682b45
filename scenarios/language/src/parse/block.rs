//! Steps that hold steps: `repeat:` and `when:`.
//!
//! Invariant: the names of a round are known within its steps and nowhere else. Absent on purpose: what the steps say
//! (`steps`).

use super::expected::expected;
use super::reader::Reader;
use super::steps::{Extras, extra};
use crate::ast::{Act, Repeat, Rounds, StoryStep, When};
use crate::template::is_filled;
use crate::tree::{Key, Node, NodeKind};
use crate::words;
use serde_json::Value as Json;

/// Rounds of one block.
pub const MOST_ROUNDS: u64 = 10_000;

/// Reads a list of steps.
pub(super) type ReadSteps = fn(&mut Reader<'_>, &Node) -> Vec<StoryStep>;

/// A block with its steps, which `list` reads.
pub(super) fn block(
    reader: &mut Reader<'_>,
    word: &str,
    key: &Key,
    value: &Node,
    extras: &Extras<'_>,
    list: ReadSteps,
) -> Option<StoryStep> {
    let act = match word {
        "repeat" => {
            let rounds = rounds(reader, value)?;
            let own: Vec<String> = match &rounds {
                Rounds::Each(lists) => lists.iter().map(|(name, _)| name.clone()).chain([ROUND.to_owned()]).collect(),
                Rounds::Times(_) => vec![ROUND.to_owned()],
            };
            let steps = reader.with_names(&own, |reader| steps(reader, key, extras, list));
            Act::Repeat(Repeat { rounds, steps })
        }
        _ => {
            let conditions = conditions(reader, value);
            let steps = steps(reader, key, extras, list);
            let otherwise = extra(extras, "otherwise").map(|node| list(reader, node)).unwrap_or_default();
            Act::When(When { conditions, steps, otherwise })
        }
    };
    Some(StoryStep { place: Some(reader.place(&key.span)), ..StoryStep::from(act) })
}

/// The number of the round.
pub const ROUND: &str = "round";

fn steps(reader: &mut Reader<'_>, key: &Key, extras: &Extras<'_>, list: ReadSteps) -> Vec<StoryStep> {
    let found = extra(extras, "steps").map(|node| list(reader, node));
    if found.as_ref().is_none_or(|steps| steps.is_empty() && !reader.is_faulty()) {
        reader.fault(&key.span, format!("`{}` has no `steps:`", key.text)).hint =
            Some("add `steps:` with a list".to_owned());
    }
    found.unwrap_or_default()
}

fn rounds(reader: &mut Reader<'_>, node: &Node) -> Option<Rounds> {
    match &node.kind {
        NodeKind::Map(entries) if !entries.is_empty() => {
            Some(Rounds::Each(entries.iter().map(|(key, list)| (key.text.clone(), items(reader, list))).collect()))
        }
        NodeKind::Text(text) if is_filled(text) => {
            reader.text(node, "how often").map(|text| Rounds::Times(Json::String(text)))
        }
        _ => {
            let times = reader.whole(node, "how often")?;
            if times > MOST_ROUNDS {
                reader.fault(&node.span, format!("a block is repeated at most {MOST_ROUNDS} times"));
                return None;
            }
            Some(Rounds::Times(Json::from(times)))
        }
    }
}

/// A list, or a name for one.
fn items(reader: &mut Reader<'_>, node: &Node) -> Json {
    if !matches!(&node.kind, NodeKind::List(_)) && !matches!(&node.kind, NodeKind::Text(text) if is_filled(text)) {
        reader.wrong_kind(node, "what is repeated for", "a list, or a name for one").hint =
            Some("as in `repeat: { fund: [SE0SBX000016SEK, SE0SBX000024SEK] }`".to_owned());
    }
    reader.json(node)
}

fn conditions(reader: &mut Reader<'_>, node: &Node) -> Vec<(String, crate::ast::Expected)> {
    let mut found = Vec::new();
    for (key, value) in reader.map(node, "`when`") {
        let (name, path) = key.text.split_once('.').unwrap_or((&key.text, ""));
        if name == SETTINGS {
            let known = crate::words::setting_names();
            if !known.contains(&path) {
                reader.unknown_word(&key.span, path, &known);
            }
        } else {
            reader.check_names(&format!("{{{}}}", key.text), &key.span);
        }
        if key.text == DRIVER
            && let NodeKind::Text(text) = &value.kind
            && !is_filled(text)
            && !words::DRIVERS.contains(&text.as_str())
        {
            reader.unknown_word(&value.span, text, words::DRIVERS);
        }
        found.push((key.text.clone(), expected(reader, value)));
    }
    found
}

/// What conditions call how a story is played.
const DRIVER: &str = "driver";

/// What conditions call the world's settings.
pub const SETTINGS: &str = "settings";
