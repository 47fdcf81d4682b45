//! What a journey keeps of the answers of a step (rule: journeys/bank-account-step, journeys/company-steps, journeys/typed-numbers).
//!
//! Invariant: what is kept and what was answered are compared in one form, in which a number has no groups and a text that is
//! given twice is there once. Absent on purpose: whether the answers are accepted (`answers`, `step_rules`).

use super::Model;
use super::field_texts::{filled, flag_of, hundredths, without_groups};
use super::step_rules::{OWNERS, StepAnswers};
use sim::World;
use sim::command::Command;
use sim::query::{self, FieldKind, FieldView};
use sim::records::{Answers, JourneyStep};
use std::sync::Arc;

/// What a field of a step keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptAnswer {
    /// The field.
    pub name: Arc<str>,
    kind: FieldKind,
    /// Its texts; none where nothing is kept, and `None` where their form is not known.
    texts: Option<Vec<String>>,
}

impl KeptAnswer {
    /// What is kept instead, if anything is: all texts of the field, separated by commas.
    #[must_use]
    pub fn wrong(&self, kept: &Answers) -> Option<String> {
        let expected = self.texts.as_ref()?;
        let got = filled(kept.many(&self.name));
        let is_twice = got.iter().enumerate().any(|(at, text)| got[..at].contains(text));
        let is_same =
            if expected.is_empty() { got.is_empty() } else { in_one_form(self.kind, &got).as_ref() == Some(expected) };
        let fits = is_same && !is_twice;
        (!fits).then(|| got.join(", "))
    }

    /// The texts that are expected, separated by commas.
    #[must_use]
    pub fn expected(&self) -> String {
        self.texts.as_deref().unwrap_or_default().join(", ")
    }
}

impl Model {
    /// What a journey keeps if a command that answers one of its steps is accepted.
    pub(super) fn kept_answers(world: &World, command: &Command) -> Vec<KeptAnswer> {
        let Command::AnswerStep { journey, step, answers, .. } = command else { return Vec::new() };
        let Some(shown) = query::journey_step(world, *journey, *step) else { return Vec::new() };
        let step = StepAnswers { step: *step, fields: &shown.fields, given: answers };
        let moot = step.moot();
        let kept = |field: &FieldView| {
            let texts = if moot.iter().any(|name| **name == *field.name) { Some(Vec::new()) } else { step.kept(field) };
            KeptAnswer { name: Arc::clone(&field.name), kind: field.kind, texts }
        };
        shown.fields.iter().map(kept).collect()
    }
}

impl StepAnswers<'_> {
    /// What a field keeps that no other makes moot: what it is fixed to, what was answered, or no where a box was left empty.
    fn kept(&self, field: &FieldView) -> Option<Vec<String>> {
        let given = if field.read_only { filled(&field.values) } else { filled(self.given.many(&field.name)) };
        match (given.is_empty(), field.kind) {
            (true, FieldKind::Flag) if !field.required && !field.read_only => Some(vec!["no".to_owned()]),
            (true, _) => Some(Vec::new()),
            (false, kind) => in_one_form(kind, &given),
        }
    }

    /// The fields that say nothing beside what another says: those of a bank account where the step is skipped or a known one is
    /// picked; those of an owner who is left out, and where one was born who has a number.
    fn moot(&self) -> Vec<String> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        match self.step {
            JourneyStep::BankAccount if self.is_yes("skip") => owned(&["bankAccount", "iban", "name", "mandate"]),
            JourneyStep::BankAccount if self.one("bankAccount").is_some_and(|picked| picked != "new") => {
                owned(&["iban", "name"])
            }
            JourneyStep::BeneficialOwners => {
                let of_owner = |row: usize| {
                    let name = |key: &str| format!("owners[{row}].{key}");
                    let keys: &[&str] = match (self.one(&name("fullName")), self.one(&name("ssn"))) {
                        _ if self.is_yes("none") => &["fullName", "ssn", "birthDate", "country", "share", "control"],
                        (None, _) => &["fullName", "ssn", "birthDate", "country", "share", "control"],
                        (_, Some(_)) => &["birthDate", "country"],
                        (_, None) => &[],
                    };
                    keys.iter().map(|key| name(key)).collect::<Vec<_>>()
                };
                (0..OWNERS).flat_map(of_owner).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Texts of a field in the form in which they are compared; `None` where that is not known.
fn in_one_form(kind: FieldKind, texts: &[&str]) -> Option<Vec<String>> {
    let several = |separators: &[char]| -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for text in texts.iter().flat_map(|text| text.split(separators)).filter(|text| !text.is_empty()) {
            let text = text.to_owned();
            if !all.contains(&text) {
                all.push(text);
            }
        }
        all
    };
    let one = |form: fn(&str) -> Option<String>| match texts {
        [text] => Some(vec![form(text)?]),
        _ => None,
    };
    match kind {
        FieldKind::Text { .. } | FieldKind::Choice | FieldKind::Email | FieldKind::Date => {
            one(|text| Some(text.to_owned()))
        }
        FieldKind::Choices => Some(several(&[])),
        FieldKind::Flag => Some(vec![if flag_of(texts)? { "yes" } else { "no" }.to_owned()]),
        FieldKind::PersonalNumber | FieldKind::OrganisationNumber => one(|text| Some(without_groups(text))),
        FieldKind::Iban => one(|text| Some(without_groups(text).to_ascii_uppercase())),
        FieldKind::Amount | FieldKind::Percent => one(|text| hundredths(text).map(|number| number.to_string())),
        FieldKind::Day => one(|text| text.parse::<u8>().ok().map(|day| day.to_string())),
        FieldKind::PersonalNumbers | FieldKind::Countries => {
            let parts = several(&[',', ';', ' ', '\n', '\r', '\t']);
            Some(parts.iter().map(|text| without_groups(text).to_ascii_uppercase()).collect())
        }
    }
}
