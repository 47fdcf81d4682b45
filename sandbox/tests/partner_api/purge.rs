//! What has ended is forgotten by a lever, and subscribers are sent it once; what still counts stays.

use crate::harness::{Api, CLIENTS, NOBODY};
use serde_json::{Value, json};

/// Types of the newest events, oldest first, with the ids they are about.
async fn newest_events(api: &Api, most: usize) -> Vec<(String, String)> {
    let log = api.get(&format!("/_sandbox/worlds/current/events?limit={most}")).await.ok();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let line = |entry: &Value| {
        let payload = &entry["event"]["payload"];
        assert!(payload.get("current").is_none() || entry["event"]["eventType"] != "order.delete");
        let about = if payload["previous"].is_null() { &payload["current"] } else { &payload["previous"] };
        (text(&entry["event"]["eventType"]), text(&about["id"]))
    };
    log["events"].as_array().expect("a list").iter().map(line).collect()
}

fn pair(kind: &str, id: &str) -> Vec<(String, String)> {
    vec![(kind.to_owned(), id.to_owned())]
}

#[tokio::test]
async fn an_order_that_has_ended_is_forgotten_and_one_under_way_is_not() {
    let api = Api::new().await;
    let order = api.subscribe("1000").await;
    let lever = format!("/simulations/order/{order}/purge");
    let before = api.digest();
    let refused = api.post(&lever, "").await;
    refused.refused(409, "conflict", "orderId does not allow this while it is received");
    assert_eq!(refused.json()["allowed"], json!(["hold", "reject"]));
    assert_eq!(api.digest(), before);
    let canceled = api.delete(&format!("order/{order}")).await.ok();
    assert_eq!(api.post(&lever, "").await.ok(), canceled);
    assert_eq!(newest_events(&api, 1).await, pair("order.delete", &order));
    assert_eq!(api.get("order").await.ok(), json!([]));
    let path = format!("order/{order}");
    api.get(&path).await.refused(400, "invalid_request", "orderId is not known");
    api.delete(&path).await.refused(400, "invalid_request", "orderId is not known");
    for lever in ["purge", "hold"] {
        let answer = api.post(&format!("/simulations/order/{order}/{lever}"), "").await;
        answer.refused(400, "invalid_request", "orderId is not known");
    }
}

/// (rule: accounts/purging)
#[tokio::test]
async fn a_transaction_that_was_aborted_is_forgotten_and_one_that_counts_is_not() {
    let api = Api::new().await;
    let account = api.account(2).await;
    let order = api.subscribe("1000").await;
    api.advance_to("2026-03-02T07:00:01Z").await;
    let of_order = format!("transaction/cash?ref={order}");
    let cash = api.get(&of_order).await.ok()[0]["id"].as_str().expect("an id").to_owned();
    let lever = format!("/simulations/cashTransaction/{cash}/purge");
    let no = "transactionId does not allow this while it is not settled";
    api.post(&lever, "").await.refused(409, "conflict", no);
    api.delete(&format!("order/{order}")).await.ok();
    let aborted = api.get(&format!("transaction/cash/{cash}")).await.ok();
    let balance = api.get(&format!("account/{account}")).await.ok()["balance"].clone();
    assert_eq!(api.post(&lever, "").await.ok(), aborted);
    assert_eq!(newest_events(&api, 1).await, pair("cashTransaction.delete", &cash));
    assert_eq!(api.get(&of_order).await.ok(), json!([]));
    api.get(&format!("transaction/cash/{cash}")).await.refused(400, "invalid_request", "transactionId is not known");
    api.post(&lever, "").await.refused(400, "invalid_request", "transactionId is not known");
    assert_eq!(api.get(&format!("account/{account}")).await.ok()["balance"], balance);
    for (list, noun) in [("cash", "cashTransaction"), ("fund", "fundTransaction")] {
        let opening = api.get(&format!("transaction/{list}?refType=text")).await.ok()[0]["id"].clone();
        let lever = format!("/simulations/{noun}/{}/purge", opening.as_str().expect("an id"));
        let no = "transactionId does not allow this while it is settled";
        api.post(&lever, "").await.refused(409, "conflict", no);
    }
}

#[tokio::test]
async fn an_aborted_fund_transaction_is_forgotten() {
    let api = Api::new().await;
    let account = api.account(0).await;
    let held = api.get(&format!("account/{account}")).await.ok()["positions"][0]["instrument"].clone();
    let body = json!({"account": account, "orderType": "redemption", "instrument": held, "units": 1});
    let order = api.post("order", body).await.ok()["id"].as_str().expect("an id").to_owned();
    api.advance_to("2026-03-02T07:00:01Z").await;
    api.delete(&format!("order/{order}")).await.ok();
    let of_order = format!("transaction/fund?ref={order}");
    let fund = api.get(&of_order).await.ok()[0].clone();
    let id = fund["id"].as_str().expect("an id");
    assert_eq!(api.post(&format!("/simulations/fundTransaction/{id}/purge"), "").await.ok(), fund);
    assert_eq!(newest_events(&api, 1).await, pair("fundTransaction.delete", id));
    assert_eq!(api.get(&of_order).await.ok(), json!([]));
    api.get(&format!("transaction/fund/{id}")).await.refused(400, "invalid_request", "transactionId is not known");
}

/// (rule: accounts/purging, events/delete-events)
#[tokio::test]
async fn a_journey_that_has_ended_says_that_it_is_deleted() {
    let api = Api::new().await;
    let body = json!({
        "journey": {
            "journeyType": "createAccount", "accountTypes": ["isk"], "accountServiceType": "executionOnly",
            "accountCategories": ["retail"],
        },
        "callbackUrl": "http://127.0.0.1:9/callback",
    });
    let journey = api.post("journey", body).await.ok()["id"].as_str().expect("an id").to_owned();
    let lever = |name: &str| format!("/simulations/journey/{journey}/{name}");
    let running = api.post(&lever("purge"), "").await;
    running.refused(409, "conflict", "journeyId does not allow this while it is new");
    let ended = api.post(&lever("expire"), "").await.ok();
    let purged = api.post(&lever("purge"), "").await.ok();
    assert_eq!((&purged["status"], &purged["deleted"]), (&json!("expired"), &json!(true)));
    assert_eq!(purged["deletedDate"], "2026-03-02T07:00:00.000Z");
    assert_eq!(api.get(&format!("journey/{journey}")).await.ok(), purged);
    assert_eq!(newest_events(&api, 1).await, pair("journey.delete", &journey));
    let log = api.get("/_sandbox/worlds/current/events?limit=1").await.ok();
    assert_eq!(log["events"][0]["event"]["payload"], json!({"previous": ended}));
    let again = api.post(&lever("purge"), "").await;
    again.refused(409, "conflict", "journeyId does not allow this while it is deleted");
}

/// (rule: accounts/purging)
#[tokio::test]
async fn a_client_without_accounts_is_forgotten_and_lies_outside_every_scope() {
    let api = Api::new().await;
    let used = api.post(&format!("/simulations/client/{}/purge", CLIENTS[0]), "").await;
    used.refused(
        409,
        "conflict",
        "clientId does not allow this while it is in use: it has accounts that are not closed",
    );
    let body = json!({"name": "Nytt AB", "displayName": "Nytt", "crn": "5599900023", "country": "SE",
        "serviceTypes": [{"accountServiceType": "executionOnly"}]});
    let created = api.post("/v2/partner/client", body).await.ok();
    let id = created["id"].as_str().expect("an id");
    let count = api.get("/v2/partner/client").await.ok().as_array().expect("a list").len();
    assert_eq!(api.post(&format!("/simulations/client/{id}/purge"), "").await.ok(), created);
    assert_eq!(newest_events(&api, 1).await, pair("client.delete", id));
    assert_eq!(api.get("/v2/partner/client").await.ok().as_array().expect("a list").len(), count - 1);
    let scope = "clientId is not within the scope of this token";
    api.get(&format!("/v2/partner/client/{id}")).await.refused(403, "forbidden", scope);
    api.get(&format!("/v2/partner/client/{id}/account")).await.refused(403, "forbidden", scope);
    api.post(&format!("/simulations/client/{id}/purge"), "").await.refused(403, "forbidden", scope);
}

#[tokio::test]
async fn another_partner_s_are_not_known_and_nothing_changes() {
    let api = Api::new().await;
    let order = api.subscribe("1000").await;
    api.delete(&format!("order/{order}")).await.ok();
    let before = api.digest();
    for (path, status, error, problem) in [
        (format!("order/{order}"), 400, "invalid_request", "orderId is not known"),
        (format!("order/{NOBODY}"), 400, "invalid_request", "orderId is not known"),
        (format!("journey/{NOBODY}"), 400, "invalid_request", "journeyId is not known"),
        (format!("cashTransaction/{NOBODY}"), 400, "invalid_request", "transactionId is not known"),
        (format!("fundTransaction/{NOBODY}"), 400, "invalid_request", "transactionId is not known"),
        (format!("client/{}", CLIENTS[0]), 403, "forbidden", "clientId is not within the scope of this token"),
        ("order/x".to_owned(), 400, "invalid_request", "orderId must be a UUID"),
    ] {
        let path = format!("/simulations/{path}/purge");
        let request = api.request_of(1, axum::http::Method::POST, &path, axum::body::Body::empty());
        api.send(request).await.refused(status, error, problem);
    }
    assert_eq!(api.digest(), before);
}
