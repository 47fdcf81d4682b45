//! A hundred generated runs, judged by every law: what a change of the world has to
//! pass within seconds. Ends at the first law that does not hold; `fundsim fuzz` shrinks and reports it.

use fuzz::{OnWorlds, RunKind, RunSetup};

/// Runs, and the steps of each.
const SEEDS: std::ops::Range<u64> = 7_000..7_100;
const STEPS: usize = 600;

#[test]
fn a_hundred_generated_runs_break_no_law() {
    let kind = OnWorlds(RunSetup::generated);
    for seed in SEEDS {
        let (outcome, _) = kind.run(seed, STEPS).expect("a thread");
        assert!(outcome.violations.is_empty(), "seed {seed}, step {}: {:?}", outcome.used, outcome.violations);
    }
}
