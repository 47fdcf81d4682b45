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

#[cfg(test)]
mod tests {
    use super::*;
    use sim::input::Act;
    use sim::rng::Seed;
    use sim::time::{Instant, Millis};

    #[derive(Serialize, Deserialize)]
    struct Kept {
        #[serde(with = "super")]
        setup: Setup,
        #[serde(with = "super")]
        inputs: Vec<Input>,
    }

    #[derive(Serialize, Deserialize)]
    enum Decision {
        Bring(u8, #[serde(with = "super")] Arc<World>),
    }

    #[test]
    fn what_was_written_is_read_back_and_looks_as_if_serde_had_written_it() {
        let setup = hosting::setup::demo();
        let start = Instant::parse("2026-03-02T08:00:00+01:00").expect("an instant");
        let mut world = World::new(&setup, Seed(1), start).expect("a world");
        let inputs =
            vec![Input { format: Input::FORMAT, request: None, at: start.plus(Millis::DAY), act: Act::Advance }];
        world.replay((1..).zip(&inputs));
        let json = serde_json::to_string(&Kept { setup, inputs }).expect("JSON");
        let kept: Kept = serde_json::from_str(&json).expect("what was written");
        let plain = format!(
            r#"{{"setup":{},"inputs":{}}}"#,
            serde_json::to_string(&kept.setup).expect("JSON"),
            serde_json::to_string(&kept.inputs).expect("JSON")
        );
        assert_eq!(json, plain);
        let decision = serde_json::to_string(&Decision::Bring(7, Arc::new(world.clone()))).expect("JSON");
        let Decision::Bring(number, again) = serde_json::from_str(&decision).expect("what was written");
        assert_eq!((number, again.digest()), (7, world.digest()));
    }
}
