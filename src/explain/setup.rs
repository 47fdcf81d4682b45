//! The fields of a setup, from the schema that its reader makes.
//!
//! Absent on purpose: settings, which a topic of their own lists with defaults and bounds.

use super::told::add;
use serde_json::Value as Json;

/// Where settings stand; they have a topic of their own.
const SETTINGS: &str = "settings";

/// Every part with its fields.
pub(super) fn text() -> String {
    let schema = sandbox::hosting::setup::document();
    let mut text = String::from(
        "A YAML or JSON file. What is left out is as in the demo world; `fundsim setup` prints that as a file to begin with,\n\
         `fundsim schema setup` a JSON Schema for editors.\n",
    );
    for name in in_order(&schema) {
        add(&mut text, format_args!("\n{}", shape(&schema, &name)));
    }
    text
}

/// One part by its path, as in `setup.partners` or `partners.clients`.
pub(super) fn part(wanted: &str) -> Option<String> {
    let schema = sandbox::hosting::setup::document();
    let mut name = root(&schema)?.to_owned();
    let path = wanted.strip_prefix("setup.").unwrap_or(wanted);
    for field in path.split('.') {
        name = target(schema.pointer(&format!("/$defs/{name}/properties/{field}"))?)?.to_owned();
    }
    Some(shape(&schema, &name))
}

fn root(schema: &Json) -> Option<&str> {
    target(schema)
}

/// The shape that a schema refers to, itself or through its items.
fn target(schema: &Json) -> Option<&str> {
    let reference = schema.get("$ref").or_else(|| schema.pointer("/items/$ref"))?;
    reference.as_str()?.strip_prefix("#/$defs/")
}

/// The shapes that hold fields, each behind the one that names it first.
fn in_order(schema: &Json) -> Vec<String> {
    let mut names: Vec<String> = root(schema).map(str::to_owned).into_iter().collect();
    let mut at = 0;
    while let Some(name) = names.get(at) {
        let mut found = Vec::new();
        references(&schema["$defs"][name.as_str()], &mut found);
        for other in found {
            let has_fields = schema["$defs"][other.as_str()]["properties"].is_object();
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

fn shape(schema: &Json, name: &str) -> String {
    let shape = &schema["$defs"][name];
    let about = shape["description"].as_str().unwrap_or_default();
    let required: Vec<_> = shape["required"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let mut text = format!("{name}: {about}\n");
    for (field, of) in shape["properties"].as_object().into_iter().flatten() {
        let kind =
            if field == SETTINGS { "`fundsim explain settings` lists them".to_owned() } else { kind(schema, of) };
        let needed = if required.contains(&field.as_str()) { ", required" } else { "" };
        let about = of["description"].as_str().unwrap_or_default().trim_end_matches('.');
        add(&mut text, format_args!("  {field}{needed}: {about} ({kind})\n"));
    }
    text
}

/// What may stand in a field, in a few words.
fn kind(schema: &Json, of: &Json) -> String {
    if let Some(name) = of["$ref"].as_str().and_then(|reference| reference.strip_prefix("#/$defs/")) {
        let target = &schema["$defs"][name];
        return if target["properties"].is_object() { name.to_owned() } else { kind(schema, target) };
    }
    if let Some(choices) = of["enum"].as_array() {
        // That null says the same as nothing goes without saying.
        let choices = choices.iter().filter(|choice| !choice.is_null());
        let choices: Vec<_> = choices.map(|choice| choice.as_str().map_or(choice.to_string(), str::to_owned)).collect();
        return choices.join(" | ");
    }
    if let Some(kinds) = of["oneOf"].as_array() {
        let kinds = kinds.iter().filter(|one| one["type"] != "null");
        return kinds.map(|one| kind(schema, one)).collect::<Vec<_>>().join(" | ");
    }
    match of["type"].as_str().or_else(|| of["type"][0].as_str()) {
        Some("array") => format!("list of {}", kind(schema, &of["items"])),
        Some("object") => {
            let fields = of["properties"].as_object().into_iter().flatten();
            format!(
                "{{ {} }}",
                fields.map(|(name, of)| format!("{name}: {}", kind(schema, of))).collect::<Vec<_>>().join(", ")
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
