//! What was answered, as it is expected to be answered again.
//!
//! Invariant: nothing is expected that the server's own key makes, or that says where the server is; of a long list its length
//! is. Absent on purpose: answers of the machinery, which speak of transport time: their status is expected alone.

use super::hidden::is_hidden_value;
use super::names::Names;
use language::ast::{Expected, ExpectedResponse};
use serde_json::{Value as Json, json};

/// Longest list whose items are expected one by one.
const LONGEST_LIST: usize = 20;
/// How deep what is within something is expected.
const DEEPEST: usize = 12;

/// What is expected of an answer.
pub(super) fn expected(
    status: Option<u16>,
    answer: Option<&Json>,
    made: Option<&str>,
    names: &Names,
) -> ExpectedResponse {
    let Some(status) = status else { return ExpectedResponse { no_answer: true, ..ExpectedResponse::default() } };
    let body = answer.and_then(|answer| part(answer, made, names, DEEPEST));
    ExpectedResponse { status: Some(Expected::Is(json!(status))), body, ..ExpectedResponse::default() }
}

/// The main fields of a value; `made` is the id that it gives.
fn part(value: &Json, made: Option<&str>, names: &Names, deep: usize) -> Option<Expected> {
    match value {
        Json::Object(entries) => {
            let written = |(key, value): (&String, &Json)| {
                let is_made = key == "id" && value.as_str().is_some_and(|id| Some(id) == made);
                if is_hidden_value(key, value) || key.contains('.') || is_made {
                    return None;
                }
                Some((key.clone(), part(value, made, names, deep.checked_sub(1)?)?))
            };
            let parts: Vec<_> = entries.iter().filter_map(written).collect();
            (!parts.is_empty()).then_some(Expected::Part(parts))
        }
        Json::Array(items) if items.len() <= LONGEST_LIST => {
            let written: Option<Vec<_>> =
                items.iter().map(|item| part(item, made, names, deep.checked_sub(1)?)).collect();
            Some(written.map_or_else(|| length(items), Expected::List))
        }
        Json::Array(items) => Some(length(items)),
        Json::String(text) if text.contains("://") || text.starts_with('/') => None,
        Json::String(text) => Some(Expected::Is(Json::String(match names.named(text) {
            Some(name) if Some(text.as_str()) != made => format!("{{{name}}}"),
            _ => names.expected(text)?,
        }))),
        Json::Null | Json::Bool(_) | Json::Number(_) => Some(Expected::Is(value.clone())),
    }
}

fn length(items: &[Json]) -> Expected {
    Expected::Length(Box::new(Expected::Is(json!(items.len()))))
}
