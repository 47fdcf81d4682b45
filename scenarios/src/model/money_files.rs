//! What the model keeps of money on its way in: instructions, payments, savings plans, and what must be told of them.
//!
//! Absent on purpose: how it moves, which is `money_in`.

use super::calendar::Day;
use super::figures::Ore;
use sim::identity::{AccountRef, InstrumentId};
use sim::ids::{AccountId, BankAccountId, ClientId, PaymentId, SavingsPlanId};
use sim::records::BankgiroItem;
use sim::store::Map;
use sim::time::Instant;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
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
    /// Bookings that must be told now, in order.
    pub bookings: VecDeque<Booking>,
    /// Orders of plans that must be told now, in order.
    pub orders: VecDeque<(AccountId, InstrumentId, Ore)>,
    /// What has gone into suspense, in order.
    pub suspense: Vec<Ore>,
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

/// An instruction.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    pub(super) client: ClientId,
    pub(super) payments: Vec<usize>,
    pub(super) reference: Option<AccountRef>,
}

/// How far a payment has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    New,
    Deposited,
    Suspended,
    Failed,
    Refunded,
}

#[derive(Clone, Debug)]
pub(super) struct PaymentFile {
    pub(super) id: Option<PaymentId>,
    pub(super) client: ClientId,
    pub(super) account: AccountId,
    pub(super) ore: Ore,
    pub(super) client_ref: Option<Arc<str>>,
    pub(super) savings: Option<Savings>,
    pub(super) charged: bool,
    pub(super) bank: Option<BankAccountId>,
    pub(super) due: Option<Day>,
    pub(super) attempts: u32,
    pub(super) place: Place,
}

#[derive(Clone, Debug)]
pub(super) struct Savings {
    pub(super) plan: SavingsPlanId,
    pub(super) bank: BankAccountId,
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
    pub parts: Option<Vec<(InstrumentId, Ore)>>,
}
