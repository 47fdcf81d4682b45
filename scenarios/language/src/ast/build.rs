//! Short constructors, so that generators and tests read like the files they make.

use super::{
    Act, Actor, Body, Call, Expect, Expected, ExpectedResponse, Move, Request, Save, Scenario, StoryStep, WorldBlock,
    request,
};
use serde_json::{Number, Value as Json};
use std::str::FromStr;

/// A number as JSON, digit for digit.
///
/// # Panics
/// When `text` is not a number as JSON spells it.
#[must_use]
pub fn number(text: &str) -> Json {
    Json::Number(Number::from_str(text).unwrap_or_else(|_| panic!("not a JSON number: {text}")))
}

/// A map that holds at least these.
pub fn part<const N: usize>(entries: [(&str, Expected); N]) -> Expected {
    Expected::Part(entries.into_iter().map(|(key, expected)| (key.to_owned(), expected)).collect())
}

impl From<&str> for Expected {
    fn from(text: &str) -> Self {
        Self::Is(Json::String(text.to_owned()))
    }
}

impl From<Json> for Expected {
    fn from(value: Json) -> Self {
        Self::Is(value)
    }
}

impl Scenario {
    /// A story in the demo world.
    #[must_use]
    pub fn new(title: impl Into<String>, seed: u64, steps: Vec<StoryStep>) -> Self {
        let world = WorldBlock { seed: Some(seed), ..WorldBlock::default() };
        Self { title: title.into(), world, steps, ..Self::default() }
    }
}

impl From<Act> for StoryStep {
    fn from(act: Act) -> Self {
        Self { place: None, actor: Actor::default(), act, expect: None, save: Vec::new(), soft: false }
    }
}

impl From<Request> for StoryStep {
    fn from(request: Request) -> Self {
        Self::from(Act::Request(request))
    }
}

impl From<Call> for StoryStep {
    fn from(call: Call) -> Self {
        Self::from(Act::Call(call))
    }
}

impl From<Expect> for StoryStep {
    fn from(expect: Expect) -> Self {
        Self::from(Act::Expect(expect))
    }
}

impl StoryStep {
    /// A subscription of `amount` SEK.
    #[must_use]
    pub fn subscribe(account: &str, instrument: &str, amount: &str) -> Self {
        Self::from(order("subscribe", account, instrument).set("amount", number(amount)))
    }

    /// A redemption of `units`.
    #[must_use]
    pub fn redeem(account: &str, instrument: &str, units: &str) -> Self {
        Self::from(order("redeem", account, instrument).set("units", number(units)))
    }

    /// The cancellation of an order.
    #[must_use]
    pub fn cancel(order: &str) -> Self {
        Self::from(request("cancel").set("order", order))
    }

    /// A raw call.
    #[must_use]
    pub fn call(method: &str, path: &str) -> Self {
        Self::from(Call { method: method.to_owned(), path: path.to_owned(), ..Call::default() })
    }

    /// The same call with what it sends.
    #[must_use]
    pub fn sending(mut self, body: Body) -> Self {
        if let Act::Call(call) = &mut self.act {
            call.body = body;
        }
        self
    }

    /// A move of the clock.
    #[must_use]
    pub fn advance(how: Move) -> Self {
        Self::from(Act::Advance(how))
    }

    /// That an order has a status.
    #[must_use]
    pub fn expect_order(order: &str, status: &str) -> Self {
        Self::from(Expect::Order(order.to_owned(), status.into()))
    }

    /// That an account has this much cash.
    #[must_use]
    pub fn expect_cash(account: &str, amount: &str) -> Self {
        Self::from(Expect::Cash(account.to_owned(), Expected::Is(number(amount))))
    }

    /// That an account has this many units.
    #[must_use]
    pub fn expect_units(account: &str, instrument: &str, units: &str) -> Self {
        let expected = Expected::Is(number(units));
        Self::from(Expect::Units { account: account.to_owned(), instrument: instrument.to_owned(), expected })
    }

    /// Remembers the answer under `name`.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.save.push(Save { name: name.to_owned(), path: "$".to_owned() });
        self
    }

    /// Done by this client of this partner, both counted from 1.
    #[must_use]
    pub const fn by(mut self, partner: usize, client: usize) -> Self {
        self.actor = Actor::Client { partner, client };
        self
    }

    /// Expects this status.
    #[must_use]
    pub fn answers(mut self, status: u16) -> Self {
        self.expect.get_or_insert_with(ExpectedResponse::default).status = Some(Expected::Is(Json::from(status)));
        self
    }

    /// Expects a refusal with this in its text; `*` stands for anything.
    #[must_use]
    pub fn refused(mut self, status: u16, because: &str) -> Self {
        let expected = self.expect.get_or_insert_with(ExpectedResponse::default);
        expected.status = Some(Expected::Is(Json::from(status)));
        expected.because = Some(because.to_owned());
        self
    }
}

fn order(word: &str, account: &str, instrument: &str) -> Request {
    request(word).set("account", account).set("instrument", instrument)
}
