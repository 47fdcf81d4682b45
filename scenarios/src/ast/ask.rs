//! Requests of a story: raw calls, and what is done all the time.
//!
//! Absent on purpose: which paths and bodies they stand for (`runner::asks`).

use super::{JourneyLever, Ref, StartJourney};
use serde_json::Value as Json;

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
    /// Partner: a journey for a customer.
    StartJourney(StartJourney),
    /// Customer and others: what happens to a journey without a browser.
    Journey {
        /// Which journey.
        journey: Ref,
        /// What happens.
        lever: JourneyLever,
    },
    /// Operator: the partner's own server is told of the client's events from now on.
    RegisterWebhook {
        /// Which events: types, or all of a noun such as `order.*`; all when `None`.
        events: Option<Json>,
        /// Where to; the receiver's `/webhook` when `None`.
        url: Option<Json>,
    },
    /// Operator: a journey's callback is sent again.
    ReplayCallback(Ref),
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
