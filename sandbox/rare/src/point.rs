//! Which points there are: the table that the documentation prints.

/// A point as documents show it.
#[derive(Clone, Copy, Debug)]
pub struct PointRow {
    /// Which point.
    pub point: Point,
    /// Its name.
    pub name: &'static str,
    /// The crate whose code takes the rare path.
    pub package: &'static str,
    /// What happens there.
    pub what: &'static str,
}

macro_rules! points {
    ($($package:literal $name:literal $point:ident $what:literal;)*) => {
        /// A place where a rare path may be taken.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Point {
            $(#[doc = concat!("In `", $package, "`: ", $what, ".")] $point,)*
        }

        /// Every point, in the order of [`Point`].
        pub const POINTS: &[PointRow] =
            &[$(PointRow { point: Point::$point, name: $name, package: $package, what: $what }),*];
    };
}

points! {
    "store" "batch-of-one" BatchOfOne "a batch has one record, while more wait";
    "store" "batch-cut-in-two" BatchCutInTwo "a batch has half of what waits";
    "store" "records-read-again" RecordsReadAgain "a reader finds its place again, within a batch";
    "feed" "events-read-short" EventsReadShort "a reader of events is given one, while more are there";
    "feed" "inputs-read-short" InputsReadShort "a reader of inputs is given one, while more are there";
    "deliveries" "one-attempt" OneAttempt "the worker looks for events and what is due again after each attempt that it begins";
    "deliveries" "worker-woken-early" WorkerWokenEarly "the worker wakes up and nothing is due";
    "deliveries" "worker-woken-late" WorkerWokenLate "the worker wakes up half a second after an attempt is due";
    "hosting" "clock-woken-early" ClockWokenEarly "the driver of a clock wakes up and nothing is due";
    "hosting" "clock-woken-late" ClockWokenLate "the driver of a clock wakes up half a second after a timer is due";
    "hosting" "early-checkpoint" EarlyCheckpoint "a copy of the world is kept after any input";
    "hosting" "checkpoint-dropped" CheckpointDropped "the latest of these copies is dropped";
    "hosting" "early-snapshot" EarlySnapshot "the log of a world keeps a snapshot after any input";
    "hosting" "past-forgotten" PastForgotten "a way into the past begins as if no copy were kept";
    "hosting" "replay-in-pieces" ReplayInPieces "a replay takes one step at a time";
    "surface" "short-read" ShortRead "a connection gives a few bytes of what has come";
    "surface" "short-write" ShortWrite "a connection takes half of what is written";
    "sandbox" "socket-woken-early" SocketWokenEarly "an event socket wakes up with nothing to send";
    "sandbox" "frame-by-itself" FrameByItself "an event socket writes each frame by itself";
    "instances" "beat-late" BeatLate "a leader gives its sign of life shortly before its lease is over";
    "instances" "entry-by-itself" EntryByItself "a leader writes one entry, while more wait";
    "instances" "batch-by-itself" BatchByItself "a follower takes one batch and asks again for the next";
}

/// Points at which a timer is late: answers stay right, and what nobody asks for comes later. The code that asks for a point has how late.
pub const LATE: &[Point] = &[Point::WorkerWokenLate, Point::ClockWokenLate, Point::BeatLate];

/// How many points there are.
pub(crate) const COUNT: usize = POINTS.len();

impl Point {
    /// Its place in [`POINTS`].
    #[must_use]
    pub const fn place(self) -> usize {
        self as usize
    }

    /// Its row.
    #[must_use]
    pub const fn row(self) -> &'static PointRow {
        &POINTS[self.place()]
    }
}
