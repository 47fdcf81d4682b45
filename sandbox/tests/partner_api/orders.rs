//! `/v2/partner/client/{clientId}/order...`: placed, listed, read, canceled, refused.

use crate::harness::{Api, CLIENTS, FUND, NOBODY};
use serde_json::json;

#[tokio::test]
async fn a_subscription_from_its_arrival_to_its_settlement() {
    let api = Api::new().await;
    let account = api.account(0).await;
    let body = format!(
        r#"{{"account":"{account}","orderType":"subscription","instrument":"{FUND}","amount":1234.5,
            "clientRef":"Örder \"1\"","executorRef":"199001012385"}}"#
    );
    let placed = api.post("order", body).await;
    insta::assert_snapshot!(placed.pretty(), @r#"
    {
      "id": "15a0b3a4-2b27-4772-9aa8-8ced5a0b2e72",
      "sortedId": "01KJPNHFC0214299XWKBQ0PE8E",
      "orderType": "subscription",
      "status": "received",
      "account": "83a481ac-0f8e-46d6-aefe-9843bee9c454",
      "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
      "clientRef": "Örder \"1\"",
      "executorRef": "199001012385",
      "instrument": "SE0SBX000016SEK",
      "amount": 1234.50,
      "createdDate": "2026-03-02T07:00:00.000Z",
      "modifiedDate": "2026-03-02T07:00:00.000Z"
    }
    "#);
    let id = placed.ok()["id"].as_str().expect("an id").to_owned();
    api.advance_to("2026-03-04T09:00:00Z").await;
    insta::assert_snapshot!(api.get(&format!("order/{id}")).await.pretty(), @r#"
    {
      "id": "15a0b3a4-2b27-4772-9aa8-8ced5a0b2e72",
      "sortedId": "01KJPNHFC0214299XWKBQ0PE8E",
      "orderType": "subscription",
      "status": "settled",
      "account": "83a481ac-0f8e-46d6-aefe-9843bee9c454",
      "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
      "clientRef": "Örder \"1\"",
      "executorRef": "199001012385",
      "instrument": "SE0SBX000016SEK",
      "amount": 1234.50,
      "units": 9.894,
      "createdDate": "2026-03-02T07:00:00.000Z",
      "modifiedDate": "2026-03-04T08:00:00.000Z"
    }
    "#);
}

/// (rule: orders/filled-in-later, orders/amount-or-units)
#[tokio::test]
async fn a_redemption_is_ordered_by_units_and_learns_its_amount() {
    let api = Api::new().await;
    let account = api.account(0).await;
    let body = format!(r#"{{"account":"{account}","orderType":"redemption","instrument":"{FUND}","units":20.5000}}"#);
    let placed = api.post("order", body).await.ok();
    assert_eq!((placed["units"].to_string().as_str(), placed.get("amount")), ("20.5", None));
    api.advance_to("2026-03-03T09:00:00Z").await;
    let sent = api.get(&format!("order/{}", placed["id"].as_str().expect("an id"))).await.ok();
    assert_eq!((sent["status"].as_str(), sent["amount"].is_number()), (Some("sent"), true));
}

/// (rule: orders/validate-only)
#[tokio::test]
async fn an_order_that_is_only_validated_is_not_created() {
    let api = Api::new().await;
    let account = api.account(2).await;
    let order = |amount: &str| {
        format!(r#"{{"account":"{account}","orderType":"subscription","instrument":"{FUND}","amount":{amount}}}"#)
    };
    let before = api.digest();
    let valid = api.post("order?validate-only=true", order("500")).await;
    assert_eq!((valid.status, valid.text.as_str()), (204, ""));
    let problem = "amount exceeds the available cash of 100000.00 SEK";
    api.post("order?validate-only=true", order("100000.01")).await.refused(400, "invalid_request", problem);
    assert_eq!(api.digest(), before);
    api.post("order?validate-only=yes", order("500")).await.refused(
        400,
        "invalid_request",
        "validate-only must be `true` or `false`, not `yes`",
    );
    assert_eq!(api.post("order?validate-only=false", order("500")).await.ok()["status"], "received");
}

/// (rule: orders/cancel-window)
#[tokio::test]
async fn cancelling_is_idempotent_and_ends_with_the_cut_off() {
    let api = Api::new().await;
    let order = api.subscribe("1000").await;
    let canceled = api.delete(&format!("order/{order}")).await;
    assert_eq!(canceled.ok()["status"], "canceled");
    assert_eq!(canceled.json()["canceledDate"], "2026-03-02T07:00:00.000Z");
    assert_eq!(api.delete(&format!("order/{order}")).await.text, canceled.text);
    let late = api.subscribe("1000").await;
    api.advance_to("2026-03-02T14:02:00+01:00").await;
    api.delete(&format!("order/{late}")).await.refused(
        400,
        "invalid_request",
        "orderId can no longer be canceled; it is sent",
    );
    api.delete(&format!("order/{NOBODY}")).await.refused(400, "invalid_request", "orderId is not known");
}

#[tokio::test]
async fn proceeds_are_paid_out_or_moved_to_another_account_of_the_owner() {
    let api = Api::new().await;
    let (isk, depot) = (api.account(0).await, api.account(1).await);
    let bank_account = api.get(&format!("account/{isk}")).await.ok()["bankAccounts"][0]["id"].clone();
    let paid = json!({
        "orderType": "redemption", "account": isk, "instrument": FUND, "units": 10, "executorRef": "199001012385",
        "bankAccount": bank_account, "paymentAccount": NOBODY, "clientRef": "out",
    });
    let paid = api.post("order/withdrawal", paid).await.ok();
    let moved = json!({
        "orderType": "redemption", "account": isk, "instrument": FUND, "units": 10, "destinationAccount": depot,
    });
    let mut priced = moved.clone();
    priced["amount"] = json!(5);
    let because = "amount must be left out: a redemption is ordered by units";
    api.post("order/redemptionTransfer", priced).await.refused(400, "invalid_request", because);
    // Who moves money between own accounts need not be named, who has it paid out must be.
    let moved = api.post("order/redemptionTransfer", moved).await.ok();
    api.advance_to("2026-03-05T12:00:00Z").await;
    let read = |id: &serde_json::Value| format!("order/{}", id.as_str().expect("an id"));
    assert_eq!(api.get(&read(&paid["id"])).await.ok()["status"], "settled");
    let amount = api.get(&read(&moved["id"])).await.ok()["amount"].clone();
    let kinds = |listed: serde_json::Value| -> Vec<(String, String)> {
        let listed = listed.as_array().expect("a list").iter();
        listed
            .map(|one| (one["transactionType"].as_str().expect("a type").to_owned(), one["amount"].to_string()))
            .collect()
    };
    let of_isk = kinds(api.get(&format!("account/{isk}/transaction/cash")).await.ok());
    assert_eq!(
        of_isk.iter().map(|kind| kind.0.as_str()).collect::<Vec<_>>(),
        ["deposit", "redemption", "withdrawal", "redemption", "transfer_out"]
    );
    let of_depot = kinds(api.get(&format!("account/{depot}/transaction/cash")).await.ok());
    assert_eq!(of_depot.last(), Some(&("transfer_in".to_owned(), amount.to_string())));
}

/// (rule: wire/order-filters)
#[tokio::test]
async fn orders_are_filtered() {
    let api = Api::new().await;
    let (isk, plain) = (api.account(0).await, api.account(2).await);
    api.post(
        "order",
        json!({"account": isk, "orderType": "redemption", "instrument": FUND, "units": 1, "clientRef": "a b&c"}),
    )
    .await
    .ok();
    api.post(
        "order",
        json!({"account": plain, "orderType": "subscription", "instrument": "SE0SBX000032SEK", "amount": 1000}),
    )
    .await
    .ok();
    let canceled = api.subscribe("1000").await;
    api.delete(&format!("order/{canceled}")).await.ok();
    for (query, places) in [
        ("", &[0, 1, 2][..]),
        ("?status=canceled", &[2]),
        ("?status=received", &[0, 1]),
        ("?orderType=redemption", &[0]),
        ("?instrument=SE0SBX000032SEK", &[1]),
        ("?clientRef=a+b%26c", &[0]),
        ("?clientRef=", &[]),
        (&format!("?account={plain}"), &[1, 2]),
        (&format!("?account={plain}&orderType=redemption"), &[]),
        ("?limit=2", &[0, 1]),
    ] {
        let all = api.get("order").await.ok();
        let expected: Vec<_> = places.iter().map(|&place: &usize| all[place].clone()).collect();
        assert_eq!(api.get(&format!("order{query}")).await.ok(), serde_json::Value::Array(expected), "{query}");
    }
    for (query, problem) in [
        (
            "status=confirmed",
            "status must be one of `received`, `pending`, `sent`, `settled`, `hold` or `canceled`, not `confirmed`",
        ),
        (
            "orderType=buy&account=7",
            "account must be a UUID, not `7`; orderType must be one of `subscription` or `redemption`, not `buy`",
        ),
    ] {
        api.get(&format!("order?{query}")).await.refused(400, "invalid_request", problem);
    }
}

#[tokio::test]
async fn an_order_of_another_client_is_unknown() {
    let api = Api::new().await;
    let order = api.subscribe("1000").await;
    let path = format!("/v2/partner/client/{}/order/{order}", CLIENTS[1]);
    api.get(&path).await.refused(400, "invalid_request", "orderId is not known");
    api.delete(&path).await.refused(400, "invalid_request", "orderId is not known");
    assert_eq!(api.get(&format!("order/{order}")).await.ok()["status"], "received");
}

#[tokio::test]
async fn a_token_without_the_right_is_refused() {
    let api = Api::new().await;
    let token = api.issue(0, "order:read").await;
    let ask = |method: axum::http::Method, path: &str| {
        let mut request = api.request(method, path, axum::body::Body::from("{}"));
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse().expect("a header"));
        request
    };
    assert_eq!(api.send(ask(axum::http::Method::GET, "order")).await.status, 200);
    let refused = api.send(ask(axum::http::Method::POST, "order")).await;
    refused.refused(403, "forbidden", "the access token lacks the scope order:write");
    api.send(ask(axum::http::Method::GET, "account")).await.refused(
        403,
        "forbidden",
        "the access token lacks the scope account:read",
    );
}

/// (rule: orders/confirmed-is-inside-sent)
#[tokio::test]
async fn an_order_whose_price_is_known_is_sent_unless_the_world_shows_more() {
    let telling = Api::new_in(|settings| settings.expose_confirmed = true).await;
    let usual = Api::new().await;
    for (api, shown) in [(&telling, "confirmed"), (&usual, "sent")] {
        let order = api.subscribe("1000").await;
        api.advance_to("2026-03-02T14:05:00+01:00").await;
        assert_eq!(api.get(&format!("order/{order}")).await.ok()["status"], "sent");
        api.advance_to("2026-03-02T19:00:00+01:00").await;
        let read = api.get(&format!("order/{order}")).await.ok();
        assert_eq!((&read["status"], read["units"].is_number()), (&json!(shown), true));
        assert_eq!(api.get(&format!("order?status={shown}")).await.ok(), json!([read]));
        let late = format!("orderId can no longer be canceled; it is {shown}");
        api.delete(&format!("order/{order}")).await.refused(400, "invalid_request", &late);
        let lever = api.post(&format!("/simulations/order/{order}/hold"), "").await;
        lever.refused(409, "conflict", &format!("orderId does not allow this while it is {shown}"));
        assert_eq!(lever.json()["current"], shown);
        api.advance_to("2026-03-05T12:00:00+01:00").await;
        assert_eq!(api.get(&format!("order/{order}")).await.ok()["status"], "settled");
    }
    assert_eq!(telling.get("order?status=sent").await.ok(), json!([]));
}
