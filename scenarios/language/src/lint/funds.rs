//! Funds that a story speaks of and that its world does not have.
//!
//! Invariant: a fund is missed only where the world is known before the story is played, and where the story expects the
//! service to know it. Absent on purpose: bodies of calls, and what another custodian holds.

use super::steps::{at_step, succeeds};
use crate::ast::{Act, Expect, Move, Request, Scenario, StoryStep};
use crate::diagnostic::{Diagnostic, Source};
use crate::words::{self, WordFieldType};
use serde_json::Value as Json;
use sim::setup::Setup;
use std::collections::BTreeMap;

/// Fields of a journey's configuration that name funds of the platform.
const CONFIGURED: &[&str] = &["instruments", "allocationPlan", "savingsPlan"];

/// Every step that speaks of a fund that the world lacks.
pub(super) fn missing(scenario: &Scenario, setup: &Setup, source: &Source) -> Vec<Diagnostic> {
    let named = named(scenario);
    let known: Vec<String> = setup.instruments.iter().map(|fund| fund.id.to_string()).collect();
    let mut found = Vec::new();
    for step in scenario.all_steps() {
        for text in spoken_of(step) {
            let name = text.trim_start_matches('{').trim_end_matches('}');
            let meant = named.get(name).map_or(text.as_str(), String::as_str);
            if !looks_like_fund(meant) || known.iter().any(|fund| fund == meant) {
                continue;
            }
            let Some(fault) = at_step(step, source, &text, format!("the world has no fund `{meant}`")) else {
                continue;
            };
            let near = words::nearest(meant, known.iter().map(String::as_str));
            found.push(match near {
                Some(near) => fault.hint(format!("did you mean `{near}`? If it must fail, add an `expect` with the refusal")),
                None => {
                    fault.hint("`fundsim setup` shows the funds of the demo world; if it must fail, add an `expect` with the refusal")
                }
            });
        }
    }
    found
}

/// The value of each name that `let` has given once.
fn named(scenario: &Scenario) -> BTreeMap<String, String> {
    let mut named = BTreeMap::<String, Option<String>>::new();
    for step in scenario.all_steps() {
        let Act::Let(values) = &step.act else { continue };
        for (name, value) in values {
            let value = value.as_str().map(str::to_owned);
            named.entry(name.clone()).and_modify(|known| *known = None).or_insert(value);
        }
    }
    let of_rows = scenario.examples.iter().flat_map(|row| &row.values);
    of_rows.for_each(|(name, _)| drop(named.remove(name)));
    named.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// The texts of a step that name funds, as they are written.
fn spoken_of(step: &StoryStep) -> Vec<String> {
    match &step.act {
        Act::Request(request) if succeeds(step.expect.as_ref()) && !step.soft => in_request(request),
        Act::Expect(Expect::Units { instrument, .. } | Expect::Position { instrument, .. }) => vec![instrument.clone()],
        Act::Expect(Expect::Instrument(instrument, _)) => vec![instrument.clone()],
        Act::Advance(Move::CutOff { instrument: Some(instrument), .. }) => vec![instrument.clone()],
        _ => Vec::new(),
    }
}

fn in_request(request: &Request) -> Vec<String> {
    let mut found = Vec::new();
    for field in request.word.fields() {
        let Some(value) = request.arguments.get(field.name) else { continue };
        match field.kind {
            WordFieldType::Reference if field.name == "instrument" => texts(value, &mut found),
            WordFieldType::Positions => found.extend(value.as_object().into_iter().flat_map(|it| it.keys().cloned())),
            _ if CONFIGURED.contains(&field.name) => texts(value, &mut found),
            _ => {}
        }
    }
    found
}

/// An ISIN with a currency, or without one; whether its check digit is right is no matter.
fn looks_like_fund(text: &str) -> bool {
    let is_upper = |part: &str| part.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_plain = text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let is_long_enough = text.len() == 12 || (text.len() == 15 && is_plain && is_upper(&text[12..]));
    is_long_enough && is_plain && is_upper(&text[..2]) && text.as_bytes()[11].is_ascii_digit()
}

fn texts(value: &Json, found: &mut Vec<String>) {
    match value {
        Json::String(text) => found.push(text.clone()),
        Json::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Json::Object(entries) => entries.values().for_each(|value| texts(value, found)),
        _ => {}
    }
}
