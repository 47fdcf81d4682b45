//! How the laws of this crate are tried: many drawn cases, always the same ones.
//!
//! Owns: the seed of every law. Invariant: without `FUNDSIM_TEST_SEED` two runs try the same cases in the same order.
//! Absent on purpose: files of past failures; a failure prints what repeats it.

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestRng, TestRunner};
use quickcheck::{Arbitrary, Gen, QuickCheck};

use crate::rng::Seed;

const FIXED: u64 = 20_260_302;

/// Tries `law` on values of `cases`.
pub(crate) fn holds<S: Strategy>(cases: S, law: impl Fn(S::Value) -> TestCaseResult)
where
    S::Value: std::fmt::Debug,
{
    let seed = seed();
    let config = Config { failure_persistence: None, ..Config::default() };
    let key: [u8; 32] = Seed(seed).stream("laws").bytes();
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &key);
    if let Err(fault) = TestRunner::new_with_rng(config, rng).run(&cases, law) {
        panic!("{fault}\n{}", how_to_repeat(seed));
    }
}

/// Tries `law` on values of its argument's type.
pub(crate) fn quick<A: Arbitrary + std::fmt::Debug>(law: fn(A) -> bool) {
    let seed = seed();
    let rng = Gen::from_size_and_seed(100, seed);
    if let Err(fault) = QuickCheck::new().rng(rng).quicktest(law) {
        panic!("{fault:?}\n{}", how_to_repeat(seed));
    }
}

fn seed() -> u64 {
    let text = std::env::var("FUNDSIM_TEST_SEED");
    text.map_or(FIXED, |text| text.parse().expect("FUNDSIM_TEST_SEED is a whole number"))
}

fn how_to_repeat(seed: u64) -> String {
    let thread = std::thread::current();
    let name = thread.name().filter(|name| *name != "main").unwrap_or_default();
    format!("seed {seed}; repeat with: FUNDSIM_TEST_SEED={seed} cargo test -p fundsim-sim --lib {name}")
}

/// What a value is recorded as, when that is a text.
pub(crate) fn recorded<T: serde::Serialize>(value: &T) -> String {
    struct Shown<'a, T>(&'a T);

    impl<T: serde::Serialize> std::fmt::Display for Shown<'_, T> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            self.0.serialize(f)
        }
    }

    Shown(value).to_string()
}

/// The value of a recorded text, or the problem.
pub(crate) fn replayed<'a, T: serde::Deserialize<'a>>(text: &'a str) -> Result<T, String> {
    use serde::de::IntoDeserializer;
    let from: serde::de::value::StrDeserializer<'a, serde::de::value::Error> = text.into_deserializer();
    T::deserialize(from).map_err(|fault| fault.to_string())
}

mod tests {
    use super::*;

    #[test]
    fn a_failing_law_says_how_to_repeat_it() {
        let law = |n| {
            proptest::prop_assert!(n < 3);
            Ok(())
        };
        let failure = std::panic::catch_unwind(|| holds(0..10_u8, law)).unwrap_err();
        let text = failure.downcast::<String>().expect("a formatted panic");
        assert!(text.contains("minimal failing input: 3"), "{text}");
        assert!(text.contains("repeat with: FUNDSIM_TEST_SEED="), "{text}");
    }

    #[test]
    fn a_law_sees_the_same_cases_every_time() {
        let seen = || {
            let cases = std::cell::RefCell::new(Vec::new());
            holds(0..u64::MAX, |n| {
                cases.borrow_mut().push(n);
                Ok(())
            });
            cases.into_inner()
        };
        assert_eq!(seen(), seen());
    }
}
