//! `/simulations/...` for fund companies' corporate actions and for bookings by the back office.

use crate::harness::{Api, FUND, NOBODY};
use serde_json::json;

/// Another fund of the harness.
const OTHER: &str = "SE0SBX000024SEK";

/// (rule: securities/split, securities/corporate-action-day)
#[tokio::test]
async fn a_split_is_announced_carried_out_and_seen_in_positions_and_transactions() {
    let api = Api::new().await;
    let isk = api.account(0).await;
    let before = api.get(&format!("account/{isk}")).await.ok()["positions"][0].clone();
    let path = format!("/simulations/instrument/{FUND}/split");
    let announced = api.post(&path, json!({"factor": 2})).await.ok();
    assert_eq!((&announced["isTradable"], &announced["cutOffDateSub"]), (&json!(false), &json!(null)));
    let again = api.post(&path, json!({"factor": 2})).await;
    assert_eq!(again.status, 409);
    insta::assert_snapshot!(again.text, @r#"{"error":"conflict","error_description":"instrumentId does not allow this while it is in a split","current":"in a split","allowed":[]}"#);
    api.advance_to("2026-03-04T12:00:00+01:00").await;
    let after = api.get(&format!("account/{isk}")).await.ok()["positions"][0].clone();
    let number = |value: &serde_json::Value| value.to_string().parse::<f64>().expect("a number");
    assert!((number(&after["units"]) - 2.0 * number(&before["units"])).abs() < 1e-9, "{before} {after}");
    let booked = api.get("transaction/fund?refType=ca").await.ok()[0].clone();
    assert_eq!(
        (&booked["transactionType"], &booked["price"], booked["settlementDate"].is_string()),
        (&json!("subscription"), &json!(0), true)
    );
}

/// (rule: securities/merger, securities/liquidation)
#[tokio::test]
async fn what_the_fund_company_asks_for_is_read_field_by_field() {
    let api = Api::new().await;
    let before = api.digest();
    for (lever, body, problem) in [
        ("split", json!({}), "factor is required"),
        ("split", json!({"factor": "2"}), "factor must be a number, not a string"),
        ("split", json!({"factor": 0}), "factor must be greater than zero"),
        ("merge", json!({}), "into is required"),
        ("merge", json!({"into": FUND}), "into is not acceptable: a fund is merged into another"),
        ("merge", json!({"into": OTHER, "ratio": -1}), "ratio must be greater than zero"),
        ("liquidate", json!({"price": 0}), "price must be greater than zero"),
        ("liquidate", json!({"prize": 1}), "prize is not a known field"),
    ] {
        let path = format!("/simulations/instrument/{FUND}/{lever}");
        api.post(&path, body).await.refused(400, "invalid_request", problem);
    }
    assert_eq!(api.digest(), before);
    api.post(&format!("/simulations/instrument/{FUND}/merge"), json!({"into": OTHER})).await.ok();
    let busy = api.post(&format!("/simulations/instrument/{OTHER}/liquidate"), "{}").await;
    assert_eq!(busy.status, 409, "{}", busy.text);
}

/// (rule: accounts/dividends, accounts/corrections)
#[tokio::test]
async fn cash_and_units_are_booked_by_lever_and_answered_as_transactions() {
    let api = Api::new().await;
    let isk = api.account(0).await;
    let path = format!("/simulations/account/{isk}/book");
    let dividend = json!({"transactionType": "settlement", "refType": "dividend", "amount": 12.5, "text": "Spring"});
    let paid = api.post(&path, dividend).await.ok();
    assert_eq!(
        (&paid["transactionType"], &paid["refType"], paid["amount"].to_string(), &paid["text"]),
        (&json!("settlement"), &json!("dividend"), "12.50".to_owned(), &json!("Spring"))
    );
    let gift = json!({"transactionType": "redemption", "refType": "gift", "instrument": FUND, "units": 1.5});
    let given = api.post(&path, gift).await.ok();
    assert_eq!((&given["refType"], given["units"].to_string()), (&json!("gift"), "1.5".to_owned()));
    for (body, status, error, problem) in [
        (
            json!({"transactionType": "deposit", "refType": "payment", "amount": 1}),
            400,
            "invalid_request",
            "refType is not acceptable: no lever books this `transactionType` with this `refType`",
        ),
        (
            json!({"transactionType": "fee", "refType": "correction", "instrument": FUND, "units": 1}),
            400,
            "invalid_request",
            "transactionType must be one of `subscription` or `redemption`",
        ),
        (json!({"transactionType": "fee", "refType": "correction", "amount": 1e12}), 409, "conflict", ""),
        (json!({}), 400, "invalid_request", "transactionType is required; refType is required; amount is required"),
    ] {
        let before = api.digest();
        let answer = api.post(&path, body).await;
        assert_eq!((answer.status, api.digest()), (status, before), "{}", answer.text);
        assert!(answer.text.contains(error) && answer.text.contains(problem), "{}", answer.text);
    }
    let unknown = format!("/simulations/account/{NOBODY}/book");
    let body = json!({"transactionType": "settlement", "refType": "dividend", "amount": 1});
    api.post(&unknown, body).await.refused(400, "invalid_request", "accountId is not known");
}
