//! Expectations of values, answers and events.

use super::reader::Reader;
use crate::ast::{EventPattern, Expected, ExpectedResponse};
use crate::matching::like;
use crate::template::{is_filled, names_of_pattern};
use crate::tree::{Key, Node, NodeKind};
use crate::words;
use serde_json::{Number, Value as Json};
use std::str::FromStr;

/// An expectation of a value.
pub(super) fn expected(reader: &mut Reader<'_>, node: &Node) -> Expected {
    match &node.kind {
        NodeKind::Text(text) if text == "any" => Expected::Any,
        NodeKind::Text(text) if text == "absent" => Expected::Absent,
        NodeKind::List(items) => Expected::List(items.iter().map(|item| expected(reader, item)).collect()),
        NodeKind::Map(entries) => map(reader, entries),
        _ => Expected::Is(reader.json(node)),
    }
}

fn map(reader: &mut Reader<'_>, entries: &[(Key, Node)]) -> Expected {
    let is_matcher = |key: &Key| words::MATCHER_WORDS.contains(&key.text.as_str());
    let matchers = entries.iter().filter(|(key, _)| is_matcher(key)).count();
    if matchers == 0 {
        if let [(key, _)] = entries
            && let Some(matcher) = slip_of_matcher(&key.text)
        {
            let fault = reader.fault(&key.span, format!("`{}` is neither a field nor a matcher", key.text));
            fault.hint = Some(format!("did you mean `{matcher}`?"));
        }
        return Expected::Part(entries.iter().map(|(key, value)| field(reader, key, value)).collect());
    }
    if let Some((key, _)) = entries.iter().find(|(key, _)| matchers < entries.len() && !is_matcher(key)) {
        let word = key.text.clone();
        let hint = words::nearest(&word, words::MATCHER_WORDS.iter().copied()).map_or_else(
            || "put the fields in a map of their own".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        reader.fault(&key.span, format!("`{word}` cannot be combined with this word")).hint = Some(hint);
        return Expected::Any;
    }
    let mut all: Vec<_> = entries.iter().filter_map(|(key, value)| matcher(reader, key, value)).collect();
    match all.len() {
        0 => Expected::Any,
        1 => all.remove(0),
        _ => Expected::All(all),
    }
}

/// The matcher that a word is one letter away from, where there is no field of that name.
fn slip_of_matcher(word: &str) -> Option<&'static str> {
    let is_near = |matcher: &&&str| matcher.len() > 3 && strsim::damerau_levenshtein(word, matcher) == 1;
    words::MATCHER_WORDS.iter().find(is_near).copied().filter(|_| !crate::fields::is_known(word))
}

fn field(reader: &mut Reader<'_>, key: &Key, value: &Node) -> (String, Expected) {
    reader.check_names(&key.text, &key.span);
    if key.text.split('[').next().is_some_and(|name| name.contains(' ')) {
        reader.unknown_word(&key.span, &key.text, words::MATCHER_WORDS);
    }
    if let Err(why) = crate::path::check(&key.text) {
        reader.fault(&key.span, format!("`{}` is not a path: {why}", key.text));
    }
    if let Some((slip, name)) = crate::fields::slip(&key.text) {
        reader.fault(&key.span, format!("no field is called `{slip}`")).hint = Some(format!("did you mean `{name}`?"));
    }
    (key.text.clone(), expected(reader, value))
}

fn matcher(reader: &mut Reader<'_>, key: &Key, node: &Node) -> Option<Expected> {
    let many = |reader: &mut Reader<'_>, node: &Node| -> Vec<Expected> {
        reader.list(node, &format!("`{}`", key.text)).iter().map(|item| expected(reader, item)).collect()
    };
    Some(match key.text.as_str() {
        "one of" => {
            let before = reader.count();
            let choices = many(reader, node);
            if choices.is_empty() && reader.count() == before {
                reader.fault(&node.span, "an empty list matches no value").hint = Some("add what it may be".to_owned());
            }
            Expected::OneOf(choices)
        }
        "not" => Expected::Not(Box::new(expected(reader, node))),
        "like" => Expected::Like(reader.text(node, "a pattern")?),
        "matches" => Expected::Matches(pattern(reader, node)?),
        "greater than" => Expected::GreaterThan(limit(reader, node)?),
        "at least" => Expected::AtLeast(limit(reader, node)?),
        "less than" => Expected::LessThan(limit(reader, node)?),
        "at most" => Expected::AtMost(limit(reader, node)?),
        "length" => Expected::Length(Box::new(length(reader, node)?)),
        "contains" => Expected::Contains(reader.one_or_many(node).iter().map(|item| expected(reader, item)).collect()),
        "in any order" => Expected::InAnyOrder(many(reader, node)),
        "each" => Expected::Each(Box::new(expected(reader, node))),
        "exactly" => Expected::Exactly(reader.json(node)),
        "equals" => Expected::Is(reader.json(node)),
        _ => return None,
    })
}

/// A whole number, a saved one, or what it is compared with.
fn length(reader: &mut Reader<'_>, node: &Node) -> Option<Expected> {
    match &node.kind {
        NodeKind::Map(entries) => {
            for (key, value) in entries {
                let compares = ["greater than", "at least", "less than", "at most"].contains(&key.text.as_str());
                if compares && !matches!(&value.kind, NodeKind::Text(text) if is_filled(text)) {
                    reader.whole(value, "a length")?;
                }
            }
            Some(expected(reader, node))
        }
        NodeKind::Text(text) if is_filled(text) => {
            reader.text(node, "a length").map(|text| Expected::Is(Json::String(text)))
        }
        _ => reader.whole(node, "a length").map(|length| Expected::Is(Json::from(length))),
    }
}

fn pattern(reader: &mut Reader<'_>, node: &Node) -> Option<String> {
    let (NodeKind::Text(text) | NodeKind::Number(text)) = &node.kind else {
        return reader.text(node, "a pattern");
    };
    let names = names_of_pattern(text);
    reader.check_names(&names, &node.span);
    if names.is_empty()
        && let Err(error) = regex_lite::Regex::new(text)
    {
        reader.fault(&node.span, format!("`{text}` is not a pattern: {error}")).hint =
            Some("`like` takes simple patterns, with `*` for anything".to_owned());
        return None;
    }
    Some(text.clone())
}

/// A number, or a text such as an instant.
fn limit(reader: &mut Reader<'_>, node: &Node) -> Option<Json> {
    let text = reader.text(node, "a limit")?;
    Some(match (&node.kind, Number::from_str(&text)) {
        (NodeKind::Number(_), Ok(number)) => Json::Number(number),
        _ => Json::String(text),
    })
}

/// What is expected of an answer: a status, `no answer`, or a map.
pub(super) fn answer(reader: &mut Reader<'_>, node: &Node) -> ExpectedResponse {
    let mut answer = ExpectedResponse::default();
    match &node.kind {
        NodeKind::Number(_) => answer.status = status(reader, node),
        NodeKind::Text(text) if text == "no answer" => answer.no_answer = true,
        NodeKind::Text(text) if text.starts_with('{') || is_class(text) => answer.status = status(reader, node),
        NodeKind::Map(entries) if !entries.is_empty() => {
            for (key, value) in entries {
                answer_word(reader, &mut answer, key, value);
            }
        }
        _ => {
            reader.fault(&node.span, "an answer is a status or a map").hint =
                Some("as in `expect: 200` or `expect: { status: 200, body: { status: received } }`".to_owned());
        }
    }
    answer
}

fn answer_word(reader: &mut Reader<'_>, answer: &mut ExpectedResponse, key: &Key, value: &Node) {
    match key.text.as_str() {
        "status" => answer.status = status(reader, value),
        "body" => answer.body = Some(expected(reader, value)),
        "because" => answer.because = reader.text(value, "`because`"),
        "no answer" => answer.no_answer = reader.truth(value, "`no answer`").unwrap_or(true),
        "headers" => {
            for (name, value) in reader.map(value, "`headers`") {
                answer.headers.push((name.text.to_lowercase(), expected(reader, value)));
            }
        }
        unknown => reader.unknown_word(&key.span, unknown, &words::listed(words::ANSWER_WORDS)),
    }
}

/// `200`, `"{status}"`, `4xx`, `{ one of: [200, 202] }`.
fn status(reader: &mut Reader<'_>, node: &Node) -> Option<Expected> {
    match &node.kind {
        NodeKind::Text(text) if is_class(text) => return Some(Expected::Like(text.replace('x', "?"))),
        NodeKind::Map(entries) => {
            if let [(key, list)] = entries.as_slice()
                && key.text == "one of"
                && let NodeKind::List(items) = &list.kind
            {
                return Some(Expected::OneOf(items.iter().filter_map(|item| status(reader, item)).collect()));
            }
            return Some(expected(reader, node));
        }
        _ => {}
    }
    let value = reader.quantity(node, "a status")?;
    if let Json::Number(number) = &value
        && !number.as_str().parse::<u16>().is_ok_and(|status| (100..600).contains(&status))
    {
        reader.fault(&node.span, format!("`{number}` is not an HTTP status")).hint =
            Some("as in `201`, or `4xx` for any of its kind".to_owned());
        return None;
    }
    Some(Expected::Is(value))
}

/// `2xx`: any status of its kind.
fn is_class(text: &str) -> bool {
    matches!(text.as_bytes(), [b'1'..=b'5', b'x', b'x'])
}

/// Events that are looked for: types, or maps of a type and what its frame must hold.
pub(super) fn events(reader: &mut Reader<'_>, node: &Node) -> Vec<EventPattern> {
    let mut found = Vec::new();
    for item in reader.one_or_many(node) {
        match &item.kind {
            NodeKind::Text(kind) => {
                let kind = event_type(reader, kind, item);
                found.push(EventPattern { kind, frame: Expected::Part(Vec::new()) });
            }
            NodeKind::Map(entries) if !entries.is_empty() => {
                for (key, value) in entries {
                    let frame = match &value.kind {
                        NodeKind::Null => Expected::Part(Vec::new()),
                        _ => expected(reader, value),
                    };
                    let at = Node { kind: NodeKind::Null, span: key.span.clone() };
                    found.push(EventPattern { kind: event_type(reader, &key.text, &at), frame });
                }
            }
            _ => {
                reader.fault(&item.span, "an event is a type, or a type with what it holds").hint =
                    Some("as in `expect event: order.create`".to_owned());
            }
        }
    }
    if found.is_empty() {
        reader.fault(&node.span, "no event is named");
    }
    found
}

/// Public event types (partner API, Events), words of the connection first; `closed` stands for the end of a socket, and only webhooks know `webhook.test`.
#[rustfmt::skip]
pub const EVENT_TYPES: &[&str] = &[
    "hello", "heartbeat", "server_closing", "closed", "account.create", "account.update", "account.delete", "client.update", "client.delete",
    "cashTransaction.create", "cashTransaction.update", "cashTransaction.delete", "fundTransaction.create",
    "fundTransaction.update", "fundTransaction.delete", "order.create", "order.update", "order.delete",
    "instrument.reloaded", "journey.update", "journey.delete", "webhook.test",
];

pub(super) fn event_type(reader: &mut Reader<'_>, kind: &str, node: &Node) -> String {
    reader.check_names(kind, &node.span);
    if !is_filled(kind) && !EVENT_TYPES.iter().any(|known| like(kind, known)) {
        let hint = words::nearest(kind, EVENT_TYPES.iter().copied()).map(|near| format!("did you mean `{near}`?"));
        let fault = reader.fault(&node.span, format!("no event has the type `{kind}`"));
        fault.hint = hint.or_else(|| Some("as in `order.update`; `*` matches any text".to_owned()));
    }
    kind.to_owned()
}
