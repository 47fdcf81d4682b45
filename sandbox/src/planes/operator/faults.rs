//! Rules for bad days: list, add, remove.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use axum::response::Response;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;
use serde::Deserialize;
use serde_json::{Number, Value, json};

use super::request::{Answer, Body, Target, bad, json as answer};
use crate::hosting::decision::{Carried, Decision};
use crate::hosting::faults::{CERTAIN, MOST_RULES, Match, Pattern, Rule, Verdict, Weather};
use crate::wire::error::ApiError;

/// Longest delay of a request.
const LONGEST_DELAY: u64 = 600_000;

/// A rule as asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    #[serde(default)]
    r#match: AskedMatch,
    verdict: AskedVerdict,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct AskedMatch {
    method: Option<String>,
    path: Option<String>,
    nth: Option<u64>,
    probability: Option<Number>,
    times: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
enum AskedVerdict {
    Answer(AskedAnswer),
    Delay(AskedDelay),
    Drop(When),
    Sockets(Sockets),
    Deliveries(Deliveries),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct AskedAnswer {
    status: u16,
    retry_after: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AskedDelay {
    ms: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum When {
    Before,
    After,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Sockets {
    Close,
    Stall,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Deliveries {
    Refuse,
    Fail,
}

impl AskedMatch {
    fn read(self) -> Result<Match, ApiError> {
        let method = self.method.map(|text| Method::from_bytes(text.to_ascii_uppercase().as_bytes()));
        let method = method.transpose().map_err(|_| bad("match.method", "must be an HTTP method"))?;
        if self.path.as_deref().is_some_and(|path| !path.starts_with('/')) {
            return Err(bad("match.path", "must begin with a slash"));
        }
        let path = self.path.as_deref().map(Pattern::new);
        let chance = self.probability.as_ref().map(chance).transpose()?;
        if self.nth == Some(0) || self.times == Some(0) {
            return Err(bad("match", "counts from 1"));
        }
        Ok(Match { method, path, nth: self.nth, chance, times: self.times })
    }
}

/// A probability in millionths.
fn chance(number: &Number) -> Result<u64, ApiError> {
    let exact = Decimal::from_str_exact(number.as_str()).ok();
    let millionths = exact.and_then(|exact| exact.checked_mul(Decimal::from(CERTAIN))).map(|units| units.normalize());
    millionths
        .filter(|units| units.scale() == 0)
        .and_then(|units| units.to_u64())
        .filter(|units| *units <= CERTAIN)
        .ok_or_else(|| bad("match.probability", "must be from 0 to 1 with at most 6 decimals"))
}

impl AskedVerdict {
    fn read(self) -> Result<Verdict, ApiError> {
        match self {
            Self::Answer(AskedAnswer { status, retry_after }) => match StatusCode::from_u16(status) {
                Ok(status) if (400..600).contains(&status.as_u16()) => Ok(Verdict::Answer(status, retry_after)),
                _ => Err(bad("verdict.answer.status", "must be 400 to 599")),
            },
            Self::Delay(AskedDelay { ms }) if ms <= LONGEST_DELAY => Ok(Verdict::Delay(Duration::from_millis(ms))),
            Self::Delay(_) => Err(bad("verdict.delay.ms", format!("must be at most {LONGEST_DELAY}"))),
            Self::Drop(When::Before) => Ok(Verdict::DropBefore),
            Self::Drop(When::After) => Ok(Verdict::DropAfter),
            Self::Sockets(Sockets::Close) => Ok(Verdict::CutSockets),
            Self::Sockets(Sockets::Stall) => Ok(Verdict::StallSockets),
            Self::Deliveries(Deliveries::Refuse) => Ok(Verdict::Deliveries(Weather::Refuse)),
            Self::Deliveries(Deliveries::Fail) => Ok(Verdict::Deliveries(Weather::Fail)),
        }
    }
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
        Verdict::Deliveries(Weather::Refuse) => json!({ "deliveries": "refuse" }),
        Verdict::Deliveries(Weather::Fail) => json!({ "deliveries": "fail" }),
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
pub(super) async fn add(target: Target, Body(asked): Body<Asked>) -> Answer {
    let (on, verdict) = (asked.r#match.read()?, asked.verdict.read()?);
    match target.world.decide(&Decision::AddFault(on, verdict))? {
        Carried::Fault(id) => Ok(answer(&shown(&target, id))),
        _ => Err(ApiError::unavailable(format!("there are {MOST_RULES} rules already"))),
    }
}

/// `DELETE /_sandbox/worlds/{worldId}/faults/{id}`
pub(super) async fn remove(target: Target) -> Answer {
    let id = target.item.as_deref().and_then(|text| text.parse().ok()).unwrap_or_default();
    let shown = shown(&target, id);
    match target.world.decide(&Decision::RemoveFault(id))? {
        Carried::Nothing => Err(ApiError::not_found("id names no rule")),
        _ => Ok(answer(&shown)),
    }
}
