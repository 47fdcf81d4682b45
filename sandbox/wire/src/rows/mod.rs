//! Rows of requests and answers: how a row is read, described and shown.

pub mod fields;
pub mod shape;
pub(crate) mod shown;
