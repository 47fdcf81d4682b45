//! The steps of a journey as a script sees them: what each asks, what is fixed, what would do.
//!
//! Absent on purpose: wording for people, which is the pages'.

use crate::words::JourneyStep;
use serde::Serialize;
use sim::query::{Choice, FieldKind, FieldView, StepState, StepView};
use std::sync::Arc;
use utoipa::ToSchema;

/// One step that a journey shows.
#[derive(Serialize, ToSchema)]
pub struct StepDescription<'a> {
    step: JourneyStep,
    /// `done`, `current` or `ahead`.
    state: &'static str,
    fields: Vec<StepField<'a>>,
}

/// One field of a step.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StepField<'a> {
    /// Its name among the answers of the step.
    name: &'a str,
    /// Subject of the question, such as a fund.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    subject: Option<&'a str>,
    /// Type of the answer.
    kind: &'static str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schema(required = false)]
    choices: Vec<&'a str>,
    /// Present answers.
    values: Vec<&'a str>,
    read_only: bool,
    required: bool,
    /// Answer that the `complete` lever gives.
    suggestion: Vec<&'a str>,
}

impl<'a> StepDescription<'a> {
    /// The shape of `view`.
    #[must_use]
    pub fn of(view: &'a StepView) -> Self {
        let StepView { step, state, fields } = view;
        let state = match state {
            StepState::Done => "done",
            StepState::Current => "current",
            StepState::Ahead => "ahead",
        };
        Self { step: JourneyStep(*step), state, fields: fields.iter().map(StepField::of).collect() }
    }
}

impl<'a> StepField<'a> {
    fn of(view: &'a FieldView) -> Self {
        let FieldView { name, key: _, subject, kind, choices, values, read_only, required, suggestion, error: _ } =
            view;
        let choice = |choice: &'a Choice| -> &'a str { &choice.value };
        Self {
            name,
            subject: subject.as_deref(),
            kind: kind_of(*kind),
            choices: choices.iter().map(choice).collect(),
            values: texts(values),
            read_only: *read_only,
            required: *required,
            suggestion: texts(suggestion),
        }
    }
}

fn texts(values: &[Arc<str>]) -> Vec<&str> {
    values.iter().map(|value| &**value).collect()
}

const fn kind_of(kind: FieldKind) -> &'static str {
    match kind {
        FieldKind::Text { max: _ } => "text",
        FieldKind::Choice => "choice",
        FieldKind::Choices => "choices",
        FieldKind::Flag => "flag",
        FieldKind::PersonalNumber => "personalNumber",
        FieldKind::PersonalNumbers => "personalNumbers",
        FieldKind::OrganisationNumber => "organisationNumber",
        FieldKind::Email => "email",
        FieldKind::Iban => "iban",
        FieldKind::Amount => "amount",
        FieldKind::Percent => "percent",
        FieldKind::Day => "day",
        FieldKind::Date => "date",
        FieldKind::Countries => "countries",
    }
}
