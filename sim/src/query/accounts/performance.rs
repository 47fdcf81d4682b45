//! Time-weighted returns, day by day (rule: accounts/time-weighted-return, accounts/performance-entries).
//!
//! Invariant: every figure follows from the values of two midnights and the flows between them, so it never changes once
//! its day is over. Accounts of an owner are summed before anything is divided. Absent on purpose: today, which is not over.

use crate::ids::{AccountId, ClientId};
use crate::money::{Amount, round_half_up, ten_to};
use crate::records::OwnerKey;
use crate::time::Date;
use crate::valuation::{Closings, MovementHistory};
use crate::world::World;
use rust_decimal::Decimal;

/// Decimals of a return.
const RETURN_SCALE: u32 = 10;

/// The first and the last day asked for, both inclusive; none asks for all.
pub type Range = Option<(Date, Date)>;

/// One day of performance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DailyReturn {
    /// The local day.
    pub date: Date,
    /// The day's return; 0.01 is 1 %.
    pub day_return: Decimal,
    /// Result of the day, in SEK.
    pub day_result: Amount,
    /// The return since the first entry shown began.
    pub cumulative_return: Decimal,
}

/// One day of one account or of several, in ore.
#[derive(Clone, Copy, Debug)]
struct Day {
    date: Date,
    /// Value at the midnight that begins it.
    opening: i128,
    /// What came from outside less what went there.
    flow: i128,
    /// Value at the midnight that ends it.
    closing: i128,
}

/// An account's past as far as it is over.
struct Past<'w> {
    /// The day of its first flow; none when nothing has come from outside.
    first: Option<Date>,
    /// Yesterday, or its deletion.
    last: Date,
    history: MovementHistory<'w>,
}

impl<'w> Past<'w> {
    fn of(world: &'w World, account: AccountId) -> Option<Self> {
        let yesterday = world.now.local_date().yesterday().ok()?;
        let deleted = world.accounts.known(account).deleted.map(|at| at.local_date());
        let last = deleted.map_or(yesterday, |deleted| deleted.min(yesterday));
        let history = MovementHistory::of(world, account);
        let first = history.first_flow().filter(|first| *first <= last);
        Some(Self { first, last, history })
    }
}

/// The entries of one account, which is known to exist.
#[must_use]
pub fn account_performance(world: &World, account: AccountId, range: Range) -> Vec<DailyReturn> {
    performance(world, &[account], range)
}

/// The entries of all accounts that an owner has with a client, as if they were one.
#[must_use]
pub fn owner_performance(world: &World, client: ClientId, owner: OwnerKey, range: Range) -> Vec<DailyReturn> {
    let file = world.owners.get(&(client, owner));
    performance(world, file.map_or(&[][..], |file| &file.accounts), range)
}

fn performance(world: &World, accounts: &[AccountId], range: Range) -> Vec<DailyReturn> {
    let pasts: Vec<Past<'_>> = accounts.iter().filter_map(|&account| Past::of(world, account)).collect();
    // An account into which nothing has come from outside begins no series; what it is worth is its owner's all the same.
    let lives = pasts.iter().filter_map(|past| Some((past.first?, past.last)));
    let Some((first, last)) = lives.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1))) else {
        return Vec::new();
    };
    let (from, to) = range.map_or((first, last), |(from, to)| (from.max(first), to.min(last)));
    if from > to {
        return Vec::new();
    }
    let mut closings = Closings::default();
    closings.cover(from, to);
    let mut sums: Vec<Day> = closings.days().map(|date| Day { date, opening: 0, flow: 0, closing: 0 }).collect();
    for Past { last, history, .. } in pasts {
        let values = history.values(world, &mut closings);
        let flows = history.flows(world, &mut closings);
        let days = values.windows(2).zip(&flows[1..]);
        for (sum, (values, flow)) in sums.iter_mut().take_while(|sum| sum.date <= last).zip(days) {
            sum.opening += values[0];
            sum.flow += flow;
            sum.closing += values[1];
        }
    }
    chained(&sums)
}

/// The entries of days that follow each other; the first one begins the chain.
fn chained(days: &[Day]) -> Vec<DailyReturn> {
    let mut growth = Decimal::ONE;
    let entry = |day: &Day| {
        let day_return = day_return(day.opening, day.flow, day.closing);
        if !day_return.is_zero() {
            // More than any number can hold stays the most that one can.
            growth = growth.checked_mul(Decimal::ONE + day_return).unwrap_or(Decimal::MAX);
        }
        DailyReturn {
            date: day.date,
            day_return,
            day_result: Amount::from_steps(day.closing - day.flow - day.opening),
            cumulative_return: shown(growth - Decimal::ONE),
        }
    };
    days.iter().map(entry).collect()
}

/// A return as it is shown; zero has no sign.
fn shown(exact: Decimal) -> Decimal {
    let rounded = round_half_up(exact, RETURN_SCALE).normalize();
    if rounded.is_zero() { Decimal::ZERO } else { rounded }
}

/// The bound of returns that can be shown: 10^18.
const MOST_RETURN: Decimal = Decimal::from_parts(2_808_348_672, 232_830_643, 0, false, 0);

/// The return of a day, with its flow at the day's end (rule: accounts/time-weighted-return). All three in the same step.
fn day_return(opening: i128, flow: i128, closing: i128) -> Decimal {
    let (gain, of) = if opening > 0 {
        // Less than nothing cannot be left: what came in must have worked from the morning on.
        let base = if closing < flow { opening + flow } else { opening };
        (closing - flow - opening, base)
    } else {
        (closing - flow, flow)
    };
    if of <= 0 {
        return Decimal::ZERO;
    }
    let steps = gain.checked_mul(ten_to(RETURN_SCALE)).map(|scaled| divided(scaled, of));
    let exact = steps.and_then(|steps| Decimal::try_from_i128_with_scale(steps, RETURN_SCALE).ok());
    exact.map_or(MOST_RETURN, |exact| exact.normalize())
}

/// `number` by a positive `by`, halves away from zero.
fn divided(number: i128, by: i128) -> i128 {
    let (whole, rest) = (number.abs() / by, number.abs() % by);
    (whole + i128::from(rest >= by - rest)) * number.signum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::parse_date;

    fn decimal(text: &str) -> Decimal {
        Decimal::from_str_exact(text).expect("a decimal")
    }

    /// In thousandths, as one of the values below has three decimals.
    fn thousandths(text: &str) -> i128 {
        let mut number = decimal(text);
        number.rescale(3);
        number.mantissa()
    }

    fn returned(opening: &str, flow: &str, closing: &str) -> Decimal {
        day_return(thousandths(opening), thousandths(flow), thousandths(closing))
    }

    /// (rule: accounts/time-weighted-return)
    #[test]
    fn a_days_return_leaves_out_what_came_and_went() {
        for (opening, flow, closing, expected) in [
            ("0", "10000", "10000", "0"),
            ("10000", "0", "10100", "0.01"),
            ("10100", "5000", "15251.50", "0.015"),
            ("15251.50", "-2000", "13118.985", "-0.0086886536"),
            // From nothing: what came, against itself; nothing, or less.
            ("0", "1000", "990", "-0.01"),
            ("0", "0", "0", "0"),
            ("0", "0", "5", "0"),
            ("0", "-3", "2", "0"),
            // What is left is less than what came in.
            ("100", "50", "40", "-0.7333333333"),
            ("100", "50", "50", "-1"),
            ("100", "-100", "0", "0"),
            ("100", "0", "0", "-1"),
            // Halves of the last decimal go away from zero.
            ("20000000000", "0", "20000000001", "0.0000000001"),
            ("20000000000", "0", "19999999999", "-0.0000000001"),
            ("30000000000", "0", "30000000001", "0"),
            ("0.01", "0", "999999999999999.99", "99999999999999998"),
        ] {
            assert_eq!(returned(opening, flow, closing), decimal(expected), "{opening} {flow} {closing}");
        }
    }

    fn day(date: &str, opening: &str, flow: &str, closing: &str) -> Day {
        let amount = |text| Amount::from_decimal_exact(decimal(text)).expect("two decimals").steps();
        Day {
            date: parse_date(date).expect("a date"),
            opening: amount(opening),
            flow: amount(flow),
            closing: amount(closing),
        }
    }

    /// (rule: accounts/time-weighted-return, accounts/performance-entries)
    #[test]
    fn returns_are_chained_from_the_first_entry_and_results_add_up_to_what_was_earned() {
        let days = [
            day("2026-03-02", "0", "10000", "10000"),
            day("2026-03-03", "10000", "0", "10100"),
            day("2026-03-04", "10100", "5000", "15251.50"),
            day("2026-03-05", "15251.50", "-2000", "13118.99"),
        ];
        let cumulative =
            |days: &[Day]| chained(days).iter().map(|e| e.cumulative_return.to_string()).collect::<Vec<_>>();
        assert_eq!(cumulative(&days), ["0", "0.01", "0.02515", "0.0162431629"]);
        assert_eq!(cumulative(&days[2..]), ["0.015", "0.0061813494"]);
        let earned: Amount = chained(&days).iter().map(|entry| entry.day_result).sum();
        assert_eq!(earned.to_string(), "118.99");
    }

    #[test]
    fn the_chain_of_the_worked_example_ends_where_it_should() {
        let returns = ["0", "0.01", "0.015", "-0.0086886536"].map(decimal);
        let growth = returns.iter().fold(Decimal::ONE, |growth, r| growth * (Decimal::ONE + r));
        assert_eq!(shown(growth - Decimal::ONE), decimal("0.0162428268"));
    }
}
