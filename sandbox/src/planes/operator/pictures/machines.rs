//! State tables with the counts of coverage.
//!
//! Invariant: the counts are those that coverage shows to the same bearer. Absent on purpose: how they are drawn
//! (`drawing::machines`).

use drawing::machines::Facts;

use super::super::coverage;
use super::super::request::Target;
use wire::error::ApiError;

/// How often the bearer's resources took each row.
pub(super) fn facts(target: &Target) -> Result<Facts, ApiError> {
    let counted = coverage::counted_partners(target, None)?;
    let now = target.world.last_now();
    let counts = target.world.coverage.counts(now, |partner| counted.contains(&partner));
    Ok(Facts::of(now, coverage::lives(&counts).map(|(machine, (states, rows))| (machine, &states[..], &rows[..]))))
}
