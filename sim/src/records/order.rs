//! A fund order. Its life is the table in `machines/order.rs`.

use super::Stamp;
use crate::identity::{InstrumentId, PersonalNumber};
use crate::ids::{
    AccountId, AggregateId, BankAccountId, CashTransactionId, ClientId, FundTransactionId, OrderId, SortedId,
};
use crate::machines::Current;
use crate::machines::order::State;
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
    /// A plan of the account, by the checks that a partner's order passes (rule: payments/plan-orders).
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
    /// The fee for changing money, once it has been debited (rule: payments/currency-fee).
    pub fee_transaction: Option<CashTransactionId>,
    /// The timer that moves it on by itself, if one is set.
    pub timer: Option<TimerKey>,
}
