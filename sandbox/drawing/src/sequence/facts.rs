//! What a sequence shows: changes of a world, each with its steps between lanes.
//!
//! Invariant: changes are oldest first, and so are the steps of a change. Absent on purpose: causes that are no longer kept.

use crate::frame::ink::{self, Ink};
use crate::frame::numbers::{grouped, ore_or_nothing, sek_or_nothing};
use serde::{Deserialize, Serialize};
use sim::time::Instant;

/// A party.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Lane {
    /// The customer, on hosted pages.
    Customer,
    /// The partner, over its API, its webhooks and callbacks.
    Partner,
    /// The platform itself.
    Platform,
    /// Banks, and custodians of transfers.
    Bank,
    /// Fund companies.
    Fund,
}

impl Lane {
    pub(super) const ALL: [Self; 5] = [Self::Customer, Self::Partner, Self::Platform, Self::Bank, Self::Fund];

    /// Its number from the left.
    pub(super) const fn number(self) -> i32 {
        self as i32
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Customer => "customer",
            Self::Partner => "partner",
            Self::Platform => "platform",
            Self::Bank => "bank",
            Self::Fund => "fund company",
        }
    }
}

/// What a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum StepKind {
    /// Somebody asks for something, or acts.
    Request,
    /// Somebody asks for something and does not get it.
    Refused,
    /// The answer to it.
    Answer,
    /// Something that was due.
    Timer,
    /// A record has become different.
    Event,
    /// A callback or a webhook.
    Delivery,
    /// Cash in the ledger.
    Money,
    /// Units of a fund.
    Units,
}

impl StepKind {
    /// In the order of the legend.
    pub(super) const ALL: [Self; 8] = [
        Self::Request,
        Self::Refused,
        Self::Answer,
        Self::Timer,
        Self::Event,
        Self::Delivery,
        Self::Money,
        Self::Units,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Refused => "refused",
            Self::Answer => "answer",
            Self::Timer => "due",
            Self::Event => "event",
            Self::Delivery => "delivery",
            Self::Money => "money",
            Self::Units => "units",
        }
    }

    pub(super) const fn ink(self) -> &'static Ink {
        match self {
            Self::Request => &ink::BUY,
            Self::Refused => &ink::BAD,
            Self::Answer => &ink::QUIET,
            Self::Timer => &ink::WAIT,
            Self::Event => &ink::TEXT,
            Self::Delivery => &ink::ACTION,
            Self::Money => &ink::DEPOSIT,
            Self::Units => &ink::VALUE,
        }
    }
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// What it is.
    pub kind: StepKind,
    /// Who acts.
    pub from: Lane,
    /// Who is reached; the same lane where nobody else is.
    pub to: Lane,
    /// What happens, in words.
    pub says: String,
    /// How it ended, such as a status, or the state of a booking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// Cash, in ore.
    #[serde(
        rename = "amount",
        default,
        serialize_with = "sek_or_nothing",
        deserialize_with = "ore_or_nothing",
        skip_serializing_if = "Option::is_none"
    )]
    pub ore: Option<i64>,
}

impl Step {
    /// A step without an outcome and without cash.
    #[must_use]
    pub const fn new(kind: StepKind, from: Lane, to: Lane, says: String) -> Self {
        Self { kind, from, to, says, outcome: None, ore: None }
    }

    /// What is written at the arrow.
    pub(super) fn label(&self) -> String {
        let amount = self.ore.map(|ore| format!("{} SEK ", grouped(ore))).unwrap_or_default();
        let outcome = self.outcome.as_ref().map(|outcome| format!(": {outcome}")).unwrap_or_default();
        format!("{amount}{}{outcome}", self.says)
    }

    /// Whether it ended badly.
    pub(super) fn failed(&self) -> bool {
        let bad = ["refused", "deadLetter", "aborted", "dropped"];
        self.outcome
            .as_ref()
            .is_some_and(|outcome| outcome.starts_with(['4', '5']) || bad.iter().any(|word| outcome.starts_with(word)))
    }
}

/// What happened at one instant for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// When.
    pub at: Instant,
    /// Why, in words.
    pub cause: String,
    /// The number of the input; none when nobody knows any more.
    pub input: Option<u64>,
    /// In order.
    pub steps: Vec<Step>,
}

impl Change {
    /// Whether it is a request that changed nothing.
    pub(super) fn is_refused(&self) -> bool {
        self.steps.first().is_some_and(|step| step.kind == StepKind::Refused)
    }
}

/// All of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    /// What it is about: a resource in words, or the world.
    pub about: String,
    /// The id of the resource.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The changes that are shown, oldest first.
    pub changes: Vec<Change>,
    /// Earlier changes that are kept and not shown.
    pub left_out: usize,
    /// Refused requests that are kept and not shown.
    #[serde(default)]
    pub refused_left_out: usize,
    /// Earlier events that are no longer kept.
    pub forgotten: u64,
    /// Steps that are not drawn since the picture has no room for them.
    pub steps_left_out: usize,
}

impl Facts {
    /// Steps that a picture has at most.
    pub const MOST_STEPS: usize = 240;

    /// The same with the last steps alone, as many as a picture has room for, and what is left out.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        let mut room = Self::MOST_STEPS;
        let mut first = self.changes.len();
        for (at, change) in self.changes.iter_mut().enumerate().rev() {
            if room == 0 {
                break;
            }
            // Of a change with very many steps, such as a cut-off, the first are shown.
            let surplus = change.steps.len().saturating_sub(room);
            change.steps.truncate(room);
            self.steps_left_out += surplus;
            room -= change.steps.len();
            first = at;
        }
        self.left_out += first;
        self.steps_left_out += self.changes.drain(..first).map(|change| change.steps.len()).sum::<usize>();
        self
    }

    /// All steps that are shown.
    pub(super) fn steps(&self) -> impl Iterator<Item = &Step> {
        self.changes.iter().flat_map(|change| &change.steps)
    }
}
