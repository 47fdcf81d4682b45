//! Many generated runs, side by side.
//!
//! Invariant: each seed runs on an operating-system thread of its own; a batch bounded by seeds has the same digest every
//! time, whatever the number of cores and the order in which runs end. Absent on purpose: output.

use super::coverage::Coverage;
use super::failure::{Failure, shrunk};
use super::run::{RunOutcome, Watch, run};
use super::run_setup::RunSetup;
use crate::generate::{Generator, Step};
use oracle::check::Violation;
use sim::digest::{Digest, digest_of};
use sim::time::Millis;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Most failures that are shrunk; one fault shows in many seeds.
pub const MOST_FAILURES: usize = 5;
/// One seed in so many is repeated from its record.
pub(super) const TWICE_EVERY: u64 = 16;
/// Stack of a run's thread.
const STACK: usize = 8 << 20;

/// When a batch ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// After these seeds.
    Seeds(Range<u64>),
    /// After this time; seeds count up from the first.
    Time {
        /// The first seed.
        first: u64,
        /// How long.
        time: Duration,
    },
}

/// What a batch is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// When it ends.
    pub bound: Bound,
    /// Steps of each run.
    pub steps: usize,
    /// Runs at once.
    pub jobs: usize,
}

/// The result of a batch.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The first seed; they count up from there.
    pub first: u64,
    /// Seeds that were run.
    pub seeds: u64,
    /// Seeds whose run broke a law.
    pub failed: u64,
    /// Steps carried out.
    pub steps: u64,
    /// Time that passed in all worlds.
    pub simulated: Millis,
    /// Time that passed in the world where most has.
    pub longest: Millis,
    /// Real time it took.
    pub took: Duration,
    /// What was met.
    pub coverage: Coverage,
    /// Fingerprint over all runs.
    pub digest: Digest,
    /// The first failures, shrunk.
    pub failures: Vec<Failure>,
}

/// What all runs share.
struct Shared<S> {
    next: u64,
    end: u64,
    sum: Batch,
    parts: u128,
    broken: BTreeMap<u64, (Vec<S>, Violation)>,
}

/// A kind of run: how a seed is run, and how a failing list of steps is shrunk.
pub trait RunKind: Sync {
    /// One step of it.
    type Step: Send;

    /// Runs a seed; the outcome, and the steps that were looked at when some law did not hold.
    ///
    /// # Errors
    /// When the system gives no thread.
    fn run(&self, seed: u64, steps: usize) -> io::Result<(RunOutcome, Vec<Self::Step>)>;

    /// Shrinks steps that broke a law.
    ///
    /// # Errors
    /// When the system gives no thread.
    fn shrunk(&self, seed: u64, steps: Vec<Self::Step>, violation: &Violation) -> io::Result<Failure>;
}

/// Commands straight on the worlds of a stage.
pub struct OnWorlds<F>(pub F);

impl<F: Fn(u64) -> RunSetup + Sync> RunKind for OnWorlds<F> {
    type Step = Step;

    fn run(&self, seed: u64, steps: usize) -> io::Result<(RunOutcome, Vec<Step>)> {
        let stage = self.0(seed);
        let steps = Generator::new(seed, stage.profile).take(steps);
        let watch = if seed.is_multiple_of(TWICE_EVERY) { Watch::Twice } else { Watch::Full };
        let outcome = on_a_fresh_thread(|| run(&stage, steps.clone(), watch))?;
        let looked_at = if outcome.violations.is_empty() { 0 } else { outcome.used };
        Ok((outcome, steps.take(looked_at).collect()))
    }

    fn shrunk(&self, seed: u64, steps: Vec<Step>, violation: &Violation) -> io::Result<Failure> {
        let stage = self.0(seed);
        on_a_fresh_thread(|| shrunk(&stage, steps, violation))
    }
}

/// Makes the runs of a world's stage, then shrinks what failed. `progress` is called with the batch after every seed.
///
/// # Errors
/// When the system gives no thread.
pub fn batch(
    options: &Options,
    stage: impl Fn(u64) -> RunSetup + Sync,
    progress: impl Fn(&Batch) + Sync,
) -> io::Result<Batch> {
    batch_of(&OnWorlds(stage), options, progress)
}

/// As `batch`, for any kind of run.
///
/// # Errors
/// When the system gives no thread.
pub fn batch_of<K: RunKind>(kind: &K, options: &Options, progress: impl Fn(&Batch) + Sync) -> io::Result<Batch> {
    batch_until(kind, options, || false, progress)
}

/// As `batch_of`; once it `is_over`, no seed is begun any more, and what was found is shrunk as ever.
///
/// # Errors
/// When the system gives no thread.
pub fn batch_until<K: RunKind>(
    kind: &K,
    options: &Options,
    is_over: impl Fn() -> bool + Sync,
    progress: impl Fn(&Batch) + Sync,
) -> io::Result<Batch> {
    let begun = started();
    let (first, end) = match &options.bound {
        Bound::Seeds(range) => (range.start, range.end),
        Bound::Time { first, .. } => (*first, u64::MAX),
    };
    let deadline = match options.bound {
        Bound::Seeds(_) => None,
        Bound::Time { time, .. } => Some(time),
    };
    let shared = Mutex::new(Shared { next: first, end, sum: Batch::empty(first), parts: 0, broken: BTreeMap::new() });
    let worker = || {
        while let Some(seed) = claim(&shared, || is_over() || deadline.is_some_and(|time| begun.elapsed() >= time)) {
            let (outcome, steps) = kind.run(seed, options.steps)?;
            let mut shared = lock(&shared);
            shared.add(seed, steps, outcome);
            shared.sum.took = begun.elapsed();
            progress(&shared.sum);
        }
        io::Result::Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..options.jobs.max(1)).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| io::Error::other("a worker panicked"))?)
    })?;
    let Shared { mut sum, parts, broken, .. } = shared.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    sum.took = begun.elapsed();
    sum.digest = digest_of(&parts);
    for (seed, (steps, violation)) in broken.into_iter().take(MOST_FAILURES) {
        sum.failures.push(kind.shrunk(seed, steps, &violation)?);
    }
    Ok(sum)
}

fn lock<S>(shared: &Mutex<Shared<S>>) -> std::sync::MutexGuard<'_, Shared<S>> {
    shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The next seed, unless the batch is over. One bounded by time also ends once there is enough to shrink.
fn claim<S>(shared: &Mutex<Shared<S>>, is_over: impl Fn() -> bool) -> Option<u64> {
    let mut shared = lock(shared);
    let enough = shared.end == u64::MAX && shared.broken.len() >= MOST_FAILURES;
    if shared.next >= shared.end || enough || is_over() {
        return None;
    }
    shared.next += 1;
    Some(shared.next - 1)
}

impl Batch {
    fn empty(first: u64) -> Self {
        Self {
            first,
            seeds: 0,
            failed: 0,
            steps: 0,
            simulated: Millis::ZERO,
            longest: Millis::ZERO,
            took: Duration::ZERO,
            coverage: Coverage::default(),
            digest: digest_of(&0_u128),
            failures: Vec::new(),
        }
    }
}

impl<S> Shared<S> {
    fn add(&mut self, seed: u64, steps: Vec<S>, outcome: RunOutcome) {
        self.sum.seeds += 1;
        self.sum.steps += outcome.steps;
        self.sum.simulated.0 += outcome.simulated.0;
        self.sum.longest = self.sum.longest.max(outcome.simulated);
        self.sum.coverage.add(&outcome.coverage);
        // A sum does not depend on the order in which runs end.
        self.parts = self.parts.wrapping_add(digest_of(&(seed, outcome.digest)).0);
        if let Some(violation) = outcome.violations.into_iter().next() {
            self.sum.failed += 1;
            self.broken.insert(seed, (steps, violation));
        }
    }
}

pub(super) fn on_a_fresh_thread<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("run".to_owned()).stack_size(STACK).spawn_scoped(scope, work)?;
        thread.join().map_err(|_| io::Error::other("a run panicked outside its world"))
    })
}

#[allow(
    clippy::disallowed_methods,
    reason = "how long a batch takes is shown to people and may bound it; no run sees it"
)]
fn started() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(jobs: usize) -> Options {
        Options { bound: Bound::Seeds(10..16), steps: 200, jobs }
    }

    #[test]
    fn a_batch_has_one_digest_whatever_runs_beside_what() {
        let one = batch(&options(1), RunSetup::generated, |_| {}).expect("a batch");
        let many = batch(&options(4), RunSetup::generated, |_| {}).expect("a batch");
        assert_eq!((one.digest, one.steps, one.failed), (many.digest, many.steps, 0));
        assert_eq!(one.coverage, many.coverage);
        assert_eq!(one.seeds, 6);
    }

    #[test]
    fn a_batch_that_is_over_begins_no_more_seeds_and_says_what_it_has() {
        let options =
            Options { bound: Bound::Time { first: 700, time: Duration::from_secs(3_600) }, steps: 50, jobs: 2 };
        let done = std::sync::atomic::AtomicU64::new(0);
        let is_over = || done.load(std::sync::atomic::Ordering::Relaxed) >= 3;
        let batch = batch_until(&OnWorlds(RunSetup::generated), &options, is_over, |so_far| {
            done.store(so_far.seeds, std::sync::atomic::Ordering::Relaxed);
        });
        let batch = batch.expect("a batch");
        assert!((3..=5).contains(&batch.seeds), "{} seeds", batch.seeds);
        assert_eq!((batch.first, batch.failed), (700, 0));
        let same = options_of(700..700 + batch.seeds);
        assert_eq!(super::batch(&same, RunSetup::generated, |_| {}).expect("a batch").digest, batch.digest);
    }

    fn options_of(seeds: Range<u64>) -> Options {
        Options { bound: Bound::Seeds(seeds), steps: 50, jobs: 1 }
    }

    #[test]
    fn another_seed_or_length_gives_another_digest() {
        let digest = |bound, steps| {
            batch(&Options { bound, steps, jobs: 2 }, RunSetup::generated, |_| {}).expect("a batch").digest
        };
        let one = digest(Bound::Seeds(1..3), 100);
        assert_ne!(one, digest(Bound::Seeds(1..4), 100));
        assert_ne!(one, digest(Bound::Seeds(1..3), 101));
    }
}
