//! Writing what needs no second look: JSON as it is, and texts in which JSON escapes nothing.
//!
//! Numbers, ids and instants are made of letters that JSON never escapes, and an answer holds dozens of them. Invariant: what is
//! given as JSON is JSON. Absent on purpose: texts that somebody else has chosen, which are looked through.

use serde::ser::{SerializeStruct as _, Serializer};

/// What `serde_json` calls a value that is written as it is. It makes a `RawValue` of a text by parsing it and by nothing else; what
/// it then writes is a structure of this name with this one field. Should that ever change, `numbers_and_ids_are_written_as_they_are` fails.
pub(crate) const RAW: &str = "$serde_json::private::RawValue";

/// What `writer` calls a text without escapes; to others it is a text.
pub(crate) const PLAIN: &str = "a text without escapes";

/// Writes `json`.
pub(crate) fn json<S: Serializer>(json: &str, to: S) -> Result<S::Ok, S::Error> {
    let mut raw = to.serialize_struct(RAW, 1)?;
    raw.serialize_field(RAW, json)?;
    raw.end()
}

/// Writes `text`, in which JSON escapes nothing, between quotes.
pub(crate) fn text<S: Serializer>(text: &str, to: S) -> Result<S::Ok, S::Error> {
    debug_assert!(super::writer::is_plain(text.as_bytes()), "{text}");
    to.serialize_newtype_struct(PLAIN, text)
}

#[cfg(test)]
mod tests {
    use crate::number::Money;
    use crate::text::{Id, Timestamp};
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
