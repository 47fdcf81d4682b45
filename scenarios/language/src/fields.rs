//! Names of fields that the service sends, as far as its description says.
//!
//! Owns: which name is a slip of one of them, and the shapes of the fields of a schema. Invariant: a name that the
//! description has is never a slip. Absent on purpose: the place of a field; a resource has many shapes, and callers name
//! some fields themselves.

use sandbox::openapi;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::sync::LazyLock;

static DESCRIPTION: LazyLock<Json> = LazyLock::new(|| serde_json::from_str(openapi()).unwrap_or_default());

static NAMES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let mut names = BTreeSet::new();
    collect(&DESCRIPTION, &mut names);
    names
});

/// The shapes that a field may have, by the name of a schema and the way to the field within it.
pub(crate) fn of_schema(schema: &str, way: &[&str]) -> Vec<&'static Json> {
    let mut shapes = variants(&DESCRIPTION["components"]["schemas"][schema]);
    for name in way {
        shapes = shapes.into_iter().flat_map(|shape| variants(&shape["properties"][name])).collect();
    }
    shapes
}

/// A schema as the shapes among which it leaves a choice, or of which it is made.
pub(crate) fn variants(schema: &'static Json) -> Vec<&'static Json> {
    if let Some(name) = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()) {
        return variants(&DESCRIPTION["components"]["schemas"][name]);
    }
    let parts = ["oneOf", "anyOf", "allOf"].iter().filter_map(|key| schema[*key].as_array());
    let inner: Vec<&Json> = parts.flatten().flat_map(variants).collect();
    if schema.is_object() && (inner.is_empty() || schema["properties"].is_object()) {
        return std::iter::once(schema).chain(inner).collect();
    }
    inner
}

/// Shorter names are near to too many others.
const SHORTEST: usize = 5;

fn collect(description: &Json, names: &mut BTreeSet<String>) {
    match description {
        Json::Object(entries) => {
            if let Some(Json::Object(properties)) = entries.get("properties") {
                names.extend(properties.keys().cloned());
            }
            entries.values().for_each(|value| collect(value, names));
        }
        Json::Array(items) => items.iter().for_each(|item| collect(item, names)),
        _ => {}
    }
}

/// Whether the description has a field of this name.
#[must_use]
pub fn is_known(name: &str) -> bool {
    NAMES.contains(name)
}

/// The field that a name in a path is one letter away from, where there is no field of that name.
#[must_use]
pub fn slip(path: &str) -> Option<(&str, &'static str)> {
    let parts = path.split(['.', '[', ']']).filter(|part| part.len() >= SHORTEST);
    let parts = parts.filter(|part| part.bytes().all(|byte| byte.is_ascii_alphanumeric()) && !NAMES.contains(*part));
    parts.filter_map(|part| Some((part, near(part)?))).next()
}

fn near(part: &str) -> Option<&'static str> {
    // One and many are two names.
    let singular = |name: &str| name.strip_suffix('s').unwrap_or(name).to_owned();
    let alike = |name: &&String| {
        name.len() >= SHORTEST && strsim::damerau_levenshtein(part, name) == 1 && singular(part) != singular(name)
    };
    NAMES.iter().find(alike).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_one_letter_off_is_a_slip_and_what_nobody_knows_is_not() {
        let rows = [
            ("isBuyable", None),
            ("payload.current.status", None),
            ("isByable", Some(("isByable", "isBuyable"))),
            ("payload.curent.status", Some(("curent", "current"))),
            ("orders[0].amuont", Some(("amuont", "amount"))),
            ("myOwnField", None),
            ("$[?@.stats == 'x']", None),
            ("gv", None),
        ];
        for (path, expected) in rows {
            assert_eq!(slip(path), expected, "{path}");
        }
    }
}
