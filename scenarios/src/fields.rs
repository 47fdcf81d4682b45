//! Names of fields that the service sends, as far as its description says.
//!
//! Owns: which name is a slip of one of them. Invariant: a name that the description has is never a slip. Absent on purpose: where a
//! field stands; a resource has many shapes, and some fields are named by whoever sends them.

use sandbox::openapi;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::sync::LazyLock;

static NAMES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let mut names = BTreeSet::new();
    collect(&serde_json::from_str(openapi()).unwrap_or_default(), &mut names);
    names
});

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
