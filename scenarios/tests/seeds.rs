//! A hundred generated runs, half of orders and half of journeys, judged by every law: what a change of the world has to
//! pass within seconds.

use scenarios::fuzz::batch::{Bound, Options, batch_of};
use scenarios::fuzz::{Mixed, Stage};

#[test]
fn a_hundred_generated_runs_break_no_law() {
    let options = Options { bound: Bound::Seeds(7_000..7_100), steps: 600, jobs: 2 };
    let batch = batch_of(&Mixed::new(Stage::generated), &options, |_| {}).expect("a batch");
    let told: Vec<_> =
        batch.failures.iter().map(|failure| (failure.seed, &failure.violation, &failure.steps)).collect();
    assert_eq!(batch.failed, 0, "{told:#?}");
}
