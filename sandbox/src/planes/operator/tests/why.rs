//! Why something is as it is: chains of changes with their causes, and who sees which of them.

use super::*;
use crate::testing::form_request;

async fn advance(bench: &Bench, to: &str) {
    post(bench, &format!("{W}/clock/advance"), json!({ "to": to })).await;
}

/// A booking in a line: who pays, who receives, cash, units, its status.
fn written(booking: &Value) -> String {
    let part = |name: &str| booking[name].as_str().map_or_else(|| booking[name].to_string(), str::to_owned);
    ["debit", "credit", "amount", "units", "state"].map(part).join(" ")
}

/// An order of a thousand kronor, placed by a request.
async fn placed(bench: &Bench, token: &str) -> String {
    let account = bench.account(0);
    let client = bench.scope(0).client;
    let order =
        json!({ "account": account.to_string(), "instrument": FUND, "orderType": "subscription", "amount": 1000 });
    let path = format!("/v2/partner/client/{client}/order");
    let placed = call(bench, Method::POST, &path, Some(token), order).await;
    placed.body["id"].as_str().expect("an id").to_owned()
}

/// The events of each change, with its cause.
fn causes(why: &Value) -> Vec<String> {
    let changes = why["changes"].as_array().expect("changes").iter();
    let described = |change: &Value| {
        let events = change["events"].as_array().expect("events").iter();
        events.map(|event| event["eventId"].as_str().expect("an id").to_owned()).collect::<Vec<_>>().join(" ")
    };
    let cause = |change: &Value| {
        let [act, command, route] = [&change["act"], &change["command"], &change["request"]["route"]];
        format!("{} {} {act} {command} {route}: {}", change["at"], change["input"], described(change))
    };
    changes.map(cause).collect()
}

/// (rule: events/events-kept, calendar/history)
#[tokio::test(start_paused = true)]
async fn a_world_that_was_put_back_and_a_fork_keep_their_history_and_repeat_no_event() {
    let bench = Bench::new();
    let token = bench.token(0).await;
    let client = bench.scope(0).client.to_string();
    post(&bench, &format!("{W}/webhooks"), json!({ "client": client, "url": "https://receiver.example/" })).await;
    let order = placed(&bench, &token).await;
    advance(&bench, "2026-03-02T13:05:00Z").await;
    let monday = get(&bench, &format!("{W}/why/{order}")).await;
    assert!(causes(&monday)[0].contains("PlaceOrder") && monday["total"] == 3, "{monday}");
    advance(&bench, "2026-03-06T17:00:00Z").await;
    let friday = get(&bench, &format!("{W}/why/{order}")).await;
    let events = get(&bench, &format!("{W}/events")).await;
    // A fork of now, and one of before.
    post(&bench, &format!("{W}/fork"), json!({})).await;
    post(&bench, &format!("{W}/fork"), json!({ "at": "2026-03-02T13:05:00Z" })).await;
    for (fork, then) in [("world-2", &friday), ("world-3", &monday)] {
        let why = get(&bench, &format!("/_sandbox/worlds/{fork}/why/{order}")).await;
        assert_eq!((causes(&why), &why["forgotten"]), (causes(then), &json!(0)), "{fork}");
    }
    let of_fork = get(&bench, "/_sandbox/worlds/world-2/events").await;
    assert_eq!((&of_fork["events"], &of_fork["forgotten"]), (&events["events"], &json!(0)));
    // Back to now: nothing is different. Back to before: what was undone is not there.
    let described =
        |list: &Value| (list["deliveries"].as_array().map(Vec::len), list["unread"].clone(), list["missed"].clone());
    for (to, then) in [("2026-03-06T17:00:00Z", &friday), ("2026-03-02T13:05:00Z", &monday)] {
        post(&bench, &format!("{W}/rewind"), json!({ "to": to })).await;
        let why = get(&bench, &format!("{W}/why/{order}")).await;
        assert_eq!((causes(&why), &why["forgotten"]), (causes(then), &json!(0)), "{to}");
        let deliveries = get(&bench, &format!("{W}/deliveries")).await;
        assert_eq!(described(&deliveries), (Some(0), json!(0), json!(0)), "{deliveries}");
    }
    // From there on, it happens and is sent anew.
    advance(&bench, "2026-03-06T17:00:00Z").await;
    let again = get(&bench, &format!("{W}/why/{order}")).await;
    assert_eq!((&again["total"], causes(&again)[..3].to_vec()), (&friday["total"], causes(&monday)));
    let numbers = |list: &Value| list["events"].as_array().expect("events").len();
    let listed = get(&bench, &format!("{W}/events")).await;
    assert_eq!((numbers(&listed), &listed["forgotten"]), (numbers(&events), &json!(0)));
    // Nothing led to a beginning.
    post(&bench, &format!("{W}/reset"), json!({})).await;
    let listed = get(&bench, &format!("{W}/events")).await;
    assert_eq!((numbers(&listed), &listed["forgotten"]), (0, &json!(0)));
}

/// (rule: events/why)
#[tokio::test(start_paused = true)]
async fn whatever_the_api_shows_has_a_chain_or_says_that_nothing_has_happened() {
    let bench = Bench::new();
    let made = post(&bench, "/_sandbox/worlds", json!({ "seed": 7 })).await;
    let (partner, world) =
        (&made["partners"][0], format!("/_sandbox/worlds/{}", made["worldId"].as_str().expect("an id")));
    let text = |name: &str| partner[name].as_str().expect("a text").to_owned();
    let (id, secret) = (text("clientId"), text("clientSecret"));
    let form = format!("grant_type=client_credentials&client_id={id}&client_secret={secret}");
    let token = bench.ask(form_request(&form)).await.body["access_token"].as_str().expect("a token").to_owned();
    let client = partner["clients"][0]["id"].as_str().expect("an id").to_owned();
    let own = format!("/v2/partner/client/{client}");
    let ask = async |path: &str, body: Value| {
        let answer = call(&bench, Method::POST, path, Some(&token), body).await;
        assert_eq!(answer.status, 200, "{path}: {:?}", answer.body);
        answer.body
    };
    let banks = json!([{ "iban": "SE8150000000050000000019", "validated": true, "mandateStatus": "active" }]);
    let account = json!({ "clientId": client, "accountType": "isk", "cash": 5000, "bankAccounts": banks });
    let account = ask("/simulations/account", account).await;
    let id = account["id"].as_str().expect("an id");
    let payments = json!([{ "account": id, "amount": 300, "clientRef": "a" }]);
    let instruction =
        ask(&format!("{own}/instruction/payment"), json!({ "type": "autogiro", "payments": payments })).await;
    let instruction = instruction["id"].as_str().expect("an id").to_owned();
    let listed = format!("{own}/instruction/{instruction}/payment");
    let payments = call(&bench, Method::GET, &listed, Some(&token), Value::Null).await;
    let payment = payments.body[0]["id"].clone();
    let mobile =
        ask(&format!("{own}/account/{id}/deposit/mobilepay"), json!({ "amount": 500, "type": "same_device" })).await;
    let journey = json!({ "journeyType": "updateAllocationPlan", "account": id });
    let journey = json!({ "journey": journey, "callbackUrl": "https://receiver.example/" });
    let journey = ask(&format!("{own}/journey"), journey).await;
    let register = json!({ "client": client, "url": "https://receiver.example/" });
    let webhook = post(&bench, &format!("{world}/webhooks"), register).await["id"].as_str().expect("an id").to_owned();
    let test = post(&bench, &format!("{world}/webhooks/{webhook}/test"), json!({})).await;
    let rows = [
        (&json!(client), "client", ""),
        (&account["bankAccounts"][0]["id"], "bankAccount", "OpenAccount"),
        (&json!(instruction), "instruction", "CreateInstruction"),
        (&payment, "payment", "CreateInstruction"),
        (&mobile["id"], "mobilePayment", "CreateMobilePayment"),
        (&journey["id"], "journey", "CreateJourney"),
        (&json!(webhook), "webhook", ""),
        (&test["id"], "delivery", ""),
    ];
    for (id, what, command) in rows {
        let id = id.as_str().expect("an id");
        let why = get(&bench, &format!("{world}/why/{id}")).await;
        let first = &why["changes"][0]["command"];
        assert_eq!((&why["what"], first.as_str().unwrap_or_default()), (&json!(what), command), "{why}");
        assert_eq!(why["changes"] == json!([]), why["note"].is_string(), "{why}");
    }
    let why = get(&bench, &format!("{world}/why/{webhook}")).await;
    assert_eq!(why["changes"][0]["act"], "Register", "no more of a decision than its name: {why}");
    let why = get(&bench, &format!("{world}/why/{}", test["id"].as_str().expect("an id"))).await;
    let described = (&why["resource"], &why["delivery"]["id"], &why["note"]);
    assert_eq!(described, (&json!(webhook), &test["id"], &json!("a test message, which has no event")));
    // What an account held before the world began has been booked, without an event.
    let id = made["worldId"].as_str().expect("an id").parse().expect("an id");
    let handle = bench.surface.app().worlds.get(id).expect("a world");
    let held = handle.read(|world| {
        let opening = sim::query::every_cash_transaction(world).next().cloned().expect("an opening deposit");
        (opening.id.to_string(), opening.account.to_string(), opening.amount.to_string())
    });
    let (deposit, account, amount) = held.expect("a world");
    for id in [&deposit, &account] {
        let why = get(&bench, &format!("{world}/why/{id}")).await;
        let opening = &why["changes"][0];
        assert_eq!((&why["total"], &opening["act"], &opening["events"]), (&json!(1), &json!("opening"), &json!([])));
        assert_eq!(written(&opening["bookings"][0]), format!("opening {account} {amount} null settled"));
    }
}

/// (rule: events/events-kept)
#[tokio::test(start_paused = true)]
async fn what_was_let_go_is_counted_also_where_nothing_is_left() {
    let bench = Bench::new();
    let token = bench.token(0).await;
    let order = placed(&bench, &token).await;
    advance(&bench, "2026-03-06T17:00:00Z").await;
    let event = get(&bench, &format!("{W}/events")).await["events"][0]["event"]["eventId"].clone();
    let all = get(&bench, W).await["events"].as_u64().expect("a number");
    call(&bench, Method::PATCH, &format!("{W}/settings"), None, json!({ "eventsKept": 2 })).await;
    let gone = format!("; {} earlier events are no longer kept", all - 2);
    let path = format!("{W}/why/{}", event.as_str().expect("an id"));
    refused(&bench, &[(Method::GET, &path, Value::Null, 404, &gone)]).await;
    // The request that placed the order, and what was booked, are known all the same.
    let why = get(&bench, &format!("{W}/why/{order}")).await;
    let commands: Vec<&Value> =
        why["changes"].as_array().expect("changes").iter().map(|change| &change["command"]).collect();
    assert_eq!((commands[0], &why["forgotten"]), (&json!("PlaceOrder"), &json!(all - 2)), "{why}");
    // Also of a world that was put back.
    post(&bench, &format!("{W}/rewind"), json!({ "to": "2026-03-06T17:00:00Z" })).await;
    assert_eq!(get(&bench, &format!("{W}/events")).await["forgotten"], json!(all - 2));
}

/// (rule: auth/machinery-scope, events/why)
#[tokio::test(start_paused = true)]
async fn a_partner_sees_no_request_that_may_be_another_partners() {
    let bench = guarded();
    let (own, other) = (bench.token(0).await, bench.token(1).await);
    let order = placed(&bench, &own).await;
    let may = json!({ "partnersMay": ["advance"] });
    call(&bench, Method::PATCH, &format!("{W}/settings"), Some("operator"), may).await;
    call(&bench, Method::POST, &format!("{W}/clock/advance"), Some(&other), json!({ "by": "P5D" })).await;
    let requests = async |token: &str| {
        let why = call(&bench, Method::GET, &format!("{W}/why/{order}"), Some(token), Value::Null).await.body;
        let changes = why["changes"].as_array().expect("changes").iter();
        changes.map(|change| change["request"].is_object()).collect::<Vec<_>>()
    };
    assert_eq!(requests(&own).await, [true, false, false, false, false]);
    let settings = json!({ "requestsKept": 1 });
    call(&bench, Method::PATCH, &format!("{W}/settings"), Some("operator"), settings).await;
    assert_eq!(requests(&own).await, [false; 5], "nobody knows any more whose they were");
    assert_eq!(requests("operator").await, [true; 5]);
}

/// (rule: events/why)
#[tokio::test(start_paused = true)]
async fn the_chain_of_an_order_names_requests_timers_rows_bookings_and_deliveries() {
    let bench = Bench::new();
    let token = bench.token(0).await;
    let account = bench.account(0);
    let client = bench.scope(0).client.to_string();
    let register = json!({ "client": client, "url": "https://receiver.example/", "events": ["order.*"] });
    post(&bench, &format!("{W}/webhooks"), register).await;
    let order =
        json!({ "account": account.to_string(), "instrument": FUND, "orderType": "subscription", "amount": 1000 });
    let path = format!("/v2/partner/client/{client}/order");
    let placed = call(&bench, Method::POST, &path, Some(&token), order).await;
    assert!((200..300).contains(&placed.status), "{:?}", placed.body);
    let id = placed.body["id"].as_str().expect("an id").to_owned();
    advance(&bench, "2026-03-06T17:00:00Z").await;
    let why = get(&bench, &format!("{W}/why/{id}")).await;
    assert_eq!((&why["what"], &why["resource"], &why["forgotten"]), (&json!("order"), &json!(id), &json!(0)));
    let changes = why["changes"].as_array().expect("changes");
    let first = &changes[0];
    assert_eq!(
        (&first["act"], &first["command"], &first["timer"]),
        (&json!("command"), &json!("PlaceOrder"), &json!(null))
    );
    assert_eq!(
        (&first["request"]["logged"]["method"], &first["request"]["logged"]["path"]),
        (&json!("POST"), &json!(path))
    );
    assert_eq!(first["events"].as_array().expect("events").last().expect("one")["status"], "received");
    // Each further status came by a row of the table, by a timer that fired while the clock was moved.
    let mut rows = Vec::new();
    for change in &changes[1..] {
        assert!(change["timer"].is_string() && change["act"] == "time passes", "{change}");
        let request = change["request"]["route"].as_str().expect("a request moved the clock");
        assert!(request.ends_with("/clock/advance"), "{request}");
        for event in change["events"].as_array().expect("events").iter().filter(|event| event["resource"] == *id) {
            assert_eq!(event["deliveries"].as_array().map(Vec::len), Some(1), "{event}");
            for row in event["moves"].as_array().expect("rows") {
                rows.push(format!("{} {} {}", row["table"], row["on"], row["effect"]).replace('"', ""));
            }
        }
    }
    let expected = [
        "orders Accept Book",
        "orders CutOff Nothing",
        "orders Route Nothing",
        "orders Price Execute",
        "orders Settle Post",
    ];
    assert_eq!(rows, expected, "{why}");
    // The cash that was booked is listed with its order, and leads to the same chain.
    let events = changes.iter().flat_map(|change| change["events"].as_array().expect("events"));
    let booked = events.clone().find(|event| event["eventType"] == "cashTransaction.create").expect("a booking");
    assert_eq!(booked["amount"].as_f64(), Some(1000.0), "{booked}");
    let transaction = booked["resource"].as_str().expect("an id");
    let by_transaction = get(&bench, &format!("{W}/why/{transaction}")).await;
    assert_eq!((&by_transaction["what"], by_transaction["total"] == why["total"]), (&json!("cashTransaction"), true));
    // Payer and receiver are beside it, as in the ledger.
    let bookings: Vec<String> =
        changes.iter().flat_map(|change| change["bookings"].as_array().expect("bookings")).map(written).collect();
    let own = account.to_string();
    let units = changes.last().expect("one")["bookings"][1]["units"].to_string();
    assert_eq!(
        bookings,
        [
            format!("{own} fundOrders 1000.00 null pending"),
            format!("{own} fundOrders 1000.00 null settled"),
            format!("null {own} null {units} settled"),
        ]
    );
    let priced =
        events.clone().find(|event| event["changed"].to_string().contains("units")).expect("a price gave units");
    assert_eq!((&priced["resource"], &priced["changed"][0]["before"]), (&json!(id), &json!(null)), "{priced}");
    // An event, and a delivery of it, lead to the chain up to there.
    let sent = events.clone().find(|event| event["status"] == "sent").expect("it was sent");
    for (id, what) in [(&sent["eventId"], "event"), (&sent["deliveries"][0]["id"], "delivery")] {
        let described = get(&bench, &format!("{W}/why/{}", id.as_str().expect("an id"))).await;
        let last =
            described["changes"].as_array().expect("changes").last().expect("one")["events"][0]["status"].clone();
        assert_eq!((&described["what"], last), (&json!(what), json!("sent")));
    }
    let one = get(&bench, &format!("{W}/why/{id}?limit=1")).await;
    assert_eq!((one["changes"].as_array().map(Vec::len), &one["total"]), (Some(1), &why["total"]));
    let nothing = format!("{W}/why/00000000-0000-4000-8000-000000000000");
    refused(
        &bench,
        &[(Method::GET, &nothing, Value::Null, 404, "id names no event, resource, delivery or webhook of this world")],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_partner_sees_the_causes_of_what_is_its_own() {
    let bench = guarded();
    let (own, other) = (bench.token(0).await, bench.token(1).await);
    let account = bench.account(0);
    let order = bench.subscribe(0, account);
    for (token, status) in [(own.as_str(), 200), (other.as_str(), 404), ("operator", 200)] {
        let answer = call(&bench, Method::GET, &format!("{W}/why/{order}"), Some(token), Value::Null).await;
        assert_eq!(answer.status, status, "{token}: {:?}", answer.body);
    }
}

/// The reasons in words, with what helps.
fn reasons(why: &Value) -> Vec<(String, Option<String>, Vec<String>)> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let cures =
        |one: &Value| one["cures"].as_array().expect("cures").iter().filter_map(|it| text(&it["operation"])).collect();
    let explained = why["explanations"].as_array().expect("explanations").iter();
    explained.map(|one| (text(&one["says"]).expect("words"), text(&one["until"]), cures(one))).collect()
}

/// (rule: events/explanations)
#[tokio::test(start_paused = true)]
async fn an_order_on_hold_says_which_check_put_it_there_until_when_and_what_helps() {
    let bench = Bench::new();
    let token = bench.token(0).await;
    let order = placed(&bench, &token).await;
    let why = get(&bench, &format!("{W}/why/{order}")).await;
    assert_eq!(why["settlementDay"], "2026-03-04", "{why}");
    let trading = |open: bool| json!({ "isBuyable": open });
    let lever = format!("/simulations/instrument/{FUND}/trading");
    assert_eq!(call(&bench, Method::POST, &lever, Some(&token), trading(false)).await.status, 200);
    advance(&bench, "2026-03-02T07:00:01Z").await;
    let why = get(&bench, &format!("{W}/why/{order}")).await;
    let until = Some("2026-03-09T08:00:00.000Z".to_owned());
    let cures = ["setTrading", "releaseOrder", "cancelOrder"].map(str::to_owned).to_vec();
    assert_eq!(reasons(&why), [("the fund is closed on this side".to_owned(), until, cures)]);
    assert_eq!((&why["explanations"][0]["then"], why.get("settlementDay")), (&json!("the order is canceled"), None));
    // The operations that it names do help.
    assert_eq!(call(&bench, Method::POST, &lever, Some(&token), trading(true)).await.status, 200);
    let release = format!("/simulations/order/{order}/release");
    assert_eq!(call(&bench, Method::POST, &release, Some(&token), Value::Null).await.status, 200);
    let why = get(&bench, &format!("{W}/why/{order}")).await;
    assert_eq!(reasons(&why)[0].0, "it waits for the cut-off of its fund");
}

/// (rule: events/explanations, payments/suspense)
#[tokio::test(start_paused = true)]
async fn money_in_suspense_is_explained_to_the_operator_alone() {
    let bench = guarded();
    let token = bench.token(0).await;
    let paid = json!({ "ref": "160367146695159", "amount": 1000 });
    let item = call(&bench, Method::POST, "/simulations/bankgiro", Some(&token), paid).await.body;
    let path = format!("{W}/why/{}", item["id"].as_str().expect("an id"));
    let why = call(&bench, Method::GET, &path, Some("operator"), Value::Null).await.body;
    assert_eq!(reasons(&why)[0].0, "the payment waits for its booking", "{why}");
    call(&bench, Method::POST, &format!("{W}/clock/advance"), Some("operator"), json!({ "by": "P3D" })).await;
    let items = call(&bench, Method::GET, &format!("{W}/suspense"), Some("operator"), Value::Null).await.body;
    let path = format!("{W}/why/{}", items[0]["id"].as_str().expect("an id"));
    let why = call(&bench, Method::GET, &path, Some("operator"), Value::Null).await.body;
    let reason = "1000.00 SEK is in suspense: the reference belongs to no account and no payment".to_owned();
    assert_eq!(reasons(&why), [(reason, None, ["allocateSuspense", "returnSuspense"].map(str::to_owned).to_vec())]);
    assert_eq!(call(&bench, Method::GET, &path, Some(&token), Value::Null).await.status, 404);
}

/// (rule: calendar/slices)
#[tokio::test(start_paused = true)]
async fn what_is_due_at_the_instant_of_a_decision_happens_before_it_and_is_sent_at_once_with_its_cause() {
    let rule = json!({ "match": { "method": "GET" }, "verdict": { "delay": { "ms": 1 } } });
    let client = Bench::new().scope(0).client.to_string();
    let hook = json!({ "client": client, "url": "https://receiver.example/" });
    for (method, path, body) in [
        (Method::POST, "/faults", rule),
        (Method::DELETE, "/faults", Value::Null),
        (Method::POST, "/webhooks", hook),
        (Method::PATCH, "/settings", json!({ "eventsKept": 500 })),
        (Method::POST, "/snapshots", json!({})),
    ] {
        let bench = Bench::new();
        let token = bench.token(0).await;
        let changed =
            call(&bench, Method::PATCH, &format!("{W}/settings"), None, json!({ "world": { "acceptanceDelayMs": 0 } }))
                .await;
        assert_eq!(changed.status, 200, "{:?}", changed.body);
        let order = placed(&bench, &token).await;
        let before = get(&bench, &format!("{W}/why/{order}")).await;
        let decided = call(&bench, method.clone(), &format!("{W}{path}"), None, body).await;
        assert!(decided.status < 300, "{method} {path}: {:?}", decided.body);
        let why = get(&bench, &format!("{W}/why/{order}")).await;
        assert_eq!((&before["total"], &why["total"]), (&json!(1), &json!(2)), "{method} {path}: {why}");
        let update = &why["changes"][1];
        assert!(update["events"][0]["eventId"].is_string(), "{method} {path}: {update}");
        assert!(update["input"].is_u64() && update["timer"].is_string(), "{method} {path}: {update}");
        let events = get(&bench, &format!("{W}/events")).await;
        let sent = events["events"].as_array().expect("events").last().expect("an event").to_string();
        assert!(sent.contains(&order), "{method} {path}: {sent}");
    }
}
