//! `fundsim fuzz`.

use crate::args::Fuzz;
use crate::out;

/// Runs generated scenarios.
pub(crate) fn fuzz(_: &Fuzz) -> u8 {
    out::refuse("the fuzzer is not part of this build")
}
