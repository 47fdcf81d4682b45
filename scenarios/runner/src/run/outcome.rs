//! How a run came out, and what stops a step.
//!
//! Invariant: a failure names its step and says in one line what went wrong. Absent on purpose: how it is shown (`report`).

use crate::foreign::Tally;
use crate::transcript::{Exchanges, Moment};
use bytes::Bytes;
use drawing::sequence::Facts as Sequence;
use language::ast::Example;
use language::diagnostic::StepPlace;
use language::matching::Mismatch;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt;

/// How a run came out.
#[derive(Clone, Debug)]
pub struct Run {
    /// The row of `examples` it played, in words.
    pub example: Option<String>,
    /// The transcript.
    pub transcript: String,
    /// What was exchanged, whole.
    pub exchanges: Exchanges,
    /// What happened, by simulated time.
    pub moments: Vec<Moment>,
    /// The names that the story gave to resources, by their ids.
    pub names: BTreeMap<String, String>,
    /// Fingerprint of everything exchanged.
    pub digest: u128,
    /// Business time that passed.
    pub simulated_ms: i64,
    /// Steps carried out.
    pub steps: usize,
    /// Why it stopped early.
    pub failure: Option<Failure>,
    /// The lives of the accounts that it has named, then the sequence of what happened, as SVG documents by name; none unless they were
    /// asked for.
    pub pictures: Vec<(String, String)>,
    /// What happened last, as the server describes it, or why it does not; none unless it was asked for and the run has failed.
    pub sequence: Option<Result<Sequence, String>>,
    /// The world at the end, with all that led to it, as the server writes it, or why it does not; none unless it was asked for.
    pub capsule: Option<Result<Bytes, String>>,
    /// What was asked and what was not, of a server that is no fundsim.
    pub tally: Option<Tally>,
}

/// Why a story failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The place of the step in its file.
    pub place: Option<StepPlace>,
    /// The step.
    pub step: String,
    /// What went wrong, in one line.
    pub what: String,
    /// Expected and got, where something was compared.
    pub mismatches: Vec<Mismatch>,
    /// Whether the step names what is not there, in its request or in what it expects.
    pub names_nothing: bool,
    /// The last requests, answers, events and moves before it.
    pub history: Vec<String>,
    /// How the resources that the step names came to be as they are, by their names, as the server answers it.
    pub why: Vec<(String, Json)>,
    /// What the application under test did and got last, as lines below headings; nothing where there is none.
    pub application: Vec<(String, Vec<String>)>,
    /// What failed later: after a soft step the story continued.
    pub others: Vec<Self>,
}

impl Failure {
    /// It and those after it, each for itself.
    pub fn each(&self) -> impl Iterator<Item = Self> {
        let alone = |failure: &Self| Self { others: Vec::new(), ..failure.clone() };
        std::iter::once(self).chain(&self.others).map(alone)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{}: {}", self.step, self.what)?;
        for mismatch in &self.mismatches {
            write!(f, "; {} expected {}, got {}", mismatch.path, mismatch.expected, mismatch.got)?;
        }
        self.others.iter().try_for_each(|other| write!(f, "\n{other}"))
    }
}

/// How far a story has come.
#[derive(Default)]
pub(super) struct Progress {
    /// Steps carried out.
    pub(super) steps: usize,
    /// Soft steps that failed.
    pub(super) soft: Vec<Failure>,
}

/// What a step may end in.
#[derive(Debug)]
pub(super) struct Trouble {
    pub(super) what: String,
    pub(super) mismatches: Vec<Mismatch>,
    pub(super) names_nothing: bool,
}

impl Trouble {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Self::compared(what, Vec::new())
    }

    /// What was compared differs.
    pub(super) fn compared(what: impl Into<String>, mismatches: Vec<Mismatch>) -> Self {
        Self { what: what.into(), mismatches, names_nothing: false }
    }

    /// The failure of a step, by itself.
    pub(super) fn into_failure(self, step: impl Into<String>) -> Failure {
        Failure {
            place: None,
            step: step.into(),
            what: self.what,
            mismatches: self.mismatches,
            names_nothing: self.names_nothing,
            history: Vec::new(),
            why: Vec::new(),
            application: Vec::new(),
            others: Vec::new(),
        }
    }
}

impl From<language::template::TemplateError> for Trouble {
    fn from(error: language::template::TemplateError) -> Self {
        Self { names_nothing: true, ..Self::new(error.to_string()) }
    }
}

pub(super) type StepResult<T = ()> = Result<T, Trouble>;

/// A row of `examples`, in words.
pub(crate) fn in_words(row: &Example) -> String {
    let values: Vec<_> = row.values.iter().map(|(name, value)| format!("{name} {value}")).collect();
    values.join(", ")
}
