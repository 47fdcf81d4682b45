//! Pictures from outside: each in its forms, to those who may see it, with the numbers of the lists that it is made from.
//!
//! `FUNDSIM_TEST_BLESS=1 cargo test -p fundsim-sandbox --lib pictures` writes the examples that the documents show.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use axum::http::Method;
use serde_json::{Value, json};

use super::super::tests::{call, get, guarded, post};
use crate::testing::{Answer, Bench, FUND, form_request};
use drawing::table::PICTURES;

/// A world of the demo setup in which a customer has bought, sold and failed to buy.
struct Life {
    bench: Bench,
    world: String,
    own: String,
    token: String,
    account: String,
    order: String,
    partners: Vec<Value>,
}

/// An access token of a partner, with the credentials that its world was made with.
async fn token_of(bench: &Bench, partner: &Value) -> String {
    let text = |key: &str| partner[key].as_str().expect("a text");
    let (id, secret) = (text("clientId"), text("clientSecret"));
    let form = format!("grant_type=client_credentials&client_id={id}&client_secret={secret}");
    bench.ask(form_request(&form)).await.body["access_token"].as_str().expect("a token").to_owned()
}

impl Life {
    async fn lived() -> Self {
        let bench = Bench::new();
        let start = json!({ "seed": 7, "start": "2026-03-02T08:00:00+01:00", "clock": "frozen", "name": "spring" });
        let made = post(&bench, "/_sandbox/worlds", start).await;
        let partner = &made["partners"][0];
        let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned();
        let world = format!("/_sandbox/worlds/{}", text(&made["worldId"]));
        let token = token_of(&bench, partner).await;
        let client = text(&partner["clients"][0]["id"]);
        let own = format!("/v2/partner/client/{client}");
        let ask = async |path: &str, body: Value| call(&bench, Method::POST, path, Some(&token), body).await;
        post(&bench, &format!("{world}/webhooks"), json!({ "client": client, "url": "https://receiver.example/" }))
            .await;
        let account = json!({ "clientId": client, "accountType": "isk", "cash": 25_000 });
        let account = text(&ask("/simulations/account", account).await.body["id"]);
        let buyer = account.clone();
        let buy = move |amount: u32| json!({ "account": buyer, "instrument": FUND, "orderType": "subscription", "amount": amount });
        let order = text(&ask(&format!("{own}/order"), buy(4_000)).await.body["id"]);
        for amount in [900_000, 800_000] {
            assert_eq!(ask(&format!("{own}/order"), buy(amount)).await.status, 400);
        }
        let partners = made["partners"].as_array().expect("partners").clone();
        let life = Self { world, own, account, order, token, bench, partners };
        life.advance("2026-03-09T09:00:00+01:00").await;
        let sell = json!({ "account": life.account, "instrument": FUND, "orderType": "redemption", "units": 3 });
        assert_eq!(life.send(&format!("{}/order", life.own), sell).await.status, 200);
        life.advance("2026-03-20T00:00:00+01:00").await;
        let held = life.send(&format!("{}/order", life.own), buy(2_500)).await;
        assert_eq!(held.status, 200, "{:?}", held.body);
        life
    }

    async fn send(&self, path: &str, body: Value) -> Answer {
        call(&self.bench, Method::POST, path, Some(&self.token), body).await
    }

    async fn read(&self, path: &str) -> Value {
        let answer =
            call(&self.bench, Method::GET, &format!("{}{path}", self.own), Some(&self.token), Value::Null).await;
        assert_eq!(answer.status, 200, "{path}: {:?}", answer.body);
        answer.body
    }

    async fn advance(&self, to: &str) {
        post(&self.bench, &format!("{}/clock/advance", self.world), json!({ "to": to })).await;
    }

    /// The address of a picture with the parameters that it needs.
    fn address(&self, name: &str) -> String {
        let row = drawing::table::picture_row(name).expect("a row");
        let needed = row.parameters.iter().filter(|one| one.required).map(|one| match one.name {
            "accountId" => format!("&accountId={}", self.account),
            // The world that the bench has beside it.
            "with" => "&with=world-1".to_owned(),
            other => panic!("{other} has no value here"),
        });
        format!("{}/pictures/{name}?{}", self.world, needed.collect::<String>())
    }

    async fn drawn(&self, name: &str, more: &str) -> String {
        let path = format!("{}{more}", self.address(name));
        let answer = call(&self.bench, Method::GET, &path, None, Value::Null).await;
        assert_eq!(answer.status, 200, "{path}: {:?}", answer.body);
        answer.body.as_str().map_or_else(|| answer.body.to_string(), str::to_owned)
    }

    async fn facts(&self, name: &str, more: &str) -> Value {
        get(&self.bench, &format!("{}{more}&format=json", self.address(name))).await
    }
}

/// What places of a picture say when they are pointed at.
fn titles(svg: &str) -> Vec<String> {
    let parts = svg.split("<title>").skip(1).filter_map(|part| part.split_once("</title>"));
    parts.map(|(title, _)| title.replace('\u{a0}', " ")).collect()
}

/// Sizes of letters, in tenths of a pixel.
fn sizes(svg: &str) -> Vec<u32> {
    let parts = svg.split("font-size=\"").skip(1).filter_map(|part| part.split_once('"'));
    parts.map(|(size, _)| size.split('.').next().unwrap_or_default().parse().expect("a size")).collect()
}

/// A number of the JSON in whole ore.
fn ore(number: &Value) -> i64 {
    number.to_string().replace('.', "").parse().expect("an amount with two decimals")
}

/// (rule: wire/pictures)
#[tokio::test(start_paused = true)]
async fn every_picture_of_the_table_has_three_forms_that_read_by_themselves() {
    let life = Life::lived().await;
    let listed = get(&life.bench, &format!("{}/pictures", life.world)).await;
    let names: Vec<_> = listed.as_array().expect("a list").iter().map(|row| row["name"].clone()).collect();
    assert_eq!(names, PICTURES.iter().map(|row| json!(row.name)).collect::<Vec<_>>());
    for row in PICTURES {
        let name = row.name;
        let svg = life.drawn(name, "").await;
        for part in [r#"role="img""#, "<title id=", "<desc id=", "prefers-color-scheme:dark", r#"width="1200""#] {
            assert!(svg.contains(part), "{name}: {part}");
        }
        for part in ["<script", "href", "url(", "@import", "<image"] {
            assert!(!svg.contains(part), "{name}: {part}");
        }
        assert_eq!(svg, life.drawn(name, "").await, "{name}: the same world makes the same bytes");
        let text = life.drawn(name, "&format=text").await;
        let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!((20..=100).contains(&longest), "{name}: a line has {longest} letters");
        assert!(life.facts(name, "").await.is_object(), "{name}");
        let narrow = life.drawn(name, "&width=390").await;
        assert!(narrow.contains(r#"width="390""#), "{name}");
        assert!(sizes(&narrow).iter().all(|size| *size >= 110), "{name}: {:?}", sizes(&narrow).iter().min());
    }
}

/// (rule: wire/pictures)
#[tokio::test(start_paused = true)]
async fn what_a_picture_does_not_know_or_lacks_is_refused_by_name() {
    let life = Life::lived().await;
    let id = &life.account;
    for (path, status, text) in [
        ("nothing".to_owned(), 404, "pictureName names no picture; there are account, "),
        ("account".to_owned(), 400, "accountId is needed by the picture account"),
        (format!("world?accountId={id}"), 400, "accountId is no parameter of the picture world"),
        ("world?format=png".to_owned(), 400, "format must be one of svg, text, json"),
        ("world?width=100".to_owned(), 400, "width must be 320 to 1600"),
        ("sequence?limit=0".to_owned(), 400, "limit must be 1 to 200"),
        ("calendar?from=2026-03-01&to=2027-12-01".to_owned(), 400, "to must be a day within 400 days"),
        ("calendar?from=2026-03-02&to=2026-03-01".to_owned(), 400, "to must be a day within 400 days"),
        (format!("sequence?id={}", "0".repeat(32)), 404, "id names no event"),
    ] {
        let path = format!("{}/pictures/{path}", life.world);
        let answer = call(&life.bench, Method::GET, &path, None, Value::Null).await;
        let why = answer.body["error_description"].as_str().unwrap_or_default();
        assert!(answer.status == status && why.contains(text), "{path}: {} {why}", answer.status);
    }
}

/// (rule: wire/pictures, auth/shared-worlds)
#[tokio::test(start_paused = true)]
async fn a_partner_sees_pictures_of_what_is_its_own_alone() {
    let bench = guarded();
    let (account, client) = (bench.account(0).to_string(), bench.scope(0).client);
    let (own, other) = (bench.token(0).await, bench.token(1).await);
    let order = json!({ "account": account, "instrument": FUND, "orderType": "subscription", "amount": 1000 });
    let placed = call(&bench, Method::POST, &format!("/v2/partner/client/{client}/order"), Some(&own), order).await;
    let order = placed.body["id"].as_str().expect("an id").to_owned();
    let ask = async |path: &str, token: &str| {
        call(&bench, Method::GET, &format!("/_sandbox/worlds/current/pictures/{path}"), Some(token), Value::Null).await
    };
    for path in [format!("account?accountId={account}"), format!("sequence?id={order}")] {
        assert_eq!([ask(&path, &own).await.status, ask(&path, &other).await.status], [200, 404], "{path}");
    }
    let facts = async |path: &str, token: &str| ask(&format!("{path}?format=json"), token).await.body;
    let [seen, hidden] = [facts("sequence", &own).await, facts("sequence", &other).await];
    assert!(seen["changes"].to_string().contains(&order[..8]), "{seen}");
    assert_eq!(hidden["changes"], json!([]), "{hidden}");
    let orders = |facts: &Value| {
        let rows = facts["orders"].as_array().expect("a list").clone();
        rows.iter().filter_map(|row| row["count"].as_u64()).sum::<u64>()
    };
    let [seen, hidden] = [facts("world", &own).await, facts("world", &other).await];
    assert_eq!([orders(&seen), orders(&hidden)], [1, 0]);
    let failing = |facts: &Value| facts["requests"]["failing"].to_string();
    assert!(!failing(&seen).contains("sequence") && failing(&hidden).contains("404"), "{seen} {hidden}");
    let settled = |facts: &Value| facts["days"].to_string().contains("settlements");
    let [seen, hidden] = [facts("calendar", &own).await, facts("calendar", &other).await];
    assert!(settled(&seen) && !settled(&hidden), "{seen}");
}

#[tokio::test(start_paused = true)]
async fn the_sequence_of_an_order_has_every_booking_of_its_chain_and_who_asked() {
    let life = Life::lived().await;
    let more = format!("&id={}", life.order);
    let (svg, facts) = (life.drawn("sequence", &more).await, life.facts("sequence", &more).await);
    let why = get(&life.bench, &format!("{}/why/{}", life.world, life.order)).await;
    let all = |value: &Value, key: &str| value[key].as_array().expect("a list").clone();
    let booked: Vec<_> = all(&why, "changes").iter().flat_map(|change| all(change, "bookings")).collect();
    let cash: Vec<_> = booked.iter().filter(|one| one["amount"].is_number()).map(|one| ore(&one["amount"])).collect();
    assert!(cash.contains(&400_000), "{why}");
    let drawn = titles(&svg).into_iter().filter_map(|title| {
        let (_, rest) = title.split_once(", money: ")?;
        let (sek, _) = rest.split_once(" SEK")?;
        let sek = sek.replace(' ', "");
        let (whole, rest) = sek.split_once('.').unwrap_or((&sek, "00"));
        format!("{whole}{rest}").parse::<i64>().ok()
    });
    assert_eq!(drawn.collect::<Vec<_>>(), cash, "amounts in the picture");
    let steps: Vec<_> = all(&facts, "changes").iter().flat_map(|change| all(change, "steps")).collect();
    let of_kind = |kind: &str| steps.iter().filter(|step| step["kind"] == kind).count();
    assert_eq!(of_kind("money") + of_kind("units"), booked.len());
    assert_eq!(titles(&svg).len(), steps.len(), "each step says what it is");
    let first: Vec<_> = steps.iter().take(1).map(|step| [&step["from"], &step["to"], &step["says"]]).collect();
    assert_eq!(first, [[&json!("partner"), &json!("platform"), &json!("POST /order")]]);
    assert!(steps.iter().any(|step| step["kind"] == "timer" && step["from"] == "fund"), "{steps:?}");
    assert!(of_kind("delivery") > 0 && steps.iter().any(|step| step["says"] == "webhook order.update"), "{steps:?}");
    // The last changes of the world, and how many come before them.
    let last = life.facts("sequence", "&limit=2").await;
    assert_eq!(all(&last, "changes").len(), 2);
    assert!(last["leftOut"].as_u64().is_some_and(|earlier| earlier > 5), "{last}");
}

/// (rule: wire/pictures)
#[tokio::test(start_paused = true)]
async fn refused_requests_are_in_the_sequence_at_their_instant_with_status_and_reason() {
    let life = Life::lived().await;
    let refused = |facts: &Value| -> Vec<Value> {
        let changes = facts["changes"].as_array().expect("a list").iter();
        changes.filter(|change| change["steps"][0]["kind"] == "refused").cloned().collect()
    };
    let of_account = format!("&limit=200&id={}", life.account);
    let facts = life.facts("sequence", &of_account).await;
    let found = refused(&facts);
    assert_eq!(found.len(), 2, "{facts}");
    for change in &found {
        let step = &change["steps"][0];
        assert_eq!(
            [&step["from"], &step["to"], &step["says"]],
            [&json!("partner"), &json!("platform"), &json!("POST /order")]
        );
        assert_eq!(step["outcome"], "400 invalid_request");
        let cause = change["cause"].as_str().expect("a text");
        assert!(change["at"] == "2026-03-02T07:00:00.000Z" && cause.starts_with("refused: "), "{change}");
    }
    let instants: Vec<_> = facts["changes"].as_array().expect("a list").iter().map(|change| &change["at"]).collect();
    assert!(instants.iter().map(|at| at.as_str()).is_sorted(), "{instants:?}");
    // The order that was placed before them was not refused.
    assert!(refused(&life.facts("sequence", &format!("&id={}", life.order)).await).is_empty());
    // Those before the first change that is shown are counted.
    let last = life.facts("sequence", "&limit=2").await;
    assert_eq!((refused(&last).len(), last["refusedLeftOut"].as_u64()), (0, Some(2)), "{last}");
    let svg = life.drawn("sequence", &of_account).await;
    let refusals =
        titles(&svg).into_iter().filter(|title| title.contains("partner to platform, refused: POST /order: 400"));
    assert_eq!(refusals.count(), 2);

    // A read makes no input, and so many have no room.
    let missing = format!("{}/order/{}", life.own, uuid::Uuid::from_u128(1));
    let miss = async || {
        let answer = call(&life.bench, Method::GET, &missing, Some(&life.token), Value::Null).await;
        assert_eq!(answer.status, 400);
    };
    for _ in 0..super::refused::MOST_REFUSED + 5 {
        miss().await;
    }
    let facts = life.facts("sequence", "&limit=200").await;
    assert_eq!((refused(&facts).len(), &facts["refusedLeftOut"]), (super::refused::MOST_REFUSED, &json!(7)));
    let clock = get(&life.bench, &format!("{}/clock", life.world)).await;
    assert!(refused(&facts).iter().all(|change| change["at"] == clock["now"]), "{clock}");
    // Another past has none of them.
    post(&life.bench, &format!("{}/rewind", life.world), json!({ "to": "2026-03-09T09:00:00+01:00" })).await;
    let facts = life.facts("sequence", "&limit=200").await;
    assert_eq!((refused(&facts).len(), &facts["refusedLeftOut"]), (2, &json!(0)), "{facts}");
    miss().await;
    let facts = life.facts("sequence", "&limit=200").await;
    assert_eq!(refused(&facts).len(), 3, "{facts}");
}

#[tokio::test(start_paused = true)]
async fn a_world_at_a_glance_has_the_values_orders_requests_and_webhooks_of_its_lists() {
    let life = Life::lived().await;
    let (svg, facts) = (life.drawn("world", "").await, life.facts("world", "").await);
    let all_titles = titles(&svg);
    // At midnight, what all accounts are worth now is what they were worth when the last day ended.
    let mut worth = 0;
    for partner in &life.partners {
        let token = token_of(&life.bench, partner).await;
        for client in partner["clients"].as_array().expect("clients") {
            let own = format!("/v2/partner/client/{}/account", client["id"].as_str().expect("an id"));
            let read = async |path: String| {
                let answer = call(&life.bench, Method::GET, &path, Some(&token), Value::Null).await;
                assert_eq!(answer.status, 200, "{path}: {:?}", answer.body);
                answer.body
            };
            for account in read(own.clone()).await.as_array().expect("accounts") {
                let value = read(format!("{own}/{}/value", account["id"].as_str().expect("an id"))).await;
                worth += ore(&value["value"]);
            }
        }
    }
    let days = facts["days"].as_array().expect("days");
    let last = days.last().expect("a day");
    // The order that was placed at this midnight has taken nothing from the value.
    assert_eq!((last["date"].as_str(), ore(&last["value"])), (Some("2026-03-19"), worth), "{facts}");
    let shown: Vec<_> = all_titles.iter().filter(|title| title.starts_with("19 Mar 2026: ")).collect();
    let sek = shown[0].trim_start_matches("19 Mar 2026: ").trim_end_matches(" SEK").replace(' ', "");
    let (whole, rest) = sek.split_once('.').unwrap_or((&sek, "00"));
    assert_eq!(format!("{whole}{rest}").parse(), Ok(worth), "{shown:?}");
    assert_eq!(all_titles.iter().filter(|title| title.ends_with(" SEK")).count(), days.len());
    let orders = life.read("/order").await;
    let orders = orders.as_array().expect("a list");
    for row in facts["orders"].as_array().expect("a list") {
        let count = orders.iter().filter(|order| order["status"] == row["state"]).count();
        assert_eq!(row["count"], json!(count), "{row}");
        assert!(
            all_titles.contains(&format!("{} {count}", row["state"].as_str().expect("a state"))),
            "{row} {all_titles:?}"
        );
    }
    assert!(all_titles.contains(&"POST /order 400 2".to_owned()), "{all_titles:?}");
    let deliveries = get(&life.bench, &format!("{}/deliveries?limit=1000", life.world)).await;
    let hook = &facts["webhooks"][0];
    let counted = ["delivered", "queued", "refused", "deadLetters"].map(|key| hook[key].as_u64().expect("a count"));
    assert_eq!(json!(counted.iter().sum::<u64>()), deliveries["total"], "{hook}");
    let clock = get(&life.bench, &format!("{}/clock", life.world)).await;
    assert_eq!((&facts["next"][0]["at"], &facts["next"][0]["what"]), (&clock["next"]["at"], &clock["next"]["what"]));
}

#[tokio::test(start_paused = true)]
async fn a_calendar_has_the_holidays_of_spring_and_the_settlements_of_its_orders() {
    let life = Life::lived().await;
    let (svg, facts) = (life.drawn("calendar", "").await, life.facts("calendar", "").await);
    let days = facts["days"].as_array().expect("days");
    assert_eq!((days.len(), &days[0]["date"]), (31 + 30 + 31, &json!("2026-03-01")));
    let of = |date: &str| days.iter().find(|day| day["date"] == date).expect("a day");
    for (date, kind, holiday) in [
        ("2026-03-02", "bankDay", Value::Null),
        ("2026-04-02", "halfDay", Value::Null),
        ("2026-04-03", "holiday", json!("Good Friday")),
        ("2026-04-04", "weekend", Value::Null),
        ("2026-04-06", "holiday", json!("Easter Monday")),
    ] {
        assert_eq!((&of(date)["kind"], &of(date)["holiday"]), (&json!(kind), &holiday), "{date}");
    }
    assert_eq!(of("2026-04-01")["what"], json!({ "fees charged": 1 }));
    let mut settlements: Vec<String> = Vec::new();
    for order in life.read("/order").await.as_array().expect("a list") {
        let why = get(&life.bench, &format!("{}/why/{}", life.world, order["id"].as_str().expect("an id"))).await;
        settlements.extend(why["settlementDay"].as_str().map(str::to_owned));
    }
    assert_eq!(settlements.len(), 3);
    for day in days {
        let date = day["date"].as_str().expect("a date");
        let count = settlements.iter().filter(|settles| *settles == date).count();
        assert_eq!(day["due"]["settlements"].as_u64().unwrap_or(0), count as u64, "{day}");
        let is_closed = ["holiday", "weekend"].contains(&day["kind"].as_str().expect("a kind"));
        assert!(!is_closed || day["due"]["cutOffs"].is_null(), "{day}");
    }
    let all_titles = titles(&svg);
    assert_eq!(all_titles.len(), days.len());
    for (day, title) in days.iter().zip(&all_titles) {
        let written = |kind: &str, word: &str| match day["due"][kind].as_u64() {
            Some(1) => title.contains(&format!(" 1 {}", word.trim_end_matches('s'))),
            Some(count) => title.contains(&format!(" {count} {word}")),
            None => !title.contains(&format!(" {word},")),
        };
        assert!(written("settlements", "settlements") && written("prices", "prices"), "{day} {title}");
    }
    assert!(all_titles.iter().any(|title| title.contains("Good Friday")));
    // A handful of orders makes several days, not one.
    assert!(settlements.iter().collect::<BTreeSet<_>>().len() > 1, "{settlements:?}");
}

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures").join(name)
}

/// The documents show what the program draws.
#[tokio::test(start_paused = true)]
async fn the_pictures_of_the_documents_are_drawn_by_this_program() {
    let life = Life::lived().await;
    let order = format!("&id={}", life.order);
    for (file, name, more) in
        [("sequence.svg", "sequence", order.as_str()), ("world.svg", "world", ""), ("calendar.svg", "calendar", "")]
    {
        let drawn = life.drawn(name, more).await;
        if std::env::var_os("FUNDSIM_TEST_BLESS").is_some() {
            std::fs::write(golden(file), &drawn).expect("the picture is written");
        }
        let kept = std::fs::read_to_string(golden(file)).expect("the picture that the documents show");
        assert!(kept == drawn, "{file} is another picture; write it anew with FUNDSIM_TEST_BLESS=1 and look at it");
    }
}
