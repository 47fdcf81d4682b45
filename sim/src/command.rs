//! Everything that anyone can ask of a world: partner calls, customer acts, back-office acts, market acts.
//!
//! (setup, seed, start, list of (instant, command)) is a run; commands are serialisable so that a run can be kept.
//! Shapes only: whether a command is acceptable is decided by its flow.

use crate::identity::{Iban, InstrumentId, PersonalNumber};
use crate::ids::{AccountId, BankAccountId, ClientId, OrderId, PartnerId};
use crate::money::{Amount, Price, Units};
use crate::records::{AccountType, Category, MandateStatus, Owner, ServiceType, Side};
use crate::time::Date;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Who asks, and under which client. The world refuses what lies outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Scope {
    /// The partner whose credentials were shown.
    pub partner: PartnerId,
    /// The client named in the request.
    pub client: ClientId,
}

/// A request to change the world.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Command {
    /// Partner: subscribe or redeem. Replies with the order.
    PlaceOrder(PlaceOrder),
    /// Partner: all checks of `PlaceOrder`, nothing created (`decisions 1.6/89`).
    ValidateOrder(PlaceOrder),
    /// Partner: cancel. Replies with the order.
    CancelOrder {
        /// Who asks.
        scope: Scope,
        /// Which order.
        order: OrderId,
    },
    /// Platform: an account at once, without a journey. Replies with the account.
    OpenAccount(OpenAccount),
    /// Back office: park an order. Replies with the order.
    HoldOrder {
        /// Who asks; only the order's own partner may.
        partner: PartnerId,
        /// Which order.
        order: OrderId,
    },
    /// Back office: let a parked order go on. Replies with the order.
    ReleaseOrder {
        /// Who asks.
        partner: PartnerId,
        /// Which order.
        order: OrderId,
    },
    /// Fund company: refuse the aggregated order that took it, or stop it before that. Replies with the order.
    RejectOrder {
        /// Who asks.
        partner: PartnerId,
        /// Which order.
        order: OrderId,
    },
    /// Fund company: publish or correct a price. Replies with the instrument.
    SetPrice(SetPrice),
    /// Fund company: open or close trading. Replies with the instrument.
    SetTrading(SetTrading),
    /// Fund company: publish the next price late. Replies with the instrument.
    DelayNav {
        /// Which fund.
        instrument: InstrumentId,
        /// How many bank days late; at least 1.
        bank_days: u32,
    },
    /// Bank: a payout comes back (`decisions 2.14`). Replies with the correction.
    BouncePayout {
        /// Who asks.
        partner: PartnerId,
        /// The payout's cash transaction.
        transaction: crate::ids::CashTransactionId,
    },
}

/// A subscription or a redemption, with what becomes of its cash.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PlaceOrder {
    /// Who asks.
    pub scope: Scope,
    /// Account to work on.
    pub account: AccountId,
    /// Subscription or redemption.
    pub side: Side,
    /// Fund, as asked for; may be unknown.
    pub instrument: InstrumentId,
    /// Required on a subscription, forbidden on a redemption.
    pub amount: Option<Amount>,
    /// Required on a redemption, forbidden on a subscription.
    pub units: Option<Units>,
    /// Free text up to 255 characters.
    pub client_ref: Option<Arc<str>>,
    /// Who gives the order.
    pub executor: Option<PersonalNumber>,
    /// Where a redemption's cash goes.
    pub proceeds: AskedProceeds,
}

/// What is asked to become of a redemption's cash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AskedProceeds {
    /// A plain order.
    Keep,
    /// `order/withdrawal`: requires an executor.
    PayOut(BankAccountId),
    /// `order/redemptionTransfer`: requires an executor.
    Transfer(AccountId),
}

/// An account at once.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OpenAccount {
    /// Who asks.
    pub scope: Scope,
    /// Kind of account.
    pub account_type: AccountType,
    /// Owner; one is made from the seed when none is given.
    pub owner: Option<Owner>,
    /// Shown name; by type when none is given (`decisions 1.3/26`).
    pub name: Option<Arc<str>>,
    /// Investment service.
    pub service_type: ServiceType,
    /// MiFID II classification.
    pub category: Category,
    /// Opening cash; zero for none.
    pub cash: Amount,
    /// Opening positions.
    pub positions: Vec<(InstrumentId, Units)>,
    /// Bank accounts of the owner.
    pub bank_accounts: Vec<OpenBankAccount>,
    /// Whether the owner has answered the appropriateness question.
    pub fund_knowledge: bool,
}

/// A bank account that comes with an account.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OpenBankAccount {
    /// ISO 13616.
    pub iban: Iban,
    /// The owner's name for it.
    pub name: Option<Arc<str>>,
    /// Whether the account check has passed.
    pub validated: bool,
    /// Autogiro mandate.
    pub mandate: MandateStatus,
}

/// A price by lever.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SetPrice {
    /// Which fund.
    pub instrument: InstrumentId,
    /// In the fund's currency; within half and double of the price before (`decisions 2.10`).
    pub close_price: Price,
    /// Its dealing day: a published day without executions is corrected, a coming one is set in advance and published
    /// at its time. Without it, the latest published day.
    pub price_date: Option<Date>,
}

/// Trading flags by lever; `None` leaves a flag as it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SetTrading {
    /// Which fund.
    pub instrument: InstrumentId,
    /// Open for subscriptions.
    pub is_buyable: Option<bool>,
    /// Open for redemptions.
    pub is_sellable: Option<bool>,
    /// Not suspended. `false` closes both sides.
    pub is_tradable: Option<bool>,
}
