//! The shades of counts, for light and for dark surroundings.
//!
//! Invariant: words in the colour of text can be read on each of them.

use crate::frame::ink::{self, Ink};

/// Deeper with each power of ten.
const HEAT: [&Ink; 6] = [&ink::HEAT_1, &ink::HEAT_2, &ink::HEAT_3, &ink::HEAT_4, &ink::HEAT_5, &ink::HEAT_6];

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
