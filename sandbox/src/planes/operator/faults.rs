//! Fault rules: list, add, remove.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use axum::response::Response;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;
use serde_json::{Number, Value, json};
use sim::money::parse_decimal;

use super::request::{Body, HandlerResult, Target, json as answer};
use crate::hosting::decision::{Carried, HostDecision};
use crate::hosting::faults::{CERTAIN, DeliveryFault, MOST_RULES, Match, Pattern, Rule, Verdict};
use crate::wire::error::ApiError;
use crate::wire::fields::{self, Fields, Spot};
use crate::wire::shape::{by, integer, shape};
use crate::wire::words::one_of;

/// Longest delay of a request.
const LONGEST_DELAY: u64 = 600_000;

shape! {
    /// A rule to be added.
    pub(super) struct FaultRequest {
        on: Match = or(Match::default()) "match" as by(|spot| spot.object(matching));
        verdict: Verdict = required "verdict" as by(|spot| spot.object(|given| verdict(spot, given)));
    }
}

fn matching(given: &mut Fields<'_, '_>) -> Option<Match> {
    let method = given.optional("method", by(method));
    let path = given.optional("path", by(path));
    let nth = given.optional("nth", by(count));
    let chance = given.optional("probability", by(chance));
    let times = given.optional("times", by(count));
    Some(Match { method: method?, path: path?, nth: nth?, chance: chance?, times: times? })
}

fn method(spot: Spot<'_, '_>) -> Option<Method> {
    spot.text_as("an HTTP method", |text| Method::from_bytes(text.to_ascii_uppercase().as_bytes()).ok())
}

fn path(spot: Spot<'_, '_>) -> Option<Pattern> {
    let path = fields::free_text(spot)?;
    if path.starts_with('/') { Some(Pattern::new(&path)) } else { spot.wrong("must begin with a slash") }
}

fn count(spot: Spot<'_, '_>) -> Option<u64> {
    match fields::integer(0..=u64::MAX)(spot)? {
        0 => spot.wrong("counts from 1"),
        count => Some(count),
    }
}

/// A probability in millionths.
fn chance(spot: Spot<'_, '_>) -> Option<u64> {
    let exact = spot.number_as(|text| parse_decimal(text, 28))?;
    let millionths = exact.checked_mul(Decimal::from(CERTAIN)).map(|units| units.normalize());
    millionths
        .filter(|units| units.scale() == 0)
        .and_then(|units| units.to_u64())
        .filter(|units| *units <= CERTAIN)
        .or_else(|| spot.wrong("must be from 0 to 1 with at most 6 decimals"))
}

/// Exactly one thing that is to happen.
fn verdict(spot: Spot<'_, '_>, given: &mut Fields<'_, '_>) -> Option<Verdict> {
    let drop = [("before", Verdict::DropBefore), ("after", Verdict::DropAfter)];
    let sockets = [("close", Verdict::CutSockets), ("stall", Verdict::StallSockets)];
    let deliveries =
        [("refuse", Verdict::Deliveries(DeliveryFault::Refuse)), ("fail", Verdict::Deliveries(DeliveryFault::Fail))];
    let all = [
        given.optional("answer", by(|spot| spot.object(answered))),
        given.optional("delay", by(|spot| spot.object(delayed))),
        given.optional("drop", by(one_of(&drop))),
        given.optional("sockets", by(one_of(&sockets))),
        given.optional("deliveries", by(one_of(&deliveries))),
    ];
    let mut given = all.into_iter().collect::<Option<Vec<_>>>()?.into_iter().flatten();
    match (given.next(), given.next()) {
        (Some(verdict), None) => Some(verdict),
        _ => spot.wrong("must have exactly one of answer, delay, drop, sockets and deliveries"),
    }
}

fn answered(given: &mut Fields<'_, '_>) -> Option<Verdict> {
    let status = given.required("status", integer(400..=599_u16));
    let retry_after = given.optional("retryAfter", integer(0..=u32::MAX));
    Some(Verdict::Answer(StatusCode::from_u16(status?).ok()?, retry_after?))
}

fn delayed(given: &mut Fields<'_, '_>) -> Option<Verdict> {
    let ms = given.required("ms", integer(0..=LONGEST_DELAY));
    Some(Verdict::Delay(Duration::from_millis(ms?)))
}

fn show(rule: &Rule) -> Value {
    let verdict = match rule.verdict {
        Verdict::Answer(status, retry_after) => {
            json!({ "answer": { "status": status.as_u16(), "retryAfter": retry_after } })
        }
        Verdict::Delay(span) => json!({ "delay": { "ms": crate::hosting::transport::millis(span) } }),
        Verdict::DropBefore => json!({ "drop": "before" }),
        Verdict::DropAfter => json!({ "drop": "after" }),
        Verdict::CutSockets => json!({ "sockets": "close" }),
        Verdict::StallSockets => json!({ "sockets": "stall" }),
        Verdict::Deliveries(DeliveryFault::Refuse) => json!({ "deliveries": "refuse" }),
        Verdict::Deliveries(DeliveryFault::Fail) => json!({ "deliveries": "fail" }),
    };
    let probability = rule.on.chance.map(|units| {
        let exact = Decimal::from(units) / Decimal::from(CERTAIN);
        exact.normalize().to_string().parse::<Number>().map_or(Value::Null, Value::Number)
    });
    json!({
        "id": rule.id,
        "match": {
            "method": rule.on.method.as_ref().map(Method::as_str),
            "path": rule.on.path.as_ref().map(Pattern::text),
            "nth": rule.on.nth,
            "probability": probability,
            "times": rule.on.times,
        },
        "verdict": verdict,
        "seen": rule.seen,
        "hits": rule.hits,
    })
}

fn shown(target: &Target, id: u64) -> Value {
    target.world.faults.list().iter().find(|rule| rule.id == id).map_or(Value::Null, show)
}

/// `GET /_sandbox/worlds/{worldId}/faults`
pub(super) async fn list(target: Target) -> Response {
    answer(&target.world.faults.list().iter().map(show).collect())
}

/// `POST /_sandbox/worlds/{worldId}/faults`
pub(super) async fn add(target: Target, Body(given): Body<FaultRequest>) -> HandlerResult {
    match target.world.decide(&HostDecision::AddFault(given.on, given.verdict))? {
        Carried::Fault(id) => Ok(answer(&shown(&target, id))),
        _ => Err(ApiError::unavailable(format!("there are {MOST_RULES} rules already"))),
    }
}

/// `DELETE /_sandbox/worlds/{worldId}/faults/{id}`
pub(super) async fn remove(target: Target) -> HandlerResult {
    let id = target.item.as_deref().and_then(|text| text.parse().ok()).unwrap_or_default();
    let shown = shown(&target, id);
    match target.world.decide(&HostDecision::RemoveFault(id))? {
        Carried::Nothing => Err(ApiError::not_found("id names no rule")),
        _ => Ok(answer(&shown)),
    }
}
