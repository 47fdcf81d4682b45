//! What accounts are worth now, and what they were worth at every local midnight (rule: money/value,
//! money/converted-prices, payments/daily-value).
//!
//! Owns: one walk over the days of an account, which keeps running sums of its transactions and of what was published.
//! Invariant: a day's end is reckoned from what happened and was known before the midnight that ends it, so no later
//! correction changes it; what was purged still counts. Absent on purpose: any record of past values, returns and fees.

use crate::canary::Canary;
use crate::identity::InstrumentId;
use crate::ids::AccountId;
use crate::market::{Close, Market, Rate};
use crate::money::{Amount, Price, Units, product, round_half_up};
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

/// One day of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Day {
    /// Which.
    pub date: Date,
    /// Value at the midnight that begins it.
    pub opening: Amount,
    /// What came from outside less what went there (rule: payments/external-flows).
    pub flow: Amount,
    /// Value at the midnight that ends it.
    pub closing: Amount,
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

/// What an account holds of one fund, with what was known of its price, at the end of a day.
#[derive(Clone, Debug)]
pub(crate) struct Held<'w> {
    /// The fund.
    pub instrument: InstrumentId,
    /// Settled units.
    pub units: Units,
    /// What one unit is worth in SEK, 6 decimals.
    pub close: Option<Decimal>,
    worth: Amount,
    price: Option<Price>,
    rate: Decimal,
    closes: &'w [Close],
    rates: &'w [Rate],
    changed: bool,
}

impl<'w> Held<'w> {
    fn new(market: &'w Market, instrument: InstrumentId) -> Self {
        let currency = instrument.currency();
        Self {
            instrument,
            units: Units::ZERO,
            close: None,
            worth: Amount::ZERO,
            price: None,
            rate: market.rates(currency).first().map_or(Decimal::ONE, |first| first.rate),
            closes: market.known(instrument).closes(),
            rates: market.rates(currency),
            changed: false,
        }
    }

    /// Takes over what was published before `end`.
    fn learn(&mut self, end: Instant) {
        let closes = leading(self.closes, |close| close.at < end);
        let rates = leading(self.rates, |rate| rate.published < end);
        if closes == 0 && rates == 0 {
            return;
        }
        if let Some(last) = self.closes[..closes].last() {
            self.price = Some(last.price);
        }
        if let Some(last) = self.rates[..rates].last() {
            self.rate = last.rate;
        }
        (self.closes, self.rates) = (&self.closes[closes..], &self.rates[rates..]);
        self.close = self.price.map(|price| round_half_up(product(price.get(), self.rate), PRICE_SCALE));
        self.changed = true;
    }

    fn worth_of(&self, units: Units) -> Amount {
        self.close.map_or(Amount::ZERO, |close| Amount::from_units(units, close))
    }
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

/// The days of an account, one after the other, from a given day on, to the end of the calendar.
#[derive(Debug)]
pub(crate) struct Days<'w> {
    market: &'w Market,
    movements: Vec<Movement>,
    /// How many movements have been carried out.
    moved: usize,
    held: Vec<Held<'w>>,
    /// Balance, and purchases on their way.
    cash: Amount,
    /// Units that came from outside on the day, to be valued at its end.
    brought: Vec<(usize, Units)>,
    next: Date,
    opening: Amount,
}

impl<'w> Days<'w> {
    /// The days of `account` from its first movement on.
    pub(crate) fn new(world: &'w World, account: AccountId) -> Self {
        let mut movements = Vec::new();
        let gain = world.planted.is(Canary::DepositIsGain);
        for cash in world.cash.of_account(account, None) {
            cash_movements(&mut movements, cash, gain);
        }
        movements.extend(world.funds.of_account(account, None).filter_map(|units| unit_movement(units)));
        // A stable sort: what happened at one instant stays in order.
        movements.sort_by_key(|movement| movement.at);
        let next = movements.first().map_or(Date::MAX, |first| first.at.local_date());
        Self {
            market: &world.market,
            movements,
            moved: 0,
            held: Vec::new(),
            cash: Amount::ZERO,
            brought: Vec::new(),
            next,
            opening: Amount::ZERO,
        }
    }

    /// The day of the first flow from outside.
    pub(crate) fn first_flow(&self) -> Option<Date> {
        self.movements.iter().find(|movement| movement.external).map(|first| first.at.local_date())
    }

    /// The next day to come.
    pub(crate) const fn begin(&self) -> Date {
        self.next
    }

    /// What is held at the end of the day that was given last: fund, settled units, price in SEK.
    pub(crate) fn held(&self) -> impl Iterator<Item = &Held<'w>> {
        self.held.iter()
    }

    /// Leaves out the days before `day`.
    pub(crate) fn skip_to(&mut self, day: Date) {
        if day > self.next {
            self.opening = self.close(begins(day)).1;
            self.next = day;
        }
    }

    /// Lets everything before `end` happen: flows, and the value then.
    fn close(&mut self, end: Instant) -> (Amount, Amount) {
        let mut flow = Amount::ZERO;
        while let Some(&movement) = self.movements.get(self.moved).filter(|movement| movement.at < end) {
            self.moved += 1;
            match movement.what {
                Moved::Cash(amount) => {
                    self.cash += amount;
                    flow += if movement.external { amount } else { Amount::ZERO };
                }
                Moved::Units(instrument, units) => {
                    let at = self.place_of(instrument);
                    self.held[at].units += units;
                    self.held[at].changed = true;
                    if movement.external {
                        // They are counted as they are at the end, like the price.
                        let units = self.market.known(instrument).after_splits(units, movement.at, end);
                        self.brought.push((at, units));
                    }
                }
            }
        }
        let mut value = self.cash;
        for held in &mut self.held {
            held.learn(end);
            if held.changed {
                held.worth = held.worth_of(held.units);
                held.changed = false;
            }
            value += held.worth;
        }
        flow += self.brought.drain(..).map(|(at, units)| self.held[at].worth_of(units)).sum();
        (flow, value)
    }

    fn place_of(&mut self, instrument: InstrumentId) -> usize {
        self.held.iter().position(|held| held.instrument == instrument).unwrap_or_else(|| {
            self.held.push(Held::new(self.market, instrument));
            self.held.len() - 1
        })
    }
}

impl Iterator for Days<'_> {
    type Item = Day;

    fn next(&mut self) -> Option<Day> {
        let date = self.next;
        self.next = date.tomorrow().ok()?;
        let (flow, closing) = self.close(begins(self.next));
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
