//! A story as data: what a scenario file means, and what generators make.
//!
//! Owns: the shapes of scenarios, steps and expectations, and short constructors for code. Invariant: everything here can
//! be written as a scenario file (`write`) and read back (`parse`) to an equal value, places aside. Texts may hold
//! `{name.path}`, which is filled in when the step runs (`template`). Absent on purpose: how a step is carried out.

use crate::diagnostic::Place;
use serde_json::Value as Json;

mod build;
pub use build::{number, part};

/// One story.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Scenario {
    /// The sentence that the story proves.
    pub title: String,
    /// Why it matters, if the title does not say it.
    pub about: Option<String>,
    /// Words to choose stories by.
    pub tags: Vec<String>,
    /// The world it plays in.
    pub world: WorldBlock,
    /// Rows to play it with, each in a world of its own; none means once.
    pub examples: Vec<Example>,
    /// What is so before the story begins.
    pub given: Vec<Step>,
    /// What happens.
    pub steps: Vec<Step>,
    /// Whether it only lends its steps to other files.
    pub fragment: bool,
}

/// The world of a story. The business clock stands still unless a step moves it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct WorldBlock {
    /// Seed; 1 when none is given.
    pub seed: Option<u64>,
    /// RFC 3339 instant of the start; `DEFAULT_START` when none is given.
    pub start: Option<String>,
    /// Setup: a name or a whole setup; the demo world when none is given.
    pub setup: Option<Json>,
    /// Settings to change before the story begins.
    pub settings: Vec<(String, Json)>,
}

/// The start of worlds that name none: Monday 2 March 2026, 08:00 in Stockholm.
pub const DEFAULT_START: &str = "2026-03-02T08:00:00+01:00";
/// The seed of worlds that name none.
pub const DEFAULT_SEED: u64 = 1;

/// One row of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Values by name, for use as `{name}`.
    pub values: Vec<(String, Json)>,
}

/// One thing that is done or expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it stands in its file; `None` for generated steps.
    pub place: Option<Place>,
    /// Who does it, or whose socket is watched.
    pub actor: Actor,
    /// What is done.
    pub act: Act,
    /// What is expected of the answer, when the act is a request. Without it any 2xx will do.
    pub expect: Option<Answer>,
    /// What to remember of the answer.
    pub save: Vec<Save>,
}

/// Whose credentials and client are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// A client of a partner, both counted from 1 in the order of the setup.
    Client {
        /// Which partner.
        partner: usize,
        /// Which of its clients.
        client: usize,
    },
    /// Somebody without credentials; client paths are those of the first partner's first client.
    Nobody,
}

impl Default for Actor {
    fn default() -> Self {
        Self::Client { partner: 1, client: 1 }
    }
}

/// A text or a saved name that stands for an id: `order`, `{order}`, `{order.account}` or the id itself.
pub type Ref = String;

/// A remembered part of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Save {
    /// Name to use it by.
    pub name: String,
    /// Path into the body, such as `$.id`; `$` is all of it.
    pub path: String,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "steps are few and short-lived; boxing would only hide their shape")]
pub enum Act {
    /// One request and its answer.
    Ask(Ask),
    /// The business clock moves.
    Advance(Move),
    /// Something must be so.
    Expect(Expect),
    /// Names for values, to be used as `{name}`.
    Let(Vec<(String, Json)>),
    /// Events that came so far no longer count for `nothing else happens`.
    ForgetEvents,
    /// A socket opens or closes.
    Socket(SocketAct),
    /// The network between partner and sandbox changes (simulated network only).
    Network(Network),
    /// The server crashes or restarts (simulated network only).
    Server(Server),
}

/// One request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// A raw call.
    Call(Call),
    /// Platform: an account at once (`POST /simulations/account`).
    OpenAccount(OpenAccount),
    /// Partner: an order.
    Order(Order),
    /// Partner: cancel an order.
    Cancel(Ref),
    /// Back office: park an order.
    Hold(Ref),
    /// Back office: let an order go on.
    Release(Ref),
    /// Fund company: refuse an order with all that were sent together with it.
    Reject(Ref),
    /// Fund company: a price.
    SetPrice {
        /// Which fund.
        instrument: Ref,
        /// In the fund's currency.
        close_price: Json,
        /// Its dealing day, `YYYY-MM-DD`.
        price_date: Option<Json>,
    },
    /// Fund company: open or close trading. Flags by the API's names.
    SetTrading {
        /// Which fund.
        instrument: Ref,
        /// `isBuyable`, `isSellable`, `isTradable`.
        flags: Vec<(String, Json)>,
    },
    /// Fund company: the next price comes late.
    DelayNav {
        /// Which fund.
        instrument: Ref,
        /// How late.
        bank_days: Json,
    },
    /// Bank: a payout comes back.
    BouncePayout(Ref),
}

/// A raw call.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Call {
    /// HTTP method, upper case.
    pub method: String,
    /// Path; one that begins with neither `/v2`, `/ping`, `/simulations` nor `/_sandbox` is the actor's client's.
    pub path: String,
    /// Query parameters in order.
    pub query: Vec<(String, Json)>,
    /// Extra headers.
    pub headers: Vec<(String, String)>,
    /// What is sent.
    pub body: Body,
}

/// What a call sends.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Body {
    /// Nothing.
    #[default]
    None,
    /// JSON.
    Json(Json),
    /// A form, `application/x-www-form-urlencoded`.
    Form(Vec<(String, Json)>),
    /// These very characters, as `application/json` unless a header says otherwise.
    Text(String),
}

/// An account at once.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OpenAccount {
    /// `isk` unless given.
    pub account_type: Option<Json>,
    /// Opening cash.
    pub cash: Option<Json>,
    /// Opening positions: instrument and units.
    pub positions: Vec<(Ref, Json)>,
    /// Bank accounts of the owner.
    pub bank_accounts: Vec<BankAccount>,
    /// Anything else the lever takes, by its API name: `owner`, `name`, `serviceType`, `category`, ...
    pub other: Vec<(String, Json)>,
}

/// A bank account that comes with an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankAccount {
    /// ISO 13616.
    pub iban: String,
    /// Whether the account check has passed; yes unless said otherwise.
    pub validated: bool,
    /// Autogiro mandate.
    pub mandate_status: Option<String>,
}

/// An order by the partner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Which of the four kinds.
    pub kind: OrderKind,
    /// The account to work on.
    pub account: Ref,
    /// The fund.
    pub instrument: Ref,
    /// Amount of a subscription, units of the others.
    pub quantity: Quantity,
    /// The partner's own reference.
    pub client_ref: Option<Json>,
    /// Who gives the order. Where the API requires one, the owner unless given.
    pub executor_ref: Option<Json>,
    /// Where the money goes: a bank account (first of the account unless given) or an account.
    pub to: Option<Ref>,
}

/// Kinds of orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OrderKind {
    /// `POST /order`, subscription.
    Subscribe,
    /// `POST /order`, redemption.
    Redeem,
    /// `POST /order/withdrawal`.
    SellAndWithdraw,
    /// `POST /order/redemptionTransfer`.
    SellAndTransfer,
}

/// How much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// A number, or a text with a saved value.
    Of(Json),
    /// All units of the position.
    Everything,
}

/// A move of the business clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// A period in ISO 8601 spelling, handed to the server as it is.
    By(String),
    /// Bank days, at the same local time of day.
    BankDays(u32),
    /// Calendar days, at the same local time of day.
    Days(u32),
    /// To an RFC 3339 instant, or a text that becomes one.
    To(String),
    /// To the next time the clock in Stockholm shows this, `HH:MM`.
    ToLocalTime(String),
    /// To a fund's next cut-off, or so many milliseconds from it.
    CutOff {
        /// Which fund; the soonest cut-off of any when `None`.
        instrument: Option<Ref>,
        /// Negative is before it. Needs a fund.
        offset_ms: i64,
    },
    /// To the settlement of an order.
    Settlement(Ref),
    /// Until an order or account has a status; bounded.
    Until {
        /// `order` or `account`.
        noun: Noun,
        /// Which one.
        of: Ref,
        /// The status to wait for.
        status: String,
    },
    /// To whatever is due next.
    Next,
}

/// What can have a status to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noun {
    /// An order.
    Order,
    /// An account.
    Account,
}

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
pub struct Answer {
    /// HTTP status; any 2xx when `None`.
    pub status: Option<Json>,
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
    /// A list or text of this length.
    Length(usize),
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

/// A socket opens or closes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SocketAct {
    /// A further socket of the actor's client, by name; without one, the lost first socket anew.
    Open(Option<String>),
    /// Closes it; without a name, the first one.
    Close(Option<String>),
    /// It must have been closed by the server, with this code where one is given.
    Closed {
        /// Which one; the first when `None`.
        name: Option<String>,
        /// WebSocket close code; `None` for a connection that was just cut.
        code: Option<u16>,
    },
}

/// The network between partner and sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// Nothing gets through, connections in flight die once it is repaired.
    Cut,
    /// Ends `Cut`.
    Repaired,
    /// Everything waits, nothing is lost.
    Held,
    /// Ends `Held`: all that waited is delivered.
    Released,
    /// Every message takes so long.
    Latency {
        /// Milliseconds, at least 1.
        ms: u32,
    },
}

/// The server process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Server {
    /// It is gone in the middle of whatever it did.
    Crashes,
    /// It comes back with its worlds.
    Restarts,
    /// It comes back without any world.
    RestartsEmpty,
}

impl Scenario {
    /// The seed that is used unless the caller wants another.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.world.seed.unwrap_or(DEFAULT_SEED)
    }

    /// The instant at which the world starts, as written.
    #[must_use]
    pub fn start(&self) -> &str {
        self.world.start.as_deref().unwrap_or(DEFAULT_START)
    }

    /// Every step, `given` first.
    pub fn all_steps(&self) -> impl Iterator<Item = &Step> {
        self.given.iter().chain(&self.steps)
    }

    /// The clients whose sockets are open before the first step: the first one, and all that some step names.
    #[must_use]
    pub fn watchers(&self) -> Vec<(usize, usize)> {
        let mut clients = vec![(1, 1)];
        for step in self.all_steps() {
            if let Actor::Client { partner, client } = step.actor {
                clients.push((partner, client));
            }
        }
        clients.sort_unstable();
        clients.dedup();
        clients
    }

    /// Whether some step needs the simulated network.
    #[must_use]
    pub fn needs_weather(&self) -> bool {
        self.all_steps().any(|step| matches!(step.act, Act::Network(_) | Act::Server(_)))
    }

    /// The same story without knowledge of its file.
    #[must_use]
    pub fn without_places(mut self) -> Self {
        for step in self.given.iter_mut().chain(&mut self.steps) {
            step.place = None;
        }
        self
    }
}
