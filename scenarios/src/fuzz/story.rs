//! A run told as a scenario file: every step by its name, and last what should have been so.
//!
//! Invariant: played with the run's seed, the story asks the same of the same world at the same instants, so that it ends
//! where the run ended. Absent on purpose: laws that nobody can see from outside; their stories end in what the model
//! knows of every account and order.

use super::stage::Prepared;
use crate::ast::{
    Act as StoryAct, Actor, Ask, BankAccount, Body, Call, EventPattern, Expect, Expected, Move, OpenAccount, Order,
    OrderKind, Scenario, Step as StoryStep, number, part,
};
use crate::check::{Claim, Fact, Violation, invariant, status_of};
use crate::generate::{Act, Cast, Step};
use crate::model::{Model, Outlook, figures};
use serde_json::{Map, Value as Json, json};
use sim::command::{AskedProceeds, PlaceOrder, Scope};
use sim::identity::InstrumentId;
use sim::ids::{AccountId, ClientId, OrderId};
use sim::query;
use sim::records::{AccountType, Category, Owner, Side};
use sim::time::Instant;
use sim::{Command, Refusal, Reply, World};
use std::collections::BTreeMap;

/// What accounts are called, in order of their opening.
const PEOPLE: &[&str] = &["anna", "bo", "cecilia", "david", "eva", "filip", "greta", "hugo", "ida", "johan", "klara"];

/// A run as it is being told.
pub(super) struct StoryWriter {
    pub(super) world: World,
    pub(super) cast: Cast,
    judge: crate::check::Judge,
    pub(super) steps: Vec<StoryStep>,
    accounts: BTreeMap<AccountId, (String, Actor)>,
    orders: BTreeMap<OrderId, (String, Actor)>,
    actors: BTreeMap<ClientId, Actor>,
}

/// The story of a run that broke a law.
#[must_use]
pub fn story(prepared: &Prepared, steps: &[Step], violation: &Violation) -> Scenario {
    let mut teller = StoryWriter::new(prepared);
    for (at, step) in steps.iter().enumerate() {
        let last = at + 1 == steps.len();
        let panicked =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| teller.step(step, last.then_some(violation))));
        if panicked.is_err() {
            break;
        }
    }
    teller.claim(violation);
    found(prepared.stage.seed, teller.steps, violation)
}

/// The scenario of steps that broke a law.
pub(super) fn found(seed: u64, steps: Vec<StoryStep>, violation: &Violation) -> Scenario {
    let law = invariant(violation.invariant).map_or("a law", |law| law.name);
    let mut scenario = Scenario::new(format!("Found by fuzzing: {law}"), seed, steps);
    let statement = invariant(violation.invariant).map_or("", |law| law.statement);
    scenario.about = Some(format!("Law {}: {statement}. Seen: {}", violation.invariant, violation.what));
    scenario.tags = vec!["found".to_owned()];
    scenario
}

impl StoryWriter {
    pub(super) fn new(prepared: &Prepared) -> Self {
        let mut actors = BTreeMap::new();
        for (p, partner) in query::partners(&prepared.world).enumerate() {
            for (c, client) in query::clients_of(&prepared.world, partner.id).enumerate() {
                actors.insert(client.id, Actor::Client { partner: p + 1, client: c + 1 });
            }
        }
        Self {
            world: prepared.world.clone(),
            cast: prepared.cast.clone(),
            judge: prepared.judge.clone(),
            steps: Vec::new(),
            accounts: BTreeMap::new(),
            orders: BTreeMap::new(),
            actors,
        }
    }

    /// Every client of the world, in the order of the setup.
    pub(super) fn clients(&self) -> Vec<(ClientId, Actor)> {
        let mut clients: Vec<_> = self.actors.iter().map(|(id, actor)| (*id, *actor)).collect();
        clients.sort_unstable_by_key(|(_, actor)| *actor);
        clients
    }

    /// Whether a client does something in the story so far.
    pub(super) fn acts(&self, actor: Actor) -> bool {
        actor == Actor::default() || self.steps.iter().any(|step| step.actor == actor)
    }

    /// Carries a step out and tells it; the last one as far as the law's instant.
    fn step(&mut self, step: &Step, last: Option<&Violation>) {
        match self.cast.act(&self.world, step) {
            None => {}
            Some(Act::Wait(to)) => {
                let to = last.map_or(to, |violation| to.min(violation.at).max(self.world.now()));
                self.forget_before(last);
                self.steps.push(wait(to));
                self.pass(to);
                self.world.forget_events();
            }
            Some(Act::Do(command)) => {
                self.forget_before(last);
                self.command(step, command, last);
            }
        }
    }

    /// A claim about events counts from the last step on.
    fn forget_before(&mut self, last: Option<&Violation>) {
        if last.is_some_and(|violation| matches!(violation.claim, Some(Claim::Events(..)))) {
            self.steps.push(StoryStep::from(StoryAct::ForgetEvents));
        }
    }

    /// The world's time passes; its events are kept.
    pub(super) fn pass(&mut self, to: Instant) {
        self.world.advance(to);
        self.judge.after_wait(&self.world, self.world.events(), self.world.callbacks());
    }

    /// Carries a command out and remembers what it made; its events are kept.
    pub(super) fn carry_out(&mut self, step: &Step, command: &Command) -> Result<Reply, Refusal> {
        let result = self.apply(command);
        if let Ok(reply) = &result {
            self.cast.note(step, reply);
        }
        result
    }

    /// Carries a command out; its events are kept.
    pub(super) fn apply(&mut self, command: &Command) -> Result<Reply, Refusal> {
        let plan = self.judge.plan(&self.world, command);
        let result = self.world.apply(self.world.now(), command.clone());
        self.judge.after_command(
            &self.world,
            command,
            plan,
            result.as_ref(),
            self.world.events(),
            self.world.callbacks(),
        );
        result
    }

    fn command(&mut self, step: &Step, command: Command, last: Option<&Violation>) {
        let plan = self.judge.plan(&self.world, &command);
        let told = self.told(step, &command);
        let result = self.carry_out(step, &command);
        let expected = match (plan.outlook, last.and_then(|violation| violation.claim.as_ref())) {
            (_, Some(Claim::Answer(status))) => Some(*status),
            (Outlook::Refused(class), _) => Some(status_of(class)),
            (Outlook::Accepted, _) => None,
            (Outlook::Unsure, _) => result.as_ref().err().map(|refusal| status_of(refusal.class)),
        };
        if let Some(mut told) = told {
            if let Some(status) = expected.filter(|&status| status != 200 || last.is_some()) {
                told = told.answers(status);
            }
            let named = self.named(told, step, result.as_ref().ok());
            self.steps.push(named);
        }
        self.world.forget_events();
    }

    /// Gives what a step made a name.
    pub(super) fn named(&mut self, told: StoryStep, step: &Step, reply: Option<&Reply>) -> StoryStep {
        match (step, reply) {
            (Step::Open(_), Some(Reply::Account(account))) => {
                let at = self.accounts.len();
                let name = PEOPLE.get(at).map_or_else(|| format!("account {}", at + 1), |name| (*name).to_owned());
                let told = told.named(&name);
                self.accounts.insert(account.id, (name, self.actor(account.client)));
                told
            }
            (Step::Buy(_) | Step::Sell(_), Some(Reply::Order(order))) => {
                let name = match self.orders.len() {
                    0 => "order".to_owned(),
                    at => format!("order {}", at + 1),
                };
                let told = told.named(&name);
                self.orders.insert(order.id, (name, self.actor(order.client)));
                told
            }
            _ => told,
        }
    }

    pub(super) fn actor(&self, client: ClientId) -> Actor {
        self.actors.get(&client).copied().unwrap_or_default()
    }

    /// Whose order it is: also of one that has no name, since its answer was lost.
    fn actor_of_order(&self, id: OrderId) -> Actor {
        let whose = |client: &&ClientId| query::order(&self.world, **client, id).is_some();
        let named = self.orders.get(&id).map(|(_, actor)| *actor);
        named.or_else(|| self.actors.keys().find(whose).map(|client| self.actor(*client))).unwrap_or_default()
    }

    /// How a step refers to an account: by its name, or by its id where it has none.
    pub(super) fn account_ref(&self, id: AccountId) -> String {
        self.accounts.get(&id).map_or_else(|| id.to_string(), |(name, _)| name.clone())
    }

    /// An account's id in the middle of a text or a body.
    fn account_id(&self, id: AccountId) -> String {
        self.accounts.get(&id).map_or_else(|| id.to_string(), |(name, _)| format!("{{{name}.id}}"))
    }

    pub(super) fn order_ref(&self, id: OrderId) -> String {
        self.orders.get(&id).map_or_else(|| id.to_string(), |(name, _)| name.clone())
    }

    fn order_id(&self, id: OrderId) -> String {
        self.orders.get(&id).map_or_else(|| id.to_string(), |(name, _)| format!("{{{name}.id}}"))
    }

    /// A step as a story tells it.
    pub(super) fn told(&mut self, step: &Step, command: &Command) -> Option<StoryStep> {
        let of_order = |id: OrderId, ask: fn(String) -> Ask| {
            let told = StoryStep::from(ask(self.order_ref(id)));
            by(told, self.actor_of_order(id))
        };
        Some(match command {
            Command::OpenAccount(open) => self.opening(open),
            Command::PlaceOrder(place) => self.order(place, step, false),
            Command::ValidateOrder(place) => self.order(place, step, true),
            Command::CancelOrder { scope, order } => {
                by(StoryStep::from(Ask::Cancel(self.order_ref(*order))), self.actor(scope.client))
            }
            Command::HoldOrder { order, .. } => of_order(*order, Ask::Hold),
            Command::ReleaseOrder { order, .. } => of_order(*order, Ask::Release),
            Command::RejectOrder { order, .. } => of_order(*order, Ask::Reject),
            Command::SetPrice(set) => StoryStep::from(Ask::SetPrice {
                instrument: set.instrument.to_string(),
                close_price: number(&set.close_price.to_string()),
                price_date: set.price_date.map(|day| Json::String(day.to_string())),
            }),
            Command::SetTrading(set) => {
                let flags =
                    [("isBuyable", set.is_buyable), ("isSellable", set.is_sellable), ("isTradable", set.is_tradable)];
                let flags = flags.into_iter().filter_map(|(name, flag)| Some((name.to_owned(), Json::Bool(flag?))));
                StoryStep::from(Ask::SetTrading { instrument: set.instrument.to_string(), flags: flags.collect() })
            }
            Command::DelayNav { instrument, bank_days } => {
                StoryStep::from(Ask::DelayNav { instrument: instrument.to_string(), bank_days: Json::from(*bank_days) })
            }
            Command::CloseAccount { scope, account } => {
                let path = format!("/account/{}", self.account_id(*account));
                by(StoryStep::call("DELETE", &path), self.actor(scope.client))
            }
            Command::BouncePayout { transaction, .. } => return self.bounce(step, &transaction.to_string()),
            #[allow(unreachable_patterns, reason = "no step asks for anything else")]
            _ => return None,
        })
    }

    fn opening(&self, open: &sim::command::OpenAccount) -> StoryStep {
        let mut other = Vec::new();
        if open.category == Category::Pro {
            other.push(("category".to_owned(), json!("pro")));
        }
        if !open.fund_knowledge {
            other.push(("fundKnowledge".to_owned(), json!(false)));
        }
        other.extend(open.owner.as_ref().map(|owner| ("owner".to_owned(), person(owner))));
        let kind = match open.account_type {
            AccountType::Isk => None,
            AccountType::Depot => Some(json!("depot")),
            AccountType::Insurance => Some(json!("insurance")),
        };
        let bank = |bank: &sim::command::OpenBankAccount| BankAccount {
            iban: bank.iban.as_str().to_owned(),
            validated: bank.validated,
            mandate_status: None,
        };
        let positions = open.positions.iter().map(|(fund, units)| (fund.to_string(), number(&units.to_string())));
        let told = StoryStep::from(Ask::OpenAccount(OpenAccount {
            account_type: kind,
            cash: (!open.cash.is_zero()).then(|| number(&open.cash.to_string())),
            positions: positions.collect(),
            bank_accounts: open.bank_accounts.iter().map(bank).collect(),
            other,
        }));
        by(told, self.actor(open.scope.client))
    }

    /// An order: in the short form when it is one that people would write, as a raw call when something is odd about it.
    fn order(&self, place: &PlaceOrder, step: &Step, dry: bool) -> StoryStep {
        let own = self.actor(place.scope.client);
        let known = self.accounts.contains_key(&place.account);
        let quantity = place.amount.map(|a| number(&a.to_string())).xor(place.units.map(|u| number(&u.to_string())));
        let fits = place.amount.is_some() == (place.side == Side::Subscription);
        let plain = place.client_ref.as_ref().is_none_or(|text| text.len() < 100);
        match quantity {
            Some(quantity) if known && fits && plain && !dry && self.is_own(place.scope) => {
                let (kind, to) = match (place.side, place.proceeds) {
                    (Side::Subscription, _) => (OrderKind::Subscribe, None),
                    (Side::Redemption, AskedProceeds::Keep) => (OrderKind::Redeem, None),
                    (Side::Redemption, AskedProceeds::PayOut(_)) => (OrderKind::SellAndWithdraw, None),
                    (Side::Redemption, AskedProceeds::Transfer(to)) => {
                        (OrderKind::SellAndTransfer, Some(self.account_ref(to)))
                    }
                };
                let mut order =
                    Order::new(kind, self.account_ref(place.account), place.instrument.to_string(), quantity);
                order.to = to;
                order.client_ref = place.client_ref.as_ref().map(|text| json!(**text));
                order.executor_ref = place.executor.map(|person| json!(person.to_string()));
                by(StoryStep::from(Ask::Order(order)), own)
            }
            _ => self.raw_order(place, step, dry, own),
        }
    }

    fn is_own(&self, scope: Scope) -> bool {
        query::client(&self.world, scope.client).is_some_and(|client| client.partner == scope.partner)
    }

    fn raw_order(&self, place: &PlaceOrder, _step: &Step, dry: bool, own: Actor) -> StoryStep {
        let mut body = Map::new();
        let mut put = |key: &str, value: Option<Json>| {
            if let Some(value) = value {
                body.insert(key.to_owned(), value);
            }
        };
        let side = if place.side == Side::Subscription { "subscription" } else { "redemption" };
        put("orderType", Some(json!(side)));
        put("account", Some(json!(self.account_id(place.account))));
        put("instrument", Some(json!(place.instrument.to_string())));
        put("amount", place.amount.map(|amount| number(&amount.to_string())));
        put("units", place.units.map(|units| number(&units.to_string())));
        put("clientRef", place.client_ref.as_ref().map(|text| json!(**text)));
        put("executorRef", place.executor.map(|person| json!(person.to_string())));
        let path = match place.proceeds {
            AskedProceeds::Keep => "order",
            AskedProceeds::PayOut(bank) => {
                put("bankAccount", Some(json!(bank.to_string())));
                "order/withdrawal"
            }
            AskedProceeds::Transfer(to) => {
                put("destinationAccount", Some(json!(self.account_id(to))));
                "order/redemptionTransfer"
            }
        };
        let stranger = self.actors.values().find(|actor| !same_partner(**actor, own)).copied().unwrap_or_default();
        let (path, actor) = if self.is_own(place.scope) {
            (format!("/{path}"), own)
        } else {
            (format!("/v2/partner/client/{}/{path}", place.scope.client), stranger)
        };
        let query = if dry { vec![("validate-only".to_owned(), json!(true))] } else { Vec::new() };
        let body = Body::Json(Json::Object(body));
        by(StoryStep::from(Ask::Call(Call { method: "POST".to_owned(), path, query, body, ..Call::default() })), actor)
    }

    /// A bounce needs the payout's id, which only a read tells.
    fn bounce(&mut self, step: &Step, transaction: &str) -> Option<StoryStep> {
        let Step::Bounce(name) = *step else { return None };
        let (_, order) = self.cast.order(name)?;
        let actor = self.actor_of_order(order);
        let mut read = by(StoryStep::call("GET", &format!("/transaction/cash/{transaction}")), actor);
        read = read.named("payout");
        self.steps.push(read);
        Some(by(StoryStep::from(Ask::BouncePayout("{payout}".to_owned())), actor))
    }

    /// What should have been so.
    pub(super) fn claim(&mut self, violation: &Violation) {
        match &violation.claim {
            Some(Claim::Order(id, fields)) => self.expect_order(*id, fields),
            Some(Claim::Legs { order, cash, units }) => self.expect_legs(*order, cash.as_deref(), units.as_deref()),
            Some(Claim::Cash(id, amount)) => {
                let step = StoryStep::expect_cash(&braced(&self.account_ref(*id)), amount);
                self.push_for_account(*id, step);
            }
            Some(Claim::Units(id, instrument, units)) => {
                let step = StoryStep::expect_units(&braced(&self.account_ref(*id)), &instrument.to_string(), units);
                self.push_for_account(*id, step);
            }
            Some(Claim::Spendable(id, amount)) => self.expect_spendable(*id, amount),
            Some(Claim::Sellable(id, instrument, units)) => self.expect_sellable(*id, *instrument, units),
            Some(Claim::Events(id, statuses)) => self.expect_events(*id, statuses),
            Some(Claim::Answer(_) | Claim::Journey(..) | Claim::Callback(..)) => {}
            None => self.expect_everything(),
        }
    }

    fn push_for_account(&mut self, id: AccountId, step: StoryStep) {
        let actor = self.accounts.get(&id).map_or_else(Actor::default, |(_, actor)| *actor);
        self.steps.push(by(step, actor));
    }

    fn push_for_order(&mut self, id: OrderId, step: StoryStep) {
        let actor = self.actor_of_order(id);
        self.steps.push(by(step, actor));
    }

    fn expect_order(&mut self, id: OrderId, fields: &[(&'static str, Fact)]) {
        let expected = match fields {
            [("status", Fact::Text(status))] => Expected::from(status.as_str()),
            fields => fields_of(fields),
        };
        let step = StoryStep::from(Expect::Order(braced(&self.order_ref(id)), expected));
        self.push_for_order(id, step);
    }

    fn expect_legs(
        &mut self,
        id: OrderId,
        cash: Option<&[(&'static str, Fact)]>,
        units: Option<&[(&'static str, Fact)]>,
    ) {
        for (book, fields) in [(crate::ast::Book::Cash, cash), (crate::ast::Book::Fund, units)] {
            let expected = fields.map_or(Expected::Absent, fields_of);
            let (noun, of) = (crate::ast::Noun::Order, braced(&self.order_ref(id)));
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
        self.steps.extend(steps);
    }
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
    StoryStep::from(Ask::Call(call)).answers(status)
}

/// A name as it stands in the words of an expectation; an id stands as it is.
pub(super) fn braced(name: &str) -> String {
    if name.len() == 36 { name.to_owned() } else { format!("{{{name}}}") }
}

/// A move of the clock.
pub(super) fn wait(to: Instant) -> StoryStep {
    StoryStep::advance(Move::To(instant(to)))
}

pub(super) fn by(step: StoryStep, actor: Actor) -> StoryStep {
    match actor {
        Actor::Client { partner, client } => step.by(partner, client),
        Actor::Nobody => step,
    }
}

fn same_partner(one: Actor, other: Actor) -> bool {
    match (one, other) {
        (Actor::Client { partner, .. }, Actor::Client { partner: other, .. }) => partner == other,
        _ => false,
    }
}

pub(super) fn fields_of(fields: &[(&'static str, Fact)]) -> Expected {
    let value = |fact: &Fact| match fact {
        Fact::Text(text) => json!(text),
        Fact::Number(text) => number(text),
        Fact::Null => Json::Null,
        Fact::Flag(flag) => Json::Bool(*flag),
    };
    Expected::Part(fields.iter().map(|(key, fact)| ((*key).to_owned(), Expected::Is(value(fact)))).collect())
}

fn person(owner: &Owner) -> Json {
    match owner {
        Owner::NaturalPerson(person) => json!({
            "ownerType": "natural_person",
            "firstName": *person.first_name,
            "lastName": *person.last_name,
            "ssn": person.ssn.to_string(),
        }),
        Owner::LegalEntity(entity) => json!({
            "ownerType": "legal_entity",
            "name": *entity.name,
            "crn": entity.crn.to_string(),
            "registrationCountry": entity.registration_country.as_deref(),
            "signatoryGroups": entity.signatories.iter()
                .map(|signatory| json!({ "name": *signatory.name, "ssn": signatory.ssn.to_string() }))
                .collect::<Vec<_>>(),
        }),
    }
}

/// An instant as clocks in Stockholm show it, with their offset.
fn instant(at: Instant) -> String {
    let local = at.local();
    let midnight = Instant::at_utc_midnight(local.date()).ms();
    let wall = midnight + (i64::from(local.hour()) * 60 + i64::from(local.minute())) * 60_000;
    let offset = if wall - at.ms() > 90 * 60_000 { "+02:00" } else { "+01:00" };
    let text = format!("{}T{:02}:{:02}:{:02}", local.date(), local.hour(), local.minute(), local.second());
    match at.ms() % 1_000 {
        0 => format!("{text}{offset}"),
        ms => format!("{text}.{ms:03}{offset}"),
    }
}
