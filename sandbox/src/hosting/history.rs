//! Where a world stood before: the line of inputs that led to its present, through resets, restores and rewinds.
//!
//! Owns: which stretch of the log an instant lies on. Invariant: along the line the clock never goes back. Absent on purpose:
//! making the world again, which is `replay`'s.

use serde::{Deserialize, Serialize};
use sim::time::Instant;

use super::input_log::Position;

/// A moment that somebody asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// After this input.
    Input(Position),
    /// When the clock showed this, everything of that instant included.
    Instant(Instant),
}

/// A place in a world's past.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// The last input that was carried out.
    pub input: Position,
    /// Until when time went on after it.
    pub at: Option<Instant>,
}

/// A decision that put the world elsewhere.
#[derive(Clone, Copy, Debug)]
struct Jump {
    at: Position,
    /// The input after which it goes on; none where that is its start.
    to: Option<Position>,
    /// What the clock showed from there.
    now: Instant,
}

/// The line of one world.
#[derive(Clone, Debug, Default)]
pub struct Line {
    jumps: Vec<Jump>,
}

impl Line {
    /// The decision at `at` made the world go on after the input at `to`, or from its start, where the clock showed `now`.
    pub fn jumped(&mut self, at: Position, to: Option<Position>, now: Instant) {
        self.jumps.push(Jump { at, to, now });
    }

    /// Nothing before `begin` can be asked for any more.
    pub fn forget(&mut self, begin: Position) {
        self.jumps.retain(|jump| jump.at > begin);
    }

    /// The stretch of inputs on which the clock came to show `at`: after the first position, up to the second. `None` when
    /// the line begins later.
    #[must_use]
    pub fn stretch(&self, at: Instant, head: Position, start: Instant) -> Option<(Position, Position)> {
        let mut end = head;
        loop {
            match self.jumps.iter().rev().find(|jump| jump.at <= end) {
                None => return (at >= start).then_some((Position(0), end)),
                Some(jump) if jump.now <= at => return Some((jump.at, end)),
                Some(jump) => end = jump.to?,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: calendar/history)
    #[test]
    fn an_instant_lies_on_the_stretch_that_led_to_the_present() {
        let mut line = Line::default();
        let at = |line: &Line, ms, head| {
            let found = line.stretch(Instant::from_ms(ms), Position(head), Instant::from_ms(100));
            found.map(|(from, to)| (from.0, to.0))
        };
        assert_eq!([at(&line, 99, 9), at(&line, 100, 9), at(&line, 500, 9)], [None, Some((0, 9)), Some((0, 9))]);
        // Rewound at 10 to what stood after input 4, when the clock showed 300.
        line.jumped(Position(10), Some(Position(4)), Instant::from_ms(300));
        assert_eq!([at(&line, 299, 12), at(&line, 300, 12)], [Some((0, 4)), Some((10, 12))]);
        // Back to the start at 20: nothing before it is part of the line.
        line.jumped(Position(20), None, Instant::from_ms(100));
        assert_eq!([at(&line, 99, 22), at(&line, 100, 22)], [None, Some((20, 22))]);
        // And rewound to before that.
        line.jumped(Position(30), Some(Position(11)), Instant::from_ms(350));
        let found = [at(&line, 100, 33), at(&line, 320, 33), at(&line, 350, 33)];
        assert_eq!(found, [Some((0, 4)), Some((10, 11)), Some((30, 33))]);
        line.forget(Position(20));
        assert_eq!(at(&line, 350, 33), Some((30, 33)));
    }
}
