//! Paths into values: `a.b[0].c`, and queries by RFC 9535, `orders[?@.status == 'sent'].id`.
//!
//! Owns: which of the two a path is, and what it finds. Invariant: a plain path finds one value or none; a query with `*`,
//! `..` or a slice finds a list, any other query the one value that there is, or a list of several. Numbers within a query's
//! filter are compared by the library, to some fifteen digits; everywhere else they are exact. Absent on purpose: names
//! (`template`).

use serde_json::Value as Json;
use serde_json_path::JsonPath;
use std::borrow::Cow;

/// What a path finds in a value. An empty path is the value itself; a key that is written just so comes before a path.
#[must_use]
pub fn find<'v>(value: &'v Json, path: &str) -> Option<Cow<'v, Json>> {
    if let Some(found) = value.as_object().and_then(|entries| entries.get(path)) {
        return Some(Cow::Borrowed(found));
    }
    let path = bare(path);
    if is_query(path) { query(value, path).map(Cow::Owned) } else { plain(value, path).map(Cow::Borrowed) }
}

/// Why a path cannot be read.
///
/// # Errors
/// In words, with the character where reading ended.
pub fn check(path: &str) -> Result<(), String> {
    let path = bare(path);
    if !is_query(path) {
        let balanced = path.matches('[').count() == path.matches(']').count();
        return if balanced { Ok(()) } else { Err("a bracket has no partner".to_owned()) };
    }
    let whole = rooted(path);
    JsonPath::parse(&whole)
        .map(|_| ())
        .map_err(|error| format!("{} at character {}", error.message(), error.position()))
}

/// Without the sign of the root and the dot after it.
fn bare(path: &str) -> &str {
    let rest = path.strip_prefix('$').unwrap_or(path);
    if rest.starts_with("..") { rest } else { rest.strip_prefix('.').unwrap_or(rest) }
}

fn rooted(path: &str) -> String {
    if path.starts_with(['[', '.']) { format!("${path}") } else { format!("$.{path}") }
}

/// Whether a path asks for more than keys and positions.
#[must_use]
pub fn is_query(path: &str) -> bool {
    let position = |inside: &str| inside.split(']').next().is_some_and(|it| it.trim().parse::<usize>().is_ok());
    path.contains("..") || path.contains('*') || !path.split('[').skip(1).all(position)
}

/// Whether a query finds a list however many there are.
fn is_for_many(path: &str) -> bool {
    let slice = |inside: &str| !inside.starts_with('?') && inside.split(']').next().is_some_and(|it| it.contains(':'));
    path.contains("..") || path.contains(".*") || path.contains("[*]") || path.split('[').skip(1).any(slice)
}

fn query(value: &Json, path: &str) -> Option<Json> {
    let found = JsonPath::parse(&rooted(path)).ok()?.query(value).all();
    match found.as_slice() {
        several if is_for_many(path) => Some(several.iter().map(|&one| one.clone()).collect()),
        [] => None,
        [one] => Some((*one).clone()),
        several => Some(several.iter().map(|&one| one.clone()).collect()),
    }
}

fn plain<'v>(value: &'v Json, path: &str) -> Option<&'v Json> {
    let mut here = value;
    for part in path.split(['.', '[']).map(|part| part.trim_end_matches(']').trim()) {
        if part.is_empty() {
            continue;
        }
        here = match here {
            Json::Object(entries) => entries.get(part)?,
            Json::Array(items) => items.get(part.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(here)
}

/// Fields that are named where one of them is missing.
const MOST_FIELDS: usize = 20;

/// What there is where a path leads nowhere: as far as it can be followed, and what could follow.
#[must_use]
pub fn what_is_there(value: &Json, path: &str) -> String {
    let path = bare(path);
    let (mut here, mut followed) = (value, String::new());
    for part in path.split(['.', '[']).map(|part| part.trim_end_matches(']').trim()).filter(|part| !part.is_empty()) {
        let next = match here {
            Json::Object(entries) => entries.get(part),
            Json::Array(items) => part.parse::<usize>().ok().and_then(|at| items.get(at)),
            _ => None,
        };
        let Some(next) = next else { break };
        match here {
            Json::Array(_) => followed.push_str(&format!("[{part}]")),
            _ if followed.is_empty() => followed.push_str(part),
            _ => followed.push_str(&format!(".{part}")),
        }
        here = next;
    }
    let place = if followed.is_empty() { "it".to_owned() } else { format!("`{followed}`") };
    match here {
        Json::Object(entries) if entries.is_empty() => format!("{place} is an empty object"),
        Json::Object(entries) => {
            let names: Vec<_> = entries.keys().take(MOST_FIELDS).map(String::as_str).collect();
            let more = entries.len() - names.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("{place} has {}{more}", names.join(", "))
        }
        Json::Array(items) => {
            let count = if items.len() == 1 { "1 item".to_owned() } else { format!("{} items", items.len()) };
            format!("{place} is a list of {count}")
        }
        // Its value may be a secret.
        Json::String(_) => format!("{place} is a text"),
        Json::Number(_) => format!("{place} is a number"),
        Json::Bool(_) => format!("{place} is true or false"),
        Json::Null => format!("{place} is null"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn paths_find_what_they_name() {
        let value = json!({
            "a.b": 1, "a": { "b": 2 },
            "orders": [
                { "id": "x", "status": "sent", "amount": 10.50 },
                { "id": "y", "status": "settled", "amount": 20 },
                { "id": "z", "status": "settled", "amount": 30 },
            ],
        });
        let rows = [
            ("", Some(value.clone())),
            ("$", Some(value.clone())),
            ("a.b", Some(json!(1))),
            ("$.a", Some(json!({ "b": 2 }))),
            ("orders[1].id", Some(json!("y"))),
            ("$.orders[-1].id", Some(json!("z"))),
            ("orders[9].id", None),
            ("orders[?@.status == 'sent'].id", Some(json!("x"))),
            ("orders[?@.status == 'settled'].id", Some(json!(["y", "z"]))),
            ("orders[?@.status == 'canceled'].id", None),
            ("orders[?@.amount == 10.5].id", Some(json!("x"))),
            ("orders[*].id", Some(json!(["x", "y", "z"]))),
            ("orders[0:1].id", Some(json!(["x"]))),
            ("$..amount", Some(json!([10.50, 20, 30]))),
            ("none[*]", Some(json!([]))),
        ];
        for (path, found) in rows {
            assert_eq!(find(&value, path).map(Cow::into_owned), found, "{path}");
        }
    }

    #[test]
    fn a_path_that_does_not_exist_is_reported_with_the_existing_keys() {
        let value = json!({ "id": "x", "orders": [{ "id": "y", "amount": 1.50 }], "empty": {} });
        let rows = [
            ("status", "it has id, orders, empty"),
            ("$.orders[1].id", "`orders` is a list of 1 item"),
            ("orders[0].amuont", "`orders[0]` has id, amount"),
            ("orders[0].amount.value", "`orders[0].amount` is a number"),
            ("empty.id", "`empty` is an empty object"),
            ("orders[?@.status == 'sent'].id", "`orders` is a list of 1 item"),
        ];
        for (path, there) in rows {
            assert_eq!(what_is_there(&value, path), there, "{path}");
        }
    }

    #[test]
    fn paths_that_cannot_be_read_are_reported() {
        for path in ["orders[?@.status = 'sent']", "orders[", "orders[?]", "a..[", "a[b"] {
            assert!(check(path).is_err(), "{path}");
        }
        for path in ["$", "$.id", "id", "a[0].b", "$.a[?@.b > 1].c", "$..id", "[0]", "$[0].id"] {
            assert_eq!(check(path), Ok(()), "{path}");
        }
    }
}
