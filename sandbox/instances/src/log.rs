//! A log that several instances share, and the term of the one that leads.
//!
//! Invariant: a batch is appended only at the end that its writer knows, and only in the writer's own term, so that of two instances
//! which both believe to lead at most one can write. A term is taken by the instance that names the whole head of the log: any sign of life of
//! the leader in between refuses it. Absent on purpose: what records mean, and how long a leader may be silent (`life.rs`).

use feed::input_log::Pending;
use feed::transport::TransportTime;
use store::Place;
use uuid::Uuid;

/// The head of a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// Its end.
    pub place: Place,
    /// The last term's number.
    pub epoch: u64,
    /// Grows with each sign of life of the leader.
    pub beats: u64,
    /// Who leads; nobody before the first term, and after a leader has given up its own.
    pub leader: Option<Leader>,
    /// What the clock of the last leader showed at its last sign of life.
    pub shows: TransportTime,
}

/// Who leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leader {
    /// The instance. Each start of one has another id.
    pub instance: Uuid,
    /// Where the others reach it: scheme, host and port.
    pub url: String,
}

/// A term of a leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its number.
    pub epoch: u64,
    /// Whose it is.
    pub instance: Uuid,
}

/// A batch as the log keeps it, with the position of its last record.
pub type Batch = (u64, Vec<u8>);

/// A log that several instances share. `LogError::Retry` says that the connection broke or the answer took too long: what was asked for may have
/// happened, or may still happen.
pub trait SharedLog: Send + Sync {
    /// Its head.
    fn head(&self) -> Pending<'_, Head>;

    /// The next batches that end after `position`, in order: some of them, and none where there are none.
    fn after(&self, position: u64) -> Pending<'_, Vec<Batch>>;

    /// Appends a batch that leads from `before` to `after`, as the leader of `term`, whose clock shows `shows`. `false` when the
    /// log does not end at `before`, or the term is over: nothing was appended then.
    fn append<'a>(
        &'a self,
        term: Term,
        before: Place,
        after: Place,
        batch: &'a [u8],
        shows: TransportTime,
    ) -> Pending<'a, bool>;

    /// Begins the next term, with this leader, if the head is still the one that was `seen`. Answers whether it has begun.
    fn claim<'a>(&'a self, seen: &'a Head, leader: &'a Leader) -> Pending<'a, bool>;

    /// Gives a sign of life of the leader of `term`. `false` when the term is over, or the log does not end at `place`.
    fn beat(&self, term: Term, place: Place, shows: TransportTime) -> Pending<'_, bool>;

    /// Gives up `term`, so that another instance takes the next one at once.
    fn release(&self, term: Term, shows: TransportTime) -> Pending<'_, bool>;

    /// Keeps `value` under `name` unless there is one; answers the one that is kept.
    fn keep<'a>(&'a self, name: &'a str, value: &'a [u8]) -> Pending<'a, Vec<u8>>;

    /// The value that is kept under `name`.
    fn value<'a>(&'a self, name: &'a str) -> Pending<'a, Option<Vec<u8>>>;

    /// Counts up a number that is kept under `name`; the first answer is 0.
    fn count<'a>(&'a self, name: &'a str) -> Pending<'a, u64>;
}
