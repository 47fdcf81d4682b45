//! The look of everything that fundsim shows in a browser: colours, type, spacing, parts and the mark.
//!
//! Invariant: every colour is declared here, once, for light, dark and forced colours; each surface puts [`SHEET`] before its own rules,
//! which name colours and declare none. Absent on purpose: rules of one surface alone, and markup.
//!
//! | file | owns |
//! |---|---|
//! | `colours.rs` | the table of colours, which pairs are read on each other, and how much they differ |
//! | `base.css` `reading.css` | type and parts of every surface; what surfaces for reading and working have besides |
//! | `sheet.rs` | colours and both as one style sheet |
//! | `picture.rs` | colours of pictures, which are drawn without a style sheet |
//! | `mark.rs` | the mark, on a page and as the icon of its tab |
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! colours, mark
//! picture, sheet
//! ```

mod colours;
mod mark;
pub mod picture;
mod sheet;

pub use colours::{COLOURS, COLOURS_DECLARED, Colour, IDENTITY, IDENTITY_DECLARED, PAIRS, PairUse, Rgb, pairs_of};
pub use mark::{BRAND, IDENTITY_SEAL, icon};
pub use sheet::{BASE, SHEET};
