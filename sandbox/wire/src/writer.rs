//! Answers as JSON text: what `serde_json` would write, byte for byte, in fewer steps.
//!
//! Names of fields are copied, where `serde_json` looks through each for letters to escape; other texts are looked through eight bytes at
//! a time. A list of orders is written in less time, a single account in more (`docs/performance.md`; `cargo bench --bench serialise`).
//! Invariant: the bytes are those of `serde_json::to_vec`. Absent on purpose: escapes and floats, which `serde_json` writes here too.

use std::fmt;
use std::io::Write as _;

use serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::Error;

use super::raw::{PLAIN, RAW, is_plain};

/// What `serde_json` calls a number that keeps its digits; it is written as they are.
const NUMBER: &str = "$serde_json::private::Number";

/// Appends `shape` to `out`.
///
/// # Errors
/// When a map has a key that is no text.
pub(crate) fn write<T: Serialize + ?Sized>(shape: &T, out: &mut Vec<u8>) -> Result<(), Error> {
    shape.serialize(&mut Json { out, takes: Takes::Value })
}

/// What is written next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Value,
    /// A key: a number has quotes here.
    Key,
    /// A text that is JSON already.
    Raw,
    /// A text in which JSON escapes nothing.
    Plain,
}

struct Json<'o> {
    out: &'o mut Vec<u8>,
    takes: Takes,
}

impl Json<'_> {
    fn put(&mut self, json: &str) {
        self.out.extend_from_slice(json.as_bytes());
    }

    /// A text without anything to escape.
    fn quoted(&mut self, text: &str) {
        self.out.reserve(text.len() + 2);
        self.out.push(b'"');
        self.put(text);
        self.out.push(b'"');
    }

    /// A number or a truth value.
    fn literal(&mut self, text: &str) {
        if self.takes == Takes::Key { self.quoted(text) } else { self.put(text) }
    }

    /// Begins a list or an object.
    fn begin(&mut self, mark: u8) -> Result<(), Error> {
        if self.takes == Takes::Key {
            return Err(Error::custom("key must be a string"));
        }
        self.out.push(mark);
        Ok(())
    }
}

/// A list or an object at work.
struct Compound<'a, 'o> {
    to: &'a mut Json<'o>,
    is_first: bool,
    /// What ends it.
    end: &'static str,
}

impl Compound<'_, '_> {
    fn next(&mut self) {
        if !std::mem::replace(&mut self.is_first, false) {
            self.to.out.push(b',');
        }
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.next();
        value.serialize(&mut *self.to)
    }

    /// A field of a structure: a name of Rust, or what an attribute of `serde` makes of it.
    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.next();
        self.to.quoted(name);
        self.to.out.push(b':');
        value.serialize(&mut *self.to)
    }

    fn finish(self) {
        self.to.put(self.end);
        self.to.takes = Takes::Value;
    }
}

macro_rules! whole_numbers {
    ($($name:ident $type:ty;)*) => {$(
        fn $name(self, number: $type) -> Result<(), Error> {
            self.literal(itoa::Buffer::new().format(number));
            Ok(())
        }
    )*};
}

impl<'a, 'o> Serializer for &'a mut Json<'o> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'a, 'o>;
    type SerializeTuple = Compound<'a, 'o>;
    type SerializeTupleStruct = Compound<'a, 'o>;
    type SerializeTupleVariant = Compound<'a, 'o>;
    type SerializeMap = Compound<'a, 'o>;
    type SerializeStruct = Compound<'a, 'o>;
    type SerializeStructVariant = Compound<'a, 'o>;

    whole_numbers! {
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_i128 i128;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
        serialize_u128 u128;
    }

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.literal(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_f32(self, number: f32) -> Result<(), Error> {
        self.literal(&serde_json::to_string(&number)?);
        Ok(())
    }

    fn serialize_f64(self, number: f64) -> Result<(), Error> {
        self.literal(&serde_json::to_string(&number)?);
        Ok(())
    }

    fn serialize_char(self, letter: char) -> Result<(), Error> {
        self.serialize_str(letter.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Result<(), Error> {
        match self.takes {
            Takes::Raw => self.put(text),
            Takes::Plain => self.quoted(text),
            Takes::Value | Takes::Key if is_plain(text.as_bytes()) => self.quoted(text),
            Takes::Value | Takes::Key => return serde_json::to_writer(&mut *self.out, text),
        }
        Ok(())
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<(), Error> {
        if self.takes == Takes::Raw {
            return self.serialize_str(&value.to_string());
        }
        let begin = self.out.len();
        self.out.push(b'"');
        write!(self.out, "{value}").map_err(Error::custom)?;
        if is_plain(&self.out[begin + 1..]) {
            self.out.push(b'"');
            return Ok(());
        }
        self.out.truncate(begin);
        self.serialize_str(&value.to_string())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Error> {
        self.collect_seq(bytes)
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        if self.takes == Takes::Key {
            return Err(Error::custom("key must be a string"));
        }
        self.put("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<(), Error> {
        if name != PLAIN {
            return value.serialize(self);
        }
        let takes = std::mem::replace(&mut self.takes, Takes::Plain);
        value.serialize(&mut *self)?;
        self.takes = takes;
        Ok(())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut object = self.serialize_map(None)?;
        object.field(variant, value)?;
        object.finish();
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'a, 'o>, Error> {
        self.begin(b'[')?;
        Ok(Compound { to: self, is_first: true, end: "]" })
    }

    fn serialize_tuple(self, length: usize) -> Result<Compound<'a, 'o>, Error> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Compound<'a, 'o>, Error> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'a, 'o>, Error> {
        self.begin(b'{')?;
        self.quoted(variant);
        self.put(":[");
        Ok(Compound { to: self, is_first: true, end: "]}" })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'a, 'o>, Error> {
        self.begin(b'{')?;
        Ok(Compound { to: self, is_first: true, end: "}" })
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Compound<'a, 'o>, Error> {
        if name == RAW || name == NUMBER {
            self.takes = Takes::Raw;
            return Ok(Compound { to: self, is_first: true, end: "" });
        }
        self.serialize_map(None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'a, 'o>, Error> {
        self.begin(b'{')?;
        self.quoted(variant);
        self.put(":{");
        Ok(Compound { to: self, is_first: true, end: "}}" })
    }
}

macro_rules! lists {
    ($($kind:ident $item:ident;)*) => {$(
        impl $kind for Compound<'_, '_> {
            type Ok = ();
            type Error = Error;

            fn $item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.item(value)
            }

            fn end(self) -> Result<(), Error> {
                self.finish();
                Ok(())
            }
        }
    )*};
}

lists! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

impl SerializeStruct for Compound<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        if self.to.takes == Takes::Raw { value.serialize(&mut *self.to) } else { self.field(name, value) }
    }

    fn end(self) -> Result<(), Error> {
        self.finish();
        Ok(())
    }
}

impl SerializeStructVariant for Compound<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.field(name, value)
    }

    fn end(self) -> Result<(), Error> {
        self.finish();
        Ok(())
    }
}

impl SerializeMap for Compound<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.next();
        self.to.takes = Takes::Key;
        key.serialize(&mut *self.to)?;
        self.to.takes = Takes::Value;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.to.out.push(b':');
        value.serialize(&mut *self.to)
    }

    fn end(self) -> Result<(), Error> {
        self.finish();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Money;
    use proptest::prelude::*;
    use serde::Serialize;
    use serde_json::Value;
    use serde_json::value::RawValue;
    use sim::money::Amount;
    use std::collections::BTreeMap;
    use testing::laws::holds;

    /// Every kind of thing that can be written.
    #[derive(Serialize)]
    struct Everything<'a> {
        text: &'a str,
        letter: char,
        whole: (i8, i16, i32, i64, i128, u8, u16, u32, u64, u128),
        fraction: (f32, f64),
        flag: bool,
        none: Option<u8>,
        some: Option<&'a str>,
        unit: (),
        #[serde(serialize_with = "displayed")]
        displayed: &'a str,
        raw: &'a RawValue,
        money: Money,
        kinds: [Kind<'a>; 4],
        keys: (BTreeMap<u8, Value>, BTreeMap<bool, ()>, BTreeMap<char, Value>),
        named: BTreeMap<&'a str, Vec<Value>>,
        #[serde(flatten)]
        more: More<'a>,
    }

    #[derive(Serialize)]
    struct More<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        left_out: Option<u8>,
        pair: Pair<'a>,
    }

    #[derive(Serialize)]
    struct Pair<'a>(&'a str, u8);

    #[derive(Serialize)]
    enum Kind<'a> {
        Unit,
        Newtype(&'a str),
        Tuple(u8, &'a str),
        Struct { one: &'a str },
    }

    fn displayed<S: serde::Serializer>(text: &&str, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(text)
    }

    fn written<T: Serialize>(shape: &T) -> Result<String, String> {
        let mut out = Vec::new();
        write(shape, &mut out).map_err(|error| error.to_string())?;
        Ok(String::from_utf8(out).expect("text"))
    }

    fn tree() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "\\PC{0,20}|[\\x00-\\x7f]{0,20}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            let object = proptest::collection::vec(("[\\x00-\\x7f]{0,9}", inner.clone()), 0..4);
            prop_oneof![
                proptest::collection::vec(inner, 0..4).prop_map(Value::from),
                object.prop_map(|members| members.into_iter().collect()),
            ]
        })
    }

    #[test]
    fn what_is_written_is_what_serde_json_writes() {
        let cases = (tree(), "\\PC{0,20}|[\\x00-\\x7f]{0,20}", any::<(char, i64, u64, f32, f64, bool)>());
        holds(cases, |(value, text, (letter, signed, whole, small, large, flag))| {
            let raw = RawValue::from_string(value.to_string()).expect("JSON");
            let everything = Everything {
                text: &text,
                letter,
                whole: (-1, 2, -3, signed, i128::MIN, 6, 7, 8, whole, u128::MAX),
                fraction: (small, large),
                flag,
                none: None,
                some: Some(&text),
                unit: (),
                displayed: &text,
                raw: &raw,
                money: Money(Amount::from_ore(signed / 4)),
                kinds: [Kind::Unit, Kind::Newtype(&text), Kind::Tuple(1, &text), Kind::Struct { one: &text }],
                keys: (
                    BTreeMap::from([(7, value.clone())]),
                    BTreeMap::from([(flag, ())]),
                    BTreeMap::from([(letter, Value::Null)]),
                ),
                named: BTreeMap::from([(&*text, vec![value.clone(), value.clone()]), ("", vec![])]),
                more: More { left_out: None, pair: Pair(&text, 9) },
            };
            prop_assert_eq!(written(&everything), Ok(serde_json::to_string(&everything).expect("JSON")));
            prop_assert_eq!(written(&value), Ok(value.to_string()));
            Ok(())
        });
    }

    #[test]
    fn a_key_that_is_no_text_is_refused_as_serde_json_refuses_it() {
        let maps = (BTreeMap::from([(vec![1], 1)]), BTreeMap::from([((), 1)]));
        let refused = Err("key must be a string".to_owned());
        assert_eq!((written(&maps.0), written(&maps.1)), (refused.clone(), refused));
        assert!(serde_json::to_string(&maps.0).is_err() && serde_json::to_string(&maps.1).is_err());
    }
}
