//! What an integration has met of a world, and what never, from a server's answer: as text, and as a page (rule: wire/coverage).
//!
//! Invariant: what was never met comes first, with what makes it happen, as a step of a story and as a request. Absent on purpose:
//! asking the server, and counting, which is its own.

pub mod html;
pub mod sum;

use language::routes;
use serde::Deserialize;
use serde_json::Value as Json;
use std::fmt::Write as _;

/// What a server has counted of a world.
#[derive(Clone, Debug, Deserialize)]
pub struct Coverage {
    /// Time of the world's clock.
    pub at: String,
    /// The partners whose integrations are counted.
    pub partners: Vec<String>,
    /// The mean of the groups' shares, in whole percent.
    pub share: u64,
    /// Rows that were met.
    pub met: u64,
    /// Rows that can be met.
    pub rows: u64,
    /// Kinds of what can be met.
    pub groups: Vec<Group>,
}

/// One kind of what can be met.
#[derive(Clone, Debug, Deserialize)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// What it counts.
    pub about: String,
    /// How many of its rows were met, in whole percent.
    pub share: u64,
    /// What was never met.
    pub never: Vec<NeverMet>,
    /// What was met.
    pub met: Vec<Met>,
}

/// Something that was never met.
#[derive(Clone, Debug, Deserialize)]
pub struct NeverMet {
    /// What it is a part of.
    pub of: String,
    /// What it is.
    pub what: String,
    /// More about it: what a code means, or what came nearest to a row of a state table.
    pub about: Option<String>,
    /// What makes it happen.
    pub r#try: Vec<Try>,
}

impl NeverMet {
    /// What makes it happen, without what its own name says already.
    fn helpful(&self) -> impl Iterator<Item = &Try> {
        self.r#try.iter().filter(|one| one.word().is_some() || one.request_beside(&self.of).is_some())
    }
}

/// A request that makes something happen.
#[derive(Clone, Debug, Deserialize)]
pub struct Try {
    /// Its method.
    pub method: String,
    /// Its path, with names in braces for ids.
    pub path: String,
    /// What it does.
    pub about: String,
    /// The fields that matter.
    pub body: Option<Json>,
}

/// Something that was met.
#[derive(Clone, Debug, Deserialize)]
pub struct Met {
    /// What it is a part of.
    pub of: String,
    /// What it is.
    pub what: String,
    /// How often.
    pub count: u64,
    /// More about it.
    pub about: Option<String>,
}

impl Coverage {
    /// Reads a server's answer.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(answer: Json) -> Result<Self, String> {
        serde_json::from_value(answer).map_err(|error| format!("it cannot be read as coverage of a world: {error}"))
    }
}

impl Try {
    /// The word of a story that does it, where there is one.
    #[must_use]
    pub fn word(&self) -> Option<&'static str> {
        routes::word_of(&self.method, &self.path)
    }

    /// Its method and path, with the fields that matter.
    #[must_use]
    pub fn request(&self) -> String {
        let body = self.body.as_ref().map(|body| format!(" {body}")).unwrap_or_default();
        format!("{} {}{body}", self.method, self.path)
    }

    /// Its request, where the name of what was never met does not say it already.
    fn request_beside(&self, of: &str) -> Option<String> {
        Some(self.request()).filter(|request| request != of)
    }
}

/// Partners that the text names; of more it says how many.
const PARTNERS_NAMED: usize = 4;
/// How many rows of a group the text shows of what was never met.
const FEW: usize = 8;

/// The text: the shares, then what was never met, group by group; all of it, or the first rows of each group.
#[must_use]
pub fn text(coverage: &Coverage, world: &str, is_whole: bool) -> String {
    let Coverage { at, partners, share, met, rows, groups } = coverage;
    let mut text = format!("{share} % ready: {met} of {rows} met in {world} at {at}\n");
    match partners.len() {
        1 => add(&mut text, format_args!("partner {}\n\n", partners[0])),
        ..=PARTNERS_NAMED => add(&mut text, format_args!("partners {}\n\n", partners.join(", "))),
        many => add(&mut text, format_args!("{many} partners\n\n")),
    }
    for group in groups {
        let (name, met, all) = (&group.name, group.met.len(), group.met.len() + group.never.len());
        add(&mut text, format_args!("  {name:<12}{:>3} %  {met:>3} of {all:>3}  {}\n", group.share, group.about));
    }
    for group in groups.iter().filter(|group| !group.never.is_empty()) {
        add(&mut text, format_args!("\n{}, never met:\n", group.name));
        let shown = if is_whole { group.never.len() } else { FEW };
        group.never.iter().take(shown).for_each(|row| never(&mut text, row));
        let left_out = group.never.len().saturating_sub(shown);
        if left_out > 0 {
            add(&mut text, format_args!("  ... {left_out} more; --all shows them\n"));
        }
    }
    text
}

fn never(text: &mut String, row: &NeverMet) {
    add(text, format_args!("  {}: {}\n", row.of, row.what));
    if let Some(about) = &row.about {
        add(text, format_args!("      {about}\n"));
    }
    for (number, one) in row.helpful().enumerate() {
        let head = if number == 0 { "try" } else { "then" };
        match (one.word(), one.request_beside(&row.of)) {
            (Some(word), Some(request)) => add(text, format_args!("      {head} `{word}` ({request})\n")),
            (word, request) => {
                let one = word.map(|word| format!("`{word}`")).or(request).unwrap_or_default();
                add(text, format_args!("      {head} {one}\n"));
            }
        }
    }
}

fn add(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("texts take what is written");
}

#[cfg(test)]
mod tests;
