//! What the picture of a difference shows: resources that differ between two worlds, by kind, with when each first differs.
//!
//! Invariant: the counts are of all differences, the marks of those that are shown. Absent on purpose: how differences are found, which
//! is the server's, and what time alone moves.

use crate::frame::time_axis::{clock, in_words};
use serde::Serialize;
use sim::time::Instant;

/// Most differences that are shown, and that words list.
const MOST: usize = 1_000;
pub(super) const LISTED: usize = 12;

/// How a resource differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum DifferenceKind {
    /// Only this world has it.
    OnlyHere,
    /// Only the other world has it.
    OnlyThere,
    /// Both have it, and fields of it differ.
    Changed,
}

impl DifferenceKind {
    pub(super) const ALL: [Self; 3] = [Self::OnlyHere, Self::OnlyThere, Self::Changed];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::OnlyHere => "only here",
            Self::OnlyThere => "only there",
            Self::Changed => "changed",
        }
    }
}

/// A resource that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DifferenceFact {
    /// Its kind.
    pub resource: &'static str,
    /// Its id.
    pub id: String,
    /// How it differs.
    pub kind: DifferenceKind,
    /// Since when, by the clock of the worlds, where that is known.
    pub at: Option<Instant>,
    /// Paths of the fields that differ.
    pub fields: Vec<String>,
}

/// How many resources of a kind are equal and differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TopicCount {
    /// The kind.
    pub resource: &'static str,
    /// Equal ones.
    pub alike: usize,
    /// Those that only this world has.
    pub only_here: usize,
    /// Those that only the other world has.
    pub only_there: usize,
    /// Those that differ.
    pub changed: usize,
}

impl TopicCount {
    pub(super) const fn of(&self, kind: DifferenceKind) -> usize {
        match kind {
            DifferenceKind::OnlyHere => self.only_here,
            DifferenceKind::OnlyThere => self.only_there,
            DifferenceKind::Changed => self.changed,
        }
    }

    pub(super) const fn differing(&self) -> usize {
        self.only_here + self.only_there + self.changed
    }
}

/// One of the two worlds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WorldSide {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What its clock shows.
    pub now: Instant,
}

/// All of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    here: WorldSide,
    there: WorldSide,
    pub(super) topics: Vec<TopicCount>,
    /// The earliest first.
    pub(super) differences: Vec<DifferenceFact>,
    left_out: usize,
}

impl Facts {
    /// Two worlds with what differs between them.
    #[must_use]
    pub fn of(here: WorldSide, there: WorldSide, topics: Vec<TopicCount>, mut all: Vec<DifferenceFact>) -> Self {
        all.sort_by(|one, other| {
            let key = |it: &DifferenceFact| (it.at.is_none(), it.at);
            key(one).cmp(&key(other)).then_with(|| (one.resource, &one.id).cmp(&(other.resource, &other.id)))
        });
        let differing: usize = topics.iter().map(TopicCount::differing).sum();
        all.truncate(MOST);
        let left_out = differing - all.len().min(differing);
        Self { here, there, topics, differences: all, left_out }
    }

    /// The kinds of which a resource differs.
    pub(super) fn differing(&self) -> impl Iterator<Item = &TopicCount> {
        self.topics.iter().filter(|topic| topic.differing() > 0)
    }

    /// From when to when there is something to show.
    pub(super) fn span(&self) -> (Instant, Instant) {
        let end = self.here.now.max(self.there.now);
        (self.differences.iter().filter_map(|it| it.at).min().unwrap_or(end), end)
    }

    pub(super) fn title(&self) -> String {
        format!("{} here, {} there", self.here.name, self.there.name)
    }

    pub(super) fn subtitle(&self) -> String {
        let sum = |kind| self.topics.iter().map(|topic| topic.of(kind)).sum::<usize>();
        let mut parts: Vec<String> =
            DifferenceKind::ALL.iter().map(|kind| format!("{} {}", sum(*kind), kind.name())).collect();
        let alike: usize = self.topics.iter().map(|topic| topic.alike).sum();
        parts.push(format!("{alike} alike"));
        let undated = self.differences.iter().filter(|it| it.at.is_none()).count();
        if undated > 0 {
            parts.push(format!("{undated} without an instant"));
        }
        if self.left_out > 0 {
            parts.push(format!("{} not shown", self.left_out));
        }
        parts.push(format!("here it is {}, there {}", when(self.here.now), when(self.there.now)));
        parts.join("  ·  ")
    }

    /// What the picture shows, for those who do not see it.
    pub(super) fn description(&self) -> String {
        let mut text = format!("{}.", self.subtitle());
        for topic in self.differing() {
            let TopicCount { resource, only_here, only_there, changed, .. } = topic;
            text.push_str(&format!(" {resource}: {only_here} only here, {only_there} only there, {changed} changed."));
        }
        text
    }
}

/// When something was.
pub(super) fn when(at: Instant) -> String {
    format!("{} {}", in_words(at.local_date()), clock(at))
}

/// A difference in words.
pub(super) fn difference_in_words(difference: &DifferenceFact) -> String {
    let fields = match &difference.fields[..] {
        [] => String::new(),
        [one] => format!(": {one}"),
        [one, other] => format!(": {one}, {other}"),
        [one, other, more @ ..] => format!(": {one}, {other} and {} more", more.len()),
    };
    format!("{} {}, {}{fields}", difference.resource, difference.id, difference.kind.name())
}
