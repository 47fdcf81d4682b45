//! Shapes of every form that a document may have, whether or not the served one has it.

use super::super::place::Place;
use super::of_request;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// What a reader sees of a schema.
fn shown(schema: Value) -> String {
    super::super::description::show(|| {
        static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(crate::openapi()).expect("JSON"));
        &DOCUMENT
    });
    let markup = of_request(Box::leak(Box::new(schema)), Place::PAGE).into_string();
    let texts = markup.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text);
    texts.collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn object(name: &str, property: Value) -> Value {
    json!({ "type": "object", "properties": { name: property, "amount": { "type": "number" } } })
}

#[test]
fn alternatives_are_named_by_what_tells_them_apart() {
    let one = |schema: Value| json!({ "oneOf": [object("kind", schema), object("kind", json!({ "enum": ["b"] }))] });
    for (schema, told) in [
        (one(json!({ "const": "a" })), ["kind: a", "kind: b"]),
        (
            json!({ "oneOf": [{ "title": "First", "type": "string" }, { "title": "Second", "type": "integer" }] }),
            ["First", "Second"],
        ),
        (
            json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] }),
            ["string", "list of string"],
        ),
        (
            json!({
                "oneOf": [{ "$ref": "#/components/schemas/NaturalPerson" }, { "$ref": "#/components/schemas/LegalEntity" }],
                "discriminator": { "propertyName": "is", "mapping": {
                    "person": "#/components/schemas/NaturalPerson", "company": "#/components/schemas/LegalEntity",
                } },
            }),
            ["is: person", "is: company"],
        ),
    ] {
        let shown = shown(schema.clone());
        assert!(told.iter().all(|label| shown.contains(label)), "{told:?} in {shown}");
        assert!(shown.contains("One of these"), "{shown}");
    }
}

#[test]
fn a_value_or_null_is_no_choice_and_bounds_are_told() {
    let nullable = json!({ "oneOf": [{ "type": "string", "maxLength": 7, "pattern": "^a" }, { "type": "null" }] });
    for (schema, told, untold) in [
        (nullable.clone(), vec!["string", "or null", "characters at most: 7", "pattern ^a"], "One of these"),
        (
            json!({ "type": ["integer", "null"], "minimum": 1, "maximum": 9 }),
            vec!["integer", "or null", "at least 1", "at most 9"],
            "required",
        ),
        (
            json!({ "allOf": [object("a", nullable), { "type": "object", "required": ["c"], "properties": { "c": { "enum": ["x", "y"] } } }] }),
            vec!["a", "amount", "c any value required", "One of x , y"],
            "One of these",
        ),
        (
            json!({ "type": "object", "additionalProperties": { "type": "integer" } }),
            vec!["object of integer"],
            "refused",
        ),
        (
            json!({ "type": "object", "properties": { "a": {} }, "additionalProperties": false }),
            vec!["Other fields are refused."],
            "required",
        ),
    ] {
        let shown = shown(schema);
        for word in told {
            assert!(shown.contains(word), "{word} in {shown}");
        }
        assert!(!shown.contains(untold), "{untold} in {shown}");
    }
}

#[test]
fn a_shape_that_contains_itself_ends_in_a_link() {
    // A schema of the document, found by what it refers to.
    let within = json!({ "type": "array", "items": { "$ref": "#/components/schemas/Account" } });
    let shown = shown(json!({ "type": "object", "properties": { "a": within.clone(), "b": within } }));
    assert!(shown.contains("list of Account"), "{shown}");
}
