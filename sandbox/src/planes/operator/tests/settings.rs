//! Every setting, walked from the tables that declare them: what differs by it in answers, wherever it is given.
//!
//! Owns: for each row a value and a story whose answers the value changes. Invariant: a row without a story fails the test.

use super::*;
use crate::planes::partner::subscribe::subscription::{Next, Subscription};
use crate::testing::form_request;
use feed::transport::SurfaceSettings;
use hosting::recording::ScenarioWriter;
use sim::ids::ClientId;
use sim::settings::Settings;
use sim::time::Millis;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::time::Duration;
use surface::auth::Caller;
use testing::Now as _;

/// A person whose every check passes.
const PERSON: &str = "198112189876";
/// Born in 1950.
const ELDER: &str = "195001012383";
/// An id that names nothing.
const NOBODY: &str = "00000000-0000-4000-8000-00000000dead";

/// What is done in a world to see a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Story {
    Orders,
    MobilePayments,
    Journeys,
    Grants,
    Quarter,
    Requests,
    Sockets,
    Inputs,
}

/// Each setting with another value than its default, and where it shows.
#[rustfmt::skip]
const SEEN: &[(&str, &str, Story)] = &[
    ("acceptanceDelayMs",          "90000",    Story::Orders),
    ("routingDelayMs",             "120000",   Story::Orders),
    ("confirmationDelayMs",        "600000",   Story::Orders),
    ("latePostingDelayMs",         "7200000",  Story::Orders),
    ("holdAbove",                  "500.00",   Story::Orders),
    ("holdBankDays",               "2",        Story::Orders),
    ("exposeConfirmed",            "true",     Story::Orders),
    ("fxFee",                      "1.50",     Story::Orders),
    ("autoPay",                    "false",    Story::MobilePayments),
    ("magicAmounts",               "false",    Story::MobilePayments),
    ("mobilePaymentAnswerDelayMs", "9000",     Story::MobilePayments),
    ("mobilePaymentLifeMs",        "60000",    Story::MobilePayments),
    ("mobilePaymentLateDelayMs",   "7000",     Story::MobilePayments),
    ("exposeMobilePaymentError",   "true",     Story::MobilePayments),
    ("strictIdentifiers",          "true",     Story::Journeys),
    ("kycYears",                   "7",        Story::Journeys),
    ("kycHighRiskYears",           "2",        Story::Journeys),
    ("kycExpiringDays",            "366",      Story::Journeys),
    ("journeyLifeMs",              "3600000",  Story::Journeys),
    ("longJourneyDays",            "3",        Story::Journeys),
    ("httpsCallbacksOnly",         "true",     Story::Journeys),
    ("approvalDelayMs",            "60000",    Story::Journeys),
    ("confirmDays",                "4",        Story::Journeys),
    ("accountCheckDelayMs",        "90000",    Story::Journeys),
    ("mandateBankDays",            "1",        Story::Journeys),
    ("mandateSilenceBankDays",     "8",        Story::Journeys),
    ("transferSendBankDays",       "2",        Story::Journeys),
    ("transferAcceptBankDays",     "1",        Story::Journeys),
    ("transferCompleteBankDays",   "4",        Story::Journeys),
    ("resultAccountId",            "false",    Story::Journeys),
    ("withdrawalGrantMs",          "60000",    Story::Grants),
    ("distributionFeeBp",          "90",       Story::Quarter),
    ("smallestForcedSale",         "90000",    Story::Quarter),
    ("insuranceFeeBp",             "70",       Story::Quarter),
    ("riskPremiumBp",              "50",       Story::Quarter),
    ("governmentLoanRateBp",       "900",      Story::Quarter),
    ("insuranceTaxPercent",        "60",       Story::Quarter),
    ("tokenLifeSeconds",           "60",       Story::Requests),
    ("virtualTransport",           "true",     Story::Requests),
    ("operatorMarket",             "true",     Story::Requests),
    ("eventsKept",                 "1",        Story::Requests),
    ("requestsKept",               "1",        Story::Requests),
    ("requestBodyBytes",           "8",        Story::Requests),
    ("requestBodiesBytes",         "64",       Story::Requests),
    ("recordingBytes",             "0",        Story::Requests),
    ("tokensPerPartner",           "1",        Story::Requests),
    ("strictBodies",               "true",     Story::Requests),
    ("unknownResourceStatus",      "404",      Story::Requests),
    ("heartbeatSeconds",           "7",        Story::Sockets),
    ("socketCapSeconds",           "45",       Story::Sockets),
    ("socketStallSeconds",         "5",        Story::Sockets),
    ("socketsPerClient",           "1",        Story::Sockets),
    ("socketsPerPartner",          "2",        Story::Sockets),
    ("inputsKept",                 "1000",     Story::Inputs),
];

/// The setting that going back leaves as it was decided last (rule: calendar/what-goes-back).
const KEPT: &str = "operatorMarket";

/// The setting that takes effect once: a recording that has lost its end gets none later.
const ENDED: &str = "recordingBytes";

/// A surface with an operator's token, which writes of a recording how long it is.
fn recorded() -> Bench {
    let scenario_writer: ScenarioWriter = |session| {
        Box::pin(async move { if session.exchanges.is_empty() { "nothing" } else { "a session" }.to_owned() })
    };
    let config = SurfaceConfig {
        operator_token: Some(Secret::new("operator")),
        scenario_writer: Some(scenario_writer),
        ..SurfaceConfig::default()
    };
    Bench::with(Mode::Frozen, config)
}

/// A world of its own, and its first partner's hands.
struct OwnWorld<'b> {
    bench: &'b Bench,
    world: String,
    form: String,
    token: String,
    client: String,
}

impl<'b> OwnWorld<'b> {
    /// The demo world with these settings.
    async fn made(bench: &'b Bench, settings: Value) -> Self {
        let new = json!({ "seed": 42, "start": START, "setup": { "settings": settings } });
        let answer = call(bench, Method::POST, "/_sandbox/worlds", Some("operator"), new).await;
        Self::of(bench, &answer).await
    }

    async fn of(bench: &'b Bench, made: &Answer) -> Self {
        assert_eq!(made.status, 200, "{:?}", made.body);
        let text = |pointer: &str| made.body.pointer(pointer).and_then(Value::as_str).expect(pointer).to_owned();
        let (id, secret) = (text("/partners/0/clientId"), text("/partners/0/clientSecret"));
        let mut place = Self {
            bench,
            world: format!("/_sandbox/worlds/{}", text("/worldId")),
            form: format!("grant_type=client_credentials&client_id={id}&client_secret={secret}"),
            token: String::new(),
            client: text("/partners/0/clients/0/id"),
        };
        place.token = place.issue().await["access_token"].as_str().expect("a token").to_owned();
        place
    }

    async fn issue(&self) -> Value {
        self.bench.ask(form_request(&self.form)).await.body
    }

    /// Asks as the partner; a path without a slash in front is the first client's.
    async fn ask(&self, method: Method, path: &str, body: Value) -> Answer {
        let path = match path.strip_prefix('/') {
            Some(_) => path.to_owned(),
            None => format!("/v2/partner/client/{}/{path}", self.client),
        };
        call(self.bench, method, &path, Some(&self.token), body).await
    }

    async fn get(&self, path: &str) -> Value {
        let answer = self.ask(Method::GET, path, Value::Null).await;
        assert_eq!(answer.status, 200, "{path}: {:?}", answer.body);
        answer.body
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        self.ask(Method::POST, path, body).await.body
    }

    /// Asks about the world as the operator.
    async fn work(&self, method: Method, path: &str, body: Value) -> Answer {
        call(self.bench, method, &format!("{}{path}", self.world), Some("operator"), body).await
    }

    async fn patch(&self, change: Value) {
        let answer = self.work(Method::PATCH, "/settings", change).await;
        assert_eq!(answer.status, 200, "{:?}", answer.body);
    }

    async fn advance(&self, by: &str) -> Value {
        let answer = self.work(Method::POST, "/clock/advance", json!({ "by": by })).await;
        assert_eq!(answer.status, 200, "{:?}", answer.body);
        answer.body["happened"].clone()
    }

    /// Lets days pass one by one, so that each answer lists all that has happened.
    async fn pass(&self, days: u32) -> Vec<Value> {
        let mut happened = Vec::new();
        for _ in 0..days {
            happened.push(self.advance("P1D").await);
        }
        happened
    }

    async fn fork(&self) -> Self {
        let answer = self.work(Method::POST, "/fork", json!({})).await;
        Self::of(self.bench, &answer).await
    }

    async fn drop(self) {
        assert_eq!(self.work(Method::DELETE, "", Value::Null).await.status, 200);
    }

    async fn account(&self, index: usize) -> Value {
        self.get("account").await[index].clone()
    }

    async fn order(&self, fund: &str) -> Value {
        let account = &self.account(2).await["id"];
        let order = json!({ "account": account, "orderType": "subscription", "instrument": fund, "amount": 1000 });
        self.post("order", order).await
    }

    async fn play(&self, story: Story) -> Value {
        match story {
            Story::Orders => orders(self).await,
            Story::MobilePayments => mobile_payments(self).await,
            Story::Journeys => journeys(self).await,
            Story::Grants => grants(self).await,
            Story::Quarter => quarter(self).await,
            Story::Requests => requests(self).await,
            Story::Sockets => sockets(self).await,
            Story::Inputs => inputs(self).await,
        }
    }
}

/// Orders in three funds, one of which is priced late, and one on hold.
async fn orders(place: &OwnWorld<'_>) -> Value {
    let late = "SE0SBX000040SEK";
    let delayed = place.post(&format!("/simulations/instrument/{late}/delay-nav"), json!({ "bankDays": 5 })).await;
    let mut placed = Vec::new();
    for fund in [FUND, "LU0SBX000058EUR", late, FUND] {
        placed.push(place.order(fund).await);
    }
    let held = placed[3]["id"].as_str().expect("an id").to_owned();
    let accepted = place.advance("PT3M").await;
    let hold = place.post(&format!("/simulations/order/{held}/hold"), json!({})).await;
    let first = place.advance("PT11H").await;
    let priced = place.get("order").await;
    let rest = place.pass(12).await;
    json!([delayed["id"], placed, accepted, hold, first, priced, rest, place.get("order").await])
}

/// Payments that are paid, fail, wait and are paid late.
async fn mobile_payments(place: &OwnWorld<'_>) -> Value {
    let account = place.account(2).await["id"].as_str().expect("an id").to_owned();
    let mut asked = Vec::new();
    for amount in ["250.50", "100.02", "100.07", "100.08"] {
        let amount: Value = serde_json::from_str(amount).expect("a number");
        let body = json!({ "type": "same_device", "amount": amount });
        asked.push(place.post(&format!("account/{account}/deposit/mobilepay"), body).await);
    }
    let happened = place.advance("PT10M").await;
    let mut ended = Vec::new();
    for payment in &asked {
        let id = payment["id"].as_str().expect("an id");
        ended.push(place.get(&format!("/v2/partner/deposit/mobilepay/{id}")).await);
    }
    json!([happened, ended])
}

/// Journeys of every kind, and the outcome of their accounts, mandates and transfers.
async fn journeys(place: &OwnWorld<'_>) -> Value {
    let custodian = place.get("custodian").await[0]["id"].clone();
    let opening = |extra: Value| {
        let mut journey = json!({
            "journeyType": "createAccount", "accountTypes": ["isk"], "accountServiceType": "executionOnly",
            "accountCategories": ["retail"], "ssn": PERSON,
        });
        journey.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        journey
    };
    let moved = json!({ "enforce": "required", "transfers": [{ "custodian": custodian, "accounts": [{
        "accountNumber": "123-456", "sourceAccountType": ["isk"], "closeAccountAndSavingsplans": false, "required": true,
        "untransferableUnitsOutput": ["cash"], "defaultUnitsOutput": ["cash"], "balanceOutput": ["cash"],
        "allowInstrumentSelection": false, "instruments": [{ "instrument": FUND, "units": 5 }],
    }] }] });
    let account = place.account(2).await["id"].clone();
    let bank = json!({ "journeyType": "addBankAccount", "account": account, "autogiro": { "enforce": "required" } });
    let mut new_bank = bank.clone();
    new_bank["autogiro"]["forceNewBankAccount"] = json!(true);
    let company = json!({
        "journeyType": "createLegalEntityAccount", "accountServiceType": "executionOnly",
        "accountOptions": { "ownerType": "legal_entity", "serviceTypes": ["executionOnly"], "accountTypes": ["depot"],
            "accountCategories": ["retail"] },
    });
    let mut reply = Vec::new();
    for (journey, answers) in [
        (opening(json!({})), Some(json!({}))),
        (opening(json!({})), Some(json!({ "kyc": { "pep": "yes" } }))),
        (opening(json!({})), None),
        (opening(json!({ "accountTypes": ["insurance"] })), Some(json!({}))),
        (opening(json!({ "transfer": moved })), Some(json!({}))),
        (bank, Some(json!({}))),
        (new_bank, Some(json!({ "bankAccount": { "iban": "SE9050000000050000000051" } }))),
        (company, None),
    ] {
        let body = json!({ "journey": journey, "callbackUrl": "https://partner.example/callback" });
        let started = place.post("journey", body).await;
        let id = started["id"].as_str().unwrap_or_else(|| panic!("no journey: {started}")).to_owned();
        let ended = match answers {
            Some(answers) => {
                place.post(&format!("/simulations/journey/{id}/complete"), json!({ "answers": answers })).await
            }
            None => place.get(&format!("journey/{id}")).await,
        };
        reply.push(json!([ended["status"], ended["expiryDate"], ended["result"]]));
    }
    let plain = json!({ "journey": opening(json!({})), "callbackUrl": "http://127.0.0.1:9/" });
    reply.push(place.post("journey", plain).await["status"].clone());
    let client = json!({ "name": "N", "displayName": "N", "crn": "5599900032", "country": "SE",
        "serviceTypes": [{ "accountServiceType": "executionOnly" }] });
    reply.push(place.post("/v2/partner/client", client).await["error_description"].clone());
    let happened = place.pass(25).await;
    let accounts = place.get("account").await;
    let mut standings = Vec::new();
    // What the accounts of the setup were opened with was decided by the settings of then.
    for account in &accounts.as_array().expect("a list")[5..] {
        let id = account["id"].as_str().expect("an id");
        let standing = place.ask(Method::GET, &format!("kycstatus/account/{id}"), Value::Null).await;
        standings.push(json!([account["status"], account["bankAccounts"], standing.body]));
    }
    json!([reply, happened, standings, place.account(2).await["bankAccounts"]])
}

/// A withdrawal, two hours after the customer has signed it.
async fn grants(place: &OwnWorld<'_>) -> Value {
    place.patch(json!({ "clients": { place.client.clone(): { "withdrawalNeedsSignature": true } } })).await;
    let account = place.account(0).await;
    let id = account["id"].as_str().expect("an id");
    let journey = json!({ "journeyType": "signWithdrawal", "account": id });
    let body = json!({ "journey": journey, "callbackUrl": "https://partner.example/callback" });
    let journey = place.post("journey", body).await["id"].as_str().expect("an id").to_owned();
    let signed = place.post(&format!("/simulations/journey/{journey}/complete"), json!({})).await["status"].clone();
    place.advance("PT2H").await;
    let withdrawal = json!({ "withdrawalType": "amount", "amount": 100, "bankAccount": account["bankAccounts"][0]["id"],
        "executorRef": "199001012385" });
    json!([signed, place.ask(Method::POST, &format!("account/{id}/withdrawal"), withdrawal).await.status])
}

/// What is taken on the first days of a quarter.
async fn quarter(place: &OwnWorld<'_>) -> Value {
    let owner = json!({ "ownerType": "natural_person", "firstName": "Ada", "lastName": "Provsson", "ssn": ELDER });
    let body = json!({ "clientId": place.client, "accountType": "insurance", "cash": 900_000, "owner": owner });
    let opened = place.ask(Method::POST, "/simulations/account", body).await;
    assert_eq!(opened.status, 200, "{:?}", opened.body);
    // Without cash, units are sold for what it is charged.
    let positions = json!([{ "instrument": "SE0SBX000016SEK", "units": 20_000 }]);
    let body = json!({ "clientId": place.client, "accountType": "depot", "positions": positions });
    let opened = place.ask(Method::POST, "/simulations/account", body).await;
    assert_eq!(opened.status, 200, "{:?}", opened.body);
    place.advance("P40D").await;
    let fees = place.get("transaction/cash?transactionType=fee&limit=100").await;
    let amounts = fees.as_array().expect("a list").iter().map(|fee| json!([fee["amount"].to_string(), fee["refType"]]));
    amounts.collect()
}

/// Tokens, bodies, unknown ids, and what is kept for looking back.
async fn requests(place: &OwnWorld<'_>) -> Value {
    let life = place.issue().await["expires_in"].clone();
    let first = place.ask(Method::GET, "account", Value::Null).await.status;
    let fresh = place.issue().await["access_token"].as_str().expect("a token").to_owned();
    let ask = async |method: Method, path: &str, body: Value| call(place.bench, method, path, Some(&fresh), body).await;
    let order = format!("/v2/partner/client/{}/order", place.client);
    let strange = ask(Method::POST, &order, json!({ "strange": true })).await.body["error_description"].clone();
    let unknown = ask(Method::GET, &format!("{order}/{NOBODY}"), Value::Null).await.status;
    let hit = json!({ "ssn": PERSON, "hit": "clear" });
    let screened = ask(Method::POST, "/simulations/screening", hit).await.status;
    let open = json!({ "clientId": place.client, "accountType": "isk", "cash": 10 });
    for _ in 0..3 {
        ask(Method::POST, "/simulations/account", open.clone()).await;
    }
    let events = place.work(Method::GET, "/events", Value::Null).await.body["kept"].clone();
    let kept = place.work(Method::GET, "/requests?limit=100", Value::Null).await.body;
    let lines = kept["requests"].as_array().expect("a list").iter();
    let named = |line: &&Value| line["path"].as_str().is_some_and(|path| path.starts_with("/simulations"));
    let kept: Vec<Value> = lines.filter(named).map(|line| json!([line["sent"], line["answered"]["isWhole"]])).collect();
    let reply = place.work(Method::GET, "/scenario", Value::Null).await;
    place.advance("PT2H").await;
    let later = ask(Method::GET, "/v2/partner/client", Value::Null).await.status;
    json!([life, first, strange, unknown, screened, events, kept, reply.body, later])
}

/// Sockets of two clients: how many may be open, when one says something, when it ends, how long it waits for its reader.
async fn sockets(place: &OwnWorld<'_>) -> Value {
    let worlds = &place.bench.surface.app().worlds;
    // The time that sockets live passes for all worlds, and is as long as a token lives.
    let token = place.issue().await["access_token"].as_str().expect("a token").to_owned();
    let (world, partner, rights) = worlds.bearer(&token).expect("a caller");
    let caller = Caller { world, partner, rights };
    let open = |caller: &Caller, client: ClientId| Subscription::open(caller, client, Duration::from_secs(2));
    let client: ClientId = place.client.parse().expect("an id");
    let other: ClientId = "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f02".parse().expect("an id");
    let mut first = open(&caller, client).expect("room");
    let others: Vec<_> = [client, other, other].map(|client| open(&caller, client)).into_iter().collect();
    let opened: Vec<bool> = others.iter().map(Result::is_ok).collect();
    let begun = worlds.clock().now();
    let mut phrases = Vec::new();
    let end = loop {
        match first.step() {
            Next::Send(message) => {
                if !message.contains("hello") {
                    phrases.push(worlds.clock().now().since(begun).as_secs());
                }
            }
            Next::Wait(until) => worlds.clock().until(until.expect("a heartbeat comes")).await,
            Next::Close(why) => break why.code(),
        }
    };
    let lived = worlds.clock().now().since(begun).as_secs();
    json!([opened, phrases, end, lived, first.patience().as_secs()])
}

/// Whether the way back to an early input is known after many more.
async fn inputs(place: &OwnWorld<'_>) -> Value {
    let name = place.world.rsplit('/').next().expect("a name").parse().expect("an id");
    let world = place.bench.surface.app().worlds.get(name).expect("a world");
    let start = world.last_now();
    for ms in 1..=34_000 {
        world.jump(start.plus(Millis(ms)), &mut Vec::new()).now().expect("a jump");
    }
    place.work(Method::POST, "/fork", json!({ "input": 3 })).await.status.into()
}

/// The settings of a patch that has `value` for `name`.
fn change(name: &str, value: &Value) -> Value {
    let one = json!({ name: value });
    if Settings::ROWS.iter().any(|row| row.name == name) { json!({ "world": one }) } else { one }
}

/// In which ways of coming to have a setting, or to have it no longer, a world does not show what it must.
async fn faults(name: &str, value: &Value, story: Story, without: &Value) -> Vec<String> {
    let bench = recorded();
    let plain = OwnWorld::made(&bench, json!({})).await;
    let shown = plain.work(Method::GET, "/settings", Value::Null).await.body;
    let usual = shown.get(name).or_else(|| shown["world"].get(name)).expect("shown").clone();
    let set = OwnWorld::made(&bench, json!({ name: value })).await;
    let cleared = set.fork().await;
    cleared.patch(change(name, &usual)).await;
    let patched = OwnWorld::made(&bench, json!({})).await;
    patched.patch(change(name, value)).await;
    let input = patched.work(Method::GET, "", Value::Null).await.body["input"].clone();
    let fork = patched.fork().await;
    patched.patch(change(name, &usual)).await;
    let off = patched.fork().await;
    let back = patched.work(Method::POST, "/rewind", json!({ "input": input })).await;
    assert_eq!(back.status, 200, "{:?}", back.body);
    let live = plain;
    live.patch(change(name, value)).await;
    let with = set.play(story).await;
    let ended = if name == ENDED { &with } else { without };
    let rewound = if name == KEPT { without } else { &with };
    let mut faults = Vec::new();
    let mut note = |is_wrong: bool, way: &str| {
        if is_wrong {
            faults.push(format!("{name}, {way}"))
        }
    };
    note(with == *without, "from a setup: its story shows no difference");
    for (place, expected, way) in [
        (live, &with, "patched on"),
        (cleared, without, "of a setup, patched off"),
        (fork, &with, "patched on, then forked"),
        (off, ended, "patched on and off, then forked"),
        (patched, rewound, "patched on and off, then rewound to where it was on"),
    ] {
        note(place.play(story).await != *expected, way);
        place.drop().await;
    }
    faults
}

/// (rule: calendar/settings-change)
#[tokio::test(start_paused = true)]
async fn every_setting_shows_the_same_difference_from_a_setup_patched_on_and_off_forked_and_rewound() {
    let declared = Settings::ROWS.iter().map(|row| row.name).chain(SurfaceSettings::ROWS.iter().map(|row| row.name));
    let (mut usual, mut found) = (BTreeMap::new(), Vec::new());
    for name in declared {
        let row = SEEN.iter().find(|row| row.0 == name);
        let &(_, value, story) = row.unwrap_or_else(|| panic!("no story shows {name}"));
        if let Entry::Vacant(entry) = usual.entry(story) {
            let bench = recorded();
            let place = OwnWorld::made(&bench, json!({})).await;
            entry.insert(place.play(story).await);
        }
        found.extend(faults(name, &serde_json::from_str(value).expect("JSON"), story, &usual[&story]).await);
    }
    assert_eq!(found, [""; 0]);
    assert_eq!(SEEN.len(), Settings::ROWS.len() + SurfaceSettings::ROWS.len());
}

/// (rule: journeys/sign-withdrawal)
#[tokio::test(start_paused = true)]
async fn whether_a_withdrawal_needs_a_signature_is_patched_on_and_off_and_goes_along_with_forks_and_rewinds() {
    let bench = guarded();
    let place = OwnWorld::made(&bench, json!({})).await;
    let needs = |value: bool| json!({ "clients": { place.client.clone(): { "withdrawalNeedsSignature": value } } });
    let asked = async |place: &OwnWorld<'_>| {
        let account = place.account(0).await;
        let path = format!("account/{}/withdrawal", account["id"].as_str().expect("an id"));
        let bank = &account["bankAccounts"][0]["id"];
        let body =
            json!({ "withdrawalType": "amount", "amount": 1, "bankAccount": bank, "executorRef": "199001012385" });
        place.ask(Method::POST, &path, body).await.status
    };
    assert_eq!(asked(&place).await, 200);
    place.patch(needs(true)).await;
    let input = place.work(Method::GET, "", Value::Null).await.body["input"].clone();
    let shown = place.work(Method::GET, "/settings", Value::Null).await.body["clients"][&place.client].clone();
    assert_eq!((asked(&place).await, shown), (400, json!({ "withdrawalNeedsSignature": true })));
    let fork = place.fork().await;
    assert_eq!(asked(&fork).await, 400);
    place.patch(needs(false)).await;
    assert_eq!(asked(&place).await, 200);
    place.work(Method::POST, "/rewind", json!({ "input": input })).await;
    assert_eq!(asked(&place).await, 400);
    let nobody = json!({ "clients": { NOBODY: { "withdrawalNeedsSignature": true } } });
    let answer = place.work(Method::PATCH, "/settings", nobody).await;
    assert_eq!(answer.body["error_description"], format!("clients.{NOBODY} names no client"));
}

/// (rule: auth/allowlist)
#[tokio::test]
async fn a_list_that_shuts_out_its_own_sender_is_refused_unless_it_is_forced() {
    let bench = Bench::new();
    let token = bench.token(0).await;
    let path = format!("{W}/settings");
    let ask = async |body: Value| {
        let sent = request(Method::PATCH, &path, Some(&token), Some(&body));
        let peer = "127.0.0.1".parse().ok();
        Answer::of(bench.surface.handle(sent, peer).await.expect("an answer")).await
    };
    let refused = ask(json!({ "tokenLifeSeconds": 60, "allowlist": ["192.0.2.0/24"] })).await;
    let words = "allowlist must admit 127.0.0.1, the address that this request comes from; \
                 with `\"force\": true` it need not";
    assert_eq!((refused.status, &refused.body["error_description"]), (400, &json!(words)));
    assert_eq!(get(&bench, &path).await["tokenLifeSeconds"], 3600, "a refused change changes nothing");
    assert_eq!(ask(json!({ "allowlist": ["127.0.0.0/8", "192.0.2.0/24"] })).await.status, 200);
    assert_eq!(ask(json!({ "allowlist": ["192.0.2.0/24"], "force": true })).await.status, 200);
    assert_eq!(ask(json!({})).await.status, 403);
}
