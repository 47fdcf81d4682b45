//! What a server says of a world's past: its recording, and why something is as it is.
//!
//! Invariant: what must be said follows from the events of the reference world, and from the inputs that were asked for. Absent on
//! purpose: going back (`run`).

use super::model::{ChangeSeen, Made};
use super::run::{HostRun, WORLD_PATH, as_expected, expecting, looks};
use crate::finding::read;
use crate::story::by;
use language::ast::Expected;
use language::diagnostic::Source;
use language::parse::NoFiles;
use oracle::check::Law;
use runner::drivers::Choice;
use runner::{Extras, play};
use serde_json::{Value as Json, json};
use sim::time::Instant;
use uuid::Uuid;

impl HostRun {
    /// What was recorded is played, in process: it can be read, passes, and ends in the same world.
    pub(super) async fn play_recording(&mut self) {
        let Some(Json::String(text)) = self.read(&format!("{WORLD_PATH}/scenario")).await else {
            return self.fail(Law::WellFormedAnswers, "the recording cannot be read");
        };
        if let Err(why) = self.played(&text) {
            self.fail(Law::RecordingPlays, why);
        }
    }

    fn played(&mut self, text: &str) -> Result<(), String> {
        let source = Source::new("recording.yaml", text.to_owned());
        let mut story = read(&source, &NoFiles).map_err(|fault| format!("the recording cannot be read: {fault}"))?;
        // The server says so where the beginning is missing, or what has changed the world.
        if story.incomplete.is_some() || story.about.as_ref().is_some_and(|about| about.contains("may not pass")) {
            return Ok(());
        }
        self.coverage.note_network("recordings played");
        self.coverage.laws.note_if(Law::RecordingPlays, self.has_gone_back || self.host.holds_anything());
        let end = as_expected(&json!({ "digest": self.writer.world.digest().to_string() }));
        story.steps.push(expecting(looks(&format!("{WORLD_PATH}/digest")), end));
        let seed = story.world.seed.unwrap_or_default();
        let runs = play(&story, &Choice::InProcess, seed, Extras::default())
            .map_err(|error| format!("the recording cannot be played: {error}"))?;
        match runs.into_iter().find_map(|run| run.failure) {
            None => Ok(()),
            Some(failure) => Err(format!("the recording fails at `{}`: {}", failure.step, failure.what)),
        }
    }

    /// Something that was made, the newest but so many, is explained: by the input that made it, and by each of its changes.
    pub(super) async fn explain(&mut self, back: usize) {
        let Some(place) = self.host.made.len().checked_sub(1 + back) else { return };
        let made = self.host.made[place].clone();
        let expected = self.host.changes.get(&made.id).cloned().unwrap_or_default();
        let why = by(looks(&format!("{WORLD_PATH}/why/{}?limit=1000", made.id)), made.actor);
        let Some(got) = self.answer(&why).await else {
            return self.fail(Law::ChangesAreNamed, format!("{} is not explained", made.id));
        };
        self.coverage.note_network("explanations");
        self.coverage.laws.note_if(Law::ChangesAreNamed, expected.iter().any(|change| change.timer.is_some()));
        if let Err(what) = is_explained(&made, &expected, &got) {
            self.writer.steps.push(why);
            if got["forgotten"] == json!(0) {
                self.claim(claimed(&made, &expected));
            }
            self.fail(Law::ChangesAreNamed, format!("{} {}: {what}", made.command, made.id));
        }
    }
}

/// Whether an explanation has what made a thing and all its changes; of the oldest none where the server says that some are gone.
fn is_explained(made: &Made, expected: &[ChangeSeen], got: &Json) -> Result<(), String> {
    let changes = got["changes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let are_gone = got["forgotten"].as_u64() != Some(0);
    let by = [json!(made.input), json!(made.command), Json::Null];
    let first = changes.first().map(|first| ["input", "command", "timer"].map(|field| first[field].clone()));
    if !are_gone && first.as_ref() != Some(&by) {
        let shown = |by: Option<[Json; 3]>| by.map_or_else(|| "none".to_owned(), |by| json!(by).to_string());
        return Err(format!("the first change is of {}, expected {}", shown(first), shown(Some(by))));
    }
    let seen: Vec<ChangeSeen> = changes.iter().flat_map(|change| of_change(change, made.id)).collect();
    let expected = if are_gone { &expected[expected.len().saturating_sub(seen.len())..] } else { expected };
    if seen == expected {
        return Ok(());
    }
    let shown = |changes: &[ChangeSeen]| changes.iter().map(ChangeSeen::shown).collect::<Vec<_>>().join(", ");
    Err(format!("its changes are {}, expected {}", shown(&seen), shown(expected)))
}

/// The same as a story expects it.
fn claimed(made: &Made, expected: &[ChangeSeen]) -> Expected {
    let change = |change: &ChangeSeen| {
        let event = as_expected(&json!({ "resource": made.id.to_string(), "eventType": change.event }));
        Expected::Part(vec![
            ("at".to_owned(), Expected::Is(json!(change.at.to_string()))),
            ("timer".to_owned(), Expected::Is(json!(change.timer))),
            ("events".to_owned(), Expected::Contains(vec![event])),
        ])
    };
    // Two events of one change are in one item.
    let changes = expected.chunk_by(|one, other| (one.at, &one.timer) == (other.at, &other.timer));
    let changes = changes.filter_map(|changes| changes.first()).map(change).collect();
    Expected::Part(vec![
        ("changes.0.input".to_owned(), Expected::Is(json!(made.input))),
        ("changes.0.command".to_owned(), Expected::Is(json!(made.command))),
        ("changes".to_owned(), Expected::Contains(changes)),
    ])
}

/// The events of one change that are about this thing.
fn of_change(change: &Json, id: Uuid) -> impl Iterator<Item = ChangeSeen> {
    let at = change["at"].as_str().and_then(|at| Instant::parse(at).ok()).unwrap_or(Instant::MIN);
    let timer = change["timer"].as_str();
    let events = change["events"].as_array().map(Vec::as_slice).unwrap_or_default();
    let own = events.iter().filter(move |event| event["resource"].as_str() == Some(id.to_string().as_str()));
    own.map(move |event| ChangeSeen {
        at,
        event: event["eventType"].as_str().unwrap_or_default().to_owned(),
        timer: timer.map(str::to_owned),
    })
}
