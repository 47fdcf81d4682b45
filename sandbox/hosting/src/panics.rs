//! The message of a panic.
//!
//! Absent on purpose: what becomes of the world in which it happened.

use std::any::Any;

/// The message of a panic.
#[must_use]
pub fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without words".to_owned())
}
