//! What a story expects where something else was read or received than should have been.
//!
//! Invariant: it matches what should have been, and names no more than what differs. Absent on purpose: where either came
//! from.

use language::ast::Expected;
use serde_json::Value as Json;

/// What a story expects where `got` was read instead: no more than what differs.
pub(super) fn expectation(expected: &Json, got: &Json) -> Expected {
    match (expected, got) {
        (Json::Object(fields), Json::Object(other)) => {
            let differs = fields.iter().filter(|(name, value)| other.get(*name) != Some(*value));
            let differs = differs.map(|(name, value)| {
                let inner =
                    other.get(name).map_or_else(|| Expected::Exactly(value.clone()), |got| expectation(value, got));
                (name.clone(), inner)
            });
            let extra = other.keys().filter(|name| !fields.contains_key(*name));
            Expected::Part(differs.chain(extra.map(|name| (name.clone(), Expected::Absent))).collect())
        }
        (Json::Array(items), Json::Array(others)) if items.len() == others.len() => {
            Expected::List(items.iter().zip(others).map(|(item, other)| expectation(item, other)).collect())
        }
        (Json::Array(items), _) => Expected::List(items.iter().map(named).collect()),
        (value, _) => Expected::Exactly(value.clone()),
    }
}

/// An item by its id, or as a whole where it has none.
fn named(item: &Json) -> Expected {
    match item.get("id") {
        Some(id) => Expected::Part(vec![("id".to_owned(), Expected::Is(id.clone()))]),
        None => Expected::Exactly(item.clone()),
    }
}
