//! What the model keeps of one account, order, transaction or payout.
//!
//! Invariant: figures are the model's own sums of what transactions say; `last` is the record as in its last event.

use super::accruals::{Accruing, Holdings};
use super::calendar::{self, Day};
use super::fee_files::FeeFile;
use super::figures::{self, Ore, Steps};
use super::fund::{Fund, Settlement};
use rust_decimal::{Decimal, RoundingStrategy};
use sim::identity::InstrumentId;
use sim::ids::{CashTransactionId, FundTransactionId, OrderId};
use sim::machines::order::State;
use sim::records::{Account, AccountStatus, CashTransaction, CashType, FundTransaction, KycAnswer, Order, Side};
use sim::settings::Settings;
use sim::time::{Date, Instant, Millis};
use std::fmt;
use std::sync::Arc;

/// Public states of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names are the API's own")]
pub enum Status {
    Received,
    Hold,
    Pending,
    Sent,
    Settled,
    Canceled,
}

impl Status {
    /// What the public sees of a state.
    #[must_use]
    pub const fn of(state: State) -> Self {
        match state {
            State::Received => Self::Received,
            State::HoldUnbooked | State::HoldBooked => Self::Hold,
            State::Pending | State::Aggregated => Self::Pending,
            State::Sent | State::Confirmed => Self::Sent,
            State::Settled => Self::Settled,
            State::CanceledUnbooked | State::CanceledBooked => Self::Canceled,
        }
    }

    /// The public word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Hold => "hold",
            Self::Pending => "pending",
            Self::Sent => "sent",
            Self::Settled => "settled",
            Self::Canceled => "canceled",
        }
    }

    /// Whether an order stays so for good.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Settled | Self::Canceled)
    }

    /// Whether table 3.3 has a row from here to `next` (`sent` to `sent` is the confirmation).
    #[must_use]
    pub const fn may_become(self, next: Self) -> bool {
        use Status::{Canceled, Hold, Pending, Received, Sent, Settled};
        matches!(
            (self, next),
            (Received, Pending | Hold | Canceled)
                | (Pending, Sent | Hold | Canceled)
                | (Hold, Pending | Canceled)
                | (Sent, Sent | Settled | Canceled)
        )
    }
}

/// What moves an order by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// The first check accepts or parks it.
    FirstCheck,
    /// Its aggregated order is accepted.
    Route,
    /// Its price is confirmed, or makes it nothing.
    Confirm,
    /// It is posted.
    Settle,
    /// It has been on hold too long.
    Lapse,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FirstCheck => "its first check",
            Self::Route => "its sending",
            Self::Confirm => "its confirmation",
            Self::Settle => "its settlement",
            Self::Lapse => "the end of its hold",
        })
    }
}

/// The next move of an order, with its instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// When.
    pub at: Instant,
    /// What.
    pub what: Move,
}

/// An order.
#[derive(Clone, Debug)]
pub struct OrderFile {
    /// As in its last event.
    pub last: Arc<Order>,
    /// Its public status.
    pub status: Status,
    /// Whether its first transaction exists.
    pub booked: bool,
    /// Whether an event has shown its execution.
    pub confirmed: bool,
    /// Since when it is on hold.
    pub held: Instant,
    /// What it waits for, as noted last.
    pub due: Option<Instant>,
    /// Whether its transactions have been looked at since they changed.
    pub looked_at: bool,
    /// The dealing day it must trade on.
    pub day: Day,
    /// The cut-off of that day.
    pub cut_off: Instant,
    /// Its cash transaction.
    pub cash: Option<CashTransactionId>,
    /// What was taken for changing money.
    pub fee: Option<CashTransactionId>,
    /// Its fund transaction.
    pub units: Option<FundTransactionId>,
    /// Whether it is larger than orders may be without a person looking; `None` when a price in between decides.
    pub large: Option<bool>,
    /// Ore and steps of its execution, as the model reckons them.
    pub figures: (Ore, Steps),
    /// How many payouts, transfers out and transfers in it has made.
    pub payouts_and_transfers: [u8; 3],
    /// How many it has to make.
    pub payouts_and_transfers_due: [u8; 3],
    /// Whether partners were made to forget it.
    pub purged: bool,
}

impl OrderFile {
    /// A new order, on its way to the fund's next cut-off.
    #[must_use]
    pub fn new(order: &Arc<Order>, fund: &Fund) -> Self {
        Self {
            last: Arc::clone(order),
            status: Status::Received,
            booked: false,
            confirmed: false,
            held: order.stamp.created,
            due: None,
            looked_at: false,
            day: fund.next.0,
            cut_off: fund.next.1,
            cash: None,
            fee: None,
            units: None,
            large: None,
            figures: (0, 0),
            payouts_and_transfers: [0; 3],
            payouts_and_transfers_due: [0; 3],
            purged: false,
        }
    }

    /// Whether it reserves cash or units (rule: money/reservations).
    #[must_use]
    pub fn reserves(&self) -> bool {
        matches!(self.status, Status::Received | Status::Hold) && !self.booked
    }

    /// Whether the cut-off has taken it at `now`.
    #[must_use]
    pub fn is_taken(&self, now: Instant) -> bool {
        self.status == Status::Pending && now >= self.cut_off
    }

    /// What moves it next by itself.
    #[must_use]
    pub fn due(&self, fund: &Fund, settings: &Settings) -> Option<Due> {
        let due = |at, what| Some(Due { at, what });
        match self.status {
            Status::Received => {
                due(self.last.stamp.created.plus(settings.acceptance_delay).min(self.cut_off), Move::FirstCheck)
            }
            Status::Pending => due(self.cut_off.plus(settings.routing_delay), Move::Route),
            Status::Sent if !self.confirmed => {
                // One that was sent after its price is confirmed then, or at once.
                let sent = self.last.stamp.modified;
                due(fund.publication(self.day).plus(settings.confirmation_delay).max(sent), Move::Confirm)
            }
            Status::Sent => due(self.settlement(fund, settings).posted, Move::Settle),
            Status::Hold => {
                let until = calendar::bank_days_after(calendar::local_day(self.held), settings.hold_bank_days);
                due(calendar::at_local(until, 9, 0), Move::Lapse)
            }
            Status::Settled | Status::Canceled => None,
        }
    }

    /// When it must be posted, and with which date.
    #[must_use]
    pub fn settlement(&self, fund: &Fund, settings: &Settings) -> Settlement {
        let planned = fund.settlement(self.last.side, self.day, after_price(settings));
        // It was sent, and confirmed, later than that.
        let last = if self.status == Status::Sent { self.last.stamp.modified } else { planned.posted };
        let date = planned.date.max(calendar::date_of(calendar::local_day(last)));
        Settlement { posted: planned.posted.max(last), date }
    }
}

/// How long after its price an order is posted at the earliest: it is confirmed by then.
#[must_use]
pub fn after_price(settings: &Settings) -> Millis {
    settings.late_posting_delay.max(settings.confirmation_delay)
}

/// What an account holds of one fund.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holding {
    /// The fund.
    pub instrument: InstrumentId,
    /// Settled units and pending redemptions.
    pub units: Steps,
    /// Settled units.
    pub settled: Steps,
    /// Units of reserving redemptions.
    pub reserved: Steps,
    /// What the settled units were bought for, in SEK.
    pub cost: Decimal,
}

/// An account.
#[derive(Clone, Debug)]
pub struct AccountFile {
    /// As in its last event.
    pub last: Arc<Account>,
    /// Settled credits less all non-aborted debits.
    pub balance: Ore,
    /// Deposits and transfers in.
    pub deposited: Ore,
    /// Withdrawals and transfers out, less what bounced.
    pub withdrawn: Ore,
    /// Cash of reserving subscriptions.
    pub reserved: Ore,
    /// Cash of booked, unsettled subscriptions.
    pub subscribed: Ore,
    /// Holdings by instrument.
    pub holdings: Vec<Holding>,
    /// Holdings that were moved since they were looked at.
    pub moved: Vec<InstrumentId>,
    /// Until when it waits for its approval, or for signatures.
    pub waits_until: Option<Instant>,
    /// Its fees and retrocessions.
    pub fees: FeeFile,
    /// When its KYC was last given.
    pub kyc_given: Instant,
    /// Until when that holds.
    pub kyc_until: Date,
    /// What was answered then.
    pub kyc: Vec<KycAnswer>,
    /// Whether the death of its owner has ended it.
    pub ended_by_death: bool,
    /// What has left it since it closes.
    pub closing_payouts: Vec<CashTransactionId>,
    /// From when on the platform pays again what has come back.
    pub pay_again: Option<Instant>,
}

impl AccountFile {
    /// What accruals see of it.
    pub(super) fn accruing(&self) -> Accruing<'_, impl Holdings> {
        let held = self.holdings.iter().filter(|held| held.settled != 0).map(|held| (held.instrument, held.settled));
        Accruing { last: &self.last, cash: self.balance + self.subscribed, held }
    }

    /// An account before its transactions are looked at.
    #[must_use]
    pub fn new(account: &Arc<Account>) -> Self {
        Self {
            last: Arc::clone(account),
            balance: 0,
            deposited: 0,
            withdrawn: 0,
            reserved: 0,
            subscribed: 0,
            holdings: Vec::new(),
            moved: Vec::new(),
            waits_until: None,
            fees: FeeFile::default(),
            kyc_given: account.stamp.created,
            kyc_until: account.kyc_valid_until,
            kyc: Vec::new(),
            ended_by_death: false,
            closing_payouts: Vec::new(),
            pay_again: None,
        }
    }

    /// Whether it takes orders and money.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.last.status() == AccountStatus::Active && self.last.deleted.is_none()
    }

    /// Whether it is being closed and is still there.
    #[must_use]
    pub fn is_closing(&self) -> bool {
        self.last.status() == AccountStatus::Closing && self.last.deleted.is_none()
    }

    /// Cash that a new order may use.
    #[must_use]
    pub const fn spendable(&self) -> Ore {
        self.balance - self.reserved
    }

    /// The holding in a fund, if there is one.
    #[must_use]
    pub fn holding(&self, instrument: InstrumentId) -> Option<&Holding> {
        let at = self.holdings.binary_search_by(|holding| holding.instrument.cmp(&instrument)).ok()?;
        Some(&self.holdings[at])
    }

    /// Units that a new order may use.
    #[must_use]
    pub fn sellable(&self, instrument: InstrumentId) -> Steps {
        self.holding(instrument).map_or(0, |holding| holding.units - holding.reserved)
    }

    /// The holding in a fund, to be moved; made if there was none.
    pub fn holding_mut(&mut self, instrument: InstrumentId) -> &mut Holding {
        if !self.moved.contains(&instrument) {
            self.moved.push(instrument);
        }
        let known = self.holdings.binary_search_by(|holding| holding.instrument.cmp(&instrument));
        let at = known.unwrap_or_else(|at| {
            let cost = Decimal::ZERO;
            self.holdings.insert(at, Holding { instrument, units: 0, settled: 0, reserved: 0, cost });
            at
        });
        &mut self.holdings[at]
    }

    /// Adds to (or takes from) what a reserving order has set aside.
    pub fn reserve(&mut self, order: &Order, sign: i64) {
        match order.side {
            Side::Subscription => self.reserved += sign * order.amount.map_or(0, figures::ore),
            Side::Redemption => {
                self.holding_mut(order.instrument).reserved += sign * order.units.map_or(0, figures::steps);
            }
        }
    }
}

/// A cash transaction.
#[derive(Clone, Debug)]
pub struct CashFile {
    /// As in its last event.
    pub last: Arc<CashTransaction>,
    /// The order it belongs to.
    pub order: Option<OrderId>,
    /// Whether partners were made to forget it.
    pub purged: bool,
}

/// A fund transaction.
#[derive(Clone, Debug)]
pub struct UnitsFile {
    /// As in its last event.
    pub last: Arc<FundTransaction>,
    /// The order it belongs to.
    pub order: Option<OrderId>,
    /// Whether partners were made to forget it.
    pub purged: bool,
}

/// A payout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payout {
    /// When the bank is to be paid.
    pub pay_at: Instant,
    /// Whether it has been.
    pub paid: bool,
    /// When it must have come back, if the bank sends it back.
    pub back_at: Option<Instant>,
    /// Whether it has come back.
    pub returned: bool,
}

impl Payout {
    /// What is still to come, by when.
    #[must_use]
    pub fn due(&self) -> Option<Instant> {
        match (self.paid, self.returned) {
            (false, _) => Some(self.pay_at),
            (true, false) => self.back_at,
            (true, true) => None,
        }
    }

    /// Paid at 09:00 on the next bank day when asked for before 12:00 on a bank day, otherwise one later
    /// (rule: payments/withdrawal-timing).
    #[must_use]
    pub fn asked_at(now: Instant, bounces: bool) -> Self {
        let today = calendar::local_day(now);
        let in_time = calendar::is_bank_day(today) && now < calendar::at_local(today, 12, 0);
        let pay_day = calendar::bank_days_after(today, if in_time { 1 } else { 2 });
        let at_nine = |day| calendar::at_local(day, 9, 0);
        let back_at = bounces.then(|| at_nine(calendar::bank_days_after(pay_day, 1)));
        Self { pay_at: at_nine(pay_day), paid: false, back_at, returned: false }
    }
}

impl Holding {
    /// Units leave: what they were bought for leaves with them, in proportion (rule: money/average-acquisition-value).
    pub fn settle_out(&mut self, steps: Steps) {
        let (before, left) = (self.settled, self.settled - steps);
        self.settled = left;
        self.cost = if left == 0 {
            Decimal::ZERO
        } else {
            (self.cost * figures::units(left).get() / figures::units(before).get())
                .round_dp_with_strategy(12, RoundingStrategy::MidpointAwayFromZero)
        };
    }
}

/// Whether the investor receives (rule: money/double-entry, money/cash-types).
#[must_use]
pub const fn is_credit(kind: CashType) -> bool {
    match kind {
        CashType::Deposit
        | CashType::Redemption
        | CashType::TransferIn
        | CashType::Retrocession
        | CashType::Settlement => true,
        CashType::Withdrawal | CashType::Subscription | CashType::TransferOut | CashType::Fee | CashType::FxFee => {
            false
        }
    }
}
