//! The laws by name: what every run is judged by, when, what is not judged yet, and which case puts a law to the test.
//!
//! Owns: number, name, sentence, time of checking and case of each, and counts of cases. Invariant: a number stays with its law, so
//! that a failure can be looked up and a kept run read. Absent on purpose: the checks themselves, and where cases are counted
//! (`check`, and the runs that judge from outside).

use serde::{Deserialize, Serialize};
use sim::event::{Change, Delta, Event};
use sim::refusal::Class;
use std::fmt;

/// When a law is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// From outside, on a host whose worlds, settings and rules change.
    Host,
    /// At the copy that a partner keeps.
    Consumer,
}

use Checked::{Consumer, EndOfRun, Event as AtEvent, EveryStep, Host, Network, Sample, Sweep};

impl Checked {
    /// The same in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            AtEvent => "at every event or command it speaks of",
            EveryStep => "after every step, on what the step touched",
            Sweep => "on everything, now and then and at the end",
            Sample => "now and then, on a copy of the world",
            EndOfRun => "once a run is over",
            Network => "through the API over a simulated network",
            Host => "through the API on a host whose worlds, settings and rules change",
            Consumer => "at the copy that a partner keeps",
        }
    }
}

/// What is known of a law.
struct Facts {
    law: Law,
    name: &'static str,
    statement: &'static str,
    checked: &'static [Checked],
    case: &'static str,
    missing: &'static str,
}

macro_rules! laws {
    ($($number:literal $law:ident $name:literal [$($when:ident),*] $statement:literal case $case:literal $(missing $missing:literal)?;)*) => {
        /// A law.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(into = "u8", try_from = "u8")]
        pub enum Law {
            $(#[doc = $statement] $law = $number,)*
        }

        /// Every law, by its number.
        const TABLE: &[Facts] = &[$(Facts {
            law: Law::$law, name: $name, statement: $statement, checked: &[$($when),*], case: $case,
            missing: concat!("", $($missing)?),
        }),*];
    };
}

#[rustfmt::skip]
laws! {
    0 NoPanic "no panic" [EveryStep, Network]
        "no input makes a world panic"
        case "a command is refused because its values are malformed or name nothing";
    1 MoneyConservation "money conservation" [Sweep]
        "the ledger agrees to the ore with the books that banks, fund companies and custodians would keep, and credits \
         equal debits"
        case "everything is looked at while money is on its way to a fund company";
    2 BalanceIdentity "balance identity" [AtEvent, Sweep]
        "a balance is what was credited and settled, less everything debited and not aborted"
        case "a debit is aborted, and the balance gets it back";
    3 NoNegativeCash "no negative cash" [EveryStep, Sweep]
        "a balance is never below zero, nor below what is set aside for reserving orders and charges, which is exactly what they ask"
        case "money is reserved while a balance is below twice of it";
    4 PositiveAmounts "positive amounts" [AtEvent]
        "a cash transaction moves more than nothing, in whole ore, between one account and the platform"
        case "a transaction moves less than a krona";
    5 DepositedAndWithdrawn "deposited and withdrawn" [AtEvent]
        "lifetime deposits never fall; lifetime withdrawals fall only by a payout that bounced, which is no deposit"
        case "a payout comes back";
    // (rule: fees/retrocession)
    6 Retrocession "retrocession" [AtEvent, EveryStep, Sweep]
        "what fund companies give back is what customers are credited, per quarter and fund, on the tenth bank day or when an \
         account closes"
        case "a retrocession is credited";
    // (rule: accounts/daily-value, fees/partner-fee)
    7 FeeBound "fee bound" [AtEvent, EveryStep, Sweep]
        "what was charged is what accrued day by day, by kind and quarter, with carry and arrears; what is sold for it is the \
         largest position's units first, no more than is needed; each charge is booked when its last sale is through; what is \
         taken for a client is paid on to its bank account for it, or waits"
        case "units are sold for a charge";
    8 InternalTransferPair "internal transfer pair" [AtEvent, EveryStep]
        "a redemption transfer that settles while its destination takes money has one transaction out and one in, of one \
         amount, reference and day; any other has none"
        case "a redemption transfer settles while its destination takes money";
    9 DepositOnce "deposit once" [AtEvent, EveryStep, Sweep]
        "cash comes in for a reason that is known: an order, a transfer, an opening, a payment that is due, a mobile payment \
         that was paid, or a payout that comes back, once; what no account can take is in suspense"
        case "money in suspense is booked on an account";
    10 UnitsIdentity "units identity" [AtEvent, Sweep]
        "units and settled units are the sums of the fund transactions that count"
        case "a pending redemption is aborted, and its units come back";
    11 NoShortPositions "no short positions" [AtEvent, EveryStep]
        "units are never negative, never above the settled ones while only redemptions are pending, and exactly the \
         reserving redemptions have set some aside"
        case "the last units of a holding that could be sold are set aside";
    12 UnitsConservation "units conservation" [Sweep]
        "the customers' settled units of a fund are those its company has registered, aggregated order by aggregated \
         order, transfer by transfer, corporate action by corporate action"
        case "everything is looked at while customers hold units of a fund that has an order sent and not settled";
    13 SubscriptionExecution "subscription execution" [AtEvent]
        "a subscription gets the most units its amount pays for, in the fund's decimals"
        case "the units that an amount pays for leave a rest of it";
    14 RedemptionExecution "redemption execution" [AtEvent]
        "a redemption brings its units at the price, to the nearest ore"
        case "the proceeds of a redemption are no whole ore before they are rounded";
    // (rule: securities/corporate-action-day)
    15 CorporateActionValue "corporate action value" [AtEvent]
        "a split or merger keeps a position's value within a step, a liquidation pays it: every holding becomes what factor, \
         prices and rounding make of it, on the first bank day at 09:15 without an order on its way"
        case "a corporate action falls on a day on which positions are held";
    // (rule: money/average-acquisition-value)
    16 AverageAcquisitionValue "average acquisition value" [AtEvent]
        "what the settled units of a holding were bought for is the sum of what came in, less the leaving units' share"
        case "a part of a holding is sold, and the rest keeps its share of the cost";
    17 ExistenceTable "existence table" [AtEvent, EveryStep, Sweep]
        "the status of an order determines its transactions and their states"
        case "an order is canceled after its transaction was made";
    18 OneTransactionOfEachKind "one transaction of each kind" [AtEvent, EveryStep, Sweep]
        "a settled order has one cash and one fund transaction, and those that its proceeds ask for"
        case "an order settles whose proceeds are paid out";
    19 TerminalOrdersAreFrozen "terminal orders are frozen" [EveryStep, Sweep]
        "a settled or canceled order never changes"
        case "a command is to change an order that has settled or was canceled";
    20 StatusPath "status path" [AtEvent, EveryStep]
        "an order's statuses are a path in its table, each move at its own instant or by a command that asks for it"
        case "an order leaves its hold and goes on";
    // (rule: orders/aggregation)
    21 AggregationUnity "aggregation unity" [AtEvent]
        "orders of one partner, fund, side and dealing day are sent at one instant or fall together"
        case "two or more orders are sent as one";
    // (rule: calendar/cut-off)
    22 NoMissedCutOff "no missed cut-off" [AtEvent]
        "an order trades on the first dealing day whose cut-off came after it was placed or released"
        case "an order is placed less than an hour before its cut-off";
    23 DateOrder "date order" [AtEvent, EveryStep]
        "trade and settlement days are the fund's, in bank days, later only when the price was"
        case "two orders settle at one instant";
    // (rule: orders/forward-pricing)
    24 OnePriceForAll "one price for all" [AtEvent, Sweep]
        "executions of one fund and day have one price: the one published on its day, at its instant, as it was set"
        case "orders of both sides of a fund are executed for one day";
    25 AbortedMeansUnsettled "aborted means unsettled" [AtEvent]
        "an aborted transaction has no settlement day and counts for nothing"
        case "a pending transaction is aborted";
    // (rule: money/settled-is-final)
    26 NoMutation "no mutation" [AtEvent, Sweep]
        "a settled or aborted transaction never changes, and a pending one only by settling, pricing or aborting"
        case "a pending redemption gets its price before it settles";
    27 JourneyPath "journey path" [AtEvent, EveryStep, Sweep]
        "a journey goes the ways of its table at its own instants or by who acts in it, shows the steps of its configuration and \
         asks what they ask, keeps what was answered, ends with the code that is due, has a result when it is complete, and \
         stays so"
        case "a journey ends, and is not complete";
    28 OneCallback "one callback" [AtEvent, EveryStep, Sweep, Network]
        "a journey that was completed, canceled or failed has one callback, of that instant, with the journey as it was; \
         any other has none"
        case "a callback is due of a journey that ended and is not complete";
    29 Scope "scope" [AtEvent, EveryStep, Sweep]
        "the partner's data come back byte for byte, and more than 768 bytes of them are refused"
        case "a journey is asked for with more than 600 bytes of the partner's data";
    30 AccountsComeFromJourneys "accounts come from journeys" [AtEvent]
        "a journey that opens accounts opens exactly one, when it is complete or its transfer fails, and its result names it"
        case "a journey opens an account although its transfer fails";
    31 ActiveAccountsOnly "active accounts only" [AtEvent, Sweep]
        "an account that is not active takes no order, only one that is closing is paid out unasked, and plans end with it"
        case "an order is asked for on an account that is not active";
    32 DeletedIsEmpty "deleted is empty" [AtEvent, EveryStep]
        "only an authorised caller deletes an account, only an empty one to which no payout can come back is deleted, and \
         nothing is booked on it afterwards"
        case "an account that was closed is deleted once it is empty";
    33 ValidatedMeansChecked "validated means checked" [AtEvent, EveryStep, Sweep]
        "a bank account is validated from the instant its check passes, and not before; a payout goes to one that is; \
         a withdrawal lies within the limits of its account, which are shown as they are"
        case "the check of a bank account ends without a pass";
    // (rule: payments/payment-states, payments/payment-due-day, payments/payment-reason-codes)
    34 ChargesNeedAMandate "charges need a mandate" [AtEvent, EveryStep, Sweep]
        "a mandate becomes active when its bank says so, at its instant, and what is not active is not charged; a payment \
         stands where its file, its attempts, its bank and its payer have brought it, with the code that says why"
        case "a mandate is refused, or ends";
    // (rule: journeys/allocation-of-plans)
    35 WholePlans "whole plans" [AtEvent, Sweep]
        "the shares of an allocation plan make 100 percent, and a deposit is split by them to the ore"
        case "a plan places an order over an amount that is no whole krona";
    // (rule: plans/last-run)
    36 OnePlan "one plan" [AtEvent, EveryStep, Sweep]
        "an account has at most one allocation plan and one savings plan, which saves on a day from 1 to 28 and \
         once a month; either tells the day of its last run, how much of it was done, and why not all"
        case "a plan is looked at that has done only a part of its last run, or none of it";
    37 Identity "identity" [AtEvent, Sweep]
        "ids are unique, sorted ids increase, account numbers are unique and pass their own check"
        case "two records of one kind are made at one instant";
    // (rule: wire/modified-date, money/derived-fields)
    38 ModifiedDate "modified date" [AtEvent, EveryStep, Sweep]
        "every change of a stored field sets it to now, and nothing else does"
        case "a record changes twice at one instant";
    39 Paging "paging" [Sweep, Network]
        "a list with a filter is what the filter names, and walking it page by page gives it"
        case "the part of a list that a filter keeps takes several pages";
    40 ModifiedFrom "modified from" [Sweep, Network]
        "asking for changes since an instant gives exactly those"
        case "a list is asked for changes since an instant before which some of it changed last, and since which the rest";
    // (rule: money/derived-fields)
    41 EventCorrespondence "event correspondence" [AtEvent, EveryStep, Sweep, Network]
        "events replayed give what can be read; each begins where the one before ended"
        case "a deleted record sends its event";
    42 EventIdentity "event identity" [AtEvent, Network]
        "every event has its own id and is sent once"
        case "several events are sent at one instant";
    43 Isolation "isolation" [AtEvent, Sweep, Network, Host]
        "a client never receives or reads another client's data, whatever id or filter it uses; levers act on their partner's own clients"
        case "another's id is asked for, or what a token gives no right to";
    44 ValueIdentity "value identity" [Sweep]
        "an account is worth its balance, its settled units at the last price and its subscriptions under way; the results \
         of its days are what it earned, and their returns chain to the return of all of them"
        case "an account is looked at that has cash, settled units and subscriptions under way";
    // (rule: accounts/performance-entries)
    45 OwnerPerformance "owner performance" [Sweep]
        "an owner's performance is that of the accounts together, and of one account that account's"
        case "an owner of two or more accounts with days behind them is looked at";
    // (rule: calendar/next-cut-off-shown)
    46 CutOffDates "cut-off dates" [Sweep]
        "the next cut-off lies ahead, on a dealing day, and never moves back"
        case "a fund takes orders of one side only";
    47 Determinism "determinism" [EndOfRun, Network, Host, Consumer]
        "a run repeated, or replayed from its recorded commands, ends in the same world"
        case "a run is repeated";
    48 ClockComposition "clock composition" [Sample, EndOfRun]
        "two moves of the clock are as good as one"
        case "a move of the clock is tried in parts with something due on its way";
    49 RefusalsChangeNothing "refusals change nothing" [AtEvent, Sample, Network, Host]
        "a refused command sends no event, moves no money and keeps the digest; and the right commands are refused"
        case "a command is refused because of the state that the world is in";
    50 Identifiers "identifiers" [AtEvent, Sweep]
        "stored IBANs and instrument ids pass their checks"
        case "a bank account that is new gives an IBAN";
    51 AcknowledgedIsKept "acknowledged is kept" [Network]
        "what was answered with success can be read afterwards, also after outages, as long as the server keeps its world"
        case "a success was answered before an outage";
    52 WellFormedAnswers "well-formed answers" [Network, Host]
        "no answer is a server error, and every error has the specified body; a healthy network answers"
        case "an error is answered";
    53 WholeOrNotAtAll "whole or not at all" [Network]
        "what was asked for without an answer has happened as a whole, once, or has left no trace"
        case "a request is left without an answer";
    54 AccountPath "account path" [AtEvent, EveryStep, Sweep]
        "an account waits for whom it must, is approved, refused or given up at its own instant or by who decides, and its \
         KYC holds for three years, or one where the risk is high, and is shown so"
        case "an account that waits for others is refused, or given up";
    55 TransfersBringWhatWasThere "transfers bring what was there" [AtEvent, EveryStep]
        "a transfer is sent, answered and delivered on its bank days, and books what the custodian holds, as chosen, once"
        case "a transfer brings units";
    56 OneAfterTheOther "one after the other" [Network]
        "concurrent requests have the same answers, events and records as the same requests one after the other"
        case "two or more requests are sent together";
    57 ConsumersCopy "consumer's copy" [Consumer]
        "after any outage, the copy of a partner that deduplicates, reads what does not follow, and reconciles equals the service's state"
        case "the network, the server or a socket fails while the partner follows";
    // (rule: calendar/history, calendar/what-goes-back)
    58 AsItWas "as it was" [Host]
        "a world that is put back, restored or forked is what it was at that moment, with the settings of then"
        case "a world is put back, restored or forked";
    // (rule: events/fault-rules, events/deliveries-and-resets, calendar/what-goes-back)
    59 HostHoldsWhatWasAsked "the host holds what was asked" [Host]
        "settings, permissions, fault rules with their counts, webhooks, sockets and deliveries are what was asked of the host; \
         a fork begins with none of the last four, and its tokens end with it"
        case "a world with webhooks, fault rules or open sockets is put back or forked";
    // (rule: calendar/what-goes-back)
    60 RecordingPlays "a recording plays" [Host]
        "what a server has recorded is a story that can be read, passes, and ends in the same world"
        case "a recording is played that puts its world back or changes its host";
    // (rule: events/why)
    61 ChangesAreNamed "changes are named" [Host]
        "an explanation names the input that made a thing, and each change of it once, in order, with its instant and what fired"
        case "something is explained that a timer has changed";
    // (rule: calendar/virtual-clock, calendar/clock-words)
    62 ClockSetGoing "a clock set going" [Host]
        "a clock that is set going shows what has passed times its factor, and what was due by then has happened as if it were moved there"
        case "a clock is set going with something due on its way";
}

impl Law {
    /// How many there are.
    pub const COUNT: usize = TABLE.len();

    /// Every law, by its number.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|facts| facts.law)
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// What must hold.
    #[must_use]
    pub const fn statement(self) -> &'static str {
        self.facts().statement
    }

    /// When it is checked; never, where what it speaks of does not exist yet.
    #[must_use]
    pub const fn checked(self) -> &'static [Checked] {
        self.facts().checked
    }

    /// What must happen for it to be put to the test: a case in which a likely fault breaks it.
    #[must_use]
    pub const fn case(self) -> &'static str {
        self.facts().case
    }

    /// What of it is not checked, and why; empty when all of it is.
    #[must_use]
    pub const fn missing(self) -> &'static str {
        self.facts().missing
    }

    const fn facts(self) -> &'static Facts {
        &TABLE[self as usize]
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Law> for u8 {
    fn from(law: Law) -> Self {
        law.number()
    }
}

impl TryFrom<u8> for Law {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        let facts = TABLE.get(usize::from(number)).ok_or_else(|| format!("there is no law {number}"))?;
        Ok(facts.law)
    }
}

/// How often the case of each law was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met([u64; Law::COUNT]);

impl Default for Met {
    fn default() -> Self {
        Self([0; Law::COUNT])
    }
}

impl Met {
    /// The case of a law has happened.
    pub const fn note(&mut self, law: Law) {
        self.0[law as usize] += 1;
    }

    /// The case of a law has happened, if it has.
    pub const fn note_if(&mut self, law: Law, has_happened: bool) {
        self.0[law as usize] += has_happened as u64;
    }

    /// A command was refused.
    pub const fn note_refusal(&mut self, class: Class) {
        let is_by_itself = matches!(class, Class::Malformed | Class::Unknown | Class::InstrumentUnknown);
        self.note_if(Law::NoPanic, is_by_itself);
        self.note_if(Law::RefusalsChangeNothing, !is_by_itself && !matches!(class, Class::OutOfScope));
    }

    /// Events were sent, one after the other.
    pub fn note_events(&mut self, events: &[Event]) {
        for event in events {
            self.note_if(Law::EventCorrespondence, is_deletion(&event.change));
        }
        for pair in events.windows(2) {
            self.note_if(Law::EventIdentity, pair[0].at == pair[1].at);
        }
    }

    /// Adds the cases of other runs.
    pub fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, more)| *own += more);
    }

    /// How often the case of a law was met.
    #[must_use]
    pub const fn times(&self, law: Law) -> u64 {
        self.0[law as usize]
    }
}

const fn is_deletion(change: &Change) -> bool {
    match change {
        Change::Order(delta) => matches!(delta, Delta::Deleted(_)),
        Change::CashTransaction(delta) => matches!(delta, Delta::Deleted(_)),
        Change::FundTransaction(delta) => matches!(delta, Delta::Deleted(_)),
        Change::Account(delta) => matches!(delta, Delta::Deleted(_)),
        Change::Journey(delta) => matches!(delta, Delta::Deleted(_)),
        Change::Client(delta) => matches!(delta, Delta::Deleted(_)),
        Change::InstrumentsReloaded(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_are_numbered_without_a_gap_and_each_says_when_it_is_checked_or_why_not() {
        assert!((0_u8..).zip(Law::all()).all(|(number, law)| law.number() == number));
        assert!(Law::all().all(|law| !law.checked().is_empty() || !law.missing().is_empty()));
        assert!(Law::try_from(u8::try_from(Law::COUNT).expect("few laws")).is_err());
    }

    #[test]
    fn a_law_is_written_as_its_number() {
        assert_eq!(serde_json::to_string(&Law::Determinism).expect("a number"), "47");
        assert_eq!(serde_json::from_str::<Law>("47").expect("a law"), Law::Determinism);
        assert!(serde_json::from_str::<Law>("200").is_err());
    }
}
