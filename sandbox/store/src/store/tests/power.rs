//! A loss of power at any operation of the disk takes nothing that was answered.

use super::*;
use crate::testing::Rng;
use rare::Tally;

/// What is wrong on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    /// The store answers before it commits.
    AnswersFirst,
    /// The disk does nothing when it is asked to sync.
    IgnoresSyncs,
}

/// How batches are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writer {
    /// By the test: the same run each time.
    Hand,
    /// By the store's thread.
    Thread,
}

const LIMITS: Limits = Limits { batch: 12_000, room: 1 << 20, record: 1 << 20 };

/// The records of one store over its lives.
#[derive(Default)]
struct Life {
    /// Each record in the order of its append.
    appended: Vec<Vec<u8>>,
    /// The last of them that was answered as durable.
    answered: u64,
}

fn random_record(rng: &mut Rng) -> Vec<u8> {
    let size = match rng.below(12) {
        0 => 0,
        1 => 9_000 + rng.below(9_000),
        _ => rng.below(600),
    };
    rng.bytes(size)
}

impl Life {
    /// Takes up the answer to the record that was appended at `expected`.
    fn take(&mut self, expected: u64, answer: Option<Result<Position, StoreError>>) -> Result<(), String> {
        match answer {
            Some(Ok(at)) if at.0 == expected => self.answered = self.answered.max(at.0),
            Some(Err(StoreError::Sealed(_))) => {}
            other => return Err(format!("record {expected} was answered with {other:?}")),
        }
        Ok(())
    }

    /// Appends groups of records until the disk fails, or for some rounds.
    fn live(&mut self, rng: &mut Rng, disk: &SimulatedDisk, fault: Fault, writer: Writer) -> Result<(), String> {
        let disk = Disk::new(disk.clone());
        let opened = match writer {
            Writer::Hand => Store::by_hand(disk, LIMITS).map(|(store, committer)| (store, Some(committer))),
            Writer::Thread => Store::start(disk, LIMITS).map(|opened| (opened.store, None)),
        };
        // A disk that fails at once: nothing was appended.
        let Ok((store, mut committer)) = opened else {
            return Ok(());
        };
        if let Some(committer) = &mut committer {
            committer.answers_first = fault == Fault::AnswersFirst;
        }
        for _ in 0..rng.below(12) {
            let mut group = Vec::new();
            for _ in 0..1 + rng.below(14) {
                let record = random_record(rng);
                self.appended.push(record.clone());
                if rng.below(4) == 0 {
                    store.note(record);
                } else {
                    group.push((self.appended.len() as u64, store.append(record)));
                }
            }
            // Some groups are still waiting when the next one comes, or when power goes.
            if rng.below(6) == 0 {
                continue;
            }
            committer.iter_mut().for_each(|committer| drop(write_all(committer)));
            for (expected, kept) in group {
                let answer = if writer == Writer::Hand { outcome_now(kept) } else { Some(outcome(kept)) };
                self.take(expected, answer)?;
            }
            if store.why_sealed().is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Holds what the store has against what was appended: it is a prefix of that, and has all that was answered.
    fn check(&mut self, store: &Store) -> Result<(), String> {
        let found: Result<Vec<_>, _> = store.records(Position(0)).collect();
        let found = found.map_err(|error| error.to_string())?;
        for (((at, record), expected), appended) in found.iter().zip(1..).zip(&self.appended) {
            if at.0 != expected || record != appended {
                return Err(format!("record {expected} is not what was appended there: {} has it", at.0));
            }
        }
        if found.len() > self.appended.len() {
            return Err(format!("{} records were appended, and {} are there", self.appended.len(), found.len()));
        }
        if (found.len() as u64) < self.answered {
            return Err(format!("{} records were answered, and {} are there", self.answered, found.len()));
        }
        self.appended.truncate(found.len());
        self.answered = found.len() as u64;
        Ok(())
    }
}

/// Several lives of one store, each ended by a loss of power; how many records it has in the end.
fn lose_power(seed: u64, fault: Fault, writer: Writer) -> Result<u64, String> {
    let mut rng = Rng(seed);
    let mut life = Life::default();
    let mut disk = SimulatedDisk::default();
    for _ in 0..1 + rng.below(4) {
        disk.fail_after(rng.below(90));
        if fault == Fault::IgnoresSyncs {
            disk.ignore_syncs();
        }
        life.live(&mut rng, &disk, fault, writer)?;
        disk = disk.after_loss(&mut rng);
        let opened = Store::start(Disk::new(disk.clone()), LIMITS);
        let Opened { store, damaged } = opened.map_err(|error| format!("the store cannot be opened: {error}"))?;
        if let Some(damaged) = damaged {
            return Err(damaged.to_string());
        }
        life.check(&store)?;
        life.appended.push(b"after the loss".to_vec());
        let last = outcome(store.append(b"after the loss".to_vec()));
        life.take(life.appended.len() as u64, Some(last))?;
        life.check(&store)?;
    }
    Ok(life.answered)
}

/// How many seeds fail, and how the first of them do. Each seed draws its rare points.
fn failures(seeds: std::ops::Range<u64>, fault: Fault, writer: Writer) -> (usize, Vec<String>) {
    let (mut records, mut failed, mut met) = (0, Vec::new(), Tally::new());
    for seed in seeds.clone() {
        let _points = rare::begin(seed);
        match lose_power(seed, fault, writer) {
            Ok(kept) => records += kept,
            Err(what) => failed.push(format!("seed {seed}: {what}")),
        }
        met.add(&rare::tally());
    }
    let never = met.never_happened(&["store"]);
    assert!(writer == Writer::Thread || never.is_empty(), "points that no seed has taken: {never:?}");
    assert!(fault != Fault::None || records > 10 * (seeds.end - seeds.start), "only {records} records: {failed:#?}");
    (failed.len(), failed.into_iter().take(10).collect())
}

#[test]
fn what_was_answered_is_there_after_a_loss_of_power_and_what_is_there_is_a_prefix() {
    assert_eq!(failures(0..1_000, Fault::None, Writer::Hand), (0, vec![]));
}

#[test]
fn what_the_thread_answered_is_there_after_a_loss_of_power() {
    assert_eq!(failures(10_000..10_060, Fault::None, Writer::Thread), (0, vec![]));
}

#[test]
fn a_store_that_answers_before_it_commits_and_a_disk_that_ignores_syncs_are_found() {
    for fault in [Fault::AnswersFirst, Fault::IgnoresSyncs] {
        let (count, examples) = failures(0..60, fault, Writer::Hand);
        assert!(count >= 10, "{fault:?}: {count} of 60 seeds failed: {examples:#?}");
    }
}
