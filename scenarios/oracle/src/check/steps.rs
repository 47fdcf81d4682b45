//! Law 27, of the steps of a journey: which are shown, what each asks, how far the customer is, and what is kept of the answers.
//!
//! Invariant: what is expected was reckoned before the command, or is reckoned from the model's books. Absent on purpose: whether answers
//! are accepted, which is compared for every command.

use super::{Claim, Fact, Fields, Judge, Law};
use crate::model::{KeptAnswer, KeptSteps};
use sim::ids::JourneyId;
use sim::machines::journey::State;
use sim::query::{FieldKind, FieldView, StepState, StepView};
use sim::records::{Answers, JourneyStep};
use sim::{World, query};
use std::cmp::Ordering;
use std::sync::Arc;

impl Judge {
    /// Each step keeps what was answered to its fields, and nothing else; the steps beside it keep what they had.
    pub(super) fn answers_are_kept(&mut self, world: &World, expected: &KeptSteps) {
        let id = expected.journey;
        let progress = query::journey_by_link(world, id).map(|journey| Arc::clone(&journey.progress));
        let Some(progress) = progress else { return };
        for step in JourneyStep::ALL {
            if step == JourneyStep::Agreement && !expected.knows_agreement {
                continue;
            }
            let fields = expected.steps.iter().find(|(known, _)| *known == step).map(|(_, fields)| fields);
            let name = step.name();
            let keeps = |field: &KeptAnswer| {
                let facts = vec![("name", Fact::text(&field.name)), ("values", Fact::Texts(field.shown()?.to_vec()))];
                Some(Claim::Asks { journey: id, step, fields: vec![facts], all: false })
            };
            let wrong = match (progress.of(step), fields) {
                (None, None) => None,
                (Some(_), None) => Some((format!("`{name}` is answered, and should not be"), None)),
                (None, Some(fields)) => {
                    let claim = fields.iter().filter(|field| !field.is_empty()).find_map(keeps);
                    Some((format!("`{name}` keeps nothing of its answers"), claim))
                }
                (Some(kept), Some(fields)) => {
                    let differs = fields.iter().find_map(|field| Some((field, field.difference(kept)?)));
                    let is_asked = |name: &Arc<str>| fields.iter().any(|field| field.name == *name);
                    let unasked = || unasked(kept, is_asked);
                    let in_words = |(field, (got, expected)): (&KeptAnswer, (String, String))| {
                        let what = format!("`{name}` keeps {got} as `{}`, expected {expected}", field.name);
                        (what, keeps(field))
                    };
                    let beside = || Some((format!("`{name}` keeps `{}`, which it does not ask", unasked()?), None));
                    differs.map(in_words).or_else(beside)
                }
            };
            if let Some((wrong, claim)) = wrong {
                self.fail(Law::JourneyPath, world.now(), || format!("journey {id}: {wrong}"), claim);
            }
        }
    }

    /// A journey that has not ended shows its steps, each with its fields; the customer is at the first that is not answered.
    pub(super) fn steps_are_shown(&mut self, world: &World, id: JourneyId, all: bool) {
        let Some(journey) = query::journey_by_link(world, id) else { return };
        if journey.state.is_terminal() || (!all && journey.state == State::New) {
            return;
        }
        let Some(form) = self.model.form(world, journey, &journey.progress) else { return };
        let current = form.current();
        let (got, expected): (Vec<StepView>, Vec<JourneyStep>) = if all {
            (query::journey_steps(world, id), form.steps().collect())
        } else {
            (query::journey_step(world, id, current).into_iter().collect(), vec![current])
        };
        let state = |step: &JourneyStep| match step.cmp(&current) {
            Ordering::Less => StepState::Done,
            Ordering::Equal => StepState::Current,
            Ordering::Greater => StepState::Ahead,
        };
        let is_same = |got: &StepView, step: &JourneyStep| (got.step, got.state) == (*step, state(step));
        if got.len() != expected.len() || !got.iter().zip(&expected).all(|(got, step)| is_same(got, step)) {
            let at = query::journey_current(world, id).map_or("no step", JourneyStep::name);
            let shown: Vec<JourneyStep> = query::journey_steps(world, id).into_iter().map(|shown| shown.step).collect();
            let should: Vec<JourneyStep> = form.steps().collect();
            let what = || {
                let (shown, steps, current) = (names(&shown), names(&should), current.name());
                format!("journey {id} shows {shown} and is at {at}, expected {steps} and {current}")
            };
            let steps =
                should.iter().map(|step| vec![("step", Fact::text(step.name())), ("state", in_word(state(step)))]);
            let claim = Claim::Steps(id, steps.collect());
            return self.fail(Law::JourneyPath, world.now(), what, Some(claim));
        }
        let wrong = got.into_iter().find_map(|StepView { step, fields: got, .. }| {
            let expected = form.fields_of(step, &got);
            let (at, difference) = difference(&got, &expected)?;
            let claim = Claim::Asks { journey: id, step, fields: facts(&expected, at), all: true };
            Some((format!("`{}` asks {difference}", step.name()), claim))
        });
        if let Some((wrong, claim)) = wrong {
            self.fail(Law::JourneyPath, world.now(), || format!("journey {id}: {wrong}"), Some(claim));
        }
    }
}

fn in_word(state: StepState) -> Fact {
    Fact::text(match state {
        StepState::Done => "done",
        StepState::Current => "current",
        StepState::Ahead => "ahead",
    })
}

fn names(steps: &[JourneyStep]) -> String {
    steps.iter().map(|step| step.name()).collect::<Vec<_>>().join(", ")
}

/// What a reader sees of fields: all of one, and of the others what does not depend on ids.
fn facts(fields: &[FieldView], at: usize) -> Vec<Fields> {
    let texts = |texts: &[Arc<str>]| Fact::Texts(texts.iter().map(ToString::to_string).collect());
    let of = |(place, field): (usize, &FieldView)| {
        let mut facts = vec![
            ("name", Fact::text(&field.name)),
            ("required", Fact::Flag(field.required)),
            ("readOnly", Fact::Flag(field.read_only)),
        ];
        if place == at {
            facts.extend([("values", texts(&field.values)), ("suggestion", texts(&field.suggestion))]);
        }
        facts
    };
    fields.iter().enumerate().map(of).collect()
}

/// A field that keeps something and is not asked.
fn unasked(kept: &Answers, is_asked: impl Fn(&Arc<str>) -> bool) -> Option<&Arc<str>> {
    kept.0.iter().map(|(name, _)| name).find(|name| !is_asked(name))
}

/// The place of the first field in which a step differs from what is expected, and how it does.
fn difference(got: &[FieldView], expected: &[FieldView]) -> Option<(usize, String)> {
    let differs = |at: &usize| match (got.get(*at), expected.get(*at)) {
        (Some(got), Some(expected)) => !is_same(got, expected),
        (None, None) => false,
        _ => true,
    };
    let at = (0..got.len().max(expected.len())).find(differs)?;
    Some((at, format!("{}, expected {}", in_words(got.get(at)), in_words(expected.get(at)))))
}

fn is_same(one: &FieldView, other: &FieldView) -> bool {
    let of = |field: &FieldView| (Arc::clone(&field.name), field.key, field.kind, field.read_only, field.required);
    let texts = |field: &FieldView| (field.values.clone(), field.suggestion.clone());
    let choices = |field: &FieldView| field.choices.iter().map(|choice| Arc::clone(&choice.value)).collect::<Vec<_>>();
    of(one) == of(other) && texts(one) == texts(other) && choices(one) == choices(other)
}

/// A field as a reader sees it.
fn in_words(field: Option<&FieldView>) -> String {
    let Some(field) = field else { return "nothing more".to_owned() };
    let kind = match field.kind {
        FieldKind::Text { max } => format!("a text of at most {max} characters"),
        FieldKind::Choice => "a choice".to_owned(),
        FieldKind::Choices => "choices".to_owned(),
        FieldKind::Flag => "yes or no".to_owned(),
        FieldKind::PersonalNumber => "a personal number".to_owned(),
        FieldKind::PersonalNumbers => "personal numbers".to_owned(),
        FieldKind::OrganisationNumber => "an organisation number".to_owned(),
        FieldKind::Email => "an e-mail address".to_owned(),
        FieldKind::Iban => "an IBAN".to_owned(),
        FieldKind::Amount => "an amount".to_owned(),
        FieldKind::Percent => "a share".to_owned(),
        FieldKind::Day => "a day of the month".to_owned(),
        FieldKind::Date => "a date".to_owned(),
        FieldKind::Countries => "countries".to_owned(),
    };
    let list = |texts: &[Arc<str>]| texts.join(" ");
    let choices: Vec<_> = field.choices.iter().map(|choice| Arc::clone(&choice.value)).collect();
    let parts = [
        Some(kind),
        field.required.then(|| "required".to_owned()),
        field.read_only.then(|| "fixed".to_owned()),
        (!choices.is_empty()).then(|| format!("one of {}", list(&choices))),
        (!field.values.is_empty()).then(|| format!("filled in with {}", list(&field.values))),
        (!field.suggestion.is_empty()).then(|| format!("suggesting {}", list(&field.suggestion))),
    ];
    format!("`{}` ({})", field.name, parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}
