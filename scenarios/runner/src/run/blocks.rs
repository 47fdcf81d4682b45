//! The steps of a story in turn: blocks, steps that are read late, and what continues after a failure.
//!
//! Invariant: a failing step ends the story unless it is soft; a story with a failed soft step fails at its end; a story
//! has an end. Absent on purpose: what the single steps do (`session`).

use super::judge;
use super::outcome::{Failure, Progress, StepResult, Trouble};
use super::session::{OutgoingRequest, Session, ShownPart};
use language::ast::{Act, Actor, Deferred, Expected, Repeat, Rounds, StoryStep, When};
use language::matching::{self, Mismatch};
use language::parse::block::{MOST_ROUNDS, ROUND, SETTINGS};
use language::parse::filled;
use language::template::{TemplateError, fill, fill_json};
use serde_json::{Map, Value as Json};
use std::borrow::Cow;
use std::future::Future;
use std::pin::Pin;

/// Steps that one story carries out at most, those of blocks as often as they are done.
const MOST_STEPS: usize = 100_000;

/// Whether the steps came to their end, or the failure that stopped them.
type Played<'a> = Pin<Box<dyn Future<Output = Result<(), Box<Failure>>> + 'a>>;

impl Session {
    /// Carries steps out in turn; `after` is the one that follows the last.
    pub(super) fn play<'a>(
        &'a mut self,
        steps: Vec<&'a StoryStep>,
        after: Option<&'a StoryStep>,
        progress: &'a mut Progress,
    ) -> Played<'a> {
        Box::pin(async move {
            for (at, step) in steps.iter().enumerate() {
                let next = steps.get(at + 1).copied().or(after);
                if self.skips(step) {
                    continue;
                }
                let outcome = match &step.act {
                    Act::Repeat(block) => self.repeat(step, block, next, progress).await?,
                    Act::When(block) => self.when(step, block, next, progress).await?,
                    _ => self.single(step, next).await,
                };
                if progress.steps >= MOST_STEPS {
                    let trouble = Trouble::new(format!("it has made {MOST_STEPS} steps"));
                    return Err(Box::new(self.failed(step, trouble).await));
                }
                match outcome {
                    Ok(()) => progress.steps += 1,
                    Err(trouble) if step.soft => {
                        let failure = self.failed(step, trouble).await;
                        self.transcript.note(&format!("not as expected: {}", failure.what));
                        progress.soft.push(failure);
                    }
                    Err(trouble) => return Err(Box::new(self.failed(step, trouble).await)),
                }
            }
            Ok(())
        })
    }

    /// A step that is no block.
    async fn single(&mut self, step: &StoryStep, next: Option<&StoryStep>) -> StepResult {
        let read;
        let step = match &step.act {
            Act::Deferred(late) => {
                read = StoryStep { act: self.read_deferred(late)?, ..step.clone() };
                // What it is could not be seen before.
                if self.skips(&read) {
                    return Ok(());
                }
                &read
            }
            _ => step,
        };
        let outcome = self.step(step, next).await;
        self.watch_application().await;
        self.concluded(step, outcome)
    }

    fn read_deferred(&self, late: &Deferred) -> StepResult<Act> {
        let value = fill_json(&late.value, &self.names)?;
        filled::read(late, &value).map_err(Trouble::new)
    }

    async fn repeat(
        &mut self,
        step: &StoryStep,
        block: &Repeat,
        next: Option<&StoryStep>,
        progress: &mut Progress,
    ) -> Result<StepResult, Box<Failure>> {
        self.transcript.step(&self.now, &language::write::write_step(step));
        let rounds = match self.rounds(&block.rounds) {
            Ok(rounds) => rounds,
            Err(trouble) => return Ok(Err(trouble)),
        };
        let of = rounds.len();
        for (at, values) in rounds.into_iter().enumerate() {
            self.transcript.note(&format!("round {} of {of}", at + 1));
            self.names.set(ROUND, Json::from(at + 1));
            values.into_iter().for_each(|(name, value)| self.names.set(&name, value));
            let after = if at + 1 < of { block.steps.first() } else { next };
            self.play(block.steps.iter().collect(), after, progress).await?;
        }
        Ok(Ok(()))
    }

    /// The values of each round.
    fn rounds(&self, rounds: &Rounds) -> StepResult<Vec<Vec<(String, Json)>>> {
        match rounds {
            Rounds::Times(times) => {
                let times = fill_json(times, &self.names)?;
                let text = match &times {
                    Json::String(text) => Cow::Borrowed(text.as_str()),
                    other => Cow::Owned(other.to_string()),
                };
                let count = text.parse().ok().filter(|count| *count <= MOST_ROUNDS);
                let count = count.ok_or_else(|| {
                    Trouble::new(format!("`{text}` is not a number of rounds: a whole number up to {MOST_ROUNDS} is"))
                })?;
                Ok((0..count).map(|_| Vec::new()).collect())
            }
            Rounds::Each(lists) => {
                let mut of_lists = Vec::new();
                for (name, list) in lists {
                    match fill_json(list, &self.names)? {
                        Json::Array(items) => of_lists.push((name, items)),
                        other => {
                            return Err(Trouble::new(format!("`{name}` is not a list but {}", matching::show(&other))));
                        }
                    }
                }
                let length = of_lists.first().map_or(0, |(_, items)| items.len());
                if let Some((name, items)) = of_lists.iter().find(|(_, items)| items.len() != length) {
                    return Err(Trouble::new(format!(
                        "`{name}` has {} items, and the first list {length}",
                        items.len()
                    )));
                }
                let round =
                    |at: usize| of_lists.iter().map(|(name, items)| ((*name).clone(), items[at].clone())).collect();
                Ok((0..length).map(round).collect())
            }
        }
    }

    async fn when(
        &mut self,
        step: &StoryStep,
        block: &When,
        next: Option<&StoryStep>,
        progress: &mut Progress,
    ) -> Result<StepResult, Box<Failure>> {
        self.transcript.step(&self.now, &language::write::write_step(step));
        let mismatches = match self.unmet(&block.conditions).await {
            Ok(mismatches) => mismatches,
            Err(trouble) => return Ok(Err(trouble)),
        };
        let steps = if mismatches.is_empty() { &block.steps } else { &block.otherwise };
        if let Some(first) = mismatches.first() {
            self.transcript.note(&format!("not so: {} is {}", first.path, first.got));
        }
        self.play(steps.iter().collect(), next, progress).await?;
        Ok(Ok(()))
    }

    async fn unmet(&mut self, conditions: &[(String, Expected)]) -> StepResult<Vec<Mismatch>> {
        let mut found = Vec::new();
        for (name, expected) in conditions {
            let value = match name.split_once('.') {
                Some((SETTINGS, setting)) => self.settings().await?.get(setting).cloned(),
                _ => match fill(&format!("{{{name}}}"), &self.names) {
                    Ok(value) => Some(value),
                    Err(TemplateError::NoSuchPart { .. }) => None,
                    Err(error) => return Err(error.into()),
                },
            };
            let differences = matching::compare(expected, value.as_ref(), &self.names)?;
            found.extend(differences.into_iter().map(|difference| judge::below(name, difference)));
        }
        Ok(found)
    }

    /// All settings of the world by their names.
    async fn settings(&mut self) -> StepResult<Map<String, Json>> {
        let call = OutgoingRequest::new("GET", "/_sandbox/worlds/current/settings");
        let Some(answer) =
            self.send(Actor::default(), call, ShownPart::Nothing).await?.filter(|answer| answer.is_good())
        else {
            return Err(Trouble::new("the settings cannot be read"));
        };
        let Json::Object(mut all) = answer.body else { return Err(Trouble::new("the settings cannot be read")) };
        if let Some(Json::Object(of_world)) = all.shift_remove("world") {
            all.extend(of_world);
        }
        Ok(all)
    }

    /// The same trouble with its secrets masked: an application may show what it was sent.
    fn without_secrets(&self, trouble: Trouble) -> Trouble {
        let hidden = |text: String| self.transcript.hidden(&text);
        let of = |Mismatch { path, expected, got }| Mismatch { path, expected: hidden(expected), got: hidden(got) };
        let mismatches = trouble.mismatches.into_iter().map(of).collect();
        Trouble { what: hidden(trouble.what), mismatches, ..trouble }
    }

    /// The failure of a step, with why the resources that it speaks of are as they are now: a story continues after a soft
    /// step.
    async fn failed(&mut self, step: &StoryStep, trouble: Trouble) -> Failure {
        let trouble = if self.joined.is_some() { self.without_secrets(trouble) } else { trouble };
        Failure {
            why: self.why(step).await,
            place: step.place.clone(),
            application: self.observed().await,
            history: self.history(),
            ..trouble.into_failure(language::write::write_step(step))
        }
    }
}
