//! What the customer does in the browser, and what its page is like.

use super::expected::expected;
use super::journey::step_names;
use super::reader::Reader;
use super::short::pairs;
use crate::ast::{Browse, Expected, Identity, IdentityOutcome};
use crate::tree::{Key, Kind, Node};
use crate::words::{self, PAGE_WORDS};
use serde_json::Value as Json;

/// What the customer does in the browser.
pub(super) fn browse(reader: &mut Reader<'_>, word: &str, node: &Node) -> Option<Browse> {
    Some(match word {
        "open page" => open_page(reader, node)?,
        "fill in" => match node.kind {
            Kind::Null => Browse::FillIn(Vec::new()),
            _ => {
                for (key, _) in reader.map(node, "what is filled in") {
                    reader.check_names(&key.text, &key.span);
                }
                Browse::FillIn(pairs(reader, node, "what is filled in"))
            }
        },
        "identify" => Browse::Identity(identity(reader, false, node)),
        "sign" => Browse::Identity(identity(reader, true, node)),
        "press" => Browse::Press(reader.text(node, "a button or link")?),
        "send again" => Browse::SendAgain,
        "go back" => Browse::GoBack,
        "leave journey" => Browse::Leave,
        _ => return None,
    })
}

fn open_page(reader: &mut Reader<'_>, node: &Node) -> Option<Browse> {
    let (mut page, mut language) = (None, None);
    if let Kind::Map(entries) = &node.kind {
        for (key, value) in entries {
            match key.text.as_str() {
                "journey" => page = reader.reference(value, "a journey"),
                "language" => language = reader.text(value, "a language"),
                unknown => reader.unknown_word(&key.span, unknown, &["journey", "language"]),
            }
        }
        if page.is_none() {
            reader.fault(&node.span, "which `journey`?");
        }
    } else {
        let text = reader.text(node, "a journey")?;
        if !text.starts_with('/') {
            reader.check_reference(&text, &node.span);
        }
        page = Some(text);
    }
    Some(Browse::Open { page: page?, language })
}

fn identity(reader: &mut Reader<'_>, signs: bool, node: &Node) -> Identity {
    let mut identity =
        Identity { signs, person: None, outcome: IdentityOutcome::Done, device: None, fields: Vec::new() };
    match &node.kind {
        Kind::Null => {}
        Kind::Map(entries) => {
            for (key, value) in entries {
                match key.text.as_str() {
                    "person" => identity.person = reader.text(value, "a person").map(Json::String),
                    "outcome" => identity.outcome = outcome(reader, value).unwrap_or(IdentityOutcome::Done),
                    "device" => identity.device = device(reader, value),
                    "firstName" | "lastName" => identity.fields.push((key.text.clone(), reader.json(value))),
                    unknown => {
                        let known = ["person", "outcome", "device", "firstName", "lastName"];
                        reader.unknown_word(&key.span, unknown, &known);
                    }
                }
            }
        }
        Kind::Text(text) if text.chars().all(char::is_alphabetic) => {
            identity.outcome = outcome(reader, node).unwrap_or(IdentityOutcome::Done);
        }
        _ => identity.person = reader.text(node, "a person").map(Json::String),
    }
    identity
}

fn outcome(reader: &mut Reader<'_>, node: &Node) -> Option<IdentityOutcome> {
    let text = reader.text(node, "an outcome")?;
    let found = IdentityOutcome::ALL.into_iter().find(|outcome| outcome.word() == text);
    if found.is_none() {
        reader.fault(&node.span, format!("an identity never ends in `{text}`")).hint =
            words::hint(&text, &IdentityOutcome::ALL.map(IdentityOutcome::word));
    }
    found
}

fn device(reader: &mut Reader<'_>, node: &Node) -> Option<String> {
    let text = reader.text(node, "a device")?;
    if !["same", "other"].contains(&text.as_str()) {
        reader.fault(&node.span, format!("there is no device `{text}`")).hint = words::hint(&text, &["same", "other"]);
    }
    Some(text)
}

/// What a page is like: its name, or a map of the words for pages.
pub(super) fn page(reader: &mut Reader<'_>, node: &Node) -> Vec<(String, Expected)> {
    let Kind::Map(entries) = &node.kind else {
        let Some(text) = reader.text(node, "a page") else { return Vec::new() };
        let names: Vec<_> = step_names().into_iter().chain(["leave", "returned", "done", "end"]).collect();
        if !text.contains('{') && !names.contains(&text.as_str()) {
            reader.fault(&node.span, format!("no page is called `{text}`")).hint = words::hint(&text, &names);
        }
        return vec![("name".to_owned(), Expected::Is(Json::String(text)))];
    };
    let known: Vec<_> = PAGE_WORDS.iter().map(|(word, _)| *word).collect();
    let mut wanted = Vec::new();
    for (key, value) in entries {
        if known.contains(&key.text.as_str()) {
            wanted.push((key.text.clone(), by_name(reader, &key.text, value)));
        } else {
            let hint = words::nearest(&key.text, known.iter().copied());
            let hint = hint
                .map_or_else(|| format!("a page has: {}", known.join(", ")), |near| format!("did you mean `{near}`?"));
            let fault = reader.fault(&key.span, format!("a page has no `{}`", key.text));
            fault.label = "not known here".to_owned();
            fault.hint = Some(hint);
        }
    }
    if wanted.is_empty() && entries.is_empty() {
        reader.fault(&node.span, "what is expected of the page is missing");
    }
    wanted
}

/// What stands by the words of a page may be called anything, also by words with spaces.
fn by_name(reader: &mut Reader<'_>, word: &str, node: &Node) -> Expected {
    match &node.kind {
        Kind::Map(entries) if word == "fixed" && !is_matcher(entries) => {
            Expected::Part(entries.iter().map(|(key, value)| (key.text.clone(), expected(reader, value))).collect())
        }
        _ => expected(reader, node),
    }
}

fn is_matcher(entries: &[(Key, Node)]) -> bool {
    entries.iter().any(|(key, _)| words::MATCHER_WORDS.contains(&key.text.as_str()))
}
