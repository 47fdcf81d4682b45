//! How a value of the world becomes a value of the wire.
//!
//! Absent on purpose: which fields an answer has, which is `shown`.

use std::sync::Arc;

use sim::machines::Current;

/// A value of the wire that shows a `T`.
pub trait Shows<'a, T: ?Sized> {
    /// What `value` looks like.
    fn shown(value: &'a T) -> Self;
}

impl<'a, T, U: Shows<'a, T>> Shows<'a, Option<T>> for Option<U> {
    fn shown(value: &'a Option<T>) -> Self {
        value.as_ref().map(U::shown)
    }
}

impl<'a, T, U: Shows<'a, T>> Shows<'a, [T]> for Vec<U> {
    fn shown(values: &'a [T]) -> Self {
        values.iter().map(U::shown).collect()
    }
}

impl<'a, T, U: Shows<'a, T>> Shows<'a, Vec<T>> for Vec<U> {
    fn shown(values: &'a Vec<T>) -> Self {
        Self::shown(values.as_slice())
    }
}

impl<'a, T: ?Sized, U: Shows<'a, T>> Shows<'a, Arc<T>> for U {
    fn shown(value: &'a Arc<T>) -> Self {
        U::shown(value)
    }
}

impl<'a, T, U: Shows<'a, T>> Shows<'a, Current<T>> for U {
    fn shown(value: &'a Current<T>) -> Self {
        U::shown(value)
    }
}

impl<'a> Shows<'a, str> for &'a str {
    fn shown(value: &'a str) -> Self {
        value
    }
}

/// Values of the wire that hold a value of the world as it is.
macro_rules! shows {
    ($($shown:ty: $($value:ty),+;)*) => {$($(
        impl $crate::values::shows::Shows<'_, $value> for $shown {
            fn shown(value: &$value) -> Self {
                Self::from(*value)
            }
        }
    )+)*};
}
pub(crate) use shows;

/// A value of the wire that is a value of the world under a name of its own.
macro_rules! wrapped {
    ($(#[$doc:meta])* $name:ident($value:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub $value);

        impl $crate::values::shows::Shows<'_, $value> for $name {
            fn shown(value: &$value) -> Self {
                Self(*value)
            }
        }
    };
}
pub(crate) use wrapped;

shows! {
    bool: bool;
    i8: i8;
    u32: u32;
}
