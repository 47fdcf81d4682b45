//! The ready-made stories: all well formed, all with the same outcome on every driver, seed by seed and process by process.

use crate::cli::fundsim;
use runner::drivers::Choice;
use runner::report::text;
use runner::suite::{self, Options, StoryOutcome};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Fewer stories than this and some were lost.
const LEAST: usize = 56;

/// Every ready-made story file.
pub(crate) fn stories() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let files = suite::find(&[folder]).expect("the folder is there");
    assert!(files.len() >= LEAST, "only {} stories", files.len());
    files
}

fn well_formed() -> Vec<suite::StoryFile> {
    let (stories, unreadable) = suite::load(&stories());
    let faults = unreadable.iter().flat_map(|file| &file.faults).map(|fault| fault.render(false));
    assert!(unreadable.is_empty(), "{}", faults.collect::<String>());
    stories
}

#[test]
fn every_story_is_well_formed_asserts_something_and_has_its_transcript_beside_it() {
    for story in well_formed() {
        assert!(!story.scenario.tags.is_empty(), "{} has no tag", story.path.display());
        assert!(
            // An application answers in real time, in words of its own.
            story.scenario.application_step().is_some() || suite::golden_path(&story.path).is_file(),
            "{} has no transcript; run with --bless",
            story.path.display()
        );
    }
    for story in stories() {
        let text = std::fs::read_to_string(&story).expect("a file");
        assert!(text.starts_with("fundsim: 1\n"), "{} does not name its format", story.display());
    }
}

/// Plays all stories, two at a time; each is played twice and compared with its golden.
fn all_pass(driver: Choice) {
    let stories = well_formed();
    let options = Options::new(driver);
    let next = Mutex::new(stories.iter());
    let failed = Mutex::new(String::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(story) = next.lock().expect("no panic").next() else { return };
                    let result = suite::play_file(story, &options);
                    if matches!(result.outcome, StoryOutcome::Failed(_)) {
                        failed.lock().expect("no panic").push_str(&text::file(&result, None, text::Whys::Full));
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("no panic");
    assert!(failed.is_empty(), "{failed}");
}

#[test]
fn all_stories_pass_in_process_twice_the_same_and_as_written_down() {
    all_pass(Choice::InProcess);
}

#[test]
fn all_stories_pass_over_a_simulated_network_twice_the_same_and_as_written_down() {
    all_pass(Choice::Turmoil);
}

/// File and digest of every story of a run in a process of its own.
fn digests(driver: &str, seed: u64) -> Vec<(String, String)> {
    let seed = seed.to_string();
    let paths = [
        "scenarios/orders/subscription-whole-life.yaml",
        "scenarios/calendar/easter-2026.yaml",
        "scenarios/errors/cancel-too-late.yaml",
        "scenarios/journeys/open-an-isk.yaml",
        "scenarios/faults/receiver-misbehaves.yaml",
    ];
    let output = fundsim(&[&["run"], &paths[..], &["--driver", driver, "--seed", &seed, "--output", "json"]].concat());
    let results: Json = serde_json::from_str(output.out.lines().last().unwrap_or_default())
        .unwrap_or_else(|error| panic!("seed {seed}: {error}: {}{}", output.out, output.err));
    let files = results["files"].as_array().expect("a list");
    assert_eq!(
        output.code,
        0,
        "seed {seed}: {results}\nagain: fundsim run {} --driver {driver} --seed {seed}",
        paths.join(" ")
    );
    files.iter().map(|file| (file["file"].to_string(), file["digest"].to_string())).collect()
}

/// `FUNDSIM_TEST_RUNS` sets how many seeds; 100 is what continuous integration asks for.
#[test]
fn one_seed_is_one_transcript_in_every_process_and_on_every_driver() {
    let runs = std::env::var("FUNDSIM_TEST_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(3);
    let base: u64 = std::env::var("FUNDSIM_TEST_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1_000);
    let mut seen = Vec::new();
    for seed in base..base + runs {
        let first = digests("turmoil", seed);
        assert_eq!(first, digests("turmoil", seed), "two processes, seed {seed}");
        assert_eq!(first, digests("in-process", seed), "two drivers, seed {seed}");
        assert!(!seen.contains(&first), "seed {seed} tells what another one told");
        seen.push(first);
    }
}
