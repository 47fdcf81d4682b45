//! `/v2/partner/client/{clientId}/.../transaction/...`: listed, filtered, read.

use crate::harness::{Api, FUND, NOBODY, pretty};
use serde_json::json;

/// A world in which the third account has bought and canceled, and Astrid has sold.
async fn traded() -> Api {
    let api = Api::new().await;
    api.subscribe("1000").await;
    api.advance_to("2026-03-02T07:00:05Z").await;
    let canceled = api.subscribe("2000").await;
    api.advance_to("2026-03-02T07:00:10Z").await;
    api.delete(&format!("order/{canceled}")).await.ok();
    let isk = api.account(0).await;
    let sale = json!({"account": isk, "orderType": "redemption", "instrument": FUND, "units": 2.5, "executorRef": "199001012385", "clientRef": "sale"});
    api.post("order", sale).await.ok();
    api.advance_to("2026-03-05T09:00:00Z").await;
    api
}

/// (rule: money/double-entry, money/positive-amounts, money/fund-transaction-fields, money/cash-ref-types,
/// money/fund-ref-types, money/cash-types)
#[tokio::test]
async fn both_legs_of_orders_are_shown_settled_or_aborted() {
    let api = traded().await;
    let cash = api.get("transaction/cash?refType=order").await.ok();
    insta::assert_snapshot!(pretty(&cash), @r#"
    [
      {
        "id": "1d3a20f2-7d0e-44a1-9c1d-aa49d2860fde",
        "sortedId": "01KJPNHGB80T0GS9C5573NTW1R",
        "transactionType": "subscription",
        "aborted": false,
        "ref": "15a0b3a4-2b27-4772-9aa8-8ced5a0b2e72",
        "refType": "order",
        "debitAccount": "0b503ba5-e37b-4d74-b528-c821e0e633a8",
        "creditAccount": "00000000-0000-4000-8000-000000000002",
        "amount": 1000.00,
        "currency": "SEK",
        "createdDate": "2026-03-02T07:00:01.000Z",
        "modifiedDate": "2026-03-04T08:00:00.000Z",
        "settlementDate": "2026-03-04T00:00:00.000Z"
      },
      {
        "id": "c6f89750-2f8a-46c3-8411-ff8d0d0868f4",
        "sortedId": "01KJPNHN7GQKXCHF9RTTF37S98",
        "transactionType": "subscription",
        "aborted": true,
        "abortedReason": "referenced_order_canceled",
        "ref": "cb517065-e12d-410d-96c1-d31dc37e6e48",
        "refType": "order",
        "debitAccount": "0b503ba5-e37b-4d74-b528-c821e0e633a8",
        "creditAccount": "00000000-0000-4000-8000-000000000002",
        "amount": 2000.00,
        "currency": "SEK",
        "createdDate": "2026-03-02T07:00:06.000Z",
        "modifiedDate": "2026-03-02T07:00:10.000Z",
        "settlementDate": null
      },
      {
        "id": "e193094f-4091-404b-8590-2bab3aa0c13d",
        "sortedId": "01KJVXRS00CSSKE6FF3DVXWN2P",
        "transactionType": "redemption",
        "aborted": false,
        "ref": "ac474dcd-d298-46e9-aaf6-b6cd3e773f71",
        "refType": "order",
        "clientRef": "sale",
        "executorRef": "199001012385",
        "debitAccount": "00000000-0000-4000-8000-000000000002",
        "creditAccount": "83a481ac-0f8e-46d6-aefe-9843bee9c454",
        "amount": 311.93,
        "currency": "SEK",
        "createdDate": "2026-03-04T08:00:00.000Z",
        "modifiedDate": "2026-03-04T08:00:00.000Z",
        "settlementDate": "2026-03-04T00:00:00.000Z"
      }
    ]
    "#);
    let fund = api.get("transaction/fund?refType=order").await.ok();
    insta::assert_snapshot!(pretty(&fund), @r#"
    [
      {
        "id": "5736bb1d-6337-4b31-baf1-e498674d8d2c",
        "sortedId": "01KJPNHT3RK83SYF6VWRVR3CDB",
        "transactionType": "redemption",
        "aborted": false,
        "ref": "ac474dcd-d298-46e9-aaf6-b6cd3e773f71",
        "refType": "order",
        "clientRef": "sale",
        "executorRef": "199001012385",
        "account": "83a481ac-0f8e-46d6-aefe-9843bee9c454",
        "instrument": "SE0SBX000016SEK",
        "identifier": "SE0SBX000016",
        "units": 2.5,
        "price": 124.7724,
        "currency": "SEK",
        "createdDate": "2026-03-02T07:00:11.000Z",
        "modifiedDate": "2026-03-04T08:00:00.000Z",
        "tradeDate": "2026-03-02T00:00:00.000Z",
        "settlementDate": "2026-03-04T00:00:00.000Z"
      },
      {
        "id": "06c77638-37ad-4f34-9375-8c9ca560092e",
        "sortedId": "01KJVXRS00CDD1J5E8AF1WPE8K",
        "transactionType": "subscription",
        "aborted": false,
        "ref": "15a0b3a4-2b27-4772-9aa8-8ced5a0b2e72",
        "refType": "order",
        "account": "0b503ba5-e37b-4d74-b528-c821e0e633a8",
        "instrument": "SE0SBX000016SEK",
        "identifier": "SE0SBX000016",
        "units": 8.0145,
        "price": 124.7724,
        "currency": "SEK",
        "createdDate": "2026-03-04T08:00:00.000Z",
        "modifiedDate": "2026-03-04T08:00:00.000Z",
        "tradeDate": "2026-03-02T00:00:00.000Z",
        "settlementDate": "2026-03-04T00:00:00.000Z"
      }
    ]
    "#);
}

#[tokio::test]
async fn one_transaction_is_the_same_as_in_the_list() {
    let api = traded().await;
    for kind in ["cash", "fund"] {
        let listed = api.get(&format!("transaction/{kind}?limit=1")).await.ok();
        let id = listed[0]["id"].as_str().expect("an id");
        assert_eq!(api.get(&format!("transaction/{kind}/{id}")).await.ok(), listed[0]);
        api.get(&format!("transaction/{kind}/{NOBODY}")).await.refused(
            400,
            "invalid_request",
            "transactionId is not known",
        );
        api.get(&format!("transaction/{kind}/x")).await.refused(400, "invalid_request", "transactionId must be a UUID");
    }
}

/// (rule: wire/transaction-filters)
#[tokio::test]
async fn transactions_are_filtered() {
    let api = traded().await;
    let plain = api.account(2).await;
    let order = api.get("order").await.ok()[0]["id"].as_str().expect("an id").to_owned();
    let count = async |path: &str| api.get(path).await.ok().as_array().expect("a list").len();
    let cash = async |query: &str| count(&format!("transaction/cash?{query}")).await;
    assert_eq!(cash("refType=order").await, 3);
    assert_eq!(cash("reftype=order").await, 3);
    assert_eq!(cash("transactionType=redemption").await, 1);
    assert_eq!(cash(&format!("ref={order}")).await, 1);
    assert_eq!(cash("ref=opening&refType=text").await, 5);
    assert_eq!(cash(&format!("account={plain}")).await, 3);
    assert_eq!(cash(&format!("instrument={FUND}")).await, 3);
    assert_eq!(cash("dateFrom=2026-03-03&dateTo=2026-03-04").await, 1);
    assert_eq!(cash("modifiedFrom=2026-03-02T07:00:01Z").await, 3);
    assert_eq!(count(&format!("account/{plain}/transaction/cash?refType=order")).await, 2);
    assert_eq!(count(&format!("account/{plain}/transaction/cash?account={NOBODY}")).await, 3);
    assert_eq!(count(&format!("account/{plain}/transaction/fund")).await, 1);
    assert_eq!(count(&format!("transaction/fund?instrument={FUND}&transactionType=redemption")).await, 1);
    for (path, problem) in [
        (
            "transaction/cash?transactionType=swap",
            "transactionType must be one of `deposit`, `withdrawal`, `subscription`, `redemption`, `transfer_in`, `transfer_out`, `fee`, `retrocession`, `fxFee` or `settlement`, not `swap`",
        ),
        (
            "transaction/fund?transactionType=deposit",
            "transactionType must be one of `subscription` or `redemption`, not `deposit`",
        ),
        ("transaction/cash?dateFrom=yesterday", "dateFrom must be a date in the form YYYY-MM-DD, not `yesterday`"),
        ("transaction/fund?account=x", "account must be a UUID, not `x`"),
    ] {
        api.get(path).await.refused(400, "invalid_request", problem);
    }
}
