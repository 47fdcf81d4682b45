//! What the answers of a customer, and the use of an electronic identity, should lead to (rule: journeys/steps-in-order,
//! journeys/one-signer, journeys/journey-levers, journeys/refusing-to-sign).
//!
//! Invariant: which fields a journey shows, and which step it has reached, is read; what fits a field is written here a second time.
//! Absent on purpose: rules between the fields of a step, and what e-mail addresses, IBANs, amounts, shares and dates look like;
//! there, and in a journey that has ended, it is not known whether answers are accepted.

use super::clients::{COUNTRIES, Checked};
use super::expected::{Expected, unless};
use super::figures::luhn;
use super::{JourneyFile, Model};
use sim::World;
use sim::command::SignOutcome;
use sim::identity::PersonalNumber;
use sim::ids::{JourneyId, PartnerId};
use sim::machines::journey::State;
use sim::query::{self, FieldKind, FieldView, StepState};
use sim::records::{Answers, Journey, JourneyStep, JourneyType, Owner};
use sim::refusal::Class;
use std::sync::Arc;

/// Days of a month on which a plan can save.
const DAYS: std::ops::RangeInclusive<u8> = 1..=28;

/// What is known of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Right,
    Wrong,
    Unknown,
}

impl Answer {
    const fn of(is_right: bool) -> Self {
        if is_right { Self::Right } else { Self::Wrong }
    }

    /// Of several answers: one that is wrong is enough, and all must be right.
    fn all(answers: impl IntoIterator<Item = Self>) -> Self {
        answers.into_iter().fold(Self::Right, |all, one| match (all, one) {
            (Self::Wrong, _) | (_, Self::Wrong) => Self::Wrong,
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Right, Self::Right) => Self::Right,
        })
    }
}

impl Model {
    /// A journey as a customer reaches it by its link, or its own partner by a lever.
    pub(super) fn reached(&self, id: JourneyId, partner: Option<PartnerId>) -> Result<&JourneyFile, Expected> {
        let is_own = |file: &&JourneyFile| partner.is_none() || self.partner_of(file.client) == partner;
        self.journeys.get(&id).filter(is_own).ok_or(Expected::Refused(Class::Unknown))
    }

    /// The answers of a step, which was reached and may have been answered before.
    pub(super) fn answer_step(
        &self,
        world: &World,
        id: JourneyId,
        step: JourneyStep,
        answers: &Answers,
        partner: Option<PartnerId>,
    ) -> Checked {
        unless(step != JourneyStep::Signing, Class::Malformed)?;
        let file = self.reached(id, partner)?;
        // What such a journey had reached cannot be read any more.
        if file.state.is_terminal() {
            return Err(Expected::Unsure);
        }
        let shown = query::journey_step(world, id, step).ok_or(Expected::Refused(Class::Malformed))?;
        let is_open = file.state == State::Pending;
        let is_reached = shown.state != StepState::Ahead;
        unless(is_reached, if is_open { Class::NotAllowedNow } else { Class::Conflict })?;
        let known = answer_of(step, &shown.fields, answers, file.kind);
        unless(known != Answer::Wrong, Class::Malformed)?;
        if known == Answer::Unknown {
            return Err(Expected::Unsure);
        }
        unless(is_open, Class::Conflict)
    }

    /// The electronic identity is used, by the person who walks the journey, where it waits for that.
    pub(super) fn sign_journey(
        &self,
        world: &World,
        id: JourneyId,
        signer: PersonalNumber,
        outcome: SignOutcome,
        partner: Option<PartnerId>,
    ) -> Checked {
        let file = self.reached(id, partner)?;
        let journey = query::journey_by_link(world, id).ok_or(Expected::Unsure)?;
        unless(self.bound(journey).is_none_or(|bound| bound == signer), Class::ExecutorMismatch)?;
        unless(file.state == State::Pending, Class::Conflict)?;
        let current = query::journey_current(world, id).ok_or(Expected::Unsure)?;
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
        let signs =
            (outcome, current, file.kind) == (SignOutcome::Sign, JourneyStep::Signing, JourneyType::SignWithdrawal);
        let account = journey.configuration.account.filter(|_| signs).and_then(|id| self.accounts.get(&id));
        // What an account lacks that has gone meanwhile no longer matters.
        let lacks =
            account.is_some_and(|file| file.is_open() && !file.last.bank_accounts.iter().any(|bank| bank.validated));
        unless(!lacks, Class::BadTarget)
    }

    /// The only person who may walk a journey: who has authenticated, who is named, or the person who owns its account.
    fn bound(&self, journey: &Journey) -> Option<PersonalNumber> {
        let owner = || match *self.accounts.get(&journey.configuration.account?)?.last.owner {
            Owner::NaturalPerson(ref person) => Some(person.ssn),
            Owner::LegalEntity(_) => None,
        };
        journey.progress.signer.or(journey.configuration.ssn).or_else(owner)
    }
}

/// What is known of the answers of a step that shows these fields.
fn answer_of(step: JourneyStep, fields: &[FieldView], answers: &Answers, kind: JourneyType) -> Answer {
    let is_shown = |name: &str| fields.iter().any(|field| *field.name == *name);
    let names = answers.0.iter().map(|(name, _)| Answer::of(is_shown(name)));
    let all = fields.iter().map(|field| answer_to(field, answers.many(&field.name)));
    let is_yes = |name: &str| flag_of(&filled(answers.many(name))) == Some(true);
    let together = match step {
        JourneyStep::Agreement => Answer::of(is_yes("accept")),
        JourneyStep::Company => Answer::of(is_yes("confirmed")),
        JourneyStep::Welcome | JourneyStep::Authentication | JourneyStep::Kyc => Answer::Right,
        JourneyStep::AccountDetails if kind == JourneyType::CreateAccount => Answer::Right,
        _ => Answer::Unknown,
    };
    Answer::all(names.chain(all).chain([together]))
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
    let is_offered = |text: &str| field.choices.iter().any(|choice| *choice.value == *text);
    let [text] = texts.as_slice() else {
        return match (field.kind, texts.is_empty()) {
            (_, true) => Answer::of(!field.required),
            (FieldKind::Choices, false) => Answer::of(texts.iter().all(|text| is_offered(text))),
            (FieldKind::Flag, false) => Answer::of(flag_of(&texts).is_some()),
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
        FieldKind::PersonalNumber if is_personal_number(text) => Answer::Right,
        FieldKind::PersonalNumber
        | FieldKind::PersonalNumbers
        | FieldKind::OrganisationNumber
        | FieldKind::Email
        | FieldKind::Iban
        | FieldKind::Amount
        | FieldKind::Percent
        | FieldKind::Date
        | FieldKind::Countries => Answer::Unknown,
    }
}

/// Texts that say something.
fn filled(given: &[Arc<str>]) -> Vec<&str> {
    given.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect()
}

/// What the last of several texts says, as a form sends an unchecked box before a checked one.
fn flag_of(texts: &[&str]) -> Option<bool> {
    match texts.last()?.to_ascii_lowercase().as_str() {
        "yes" | "true" | "on" => Some(true),
        "no" | "false" | "off" => Some(false),
        _ => None,
    }
}

/// Twelve digits: a day of this century or the last, on which a person can be born, and a check digit that fits. Of numbers that
/// are given to people without one (whose day is 60 higher) nothing is known.
fn is_personal_number(text: &str) -> bool {
    let digits: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(10)).collect();
    let Some(digits) = digits.filter(|digits| digits.len() == 12) else { return false };
    let (century, month, day) = (&text[..2], digits[4] * 10 + digits[5], digits[6] * 10 + digits[7]);
    ["19", "20"].contains(&century) && (1..=12).contains(&month) && (1..=28).contains(&day) && luhn(&digits[2..])
}
