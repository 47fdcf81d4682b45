//! Writing wire shapes as compact JSON, several times faster than the general serialiser and byte for byte the same.
//!
//! Every reader waits for this text, and an account holds a hundred pieces of it. Invariant: for any shape the bytes are
//! `serde_json`'s own; a property holds the two together. Absent on purpose: floats, which the wire has none of, indents,
//! and maps whose keys are not text.

mod text;

use std::fmt::{self, Display, Write as _};

use serde::ser::{self, Serialize};

use self::text::Text;

/// How `serde_json` marks a number or a piece of JSON that is text already: a struct of one field, both of this name.
pub(super) const NUMBER: &str = "$serde_json::private::Number";
const RAW: &str = "$serde_json::private::RawValue";

/// A shape that JSON has no form for.
#[derive(Debug)]
pub struct Unwritable(String);

impl Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unwritable {}

impl ser::Error for Unwritable {
    fn custom<T: Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// Appends `shape` to `out`.
///
/// # Errors
/// When the shape holds a float, a map with keys that are not text, or says itself that it cannot be written.
pub fn write<T: Serialize + ?Sized>(shape: &T, out: &mut Vec<u8>) -> Result<(), Unwritable> {
    shape.serialize(Compact { out })
}

struct Compact<'a> {
    out: &'a mut Vec<u8>,
}

/// A list or an object under way.
struct Many<'a> {
    out: &'a mut Vec<u8>,
    any: bool,
    close: &'static [u8],
    /// The one field of a marked struct is written as it stands.
    as_it_stands: bool,
}

/// The bytes of `0x01` and of `0x80` in a word of eight.
const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);

/// Whether one of eight bytes is below `0x20`, a quote or a backslash, without looking at them one by one.
const fn is_odd(word: u64) -> bool {
    let quote = word ^ (ONES * b'"' as u64);
    let backslash = word ^ (ONES * b'\\' as u64);
    let below = word.wrapping_sub(ONES * 0x20) & !word;
    let is_quote = quote.wrapping_sub(ONES) & !quote;
    let is_backslash = backslash.wrapping_sub(ONES) & !backslash;
    (below | is_quote | is_backslash) & HIGHS != 0
}

/// Whether JSON writes every byte of these as it is.
#[inline]
fn is_plain(bytes: &[u8]) -> bool {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [b' '; 8];
    last[..rest.len()].copy_from_slice(rest);
    !words.iter().any(|word| is_odd(u64::from_ne_bytes(*word))) && !is_odd(u64::from_ne_bytes(last))
}

#[inline]
fn escaped(text: &str, out: &mut Vec<u8>) {
    if is_plain(text.as_bytes()) { out.extend_from_slice(text.as_bytes()) } else { with_escapes(text, out) }
}

#[cold]
fn with_escapes(text: &str, out: &mut Vec<u8>) {
    for byte in text.bytes() {
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x0C => out.extend_from_slice(b"\\f"),
            0x00..0x20 => {
                let digit = |n: u8| b"0123456789abcdef"[usize::from(n)];
                out.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 15)]);
            }
            _ => out.push(byte),
        }
    }
}

#[inline]
fn quoted(text: &str, out: &mut Vec<u8>) {
    out.reserve(text.len() + 2);
    out.push(b'"');
    escaped(text, out);
    out.push(b'"');
}

/// Takes formatted text in pieces.
struct Pieces<'a>(&'a mut Vec<u8>);

impl fmt::Write for Pieces<'_> {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        escaped(piece, self.0);
        Ok(())
    }
}

fn displayed(value: &(impl Display + ?Sized), out: &mut Vec<u8>) -> Result<(), Unwritable> {
    out.push(b'"');
    write!(Pieces(out), "{value}").map_err(ser::Error::custom)?;
    out.push(b'"');
    Ok(())
}

fn whole(number: impl Display, out: &mut Vec<u8>) -> Result<(), Unwritable> {
    // Digits and a sign need no escapes.
    write!(Pieces(out), "{number}").map_err(ser::Error::custom)
}

impl<'a> Compact<'a> {
    fn many(self, open: &[u8], close: &'static [u8]) -> Many<'a> {
        self.out.extend_from_slice(open);
        Many { out: self.out, any: false, close, as_it_stands: false }
    }

    /// `{"variant":` with what follows still to come.
    fn variant(self, variant: &str, open: &[u8], close: &'static [u8]) -> Many<'a> {
        self.out.push(b'{');
        quoted(variant, self.out);
        self.out.push(b':');
        self.many(open, close)
    }
}

macro_rules! whole_numbers {
    ($($method:ident($number:ty)),*) => {$(
        fn $method(self, number: $number) -> Result<(), Unwritable> {
            whole(number, self.out)
        }
    )*};
}

impl<'a> ser::Serializer for Compact<'a> {
    type Ok = ();
    type Error = Unwritable;
    type SerializeSeq = Many<'a>;
    type SerializeTuple = Many<'a>;
    type SerializeTupleStruct = Many<'a>;
    type SerializeTupleVariant = Many<'a>;
    type SerializeMap = Many<'a>;
    type SerializeStruct = Many<'a>;
    type SerializeStructVariant = Many<'a>;

    whole_numbers!(
        serialize_i8(i8),
        serialize_i16(i16),
        serialize_i32(i32),
        serialize_i64(i64),
        serialize_i128(i128),
        serialize_u8(u8),
        serialize_u16(u16),
        serialize_u32(u32),
        serialize_u64(u64),
        serialize_u128(u128)
    );

    fn serialize_bool(self, value: bool) -> Result<(), Unwritable> {
        self.out.extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_f32(self, _: f32) -> Result<(), Unwritable> {
        Err(ser::Error::custom("the wire has no floats"))
    }

    fn serialize_f64(self, _: f64) -> Result<(), Unwritable> {
        Err(ser::Error::custom("the wire has no floats"))
    }

    fn serialize_char(self, value: char) -> Result<(), Unwritable> {
        quoted(value.encode_utf8(&mut [0; 4]), self.out);
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Result<(), Unwritable> {
        quoted(value, self.out);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Unwritable> {
        value.serialize(self)
    }

    fn serialize_none(self) -> Result<(), Unwritable> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Unwritable> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Unwritable> {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Unwritable> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Unwritable> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Unwritable> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Unwritable> {
        let Many { out, .. } = self.variant(variant, b"", b"");
        value.serialize(Compact { out: &mut *out })?;
        out.push(b'}');
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Many<'a>, Unwritable> {
        Ok(self.many(b"[", b"]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Many<'a>, Unwritable> {
        Ok(self.many(b"[", b"]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Many<'a>, Unwritable> {
        Ok(self.many(b"[", b"]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Many<'a>, Unwritable> {
        Ok(self.variant(variant, b"[", b"]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Many<'a>, Unwritable> {
        Ok(self.many(b"{", b"}"))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Many<'a>, Unwritable> {
        if name == NUMBER || name == RAW {
            return Ok(Many { as_it_stands: true, ..self.many(b"", b"") });
        }
        Ok(self.many(b"{", b"}"))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Many<'a>, Unwritable> {
        Ok(self.variant(variant, b"{", b"}}"))
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Unwritable> {
        displayed(value, self.out)
    }
}

impl Many<'_> {
    fn comma(&mut self) {
        if self.any {
            self.out.push(b',');
        }
        self.any = true;
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        self.comma();
        value.serialize(Compact { out: &mut *self.out })
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), Unwritable> {
        if self.as_it_stands {
            return value.serialize(Text::as_it_stands(&mut *self.out));
        }
        // Field names are words of the program's own.
        debug_assert!(is_plain(key.as_bytes()), "a field is named {key:?}");
        self.out.reserve(key.len() + 4);
        self.out.extend_from_slice(if self.any { b",\"" } else { b"\"" });
        self.any = true;
        self.out.extend_from_slice(key.as_bytes());
        self.out.extend_from_slice(b"\":");
        value.serialize(Compact { out: &mut *self.out })
    }

    fn close(self) {
        self.out.extend_from_slice(self.close);
    }
}

macro_rules! lists {
    ($($kind:ident::$method:ident),*) => {$(
        impl ser::$kind for Many<'_> {
            type Ok = ();
            type Error = Unwritable;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
                self.item(value)
            }

            fn end(self) -> Result<(), Unwritable> {
                self.close();
                Ok(())
            }
        }
    )*};
}

lists!(
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field
);

macro_rules! objects {
    ($($kind:ident),*) => {$(
        impl ser::$kind for Many<'_> {
            type Ok = ();
            type Error = Unwritable;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Unwritable> {
                self.field(key, value)
            }

            fn end(self) -> Result<(), Unwritable> {
                self.close();
                Ok(())
            }
        }
    )*};
}

objects!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Many<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unwritable> {
        self.comma();
        key.serialize(Text::quoted(&mut *self.out))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        self.out.push(b':');
        value.serialize(Compact { out: &mut *self.out })
    }

    fn end(self) -> Result<(), Unwritable> {
        self.close();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws;
    use proptest::prelude::*;
    use serde::Serialize;
    use serde_json::{Map, Value};
    use std::collections::BTreeMap;

    fn compact<T: Serialize + ?Sized>(shape: &T) -> String {
        let mut out = Vec::new();
        write(shape, &mut out).expect("it can be written");
        String::from_utf8(out).expect("UTF-8")
    }

    fn check<T: Serialize>(shape: T) {
        assert_eq!(compact(&shape), serde_json::to_string(&shape).expect("JSON"));
    }

    #[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
    enum Kind {
        Plain,
        #[serde(rename = "with space")]
        Renamed,
        One(u8),
        Two(u8, &'static str),
        Named {
            a: Option<i8>,
        },
    }

    #[derive(Serialize)]
    struct Nothing;

    #[derive(Serialize)]
    struct Pair(i64, &'static str);

    #[derive(Serialize)]
    struct Flat {
        first: char,
        #[serde(flatten)]
        rest: BTreeMap<String, u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        left_out: Option<u8>,
    }

    #[test]
    fn every_kind_of_shape_is_written_as_by_the_general_serialiser() {
        check((true, false, 'å', '"', (), Nothing, None::<u8>, Some(1_u8)));
        check((i64::MIN, u64::MAX, i128::MIN, u128::MAX, -1_i8, 0_u16, [0_u8; 0]));
        check([Kind::Plain, Kind::Renamed, Kind::One(1), Kind::Two(2, "b"), Kind::Named { a: None }]);
        check((
            Pair(-5, "x"),
            vec![Pair(1, "")],
            [[1_u32; 2]; 2],
            BTreeMap::from([(Kind::Plain, 1), (Kind::Renamed, 2)]),
        ));
        check(Flat { first: 'a', rest: BTreeMap::from([("b\n".to_owned(), 1), (String::new(), 2)]), left_out: None });
        check(
            serde_json::json!({ "a": [1.50, -0.1, 1e30, 123_456_789_012_345_678_901_234_567_890_u128], "b": {}, "c": [] }),
        );
        check(serde_json::value::RawValue::from_string("{ \"as\" : 1.00 }".to_owned()).expect("JSON"));
        check(uuid::Uuid::nil());
        check(Box::<str>::from("boxed"));
    }

    #[test]
    fn what_json_has_no_form_for_is_refused() {
        let refused = |result: Result<(), Unwritable>| result.expect_err("refused").to_string();
        assert_eq!(refused(write(&1.5_f64, &mut Vec::new())), "the wire has no floats");
        assert_eq!(refused(write(&BTreeMap::from([(vec![1_u8], 1)]), &mut Vec::new())), "only text can stand here");
    }

    fn value() -> impl Strategy<Value = Value> {
        let text =
            proptest::collection::vec(prop_oneof![any::<char>(), (0_u8..0x30).prop_map(char::from), Just('\\')], 0..40)
                .prop_map(|chars| chars.into_iter().collect::<String>());
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            text.clone().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 64, 6, move |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                proptest::collection::vec((text.clone(), inner), 0..6)
                    .prop_map(|pairs| Value::from(pairs.into_iter().collect::<Map<_, _>>())),
            ]
        })
    }

    #[test]
    fn any_text_and_nesting_is_written_as_by_the_general_serialiser() {
        laws::holds(value(), |value| {
            prop_assert_eq!(compact(&value), value.to_string());
            Ok(())
        });
    }
}
