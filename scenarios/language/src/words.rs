//! The words of the language, in one table, and the nearest one to a slip.
//!
//! Owns: which words a step, a file and an expectation may hold, with an example of each. Invariant: parser, writer, JSON
//! Schema, `fundsim explain steps`, hints and requests follow the table, so that a new lever is one row of it. Absent on
//! purpose: what steps of other kinds mean (`parse`, `runner`).

mod field;
mod table;

use feed::transport::SurfaceSettings;
use sim::settings::Settings;

pub use field::put;
pub use field::{Field, Presence, Usual, WordFieldType, fixed, optional, required};
pub use table::{BANK_ACCOUNT, STEPS};

/// A word that begins a step: one row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The word; capitals stand for a name or value of the author's.
    pub word: &'static str,
    /// Another spelling of it.
    pub alias: Option<&'static str>,
    /// What it does, in one line.
    pub about: &'static str,
    /// A step as an author would write it.
    pub example: &'static str,
    /// What follows it.
    pub takes: Takes,
    /// Whether it can be written without anything after it.
    pub alone: bool,
    /// Which of `BESIDE` may be written beside it.
    pub beside: &'static [&'static str],
}

/// What follows a step's word.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// What one request needs.
    Request(Sends),
    /// A method and a path.
    Call,
    /// Nothing.
    Nothing,
    /// A text.
    Text,
    /// A text of one of these shapes; examples of them.
    Shapes(&'static [&'static str], &'static [&'static str]),
    /// Fields; alone, the first one.
    Fields(&'static [Field]),
    /// Names and values.
    Names,
    /// What is expected of a value.
    Expected,
    /// Events that are looked for.
    Events,
    /// Types of events.
    EventTypes,
    /// What is expected of a page.
    Page,
    /// How often a block is repeated.
    Rounds,
    /// What must be so for a block to be done.
    Conditions,
}

/// How a request is made of the fields that are written.
#[derive(Clone, Copy, Debug)]
pub struct Sends {
    /// HTTP method.
    pub method: &'static str,
    /// Path with fields in braces; what is not the server's own is under the acting client.
    pub path: &'static str,
    /// Its fields, in the order of the body.
    pub fields: &'static [Field],
    /// Where fields go that another table names, such as a journey's configuration.
    pub others: Option<Others>,
    /// How many fields must be given at least.
    pub least: usize,
    /// Whether it makes something that takes a name: `as` within.
    pub makes: bool,
}

/// Fields that another table names; they go into this field of the body, in the order in which they are written.
#[derive(Clone, Copy, Debug)]
pub struct Others {
    /// Where they go.
    pub into: &'static str,
    /// The fields.
    pub fields: fn() -> Vec<Field>,
}

impl PartialEq for Word {
    fn eq(&self, other: &Self) -> bool {
        self.word == other.word
    }
}

impl Eq for Word {}

impl Takes {
    /// What follows the word, in words; `None` where fields say it, or where nothing does.
    #[must_use]
    pub fn noun(&self) -> Option<String> {
        Some(match self {
            Self::Request(_) | Self::Fields(_) | Self::Nothing => return None,
            Self::Call => "a method and a path; a name in braces is replaced by the value saved under it".to_owned(),
            Self::Text => "a text".to_owned(),
            Self::Shapes(_, examples) => format!("a text such as `{}`", examples.join("`, `")),
            Self::Names => "names and values".to_owned(),
            Self::Expected => "a value, or what is expected of one (`fundsim explain matchers`)".to_owned(),
            Self::Events => {
                "types of events such as `order.update` or `order.*`, one or several, each alone or with what \
                             is expected in it (`fundsim explain matchers`)"
                    .to_owned()
            }
            Self::EventTypes => "types of events such as `order.update` or `order.*`".to_owned(),
            Self::Page => "the page's name, or a map of what is expected on it (`fundsim explain page`)".to_owned(),
            Self::Rounds => "a number of repetitions, or names with the lists whose items they take".to_owned(),
            Self::Conditions => {
                "saved values, and settings as in `settings.exposeConfirmed`, with what is expected of each".to_owned()
            }
        })
    }
}

impl Word {
    /// The request it stands for, if it is one.
    #[must_use]
    pub const fn sends(&self) -> Option<&Sends> {
        match &self.takes {
            Takes::Request(sends) => Some(sends),
            _ => None,
        }
    }

    /// The fields that may be written after it.
    #[must_use]
    pub fn fields(&self) -> Vec<Field> {
        match &self.takes {
            Takes::Request(sends) => {
                let others = sends.others.map(|others| (others.fields)()).unwrap_or_default();
                sends.fields.iter().copied().filter(Field::is_written).chain(others).collect()
            }
            Takes::Fields(fields) => fields.to_vec(),
            _ => Vec::new(),
        }
    }

    /// Whether its first field may stand for the whole: no other must be given.
    #[must_use]
    pub fn short(&self) -> Option<Field> {
        let fields = self.fields();
        let least = self.sends().map_or(1, |sends| sends.least);
        match fields.as_slice() {
            [first, others @ ..] if first.is_required() && least < 2 && !others.iter().any(Field::is_required) => {
                Some(*first)
            }
            _ => None,
        }
    }
}

/// The row of a word that is one request.
#[must_use]
pub fn request(word: &str) -> Option<&'static Word> {
    STEPS.iter().find(|row| row.word == word && row.sends().is_some())
}

/// The fields that may be written after a word.
#[must_use]
pub fn fields(word: &str) -> Vec<Field> {
    STEPS.iter().find(|row| row.word == word).map(Word::fields).unwrap_or_default()
}

/// Names of fields as stories write them.
#[must_use]
pub fn names(fields: &[Field]) -> Vec<&'static str> {
    fields.iter().map(|field| field.name).collect()
}

/// Words beside a step's first word, with what they mean.
pub const BESIDE: &[(&str, &str)] = &[
    ("as", "who acts: `partner 2`, `client 2`, `partner 2 client 1`, `nobody`"),
    ("expect", "the expected answer; any 2xx status by default"),
    ("save", "a name for the whole answer, or for what an expectation found; or names with paths into it"),
    ("soft", "`true`: after an unexpected answer the story continues, and fails at its end"),
    ("steps", "the steps of a block"),
    ("otherwise", "the steps that are done where the conditions do not hold"),
    ("body", "what a call sends as JSON"),
    ("form", "what a call sends as a form"),
    ("text", "the very characters that a call sends"),
    ("query", "the part after the question mark"),
    ("headers", "further headers"),
    ("within", "for how long the application is asked again, in real time: `5 seconds` unless given"),
    ("on", "the socket that is watched"),
    ("with", "values for the used file"),
];

/// The words of a list that says what they mean.
#[must_use]
pub fn listed(table: &[(&'static str, &str)]) -> Vec<&'static str> {
    table.iter().map(|(word, _)| *word).collect()
}

/// Whether a word is one of `BESIDE`.
#[must_use]
pub fn is_beside(word: &str) -> bool {
    BESIDE.iter().any(|(beside, _)| *beside == word)
}

/// Words at the top of a file.
pub const FILE_WORDS: &[&str] =
    &["fundsim", "scenario", "fragment", "about", "incomplete", "tags", "world", "examples", "use", "given", "steps"];

/// How a story can be played, as conditions name it.
pub const DRIVERS: &[&str] = &["in-process", "turmoil", "live"];

/// Words of `world:`.
pub const WORLD_WORDS: &[&str] = &["seed", "start", "setup", "settings"];

/// Settings that no row of the register holds, with the JSON type of their items.
pub const OWN_SETTINGS: &[(&str, &str)] =
    &[("deliveryWaitsSeconds", "integer"), ("allowlist", "string"), ("partnersMay", "string")];

/// Everything that `settings:` of a world can have.
#[must_use]
pub fn setting_names() -> Vec<&'static str> {
    let of_world = Settings::ROWS.iter().map(|row| row.name);
    let of_surface = SurfaceSettings::ROWS.iter().map(|row| row.name);
    of_world.chain(of_surface).chain(OWN_SETTINGS.iter().map(|(name, _)| *name)).collect()
}

/// Words of `expect:` beside a request, with what they mean.
pub const ANSWER_WORDS: &[(&str, &str)] = &[
    ("status", "the HTTP status"),
    ("body", "what the body must hold"),
    ("headers", "headers by their names"),
    ("because", "the text of `error_description`; `*` matches any text"),
    ("no answer", "that none comes"),
];

/// Words of `expect page:`, with what they speak of.
pub const PAGE_WORDS: &[(&str, &str)] = &[
    ("name", "its name: a step's name, `leave`, `returned`, `done` or `end`"),
    ("status", "HTTP status it came with"),
    ("language", "its declared language"),
    ("title", "words on the browser's tab"),
    ("heading", "its heading"),
    ("says", "words that it shows: one text, or several"),
    ("does not say", "words that it does not show"),
    ("steps", "all steps of the way, by the words shown"),
    ("asks", "names of the fields that can be filled in, in order"),
    ("holds", "what is in the fields, by name: a text, or a list where several can be chosen"),
    ("choices", "what can be chosen, by the field's name: a list of values"),
    ("fixed", "fixed values that it shows, by their labels"),
    ("errors", "what is wrong, by the field's name"),
    ("persons", "who can be chosen to identify or sign: a list of personal numbers"),
    ("ways", "buttons and links, by their words"),
    ("leads to", "where the browser goes by itself from here"),
];

/// Names of pages that are no step of a journey.
pub const FURTHER_PAGES: &[&str] = &["leave", "waiting", "app", "returned", "done", "end"];

/// How a story can have the partner's server behave.
pub const RECEIVER_BEHAVIOURS: &[&str] = &[
    "is down",
    "recovers",
    "answers 503",
    "answers 200 after 11 seconds",
    "redirects",
    "hangs",
    "closes",
    "dribbles",
    "floods",
];

/// What the network between partner and sandbox can do.
pub const NETWORK_STATES: &[&str] = &["cut", "repaired", "held", "released", "latency 200 ms"];

/// How long a story can wait.
pub const WAITS: &[&str] = &["[0-9]+ (hour|minute|second|millisecond)s?"];

/// What the server can do.
pub const SERVER: &[&str] = &["crashes", "restarts", "restarts empty"];

/// Words that other languages have for steps, with the word of this one.
pub const OTHER_WORDS: &[(&str, &str)] = &[
    ("assert", "expect value VALUE"),
    ("assert balance", "expect cash of ACCOUNT"),
    ("balance", "expect cash of ACCOUNT"),
    ("buy", "subscribe"),
    ("click", "press"),
    ("create account", "open account"),
    ("create journey", "start journey"),
    ("create order", "subscribe"),
    ("create webhook", "register webhook"),
    ("delete", "call"),
    ("deposit", "pay by bankgiro"),
    ("expect balance", "expect cash of ACCOUNT"),
    ("expect holding", "expect units of ACCOUNT in INSTRUMENT"),
    ("expect holdings", "expect units of ACCOUNT in INSTRUMENT"),
    ("expect status", "expect order ORDER"),
    ("for each", "repeat"),
    ("get", "call"),
    ("if", "when"),
    ("log in", "identify"),
    ("loop", "repeat"),
    ("order", "subscribe"),
    ("patch", "call"),
    ("pause", "wait"),
    ("pay in", "pay by bankgiro"),
    ("pay out", "withdraw"),
    ("payout", "withdraw"),
    ("post", "call"),
    ("purchase", "subscribe"),
    ("put", "call"),
    ("request", "call"),
    ("sell", "redeem"),
    ("sleep", "wait"),
    ("time travel", "advance"),
    ("transfer", "sell and transfer"),
    ("verify", "expect value VALUE"),
];

/// Words that make a map an expectation of another kind than "holds at least these".
pub const MATCHER_WORDS: &[&str] = &[
    "one of",
    "not",
    "like",
    "matches",
    "greater than",
    "at least",
    "less than",
    "at most",
    "length",
    "contains",
    "in any order",
    "each",
    "exactly",
    "equals",
];

/// The word nearest to a slip, if one is near enough to be meant.
pub fn nearest<'w>(slip: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let slip = slip.to_lowercase();
    known
        .into_iter()
        .map(|word| (strsim::damerau_levenshtein(&slip, &word.to_lowercase()), word))
        .filter(|(distance, word)| *distance <= 1 + word.len().max(slip.len()) / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// "did you mean", or the list of what could be there when it is short.
#[must_use]
pub fn hint(slip: &str, known: &[&str]) -> Option<String> {
    match nearest(slip, known.iter().copied()) {
        Some(word) => Some(format!("did you mean `{word}`?")),
        None if known.len() <= 15 => {
            let known: Vec<_> = known.iter().map(|word| format!("`{word}`")).collect();
            Some(format!("known here: {}", known.join(", ")))
        }
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_find_the_word_that_was_meant() {
        for (slip, meant) in
            [("expect evnt", "expect event"), ("subscibe", "subscribe"), ("Advance", "advance"), ("relaese", "release")]
        {
            assert_eq!(nearest(slip, STEPS.iter().map(|row| row.word)), Some(meant), "{slip}");
        }
        for (other, word) in OTHER_WORDS {
            assert!(STEPS.iter().any(|row| row.word == *word), "{other}: {word}");
            assert!(!STEPS.iter().any(|row| row.word == *other || row.alias == Some(*other)), "{other}");
        }
        assert_eq!(nearest("teleport", STEPS.iter().map(|row| row.word)), None);
    }
}
