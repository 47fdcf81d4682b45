//! The JSON Schema of scenario files, for editors and other programs.
//!
//! Made from the same table of words that the parser reads. Invariant: every file that the parser takes is valid by it,
//! and unknown words and fields, missing ones, two words in one step and words out of a list that has them not are
//! refused. Absent on purpose: what only a whole story shows, such as whether a name was saved before.

use crate::parse::{EVENT_TYPES, READS};
use crate::words::{
    ANSWER_WORDS, BANK_ACCOUNT, BESIDE, Field, MATCHER_WORDS, OWN_SETTINGS, PAGE_WORDS, STEPS, Takes, Word,
    WordFieldType,
};
use feed::transport::SurfaceSettings;
use schemars::{Schema, json_schema};
use serde_json::{Map, Value as Json, json};
use sim::records::JourneyStep;
use sim::settings::Settings;
use wire::setup::settings as rows;

/// A text with a saved value in braces.
const SAVED: &str = "\\{";
const NUMERAL: &str = "^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?$";

/// The schema, as draft 2020-12.
#[must_use]
pub fn scenario_file() -> Schema {
    json_schema!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "fundsim scenario file",
        "description": "One story a file. `fundsim explain steps` shows every step with an example.",
        "type": "object",
        "properties": {
            "fundsim": { "const": 1, "description": "Version of the format." },
            "scenario": { "type": "string", "description": "The sentence that the story proves." },
            "fragment": { "type": "string", "description": "In place of `scenario`: the file only lends its steps." },
            "about": { "type": "string", "description": "Why it matters, if the title does not say it." },
            "incomplete": { "type": "string", "description": "What is missing of a recorded session. It is played as far as it goes, and reported as incomplete." },
            "tags": { "type": "array", "items": { "type": ["string", "number", "boolean"] }, "description": "Words to choose stories by." },
            "world": world(),
            "examples": { "type": "array", "minItems": 1, "items": { "type": "object" }, "description": "Rows of values; the story is played once for each." },
            "use": one_or_many(json!({ "type": "string" }), "Other files whose steps come first."),
            "given": { "type": "array", "items": { "$ref": "#/$defs/step" }, "description": "What is so before the story begins." },
            "steps": { "type": "array", "items": { "$ref": "#/$defs/step" }, "description": "What happens." },
        },
        "additionalProperties": false,
        "oneOf": [{ "required": ["scenario", "steps"] }, { "required": ["fragment"] }],
        "$defs": {
            "step": step(),
            "response": response(),
            "expected": expected(),
            "eventType": event_type(),
            "events": events(),
        },
    })
}

/// What a word that is a request takes, as a schema of its own: fields by their names, without other spellings. Nothing is at its top
/// beside `type`, `properties`, `required` and bounds, since some readers of schemas refuse more there.
#[must_use]
pub fn arguments(word: &Word) -> Map<String, Json> {
    let fields = word.fields();
    let properties = fields.iter().map(|field| (field.name.to_owned(), described(kind(field.kind), field.about)));
    let required: Vec<_> = fields.iter().filter(|field| field.is_required()).map(|field| field.name).collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Json::Object(properties.collect()));
    schema.insert("required".to_owned(), json!(required));
    schema.insert("additionalProperties".to_owned(), json!(false));
    if fields.iter().any(|field| matches!(field.kind, WordFieldType::EventTypes)) {
        schema.insert("$defs".to_owned(), json!({ "eventType": event_type() }));
    }
    schema
}

fn world() -> Json {
    json!({
        "type": "object",
        "description": "The world of the story. Its clock is frozen; only steps advance it.",
        "properties": {
            "seed": { "type": "integer", "minimum": 0, "description": "One seed, one run." },
            "start": { "type": "string", "pattern": format!("^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T|{SAVED}"), "description": "RFC 3339 instant, such as 2026-03-02T08:00:00+01:00." },
            "setup": { "type": ["string", "object"], "description": "`demo`, a setup, or a file with one." },
            "settings": settings(),
        },
        "additionalProperties": false,
    })
}

fn settings() -> Json {
    let rows = rows::schema(Settings::ROWS).into_iter().chain(rows::schema(SurfaceSettings::ROWS));
    // A row of examples may fill one in.
    let filled = rows.map(|(name, is)| (name, json!({ "anyOf": [is, { "type": "string", "pattern": SAVED }] })));
    let mut properties: Map<String, Json> = filled.collect();
    for (name, items) in OWN_SETTINGS {
        properties.insert((*name).to_owned(), json!({ "type": "array", "items": { "type": items } }));
    }
    json!({
        "type": "object",
        "description": "Tunables of the world and its connections; `fundsim explain settings` lists them.",
        "properties": properties,
        "additionalProperties": false,
    })
}

/// One shape a word, so that a step has exactly one.
fn step() -> Json {
    let alone = STEPS.iter().filter(|word| word.alone);
    let (patterns, exact): (Vec<&Word>, Vec<_>) = alone.partition(|word| has_names(word.word));
    let exact: Vec<&str> = exact.iter().flat_map(|word| std::iter::once(word.word).chain(word.alias)).collect();
    let mut shapes = vec![json!({ "enum": exact })];
    shapes.extend(patterns.iter().map(|word| json!({ "type": "string", "pattern": pattern(word.word) })));
    for word in STEPS {
        shapes.extend(std::iter::once(word.word).chain(word.alias).map(|name| one_step(word, name)));
    }
    json!({ "description": "A word with what it needs.", "anyOf": shapes })
}

fn one_step(word: &Word, name: &str) -> Json {
    let mut properties: Map<String, Json> = BESIDE
        .iter()
        .filter(|(beside, _)| word.beside.contains(beside))
        .map(|(name, about)| ((*name).to_owned(), described(beside(name), about)))
        .collect();
    let Json::Object(mut value) = described(takes(word), word.about) else { return Json::Null };
    value.insert("examples".to_owned(), json!([word.example]));
    let mut shape = json!({ "type": "object", "description": word.about, "additionalProperties": false });
    if has_names(word.word) {
        // One key is the word, whatever is beside it.
        let beside = word.beside;
        shape["patternProperties"] = json!({ pattern(name): value });
        shape["propertyNames"] = json!({ "anyOf": [{ "enum": beside }, { "pattern": pattern(name) }] });
        shape["not"] = json!({ "propertyNames": { "enum": beside } });
        shape["anyOf"] = subsets(beside)
            .into_iter()
            .map(|there| json!({ "required": there, "maxProperties": there.len() + 1 }))
            .collect();
    } else {
        properties.insert(name.to_owned(), Json::Object(value));
        shape["required"] = json!([name]);
    }
    if word.beside.contains(&"body") {
        shape["not"] = json!({ "anyOf": [{ "required": ["body", "form"] }, { "required": ["body", "text"] }, { "required": ["form", "text"] }] });
    }
    shape["properties"] = Json::Object(properties);
    shape
}

/// Every choice among some words, the largest first.
fn subsets<'w>(words: &[&'w str]) -> Vec<Vec<&'w str>> {
    let Some((last, others)) = words.split_last() else { return vec![Vec::new()] };
    let without = subsets(others);
    let with: Vec<Vec<_>> = without.iter().map(|subset| [subset.as_slice(), &[*last]].concat()).collect();
    [with, without].concat()
}

fn has_names(word: &str) -> bool {
    word.split(' ').any(|part| part.chars().all(|character| character.is_ascii_uppercase()))
}

fn pattern(word: &str) -> String {
    let parts: Vec<_> = word.split(' ').map(|part| if has_names(part) { ".+" } else { part }).collect();
    format!("^{}$", parts.join(" "))
}

fn described(shape: Json, about: &str) -> Json {
    let Json::Object(mut shape) = shape else { return shape };
    shape.insert("description".to_owned(), Json::String(about.to_owned()));
    Json::Object(shape)
}

fn beside(word: &str) -> Json {
    match word {
        "as" => {
            json!({ "type": "string", "pattern": "^(nobody|(partner|client) [1-9][0-9]*( (partner|client) [1-9][0-9]*)?)$" })
        }
        "expect" => json!({ "$ref": "#/$defs/response" }),
        "save" => json!({ "anyOf": [
            { "type": ["string", "number"] },
            { "type": "object", "additionalProperties": { "type": "string", "pattern": "^\\$($|[.\\[])" } },
        ] }),
        "form" | "query" | "headers" | "with" => json!({ "type": "object" }),
        "text" => json!({ "type": ["string", "number", "boolean"] }),
        "on" => json!({ "type": "string" }),
        "within" => json!({ "type": "string", "examples": ["10 seconds"] }),
        "soft" => json!({ "type": "boolean" }),
        "steps" | "otherwise" => json!({ "type": "array", "items": { "$ref": "#/$defs/step" } }),
        _ => json!({}),
    }
}

/// What follows a word.
fn takes(word: &Word) -> Json {
    let shape = match &word.takes {
        Takes::Request(sends) => {
            let map = map(&word.fields(), sends.least + usize::from(sends.makes), sends.makes);
            match word.short() {
                Some(field) => json!({ "anyOf": [kind(field.kind), map] }),
                None => map,
            }
        }
        Takes::Fields(fields) => {
            json!({ "anyOf": [{ "type": ["string", "integer"] }, map(fields, 1, false)] })
        }
        Takes::Call if word.beside.contains(&"within") => {
            json!({ "type": "string", "pattern": format!("^({}) +[/{{]", READS.join("|")) })
        }
        Takes::Call => json!({ "type": "string", "pattern": "^(GET|POST|PATCH|PUT|DELETE|HEAD|OPTIONS) +[/{]" }),
        Takes::Nothing => return json!({ "type": "null" }),
        Takes::Text => json!({ "type": "string", "minLength": 1 }),
        Takes::Shapes(shapes, examples) => {
            let pattern = format!("^({})$|{SAVED}", shapes.join("|"));
            let text = json!({ "anyOf": [{ "enum": examples }, { "type": "string", "pattern": pattern }] });
            if word.word == "receiver" { one_or_many(text, "") } else { text }
        }
        Takes::Names => json!({ "type": "object" }),
        Takes::Expected => json!({ "$ref": "#/$defs/expected" }),
        Takes::Events => json!({ "$ref": "#/$defs/events" }),
        Takes::EventTypes => one_or_many(json!({ "$ref": "#/$defs/eventType" }), ""),
        Takes::Page => page(),
        Takes::Rounds => json!({ "anyOf": [
            { "type": "integer", "minimum": 0 },
            { "type": "string", "pattern": SAVED },
            { "type": "object", "minProperties": 1, "additionalProperties": { "anyOf": [{ "type": "array" }, { "type": "string", "pattern": SAVED }] } },
        ] }),
        Takes::Conditions => {
            json!({ "type": "object", "minProperties": 1, "additionalProperties": { "$ref": "#/$defs/expected" } })
        }
    };
    if word.alone { json!({ "anyOf": [{ "type": "null" }, shape] }) } else { shape }
}

/// A map of fields.
fn map(fields: &[Field], least: usize, makes: bool) -> Json {
    let mut properties = Map::new();
    if makes {
        properties.insert(
            "as".to_owned(),
            json!({ "type": ["string", "number"], "description": "a name for what it makes" }),
        );
    }
    for field in fields {
        for name in std::iter::once(field.name).chain(field.alias) {
            properties.insert(name.to_owned(), described(kind(field.kind), field.about));
        }
    }
    let required = fields.iter().filter(|field| field.is_required());
    let (aliased, plain): (Vec<&Field>, Vec<_>) = required.partition(|field| field.alias.is_some());
    let plain: Vec<_> = plain.iter().map(|field| field.name).collect();
    let mut shape =
        json!({ "type": "object", "properties": properties, "required": plain, "additionalProperties": false });
    if least > 1 {
        shape["minProperties"] = json!(least);
    }
    let either: Vec<_> = aliased
        .iter()
        .map(|field| json!({ "anyOf": [{ "required": [field.name] }, { "required": [field.alias] }] }))
        .collect();
    if !either.is_empty() {
        shape["allOf"] = Json::Array(either);
    }
    shape
}

/// What a field may hold.
fn kind(kind: WordFieldType) -> Json {
    let shape = match kind {
        WordFieldType::Text | WordFieldType::Reference | WordFieldType::CallbackOf => {
            return json!({ "type": ["string", "number", "boolean"] });
        }
        WordFieldType::TextOrNull => return json!({ "type": ["string", "null"] }),
        WordFieldType::Value => return json!({}),
        WordFieldType::Number => {
            return json!({ "type": ["number", "string"], "pattern": format!("{NUMERAL}|{SAVED}") });
        }
        WordFieldType::Units => {
            return json!({ "type": ["number", "string"], "pattern": format!("^everything$|{NUMERAL}|{SAVED}"), "examples": ["everything"] });
        }
        WordFieldType::Count => json!({ "type": "integer", "minimum": 1 }),
        WordFieldType::Flag => json!({ "type": "boolean" }),
        WordFieldType::Day => json!({ "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" }),
        WordFieldType::OneOf(words) => json!({ "enum": words() }),
        WordFieldType::EventTypes => one_or_many(json!({ "$ref": "#/$defs/eventType" }), ""),
        WordFieldType::Positions => {
            json!({ "type": "object", "additionalProperties": self::kind(WordFieldType::Number) })
        }
        WordFieldType::BankAccounts => {
            let text = json!({ "type": "string" });
            one_or_many(json!({ "anyOf": [text, map(BANK_ACCOUNT, 1, false)] }), "")
        }
        WordFieldType::Answers => {
            let steps = JourneyStep::ALL.iter().map(|step| (step.name().to_owned(), json!({ "type": "object" })));
            json!({ "type": "object", "properties": steps.collect::<Map<_, _>>(), "additionalProperties": false })
        }
        WordFieldType::Map => json!({ "type": "object" }),
    };
    json!({ "anyOf": [shape, { "type": "string", "pattern": SAVED }] })
}

fn one_or_many(shape: Json, about: &str) -> Json {
    let either = json!({ "anyOf": [shape, { "type": "array", "items": shape, "minItems": 1 }] });
    if about.is_empty() { either } else { described(either, about) }
}

fn status() -> Json {
    json!({ "anyOf": [
        { "type": "integer", "minimum": 100, "maximum": 599 },
        { "type": "string", "pattern": format!("^[1-5]([0-9][0-9]|xx)$|{SAVED}") },
    ] })
}

fn response() -> Json {
    let words: Map<String, Json> = ANSWER_WORDS
        .iter()
        .map(|(word, about)| {
            let shape = match *word {
                "status" => json!({ "anyOf": [status(), { "type": "object", "minProperties": 1 }] }),
                "body" => json!({ "$ref": "#/$defs/expected" }),
                "because" => json!({ "type": "string" }),
                "no answer" => json!({ "type": "boolean" }),
                _ => json!({ "type": "object", "additionalProperties": { "$ref": "#/$defs/expected" } }),
            };
            ((*word).to_owned(), described(shape, about))
        })
        .collect();
    json!({
        "description": "A status, `no answer`, or what the answer must hold.",
        "anyOf": [
            status(),
            { "const": "no answer" },
            { "type": "object", "properties": words, "additionalProperties": false, "minProperties": 1 },
        ],
    })
}

fn expected() -> Json {
    let expected = || json!({ "$ref": "#/$defs/expected" });
    let many = || json!({ "type": "array", "items": expected() });
    let words: Map<String, Json> = MATCHER_WORDS
        .iter()
        .map(|word| {
            let shape = match *word {
                "one of" | "in any order" => many(),
                "contains" => one_or_many(expected(), ""),
                "not" | "each" => expected(),
                "like" | "matches" => json!({ "type": ["string", "number"] }),
                "length" => json!({ "anyOf": [
                    { "type": "integer", "minimum": 0 }, { "type": "string", "pattern": SAVED }, { "type": "object" },
                ] }),
                "greater than" | "at least" | "less than" | "at most" => json!({ "type": ["string", "number"] }),
                _ => json!({}),
            };
            ((*word).to_owned(), shape)
        })
        .collect();
    json!({
        "description": "A value, `any`, `absent`, part of a map, a list, or a comparison.",
        "anyOf": [
            { "type": ["null", "boolean", "number", "string"] },
            many(),
            { "type": "object", "properties": words, "additionalProperties": false, "minProperties": 1 },
            {
                "type": "object",
                "propertyNames": { "not": { "enum": MATCHER_WORDS } },
                "additionalProperties": expected(),
            },
        ],
    })
}

fn page() -> Json {
    let expected = || json!({ "$ref": "#/$defs/expected" });
    let words: Map<String, Json> =
        PAGE_WORDS.iter().map(|(word, about)| ((*word).to_owned(), described(expected(), about))).collect();
    let mut names: Vec<_> = JourneyStep::ALL.iter().map(|step| step.name()).collect();
    names.extend(crate::words::FURTHER_PAGES);
    json!({
        "anyOf": [
            { "enum": names },
            { "type": "string", "pattern": SAVED },
            { "type": "object", "properties": words, "additionalProperties": false, "minProperties": 1 },
        ],
    })
}

fn event_type() -> Json {
    json!({ "description": "A type of events; `*` matches any text.", "anyOf": [{ "enum": EVENT_TYPES }, { "type": "string", "pattern": format!("\\*|{SAVED}") }] })
}

fn events() -> Json {
    let held = json!({ "$ref": "#/$defs/expected" });
    let types: Map<String, Json> = EVENT_TYPES.iter().map(|kind| ((*kind).to_owned(), held.clone())).collect();
    let one = json!({
        "anyOf": [
            { "$ref": "#/$defs/eventType" },
            { "type": "object", "properties": types, "patternProperties": { "\\*": held }, "additionalProperties": false, "minProperties": 1 },
        ],
    });
    one_or_many(one, "Types of events, or types with what they hold.")
}
