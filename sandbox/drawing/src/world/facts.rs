//! What is shown of a world at a glance.
//!
//! Invariant: sums are of whole ore. Absent on purpose: today's value, since the day is not over.

use crate::frame::numbers::{ore, sek};
use jiff::civil::Date;
use serde::Serialize;
use sim::ids::ClientId;
use sim::query;
use sim::time::Instant;
use sim::timers::Timer;
use sim::world::World;
use std::collections::BTreeMap;

/// A day that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DayValue {
    /// Which.
    pub date: Date,
    /// What all accounts were worth at the midnight that ends it, in ore.
    #[serde(serialize_with = "sek")]
    pub value: i64,
}

/// Orders in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OrderCount {
    /// The state, as the API calls it.
    pub state: &'static str,
    /// How many there are.
    pub count: usize,
}

/// Something that is planned: all of one kind at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct NextThing {
    /// When.
    pub at: Instant,
    /// What happens, in words.
    pub what: &'static str,
    /// How many at that instant.
    pub count: usize,
}

/// What the world itself knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorldFacts {
    /// What its clock shows.
    pub now: Instant,
    /// Accounts whose values are summed.
    pub accounts: usize,
    /// Accounts whose values are not, since there are more than a picture reads: the newest.
    pub accounts_left_out: usize,
    /// The last days that are over.
    pub days: Vec<DayValue>,
    /// Orders by state, in the order of their life.
    pub orders: Vec<OrderCount>,
    /// What comes next, the soonest first.
    pub next: Vec<NextThing>,
    /// What is planned after that: instants with a kind.
    pub next_left_out: usize,
}

impl WorldFacts {
    const MOST_ACCOUNTS: usize = 2_000;
    const MOST_DAYS: usize = 400;
    const MOST_NEXT: usize = 12;

    /// The accounts, orders and timers that a reader may see.
    #[must_use]
    pub fn of(world: &World, sees_client: impl Fn(ClientId) -> bool, sees_timer: impl Fn(&Timer) -> bool) -> Self {
        let own: Vec<_> = query::every_account(world).filter(|account| sees_client(account.client)).collect();
        let mut values: BTreeMap<Date, i64> = BTreeMap::new();
        for account in own.iter().take(Self::MOST_ACCOUNTS) {
            for day in query::history(world, account.id).into_iter().flat_map(|history| history.days) {
                *values.entry(day.date).or_default() += ore(day.value);
            }
        }
        let days = values.into_iter().map(|(date, value)| DayValue { date, value });
        let mut days: Vec<_> = days.collect();
        days.drain(..days.len().saturating_sub(Self::MOST_DAYS));
        let mut next: Vec<NextThing> = Vec::new();
        let mut next_left_out = 0;
        for (at, timer) in world.timers().filter(|(_, timer)| sees_timer(timer)) {
            let what = timer.what();
            match next.iter_mut().rev().take_while(|one| one.at == at).find(|one| one.what == what) {
                Some(one) => one.count += 1,
                None => next.push(NextThing { at, what, count: 1 }),
            }
        }
        if next.len() > Self::MOST_NEXT {
            next_left_out = next.len() - Self::MOST_NEXT;
            next.truncate(Self::MOST_NEXT);
        }
        Self {
            now: world.now(),
            accounts: own.len().min(Self::MOST_ACCOUNTS),
            accounts_left_out: own.len().saturating_sub(Self::MOST_ACCOUNTS),
            days,
            orders: orders(world, sees_client),
            next,
            next_left_out,
        }
    }
}

/// Orders by state: all states that partners meet, those without orders included.
fn orders(world: &World, sees_client: impl Fn(ClientId) -> bool) -> Vec<OrderCount> {
    let settings = &world.setup().settings;
    let mut counts: Vec<_> = ["received", "pending", "sent", "settled", "hold", "canceled"]
        .map(|state| OrderCount { state, count: 0 })
        .into_iter()
        .collect();
    for order in query::every_order(world).filter(|order| sees_client(order.client)) {
        let state = order.state.shown(settings);
        match counts.iter_mut().find(|row| row.state == state) {
            Some(row) => row.count += 1,
            None => counts.push(OrderCount { state, count: 1 }),
        }
    }
    counts
}

/// Requests that failed in one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailingRequest {
    /// The method.
    pub method: String,
    /// The path, with names in the place of ids.
    pub path: String,
    /// The status; none where the connection was dropped.
    pub status: Option<u16>,
    /// How many.
    pub count: usize,
}

/// Requests, as far as they are kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Requests {
    /// How many there have been.
    pub total: u64,
    /// How many of the newest are counted below.
    pub looked_at: usize,
    /// Those that failed, the most frequent first.
    pub failing: Vec<FailingRequest>,
}

impl Requests {
    pub(super) fn failed(&self) -> usize {
        self.failing.iter().map(|row| row.count).sum()
    }
}

/// How the deliveries of a receiver ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HookHealth {
    /// Where they go, or what they are.
    pub name: String,
    /// Whether it is sent events.
    pub enabled: bool,
    /// Deliveries that were taken.
    pub delivered: usize,
    /// Deliveries that wait.
    pub queued: usize,
    /// Deliveries that the receiver refused.
    pub refused: usize,
    /// Deliveries that were given up.
    pub dead_letters: usize,
}

impl HookHealth {
    /// Of a receiver without deliveries.
    #[must_use]
    pub const fn new(name: String, enabled: bool) -> Self {
        Self { name, enabled, delivered: 0, queued: 0, refused: 0, dead_letters: 0 }
    }

    pub(super) const fn total(&self) -> usize {
        self.delivered + self.queued + self.refused + self.dead_letters
    }
}

/// All of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// The world's name.
    pub name: String,
    /// What the world itself knows.
    #[serde(flatten)]
    pub world: WorldFacts,
    /// Its requests.
    pub requests: Requests,
    /// Its webhooks, and callbacks together.
    pub webhooks: Vec<HookHealth>,
}

impl Facts {
    /// Rows of failing requests, and of webhooks, that a picture has at most.
    pub(super) const MOST_ROWS: usize = 8;
}
