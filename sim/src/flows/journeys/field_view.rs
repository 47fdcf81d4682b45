//! A field of a step, as a page or a script needs it.
//!
//! Invariant: a choice of one thing is fixed to it, and a fixed field suggests what it is fixed to. Absent on purpose: which
//! step has which fields.

use crate::refusal::Fault;
use std::sync::Arc;

/// A flag that is set.
pub(crate) const YES: &str = "yes";
/// A flag that is not.
pub(crate) const NO: &str = "no";
/// How a field is filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldKind {
    /// Free text.
    Text {
        /// Longest, in characters.
        max: usize,
    },
    /// One of `choices`.
    Choice,
    /// Any number of `choices`.
    Choices,
    /// `yes` or `no`.
    Flag,
    /// Twelve-digit personal number.
    PersonalNumber,
    /// Several twelve-digit personal numbers.
    PersonalNumbers,
    /// Ten-digit organisation number.
    OrganisationNumber,
    /// E-mail address.
    Email,
    /// Swedish IBAN.
    Iban,
    /// SEK, at most 2 decimals.
    Amount,
    /// Percent, at most 2 decimals.
    Percent,
    /// Day of the month, 1-28.
    Day,
    /// `YYYY-MM-DD`.
    Date,
    /// Country codes, ISO 3166-1 alpha-2.
    Countries,
}

/// One choice of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What is answered.
    pub value: Arc<str>,
    /// A proper name to show, such as a fund's or a bank's; without one the page words the value itself.
    pub label: Option<Arc<str>>,
}

/// One field of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldView {
    /// Name in `Answers` and in refusals, unique within its step.
    pub name: Arc<str>,
    /// What kind of question it is; the same for all fields that ask the same of different subjects.
    pub key: &'static str,
    /// What it is about, when a step asks the same of several: a fund, or an account at a custodian.
    pub subject: Option<Arc<str>>,
    /// How it is filled in.
    pub kind: FieldKind,
    /// What can be chosen.
    pub choices: Vec<Choice>,
    /// Answer so far, prefilled or fixed.
    pub values: Vec<Arc<str>>,
    /// Whether it is fixed; an answer may be left out, and must not differ.
    pub read_only: bool,
    /// Whether an answer is needed.
    pub required: bool,
    /// What `CompleteJourney` answers where nothing is given.
    pub suggestion: Vec<Arc<str>>,
    /// What is wrong with the answer given, in `journey_step_with`.
    pub error: Option<Fault>,
}

impl FieldView {
    /// A field that must be answered, called as its question.
    pub(crate) fn ask(key: &'static str, kind: FieldKind) -> Self {
        Self::about(Arc::from(key), key, None, kind)
    }

    /// A field that must be answered, one of several with the same question.
    pub(crate) fn about(name: Arc<str>, key: &'static str, subject: Option<Arc<str>>, kind: FieldKind) -> Self {
        Self {
            name,
            key,
            subject,
            kind,
            choices: Vec::new(),
            values: Vec::new(),
            read_only: false,
            required: true,
            suggestion: Vec::new(),
            error: None,
        }
    }

    /// It may be left out.
    pub(crate) fn optional(mut self) -> Self {
        self.required = false;
        self
    }

    /// A sensible answer.
    pub(crate) fn suggest(mut self, value: impl AsRef<str>) -> Self {
        self.suggestion = vec![Arc::from(value.as_ref())];
        self
    }

    /// It cannot be changed.
    pub(crate) fn fix(mut self, values: Vec<Arc<str>>) -> Self {
        self.read_only = true;
        self.suggestion.clone_from(&values);
        self.values = values;
        self
    }

    /// Fixed if there is a value.
    pub(crate) fn fix_if(self, value: Option<impl AsRef<str>>) -> Self {
        match value {
            Some(value) => self.fix(vec![Arc::from(value.as_ref())]),
            None => self,
        }
    }

    /// A choice of words; a single one locks it. The first is the sensible one unless another was suggested before.
    pub(crate) fn choose(mut self, words: impl IntoIterator<Item = &'static str>) -> Self {
        self.choices = words.into_iter().map(|word| Choice { value: Arc::from(word), label: None }).collect();
        self.settle()
    }

    /// A choice of named things; a single one locks it.
    pub(crate) fn choose_named(mut self, choices: Vec<Choice>) -> Self {
        self.choices = choices;
        self.settle()
    }

    fn settle(mut self) -> Self {
        let offered = |value: &Arc<str>| self.choices.iter().any(|choice| choice.value == *value);
        if !self.suggestion.iter().all(offered) || self.suggestion.is_empty() {
            self.suggestion = self.choices.first().map(|choice| Arc::clone(&choice.value)).into_iter().collect();
        }
        match self.choices.as_slice() {
            [only] if self.kind == FieldKind::Choice => {
                let value = Arc::clone(&only.value);
                self.fix(vec![value])
            }
            _ => self,
        }
    }
}
