//! How values with a text of their own are recorded: as that text.

use serde::{Deserializer, de};
use std::fmt;

/// Reads a value that is recorded as text.
pub(crate) fn text_of<'de, D, T, E>(from: D, parse: fn(&str) -> Result<T, E>) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    E: fmt::Display,
{
    struct Text<T, E>(fn(&str) -> Result<T, E>);

    impl<T, E: fmt::Display> de::Visitor<'_> for Text<T, E> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a text")
        }

        fn visit_str<F: de::Error>(self, text: &str) -> Result<T, F> {
            self.0(text).map_err(F::custom)
        }
    }

    from.deserialize_str(Text(parse))
}

/// `FromStr`, `Serialize` and `Deserialize` through `Display` and `parse`; records may have a reader of their own.
macro_rules! as_text {
    ($name:ty, $error:ty) => {
        as_text!($name, $error, <$name>::parse);
    };
    ($name:ty, $error:ty, $recorded:expr) => {
        impl std::str::FromStr for $name {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, $error> {
                <$name>::parse(text)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                crate::recorded::text_of(from, $recorded)
            }
        }
    };
}
pub(crate) use as_text;
