//! A fund order. Its life is the table in `machines/order.rs`.

use super::Stamp;
use crate::identity::{InstrumentId, PersonalNumber};
use crate::ids::{
    AccountId, AggregateId, BankAccountId, CashTransactionId, ClientId, FundTransactionId, OrderId, SortedId,
};
use crate::machines::Current;
use crate::machines::order::{State, Trigger};
use crate::money::{Amount, Price, Units};
use crate::time::{Date, Instant};
use crate::timers::TimerKey;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Buying or selling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Side {
    /// Cash for units.
    Subscription,
    /// Units for cash.
    Redemption,
}

/// What becomes of a redemption's cash at settlement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Proceeds {
    /// It stays on the account.
    Keep,
    /// It is paid out to this bank account (rule: orders/order-withdrawal).
    PayOut(BankAccountId),
    /// It moves to this account of the same owner (rule: orders/redemption-transfer).
    Transfer(AccountId),
}

/// Who placed an order: it decides what may stop it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PlacedBy {
    /// The partner.
    Partner,
    /// A plan of the account, by the checks that a partner's order passes (rule: plans/plan-orders).
    Plan,
    /// The platform: fees, refunds, closing (rule: accounts/system-orders).
    Platform,
}

/// What an execution fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Trade {
    /// The dealing day whose price was used.
    pub date: Date,
    /// Price in the fund's currency.
    pub price: Price,
    /// Day on which units and cash are to be posted.
    pub settlement: Date,
}

/// A check that parks an order (rule: orders/hold-reasons).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ParkingCheck {
    /// The owner is on a list of sanctions.
    Sanctions,
    /// The fund takes no orders on that side.
    ClosedFund,
    /// The owner's KYC has expired.
    ExpiredKyc,
    /// The order is larger than `holdAbove`.
    LargeOrder,
    /// The fund is complex and the owner has not shown that they know such funds.
    FundKnowledge,
    /// The back office asked for it.
    BackOffice,
}

impl ParkingCheck {
    /// Every check.
    pub const ALL: [Self; 6] =
        [Self::Sanctions, Self::ClosedFund, Self::ExpiredKyc, Self::LargeOrder, Self::FundKnowledge, Self::BackOffice];

    /// Its word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sanctions => "sanctions",
            Self::ClosedFund => "closedFund",
            Self::ExpiredKyc => "expiredKyc",
            Self::LargeOrder => "largeOrder",
            Self::FundKnowledge => "fundKnowledge",
            Self::BackOffice => "backOffice",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The checks that an order did not pass: a bit each, since a world holds a great many orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ParkedBy(u8);

impl ParkedBy {
    /// The checks, in the order of `ParkingCheck::ALL`.
    pub fn checks(self) -> impl Iterator<Item = ParkingCheck> {
        ParkingCheck::ALL.into_iter().filter(move |check| self.0 & check.bit() != 0)
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<ParkingCheck> for ParkedBy {
    fn from_iter<I: IntoIterator<Item = ParkingCheck>>(checks: I) -> Self {
        Self(checks.into_iter().fold(0, |bits, check| bits | check.bit()))
    }
}

/// A fund order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Order {
    /// Public id.
    pub id: OrderId,
    /// Position in listings.
    pub sorted_id: SortedId,
    /// Client under which it was placed.
    pub client: ClientId,
    /// Account it works on.
    pub account: AccountId,
    /// Subscription or redemption.
    pub side: Side,
    /// Fund.
    pub instrument: InstrumentId,
    /// Ordered amount of a subscription; a redemption's is filled when the price is known
    /// (rule: orders/filled-in-later).
    pub amount: Option<Amount>,
    /// Ordered units of a redemption; a subscription's are filled when the price is known.
    pub units: Option<Units>,
    /// Where a redemption's cash goes.
    pub proceeds: Proceeds,
    /// The partner's own reference, echoed and copied to the transactions.
    pub client_ref: Option<Arc<str>>,
    /// Who gave the order.
    pub executor: Option<PersonalNumber>,
    /// Who placed it.
    pub placed_by: PlacedBy,
    /// Place in the table.
    pub state: Current<State>,
    /// Creation and change.
    pub stamp: Stamp,
    /// When it was canceled.
    pub canceled: Option<Instant>,
    /// What canceled it.
    pub canceled_on: Option<Trigger>,
    /// What parked it last; nothing once it was released.
    pub parked_by: ParkedBy,
    /// Since when it has been on its way to a cut-off: creation, or release from hold (rule: calendar/cut-off).
    pub ready_since: Instant,
    /// The aggregated order that took it.
    pub aggregate: Option<AggregateId>,
    /// What the execution fixed.
    pub trade: Option<Trade>,
    /// Its cash transaction, once there is one.
    pub cash_transaction: Option<CashTransactionId>,
    /// Its fund transaction, once there is one.
    pub fund_transaction: Option<FundTransactionId>,
    /// The fee for changing money, once it has been debited (rule: fees/currency-fee).
    pub fee_transaction: Option<CashTransactionId>,
    /// The timer that moves it on by itself, if one is set.
    pub timer: Option<TimerKey>,
}
