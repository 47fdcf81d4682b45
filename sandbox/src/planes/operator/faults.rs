//! Fault rules: list, add, remove, one by one or in bundles (rules: events/fault-rules, events/fault-bundles).
//!
//! Invariant: where the machinery is shared, a partner's rules are about that partner alone, and it sees and removes its own;
//! the operator's, which are about everybody, it only sees. A rule that could never hit is refused.

mod verdict;

use std::sync::Arc;

use axum::http::Method;
use axum::response::Response;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;
use serde::Serialize;
use serde_json::Value;
use sim::ids::PartnerId;
use sim::money::parse_decimal;

use super::request::{Bearer, Body, HandlerResult, Target, bad};
use crate::planes::responses::json;
use hosting::decision::{Carried, HostDecision};
use hosting::faults::bundles::{BUNDLES, Bundle};
use hosting::faults::{CERTAIN, EventPattern, FaultEffect, MOST_RULES, Match, Pattern, Rule};
use surface::service::is_machinery;
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{Schema, Type};
use wire::error::ApiError;
use wire::rows::fields::{self, Cursor, FieldRow, Fields};
use wire::rows::shape::{Schemas, Shape, described, object, plain, shape};
use wire::values::number::Number as Exact;
use wire::values::text::Id;

shape! {
    /// A bundle of rules to add.
    pub(crate) struct BundleRequest {
        /// Its name, such as `a bad day`.
        name: Arc<str> = required "name";
    }
}

shape! {
    /// A rule to add.
    pub(crate) struct FaultRequest {
        /// What it applies to; everything when left out.
        on: Match = or(Match::default()) "match" as object::<FaultMatch>();
        /// Effect of the rule.
        verdict: FaultEffect = required "verdict" as described(verdict::read, verdict::schema);
    }
}

/// What a rule hits.
struct FaultMatch;

impl Shape for FaultMatch {
    type Value = Match;
    const NAME: &'static str = "FaultMatch";
    const ABOUT: &'static str = "What a rule applies to. All given conditions must hold.";

    fn rows(given: &mut Fields<'_, '_>) -> Option<Match> {
        let row = |name, about| FieldRow { name, about };
        let about = "Method of the request: `GET`, `POST`, `PUT`, `PATCH`, `DELETE`, `HEAD` or `OPTIONS`.";
        let method = given.optional(row("method", about), described(method, |_| plain(Type::String).into()));
        let pattern = row(
            "path",
            "Path of the request, or of the receiver, without a query: `*` or `{name}` stands for one segment, `**` for any \
             number of them.",
        );
        let path = given.optional(pattern, described(path, |_| plain(Type::String).pattern(Some("^/")).into()));
        let event = row(
            "event",
            "Type of the event that a socket or a delivery sends: `order.update`, `order.*`, `*`; for deliveries also \
             `journey.callback` and `webhook.test`.",
        );
        let event = given.optional(event, described(event_pattern, |_| plain(Type::String).into()));
        let nth = given.optional(row("nth", "Only the nth match, counted from 1."), described(count, schema_of_count));
        let chance = row("probability", "Probability that the rule applies, drawn from the world's seed.");
        let schema = |_: &mut Schemas| plain(Type::Number).exclusive_minimum(Some(0)).maximum(Some(1)).into();
        let chance = given.optional(chance, described(chance_of, schema));
        let times = given.optional(row("times", "How many times the rule applies."), described(count, schema_of_count));
        let (method, path, event) = (method?, path?, event?);
        Some(Match { method, path, event, nth: nth?, chance: chance?, times: times? })
    }
}

fn schema_of_count(_: &mut Schemas) -> RefOr<Schema> {
    plain(Type::Integer).minimum(Some(1)).into()
}

/// The methods that a request can have.
const METHODS: [Method; 7] =
    [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::HEAD, Method::OPTIONS];

fn method(cursor: Cursor<'_, '_>) -> Option<Method> {
    let known = |text: &str| METHODS.into_iter().find(|method| method.as_str().eq_ignore_ascii_case(text));
    cursor.text_as("one of GET, POST, PUT, PATCH, DELETE, HEAD and OPTIONS", known)
}

fn path(cursor: Cursor<'_, '_>) -> Option<Pattern> {
    let pattern = Pattern::new(&fields::free_text(cursor)?);
    match pattern.fault() {
        Some(fault) => cursor.wrong(fault),
        None => Some(pattern),
    }
}

fn event_pattern(cursor: Cursor<'_, '_>) -> Option<EventPattern> {
    let text = fields::free_text(cursor)?;
    EventPattern::read(&text).or_else(|| cursor.wrong("fits no event that there is"))
}

fn count(cursor: Cursor<'_, '_>) -> Option<u64> {
    match fields::integer(0..=u64::MAX)(cursor)? {
        0 => cursor.wrong("counts from 1"),
        count => Some(count),
    }
}

/// A probability in millionths.
fn chance_of(cursor: Cursor<'_, '_>) -> Option<u64> {
    let exact = cursor.number_as(|text| parse_decimal(text, 28))?;
    let millionths = exact.checked_mul(Decimal::from(CERTAIN)).map(|units| units.normalize());
    millionths
        .filter(|units| units.scale() == 0)
        .and_then(|units| units.to_u64())
        .filter(|units| (1..=CERTAIN).contains(units))
        .or_else(|| cursor.wrong("must be more than 0, at most 1, with at most 6 decimals"))
}

/// A fault rule with its counts.
#[derive(Serialize, ToSchema)]
pub(crate) struct Fault {
    id: u64,
    /// The partner that the rule belongs and applies to; absent for a rule about all partners.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    partner: Option<Id>,
    r#match: ShownMatch,
    #[schema(value_type = Object)]
    verdict: Value,
    /// Requests, socket events or deliveries that matched its method, path or event.
    seen: u64,
    /// Number of these that the rule changed.
    hits: u64,
}

/// A named set of fault rules.
#[derive(Serialize, ToSchema)]
#[schema(as = FaultBundle)]
pub(crate) struct BundleShown {
    name: &'static str,
    /// What the rules simulate.
    about: &'static str,
    /// Number of rules.
    rules: usize,
}

#[derive(Serialize, ToSchema)]
#[schema(as = FaultMatchShown)]
struct ShownMatch {
    #[schema(required = true)]
    method: Option<String>,
    #[schema(required = true)]
    path: Option<String>,
    #[schema(required = true)]
    event: Option<String>,
    #[schema(required = true)]
    nth: Option<u64>,
    #[schema(required = true)]
    probability: Option<Exact>,
    #[schema(required = true)]
    times: Option<u64>,
}

fn show(rule: &Rule) -> Fault {
    let on = ShownMatch {
        method: rule.on.method.as_ref().map(ToString::to_string),
        path: rule.on.path.as_ref().map(|path| path.text().to_owned()),
        event: rule.on.event.as_ref().map(|event| event.text().to_owned()),
        nth: rule.on.nth,
        probability: rule.on.chance.map(|units| Exact(Decimal::from(units) / Decimal::from(CERTAIN))),
        times: rule.on.times,
    };
    let partner = rule.owner.map(|partner| Id(partner.as_uuid()));
    Fault { id: rule.id, partner, r#match: on, verdict: verdict::shown(rule.verdict), seen: rule.seen, hits: rule.hits }
}

impl Target {
    /// Whose rules the bearer adds and removes; `None` means everybody's.
    fn rules_of(&self) -> Option<PartnerId> {
        match &self.bearer {
            Bearer::Partner(caller) if self.shared => Some(caller.partner),
            Bearer::Partner(_) | Bearer::Operator => None,
        }
    }

    /// The rules that the bearer meets, or all.
    fn rules(&self) -> Vec<Rule> {
        let mut rules = self.world.edge.faults.list();
        let of = self.rules_of();
        rules.retain(|rule| of.is_none() || rule.owner.is_none() || rule.owner == of);
        rules
    }

    /// The rule in the path, if the bearer may see it.
    fn rule(&self) -> Result<Rule, ApiError> {
        let id = self.item.as_deref().and_then(|text| text.parse().ok());
        let rule = self.rules().into_iter().find(|rule| Some(rule.id) == id);
        rule.ok_or_else(|| ApiError::not_found("id names no rule"))
    }
}

/// Adds rules, all or none.
async fn added(target: &Target, rules: Vec<(Match, FaultEffect)>) -> Result<Vec<Fault>, ApiError> {
    match target.world.decide(&HostDecision::AddFaults(target.rules_of(), rules)).await? {
        Carried::Faults(ids) => Ok(target.rules().iter().filter(|rule| ids.contains(&rule.id)).map(show).collect()),
        _ => Err(ApiError::conflict(format!("there may be {MOST_RULES} rules at once; remove some first"))),
    }
}

/// `GET /_sandbox/worlds/{worldId}/faults`
pub(super) async fn list(target: Target) -> Response {
    json(&target.rules().iter().map(show).collect::<Vec<_>>())
}

/// `GET /_sandbox/worlds/{worldId}/faults/{id}`
pub(super) async fn read(target: Target) -> HandlerResult {
    Ok(json(&show(&target.rule()?)))
}

/// `POST /_sandbox/worlds/{worldId}/faults`
pub(super) async fn add(target: Target, Body(given): Body<FaultRequest>) -> HandlerResult {
    let FaultRequest { on, verdict } = given;
    check(&on, verdict)?;
    Ok(json(&added(&target, vec![(on, verdict)]).await?.pop()))
}

/// Refuses a condition that the requests, sockets or deliveries which the rule hits can never meet.
fn check(on: &Match, verdict: FaultEffect) -> Result<(), ApiError> {
    let of_request = on.method.is_some() || on.path.is_some();
    let is_of_machinery = on.path.as_ref().is_some_and(|path| is_machinery(path.text()));
    match verdict {
        FaultEffect::Deliveries(_) if on.method.as_ref().is_some_and(|method| *method != Method::POST) => {
            Err(bad("match.method", "is always POST where something is delivered"))
        }
        FaultEffect::Deliveries(_) => Ok(()),
        FaultEffect::Sockets(_) if on.event.is_some() && of_request => {
            Err(bad("match.event", "cannot be combined with method or path: events on sockets have neither"))
        }
        FaultEffect::Sockets(_) if on.event.as_ref().is_some_and(|event| !event.is_of_sockets()) => {
            Err(bad("match.event", "exists for deliveries only, not on sockets"))
        }
        FaultEffect::Sockets(_) if on.event.is_some() => Ok(()),
        _ if on.event.is_some() => Err(bad("match.event", "is for sockets and deliveries; a request has no event")),
        _ if is_of_machinery => Err(bad("match.path", "is a path of the machinery, where fault rules never apply")),
        _ => Ok(()),
    }
}

/// `GET /_sandbox/worlds/{worldId}/faults/bundles`
pub(super) async fn bundles(_: Target) -> Response {
    let shown = |bundle: Bundle| BundleShown { name: bundle.name, about: bundle.about, rules: bundle.rules().len() };
    json(&BUNDLES.map(shown))
}

/// `POST /_sandbox/worlds/{worldId}/faults/bundles`
pub(super) async fn add_bundle(target: Target, Body(given): Body<BundleRequest>) -> HandlerResult {
    let names = || BUNDLES.map(|bundle| format!("`{}`", bundle.name)).join(", ");
    let bundle = Bundle::named(&given.name).ok_or_else(|| bad("name", format!("must be one of {}", names())))?;
    Ok(json(&added(&target, bundle.rules()).await?))
}

/// `DELETE /_sandbox/worlds/{worldId}/faults/{id}`
pub(super) async fn remove(target: Target) -> HandlerResult {
    let rule = target.rule()?;
    if target.rules_of() != rule.owner && target.rules_of().is_some() {
        return Err(ApiError::forbidden("this rule is the operator's"));
    }
    match target.world.decide(&HostDecision::RemoveFault(rule.id)).await? {
        Carried::Nothing => Err(ApiError::not_found("id names no rule")),
        _ => Ok(json(&show(&rule))),
    }
}

/// `DELETE /_sandbox/worlds/{worldId}/faults`: all that the bearer may remove; answers what was removed.
pub(super) async fn clear(target: Target) -> HandlerResult {
    let of = target.rules_of();
    let is_removed = |rule: &&Rule| of.is_none() || rule.owner == of;
    let removed: Vec<Fault> = target.world.edge.faults.list().iter().filter(is_removed).map(show).collect();
    target.world.decide(&HostDecision::ClearFaults(of)).await?;
    Ok(json(&removed))
}
