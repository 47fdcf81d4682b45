//! What is shown beside what was never met makes it happen: each row's requests are sent to a server of their own, with the fields that
//! they leave out.

use super::{call, get};
use crate::planes::operator::tests::W;
use crate::testing::{Bench, FUND, new_world, request};
use axum::http::Method;
use deliveries::testing::{Inbox, Reply};
use hosting::clock::Mode;
use hosting::setup;
use hosting::worlds::{NewWorld, WorldOrigin};
use serde_json::{Value, json};
use sim::ids::ClientId;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use surface::SurfaceConfig;

/// Somebody who does what is shown, in the demo world.
struct Player {
    bench: Bench,
    /// What is posted to the partner.
    inbox: Inbox,
    token: String,
    /// A client of another partner.
    other: ClientId,
    /// Ids by their names in paths and bodies.
    ids: BTreeMap<&'static str, String>,
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("a text: {value}")).to_owned()
}

/// `base` with what `body` has besides or instead.
fn merged(base: Value, body: &Value) -> Value {
    match (base, body) {
        (Value::Object(mut base), Value::Object(body)) => {
            for (name, value) in body {
                let known = base.remove(name).unwrap_or_default();
                base.insert(name.clone(), merged(known, value));
            }
            Value::Object(base)
        }
        (base, Value::Null) => base,
        (_, body) => body.clone(),
    }
}

impl Player {
    /// The first partner.
    async fn begin() -> Self {
        Self::begin_as([0, 0, 2]).await
    }

    /// A partner, by its place, that of its client and that of a client of another one. Has an account with money, and a bank account
    /// that can be charged.
    async fn begin_as([partner, own, other]: [usize; 3]) -> Self {
        let NewWorld { origin, .. } = new_world(Mode::Frozen);
        let origin = WorldOrigin { setup: Arc::new(setup::demo()), ..origin };
        let inbox = Inbox::new();
        let config = SurfaceConfig { egress_client: inbox.egress_client(), ..SurfaceConfig::default() };
        let bench = Bench::over(NewWorld::frozen(origin), config);
        let (token, client) = (bench.token(partner).await, bench.scope(own).client.to_string());
        let other = bench.scope(other).client;
        let ids = BTreeMap::from([("clientId", client), ("worldId", "world-1".into()), ("instrumentId", FUND.into())]);
        let mut player = Self { bench, inbox, token, other, ids };
        let banks = json!({ "bankAccounts": [{ "iban": "SE8150000000050000000019", "mandateStatus": "active" }] });
        player
            .play(
                &json!({ "operation": "openAccount", "method": "POST", "path": "/simulations/account", "body": banks }),
            )
            .await;
        player
    }

    fn id(&self, name: &str) -> &str {
        self.ids.get(name).map_or("", String::as_str)
    }

    fn filled(&self, text: &str) -> String {
        self.ids.iter().fold(text.to_owned(), |text, (name, id)| text.replace(&format!("{{{name}}}"), id))
    }

    /// Fields that an operation needs and that do not matter.
    fn fields(&self, operation: &str, body: &Value) -> Value {
        let account = self.id("accountId");
        match operation {
            "openAccount" => {
                let positions = json!([{ "instrument": FUND, "units": 10 }]);
                let client = self.id("clientId");
                json!({ "clientId": client, "accountType": "isk", "cash": 100_000, "positions": positions })
            }
            "createOrder" if body["units"].is_null() => {
                json!({ "orderType": "subscription", "account": account, "instrument": FUND, "amount": 500 })
            }
            "createOrder" => json!({ "account": account, "instrument": FUND }),
            "createClient" => json!({
                "name": "Short AB", "displayName": "Short", "crn": "5567000003", "country": "SE",
                "serviceTypes": [{ "accountServiceType": "executionOnly" }],
            }),
            "registerWebhook" => json!({ "client": self.id("clientId"), "url": "http://receiver.test/hook" }),
            "createMobilePayment" => json!({ "amount": 100, "type": "same_device" }),
            "createInstruction" => {
                let payment = json!({ "account": account, "amount": 500, "clientRef": account });
                json!({ "type": "autogiro", "payments": [payment] })
            }
            "createWithdrawal" => json!({ "withdrawalType": "amount", "amount": 10, "executorRef": self.id("ssn") }),
            "createJourney" => {
                let wanted = &body["journey"];
                let mut journey = match wanted["journeyType"].as_str() {
                    Some("createLegalEntityAccount") => json!({
                        "accountServiceType": "executionOnly",
                        "accountOptions": {
                            "serviceTypes": ["executionOnly"], "accountTypes": ["depot"],
                            "accountCategories": ["retail"], "ownerType": "legal_entity",
                        },
                    }),
                    Some("addBankAccount") => json!({ "account": account }),
                    _ => json!({
                        "journeyType": "createAccount", "accountTypes": ["isk"], "ssn": "199001012385",
                        "accountServiceType": "executionOnly", "accountCategories": ["retail"],
                    }),
                };
                if !wanted["transfer"].is_null() {
                    let moved = json!({
                        "accountNumber": "1234-567", "sourceAccountType": ["isk"], "closeAccountAndSavingsplans": true,
                        "required": true, "untransferableUnitsOutput": ["cash"], "defaultUnitsOutput": ["units"],
                        "balanceOutput": ["cash"], "allowInstrumentSelection": false,
                        "instruments": [{ "instrument": FUND, "units": 40 }],
                    });
                    let transfers = json!([{ "custodian": "havsviksbanken", "accounts": [moved] }]);
                    journey["transfer"] = json!({ "transfers": transfers });
                    journey["welcomeScreen"] = json!("transfer");
                }
                json!({ "journey": journey, "callbackUrl": "http://receiver.test/callback" })
            }
            _ => Value::Null,
        }
    }

    /// Sends a request that is shown, and notes the ids in its answer. It may be refused: that may be what is wanted.
    async fn play(&mut self, one: &Value) {
        let (mut operation, mut method) = (text(&one["operation"]), text(&one["method"]));
        if let Some(kind) = operation.strip_prefix("purge").and_then(|purged| purged.strip_suffix("Transaction")) {
            self.note_transaction(&kind.to_lowercase()).await;
        }
        let path = match operation.as_str() {
            // A webhook takes the place of a socket.
            "subscribe" => {
                (operation, method) = ("registerWebhook".to_owned(), "POST".to_owned());
                format!("{W}/webhooks")
            }
            // Another partner's, and nobody's.
            "readClient" => format!("/v2/partner/client/{}", self.other),
            "readOrder" => text(&one["path"]).replace("{orderId}", "00000000-0000-4000-8000-000000000000"),
            _ => text(&one["path"]),
        };
        let body: Value = serde_json::from_str(&self.filled(&one["body"].to_string())).expect("JSON");
        let body = merged(self.fields(&operation, &body), &body);
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        let answer = self.ask(method, &self.filled(&path), body).await;
        if let Some(answer) = answer {
            self.note(&operation, &answer).await;
        }
    }

    /// The body of an answer with 200.
    async fn ask(&self, method: Method, path: &str, body: Value) -> Option<Value> {
        let token = Some(self.token.as_str()).filter(|_| !path.starts_with("/_sandbox"));
        let answer = call(&self.bench, method, path, token, body).await;
        (answer.status == 200).then_some(answer.body)
    }

    /// Notes the transaction that was taken back.
    async fn note_transaction(&mut self, kind: &str) {
        let path = format!("/v2/partner/client/{}/transaction/{kind}", self.id("clientId"));
        let all = self.ask(Method::GET, &path, Value::Null).await.expect("transactions");
        let taken_back = all.as_array().expect("a list").iter().find(|one| one["aborted"] == true);
        self.ids.insert("transactionId", text(&taken_back.expect("a transaction")["id"]));
    }

    async fn note(&mut self, operation: &str, answer: &Value) {
        match operation {
            "createClient" => drop(self.ids.insert("clientId", text(&answer["id"]))),
            "registerWebhook" => drop(self.ids.insert("webhookId", text(&answer["id"]))),
            "openAccount" => {
                self.ids.insert("accountId", text(&answer["id"]));
                self.ids.insert("ssn", text(&answer["owner"]["ssn"]));
                if let Some(bank) = answer["bankAccounts"][0]["id"].as_str() {
                    self.ids.insert("bankAccountId", bank.to_owned());
                }
            }
            "createOrder" => drop(self.ids.insert("orderId", text(&answer["id"]))),
            "createJourney" => drop(self.ids.insert("journeyId", text(&answer["id"]))),
            "createMobilePayment" => drop(self.ids.insert("mobilepayId", text(&answer["id"]))),
            "createInstruction" => drop(self.ids.insert("paymentId", text(&answer["payments"][0]["id"]))),
            "completeJourney" => {
                let client = format!("/v2/partner/client/{}", self.id("clientId"));
                if let Some(made) = answer["result"]["account"]["id"].as_str() {
                    self.ids.insert("accountId", made.to_owned());
                }
                let account = format!("{client}/account/{}", self.id("accountId"));
                let shown = self.ask(Method::GET, &account, Value::Null).await.expect("an account");
                let banks = shown["bankAccounts"].as_array().into_iter().flatten();
                if let Some(bank) = banks.last() {
                    self.ids.insert("bankAccountId", text(&bank["id"]));
                }
                let transfers = self.ask(Method::GET, &format!("{account}/transfer"), Value::Null).await;
                if let Some(transfer) = transfers.as_ref().and_then(|all| all[0]["id"].as_str()) {
                    self.ids.insert("transferId", transfer.to_owned());
                }
            }
            _ => {}
        }
    }

    async fn plays(&mut self, row: &Value) {
        for one in row["try"].as_array().expect("requests") {
            self.play(one).await;
        }
    }

    /// Whether the group lists as met what `row` was shown for.
    async fn has_met(&self, group: &str, row: &Value) -> bool {
        let coverage = get(&self.bench, &format!("{W}/coverage")).await;
        let met = super::of(&coverage, group)["met"].as_array().expect("rows").clone();
        met.iter().any(|met| met["of"] == row["of"] && met["what"] == row["what"])
    }
}

/// What was never met of a group, before anything was.
async fn never(group: &str) -> Vec<Value> {
    let player = Player::begin().await;
    let coverage = get(&player.bench, &format!("{W}/coverage")).await;
    super::of(&coverage, group)["never"].as_array().expect("rows").clone()
}

fn names(rows: &[Value]) -> Vec<String> {
    rows.iter().map(|row| format!("{} {}", text(&row["of"]), text(&row["what"]))).collect()
}

/// The row for the state that `machine` begins in.
fn beginning<'a>(states: &'a [Value], machine: &Value) -> &'a Value {
    states.iter().find(|row| row["of"] == *machine).expect("a state")
}

/// (rule: wire/coverage)
#[tokio::test(start_paused = true)]
async fn what_is_shown_beside_a_row_of_a_state_table_takes_it_from_its_first_state() {
    let (moves, states) = (never("moves").await, never("states").await);
    // The states before and after.
    let ends = |row: &Value| {
        let what = text(&row["what"]);
        let (from, rest) = what.split_once(" on ").expect("a row");
        (from.to_owned(), rest.split_once(" -> ").expect("a row").1.to_owned())
    };
    let mut failed = Vec::new();
    for row in &moves {
        let of_machine: Vec<_> = moves.iter().filter(|other| other["of"] == row["of"]).collect();
        let begins = beginning(&states, &row["of"]);
        // The shortest way to the first state, by the rows that are shown.
        let mut ways = BTreeMap::from([(text(&begins["what"]), Vec::new())]);
        let mut open = VecDeque::from([text(&begins["what"])]);
        while let Some(state) = open.pop_front() {
            for next in of_machine.iter().filter(|next| ends(next).0 == state) {
                let way: Vec<_> = ways[&state].iter().copied().chain([*next]).collect();
                ways.entry(ends(next).1).or_insert_with_key(|reached| {
                    open.push_back(reached.clone());
                    way
                });
            }
        }
        let mut player = Player::begin().await;
        player.plays(begins).await;
        for step in ways.get(&ends(row).0).into_iter().flatten().chain([&row]) {
            player.plays(step).await;
        }
        if !player.has_met("moves", row).await {
            failed.push(row.clone());
        }
    }
    assert_eq!(names(&failed), [""; 0], "of {}", moves.len());
    assert!(moves.len() > 65, "{}", moves.len());
}

/// (rule: wire/coverage)
#[tokio::test(start_paused = true)]
async fn what_is_shown_beside_a_reason_a_refusal_a_failure_or_a_day_makes_it_happen() {
    let states = never("states").await;
    let mut failed = Vec::new();
    let mut played = 0;
    for group in ["reasons", "refusals", "failures", "days"] {
        for row in never(group).await {
            // The second partner's client does not offer every fund.
            let second = row["what"] == "NotInUniverse";
            let mut player = Player::begin_as(if second { [1, 2, 0] } else { [0, 0, 2] }).await;
            // One request alone is about a record that is there.
            let is_alone = row["try"].as_array().is_some_and(|tries| tries.len() == 1);
            if row["what"] == "NotAllowedNow" {
                player.plays(beginning(&states, &json!("order"))).await;
            } else if group == "reasons" && is_alone {
                player.plays(beginning(&states, &row["of"])).await;
            }
            player.plays(&row).await;
            // An order is checked soon after it was placed, and a request meets a fault.
            let advance = json!({ "by": "PT5M" });
            player.ask(Method::POST, &format!("{W}/clock/advance"), advance).await.expect("the clock goes on");
            if group == "failures" {
                let path = format!("/v2/partner/client/{}", player.id("clientId"));
                drop(player.bench.surface.handle(request(Method::GET, &path, Some(&player.token), None), None).await);
            }
            played += 1;
            if !player.has_met(group, &row).await {
                failed.push(row);
            }
        }
    }
    assert_eq!(names(&failed), [""; 0], "of {played}");
    assert!(played > 50, "{played}");
}

/// (rule: wire/coverage)
#[tokio::test(start_paused = true)]
async fn what_is_shown_beside_an_event_or_a_delivery_has_it_sent() {
    let mut failed = Vec::new();
    for group in ["events", "deliveries"] {
        for row in never(group).await {
            let mut player = Player::begin().await;
            if row["what"] == "gone" {
                player.inbox.answer(Reply::Status(410));
            }
            player.plays(&row).await;
            tokio::time::sleep(Duration::from_secs(60)).await;
            if !player.has_met(group, &row).await {
                failed.push(row);
            }
        }
    }
    assert_eq!(names(&failed), [""; 0]);
}
