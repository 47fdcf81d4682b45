//! What a journey keeps of the answers of a step (rule: journeys/bank-account-step, journeys/company-steps).
//!
//! Invariant: a field that another answer makes moot keeps nothing, and a fixed one what it is fixed to. Absent on purpose: whether
//! the answers are accepted (`answers`, `step_rules`), and the form of their texts (`kept_texts`).

use super::Model;
use super::field_texts::filled;
use super::kept_texts::{KeptAnswer, in_kept_form};
use super::step_rules::{OWNERS, StepAnswers};
use sim::World;
use sim::command::Command;
use sim::query::{self, FieldKind, FieldView};
use sim::records::JourneyStep;
use std::sync::Arc;

/// What is asked about an owner of a company.
const OF_AN_OWNER: &[&str] = &["fullName", "ssn", "birthDate", "country", "share", "control"];
/// What an owner's personal number says already.
const OF_A_NUMBER: &[&str] = &["birthDate", "country"];

impl Model {
    /// What a journey keeps if a command that answers one of its steps is accepted.
    pub(super) fn kept_answers(world: &World, command: &Command) -> Vec<KeptAnswer> {
        let Command::AnswerStep { journey, step, answers, .. } = command else { return Vec::new() };
        let Some(shown) = query::journey_step(world, *journey, *step) else { return Vec::new() };
        StepAnswers { step: *step, fields: &shown.fields, given: answers }.kept()
    }
}

impl StepAnswers<'_> {
    /// What each field keeps.
    fn kept(&self) -> Vec<KeptAnswer> {
        let moot = self.moot();
        let kept = |field: &FieldView| {
            let is_moot = moot.iter().any(|name| **name == *field.name);
            let texts = if is_moot { Some(Vec::new()) } else { self.kept_of(field) };
            let is_number = matches!(field.kind, FieldKind::Amount | FieldKind::Percent) && !field.read_only;
            KeptAnswer { name: Arc::clone(&field.name), texts, is_number }
        };
        self.fields.iter().map(kept).collect()
    }

    /// What a field keeps that is not moot: what it is fixed to, what was answered, or `no` where a box was left empty.
    fn kept_of(&self, field: &FieldView) -> Option<Vec<String>> {
        if field.read_only {
            return Some(field.values.iter().map(|text| text.to_string()).collect());
        }
        let given = filled(self.given.many(&field.name));
        match (given.is_empty(), field.kind) {
            (true, FieldKind::Flag) if !field.required => Some(vec!["no".to_owned()]),
            (true, _) => Some(Vec::new()),
            (false, kind) => in_kept_form(kind, &given),
        }
    }

    /// The fields that are not kept because of another answer: those of a bank account where the step is skipped or a known account
    /// is picked; all fields of an owner without a name, and date and country of birth of an owner with a number.
    fn moot(&self) -> Vec<String> {
        let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        match self.step {
            JourneyStep::BankAccount if self.is_yes("skip") => named(&["bankAccount", "iban", "name", "mandate"]),
            JourneyStep::BankAccount if self.one("bankAccount").is_some_and(|picked| picked != "new") => {
                named(&["iban", "name"])
            }
            JourneyStep::BeneficialOwners => (0..OWNERS).flat_map(|row| self.moot_of_owner(row)).collect(),
            _ => Vec::new(),
        }
    }

    fn moot_of_owner(&self, row: usize) -> Vec<String> {
        let name = |key: &str| format!("owners[{row}].{key}");
        let keys = if self.is_yes("none") || self.one(&name("fullName")).is_none() {
            OF_AN_OWNER
        } else if self.one(&name("ssn")).is_some() {
            OF_A_NUMBER
        } else {
            &[]
        };
        keys.iter().map(|key| name(key)).collect()
    }
}
