//! Jumps of a world's clock: to an instant, by a period, or until something happens.
//!
//! Invariant: one jump at a time, and none at all when it is refused; every timer fires at its own instant; between slices others on
//! the same world get their turn and see it at an instant on the way; a jump ends with who asked for it. Absent on purpose:
//! jumps back.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use sim::event::Change;
use sim::identity::InstrumentId;
use sim::ids::PartnerId;
use sim::ids::{AccountId, OrderId};
use sim::query::{About, Concerned, Dealings};
use sim::records::Order;
use sim::time::{Instant, Millis};
use sim::timers::Happening;
use sim::timers::Timer;
use sim::{Event, World};

use super::request::{Target, bad};
use super::values::instant;
use hosting::log::WORLDS;
use hosting::worlds::{SLICE, WorldHandle};
use surface::server::CallerGone;
use utoipa::ToSchema;
use uuid::Uuid;
use wire::error::ApiError;
use wire::json::shortened;
use wire::period::{MOST_DAYS, Period};
use wire::rows::shape::{FieldType, each, shape};
use wire::values::text::Timestamp;
use wire::words::of_words;

/// The most happenings that an answer lists; all are counted.
const MOST_LISTED: usize = 1_000;

/// How far a jump until something happens looks ahead: a leap year and the longest holidays.
const HORIZON: Millis = Millis::days(400);

/// How far one jump goes, as periods have it (rule: calendar/advance-reach).
const FARTHEST: Millis = Millis::days(MOST_DAYS as i64);

shape! {
    /// How far to advance: exactly one of `by`, `to` and `until`.
    pub(crate) struct AdvanceRequest {
        /// A period of ISO 8601, such as `P1D` or `PT90M`, or bank days, such as `3 bank days`.
        by: Option<Arc<str>> = optional "by";
        /// A timestamp, not before now.
        to: Option<Arc<str>> = optional "to";
        /// `next`, `cutOff`, `settlement` or `booking`.
        until: Option<Arc<str>> = optional "until";
        /// With `cutOff` and `settlement`.
        instrument: Option<InstrumentId> = optional "instrument";
        /// With `cutOff` and `settlement`: that of the order.
        order: Option<OrderId> = optional "order";
        /// With `booking`, which is the next one on it.
        account: Option<AccountId> = optional "account";
        /// List only timers of this client, account, fund or other resource.
        of: Option<Arc<str>> = optional "of";
        /// List only timers of these kinds.
        what: Option<Vec<&'static str>> = optional "what" as each(kind());
    }
}

/// What a happening can be, in the words of `what`.
fn kind() -> impl FieldType<Value = &'static str> {
    of_words(Timer::ALL_WHAT.iter().map(|word| (*word, *word)))
}

/// Where a jump ends.
enum Goal {
    At(Instant),
    When(Condition),
}

/// What a jump waits for.
#[derive(Clone, Copy)]
enum Condition {
    Next,
    CutOff(Option<InstrumentId>),
    Settlement(Option<InstrumentId>),
    Settled(OrderId),
    Booked(AccountId),
}

/// Which timers a bearer may know of: those of everybody and its own (rule: auth/operator-token).
pub(super) struct Sight {
    /// The bearer, where others have a part in the world.
    partner: Option<PartnerId>,
    dealings: Dealings,
}

impl Sight {
    /// What `partner` sees of the world as it is; without one, everything.
    pub(super) fn of(world: &World, partner: Option<PartnerId>) -> Self {
        Self { partner, dealings: partner.map(|partner| Dealings::of_partner(world, partner)).unwrap_or_default() }
    }

    pub(super) fn has(&self, world: &World, timer: &Timer) -> bool {
        let Some(partner) = self.partner else { return true };
        match sim::query::concerned(world, timer) {
            Concerned::Everybody => true,
            Concerned::Dealers => self.dealings.have(timer),
            Concerned::Partner(concerned) => concerned == partner,
            Concerned::Unknown => false,
        }
    }
}

/// What happenings are to be about, where that is asked for.
enum Subject {
    /// A resource of this id, what belongs to it, and the dealings of its orders.
    Of(Uuid),
    /// A fund.
    Fund(InstrumentId),
}

impl Subject {
    /// # Errors
    /// 400 for what is the id of nothing.
    fn read(text: &str) -> Result<Self, ApiError> {
        let uuid = Uuid::parse_str(text).ok().map(Self::Of);
        let found = uuid.or_else(|| InstrumentId::parse(text).ok().map(Self::Fund));
        found.ok_or_else(|| bad("of", format!("must be the id of a resource or of a fund, not `{}`", shortened(text))))
    }
}

/// Which happenings are listed (rule: calendar/advance-answer).
struct Filter {
    of: Option<Subject>,
    what: Option<Vec<&'static str>>,
}

impl Filter {
    /// Whether a happening is listed; `dealings` are those of the subject's orders.
    fn lists(&self, world: &World, timer: &Timer, dealings: &Dealings) -> bool {
        let is_kind = self.what.as_ref().is_none_or(|what| what.contains(&timer.what()));
        let About { client, account, instrument } = sim::query::about(world, timer);
        is_kind
            && match self.of {
                None => true,
                Some(Subject::Fund(fund)) => instrument == Some(fund),
                Some(Subject::Of(id)) => {
                    timer.resource() == id.to_string()
                        || account.is_some_and(|account| account.as_uuid() == id)
                        || client.is_some_and(|client| client.as_uuid() == id)
                        || dealings.have(timer)
                }
            }
    }

    fn dealings(&self, world: &World, partner: Option<PartnerId>) -> Dealings {
        match self.of {
            Some(Subject::Of(id)) => Dealings::of_subject(world, id, partner),
            _ => Dealings::default(),
        }
    }
}

/// What happened on the way, as far as the bearer may know of it.
struct Story {
    partner: Option<PartnerId>,
    filter: Filter,
    listed: Vec<Happened>,
    kinds: BTreeMap<&'static str, u64>,
    count: u64,
}

impl Story {
    fn add(&mut self, world: &World, happened: &[Happening]) {
        let (sight, dealings) = (Sight::of(world, self.partner), self.filter.dealings(world, self.partner));
        for Happening { at, timer } in happened.iter().filter(|it| sight.has(world, &it.timer)) {
            self.count += 1;
            *self.kinds.entry(timer.what()).or_default() += 1;
            if self.listed.len() < MOST_LISTED && self.filter.lists(world, timer, &dealings) {
                self.listed.push(Happened::of(*at, timer));
            }
        }
    }

    fn answer(self, now: Instant) -> Advanced {
        let kinds = self.kinds.into_iter().map(|(what, count)| HappenedKind { what, count }).collect();
        Advanced { now: Timestamp(now), happened: self.listed, kinds, count: self.count }
    }
}

/// The timers that fired. On a shared world, only those of the caller's clients.
#[derive(Serialize, ToSchema)]
pub(crate) struct Advanced {
    now: Timestamp,
    /// The first thousand timers that match `of` and `what`.
    happened: Vec<Happened>,
    /// Number of timers of each kind, listed or not.
    kinds: Vec<HappenedKind>,
    /// Number of timers, listed or not.
    count: u64,
}

/// Number of timers of one kind.
#[derive(Serialize, ToSchema)]
pub(crate) struct HappenedKind {
    #[schema(value_type = String)]
    what: &'static str,
    count: u64,
}

/// A timer: one that fired, or the next to fire.
#[derive(Serialize, ToSchema)]
pub(super) struct Happened {
    at: Timestamp,
    #[schema(value_type = String)]
    what: &'static str,
    /// Id of the resource.
    resource: String,
}

impl Happened {
    /// `timer` at its instant.
    pub(super) fn of(at: Instant, timer: &Timer) -> Self {
        Self { at: Timestamp(at), what: timer.what(), resource: timer.resource() }
    }
}

/// Carries a jump out and answers what happened.
///
/// # Errors
/// 400 when the request names no goal, or one too far, before it waits for its turn; 409 when nothing of the kind is due within
/// the horizon; 503 when `caller` has hung up meanwhile (rule: calendar/advance-stops, calendar/advance-reach).
pub(super) async fn advance(
    target: &Target,
    caller: &CallerGone,
    given: &AdvanceRequest,
) -> Result<Advanced, ApiError> {
    let world = &target.world;
    goal(target, given)?;
    let _gate = world.pass_gate().await;
    let of = given.of.as_deref().map(Subject::read).transpose()?;
    if given.what.as_ref().is_some_and(Vec::is_empty) {
        return Err(bad("what", "must not be empty"));
    }
    let filter = Filter { of, what: given.what.clone() };
    let partner = target.one_among_others();
    let mut story = Story { partner, filter, listed: Vec::new(), kinds: BTreeMap::new(), count: 0 };
    // Who waited before may have moved the clock.
    match goal(target, given)? {
        Goal::At(to) => go(world, caller, to, &mut story).await?,
        Goal::When(condition) => go_until(world, caller, &condition, &mut story).await?,
    }
    world.read(World::now).map(|now| story.answer(now))
}

/// A jump on its way; where it ends before its goal because nobody waits for it, the log says how far it came.
struct OnTheWay<'w> {
    world: &'w WorldHandle,
    to: Instant,
    has_ended: bool,
}

impl OnTheWay<'_> {
    fn left(&self) -> String {
        let Self { world, to, .. } = self;
        format!("the advance to {to} stopped at {}: its caller closed the connection", world.last_now())
    }
}

impl Drop for OnTheWay<'_> {
    fn drop(&mut self) {
        if !self.has_ended {
            let id = self.world.identity.id();
            tracing::info!(target: WORLDS, world = id.number(), "{id}: {}", self.left());
        }
    }
}

async fn go(world: &Arc<WorldHandle>, caller: &CallerGone, to: Instant, story: &mut Story) -> Result<(), ApiError> {
    let mut way = OnTheWay { world, to, has_ended: false };
    loop {
        let mut happened = Vec::new();
        let jumped = world.jump(to, &mut happened).await;
        let jumped = jumped.and_then(|there| check_not_dropped(world).map(|()| (there, happened)));
        way.has_ended = !matches!(jumped, Ok((false, _)));
        let (there, happened) = jumped?;
        world.read(|state| story.add(state, &happened))?;
        if there {
            return Ok(());
        }
        if caller.is_gone() {
            return Err(ApiError::unavailable(way.left()));
        }
        tokio::task::yield_now().await;
    }
}

/// A world that was dropped meanwhile goes nowhere.
fn check_not_dropped(world: &WorldHandle) -> Result<(), ApiError> {
    if world.is_dropped() { Err(ApiError::not_found("the world was dropped")) } else { Ok(()) }
}

/// Looks on a copy for the instant at which the condition is met, then goes there: a refusal leaves the world where it
/// was (invariant 49).
async fn go_until(
    world: &Arc<WorldHandle>,
    caller: &CallerGone,
    condition: &Condition,
    story: &mut Story,
) -> Result<(), ApiError> {
    if world.read(|state| condition.holds(state))? {
        return Ok(());
    }
    let found = find(world, caller, *condition, story.partner).await?;
    go(world, caller, found, story).await
}

/// Steps from timer to timer until one meets the condition, and answers when; what is due at the same instant is done too.
async fn find(
    world: &WorldHandle,
    caller: &CallerGone,
    condition: Condition,
    partner: Option<PartnerId>,
) -> Result<Instant, ApiError> {
    let mut search =
        Box::new(Search { ahead: world.copy()?, partner, fired: Vec::new(), due: None, has_met_event: false });
    let horizon = search.ahead.now().plus(HORIZON).min(World::END);
    loop {
        let turn = move || {
            let found = search.go_on(&condition, horizon);
            (search, found)
        };
        let (further, found) = world.work().take_turn(turn).await;
        match found {
            Found::At(at) => return Ok(at),
            Found::Nowhere => {
                return Err(ApiError::conflict("until waits for something that is not due within 400 days"));
            }
            Found::NotYet => search = further,
        }
        check_not_dropped(world)?;
        if caller.is_gone() {
            return Err(ApiError::unavailable(
                "the caller of this advance closed the connection; the clock has not moved",
            ));
        }
        tokio::task::yield_now().await;
    }
}

/// A copy of the world that goes ahead of it.
struct Search {
    ahead: World,
    /// Who waits, where others have a part in the world: what concerns only them is not waited for.
    partner: Option<PartnerId>,
    fired: Vec<Happening>,
    /// The instant that it is at.
    due: Option<Instant>,
    /// Whether an event of that instant has met the condition.
    has_met_event: bool,
}

/// What one turn of a search has found.
enum Found {
    At(Instant),
    NotYet,
    Nowhere,
}

impl Search {
    /// Looks ahead by about as much work as one slice has.
    fn go_on(&mut self, condition: &Condition, horizon: Instant) -> Found {
        let mut left = SLICE;
        while left > 0 {
            let next = self.ahead.next_happening().map(|(at, _)| at);
            let Some(due) = self.due.or(next).filter(|due| *due <= horizon) else { return Found::Nowhere };
            let before = self.fired.len();
            let is_done = self.ahead.advance_slice(due, left, &mut self.fired);
            self.due = (!is_done).then_some(due);
            self.has_met_event |= self.ahead.events().iter().any(|event| condition.is_met_by_event(event));
            self.ahead.forget_events();
            drop(self.ahead.take_callbacks());
            if !is_done {
                return Found::NotYet;
            }
            left = left.saturating_sub((self.fired.len() - before).max(1));
            let met: Vec<Timer> =
                self.fired.drain(..).map(|it| it.timer).filter(|it| condition.is_met_by(it)).collect();
            let sight = (!met.is_empty()).then(|| Sight::of(&self.ahead, self.partner));
            let is_met = sight.is_some_and(|sight| met.iter().any(|timer| sight.has(&self.ahead, timer)));
            if is_met || self.has_met_event || condition.holds(&self.ahead) {
                return Found::At(self.ahead.now());
            }
        }
        Found::NotYet
    }
}

fn is_over(world: &World, id: OrderId) -> bool {
    let status = order(world, id).map(|order| order.state.name());
    matches!(status, Some("settled" | "canceled"))
}

fn order(world: &World, id: OrderId) -> Option<&Arc<Order>> {
    sim::query::clients(world).find_map(|client| sim::query::order(world, client.id, id))
}

impl Condition {
    /// Whether the world as it is meets it; what waits for a timer is never met before.
    fn holds(&self, world: &World) -> bool {
        match self {
            Self::Settled(order) => is_over(world, *order),
            Self::Next | Self::CutOff(_) | Self::Settlement(_) | Self::Booked(_) => false,
        }
    }

    /// Whether an event on the way meets it: a transaction of the account is created, settled or aborted.
    fn is_met_by_event(&self, event: &Event) -> bool {
        let Self::Booked(account) = self else { return false };
        match &event.change {
            Change::CashTransaction(delta) => delta.latest().account == *account,
            Change::FundTransaction(delta) => delta.latest().account == *account,
            _ => false,
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
    if given.until.is_none() && (given.instrument.is_some() || given.order.is_some() || given.account.is_some()) {
        return Err(ApiError::invalid_request("instrument, order and account go with until"));
    }
    match (&given.by, &given.to, &given.until) {
        (Some(by), None, None) => {
            let period: Period = by.parse().map_err(|error| bad("by", error))?;
            period.after(now).map(Goal::At).map_err(|error| bad("by", error))
        }
        (None, Some(to), None) => match instant("to", to)? {
            to if to > now.plus(FARTHEST) => {
                Err(bad("to", format!("must lie within 100 years of now, which is {now}")))
            }
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
    let account = given.account.map(|id| known_account(target, id)).transpose()?;
    match (until, order, account) {
        ("booking", None, Some(account)) if instrument.is_none() => Ok(Condition::Booked(account)),
        ("booking", ..) => Err(bad("until", "booking takes an account, and neither instrument nor order")),
        (_, _, Some(_)) => Err(bad("account", "goes with until booking")),
        ("next", None, _) if instrument.is_none() => Ok(Condition::Next),
        ("next", ..) => Err(bad("until", "next takes neither instrument nor order")),
        ("cutOff", ..) => Ok(Condition::CutOff(instrument.or(of_order))),
        ("settlement", Some(order), _) => Ok(Condition::Settled(order.id)),
        ("settlement", None, _) => Ok(Condition::Settlement(instrument)),
        _ => Err(bad("until", "must be next, cutOff, settlement or booking")),
    }
}

/// The account, if the bearer may see it.
fn known_account(target: &Target, id: AccountId) -> Result<AccountId, ApiError> {
    let seen = |state: &World| {
        let mut clients = sim::query::clients(state).filter(|client| target.sees(client.partner));
        clients.any(|client| sim::query::account(state, client.id, id).is_some())
    };
    let is_known = target.world.read(seen)?;
    if is_known { Ok(id) } else { Err(bad("account", "is not known")) }
}
