//! Money in over the API: payment instructions, bankgiro, and what the operator does with money in suspense.

use crate::harness::{Api, CLIENTS, NOBODY};
use serde_json::{Value, json};

/// Gives the third account's owner an instruction and answers it.
async fn instruct(api: &Api, kind: &str, payments: &[(&str, &str)]) -> Value {
    let account = api.account(0).await;
    let payment =
        |(amount, text): &(&str, &str)| format!(r#"{{"account":"{account}","amount":{amount},"clientRef":"{text}"}}"#);
    let payments = payments.iter().map(payment).collect::<Vec<_>>().join(",");
    api.post("instruction/payment", format!(r#"{{"type":"{kind}","payments":[{payments}]}}"#)).await.ok()
}

fn id(value: &Value) -> &str {
    value["id"].as_str().expect("an id")
}

/// (rule: payments/payment-instruction, payments/payment-states)
#[tokio::test]
async fn an_instruction_is_read_back_with_its_payments() {
    let api = Api::new().await;
    let given = instruct(&api, "autogiro", &[("100.10", "one"), ("200", "two")]).await;
    assert_eq!(
        (&given["status"], &given["type"], &given["bankTransferRef"]),
        (&json!("new"), &json!("autogiro"), &Value::Null)
    );
    let account = api.account(0).await;
    let payment = |at: usize, amount: &str, text: &str| {
        let found = &given["payments"][at];
        assert_eq!(found["amount"].to_string(), amount);
        assert_eq!(
            (&found["account"], &found["clientRef"], &found["status"]),
            (&json!(account), &json!(text), &json!("new"))
        );
        assert_eq!((&found["reasonCode"], &found["reason"]), (&Value::Null, &Value::Null));
    };
    payment(0, "100.10", "one");
    payment(1, "200.00", "two");
    let path = format!("instruction/{}", id(&given));
    assert_eq!(api.get(&path).await.ok(), given);
    assert_eq!(api.get(&format!("{path}/payment")).await.ok(), given["payments"]);
    for elsewhere in [format!("instruction/{NOBODY}"), format!("instruction/{NOBODY}/payment")] {
        api.get(&elsewhere).await.refused(400, "invalid_request", "instructionId is not known");
    }
    let other = format!("/v2/partner/client/{}/{path}", CLIENTS[1]);
    api.get(&other).await.refused(400, "invalid_request", "instructionId is not known");
    assert_eq!(api.get_as(1, &format!("/v2/partner/client/{}/{path}", CLIENTS[0])).await.status, 403);
    let transfer = instruct(&api, "bankTransfer", &[("5", "three")]).await;
    assert!(transfer["bankTransferRef"].as_str().is_some_and(|text| text.len() == 15), "{transfer}");
}

/// (rule: payments/payment-client-ref)
#[tokio::test]
async fn a_wrong_instruction_is_refused_as_a_whole_with_all_that_is_wrong() {
    let api = Api::new().await;
    let account = api.account(0).await;
    instruct(&api, "autogiro", &[("1", "used")]).await;
    let before = api.digest();
    let pay = |amount: &str, text: &str| format!(r#"{{"account":"{account}","amount":{amount},"clientRef":"{text}"}}"#);
    let body = |payments: &str| format!(r#"{{"type":"autogiro","payments":[{payments}]}}"#);
    for (body, problem) in [
        (body(""), "payments must not be empty"),
        (r#"{"payments":[]}"#.to_owned(), "type is required; payments must not be empty"),
        (
            body(&format!("{},{}", pay("0", "a"), pay("1.001", "b"))),
            "payments[1].amount must have at most 2 decimals; payments[0].amount must be greater than zero",
        ),
        (body(r#"{"amount":5}"#), "payments[0].account is required; payments[0].clientRef is required"),
        (body(&format!("{},{}", pay("1", "a"), pay("1", "a"))), "payments[1].clientRef is given twice"),
        (body(&format!("{},{}", pay("1", "a"), pay("1", "used"))), "payments[1].clientRef is already taken"),
    ] {
        api.post("instruction/payment", body).await.refused(400, "invalid_request", problem);
    }
    assert_eq!(api.digest(), before);
}

/// (rule: payments/payment-reason-codes, payments/payment-refund)
#[tokio::test]
async fn levers_fail_a_payment_and_pay_one_back() {
    let api = Api::new().await;
    let given = instruct(&api, "autogiro", &[("100", "one"), ("200", "two")]).await;
    let lever = |at: usize, verb: &str| format!("/simulations/payment/{}/{verb}", id(&given["payments"][at]));
    let failed = api.post(&lever(0, "fail"), json!({"reasonCode": "03"})).await.ok();
    assert_eq!((&failed["status"], &failed["reasonCode"]), (&json!("completed"), &json!("03")));
    assert_eq!(failed["reason"], "the mandate is stopped");
    let before = api.digest();
    let again = api.post(&lever(0, "fail"), json!({"reasonCode": "24"})).await;
    assert_eq!((again.status, &again.json()["current"]), (409, &json!("completed")));
    api.post(&lever(1, "fail"), json!({"reasonCode": "1"})).await.refused(
        400,
        "invalid_request",
        "reasonCode must be one of `2`, `03`, `12` or `24`",
    );
    let unpaid = api.post(&lever(1, "refund"), "").await;
    assert_eq!((unpaid.status, &unpaid.json()["allowed"]), (409, &json!(["fail"])));
    assert_eq!(api.digest(), before);
    for verb in ["fail", "refund"] {
        let body = if verb == "fail" { json!({"reasonCode": "2"}) } else { json!({}) };
        api.post(&format!("/simulations/payment/{NOBODY}/{verb}"), body).await.refused(
            400,
            "invalid_request",
            "paymentId is not known",
        );
    }
    api.advance_to("2026-03-03T10:00:00+01:00").await;
    let paid = api.get(&format!("instruction/{}", id(&given))).await.ok();
    assert_eq!((&paid["status"], &paid["payments"][1]["status"]), (&json!("completed"), &json!("completed")));
    if paid["payments"][1]["reasonCode"].is_null() {
        let back = api.post(&lever(1, "refund"), json!({"unauthorised": true})).await.ok();
        assert_eq!((&back["transactionType"], &back["refType"]), (&json!("withdrawal"), &json!("correction")));
        assert_eq!(back["amount"].to_string(), "200.00");
        assert_eq!(api.post(&lever(1, "refund"), "").await.status, 409, "once");
    }
}

/// (rule: payments/bankgiro-deposit, payments/suspense)
#[tokio::test]
async fn a_bankgiro_payment_is_answered_alike_whosever_the_reference_is() {
    let api = Api::new().await;
    let theirs = api.get_as(1, "account").await.ok()[0].clone();
    let own = api.get(&format!("account/{}", api.account(2).await)).await.ok();
    let mut shapes = Vec::new();
    for reference in [own["ref"].as_str().expect("a ref"), theirs["ref"].as_str().expect("a ref"), "1234574"] {
        let body = format!(r#"{{"ref":"{reference}","amount":100.50}}"#);
        let mut item = api.post("/simulations/bankgiro", body).await.ok();
        assert_eq!((item["ref"].as_str(), item["amount"].to_string()), (Some(reference), "100.50".to_owned()));
        for field in ["id", "ref"] {
            item.as_object_mut().expect("an object").remove(field);
        }
        shapes.push(item);
    }
    assert!(shapes.iter().all(|shape| *shape == shapes[0]), "{shapes:?}");
    assert_eq!(shapes[0]["bookingDate"], "2026-03-03T08:00:00.000Z");
    assert_eq!(shapes[0]["bankgiro"], "5999-0010");
    let wrong = json!({"ref": "1234575", "amount": 1});
    let form = "ref must be an OCR reference with right length and check digits";
    api.post("/simulations/bankgiro", wrong).await.refused(400, "invalid_request", form);
    api.advance_to("2026-03-03T12:00:00+01:00").await;
    let account = api.get(&format!("account/{}", id(&own))).await.ok();
    assert_eq!(account["balance"].to_string(), "100100.50");
    assert_eq!(api.get_as(1, "account").await.ok()[0]["balance"], theirs["balance"]);

    let path = "/_sandbox/worlds/current/suspense";
    let items = api.get(path).await.ok();
    let items = items.as_array().expect("a list");
    assert_eq!(items.iter().map(|item| item["reason"].as_str()).collect::<Vec<_>>(), [Some("unknownReference"); 2]);
    let verb = |at: usize, verb: &str| format!("{path}/{}/{verb}", id(&items[at]));
    let allocated = api.post(&verb(0, "allocate"), json!({"account": id(&own)})).await.ok();
    assert_eq!((&allocated["status"], allocated["amount"].to_string()), (&json!("allocated"), "100.50".to_owned()));
    let cash =
        api.get(&format!("transaction/cash/{}", allocated["cashTransaction"].as_str().expect("booked"))).await.ok();
    assert_eq!((&cash["transactionType"], &cash["refType"]), (&json!("deposit"), &json!("payment")));
    assert_eq!(api.post(&verb(0, "return"), "").await.status, 409);
    assert_eq!(api.post(&verb(1, "return"), "").await.ok()["status"], "returned");
    assert_eq!(api.post(&format!("{path}/{NOBODY}/return"), "").await.status, 400);
    assert_eq!(api.post(&format!("{path}/x/return"), "").await.status, 400);
}
