//! Requests: raw calls, and the words that stand for one request each.
//!
//! Invariant: what a word takes is read off its row. Absent on purpose: whether the service will agree.

use super::expected::event_type;
use super::reader::Reader;
use crate::ast::{Body, Call, Request, Save};
use crate::template::is_filled;
use crate::tree::{Key, Node, NodeKind};
use crate::words::{self, BANK_ACCOUNT, Field, Sends, Word, WordFieldType};
use serde_json::{Map, Value as Json};
use sim::records::JourneyStep;

const METHODS: &[&str] = &["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS"];

/// A raw call with what is written beside it.
pub(super) fn call(reader: &mut Reader<'_>, value: &Node, extras: &[&(Key, Node)]) -> Option<Call> {
    let text = reader.text(value, "a call")?;
    let (method, path) = text.split_once(' ').map_or((text.as_str(), ""), |(method, path)| (method, path.trim()));
    if !METHODS.contains(&method) || !(path.starts_with('/') || path.starts_with('{')) {
        let near = words::nearest(method, METHODS.iter().copied());
        let fault = reader.fault(&value.span, format!("`{text}` is not a method and a path"));
        fault.hint = Some(match near {
            Some(near) if near != method => format!("did you mean `{near} {path}`?"),
            _ => "as in `GET /order/{order}`".to_owned(),
        });
        return None;
    }
    let mut call = Call { method: method.to_owned(), path: path.to_owned(), ..Call::default() };
    for (key, node) in extras {
        match key.text.as_str() {
            "body" => call.body = Body::Json(reader.json(node)),
            "form" => call.body = Body::Form(pairs(reader, node, "`form`")),
            "text" => call.body = Body::Text(reader.raw_text(node, "`text`").unwrap_or_default()),
            "query" => call.query = pairs(reader, node, "`query`"),
            "headers" => {
                for (name, value) in reader.map(node, "`headers`") {
                    let value = reader.text(value, "a header").unwrap_or_default();
                    call.headers.push((name.text.to_lowercase(), value));
                }
            }
            _ => {}
        }
    }
    let bodies: Vec<_> =
        extras.iter().filter(|(key, _)| ["body", "form", "text"].contains(&key.text.as_str())).collect();
    if let [_, second, ..] = bodies.as_slice() {
        reader.fault(&second.0.span, "a call sends one of `body`, `form` and `text`");
    }
    Some(call)
}

/// Names and values.
pub(super) fn pairs(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<(String, Json)> {
    let entries = reader.map(node, what);
    entries.iter().map(|(key, value)| (key.text.clone(), reader.json(value))).collect()
}

/// A request by its word. Its `as:` goes to `save`.
pub(super) fn request(
    reader: &mut Reader<'_>,
    word: &'static Word,
    sends: &Sends,
    node: &Node,
    save: &mut Vec<Save>,
) -> Option<Request> {
    if let (Some(field), false) = (word.short(), is_map(node)) {
        let value = argument(reader, &field, node)?;
        return Some(Request { word, arguments: std::iter::once((field.name.to_owned(), value)).collect() });
    }
    if word.alone && node.kind == NodeKind::Null {
        return Some(Request { word, arguments: Map::new() });
    }
    let (known, what) = (word.fields(), format!("`{}`", word.word));
    if !matches!(node.kind, NodeKind::Map(_)) {
        reader.wrong_kind(node, &what, "a map of its fields").hint = Some(format!("as in `{}`", word.example));
        return None;
    }
    let save = sends.makes.then_some(save);
    let arguments = fields(reader, &what, &known, node, save)?;
    if word.word == "answer step" {
        answers_of_step(reader, node, &arguments);
    }
    if arguments.len() < sends.least {
        let choices = known.iter().filter(|field| !arguments.contains_key(field.name));
        let choices: Vec<_> = choices.map(|field| format!("`{}`", field.name)).collect();
        reader.fault(&node.span, format!("{what} needs one of {}", choices.join(", "))).label =
            "missing here".to_owned();
        return None;
    }
    Some(Request { word, arguments })
}

/// The answers of the step that is named beside them.
fn answers_of_step(reader: &mut Reader<'_>, node: &Node, arguments: &Map<String, Json>) {
    let named = arguments.get("step").and_then(Json::as_str);
    let step = JourneyStep::ALL.into_iter().find(|step| Some(step.name()) == named);
    let answers = match &node.kind {
        NodeKind::Map(entries) => entries.iter().find(|(key, _)| key.text == "answers"),
        _ => None,
    };
    if let (Some(step), Some((_, node))) = (step, answers)
        && let NodeKind::Map(entries) = &node.kind
    {
        entries.iter().for_each(|(name, _)| answer_name(reader, step, name));
    }
}

/// A text in braces without quotes is a map to YAML, but hardly to its author.
fn is_map(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Map(entries) if entries.len() != 1 || entries[0].1.kind != NodeKind::Null)
}

/// A map of fields: unknown, wrong and missing ones are reported. Where something is made, `as` may be among them.
pub(super) fn fields(
    reader: &mut Reader<'_>,
    what: &str,
    known: &[Field],
    node: &Node,
    mut save: Option<&mut Vec<Save>>,
) -> Option<Map<String, Json>> {
    let mut values = Map::new();
    let faults = reader.count();
    for (key, value) in reader.map(node, what) {
        match (known.iter().find(|field| field.is_called(&key.text)), &mut save) {
            (Some(field), _) => {
                values.extend(argument(reader, field, value).map(|value| (field.name.to_owned(), value)));
            }
            (None, Some(save)) if key.text == "as" => name(reader, value, save),
            (None, save) => {
                let names: Vec<_> = save.iter().map(|_| "as").chain(words::names(known)).collect();
                reader.unknown_word(&key.span, &key.text, &names);
            }
        }
    }
    let missing = |field: &&Field| field.is_required() && !values.contains_key(field.name);
    if reader.count() == faults {
        for field in known.iter().filter(missing) {
            let fault = reader.fault(&node.span, format!("{what} needs `{}`", field.name));
            fault.label = "missing here".to_owned();
            if let WordFieldType::OneOf(words) = field.kind {
                fault.hint = words::hint("", &words());
            }
        }
    }
    (reader.count() == faults).then_some(values)
}

/// A name of the author's.
fn name(reader: &mut Reader<'_>, node: &Node, save: &mut Vec<Save>) {
    if let Some(name) = reader.text(node, "a name") {
        if name.is_empty() || !name.chars().all(crate::template::is_name_character) {
            reader.fault(&node.span, format!("`{name}` cannot be a name")).hint =
                Some("a name has letters, digits, spaces, hyphens and underscores".to_owned());
        }
        save.push(Save { name, path: "$".to_owned() });
    }
}

/// The value of a field, as its kind has it.
pub(super) fn argument(reader: &mut Reader<'_>, field: &Field, node: &Node) -> Option<Json> {
    let what = format!("`{}`", field.name);
    if let NodeKind::Text(text) = &node.kind
        && text.contains('{')
    {
        return reader.text(node, &what).map(Json::String);
    }
    match field.kind {
        WordFieldType::Text => reader.text(node, &what).map(Json::String),
        WordFieldType::TextOrNull if node.kind == NodeKind::Null => Some(Json::Null),
        WordFieldType::TextOrNull => reader.text(node, &what).map(Json::String),
        WordFieldType::Number => reader.quantity(node, &what),
        WordFieldType::Units if matches!(&node.kind, NodeKind::Text(text) if text == "everything") => {
            Some(reader.json(node))
        }
        WordFieldType::Units => reader.quantity(node, &what),
        WordFieldType::Count => reader.whole(node, &what).map(Json::from),
        WordFieldType::Flag => reader.truth(node, &what).map(Json::Bool),
        WordFieldType::Day => day(reader, node, &what),
        WordFieldType::Reference | WordFieldType::CallbackOf => reader.reference(node, &what).map(Json::String),
        WordFieldType::OneOf(words) => one_of(reader, field.name, node, &words()),
        WordFieldType::EventTypes => {
            for item in reader.one_or_many(node) {
                let kind = reader.text(item, "an event type")?;
                event_type(reader, &kind, item);
            }
            Some(reader.json(node))
        }
        WordFieldType::Positions => positions(reader, node, &what),
        WordFieldType::BankAccounts => {
            Some(reader.one_or_many(node).iter().filter_map(|item| bank_account(reader, item)).collect())
        }
        WordFieldType::Answers => answers(reader, node, &what),
        WordFieldType::Map => {
            reader.map(node, &what);
            Some(reader.json(node))
        }
        WordFieldType::Value => Some(reader.json(node)),
    }
}

fn day(reader: &mut Reader<'_>, node: &Node, what: &str) -> Option<Json> {
    let text = reader.text(node, what)?;
    if sim::time::parse_date(&text).is_err() {
        reader.fault(&node.span, format!("{what} is a day, as in 2026-03-02")).label = format!("`{text}` is none");
        return None;
    }
    Some(Json::String(text))
}

/// One of the words that the service knows; others are stories for `call`.
fn one_of(reader: &mut Reader<'_>, name: &str, node: &Node, known: &[&str]) -> Option<Json> {
    let text = reader.text(node, &format!("`{name}`"))?;
    if !text.contains('{') && !known.contains(&text.as_str()) {
        let fault = reader.fault(&node.span, format!("`{name}` cannot be `{text}`"));
        fault.label = "not known here".to_owned();
        fault.hint = words::hint(&text, known);
        return None;
    }
    Some(Json::String(text))
}

fn positions(reader: &mut Reader<'_>, node: &Node, what: &str) -> Option<Json> {
    let mut positions = Map::new();
    for (instrument, units) in reader.map(node, what) {
        reader.check_reference(&instrument.text, &instrument.span);
        positions.insert(instrument.text.clone(), reader.quantity(units, "a number of units")?);
    }
    Some(Json::Object(positions))
}

/// An IBAN, or a map of what is unusual about the account.
fn bank_account(reader: &mut Reader<'_>, node: &Node) -> Option<Json> {
    match node.kind {
        NodeKind::Map(_) => fields(reader, "a bank account", BANK_ACCOUNT, node, None).map(Json::Object),
        _ => reader.text(node, "an IBAN").map(Json::String),
    }
}

fn answers(reader: &mut Reader<'_>, node: &Node, what: &str) -> Option<Json> {
    for (step, fields) in reader.map(node, what) {
        let known: Vec<_> = JourneyStep::ALL.iter().map(|step| step.name()).collect();
        if !known.contains(&step.text.as_str()) {
            reader.unknown_word(&step.span, &step.text, &known);
        }
        let what = format!("the answers of `{}`", step.text);
        let step = JourneyStep::ALL.into_iter().find(|known| known.name() == step.text);
        for (name, _) in reader.map(fields, &what) {
            if let Some(step) = step {
                answer_name(reader, step, name);
            }
        }
    }
    Some(reader.json(node))
}

/// Complains about a field that the step never has; what more a name holds, such as a fund, only the service knows.
pub(super) fn answer_name(reader: &mut Reader<'_>, step: JourneyStep, name: &Key) {
    let known = step.asks();
    let key = match step {
        JourneyStep::Transfer | JourneyStep::BeneficialOwners => name.text.rsplit('.').next(),
        _ => name.text.split('.').next(),
    };
    if !key.is_some_and(|key| known.contains(&key)) && !is_filled(&name.text) {
        let fault = reader.fault(&name.span, format!("the step `{}` asks for no `{}`", step.name(), name.text));
        fault.label = "not known here".to_owned();
        fault.hint = words::hint(&name.text, &known);
    }
}
