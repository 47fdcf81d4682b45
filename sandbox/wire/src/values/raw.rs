//! Writing what is JSON already, as it is.
//!
//! Numbers, ids, instants and words are made of letters that JSON never escapes, and an answer holds dozens of them: they are written
//! without being parsed or looked through again. Invariant: what is given is JSON. Absent on purpose: texts that somebody else
//! has chosen, which the serializer escapes.

use arrayvec::ArrayString;
use serde::ser::{Error as _, SerializeStruct as _, Serializer};
use std::fmt::{Display, Write as _};

/// What `serde_json` calls a value that is written as it is. It makes a `RawValue` of a text by parsing it and by nothing else; what
/// it then writes is a structure of this name with this one field. Should that ever change, `numbers_and_ids_are_written_as_they_are` fails.
const RAW: &str = "$serde_json::private::RawValue";

/// The longest text: an instrument's id with its quotes is shorter than a UUID with them.
const LONGEST: usize = 40;

/// Writes `json`.
pub(crate) fn json<S: Serializer>(json: &str, to: S) -> Result<S::Ok, S::Error> {
    let mut raw = to.serialize_struct(RAW, 1)?;
    raw.serialize_field(RAW, json)?;
    raw.end()
}

/// Writes `text`, in which JSON escapes nothing and which has at most 38 letters, between quotes.
pub(crate) fn text<S: Serializer>(text: &str, to: S) -> Result<S::Ok, S::Error> {
    debug_assert!(
        text.bytes().all(|letter| (b' '..=b'~').contains(&letter) && letter != b'"' && letter != b'\\'),
        "{text}"
    );
    let mut quoted = ArrayString::<LONGEST>::new();
    let written = ["\"", text, "\""].iter().try_for_each(|part| quoted.try_push_str(part));
    written.map_err(S::Error::custom)?;
    json(&quoted, to)
}

/// As `text`, of a value by what it displays.
pub(crate) fn displayed<S: Serializer>(value: impl Display, to: S) -> Result<S::Ok, S::Error> {
    let mut shown = ArrayString::<LONGEST>::new();
    write!(shown, "{value}").map_err(S::Error::custom)?;
    text(&shown, to)
}

#[cfg(test)]
mod tests {
    use crate::values::number::Money;
    use crate::values::text::{Id, Timestamp};
    use serde::Serialize;
    use sim::money::Amount;
    use sim::time::Instant;
    use uuid::Uuid;

    #[derive(Serialize)]
    struct Shown {
        id: Id,
        amount: Money,
        at: Timestamp,
    }

    #[test]
    fn numbers_and_ids_are_written_as_they_are() {
        let shown = Shown {
            id: Id(Uuid::from_u128(7)),
            amount: Money(Amount::from_ore(150)),
            at: Timestamp(Instant::from_ms(0)),
        };
        let written = r#"{"id":"00000000-0000-0000-0000-000000000007","amount":1.50,"at":"1970-01-01T00:00:00.000Z"}"#;
        assert_eq!(serde_json::to_string(&shown).expect("JSON"), written);
        // A tree of values takes them for what they are.
        let tree = serde_json::to_value(&shown).expect("a tree");
        assert_eq!(
            (tree["id"].as_str(), tree["amount"].is_number()),
            (Some("00000000-0000-0000-0000-000000000007"), true)
        );
        assert_eq!(tree.to_string(), written);
    }
}
