//! The JSON Schema of scenario files, for editors.
//!
//! Made from the same table of words that the parser reads. Invariant: every file that the parser takes is valid by it.
//! It is looser than the parser where words carry names (`expect order {order}`), which a schema can only describe by
//! patterns.

use crate::parse::EVENT_TYPES;
use crate::words::{ANSWER_WORDS, CONDUCTS, MATCHER_WORDS, PAGE_WORDS, STEP_ALIASES, STEPS, StepWord};
use schemars::{Schema, json_schema};
use serde_json::{Map, Value as Json, json};

/// The schema, as draft 2020-12.
#[must_use]
pub fn scenario_file() -> Schema {
    let world = json!({
        "type": "object",
        "description": "The world that the story plays in; its clock stands still unless a step moves it.",
        "properties": {
            "seed": { "type": "integer", "minimum": 0, "description": "One seed, one run." },
            "start": { "type": "string", "description": "RFC 3339 instant, such as 2026-03-02T08:00:00+01:00." },
            "setup": { "type": ["string", "object"], "description": "`demo`, a setup, or a file with one." },
            "settings": { "type": "object", "description": "Tunables of the world and its connections." },
        },
        "additionalProperties": false,
    });
    json_schema!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "fundsim scenario file",
        "description": "One story a file. `fundsim explain steps` shows every step with an example.",
        "type": "object",
        "properties": {
            "fundsim": { "const": 1, "description": "Version of the format." },
            "scenario": { "type": "string", "description": "The sentence that the story proves." },
            "fragment": { "type": "string", "description": "In place of `scenario`: the file only lends its steps." },
            "about": { "type": "string" },
            "tags": { "type": "array", "items": { "type": ["string", "number", "boolean"] } },
            "world": world,
            "examples": { "type": "array", "minItems": 1, "items": { "type": "object" } },
            "use": { "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] },
            "given": { "type": "array", "items": { "$ref": "#/$defs/step" } },
            "steps": { "type": "array", "items": { "$ref": "#/$defs/step" } },
        },
        "additionalProperties": false,
        "oneOf": [{ "required": ["scenario"] }, { "required": ["fragment"] }],
        "$defs": {
            "step": step(),
            "answer": answer(),
            "expected": expected(),
            "events": events(),
        },
    })
}

fn step() -> Json {
    let mut exact = Map::new();
    let mut patterns = Map::new();
    for word in STEPS {
        let shape = with_help(shape(word), word);
        if is_bare(word.word) {
            exact.insert(word.word.to_owned(), shape);
        } else {
            patterns.insert(pattern(word.word), shape);
        }
    }
    for (alias, word) in STEP_ALIASES {
        if let Some(shape) = exact.get(*word).cloned() {
            exact.insert((*alias).to_owned(), shape);
        }
    }
    let extras = json!({
        "as": { "type": "string", "description": "Who acts: `partner 2`, `client 2`, `partner 2 client 1`, `nobody`." },
        "expect": { "$ref": "#/$defs/answer" },
        "save": { "type": ["string", "object"], "description": "A name for the whole answer, or names with paths into it." },
        "body": { "description": "What a call sends as JSON." },
        "form": { "type": "object" },
        "text": { "type": ["string", "number"], "description": "The very characters that a call sends." },
        "query": { "type": "object" },
        "headers": { "type": "object" },
        "on": { "type": "string", "description": "The socket that is watched." },
        "with": { "type": "object", "description": "Values for the used file." },
    });
    if let Json::Object(extras) = extras {
        exact.extend(extras);
    }
    let bare: Vec<_> = STEPS.iter().map(|word| word.word).filter(|word| stands_alone(word)).collect();
    json!({
        "anyOf": [
            { "type": "object", "properties": exact, "patternProperties": patterns, "additionalProperties": false },
            { "enum": bare },
        ],
    })
}

fn with_help(shape: Json, word: &StepWord) -> Json {
    let Json::Object(mut shape) = shape else { return shape };
    shape.insert("description".to_owned(), Json::String(word.does.to_owned()));
    shape.insert("examples".to_owned(), json!([word.example]));
    Json::Object(shape)
}

fn is_bare(word: &str) -> bool {
    !word.split(' ').any(|part| part.chars().all(|character| character.is_ascii_uppercase()))
}

/// Words that make a step without anything after them.
#[must_use]
pub fn stands_alone(word: &str) -> bool {
    matches!(
        word,
        "nothing else happens"
            | "forget events"
            | "open socket"
            | "close socket"
            | "expect socket closed"
            | "fill in"
            | "identify"
            | "sign"
            | "go back"
            | "send again"
            | "leave journey"
            | "no callback"
            | "no webhook"
    )
}

fn pattern(word: &str) -> String {
    let parts: Vec<_> = word
        .split(' ')
        .map(|part| if part.chars().all(|character| character.is_ascii_uppercase()) { ".+" } else { part })
        .collect();
    format!("^{}$", parts.join(" "))
}

fn shape(word: &StepWord) -> Json {
    match word.word {
        "open account" | "subscribe" | "redeem" | "sell and withdraw" | "sell and transfer" | "set price"
        | "set trading" | "delay nav" | "let" | "start journey" | "fail journey" | "register webhook" => {
            json!({ "type": "object" })
        }
        "cancel" | "hold" | "release" | "reject" | "bounce payout" | "call" | "advance" | "network" | "server"
        | "use" | "open journey" | "expire journey" | "replay callback" | "press" => {
            json!({ "type": "string" })
        }
        "expect event" | "expect events" | "expect events in any order" | "expect webhook" => {
            json!({ "$ref": "#/$defs/events" })
        }
        "nothing else happens" => json!({ "type": ["null", "string", "array"] }),
        "forget events" => json!({ "type": "null" }),
        "open page" | "complete journey" | "cancel journey" => json!({ "type": ["string", "object"] }),
        "fill in" => json!({ "type": ["null", "object"] }),
        "identify" | "sign" => json!({ "type": ["null", "string", "integer", "object"] }),
        "go back" | "send again" | "leave journey" | "no callback" | "no callback of JOURNEY" | "no webhook" => {
            json!({ "type": "null" })
        }
        "receiver" => json!({ "type": ["string", "array"], "examples": CONDUCTS }),
        "expect page" => page(),
        "open socket" | "close socket" => json!({ "type": ["null", "string"] }),
        "expect socket closed" => json!({ "type": ["null", "string", "object"] }),
        _ => json!({ "$ref": "#/$defs/expected" }),
    }
}

fn answer() -> Json {
    let mut words = Map::new();
    for word in ANSWER_WORDS {
        let shape = match *word {
            "status" => json!({ "type": ["integer", "string"] }),
            "body" => json!({ "$ref": "#/$defs/expected" }),
            "because" => {
                json!({ "type": "string", "description": "What `error_description` says; `*` stands for anything." })
            }
            "no answer" => json!({ "type": "boolean" }),
            _ => json!({ "type": "object" }),
        };
        words.insert((*word).to_owned(), shape);
    }
    json!({
        "description": "A status, `no answer`, or what the answer must hold.",
        "anyOf": [
            { "type": ["integer", "string"] },
            { "type": "object", "properties": words, "additionalProperties": false, "minProperties": 1 },
        ],
    })
}

fn expected() -> Json {
    let mut words = Map::new();
    for word in MATCHER_WORDS {
        words.insert((*word).to_owned(), json!({}));
    }
    json!({
        "description": "A value, `any`, `absent`, part of a map, a list, or a comparison.",
        "anyOf": [
            { "type": ["null", "boolean", "number", "string", "array"] },
            { "type": "object", "properties": words, "additionalProperties": false, "minProperties": 1 },
            { "type": "object", "not": { "anyOf": MATCHER_WORDS.iter().map(|word| json!({ "required": [word] })).collect::<Vec<_>>() } },
        ],
    })
}

fn page() -> Json {
    let words: Map<String, Json> = PAGE_WORDS
        .iter()
        .map(|(word, about)| {
            ((*word).to_owned(), json!({ "description": about, "allOf": [{ "$ref": "#/$defs/expected" }] }))
        })
        .collect();
    json!({
        "anyOf": [
            { "type": "string" },
            { "type": "object", "properties": words, "additionalProperties": false, "minProperties": 1 },
        ],
    })
}

fn events() -> Json {
    let one = json!({
        "anyOf": [
            { "type": "string", "examples": EVENT_TYPES },
            { "type": "object", "minProperties": 1 },
        ],
    });
    json!({ "anyOf": [one, { "type": "array", "minItems": 1, "items": one }] })
}
