//! A journey whose steps a lever walks at once: with what it is given, with what was answered before, and with what each field suggests
//! (rule: journeys/journey-levers, journeys/fixed-outcomes-strike).
//!
//! Invariant: the steps are walked in order, each with the answers of those before it. Absent on purpose: companies, of whose register
//! the world shows what it has for the present answers alone.

use super::asked::Form;
use super::expected::{Expected, unless};
use super::field_texts::Answer;
use super::kept_answers::is_agreed_again;
use super::outcomes::{self, Person};
use super::step_rules::StepAnswers;
use super::{KeptAnswer, KeptSteps, Model};
use sim::World;
use sim::identity::PersonalNumber;
use sim::ids::{JourneyId, PartnerId};
use sim::query::{self, FieldView};
use sim::records::{Answers, JourneyStep, JourneyType, Progress};
use sim::refusal::Class;
use std::sync::Arc;

/// A journey as far as its steps were walked at once.
pub(super) struct Walked {
    /// What was answered, and by whom.
    pub(super) progress: Progress,
    /// Whether a fixed outcome ended it on the way.
    pub(super) ends: bool,
}

impl Model {
    /// The rest of a journey, walked by a lever of its own partner; what the journey keeps then.
    pub(super) fn complete_journey(
        &self,
        world: &World,
        partner: PartnerId,
        id: JourneyId,
        given: &[(JourneyStep, Answers)],
    ) -> Result<KeptSteps, Expected> {
        let is_over = self.reached(id, Some(partner))?.state.is_terminal();
        unless(!(is_over && given.is_empty()), Class::Conflict)?;
        let journey = query::journey_by_link(world, id).ok_or(Expected::Unsure)?;
        let form = self.form(world, journey, &journey.progress).ok_or(Expected::Unsure)?;
        let walked = form.walked(given)?;
        unless(!is_over, Class::Conflict)?;
        unless(walked.ends || !form.lacks_target(), Class::BadTarget)?;
        Ok(form.with(&walked.progress).keeps_all())
    }
}

impl Form<'_> {
    /// All steps that are shown, answered one after the other; or why they cannot be. Of a journey that has ended only what is given must
    /// be right.
    pub(super) fn walked(self, given: &[(JourneyStep, Answers)]) -> Result<Walked, Expected> {
        let is_asked = |step: JourneyStep| step != JourneyStep::Signing && self.shows(step);
        unless(given.iter().all(|(step, _)| is_asked(*step)), Class::Malformed)?;
        let mut walked = Walked { progress: self.progress.clone(), ends: false };
        if self.is_of_a_company() {
            return Err(Expected::Unsure);
        }
        for step in JourneyStep::ALL.into_iter().filter(|step| is_asked(*step)) {
            let form = self.with(&walked.progress);
            let fields = form.fields(step);
            let mine = given.iter().find(|(known, _)| *known == step).map(|(_, answers)| answers);
            let completed = completed(&fields, mine);
            let answers = StepAnswers { step, fields: &fields, given: &completed };
            match form.answer_of(&answers) {
                Answer::Right => {}
                Answer::Wrong if mine.is_none() && self.journey.state.is_terminal() => continue,
                Answer::Wrong => return Err(Expected::Refused(Class::Malformed)),
                Answer::Unknown => return Err(Expected::Unsure),
            }
            let kept = answers.kept();
            walked.keep(step, kept)?;
            if walked.ends {
                break;
            }
        }
        Ok(walked)
    }

    /// Whether a signature is for money that has no place to go to.
    pub(super) fn lacks_target(self) -> bool {
        let signs = self.journey.configuration.journey_type == JourneyType::SignWithdrawal;
        // What an account lacks that has gone meanwhile no longer matters.
        let account = self.account_file().filter(|file| signs && file.is_open());
        account.is_some_and(|file| !file.last.bank_accounts.iter().any(|bank| bank.validated))
    }
}

impl Walked {
    /// Takes what a step keeps; an agreement is forgotten when an answer before it differs.
    fn keep(&mut self, step: JourneyStep, kept: Vec<KeptAnswer>) -> Result<(), Expected> {
        if is_agreed_again(&self.progress, step, &kept) == Some(true) {
            self.progress.forget(JourneyStep::Agreement);
        }
        let mut answers = Answers::default();
        for field in kept {
            let texts = field.texts.ok_or(Expected::Unsure)?;
            if !texts.is_empty() {
                answers.set(field.name, texts.into_iter().map(Arc::from).collect());
            }
        }
        if step == JourneyStep::Authentication {
            self.progress.signer = answers.one("ssn").and_then(|text| PersonalNumber::parse(text).ok());
        }
        let person = self.progress.signer.map_or(Person::Plain, outcomes::person);
        self.ends = matches!(
            (step, person),
            (JourneyStep::Authentication, Person::FailsAuthentication) | (JourneyStep::Kyc, Person::FailsKyc)
        );
        self.progress.keep(step, Arc::new(answers));
        Ok(())
    }
}

/// What is given, and where nothing is given what was answered before or is suggested. Shares and amounts are one question over several
/// fields: an answer to one of them is enough.
fn completed(fields: &[FieldView], given: Option<&Answers>) -> Answers {
    let mut all = given.cloned().unwrap_or_default();
    let is_answered = |field: &FieldView| given.is_some_and(|given| given.has(&field.name));
    let is_filled = |field: &FieldView| !field.values.is_empty();
    let any_of = |question: &FieldView, has: &dyn Fn(&FieldView) -> bool| {
        let is_one = |field: &&FieldView| {
            field.name == question.name || (matches!(field.key, "allocation" | "amount") && field.key == question.key)
        };
        fields.iter().filter(is_one).any(has)
    };
    for field in fields.iter().filter(|field| !field.read_only && !any_of(field, &is_answered)) {
        let texts = if any_of(field, &is_filled) { &field.values } else { &field.suggestion };
        if !texts.is_empty() {
            all.set(Arc::clone(&field.name), texts.clone());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::query::FieldKind;

    fn field(name: &str, key: &'static str, value: Option<&str>, suggestion: Option<&str>) -> FieldView {
        let texts = |text: Option<&str>| text.map(Arc::from).into_iter().collect();
        FieldView {
            name: Arc::from(name),
            key,
            subject: None,
            kind: FieldKind::Amount,
            choices: Vec::new(),
            values: texts(value),
            read_only: false,
            required: false,
            suggestion: texts(suggestion),
            error: None,
        }
    }

    #[test]
    fn what_is_given_goes_before_what_was_answered_and_that_before_what_is_suggested() {
        let amounts = |first: Option<&str>, second: Option<&str>| {
            [field("amount.a", "amount", first, Some("500")), field("amount.b", "amount", second, None)]
        };
        let names = |name: Option<&str>| [field("name", "name", name, Some("Anna")), field("iban", "iban", None, None)];
        let given = |name: &str, text: &str| Answers::default().with(name, text);
        for (fields, given, expected) in [
            (amounts(None, None), None, &[("amount.a", "500")][..]),
            (amounts(None, Some("200")), None, &[("amount.b", "200")]),
            (amounts(None, Some("200")), Some(given("amount.a", "9")), &[("amount.a", "9")]),
            (names(None), Some(given("iban", "1")), &[("iban", "1"), ("name", "Anna")]),
            (names(Some("Eva")), None, &[("name", "Eva")]),
        ] {
            let mut all: Vec<(String, String)> = completed(&fields, given.as_ref())
                .0
                .into_iter()
                .map(|(name, texts)| (name.to_string(), texts.join(" ")))
                .collect();
            all.sort_unstable();
            let expected: Vec<_> =
                expected.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
            assert_eq!(all, expected);
        }
    }
}
