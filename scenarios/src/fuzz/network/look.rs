//! What the partner reads: single resources, lists page by page, sockets.
//!
//! Invariant: reading changes nothing, so that no look is part of the story; only what should have been read is, when it
//! was not. Absent on purpose: reads in bad weather, which prove nothing.

use super::network_run::{NetworkRun, Way};
use super::step::{LISTS, List, Look};
use crate::ast::{Act as StoryAct, Actor, Call, Expected, ExpectedResponse, StoryStep};
use crate::check::{Claim, Fact};
use crate::fuzz::story::by;
use crate::model::Status;
use crate::runner::remote::Heard;
use sandbox::wire::account::Account;
use sandbox::wire::order::Order;
use serde::Serialize;
use serde_json::{Value as Json, json};
use sim::ids::{AccountId, ClientId, OrderId};
use sim::query::{self, OrderFilter, TransactionFilter};
use sim::store::Window;

/// Most pages of one list.
const MOST_PAGES: usize = 500;

impl NetworkRun {
    pub(super) async fn look(&mut self, look: Look) {
        if self.way != Way::Open {
            return;
        }
        match look {
            Look::Order(name) => {
                if let Some((client, id)) = self.teller.bindings.order(name) {
                    let client = self.teller.bindings.scope(client).client;
                    self.read_order(client, id).await;
                }
            }
            Look::Account(name) => {
                if let Some((client, id)) = self.teller.bindings.account(name) {
                    let client = self.teller.bindings.scope(client).client;
                    self.read_account(client, id).await;
                }
            }
            Look::Pages { client, list, limit } => {
                let client = self.teller.bindings.scope(client).client;
                self.walk_pages(client, list, usize::from(limit)).await;
            }
        }
    }

    /// Every order, account and list of every client, until something is not as it should be.
    pub(super) async fn look_everywhere(&mut self) {
        self.read_journeys().await;
        for (client, _) in self.teller.clients() {
            let orders = query::orders(&self.teller.world, client, &Window::default(), &OrderFilter::default());
            let accounts = query::accounts(&self.teller.world, client, &Window::default(), None);
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
        }
    }

    async fn read_journeys(&mut self) {
        let names = self.teller.journeys();
        for id in names {
            let Some(journey) = query::journey_by_link(&self.teller.world, id).cloned() else { continue };
            let actor = self.teller.actor(journey.client);
            let Some((status, body)) = self.get(actor, &format!("/journey/{id}"), &[]).await else { return };
            self.coverage.note_network("journeys read");
            let word = body.get("status").and_then(Json::as_str);
            if status != 200 || word != Some(journey.state.name()) {
                let what = format!("journey {id} reads {status} {word:?}, not {}", journey.state.name());
                self.ending = self.teller.journeys_as_expected();
                return self.fail(51, what, None);
            }
        }
    }

    /// What the sockets have shown is what they were to show.
    pub(super) async fn hear(&mut self) {
        let frames = match self.remote.frames().await {
            Ok(frames) => frames,
            Err(why) => return self.fail(52, format!("a socket: {why}"), None),
        };
        match self.feeds.judge(frames) {
            Ok(count) => *self.coverage.network.entry("events heard").or_default() += count,
            Err(misheard) => {
                let claim = misheard.order.map(|(order, statuses)| Claim::Events(order, statuses));
                if claim.is_some() {
                    self.teller.steps.insert(self.last, StoryStep::from(StoryAct::ForgetEvents));
                }
                self.fail(misheard.law, misheard.what, claim);
            }
        }
    }

    /// Reads with a client's own token; nothing when there was no well-formed answer, which is noted.
    async fn get(&mut self, actor: Actor, path: &str, query: &[(&str, Json)]) -> Option<(u16, Json)> {
        let query = query.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let call = Call { method: "GET".to_owned(), path: path.to_owned(), query, ..Call::default() };
        match self.remote.ask(&by(StoryStep::from(call), actor)).await {
            Heard::Answer(status, body) => self.is_well_formed(status, &body).then_some((status, body)),
            Heard::Silence | Heard::Unsent => {
                self.fail(52, format!("GET {path} was not answered over a healthy network"), None);
                None
            }
        }
    }

    async fn read_order(&mut self, client: ClientId, id: OrderId) {
        let Some(order) = query::order(&self.teller.world, client, id).cloned() else { return };
        let expected = shown(&Order::of(&order, &self.teller.world.setup().settings));
        let actor = self.teller.actor(client);
        let Some((status, body)) = self.get(actor, &format!("/order/{id}"), &[]).await else { return };
        self.coverage.note_network("orders read");
        if (status, &body) != (200, &expected) {
            let what = format!("order {id} reads {status} {}", crate::matching::show(&body));
            let word = Fact::Text(Status::of(*order.state).word().to_owned());
            self.fail(51, what, Some(Claim::Order(id, vec![("status", word)])));
        }
    }

    async fn read_account(&mut self, client: ClientId, id: AccountId) {
        let world = &self.teller.world;
        let Some(account) = query::account(world, client, id).cloned() else { return };
        let expected = shown(&Account::of(&account, &query::positions(world, &account, world.now())));
        let actor = self.teller.actor(client);
        let Some((status, body)) = self.get(actor, &format!("/account/{id}"), &[]).await else { return };
        self.coverage.note_network("accounts read");
        if (status, &body) != (200, &expected) {
            let what = format!("account {id} reads {status} {}", crate::matching::show(&body));
            self.fail(51, what, Some(Claim::Cash(id, account.balance.to_string())));
        }
    }

    /// Law 39: page by page, each beginning with the last one's end, a list is what it is as a whole.
    async fn walk_pages(&mut self, client: ClientId, list: List, limit: usize) {
        let all = self.listed(client, list);
        let actor = self.teller.actor(client);
        let mut start: Option<String> = None;
        for _ in 0..MOST_PAGES {
            let from = start.as_ref().map_or(0, |start| all.partition_point(|(sorted, _)| sorted < start));
            let expected: Vec<&str> = all[from..].iter().take(limit).map(|(_, id)| id.as_str()).collect();
            let mut query = vec![("limit", json!(limit))];
            query.extend(start.iter().map(|start| ("start", json!(start))));
            let Some((status, body)) = self.get(actor, list.path(), &query).await else { return };
            let items = body.as_array().cloned().unwrap_or_default();
            let told: Vec<&str> =
                items.iter().map(|item| item.get("id").and_then(Json::as_str).unwrap_or("")).collect();
            self.coverage.note_network("pages read");
            if status != 200 || told != expected {
                self.ending = vec![page(actor, list, &query, &expected)];
                let what = format!("GET {} from {start:?} shows {told:?}, not {expected:?}", list.path());
                return self.fail(39, what, None);
            }
            if items.len() < limit {
                return;
            }
            start = all.get(from + limit - 1).map(|(sorted, _)| sorted.clone());
        }
    }

    /// A whole list as the twin has it: sorted ids and ids.
    fn listed(&self, client: ClientId, list: List) -> Vec<(String, String)> {
        let (world, window, any) = (&self.teller.world, Window::default(), TransactionFilter::default());
        let pair = |sorted: sim::ids::SortedId, id: String| (sorted.to_string(), id);
        match list {
            List::Accounts => query::accounts(world, client, &window, None)
                .iter()
                .map(|account| pair(account.sorted_id, account.id.to_string()))
                .collect(),
            List::Orders => query::orders(world, client, &window, &OrderFilter::default())
                .iter()
                .map(|order| pair(order.sorted_id, order.id.to_string()))
                .collect(),
            List::Cash => query::cash_transactions(world, client, &window, &any)
                .iter()
                .map(|cash| pair(cash.sorted_id, cash.id.to_string()))
                .collect(),
            List::Units => query::fund_transactions(world, client, &window, &any)
                .iter()
                .map(|units| pair(units.sorted_id, units.id.to_string()))
                .collect(),
        }
    }
}

/// The page that should have been.
fn page(actor: Actor, list: List, query: &[(&str, Json)], expected: &[&str]) -> StoryStep {
    let query = query.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let call = Call { method: "GET".to_owned(), path: list.path().to_owned(), query, ..Call::default() };
    let item = |id: &&str| Expected::Part(vec![("id".to_owned(), Expected::Is(json!(id)))]);
    let body = Some(Expected::List(expected.iter().map(item).collect()));
    let mut step = by(StoryStep::from(call), actor);
    step.expect = Some(ExpectedResponse { status: Some(json!(200)), body, ..ExpectedResponse::default() });
    step
}

/// A resource as the surface shows it.
fn shown(resource: &impl Serialize) -> Json {
    serde_json::to_value(resource).unwrap_or_default()
}
