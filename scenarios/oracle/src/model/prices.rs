//! What the public has learned of prices and rates: the judge's own record.
//!
//! Invariant: a number that the world draws is read once, when the wait has ended in which it has to come out, and is history
//! from then on; those of before the start are read of a copy of the world as it began. One that was set by a command is known
//! beforehand. So a price that changes afterwards, comes out at another time or is taken from another day is seen. Absent on purpose:
//! how numbers are drawn.

use super::calendar::{self, Day};
use super::figures;
use super::words;
use rust_decimal::Decimal;
use sim::World;
use sim::identity::{Currency, InstrumentId};
use sim::query;
use sim::records::Instrument;
use sim::time::{Date, Instant};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Published prices of a fund that a sweep looks at again. A world's start reads at least so many, where there are as many.
pub const STANDING_PRICES: usize = 20;
/// Days before the start in which as many prices come out, where a fund deals daily; none that is still to come out is older.
const DAYS_READ_AT_START: Day = 45;

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

/// How often a fund was split since a day, and by how much its units were multiplied.
type Splits = (u32, Decimal);

const UNSPLIT: Splits = (0, Decimal::ONE);

/// The prices of one fund.
#[derive(Clone, Debug)]
pub struct Prices {
    /// Published prices by dealing day, ascending, but for `earlier` ones.
    published: Vec<(Day, i64)>,
    /// The prices before those.
    earlier: EarlierPrices,
    /// Prices that were set and are not published yet.
    set: Vec<SetPrice>,
    /// The splits since, a published day each.
    since: Vec<Splits>,
    /// All splits.
    splits: Splits,
    /// What is known last.
    close: Option<Close>,
    /// What was known last at the end of days on which that changed, ascending, but for earlier days.
    closes: Vec<(Day, i64)>,
    /// The world's prices of the days of a long wait, ascending: read at its end, when they are all out.
    ahead: Vec<(Day, i64)>,
}

impl Prices {
    /// The record of a fund whose world has just begun: whatever was published before.
    #[must_use]
    pub fn before(begun: &Arc<World>, fund: &Arc<Instrument>) -> Self {
        let since = |first: Date| published(begun, fund.id, first);
        let mut read = since(calendar::date_of(calendar::local_day(begun.now()) - DAYS_READ_AT_START));
        let mut until = read.first().map(|first| first.0);
        if read.len() < STANDING_PRICES {
            (read, until) = (since(Date::MIN), None);
        }
        let mut prices = Self {
            published: Vec::new(),
            earlier: EarlierPrices { begun: Arc::clone(begun), fund: Arc::clone(fund), until, read: OnceLock::new() },
            set: Vec::new(),
            since: Vec::new(),
            splits: UNSPLIT,
            close: None,
            closes: Vec::new(),
            ahead: Vec::new(),
        };
        for (day, price) in read {
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
            Err(_) if self.earlier.set(day, price) => {}
            Err(place) => {
                self.published.insert(place, (day, price));
                self.since.insert(place, UNSPLIT);
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
        note_close(&mut self.closes, calendar::local_day(close.at), close.price);
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
            return Some(format!(
                "{fund}: the price of {} is {}, set was {}",
                date(),
                words::price(price),
                words::price(set.price)
            ));
        }
        // Half a millionth is lost in rounding, at both ends.
        let (low, high) = before?;
        (price + 1 < low || price > high + 2).then(|| {
            let [got, low, high] = [price, low, high].map(words::price);
            format!("{fund}: the price of {} is {got}, expected: from {low} to {high}", date())
        })
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
        match self.place_of(day) {
            Ok(place) => Some(self.published[place].1),
            Err(_) => self.earlier.of(day),
        }
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
        match place.checked_sub(1) {
            Some(place) => Some(self.of_today(place)),
            None => self.earlier.before(day).map(|known| split(known.1, self.splits)),
        }
    }

    /// The first published day after `day`, with its price for one of today's units.
    #[must_use]
    pub fn after(&self, day: Day) -> Option<(Day, i64)> {
        if let Some((earlier, price)) = self.earlier.after(day) {
            return Some((earlier, split(price, self.splits)));
        }
        let place = self.published.partition_point(|known| known.0 <= day);
        self.published.get(place).map(|known| (known.0, self.of_today(place)))
    }

    fn of_today(&self, place: usize) -> i64 {
        split(self.published[place].1, self.since[place])
    }

    /// Whether the price of a day was published before a split: it does not change.
    #[must_use]
    pub fn is_history(&self, day: Day) -> bool {
        match self.place_of(day) {
            Ok(place) => self.since[place].0 > 0,
            Err(_) => self.splits.0 > 0 && self.earlier.of(day).is_some(),
        }
    }

    /// One unit becomes so many: what is known last is divided, and what was set; what was published stays.
    pub fn split(&mut self, factor: Decimal, now: Instant) {
        let further = |(count, product): Splits| (count + 1, product * factor);
        self.since.iter_mut().for_each(|since| *since = further(*since));
        self.splits = further(self.splits);
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
        match place.checked_sub(1) {
            Some(place) => Some(self.closes[place].1),
            None => self.earlier.known_on(day),
        }
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

/// Notes a price that was learned on a day, which is none before those of the others.
fn note_close(closes: &mut Vec<(Day, i64)>, learned: Day, price: i64) {
    match closes.last_mut() {
        Some(last) if last.0 == learned => last.1 = price,
        _ => closes.push((learned, price)),
    }
}

/// A price for one of the units of before so many splits, for one of today's.
fn split(price: i64, (count, product): Splits) -> i64 {
    match count {
        0 => price,
        1 => figures::price_after(price, product),
        _ => figures::price_after_several(price, product),
    }
}

/// Prices of a fund from long before its world's start. They are read only when somebody asks for one, of the world as it began: one that
/// changes in between is seen all the same.
#[derive(Clone)]
struct EarlierPrices {
    /// The world as it began.
    begun: Arc<World>,
    fund: Arc<Instrument>,
    /// The first day whose price is none of these; none where there are none.
    until: Option<Day>,
    read: OnceLock<ReadPrices>,
}

/// Prices and closes as [`Prices`] has them.
#[derive(Clone, Debug)]
struct ReadPrices {
    published: Vec<(Day, i64)>,
    closes: Vec<(Day, i64)>,
}

impl fmt::Debug for EarlierPrices {
    /// Without the world.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("EarlierPrices")
            .field("until", &self.until)
            .field("read", &self.read)
            .finish_non_exhaustive()
    }
}

impl EarlierPrices {
    fn read(&self) -> &ReadPrices {
        self.read.get_or_init(|| {
            let mut published = published(&self.begun, self.fund.id, Date::MIN);
            published.truncate(published.partition_point(|known| Some(known.0) < self.until));
            let mut closes: Vec<(Day, i64)> = Vec::new();
            for &(day, price) in &published {
                let learned = calendar::local_day(calendar::publication(&self.fund, day, 0));
                note_close(&mut closes, learned, price);
            }
            ReadPrices { published, closes }
        })
    }

    /// These prices, where the day is before the first of the others.
    fn before_others(&self, day: Day) -> Option<&[(Day, i64)]> {
        self.until.filter(|until| day < *until).map(|_| self.read().published.as_slice())
    }

    /// Where the price of a day is.
    fn place_of(&self, day: Day) -> Option<usize> {
        self.before_others(day)?.binary_search_by_key(&day, |known| known.0).ok()
    }

    fn of(&self, day: Day) -> Option<i64> {
        self.place_of(day).map(|place| self.read().published[place].1)
    }

    /// Changes the price of a day that is one of these; whether it is.
    fn set(&mut self, day: Day, price: i64) -> bool {
        let (place, read) = (self.place_of(day), self.read.get_mut());
        let known = place.zip(read).and_then(|(place, read)| read.published.get_mut(place));
        known.map(|known| known.1 = price).is_some()
    }

    /// The last before a day.
    fn before(&self, day: Day) -> Option<(Day, i64)> {
        self.until?;
        let known = &self.read().published;
        known.partition_point(|known| known.0 < day).checked_sub(1).map(|place| known[place])
    }

    /// The first after a day.
    fn after(&self, day: Day) -> Option<(Day, i64)> {
        let known = self.before_others(day)?;
        known.get(known.partition_point(|known| known.0 <= day)).copied()
    }

    /// The price that was known last when `day` ended.
    fn known_on(&self, day: Day) -> Option<i64> {
        self.until?;
        let closes = &self.read().closes;
        closes.partition_point(|known| known.0 <= day).checked_sub(1).map(|place| closes[place].1)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use sim::command::{Command, SetPrice};
    use sim::money::Price;
    use sim::rng::Seed;

    fn begun() -> Arc<World> {
        let start = Instant::parse("2026-03-02T07:00:00.000Z").expect("an instant");
        Arc::new(World::new(&hosting::setup::demo(), Seed(7), start).expect("the demo world is valid"))
    }

    fn funds(world: &World) -> Vec<Arc<Instrument>> {
        query::instruments(world, None).iter().map(|view| Arc::clone(view.record)).collect()
    }

    #[test]
    fn prices_of_long_ago_are_those_that_were_published_before_the_start_and_are_read_when_asked_for() {
        let world = begun();
        let (today, mut deal_daily) = (calendar::local_day(world.now()), 0);
        for fund in funds(&world) {
            let all = published(&world, fund.id, Date::MIN);
            let mut prices = Prices::before(&world, &fund);
            // One that deals once a month has not as many.
            assert_eq!(prices.newest(STANDING_PRICES), &all[all.len().saturating_sub(STANDING_PRICES)..]);
            deal_daily += usize::from(all.len() > 200);
            assert_eq!(prices.close().map(|close| (close.day, close.price)), all.last().copied());
            assert!(prices.earlier.read.get().is_none(), "nobody has asked for them");
            let learned = |day: Day| calendar::local_day(calendar::publication(&fund, day, 0));
            let days = today - 420..today + 5;
            for day in days.clone() {
                let known = all.iter().rev().find(|known| learned(known.0) <= day).map(|known| known.1);
                assert_eq!(prices.of(day), all.iter().find(|known| known.0 == day).map(|known| known.1));
                assert_eq!(prices.price_before(day), all.iter().rev().find(|known| known.0 < day).map(|known| known.1));
                assert_eq!(prices.after(day), all.iter().find(|known| known.0 > day).copied());
                assert_eq!((prices.known_on(day), prices.is_history(day)), (known, false));
            }
            let (old, close) = (all[1], prices.close());
            prices.set(old.0, 123, world.now());
            assert_eq!((prices.of(old.0), prices.close()), (Some(123), close), "an old price is no news");
            for factor in [Decimal::TWO, Decimal::from(5)] {
                prices.split(factor, world.now());
            }
            let split = |known: &(Day, i64)| {
                let price = if *known == old { 123 } else { known.1 };
                (known.0, figures::price_after_several(price, Decimal::TEN))
            };
            for day in days {
                let known = all.iter().rev().find(|known| learned(known.0) <= day).map(|known| known.1);
                let before = all.iter().rev().find(|known| known.0 < day).map(split);
                assert_eq!(prices.price_before(day), before.map(|known| known.1), "{day}");
                assert_eq!(prices.after(day), all.iter().find(|known| known.0 > day).map(split), "{day}");
                assert_eq!(prices.is_history(day), all.iter().any(|known| known.0 == day));
                assert!(day >= today || prices.known_on(day) == known, "{day}");
            }
        }
        assert!(deal_daily > 5, "{deal_daily} funds have prices of long ago");
    }

    #[test]
    fn a_price_of_long_ago_that_changes_before_somebody_asks_is_still_known_as_it_was() {
        let mut world = World::clone(&begun());
        let fund = funds(&world).swap_remove(0).id;
        let model = Model::new(&world);
        let (day, price) = published(&world, fund, Date::MIN)[3];
        let close_price = Price::from_decimal_exact(Decimal::new(price + 1, 6)).expect("a price");
        let set = SetPrice { instrument: fund, close_price, price_date: Some(calendar::date_of(day)) };
        world.apply(world.now(), Command::SetPrice(set)).expect("the price of a published day can be corrected");
        let of_world = query::price_of_day(&world, fund, calendar::date_of(day)).map(figures::millionths);
        assert_eq!((of_world, model.funds[&fund].prices.of(day)), (Some(price + 1), Some(price)));
    }
}
