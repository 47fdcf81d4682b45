//! How laws are tried: many drawn cases, always the same ones.
//!
//! Invariant: without `FUNDSIM_TEST_SEED` two runs try the same cases in the same order. Absent on purpose: files of past
//! failures; a failure prints what repeats it.

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestRng, TestRunner};

const FIXED: u64 = 20_260_302;

/// Tries `law` on values of `cases`.
///
/// # Panics
/// When the law does not hold, with the smallest case found and the command that repeats it.
pub fn holds<S: Strategy>(cases: S, law: impl Fn(S::Value) -> TestCaseResult)
where
    S::Value: std::fmt::Debug,
{
    tried(Config::default().cases, cases, law);
}

/// As `holds`, on so many values.
///
/// # Panics
/// As `holds`.
pub fn tried<S: Strategy>(count: u32, cases: S, law: impl Fn(S::Value) -> TestCaseResult)
where
    S::Value: std::fmt::Debug,
{
    let text = std::env::var("FUNDSIM_TEST_SEED");
    let seed: u64 = text.map_or(FIXED, |text| text.parse().expect("FUNDSIM_TEST_SEED is a whole number"));
    let config = Config { failure_persistence: None, cases: count, ..Config::default() };
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &key);
    if let Err(fault) = TestRunner::new_with_rng(config, rng).run(&cases, law) {
        let thread = std::thread::current();
        let name = thread.name().filter(|name| *name != "main").unwrap_or_default();
        // Cargo sets it for the tests that it runs.
        let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
        panic!("{fault}\nseed {seed}; repeat with: FUNDSIM_TEST_SEED={seed} cargo test -p {package} {name}");
    }
}
