//! What of a story was asked of a server, by chapters of the partner API, and why the rest was not.
//!
//! Invariant: a step is counted once, as held, broken or skipped. Absent on purpose: how counts are shown (`report`).

use super::chapters;
use std::collections::BTreeMap;

/// Why a step was not asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It moves the business clock, or looks at it.
    Clock,
    /// It is a lever that the server does not have.
    Lever,
    /// It asks the machinery below `/_sandbox`.
    Machinery,
    /// It uses a hosted page, which every server makes in its own way.
    Page,
    /// It waits until every post has been delivered, which only the machinery can say.
    Post,
    /// It causes outages.
    Outage,
    /// It speaks of a day or an instant of the story's own calendar.
    Date,
    /// It looks at a whole list, in which other runs have left something.
    SharedList,
    /// It changes the market, a customer or a client, which other runs share.
    SharedWorld,
    /// It speaks of a partner or a client that the server's file does not name.
    Nobody,
    /// Its chapter is one that the server is declared to be without.
    Without,
    /// It needs what a skipped step would have given.
    Unknown,
    /// A skipped step would have changed the world before it.
    Later,
    /// The whole story asks for a world of its own.
    World,
}

impl Reason {
    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Clock => "moves the clock or looks at it",
            Self::Lever => "is a lever that the server does not have",
            Self::Machinery => "asks the machinery",
            Self::Page => "uses hosted pages",
            Self::Post => "waits for posts to be delivered",
            Self::Outage => "causes outages",
            Self::Date => "speaks of the story's own calendar",
            Self::SharedList => "looks at a whole list that other runs share",
            Self::SharedWorld => "changes the market, a customer or a client that other runs share",
            Self::Nobody => "speaks of a client that the server's file does not name",
            Self::Without => "belongs to a chapter that the server is without",
            Self::Unknown => "needs what a skipped step would have given",
            Self::Later => "comes after a skipped step that would have changed the world",
            Self::World => "belongs to a story that asks for a world of its own",
        }
    }
}

/// Steps of a chapter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Answered as they must be.
    pub held: usize,
    /// Answered otherwise.
    pub broken: usize,
    /// Not asked.
    pub skipped: usize,
}

/// The counts of a run, or of many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    chapters: BTreeMap<usize, Count>,
    reasons: BTreeMap<Reason, usize>,
    /// Of all steps, those of no chapter included.
    total: Count,
}

impl Tally {
    /// A step was asked, and held or did not.
    pub fn asked(&mut self, chapter: Option<&str>, held: bool) {
        self.count(chapter, |count| if held { count.held += 1 } else { count.broken += 1 });
    }

    /// A step was not asked.
    pub fn skipped(&mut self, chapter: Option<&str>, reason: Reason) {
        self.count(chapter, |count| count.skipped += 1);
        *self.reasons.entry(reason).or_default() += 1;
    }

    fn count(&mut self, chapter: Option<&str>, note: impl Fn(&mut Count)) {
        note(&mut self.total);
        if let Some(at) = chapter.and_then(|chapter| chapters().iter().position(|known| *known == chapter)) {
            note(self.chapters.entry(at).or_default());
        }
    }

    /// All of these together; `None` where there is none.
    pub fn sum<'t>(tallies: impl Iterator<Item = &'t Self>) -> Option<Self> {
        tallies.fold(None, |sum: Option<Self>, tally| {
            let mut sum = sum.unwrap_or_default();
            sum.add(tally);
            Some(sum)
        })
    }

    /// Adds another's counts.
    pub fn add(&mut self, other: &Self) {
        let add = |count: &mut Count, more: &Count| {
            count.held += more.held;
            count.broken += more.broken;
            count.skipped += more.skipped;
        };
        add(&mut self.total, &other.total);
        other.chapters.iter().for_each(|(at, more)| add(self.chapters.entry(*at).or_default(), more));
        other.reasons.iter().for_each(|(reason, more)| *self.reasons.entry(*reason).or_default() += more);
    }

    /// Chapters of which something was to be asked, in the order of the API.
    pub fn chapters(&self) -> impl Iterator<Item = (&'static str, Count)> {
        self.chapters.iter().filter_map(|(at, count)| Some((*chapters().get(*at)?, *count)))
    }

    /// Why steps were not asked, and how many.
    pub fn reasons(&self) -> impl Iterator<Item = (Reason, usize)> {
        self.reasons.iter().map(|(reason, count)| (*reason, *count))
    }

    /// Of all steps, those of no chapter included.
    #[must_use]
    pub const fn total(&self) -> Count {
        self.total
    }
}
