//! One step of a run over the network: something done, an outage, a read.
//!
//! Invariant: as with generated steps, taking one away leaves the meaning of the others; a network change that does not fit (a
//! repair of what was not cut) does nothing. Absent on purpose: ids, which only a world knows.

use crate::generate::{ClientNo, Name, OrderName, Step};
use crate::shrink::Shrink;
use language::ast::{Body, Call, Network, Server, StoryStep};
use runner::drivers::Outage;
use serde_json::{Value as Json, json};
use std::fmt;

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkStep {
    /// What a step of the world level does, sent as a request or done in a browser.
    Do(Step),
    /// The network between partner and sandbox changes.
    Network(Network),
    /// The server crashes or comes back.
    Server(Server),
    /// The next order runs into a fault rule.
    Rule(Rule),
    /// The next request is struck on its way.
    MidFlightOutage(MidFlightOutage),
    /// The next few requests are sent at once, each over a connection of its own.
    AtOnce {
        /// How many.
        count: u8,
        /// Ticks before each of them is sent, as digits to base 4, the first one last.
        pauses: u8,
    },
    /// Something is read.
    Read(Read),
}

/// What happens to the next order that is posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The connection breaks before anything is done.
    DropBefore,
    /// The connection breaks when everything is done.
    DropAfter,
    /// It takes `DELAY_MS`.
    Delay,
    /// It is answered with 503, without a time to wait that was given.
    Busy,
    /// It is answered with 503, with a time to wait.
    BusyFor(u8),
}

/// Every rule.
pub(super) const RULES: [Rule; 5] = [Rule::DropBefore, Rule::DropAfter, Rule::Delay, Rule::Busy, Rule::BusyFor(7)];

/// Seconds to wait where a rule gives none (rule: wire/rate-limits).
const USUAL_WAIT: u8 = 1;

/// How long a rule keeps a request from being carried out.
pub(super) const DELAY_MS: u64 = 400;

/// Where the rules of a world are set and read.
pub(super) const FAULTS: &str = "/_sandbox/worlds/current/faults";

impl Rule {
    /// The rule as the operator reads it, unless it has hit a request.
    pub(super) fn standing(read: &Json) -> Option<Self> {
        let verdict = read.get("verdict").filter(|_| read.get("hits") == Some(&json!(0)))?;
        if let Some(answer) = verdict.get("answer") {
            // A wait that was not given may be read as none, or as the usual one.
            let wait = answer.get("retryAfter").and_then(Json::as_u64).unwrap_or_else(|| u64::from(USUAL_WAIT));
            return RULES.into_iter().find(|rule| rule.retry_after().map(u64::from) == Some(wait));
        }
        RULES.into_iter().find(|rule| rule.verdict() == *verdict)
    }

    /// Seconds that whom it hits is to wait, where it answers by itself.
    pub(super) const fn retry_after(self) -> Option<u8> {
        match self {
            Self::Busy => Some(USUAL_WAIT),
            Self::BusyFor(seconds) => Some(seconds),
            Self::DropBefore | Self::DropAfter | Self::Delay => None,
        }
    }

    fn verdict(self) -> Json {
        match self {
            Self::DropBefore => json!({ "drop": "before" }),
            Self::DropAfter => json!({ "drop": "after" }),
            Self::Delay => json!({ "delay": { "ms": DELAY_MS } }),
            Self::Busy => json!({ "answer": { "status": 503 } }),
            Self::BusyFor(seconds) => json!({ "answer": { "status": 503, "retryAfter": seconds } }),
        }
    }

    /// The step that sets it for the next request of this method to such a path.
    pub(super) fn step(self, method: &str, path: &str) -> StoryStep {
        let on = json!({ "method": method, "path": path, "times": 1 });
        StoryStep::from(Call {
            method: "POST".to_owned(),
            path: FAULTS.to_owned(),
            body: Body::Json(json!({ "match": on, "verdict": self.verdict() })),
            ..Call::default()
        })
    }
}

/// What strikes a request on its way, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MidFlightOutage {
    /// What strikes.
    pub outage: Outage,
    /// How many ticks of the simulation after the request was sent.
    pub ticks: u8,
}

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
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
    /// A list, kept to what is like one of its items in one way.
    Filtered {
        /// Whose.
        client: ClientNo,
        /// Which.
        list: List,
        /// Which of its items, newest first.
        item: u8,
        /// Which of the list's filters.
        filter: u8,
        /// How far the value is from the item's own.
        near: Near,
        /// A further filter with the item's own value, and how many items at most; 0 is neither.
        further: (u8, u8),
    },
    /// Anything else that a client has.
    Other {
        /// Whose.
        client: ClientNo,
        /// What.
        resource: Resource,
        /// Which of them, newest first.
        item: u8,
    },
    /// Something, by somebody who has no right to it.
    Foreign {
        /// Whose.
        client: ClientNo,
        /// What.
        of: Private,
        /// Which of them, newest first.
        item: u8,
        /// By whom.
        by: UnauthorisedCaller,
        /// Whether it is to be removed rather than read.
        remove: bool,
    },
}

/// How far the value of a filter is from that of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Near {
    /// It is the same.
    Same,
    /// It lacks the last character, where it is a text of the partner's.
    Short,
    /// It has a character more, where it is a text of the partner's.
    Long,
    /// It is a millisecond or a day earlier, where it is an instant or a day.
    Earlier,
    /// It is a millisecond or a day later.
    Later,
    /// It is that of an item of another client.
    Others,
}

/// Every distance; the same value comes most often.
pub const NEAR: &[Near] =
    &[Near::Same, Near::Same, Near::Same, Near::Short, Near::Long, Near::Earlier, Near::Later, Near::Others];

/// What a client has beside orders and accounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// The client itself.
    Client,
    /// The funds it offers.
    Universe,
    /// A fund it offers.
    Instrument,
    /// Past prices of a fund.
    Prices,
    /// A cash transaction.
    Cash,
    /// A fund transaction.
    Units,
    /// A journey.
    Journey,
    /// Its allocation plans.
    AllocationPlans,
    /// The savings plan of an account.
    SavingsPlan,
    /// The KYC status of an account.
    Kyc,
    /// The transfers to an account.
    Transfers,
    /// How much may be taken out of an account.
    Limit,
    /// The daily returns of an account.
    AccountReturns,
    /// The daily returns of an owner.
    OwnerReturns,
    /// A mobile payment.
    MobilePayment,
    /// A payment instruction.
    Instruction,
    /// The payments of an instruction.
    Payments,
}

/// Every resource beside orders and accounts.
pub const RESOURCES: &[Resource] = &[
    Resource::Client,
    Resource::Universe,
    Resource::Instrument,
    Resource::Prices,
    Resource::Cash,
    Resource::Units,
    Resource::Journey,
    Resource::AllocationPlans,
    Resource::SavingsPlan,
    Resource::Kyc,
    Resource::Transfers,
    Resource::AccountReturns,
    Resource::Limit,
    Resource::OwnerReturns,
    Resource::MobilePayment,
    Resource::Instruction,
    Resource::Payments,
];

/// What only a client and its partner may see, by an id of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Private {
    /// An item of a list.
    Listed(List),
    /// Something else.
    Other(Resource),
}

/// Everything private.
pub const PRIVATE: &[Private] = &[
    Private::Listed(List::Accounts),
    Private::Listed(List::Orders),
    Private::Listed(List::Cash),
    Private::Listed(List::Units),
    Private::Other(Resource::Journey),
    Private::Other(Resource::AllocationPlans),
    Private::Other(Resource::SavingsPlan),
    Private::Other(Resource::Kyc),
    Private::Other(Resource::Transfers),
    Private::Other(Resource::Limit),
    Private::Other(Resource::Instruction),
    Private::Other(Resource::Payments),
    Private::Other(Resource::AccountReturns),
    Private::Other(Resource::MobilePayment),
    Private::Other(Resource::MobilePayment),
    Private::Other(Resource::Client),
    Private::Other(Resource::Universe),
    Private::Other(Resource::Prices),
];

/// Who has no right to something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnauthorisedCaller {
    /// Another client of the same partner.
    Client,
    /// Another partner.
    Partner,
    /// Its own partner, with a token for other things.
    Token,
}

impl fmt::Display for UnauthorisedCaller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Client => "another client of the same partner",
            Self::Partner => "another partner",
            Self::Token => "its own partner, with a token for other things,",
        })
    }
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

impl Shrink for NetworkStep {
    fn candidates(&self) -> Vec<Self> {
        match self {
            Self::Do(step) => step.candidates().into_iter().map(Self::Do).collect(),
            Self::Read(Read::Filtered { client, list, item, filter, near, further }) if *further != (0, 0) => {
                let read = |further| Read::Filtered {
                    client: *client,
                    list: *list,
                    item: *item,
                    filter: *filter,
                    near: *near,
                    further,
                };
                vec![Self::Read(read((0, 0))), Self::Read(read((further.0, 0))), Self::Read(read((0, further.1)))]
            }
            Self::Read(Read::Pages { client, list, limit }) if *limit > 2 => {
                vec![Self::Read(Read::Pages { client: *client, list: *list, limit: 2 })]
            }
            Self::AtOnce { count: count @ 3.., pauses } => vec![Self::AtOnce { count: count - 1, pauses: *pauses }],
            Self::AtOnce { count, pauses: 1.. } => vec![Self::AtOnce { count: *count, pauses: 0 }],
            Self::MidFlightOutage(MidFlightOutage { outage, ticks: ticks @ 1.. }) => {
                vec![Self::MidFlightOutage(MidFlightOutage { outage: *outage, ticks: ticks - 1 })]
            }
            _ => Vec::new(),
        }
    }

    fn weight(&self) -> u32 {
        match self {
            Self::Do(step) => step.weight(),
            Self::Read(Read::Pages { limit, .. }) => u32::from(*limit > 2),
            Self::Read(Read::Filtered { further, .. }) => u32::from(further.0.min(1)) + u32::from(further.1.min(1)),
            Self::AtOnce { count, pauses } => u32::from(*count) + u32::from(*pauses > 0),
            Self::MidFlightOutage(strike) => u32::from(strike.ticks),
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
