//! Shapes of every form that a document may have, whether or not the served one has it.

use super::super::place::PathToRoot;
use super::{of_request, of_schema};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// The document of the program, for what schemas refer to.
fn described() {
    super::super::description::show(|| {
        static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(crate::openapi()).expect("JSON"));
        &DOCUMENT
    });
}

/// What a reader sees of a schema.
fn shown(schema: Value) -> String {
    described();
    words(&of_request(Box::leak(Box::new(schema)), PathToRoot::PAGE).into_string())
}

/// The text of a page between its tags.
fn words(page: &str) -> String {
    let texts = page.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text);
    texts.collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn object(name: &str, property: Value) -> Value {
    json!({ "type": "object", "properties": { name: property, "amount": { "type": "number" } } })
}

#[test]
fn alternatives_are_named_by_how_they_differ() {
    let one = |schema: Value| json!({ "oneOf": [object("kind", schema), object("kind", json!({ "enum": ["b"] }))] });
    for (schema, labels) in [
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
        assert!(labels.iter().all(|label| shown.contains(label)), "{labels:?} in {shown}");
        assert!(shown.contains("One of these"), "{shown}");
    }
}

#[test]
fn a_value_or_null_is_no_choice_and_bounds_are_shown() {
    let nullable = json!({ "oneOf": [{ "type": "string", "maxLength": 7, "pattern": "^a" }, { "type": "null" }] });
    for (schema, labels, absent) in [
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
        for word in labels {
            assert!(shown.contains(word), "{word} in {shown}");
        }
        assert!(!shown.contains(absent), "{absent} in {shown}");
    }
}

#[test]
fn a_shape_that_contains_itself_ends_in_a_link() {
    described();
    let itself = json!({ "$ref": "#/components/schemas/Account" });
    for (field, texts) in [
        (itself.clone(), "within Account"),
        (json!({ "oneOf": [itself, { "type": "null" }] }), "within Account optional or null"),
        (json!({ "type": "array", "items": itself }), "within list of Account"),
        (json!({ "type": "object", "additionalProperties": itself }), "within object of Account"),
    ] {
        // The document calls this schema by the name that the field refers to.
        let schema = Box::leak(Box::new(object("within", field)));
        let page = of_schema(schema, "Account", PathToRoot::BELOW).into_string();
        assert!(words(&page).contains(texts), "{texts} in {}", words(&page));
        assert_eq!(page.matches("href=\"../../docs/schemas/Account\"").count(), 1, "{texts}");
        assert!(!page.contains("<details"), "{texts} opens in place");
    }
}
