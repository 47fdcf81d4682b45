//! Shapes of a JSON Schema in words: a line a field.
//!
//! Owns: the order of shapes, and the words for a field's type. Works on a map from the names of shapes to their schemas,
//! which setups and the description of the API both have. Absent on purpose: which shapes are asked for.

use crate::table::add;
use serde_json::Value as Json;

/// Where settings are; they have a topic of their own.
const SETTINGS: &str = "settings";

/// The shape that a schema refers to, itself or through its items.
pub(super) fn target(schema: &Json) -> Option<&str> {
    let reference = schema.get("$ref").or_else(|| schema.pointer("/items/$ref"))?;
    reference.as_str()?.rsplit('/').next()
}

/// `first` and every shape with fields that it leads to, each after the one that names it first.
pub(super) fn text(schemas: &Json, first: &str) -> String {
    in_order(schemas, first).iter().map(|name| shape(schemas, name)).collect::<Vec<_>>().join("\n")
}

fn in_order(schemas: &Json, first: &str) -> Vec<String> {
    let mut names = vec![first.to_owned()];
    let mut at = 0;
    while let Some(name) = names.get(at) {
        let mut found = Vec::new();
        references(&schemas[name.as_str()], &mut found);
        for other in found {
            let has_fields = schemas[other.as_str()]["properties"].is_object();
            if has_fields && !names.contains(&other) {
                names.push(other);
            }
        }
        at += 1;
    }
    names
}

fn references(schema: &Json, found: &mut Vec<String>) {
    found.extend(target(schema).map(str::to_owned));
    match schema {
        Json::Object(entries) => entries.values().for_each(|value| references(value, found)),
        Json::Array(items) => items.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

/// One shape: its sentence, and a line a field.
pub(super) fn shape(schemas: &Json, name: &str) -> String {
    let shape = &schemas[name];
    let about = shape["description"].as_str().unwrap_or_default();
    let required: Vec<_> = shape["required"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let mut text = format!("{name}: {about}\n");
    for (field, of) in shape["properties"].as_object().into_iter().flatten() {
        let kind =
            if field == SETTINGS { "`fundsim explain settings` lists them".to_owned() } else { kind(schemas, of) };
        let needed = if required.contains(&field.as_str()) { ", required" } else { "" };
        let about =
            of["description"].as_str().map(|about| format!(" {}", about.trim_end_matches('.'))).unwrap_or_default();
        add(&mut text, format_args!("  {field}{needed}:{about} ({kind})\n"));
    }
    text
}

/// The values of a field, in a few words.
fn kind(schemas: &Json, of: &Json) -> String {
    if let Some(name) = of["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()) {
        let target = &schemas[name];
        return if target["properties"].is_object() { name.to_owned() } else { kind(schemas, target) };
    }
    if let Some(choices) = of["enum"].as_array() {
        // That null says the same as nothing goes without saying.
        let choices = choices.iter().filter(|choice| !choice.is_null());
        let choices: Vec<_> = choices.map(|choice| choice.as_str().map_or(choice.to_string(), str::to_owned)).collect();
        return choices.join(" | ");
    }
    if let Some(kinds) = of["oneOf"].as_array() {
        let kinds = kinds.iter().filter(|one| one["type"] != "null");
        return kinds.map(|one| kind(schemas, one)).collect::<Vec<_>>().join(" | ");
    }
    match of["type"].as_str().or_else(|| of["type"][0].as_str()) {
        Some("array") => format!("list of {}", kind(schemas, &of["items"])),
        Some("object") => {
            let fields = of["properties"].as_object().into_iter().flatten();
            format!(
                "{{ {} }}",
                fields.map(|(name, of)| format!("{name}: {}", kind(schemas, of))).collect::<Vec<_>>().join(", ")
            )
        }
        Some("integer") => bounded("whole number", of),
        Some("string") => of["format"].as_str().unwrap_or("text").to_owned(),
        Some(other) => other.to_owned(),
        None => "anything".to_owned(),
    }
}

fn bounded(noun: &str, of: &Json) -> String {
    match (of["minimum"].as_i64(), of["maximum"].as_i64()) {
        (Some(least), Some(most)) => format!("{noun} from {least} to {most}"),
        (Some(least), None) => format!("{noun} from {least}"),
        _ => noun.to_owned(),
    }
}
