//! Where only text can stand: a key, or what is written as it stands.

use std::fmt::Display;

use serde::ser::{Error as _, Impossible, Serialize, Serializer};

use super::{Unwritable, displayed, quoted};

pub(super) struct Text<'a> {
    out: &'a mut Vec<u8>,
    as_it_stands: bool,
}

impl<'a> Text<'a> {
    /// Text that is JSON already.
    pub(super) const fn as_it_stands(out: &'a mut Vec<u8>) -> Self {
        Self { out, as_it_stands: true }
    }

    /// Text that becomes a JSON string.
    pub(super) const fn quoted(out: &'a mut Vec<u8>) -> Self {
        Self { out, as_it_stands: false }
    }
}

fn refused<T>() -> Result<T, Unwritable> {
    Err(Unwritable::custom("only text can stand here"))
}

macro_rules! refuse {
    ($($method:ident($value:ty)),*) => {$(
        fn $method(self, _: $value) -> Result<(), Unwritable> {
            refused()
        }
    )*};
}

impl Serializer for Text<'_> {
    type Ok = ();
    type Error = Unwritable;
    type SerializeSeq = Impossible<(), Unwritable>;
    type SerializeTuple = Impossible<(), Unwritable>;
    type SerializeTupleStruct = Impossible<(), Unwritable>;
    type SerializeTupleVariant = Impossible<(), Unwritable>;
    type SerializeMap = Impossible<(), Unwritable>;
    type SerializeStruct = Impossible<(), Unwritable>;
    type SerializeStructVariant = Impossible<(), Unwritable>;

    fn serialize_str(self, text: &str) -> Result<(), Unwritable> {
        if self.as_it_stands {
            self.out.extend_from_slice(text.as_bytes());
        } else {
            quoted(text, self.out);
        }
        Ok(())
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Unwritable> {
        if self.as_it_stands { self.serialize_str(&value.to_string()) } else { displayed(value, self.out) }
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Unwritable> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Unwritable> {
        value.serialize(self)
    }

    refuse!(
        serialize_bool(bool),
        serialize_i8(i8),
        serialize_i16(i16),
        serialize_i32(i32),
        serialize_i64(i64),
        serialize_u8(u8),
        serialize_u16(u16),
        serialize_u32(u32),
        serialize_u64(u64),
        serialize_f32(f32),
        serialize_f64(f64),
        serialize_char(char),
        serialize_bytes(&[u8]),
        serialize_unit_struct(&'static str)
    );

    fn serialize_none(self) -> Result<(), Unwritable> {
        refused()
    }

    fn serialize_unit(self) -> Result<(), Unwritable> {
        refused()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<(), Unwritable> {
        refused()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Unwritable> {
        refused()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Unwritable> {
        refused()
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Unwritable> {
        refused()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Unwritable> {
        refused()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Unwritable> {
        refused()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Unwritable> {
        refused()
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, Unwritable> {
        refused()
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Unwritable> {
        refused()
    }
}
