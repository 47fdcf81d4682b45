//! A late step, read once its names have values.
//!
//! Invariant: it means what it would mean had the values been written. Absent on purpose: which steps are late (`late`).

use super::files::NoFiles;
use super::reader::Reader;
use super::{find, steps};
use crate::ast::{Act, Deferred};
use crate::diagnostic::{Source, Span};
use crate::exact::is_json_number;
use crate::tree::{Key, Node, NodeKind};
use serde_json::Value as Json;

/// The act of a late step whose values are filled in.
///
/// # Errors
/// In words, when it cannot be read so.
pub fn read(late: &Deferred, value: &Json) -> Result<Act, String> {
    let source = Source::new("", "");
    let span = source.span(0, 0, 1, 1);
    let mut reader = Reader::new(&source, &NoFiles).knowing_all();
    let key = Key { text: late.word.clone(), span: span.clone() };
    let Some((row, captured)) = find::find_word(&late.word) else {
        return Err(format!("unknown word `{}`", late.word));
    };
    let step = steps::of_word(&mut reader, row, &captured, &key, &node(value, &span), &[]);
    let faults = reader.into_faults();
    match (step, faults.first()) {
        (Some(step), None) => Ok(step.act),
        (_, Some(fault)) => Err(match &fault.hint {
            Some(hint) => format!("{}; {hint}", fault.message),
            None => fault.message.clone(),
        }),
        (None, None) => Err(format!("`{}` cannot be read", late.word)),
    }
}

fn node(value: &Json, span: &Span) -> Node {
    let kind = match value {
        Json::Null => NodeKind::Null,
        Json::Bool(value) => NodeKind::Bool(*value),
        Json::Number(number) => NodeKind::Number(number.to_string()),
        Json::String(text) if is_json_number(text) => NodeKind::Number(text.clone()),
        Json::String(text) => NodeKind::Text(text.clone()),
        Json::Array(items) => NodeKind::List(items.iter().map(|item| node(item, span)).collect()),
        Json::Object(entries) => NodeKind::Map(
            entries
                .iter()
                .map(|(key, value)| (Key { text: key.clone(), span: span.clone() }, node(value, span)))
                .collect(),
        ),
    };
    Node { kind, span: span.clone() }
}
