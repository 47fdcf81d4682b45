//! The fuzzer against planted faults: each is found, shrunk to a few steps, and saved as a file that fails and passes
//! where it should.

use fuzz::batch::{Batch, Options, Watching, batch};
use fuzz::generate::{Generator, Step};
use fuzz::host::OnHosts;
use fuzz::network::{self, NetworkStep, NetworkSteps};
use fuzz::{Failure, Finding, OnWorlds, RunKind as _, RunSetup, Watch, run, shrunk};
use language::diagnostic::Source;
use language::{lint, parse, write};
use oracle::check::Law;
use runner::drivers::Choice;
use runner::drivers::planted::{Fault, plant_in_runs_of};
use sim::canary::{CANARIES, Canary, plant_in_worlds_of};
use sim::rng::Seed;
use sim::time::Millis;
use std::any::Any;
use std::time::Duration;

/// Faults in what a world does; the others are for other checkers.
const OF_THE_WORLD: &[Canary] = &[
    Canary::CutOffEdgeMoved,
    Canary::ReservationForgottenOnCancel,
    Canary::UnitsRoundedUp,
    Canary::EventSentTwice,
    Canary::SettledOneDayEarly,
    Canary::AbortedStillCounts,
    Canary::HoldDropsReservation,
    Canary::SecondCallback,
    Canary::ResultBeforeCompletion,
    Canary::TerminalJourneyReopened,
    Canary::ScopeOneTooLong,
    Canary::DepositIsGain,
    Canary::LatePaidTwice,
    Canary::MergerLosesCost,
    Canary::SplitChangesValue,
    Canary::KycPendingInAnyJourney,
    Canary::ClosedBeforePayoutIsFinal,
    Canary::BankAccountLeftOut,
    Canary::LaterAnswersForgotten,
];

/// Faults in what happens to money over months.
const OF_MONTHS: &[Canary] = &[
    Canary::FeeRoundedDown,
    Canary::RetrocessionKept,
    Canary::SavedTwiceAMonth,
    Canary::BounceBookedTwice,
    Canary::ChargedWithoutMandate,
];

/// Most steps that a planted fault may need once it is shrunk.
const FEW: usize = 8;

/// Finds and shrinks a fault that a story shows: what no story shows is saved as a kept run, and another seed is tried. Every fault has
/// seeds of its own, since it is planted by seed when its file is played.
fn find(fault: Canary) -> Failure {
    let at = CANARIES.iter().position(|(_, canary)| *canary == fault).expect("a canary of the list") as u64;
    for seed in 1_000_000 * (at + 1)..1_000_000 * (at + 1) + 50 {
        let stage = RunSetup { planted: Some(fault), ..RunSetup::generated(seed) };
        let steps: Vec<Step> = Generator::new(seed, stage.profile).take(800).collect();
        let outcome = run(&stage, steps.iter().copied(), Watch::Steps);
        if let Some(violation) = outcome.violations.first() {
            let failure = shrunk(&stage, steps[..outcome.used].to_vec(), violation, Duration::MAX);
            let _planted = Planting::World(fault).plant(seed);
            if Finding::played(failure.clone()).story.is_ok() {
                return failure;
            }
        }
    }
    panic!("no story of fifty seeds shows {fault:?}");
}

/// Faults that only the network level can find: they are the surface's, not the world's.
const OF_THE_SURFACE: &[Fault] = &[Fault::AcknowledgedAndForgotten, Fault::PageSkipsAnItem, Fault::LinkOpensAnother];

/// Faults of the host, with seeds of their own.
const OF_THE_HOST: &[(Fault, u64)] = &[
    (Fault::RewindIsReset, 3_000_000_000),
    (Fault::PermissionIsForgotten, 3_000_001_000),
    (Fault::DeletedWorldLives, 3_000_002_000),
    (Fault::ClockGoesTwiceAsFast, 3_000_004_000),
    (Fault::ExplanationLacksAChange, 3_000_005_000),
];

#[test]
fn every_fault_of_the_host_is_found_shrunk_and_saved_as_a_file_that_detects_it() {
    let prove = |fault: Fault, first: u64| {
        let failure = find_on_hosts(fault, first);
        check_saved_file(Planting::Surface(fault), &failure, &[Choice::Turmoil]);
    };
    std::thread::scope(|scope| {
        OF_THE_HOST.iter().for_each(|&(fault, first)| drop(scope.spawn(move || prove(fault, first))))
    });
}

/// Finds and shrinks a fault of the host, by thirty seeds of its own.
fn find_on_hosts(fault: Fault, first: u64) -> Failure {
    let kind = OnHosts(RunSetup::generated);
    for seed in first..first + 30 {
        let _planted = plant_in_runs_of(seed, fault);
        let (outcome, steps) = kind.run(seed, 100).expect("a run");
        if let Some(violation) = outcome.violations.first() {
            let failure = kind.shrunk(seed, steps, violation, Duration::MAX).expect("a shrinking");
            assert!(failure.steps.len() <= FEW, "{fault:?} was shrunk to {:?}", failure.steps);
            return failure;
        }
    }
    panic!("{fault:?} was not found by thirty seeds");
}

/// No story plays a recording, so that the run is kept.
#[test]
fn a_recording_that_plays_to_another_world_is_found_and_its_run_is_kept() {
    let failure = find_on_hosts(Fault::RecordingHasAnotherSeed, 3_000_006_000);
    assert_eq!(failure.violation.invariant, Law::RecordingPlays);
    let _planted = plant_in_runs_of(failure.seed, Fault::RecordingHasAnotherSeed);
    assert!(Finding::played(failure).story.is_err(), "a story shows it");
}

/// Copies of a world's past are kept after thousands of inputs, which no generated run has.
#[test]
fn a_fault_that_only_a_rare_point_reaches_is_found_on_hosts_and_not_without_rare_points() {
    let kind = OnHosts(RunSetup::generated);
    let broken = |seed| kind.run(seed, 60).expect("a run").0.violations.into_iter().next();
    let found = (3_000_003_000..3_000_003_030).find_map(|seed| {
        let _fault = plant_in_worlds_of(Seed(seed), Canary::CheckpointLacksAnInput);
        let never = rare::never_in(seed);
        assert_eq!(broken(seed).map(|violation| violation.what), None, "seed {seed}, without rare points");
        drop(never);
        broken(seed)
    });
    assert!(found.is_some(), "thirty seeds do not show it");
}

/// A fault of the world or of its surface.
#[derive(Clone, Copy, Debug)]
enum Planting {
    World(Canary),
    Surface(Fault),
}

impl Planting {
    /// Plants it for runs of `seed`, until what is returned is dropped.
    fn plant(self, seed: u64) -> Box<dyn Any> {
        match self {
            Self::World(canary) => Box::new(plant_in_worlds_of(Seed(seed), canary)),
            Self::Surface(fault) => Box::new(plant_in_runs_of(seed, fault)),
        }
    }
}

/// Finds and shrinks a fault by runs over the simulated network. Every fault has thousands of seeds of its own.
fn find_over_the_network(fault: Planting, thousands: u64) -> Failure {
    for seed in 1_000 * thousands..1_000 * thousands + 90 {
        let stage = RunSetup::generated(seed);
        let steps: Vec<NetworkStep> = NetworkSteps::new(seed, stage.profile).take(100).collect();
        let guard = fault.plant(seed);
        let outcome = network::run(&stage, &steps).expect("a run").outcome;
        let found = outcome.violations.first();
        let shrunk =
            found.map(|violation| network::shrunk(&stage, steps[..outcome.used].to_vec(), violation, Duration::MAX));
        drop(guard);
        if let Some(failure) = shrunk {
            return failure.expect("a shrinking");
        }
    }
    panic!("{fault:?} was not found by ninety seeds");
}

#[test]
fn every_fault_of_the_surface_is_found_over_the_network_shrunk_and_saved_as_a_file_that_detects_it() {
    let prove = |fault: Planting, thousands: u64| {
        let failure = find_over_the_network(fault, thousands);
        assert!(failure.steps.len() <= FEW, "{fault:?} was shrunk to {:?}", failure.steps);
        check_saved_file(fault, &failure, &[Choice::Turmoil]);
    };
    let faults = OF_THE_SURFACE.iter().map(|&fault| Planting::Surface(fault));
    let faults = faults.chain([Planting::World(Canary::EventSentTwice)]).zip(2_000_000..);
    // Every try is a simulation: side by side they take half as long.
    std::thread::scope(|scope| {
        faults.for_each(|(fault, thousands)| drop(scope.spawn(move || prove(fault, thousands))))
    });
}

#[test]
fn a_fault_that_shows_only_while_requests_are_on_their_way_is_found_over_the_network_and_shrunk() {
    // A file sends one request after the other, so that no saved file could distinguish these faults.
    for (fault, thousands) in [(Fault::AnswersCross, 2_000_010), (Fault::DoneTwiceWhenStruck, 2_000_011)] {
        let failure = find_over_the_network(Planting::Surface(fault), thousands);
        assert!(failure.steps.len() <= FEW, "{fault:?} was shrunk to {:?}", failure.steps);
    }
}

/// A story is called sound where the fault is, and only there; its file passes on a healthy world, and fails where the fault is
/// planted: at what the law expects.
fn check_saved_file(fault: Planting, failure: &Failure, drivers: &[Choice]) {
    let healthy = Finding::played(failure.clone()).story.expect_err("a healthy world shows nothing");
    assert!(healthy.contains("passes"), "{fault:?}: a healthy world fails: {healthy}");
    let guard = fault.plant(failure.seed);
    let found = Finding::played(failure.clone());
    drop(guard);
    let story = found.story.unwrap_or_else(|why| panic!("{fault:?}: {why}\n{:?}", failure.steps));
    let text = write::write(&story);
    for driver in drivers {
        let healthy = play(failure, &text, driver);
        assert!(healthy.is_none(), "{fault:?}: a healthy world fails on {}:\n{text}\n{healthy:?}", driver.name());
        let guard = fault.plant(failure.seed);
        let sick = play(failure, &text, driver);
        drop(guard);
        assert!(sick.is_some(), "{fault:?}: a sick world passes on {}:\n{text}", driver.name());
    }
}

fn play(failure: &Failure, text: &str, driver: &Choice) -> Option<runner::Failure> {
    let source = Source::new("found.yaml", text);
    let scenario = parse::parse(&source, &parse::OnDisk).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
    assert!(lint::faults(&scenario, &source).is_empty(), "{text}");
    let runs = runner::play(&scenario, driver, failure.seed, runner::Extras::default()).expect("a run");
    runs.into_iter().find_map(|run| run.failure)
}

#[test]
fn every_planted_fault_is_found_shrunk_to_a_few_steps_and_saved_as_a_file_that_detects_it() {
    each_is_found(OF_THE_WORLD);
}

#[test]
fn every_fault_over_months_is_found_shrunk_to_a_few_steps_and_saved_as_a_file_that_detects_it() {
    each_is_found(OF_MONTHS);
}

fn each_is_found(faults: &[Canary]) {
    for &fault in faults {
        let failure = find(fault);
        assert!(failure.steps.len() <= FEW, "{fault:?} was shrunk to {:?}", failure.steps);
        check_saved_file(Planting::World(fault), &failure, &[Choice::InProcess, Choice::Turmoil]);
    }
}

#[test]
fn a_batch_visits_every_row_of_every_table_and_meets_every_refusal_and_most_commands_pass() {
    let made = |seeds, steps| -> Batch {
        batch(OnWorlds(RunSetup::generated), &Options::of_seeds(seeds, steps, 2), &Watching::NOBODY).expect("a batch")
    };
    let batch = made(0..72, 1_000);
    assert_eq!(batch.failed, 0, "{:?}", batch.findings);
    let coverage = &batch.coverage;
    // All signatories of a company seldom sign in one run: longer runs have one in which they do.
    let longer = made(1..101, 2_000).coverage.tables();
    for (table, longer) in coverage.tables().iter().zip(longer) {
        let never: Vec<_> = table.unvisited.iter().filter(|row| longer.unvisited.contains(row)).collect();
        assert!(never.is_empty(), "{}: {never:?}", table.machine);
    }
    assert!(coverage.refusals().values().all(|&count| count > 0), "{:?}", coverage.refusals());
    let never: Vec<_> = coverage.commands.iter().filter(|(_, ends)| ends[&None] == 0).collect();
    assert!(never.is_empty(), "never accepted: {never:?}");
    let unmet: Vec<_> = coverage.fees.iter().filter(|(_, count)| **count == 0).collect();
    assert!(unmet.is_empty(), "never met: {unmet:?}");
    let unmet: Vec<_> = coverage.charges.iter().filter(|(_, count)| **count == 0).collect();
    assert!(unmet.is_empty(), "never met: {unmet:?}");
    assert!(batch.longest >= Millis::days(3 * 365), "the longest run took {:?}", batch.longest);
    let (accepted, all) = (coverage.accepted(), coverage.tried());
    assert!(accepted * 10 >= all * 6, "{accepted} of {all} commands were accepted");
}
