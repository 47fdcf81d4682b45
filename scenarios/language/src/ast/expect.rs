//! What must be so: of the world, of events, of an answer, of a value.
//!
//! Absent on purpose: comparing (`matching`).

use super::{Noun, Ref};
use serde_json::Value as Json;

/// Something that must be so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// Events of the actor's client, each later than the one before.
    Events {
        /// What is looked for.
        events: Vec<EventPattern>,
        /// Whether their order matters.
        in_order: bool,
        /// On which socket; the one that is open from the start when `None`.
        socket: Option<String>,
    },
    /// Every event that came is claimed by an expectation before. With patterns: every event of these types.
    NothingElse(Vec<String>),
    /// An order, read anew: a status or part of its body.
    Order(Ref, Expected),
    /// An account, read anew.
    Account(Ref, Expected),
    /// The balance of an account.
    Cash(Ref, Expected),
    /// Units of an account in a fund, unsettled ones included; zero where it has none.
    Units {
        /// Which account.
        account: Ref,
        /// Which fund.
        instrument: Ref,
        /// How many.
        expected: Expected,
    },
    /// The position of an account in a fund, or its absence.
    Position {
        /// Which account.
        account: Ref,
        /// Which fund.
        instrument: Ref,
        /// What it is.
        expected: Expected,
    },
    /// An instrument, read anew from the client's universe.
    Instrument(Ref, Expected),
    /// Transactions of an account or an order, in order of creation.
    Transactions {
        /// `cash` or `fund`.
        book: Book,
        /// Of what.
        noun: Noun,
        /// Which one.
        of: Ref,
        /// The list, or one of them where exactly one is expected.
        expected: Expected,
        /// Whether exactly one transaction is meant, not the list.
        single: bool,
    },
    /// A journey, read anew: a status or part of its body.
    Journey(Ref, Expected),
    /// The page in the customer's browser: what is named must be so.
    Page(Vec<(String, Expected)>),
    /// The partner's server got exactly one post about a journey that no step has expected before; a word is its status.
    Callback(Ref, Expected),
    /// The partner's server got no post that was not expected before: about this journey, or about any.
    NoCallback(Option<Ref>),
    /// The partner's server got posts about events that no step has expected before; those of one resource in their order.
    Webhooks(Vec<EventPattern>),
    /// The partner's server got no post about an event that was not expected before.
    NoWebhook,
    /// The log row of a journey's callback; a word is its status.
    Delivery(Ref, Expected),
    /// The business clock.
    Clock(Expected),
    /// A saved value.
    Value(String, Expected),
}

/// The two books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Book {
    /// Cash transactions.
    Cash,
    /// Fund transactions.
    Fund,
}

/// An event that is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventPattern {
    /// Its type, such as `order.update`; `*` stands for anything.
    pub kind: String,
    /// What the frame must hold.
    pub frame: Expected,
}

/// What is expected of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ExpectedResponse {
    /// HTTP status; any 2xx when `None`. A class such as `4xx` is a text like `4??`.
    pub status: Option<Expected>,
    /// Part of the body.
    pub body: Option<Expected>,
    /// Headers by lower-case name.
    pub headers: Vec<(String, Expected)>,
    /// What `error_description` must say, with `*` for anything.
    pub because: Option<String>,
    /// That no answer comes at all.
    pub no_answer: bool,
}

/// What a value must be like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// There, and not null.
    Any,
    /// Not there.
    Absent,
    /// Equal: numbers by value, texts by character (with `{name}` filled in).
    Is(Json),
    /// One of these.
    OneOf(Vec<Expected>),
    /// Anything but this.
    Not(Box<Expected>),
    /// A text with `*` for any characters and `?` for one.
    Like(String),
    /// A regular expression, anywhere in the text.
    Matches(String),
    /// Greater than; numbers by value, texts (such as instants) by character.
    GreaterThan(Json),
    /// Greater or equal.
    AtLeast(Json),
    /// Less than.
    LessThan(Json),
    /// Less or equal.
    AtMost(Json),
    /// A list or text whose length is like this.
    Length(Box<Expected>),
    /// A list that holds one of each of these, each time another item.
    Contains(Vec<Expected>),
    /// A list of exactly these, in any order.
    InAnyOrder(Vec<Expected>),
    /// A list whose every item is like this.
    Each(Box<Expected>),
    /// Exactly this, nothing more in any map.
    Exactly(Json),
    /// A list of exactly these, in this order.
    List(Vec<Expected>),
    /// A map that holds at least these; a key with dots is a path.
    Part(Vec<(String, Expected)>),
    /// All of these at once.
    All(Vec<Expected>),
}
