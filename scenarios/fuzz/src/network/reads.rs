//! What the partner reads: single resources, lists page by page and by filters, sockets.
//!
//! Invariant: reading changes nothing, so that no look is part of the story; only what should have been read is, when it
//! was not. What must be read is `readable`'s to say. Absent on purpose: reads in outages, which prove nothing.

use super::expectation::expectation;
use super::lists::{Item, items};
use super::network_run::{Connectivity, NetworkRun};
use super::readable::{self, Readable};
use super::step::{LISTS, List, Near, Private, Read, Resource};
use crate::story::by;
use language::ast::{Act as StoryAct, Actor, Call, Expect, ExpectedResponse, StoryStep};
use oracle::check::{Claim, Law};
use oracle::model::money_files::Instructed;
use runner::remote::{Frames, RequestOutcome};
use serde_json::{Value as Json, json};
use sim::World;
use sim::identity::InstrumentId;
use sim::ids::{AccountId, ClientId, InstructionId, OrderId};
use sim::query::{self, OrderFilter, TransactionFilter};
use sim::records::{Instruction, OwnerKey};
use sim::store::Window;
use std::sync::Arc;

/// Most pages of one list.
const MOST_PAGES: usize = 500;

/// Days of past prices that are read when a query names none.
const DAYS_OF_PRICES: i64 = 365;

/// Something to be read, and what must be read.
pub(super) struct Reading<E = Readable> {
    pub(super) path: String,
    query: Vec<(String, Json)>,
    pub(super) expected: E,
}

/// Something that can be read. What must be read is made of it only once it is chosen: a year of prices for each fund, of which one is
/// asked for, would take a sixth of a run.
pub(super) type Candidate<'a> = Reading<Box<dyn FnOnce() -> Readable + 'a>>;

impl<E> Reading<E> {
    fn with(mut self, name: &str, value: impl Into<Json>) -> Self {
        self.query.push((name.to_owned(), value.into()));
        self
    }
}

impl<'a> Candidate<'a> {
    fn new(path: impl Into<String>, expected: impl FnOnce() -> Readable + 'a) -> Self {
        Self { path: path.into(), query: Vec::new(), expected: Box::new(expected) }
    }

    pub(super) fn chosen(self) -> Reading {
        Reading { path: self.path, query: self.query, expected: (self.expected)() }
    }
}

impl Reading {
    fn of(path: impl Into<String>, expected: Readable) -> Self {
        Self { path: path.into(), query: Vec::new(), expected }
    }

    fn step(&self, actor: Actor) -> StoryStep {
        let (path, query) = (self.path.clone(), self.query.clone());
        by(StoryStep::from(Call { method: "GET".to_owned(), path, query, ..Call::default() }), actor)
    }
}

impl NetworkRun {
    pub(super) async fn look(&mut self, look: Read) {
        if self.connectivity != Connectivity::Open {
            return;
        }
        let scope = |run: &Self, client| run.writer.bindings.scope(client).client;
        match look {
            Read::Order(name) => {
                if let Some((client, id)) = self.writer.bindings.order(name) {
                    self.read_order(scope(self, client), id).await;
                }
            }
            Read::Account(name) => {
                if let Some((client, id)) = self.writer.bindings.account(name) {
                    self.read_account(scope(self, client), id).await;
                }
            }
            Read::Pages { client, list, limit } => {
                self.walk_pages(scope(self, client), list, usize::from(limit)).await;
            }
            Read::Filtered { client, list, item, filter, near, further } => {
                self.read_filtered(scope(self, client), list, item, (filter, near), further).await;
            }
            Read::Other { client, resource, item } => self.read_other(scope(self, client), resource, item).await,
            Read::Foreign { client, of, item, by, remove } => {
                self.ask_unauthorised(scope(self, client), of, item, by, remove).await;
            }
        }
    }

    /// Every order, account and list of every client, until something is not as it should be.
    pub(super) async fn look_everywhere(&mut self) {
        self.read_journeys().await;
        for (client, _) in self.writer.clients() {
            let orders = query::orders(&self.writer.world, client, &Window::default(), &OrderFilter::default());
            let accounts = query::accounts(&self.writer.world, client, &Window::default(), None);
            for order in orders {
                if self.found.is_empty() {
                    self.read_order(client, order.id).await;
                }
            }
            for account in accounts {
                if self.found.is_empty() {
                    self.read_account(client, account.id).await;
                }
            }
            for &list in LISTS {
                if self.found.is_empty() {
                    // Orders are the list that stories can say most about: they are read in the smallest pages.
                    let limit = if list == List::Orders { 2 } else { 25 };
                    self.walk_pages(client, list, limit).await;
                }
            }
            for resource in [Resource::Client, Resource::Universe, Resource::AllocationPlans] {
                if self.found.is_empty() {
                    self.read_other(client, resource, 0).await;
                }
            }
            let instructions = self.candidates(client, Resource::Instruction).into_iter().map(Candidate::chosen);
            for reading in instructions.collect::<Vec<_>>() {
                if self.found.is_empty() {
                    self.coverage.note_network("instructions read");
                    self.read(client, &reading, Law::ChargesNeedAMandate).await;
                }
            }
        }
    }

    async fn read_journeys(&mut self) {
        let names = self.writer.journeys();
        for id in names {
            let Some(journey) = query::journey_by_link(&self.writer.world, id).cloned() else { continue };
            let reading = Reading::of(format!("/journey/{id}"), readable::journey(&self.writer.world, &journey));
            self.coverage.note_network("journeys read");
            if !self.read(journey.client, &reading, Law::AcknowledgedIsKept).await {
                let journeys = self.writer.journeys_as_expected();
                self.ending.splice(0..0, journeys);
                return;
            }
        }
    }

    /// What the sockets have shown is what they were to show.
    pub(super) async fn hear(&mut self) {
        if let Some(frames) = self.frames().await {
            self.judge_frames(&frames);
        }
    }

    /// What the sockets have shown since the last look; nothing when one broke, which is noted.
    pub(super) async fn frames(&mut self) -> Option<Frames> {
        let frames = self.remote.frames().await;
        frames.map_err(|why| self.fail(Law::WellFormedAnswers, format!("a socket: {why}"), None)).ok()
    }

    /// Holds what the sockets have shown in against what they were to show.
    pub(super) fn judge_frames(&mut self, frames: &Frames) {
        match self.feeds.judge(frames) {
            Ok(count) => {
                *self.coverage.network.entry("events received").or_default() += count;
                self.sockets_read_at = self.writer.steps.len();
            }
            Err(mismatch) => {
                let claim = mismatch.order.map(|(order, statuses)| Claim::Events(order, statuses));
                if let (None, Some((partner, client, pattern))) = (&claim, mismatch.event.map(|event| *event)) {
                    let expect = Expect::Events { events: vec![pattern], in_order: true, socket: None };
                    self.ending = vec![StoryStep::from(expect).by(partner, client)];
                }
                if claim.is_some() || !self.ending.is_empty() {
                    self.writer.steps.insert(self.sockets_read_at, StoryStep::from(StoryAct::ForgetEvents));
                }
                self.fail(mismatch.law, mismatch.what, claim);
            }
        }
    }

    /// Reads with a client's own token, and holds what is read against what must be; `false` when it is not so, or was not answered.
    async fn read(&mut self, client: ClientId, reading: &Reading, law: Law) -> bool {
        let mut step = reading.step(self.writer.actor(client));
        let is_expected = |body: &str| readable::is_text_of(body, &reading.expected);
        let Err(outcome) = self.remote.read(&step, is_expected).await else { return true };
        let RequestOutcome::Answer(status, mut body) = outcome else {
            let what = format!("GET {} was not answered over a healthy network", reading.path);
            self.fail(Law::WellFormedAnswers, what, None);
            return false;
        };
        if !self.is_well_formed(status, &body) {
            return false;
        }
        let expected = Json::from(&reading.expected);
        readable::take_links(&mut body);
        if (status, &body) == (200, &expected) {
            return true;
        }
        let expected = expectation(&expected, &body);
        step.expect = Some(ExpectedResponse {
            status: Some(json!(200).into()),
            body: Some(expected),
            ..ExpectedResponse::default()
        });
        self.ending = vec![step];
        let what = format!(
            "GET {} {} reads {status} {}",
            reading.path,
            pairs(&reading.query),
            language::matching::show(&body)
        );
        self.fail(law, what, None);
        false
    }

    async fn read_order(&mut self, client: ClientId, id: OrderId) {
        let Some(order) = query::order(&self.writer.world, client, id).cloned() else { return };
        self.coverage.note_network("orders read");
        let path = format!("/order/{}", self.writer.order_id(id));
        self.read_by_name(client, &path, &format!("/order/{id}"), readable::order(&order)).await;
    }

    async fn read_account(&mut self, client: ClientId, id: AccountId) {
        let world = &self.writer.world;
        let Some(account) = query::account(world, client, id).cloned() else { return };
        let expected = readable::account(world, &account, world.now());
        self.coverage.note_network("accounts read");
        let path = format!("/account/{}", self.writer.account_id(id));
        self.read_by_name(client, &path, &format!("/account/{id}"), expected).await;
    }

    /// Reads by an id; the story says the name where there is one.
    async fn read_by_name(&mut self, client: ClientId, name: &str, id: &str, expected: Readable) {
        if !self.read(client, &Reading::of(id, expected), Law::AcknowledgedIsKept).await
            && let Some(StoryAct::Call(call)) = self.ending.last_mut().map(|step| &mut step.act)
        {
            name.clone_into(&mut call.path);
        }
    }

    /// Reads one instruction.
    pub(super) async fn read_instruction(&mut self, client: ClientId, id: InstructionId) {
        let path = format!("/instruction/{id}");
        let candidates = self.candidates(client, Resource::Instruction);
        let candidate = candidates.into_iter().find(|candidate| candidate.path == path);
        let Some(reading) = candidate.map(Candidate::chosen) else { return };
        self.coverage.note_network("instructions read");
        self.read(client, &reading, Law::ChargesNeedAMandate).await;
    }

    async fn read_other(&mut self, client: ClientId, resource: Resource, item: u8) {
        let candidate = self.candidates(client, resource).into_iter().rev().nth(usize::from(item));
        let Some(reading) = candidate.map(Candidate::chosen) else { return };
        let (what, law) = match resource {
            Resource::Instruction | Resource::Payments => ("instructions read", Law::ChargesNeedAMandate),
            _ => ("other resources read", Law::AcknowledgedIsKept),
        };
        self.coverage.note_network(what);
        self.read(client, &reading, law).await;
    }

    /// What there is of a kind that only its client may see.
    pub(super) fn private(&self, client: ClientId, of: Private) -> Vec<Candidate<'_>> {
        let world = &self.writer.world;
        match of {
            Private::Listed(list) => items(world, client, list)
                .into_iter()
                .map(|item| Candidate::new(format!("{}/{}", list.path(), item.id()), move || item.body(world)))
                .collect(),
            Private::Other(Resource::AllocationPlans) => query::allocation_plans(world, client)
                .into_iter()
                .map(|plan| {
                    Candidate::new(format!("/allocationplan/{}", plan.id), move || readable::allocation_plan(&plan))
                })
                .collect(),
            Private::Other(resource) => self.candidates(client, resource),
        }
    }

    /// The instructions of a client, and how each must be by now.
    fn instructions(&self, client: ClientId) -> impl Iterator<Item = (&Instruction, Instructed)> {
        let all = self.writer.bindings.instructions();
        all.filter_map(move |id| {
            let record = query::instruction(&self.writer.world, client, id)?;
            Some((&**record, self.writer.instruction_due(id)?))
        })
    }

    /// What there is to read of a kind.
    fn candidates(&self, client: ClientId, resource: Resource) -> Vec<Candidate<'_>> {
        let (world, window, any) = (&self.writer.world, Window::default(), TransactionFilter::default());
        let accounts = || query::accounts(world, client, &window, None).into_iter();
        match resource {
            Resource::Client => query::client(world, client)
                .map(|it| Candidate::new("", move || readable::client(it)))
                .into_iter()
                .collect(),
            Resource::Universe => {
                let funds = query::instruments(world, Some(client));
                vec![Candidate::new("/instrument", move || funds.iter().map(readable::instrument).collect())]
            }
            Resource::Instrument => query::instruments(world, Some(client))
                .into_iter()
                .map(|view| {
                    let path = format!("/v2/partner/instrument/{}", view.record.id);
                    Candidate::new(path, move || readable::instrument(&view))
                })
                .collect(),
            Resource::Prices => query::instruments(world, Some(client))
                .iter()
                .map(|view| view.record.id)
                .map(|fund| Candidate::new(format!("/instrument/{fund}/prices"), move || prices_of_a_year(world, fund)))
                .collect(),
            Resource::Cash => query::cash_transactions(world, client, &window, &any)
                .into_iter()
                .map(|it| Candidate::new(format!("/transaction/cash/{}", it.id), move || readable::cash(&it)))
                .collect(),
            Resource::Units => query::fund_transactions(world, client, &window, &any)
                .into_iter()
                .map(|it| Candidate::new(format!("/transaction/fund/{}", it.id), move || readable::units(&it)))
                .collect(),
            Resource::Journey => query::journeys(world, client, &window)
                .into_iter()
                .map(|it| Candidate::new(format!("/journey/{}", it.id), move || readable::journey(world, &it)))
                .collect(),
            Resource::AllocationPlans => {
                let plans = query::allocation_plans(world, client);
                let expected = move || plans.iter().map(|it| readable::allocation_plan(it)).collect();
                vec![Candidate::new("/allocationplan", expected)]
            }
            Resource::SavingsPlan => accounts()
                .filter_map(|account| {
                    let plan = query::savings_plan_of(world, account.id)?;
                    let path = format!("/account/{}/savingsplan", account.id);
                    Some(Candidate::new(path, move || readable::savings_plan(plan)))
                })
                .collect(),
            Resource::Kyc => accounts()
                .map(|account| {
                    let path = format!("/kycstatus/account/{}", account.id);
                    Candidate::new(path, move || readable::kyc(&query::kyc_status(world, &account)))
                })
                .collect(),
            Resource::Limit => accounts()
                .filter(|_| query::client(world, client).is_some_and(|client| client.permissions.withdrawals))
                .map(|account| {
                    let path = format!("/account/{}/withdrawal/limit", account.id);
                    Candidate::new(path, move || readable::limits(&query::withdrawal_limits(world, &account)))
                })
                .collect(),
            Resource::MobilePayment => query::mobile_payments(world)
                .filter(|it| it.client == client)
                .map(|it| {
                    let path = format!("/v2/partner/deposit/mobilepay/{}", it.id);
                    Candidate::new(path, move || readable::mobile_payment(it))
                })
                .collect(),
            Resource::Instruction => self
                .instructions(client)
                .map(|(it, due)| {
                    let expected = move || readable::instruction(it, &query::payments_of(world, it), &due);
                    Candidate::new(format!("/instruction/{}", it.id), expected)
                })
                .collect(),
            Resource::Payments => self
                .instructions(client)
                .map(|(it, due)| {
                    let expected = move || readable::payments(&query::payments_of(world, it), &due);
                    Candidate::new(format!("/instruction/{}/payment", it.id), expected)
                })
                .collect(),
            Resource::Transfers => accounts()
                .map(|account| {
                    let path = format!("/account/{}/transfer", account.id);
                    let transfers = move || query::transfers(world, account.id, &Window::default());
                    Candidate::new(path, move || transfers().iter().map(|it| readable::transfer(it)).collect())
                })
                .collect(),
            Resource::AccountReturns => accounts()
                .map(|account| {
                    let path = format!("/account/{}/performance", account.id);
                    let days = move || query::account_performance(world, account.id, None);
                    Candidate::new(path, move || days().iter().map(readable::returned).collect())
                })
                .collect(),
            Resource::OwnerReturns => accounts()
                .map(|account| {
                    let (name, number) = match account.owner.key() {
                        OwnerKey::Ssn(number) => ("ssn", number.to_string()),
                        OwnerKey::Crn(number) => ("crn", number.to_string()),
                    };
                    let days = move || query::owner_performance(world, client, account.owner.key(), None);
                    let expected = move || days().iter().map(readable::returned).collect();
                    Candidate::new("/performance", expected).with(name, number)
                })
                .collect(),
        }
    }

    /// Laws 39 and 40: a list with a filter is what the filter keeps, whole.
    async fn read_filtered(
        &mut self,
        client: ClientId,
        list: List,
        item: u8,
        (filter, near): (u8, Near),
        (further, limit): (u8, u8),
    ) {
        let world = &self.writer.world;
        let named = |number: u8| list.filters()[usize::from(number) % list.filters().len()];
        let (all, filter) = (items(world, client, list), named(filter));
        let of = |all: &[Item]| all.len().checked_sub(1 + usize::from(item) % all.len().max(1));
        let like = of(&all).map(|at| &all[at]);
        let others = || {
            let clients = self.writer.clients().into_iter().map(|(id, _)| id).filter(|id| *id != client);
            clients.flat_map(|other| items(world, other, list)).find_map(|item| item.property(world, filter))
        };
        let value =
            if near == Near::Others { others() } else { like.and_then(|item| item.beside(world, filter, near)) };
        let Some(value) = value else { return };
        let second = Some(named(further)).filter(|second| further > 0 && !is_like(second, filter));
        let second = second.and_then(|second| Some((second, like?.property(world, second)?)));
        let limit = if limit == 0 { usize::MAX } else { usize::from(limit) };
        let kept = all.iter().filter(|item| item.passes(world, filter, &value));
        let kept = kept.filter(|item| second.as_ref().is_none_or(|(name, value)| item.passes(world, name, value)));
        let kept: Vec<&Item> = kept.collect();
        let is_part = kept.len() < all.len();
        self.coverage.laws.note_if(Law::Paging, is_part && kept.len() > limit);
        self.coverage.laws.note_if(Law::ModifiedFrom, filter == "modifiedFrom" && is_part && !kept.is_empty());
        let kept = kept.into_iter().take(limit).map(|item| item.body(world)).collect();
        let mut reading = Reading::of(list.path(), kept).with(filter, value);
        if let Some((name, value)) = second {
            reading = reading.with(name, value);
        }
        if limit < usize::MAX {
            reading = reading.with("limit", limit);
        }
        self.coverage.note_network(if near == Near::Same { "filters read" } else { "filters read beside a value" });
        self.read(client, &reading, if filter == "modifiedFrom" { Law::ModifiedFrom } else { Law::Paging }).await;
    }

    /// Law 39: page by page, each beginning with the last one's end, a list is what it is as a whole.
    async fn walk_pages(&mut self, client: ClientId, list: List, limit: usize) {
        let world = &self.writer.world;
        let pair = |item: Item| (item.sorted_id().to_string(), item.body(world));
        let all: Arc<[(String, Readable)]> = items(world, client, list).into_iter().map(pair).collect();
        let mut from = 0;
        for _ in 0..MOST_PAGES {
            let page: Readable = all[from..].iter().take(limit).map(|(_, body)| body.clone()).collect();
            let last = from + limit > all.len();
            let mut reading = Reading::of(list.path(), page).with("limit", limit);
            if from > 0 {
                reading = reading.with("start", all[from].0.clone());
            }
            self.coverage.note_network("pages read");
            if !self.read(client, &reading, Law::Paging).await || last {
                return;
            }
            from += limit - 1;
        }
    }
}

/// Whether two filters are one.
fn is_like(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// The prices of a fund that are read when a query names no days.
fn prices_of_a_year(world: &World, fund: InstrumentId) -> Readable {
    let today = world.now().local_date();
    let days = (0..=DAYS_OF_PRICES).rev().filter_map(|back| today.checked_sub(jiff_days(back)).ok());
    let prices = days.filter_map(|day| Some((day, query::price_of_day(world, fund, day)?)));
    prices.map(|price| readable::past_price(&price)).collect()
}

/// A span of days.
fn jiff_days(days: i64) -> std::time::Duration {
    std::time::Duration::from_secs(days.unsigned_abs() * 86_400)
}

fn pairs(query: &[(String, Json)]) -> String {
    query.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}
