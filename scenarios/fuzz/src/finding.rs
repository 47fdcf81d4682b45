//! What a batch has found: a failure, and whether its story shows it to somebody who plays it.
//!
//! Invariant: a story is called sound only after it was played here and failed at what the law expects. Absent on purpose:
//! where findings are kept (`report`).

use super::failure::{Failure, Level};
use super::story::Story;
use language::ast::Scenario;
use language::diagnostic::{Diagnostic, Source};
use language::{lint, parse, write};
use runner::drivers::Choice;

/// A failure, and whether a story shows it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The failure.
    pub failure: Failure,
    /// The story that shows it, or why none does.
    pub story: Result<Scenario, String>,
}

impl Finding {
    /// A failure whose story has been played, in the place where it was found.
    #[must_use]
    pub fn played(failure: Failure) -> Self {
        let driver = match failure.level {
            Level::World => Choice::InProcess,
            Level::Network | Level::Host => Choice::Turmoil,
            Level::Consumer => {
                return Self { failure, story: Err("the partner that keeps a copy is in no story".to_owned()) };
            }
        };
        let story = match &failure.story {
            None => Err("its shrinking came to no story".to_owned()),
            Some(story) => shows(story, &driver, failure.seed).map(|()| story.scenario.clone()),
        };
        Self { failure, story }
    }
}

/// Plays a story as its file says it: whether it fails where the law expects something.
fn shows(story: &Story, driver: &Choice, seed: u64) -> Result<(), String> {
    let source = Source::new("found.yaml", write::write(&story.scenario));
    let scenario = read(&source, &parse::OnDisk).map_err(|fault| format!("its story cannot be read: {fault}"))?;
    let runs = runner::play(&scenario, driver, seed, runner::Extras::default())
        .map_err(|error| format!("its story cannot be played: {error}"))?;
    let failed = runs.into_iter().find_map(|run| Some((run.steps, run.failure?)));
    match failed {
        None => Err("its story passes: what is wrong cannot be seen by its steps".to_owned()),
        Some((_, failure)) if failure.names_nothing => Err(format!("its story cannot be played: {failure}")),
        Some((passed, _)) if passed >= story.claims_from => Ok(()),
        Some((_, failure)) => Err(format!("its story ends before what the law expects, at `{}`", failure.step)),
    }
}

/// A story as `fundsim check` takes it; its first fault where it has one.
pub(crate) fn read(source: &Source, files: &dyn parse::Files) -> Result<Scenario, String> {
    let first = |faults: Vec<Diagnostic>| faults.first().map(ToString::to_string).unwrap_or_default();
    let scenario = parse::parse(source, files).map_err(first)?;
    let faults = lint::faults(&scenario, source);
    if faults.is_empty() { Ok(scenario) } else { Err(first(faults)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_story_shows_something_where_its_claim_fails_and_not_before_or_for_want_of_a_name() {
        let step = |what: &str| format!("  - call: GET /account/{what}\n    expect: {{ status: 200 }}\n");
        let story = |steps: &[&str]| {
            let opens = "scenario: a story\nworld: { seed: 1 }\nsteps:\n  - open account: { as: anna }\n";
            let text: String = std::iter::once(opens.to_owned()).chain(steps.iter().map(|what| step(what))).collect();
            let scenario = read(&Source::new("story.yaml", text.as_str()), &parse::OnDisk).expect("a story");
            shows(&Story { scenario, claims_from: 2 }, &Choice::InProcess, 1)
        };
        assert_eq!(story(&["{anna.id}", "00000000-0000-0000-0000-000000000000"]), Ok(()));
        for (steps, why) in [
            (&["{anna.id}", "{anna.id}"][..], "its story passes"),
            (&["00000000-0000-0000-0000-000000000000", "{anna.id}"], "its story ends before"),
            (&["{anna.id}", "{anna.size}"], "its story cannot be played"),
        ] {
            let got = story(steps).expect_err("a story that shows nothing");
            assert!(got.starts_with(why), "{steps:?}: {got}");
        }
    }
}
