//! Which points there are: the table that the documentation prints.

/// A place where a rare path may be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Point {
    /// A batch of the store has one record.
    BatchOfOne,
    /// A batch of the store has half of what waits.
    BatchCutInTwo,
    /// A reader of the store finds its place again after a record.
    RecordsReadAgain,
    /// The event log gives a reader one event.
    EventsReadShort,
    /// The input log gives a reader one input.
    InputsReadShort,
    /// The worker of deliveries begins one attempt, and looks for more.
    OneAttempt,
    /// The worker of deliveries wakes up and has nothing to do.
    WorkerWokenEarly,
    /// A copy of a world is kept before it is due.
    EarlyCheckpoint,
    /// The latest copy of a world is dropped.
    CheckpointDropped,
    /// The log of a world keeps a snapshot before it is due.
    EarlySnapshot,
    /// A way into the past begins as if no copy were kept.
    PastForgotten,
    /// A replay takes one step and lets others have their turn.
    ReplayInPieces,
    /// A connection gives a few bytes of what has come.
    ShortRead,
    /// A connection takes half of what is written.
    ShortWrite,
    /// An event socket wakes up and has nothing to send.
    SocketWokenEarly,
    /// An event socket writes a frame by itself.
    FrameByItself,
    /// A batch of a term has one entry.
    EntryByItself,
    /// A follower takes one batch of the log and asks again.
    BatchByItself,
}

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

const fn row(point: Point, package: &'static str, name: &'static str, what: &'static str) -> PointRow {
    PointRow { point, name, package, what }
}

/// How many points there are.
pub(crate) const COUNT: usize = 18;

/// Every point, in the order of [`Point`].
pub const POINTS: [PointRow; COUNT] = [
    row(Point::BatchOfOne, "store", "batch-of-one", "a batch has one record, while more wait"),
    row(Point::BatchCutInTwo, "store", "batch-cut-in-two", "a batch has half of what waits"),
    row(Point::RecordsReadAgain, "store", "records-read-again", "a reader finds its place again, within a batch"),
    row(Point::EventsReadShort, "feed", "events-read-short", "a reader of events is given one, while more are there"),
    row(Point::InputsReadShort, "feed", "inputs-read-short", "a reader of inputs is given one, while more are there"),
    row(
        Point::OneAttempt,
        "deliveries",
        "one-attempt",
        "the worker looks for events and what is due again after each attempt that it begins",
    ),
    row(Point::WorkerWokenEarly, "deliveries", "worker-woken-early", "the worker wakes up and nothing is due"),
    row(Point::EarlyCheckpoint, "hosting", "early-checkpoint", "a copy of the world is kept after any input"),
    row(Point::CheckpointDropped, "hosting", "checkpoint-dropped", "the latest of these copies is dropped"),
    row(Point::EarlySnapshot, "hosting", "early-snapshot", "the log of a world keeps a snapshot after any input"),
    row(Point::PastForgotten, "hosting", "past-forgotten", "a way into the past begins as if no copy were kept"),
    row(Point::ReplayInPieces, "hosting", "replay-in-pieces", "a replay takes one step at a time"),
    row(Point::ShortRead, "surface", "short-read", "a connection gives a few bytes of what has come"),
    row(Point::ShortWrite, "surface", "short-write", "a connection takes half of what is written"),
    row(Point::SocketWokenEarly, "sandbox", "socket-woken-early", "an event socket wakes up with nothing to send"),
    row(Point::FrameByItself, "sandbox", "frame-by-itself", "an event socket writes each frame by itself"),
    row(Point::EntryByItself, "instances", "entry-by-itself", "a leader writes one entry, while more wait"),
    row(Point::BatchByItself, "instances", "batch-by-itself", "a follower takes one batch and asks again for the next"),
];

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
