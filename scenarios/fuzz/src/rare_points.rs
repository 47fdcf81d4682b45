//! Rare points in generated runs: no answer depends on one, none that is late breaks a law, and each of those that a server meets happens in
//! some of these runs.

use crate::batch::RunKind;
use crate::consumer::AroundConsumer;
use crate::host::OnHosts;
use crate::network::OverNetwork;
use crate::run_setup::RunSetup;
use rare::Tally;
use std::ops::Range;

/// Crates that a simulated server runs.
const SERVED: [&str; 5] = ["feed", "deliveries", "hosting", "surface", "sandbox"];

/// Makes the runs of these seeds with rare points and without, and compares what was exchanged where no timer was late; what happened.
fn compared(kind: impl RunKind, seeds: Range<u64>, steps: usize) -> Tally {
    let mut met = Tally::new();
    for seed in seeds {
        let made = || kind.run(seed, steps).expect("a run").0;
        let late = made();
        let in_time: Vec<_> = rare::LATE.iter().map(|point| rare::never_at(seed, *point)).collect();
        let with = made();
        let never = rare::never_in(seed);
        let without = made();
        drop(never);
        for outcome in [&late, &with, &without] {
            assert!(outcome.violations.is_empty(), "seed {seed}: {:?}", outcome.violations);
        }
        if with.digest != without.digest {
            let happened = with.coverage.rare.counts().filter(|(_, count)| count.happened > 0);
            let is_needed = |point| {
                let _never = rare::never_at(seed, point);
                made().digest == without.digest
            };
            let needed: Vec<_> = happened.filter(|(row, _)| is_needed(row.point)).map(|(row, _)| row.name).collect();
            panic!("seed {seed} answers otherwise with rare points, and not without one of {needed:?}");
        }
        drop(in_time);
        assert_eq!(without.coverage.rare, Tally::new());
        met.add(&late.coverage.rare);
    }
    met
}

#[test]
fn a_run_is_the_same_with_rare_points_and_without_and_each_point_of_a_server_happens() {
    let met = std::thread::scope(|scope| {
        let hosts = scope.spawn(|| compared(OnHosts(RunSetup::generated), 58_000_000..58_000_010, 60));
        let mut met = compared(OverNetwork(RunSetup::generated), 58_000_000..58_000_010, 50);
        met.add(&hosts.join().expect("the runs on hosts"));
        met
    });
    assert_eq!(met.never_happened(&SERVED), [], "points that no run has taken, with how often they were asked");
}

#[test]
fn a_run_around_a_consumer_is_the_same_with_rare_points_and_without() {
    let met = compared(AroundConsumer, 58_100_000..58_100_004, 40);
    assert!(met.never_happened(&["surface"]).is_empty(), "{met:?}");
}
