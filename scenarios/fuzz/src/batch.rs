//! Many generated runs, side by side.
//!
//! Invariant: each seed runs on an operating-system thread of its own; a batch bounded by seeds has the same digest every
//! time, whatever the number of cores and the order in which runs end. A run that does not end or breaks outside its world
//! counts as failed; the first leaves its thread behind, and a batch ends when as many are left behind as run at once.
//! Absent on purpose: output.

use super::coverage::Coverage;
use super::failure::{Failure, Level, shrunk};
use super::finding::Finding;
use super::run::{RunOutcome, Watch, run};
use super::run_setup::RunSetup;
use crate::generate::{Generator, Step};
use crate::shrink::started;
use oracle::check::{Law, Violation};
use sim::digest::{Digest, digest_of};
use sim::time::{Instant, Millis};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Most failures of one law that are shrunk; one fault shows in many seeds.
pub const MOST_OF_A_LAW: usize = 2;
/// Most failures that are shrunk.
pub const MOST_FAILURES: usize = 8;
/// Stack of a run's thread.
const STACK: usize = 8 << 20;
/// How long a seed may take unless somebody says: a thousand times what a run takes.
pub const SEED_LIMIT: Duration = Duration::from_secs(60);

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

impl Bound {
    /// The first seed, and the one past the last where there is one.
    #[must_use]
    pub const fn ends(&self) -> (u64, Option<u64>) {
        match self {
            Self::Seeds(seeds) => (seeds.start, Some(seeds.end)),
            Self::Time { first, .. } => (*first, None),
        }
    }
}

/// The part of a batch that one process runs: every `of`-th seed, from the one at `index` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// Which part, from 0.
    pub index: u64,
    /// How many parts there are.
    pub of: u64,
}

impl Shard {
    /// The only part of a batch that one process runs.
    pub const WHOLE: Self = Self { index: 0, of: 1 };

    /// How many seeds of a range it has.
    #[must_use]
    pub const fn seeds_in(self, seeds: &Range<u64>) -> u64 {
        (seeds.end.saturating_sub(seeds.start) + self.of - 1 - self.index) / self.of
    }
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
    /// Which part of the seeds it runs.
    pub shard: Shard,
    /// How long one seed may take, and then its shrinking.
    pub seed_limit: Duration,
}

impl Options {
    /// All of these seeds, with so many steps each, so many at once.
    #[must_use]
    pub const fn of_seeds(seeds: Range<u64>, steps: usize, jobs: usize) -> Self {
        Self { bound: Bound::Seeds(seeds), steps, jobs, shard: Shard::WHOLE, seed_limit: SEED_LIMIT }
    }
}

/// The result of a batch.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The first seed; they count up from there.
    pub first: u64,
    /// Seeds that were run.
    pub seeds: u64,
    /// Seeds whose run broke a law or did not end.
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
    /// What the digest is made of: a sum, so that parts of a batch add up to it.
    pub digest_sum: u128,
    /// How many seeds broke which law first.
    pub broken: BTreeMap<Law, u64>,
    /// The first failures of each law, shrunk, by their seeds.
    pub findings: Vec<Finding>,
    /// Seeds whose run came to no end, and why: it was still running after its time, or broke outside its world.
    pub unfinished: BTreeMap<u64, String>,
    /// Whether no seed was left to begin, as far as seeds bound it.
    pub is_whole: bool,
}

/// What all runs share.
struct Shared {
    next: u64,
    end: u64,
    so_far: Batch,
    /// The first seeds that broke each law.
    first_of: BTreeMap<Law, BTreeSet<u64>>,
    /// Runs that were left behind.
    left_behind: usize,
}

/// A kind of run: how a seed is run, and how a failing list of steps is shrunk.
pub trait RunKind: Send + Sync + 'static {
    /// One step of it.
    type Step: Send + 'static;
    /// Its level.
    const LEVEL: Level;

    /// Runs a seed, on a thread that is its own; the outcome, and the steps that were looked at when some law did not hold.
    ///
    /// # Errors
    /// When the system gives no thread.
    fn run(&self, seed: u64, steps: usize) -> io::Result<(RunOutcome, Vec<Self::Step>)>;

    /// Shrinks steps that broke a law, for about so long at most.
    ///
    /// # Errors
    /// When the system gives no thread.
    fn shrunk(&self, seed: u64, steps: Vec<Self::Step>, violation: &Violation, within: Duration)
    -> io::Result<Failure>;
}

/// Commands straight on the worlds of a stage.
pub struct OnWorlds<F>(pub F);

impl<F: Fn(u64) -> RunSetup + Send + Sync + 'static> RunKind for OnWorlds<F> {
    type Step = Step;
    const LEVEL: Level = Level::World;

    fn run(&self, seed: u64, steps: usize) -> io::Result<(RunOutcome, Vec<Step>)> {
        let stage = self.0(seed);
        let steps = Generator::new(seed, stage.profile).take(steps);
        let watch = if is_repeated(seed) { Watch::Twice } else { Watch::Full };
        let outcome = run(&stage, steps.clone(), watch);
        Ok(looked_at(outcome, steps))
    }

    fn shrunk(&self, seed: u64, steps: Vec<Step>, violation: &Violation, within: Duration) -> io::Result<Failure> {
        Ok(shrunk(&self.0(seed), steps, violation, within))
    }
}

/// What a batch reports while it is under way.
pub struct Watching<'a> {
    /// Whether no further seed is to begin; what was found is shrunk all the same.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
    /// The batch so far, after every seed.
    pub progress: &'a (dyn Fn(&Batch) + Sync),
    /// A finding, as soon as it is shrunk and played.
    pub found: &'a (dyn Fn(&Finding) + Sync),
}

impl Watching<'_> {
    /// Nobody listens.
    pub const NOBODY: Self = Self { is_over: &|| false, progress: &|_| {}, found: &|_| {} };
}

/// Makes the runs of a kind; what fails is shrunk and reported at once.
///
/// # Errors
/// When the system gives no thread.
pub fn batch<K: RunKind>(kind: K, options: &Options, watching: &Watching<'_>) -> io::Result<Batch> {
    let begun = started();
    let (first, end) = options.bound.ends();
    let time = match options.bound {
        Bound::Seeds(_) => None,
        Bound::Time { time, .. } => Some(time),
    };
    let kind = Arc::new(kind);
    let shared = Mutex::new(Shared {
        next: first.saturating_add(options.shard.index),
        end: end.unwrap_or(u64::MAX),
        so_far: Batch::empty(first),
        first_of: BTreeMap::new(),
        left_behind: 0,
    });
    let is_over = || (watching.is_over)() || time.is_some_and(|time| begun.elapsed() >= time);
    let worker = || {
        while let Some(seed) = claim(&shared, options, is_over) {
            let (own, steps) = (Arc::clone(&kind), options.steps);
            let made = within(options.seed_limit, move || own.run(seed, steps))?;
            let mut to_shrink = None;
            {
                let mut shared = lock(&shared);
                match made {
                    Ended::In(Ok((outcome, steps))) => {
                        to_shrink = shared.add(seed, outcome).map(|violation| (steps, violation));
                    }
                    Ended::In(Err(error)) => shared.unfinished(seed, error.to_string()),
                    Ended::Broken => shared.unfinished(seed, "it panicked outside its world".to_owned()),
                    Ended::Not => {
                        shared.left_behind += 1;
                        shared.unfinished(seed, "it was still running after its time".to_owned());
                    }
                }
                shared.so_far.took = begun.elapsed();
                (watching.progress)(&shared.so_far);
            }
            if let Some((steps, violation)) = to_shrink {
                let found = shrink_and_play(&kind, seed, steps, violation, options)?;
                (watching.found)(&found);
                lock(&shared).so_far.findings.push(found);
            }
        }
        io::Result::Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..options.jobs.max(1)).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| io::Error::other("a worker panicked"))?)
    })?;
    let Shared { mut so_far, first_of, next, end, .. } = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    so_far.took = begun.elapsed();
    so_far.is_whole = next >= end;
    so_far.findings.sort_by_key(|found| found.failure.seed);
    // Which seeds were shrunk beyond the first of a law depends on which ended when.
    so_far.findings.retain(|found| first_of.values().any(|seeds| seeds.contains(&found.failure.seed)));
    so_far.findings.truncate(MOST_FAILURES);
    Ok(so_far)
}

/// Shrinks a run, writes it as a story and plays that; one whose shrinking does not end is reported as it was found.
fn shrink_and_play<K: RunKind>(
    kind: &Arc<K>,
    seed: u64,
    steps: Vec<K::Step>,
    violation: Violation,
    options: &Options,
) -> io::Result<Finding> {
    let (own, limit) = (Arc::clone(kind), options.seed_limit);
    let as_found = Failure::as_found(K::LEVEL, seed, violation.clone(), steps.len());
    // The shrinking ends by itself after the limit; a try of it that does not end is given as long again.
    let found =
        within(limit.saturating_mul(2), move || own.shrunk(seed, steps, &violation, limit).map(Finding::played))?;
    match found {
        Ended::In(found) => found,
        Ended::Not | Ended::Broken => Ok(Finding::played(as_found)),
    }
}

/// How work on a thread of its own has ended.
enum Ended<T> {
    /// With this.
    In(T),
    /// In a panic.
    Broken,
    /// Not in time: the thread is left behind.
    Not,
}

/// Does `work` on a thread of its own, and waits for it as long as `limit`.
fn within<T: Send + 'static>(limit: Duration, work: impl FnOnce() -> T + Send + 'static) -> io::Result<Ended<T>> {
    let (done, ended) = mpsc::sync_channel(1);
    let thread = std::thread::Builder::new().name("run".to_owned()).stack_size(STACK);
    thread.spawn(move || {
        // Nobody waits for what comes too late.
        done.send(work()).unwrap_or_default();
    })?;
    Ok(match ended.recv_timeout(limit) {
        Ok(done) => Ended::In(done),
        Err(RecvTimeoutError::Timeout) => Ended::Not,
        Err(RecvTimeoutError::Disconnected) => Ended::Broken,
    })
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The next seed, unless the batch is over. One bounded by time also ends once there is enough to look at, and any when runs
/// that were left behind have all processors.
fn claim(shared: &Mutex<Shared>, options: &Options, is_over: impl Fn() -> bool) -> Option<u64> {
    let mut shared = lock(shared);
    let enough = shared.end == u64::MAX && shared.so_far.findings.len() >= MOST_FAILURES;
    if shared.next >= shared.end || enough || shared.left_behind > options.jobs || is_over() {
        return None;
    }
    let seed = shared.next;
    shared.next = seed.saturating_add(options.shard.of);
    Some(seed)
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
            digest_sum: 0,
            broken: BTreeMap::new(),
            findings: Vec::new(),
            unfinished: BTreeMap::new(),
            is_whole: false,
        }
    }

    /// Fingerprint over all runs.
    #[must_use]
    pub fn digest(&self) -> Digest {
        digest_of(&self.digest_sum)
    }
}

impl Shared {
    /// Adds a run; the law it broke, where it is one of the first that did.
    fn add(&mut self, seed: u64, outcome: RunOutcome) -> Option<Violation> {
        self.so_far.seeds += 1;
        self.so_far.steps += outcome.steps;
        self.so_far.simulated.0 += outcome.simulated.0;
        self.so_far.longest = self.so_far.longest.max(outcome.simulated);
        self.so_far.coverage.add(&outcome.coverage);
        // A sum does not depend on the order in which runs end.
        self.so_far.digest_sum = self.so_far.digest_sum.wrapping_add(digest_of(&(seed, outcome.digest)).0);
        let violation = outcome.violations.into_iter().next()?;
        self.so_far.failed += 1;
        *self.so_far.broken.entry(violation.invariant).or_default() += 1;
        let first = self.first_of.entry(violation.invariant).or_default();
        first.insert(seed);
        if first.len() > MOST_OF_A_LAW {
            first.pop_last();
        }
        (first.contains(&seed) && self.so_far.findings.len() < 2 * MOST_FAILURES).then_some(violation)
    }

    fn unfinished(&mut self, seed: u64, why: String) {
        self.so_far.seeds += 1;
        self.so_far.failed += 1;
        self.so_far.unfinished.insert(seed, why);
    }
}

/// Whether a seed is one of those, one in sixteen, whose run is repeated from its record. Which ones has nothing to do with their
/// order, so that each part of a batch has some.
pub(super) const fn is_repeated(seed: u64) -> bool {
    // The golden ratio in 64 bits spreads neighbours.
    seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60 == 0
}

/// A run, with those of its steps that were looked at when some law did not hold.
pub(super) fn looked_at<S>(outcome: RunOutcome, steps: impl IntoIterator<Item = S>) -> (RunOutcome, Vec<S>) {
    let looked_at = if outcome.violations.is_empty() { 0 } else { outcome.used };
    (outcome, steps.into_iter().take(looked_at).collect())
}

/// Makes the run of a seed, a second time where it is one of those that are repeated, and compares; `start` is when it begins.
pub(super) fn made<S>(
    seed: u64,
    start: Instant,
    steps: Vec<S>,
    make: impl Fn(&[S]) -> io::Result<RunOutcome>,
) -> io::Result<(RunOutcome, Vec<S>)> {
    let mut outcome = make(&steps)?;
    if is_repeated(seed) && outcome.violations.is_empty() {
        outcome.coverage.note_law(Law::Determinism);
        if make(&steps)?.digest != outcome.digest {
            let what = "the same steps got different answers the second time".to_owned();
            outcome.violations = vec![Violation { invariant: Law::Determinism, at: start, what, claim: None }];
        }
    }
    Ok(looked_at(outcome, steps))
}

pub(super) fn on_a_fresh_thread<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("run".to_owned()).stack_size(STACK).spawn_scoped(scope, work)?;
        thread.join().map_err(|_| io::Error::other("a run panicked outside its world"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    const GENERATED: OnWorlds<fn(u64) -> RunSetup> = OnWorlds(RunSetup::generated);

    fn quiet(options: &Options) -> Batch {
        batch(GENERATED, options, &Watching::NOBODY).expect("a batch")
    }

    #[test]
    fn a_batch_has_one_digest_whatever_runs_beside_what() {
        let (one, many) = (quiet(&Options::of_seeds(10..16, 200, 1)), quiet(&Options::of_seeds(10..16, 200, 4)));
        assert_eq!((one.digest(), one.steps, one.failed), (many.digest(), many.steps, 0));
        assert_eq!(one.coverage, many.coverage);
        assert_eq!(one.seeds, 6);
    }

    #[test]
    fn parts_of_a_batch_run_each_seed_once_and_add_up_to_its_digest() {
        let whole = Options::of_seeds(20..31, 60, 2);
        let parts: Vec<_> = (0..4).map(|index| Options { shard: Shard { index, of: 4 }, ..whole.clone() }).collect();
        let made: Vec<_> = parts.iter().map(quiet).collect();
        let whole = quiet(&whole);
        assert_eq!(made.iter().map(|part| part.seeds).collect::<Vec<_>>(), [3, 3, 3, 2]);
        for (part, made) in parts.iter().zip(&made) {
            assert_eq!(part.shard.seeds_in(&(20..31)), made.seeds);
        }
        let sum = made.iter().fold(0, |sum: u128, part| part.digest_sum.wrapping_add(sum));
        assert_eq!(sum, whole.digest_sum);
        assert_eq!(made.iter().map(|part| part.steps).sum::<u64>(), whole.steps);
    }

    #[test]
    fn a_batch_that_is_over_begins_no_more_seeds_and_says_what_it_has() {
        let bound = Bound::Time { first: 700, time: Duration::from_secs(3_600) };
        let options = Options { bound, ..Options::of_seeds(0..0, 50, 2) };
        let done = AtomicU64::new(0);
        let watching = Watching {
            is_over: &|| done.load(Ordering::Relaxed) >= 3,
            progress: &|so_far| done.store(so_far.seeds, Ordering::Relaxed),
            found: &|_| {},
        };
        let made = batch(GENERATED, &options, &watching).expect("a batch");
        assert!((3..=5).contains(&made.seeds), "{} seeds", made.seeds);
        assert_eq!((made.first, made.failed), (700, 0));
        assert_eq!(quiet(&Options::of_seeds(700..700 + made.seeds, 50, 1)).digest(), made.digest());
    }

    #[test]
    fn another_seed_or_length_gives_another_digest() {
        let digest = |seeds, steps| quiet(&Options::of_seeds(seeds, steps, 2)).digest();
        let one = digest(1..3, 100);
        assert_ne!(one, digest(1..4, 100));
        assert_ne!(one, digest(1..3, 101));
    }

    #[test]
    fn each_part_of_a_batch_has_seeds_that_are_repeated() {
        for of in [1, 2, 4, 16] {
            for index in 0..of {
                let repeated = (0..1_600_u64).filter(|number| is_repeated(200_000_000 + index + number * of)).count();
                assert!((60..140).contains(&repeated), "part {index} of {of}: {repeated} of 1,600");
            }
        }
    }

    /// Runs of which one never ends.
    struct Endless;

    impl RunKind for Endless {
        type Step = Step;
        const LEVEL: Level = Level::World;

        fn run(&self, seed: u64, steps: usize) -> io::Result<(RunOutcome, Vec<Step>)> {
            if seed == 2 {
                loop {
                    std::thread::park();
                }
            }
            GENERATED.run(seed, steps)
        }

        fn shrunk(&self, seed: u64, steps: Vec<Step>, violation: &Violation, within: Duration) -> io::Result<Failure> {
            GENERATED.shrunk(seed, steps, violation, within)
        }
    }

    #[test]
    fn a_run_that_does_not_end_counts_as_failed_and_holds_up_no_other() {
        let options = Options { seed_limit: Duration::from_secs(5), ..Options::of_seeds(1..5, 20, 1) };
        let made = batch(Endless, &options, &Watching::NOBODY).expect("a batch");
        assert_eq!((made.seeds, made.failed, made.is_whole), (4, 1, true));
        assert!(made.unfinished.keys().eq(&[2]), "{:?}", made.unfinished);
    }
}
