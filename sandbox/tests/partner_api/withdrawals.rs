//! Withdrawals: the request, what it answers, its refusals, and the limits of an account.

use crate::harness::{Api, CLIENTS, NOBODY};
use serde_json::{Value, json};

const OWNER: &str = "199001012385";

/// The first account, its path and its bank account.
async fn first(api: &Api) -> (String, Value) {
    let account = api.account(0).await;
    let bank = api.get(&format!("account/{account}")).await.ok()["bankAccounts"][0]["id"].clone();
    (format!("account/{account}/withdrawal"), bank)
}

/// (rule: payments/withdrawal-request, payments/withdrawal-limits)
#[tokio::test]
async fn a_withdrawal_answers_its_transaction_which_is_not_settled_yet() {
    let api = Api::new().await;
    let (path, bank) = first(&api).await;
    let limit = format!("{path}/limit");
    assert_eq!(api.get(&limit).await.text, r#"{"min":0.00,"max":25000.00,"currency":"SEK"}"#);
    let body = json!({
        "withdrawalType": "amount", "amount": 2500.5, "bankAccount": bank, "clientRef": "mine", "executorRef": OWNER,
    });
    let mut payout = api.post(&path, body).await.ok();
    let id = payout["id"].as_str().expect("an id").to_owned();
    assert_eq!(api.get(&format!("transaction/cash/{id}")).await.ok(), payout);
    let shown = payout.as_object_mut().expect("an object");
    assert_eq!(shown.remove("amount").map(|amount| amount.to_string()).as_deref(), Some("2500.50"));
    for drawn in ["id", "sortedId", "debitAccount", "creditAccount"] {
        assert!(shown.remove(drawn).is_some(), "{drawn}");
    }
    let expected = json!({
        "transactionType": "withdrawal", "aborted": false, "ref": "withdrawal", "refType": "text", "clientRef": "mine",
        "executorRef": OWNER, "currency": "SEK", "createdDate": "2026-03-02T07:00:00.000Z",
        "modifiedDate": "2026-03-02T07:00:00.000Z", "settlementDate": null,
    });
    assert_eq!(payout, expected);
    assert_eq!(api.get(&limit).await.text, r#"{"min":0.00,"max":22499.50,"currency":"SEK"}"#);
    let full = json!({"withdrawalType": "full", "bankAccount": bank, "executorRef": OWNER});
    assert_eq!(api.post(&path, full).await.ok()["amount"].to_string(), "22499.50");
    assert_eq!(api.get(&limit).await.text, r#"{"min":0.00,"max":0.00,"currency":"SEK"}"#);
    api.advance_to("2026-03-03T08:00:00Z").await;
    let paid = api.get(&format!("transaction/cash/{id}")).await.ok();
    assert_eq!(paid["settlementDate"], "2026-03-03T00:00:00.000Z");
    // The bank can send it back, as it can what an order has sold for.
    let returned = api.post(&format!("/simulations/withdrawal/{id}/bounce"), "").await.ok();
    assert_eq!((&returned["ref"], &returned["refType"]), (&json!(id), &json!("correction")));
}

/// (rule: payments/withdrawal-request, payments/withdrawal-limits, payments/limits-are-inclusive)
#[tokio::test]
async fn a_withdrawal_that_is_not_right_is_refused_in_words() {
    let api = Api::new().await;
    let (path, bank) = first(&api).await;
    let before = api.digest();
    for (body, problems) in [
        ("{}".to_owned(), "withdrawalType is required; bankAccount is required; executorRef is required"),
        (
            format!(r#"{{"withdrawalType":"all","amount":"5","bankAccount":{bank},"executorRef":"x"}}"#),
            "withdrawalType must be one of `amount` or `full`; amount must be a number, not a string; executorRef \
             must be a personal number of twelve digits with its check digit",
        ),
        (
            format!(r#"{{"withdrawalType":"amount","bankAccount":{bank},"executorRef":"{OWNER}"}}"#),
            "amount is required",
        ),
        (
            format!(r#"{{"withdrawalType":"full","amount":5,"bankAccount":7,"executorRef":"{OWNER}"}}"#),
            "bankAccount must be a UUID, not a number; amount must be left out: a full withdrawal takes all cash that can be \
             spent",
        ),
        (
            format!(r#"{{"withdrawalType":"amount","amount":25000.01,"bankAccount":{bank},"executorRef":"{OWNER}"}}"#),
            "amount must be at most 25000.00 SEK",
        ),
        (
            format!(r#"{{"withdrawalType":"amount","amount":5,"bankAccount":"{NOBODY}","executorRef":"{OWNER}"}}"#),
            "bankAccount must be a validated bank account of the owner",
        ),
        (
            format!(r#"{{"withdrawalType":"amount","amount":5,"bankAccount":{bank},"executorRef":"200002292399"}}"#),
            "executorRef must be the account's owner or one of its signatories",
        ),
    ] {
        api.post(&path, body).await.refused(400, "invalid_request", problems);
    }
    for path in [format!("account/{NOBODY}/withdrawal/limit"), "account/x/withdrawal/limit".to_owned()] {
        assert_eq!(api.get(&path).await.status, 400, "{path}");
    }
    assert_eq!(api.digest(), before);
}

/// (rule: payments/payment-permissions)
#[tokio::test]
async fn a_client_without_the_permission_is_refused_before_its_body_is_read() {
    let api = Api::of(|setup| setup.partners[0].clients[0].permissions.withdrawals = false).await;
    let (path, _) = first(&api).await;
    let problem = "clientId is not permitted for this client";
    for path in [path.as_str(), "order/withdrawal", "order/withdrawal?validate-only=x"] {
        api.post(path, "{").await.refused(403, "forbidden", problem);
    }
    api.get(&format!("{path}/limit")).await.refused(403, "forbidden", problem);
    // The client's own scope comes first, and other orders need no permission.
    let foreign = format!("/v2/partner/client/{}/{path}/limit", CLIENTS[2]);
    api.get(&foreign).await.refused(403, "forbidden", "clientId is not within the scope of this token");
    assert_eq!(api.post("order", "{").await.status, 400);
}
