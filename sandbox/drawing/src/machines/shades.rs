//! The shades of counts, for light and for dark surroundings.
//!
//! Invariant: words in the colour of text can be read on each of them.

use crate::frame::ink::{self, Ink};

/// Deeper with each power of ten.
const HEAT: [&Ink; 6] = [
    &Ink::new((0xE6, 0xF1, 0xF8), (0x12, 0x22, 0x31)),
    &Ink::new((0xCF, 0xE4, 0xF2), (0x14, 0x2E, 0x45)),
    &Ink::new((0xB5, 0xD6, 0xEB), (0x17, 0x3B, 0x5A)),
    &Ink::new((0x9A, 0xC7, 0xE4), (0x1B, 0x49, 0x70)),
    &Ink::new((0x80, 0xB8, 0xDC), (0x20, 0x58, 0x86)),
    &Ink::new((0x68, 0xA9, 0xD4), (0x26, 0x66, 0x9A)),
];

/// All colours of this picture.
pub(super) const INKS: [&Ink; 12] = [
    &ink::PAPER,
    &ink::TEXT,
    &ink::QUIET,
    &ink::GRID,
    &ink::RULE,
    &ink::BAD,
    HEAT[0],
    HEAT[1],
    HEAT[2],
    HEAT[3],
    HEAT[4],
    HEAT[5],
];

/// The shade of a count; none of 0.
pub(super) fn shade(taken: u64) -> Option<&'static Ink> {
    let power = usize::try_from(taken.checked_ilog10()?).unwrap_or(usize::MAX);
    Some(HEAT[power.min(HEAT.len() - 1)])
}
