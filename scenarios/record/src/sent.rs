//! What a request has sent, as far as a story can send it again.
//!
//! Invariant: what is read here as JSON means to the service what it means when it is written anew; all else keeps its very
//! characters. Absent on purpose: names and masks.

use super::MISSING_BYTES;
use hosting::recording::Exchange;
use hyper::Method;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::fmt;

/// The body of a request.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Sent<'e> {
    /// There was none.
    Nothing,
    /// A value.
    Value(Json),
    /// Characters, and their content type where that is not JSON.
    Text { text: &'e str, kind: Option<&'e str> },
}

impl<'e> Sent<'e> {
    /// What an exchange has sent.
    ///
    /// # Errors
    /// Why a story cannot send it.
    pub(super) fn of(exchange: &'e Exchange) -> Result<Self, &'static str> {
        let kind = exchange.content_type.as_deref();
        let is_json = kind.is_some_and(is_json);
        let Some(bytes) = exchange.sent.as_deref() else {
            // Nothing at all is refused in other words than an empty body that was announced.
            let is_refused = exchange.status == Some(400) && !matches!(exchange.method, Method::GET | Method::HEAD);
            return Ok(if is_json && is_refused { Self::Text { text: "", kind: None } } else { Self::Nothing });
        };
        let text = std::str::from_utf8(bytes).map_err(|_| MISSING_BYTES)?;
        let value = serde_json::from_str(text).ok().filter(|value: &Json| !value.is_null());
        Ok(match value {
            Some(value) if is_json && !repeats_a_name(text) && is_shallow(&value, DEEPEST) => Self::Value(value),
            _ if is_json => Self::Text { text, kind: None },
            _ => Self::Text { text, kind: Some(kind.unwrap_or_default()) },
        })
    }
}

/// How deep a value may be to be written as a value; no request of the service comes near.
const DEEPEST: usize = 16;

/// Whether a value ends within so many levels.
fn is_shallow(value: &Json, most: usize) -> bool {
    let within = |item: &Json| most.checked_sub(1).is_some_and(|rest| is_shallow(item, rest));
    match value {
        Json::Array(items) => items.iter().all(within),
        Json::Object(entries) => entries.values().all(within),
        _ => true,
    }
}

/// Whether the service takes this for JSON.
fn is_json(kind: &str) -> bool {
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// Whether some map of a JSON text has two entries of one name, which no map that is written anew has.
fn repeats_a_name(text: &str) -> bool {
    serde_json::from_str::<Repeats>(text).is_ok_and(|Repeats(repeats)| repeats)
}

struct Repeats(bool);

impl<'de> Deserialize<'de> for Repeats {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Look).map(Self)
    }
}

struct Look;

impl<'de> Visitor<'de> for Look {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<bool, A::Error> {
        let (mut names, mut repeats) = (BTreeSet::new(), false);
        while let Some((name, Repeats(within))) = map.next_entry::<String, Repeats>()? {
            repeats |= within || !names.insert(name);
        }
        Ok(repeats)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<bool, A::Error> {
        let mut repeats = false;
        while let Some(Repeats(within)) = items.next_element()? {
            repeats |= within;
        }
        Ok(repeats)
    }

    fn visit_str<E>(self, _: &str) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_bool<E>(self, _: bool) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_unit<E>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_u64<E>(self, _: u64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_i64<E>(self, _: i64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_f64<E>(self, _: f64) -> Result<bool, E> {
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_very_deep_is_no_value() {
        let deep = |levels: usize| serde_json::from_str(&("[".repeat(levels) + &"]".repeat(levels))).expect("JSON");
        assert!(is_shallow(&deep(17), DEEPEST) && !is_shallow(&deep(18), DEEPEST) && !is_shallow(&deep(100), DEEPEST));
    }

    #[test]
    fn names_that_stand_twice_are_seen_at_any_depth() {
        for (text, repeats) in [
            (r#"{"a":1,"b":{"a":2.50},"c":[{"a":null}]}"#, false),
            (r#"{"a":1,"a":1}"#, true),
            (r#"{"a":[{"b":1e400,"b":"x"}]}"#, true),
            (r#"{"a":1,"\u0061":true}"#, true),
            ("12", false),
        ] {
            assert_eq!(repeats_a_name(text), repeats, "{text}");
        }
    }
}
