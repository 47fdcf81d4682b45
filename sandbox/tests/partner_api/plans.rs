//! Plans: made by journeys, read, changed and deleted over the API.

use crate::harness::{Api, CLIENTS, FUND, NOBODY, pretty};
use serde_json::{Value, json};

const OTHER_FUND: &str = "SE0SBX000024SEK";

/// Completes a journey of `kind` for an account and answers it.
async fn complete(api: &Api, kind: &str, account: &str, field: &str, plan: Value) -> Value {
    let body = json!({
        "journey": {"journeyType": kind, "account": account, field: plan},
        "callbackUrl": "https://partner.example/callback",
    });
    let journey = api.post("journey", body).await.ok();
    let path = format!("/simulations/journey/{}/complete", journey["id"].as_str().expect("an id"));
    api.post(&path, json!({})).await.ok()
}

async fn allocation_plan(api: &Api, account: &str) -> Value {
    let shares = json!([{"instrument": FUND, "allocation": 33.33}, {"instrument": OTHER_FUND, "allocation": 66.67}]);
    let plan = json!({"depositType": "manual", "instruments": shares});
    let journey = complete(api, "updateAllocationPlan", account, "allocationPlan", plan).await;
    assert_eq!(journey["result"]["allocationPlan"]["instruments"], shares, "{journey}");
    api.get(&format!("allocationplan/account/{account}")).await.ok()
}

/// (rule: plans/allocation-plan-shape)
#[tokio::test]
async fn an_allocation_plan_is_found_by_id_by_account_and_among_the_clients() {
    let api = Api::new().await;
    let account = api.account(0).await;
    let path = format!("allocationplan/account/{account}");
    api.get(&path).await.refused(400, "invalid_request", "allocationplan is not known");
    let plan = allocation_plan(&api, &account).await;
    insta::assert_snapshot!(pretty(&plan));
    assert_eq!(api.get(&format!("allocationplan/{}", plan["id"].as_str().expect("an id"))).await.ok(), plan);
    assert_eq!(api.get("allocationplan").await.ok(), json!([plan]));
    api.get(&format!("allocationplan/account/{NOBODY}")).await.refused(
        400,
        "invalid_request",
        "accountId is not known",
    );
    api.get(&format!("allocationplan/{NOBODY}")).await.refused(400, "invalid_request", "allocationPlanId is not known");
    let elsewhere = format!("/v2/partner/client/{}/allocationplan", CLIENTS[1]);
    assert_eq!(api.get(&elsewhere).await.ok(), json!([]));
}

#[tokio::test]
async fn a_plan_is_patched_and_a_wrong_patch_changes_nothing() {
    let api = Api::new().await;
    let account = api.account(0).await;
    let plan = allocation_plan(&api, &account).await;
    let path = format!("allocationplan/{}", plan["id"].as_str().expect("an id"));
    let bank = api.get(&format!("account/{account}")).await.ok()["bankAccounts"][0]["id"].clone();
    let before = api.digest();
    let because = "is not acceptable: a bank account of the owner with an active or pending mandate is expected";
    for (body, problem) in [
        (json!({"bankAccount": 7}), "bankAccount must be a UUID, not a number".to_owned()),
        (json!({"bankAccount": NOBODY}), format!("bankAccount {because}")),
        (json!({"instruments": null}), "instruments is required".to_owned()),
        (json!({"instruments": []}), "instruments must not be empty".to_owned()),
        (
            json!({"instruments": [{"instrument": FUND, "allocation": 99.99}]}),
            "instruments must add up to exactly 100.00 percent; the sum is 99.99".to_owned(),
        ),
        (
            json!({"instruments": [{"instrument": FUND, "allocation": "100"}, {}]}),
            "instruments[0].allocation must be a number, not a string; instruments[1].instrument is required; \
             instruments[1].allocation is required"
                .to_owned(),
        ),
        (
            json!({"instruments": [{"instrument": FUND, "allocation": 50}, {"instrument": FUND, "allocation": 50}]}),
            "instruments[1].instrument is given twice".to_owned(),
        ),
    ] {
        api.patch(&path, body).await.refused(400, "invalid_request", &problem);
    }
    assert_eq!(api.patch(&path, json!({})).await.ok(), plan);
    assert_eq!(api.digest(), before);
    let patched = api.patch(&path, json!({"bankAccount": bank})).await.ok();
    assert_eq!((&patched["bankAccount"], &patched["instruments"]), (&bank, &plan["instruments"]));
    let whole = json!([{"instrument": OTHER_FUND, "allocation": 100}]);
    let patched = api.patch(&path, json!({"bankAccount": null, "instruments": whole})).await.ok();
    assert_eq!((&patched["bankAccount"], &patched["instruments"]), (&Value::Null, &whole));
}

/// (rule: plans/deleting-plans)
#[tokio::test]
async fn a_deleted_plan_is_shown_once_more_and_gone() {
    let api = Api::new().await;
    let account = api.account(0).await;
    let plan = allocation_plan(&api, &account).await;
    let path = format!("allocationplan/{}", plan["id"].as_str().expect("an id"));
    assert_eq!(api.delete(&path).await.ok()["id"], plan["id"]);
    let problem = "allocationPlanId is not known";
    api.delete(&path).await.refused(400, "invalid_request", problem);
    api.get(&path).await.refused(400, "invalid_request", problem);
    assert_eq!(api.get("allocationplan").await.ok(), json!([]));
}

/// (rule: plans/savings-plan-shape, plans/deleting-plans)
#[tokio::test]
async fn a_savings_plan_is_read_and_deleted() {
    let api = Api::new().await;
    let account = api.account(0).await;
    let path = format!("account/{account}/savingsplan");
    api.get(&path).await.refused(400, "invalid_request", "savingsplan is not known");
    let offered = json!({"periodicity": "monthly", "instruments": [{"instrument": FUND}]});
    let journey = complete(&api, "updateSavingsPlan", &account, "savingsPlan", offered).await;
    let plan = api.get(&path).await.ok();
    insta::assert_snapshot!(pretty(&plan));
    for same in ["periodicity", "day", "instruments", "startDate"] {
        assert_eq!(plan[same], journey["result"]["savingsplan"][same], "{same}");
    }
    assert_eq!(api.delete(&path).await.ok()["id"], plan["id"]);
    api.delete(&path).await.refused(400, "invalid_request", "savingsplan is not known");
    api.delete(&format!("account/{NOBODY}/savingsplan")).await.refused(
        400,
        "invalid_request",
        "accountId is not known",
    );
}
