//! What the customer does in the browser, and what its page is like.

use super::expected::expected;
use super::reader::Reader;
use super::request::{argument, fields, pairs};
use crate::ast::{Browse, Expected, Identity, IdentityOutcome};
use crate::tree::{Key, Node, NodeKind};
use crate::words::{self, PAGE_WORDS};
use serde_json::{Map, Value as Json};
use sim::records::JourneyStep;

/// What the customer does in the browser.
pub(super) fn browse(reader: &mut Reader<'_>, word: &str, node: &Node) -> Option<Browse> {
    Some(match word {
        "open page" => open_page(reader, node)?,
        "fill in" => match node.kind {
            NodeKind::Null => Browse::FillIn(Vec::new()),
            _ => {
                for (key, _) in reader.map(node, "what is filled in") {
                    reader.check_names(&key.text, &key.span);
                }
                Browse::FillIn(pairs(reader, node, "what is filled in"))
            }
        },
        "identify" | "sign" => Browse::Identity(identity(reader, word, node)),
        "press" => Browse::Press(reader.text(node, "a button or link")?),
        "send again" => Browse::SendAgain,
        "go back" => Browse::GoBack,
        "leave journey" => Browse::Leave,
        _ => return None,
    })
}

fn open_page(reader: &mut Reader<'_>, node: &Node) -> Option<Browse> {
    if !matches!(node.kind, NodeKind::Map(_)) {
        let page = reader.text(node, "a journey")?;
        if !page.starts_with('/') {
            reader.check_reference(&page, &node.span);
        }
        return Some(Browse::Open { page, language: None });
    }
    let mut fields = written(reader, "open page", node)?;
    let mut take = |name: &str| fields.shift_remove(name).as_ref().and_then(Json::as_str).map(str::to_owned);
    let (page, language) = (take("journey"), take("language"));
    Some(Browse::Open { page: page?, language })
}

/// The fields of a word's row.
fn written(reader: &mut Reader<'_>, word: &str, node: &Node) -> Option<Map<String, Json>> {
    fields(reader, &format!("`{word}`"), &words::fields(word), node, None)
}

fn identity(reader: &mut Reader<'_>, word: &str, node: &Node) -> Identity {
    let signs = word == "sign";
    let mut identity =
        Identity { signs, person: None, outcome: IdentityOutcome::Done, device: None, fields: Vec::new() };
    let text = |value: Option<Json>| value.as_ref().and_then(Json::as_str).map(str::to_owned);
    match &node.kind {
        NodeKind::Null => {}
        NodeKind::Map(_) => {
            for (field, value) in written(reader, word, node).unwrap_or_default() {
                match field.as_str() {
                    "person" => identity.person = Some(value),
                    "outcome" => identity.outcome = outcome(&value),
                    "device" => identity.device = text(Some(value)),
                    _ => identity.fields.push((field, value)),
                }
            }
        }
        NodeKind::Text(text) if text.chars().all(char::is_alphabetic) => {
            let field = words::fields(word).into_iter().find(|field| field.name == "outcome");
            let value = field.and_then(|field| argument(reader, &field, node));
            identity.outcome = value.as_ref().map_or(IdentityOutcome::Done, outcome);
        }
        _ => identity.person = reader.text(node, "a person").map(Json::String),
    }
    identity
}

fn outcome(value: &Json) -> IdentityOutcome {
    let found = IdentityOutcome::ALL.into_iter().find(|outcome| Some(outcome.word()) == value.as_str());
    found.unwrap_or(IdentityOutcome::Done)
}

/// What a page is like: its name, or a map of the words for pages.
pub(super) fn page(reader: &mut Reader<'_>, node: &Node) -> Vec<(String, Expected)> {
    let NodeKind::Map(entries) = &node.kind else {
        let Some(text) = reader.text(node, "a page") else { return Vec::new() };
        check_name(reader, &text, node);
        return vec![("name".to_owned(), Expected::Is(Json::String(text)))];
    };
    let known = words::listed(PAGE_WORDS);
    let mut wanted = Vec::new();
    for (key, value) in entries {
        if known.contains(&key.text.as_str()) {
            if let ("name", NodeKind::Text(text)) = (key.text.as_str(), &value.kind)
                && !["any", "absent"].contains(&text.as_str())
            {
                check_name(reader, text, value);
            }
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

/// A page's name is that of a step, or of one of the few others.
fn check_name(reader: &mut Reader<'_>, name: &str, node: &Node) {
    let names: Vec<_> =
        JourneyStep::ALL.iter().map(|step| step.name()).chain(words::FURTHER_PAGES.iter().copied()).collect();
    if !name.contains('{') && !names.contains(&name) {
        reader.fault(&node.span, format!("no page is called `{name}`")).hint = words::hint(name, &names);
    }
}

/// What a page shows as `fixed` may be called anything, also by words with spaces.
fn by_name(reader: &mut Reader<'_>, word: &str, node: &Node) -> Expected {
    match &node.kind {
        NodeKind::Map(entries) if word == "fixed" && !is_matcher(entries) => {
            Expected::Part(entries.iter().map(|(key, value)| (key.text.clone(), expected(reader, value))).collect())
        }
        _ => expected(reader, node),
    }
}

fn is_matcher(entries: &[(Key, Node)]) -> bool {
    entries.iter().any(|(key, _)| words::MATCHER_WORDS.contains(&key.text.as_str()))
}
