//! What accounts were worth at past midnights, and what their days have returned, by the judge's own books.
//!
//! Invariant: everything follows from transactions as events have shown them and from prices and rates as they came out;
//! whole numbers only, in ore and in steps of 10^-10 (rule: accounts/daily-value, accounts/time-weighted-return,
//! accounts/external-flows).

use super::books::Model;
use super::calendar::{self, Day};
use super::figures::{self, Ore, Steps};
use super::files::is_credit;
use super::words;
use sim::identity::InstrumentId;
use sim::ids::AccountId;
use sim::records::{CashRefType, CashTransaction, CashType, FundRefType, FundType};
use sim::store::Map;
use sim::time::Instant;
use std::collections::BTreeMap;
use std::fmt;

/// One day of an account, or of several together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DaySum {
    /// Worth when it began.
    pub opening: Ore,
    /// What came from outside, less what went there.
    pub flow: Ore,
    /// Worth when it ended.
    pub closing: Ore,
}

/// The days of an account that have to be listed, and all since it began.
#[derive(Clone, Debug)]
pub struct Life {
    /// The first and the last day that is listed; none when nothing has come from outside by then.
    pub listed: Option<(Day, Day)>,
    /// Every day since the first movement, up to the last that is over.
    pub days: BTreeMap<Day, DaySum>,
}

/// What one day has moved.
#[derive(Clone, Debug, Default)]
struct Moves {
    cash: Ore,
    flow: Ore,
    has_flow: bool,
    units: Vec<(InstrumentId, Steps, Option<Instant>)>,
}

/// A day as it has to be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Returned {
    /// Which day.
    pub day: Day,
    /// The day's return in steps of 10^-10.
    pub returned: i128,
    /// What it has earned.
    pub result: Ore,
    /// The return since the first day of these; none where the numbers have grown too large to say.
    pub cumulative: Option<i128>,
}

impl fmt::Display for Returned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (date, result) = (calendar::date_of(self.day), words::cash(self.result));
        let returned = words::ten_billionths(self.returned);
        write!(f, "{date}: return {returned}, result {result}")?;
        let cumulative = self.cumulative.map(words::ten_billionths);
        cumulative.map_or(Ok(()), |cumulative| write!(f, ", cumulative return {cumulative}"))
    }
}

/// One, in steps of 10^-10.
const ONE: i128 = 10_000_000_000;
/// One, in the finer steps in which returns are chained.
const FINE: i128 = 1_000_000_000_000_000_000;

impl Model {
    /// The days of an account up to yesterday, or to its deletion; none when nothing has moved.
    #[must_use]
    pub fn life(&self, account: AccountId, today: Day) -> Option<Life> {
        let deleted = self.accounts.get(&account)?.last.deleted.map(calendar::local_day);
        let last = deleted.map_or(today - 1, |deleted| deleted.min(today - 1));
        let moves = self.moves(account);
        let first = moves.iter().find(|(_, moves)| moves.has_flow).map(|(day, _)| *day).filter(|day| *day <= last);
        let begin = *moves.first_key_value()?.0;
        let (mut cash, mut before) = (0, 0);
        let mut held: Map<InstrumentId, Steps> = Map::default();
        let mut days = BTreeMap::new();
        for day in begin..=last {
            let mut flow = 0;
            if let Some(moves) = moves.get(&day) {
                cash += moves.cash;
                flow += moves.flow;
                for &(instrument, steps, comes) in &moves.units {
                    *held.entry(instrument).or_default() += steps;
                    flow += comes
                        .map_or(0, |at| self.worth_on(day, instrument, self.at_end_of(day, instrument, steps, at)));
                }
            }
            let closing = cash + held.iter().map(|(&fund, &steps)| self.worth_on(day, fund, steps)).sum::<Ore>();
            days.insert(day, DaySum { opening: before, flow, closing });
            before = closing;
        }
        Some(Life { listed: first.map(|first| (first, last)), days })
    }

    fn moves(&self, account: AccountId) -> BTreeMap<Day, Moves> {
        let mut days: BTreeMap<Day, Moves> = BTreeMap::new();
        for cash in self.cash.values().map(|file| &file.last).filter(|cash| cash.account == account) {
            let comes = is_flow(cash);
            for (day, ore) in cash_moves(cash) {
                let moves = days.entry(day).or_default();
                moves.cash += ore;
                moves.flow += if comes { ore } else { 0 };
                moves.has_flow |= comes;
            }
        }
        let settled = |units: &&std::sync::Arc<sim::records::FundTransaction>| {
            units.account == account && units.settlement.is_some()
        };
        for units in self.units.values().map(|file| &file.last).filter(settled) {
            let comes = matches!(
                units.ref_type,
                FundRefType::Transfer | FundRefType::Gift | FundRefType::Inheritance | FundRefType::Text
            );
            let sign = if units.kind == FundType::Subscription { 1 } else { -1 };
            let moves = days.entry(calendar::local_day(units.stamp.modified)).or_default();
            let came = comes.then_some(units.stamp.modified);
            moves.units.push((units.instrument, sign * figures::steps(units.units), came));
            moves.has_flow |= comes;
        }
        days
    }

    /// How many units those that moved at an instant of a day were when it ended: the fund may have been split in between.
    fn at_end_of(&self, day: Day, instrument: InstrumentId, steps: Steps, at: Instant) -> Steps {
        let end = calendar::at_local(day + 1, 0, 0);
        self.funds.get(&instrument).map_or(steps, |fund| steps.signum() * fund.split_between(steps.abs(), at, end))
    }

    /// What units were worth when a day ended.
    fn worth_on(&self, day: Day, instrument: InstrumentId, steps: Steps) -> Ore {
        let Some(price) = self.funds.get(&instrument).and_then(|fund| fund.prices.known_on(day)) else { return 0 };
        let rate = self.rates.get(&instrument.currency()).map_or(figures::PAR, |rates| rates.of(day));
        figures::worth(steps, price, rate)
    }
}

/// When a cash transaction moves what its account is worth, and by how much. A purchase is worth what it costs until it
/// is settled.
fn cash_moves(cash: &CashTransaction) -> Vec<(Day, Ore)> {
    let ore = figures::ore(cash.amount);
    let [made, ended] = [cash.stamp.created, cash.stamp.modified].map(calendar::local_day);
    let (settled, aborted) = (cash.settlement.is_some(), cash.aborted.is_some());
    if is_credit(cash.kind) {
        return if settled { vec![(ended, ore)] } else { Vec::new() };
    }
    match (cash.kind, settled, aborted) {
        (CashType::Subscription, true, _) => vec![(ended, -ore)],
        (CashType::Subscription, false, _) => Vec::new(),
        (_, _, true) => vec![(made, -ore), (ended, ore)],
        (_, _, false) => vec![(made, -ore)],
    }
}

fn is_flow(cash: &CashTransaction) -> bool {
    let moved = [CashType::Deposit, CashType::Withdrawal, CashType::TransferIn, CashType::TransferOut];
    moved.contains(&cash.kind) || cash.ref_type == CashRefType::InsuranceTax
}

/// Several accounts as one: every day from the first that is listed of any to the last. The worth of an account of which no
/// day is listed counts too.
#[must_use]
pub fn together(lives: &[Life]) -> BTreeMap<Day, DaySum> {
    let listed = lives.iter().filter_map(|life| life.listed);
    let Some((first, last)) = listed.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1))) else {
        return BTreeMap::new();
    };
    let mut sums: BTreeMap<Day, DaySum> = (first..=last).map(|day| (day, DaySum::default())).collect();
    for (day, own) in lives.iter().flat_map(|life| &life.days) {
        if let Some(sum) = sums.get_mut(day) {
            sum.opening += own.opening;
            sum.flow += own.flow;
            sum.closing += own.closing;
        }
    }
    sums
}

/// The returns of days that follow each other, chained from the first of them.
#[must_use]
pub fn returns(days: impl IntoIterator<Item = (Day, DaySum)>) -> Vec<Returned> {
    let mut growth = Some(FINE);
    let one = |(day, sum): (Day, DaySum)| {
        let returned = return_of(sum);
        growth = growth.and_then(|growth| growth.checked_mul(ONE + returned)).map(|grown| nearest(grown, ONE));
        let cumulative = growth.map(|growth| nearest(growth - FINE, FINE / ONE));
        Returned { day, returned, result: sum.closing - sum.flow - sum.opening, cumulative }
    };
    days.into_iter().map(one).collect()
}

/// The return of a day in steps of 10^-10.
fn return_of(sum: DaySum) -> i128 {
    let [before, flow, after] = [sum.opening, sum.flow, sum.closing].map(i128::from);
    let (gain, of) = match (before, after - flow) {
        (0, gain) => (gain, flow),
        (_, left) if left < 0 => (after - before - flow, before + flow),
        (_, left) => (left - before, before),
    };
    if of > 0 { nearest(gain * ONE, of) } else { 0 }
}

/// The nearest whole number of a quotient, halves away from zero.
fn nearest(number: i128, by: i128) -> i128 {
    (2 * number.abs() + by) / (2 * by) * number.signum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: accounts/time-weighted-return)
    #[test]
    fn the_worked_example_comes_out_with_its_values_in_tenths_of_an_ore() {
        let day = |opening, flow, closing| DaySum { opening, flow, closing };
        let days = [
            day(0, 10_000_000, 10_000_000),
            day(10_000_000, 0, 10_100_000),
            day(10_100_000, 5_000_000, 15_251_500),
            day(15_251_500, -2_000_000, 13_118_985),
        ];
        let listed = returns((0..).zip(days));
        let returned: Vec<_> = listed.iter().map(|day| day.returned).collect();
        assert_eq!(returned, [0, 100_000_000, 150_000_000, -86_886_536]);
        let cumulative: Vec<_> = listed.iter().filter_map(|day| day.cumulative).collect();
        assert_eq!(cumulative, [0, 100_000_000, 251_500_000, 162_428_268]);
        assert_eq!(listed.iter().map(|day| day.result).sum::<Ore>(), 118_985);
    }
}
