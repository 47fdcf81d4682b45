//! What accounts are worth now, and what they were worth at every local midnight (rule: money/value,
//! money/converted-prices, payments/daily-value).
//!
//! Owns: one walk over the days of an account, which keeps running sums of its transactions, over what was published by
//! then, which many accounts share.
//! Invariant: a day's end is reckoned from what happened and was known before the midnight that ends it, so no later
//! correction changes it; what was purged still counts. Absent on purpose: any record of past values, returns and fees.

use crate::canary::Canary;
use crate::identity::InstrumentId;
use crate::ids::AccountId;
use crate::market::Market;
use crate::money::{Amount, Units, ore_of, round_half_up, ten_to};
use crate::records::{Account, CashRefType, CashTransaction, CashType, Counts, FundRefType, FundTransaction, FundType};
use crate::time::{Date, Instant, stockholm};
use crate::world::World;
use rust_decimal::Decimal;

/// Decimals of `gav` and of a converted close price (rule: money/decimals, money/converted-prices).
pub(crate) const PRICE_SCALE: u32 = 6;

/// The last published price of a fund in SEK, as known at `at`.
pub(crate) fn close_price(market: &Market, instrument: InstrumentId, at: Instant) -> Option<Decimal> {
    market.close_in_sek(instrument, at).map(|close| round_half_up(close, PRICE_SCALE))
}

/// Total market value (rule: money/value): balance, settled positions, and subscriptions under way.
#[must_use]
pub fn value(world: &World, account: &Account) -> Amount {
    let held = account.positions.iter().filter_map(|position| {
        let close = close_price(&world.market, position.instrument, world.now)?;
        Some(Amount::from_units(position.settled, close))
    });
    account.balance + account.subscribed + held.sum()
}

/// The first instant of a local day.
fn begins(day: Date) -> Instant {
    stockholm(day, 0, 0)
}

/// One day of an account, in ore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Day {
    /// Which.
    pub date: Date,
    /// Value at the midnight that begins it.
    pub opening: i128,
    /// What came from outside less what went there (rule: payments/external-flows).
    pub flow: i128,
    /// Value at the midnight that ends it.
    pub closing: i128,
}

/// Something that changed what an account is worth.
#[derive(Clone, Copy, Debug)]
struct Movement {
    at: Instant,
    what: Moved,
    /// Whether it came from outside or went there.
    external: bool,
}

#[derive(Clone, Copy, Debug)]
enum Moved {
    Cash(Amount),
    Units(InstrumentId, Units),
}

/// What one unit of each fund was worth at the midnights around a run of days: reckoned once, for all accounts that are
/// walked over them.
#[derive(Debug)]
pub(crate) struct Closings {
    first: Date,
    /// The midnights that begin the days, and the one that ends the last.
    midnights: Vec<Instant>,
    /// By fund, at each midnight: millionths of a krona, or nothing while no price is known.
    funds: Vec<(InstrumentId, Vec<Option<i128>>)>,
}

impl Closings {
    /// Those of the days from `first` to `last`; without days when `last` is earlier.
    pub(crate) fn new(first: Date, last: Date) -> Self {
        let days = std::iter::successors(Some(first), |day| day.tomorrow().ok());
        let mut midnights: Vec<Instant> = days.clone().take_while(|&day| day <= last).map(begins).collect();
        midnights.extend(days.skip(midnights.len()).next().map(begins));
        Self { first, midnights, funds: Vec::new() }
    }

    /// The midnight alone that begins `day`.
    pub(crate) fn at(day: Date) -> Self {
        Self { first: day, midnights: vec![begins(day)], funds: Vec::new() }
    }

    /// Reaches back to `first` as well.
    pub(crate) fn reach_back_to(&mut self, first: Date) {
        if first < self.first {
            let before = std::iter::successors(Some(first), |day| day.tomorrow().ok());
            let before: Vec<Instant> = before.take_while(|&day| day < self.first).map(begins).collect();
            self.midnights.splice(..0, before);
            self.funds.clear();
            self.first = first;
        }
    }

    /// The place of a fund.
    fn place_of(&mut self, market: &Market, instrument: InstrumentId) -> usize {
        let known = self.funds.iter().position(|(fund, _)| *fund == instrument);
        known.unwrap_or_else(|| {
            self.funds.push((instrument, closes_at(market, instrument, &self.midnights)));
            self.funds.len() - 1
        })
    }
}

/// What was known of a fund before each of some instants, which ascend.
fn closes_at(market: &Market, instrument: InstrumentId, instants: &[Instant]) -> Vec<Option<i128>> {
    let (mut closes, mut rates) = (market.known(instrument).closes(), market.rates(instrument.currency()));
    let mut rate = rates.first().map_or(Decimal::ONE, |first| first.rate);
    let (mut price, mut close) = (None, None);
    let learn = |&end: &Instant| {
        let new_closes = leading(closes, |close| close.at < end);
        let new_rates = leading(rates, |rate| rate.published < end);
        if new_closes > 0 || new_rates > 0 {
            price = closes[..new_closes].last().map(|last| last.price).or(price);
            rate = rates[..new_rates].last().map_or(rate, |last| last.rate);
            (closes, rates) = (&closes[new_closes..], &rates[new_rates..]);
            close = price.map(|price| in_steps(price.get() * rate));
        }
        close
    };
    instants.iter().map(learn).collect()
}

/// A price in SEK as a whole number of the last of its decimals (rule: money/converted-prices).
fn in_steps(price: Decimal) -> i128 {
    let rounded = round_half_up(price, PRICE_SCALE);
    rounded.mantissa() * ten_to(PRICE_SCALE - rounded.scale())
}

/// How many of the first items hold: few, day by day, and many at the first day.
fn leading<T>(items: &[T], holds: impl Fn(&T) -> bool) -> usize {
    match items {
        [first, ..] if holds(first) => {
            if items.get(2).is_some_and(&holds) {
                items.partition_point(holds)
            } else {
                1 + usize::from(items.get(1).is_some_and(holds))
            }
        }
        _ => 0,
    }
}

/// All that has ever changed what an account is worth, in order.
#[derive(Debug)]
pub(crate) struct History {
    movements: Vec<Movement>,
}

impl History {
    /// That of `account`.
    pub(crate) fn of(world: &World, account: AccountId) -> Self {
        let mut movements = Vec::new();
        let gain = world.planted.is(Canary::DepositIsGain);
        for cash in world.cash.of_account(account, None) {
            cash_movements(&mut movements, cash, gain);
        }
        movements.extend(world.funds.of_account(account, None).filter_map(|units| unit_movement(units)));
        // A stable sort: what happened at one instant stays in order.
        movements.sort_by_key(|movement| movement.at);
        Self { movements }
    }

    /// The day of the first flow from outside.
    pub(crate) fn first_flow(&self) -> Option<Date> {
        self.movements.iter().find(|movement| movement.external).map(|first| first.at.local_date())
    }

    /// The days of the account among those of `closings`, from its first movement on.
    pub(crate) fn days<'h>(&'h self, market: &'h Market, closings: &'h mut Closings) -> Days<'h> {
        let begin = self.movements.first().map_or(Date::MAX, |first| first.at.local_date());
        let mut days = Days {
            market,
            closings,
            movements: self.movements.iter(),
            held: Vec::new(),
            cash: 0,
            brought: Vec::new(),
            date: begin,
            midnight: 0,
            opening: 0,
        };
        let first = days.closings.first;
        if begin < first {
            days.date = first;
            days.opening = days.close().1;
        } else {
            let end = days.closings.midnights.partition_point(|&midnight| midnight <= begins(begin));
            days.midnight = end.saturating_sub(1);
        }
        days
    }
}

/// What an account holds of one fund at the end of a day.
#[derive(Debug)]
pub(crate) struct Held {
    /// The fund.
    pub instrument: InstrumentId,
    /// Settled units, in steps.
    pub units: i128,
    /// What one unit is worth, in millionths of a krona.
    pub close: Option<i128>,
    worth: i128,
    /// The fund's place among the closings.
    place: usize,
    changed: bool,
}

/// The days of an account, one after the other.
#[derive(Debug)]
pub(crate) struct Days<'h> {
    market: &'h Market,
    closings: &'h mut Closings,
    /// What is still to happen.
    movements: std::slice::Iter<'h, Movement>,
    held: Vec<Held>,
    /// Balance, and purchases on their way.
    cash: i128,
    /// Units that came from outside on the day, to be valued at its end.
    brought: Vec<(usize, i128)>,
    date: Date,
    /// The place of the midnight that begins the next day.
    midnight: usize,
    opening: i128,
}

impl Days<'_> {
    /// The next day to come.
    pub(crate) const fn begin(&self) -> Date {
        self.date
    }

    /// The value at the midnight that begins it.
    pub(crate) const fn opening(&self) -> i128 {
        self.opening
    }

    /// What is held at the end of the day that was given last.
    pub(crate) fn held(&self) -> &[Held] {
        &self.held
    }

    /// Lets everything before the next midnight happen: flows, and the value then.
    fn close(&mut self) -> (i128, i128) {
        let end = self.closings.midnights[self.midnight];
        let mut flow = 0;
        while let Some(movement) = self.movements.as_slice().first().filter(|movement| movement.at < end) {
            self.movements.next();
            match movement.what {
                Moved::Cash(amount) => {
                    self.cash += amount.steps();
                    flow += if movement.external { amount.steps() } else { 0 };
                }
                Moved::Units(instrument, units) => {
                    let at = self.holding(instrument);
                    self.held[at].units += units.steps();
                    self.held[at].changed = true;
                    if movement.external {
                        self.brought.push((at, units.steps()));
                    }
                }
            }
        }
        let mut value = self.cash;
        for held in &mut self.held {
            let close = self.closings.funds[held.place].1[self.midnight];
            if held.changed || close != held.close {
                (held.close, held.changed) = (close, false);
                held.worth = worth(held.units, close);
            }
            value += held.worth;
        }
        flow += self.brought.drain(..).map(|(at, units)| worth(units, self.held[at].close)).sum::<i128>();
        (flow, value)
    }

    fn holding(&mut self, instrument: InstrumentId) -> usize {
        self.held.iter().position(|held| held.instrument == instrument).unwrap_or_else(|| {
            let place = self.closings.place_of(self.market, instrument);
            self.held.push(Held { instrument, units: 0, close: None, worth: 0, place, changed: false });
            self.held.len() - 1
        })
    }
}

/// What units are worth in ore; nothing while no price is known.
fn worth(units: i128, close: Option<i128>) -> i128 {
    close.map_or(0, |close| ore_of(units, close))
}

impl Iterator for Days<'_> {
    type Item = Day;

    fn next(&mut self) -> Option<Day> {
        if self.midnight + 1 >= self.closings.midnights.len() {
            return None;
        }
        let date = self.date;
        self.date = date.tomorrow().ok()?;
        self.midnight += 1;
        let (flow, closing) = self.close();
        let opening = std::mem::replace(&mut self.opening, closing);
        Some(Day { date, opening, flow, closing })
    }
}

/// What a cash transaction does to the value, and when. Purchases on their way still count, so they move nothing until
/// they are settled.
fn cash_movements(movements: &mut Vec<Movement>, cash: &CashTransaction, gain: bool) {
    let external = is_external(cash.kind, cash.ref_type) && !(gain && cash.kind == CashType::Deposit);
    let (made, ended) = (cash.stamp.created, cash.stamp.modified);
    let mut moves = |at, amount| movements.push(Movement { at, what: Moved::Cash(amount), external });
    if cash.kind.is_credit() {
        if cash.settlement.is_some() {
            moves(ended, cash.amount);
        }
    } else if cash.booking.terms().counts == Counts::OnItsWay {
        if cash.settlement.is_some() {
            moves(ended, -cash.amount);
        }
    } else {
        moves(made, -cash.amount);
        if cash.aborted.is_some() {
            moves(ended, cash.amount);
        }
    }
}

fn unit_movement(fund: &FundTransaction) -> Option<Movement> {
    fund.settlement?;
    let units = match fund.kind {
        FundType::Subscription => fund.units,
        FundType::Redemption => -fund.units,
    };
    let external = brings_units(fund.ref_type);
    Some(Movement { at: fund.stamp.modified, what: Moved::Units(fund.instrument, units), external })
}

/// Whether cash of this kind comes from outside or goes there (rule: payments/external-flows).
const fn is_external(kind: CashType, ref_type: CashRefType) -> bool {
    match kind {
        CashType::Deposit | CashType::Withdrawal | CashType::TransferIn | CashType::TransferOut => true,
        CashType::Fee => matches!(ref_type, CashRefType::InsuranceTax),
        CashType::Subscription
        | CashType::Redemption
        | CashType::Retrocession
        | CashType::FxFee
        | CashType::Settlement => false,
    }
}

/// Whether units of this kind come from outside or go there (rule: payments/external-flows).
const fn brings_units(ref_type: FundRefType) -> bool {
    match ref_type {
        FundRefType::Text | FundRefType::Transfer | FundRefType::Gift | FundRefType::Inheritance => true,
        FundRefType::Correction
        | FundRefType::Order
        | FundRefType::Ca
        | FundRefType::Internal
        | FundRefType::External
        | FundRefType::Compensations
        | FundRefType::Dividend
        | FundRefType::Endowment101 => false,
    }
}
