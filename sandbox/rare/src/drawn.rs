//! What happens at the points of a thread, drawn by a seed.
//!
//! Invariant: the same seed and the same questions get the same answers, and what is asked at one point changes nothing at another.
//! Absent on purpose: scopes over several threads, whose order no seed gives.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::point::{COUNT, Point};
use crate::tally::Tally;

/// What a seed may draw for a point: it happens once in so many times, and never where that is 0.
const ONCE_IN: [u32; 8] = [0, 0, 2, 2, 8, 8, 32, 32];

/// One point in one scope.
struct Drawing {
    once_in: u32,
    stream: ChaCha8Rng,
}

impl Drawing {
    fn of(seed: u64, place: usize) -> Self {
        let mut stream = ChaCha8Rng::seed_from_u64(seed);
        stream.set_stream(place as u64);
        // The highest bits of a draw: a number below eight, each as likely.
        let odds = (stream.next_u32() >> 29) as usize;
        Self { once_in: ONCE_IN[odds], stream }
    }

    fn next(&mut self) -> bool {
        // All odds are powers of two, so that each remainder is as likely.
        self.stream.next_u32().checked_rem(self.once_in) == Some(0)
    }
}

struct Drawn {
    points: [Drawing; COUNT],
    tally: Tally,
}

thread_local! {
    /// The scopes of this thread, the present one last; none in it draws nothing.
    static SCOPES: RefCell<Vec<Option<Drawn>>> = const { RefCell::new(Vec::new()) };
}

/// Seeds in whose scopes nothing happens, or nothing at this point.
static NEVER: Mutex<Vec<(u64, Option<Point>)>> = Mutex::new(Vec::new());

fn never() -> MutexGuard<'static, Vec<(u64, Option<Point>)>> {
    NEVER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the rare path of `point` is taken now.
#[must_use]
pub fn happens(point: Point) -> bool {
    SCOPES.with_borrow_mut(|scopes| {
        let Some(Some(drawn)) = scopes.last_mut() else { return false };
        let happens = drawn.points[point.place()].next();
        drawn.tally.note(point.place(), happens);
        happens
    })
}

/// Points that are drawn on this thread, until this is dropped; then those of the scope around it are.
#[must_use]
pub struct Scope(PhantomData<Rc<()>>);

/// Draws the points of this thread by `seed`.
pub fn begin(seed: u64) -> Scope {
    let never: Vec<_> = never().iter().filter(|(of, _)| *of == seed).map(|(_, point)| *point).collect();
    let drawn = || {
        let mut points = std::array::from_fn(|place| Drawing::of(seed, place));
        never.iter().flatten().for_each(|point| points[point.place()].once_in = 0);
        Drawn { points, tally: Tally::new() }
    };
    SCOPES.with_borrow_mut(|scopes| scopes.push((!never.contains(&None)).then(drawn)));
    Scope(PhantomData)
}

impl Drop for Scope {
    fn drop(&mut self) {
        SCOPES.with_borrow_mut(|scopes| drop(scopes.pop()));
    }
}

/// What was asked and what happened in the present scope so far.
#[must_use]
pub fn tally() -> Tally {
    SCOPES.with_borrow(|scopes| match scopes.last() {
        Some(Some(drawn)) => drawn.tally,
        Some(None) | None => Tally::new(),
    })
}

/// Has nothing happen in scopes of `seed` that begin from now on, on any thread, until the guard is dropped.
#[must_use]
pub fn never_in(seed: u64) -> Never {
    Never::begin((seed, None))
}

/// As [`never_in`], of one point: for finding which points a failure needs.
#[must_use]
pub fn never_at(seed: u64, point: Point) -> Never {
    Never::begin((seed, Some(point)))
}

/// Ends what [`never_in`] or [`never_at`] began.
#[derive(Debug)]
pub struct Never((u64, Option<Point>));

impl Never {
    fn begin(what: (u64, Option<Point>)) -> Self {
        never().push(what);
        Self(what)
    }
}

impl Drop for Never {
    fn drop(&mut self) {
        let mut never = never();
        if let Some(place) = never.iter().position(|what| *what == self.0) {
            never.swap_remove(place);
        }
    }
}
