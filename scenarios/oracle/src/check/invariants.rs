//! The laws by name: what every run is judged by, when, and what is not judged yet.
//!
//! Owns: number, name, sentence and time of checking of each. A number stays with its law, so that a failure can be looked
//! up.

use serde::Serialize;

/// When a law is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Checked {
    /// At the event or command that it speaks of.
    Event,
    /// After every step, on what the step touched.
    EveryStep,
    /// Now and then and at the end, on everything.
    Sweep,
    /// Now and then, on a copy of the world.
    Sample,
    /// Once a run is over.
    EndOfRun,
    /// From outside, through the partner API over a simulated network.
    Network,
}

impl Checked {
    /// The same in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Event => "at every event or command it speaks of",
            Self::EveryStep => "after every step, on what the step touched",
            Self::Sweep => "on everything, now and then and at the end",
            Self::Sample => "now and then, on a copy of the world",
            Self::EndOfRun => "once a run is over",
            Self::Network => "through the API over a simulated network",
        }
    }
}

/// A law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Invariant {
    /// Its number.
    pub number: u8,
    /// What it is called.
    pub name: &'static str,
    /// What must hold.
    pub statement: &'static str,
    /// When it is checked; never, where what it speaks of does not exist yet.
    pub checked: &'static [Checked],
    /// What of it is not checked, and why; empty when all of it is.
    pub missing: &'static str,
}

use Checked::{EndOfRun, Event, EveryStep, Network, Sample, Sweep};

macro_rules! laws {
    ($($number:literal $name:literal [$($when:ident),*] $statement:literal $(; missing $missing:literal)?;)*) => {
        &[$(Invariant {
            number: $number, name: $name, statement: $statement, checked: &[$($when),*],
            missing: concat!("", $($missing)?),
        }),*]
    };
}

/// The number of the law that nothing panics.
pub const NO_PANIC: u8 = 0;

/// Every law.
#[rustfmt::skip]
pub const INVARIANTS: &[Invariant] = laws![
    0 "no panic" [EveryStep, Network]
        "no input makes a world panic";
    1 "money conservation" [Sweep]
        "the ledger agrees to the ore with the books that banks, fund companies and custodians would keep, and credits \
         equal debits";
    2 "balance identity" [Event, Sweep]
        "a balance is what was credited and settled, less everything debited and not aborted";
    3 "no negative cash" [EveryStep, Sweep]
        "a balance is never below zero, nor below what is set aside for reserving orders and charges, which is exactly what they ask";
    4 "positive amounts" [Event]
        "a cash transaction moves more than nothing, in whole ore, between one account and the platform";
    5 "deposited and withdrawn" [Event]
        "lifetime deposits never fall; lifetime withdrawals fall only by a payout that bounced, which is no deposit";
    // (rule: fees/retrocession)
    6 "retrocession" [Event, EveryStep, Sweep]
        "what fund companies give back is what customers are credited, per quarter and fund, on the tenth bank day or when an \
         account closes";
    // (rule: accounts/daily-value, fees/partner-fee)
    7 "fee bound" [Event, EveryStep, Sweep]
        "what was charged is what accrued day by day, by kind and quarter, with carry and arrears; what is sold for it is the \
         largest position's units first, no more than is needed; each charge is booked when its last sale is through; what is \
         taken for a client is paid on to its bank account for it, or waits";
    8 "internal transfer pair" [Event, EveryStep]
        "a redemption transfer that settles while its destination takes money has one transaction out and one in, of one \
         amount, reference and day; any other has none";
    9 "deposit once" [Event, EveryStep, Sweep]
        "cash comes in for a reason that is known: an order, a transfer, an opening, a payment that is due, a mobile payment \
         that was paid, or a payout that comes back, once; what no account can take is in suspense";
    10 "units identity" [Event, Sweep]
        "units and settled units are the sums of the fund transactions that count";
    11 "no short positions" [Event, EveryStep]
        "units are never negative, never above the settled ones while only redemptions are pending, and exactly the \
         reserving redemptions have set some aside";
    12 "units conservation" [Sweep]
        "the customers' settled units of a fund are those its company has registered, aggregated order by aggregated \
         order, transfer by transfer, corporate action by corporate action";
    13 "subscription execution" [Event]
        "a subscription gets the most units its amount pays for, in the fund's decimals";
    14 "redemption execution" [Event]
        "a redemption brings its units at the price, to the nearest ore";
    // (rule: securities/corporate-action-day)
    15 "corporate action value" [Event]
        "a split or merger keeps a position's value within a step, a liquidation pays it: every holding becomes what factor, \
         prices and rounding make of it, on the first bank day at 09:15 without an order on its way";
    // (rule: money/average-acquisition-value)
    16 "average acquisition value" [Event]
        "what the settled units of a holding were bought for is the sum of what came in, less the leaving units' share";
    17 "existence table" [Event, EveryStep, Sweep]
        "the status of an order determines its transactions and their states";
    18 "one transaction of each kind" [Event, EveryStep, Sweep]
        "a settled order has one cash and one fund transaction, and those that its proceeds ask for";
    19 "terminal orders are frozen" [EveryStep, Sweep]
        "a settled or canceled order never changes";
    20 "status path" [Event, EveryStep]
        "an order's statuses are a path in its table, each move at its own instant or by a command that asks for it";
    // (rule: orders/aggregation)
    21 "aggregation unity" [Event]
        "orders of one partner, fund, side and dealing day are sent at one instant or fall together";
    // (rule: calendar/cut-off)
    22 "no missed cut-off" [Event]
        "an order trades on the first dealing day whose cut-off came after it was placed or released";
    23 "date order" [Event, EveryStep]
        "trade and settlement days are the fund's, in bank days, later only when the price was";
    // (rule: orders/forward-pricing)
    24 "one price for all" [Event, Sweep]
        "executions of one fund and day have one price: the one published on its day, at its instant, as it was set";
    25 "aborted means unsettled" [Event]
        "an aborted transaction has no settlement day and counts for nothing";
    // (rule: money/settled-is-final)
    26 "no mutation" [Event, Sweep]
        "a settled or aborted transaction never changes, and a pending one only by settling, pricing or aborting";
    27 "journey path" [Event, EveryStep, Sweep]
        "a journey goes the ways of its table at its own instants or by who acts in it, ends with the code that is due, \
         has a result when it is complete, and stays so";
    28 "one callback" [Event, EveryStep, Sweep, Network]
        "a journey that was completed, canceled or failed has one callback, of that instant, with the journey as it was; \
         any other has none";
    29 "scope" [Event, EveryStep, Sweep]
        "the partner's data come back byte for byte, and more than 768 bytes of them are refused";
    30 "accounts come from journeys" [Event]
        "a journey that opens accounts opens exactly one, when it is complete or its transfer fails, and its result names it";
    31 "active accounts only" [Event, Sweep]
        "an account that is not active takes no order, only one that is closing is paid out unasked, and plans end with it";
    32 "deleted is empty" [Event, EveryStep]
        "only an authorised caller deletes an account, only an empty account is deleted, and nothing is booked on it afterwards";
    33 "validated means checked" [Event, EveryStep, Sweep]
        "a bank account is validated from the instant its check passes, and not before; a payout goes to one that is; \
         a withdrawal lies within the limits of its account, which are shown as they are";
    // (rule: payments/payment-states, payments/payment-due-day, payments/payment-reason-codes)
    34 "charges need a mandate" [Event, EveryStep, Sweep]
        "a mandate becomes active when its bank says so, at its instant, and what is not active is not charged; a payment \
         stands where its file, its attempts, its bank and its payer have brought it, with the code that says why";
    // (rule: journeys/allocation-of-plans)
    35 "whole plans" [Event, Sweep]
        "the shares of an allocation plan make 100 percent, and a deposit is split by them to the ore";
    // (rule: plans/last-run)
    36 "one plan" [Event, EveryStep, Sweep]
        "an account has at most one allocation plan and one savings plan, which saves on a day from 1 to 28 and \
         once a month; either tells the day of its last run, how much of it was done, and why not all";
    37 "identity" [Event, Sweep]
        "ids are unique, sorted ids increase, account numbers are unique and pass their own check";
    // (rule: wire/modified-date, money/derived-fields)
    38 "modified date" [Event, EveryStep, Sweep]
        "every change of a stored field sets it to now, and nothing else does";
    39 "paging" [Sweep, Network]
        "a list with a filter is what the filter names, and walking it page by page gives it";
    40 "modified from" [Sweep, Network]
        "asking for changes since an instant gives exactly those";
    // (rule: money/derived-fields)
    41 "event correspondence" [Event, EveryStep, Sweep, Network]
        "events replayed give what can be read; each begins where the one before ended";
    42 "event identity" [Event, Network]
        "every event has its own id and is sent once";
    43 "isolation" [Event, Sweep, Network]
        "a client never receives or reads another client's data, whatever id or filter it uses; levers act on their partner's own clients";
    44 "value identity" [Sweep]
        "an account is worth its balance, its settled units at the last price and its subscriptions under way; the results \
         of its days are what it earned, and their returns chain to the return of all of them";
    // (rule: accounts/performance-entries)
    45 "owner performance" [Sweep]
        "an owner's performance is that of the accounts together, and of one account that account's";
    // (rule: calendar/next-cut-off-shown)
    46 "cut-off dates" [Sweep]
        "the next cut-off lies ahead, on a dealing day, and never moves back";
    47 "determinism" [EndOfRun, Network]
        "a run repeated, or replayed from its recorded commands, ends in the same world";
    48 "clock composition" [Sample, EndOfRun]
        "two moves of the clock are as good as one";
    49 "refusals change nothing" [Event, Sample, Network]
        "a refused command sends no event, moves no money and keeps the digest; and the right commands are refused";
    50 "identifiers" [Event, Sweep]
        "stored IBANs and instrument ids pass their checks";
    51 "acknowledged is kept" [Network]
        "what was answered with success can be read afterwards, also after outages, as long as the server keeps its world";
    52 "well-formed answers" [Network]
        "no answer is a server error, and every error has the specified body; a healthy network answers";
    53 "whole or not at all" [Network]
        "what was asked for without an answer has happened as a whole, once, or has left no trace";
    54 "account path" [Event, EveryStep]
        "an account waits for whom it must, is approved, refused or given up at its own instant or by who decides, and its \
         KYC holds for three years, or one where the risk is high";
    55 "transfers bring what was there" [Event, EveryStep]
        "a transfer is sent, answered and delivered on its bank days, and books what the custodian holds, as chosen, once";
    56 "one after the other" [Network]
        "concurrent requests have the same answers, events and records as the same requests one after the other";
    57 "consumer's copy" [Network]
        "after any outage, the copy of a partner that deduplicates, reads what does not follow, and reconciles equals the service's state";
    // (rule: calendar/history, calendar/what-goes-back)
    58 "as it was" [Network]
        "a world that is put back, restored or forked is what it was at that moment, with the settings of then";
    // (rule: events/fault-rules, events/deliveries-and-resets, calendar/what-goes-back)
    59 "the host holds what was asked" [Network]
        "settings, permissions, fault rules with their counts, webhooks, sockets and deliveries are what was asked of the host; \
         a fork begins with none of the last four, and its tokens end with it";
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
    fn laws_are_numbered_without_a_gap_and_each_says_when_it_is_checked_or_why_not() {
        assert!(INVARIANTS.iter().enumerate().all(|(at, law)| usize::from(law.number) == at));
        assert!(INVARIANTS.iter().all(|law| !law.checked.is_empty() || !law.missing.is_empty()));
    }
}
