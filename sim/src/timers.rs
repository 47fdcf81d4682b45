//! What is due when.
//!
//! Invariant: timers fire in order of their instant, ties in order of creation, each exactly once. Nothing polls.

mod sorted_map;

use crate::identity::{Currency, InstrumentId};
use crate::ids::{
    AccountId, AggregateId, BankAccountId, BankgiroItemId, CashTransactionId, CorporateActionId, InstructionId,
    JourneyId, MobilePaymentId, OrderId, PaymentId, SavingsPlanId, TransferId,
};
use crate::quarter::Quarter;
use crate::time::{Date, Instant};
use serde::{Deserialize, Serialize};
use sorted_map::SortedMap;
use std::collections::BTreeSet;

/// Names one pending timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TimerKey {
    /// When it fires.
    pub at: Instant,
    /// Order of creation.
    pub sequence: u64,
}

/// What happens when a timer fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Timer {
    /// The first check of an order.
    AcceptOrder(OrderId),
    /// An order has been on hold too long.
    LapseOrder(OrderId),
    /// A fund's cut-off for a dealing day.
    CutOff(InstrumentId, Date),
    /// The routing intermediary answers.
    Route(AggregateId),
    /// A fund's price for a dealing day is published.
    PublishPrice(InstrumentId, Date),
    /// Orders of a dealing day are confirmed at its price.
    Confirm(InstrumentId, Date),
    /// Subscriptions of a dealing day are posted.
    SettleSubscriptions(InstrumentId, Date),
    /// Redemptions of a dealing day are posted.
    SettleRedemptions(InstrumentId, Date),
    /// A currency's rate of a bank day is published.
    PublishRate(Currency, Date),
    /// A payout leaves the platform.
    PayOut(CashTransactionId),
    /// A payout comes back.
    BouncePayout(CashTransactionId),
    /// A journey's link stops working.
    ExpireJourney(JourneyId),
    /// The platform decides about an account.
    ApproveAccount(AccountId),
    /// An account has waited too long for signatures.
    LapseAccount(AccountId),
    /// An account being closed may have nothing left.
    WindUpAccount(AccountId),
    /// The account check of a bank account ends.
    CheckBankAccount(BankAccountId),
    /// A bank answers on a mandate, or has not.
    AnswerMandate(BankAccountId),
    /// A transfer is sent.
    SendTransfer(TransferId),
    /// A ceding custodian answers.
    AnswerTransfer(TransferId),
    /// A ceding custodian delivers.
    CompleteTransfer(TransferId),
    /// The charges of a quarter fall due.
    ChargeFees(Quarter),
    /// The retrocessions of a quarter are paid.
    PayRetrocessions(Quarter),
    /// A sale that pays for charges of an account has ended.
    EndFeeSale(AccountId),
    /// The outcome of a mobile payment without an act of the payer.
    AnswerMobilePayment(MobilePaymentId),
    /// The payer of a mobile payment has no more time.
    LapseMobilePayment(MobilePaymentId),
    /// A payment over bankgiro is booked.
    BookBankgiro(BankgiroItemId),
    /// The file that takes an instruction is closed.
    CutFile(InstructionId),
    /// A payment is charged.
    ChargePayment(PaymentId),
    /// A savings plan runs for the month that begins on that day.
    RunSavings(SavingsPlanId, Date),
    /// A corporate action is carried out, unless orders of its fund are still on their way.
    CarryOut(CorporateActionId),
}

/// What happens, in words: one row a kind of timer.
macro_rules! in_words {
    ($($kind:ident => $what:literal,)*) => {
        impl Timer {
            /// What `what` says of each kind, in the order of the kinds.
            pub const ALL_WHAT: &'static [&'static str] = &[$($what),*];

            /// Plain words for what happens.
            #[must_use]
            pub const fn what(&self) -> &'static str {
                match self {
                    $(Self::$kind { .. } => $what),*
                }
            }
        }
    };
}

in_words! {
    AcceptOrder => "order accepted or parked",
    LapseOrder => "order on hold lapses",
    CutOff => "cut-off",
    Route => "aggregated order routed",
    PublishPrice => "price published",
    Confirm => "executions confirmed",
    SettleSubscriptions => "subscriptions settled",
    SettleRedemptions => "redemptions settled",
    PublishRate => "exchange rate published",
    PayOut => "payout sent",
    BouncePayout => "payout returned",
    ExpireJourney => "journey expires",
    ApproveAccount => "account approved or rejected",
    LapseAccount => "account lapses without signatures",
    WindUpAccount => "closing account looked at",
    CheckBankAccount => "bank account checked",
    AnswerMandate => "mandate answered",
    SendTransfer => "transfer sent",
    AnswerTransfer => "transfer answered",
    CompleteTransfer => "transfer completed",
    ChargeFees => "fees charged",
    PayRetrocessions => "retrocessions paid",
    EndFeeSale => "sale for fees ended",
    AnswerMobilePayment => "mobile payment answered",
    LapseMobilePayment => "mobile payment times out",
    BookBankgiro => "bankgiro payment booked",
    CutFile => "payment file closed",
    ChargePayment => "payment charged",
    RunSavings => "savings plan runs",
    CarryOut => "corporate action looked at",
}

impl Timer {
    /// The resource it concerns, as text.
    #[must_use]
    pub fn resource(&self) -> String {
        match self {
            Self::AcceptOrder(order) | Self::LapseOrder(order) => order.to_string(),
            Self::CutOff(instrument, _)
            | Self::PublishPrice(instrument, _)
            | Self::Confirm(instrument, _)
            | Self::SettleSubscriptions(instrument, _)
            | Self::SettleRedemptions(instrument, _) => instrument.to_string(),
            Self::Route(aggregate) => aggregate.to_string(),
            Self::PublishRate(currency, _) => currency.to_string(),
            Self::PayOut(transaction) | Self::BouncePayout(transaction) => transaction.to_string(),
            Self::ExpireJourney(journey) => journey.to_string(),
            Self::ApproveAccount(account)
            | Self::LapseAccount(account)
            | Self::WindUpAccount(account)
            | Self::EndFeeSale(account) => account.to_string(),
            Self::ChargeFees(quarter) | Self::PayRetrocessions(quarter) => quarter.to_string(),
            Self::CheckBankAccount(bank_account) | Self::AnswerMandate(bank_account) => bank_account.to_string(),
            Self::SendTransfer(transfer) | Self::AnswerTransfer(transfer) | Self::CompleteTransfer(transfer) => {
                transfer.to_string()
            }
            Self::AnswerMobilePayment(payment) | Self::LapseMobilePayment(payment) => payment.to_string(),
            Self::BookBankgiro(item) => item.to_string(),
            Self::CutFile(instruction) => instruction.to_string(),
            Self::ChargePayment(payment) => payment.to_string(),
            Self::RunSavings(plan, _) => plan.to_string(),
            Self::CarryOut(action) => action.to_string(),
        }
    }
}

/// Something that a timer made happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Happening {
    /// When.
    pub at: Instant,
    /// What; `Timer::what` and `Timer::resource` put it into words.
    pub timer: Timer,
}

/// A timer that concerns many records, begun and not ended: the next slice continues its work (rule: calendar/slices).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct TimerProgress {
    /// Which timer.
    pub timer: Timer,
    /// How many of its records are done.
    pub done: usize,
    /// How many records it concerns.
    pub all: usize,
    /// Of a cut-off: the orders that came in time. Of postings: the orders that settle at this instant. Of a corporate action: the
    /// orders that it cancels.
    pub orders: Vec<OrderId>,
    /// Of a cut-off: the aggregates that were made.
    pub aggregates: Vec<AggregateId>,
    /// Of executions: whether there were subscriptions, and redemptions.
    pub sides: (bool, bool),
    /// Of a corporate action, after its orders: the accounts that it concerns, in order of creation.
    #[serde(default)]
    pub accounts: Vec<AccountId>,
    /// Of a corporate action: the accounts that have had their turn before it came, since a command changed them.
    #[serde(default)]
    pub early: BTreeSet<AccountId>,
}

impl TimerProgress {
    /// `timer`, of which nothing is done, and which concerns so many records.
    pub(crate) const fn new(timer: Timer, all: usize) -> Self {
        Self {
            timer,
            done: 0,
            all,
            orders: Vec::new(),
            aggregates: Vec::new(),
            sides: (false, false),
            accounts: Vec::new(),
            early: BTreeSet::new(),
        }
    }
}

/// An instant that a slice has cut: the rest of its timers waits for the next slice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Cut {
    /// The timer that is begun, if one is.
    pub underway: Option<TimerProgress>,
    /// Orders that came at this instant for funds whose cut-off is at this instant: they wait for the next one.
    pub late: Vec<(InstrumentId, OrderId)>,
}

/// All pending timers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Timers {
    due: SortedMap<TimerKey, Timer>,
    sequence: u64,
}

impl Timers {
    /// Sets `timer` for `at`.
    pub fn set(&mut self, at: Instant, timer: Timer) -> TimerKey {
        let key = TimerKey { at, sequence: self.sequence };
        self.sequence += 1;
        self.due.insert(key, timer);
        key
    }

    /// Removes a pending timer; `false` when it has fired or never was.
    pub fn cancel(&mut self, key: TimerKey) -> bool {
        self.due.remove(key).is_some()
    }

    /// Removes all pending timers that `what` names.
    pub fn cancel_all(&mut self, what: impl Fn(&Timer) -> bool) {
        let named: Vec<_> = self.due.iter().filter(|(_, timer)| what(timer)).map(|(key, _)| *key).collect();
        for key in named {
            self.due.remove(key);
        }
    }

    /// The next timer, if any.
    #[must_use]
    pub fn next(&self) -> Option<(Instant, &Timer)> {
        self.due.first().map(|(key, timer)| (key.at, timer))
    }

    /// Takes the next timer that is due at or before `until`.
    pub fn take_due(&mut self, until: Instant) -> Option<(Instant, Timer)> {
        let (key, timer) = self.due.first().map(|(key, timer)| (*key, *timer)).filter(|(key, _)| key.at <= until)?;
        self.due.remove(key);
        Some((key.at, timer))
    }

    /// All pending timers in firing order.
    pub fn iter(&self) -> impl Iterator<Item = (Instant, &Timer)> {
        self.due.iter().map(|(key, timer)| (key.at, timer))
    }

    /// The pending timers of one instant, in firing order.
    pub fn due_at(&self, at: Instant) -> impl Iterator<Item = &Timer> {
        let later = self.due.from(TimerKey { at, sequence: 0 });
        later.take_while(move |(key, _)| key.at == at).map(|(_, timer)| timer)
    }

    /// How many are pending.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.due.len()
    }

    /// Whether none is pending.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.due.len() == 0
    }
}
