//! What a law expects that a reader can see: the last line of a saved failure.
//!
//! Absent on purpose: how it is asked for; a story turns a claim into steps of a scenario file.

use crate::model::fee_files::Pot;
use sim::Command;
use sim::identity::InstrumentId;
use sim::ids::{AccountId, ClientId, InstructionId, JourneyId, OrderId};
use sim::time::Date;

/// Something that should be so at an instant, in the API's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// An order has these fields.
    Order(OrderId, Vec<(&'static str, Fact)>),
    /// An order's transactions have these fields: cash first, then units; `None` where there must be none.
    Transactions {
        /// Which order.
        order: OrderId,
        /// Fields of its one subscription or redemption in cash.
        cash: Option<Vec<(&'static str, Fact)>>,
        /// Fields of its one fund transaction.
        units: Option<Vec<(&'static str, Fact)>>,
    },
    /// One of an account's cash transactions has these fields.
    Booked(AccountId, Vec<(&'static str, Fact)>),
    /// An account has this balance.
    Cash(AccountId, String),
    /// An account has these units.
    Units(AccountId, InstrumentId, String),
    /// A past day of an account has these fields.
    Returned(AccountId, Date, Vec<(&'static str, Fact)>),
    /// The units of an account have cost so much each.
    Gav(AccountId, InstrumentId, String),
    /// An account can spend exactly this much.
    Spendable(AccountId, String),
    /// An account can sell exactly this many units.
    Sellable(AccountId, InstrumentId, String),
    /// A journey has these fields.
    Journey(JourneyId, Vec<(&'static str, Fact)>),
    /// The partner's server got exactly one callback of a journey, with this status.
    Callback(JourneyId, &'static str),
    /// A plan of an account, read there, has these fields.
    Plan(AccountId, String, Vec<(&'static str, Fact)>),
    /// A payment of an instruction of the client's has these fields.
    Payment(ClientId, InstructionId, Vec<(&'static str, Fact)>),
    /// What was taken for a client of fees by that word waits or was paid on so.
    FeesPaidOn(ClientId, &'static str, Pot),
    /// The last request is answered with this status.
    Answer(u16),
    /// What somebody else asks in place of the last request is answered with this status.
    Foreign(Box<Command>, u16),
    /// Since the last step, an order's events have these statuses.
    Events(OrderId, Vec<&'static str>),
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
