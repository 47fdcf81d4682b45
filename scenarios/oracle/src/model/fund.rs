//! What the checkers know of one fund: its next cut-off, the prices on their way, and the orders that wait for it.
//!
//! Invariant: `roll` brings it to an instant by the calendar alone; nothing is asked of the world's timers.

use super::calendar::{self, Day};
use super::figures::{self, Steps};
use super::prices::Prices;
use rust_decimal::Decimal;
use sim::World;
use sim::identity::InstrumentId;
use sim::ids::OrderId;
use sim::records::{Instrument, Side};
use sim::time::{Date, Instant, Millis};
use std::sync::Arc;

/// Most bank days by which a price can be late.
const MOST_LATE: u32 = 30;

/// When the orders of one dealing day settle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// The instant of posting.
    pub posted: Instant,
    /// The date that the transactions carry.
    pub date: Date,
}

/// What is planned for a dealing day.
#[derive(Clone, Copy, Debug)]
struct Plan {
    day: Day,
    publication: Instant,
    settlements: [Settlement; 2],
}

/// One fund.
#[derive(Clone, Debug)]
pub struct Fund {
    /// What does not change from day to day; trading flags as set last.
    pub facts: Arc<Instrument>,
    /// The next cut-off: its dealing day and instant.
    pub next: (Day, Instant),
    /// Orders on their way to that cut-off. Some may have left.
    pub waiting: Vec<OrderId>,
    /// Struck days with the instant at which their price comes out, ascending.
    coming: Vec<(Day, Instant)>,
    /// Days whose price came out at another time than planned for their cut-off, with that instant.
    published: Vec<(Day, Instant)>,
    /// Bank days by which the price of the next cut-off will be late.
    late: u32,
    /// Prices as the public has learned them.
    pub prices: Prices,
    /// Days that have executions: their prices do not change any more.
    pub executed: Vec<Day>,
    /// The last change of its trading or its price.
    pub modified: Instant,
    /// Whether it was merged or liquidated.
    pub has_ended: bool,
    /// The fund that it was merged into.
    pub became: Option<InstrumentId>,
    /// Until when it takes no new orders.
    pub refuses_until: Option<Instant>,
    /// Its splits, in order.
    splits: Vec<(Instant, Decimal)>,
    /// The last few dealing days that were asked about.
    plans: Vec<Plan>,
}

/// Dealing days that orders are under way for at a time.
const PLANS: usize = 8;

impl Fund {
    /// A fund of a world that has just begun, as no lever has touched it yet.
    #[must_use]
    pub fn new(begun: &Arc<World>, facts: &Arc<Instrument>) -> Self {
        let now = begun.now();
        let today = calendar::local_day(now);
        let struck = |day: &Day| {
            calendar::is_dealing_day(facts, *day)
                && calendar::cut_off(facts, *day) <= now
                && calendar::publication(facts, *day, 0) > now
        };
        Self {
            next: calendar::next_cut_off(facts, now),
            waiting: Vec::new(),
            coming: (today - 30..=today)
                .filter(struck)
                .map(|day| (day, calendar::publication(facts, day, 0)))
                .collect(),
            published: Vec::new(),
            late: 0,
            prices: Prices::before(begun, facts),
            executed: Vec::new(),
            modified: now,
            has_ended: false,
            became: None,
            refuses_until: None,
            splits: Vec::new(),
            plans: Vec::new(),
            facts: Arc::clone(facts),
        }
    }

    /// Lets cut-offs and publications up to `now` pass. `true` when a cut-off was among them; `faults` are prices that
    /// did not come out as they had to.
    pub fn roll(&mut self, world: &World, now: Instant, faults: &mut Vec<String>) -> bool {
        if self.next_event() > now {
            return false;
        }
        let mut passed = false;
        while self.next.1 <= now {
            let (day, at) = self.next;
            // It waits for the prices before it (rule: securities/prices-in-order).
            let planned = calendar::publication(&self.facts, day, self.late).max(at);
            let published = self.coming.iter().fold(planned, |latest, &(_, before)| latest.max(before));
            if self.late > 0 || published != planned {
                self.published.push((day, published));
                self.plans.clear();
            }
            self.late = 0;
            self.coming.push((day, published));
            self.next = calendar::next_cut_off(&self.facts, at);
            passed = true;
        }
        let mut out: Vec<(Instant, Day)> =
            self.coming.iter().filter(|&&(_, at)| at <= now).map(|&(day, at)| (at, day)).collect();
        self.coming.retain(|&(_, at)| at > now);
        out.sort_unstable();
        for (at, day) in out {
            let next_of_days = self.coming.iter().all(|&(coming, _)| coming > day);
            faults.extend(self.prices.publish(world, self.facts.id, (day, at), next_of_days));
            self.note_close(at);
        }
        passed
    }

    /// Before a long wait is gone through: reads all prices that came out in it.
    pub fn read_ahead(&mut self, world: &World) {
        let first = self.coming.iter().fold(self.next.0, |first, &(day, _)| first.min(day));
        self.prices.read_ahead(world, self.facts.id, first);
    }

    /// The price that is known last is news of this instant.
    fn note_close(&mut self, at: Instant) {
        if self.prices.close().is_some_and(|close| close.at == at) {
            self.modified = at;
        }
    }

    /// When its next cut-off or publication is.
    #[must_use]
    pub fn next_event(&self) -> Instant {
        self.coming.iter().fold(self.next.1, |next, &(_, at)| next.min(at))
    }

    /// Whether the price of a day is struck and not out.
    #[must_use]
    pub fn is_coming(&self, day: Day) -> bool {
        self.coming.iter().any(|&(coming, _)| coming == day)
    }

    /// Struck days whose price is not out.
    pub fn coming(&self) -> impl Iterator<Item = Day> + '_ {
        self.coming.iter().map(|&(day, _)| day)
    }

    /// A price was set by a command.
    pub fn set_price(&mut self, day: Day, price: i64, now: Instant) {
        self.prices.set(day, price, now);
        self.note_close(now);
    }

    /// The earliest price on its way comes so many bank days later, and those behind it no earlier than it; with none on its
    /// way, the next one will be late.
    pub fn delay(&mut self, now: Instant, bank_days: u32) {
        debug_assert!(self.coming.iter().all(|&(_, at)| at > now), "publications up to now have passed");
        let Some(&(first, planned)) = self.coming.first() else {
            self.late = (self.late + bank_days).min(MOST_LATE);
            return;
        };
        let (hour, minute) = calendar::local_time(planned);
        let later =
            calendar::at_local(calendar::bank_days_after(calendar::local_day(planned), bank_days), hour, minute);
        let opens = later.min(calendar::publication(&self.facts, first, MOST_LATE));
        self.plans.clear();
        for (day, at) in &mut self.coming {
            if *at < opens {
                *at = opens;
                self.published.retain(|&(other, _)| other != *day);
                self.published.push((*day, opens));
            }
        }
    }

    /// When the price of a struck day comes out or came out.
    #[must_use]
    pub fn publication(&self, day: Day) -> Instant {
        if let Some(plan) = self.plans.iter().rev().find(|plan| plan.day == day) {
            return plan.publication;
        }
        let moved = self.published.iter().rev().find(|&&(other, _)| other == day);
        moved.map_or_else(|| calendar::publication(&self.facts, day, 0), |&(_, at)| at)
    }

    /// When orders of a dealing day settle: on the settlement day at 09:00, or so long after a late price
    /// (rule: calendar/settlement-day).
    #[must_use]
    pub fn settlement(&self, side: Side, trade: Day, after_late_price: Millis) -> Settlement {
        if let Some(plan) = self.plans.iter().rev().find(|plan| plan.day == trade) {
            return plan.settlements[usize::from(side == Side::Redemption)];
        }
        let days = match side {
            Side::Subscription => self.facts.subscription_settlement_days,
            Side::Redemption => self.facts.redemption_settlement_days,
        };
        let planned = calendar::bank_days_after(trade, days);
        let late = self.publication(trade).plus(after_late_price);
        let posted = calendar::at_local(planned, 9, 0).max(late);
        Settlement { posted, date: calendar::date_of(planned.max(calendar::local_day(posted))) }
    }

    /// Works out the plan of a dealing day once, before its many orders ask.
    pub fn plan(&mut self, trade: Day, after_late_price: Millis) {
        if self.plans.iter().any(|plan| plan.day == trade) {
            return;
        }
        let settlements = [Side::Subscription, Side::Redemption].map(|s| self.settlement(s, trade, after_late_price));
        if self.plans.len() == PLANS {
            self.plans.remove(0);
        }
        self.plans.push(Plan { day: trade, publication: self.publication(trade), settlements });
    }

    /// One unit becomes so many (rule: securities/split).
    pub fn split(&mut self, factor: Decimal, now: Instant) {
        self.prices.split(factor, now);
        self.splits.push((now, factor));
        self.modified = now;
    }

    /// What units that were counted at `since` are after the splits in between.
    #[must_use]
    pub fn after_splits(&self, steps: Steps, since: Instant) -> Steps {
        self.split_between(steps, since, Instant::MAX)
    }

    /// What units that were counted at `since` are at `until`.
    #[must_use]
    pub fn split_between(&self, steps: Steps, since: Instant, until: Instant) -> Steps {
        let later = self.splits.iter().filter(|(at, _)| *at > since && *at <= until);
        later.fold(steps, |steps, &(_, factor)| figures::units_after(steps, factor))
    }

    /// The fund ends: it deals and publishes no more (rule: securities/ended-funds).
    pub fn end(&mut self, now: Instant, into: Option<InstrumentId>) {
        (self.has_ended, self.became) = (true, into);
        self.coming.clear();
        self.prices.forget_set();
        self.next.1 = Instant::MAX;
        self.modified = now;
    }

    /// Whether the fund takes no orders on that side.
    #[must_use]
    pub fn is_closed(&self, side: Side) -> bool {
        !self.facts.is_tradable
            || match side {
                Side::Subscription => !self.facts.is_buyable,
                Side::Redemption => !self.facts.is_sellable,
            }
    }

    /// Takes over trading flags; `None` leaves one as it is. Opening a side of a suspended fund ends the suspension,
    /// unless that is ruled out in the same breath (rule: securities/tradable).
    pub fn set_trading(&mut self, now: Instant, buyable: Option<bool>, sellable: Option<bool>, tradable: Option<bool>) {
        let before = (self.facts.is_buyable, self.facts.is_sellable, self.facts.is_tradable);
        let facts = Arc::make_mut(&mut self.facts);
        let opens = buyable == Some(true) || sellable == Some(true);
        facts.is_tradable = tradable.unwrap_or(facts.is_tradable || opens);
        facts.is_buyable = buyable.unwrap_or(facts.is_buyable);
        facts.is_sellable = sellable.unwrap_or(facts.is_sellable);
        if before != (facts.is_buyable, facts.is_sellable, facts.is_tradable) {
            self.modified = now;
        }
    }
}
