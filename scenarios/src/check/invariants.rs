//! The laws by name: what every run is judged by.
//!
//! Owns: number, name, sentence and time of checking of each. A number stays with its law, so that
//! a failure can be looked up. Absent on purpose: laws of parts that the world does not have yet (journeys, plans, fees).

use serde::Serialize;

/// When a law is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Checked {
    /// After every step, on what the step touched.
    EveryStep,
    /// Every thousand steps and at the end, on everything.
    Sweep,
    /// Once a run is over.
    EndOfRun,
    /// From outside, through the partner API over a simulated network.
    Network,
}

/// A law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Invariant {
    /// Its number, which no other law gets.
    pub number: u8,
    /// What it is called.
    pub name: &'static str,
    /// What must hold.
    pub statement: &'static str,
    /// When it is checked.
    pub checked: &'static [Checked],
}

use Checked::{EndOfRun, EveryStep, Network, Sweep};

macro_rules! laws {
    ($($number:literal $name:literal [$($when:ident),*] $statement:literal;)*) => {
        &[$(Invariant { number: $number, name: $name, statement: $statement, checked: &[$($when),*] }),*]
    };
}

/// Every law that is checked.
#[rustfmt::skip]
pub const INVARIANTS: &[Invariant] = laws![
    0 "no panic" [EveryStep, Network]
        "no input makes a world panic";
    1 "money conservation" [Sweep]
        "the ledger agrees to the ore with the books that banks and fund companies would keep, and credits equal debits";
    2 "balance identity" [EveryStep, Sweep]
        "a balance is what was credited and settled, less everything debited and not aborted";
    3 "no negative cash" [EveryStep, Sweep]
        "a balance is never below zero, nor below what is set aside for reserving orders, which is exactly what they ask";
    4 "positive amounts" [EveryStep]
        "a cash transaction moves more than nothing, in whole ore, between one account and the platform";
    5 "deposited and withdrawn" [EveryStep]
        "lifetime deposits never fall; lifetime withdrawals fall only by a payout that bounced, which is no deposit";
    8 "internal transfer pair" [EveryStep]
        "a settled redemption transfer has one leg out and one leg in, of one amount, reference and day";
    9 "deposit once" [EveryStep]
        "a payout that comes back is credited once";
    10 "units identity" [EveryStep, Sweep]
        "units and settled units are the sums of the fund transactions that count";
    11 "no short positions" [EveryStep]
        "units are never negative, never above the settled ones while only redemptions are pending, and exactly the \
         reserving redemptions have set some aside";
    12 "units conservation" [Sweep]
        "the customers' settled units of a fund are those its company has registered, aggregated order by aggregated order";
    13 "subscription execution" [EveryStep]
        "a subscription gets the most units its amount pays for, in the fund's decimals";
    14 "redemption execution" [EveryStep]
        "a redemption brings its units at the price, to the nearest ore";
    // (rule: money/average-acquisition-value)
    16 "average acquisition value" [EveryStep]
        "a redemption leaves it as it was; a subscription moves it towards what was paid, never beyond";
    17 "existence table" [EveryStep, Sweep]
        "which transactions an order has, and how they stand, follows from its status";
    18 "one transaction of each kind" [EveryStep, Sweep]
        "a settled order has one cash and one fund transaction, and the legs that its proceeds ask for";
    19 "terminal orders are frozen" [EveryStep, Sweep]
        "nothing that can be read of a settled or canceled order changes any more";
    20 "status path" [EveryStep]
        "an order's statuses are a path in its table, each move at its own instant or by a command that asks for it";
    // (rule: orders/aggregation)
    21 "aggregation unity" [EveryStep]
        "orders of one partner, fund, side and dealing day are sent at one instant or fall together";
    // (rule: calendar/cut-off)
    22 "no missed cut-off" [EveryStep]
        "an order trades on the first dealing day whose cut-off came after it was placed or released";
    23 "date order" [EveryStep]
        "trade and settlement days are the fund's, in bank days, later only when the price was";
    // (rule: orders/forward-pricing)
    24 "one price for all" [EveryStep]
        "executions of one fund and day have one price: the published one";
    25 "aborted means unsettled" [EveryStep]
        "an aborted transaction has no settlement day and counts for nothing";
    // (rule: money/settled-is-final)
    26 "no mutation" [EveryStep, Sweep]
        "a settled or aborted transaction never changes, and a pending one only by settling, pricing or aborting";
    27 "journey path" [EveryStep, Sweep]
        "a journey goes the ways of its table, has a result when it is complete and an error code when it failed, and stays so";
    28 "one callback" [EveryStep, Sweep]
        "a journey that was completed, canceled or failed has one callback, which says so; any other has none";
    29 "scope" [EveryStep, Sweep]
        "the partner's data come back byte for byte, and more than 768 bytes of them are refused";
    30 "accounts come from journeys" [EveryStep, Sweep]
        "a journey opens at most one account, when it is complete or fails by its transfer";
    31 "active accounts only" [EveryStep]
        "an account that is not active takes no order, and only one that is closing is paid out unasked";
    32 "deleted is empty" [EveryStep, Sweep]
        "an account is deleted when nothing is left in it, and nothing ever comes again";
    33 "validated means checked" [EveryStep, Sweep]
        "a bank account is validated from the moment its check has passed, and not before";
    // (rule: journeys/allocation-of-plans)
    35 "whole plans" [Sweep]
        "the shares of an allocation plan make 100 percent";
    36 "one plan" [Sweep]
        "an account has at most one allocation plan";
    37 "identity" [EveryStep, Sweep]
        "ids are unique, sorted ids increase, account numbers are unique and pass their own check";
    // (rule: wire/modified-date, money/derived-fields)
    38 "modified date" [EveryStep, Sweep]
        "every change of a stored field moves it to now, and nothing else does";
    39 "paging" [Sweep, Network]
        "walking a list page by page gives the list";
    40 "modified from" [Sweep, Network]
        "asking for changes since an instant gives exactly those";
    // (rule: money/derived-fields)
    41 "event correspondence" [EveryStep, Sweep, Network]
        "events replayed give what can be read; each begins where the one before ended";
    42 "event identity" [EveryStep, Network]
        "every event has its own id, told once";
    43 "isolation" [EveryStep, Sweep, Network]
        "a client sees nothing of another's";
    44 "value identity" [Sweep]
        "an account is worth its balance, its settled units at the last price and its subscriptions under way";
    // (rule: calendar/next-cut-off-shown)
    46 "cut-off dates" [Sweep]
        "the next cut-off lies ahead, on a dealing day, and never moves back";
    47 "determinism" [EndOfRun, Network]
        "a run repeated, or replayed from its recorded commands, ends in the same world";
    48 "clock composition" [Sweep, EndOfRun]
        "two moves of the clock are as good as one";
    49 "refusals change nothing" [EveryStep, Sweep, Network]
        "a refused command tells nothing, moves nothing and leaves the digest; and what is refused is what should be";
    50 "identifiers" [Sweep]
        "stored IBANs and instrument ids pass their checks";
    51 "acknowledged is kept" [Network]
        "what was answered with success can be read afterwards, also after weather, as long as the server keeps its world";
    52 "well-formed answers" [Network]
        "no answer is a server error, and every error has the specified body; a healthy network answers";
    53 "whole or not at all" [Network]
        "what was asked for without an answer has happened as a whole, once, or has left no trace";
];

/// The law with that number.
#[must_use]
pub fn invariant(number: u8) -> Option<&'static Invariant> {
    INVARIANTS.iter().find(|law| law.number == number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_are_numbered_once_and_in_order_and_each_is_checked_some_time() {
        assert!(INVARIANTS.windows(2).all(|pair| pair[0].number < pair[1].number));
        assert!(INVARIANTS.iter().all(|law| !law.checked.is_empty()));
    }
}
