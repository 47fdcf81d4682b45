//! Rare points: places in the product where the code may take a path that is allowed and seldom taken, which tests take by a seed.
//!
//! Invariant: a point changes no answer. It has happen what a busy machine, a full disk or a slow network may have happen at any
//! time. Without the feature `points`, which only tests switch on, [`happens`] is a constant `false`. Absent on purpose: faults, which
//! `sim::canary` plants; outages, which drivers and simulated disks make; the system's randomness, and any clock.
//!
//! # How a point is drawn
//!
//! [`begin`] draws the points of one thread by a seed until its [`Scope`] ends. Each point has its own stream (ChaCha8 of the seed) and
//! its own odds, which the seed draws, too: some points are off in a run, some happen every second time. A point that is asked more
//! often shifts no other. Outside of a scope nothing happens.
//!
//! # Files
//!
//! | file | owns |
//! |---|---|
//! | `point.rs` | which points there are |
//! | `tally.rs` | how often each was asked, and how often it happened |
//! | `drawn.rs` | what happens, by a seed |
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! point
//! tally
//! drawn
//! ```

#[cfg(feature = "points")]
mod drawn;
mod point;
mod tally;

#[cfg(feature = "points")]
pub use drawn::{Never, Scope, begin, happens, never_at, never_in, tally};
pub use point::{LATE, POINTS, Point, PointRow};
pub use tally::{Count, Tally};

/// Whether the rare path is taken now: never, in this build.
#[cfg(not(feature = "points"))]
#[must_use]
#[inline(always)]
pub const fn happens(_: Point) -> bool {
    false
}

/// Points that are drawn on this thread: none, in this build.
#[cfg(not(feature = "points"))]
#[derive(Debug)]
pub struct Scope;

/// Draws nothing, in this build.
#[cfg(not(feature = "points"))]
#[must_use]
pub const fn begin(_: u64) -> Scope {
    Scope
}

/// What was drawn in the present scope: nothing, in this build.
#[cfg(not(feature = "points"))]
#[must_use]
pub const fn tally() -> Tally {
    Tally::new()
}

#[cfg(test)]
mod tests;
