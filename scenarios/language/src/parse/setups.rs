//! The setup of a world, read before the world is made: every fault at the place where it is written.
//!
//! Invariant: what the server would refuse is refused here, in its words. Absent on purpose: setups in which a row of
//! examples fills something in; those are read when they are played.

use super::late::holds_value;
use super::reader::{Reader, plain};
use crate::diagnostic::Span;
use crate::tree::{Node, NodeKind};
use hosting::setup;
use serde_json::Value as Json;

/// The setup that needs no file.
const DEMO: &str = "demo";

/// A setup is `demo`, a map, or a file beside this one that holds a map.
pub(super) fn read(reader: &mut Reader<'_>, node: &Node) -> Option<Json> {
    let NodeKind::Text(text) = &node.kind else {
        check(reader, node);
        return Some(reader.json(node));
    };
    let is_file = [".yaml", ".yml", ".json"].iter().any(|ending| text.ends_with(ending));
    if !is_file {
        if text != DEMO && !crate::template::is_filled(text) {
            reader.fault(&node.span, format!("no setup is called `{text}`")).hint =
                Some(format!("`{DEMO}`, a map, or a file that ends in .yaml or .json"));
        }
        return reader.text(node, "a setup").map(Json::String);
    }
    let (source, root) = reader.other_file(text, &node.span)?;
    reader.within(&source, |reader| check(reader, &root));
    Some(plain(&root))
}

/// Each sentence of the refusal at the place that it names.
fn check(reader: &mut Reader<'_>, root: &Node) {
    let value = plain(root);
    if holds_value(&value) {
        return;
    }
    let Err(refusal) = setup::parse(&value) else { return };
    for sentence in refusal.description.split("; ") {
        let path = sentence.split(' ').next().unwrap_or_default();
        let span = place(root, path);
        reader.fault(&span, sentence.to_owned()).hint =
            Some("`fundsim explain setup` shows what is accepted here".to_owned());
    }
}

/// The deepest node on a path such as `partners[0].name`; the key, where a key is what is wrong.
pub(super) fn place(root: &Node, path: &str) -> Span {
    let mut here = root;
    let mut span = root.span.clone();
    for part in path.split(['.', '[']).map(|part| part.trim_end_matches(']')).filter(|part| !part.is_empty()) {
        let next = match &here.kind {
            NodeKind::Map(entries) => {
                entries.iter().find(|(key, _)| key.text == part).map(|(key, node)| (&key.span, node))
            }
            NodeKind::List(items) => {
                part.parse::<usize>().ok().and_then(|at| items.get(at)).map(|node| (&node.span, node))
            }
            _ => None,
        };
        let Some((at, node)) = next else { break };
        span = at.clone();
        here = node;
    }
    span
}
