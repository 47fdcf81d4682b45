//! Why something is in the state that it is in: what it waits for, what has stopped it, and until when
//! (rule: events/explanations).
//!
//! Invariant: an explanation comes from the record and from the timer that will move it, so it cannot promise what will not
//! happen. Absent on purpose: words and what helps, which the surface has; who may see it.

use crate::flows::{accounts, orders, screening};
use crate::ids::{
    AccountId, BankAccountId, BankgiroItemId, JourneyId, MobilePaymentId, OrderId, PaymentId, SuspenseItemId,
    TransferId,
};
use crate::machines::{account, bank_account, journey, mandate, mobile_payment, order, payment, suspense, transfer};
use crate::money::Amount;
use crate::records::{Account, Order, ParkingCheck, Payment, SuspenseItem, SuspenseReason, Transfer};
use crate::time::{Date, Instant};
use crate::timers::TimerKey;
use crate::world::World;
use uuid::Uuid;

/// One reason for a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// An order waits for its first check.
    FirstCheck,
    /// This check has parked an order.
    Parked(ParkingCheck),
    /// An order waits for the cut-off of its fund.
    CutOff,
    /// An order waits for the routing intermediary.
    Routing,
    /// An order waits for the price of its dealing day.
    Price,
    /// An order waits for its settlement.
    Settlement,
    /// This has canceled an order.
    Canceled(order::Trigger),
    /// An account waits for the platform's approval.
    Approval,
    /// An account waits for signatures.
    Signatures,
    /// The application for an account was refused.
    ApplicationRefused,
    /// An account is being closed.
    Closing,
    /// The last payout of an account that is being closed came back.
    PayoutReturned,
    /// The owner of an account is on a list of sanctions.
    OwnerSanctioned,
    /// The KYC of an account has expired.
    KycExpired,
    /// A bank account waits for its check.
    BankCheck,
    /// The check of a bank account has failed.
    BankCheckFailed,
    /// A mandate waits for the bank.
    MandateAnswer,
    /// The bank has refused a mandate or closed its account.
    MandateRefused,
    /// A transfer waits for its account, and then to be sent.
    TransferSend,
    /// A transfer waits for the ceding custodian's answer.
    TransferAnswer,
    /// A transfer waits for the ceding custodian's delivery.
    TransferDelivery,
    /// The ceding custodian has refused a transfer.
    TransferRefused,
    /// A transfer was canceled with its account.
    TransferCanceled,
    /// Money is in suspense.
    Suspense(SuspenseReason),
    /// A payment over bankgiro waits for its booking.
    BankgiroBooking,
    /// A payment waits for the file of the day, or for the payer's transfer.
    PaymentFile,
    /// A payment waits for its charge.
    Charge,
    /// A payment was not paid and is tried again.
    ChargeAgain,
    /// A payment has failed.
    PaymentFailed,
    /// A mobile payment waits for the payer.
    Payer,
    /// A mobile payment waits for a late answer of the banks.
    LateAnswer,
    /// A mobile payment has failed.
    MobilePaymentFailed,
    /// A journey waits for the customer.
    Customer,
    /// The customer has left a journey.
    CustomerLeft,
    /// A journey has failed.
    JourneyFailed,
    /// The link of a journey has expired.
    JourneyExpired,
}

impl Reason {
    /// Every reason.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let parked = ParkingCheck::ALL.into_iter().map(Self::Parked);
        let by = [
            order::Trigger::Cancel,
            order::Trigger::Stop,
            order::Trigger::Lapse,
            order::Trigger::Refuse,
            order::Trigger::Void,
        ];
        let suspended =
            [SuspenseReason::UnknownReference, SuspenseReason::AccountNotActive, SuspenseReason::OtherAmount];
        let plain = [
            Self::FirstCheck,
            Self::CutOff,
            Self::Routing,
            Self::Price,
            Self::Settlement,
            Self::Approval,
            Self::Signatures,
            Self::ApplicationRefused,
            Self::Closing,
            Self::PayoutReturned,
            Self::OwnerSanctioned,
            Self::KycExpired,
            Self::BankCheck,
            Self::BankCheckFailed,
            Self::MandateAnswer,
            Self::MandateRefused,
            Self::TransferSend,
            Self::TransferAnswer,
            Self::TransferDelivery,
            Self::TransferRefused,
            Self::TransferCanceled,
            Self::BankgiroBooking,
            Self::PaymentFile,
            Self::Charge,
            Self::ChargeAgain,
            Self::PaymentFailed,
            Self::Payer,
            Self::LateAnswer,
            Self::MobilePaymentFailed,
            Self::Customer,
            Self::CustomerLeft,
            Self::JourneyFailed,
            Self::JourneyExpired,
        ];
        let canceled = by.into_iter().map(Self::Canceled);
        parked.chain(canceled).chain(suspended.into_iter().map(Self::Suspense)).chain(plain).collect()
    }
}

/// A figure or a word that a reason turns on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A day.
    Day(Date),
    /// An amount of SEK.
    Amount(Amount),
    /// A word or a code, as the records have it.
    Word(&'static str),
}

/// A reason with what it turns on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The reason.
    pub reason: Reason,
    /// What is in the state: the resource itself, or something of it, such as a bank account of an account.
    pub about: Uuid,
    /// When the state ends by itself, where that is known.
    pub until: Option<Instant>,
    /// What the reason turns on, where there is something.
    pub fact: Option<Fact>,
}

impl Explanation {
    fn new(reason: Reason, about: Uuid) -> Self {
        Self { reason, about, until: None, fact: None }
    }

    fn until(self, until: impl Into<Option<Instant>>) -> Self {
        Self { until: until.into(), ..self }
    }

    fn timed(self, timer: Option<TimerKey>) -> Self {
        self.until(timer.map(|key| key.at))
    }

    fn with(self, fact: Fact) -> Self {
        Self { fact: Some(fact), ..self }
    }
}

/// Why the resource with this id is in its state; nothing where there is nothing to say.
#[must_use]
pub fn explanations(world: &World, id: Uuid) -> Vec<Explanation> {
    if let Some(order) = world.orders.get(OrderId::from_uuid(id)) {
        return of_order(world, order);
    }
    if let Some(account) = world.accounts.get(AccountId::from_uuid(id)) {
        return of_account(world, account);
    }
    if world.banks.get(BankAccountId::from_uuid(id)).is_some() {
        return of_bank_account(world, BankAccountId::from_uuid(id));
    }
    if let Some(transfer) = world.transfers.get(TransferId::from_uuid(id)) {
        return of_transfer(transfer).into_iter().collect();
    }
    if let Some(item) = world.suspense.get(SuspenseItemId::from_uuid(id)) {
        return of_suspense(item).into_iter().collect();
    }
    of_payments(world, id).or_else(|| of_journey(world, JourneyId::from_uuid(id))).into_iter().collect()
}

/// The day on which an order settles, or is expected to where nothing comes between; none where it is parked or canceled.
#[must_use]
pub fn settlement_day(world: &World, id: OrderId) -> Option<Date> {
    let order = world.orders.get(id)?;
    if let Some(trade) = order.trade {
        return (!matches!(*order.state, order::State::CanceledBooked)).then_some(trade.settlement);
    }
    let day = match *order.state {
        order::State::Received | order::State::Pending => {
            world.market.known(order.instrument).next_cut_off(world.now).0
        }
        order::State::Aggregated | order::State::Sent => dealing_day(world, order)?,
        _ => return None,
    };
    Some(orders::dealing::settlement_day(world, order.instrument, order.side, day))
}

fn dealing_day(world: &World, order: &Order) -> Option<Date> {
    super::aggregate(world, order.id).map(|aggregate| aggregate.day)
}

fn of_order(world: &World, order: &Order) -> Vec<Explanation> {
    let of = |reason| Explanation::new(reason, order.id.as_uuid());
    let quote = world.market.known(order.instrument);
    let one = match *order.state {
        order::State::Received => of(Reason::FirstCheck).timed(order.timer),
        order::State::HoldUnbooked | order::State::HoldBooked => {
            return order.parked_by.checks().map(|check| parked(world, order, check)).collect();
        }
        order::State::Pending => of(Reason::CutOff).until(quote.next_cut_off(world.now).1),
        order::State::Aggregated => of(Reason::Routing),
        order::State::Sent => {
            let day = dealing_day(world, order);
            let due = quote.publications.iter().find(|(of, _)| Some(*of) == day);
            of(Reason::Price).timed(due.map(|(_, key)| *key))
        }
        order::State::Confirmed => {
            let posting = order.trade.map(|trade| orders::dealing::posting_of(world, order.instrument, &trade));
            of(Reason::Settlement).until(posting)
        }
        order::State::CanceledUnbooked | order::State::CanceledBooked => match order.canceled_on {
            Some(on) => of(Reason::Canceled(on)),
            None => return Vec::new(),
        },
        order::State::Settled => return Vec::new(),
    };
    vec![one]
}

fn parked(world: &World, order: &Order, check: ParkingCheck) -> Explanation {
    let parked = Explanation::new(Reason::Parked(check), order.id.as_uuid()).timed(order.timer);
    match check {
        ParkingCheck::ExpiredKyc => parked.with(Fact::Day(world.accounts.known(order.account).kyc_valid_until)),
        ParkingCheck::LargeOrder => parked.with(Fact::Amount(world.setup.settings.hold_above)),
        _ => parked,
    }
}

fn of_account(world: &World, account: &Account) -> Vec<Explanation> {
    let of = |reason| Explanation::new(reason, account.id.as_uuid());
    let timer = super::standing(world, account.id).and_then(|standing| standing.timer);
    let mut found = Vec::new();
    match *account.state {
        account::State::Pending => found.push(of(Reason::Approval).timed(timer)),
        account::State::Confirm => found.push(of(Reason::Signatures).timed(timer)),
        account::State::Rejected => return vec![of(Reason::ApplicationRefused)],
        account::State::Closing => {
            let returned = accounts::closing::pays_again_from(world, account.id).filter(|_| !account.balance.is_zero());
            found.push(match returned {
                Some(from) => of(Reason::PayoutReturned).until(from.max(world.now)),
                None => of(Reason::Closing).timed(timer),
            });
        }
        account::State::Active => {}
        account::State::Closed
        | account::State::ConfirmDeleted
        | account::State::PendingDeleted
        | account::State::RejectedDeleted => return Vec::new(),
    }
    if screening::parks_orders(world, account) {
        found.push(of(Reason::OwnerSanctioned));
    }
    if world.now.local_date() > account.kyc_valid_until {
        found.push(of(Reason::KycExpired).with(Fact::Day(account.kyc_valid_until)));
    }
    found.extend(account.bank_accounts.iter().flat_map(|bank| of_bank_account(world, bank.id)));
    found.extend(world.transfers.of_account(account.id, None).filter_map(|one| of_transfer(one)).filter(is_waiting));
    let meant = world.suspense.iter().filter(|item| item.meant_for == Some(account.id));
    found.extend(meant.filter_map(|item| of_suspense(item)));
    found
}

/// Whether it explains something that has not ended.
fn is_waiting(explanation: &Explanation) -> bool {
    !matches!(explanation.reason, Reason::TransferRefused | Reason::TransferCanceled)
}

fn of_bank_account(world: &World, id: BankAccountId) -> Vec<Explanation> {
    let Some(file) = world.banks.get(id) else { return Vec::new() };
    let of = |reason| Explanation::new(reason, id.as_uuid());
    let check = match *file.check {
        bank_account::State::Pending => Some(of(Reason::BankCheck).timed(file.check_timer)),
        bank_account::State::Rejected => Some(of(Reason::BankCheckFailed)),
        bank_account::State::Active => None,
    };
    let owned = world.owners.get(&(file.client, file.owner)).map(|owner| owner.accounts.clone()).unwrap_or_default();
    let known = owned.iter().filter_map(|account| world.accounts.get(*account));
    let mut records = known.filter_map(|account| account.bank_accounts.iter().find(|bank| bank.id == id));
    let mandate = records.next().and_then(|bank| match *bank.mandate {
        mandate::State::Pending => Some(of(Reason::MandateAnswer).timed(file.mandate_timer)),
        mandate::State::Invalid => Some(of(Reason::MandateRefused)),
        mandate::State::Missing | mandate::State::Active => None,
    });
    check.into_iter().chain(mandate).collect()
}

fn of_transfer(transfer: &Transfer) -> Option<Explanation> {
    let of = |reason| Explanation::new(reason, transfer.id.as_uuid()).timed(transfer.timer);
    match *transfer.state {
        transfer::State::New => Some(of(Reason::TransferSend)),
        transfer::State::Sent => Some(of(Reason::TransferAnswer)),
        transfer::State::Accepted => Some(of(Reason::TransferDelivery)),
        transfer::State::Rejected => Some(of(Reason::TransferRefused)),
        transfer::State::Canceled => Some(of(Reason::TransferCanceled)),
        transfer::State::Completed => None,
    }
}

fn of_suspense(item: &SuspenseItem) -> Option<Explanation> {
    let explained = Explanation::new(Reason::Suspense(item.reason), item.id.as_uuid()).with(Fact::Amount(item.amount));
    (*item.state == suspense::State::Open).then_some(explained)
}

/// Payments of every kind.
fn of_payments(world: &World, id: Uuid) -> Option<Explanation> {
    let of = |reason| Explanation::new(reason, id);
    if let Some(item) = world.bankgiro.get(BankgiroItemId::from_uuid(id)) {
        return (item.books > world.now).then(|| of(Reason::BankgiroBooking).until(item.books));
    }
    if let Some(payment) = world.payments.get(PaymentId::from_uuid(id)) {
        return of_payment(payment);
    }
    let session = world.mobile_payments.get(MobilePaymentId::from_uuid(id))?;
    match *session.state {
        mobile_payment::State::Pending => Some(of(Reason::Payer).timed(session.lapse_timer)),
        mobile_payment::State::Unknown => Some(of(Reason::LateAnswer).timed(session.answer_timer)),
        mobile_payment::State::Failed => Some(of(Reason::MobilePaymentFailed).with(Fact::Word(session.status_word()))),
        mobile_payment::State::Paid => None,
    }
}

fn of_payment(payment: &Payment) -> Option<Explanation> {
    let of = |reason| Explanation::new(reason, payment.id.as_uuid());
    let why = payment.reason.map(|reason| Fact::Word(reason.about()));
    match (*payment.state, payment.timer, why) {
        (payment::State::New, None, _) => Some(of(Reason::PaymentFile)),
        (payment::State::New, Some(timer), None) => Some(of(Reason::Charge).timed(Some(timer))),
        (payment::State::New, Some(timer), Some(why)) => Some(of(Reason::ChargeAgain).timed(Some(timer)).with(why)),
        (payment::State::Failed, _, why) => Some(Explanation { fact: why, ..of(Reason::PaymentFailed) }),
        (payment::State::Paid | payment::State::Refunded, ..) => None,
    }
}

fn of_journey(world: &World, id: JourneyId) -> Option<Explanation> {
    let found = world.journeys.get(id)?;
    let of = |reason| Explanation::new(reason, id.as_uuid());
    let ended = |reason| match found.error_code {
        Some(code) => of(reason).with(Fact::Word(code.name())),
        None => of(reason),
    };
    match *found.state {
        journey::State::New | journey::State::Pending => {
            let step = super::journey_current(world, id).map(|step| Fact::Word(step.name()));
            Some(Explanation { fact: step, ..of(Reason::Customer).until(found.expiry) })
        }
        journey::State::Canceled => Some(ended(Reason::CustomerLeft)),
        journey::State::Error => Some(ended(Reason::JourneyFailed)),
        journey::State::Expired => Some(of(Reason::JourneyExpired)),
        journey::State::Complete => None,
    }
}
