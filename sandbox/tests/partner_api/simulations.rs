//! `/simulations/...`: what outsiders cause, and what they cannot.

use crate::harness::{Api, CLIENTS, FUND, NOBODY};
use serde_json::{Value, json};

/// (rule: accounts/how-accounts-open)
#[tokio::test]
async fn an_account_is_opened_at_once() {
    let api = Api::new().await;
    let body = json!({
        "clientId": CLIENTS[0], "accountType": "depot", "name": "Ny", "category": "pro", "cash": 500.5,
        "owner": {"ownerType": "natural_person", "firstName": "Åsa", "lastName": "Ö", "ssn": "200002292399"},
        "positions": [{"instrument": FUND, "units": 1.25}],
        "bankAccounts": [{"iban": "SE5950000000050000000027", "validated": false, "mandateStatus": "pending"}],
    });
    let opened = api.post("/simulations/account", body).await;
    let account = opened.ok();
    assert_eq!(account["balance"].to_string(), "500.50");
    assert_eq!(account["owner"]["fullName"], "Åsa Ö");
    assert_eq!(account["bankAccounts"][0]["mandateStatus"], "pending");
    assert_eq!(account["positions"][0]["units"].to_string(), "1.25");
    assert_eq!(api.get(&format!("account/{}", account["id"].as_str().expect("an id"))).await.text, opened.text);
}

#[tokio::test]
async fn an_unreadable_account_lists_its_problems_field_by_field() {
    let api = Api::new().await;
    let before = api.digest();
    for (body, status, problem) in [
        (json!({}), 400, "clientId is required; accountType is required"),
        (
            json!({"clientId": CLIENTS[0], "accountType": "isk", "owner": {"ownerType": "legal_entity", "crn": 5}, "positions": [{}, 1]}),
            400,
            "owner.name is required; owner.crn must be a company registration number of ten digits, not a number; \
             positions[0].instrument is required; positions[0].units is required; positions[1] must be an object, not a number",
        ),
        (
            json!({"clientId": CLIENTS[0], "accountType": "isk", "bankAccounts": [{"iban": "SE00"}], "cash": "1"}),
            400,
            "cash must be a number, not a string; bankAccounts[0].iban must be an IBAN with right check digits, without spaces",
        ),
    ] {
        api.post("/simulations/account", body).await.refused(status, "invalid_request", problem);
    }
    let other = json!({"clientId": CLIENTS[2], "accountType": "isk"});
    api.post("/simulations/account", other).await.refused(
        403,
        "forbidden",
        "clientId is not within the scope of this token",
    );
    assert_eq!(api.digest(), before);
}

#[tokio::test]
async fn an_order_is_put_on_hold_released_and_rejected_and_refuses_what_its_state_forbids() {
    let api = Api::new().await;
    let order = api.subscribe("1000").await;
    let lever = |verb: &str| format!("/simulations/order/{order}/{verb}");
    assert_eq!(api.post(&lever("hold"), "").await.ok()["status"], "hold");
    let before = api.digest();
    let again = api.post(&lever("hold"), "").await;
    assert_eq!((again.status, api.digest()), (409, before));
    insta::assert_snapshot!(again.text, @r#"{"error":"conflict","error_description":"orderId does not allow this while it is hold","current":"hold","allowed":["release","reject"]}"#);
    assert_eq!(api.post(&lever("release"), "").await.ok()["status"], "pending");
    assert_eq!(api.post(&lever("reject"), "{}").await.ok()["status"], "canceled");
    assert_eq!(api.post(&lever("release"), "").await.status, 409);
    for verb in ["hold", "release", "reject"] {
        let unknown = api.post(&format!("/simulations/order/{NOBODY}/{verb}"), "").await;
        unknown.refused(400, "invalid_request", "orderId is not known");
    }
}

/// (rule: securities/set-price)
#[tokio::test]
async fn a_price_is_set_within_bounds() {
    let api = Api::new().await;
    let path = format!("/simulations/instrument/{FUND}/price");
    let shown = api.post(&path, json!({"closePrice": 130.25})).await.ok();
    assert_eq!(shown["closePrice"].to_string(), "130.25");
    for (body, problem) in [
        (json!({}), "closePrice is required"),
        (
            json!({"closePrice": "1", "priceDate": 5}),
            "closePrice must be a number, not a string; priceDate must be a date in the form YYYY-MM-DD, not a number",
        ),
        (json!({"closePrice": 0}), "closePrice must be greater than zero"),
        (json!({"closePrice": 130, "priceDate": "2026-03-07"}), "priceDate is not a dealing day of this fund"),
    ] {
        api.post(&path, body).await.refused(400, "invalid_request", problem);
    }
    api.post(&path, r#"{"closePrice": 1.1234567}"#).await.refused(
        400,
        "invalid_request",
        "closePrice must have at most 6 decimals",
    );
}

/// (rule: calendar/next-cut-off-shown, orders/precedence)
#[tokio::test]
async fn trading_is_closed_and_opened() {
    let api = Api::new().await;
    let path = format!("/simulations/instrument/{FUND}/trading");
    let closed = api.post(&path, json!({"isBuyable": false})).await.ok();
    assert_eq!(
        (&closed["isBuyable"], &closed["isSellable"], &closed["cutOffDateSub"]),
        (&json!(false), &json!(true), &json!(null))
    );
    let account = api.account(2).await;
    let order = json!({"account": account, "orderType": "subscription", "instrument": FUND, "amount": 1000});
    api.post("order", order).await.refused(400, "invalid_request", "instrument is closed for subscriptions");
    api.post(&path, "{}").await.refused(400, "invalid_request", "isBuyable or isSellable or isTradable is required");
    assert_eq!(api.post(&path, json!({"isBuyable": true})).await.ok()["isBuyable"], true);
}

/// (rule: orders/suspension)
#[tokio::test]
async fn a_suspended_fund_shows_neither_side_open_and_is_what_it_was_when_it_comes_back() {
    let api = Api::new().await;
    let path = format!("/simulations/instrument/{FUND}/trading");
    let sides = |fund: &Value| ["isBuyable", "isSellable", "isTradable"].map(|side| fund[side] == json!(true));
    for (change, expected) in [
        (json!({"isTradable": false}), [false, false, false]),
        (json!({"isTradable": true}), [true, true, true]),
        (json!({"isTradable": false, "isBuyable": true}), [false, false, false]),
        (json!({"isBuyable": true}), [true, true, true]),
        (json!({"isTradable": false, "isSellable": false}), [false, false, false]),
        (json!({"isTradable": true}), [true, false, true]),
    ] {
        assert_eq!(sides(&api.post(&path, change.clone()).await.ok()), expected, "{change}");
        let read = api.get(&format!("/v2/partner/instrument/{FUND}")).await.ok();
        assert_eq!(sides(&read), expected, "{change}");
    }
}

/// (rule: calendar/settlement-day, calendar/price-publication)
#[tokio::test]
async fn a_late_price_delays_the_settlement() {
    let api = Api::new().await;
    let order = api.subscribe("1000").await;
    let path = format!("/simulations/instrument/{FUND}/delay-nav");
    api.post(&path, json!({"bankDays": 0})).await.refused(400, "invalid_request", "bankDays must lie between 1 and 30");
    api.advance_to("2026-03-02T14:05:00+01:00").await;
    api.post(&path, json!({"bankDays": 3})).await.ok();
    api.advance_to("2026-03-05T12:00:00+01:00").await;
    assert_eq!(api.get(&format!("order/{order}")).await.ok()["status"], "sent");
    api.advance_to("2026-03-06T12:00:00+01:00").await;
    assert_eq!(api.get(&format!("order/{order}")).await.ok()["status"], "settled");
}

/// (rule: payments/bounced-payout)
#[tokio::test]
async fn a_payout_bounces_once_it_has_left() {
    let api = Api::new().await;
    let isk = api.account(0).await;
    let bank_account = api.get(&format!("account/{isk}")).await.ok()["bankAccounts"][0]["id"].clone();
    let order = json!({
        "orderType": "redemption", "account": isk, "instrument": FUND, "units": 10, "executorRef": "199001012385",
        "bankAccount": bank_account,
    });
    api.post("order/withdrawal", order).await.ok();
    api.advance_to("2026-03-06T12:00:00Z").await;
    let payout = api.get("transaction/cash?transactionType=withdrawal").await.ok()[0].clone();
    assert!(payout["settlementDate"].is_string(), "{payout}");
    let path = format!("/simulations/withdrawal/{}/bounce", payout["id"].as_str().expect("an id"));
    let returned = api.post(&path, "").await.ok();
    assert_eq!(
        (&returned["transactionType"], &returned["refType"], &returned["amount"]),
        (&json!("deposit"), &json!("correction"), &payout["amount"])
    );
    assert_eq!(api.post(&path, "").await.status, 409);
    api.post(&format!("/simulations/withdrawal/{NOBODY}/bounce"), "").await.refused(
        400,
        "invalid_request",
        "transactionId is not known",
    );
}
