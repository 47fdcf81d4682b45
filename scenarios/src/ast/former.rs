//! Requests as generators still make them, one shape a word; each becomes a request of the table.
//!
//! Absent on purpose: anything new. New code writes `request("subscribe").set("account", ...)`.

use super::{Call, Ref, Request, StoryStep, request};
use serde_json::{Map, Value as Json};

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

/// A journey that the partner starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartJourney {
    /// `journeyType`.
    pub journey_type: Json,
    /// The other fields of the configuration, by their API names.
    pub configuration: Vec<(String, Json)>,
    /// Fields beside the configuration, by their API names; `callbackUrl` is the receiver's unless given.
    pub around: Vec<(String, Json)>,
}

/// What happens to a journey without a browser (`/simulations/journey/...`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JourneyLever {
    /// The customer opens it.
    Open,
    /// The customer walks all that remains.
    Complete {
        /// Answers by step; sensible ones where none are given.
        answers: Option<Json>,
    },
    /// The customer leaves.
    Cancel {
        /// At which step; where the customer stands when `None`.
        at: Option<Json>,
    },
    /// Something else stops it.
    Fail {
        /// One of the five codes that are not the customer's own.
        code: Json,
        /// At which step; where the customer stands when `None`.
        at: Option<Json>,
    },
    /// Its time is up.
    Expire,
}

impl JourneyLever {
    /// The verb in words and paths.
    #[must_use]
    pub const fn verb(&self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Complete { .. } => "complete",
            Self::Cancel { .. } => "cancel",
            Self::Fail { .. } => "fail",
            Self::Expire => "expire",
        }
    }
}

impl Order {
    /// A plain order.
    #[must_use]
    pub fn new(kind: OrderKind, account: impl Into<Ref>, instrument: impl Into<Ref>, quantity: Json) -> Self {
        Self {
            kind,
            account: account.into(),
            instrument: instrument.into(),
            quantity: Quantity::Of(quantity),
            client_ref: None,
            executor_ref: None,
            to: None,
        }
    }
}

impl From<Ask> for StoryStep {
    fn from(ask: Ask) -> Self {
        let of = |word, field, id: Ref| Self::from(request(word).set(field, id));
        match ask {
            Ask::Call(call) => Self::from(call),
            Ask::OpenAccount(account) => Self::from(open_account(account)),
            Ask::Order(order) => Self::from(self::order(order)),
            Ask::Cancel(id) => of("cancel", "order", id),
            Ask::Hold(id) => of("hold", "order", id),
            Ask::Release(id) => of("release", "order", id),
            Ask::Reject(id) => of("reject", "order", id),
            Ask::BouncePayout(id) => of("bounce payout", "payout", id),
            Ask::SetPrice { instrument, close_price, price_date } => {
                let price = request("set price").set("instrument", instrument).set("closePrice", close_price);
                Self::from(price.set_some("priceDate", price_date))
            }
            Ask::SetTrading { instrument, flags } => {
                Self::from(with(request("set trading").set("instrument", instrument), flags))
            }
            Ask::DelayNav { instrument, bank_days } => {
                Self::from(request("delay nav").set("instrument", instrument).set("bankDays", bank_days))
            }
            Ask::StartJourney(StartJourney { journey_type, configuration, around }) => {
                Self::from(with(with(request("start journey").set("type", journey_type), configuration), around))
            }
            Ask::Journey { journey, lever } => Self::from(journey_lever(&lever).set("journey", journey)),
        }
    }
}

fn with(request: Request, fields: Vec<(String, Json)>) -> Request {
    fields.into_iter().fold(request, |request, (field, value)| request.set(&field, value))
}

fn journey_lever(lever: &JourneyLever) -> Request {
    match lever {
        JourneyLever::Open => request("open journey"),
        JourneyLever::Complete { answers } => request("complete journey").set_some("answers", answers.clone()),
        JourneyLever::Cancel { at } => request("cancel journey").set_some("at", at.clone()),
        JourneyLever::Fail { code, at } => request("fail journey").set("code", code.clone()).set_some("at", at.clone()),
        JourneyLever::Expire => request("expire journey"),
    }
}

fn open_account(account: OpenAccount) -> Request {
    let bank = |bank: BankAccount| {
        if bank.validated && bank.mandate_status.is_none() {
            return Json::String(bank.iban);
        }
        let mut fields = Map::new();
        fields.insert("iban".to_owned(), Json::String(bank.iban));
        fields.insert("validated".to_owned(), Json::Bool(bank.validated));
        fields.extend(bank.mandate_status.map(|status| ("mandateStatus".to_owned(), Json::String(status))));
        Json::Object(fields)
    };
    let positions: Map<String, Json> = account.positions.into_iter().collect();
    let banks: Vec<_> = account.bank_accounts.into_iter().map(bank).collect();
    let open = request("open account")
        .set_some("type", account.account_type)
        .set_some("cash", account.cash)
        .set_some("positions", (!positions.is_empty()).then_some(positions))
        .set_some("bank accounts", (!banks.is_empty()).then_some(banks));
    with(open, account.other)
}

fn order(order: Order) -> Request {
    let (word, measure, target) = match order.kind {
        OrderKind::Subscribe => ("subscribe", "amount", "to"),
        OrderKind::Redeem => ("redeem", "units", "to"),
        OrderKind::SellAndWithdraw => ("sell and withdraw", "units", "bank account"),
        OrderKind::SellAndTransfer => ("sell and transfer", "units", "to"),
    };
    let quantity = match order.quantity {
        Quantity::Of(number) => number,
        Quantity::Everything => Json::String("everything".to_owned()),
    };
    request(word)
        .set("account", order.account)
        .set_some(target, order.to)
        .set("instrument", order.instrument)
        .set(measure, quantity)
        .set_some("clientRef", order.client_ref)
        .set_some("executorRef", order.executor_ref)
}
