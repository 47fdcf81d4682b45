//! Where figures find room beside their bars.
//!
//! Invariant: no figure covers a bar or another figure; one without room is left out, for its bar says it when pointed at.

use super::canvas::UNIT;

/// Height of a figure, and the width of one of its digits, in tenths of a pixel: a little more than any typeface needs.
const HEIGHT: i32 = 13 * UNIT;
const DIGIT: i32 = 66;
const GAP: i32 = 2 * UNIT;
/// How far from its bar a figure may be, in lines.
const LINES: i32 = 2;

type Corner = (i32, i32);

/// What is taken.
#[derive(Default)]
pub(crate) struct Labels {
    taken: Vec<(Corner, Corner)>,
}

impl Labels {
    /// Nothing is to be written here.
    pub(crate) fn keep_clear(&mut self, from: Corner, to: Corner) {
        self.taken.push((from, to));
    }

    /// The middle of a place for a figure beyond the head of a bar, if there is room between the `sides`.
    pub(crate) fn place(&mut self, figure: &str, head: Corner, below: bool, sides: (i32, i32)) -> Option<Corner> {
        let half = i32::try_from(figure.chars().count()).ok()? * DIGIT / 2;
        let x = head.0.clamp(sides.0 + half, (sides.1 - half).max(sides.0 + half));
        let away = |line: i32| GAP + HEIGHT / 2 + line * HEIGHT;
        let tries = (0..LINES).map(|line| if below { head.1 + away(line) } else { head.1 - away(line) });
        let boxed = |y: i32| ((x - half, y - HEIGHT / 2), (x + half, y + HEIGHT / 2));
        let y = tries.into_iter().find(|y| !self.taken.iter().any(|taken| overlap(*taken, boxed(*y))))?;
        self.taken.push(boxed(y));
        Some((x, y))
    }
}

fn overlap(one: (Corner, Corner), other: (Corner, Corner)) -> bool {
    let across = one.0.0 < other.1.0 && other.0.0 < one.1.0;
    across && one.0.1 < other.1.1 && other.0.1 < one.1.1
}
