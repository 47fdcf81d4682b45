//! What the model keeps of money on its way in: instructions, payments, savings plans, and what must be shown of them.
//!
//! Absent on purpose: how it moves, which is `money_in`.

use super::calendar::Day;
use super::figures::Ore;
use super::words::or_none;
use sim::identity::{AccountRef, InstrumentId};
use sim::ids::{AccountId, AllocationPlanId, BankAccountId, ClientId, InstructionId, PaymentId, SavingsPlanId};
use sim::records::{BankgiroItem, PlanRunStatus};
use sim::store::Map;
use sim::time::{Date, Instant};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::sync::Arc;

/// Money on its way in.
#[derive(Clone, Debug, Default)]
pub struct MoneyIn {
    pub(super) due: BTreeMap<(Instant, u64), Due>,
    pub(super) planned: u64,
    pub(super) batches: Vec<Batch>,
    pub(super) payments: Vec<PaymentFile>,
    pub(super) by_id: Map<PaymentId, usize>,
    pub(super) refs: BTreeSet<(ClientId, Arc<str>)>,
    pub(super) charges: Map<BankAccountId, (u32, u32)>,
    pub(super) saving: Map<AccountId, Saving>,
    /// Mandates that their payers have revoked by themselves, and when.
    pub revoked: Map<BankAccountId, Instant>,
    /// Bookings that events must show now, in order.
    pub bookings: VecDeque<Booking>,
    /// Orders of plans that events must show now, in order.
    pub orders: VecDeque<(AccountId, InstrumentId, Ore)>,
    /// What has gone into suspense, in order.
    pub suspense: Vec<Ore>,
    /// The last run of each plan that has had one.
    pub runs: Map<PlanId, Run>,
    /// Accounts whose plans have run since they were looked at.
    pub(super) ran: BTreeSet<AccountId>,
    /// What was met of charges, and how often.
    pub met: BTreeMap<ChargeOutcome, u64>,
    /// Instructions whose payments have moved since they were looked at.
    pub(super) moved: BTreeSet<usize>,
}

impl MoneyIn {
    /// The partner's reference of a payment.
    pub(super) fn client_ref(&self, payment: PaymentId) -> Option<Arc<str>> {
        self.by_id.get(&payment).and_then(|&place| self.payments[place].client_ref.clone())
    }
}

/// Something that happens by itself.
#[derive(Clone, Debug)]
pub(super) enum Due {
    Cut(usize),
    Charge(usize),
    Run(AccountId, u32, i32),
    Bankgiro(Arc<BankgiroItem>),
}

/// A plan of either kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlanId {
    /// Monthly purchases.
    Savings(SavingsPlanId),
    /// How deposits are distributed.
    Allocation(AllocationPlanId),
}

impl fmt::Display for PlanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Savings(id) => write!(f, "savings plan {id}"),
            Self::Allocation(id) => write!(f, "allocation plan {id}"),
        }
    }
}

/// What a plan must show of its last run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Since when the plan shows it.
    pub at: Instant,
    /// The day of the run, which is before that where a charge came in between.
    pub day: Day,
    /// How much of it could be done.
    pub status: PlanRunStatus,
    /// Why not all of it.
    pub reasons: Vec<String>,
}

/// An instruction; a savings plan's own has no id that anybody knows.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    pub(super) id: Option<InstructionId>,
    /// Whether its file has gone to the banks.
    pub(super) is_cut: bool,
    pub(super) client: ClientId,
    pub(super) payments: Vec<usize>,
    pub(super) reference: Option<AccountRef>,
}

/// How far a payment has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PaymentState {
    New,
    Deposited,
    Suspended,
    Failed,
    Refunded,
}

/// How an attempt to charge a payment ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChargeOutcome {
    /// Nobody had given a mandate.
    NoMandate,
    /// The mandate had become invalid since the file was closed.
    InvalidMandate,
    /// There was no money yet.
    TriedAgain,
    /// There was none at the last attempt either.
    NoMoney,
    /// At once.
    Paid,
    /// Not at the first attempt.
    PaidLater,
}

impl ChargeOutcome {
    /// All that runs should meet.
    pub const ALL: [Self; 6] =
        [Self::NoMandate, Self::InvalidMandate, Self::TriedAgain, Self::NoMoney, Self::Paid, Self::PaidLater];

    /// In words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoMandate => "a charge without a mandate",
            Self::InvalidMandate => "a charge over a mandate that has become invalid",
            Self::TriedAgain => "a charge that is tried again",
            Self::NoMoney => "a charge that fails at its last attempt",
            Self::Paid => "a charge that is paid at once",
            Self::PaidLater => "a charge that is paid at a later attempt",
        }
    }
}

/// A code of the scheme (rule: payments/payment-reason-codes).
pub type Code = &'static str;

/// What the codes mean.
const CODES: &[(Code, &str)] = &[
    ("1", "not enough money"),
    ("9", "not enough money so far, the charge is tried again"),
    ("2", "the account is closed or unknown to autogiro"),
    ("01", "there is no mandate"),
    ("02", "the account is closed or not approved"),
    ("03", "the mandate is stopped"),
    ("12", "the payment date is wrong"),
    ("24", "the amount is above what the mandate allows"),
];

/// What a code means.
#[must_use]
pub fn meaning(code: Code) -> &'static str {
    CODES.iter().find(|row| row.0 == code).map_or("a code that no bank gives", |row| row.1)
}

#[derive(Clone, Debug)]
pub(super) struct PaymentFile {
    pub(super) id: Option<PaymentId>,
    /// The place of its instruction.
    pub(super) batch: usize,
    pub(super) client: ClientId,
    pub(super) account: AccountId,
    pub(super) ore: Ore,
    pub(super) client_ref: Option<Arc<str>>,
    pub(super) savings: Option<Savings>,
    pub(super) charged: bool,
    pub(super) bank: Option<BankAccountId>,
    pub(super) due: Option<Day>,
    pub(super) attempts: u32,
    pub(super) place: PaymentState,
    /// Why it was not paid, for good or so far.
    pub(super) code: Option<Code>,
}

/// An instruction as it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instructed {
    /// Its id.
    pub id: InstructionId,
    /// Whose.
    pub client: ClientId,
    /// Its status.
    pub status: &'static str,
    /// Its payments, as they were given.
    pub payments: Vec<ExpectedInstruction>,
}

/// The status that a payment must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectedInstruction {
    /// `new` or `completed`.
    pub status: &'static str,
    /// Why it was not paid, for good or so far.
    pub code: Option<Code>,
    /// The day on which it is due, once its file is cut.
    pub due: Option<Date>,
    /// How often a bank was asked for it.
    pub attempts: u32,
    /// The bank account to charge.
    pub bank: Option<BankAccountId>,
}

impl fmt::Display for ExpectedInstruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { status, code, due, attempts, bank } = self;
        let (code, due, bank) = (or_none(*code), or_none(*due), or_none(*bank));
        write!(f, "{status}, reason code {code}, due {due}, asked {attempts} times of bank account {bank}")
    }
}

/// What a payment of a savings plan is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Savings {
    pub(super) plan: SavingsPlanId,
    pub(super) bank: BankAccountId,
    /// The day of its run.
    pub(super) day: Day,
    pub(super) parts: Vec<(InstrumentId, Ore)>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Saving {
    pub(super) generation: u32,
    pub(super) ran: Option<i32>,
}

/// What a booking is made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A payment by that id; a savings plan's is known to nobody before.
    Payment(Option<PaymentId>),
    /// Any other money: its transaction refers to this text and shows that one.
    Other(Arc<str>, Arc<str>),
}

/// A booking that must come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Booking {
    /// When.
    pub at: Instant,
    /// On which account.
    pub account: AccountId,
    /// How much.
    pub ore: Ore,
    /// The partner's reference that it carries.
    pub client_ref: Option<Arc<str>>,
    /// What it is made for.
    pub reason: Reason,
    /// What a savings plan buys with it; none where the allocation plan does.
    pub savings: Option<Savings>,
}
