//! Worlds, setups and inputs as JSON.
//!
//! Owns: the compiled readers and writers of the largest types of `sim`. A generic reader is compiled again in each crate that
//! calls it, and that of a world is a tenth of such a crate; here each is compiled once. Invariant: what was written is read
//! back as an equal value. Absent on purpose: the form of the values, which `sim` declares, and the files that hold them.

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Result;
use serde_json::value::{RawValue, to_raw_value};
use sim::setup::Setup;
use sim::{Input, World};
use std::sync::Arc;

/// A value of `sim` that is written as JSON and read back.
pub trait Written: Sized {
    /// Its JSON.
    ///
    /// # Errors
    /// When it cannot be written: a bug.
    fn write(&self) -> Result<Box<RawValue>>;

    /// The value that `json` is of.
    ///
    /// # Errors
    /// Where it is not of that type, by line and column of `json`.
    fn read(json: &RawValue) -> Result<Self>;
}

macro_rules! written {
    ($($type:ty),*) => {
        // Short functions are copied into the crates that call them, with all that they call, unless they forbid it.
        $(impl Written for $type {
            #[inline(never)]
            fn write(&self) -> Result<Box<RawValue>> {
                to_raw_value(self)
            }

            #[inline(never)]
            fn read(json: &RawValue) -> Result<Self> {
                serde_json::from_str(json.get())
            }
        })*
    };
}

written!(World, Setup, Vec<Input>);

impl<T: Written> Written for Arc<T> {
    fn write(&self) -> Result<Box<RawValue>> {
        T::write(self)
    }

    fn read(json: &RawValue) -> Result<Self> {
        T::read(json).map(Self::new)
    }
}

/// Writes a field of such a type, as `#[serde(with = "written")]` asks for it.
///
/// # Errors
/// When the value cannot be written, or `to` takes no JSON.
pub fn serialize<T: Written, S: Serializer>(value: &T, to: S) -> std::result::Result<S::Ok, S::Error> {
    value.write().map_err(S::Error::custom)?.serialize(to)
}

/// Reads a field of such a type, as `#[serde(with = "written")]` asks for it.
///
/// # Errors
/// When it is of another type, or `from` holds no JSON.
pub fn deserialize<'de, T: Written, D: Deserializer<'de>>(from: D) -> std::result::Result<T, D::Error> {
    let json = Box::<RawValue>::deserialize(from)?;
    T::read(&json).map_err(D::Error::custom)
}
