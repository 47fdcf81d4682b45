//! Bodies of the words that stand for requests, read before the run as the server reads them.
//!
//! Invariant: what is reported is what the server would refuse, in the server's words, at the place where it is written.
//! Absent on purpose: what a saved value fills in, steps that expect a refusal, and what only a world decides.

use super::configurations;
use super::late::holds_value;
use super::reader::Reader;
use super::setups::place;
use crate::ast::{Expected, ExpectedResponse, Request};
use crate::tree::{Node, NodeKind};
use crate::words::{Field, WordFieldType, put};
use crate::{fields, routes};
use serde_json::{Map, Value as Json};

/// Complains about fields of a request that the server would refuse by themselves.
pub(super) fn check(reader: &mut Reader<'_>, request: &Request, node: &Node, expect: Option<&ExpectedResponse>) {
    let Some(sends) = request.word.sends().filter(|_| !expect.is_some_and(is_refusal)) else { return };
    if sends.others.is_some() {
        configurations::check(reader, request, node);
    }
    let mut body = Map::new();
    let mut given = Vec::new();
    for field in sends.fields.iter().filter(|field| !sends.path.contains(&format!("{{{}}}", field.name))) {
        let Some(value) = request.arguments.get(field.name).filter(|value| is_sent_as_written(field, value)) else {
            continue;
        };
        put(&mut body, field.api, value.clone());
        given.push(field);
    }
    for sentence in routes::problems(sends.method, sends.path, &Json::Object(body)) {
        let path = sentence.split(' ').next().unwrap_or_default();
        // What is missing beside them is not reported: the server fills it in, or it is a saved value.
        let Some((field, rest)) = given.iter().find_map(|field| Some((*field, within(path, field)?))) else { continue };
        let span = place(node_of(node, field), rest);
        let name = path.rsplit('.').next().unwrap_or_default();
        let near = fields::slip(name).map(|(_, near)| format!("did you mean `{near}`?"));
        let hint =
            near.unwrap_or_else(|| format!("`fundsim explain '{}'` shows what is accepted here", request.word.word));
        reader.fault(&span, sentence.clone()).hint = Some(hint);
    }
}

/// Whether a value goes into the body as it is written, and all of it is known.
fn is_sent_as_written(field: &Field, value: &Json) -> bool {
    let is_plain = match field.kind {
        WordFieldType::Text
        | WordFieldType::TextOrNull
        | WordFieldType::Number
        | WordFieldType::Count
        | WordFieldType::Flag
        | WordFieldType::Day
        | WordFieldType::Map => true,
        WordFieldType::Units
        | WordFieldType::Reference
        | WordFieldType::CallbackOf
        | WordFieldType::OneOf(_)
        | WordFieldType::EventTypes => false,
        WordFieldType::Positions | WordFieldType::BankAccounts | WordFieldType::Answers | WordFieldType::Value => false,
    };
    is_plain && !holds_value(value)
}

fn is_refusal(expect: &ExpectedResponse) -> bool {
    let is_good = |status: &Json| status.as_u64().is_some_and(|status| (200..300).contains(&status));
    let may_be_good = match &expect.status {
        None => expect.because.is_none(),
        Some(Expected::Is(status)) => is_good(status),
        Some(_) => false,
    };
    !may_be_good || expect.no_answer
}

/// What of a path in the body leads on from a field.
fn within<'p>(path: &'p str, field: &Field) -> Option<&'p str> {
    path.strip_prefix(field.api).filter(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// The node of a field's value; the whole node where the value is given alone.
fn node_of<'n>(node: &'n Node, field: &Field) -> &'n Node {
    let NodeKind::Map(entries) = &node.kind else { return node };
    entries.iter().find(|(key, _)| field.is_called(&key.text)).map_or(node, |(_, value)| value)
}
