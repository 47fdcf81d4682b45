//! Exercises of an application under test: customers and bad days are drawn, played through the application, and what it holds at rest is
//! compared with the service's books.
//!
//! Owns: a batch of runs, and the shrinking of a difference to the story that shows it. Invariant: a run is a scenario file, and is played as
//! `fundsim run --app` plays it. Absent on purpose: anything about an application that its map does not say in the words of stories.

mod bad_days;
mod map;
mod step;
mod story;

pub use bad_days::{BAD_DAYS, BadDay};
pub use map::{ApplicationMap, KEYS, ROWS};
pub use step::ExerciseStep;

use crate::shrink::{Patience, shrink, started};
use bytes::Bytes;
use language::ast::Scenario;
use language::diagnostic::{Diagnostic, Source};
use language::parse::{OnDisk, parse};
use runner::drivers::Choice;
use runner::report::capsule;
use runner::report::text::{Whys, step as shown};
use runner::{Extras, Failure, play};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;
use step::ExerciseSteps;
use story::{Check, Written, written};

/// Most tries of a shrinking.
const MOST_TRIES: usize = 80;
/// How long shrinking may take.
const SHRINKING: Duration = Duration::from_secs(120);
/// The file that a run is, as its failures name it.
const FILE: &str = "exercise.yaml";

/// What to exercise, and for how long.
pub struct Exercise<'m> {
    /// The sandbox, and the application that uses it.
    pub server: &'m Choice,
    /// How the application is used.
    pub map: &'m ApplicationMap,
    /// The first seed; the next ones follow.
    pub seed: u64,
    /// Steps drawn for each run.
    pub steps: usize,
    /// How long runs are begun.
    pub time: Duration,
}

/// How a batch came out.
#[derive(Debug, Default)]
pub struct Exercised {
    /// Runs that were played to their end.
    pub runs: u64,
    /// Steps of these runs.
    pub steps: usize,
    /// Runs that ended early: the sandbox refused what banks, fund companies or time were to do, which says nothing of the application.
    pub refused: u64,
    /// What the first of them met, in words.
    pub refusal: Option<String>,
    /// The first difference, shrunk.
    pub found: Option<Difference>,
}

/// A run in which the application was not as it must be.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Its seed.
    pub seed: u64,
    /// What was not as it must be.
    pub failure: Failure,
    /// Steps before it was shrunk, and after.
    pub steps: (usize, usize),
    /// How often it was tried while it was shrunk.
    pub tries: usize,
    /// The world of the sandbox at the end, as the server writes it, or why it does not; none where the operator's plane is closed.
    capsule: Option<Result<Bytes, String>>,
    drawn: Vec<ExerciseStep>,
    kind: Kind,
}

/// What a run has come to.
type Played = (Option<(Kind, Failure)>, usize, Option<Result<Bytes, String>>);

/// What makes two differences the same.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// A comparison at rest, whichever customer's.
    Holdings(&'static str),
    /// A step of a fragment that failed: its file and word, and what was not as expected of it.
    Step(String, Vec<String>),
    /// A step of the exercise itself that the sandbox refused.
    Refused,
}

/// Draws and plays runs until one differs, the time is over, or `is_over`.
///
/// # Errors
/// When nothing can be played at all.
pub fn exercise(
    what: &Exercise<'_>,
    is_over: impl Fn() -> bool,
    mut progress: impl FnMut(&Exercised, &str),
) -> io::Result<Exercised> {
    let begun = started();
    let mut all = Exercised::default();
    for seed in what.seed.. {
        if is_over() || begun.elapsed() >= what.time {
            break;
        }
        let drawn: Vec<ExerciseStep> = ExerciseSteps::new(what.map, seed).take(what.steps).collect();
        let (played, steps, _) = what.played(seed, &drawn, Extras::default())?;
        all.runs += 1;
        all.steps += steps;
        if let Some((Kind::Refused, failure)) = &played {
            all.refused += 1;
            all.refusal.get_or_insert_with(|| failure.what.clone());
        }
        progress(&all, "");
        if let Some((kind, failure)) = played.filter(|(kind, _)| *kind != Kind::Refused) {
            let mut tries = 0;
            let found = what.shrunk(seed, drawn, kind, failure, || {
                tries += 1;
                progress(&all, &format!("shrinking seed {seed}, try {tries}"));
                is_over()
            });
            all.found = Some(found);
            break;
        }
    }
    match &all.refusal {
        // Nothing was compared, so nothing is known of the application.
        Some(refusal) if all.refused == all.runs => Err(io::Error::other(format!(
            "no run came to a comparison: the sandbox refused what banks, fund companies or time were to do: {refusal}"
        ))),
        _ => Ok(all),
    }
}

impl Exercise<'_> {
    /// Plays what was drawn: what was not as it must be, how many steps did something, and the world at the end where that is asked for.
    fn played(&self, seed: u64, drawn: &[ExerciseStep], extras: Extras) -> io::Result<Played> {
        let written = written(self.map, &self.head(seed, None), drawn, None, &absolute);
        let scenario = read(&written.text).map_err(io::Error::other)?;
        let run = play(&scenario, self.server, seed, extras)?.into_iter().next();
        let run = run.ok_or_else(|| io::Error::other("nothing was run"))?;
        let found = run.failure.map(|failure| (kind(&failure, &written), failure));
        Ok((found, written.steps, run.capsule))
    }

    fn shrunk(
        &self,
        seed: u64,
        drawn: Vec<ExerciseStep>,
        kind: Kind,
        first: Failure,
        mut is_over: impl FnMut() -> bool,
    ) -> Difference {
        let before = written(self.map, "", &drawn, None, &absolute).steps;
        let (mut last, mut world) = (first, None);
        let extras = Extras { capsule: true, ..Extras::default() };
        let least = shrink(drawn, Patience::of(MOST_TRIES, SHRINKING), |drawn| {
            if is_over() {
                return false;
            }
            // A try that cannot be played is none.
            match self.played(seed, drawn, extras) {
                Ok((Some((of, failure)), _, capsule)) if of == kind => {
                    (last, world) = (failure, capsule);
                    true
                }
                _ => false,
            }
        });
        let after = written(self.map, "", &least.steps, None, &absolute).steps;
        Difference {
            seed,
            failure: last,
            steps: (before, after),
            tries: least.tries,
            capsule: world,
            drawn: least.steps,
            kind,
        }
    }

    /// The beginning of the file of a run.
    fn head(&self, seed: u64, about: Option<&str>) -> String {
        let about = about.map(|about| format!("about: {}\n", serde_json::Value::from(about))).unwrap_or_default();
        let world =
            if self.map.can("fresh") { "" } else { "world: { settings: { deliveryWaitsSeconds: [1, 1, 1] } }\n" };
        format!(
            "fundsim: 1\nscenario: What the application holds after the days of seed {seed} is what the service says\n{about}{world}steps:\n"
        )
    }

    /// Keeps a difference as a story of its own, and the world in which it was seen last, where the server gives it.
    ///
    /// # Errors
    /// When the folder or a file cannot be written.
    pub fn save(&self, difference: &Difference, folder: &Path) -> io::Result<(PathBuf, Option<PathBuf>)> {
        fs::create_dir_all(folder)?;
        let folder_there = folder.canonicalize()?;
        let name = match &difference.kind {
            Kind::Holdings(what) => (*what).to_owned(),
            Kind::Step(..) | Kind::Refused => "step".to_owned(),
        };
        let path = folder.join(format!("exercise-{}-{name}.yaml", difference.seed));
        let story = self.text(difference, &|file| relative(&folder_there, file));
        fs::write(&path, &story)?;
        let Some(Ok(world)) = &difference.capsule else { return Ok((path, None)) };
        let about = capsule::Run {
            name: format!("the days of seed {}", difference.seed),
            failure: shown(None, &difference.failure, Whys::Short),
            story: Some(story),
            ..capsule::Run::default()
        };
        let kept = path.with_extension("capsule.json");
        capsule::write(&kept, world, about)?;
        Ok((path, Some(kept)))
    }

    /// The story of a difference: the steps that are left, and the comparison that fails.
    fn text(&self, difference: &Difference, path_of: &dyn Fn(&Path) -> String) -> String {
        let about =
            format!("Found by fundsim exercise: {}", difference.failure.what.split(": ").next().unwrap_or_default());
        let head = self.head(difference.seed, Some(&about));
        // A step that fails comes before every comparison; one of them is left, since a story asserts something.
        let played = written(self.map, &self.head(difference.seed, None), &difference.drawn, None, &absolute);
        let only = check_of(&difference.failure, &played).unwrap_or(Check::Cash(0));
        written(self.map, &head, &difference.drawn, Some(&only), path_of).text
    }
}

impl Difference {
    /// What was found, in words, with the story that shows it.
    #[must_use]
    pub fn text(&self, story: &str) -> String {
        let (before, after) = self.steps;
        let mut text = format!("the application is not right after the days of seed {}\n", self.seed);
        text.push_str(&shown(None, &self.failure, Whys::Short));
        text.push_str(&format!("\n  shrunk from {before} steps to {after} in {} tries:\n", self.tries));
        let steps = story.lines().skip_while(|line| *line != "steps:").skip(1);
        steps.for_each(|line| text.push_str(&format!("  {line}\n")));
        if let Some(Err(why)) = &self.capsule {
            text.push_str(&format!("  its world cannot be kept: {why}\n"));
        }
        text
    }
}

/// The comparison that a failure is about, where it is about one.
fn check_of(failure: &Failure, written: &Written) -> Option<Check> {
    let place = failure.place.as_ref().filter(|place| &*place.path == FILE)?;
    let found = written.checks.iter().find(|(lines, _)| lines.contains(&place.line));
    found.map(|(_, check)| check.clone())
}

const fn word(check: &Check) -> &'static str {
    match check {
        Check::Orders(_) => "orders",
        Check::Cash(_) => "cash",
        Check::Units(..) => "units",
    }
}

fn kind(failure: &Failure, written: &Written) -> Kind {
    if let Some(check) = check_of(failure, written) {
        // Where nothing was compared, the sandbox has not answered what it was asked beside the application.
        let is_of_application = failure.step.starts_with("expect app");
        let is_compared = is_of_application || !failure.mismatches.is_empty();
        return if is_compared { Kind::Holdings(word(&check)) } else { Kind::Refused };
    }
    let fragment = failure.place.as_ref().filter(|place| &*place.path != FILE);
    let Some(place) = fragment else { return Kind::Refused };
    let paths = failure.mismatches.iter().map(|mismatch| mismatch.path.clone()).collect();
    Kind::Step(format!("{}:{}", place.path, place.written), paths)
}

fn read(text: &str) -> Result<Scenario, String> {
    let source = Source::new(FILE, text);
    let text_of = |faults: Vec<Diagnostic>| faults.iter().map(|fault| fault.render(false)).collect::<String>();
    parse(&source, &OnDisk).map_err(text_of)
}

fn absolute(file: &Path) -> String {
    file.display().to_string()
}

/// The path to a file from a folder, both without links.
fn relative(folder: &Path, file: &Path) -> String {
    let (from, to): (Vec<Component<'_>>, Vec<_>) = (folder.components().collect(), file.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..".to_owned(), from.len() - shared);
    let down = to[shared..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use language::lint;
    use serde_json::json;

    /// A map whose fragments are stories of this repository.
    fn map(name: &str) -> ApplicationMap {
        let folder = std::env::temp_dir().join(format!("fundsim-exercise-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let fragment = |name: &str, steps: &str| {
            fs::write(folder.join(name), format!("fragment: {name}\nsteps:\n{steps}")).expect("a file");
        };
        fragment(
            "customer.yaml",
            "  - app: POST /customers\n    body: { cash: \"{cash}\" }\n    save: { customer: $.id, account: $.account }\n",
        );
        for key in ["deposit", "buy", "sell", "connect", "withdraw", "rest", "fresh"] {
            let save = if key == "withdraw" { "    save: { payout: $.id }\n" } else { "" };
            fragment(&format!("{key}.yaml"), &format!("  - app: POST /{key}\n{save}"));
        }
        let mut file = json!({ "customer": "customer.yaml", "holdings": { "cash": "accounts[?@.account == '{account}'].cash", "units": "of['{account}']['{fund}']" } });
        for key in ["deposit", "buy", "sell", "connect", "withdraw", "rest", "fresh"] {
            file[key] = format!("{key}.yaml").into();
        }
        let path = folder.join("map.yaml");
        fs::write(&path, file.to_string()).expect("a file");
        ApplicationMap::load(&path, "GET /holdings").expect("a map")
    }

    #[test]
    fn every_run_is_a_story_without_a_mistake_whatever_is_taken_away_from_it() {
        let map = map("stories");
        for seed in 1..40 {
            let drawn: Vec<_> = ExerciseSteps::new(&map, seed).take(14).collect();
            for skip in 0..drawn.len() {
                let mut rest = drawn.clone();
                rest.remove(skip);
                let head = "fundsim: 1\nscenario: A run\nsteps:\n";
                let text = written(&map, head, if skip == 0 { &drawn } else { &rest }, None, &absolute).text;
                let scenario = read(&text).unwrap_or_else(|why| panic!("{text}\n{why}"));
                let faults = lint::faults(&scenario, &Source::new(FILE, text.as_str()));
                assert!(faults.is_empty(), "{text}\n{}", faults[0].render(false));
            }
        }
    }

    #[test]
    fn one_seed_gives_one_run_and_every_bad_day_comes() {
        let map = map("seeds");
        let drawn = |seed| ExerciseSteps::new(&map, seed).take(14).collect::<Vec<_>>();
        assert_eq!(drawn(7), drawn(7));
        let all: Vec<_> = (1..200).flat_map(drawn).collect();
        for (row, day) in BAD_DAYS.iter().enumerate() {
            let is_it = |step: &ExerciseStep| matches!(step, ExerciseStep::Bad(drawn, _) if usize::from(*drawn) == row);
            assert!(all.iter().any(is_it), "{}", day.about);
        }
        assert!(all.contains(&ExerciseStep::Bounce), "payouts bounce");
    }

    #[test]
    fn a_file_is_named_from_where_the_story_is_kept() {
        let from = |folder: &str, file: &str| relative(Path::new(folder), Path::new(file));
        assert_eq!(from("/a/b", "/a/b/c.yaml"), "c.yaml");
        assert_eq!(from("/a/b/found", "/a/b/c.yaml"), "../c.yaml");
        assert_eq!(from("/a/found", "/x/c.yaml"), "../../x/c.yaml");
    }
}
