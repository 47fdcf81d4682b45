//! What the answers of a customer, and the use of an electronic identity, should lead to (rule: journeys/steps-in-order,
//! journeys/one-signer, journeys/journey-levers, journeys/refusing-to-sign).
//!
//! Invariant: what fits a field is written here a second time. Absent on purpose: which fields a step has (`asked`), what they must say
//! together (`step_rules`), and what e-mail addresses look like, of which it is not known whether they are accepted.

use super::asked::Form;
use super::clients::COUNTRIES;
use super::expected::{Expected, unless};
use super::field_texts::{
    Answer, date, filled, flag_of, hundredths, is_personal_number, is_swedish_iban, organisation_number,
};
use super::step_rules::StepAnswers;
use super::{JourneyFile, KeptSteps, Model};
use sim::World;
use sim::command::SignOutcome;
use sim::identity::PersonalNumber;
use sim::ids::{JourneyId, PartnerId};
use sim::machines::journey::State;
use sim::query::{self, FieldKind, FieldView};
use sim::records::{Answers, JourneyStep};
use sim::refusal::Class;
use std::sync::Arc;

/// Most choices of a field, and most people or countries.
const MOST_CHOICES: usize = 250;
const MOST_PEOPLE: usize = 20;
/// Days of a month on which a plan can save.
const DAYS: std::ops::RangeInclusive<u8> = 1..=28;

impl Model {
    /// A journey as a customer reaches it by its link, or its own partner by a lever.
    pub(super) fn reached(&self, id: JourneyId, partner: Option<PartnerId>) -> Result<&JourneyFile, Expected> {
        let is_own = |file: &&JourneyFile| partner.is_none() || self.partner_of(file.client) == partner;
        self.journeys.get(&id).filter(is_own).ok_or(Expected::Refused(Class::Unknown))
    }

    /// The answers of a step, which was reached and may have been answered before; what the journey keeps then.
    pub(super) fn answer_step(
        &self,
        world: &World,
        id: JourneyId,
        step: JourneyStep,
        answers: &Answers,
        partner: Option<PartnerId>,
    ) -> Result<KeptSteps, Expected> {
        unless(step != JourneyStep::Signing, Class::Malformed)?;
        let file = self.reached(id, partner)?;
        let journey = query::journey_by_link(world, id).ok_or(Expected::Unsure)?;
        let form = self.form(world, journey, &journey.progress).ok_or(Expected::Unsure)?;
        unless(form.shows(step), Class::Malformed)?;
        let is_open = file.state == State::Pending;
        let is_reached = step <= form.current();
        unless(is_reached, if is_open { Class::NotAllowedNow } else { Class::Conflict })?;
        let answers = StepAnswers { step, fields: &form.fields_to_answer(step), given: answers };
        let known = form.answer_of(&answers);
        unless(known != Answer::Wrong, Class::Malformed)?;
        if known == Answer::Unknown {
            return Err(Expected::Unsure);
        }
        unless(is_open, Class::Conflict).map(|()| form.keeps(&answers))
    }

    /// The electronic identity is used, by the person who walks the journey, where it waits for that.
    pub(super) fn sign_journey(
        &self,
        world: &World,
        id: JourneyId,
        signer: PersonalNumber,
        outcome: SignOutcome,
        partner: Option<PartnerId>,
    ) -> Result<KeptSteps, Expected> {
        let file = self.reached(id, partner)?;
        let journey = query::journey_by_link(world, id).ok_or(Expected::Unsure)?;
        let form = self.form(world, journey, &journey.progress).ok_or(Expected::Unsure)?;
        unless(form.signer().is_none_or(|bound| bound == signer), Class::ExecutorMismatch)?;
        unless(file.state == State::Pending, Class::Conflict)?;
        let current = form.current();
        let waits = match current {
            JourneyStep::Authentication => outcome != SignOutcome::Refuse,
            JourneyStep::Signing => true,
            _ => false,
        };
        unless(waits, Class::NotAllowedNow)?;
        if (outcome, current) == (SignOutcome::Sign, JourneyStep::Authentication) {
            let mut answers = Answers::default();
            answers.set("ssn", vec![Arc::from(signer.to_string())]);
            return self.answer_step(world, id, current, &answers, partner);
        }
        let signs = (outcome, current) == (SignOutcome::Sign, JourneyStep::Signing);
        unless(!(signs && form.lacks_target()), Class::BadTarget).map(|()| form.keeps_all())
    }
}

impl Form<'_> {
    /// What is known of a step's answers.
    pub(super) fn answer_of(self, answers: &StepAnswers<'_>) -> Answer {
        let StepAnswers { fields, given, .. } = answers;
        let is_shown = |name: &str| fields.iter().any(|field| *field.name == *name);
        let names = given.0.iter().map(|(name, _)| Answer::of(is_shown(name)));
        let each = Answer::all(names.chain(fields.iter().map(|field| answer_to(field, given.many(&field.name)))));
        if each == Answer::Right { self.model.together(self, answers) } else { each }
    }

    /// Whether a step is answered, and what was accepted would be accepted now; answers to fields that are asked no more do not count.
    pub(super) fn holds(self, step: JourneyStep) -> bool {
        let Some(given) = self.progress.of(step) else { return false };
        let fields = self.fields_to_answer(step);
        let is_fixed_otherwise = |field: &FieldView| {
            let kept = given.many(&field.name);
            field.read_only && !kept.is_empty() && kept != field.values.as_slice()
        };
        let mut still = Answers::default();
        let asked = fields.iter().filter(|field| given.has(&field.name));
        asked.for_each(|field| still.set(Arc::clone(&field.name), given.many(&field.name).to_vec()));
        let answers = StepAnswers { step, fields: &fields, given: &still };
        !fields.iter().any(is_fixed_otherwise) && self.answer_of(&answers) != Answer::Wrong
    }
}

/// What is known of the answer to one field.
fn answer_to(field: &FieldView, given: &[Arc<str>]) -> Answer {
    let texts = filled(given);
    if field.read_only {
        let fixed = || field.values.iter().map(|value| &**value);
        let same =
            texts.iter().all(|text| fixed().any(|value| value == *text)) && fixed().all(|value| texts.contains(&value));
        return if texts.is_empty() || same { Answer::Right } else { Answer::Unknown };
    }
    let most = match field.kind {
        FieldKind::Choices => MOST_CHOICES,
        FieldKind::PersonalNumbers | FieldKind::Countries => MOST_PEOPLE,
        _ => usize::MAX,
    };
    if texts.len() > most {
        return Answer::Wrong;
    }
    let is_offered = |text: &str| field.choices.iter().any(|choice| *choice.value == *text);
    let [text] = texts.as_slice() else {
        return match (field.kind, texts.is_empty()) {
            (_, true) => Answer::of(!field.required),
            (FieldKind::Choices, false) => Answer::of(texts.iter().all(|text| is_offered(text))),
            (FieldKind::Flag, false) => Answer::of(flag_of(&texts).is_some()),
            (FieldKind::PersonalNumbers, false) if texts.iter().all(|text| is_personal_number(text)) => Answer::Right,
            (FieldKind::PersonalNumbers | FieldKind::Countries, false) => Answer::Unknown,
            (_, false) => Answer::Wrong,
        };
    };
    match field.kind {
        FieldKind::Text { max } => Answer::of(text.chars().count() <= max && !text.chars().any(char::is_control)),
        FieldKind::Choice | FieldKind::Choices => Answer::of(is_offered(text)),
        FieldKind::Flag => Answer::of(flag_of(&texts).is_some()),
        FieldKind::Day => Answer::of(text.parse().is_ok_and(|day| DAYS.contains(&day))),
        FieldKind::Countries if COUNTRIES.contains(text) => Answer::Right,
        FieldKind::PersonalNumber | FieldKind::PersonalNumbers if is_personal_number(text) => Answer::Right,
        FieldKind::OrganisationNumber => Answer::of(organisation_number(text).is_some()),
        FieldKind::Iban => Answer::of(is_swedish_iban(text)),
        FieldKind::Date => Answer::of(date(text).is_some()),
        FieldKind::Amount | FieldKind::Percent if hundredths(text).is_some() => Answer::Right,
        FieldKind::PersonalNumber
        | FieldKind::PersonalNumbers
        | FieldKind::Email
        | FieldKind::Amount
        | FieldKind::Percent
        | FieldKind::Countries => Answer::Unknown,
    }
}
