//! Single values as they travel: numbers, texts, and how a value of the world becomes one of them.

pub mod number;
pub(crate) mod raw;
pub(crate) mod shows;
pub mod text;
