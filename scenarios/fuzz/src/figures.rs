//! How often generated runs have met the case of each law: the figures of a few runs of each level, which `runs` names.
//!
//! Owns: `figures/laws.csv`, which `FUNDSIM_TEST_BLESS=1 cargo test -p fundsim-fuzz --lib figures -- --ignored` writes again.
//! Invariant: each law has a figure for each level that checks it, and for no other; only what `NEVER` lists is zero. Absent on purpose: what a case is, which `oracle` says.

use crate::failure::Level;
use oracle::check::Law;

/// A line for each law: its name, and how often its case was met, by level.
const FIGURES: &str = include_str!("figures/laws.csv");
/// Cases that none of these runs meets. Over the network one of 24 runs has a filtered list of several pages.
pub const NEVER: &[(Law, Level)] = &[(Law::Paging, Level::Network)];

/// Runs, from seed 1 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs {
    /// How many.
    pub seeds: u64,
    /// Steps of each.
    pub steps: usize,
}

/// The runs that the figures of a level come from.
#[must_use]
pub const fn runs(level: Level) -> Runs {
    match level {
        Level::World => Runs { seeds: 20, steps: 2_000 },
        Level::Network | Level::Host => Runs { seeds: 16, steps: 100 },
        Level::Consumer => Runs { seeds: 16, steps: 40 },
    }
}

/// How often runs of a level have met the case of a law; nothing where the level does not check it.
#[must_use]
pub fn times(law: Law, level: Level) -> Option<u64> {
    let row = FIGURES.lines().find_map(|line| line.strip_prefix(law.name())?.strip_prefix(','))?;
    let place = Level::ALL.iter().position(|other| *other == level)?;
    row.split(',').nth(place)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::{Options, RunKind, Watching, batch};
    use crate::consumer::AroundConsumer;
    use crate::host::OnHosts;
    use crate::network::OverNetwork;
    use crate::{OnWorlds, RunSetup};
    use oracle::check::Met;

    #[test]
    fn each_law_has_a_figure_for_each_level_that_checks_it() {
        let head = Level::ALL.map(Level::name).join(",");
        assert_eq!(FIGURES.lines().next(), Some(format!("law,{head}").as_str()));
        assert_eq!(FIGURES.lines().count(), 1 + Law::COUNT, "no law is in it twice, and none that is not known");
        for law in Law::all() {
            for level in Level::ALL {
                let times = times(law, level);
                assert_eq!(times.is_some(), level.judges(law), "{law}, {}: {times:?}", level.name());
                assert_eq!(times == Some(0), NEVER.contains(&(law, level)), "{law}, {}: {times:?}", level.name());
            }
        }
    }

    /// How often runs of a kind meet the case of each law.
    fn met<K: RunKind>(kind: K, Runs { seeds, steps }: Runs) -> Met {
        let batch = batch(kind, &Options::of_seeds(1..1 + seeds, steps, 2), &Watching::NOBODY).expect("a batch");
        assert_eq!(batch.failed, 0, "{:#?}", batch.findings);
        batch.coverage.laws
    }

    fn met_at(level: Level, runs: Runs) -> Met {
        match level {
            Level::World => met(OnWorlds(RunSetup::generated), runs),
            Level::Network => met(OverNetwork(RunSetup::generated), runs),
            Level::Host => met(OnHosts(RunSetup::generated), runs),
            Level::Consumer => met(AroundConsumer, runs),
        }
    }

    /// A few runs of each level.
    const FEW: [(Level, Runs); 4] = [
        (Level::World, Runs { seeds: 20, steps: 2_000 }),
        (Level::Network, Runs { seeds: 24, steps: 100 }),
        (Level::Host, Runs { seeds: 16, steps: 100 }),
        (Level::Consumer, Runs { seeds: 24, steps: 40 }),
    ];

    #[test]
    fn the_case_of_each_law_is_counted_where_it_happens() {
        let all_steps = |Runs { seeds, steps }: Runs| seeds * steps as u64;
        let mut uncounted = Vec::new();
        for (level, few) in FEW {
            let met = met_at(level, few);
            // By the figures so few runs should meet it.
            let should = |law: &Law| times(*law, level).unwrap_or_default() * all_steps(few) >= all_steps(runs(level));
            let missing = Law::all().filter(should).filter(|law| met.times(*law) == 0);
            uncounted.extend(missing.map(|law| format!("{law}, {}", level.name())));
        }
        assert!(uncounted.is_empty(), "the cases of these laws are not counted: {uncounted:#?}");
    }

    #[test]
    #[ignore = "takes minutes; FUNDSIM_TEST_BLESS=1 writes the file again"]
    fn the_figures_are_what_their_runs_meet() {
        let met = std::thread::scope(|scope| {
            let levels = Level::ALL.map(|level| scope.spawn(move || (level, met_at(level, runs(level)))));
            levels.map(|level| level.join().expect("the runs of a level"))
        });
        let of = |law: Law| {
            let cells = met.iter().map(|(level, met)| match level.judges(law) {
                true => met.times(law).to_string(),
                false => String::new(),
            });
            cells.collect::<Vec<_>>().join(",")
        };
        let head = format!("law,{}\n", Level::ALL.map(Level::name).join(","));
        let text = Law::all().fold(head, |text, law| text + &format!("{law},{}\n", of(law)));
        if std::env::var_os("FUNDSIM_TEST_BLESS").is_some() {
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/figures/laws.csv");
            return std::fs::write(file, text).expect("the file is written");
        }
        assert_eq!(FIGURES, text);
    }
}
