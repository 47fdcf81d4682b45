//! What a small integration has met is counted, all of it and nothing else.

mod effects;

use super::*;
use crate::planes::operator::tests::{W, call, get, guarded, post};
use crate::testing::{Bench, FUND, START, at, form_request, request};
use axum::http::{HeaderValue, Method};
use hosting::coverage::MOST_ROUTES;
use serde_json::json;
use std::collections::BTreeSet;

/// What a group of the answer lists as met: what it is, and how often.
fn met<'a>(coverage: &'a Value, group: &str) -> Vec<(&'a str, u64)> {
    let rows = of(coverage, group)["met"].as_array().expect("rows");
    rows.iter().map(|row| (row["what"].as_str().expect("a text"), row["count"].as_u64().expect("a count"))).collect()
}

fn of<'a>(coverage: &'a Value, group: &str) -> &'a Value {
    let groups = coverage["groups"].as_array().expect("groups");
    groups.iter().find(|known| known["name"] == group).expect("a group")
}

/// The operations whose answers were met, with their statuses.
fn answers(coverage: &Value) -> Vec<String> {
    let rows = of(coverage, "answers")["met"].as_array().expect("rows").iter();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    rows.map(|row| format!("{} {}", text(&row["of"]), text(&row["what"]))).collect()
}

/// Whether a group lists as never met what is called so.
fn is_never_met(coverage: &Value, group: &str, what: &str) -> bool {
    of(coverage, group)["never"].as_array().expect("rows").iter().any(|row| row["what"] == what)
}

/// An integration of the first partner: an account, an order that is canceled, and a mistake.
async fn integrate(bench: &Bench) -> (String, String) {
    let token = bench.token(0).await;
    let client = bench.scope(0).client.to_string();
    let account = json!({ "clientId": client, "accountType": "isk", "cash": 10_000 });
    let account = call(bench, Method::POST, "/simulations/account", Some(&token), account).await.body;
    let orders = format!("/v2/partner/client/{client}/order");
    let order = json!({
        "orderType": "subscription", "account": account["id"], "instrument": FUND, "amount": 500,
    });
    let made = call(bench, Method::POST, &orders, Some(&token), order.clone()).await;
    assert_eq!(made.status, 200, "{:?}", made.body);
    let place = format!("{orders}/{}", made.body["id"].as_str().expect("an id"));
    assert_eq!(call(bench, Method::GET, &place, Some(&token), Value::Null).await.status, 200);
    assert_eq!(call(bench, Method::DELETE, &place, Some(&token), Value::Null).await.status, 200);
    let mut dear = order;
    dear["amount"] = json!(1_000_000);
    assert_eq!(call(bench, Method::POST, &orders, Some(&token), dear).await.status, 400);
    (token, place)
}

/// (rule: wire/coverage)
#[tokio::test(start_paused = true)]
async fn what_a_small_integration_has_met_is_counted_and_nothing_else() {
    let bench = Bench::new();
    integrate(&bench).await;
    let coverage = get(&bench, &format!("{W}/coverage")).await;
    let base = "/v2/partner/client/{clientId}/order";
    let expected = [
        "POST /v2/partner/auth/token 200".to_owned(),
        format!("POST {base} 200"),
        format!("POST {base} 400"),
        format!("GET {base}/{{orderId}} 200"),
        format!("DELETE {base}/{{orderId}} 200"),
    ];
    assert_eq!(answers(&coverage), expected);
    assert_eq!(met(&coverage, "refusals"), [("Insufficient", 1)]);
    assert_eq!(met(&coverage, "states"), [("Received", 1), ("CanceledUnbooked", 1), ("Active", 1)]);
    assert_eq!(met(&coverage, "moves"), [("Received on Cancel -> CanceledUnbooked", 1)]);
    for group in ["failures", "reasons", "events", "sockets", "deliveries", "days"] {
        assert_eq!(met(&coverage, group), [], "{group}");
        assert_eq!(of(&coverage, group)["share"], 0, "{group}");
    }
    assert!(is_never_met(&coverage, "moves", "Received on Accept -> Pending"));
    let rows: u64 = coverage["groups"].as_array().expect("groups").iter().fold(0, |sum, group| {
        sum + (group["met"].as_array().map_or(0, Vec::len) + group["never"].as_array().map_or(0, Vec::len)) as u64
    });
    assert_eq!((&coverage["met"], &coverage["rows"]), (&json!(10), &json!(rows)));
}

/// (rule: wire/coverage, wire/observers)
#[tokio::test(start_paused = true)]
async fn observers_levers_and_the_machinery_count_for_nothing_and_nothing_that_decides_changes() {
    let bench = Bench::new();
    let (token, place) = integrate(&bench).await;
    let before = get(&bench, &format!("{W}/coverage")).await;
    let digest = get(&bench, &format!("{W}/digest")).await;
    let mut observed = request(Method::GET, &place, Some(&token), None);
    observed.headers_mut().insert("fundsim-observer", HeaderValue::from_static("true"));
    assert_eq!(bench.ask(observed).await.status, 200);
    let lever = format!("/simulations/instrument/{FUND}/price");
    assert_eq!(call(&bench, Method::POST, &lever, Some(&token), json!({})).await.status, 400);
    assert_eq!(call(&bench, Method::GET, &format!("{W}/clock"), Some(&token), Value::Null).await.status, 200);
    assert_eq!(get(&bench, &format!("{W}/coverage")).await, before);
    assert_eq!(get(&bench, &format!("{W}/digest")).await, digest);
    assert_eq!(call(&bench, Method::GET, &place, Some(&token), Value::Null).await.status, 200);
    assert_ne!(get(&bench, &format!("{W}/coverage")).await, before, "a request of the partner's counts");
}

/// (rule: wire/coverage)
#[tokio::test(start_paused = true)]
async fn a_partner_is_shown_its_own_and_the_operator_all_or_one() {
    let bench = guarded();
    let (token, _) = integrate(&bench).await;
    let other = bench.token(1).await;
    let path = format!("{W}/coverage");
    let shown = async |token: &str, query: &str| {
        call(&bench, Method::GET, &format!("{path}{query}"), Some(token), Value::Null).await
    };
    let (own, others, all) = (shown(&token, "").await, shown(&other, "").await, shown("operator", "").await);
    assert_eq!(answers(&own.body).len(), 5);
    assert_eq!(answers(&others.body), ["POST /v2/partner/auth/token 200"]);
    assert_eq!(own.body["partners"].as_array().map(Vec::len), Some(1));
    assert_eq!(met(&all.body, "answers")[0], ("200", 2), "both have asked for a token");
    let one = format!("?partner={}", own.body["partners"][0].as_str().expect("an id"));
    assert_eq!(shown("operator", &one).await.body, own.body);
    assert_eq!(shown(&token, &one).await.body, own.body);
    assert_eq!(shown(&other, &one).await.status, 400, "another partner's stays its own");
    let nobody = shown("operator", "?partner=00000000-0000-4000-8000-000000000000").await;
    assert_eq!(nobody.body["error_description"], "partner names no partner of this world");
}

/// (rule: wire/coverage)
#[tokio::test(start_paused = true)]
async fn failures_on_purpose_ended_tokens_and_days_are_met_and_stay_met_when_the_world_is_put_back() {
    let bench = Bench::new();
    let (token, place) = integrate(&bench).await;
    for verdict in [json!({ "answer": { "status": 503 } }), json!({ "delay": { "ms": 5 } }), json!({ "drop": "after" })]
    {
        let rule = json!({ "match": { "path": "/v2/**", "times": 1 }, "verdict": verdict });
        post(&bench, &format!("{W}/faults"), rule).await;
        drop(bench.surface.handle(request(Method::GET, &place, Some(&token), None), None).await);
    }
    // From Monday over the next weekend, and to the half-day before Good Friday.
    post(&bench, &format!("{W}/clock/advance"), json!({ "to": "2026-04-03T12:00:00Z" })).await;
    tokio::time::sleep(std::time::Duration::from_secs(3_600)).await;
    assert_eq!(call(&bench, Method::GET, &place, Some(&token), Value::Null).await.status, 401);
    post(&bench, &format!("{W}/reset"), Value::Null).await;
    let coverage = get(&bench, &format!("{W}/coverage")).await;
    let failures = [
        ("401, the token has ended", 1),
        ("503, not available now", 1),
        ("late answer", 1),
        ("connection lost after the request", 1),
    ];
    assert_eq!(met(&coverage, "failures"), failures);
    assert_eq!(met(&coverage, "refusals"), [("Insufficient", 1)], "what a rule answers was not refused");
    assert_eq!(met(&coverage, "days"), [("closed day", 1), ("half-day", 1), ("weekend", 8)]);
    assert_eq!(met(&coverage, "moves"), [("Received on Cancel -> CanceledUnbooked", 1)]);
}

/// (rule: wire/coverage)
#[tokio::test(start_paused = true)]
async fn a_fork_begins_with_nothing_met_and_counts_for_itself() {
    let bench = Bench::new();
    let (_, place) = integrate(&bench).await;
    let whole = get(&bench, &format!("{W}/coverage")).await;
    let fork = post(&bench, &format!("{W}/fork"), json!({})).await;
    let path = format!("/_sandbox/worlds/{}/coverage", fork["worldId"].as_str().expect("an id"));
    let begun = get(&bench, &path).await;
    assert_eq!((&begun["met"], &begun["rows"]), (&json!(0), &whole["rows"]));
    let [id, secret] = ["clientId", "clientSecret"].map(|name| fork["partners"][0][name].as_str().expect("a text"));
    let form = format!("grant_type=client_credentials&client_id={id}&client_secret={secret}");
    let token = bench.ask(form_request(&form)).await.body;
    let token = token["access_token"].as_str().expect("a token");
    assert_eq!(call(&bench, Method::GET, &place, Some(token), Value::Null).await.status, 200);
    let expected = [
        "POST /v2/partner/auth/token 200".to_owned(),
        "GET /v2/partner/client/{clientId}/order/{orderId} 200".to_owned(),
    ];
    assert_eq!(answers(&get(&bench, &path).await), expected);
    assert_eq!(
        get(&bench, &format!("{W}/coverage")).await,
        whole,
        "the world that it was forked from goes on by itself"
    );
}

/// (rule: wire/coverage)
#[tokio::test(start_paused = true)]
async fn a_repeated_client_ref_a_reason_and_a_hold_are_met() {
    let bench = Bench::new();
    let token = bench.token(0).await;
    let client = bench.scope(0).client.to_string();
    let account = json!({ "clientId": client, "accountType": "isk", "cash": 10_000 });
    let account = call(&bench, Method::POST, "/simulations/account", Some(&token), account).await.body;
    let order = json!({ "orderType": "subscription", "account": account["id"], "instrument": FUND, "amount": 500 });
    let orders = format!("/v2/partner/client/{client}/order");
    let order = call(&bench, Method::POST, &orders, Some(&token), order).await.body;
    let hold = format!("/simulations/order/{}/hold", order["id"].as_str().expect("an id"));
    assert_eq!(call(&bench, Method::POST, &hold, Some(&token), Value::Null).await.status, 200);
    let payment = json!({ "account": account["id"], "amount": 100, "clientRef": "once" });
    let batch = json!({ "type": "bankTransfer", "payments": [payment] });
    let path = format!("/v2/partner/client/{client}/instruction/payment");
    for status in [200, 400] {
        let answer = call(&bench, Method::POST, &path, Some(&token), batch.clone()).await;
        assert_eq!(answer.status, status, "{:?}", answer.body);
    }
    let coverage = get(&bench, &format!("{W}/coverage")).await;
    assert_eq!(met(&coverage, "reasons"), [("backOffice", 1)]);
    assert_eq!(met(&coverage, "refusals"), [("Malformed", 1), ("clientRef used twice", 1)]);
}

#[test]
fn all_that_is_tried_is_an_operation_of_this_server_with_a_body_that_it_reads() {
    let bench = Bench::new();
    let counts = bench.world.coverage.counts(at(START), |_| true);
    let fund = bench.world.read(|world| query::instruments(world, None)[0].record.id).expect("a world");
    let funds = SpecialFunds { outside_universe: Some(fund), professional: Some(fund), complex: Some(fund) };
    let rows: Vec<_> = crate::rows().collect();
    let names: BTreeSet<_> = rows.iter().filter_map(|row| row.operation_id()).collect();
    let today = Date::constant(2026, 3, 2);
    for group in groups(&rows, &counts, today, funds) {
        assert!(!group.rows.is_empty(), "{}", group.name);
        let mut seen = BTreeSet::new();
        for row in &group.rows {
            assert!(seen.insert((row.of.clone(), row.what.clone())), "{}: {} {} twice", group.name, row.of, row.what);
            assert!(!row.tries.is_empty(), "{}: nothing helps to meet {} {}", group.name, row.of, row.what);
            for Try { operation, body } in &row.tries {
                assert!(names.contains(operation), "{}: there is no {operation}", group.name);
                let route = rows.iter().find(|row| row.operation_id() == Some(*operation)).expect("a route");
                let body = body.as_deref().unwrap_or("{}");
                assert!(serde_json::from_str::<Value>(body).is_ok(), "{operation}: {body}");
                // The partner API reads its bodies by the world, and levers may need more than what is shown.
                let unknown = route.problems_of(body).filter(|problems| problems.contains("is not a known field"));
                assert_eq!(unknown, None, "{operation}: {body}");
            }
        }
    }
}

/// (rule: wire/coverage)
#[test]
fn every_operation_of_the_partner_api_is_counted_but_the_one_that_needs_no_token() {
    let partner = crate::Plane::Partner.rows();
    let uncounted: Vec<_> = partner.iter().filter(|row| row.counted.is_none()).map(|row| row.path).collect();
    assert_eq!(uncounted, ["/ping"]);
    let places: BTreeSet<_> = partner.iter().filter_map(|row| row.counted).collect();
    assert_eq!(places.len(), partner.len() - 1, "each has a place of its own");
    assert!(places.iter().all(|place| usize::from(*place) < MOST_ROUTES), "raise MOST_ROUTES");
    for plane in [crate::Plane::Levers, crate::Plane::Machinery] {
        assert!(plane.rows().iter().all(|row| row.counted.is_none()));
    }
}
