//! How often generated runs have met the case of each law, over the first seeds of each level.
//!
//! Owns: `figures/laws.csv`, which `tests/laws/measure.py FUNDSIM_BINARY --write` writes again. Invariant: each law has a figure for each level
//! that checks it, and for no other, and none is zero. Absent on purpose: what a case is, which `oracle` says.

use crate::failure::Level;
use oracle::check::Law;

/// The levels, the number of seeds of each, and a line for each law: its name, and how often its case was met.
const FIGURES: &str = include_str!("figures/laws.csv");

fn cell(name: &str, level: Level) -> Option<u64> {
    let row = FIGURES.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(','))?;
    let place = Level::ALL.iter().position(|other| *other == level)?;
    row.split(',').nth(place)?.parse().ok()
}

/// How many seeds of a level the figures come from: those from 1 on, each a run of the usual length.
#[must_use]
pub fn seeds(level: Level) -> u64 {
    cell("seeds", level).unwrap_or_default()
}

/// How often runs of a level have met the case of a law; nothing where the level does not check it.
#[must_use]
pub fn times(law: Law, level: Level) -> Option<u64> {
    cell(law.name(), level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_law_has_a_figure_for_each_level_that_checks_it_and_none_is_zero() {
        let head = Level::ALL.map(Level::name).join(",");
        assert_eq!(FIGURES.lines().next(), Some(format!("law,{head}").as_str()));
        assert_eq!(FIGURES.lines().count(), 2 + Law::COUNT, "no law is in it twice, and none that is not known");
        assert!(Level::ALL.into_iter().all(|level| seeds(level) > 0));
        for law in Law::all() {
            for level in Level::ALL {
                let times = times(law, level);
                assert_eq!(times.is_some(), level.judges(law), "{law}, {}: {times:?}", level.name());
                assert_ne!(times, Some(0), "{law}, {}", level.name());
            }
        }
    }
}
