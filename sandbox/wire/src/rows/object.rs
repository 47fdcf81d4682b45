//! Writing an object whose keys are known when this is compiled.
//!
//! Invariant: serde_json writes every value; a key is text that is there already, with its quotes, so that nobody looks for letters
//! to escape in it. Serde is handed the object as it is (`raw`). Absent on purpose: which keys there are, which is `shown`.

use crate::buffer;
use crate::values::raw;
use serde::ser::{Error as _, Serialize, Serializer};
use std::str::from_utf8;

/// An object that is being written.
pub(crate) struct ObjectWriter<'o>(&'o mut Vec<u8>);

impl ObjectWriter<'_> {
    /// Begins a row: `key` is a comma, the name between quotes, and a colon.
    #[inline(always)]
    pub(crate) fn key(&mut self, key: &'static str) {
        self.0.extend_from_slice(key.as_bytes());
    }

    /// The value of the row.
    ///
    /// # Errors
    /// As serde_json's, which memory gives no cause for.
    pub(crate) fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> serde_json::Result<()> {
        serde_json::to_writer(&mut *self.0, value)
    }
}

/// Writes the object whose rows `write` writes.
pub(crate) fn object<S: Serializer>(
    to: S,
    write: impl FnOnce(&mut ObjectWriter<'_>) -> serde_json::Result<()>,
) -> Result<S::Ok, S::Error> {
    buffer::with(|text| {
        write(&mut ObjectWriter(text)).map_err(S::Error::custom)?;
        // The comma of the first row.
        match text.first_mut() {
            Some(first) => *first = b'{',
            None => text.push(b'{'),
        }
        text.push(b'}');
        raw::json(from_utf8(text).map_err(S::Error::custom)?, to)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::ser::Serializer;

    /// So many objects, each in the one before it.
    struct Nested(usize);

    impl Serialize for Nested {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            object(to, |object| {
                if let Some(left) = self.0.checked_sub(1) {
                    object.key(",\"text\":");
                    object.value("\"å\n")?;
                    object.key(",\"inner\":");
                    object.value(&Self(left))?;
                }
                Ok(())
            })
        }
    }

    #[test]
    fn objects_hold_objects_and_escaped_texts_as_serde_json_has_them() {
        for (depth, written) in [
            (0, "{}"),
            (1, r#"{"text":"\"å\n","inner":{}}"#),
            (2, r#"{"text":"\"å\n","inner":{"text":"\"å\n","inner":{}}}"#),
        ] {
            assert_eq!(serde_json::to_string(&Nested(depth)).expect("JSON"), written);
            assert_eq!(serde_json::to_value(Nested(depth)).expect("a tree").to_string(), written);
        }
    }
}
