//! What a journey keeps of the answers of a step (rule: journeys/bank-account-step, journeys/company-steps).
//!
//! Invariant: a field that another answer makes moot keeps nothing, and a fixed one what it is fixed to. Absent on purpose: whether
//! the answers are accepted (`answers`, `step_rules`), and the form of their texts (`kept_texts`).

use super::asked::{Form, OWNERS};
use super::field_texts::filled;
use super::kept_texts::{KeptAnswer, KeptSteps, in_kept_form};
use super::step_rules::StepAnswers;
use sim::query::{FieldKind, FieldView};
use sim::records::{JourneyStep, Progress};
use std::sync::Arc;

/// What is asked about an owner of a company.
const OF_AN_OWNER: &[&str] = &["fullName", "ssn", "birthDate", "country", "share", "control"];
/// What an owner's personal number says already.
const OF_A_NUMBER: &[&str] = &["birthDate", "country"];

impl Form<'_> {
    /// What all steps keep once one of them is answered so.
    pub(super) fn keeps(self, answers: &StepAnswers<'_>) -> KeptSteps {
        let (step, kept) = (answers.step, answers.kept());
        let is_agreed_again = is_agreed_again(self.progress, step, &kept);
        let stays =
            |known: JourneyStep| known != step && (known != JourneyStep::Agreement || is_agreed_again != Some(true));
        let mut steps = as_they_are(self.progress);
        steps.retain(|(known, _)| stays(*known));
        steps.push((step, kept));
        KeptSteps { journey: self.journey.id, steps, knows_agreement: is_agreed_again.is_some() }
    }

    /// What all steps keep as these answers have it.
    pub(super) fn keeps_all(self) -> KeptSteps {
        KeptSteps { journey: self.journey.id, steps: as_they_are(self.progress), knows_agreement: true }
    }
}

/// What was answered, to stay as it is.
fn as_they_are(progress: &Progress) -> Vec<(JourneyStep, Vec<KeptAnswer>)> {
    let exactly = |(name, texts): &(Arc<str>, Vec<Arc<str>>)| KeptAnswer {
        name: Arc::clone(name),
        texts: Some(texts.iter().map(ToString::to_string).collect()),
        is_number: false,
    };
    progress.answers.iter().map(|(step, answers)| (*step, answers.0.iter().map(exactly).collect())).collect()
}

/// Whether an agreement has to be given again once a step before it keeps this, since it has kept something else; `None` where that is
/// not known.
pub(super) fn is_agreed_again(progress: &Progress, step: JourneyStep, kept: &[KeptAnswer]) -> Option<bool> {
    let Some(before) = progress.of(step).filter(|_| step < JourneyStep::Agreement) else {
        return Some(step < JourneyStep::Agreement);
    };
    if kept.iter().any(|field| field.difference(before).is_some()) {
        return Some(true);
    }
    kept.iter().all(|field| field.texts.is_some()).then_some(false)
}

impl StepAnswers<'_> {
    /// What each field keeps.
    pub(super) fn kept(&self) -> Vec<KeptAnswer> {
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
