//! The heading of a picture: its title and the lines below it.
//!
//! Invariant: no line is longer than the picture is wide. Absent on purpose: what is written.

use super::Width;
use super::canvas::{Canvas, Words, fitted, wrapped};
use super::ink;

/// A heading, laid out.
pub(crate) struct Heading {
    /// Where lines begin, in pixels.
    edge: i32,
    /// The lines, each on its base line.
    lines: Vec<(i32, String, Words)>,
}

impl Heading {
    /// A title on as many lines as it needs.
    pub(crate) fn wrapping(title: &str, below: &str, edge: i32, width: Width) -> Self {
        let room = width.pixels() - 2 * edge;
        let mut base = 12;
        let mut lines = Vec::new();
        for (words, size, step) in [(title, 18, 24), (below, 13, 18)] {
            let look = if size == 18 { Words::new(&ink::TEXT, size).bold() } else { Words::new(&ink::QUIET, size) };
            for line in wrapped(words, size, room) {
                base += step;
                lines.push((base, line, look));
            }
        }
        Self { edge, lines }
    }

    /// A title on one line, larger on a desk.
    pub(crate) fn on_one_line(title: &str, below: &str, edge: i32, width: Width) -> Self {
        let room = width.pixels() - 2 * edge;
        let (large, small) = if width.is_narrow() { (16, 11) } else { (20, 12) };
        let title = (28, fitted(title, large + 1, room), Words::new(&ink::TEXT, large).bold());
        let below = wrapped(below, small, room).into_iter().zip(1..);
        let below = below.map(|(line, at)| (30 + 17 * at, line, Words::new(&ink::QUIET, small)));
        Self { edge, lines: [title].into_iter().chain(below).collect() }
    }

    /// The base line of its last line, in pixels.
    pub(crate) fn foot(&self) -> i32 {
        self.lines.last().map_or(0, |(base, ..)| *base)
    }

    /// Writes it.
    pub(crate) fn draw(&self, canvas: &Canvas<'_>) {
        for (base, line, look) in &self.lines {
            canvas.text((self.edge, *base), line, *look);
        }
    }
}
