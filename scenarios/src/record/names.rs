//! Names for ids: what a request makes is called after what it is, and later uses refer to it.
//!
//! Invariant: an id that an answer has shown is never written down where a name can stand; a name is saved by the step whose
//! answer has shown it first. Absent on purpose: which texts are looked at.

use crate::ast::{Save, StoryStep};
use crate::template::is_name_character;
use sandbox::hosting::log::{LINKS, MASK, is_secret, url_without_secrets};
use sandbox::hosting::recording::Session;
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

/// What stands for ids.
#[derive(Debug, Default)]
pub(super) struct Names {
    known: BTreeMap<String, Place>,
    counts: BTreeMap<String, u32>,
}

/// Where an id can be had.
#[derive(Clone, Debug)]
enum Place {
    /// Under this reference.
    Named(String),
    /// In the answer of a step, at this path; it would be called so.
    Shown { step: usize, path: String, noun: String },
}

impl Names {
    /// Those that a story knows from the start.
    pub(super) fn of(session: &Session) -> Self {
        let mut names = Self::default();
        for (p, (_, clients)) in session.partners.iter().enumerate() {
            for (c, client) in clients.iter().enumerate() {
                let name = match (p, c) {
                    (0, 0) => "client.id".to_owned(),
                    (0, _) => format!("client {}.id", c + 1),
                    _ => format!("partner {}.clients[{c}].id", p + 1),
                };
                names.known.insert(client.to_string(), Place::Named(name));
            }
        }
        names
    }

    /// A name that no other has.
    fn next(&mut self, noun: &str) -> String {
        let count = self.counts.entry(noun.to_owned()).or_default();
        *count += 1;
        format!("{noun}{count}")
    }

    /// Whether the id is known already.
    pub(super) fn knows(&self, id: &str) -> bool {
        self.known.contains_key(id)
    }

    /// The name of a resource that a step makes, whose whole answer is saved.
    pub(super) fn made(&mut self, noun: &str, answer: &Json) -> String {
        let name = self.next(noun);
        walk(answer, String::new(), &mut |path, _, id| {
            if self.named(id).is_none() {
                self.known.insert(id.to_owned(), Place::Named(format!("{name}{path}")));
            }
        });
        name
    }

    /// The answer of a step shows ids.
    pub(super) fn shown(&mut self, step: usize, noun: &str, answer: &Json) {
        walk(answer, String::new(), &mut |path, key, id| {
            let noun = if key == "id" { noun } else { key };
            let path = format!("${path}");
            let place = || Place::Shown { step, path, noun: noun.to_owned() };
            self.known.entry(id.to_owned()).or_insert_with(place);
        });
    }

    /// What an id is referred to by; the step that shows it saves it when it is first needed.
    pub(super) fn reference(&mut self, id: &str, steps: &mut [StoryStep]) -> Option<String> {
        let (step, path, noun) = match self.known.get(id)? {
            Place::Named(name) => return Some(name.clone()),
            Place::Shown { step, path, noun } => (*step, path.clone(), noun.clone()),
        };
        let name = self.next(&noun);
        steps.get_mut(step)?.save.push(Save { name: name.clone(), path });
        self.known.insert(id.to_owned(), Place::Named(name.clone()));
        Some(name)
    }

    /// What an id is referred to by where it has a name already.
    pub(super) fn named(&self, id: &str) -> Option<&str> {
        match self.known.get(id)? {
            Place::Named(name) => Some(name),
            Place::Shown { .. } => None,
        }
    }

    /// A text as a step holds it.
    pub(super) fn text(&mut self, text: &str, steps: &mut [StoryStep]) -> String {
        match self.reference(text, steps) {
            Some(name) => format!("{{{name}}}"),
            None => plain(text),
        }
    }

    /// A value as a step holds it.
    pub(super) fn value(&mut self, value: &Json, steps: &mut [StoryStep]) -> Json {
        match value {
            Json::String(text) => Json::String(self.text(text, steps)),
            Json::Array(items) => items.iter().map(|item| self.value(item, steps)).collect(),
            Json::Object(entries) => {
                let mut told = Map::new();
                for (key, value) in entries {
                    let value = if is_hidden(key) && value.is_string() {
                        Json::String(MASK.to_owned())
                    } else {
                        self.value(value, steps)
                    };
                    told.insert(key.clone(), value);
                }
                Json::Object(told)
            }
            other => other.clone(),
        }
    }
}

/// Whether a field of this name holds a secret. Numbers of persons are none here: whoever plays a story needs them.
pub(super) fn is_hidden(key: &str) -> bool {
    is_secret(key) && !["ssn", "executorref"].contains(&key.to_ascii_lowercase().as_str())
}

/// A text that stands for itself, without what a URL in it must not show.
pub(super) fn plain(text: &str) -> String {
    let shown = if text.contains("://") || LINKS.iter().any(|link| text.contains(link)) {
        url_without_secrets(text)
    } else {
        text.into()
    };
    shown.replace('{', "{{").replace('}', "}}")
}

/// Every id in a value, with its path and the key it stands under.
fn walk(value: &Json, path: String, found: &mut impl FnMut(&str, &str, &str)) {
    match value {
        Json::Object(entries) => {
            for (key, value) in entries.iter().filter(|(key, _)| key.chars().all(is_name_character)) {
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

/// Whether a text is written as an id is.
fn is_id(text: &str) -> bool {
    let is_hyphen = |at: usize| matches!(at, 8 | 13 | 18 | 23);
    text.len() == 36
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| if is_hyphen(at) { byte == b'-' } else { byte.is_ascii_hexdigit() })
}
