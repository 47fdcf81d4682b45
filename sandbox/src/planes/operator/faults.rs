//! Fault rules: list, add, remove.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use axum::response::Response;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;
use serde::Serialize;
use serde_json::Value;
use sim::money::parse_decimal;

use super::request::{Body, HandlerResult, Target};
use crate::hosting::decision::{Carried, HostDecision};
use crate::hosting::faults::{CERTAIN, DeliveryFault, MOST_RULES, Match, Pattern, Rule, Verdict};
use crate::planes::responses::json;
use crate::wire::error::ApiError;
use crate::wire::fields::{self, Fields, Row, Spot};
use crate::wire::number::Number as Exact;
use crate::wire::shape::{Schemas, Shape, describe, described, integer, object, plain, shape};
use crate::wire::words::of_words;
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{Schema, Type};

/// Longest delay of a request.
const LONGEST_DELAY: u64 = 600_000;

shape! {
    /// A rule to be added.
    pub(crate) struct FaultRequest {
        /// What it hits; everything when left out.
        on: Match = or(Match::default()) "match" as object::<FaultMatch>();
        /// What happens then.
        verdict: Verdict = required "verdict" as described(|spot| spot.object(|given| verdict(spot, given)), schema_of_verdict);
    }
}

/// What a rule hits.
struct FaultMatch;

impl Shape for FaultMatch {
    type Value = Match;
    const NAME: &'static str = "FaultMatch";
    const ABOUT: &'static str = "What a rule hits: all that is said has to hold.";

    fn rows(given: &mut Fields<'_, '_>) -> Option<Match> {
        let row = |name, about| Row { name, about };
        let method =
            given.optional(row("method", "Method of the request."), described(method, |_| plain(Type::String).into()));
        let pattern = row("path", "Path of the request; `*` stands for anything.");
        let path = given.optional(pattern, described(path, |_| plain(Type::String).pattern(Some("^/")).into()));
        let nth = given.optional(row("nth", "Only the nth of those, from 1."), described(count, schema_of_count));
        let chance = row("probability", "By chance, drawn from the world's seed.");
        let chance = given
            .optional(chance, described(chance_of, |_| plain(Type::Number).minimum(Some(0)).maximum(Some(1)).into()));
        let times = given.optional(row("times", "So often, then no more."), described(count, schema_of_count));
        Some(Match { method: method?, path: path?, nth: nth?, chance: chance?, times: times? })
    }
}

fn schema_of_count(_: &mut Schemas) -> RefOr<Schema> {
    plain(Type::Integer).minimum(Some(1)).into()
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
fn chance_of(spot: Spot<'_, '_>) -> Option<u64> {
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
    let all = verdicts(given).into_iter().collect::<Option<Vec<_>>>()?;
    let mut given = all.into_iter().flatten();
    match (given.next(), given.next()) {
        (Some(verdict), None) => Some(verdict),
        _ => spot.wrong("must have exactly one of answer, delay, drop, sockets and deliveries"),
    }
}

/// Each verdict by its word, as far as it is given.
fn verdicts(given: &mut Fields<'_, '_>) -> [Option<Option<Verdict>>; 5] {
    let row = |name, about| Row { name, about };
    let drop = [("before", Verdict::DropBefore), ("after", Verdict::DropAfter)];
    let sockets = [("close", Verdict::CutSockets), ("stall", Verdict::StallSockets)];
    let deliveries =
        [("refuse", Verdict::Deliveries(DeliveryFault::Refuse)), ("fail", Verdict::Deliveries(DeliveryFault::Fail))];
    [
        given.optional(row("answer", "This status instead of an answer."), object::<FaultAnswer>()),
        given.optional(row("delay", "The answer comes late."), object::<FaultDelay>()),
        given.optional(row("drop", "The connection breaks before or after the work is done."), of_words(drop)),
        given.optional(row("sockets", "Event sockets are closed, or fall silent."), of_words(sockets)),
        given.optional(row("deliveries", "Callbacks and webhooks are refused, or fail."), of_words(deliveries)),
    ]
}

fn schema_of_verdict(known: &mut Schemas) -> RefOr<Schema> {
    describe::<FaultVerdict>(known)
}

/// What a rule does, for the description.
struct FaultVerdict;

impl Shape for FaultVerdict {
    type Value = ();
    const NAME: &'static str = "FaultVerdict";
    const ABOUT: &'static str = "What happens: exactly one of these.";

    fn rows(given: &mut Fields<'_, '_>) -> Option<()> {
        verdicts(given).into_iter().collect::<Option<Vec<_>>>().map(drop)
    }
}

/// A status to be answered with.
struct FaultAnswer;

impl Shape for FaultAnswer {
    type Value = Verdict;
    const NAME: &'static str = "FaultAnswer";
    const ABOUT: &'static str = "A status to be answered with.";

    fn rows(given: &mut Fields<'_, '_>) -> Option<Verdict> {
        let status = given.required("status", integer(400..=599_u16));
        let after = Row { name: "retryAfter", about: "Seconds for the header `retry-after`." };
        let retry_after = given.optional(after, integer(0..=u32::MAX));
        Some(Verdict::Answer(StatusCode::from_u16(status?).ok()?, retry_after?))
    }
}

/// How late an answer comes.
struct FaultDelay;

impl Shape for FaultDelay {
    type Value = Verdict;
    const NAME: &'static str = "FaultDelay";
    const ABOUT: &'static str = "How late an answer comes.";

    fn rows(given: &mut Fields<'_, '_>) -> Option<Verdict> {
        let ms = given.required("ms", integer(0..=LONGEST_DELAY));
        Some(Verdict::Delay(Duration::from_millis(ms?)))
    }
}

/// A rule with what came of it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Fault {
    id: u64,
    r#match: ShownMatch,
    #[schema(value_type = Object)]
    verdict: Value,
    /// Requests that it was tried on.
    seen: u64,
    /// Requests that it hit.
    hits: u64,
}

#[derive(Serialize, ToSchema)]
#[schema(as = FaultMatchShown)]
struct ShownMatch {
    #[schema(required = true)]
    method: Option<String>,
    #[schema(required = true)]
    path: Option<String>,
    #[schema(required = true)]
    nth: Option<u64>,
    #[schema(required = true)]
    probability: Option<Exact>,
    #[schema(required = true)]
    times: Option<u64>,
}

fn show(rule: &Rule) -> Fault {
    let verdict = match rule.verdict {
        Verdict::Answer(status, retry_after) => {
            serde_json::json!({ "answer": { "status": status.as_u16(), "retryAfter": retry_after } })
        }
        Verdict::Delay(span) => serde_json::json!({ "delay": { "ms": crate::hosting::transport::millis(span) } }),
        Verdict::DropBefore => serde_json::json!({ "drop": "before" }),
        Verdict::DropAfter => serde_json::json!({ "drop": "after" }),
        Verdict::CutSockets => serde_json::json!({ "sockets": "close" }),
        Verdict::StallSockets => serde_json::json!({ "sockets": "stall" }),
        Verdict::Deliveries(DeliveryFault::Refuse) => serde_json::json!({ "deliveries": "refuse" }),
        Verdict::Deliveries(DeliveryFault::Fail) => serde_json::json!({ "deliveries": "fail" }),
    };
    let on = ShownMatch {
        method: rule.on.method.as_ref().map(ToString::to_string),
        path: rule.on.path.as_ref().map(|path| path.text().to_owned()),
        nth: rule.on.nth,
        probability: rule.on.chance.map(|units| Exact(Decimal::from(units) / Decimal::from(CERTAIN))),
        times: rule.on.times,
    };
    Fault { id: rule.id, r#match: on, verdict, seen: rule.seen, hits: rule.hits }
}

fn shown(target: &Target, id: u64) -> Option<Fault> {
    target.world.faults.list().iter().find(|rule| rule.id == id).map(show)
}

/// `GET /_sandbox/worlds/{worldId}/faults`
pub(super) async fn list(target: Target) -> Response {
    json(&target.world.faults.list().iter().map(show).collect::<Vec<_>>())
}

/// `POST /_sandbox/worlds/{worldId}/faults`
pub(super) async fn add(target: Target, Body(given): Body<FaultRequest>) -> HandlerResult {
    match target.world.decide(&HostDecision::AddFault(given.on, given.verdict))? {
        Carried::Fault(id) => Ok(json(&shown(&target, id))),
        _ => Err(ApiError::unavailable(format!("there are {MOST_RULES} rules already"))),
    }
}

/// `DELETE /_sandbox/worlds/{worldId}/faults/{id}`
pub(super) async fn remove(target: Target) -> HandlerResult {
    let id = target.item.as_deref().and_then(|text| text.parse().ok()).unwrap_or_default();
    let shown = shown(&target, id);
    match target.world.decide(&HostDecision::RemoveFault(id))? {
        Carried::Nothing => Err(ApiError::not_found("id names no rule")),
        _ => Ok(json(&shown)),
    }
}
