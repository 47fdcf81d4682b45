//! What all pictures are made with: a canvas, colours, numbers, days, and the document around them.
//!
//! Owns: the form of a picture (`Picture`), its widths, and how it reads without eyes, in the dark and in a terminal.
//! Invariant: a picture depends on its facts alone, byte for byte. Absent on purpose: what is drawn.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! ink, lines, numbers, picture, time_axis
//! canvas
//! axis, document, heading, labels
//! ```

pub(crate) mod axis;
pub(crate) mod canvas;
pub(crate) mod document;
pub(crate) mod heading;
pub(crate) mod ink;
pub(crate) mod labels;
pub(crate) mod lines;
pub(crate) mod numbers;
pub(crate) mod picture;
pub(crate) mod time_axis;

#[cfg(test)]
mod tests;

pub use picture::{Picture, Width};
