//! Names for ids: what a request makes is called after what it is, and later uses refer to it.
//!
//! Invariant: an id that an answer has shown is never written down where a name can be; a name is saved by the step whose
//! answer has shown it first; a secret is neither named nor written. Absent on purpose: which texts are looked at.

use super::hidden::{is_hidden, is_hidden_value, literal, shown_in_url};
use hosting::log::MASK;
use hosting::recording::Session;
use hosting::recording::masks::Masks;
use language::ast::{Save, StoryStep};
use serde_json::{Map, Value as Json};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The names that ids have, or can have.
#[derive(Debug)]
pub(super) struct Names {
    known: BTreeMap<String, IdSource>,
    counts: BTreeMap<String, u32>,
    saved: BTreeSet<String>,
    masks: Masks,
    /// Whether a secret was left out since somebody last asked.
    is_masked: bool,
}

/// Where an id can be taken from.
#[derive(Clone, Debug)]
enum IdSource {
    /// Under this reference.
    Named(String),
    /// In the answer of a step, at this path; it would be called so.
    Shown { step: usize, path: String, noun: String },
}

/// What numbers of fault rules are known as, which only their rule makes ids of.
pub(super) fn fault(number: &str) -> String {
    format!("faults/{number}")
}

impl Names {
    /// Those that a story knows from the start.
    pub(super) fn of(session: &Session) -> Self {
        let mut known = BTreeMap::new();
        for (p, (_, clients)) in session.partners.iter().enumerate() {
            for (c, client) in clients.iter().enumerate() {
                let name = match (p, c) {
                    (0, 0) => "client.id".to_owned(),
                    (0, _) => format!("client {}.id", c + 1),
                    _ => format!("partner {}.clients[{c}].id", p + 1),
                };
                known.insert(client.to_string(), IdSource::Named(name));
            }
        }
        let (counts, saved) = (BTreeMap::new(), BTreeSet::new());
        Self { known, counts, saved, masks: session.masks.clone(), is_masked: false }
    }

    /// A name that no other has.
    fn next(&mut self, noun: &str) -> String {
        let count = self.counts.entry(noun.to_owned()).or_default();
        *count += 1;
        let name = format!("{noun}{count}");
        self.saved.insert(name.clone());
        name
    }

    /// Whether the id is known already.
    pub(super) fn knows(&self, id: &str) -> bool {
        self.known.contains_key(id)
    }

    /// Whether something is saved under this name.
    pub(super) fn has_saved(&self, name: &str) -> bool {
        self.saved.contains(name)
    }

    /// Whether a secret was left out since this was asked last.
    pub(super) fn take_masked(&mut self) -> bool {
        std::mem::take(&mut self.is_masked)
    }

    /// A secret was left out.
    pub(super) const fn note_masked(&mut self) {
        self.is_masked = true;
    }

    /// The name of a resource that a step makes, whose whole answer is saved.
    pub(super) fn made(&mut self, noun: &str, answer: &Json) -> String {
        let name = self.next(noun);
        self.walk(answer, |names, path, _, id| {
            if names.named(id).is_none() {
                names.known.insert(id.to_owned(), IdSource::Named(format!("{name}{path}")));
            }
        });
        name
    }

    /// The name of a fault rule that a step adds.
    pub(super) fn made_rule(&mut self, number: u64) -> String {
        let name = self.next("fault");
        self.known.insert(fault(&number.to_string()), IdSource::Named(format!("{name}.id")));
        name
    }

    /// The answer of a step shows fault rules that a bundle has added.
    pub(super) fn shown_rules(&mut self, step: usize, rules: &[Json]) {
        for (at, rule) in rules.iter().enumerate() {
            if let Some(number) = rule["id"].as_u64() {
                let place = IdSource::Shown { step, path: format!("$[{at}].id"), noun: "fault".to_owned() };
                self.known.insert(fault(&number.to_string()), place);
            }
        }
    }

    /// The answer of a step shows ids.
    pub(super) fn shown(&mut self, step: usize, noun: &str, answer: &Json) {
        self.walk(answer, |names, path, key, id| {
            let noun = if key == "id" { noun } else { key };
            let path = format!("${path}");
            let place = || IdSource::Shown { step, path, noun: noun.to_owned() };
            names.known.entry(id.to_owned()).or_insert_with(place);
        });
    }

    /// Every id in a value, with its path and its key.
    fn walk(&mut self, value: &Json, mut found: impl FnMut(&mut Self, &str, &str, &str)) {
        let mut ids = Vec::new();
        walk(value, String::new(), &mut |path, key, id| ids.push((path.to_owned(), key.to_owned(), id.to_owned())));
        for (path, key, id) in ids {
            if !self.hides(&id) {
                found(self, &path, &key, &id);
            }
        }
    }

    fn hides(&self, text: &str) -> bool {
        matches!(self.masks.over(text, MASK), Cow::Owned(_))
    }

    /// What an id is referred to by; the step that shows it saves it when it is first needed.
    pub(super) fn reference(&mut self, id: &str, steps: &mut [StoryStep]) -> Option<String> {
        let (step, path, noun) = match self.known.get(id)? {
            IdSource::Named(name) => return Some(name.clone()),
            IdSource::Shown { step, path, noun } => (*step, path.clone(), noun.clone()),
        };
        let name = self.next(&noun);
        steps.get_mut(step)?.save.push(Save { name: name.clone(), path });
        self.known.insert(id.to_owned(), IdSource::Named(name.clone()));
        Some(name)
    }

    /// What an id is referred to by where it has a name already.
    pub(super) fn named(&self, id: &str) -> Option<&str> {
        match self.known.get(id)? {
            IdSource::Named(name) => Some(name),
            IdSource::Shown { .. } => None,
        }
    }

    /// A text as a step holds it.
    pub(super) fn text(&mut self, text: &str, steps: &mut [StoryStep]) -> String {
        match self.reference(text, steps) {
            Some(name) => format!("{{{name}}}"),
            None => literal(&self.without_secrets(text)),
        }
    }

    /// A text without what a URL in it must not show, and without what the world has given out.
    pub(super) fn without_secrets<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let hidden = self.masks.over(text, MASK);
        self.is_masked |= matches!(hidden, Cow::Owned(_));
        match hidden {
            Cow::Borrowed(text) => shown_in_url(text),
            Cow::Owned(text) => Cow::Owned(shown_in_url(&text).into_owned()),
        }
    }

    /// A text that can be expected as it is; `None` where it holds what nobody may read.
    pub(super) fn expected(&self, text: &str) -> Option<String> {
        let is_whole = !self.hides(text) && matches!(shown_in_url(text), Cow::Borrowed(_));
        is_whole.then(|| literal(text))
    }

    /// What is written in the place of a value of this name, where that is secret.
    pub(super) fn mask(&mut self, key: &str, value: &Json) -> Option<Json> {
        let hides = is_hidden_value(key, value);
        self.is_masked |= hides;
        hides.then(|| Json::String(MASK.to_owned()))
    }

    /// A value as a step holds it.
    pub(super) fn value(&mut self, value: &Json, steps: &mut [StoryStep]) -> Json {
        match value {
            Json::String(text) => Json::String(self.text(text, steps)),
            Json::Array(items) => items.iter().map(|item| self.value(item, steps)).collect(),
            Json::Object(entries) => {
                let mut written = Map::new();
                for (key, value) in entries {
                    let value = self.mask(key, value).unwrap_or_else(|| self.value(value, steps));
                    written.insert(self.without_secrets(key).into_owned(), value);
                }
                Json::Object(written)
            }
            other => other.clone(),
        }
    }
}

/// Every id in a value, with its path and its key.
fn walk(value: &Json, path: String, found: &mut impl FnMut(&str, &str, &str)) {
    match value {
        Json::Object(entries) => {
            for (key, value) in entries.iter().filter(|(key, _)| is_plain_key(key) && !is_hidden(key)) {
                let path = format!("{path}.{key}");
                match value {
                    Json::String(text) if is_id(text) => found(&path, key, text),
                    other => walk(other, path, found),
                }
            }
        }
        Json::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                walk(item, format!("{path}[{at}]"), found);
            }
        }
        _ => {}
    }
}

/// Whether a key can be part of a reference as it is.
fn is_plain_key(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether a text is written as an id is.
pub(super) fn is_id(text: &str) -> bool {
    let is_hyphen = |at: usize| matches!(at, 8 | 13 | 18 | 23);
    text.len() == 36
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| if is_hyphen(at) { byte == b'-' } else { byte.is_ascii_hexdigit() })
}

/// Whether a text is the id of an instrument: an ISIN and a currency.
pub(super) fn is_instrument(text: &str) -> bool {
    let is_country = || text.bytes().take(2).all(|byte| byte.is_ascii_uppercase());
    let is_code = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    text.len() == 15
        && is_country()
        && text.bytes().all(is_code)
        && text.bytes().filter(u8::is_ascii_digit).count() >= 3
}
