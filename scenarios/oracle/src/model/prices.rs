//! What the public has learned of prices and rates: the judge's own record.
//!
//! Invariant: a number that the world draws is read once, when the wait has ended in which it has to come out, and is history
//! from then on; one that was set by a command is known beforehand. So a price that changes afterwards, comes out at another
//! time or is taken from another day is seen. Absent on purpose: how numbers are drawn.

use super::calendar::{self, Day};
use super::figures;
use rust_decimal::Decimal;
use sim::World;
use sim::identity::{Currency, InstrumentId};
use sim::query;
use sim::time::{Date, Instant};

/// A price as the public knows it last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Close {
    /// The dealing day.
    pub day: Day,
    /// The price, in millionths.
    pub price: i64,
    /// Since when it is known.
    pub at: Instant,
}

/// A price that was set for a day and is to come out.
#[derive(Clone, Copy, Debug)]
struct SetPrice {
    day: Day,
    price: i64,
    /// Whether an earlier price has changed since, so that it is not known by which one it was bounded.
    loose: bool,
}

/// Half to double of a price.
#[must_use]
pub const fn bounds(price: i64) -> (i64, i64) {
    (price / 2 + price % 2, price.saturating_mul(2))
}

/// The prices of one fund.
#[derive(Clone, Debug, Default)]
pub struct Prices {
    /// Published prices by dealing day, ascending.
    published: Vec<(Day, i64)>,
    /// Prices that were set and are not published yet.
    set: Vec<SetPrice>,
    /// How often the fund was split since, and by how much its units were multiplied, a published day each.
    since: Vec<(u32, Decimal)>,
    /// What is known last.
    close: Option<Close>,
    /// What was known last at the end of days on which that changed, ascending.
    closes: Vec<(Day, i64)>,
    /// The world's prices of the days of a long wait, ascending: read at its end, when they are all out.
    ahead: Vec<(Day, i64)>,
}

impl Prices {
    /// The record of a fund whose world has just begun: whatever was published before.
    #[must_use]
    pub fn before(world: &World, fund: &sim::records::Instrument) -> Self {
        let mut prices = Self::default();
        for (day, price) in published(world, fund.id, Date::MIN) {
            prices.note(day, price, calendar::publication(fund, day, 0));
        }
        prices
    }

    /// Reads what the world has published since `day`, at the end of a long wait: one look-up instead of one a day.
    pub fn read_ahead(&mut self, world: &World, fund: InstrumentId, day: Day) {
        self.ahead = published(world, fund, calendar::date_of(day));
    }

    /// Forgets what was read ahead: a command may change it.
    pub fn forget_ahead(&mut self) {
        self.ahead.clear();
    }

    /// What the world says that the price of a day is, once it is out.
    fn of_world(&self, world: &World, fund: InstrumentId, day: Day) -> Option<i64> {
        let alone = || query::price_of_day(world, fund, calendar::date_of(day)).map(figures::millionths);
        let read = self.ahead.binary_search_by_key(&day, |read| read.0).ok().map(|place| self.ahead[place].1);
        debug_assert!(read.is_none() || read == alone(), "both queries answer the same");
        read.or_else(alone)
    }

    fn note(&mut self, day: Day, price: i64, at: Instant) {
        match self.place_of(day) {
            Ok(place) => self.published[place].1 = price,
            Err(place) => {
                self.published.insert(place, (day, price));
                self.since.insert(place, (0, Decimal::ONE));
            }
        }
        // A price of an older day that comes later is no news.
        if self.close.is_none_or(|close| close.day <= day) {
            self.learn(Close { day, price, at });
        }
    }

    /// Where the published price of a day is, or would be: mostly at the end.
    fn place_of(&self, day: Day) -> Result<usize, usize> {
        if self.published.last().is_none_or(|last| last.0 < day) {
            return Err(self.published.len());
        }
        self.published.binary_search_by_key(&day, |known| known.0)
    }

    /// What is known last has changed.
    fn learn(&mut self, close: Close) {
        self.close = Some(close);
        let learned = calendar::local_day(close.at);
        match self.closes.last_mut() {
            Some(last) if last.0 == learned => last.1 = close.price,
            _ => self.closes.push((learned, close.price)),
        }
    }

    /// The price of a day has to come out now. What is wrong with it, if anything is. Only where it is the next one after
    /// those that are out can it be measured by them.
    #[must_use]
    pub fn publish(
        &mut self,
        world: &World,
        fund: InstrumentId,
        (day, at): (Day, Instant),
        next_of_days: bool,
    ) -> Option<String> {
        let date = || calendar::date_of(day);
        let set = self.set.iter().position(|known| known.day == day).map(|place| self.set.swap_remove(place));
        let Some(price) = self.of_world(world, fund, day) else {
            return Some(format!("{fund}: the price of {} did not come out at {at}", date()));
        };
        let before = self.price_before(day).filter(|_| next_of_days);
        self.note(day, price, at);
        let (set, before) = (set.filter(|set| !set.loose), before.map(bounds));
        if let (Some(set), Some((low, high))) = (set, before)
            && set.price.clamp(low, high) != price
        {
            return Some(format!("{fund}: the price of {} came out as {price}e-6, set was {}e-6", date(), set.price));
        }
        // Half a millionth is lost in rounding, at both ends.
        let leaps = before.is_some_and(|(low, high)| price + 1 < low || price > high + 2);
        leaps.then(|| format!("{fund}: the price of {} leapt to {price}e-6, out of {before:?}", date()))
    }

    /// A price was set by a command: it corrects one that is out, or waits for its instant.
    pub fn set(&mut self, day: Day, price: i64, now: Instant) {
        self.set.iter_mut().filter(|later| later.day > day).for_each(|later| later.loose = true);
        if self.of(day).is_some() {
            return self.note(day, price, now);
        }
        self.set.retain(|known| known.day != day);
        self.set.push(SetPrice { day, price, loose: false });
    }

    /// The published price of a day.
    #[must_use]
    pub fn of(&self, day: Day) -> Option<i64> {
        self.place_of(day).ok().map(|place| self.published[place].1)
    }

    /// The price of a day that was set and has not come out, after that `before` it; `None` where it is not known.
    #[must_use]
    pub fn set_for(&self, day: Day, before: i64) -> Option<i64> {
        let (low, high) = bounds(before);
        let set = self.set.iter().find(|known| known.day == day && !known.loose);
        set.map(|known| known.price.clamp(low, high))
    }

    /// The last published price of a day before `day`, for one of today's units.
    #[must_use]
    pub fn price_before(&self, day: Day) -> Option<i64> {
        let place = self.published.partition_point(|known| known.0 < day);
        place.checked_sub(1).map(|place| self.of_today(place))
    }

    /// The first published day after `day`, with its price for one of today's units.
    #[must_use]
    pub fn after(&self, day: Day) -> Option<(Day, i64)> {
        let place = self.published.partition_point(|known| known.0 <= day);
        self.published.get(place).map(|known| (known.0, self.of_today(place)))
    }

    fn of_today(&self, place: usize) -> i64 {
        let (price, (splits, since)) = (self.published[place].1, self.since[place]);
        match splits {
            0 => price,
            1 => figures::price_after(price, since),
            _ => figures::price_after_several(price, since),
        }
    }

    /// Whether the price of a day was published before a split: it does not change.
    #[must_use]
    pub fn is_history(&self, day: Day) -> bool {
        self.place_of(day).is_ok_and(|place| self.since[place].0 > 0)
    }

    /// One unit becomes so many: what is known last is divided, and what was set; what was published stays.
    pub fn split(&mut self, factor: Decimal, now: Instant) {
        self.since.iter_mut().for_each(|since| *since = (since.0 + 1, since.1 * factor));
        for set in &mut self.set {
            (set.price, set.loose) = (figures::price_after(set.price, factor), true);
        }
        if let Some(close) = self.close {
            self.learn(Close { price: figures::price_after(close.price, factor), at: now, ..close });
        }
    }

    /// Prices that were set and are not out, by their days.
    pub fn set_ahead(&self) -> impl Iterator<Item = (Day, i64)> + '_ {
        self.set.iter().map(|set| (set.day, set.price))
    }

    /// What was set never comes out.
    pub fn forget_set(&mut self) {
        self.set.clear();
    }

    /// The price that was known last when `day` ended.
    #[must_use]
    pub fn known_on(&self, day: Day) -> Option<i64> {
        let place = self.closes.partition_point(|known| known.0 <= day);
        place.checked_sub(1).map(|place| self.closes[place].1)
    }

    /// What the public knows last.
    #[must_use]
    pub const fn close(&self) -> Option<Close> {
        self.close
    }

    /// The last so many published prices.
    #[must_use]
    pub fn newest(&self, count: usize) -> &[(Day, i64)] {
        &self.published[self.published.len().saturating_sub(count)..]
    }
}

/// What a world has published of a fund since a day, in millionths, ascending by day.
fn published(world: &World, fund: InstrumentId, since: Date) -> Vec<(Day, i64)> {
    let prices = query::prices(world, fund, since, world.now().local_date());
    prices.into_iter().map(|(date, price)| (calendar::day_of(date), figures::millionths(price))).collect()
}

/// The rates of one currency.
#[derive(Clone, Debug)]
pub struct Rates {
    /// Which currency.
    currency: Currency,
    /// Published rates in ten-thousandths by bank day, ascending.
    known: Vec<(Day, i64)>,
    /// The bank day whose rate comes next.
    next: Day,
}

impl Rates {
    /// The record of a currency whose world has just begun.
    #[must_use]
    pub fn before(world: &World, currency: Currency, now: Instant) -> Self {
        let today = calendar::local_day(now);
        let mut rates = Self { currency, known: Vec::new(), next: today - 30 };
        rates.skip_to_bank_day();
        rates.roll(world, now);
        rates
    }

    fn skip_to_bank_day(&mut self) {
        while !calendar::is_bank_day(self.next) {
            self.next += 1;
        }
    }

    /// When the next rate comes out: at 16:00 of its bank day (rule: calendar/rate-publication).
    #[must_use]
    pub fn next_at(&self) -> Instant {
        calendar::at_local(self.next, 16, 0)
    }

    /// Lets the publications up to `now` pass.
    pub fn roll(&mut self, world: &World, now: Instant) {
        while self.next_at() <= now {
            let rate = query::rate_of_day(world, self.currency, calendar::date_of(self.next));
            self.known.push((self.next, figures::ten_thousandths(rate)));
            self.next += 1;
            self.skip_to_bank_day();
        }
    }

    /// The last rate that is known.
    #[must_use]
    pub fn last(&self) -> i64 {
        self.known.last().map_or(figures::PAR, |known| known.1)
    }

    /// The rate of executions on `day`.
    #[must_use]
    pub fn of(&self, day: Day) -> i64 {
        let place = self.known.partition_point(|known| known.0 <= day);
        place.checked_sub(1).map_or(figures::PAR, |place| self.known[place].1)
    }
}
