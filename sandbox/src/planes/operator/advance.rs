//! Jumps of a world's clock: to an instant, by a period, or until something happens.
//!
//! Invariant: one jump at a time, and none at all when it is refused; every timer fires at its own instant; between slices others on the same world get
//! their turn and see it whole, at an instant on the way. Absent on purpose: jumps back.

use std::sync::Arc;

use serde::Serialize;
use sim::World;
use sim::identity::InstrumentId;
use sim::ids::OrderId;
use sim::query::Concerned;
use sim::records::Order;
use sim::time::{Instant, Millis};
use sim::timers::Happening;
use sim::timers::Timer;

use super::request::{Target, bad};
use super::values::instant;
use crate::hosting::worlds::{SLICE, WorldHandle};
use crate::wire::error::ApiError;
use crate::wire::period::Period;
use crate::wire::shape::shape;
use crate::wire::text::Timestamp;
use utoipa::ToSchema;

/// Happenings told in an answer; all are counted.
const MOST_TOLD: usize = 1_000;

/// How far a jump until something happens looks ahead: a leap year and the longest holidays.
const HORIZON: Millis = Millis::days(400);

shape! {
    /// How far to go: exactly one of `by`, `to` and `until`.
    pub(crate) struct AdvanceRequest {
        /// A period of ISO 8601, such as `P1D` or `PT90M`.
        by: Option<Arc<str>> = optional "by";
        /// A timestamp, not before now.
        to: Option<Arc<str>> = optional "to";
        /// `next`, `cutOff` or `settlement`.
        until: Option<Arc<str>> = optional "until";
        instrument: Option<InstrumentId> = optional "instrument";
        order: Option<OrderId> = optional "order";
    }
}

/// Where a jump ends.
enum Goal {
    At(Instant),
    When(Condition),
}

/// What a jump waits for.
enum Condition {
    Next,
    CutOff(Option<InstrumentId>),
    Settlement(Option<InstrumentId>),
    Settled(OrderId),
}

/// What happened on the way.
#[derive(Default)]
struct Story {
    told: Vec<Happening>,
    count: u64,
}

impl Story {
    fn add(&mut self, happened: &mut Vec<Happening>) {
        self.count += happened.len() as u64;
        let room = MOST_TOLD - self.told.len();
        self.told.extend(happened.drain(..).take(room));
    }

    /// What of it the bearer may know.
    fn tell(&self, target: &Target, world: &World) -> Advanced {
        let seen = self.told.iter().filter(|happening| sees(target, world, &happening.timer));
        let happened = seen.map(|happening| Happened::of(happening.at, &happening.timer)).collect();
        Advanced { now: Timestamp(world.now()), happened, count: self.count }
    }
}

/// What happened on the way.
#[derive(Serialize, ToSchema)]
pub(crate) struct Advanced {
    now: Timestamp,
    /// The first thousand; of a shared world, those that concern the bearer.
    happened: Vec<Happened>,
    /// How many there were.
    count: u64,
}

/// A timer: one that fired, or the next to fire.
#[derive(Serialize, ToSchema)]
pub(super) struct Happened {
    at: Timestamp,
    #[schema(value_type = String)]
    what: &'static str,
    /// The id of what it is about.
    resource: String,
}

impl Happened {
    /// `timer` at its instant.
    pub(super) fn of(at: Instant, timer: &Timer) -> Self {
        Self { at: Timestamp(at), what: timer.what(), resource: timer.resource() }
    }
}

/// Whether the bearer may know that a timer fires: it concerns everybody, or a partner of whom it sees everything.
pub(super) fn sees(target: &Target, world: &World, timer: &Timer) -> bool {
    match sim::query::concerned(world, timer) {
        Concerned::Everybody => true,
        Concerned::Partner(partner) => target.sees(partner),
        Concerned::Unknown => target.operates(),
    }
}

/// Carries a jump out and tells what happened.
///
/// # Errors
/// 400 when the request names no goal; 409 when nothing of the kind is due within the horizon.
pub(super) async fn advance(target: &Target, given: &AdvanceRequest) -> Result<Advanced, ApiError> {
    let world = &*target.world;
    let _gate = world.pass_gate().await;
    let mut story = Story::default();
    match goal(target, given)? {
        Goal::At(to) => go(world, to, &mut story).await?,
        Goal::When(condition) => go_until(world, &condition, &mut story).await?,
    }
    world.read(|state| story.tell(target, state))
}

async fn go(world: &WorldHandle, to: Instant, story: &mut Story) -> Result<(), ApiError> {
    let mut happened = Vec::new();
    loop {
        let there = world.jump(to, &mut happened)?;
        story.add(&mut happened);
        if there {
            return Ok(());
        }
        stands(world)?;
        tokio::task::yield_now().await;
    }
}

/// A world that was dropped meanwhile goes nowhere.
fn stands(world: &WorldHandle) -> Result<(), ApiError> {
    if world.is_dropped() { Err(ApiError::not_found("the world was dropped")) } else { Ok(()) }
}

/// Looks on a copy for the instant at which the condition is met, then goes there: a refusal leaves the world where it
/// was (invariant 49).
async fn go_until(world: &WorldHandle, condition: &Condition, story: &mut Story) -> Result<(), ApiError> {
    if world.read(|state| condition.holds(state))? {
        return Ok(());
    }
    let found = find(world, condition).await?;
    go(world, found, story).await
}

/// Steps from timer to timer until one meets the condition, and tells when; what is due at the same instant is done too.
async fn find(world: &WorldHandle, condition: &Condition) -> Result<Instant, ApiError> {
    let mut ahead = world.copy()?;
    let horizon = ahead.now().plus(HORIZON);
    let mut fired = Vec::new();
    let mut met = false;
    while !met {
        let due = ahead.next_timer().map(|(at, _)| at).filter(|due| *due <= horizon.min(World::END));
        let due = due.ok_or_else(|| ApiError::conflict("until waits for something that is not due within 400 days"))?;
        while !ahead.advance_slice(due, SLICE, &mut fired) {
            stands(world)?;
            tokio::task::yield_now().await;
        }
        ahead.forget_events();
        drop(ahead.take_callbacks());
        met = fired.drain(..).any(|happening| condition.is_met_by(&happening.timer)) || condition.holds(&ahead);
    }
    Ok(ahead.now())
}

fn is_over(world: &World, id: OrderId) -> bool {
    let status = order(world, id).map(|order| order.state.name());
    matches!(status, Some("settled" | "canceled"))
}

fn order(world: &World, id: OrderId) -> Option<&Arc<Order>> {
    sim::query::clients(world).find_map(|client| sim::query::order(world, client.id, id))
}

impl Condition {
    /// Whether the world as it stands meets it; what waits for a timer is never met before.
    fn holds(&self, world: &World) -> bool {
        match self {
            Self::Settled(order) => is_over(world, *order),
            Self::Next | Self::CutOff(_) | Self::Settlement(_) => false,
        }
    }

    fn is_met_by(&self, timer: &Timer) -> bool {
        let of = |wanted: &Option<InstrumentId>, instrument: &InstrumentId| {
            wanted.as_ref().is_none_or(|wanted| wanted == instrument)
        };
        match (self, timer) {
            (Self::Next, _) => true,
            (Self::CutOff(wanted), Timer::CutOff(instrument, _))
            | (
                Self::Settlement(wanted),
                Timer::SettleSubscriptions(instrument, _) | Timer::SettleRedemptions(instrument, _),
            ) => of(wanted, instrument),
            _ => false,
        }
    }
}

fn goal(target: &Target, given: &AdvanceRequest) -> Result<Goal, ApiError> {
    let now = target.world.read(sim::World::now)?;
    if given.until.is_none() && (given.instrument.is_some() || given.order.is_some()) {
        return Err(ApiError::invalid_request("instrument and order go with until"));
    }
    match (&given.by, &given.to, &given.until) {
        (Some(by), None, None) => {
            let period: Period = by.parse().map_err(|error| bad("by", error))?;
            period.after(now).map(Goal::At).map_err(|error| bad("by", error))
        }
        (None, Some(to), None) => match instant("to", to)? {
            to if to >= now => Ok(Goal::At(to)),
            _ => Err(bad("to", format!("must not lie before now, which is {now}"))),
        },
        (None, None, Some(until)) => condition(target, until, given).map(Goal::When),
        _ => Err(ApiError::invalid_request("exactly one of by, to and until is required")),
    }
}

fn condition(target: &Target, until: &str, given: &AdvanceRequest) -> Result<Condition, ApiError> {
    let world = &target.world;
    let AdvanceRequest { instrument, order: order_id, .. } = *given;
    let known = |id: InstrumentId| world.read(|state| sim::query::instrument(state, id).is_some());
    if let Some(id) = instrument
        && !known(id)?
    {
        return Err(bad("instrument", "is not known"));
    }
    let order = match order_id {
        None => None,
        Some(id) => {
            let seen = |state: &World| {
                let mut clients = sim::query::clients(state).filter(|client| target.sees(client.partner));
                clients.find_map(|client| sim::query::order(state, client.id, id)).cloned()
            };
            Some(world.read(seen)?.ok_or_else(|| bad("order", "is not known"))?)
        }
    };
    let of_order = order.as_ref().map(|order| order.instrument);
    match (until, order) {
        ("next", None) if instrument.is_none() => Ok(Condition::Next),
        ("next", _) => Err(bad("until", "next takes neither instrument nor order")),
        ("cutOff", _) => Ok(Condition::CutOff(instrument.or(of_order))),
        ("settlement", Some(order)) => Ok(Condition::Settled(order.id)),
        ("settlement", None) => Ok(Condition::Settlement(instrument)),
        _ => Err(bad("until", "must be next, cutOff or settlement")),
    }
}
