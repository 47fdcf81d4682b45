//! Configurations of journeys, read before the run: what a type of journey needs and takes, and the words within.
//!
//! Invariant: which type takes which field is the service's own table, and the words within a field are those of its description.
//! Absent on purpose: what a client permits, values that a saved name fills in, and steps that expect a refusal.

use super::reader::Reader;
use crate::ast::Request;
use crate::fields;
use crate::template::is_filled;
use crate::tree::{Node, NodeKind};
use crate::words;
use serde_json::Value as Json;
use sim::records::{FIELDS, JourneyType, Presence};

/// Complains about what the service would refuse of a journey's configuration by itself.
pub(super) fn check(reader: &mut Reader<'_>, request: &Request, node: &Node) {
    let NodeKind::Map(entries) = &node.kind else { return };
    for (key, value) in entries {
        if FIELDS.iter().any(|(name, ..)| *name == key.text) {
            inside(reader, &key.text, value, &fields::of_schema("JourneyRequest", &["journey", &key.text]));
        }
    }
    let named = request.arguments.get("type").and_then(Json::as_str);
    let Some(at) = JourneyType::ALL.iter().position(|journey| Some(journey.name()) == named) else { return };
    let named = JourneyType::ALL[at].name();
    let is_given = |name: &str| request.arguments.get(name).is_some_and(|value| !value.is_null());
    for (name, presences, _) in FIELDS {
        match presences[at] {
            Presence::Required if !is_given(name) => {
                let fault = reader.fault(&node.span, format!("a journey `{named}` needs `{name}`"));
                fault.label = "missing here".to_owned();
                let shapes = fields::of_schema("JourneyRequest", &["journey", name]);
                fault.hint = words::hint("", &words_of(&shapes)).filter(|_| !words_of(&shapes).is_empty());
            }
            Presence::Refused if is_given(name) => {
                let Some((key, _)) = entries.iter().find(|(key, _)| key.text == *name) else { continue };
                let takes: Vec<_> =
                    FIELDS.iter().filter(|(_, presences, _)| presences[at] != Presence::Refused).collect();
                let takes: Vec<_> = takes.iter().map(|(name, ..)| format!("`{name}`")).collect();
                let fault = reader.fault(&key.span, format!("a journey `{named}` takes no `{name}`"));
                fault.label = "not for this type".to_owned();
                fault.hint = Some(format!("it takes {}", takes.join(", ")));
            }
            _ => {}
        }
    }
}

/// The words and values within a field, by the shapes that it may have.
fn inside(reader: &mut Reader<'_>, what: &str, node: &Node, shapes: &[&'static Json]) {
    match &node.kind {
        NodeKind::Map(entries) => {
            let objects: Vec<&'static Json> =
                shapes.iter().copied().filter(|shape| shape["properties"].is_object()).collect();
            if objects.is_empty() {
                return;
            }
            let names: Vec<&str> = objects.iter().flat_map(|shape| names_of(shape)).collect();
            let faults = reader.count();
            for (key, value) in entries {
                if !names.contains(&key.text.as_str()) {
                    reader.unknown_word(&key.span, &key.text, &names);
                    continue;
                }
                let within: Vec<&'static Json> =
                    objects.iter().flat_map(|shape| fields::variants(&shape["properties"][&key.text])).collect();
                inside(reader, &key.text, value, &within);
            }
            if let ([only], true) = (objects.as_slice(), reader.count() == faults) {
                let required = only["required"].as_array().into_iter().flatten().filter_map(Json::as_str);
                let missing = required.filter(|name| !entries.iter().any(|(key, _)| key.text == *name));
                for name in missing.collect::<Vec<_>>() {
                    reader.fault(&node.span, format!("`{what}` needs `{name}`")).label = "missing here".to_owned();
                }
            }
        }
        NodeKind::List(items) => {
            let of_items: Vec<&'static Json> =
                shapes.iter().flat_map(|shape| fields::variants(&shape["items"])).collect();
            items.iter().for_each(|item| inside(reader, what, item, &of_items));
        }
        NodeKind::Text(text) if !is_filled(text) => {
            let words = words_of(shapes);
            let has_other_text = shapes.iter().any(|shape| shape["type"] == "string" && !shape["enum"].is_array());
            if !words.is_empty() && !has_other_text && !words.contains(&text.as_str()) {
                let hint = words::hint(text, &words);
                let fault = reader.fault(&node.span, format!("`{what}` cannot be `{text}`"));
                fault.label = "not known here".to_owned();
                fault.hint = hint;
            }
        }
        _ => {}
    }
}

/// The words among which shapes leave a choice.
fn words_of(shapes: &[&'static Json]) -> Vec<&'static str> {
    shapes.iter().filter_map(|shape| shape["enum"].as_array()).flatten().filter_map(Json::as_str).collect()
}

fn names_of(shape: &'static Json) -> impl Iterator<Item = &'static str> {
    shape["properties"].as_object().into_iter().flat_map(|properties| properties.keys().map(String::as_str))
}
