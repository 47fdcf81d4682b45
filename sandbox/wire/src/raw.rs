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
    debug_assert!(is_plain(text.as_bytes()), "{text}");
    to.serialize_newtype_struct(PLAIN, text)
}

/// Whether JSON escapes one of eight bytes: a quote, a backslash, or a control character.
const fn has_escape(bytes: [u8; 8]) -> bool {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);
    const fn has_zero(word: u64) -> u64 {
        word.wrapping_sub(ONES) & !word
    }
    let word = u64::from_ne_bytes(bytes);
    let below_space = word.wrapping_sub(ONES * 0x20) & !word;
    (below_space | has_zero(word ^ (ONES * 0x22)) | has_zero(word ^ (ONES * 0x5c))) & HIGHS != 0
}

/// Whether JSON writes `text` as it is.
pub(crate) fn is_plain(text: &[u8]) -> bool {
    let (words, rest) = text.as_chunks::<8>();
    let mut last = [b' '; 8];
    last[..rest.len()].copy_from_slice(rest);
    !words.iter().any(|word| has_escape(*word)) && !has_escape(last)
}

#[cfg(test)]
mod tests {
    use super::is_plain;
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

    #[test]
    fn every_byte_that_json_escapes_is_found_wherever_it_is() {
        for byte in 0..=127_u8 {
            let escapes = byte < b' ' || byte == b'"' || byte == b'\\';
            for at in 0..20 {
                let mut text = vec![b'~'; 20];
                text[at] = byte;
                assert_eq!(is_plain(&text), !escapes, "{byte} at {at}");
            }
        }
        assert!(is_plain("åäö€".as_bytes()));
    }
}
