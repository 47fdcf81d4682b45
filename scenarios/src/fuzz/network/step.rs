//! One step of a run over the network: something done, a bad day, a look.
//!
//! Invariant: as with generated steps, taking one away leaves the meaning of the others; weather that does not fit (a
//! repair of what was not cut) does nothing. Absent on purpose: ids, which only a world can tell.

use crate::ast::{Network, Server};
use crate::generate::{ClientNo, Name, OrderName, Step};
use crate::shrink::Plainer;

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trial {
    /// What a step of the world level does, sent as a request or done in a browser.
    Do(Step),
    /// The network between partner and sandbox changes.
    Weather(Network),
    /// The server crashes or comes back.
    Server(Server),
    /// The next order has a bad day.
    Rule(Rule),
    /// Something is read.
    Look(Look),
}

/// What happens to the next order that is posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The connection breaks before anything is done.
    DropBefore,
    /// The connection breaks when everything is done.
    DropAfter,
    /// It takes 400 milliseconds.
    Delay,
}

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// An order.
    Order(OrderName),
    /// An account.
    Account(Name),
    /// A list, page by page.
    Pages {
        /// Whose.
        client: ClientNo,
        /// Which.
        list: List,
        /// How many a page; at least 2.
        limit: u8,
    },
}

/// Lists that are read page by page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// Accounts.
    Accounts,
    /// Orders.
    Orders,
    /// Cash transactions.
    Cash,
    /// Fund transactions.
    Units,
}

/// Every list.
pub const LISTS: &[List] = &[List::Accounts, List::Orders, List::Cash, List::Units];

impl List {
    /// Its path below the client.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Accounts => "/account",
            Self::Orders => "/order",
            Self::Cash => "/transaction/cash",
            Self::Units => "/transaction/fund",
        }
    }
}

impl Plainer for Trial {
    fn plainer(&self) -> Vec<Self> {
        match self {
            Self::Do(step) => step.plainer().into_iter().map(Self::Do).collect(),
            Self::Look(Look::Pages { client, list, limit }) if *limit > 2 => {
                vec![Self::Look(Look::Pages { client: *client, list: *list, limit: 2 })]
            }
            _ => Vec::new(),
        }
    }

    fn weight(&self) -> u32 {
        match self {
            Self::Do(step) => step.weight(),
            Self::Look(Look::Pages { limit, .. }) => u32::from(*limit > 2),
            _ => 0,
        }
    }

    fn numbers(&self) -> Vec<(u64, u64)> {
        match self {
            Self::Do(step) => step.numbers(),
            _ => Vec::new(),
        }
    }

    fn with_number(&self, at: usize, value: u64) -> Self {
        match self {
            Self::Do(step) => Self::Do(step.with_number(at, value)),
            other => *other,
        }
    }

    fn folded(&self, next: &Self) -> Option<Self> {
        match (self, next) {
            (Self::Do(one), Self::Do(other)) => one.folded(other).map(Self::Do),
            _ => None,
        }
    }
}
