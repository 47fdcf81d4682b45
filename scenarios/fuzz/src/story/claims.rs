//! What should have been so, as the last steps of a story.
//!
//! Invariant: an expectation holds in a world without the fault.

use super::{StoryWriter, braced, by};
use language::ast::{Actor, Body, Call, EventPattern, Expect, Expected, ExpectedResponse, StoryStep, number, part};
use oracle::check::{Claim, Fact, Items, ListQuery};
use oracle::model::fee_files::Pot;
use oracle::model::{Model, figures};
use serde_json::{Map, Value as Json, json};
use sim::identity::InstrumentId;
use sim::ids::{AccountId, ClientId, JourneyId, OrderId};
use sim::query::{self, TransactionFilter};
use sim::store::Window;
use wire::words::Word as _;

impl StoryWriter {
    /// What should have been so: what is claimed, or else all that is known.
    pub(crate) fn claim(&mut self, claim: Option<&Claim>) {
        match claim {
            Some(Claim::Order(id, fields)) => self.expect_order(*id, fields),
            Some(Claim::Transactions { order, cash, units }) => {
                self.expect_transactions(*order, cash.as_deref(), units.as_deref())
            }
            Some(Claim::Lists(id, items, fields)) => {
                self.expect_items(*id, *items, Expected::Contains(vec![fields_of(fields)]));
            }
            Some(Claim::ListsNot(id, items, fields)) => {
                let like_it = Expected::Contains(vec![fields_of(fields)]);
                self.expect_items(*id, *items, Expected::Not(Box::new(like_it)));
            }
            Some(Claim::Listed(client, query, window, ids)) => {
                let record = |id: &String| part([("id", Expected::from(id.as_str()))]);
                let mut step = list(query, window);
                let body = Some(Expected::List(ids.iter().map(record).collect()));
                step.expect = Some(ExpectedResponse { body, ..ExpectedResponse::default() });
                self.steps.push(by(step, self.actor(*client)));
            }
            Some(Claim::Cash(id, amount)) => {
                let step = StoryStep::expect_cash(&braced(&self.account_ref(*id)), amount);
                self.push_for_account(*id, step);
            }
            Some(Claim::Units(id, instrument, units)) => {
                let step = StoryStep::expect_units(&braced(&self.account_ref(*id)), &instrument.to_string(), units);
                self.push_for_account(*id, step);
            }
            Some(Claim::Returned(id, day, fields)) => {
                let path = format!("/account/{}/performance", self.account_id(*id));
                let day = json!(day.to_string());
                let query = vec![("start".to_owned(), day.clone()), ("end".to_owned(), day)];
                let mut step = StoryStep::from(Call { method: "GET".to_owned(), path, query, ..Call::default() });
                let body = Some(Expected::List(vec![fields_of(fields)]));
                step.expect = Some(ExpectedResponse { body, ..ExpectedResponse::default() });
                self.push_for_account(*id, step);
            }
            Some(Claim::Gav(id, instrument, gav)) => {
                let account = braced(&self.account_ref(*id));
                let expected = fields_of(&[("gav", Fact::Number(gav.clone()))]);
                let instrument = instrument.to_string();
                self.push_for_account(*id, StoryStep::from(Expect::Position { account, instrument, expected }));
            }
            Some(Claim::Spendable(id, amount)) => self.expect_spendable(*id, amount),
            Some(Claim::Sellable(id, instrument, units)) => self.expect_sellable(*id, *instrument, units),
            Some(Claim::Events(id, statuses)) => self.expect_events(*id, statuses),
            Some(Claim::Journey(id, fields)) => {
                let of = braced(&self.journey_ref(*id));
                self.push_for_journey(*id, StoryStep::from(Expect::Journey(of, fields_of(fields))));
            }
            Some(Claim::Steps(id, steps)) => {
                self.expect_steps(*id, Expected::List(steps.iter().map(|step| fields_of(step)).collect()));
            }
            Some(Claim::Asks { journey, step, fields, all }) => {
                let fields = fields.iter().map(|field| fields_of(field)).collect();
                let fields = if *all { Expected::List(fields) } else { Expected::Contains(fields) };
                let step = [("step".to_owned(), Expected::from(step.name())), ("fields".to_owned(), fields)];
                self.expect_steps(*journey, Expected::Contains(vec![Expected::Part(step.into())]));
            }
            Some(Claim::Callback(id, status)) => {
                let of = braced(&self.journey_ref(*id));
                self.push_for_journey(*id, StoryStep::from(Expect::Callback(of, Expected::from(*status))));
            }
            Some(Claim::Read(id, path, fields)) => {
                let path = path.replace(&id.to_string(), &self.account_id(*id));
                self.push_for_account(*id, reads(path, fields_of(fields)));
            }
            Some(Claim::Payment(client, id, fields)) => {
                let expected = Expected::Contains(vec![fields_of(fields)]);
                let step = reads(format!("/instruction/{id}/payment"), expected);
                self.steps.push(by(step, self.actor(*client)));
            }
            Some(Claim::FeesPaidOn(client, word, pot)) => {
                let step = fees_paid_on(*client, word, pot);
                self.steps.push(by(step, self.actor(*client)));
            }
            Some(Claim::Answer(_) | Claim::Foreign(..)) => {}
            None => self.expect_everything(),
        }
    }

    /// The status of every journey that the story has a name for.
    pub(crate) fn journeys_as_expected(&self) -> Vec<StoryStep> {
        let steps = self.journeys.iter().filter_map(|(id, (name, actor))| {
            let state = query::journey_by_link(&self.world, *id)?.state.name();
            Some(by(StoryStep::from(Expect::Journey(braced(name), Expected::from(state))), *actor))
        });
        steps.collect()
    }

    fn push_for_account(&mut self, id: AccountId, step: StoryStep) {
        // An account of the setup has no name in the story, and still an owner who may ask.
        let client = self.judge.model.accounts.get(&id).map(|file| file.last.client);
        let unnamed = || client.map_or_else(Actor::default, |client| self.actor(client));
        let actor = self.accounts.get(&id).map_or_else(unnamed, |(_, actor)| *actor);
        self.steps.push(by(step, actor));
    }

    fn push_for_journey(&mut self, id: JourneyId, step: StoryStep) {
        let actor = self.journeys.get(&id).map_or_else(Actor::default, |(_, actor)| *actor);
        self.steps.push(by(step, actor));
    }

    fn expect_steps(&mut self, id: JourneyId, steps: Expected) {
        let path = format!("/simulations/journey/{}/steps", self.journey_id(id));
        self.push_for_journey(id, reads(path, steps));
    }

    fn push_for_order(&mut self, id: OrderId, step: StoryStep) {
        let actor = self.actor_of_order(id);
        self.steps.push(by(step, actor));
    }

    /// What a list of an account's must be.
    fn expect_items(&mut self, id: AccountId, items: Items, expected: Expected) {
        let of = braced(&self.account_ref(id));
        let transactions = |book| {
            let noun = language::ast::Noun::Account;
            StoryStep::from(Expect::Transactions { book, noun, of, expected: expected.clone(), single: false })
        };
        let account = self.account_id(id);
        let step = match items {
            Items::Cash => transactions(language::ast::Book::Cash),
            Items::Units => transactions(language::ast::Book::Fund),
            Items::Orders => asks("/order".to_owned(), vec![("account".to_owned(), json!(account))], expected),
            Items::Transfers => reads(format!("/account/{account}/transfer"), expected),
            Items::BankAccounts => reads(format!("/account/{account}"), part([("bankAccounts", expected)])),
        };
        self.push_for_account(id, step);
    }

    fn expect_order(&mut self, id: OrderId, fields: &[(&'static str, Fact)]) {
        let expected = match fields {
            [("status", Fact::Text(status))] => Expected::from(status.as_str()),
            fields => fields_of(fields),
        };
        let step = StoryStep::from(Expect::Order(braced(&self.order_ref(id)), expected));
        self.push_for_order(id, step);
    }

    fn expect_transactions(
        &mut self,
        id: OrderId,
        cash: Option<&[(&'static str, Fact)]>,
        units: Option<&[(&'static str, Fact)]>,
    ) {
        for (book, fields) in [(language::ast::Book::Cash, cash), (language::ast::Book::Fund, units)] {
            let expected = fields.map_or(Expected::Absent, fields_of);
            let (noun, of) = (language::ast::Noun::Order, braced(&self.order_ref(id)));
            let step = StoryStep::from(Expect::Transactions { book, noun, of, expected, single: true });
            self.push_for_order(id, step);
        }
    }

    /// A fund in which an order of this account would be taken now.
    fn open_fund(&self, client: ClientId) -> Option<InstrumentId> {
        let universe = &query::client(&self.world, client)?.universe;
        let fits = |id: &InstrumentId| {
            let fund = query::instrument(&self.world, *id).map(|view| view.record);
            universe.contains(*id) && fund.is_some_and(|fund| fund.open_for_subscription() && !fund.is_raif)
        };
        self.world.setup().instruments.iter().map(|fund| fund.id).find(fits)
    }

    fn expect_spendable(&mut self, id: AccountId, amount: &str) {
        let Some(client) = self.judge.model.accounts.get(&id).map(|account| account.last.client) else { return };
        let Some(fund) = self.open_fund(client) else { return };
        let probe =
            |amount: String, status| probe(&self.account_id(id), "subscription", fund, "amount", &amount, status);
        let whole = figures::ore(sim::money::Amount::parse(amount).unwrap_or_default());
        let mut steps = vec![probe(figures::amount(whole + 1).to_string(), 400)];
        if whole >= 100_000 {
            steps.insert(0, probe(amount.to_owned(), 204));
        }
        steps.into_iter().for_each(|step| self.push_for_account(id, step));
    }

    fn expect_sellable(&mut self, id: AccountId, fund: InstrumentId, units: &str) {
        let probe = |units: String, status| probe(&self.account_id(id), "redemption", fund, "units", &units, status);
        let steps = figures::steps(sim::money::Units::parse(units).unwrap_or_default());
        let more = figures::units(steps + 10_000_000).to_string();
        let mut probes = vec![probe(more, 400)];
        if steps > 0 {
            probes.insert(0, probe(units.to_owned(), 204));
        }
        probes.into_iter().for_each(|step| self.push_for_account(id, step));
    }

    fn expect_events(&mut self, id: OrderId, statuses: &[&'static str]) {
        let of = self.order_id(id);
        let pattern = |status: &&str| EventPattern {
            kind: "order.update".to_owned(),
            frame: part([
                ("payload.current.id", Expected::from(of.as_str())),
                ("payload.current.status", Expected::from(*status)),
            ]),
        };
        let events = statuses.iter().map(pattern).collect();
        let expect = StoryStep::from(Expect::Events { events, in_order: true, socket: None });
        self.push_for_order(id, expect);
        self.push_for_order(id, StoryStep::from(Expect::NothingElse(vec!["order.update".to_owned()])));
    }

    /// All that the model knows of what the story made.
    fn expect_everything(&mut self) {
        let model: &Model = &self.judge.model;
        let mut steps = Vec::new();
        for (id, (name, actor)) in &self.accounts {
            let Some(file) = model.accounts.get(id) else { continue };
            steps.push(by(StoryStep::expect_cash(&braced(name), &figures::amount(file.balance).to_string()), *actor));
            for held in &file.holdings {
                let (fund, units) = (held.instrument.to_string(), figures::units(held.units).to_string());
                steps.push(by(StoryStep::expect_units(&braced(name), &fund, &units), *actor));
            }
        }
        for (id, (name, actor)) in &self.orders {
            let Some(file) = model.orders.get(id) else { continue };
            steps.push(by(StoryStep::expect_order(&braced(name), file.status.word()), *actor));
        }
        steps.extend(self.journeys_as_expected());
        self.steps.extend(steps);
    }
}

/// What must be read there.
fn reads(path: String, expected: Expected) -> StoryStep {
    asks(path, Vec::new(), expected)
}

/// What must be read there with these parameters.
fn asks(path: String, query: Vec<(String, Json)>, expected: Expected) -> StoryStep {
    let mut step = StoryStep::from(Call { method: "GET".to_owned(), path, query, ..Call::default() });
    step.expect = Some(ExpectedResponse { body: Some(expected), ..ExpectedResponse::default() });
    step
}

/// The request for a list.
fn list(asked: &ListQuery, window: &Window) -> StoryStep {
    let transactions = |filter: &TransactionFilter| {
        vec![
            ("account", filter.account.map(|id| id.to_string())),
            ("dateFrom", filter.date_from.map(|date| date.to_string())),
            ("dateTo", filter.date_to.map(|date| date.to_string())),
            ("ref", filter.reference.clone()),
            ("instrument", filter.instrument.map(|id| id.to_string())),
            ("refType", filter.cash_ref_type.map(|word| word.word().to_owned())),
            ("refType", filter.fund_ref_type.map(|word| word.word().to_owned())),
            ("transactionType", filter.cash_type.map(|word| word.word().to_owned())),
            ("transactionType", filter.fund_type.map(|word| word.word().to_owned())),
        ]
    };
    let (path, mut query) = match asked {
        ListQuery::Orders(filter) => (
            "/order",
            vec![
                ("account", filter.account.map(|id| id.to_string())),
                ("status", filter.status.clone()),
                ("orderType", filter.side.map(|side| side.word().to_owned())),
                ("instrument", filter.instrument.map(|id| id.to_string())),
                ("clientRef", filter.client_ref.clone()),
            ],
        ),
        ListQuery::Cash(filter) => ("/transaction/cash", transactions(filter)),
        ListQuery::Units(filter) => ("/transaction/fund", transactions(filter)),
        ListQuery::Accounts(owner) => ("/account", vec![("ssn", owner.map(|ssn| ssn.to_string()))]),
    };
    query.extend([
        ("start", window.start.map(|start| start.to_string())),
        ("limit", window.limit.map(|limit| limit.to_string())),
        ("modifiedFrom", window.modified_from.map(|from| from.to_string())),
    ]);
    let query = query.into_iter().filter_map(|(name, value)| Some((name.to_owned(), Json::String(value?))));
    let (method, path) = ("GET".to_owned(), path.to_owned());
    StoryStep::from(Call { method, path, query: query.collect(), ..Call::default() })
}

/// What the operator must see of a client's own fees.
fn fees_paid_on(client: ClientId, word: &str, pot: &Pot) -> StoryStep {
    let money = |ore| number(&figures::amount(ore).to_string());
    let paid = pot.paid.iter().map(|(iban, ore, at)| {
        part([
            ("iban", Expected::Is(json!(iban.to_string()))),
            ("amount", Expected::Is(money(*ore))),
            ("at", Expected::Is(json!(at.to_string()))),
        ])
    });
    let taken = part([
        ("client", Expected::Is(json!(client.to_string()))),
        ("feeType", Expected::from(word)),
        ("waiting", Expected::Is(money(pot.waiting))),
        ("paid", Expected::List(paid.collect())),
    ]);
    reads("/_sandbox/worlds/current/fees".to_owned(), part([("taken", Expected::Contains(vec![taken]))]))
}

/// A validation that must be answered with `status`.
fn probe(account: &str, side: &str, fund: InstrumentId, measure: &str, quantity: &str, status: u16) -> StoryStep {
    let mut body = Map::new();
    body.insert("orderType".to_owned(), json!(side));
    body.insert("account".to_owned(), json!(account));
    body.insert("instrument".to_owned(), json!(fund.to_string()));
    body.insert(measure.to_owned(), number(quantity));
    let call = Call {
        method: "POST".to_owned(),
        path: "/order".to_owned(),
        query: vec![("validate-only".to_owned(), json!(true))],
        body: Body::Json(Json::Object(body)),
        ..Call::default()
    };
    StoryStep::from(call).answers(status)
}

pub(super) fn fields_of(fields: &[(&'static str, Fact)]) -> Expected {
    let value = |fact: &Fact| match fact {
        Fact::Text(text) => json!(text),
        Fact::Number(text) => number(text),
        Fact::Null => Json::Null,
        Fact::Flag(flag) => Json::Bool(*flag),
        Fact::Texts(texts) => json!(texts),
    };
    Expected::Part(fields.iter().map(|(key, fact)| ((*key).to_owned(), Expected::Is(value(fact)))).collect())
}
