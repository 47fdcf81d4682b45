//! Where a world stood before: the line of inputs that led to its present, through resets, restores and rewinds.
//!
//! Owns: which stretch of the log an instant lies on, and which stretches lead to a place. Invariant: along the line the
//! clock never goes back; of what a jump left behind nothing is on the way to what came after it. Absent on purpose:
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

/// Where a jump leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// To the world's start.
    Start,
    /// To a place that it has passed.
    Place(Point),
    /// To what was brought from elsewhere, whose past is not known here.
    Brought,
}

/// A decision that put the world elsewhere.
#[derive(Clone, Copy, Debug)]
struct Jump {
    at: Position,
    to: Landing,
    /// What the clock showed from there.
    now: Instant,
}

/// The line of one world.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// In order.
    jumps: Vec<Jump>,
    /// The inputs that let time pass and ended before the instant they name, in order, and what the clock showed then.
    stops: Vec<(Position, Instant)>,
}

/// Why an instant is on no stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffLine {
    /// It is before the start.
    BeforeStart,
    /// It is before what was brought from elsewhere, where the clock showed this.
    Unknown(Instant),
}

/// Inputs that are carried out one after the other, and time that passes after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Those after this one.
    pub after: Position,
    /// Up to this one.
    pub to: Position,
    /// Until when time goes on then.
    pub until: Option<Instant>,
}

/// What leads to a place: where to begin, and what to carry out from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The input after which a snapshot is kept that it begins with; none where it begins with the world's start.
    pub begin: Option<Position>,
    /// In order.
    pub stretches: Vec<Stretch>,
}

impl Line {
    /// The line of a world that was taken in as it stood after the input at `at`, when the clock showed `now`.
    #[must_use]
    pub fn of_brought(at: Position, now: Instant) -> Self {
        Self { jumps: vec![Jump { at, to: Landing::Brought, now }], stops: Vec::new() }
    }

    /// The line up to the input at `to`, for a twin.
    #[must_use]
    pub fn until(&self, to: Position) -> Self {
        let jumps = self.jumps.iter().filter(|jump| jump.at <= to).copied().collect();
        let stops = self.stops.iter().filter(|(at, _)| *at <= to).copied().collect();
        Self { jumps, stops }
    }

    /// The decision at `at` made the world go on elsewhere, where the clock showed `now`.
    pub fn jumped(&mut self, at: Position, to: Landing, now: Instant) {
        self.jumps.push(Jump { at, to, now });
    }

    /// The input at `at` let time pass, and ended when the clock showed `now`, before the instant that it names.
    pub fn stopped(&mut self, at: Position, now: Instant) {
        self.stops.push((at, now));
    }

    /// What the clock showed after the input at `at`, which names `wanted`.
    #[must_use]
    pub fn reached(&self, at: Position, wanted: Instant) -> Instant {
        let place = self.stops.binary_search_by_key(&at, |(at, _)| *at);
        place.map_or(wanted, |place| self.stops[place].1)
    }

    /// Nothing before `begin` can be asked for any more.
    pub fn forget(&mut self, begin: Position) {
        self.jumps.retain(|jump| jump.at >= begin);
        self.stops.retain(|(at, _)| *at >= begin);
    }

    /// Whether the world was taken in as it stood after the input at `at`.
    #[must_use]
    pub fn is_brought(&self, at: Position) -> bool {
        self.jumps.iter().any(|jump| jump.at == at && jump.to == Landing::Brought)
    }

    /// The stretch of inputs on which the clock came to show `at`: after the first position, up to the second.
    ///
    /// # Errors
    /// Why it never did on this line.
    pub fn stretch(&self, at: Instant, head: Position, start: Instant) -> Result<(Position, Position), OffLine> {
        if at < start {
            return Err(OffLine::BeforeStart);
        }
        let (mut end, mut jumps) = (head, &self.jumps[..]);
        loop {
            jumps = until(jumps, end);
            let Some(jump) = jumps.last() else { return Ok((Position(0), end)) };
            if jump.now <= at {
                return Ok((jump.at, end));
            }
            match jump.to {
                Landing::Start => return Err(OffLine::BeforeStart),
                Landing::Place(point) => end = point.input,
                Landing::Brought => return Err(OffLine::Unknown(jump.now)),
            }
        }
    }

    /// What leads to `point`: from there backwards, jump by jump, to the latest snapshot on the way or to the world's start.
    /// `snapshot` finds the latest that is kept at a position or before it.
    #[must_use]
    pub fn way(&self, point: Point, snapshot: impl Fn(Position) -> Option<Position>) -> Way {
        let mut stretches = Vec::new();
        let (mut point, mut jumps) = (point, &self.jumps[..]);
        let begin = loop {
            jumps = until(jumps, point.input);
            let jump = jumps.last();
            let after = jump.map_or(Position(0), |jump| jump.at);
            let begin = snapshot(point.input).filter(|begin| *begin >= after);
            stretches.push(Stretch { after: begin.unwrap_or(after), to: point.input, until: point.at });
            match jump.map(|jump| jump.to) {
                _ if begin.is_some() => break begin,
                Some(Landing::Place(earlier)) => {
                    jumps = &jumps[..jumps.len() - 1];
                    point = earlier;
                }
                // What was brought is kept where it was brought to.
                Some(Landing::Brought) => break Some(after),
                Some(Landing::Start) | None => break None,
            }
        };
        stretches.retain(|stretch| stretch.after < stretch.to || stretch.until.is_some());
        stretches.reverse();
        Way { begin, stretches }
    }
}

/// The jumps up to the input at `end`.
fn until(jumps: &[Jump], end: Position) -> &[Jump] {
    &jumps[..jumps.partition_point(|jump| jump.at <= end)]
}

impl Way {
    /// How many inputs it carries out.
    #[must_use]
    pub fn inputs(&self) -> u64 {
        self.stretches.iter().map(|stretch| stretch.to.0 - stretch.after.0).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: i64) -> Instant {
        Instant::from_ms(ms)
    }

    fn place(input: u64) -> Landing {
        Landing::Place(Point { input: Position(input), at: None })
    }

    /// (rule: calendar/history)
    #[test]
    fn an_instant_lies_on_the_stretch_that_led_to_the_present() {
        let mut line = Line::default();
        let at = |line: &Line, at, head| {
            let found = line.stretch(ms(at), Position(head), ms(100));
            found.map(|(from, to)| (from.0, to.0))
        };
        let early = Err(OffLine::BeforeStart);
        assert_eq!([at(&line, 99, 9), at(&line, 100, 9), at(&line, 500, 9)], [early, Ok((0, 9)), Ok((0, 9))]);
        // Rewound at 10 to what stood after input 4, when the clock showed 300.
        line.jumped(Position(10), place(4), ms(300));
        assert_eq!([at(&line, 299, 12), at(&line, 300, 12)], [Ok((0, 4)), Ok((10, 12))]);
        // Back to the start at 20: nothing before it is part of the line.
        line.jumped(Position(20), Landing::Start, ms(100));
        assert_eq!([at(&line, 99, 22), at(&line, 100, 22)], [early, Ok((20, 22))]);
        // And rewound to before that.
        line.jumped(Position(30), place(11), ms(350));
        let found = [at(&line, 100, 33), at(&line, 320, 33), at(&line, 350, 33)];
        assert_eq!(found, [Ok((0, 4)), Ok((10, 11)), Ok((30, 33))]);
        // What was brought has no past here.
        line.jumped(Position(40), Landing::Brought, ms(700));
        assert_eq!([at(&line, 99, 41), at(&line, 699, 41)], [early, Err(OffLine::Unknown(ms(700)))]);
        assert_eq!(at(&line, 700, 41), Ok((40, 41)));
        line.forget(Position(20));
        assert_eq!(at(&line, 350, 33), Ok((30, 33)));
    }

    /// (rule: calendar/history)
    #[test]
    fn the_way_to_a_place_leaves_out_what_jumps_have_left_behind() {
        let mut line = Line::default();
        let way = |line: &Line, input, snapshots: &'static [u64]| {
            let kept = |most: Position| snapshots.iter().rev().find(|at| **at <= most.0).map(|at| Position(*at));
            let way = line.way(Point { input: Position(input), at: None }, kept);
            let stretches = way.stretches.iter().map(|stretch| (stretch.after.0, stretch.to.0)).collect::<Vec<_>>();
            (way.begin.map(|begin| begin.0), stretches)
        };
        assert_eq!(way(&line, 7, &[]), (None, vec![(0, 7)]));
        assert_eq!(way(&line, 7, &[5]), (Some(5), vec![(5, 7)]));
        line.jumped(Position(10), place(4), ms(300));
        assert_eq!(way(&line, 12, &[]), (None, vec![(0, 4), (10, 12)]));
        assert_eq!(
            way(&line, 12, &[3, 8]),
            (Some(3), vec![(3, 4), (10, 12)]),
            "one that was left behind leads nowhere"
        );
        assert_eq!(way(&line, 9, &[]), (None, vec![(0, 9)]), "what was left behind can be had");
        line.jumped(Position(20), Landing::Start, ms(100));
        assert_eq!(way(&line, 22, &[3, 15]), (None, vec![(20, 22)]));
        line.jumped(Position(30), place(12), ms(300));
        assert_eq!(way(&line, 31, &[]), (None, vec![(0, 4), (10, 12), (30, 31)]));
        line.jumped(Position(40), Landing::Brought, ms(300));
        assert_eq!(way(&line, 42, &[40]), (Some(40), vec![(40, 42)]));
    }

    /// (rule: calendar/history)
    #[test]
    fn going_back_again_and_again_makes_no_way_longer() {
        let mut line = Line::default();
        let mut last = Point { input: Position(40), at: Some(ms(500)) };
        for number in 0..1_000 {
            let at = Position(41 + number);
            line.jumped(at, Landing::Place(last), ms(500));
            last = Point { input: at, at: Some(ms(500)) };
        }
        assert_eq!(line.way(last, |_| None).inputs(), 40);
        let mut line = Line::default();
        (1..=1_000).for_each(|number| line.jumped(Position(10 * number), Landing::Start, ms(100)));
        assert_eq!(line.way(Point { input: Position(10_005), at: None }, |_| None).inputs(), 5);
    }

    #[test]
    fn time_that_stopped_on_its_way_is_known_by_where_it_stopped() {
        let mut line = Line::default();
        line.stopped(Position(3), ms(300));
        line.stopped(Position(5), ms(500));
        assert_eq!([3, 4, 5].map(|at| line.reached(Position(at), ms(900)).ms()), [300, 900, 500]);
        line.forget(Position(4));
        assert_eq!([3, 5].map(|at| line.reached(Position(at), ms(900)).ms()), [900, 500]);
    }
}
