//! What a law expects that a reader can see: the last line of a saved failure.
//!
//! Absent on purpose: how it is asked for; a story turns a claim into steps of a scenario file.

use crate::model::fee_files::Pot;
use crate::model::figures::{self, Ore};
use sim::Command;
use sim::identity::{InstrumentId, PersonalNumber};
use sim::ids::{AccountId, ClientId, InstructionId, JourneyId, OrderId};
use sim::query::{OrderFilter, TransactionFilter};
use sim::records::{CashTransaction, JourneyStep};
use sim::store::Window;
use sim::time::Date;

/// Something that should be so at an instant, in the API's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// An order has these fields.
    Order(OrderId, Fields),
    /// An order's transactions have these fields: cash first, then units; `None` where there must be none.
    Transactions {
        /// Which order.
        order: OrderId,
        /// Fields of its one subscription or redemption in cash.
        cash: Option<Fields>,
        /// Fields of its one fund transaction.
        units: Option<Fields>,
    },
    /// One item of a list of an account's has these fields.
    Lists(AccountId, Items, Fields),
    /// No item of a list of an account's has all of these fields.
    ListsNot(AccountId, Items, Fields),
    /// A client's list holds the records of these ids in this order.
    Listed(ClientId, ListQuery, Window, Vec<String>),
    /// An account has this balance.
    Cash(AccountId, String),
    /// An account has these units.
    Units(AccountId, InstrumentId, String),
    /// A past day of an account has these fields.
    Returned(AccountId, Date, Fields),
    /// The units of an account have cost so much each.
    Gav(AccountId, InstrumentId, String),
    /// An account can spend exactly this much.
    Spendable(AccountId, String),
    /// An account can sell exactly this many units.
    Sellable(AccountId, InstrumentId, String),
    /// A journey has these fields.
    Journey(JourneyId, Fields),
    /// A journey shows exactly these steps, in this order.
    Steps(JourneyId, Vec<Fields>),
    /// A step of a journey asks fields like these: exactly these, or at least these.
    Asks {
        /// Which journey.
        journey: JourneyId,
        /// Which step.
        step: JourneyStep,
        /// Its fields.
        fields: Vec<Fields>,
        /// Whether it asks nothing else.
        all: bool,
    },
    /// The partner's server got exactly one callback of a journey, with this status.
    Callback(JourneyId, &'static str),
    /// What belongs to an account, read there, has these fields.
    Read(AccountId, String, Fields),
    /// A payment of an instruction of the client's has these fields.
    Payment(ClientId, InstructionId, Fields),
    /// What was taken for a client of fees by that word waits or was paid on so.
    FeesPaidOn(ClientId, &'static str, Pot),
    /// The last request is answered with this status.
    Answer(u16),
    /// What somebody else asks in place of the last request is answered with this status.
    Foreign(Box<Command>, u16),
    /// Since the last step, an order's events have these statuses.
    Events(OrderId, Vec<&'static str>),
}

/// Fields and what they are.
pub type Fields = Vec<(&'static str, Fact)>;

/// A list of an account's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Items {
    /// Its cash transactions.
    Cash,
    /// Its fund transactions.
    Units,
    /// Its orders.
    Orders,
    /// Its transfers from other custodians.
    Transfers,
    /// The bank accounts of its owner.
    BankAccounts,
}

/// A list of a client's, and which of its records it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListQuery {
    /// Orders.
    Orders(OrderFilter),
    /// Cash transactions.
    Cash(TransactionFilter),
    /// Fund transactions.
    Units(TransactionFilter),
    /// Accounts, of one owner or of all.
    Accounts(Option<PersonalNumber>),
}

/// A value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A text.
    Text(String),
    /// A number, digit for digit.
    Number(String),
    /// Null.
    Null,
    /// `true` or `false`.
    Flag(bool),
    /// Texts, in this order and no more.
    Texts(Vec<String>),
}

impl Claim {
    /// That this transaction is not there: by all that tells it from others, since another may have its id or its amount.
    pub(super) fn not_booked(cash: &CashTransaction) -> Self {
        let reference = cash.reference.as_deref().map_or(Fact::Null, Fact::text);
        let amount = Fact::money(figures::ore(cash.amount));
        let fields = vec![("id", Fact::text(cash.id)), ("ref", reference), ("amount", amount)];
        Self::ListsNot(cash.account, Items::Cash, fields)
    }
}

impl Fact {
    /// An amount of money.
    pub(super) fn money(ore: Ore) -> Self {
        Self::Number(figures::amount(ore).to_string())
    }

    /// A text.
    pub(super) fn text(text: impl ToString) -> Self {
        Self::Text(text.to_string())
    }

    /// A day as answers have it, or null.
    pub(super) fn day(day: Option<Date>) -> Self {
        day.map_or(Self::Null, |day| Self::Text(format!("{day}T00:00:00.000Z")))
    }
}
