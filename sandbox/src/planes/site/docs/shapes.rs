//! Schemas as trees of fields: type, need, bounds, meaning; references open in place, alternatives are offered to choose from.
//!
//! Invariant: whatever a schema refers to is shown in place or linked to, and a shape that contains itself ends in a link.
//! Absent on purpose: keywords that the document does not use.

use super::description::{followed, items, members, name_of};
use super::place::PathToRoot;
use super::text;
use maud::{Markup, html};
use serde_json::Value;
use std::cell::Cell;

/// How many levels open in place; deeper ones are behind their links.
const DEEPEST: usize = 5;

/// Bounds of a value: keyword, and what it says.
const BOUNDS: &[(&str, &str)] = &[
    ("const", "always"),
    ("minimum", "at least"),
    ("maximum", "at most"),
    ("exclusiveMinimum", "more than"),
    ("exclusiveMaximum", "less than"),
    ("multipleOf", "a multiple of"),
    ("minLength", "characters at least:"),
    ("maxLength", "characters at most:"),
    ("minItems", "items at least:"),
    ("maxItems", "items at most:"),
    ("pattern", "pattern"),
    ("default", "when left out:"),
];

/// A schema behind references and behind the choice between a value and null.
#[derive(Clone, Copy)]
struct Seen {
    /// The name under which the document has it.
    name: Option<&'static str>,
    schema: &'static Value,
    is_nullable: bool,
    /// The sentence that is nearest to where it is used.
    about: &'static str,
}

/// What a shape is of: readers of a request ask what they must send, those of an answer what they can rely on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// A request: its required parts begin open.
    Request,
    /// An answer.
    Answer,
}

/// How one shape is shown.
struct ShapeView<'w> {
    place: PathToRoot,
    /// What groups of alternatives are named after.
    part: &'w str,
    /// How many groups there were.
    groups: Cell<usize>,
    /// What the shape is of.
    direction: Direction,
}

/// The body of a request, whose required parts are open.
pub(super) fn of_request(schema: &'static Value, place: PathToRoot) -> Markup {
    whole(schema, &ShapeView { place, part: "request", groups: Cell::new(0), direction: Direction::Request }, None)
}

/// A body, under a name that no other body of the page has.
pub(super) fn of_answer(schema: &'static Value, status: &str, place: PathToRoot) -> Markup {
    whole(schema, &ShapeView { place, part: status, groups: Cell::new(0), direction: Direction::Answer }, None)
}

/// The body of a post.
pub(super) fn of_body(schema: &'static Value, place: PathToRoot) -> Markup {
    of_answer(schema, "body", place)
}

/// A schema of the document on its own page.
pub(super) fn of_schema(schema: &'static Value, name: &'static str, place: PathToRoot) -> Markup {
    whole(schema, &ShapeView { place, part: "schema", groups: Cell::new(0), direction: Direction::Request }, Some(name))
}

/// A shape with its kind and its sentence before it.
fn whole(schema: &'static Value, view: &ShapeView<'_>, named: Option<&'static str>) -> Markup {
    let seen = Seen { name: None, ..look(schema) };
    let outer = look(schema).name;
    let open: Vec<&str> = outer.into_iter().chain(named).collect();
    html! {
        div.shape {
            p.kind {
                (kind(if named.is_some() { seen } else { look(schema) }, view.place))
                @if seen.is_nullable { " " span.status.badge { "or null" } }
            }
            @if !seen.about.is_empty() { (text::paragraphs(seen.about, view.place)) }
            (facts(seen))
            @if let Some(inner) = inner(seen, view, &open) { (inner) }
        }
    }
}

/// Parameters or headers with their meanings.
pub(super) fn parameters(parameters: impl Iterator<Item = &'static Value>, place: PathToRoot) -> Markup {
    html! { ul.fields { @for it in parameters { (parameter(it, place)) } } }
}

/// A field or a parameter, without what is in it.
fn parameter(parameter: &'static Value, place: PathToRoot) -> Markup {
    let seen = look(&parameter["schema"]);
    let about = parameter["description"].as_str().unwrap_or(seen.about);
    let is_required = parameter["required"] == true;
    html! {
        li { (head(parameter["name"].as_str().unwrap_or_default(), is_required, seen, place, Direction::Request)) (says(about, seen, place)) }
    }
}

fn look(value: &'static Value) -> Seen {
    let mut seen = Seen { name: None, schema: value, is_nullable: false, about: "" };
    loop {
        let schema = seen.schema;
        if seen.about.is_empty() {
            seen.about = schema["description"].as_str().unwrap_or_default();
        }
        seen.is_nullable |= items(&schema["type"]).any(|kind| kind == "null");
        let variants: Vec<_> = choices(schema).collect();
        if let Some(name) = name_of(schema) {
            seen.name = seen.name.or(Some(name));
            seen.schema = followed(schema);
        } else if let [variant] = variants[..] {
            seen.is_nullable |= has_null(schema);
            seen.schema = variant;
        } else {
            seen.is_nullable |= has_null(schema);
            return seen;
        }
    }
}

/// The alternatives of a schema, but null.
fn choices(schema: &'static Value) -> impl Iterator<Item = &'static Value> {
    alternatives_of(schema).filter(|variant| variant["type"] != "null")
}

fn has_null(schema: &'static Value) -> bool {
    alternatives_of(schema).any(|variant| variant["type"] == "null")
}

fn alternatives_of(schema: &'static Value) -> impl Iterator<Item = &'static Value> {
    items(&schema["oneOf"]).chain(items(&schema["anyOf"]))
}

/// What a value is, in a few words, with a link where the document has a name for it.
fn kind(seen: Seen, place: PathToRoot) -> Markup {
    let Seen { name, schema, .. } = seen;
    if let Some(name) = name {
        let base = base(schema);
        return html! { a href=(place.schema(name)) { (name) } @if base != "object" && !base.is_empty() { " " span.base { (base) } } };
    }
    if choices(schema).next().is_some() {
        return html! { (choices(schema).count()) " alternatives" };
    }
    if schema["items"].is_object() {
        return html! { "list of " (kind(look(&schema["items"]), place)) };
    }
    if schema["additionalProperties"].is_object() {
        return html! { "object of " (kind(look(&schema["additionalProperties"]), place)) };
    }
    html! { (base(schema)) @if let Some(format) = schema["format"].as_str() { " " span.base { (format) } } }
}

/// The type of a schema as it is written.
fn base(schema: &'static Value) -> &'static str {
    let of_list = items(&schema["type"]).filter_map(Value::as_str).find(|kind| *kind != "null");
    let written = schema["type"].as_str().or(of_list);
    let object = (schema["properties"].is_object() || schema["allOf"].is_array()).then_some("object");
    let any = (choices(schema).next().is_none()).then_some("any value");
    written.or(object).or(any).unwrap_or_default()
}

fn head(name: &str, is_required: bool, seen: Seen, place: PathToRoot, direction: Direction) -> Markup {
    html! {
        div.field {
            code.name { (name) } " " span.kind { (kind(seen, place)) }
            @match (direction, is_required) {
                (Direction::Request, true) => { " " span.status.badge.required { "required" } },
                (Direction::Request, false) => { " " span.status.badge { "optional" } },
                (Direction::Answer, true) => {},
                (Direction::Answer, false) => { " " span.status.badge { "may be absent" } },
            }
            @if seen.is_nullable { " " span.status.badge { "or null" } }
            @if seen.schema["readOnly"] == true { " " span.status.badge { "read only" } }
        }
    }
}

fn says(about: &str, seen: Seen, place: PathToRoot) -> Markup {
    html! { @if !about.is_empty() { div.about { (text::paragraphs(about, place)) } } (facts(seen)) }
}

/// Words, bounds and an example; of a list, those of its items.
fn facts(seen: Seen) -> Markup {
    let of_items = seen.schema["items"].is_object().then(|| look(&seen.schema["items"]).schema);
    let schema = of_items.unwrap_or(seen.schema);
    let own = if of_items.is_some() { seen.schema } else { &Value::Null };
    let words: Vec<_> = items(&schema["enum"]).filter(|word| !word.is_null()).collect();
    let bounds: Vec<_> = BOUNDS
        .iter()
        .flat_map(|(word, about)| [own, schema].map(|schema| (about, &schema[*word])))
        .filter(|(_, bound)| !bound.is_null())
        .collect();
    let example = items(&schema["examples"]).next().or(schema.get("example")).filter(|value| !is_nested(value));
    html! {
        @if !words.is_empty() {
            p.facts { (if words.len() == 1 { "Always " } else { "One of " }) @for (at, word) in words.iter().enumerate() { @if at > 0 { ", " } code { (plain(word)) } } "." }
        }
        @if !bounds.is_empty() || example.is_some() {
            p.facts {
                @for (at, (about, bound)) in bounds.iter().enumerate() { @if at > 0 { "; " } (about) " " code { (plain(bound)) } }
                @if let Some(example) = example { @if !bounds.is_empty() { "; " } "for example " code { (plain(example)) } }
            }
        }
    }
}

fn is_nested(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

/// A value as people write it.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What is in a value; nothing where it is a single one, or open around here already.
fn inner(seen: Seen, view: &ShapeView<'_>, open: &[&'static str]) -> Option<Markup> {
    let Seen { name, schema, .. } = seen;
    if open.len() > DEEPEST || name.is_some_and(|name| open.contains(&name)) {
        return None;
    }
    let open: Vec<&str> = open.iter().copied().chain([name.unwrap_or_default()]).collect();
    if choices(schema).next().is_some() {
        return Some(alternatives(schema, view, &open));
    }
    if schema["items"].is_object() {
        return inner(look(&schema["items"]), view, &open);
    }
    let fields: Vec<_> = fields_of(schema).collect();
    let others = &schema["additionalProperties"];
    if fields.is_empty() && !others.is_object() {
        return None;
    }
    if fields.is_empty() {
        return inner(look(others), view, &open);
    }
    Some(html! {
        ul.fields {
            @for (name, is_required, field) in fields { (row(name, is_required, look(field), view, &open)) }
            @if others.is_object() { (row("any other name", false, look(others), view, &open)) }
        }
        @if *others == false { p.facts { "Other fields are refused." } }
    })
}

/// The fields of an object and of what it is put together from: name, whether it is required, schema.
fn fields_of(schema: &'static Value) -> Box<dyn Iterator<Item = (&'static str, bool, &'static Value)>> {
    let own = members(&schema["properties"])
        .map(|(name, field)| (name, items(&schema["required"]).any(|required| required == name), field));
    Box::new(own.chain(items(&schema["allOf"]).flat_map(|part| fields_of(followed(part)))))
}

fn row(name: &str, is_required: bool, seen: Seen, view: &ShapeView<'_>, open: &[&'static str]) -> Markup {
    let within = inner(seen, view, open);
    let shown = seen.name.or(look(&seen.schema["items"]).name);
    html! {
        li {
            (head(name, is_required, seen, view.place, view.direction))
            (says(seen.about, seen, view.place))
            @if let Some(within) = within {
                details open[view.direction == Direction::Request && is_required && open.len() < 3] {
                    summary { @if let Some(shown) = shown { "What is in " code { (shown) } } @else { "What is in " code { (name) } } }
                    (within)
                }
            }
        }
    }
}

/// One of several shapes: each under its difference from the others, and one open at a time.
fn alternatives(schema: &'static Value, view: &ShapeView<'_>, open: &[&'static str]) -> Markup {
    view.groups.set(view.groups.get() + 1);
    let group = format!("{}-{}", view.part, view.groups.get());
    let teller = schema["discriminator"]["propertyName"].as_str();
    html! {
        div.alternatives {
            p.facts { "One of these" @if let Some(teller) = teller { ", told apart by " code { (teller) } } ":" }
            @for (at, variant) in choices(schema).enumerate() {
                @let seen = look(variant);
                details name=(group) open[at == 0] {
                    summary { (label(schema, variant, view.place)) }
                    @if !seen.about.is_empty() { div.about { (text::paragraphs(seen.about, view.place)) } }
                    (facts(seen))
                    @if let Some(within) = inner(seen, view, open) { (within) }
                    @else if let Some(name) = seen.name { p { a href=(view.place.schema(name)) { "The schema " (name) } } }
                }
            }
        }
    }
}

/// How an alternative differs from the others: the words that the document maps to it, a field that is always the same,
/// its name or its kind.
fn label(schema: &'static Value, variant: &'static Value, place: PathToRoot) -> Markup {
    let teller = schema["discriminator"]["propertyName"].as_str();
    let mapped = members(&schema["discriminator"]["mapping"]).filter(|(_, target)| **target == variant["$ref"]);
    let mapped: Vec<_> = mapped.map(|(word, _)| word.to_owned()).collect();
    let seen = look(variant);
    let fixed = fields_of(seen.schema)
        .filter(|(name, ..)| teller.is_none_or(|teller| teller == *name))
        .find_map(|(name, _, field)| Some((name, vec![single_value(look(field).schema)?])));
    let discriminator = teller.filter(|_| !mapped.is_empty()).map(|teller| (teller, mapped)).or(fixed);
    match (discriminator, seen.schema["title"].as_str()) {
        (Some((name, words)), _) => html! { code { (name) ": " (words.join(", ")) } },
        (None, Some(title)) => html! { (title) },
        (None, None) => html! { @if let Some(name) = seen.name { code { (name) } } @else { (kind(seen, place)) } },
    }
}

/// The only value that a schema allows.
fn single_value(schema: &'static Value) -> Option<String> {
    let words: Vec<_> = items(&schema["enum"]).collect();
    let single = if let [word] = words[..] { Some(word) } else { None };
    schema.get("const").or(single).map(plain)
}

#[cfg(test)]
mod tests;
