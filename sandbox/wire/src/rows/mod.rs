//! Rows of requests and answers: how a row is read, described, shown and written.

pub mod fields;
pub(crate) mod object;
pub mod shape;
pub(crate) mod shown;
