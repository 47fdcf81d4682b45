//! Corporate actions that are announced, and what they must book.
//!
//! Invariant: what is still to be booked is known before the event of the first booking. Absent on purpose: how it is
//! reckoned, which is `actions`.

use super::figures::{Ore, Steps};
use super::words::{self, Word as _};
use rust_decimal::Decimal;
use sim::identity::InstrumentId;
use sim::ids::AccountId;
use sim::records::{CorporateAct, FundType};
use sim::time::Instant;
use std::fmt;

/// Something that an action must book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Leg {
    /// Cash for an account.
    Cash(AccountId, Ore),
    /// Units of an account.
    Units {
        /// Whose.
        account: AccountId,
        /// In which fund.
        instrument: InstrumentId,
        /// In or out.
        kind: FundType,
        /// How many.
        steps: Steps,
        /// At which price, in millionths.
        price: i64,
        /// What becomes of what the holding has cost.
        cost: Cost,
    },
}

impl fmt::Display for Leg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Cash(account, ore) => write!(f, "{} to account {account}", words::cash(ore)),
            Self::Units { account, instrument, kind, steps, price, .. } => {
                let (kind, units, price) = (kind.word(), words::units_of(steps, instrument), words::price(price));
                write!(f, "`{kind}` of {units} of account {account} at {price}")
            }
        }
    }
}

/// What becomes of what a holding has cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cost {
    /// It stays.
    Stays,
    /// It goes with the units.
    Goes,
    /// So much comes.
    Comes(Decimal),
}

/// An action that was announced.
#[derive(Clone, Debug)]
pub struct Action {
    /// The fund.
    pub fund: InstrumentId,
    /// What is done to it.
    pub act: CorporateAct,
    /// How it was open before: buyable, sellable, tradable.
    pub before: (bool, bool, bool),
    /// When it is looked at next.
    pub look: Instant,
    /// What is still to be booked, once it has begun.
    pub legs: Option<Vec<Leg>>,
}
