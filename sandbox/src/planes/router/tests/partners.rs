//! Two partners that share a world on a server with an operator's token: what one of them can do to the world and to the
//! other, over every row of the machinery and of the levers.
//!
//! Invariant: a row is asked as soon as it is there, with a body that its description gives as an example, and by the ids of the
//! other partner. A row that does not say whose it is fails here.

use std::sync::Arc;

use axum::body::Body;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use sim::rng::Seed;

use super::super::*;
use crate::testing::{Answer, Bench, FUND, START, at, request};
use feed::rights::Rights;
use feed::transport::TransportTime;
use hosting::clock::Mode;
use hosting::partners_may::{WORLD_ACTS, WorldAct};
use hosting::recording::ScenarioWriter;
use hosting::secrets::Secret;
use hosting::setup::demo;
use hosting::worlds::{NewWorld, WorldOrigin};
use surface::SurfaceConfig;
use surface::route::RouteOwner;

const OPERATOR_TOKEN: &str = "operator";
const CURRENT: &str = "/_sandbox/worlds/current";
const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

/// The demo world with its two partners: the second is the one that asks, the first has something of everything.
struct Stage {
    bench: Bench,
    asker: String,
    other: String,
    /// Ids of the other's, by what they are of.
    ids: Vec<(&'static str, String)>,
    /// Texts that only the other may read.
    marks: Vec<String>,
}

/// Writes what exchanges of a recording say, so that it can be looked for there.
fn writer() -> ScenarioWriter {
    |session| {
        Box::pin(async move {
            let contents = session.exchanges.iter().map(|exchange| {
                let bodies = exchange.sent.iter().chain(&exchange.answered);
                let bodies: Vec<_> = bodies.map(|body| String::from_utf8_lossy(body).into_owned()).collect();
                format!("{} {}\n", exchange.target, bodies.join("\n"))
            });
            contents.collect()
        })
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

impl Stage {
    fn bare() -> Bench {
        let origin = WorldOrigin { setup: Arc::new(demo()), seed: Seed(42), start: at(START) };
        let new = NewWorld::frozen(origin);
        let operator_token = Some(Secret::new(OPERATOR_TOKEN));
        let config = SurfaceConfig { operator_token, scenario_writer: Some(writer()), ..SurfaceConfig::default() };
        Bench::over(new, config)
    }

    async fn new() -> Self {
        let bench = Self::bare();
        let (other, asker) = (bench.token(0).await, bench.token(1).await);
        let mut stage = Self { bench, asker, other, ids: Vec::new(), marks: Vec::new() };
        stage.furnish().await;
        stage
    }

    async fn ask(&self, token: &str, method: Method, path: &str, body: Value) -> Answer {
        let body = Some(body).filter(|body| !body.is_null());
        self.bench.ask(request(method, path, Some(token), body.as_ref())).await
    }

    /// Asks as the other partner, who may.
    async fn other(&self, method: Method, path: &str, body: Value) -> Value {
        let answer = self.ask(&self.other, method.clone(), path, body).await;
        assert_eq!(answer.status, 200, "{method} {path}: {}", answer.body);
        answer.body
    }

    /// Gives the other partner one of each.
    async fn furnish(&mut self) {
        let scope = self.bench.scope(0);
        let client = scope.client.to_string();
        let base = format!("/v2/partner/client/{client}");
        let accounts = self.other(Method::GET, &format!("{base}/account"), Value::Null).await;
        let (first, cash) = (&accounts[0], &accounts[2]);
        let account = text(&first["id"]);
        let bank = text(&first["bankAccounts"][0]["id"]);
        let order = json!({ "account": cash["id"], "orderType": "subscription", "instrument": FUND, "amount": 1000 });
        let order = self.other(Method::POST, &format!("{base}/order"), order).await;
        let (journey, transfer) = (self.journey(&base, None).await, self.transfer(&base).await);
        let pay = json!({ "type": "same_device", "amount": 250 });
        let pay = self.other(Method::POST, &format!("{base}/account/{account}/deposit/mobilepay"), pay).await;
        let charge =
            json!({ "type": "autogiro", "payments": [{ "account": account, "amount": 500, "clientRef": "first" }] });
        let charge = self.other(Method::POST, &format!("{base}/instruction/payment"), charge).await;
        let payments = format!("{base}/instruction/{}/payment", text(&charge["id"]));
        let payment = self.other(Method::GET, &payments, Value::Null).await[0]["id"].clone();
        let out =
            json!({ "withdrawalType": "amount", "amount": 100, "bankAccount": bank, "executorRef": "199001012385" });
        let out = self.other(Method::POST, &format!("{base}/account/{account}/withdrawal"), out).await;
        let units =
            json!({ "transactionType": "subscription", "refType": "compensations", "instrument": FUND, "units": 1 });
        let units = self.other(Method::POST, &format!("/simulations/account/{account}/book"), units).await;
        let hook = json!({ "client": client, "url": "http://other-receiver.example/hook" });
        let hook = self.other(Method::POST, &format!("{CURRENT}/webhooks"), hook).await;
        let hook = text(&hook["id"]);
        let sent = self.other(Method::POST, &format!("{CURRENT}/webhooks/{hook}/test"), Value::Null).await;
        let rule = json!({ "match": { "path": "/others-own/*" }, "verdict": { "delay": { "ms": 1 } } });
        let rule = self.other(Method::POST, &format!("{CURRENT}/faults"), rule).await;
        self.other(Method::POST, &format!("{CURRENT}/snapshots"), json!({ "name": "others-own" })).await;
        let settings = self.bench.world.edge.settings();
        let feed = &self.bench.world.subscribers.feed;
        feed.enter(scope.partner, scope.client, TransportTime(0), Rights::ALL, &settings).expect("room");
        let events = self.other(Method::GET, &format!("{CURRENT}/events"), Value::Null).await;
        self.ids = vec![
            ("clientId", client),
            ("accountId", account),
            ("bankAccountId", bank),
            ("orderId", text(&order["id"])),
            ("journeyId", journey),
            ("transferId", transfer),
            ("mobilepayId", text(&pay["id"])),
            ("paymentId", text(&payment)),
            ("withdrawal", text(&out["id"])),
            ("fundTransaction", text(&units["id"])),
            ("webhookId", hook),
            ("deliveryId", text(&sent["id"])),
            ("faultId", rule["id"].to_string()),
            ("snapshotId", "others-own".to_owned()),
            ("event", text(&events["events"][0]["event"]["eventId"])),
        ];
        self.mark(&accounts);
    }

    async fn journey(&self, base: &str, transfer: Option<Value>) -> String {
        let mut journey = json!({ "journeyType": "createAccount", "accountTypes": ["isk"],
            "accountServiceType": "executionOnly", "accountCategories": ["retail"], "ssn": "198112189876" });
        if let Some(transfer) = transfer {
            journey["transfer"] = transfer;
        }
        let body = json!({ "journey": journey, "callbackUrl": "https://other-receiver.example/callback" });
        text(&self.other(Method::POST, &format!("{base}/journey"), body).await["id"])
    }

    async fn transfer(&self, base: &str) -> String {
        let custodian = self.other(Method::GET, &format!("{base}/custodian"), Value::Null).await[0]["id"].clone();
        let transfer = json!({ "enforce": "required", "transfers": [{ "custodian": custodian, "accounts": [{
            "accountNumber": "123-456", "sourceAccountType": ["isk"], "closeAccountAndSavingsplans": false,
            "required": true, "untransferableUnitsOutput": ["cash"], "defaultUnitsOutput": ["cash"],
            "balanceOutput": ["cash"], "allowInstrumentSelection": false,
            "instruments": [{ "instrument": FUND, "units": 5 }],
        }] }] });
        let journey = self.journey(base, Some(transfer)).await;
        self.other(Method::POST, &format!("/simulations/journey/{journey}/complete"), json!({ "answers": {} })).await;
        let transfers = |world: &sim::World| {
            sim::query::every_transfer(world).map(|transfer| transfer.id.to_string()).collect::<Vec<_>>()
        };
        self.bench.world.read(transfers).expect("a world").pop().expect("a transfer")
    }

    /// Notes what only the other may read: what it is called, and what it has.
    fn mark(&mut self, accounts: &Value) {
        let credentials = &self.bench.world.identity.credentials()[0];
        let names = ["Lingonberget", "other-receiver", "others-own", "Astrid", "199001012385"].map(str::to_owned);
        let own = [credentials.partner.to_string(), credentials.client_id.to_string()];
        let second = self.bench.scope(1).client.to_string();
        let listed = accounts.as_array().expect("a list").iter().map(|account| text(&account["id"]));
        let ids = self.ids.iter().filter(|(what, _)| *what != "faultId").map(|(_, id)| id.clone());
        self.marks = names.into_iter().chain(own).chain([second]).chain(listed).chain(ids).collect();
    }

    fn id(&self, of: &str) -> &str {
        self.ids.iter().find(|(what, _)| *what == of).map_or(NOBODY, |(_, id)| id)
    }

    /// A path with the other's ids in it, or ids of nobody.
    fn path(&self, row: &Route, is_others: bool) -> String {
        let filled = row.path.split('/').map(|part| match part {
            "{worldId}" => "current",
            "{instrumentId}" => FUND,
            "{transactionId}" if is_others && row.path.contains("/withdrawal/") => self.id("withdrawal"),
            "{transactionId}" if is_others && row.path.contains("/cashTransaction/") => self.id("withdrawal"),
            "{transactionId}" if is_others => self.id("fundTransaction"),
            "{id}" if is_others => self.id("orderId"),
            part => match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
                Some(name) if is_others => self.id(name),
                Some(_) => NOBODY,
                None => part,
            },
        });
        filled.collect::<Vec<_>>().join("/")
    }

    /// What the other sees of what is its own.
    async fn others_view(&self) -> Value {
        let base = format!("/v2/partner/client/{}", self.id("clientId"));
        let mut seen = Vec::new();
        for path in [
            "",
            "/settings",
            "/clock",
            "/faults",
            "/snapshots",
            "/webhooks",
            "/sockets",
            "/journeys",
            "/books",
            "/fees",
        ] {
            let mut shown = self.other(Method::GET, &format!("{CURRENT}{path}"), Value::Null).await;
            if let Some(world) = shown.as_object_mut().filter(|_| path.is_empty()) {
                // All inputs and requests of a world are counted, whosever they are.
                world.remove("input");
                world.remove("recording");
            }
            seen.push(shown);
        }
        for path in ["account", "order", "transaction/cash", "transaction/fund"] {
            seen.push(self.other(Method::GET, &format!("{base}/{path}"), Value::Null).await);
        }
        let deliveries = self.other(Method::GET, &format!("{CURRENT}/deliveries"), Value::Null).await;
        seen.push(json!([deliveries["total"], self.other(Method::GET, &base, Value::Null).await]));
        seen.into()
    }

    /// A text in an answer that is the other's, and that the request did not have.
    fn leak(&self, asked: &str, answer: &Answer) -> Option<String> {
        let contents = format!("{} {:?}", answer.body, answer.headers);
        self.marks.iter().find(|mark| contents.contains(*mark) && !asked.contains(*mark)).cloned()
    }
}

/// A body for a route, as its description has it.
fn example(row: &Route) -> Value {
    static DOCUMENT: std::sync::LazyLock<Value> =
        std::sync::LazyLock::new(|| serde_json::from_str(openapi()).expect("JSON"));
    let path = DOCUMENT["paths"][row.path].as_object().expect("a described path");
    let operation = &path[&row.method.as_str().to_ascii_lowercase()];
    operation["requestBody"]["content"]["application/json"]["example"].clone()
}

/// The rows of the machinery and of the levers.
fn shared_rows() -> impl Iterator<Item = &'static Route> {
    LEVERS.iter().chain(OPERATOR.iter().filter(|row| row.path.starts_with("/_sandbox")))
}

fn names(row: &Route) -> String {
    format!("{} {}", row.method, row.path)
}

/// (rule: auth/shared-worlds)
#[test]
fn every_row_of_the_machinery_and_of_the_levers_says_whose_it_is() {
    let silent: Vec<_> = shared_rows().filter(|row| row.whose.is_none()).map(names).collect();
    assert_eq!(silent, [""; 0]);
    for (act, word, _) in WORLD_ACTS {
        let is_route = shared_rows().any(|row| row.whose == Some(RouteOwner::World(act)));
        let is_in_handlers = matches!(act, WorldAct::Settings | WorldAct::Snapshots);
        assert_ne!(is_route, is_in_handlers, "{word} is what one place looks at");
    }
}

/// (rule: auth/shared-worlds)
#[tokio::test(start_paused = true)]
async fn what_a_partner_reads_of_a_world_that_another_shares_names_nothing_of_the_other() {
    let stage = Stage::new().await;
    let operator = request(Method::GET, "/_sandbox/worlds/world-1/webhooks", Some(OPERATOR_TOKEN), None);
    assert_eq!(stage.bench.ask(operator).await.status, 200, "what the operator reads is logged, too");
    let mut faults = Vec::new();
    for row in shared_rows().filter(|row| row.method == Method::GET) {
        let path = stage.path(row, false);
        let answer = if row.path.ends_with("/stream") {
            let sent = request(Method::GET, &path, Some(&stage.asker), None);
            let mut body: Body = stage.bench.surface.handle(sent, None).await.expect("an answer").into_body();
            let frame = body.frame().await.expect("a message").expect("a frame").into_data().expect("data");
            let body = Value::String(String::from_utf8_lossy(&frame).into_owned());
            Answer { status: 200, headers: axum::http::HeaderMap::new(), body }
        } else {
            stage.ask(&stage.asker, Method::GET, &path, Value::Null).await
        };
        let is_admitted = row.whose != Some(RouteOwner::Operator);
        if (answer.status == 403) == is_admitted {
            faults.push(format!("{}: {}", names(row), answer.status));
        }
        if let Some(mark) = stage.leak(&path, &answer) {
            faults.push(format!("{} tells {mark}: {}", names(row), answer.body));
        }
    }
    assert_eq!(faults, [""; 0]);
}

/// (rule: auth/shared-worlds)
#[tokio::test(start_paused = true)]
async fn a_partner_changes_nothing_of_the_world_and_nothing_of_another_partners() {
    let stage = Stage::new().await;
    let mut faults = Vec::new();
    let mut before = stage.others_view().await;
    // What reads and has no id was asked before; what moves the market is each partner's (rule: auth/market-levers).
    let rows = shared_rows().filter(|row| row.whose != Some(RouteOwner::Market));
    for row in rows.filter(|row| row.method != Method::GET || row.path.matches('{').count() > 1) {
        let body = if row.method == Method::GET { Value::Null } else { example(row) };
        let path = stage.path(row, true);
        assert_eq!(row.problems_of(&body.to_string()).filter(|_| !body.is_null()), None, "{}", names(row));
        let digest = stage.bench.world.read(sim::World::digest).expect("a world");
        let answer = stage.ask(&stage.asker, row.method.clone(), &path, body.clone()).await;
        let names_others = stage.ids.iter().any(|(_, id)| path.split('/').any(|part| part == id));
        let expected: &[u16] = match row.whose {
            Some(RouteOwner::Operator | RouteOwner::World(_)) => &[403],
            Some(RouteOwner::Partner) if names_others => &[400, 403, 404],
            _ => &[200, 400, 403, 404, 409],
        };
        if !expected.contains(&answer.status) {
            faults.push(format!("{}: {} {}", names(row), answer.status, answer.body));
        }
        let is_refused = ![200, 204].contains(&answer.status);
        if is_refused && stage.bench.world.read(sim::World::digest).expect("a world") != digest {
            faults.push(format!("{} is refused and changes the world", names(row)));
        }
        if let Some(mark) = stage.leak(&format!("{path} {body}"), &answer) {
            faults.push(format!("{} tells {mark}: {}", names(row), answer.body));
        }
        let after = stage.others_view().await;
        if after != before {
            faults.push(format!("{} changes what another has: {before} {after}", names(row)));
            before = after;
        }
    }
    assert_eq!(faults, [""; 0]);
}

/// A request for an act by its row, on a world that can take it.
async fn act(bench: &Bench, row: &Route, token: &str, world: &str) -> u16 {
    let path = row.path.replace("{worldId}", world).replace("{snapshotId}", "kept");
    let body = match row.whose {
        Some(RouteOwner::World(WorldAct::Rewind)) => json!({ "input": 1 }),
        Some(RouteOwner::World(WorldAct::Advance)) => json!({ "by": "PT1M" }),
        _ => json!({}),
    };
    bench.ask(request(row.method.clone(), &path, Some(token), Some(&body))).await.status
}

async fn keep(bench: &Bench, token: &str, world: &str) {
    let path = format!("/_sandbox/worlds/{world}/snapshots");
    let kept = bench.ask(request(Method::POST, &path, Some(token), Some(&json!({ "name": "kept" })))).await;
    assert_eq!(kept.status, 200, "{}", kept.body);
}

/// (rule: auth/shared-worlds)
#[tokio::test(start_paused = true)]
async fn a_partner_does_to_a_shared_world_what_the_world_names_and_no_more() {
    for row in shared_rows() {
        let Some(RouteOwner::World(act_of_row)) = row.whose else { continue };
        for (named, _, _) in WORLD_ACTS {
            let bench = Stage::bare();
            let token = bench.token(1).await;
            keep(&bench, &token, "current").await;
            let change = json!({ "partnersMay": [named.to_string()] });
            let path = "/_sandbox/worlds/world-1/settings";
            for (who, status) in [(token.as_str(), 403), (OPERATOR_TOKEN, 200)] {
                let answer = bench.ask(request(Method::PATCH, path, Some(who), Some(&change))).await;
                assert_eq!(answer.status, status, "{}", answer.body);
            }
            let is_allowed = named == act_of_row;
            // With the operator's snapshots a partner keeps its own among them, and this one is no longer there for it.
            let status = act(&bench, row, &token, "current").await;
            assert_eq!(status, if is_allowed { 200 } else { 403 }, "{} where partners may {named}", names(row));
        }
    }
}

/// (rule: auth/shared-worlds)
#[tokio::test(start_paused = true)]
async fn a_world_of_one_partner_and_a_fork_that_a_partner_has_made_are_its_own() {
    for row in shared_rows().filter(|row| matches!(row.whose, Some(RouteOwner::World(_)))) {
        let bench = Stage::bare();
        let mut setup = demo();
        setup.partners.truncate(1);
        let origin = WorldOrigin { setup: Arc::new(setup), seed: Seed(1), start: at(START) };
        let new = NewWorld::frozen(origin);
        let alone = bench.surface.app().worlds.make(new).await.expect("a world");
        let line = crate::planes::operator::line(bench.surface.app(), &alone).expect("a line");
        let token = bench.token(1).await;
        let fork = bench.ask(request(Method::POST, &format!("{CURRENT}/fork"), Some(&token), Some(&json!({})))).await;
        assert_eq!(fork.body["partners"].as_array().map(Vec::len), Some(1), "{}", fork.body);
        for (line, status) in [(line, 200), (fork.body, 200)] {
            let token = token_of(&bench, &line["partners"][0]).await;
            let world = text(&line["worldId"]);
            keep(&bench, &token, &world).await;
            assert_eq!(act(&bench, row, &token, &world).await, status, "{} of {world}", names(row));
        }
        assert_eq!(act(&bench, row, &token, "world-1").await, 403, "the world itself is still shared");
    }
}

async fn token_of(bench: &Bench, partner: &Value) -> String {
    let (id, secret) = (text(&partner["clientId"]), text(&partner["clientSecret"]));
    let form = format!("grant_type=client_credentials&client_id={id}&client_secret={secret}");
    text(&bench.ask(crate::testing::form_request(&form)).await.body["access_token"])
}

/// (rule: auth/shared-worlds)
#[tokio::test(start_paused = true)]
async fn settings_of_a_shared_world_are_the_operators_and_those_of_clients_their_partners() {
    let bench = Stage::bare();
    let token = bench.token(1).await;
    let (own, path) = (bench.scope(2).client.to_string(), "/_sandbox/worlds/world-1/settings");
    let patch =
        async |token: &str, change: Value| bench.ask(request(Method::PATCH, path, Some(token), Some(&change))).await;
    let terms = json!({ "permissions": { own.clone(): { "withdrawals": false } }, "clients": { own: { "withdrawalNeedsSignature": true } } });
    for change in [
        json!({ "tokenLifeSeconds": 7 }),
        json!({ "deliveryWaitsSeconds": [1] }),
        json!({ "world": { "exposeConfirmed": true } }),
        json!({ "allowlist": ["192.0.2.0/24"], "force": true }),
        json!({ "partnersMay": ["settings"] }),
        json!({ "operatorMarket": true }),
    ] {
        let mut both = terms.clone();
        both.as_object_mut().expect("an object").extend(change.as_object().expect("an object").clone());
        let before = bench.world.read(sim::World::digest).expect("a world");
        assert_eq!(patch(&token, both).await.status, 403, "{change}");
        assert_eq!(bench.world.read(sim::World::digest).expect("a world"), before, "all or nothing: {change}");
    }
    assert_eq!(patch(&token, terms).await.status, 200);
    let shown = bench.ask(request(Method::GET, path, Some(&token), None)).await.body;
    assert_eq!(patch(&token, shown).await.status, 200, "what is so can be sent back");
    assert_eq!(patch(OPERATOR_TOKEN, json!({ "partnersMay": ["settings"] })).await.status, 200);
    assert_eq!(patch(&token, json!({ "tokenLifeSeconds": 7 })).await.status, 200);
    assert_eq!(patch(&token, json!({ "partnersMay": [] })).await.status, 403, "who may what is the operator's");
    let unknown = patch(OPERATOR_TOKEN, json!({ "partnersMay": ["all"] })).await;
    assert!(unknown.status == 400 && unknown.body.to_string().contains("`advance`"), "{}", unknown.body);
}

/// (rule: auth/shared-worlds)
#[tokio::test(start_paused = true)]
async fn snapshots_of_the_operator_and_of_each_partner_have_names_of_their_own() {
    let bench = Stage::bare();
    let tokens = [bench.token(0).await, bench.token(1).await];
    let path = "/_sandbox/worlds/world-1/snapshots";
    let list = async |token: &str| {
        let answer = bench.ask(request(Method::GET, path, Some(token), None)).await;
        answer.body.as_array().expect("a list").iter().map(|kept| text(&kept["id"])).collect::<Vec<_>>()
    };
    for token in [OPERATOR_TOKEN, &tokens[0], &tokens[1]] {
        keep(&bench, token, "world-1").await;
        bench.account(0);
    }
    let partners = bench.world.identity.credentials().iter().map(|known| format!("{}:kept", known.partner));
    let all: Vec<_> = std::iter::once("kept".to_owned()).chain(partners).collect();
    assert_eq!((list(&tokens[0]).await, list(OPERATOR_TOKEN).await), (vec!["kept".to_owned()], all.clone()));
    let accounts = || bench.world.read(|world| sim::query::every_account(world).count()).expect("a world");
    let mut counts = Vec::new();
    for name in &all {
        let restore = format!("{path}/{name}/restore");
        assert_eq!(bench.ask(request(Method::POST, &restore, Some(&tokens[1]), None)).await.status, 403);
        let answer = bench.ask(request(Method::POST, &restore, Some(OPERATOR_TOKEN), None)).await;
        assert_eq!(answer.status, 200, "{name}: {}", answer.body);
        counts.push(accounts());
    }
    assert_eq!(counts, [counts[0], counts[0] + 1, counts[0] + 2]);
    let shared = json!({ "partnersMay": ["snapshots"] });
    let settings = "/_sandbox/worlds/world-1/settings";
    assert_eq!(bench.ask(request(Method::PATCH, settings, Some(OPERATOR_TOKEN), Some(&shared))).await.status, 200);
    assert_eq!(list(&tokens[0]).await, ["kept"]);
}

/// (rule: auth/shared-worlds)
#[tokio::test(start_paused = true)]
async fn who_may_what_stays_as_the_operator_has_it_when_a_world_is_put_back() {
    let bench = Stage::bare();
    let token = bench.token(1).await;
    let path = "/_sandbox/worlds/world-1";
    let patch = async |acts: Value| {
        let change = json!({ "partnersMay": acts });
        bench.ask(request(Method::PATCH, &format!("{path}/settings"), Some(OPERATOR_TOKEN), Some(&change))).await.status
    };
    assert_eq!(patch(json!(["rewind", "reset", "drop"])).await, 200);
    assert_eq!(patch(json!(["rewind", "reset"])).await, 200);
    for (way, body) in [("rewind", json!({ "input": 1 })), ("reset", json!({}))] {
        let answer = bench.ask(request(Method::POST, &format!("{path}/{way}"), Some(&token), Some(&body))).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert_eq!(bench.ask(request(Method::DELETE, path, Some(&token), None)).await.status, 403, "after {way}");
    }
}

/// (rule: auth/shared-worlds)
#[tokio::test(start_paused = true)]
async fn what_happened_to_a_client_that_is_gone_is_still_its_partners_alone() {
    let operator_token = Some(Secret::new(OPERATOR_TOKEN));
    let bench = Bench::with(Mode::Frozen, SurfaceConfig { operator_token, ..SurfaceConfig::default() });
    let tokens = [bench.token(0).await, bench.token(1).await];
    let client = bench.scope(2).client.to_string();
    let purge = format!("/simulations/client/{client}/purge");
    let answer = bench.ask(request(Method::POST, &purge, Some(&tokens[1]), None)).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    for (token, sees) in [(&tokens[0], false), (&tokens[1], true)] {
        let events = bench.ask(request(Method::GET, &format!("{CURRENT}/events"), Some(token), None)).await;
        assert_eq!(events.body.to_string().contains(&client), sees, "{}", events.body);
    }
}

/// (rule: auth/shared-worlds)
#[tokio::test(start_paused = true)]
async fn what_happens_to_a_client_that_a_partner_has_made_is_shown_to_that_partner_alone() {
    let operator_token = Some(Secret::new(OPERATOR_TOKEN));
    let bench = Bench::with(Mode::Frozen, SurfaceConfig { operator_token, ..SurfaceConfig::default() });
    let tokens = [bench.token(0).await, bench.token(1).await];
    let post = |path: &str, body| request(Method::POST, path, Some(&tokens[1]), Some(&body));
    let body = json!({
        "name": "New AB", "displayName": "New", "crn": "5599900031", "country": "SE",
        "serviceTypes": [{ "accountServiceType": "executionOnly" }],
    });
    let made = bench.ask(post("/v2/partner/client", body)).await;
    let client = text(&made.body["id"]);
    let opened = json!({ "clientId": client, "accountType": "isk" });
    let opened = bench.ask(post("/simulations/account", opened)).await;
    assert_eq!((made.status, opened.status), (200, 200), "{} {}", made.body, opened.body);
    for (token, sees) in [(&tokens[0], false), (&tokens[1], true)] {
        let events = bench.ask(request(Method::GET, &format!("{CURRENT}/events"), Some(token), None)).await;
        assert_eq!(events.body.to_string().contains(&client), sees, "{}", events.body);
    }
}
