//! What hangs on an account: transfers, KYC status, agreements; and the levers of those who decide about them.

use crate::harness::{Answer, Api, CLIENTS, FUND, NOBODY, pretty};
use axum::http::Method;
use serde_json::{Value, json};

/// Whose approval waits for a person.
const WAITS: &str = "197001082382";
const PERSON: &str = "198112189876";

/// Opens an account by a journey whose configuration has `extra` besides; answers the complete journey.
async fn open(api: &Api, account_type: &str, ssn: &str, extra: Value) -> Value {
    let mut journey = json!({
        "journeyType": "createAccount", "accountTypes": [account_type], "accountServiceType": "executionOnly",
        "accountCategories": ["retail"], "ssn": ssn,
    });
    journey.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
    let body = json!({"journey": journey, "callbackUrl": "https://partner.example/callback"});
    let journey = api.post("journey", body).await.ok();
    let path = format!("/simulations/journey/{}/complete", journey["id"].as_str().expect("an id"));
    api.post(&path, json!({})).await.ok()
}

fn account_of(journey: &Value) -> String {
    journey["result"]["account"]["id"].as_str().unwrap_or_else(|| panic!("no account: {journey}")).to_owned()
}

#[track_caller]
fn conflict(answer: &Answer, current: &str, allowed: Value) {
    assert_eq!(answer.status, 409, "{answer:?}");
    let body = answer.json();
    assert_eq!((&body["error"], &body["current"], &body["allowed"]), (&json!("conflict"), &json!(current), &allowed));
}

#[tokio::test]
async fn an_account_that_waits_is_approved_or_rejected_once() {
    let api = Api::new().await;
    let account = account_of(&open(&api, "isk", WAITS, json!({})).await);
    api.advance_to("2026-03-05T07:00:00Z").await;
    assert_eq!(api.get(&format!("account/{account}")).await.ok()["status"], "pending");
    let lever = |name: &str| format!("/simulations/account/{account}/{name}");
    conflict(&api.post(&lever("confirm"), "").await, "pending", json!(["approve", "reject"]));
    assert_eq!(api.post(&lever("approve"), "").await.ok()["status"], "active");
    for name in ["approve", "reject", "confirm"] {
        conflict(&api.post(&lever(name), "").await, "active", json!([]));
    }
    let rejected = account_of(&open(&api, "depot", WAITS, json!({})).await);
    assert_eq!(api.post(&format!("/simulations/account/{rejected}/reject"), "").await.ok()["status"], "rejected");
}

#[tokio::test]
async fn an_insurance_waits_for_the_insurer_to_sign() {
    let api = Api::new().await;
    let account = account_of(&open(&api, "insurance", PERSON, json!({})).await);
    assert_eq!(api.get(&format!("account/{account}")).await.ok()["status"], "confirm");
    assert_eq!(api.post(&format!("/simulations/account/{account}/confirm"), "").await.ok()["status"], "pending");
    let path = format!("/simulations/account/{account}/approve");
    let foreign = api.send(api.request_of(1, Method::POST, &path, "".into())).await;
    foreign.refused(400, "invalid_request", "accountId is not known");
}

/// (rule: securities/transfer-shape)
#[tokio::test]
async fn a_transfer_goes_from_new_to_completed_and_no_further() {
    let api = Api::new().await;
    let custodian = api.get("custodian").await.ok()[0]["id"].clone();
    let transfer = json!({"transfer": {"enforce": "required", "transfers": [{"custodian": custodian, "accounts": [{
        "accountNumber": "123-456", "sourceAccountType": ["isk"], "closeAccountAndSavingsplans": false, "required": true,
        "untransferableUnitsOutput": ["cash"], "defaultUnitsOutput": ["cash"], "balanceOutput": ["cash"],
        "allowInstrumentSelection": false, "instruments": [{"instrument": FUND, "units": 5}],
    }]}]}});
    let journey = open(&api, "isk", PERSON, transfer).await;
    assert_eq!(journey["result"]["transfers"], json!([{"account": "123-456", "type": "units"}]));
    let account = account_of(&journey);
    let path = format!("account/{account}/transfer");
    let listed = api.get(&path).await.ok();
    assert_eq!((&listed[0]["status"], listed[0].get("externalRef")), (&json!("new"), None), "{listed}");
    let lever = |name: &str| format!("/simulations/transfer/{}/{name}", listed[0]["id"].as_str().expect("an id"));
    for act in ["accept", "reject", "complete"] {
        conflict(&api.post(&lever(act), "").await, "new", json!([]));
    }
    api.advance_to("2026-03-03T12:00:00Z").await;
    let sent = api.get(&path).await.ok();
    insta::assert_snapshot!(pretty(&sent[0]));
    conflict(&api.post(&lever("complete"), "").await, "sent", json!(["accept", "reject"]));
    assert_eq!(api.post(&lever("accept"), "").await.ok()["status"], "accepted");
    assert_eq!(api.post(&lever("complete"), "").await.ok()["status"], "completed");
    conflict(&api.post(&lever("reject"), "").await, "completed", json!([]));
    let positions = api.get(&format!("account/{account}")).await.ok()["positions"].clone();
    assert!(positions.as_array().expect("a list").iter().any(|one| one["instrument"] == FUND), "{positions}");
    let sorted = listed[0]["sortedId"].as_str().expect("a sortedId");
    assert_eq!(api.get(&format!("{path}?start={sorted}&limit=1")).await.ok().as_array().expect("a list").len(), 1);
    api.get(&format!("{path}?limit=0")).await.refused(
        400,
        "invalid_request",
        "limit must be a positive whole number, not `0`",
    );
    let foreign = api.send(api.request_of(1, Method::POST, &lever("accept"), "".into())).await;
    foreign.refused(400, "invalid_request", "transferId is not known");
}

#[tokio::test]
async fn a_bank_account_is_checked_once_and_its_mandate_follows_the_advice() {
    let api = Api::new().await;
    let account = api.account(2).await;
    let body = json!({
        "journey": {"journeyType": "addBankAccount", "account": account, "autogiro": {"enforce": "required"}},
        "callbackUrl": "https://partner.example/callback",
    });
    let journey = api.post("journey", body).await.ok();
    let journey = journey["id"].as_str().expect("an id").to_owned();
    let complete = api.post(&format!("/simulations/journey/{journey}/complete"), json!({})).await.ok();
    assert_eq!(complete["result"]["bankAccounts"][0]["status"], "pending", "{complete}");
    let bank = api.get(&format!("account/{account}")).await.ok()["bankAccounts"][0].clone();
    assert_eq!((&bank["validated"], &bank["mandateStatus"]), (&json!(false), &json!("pending")));
    let lever = |name: &str| format!("/simulations/bankaccount/{}/{name}", bank["id"].as_str().expect("an id"));
    let outcomes = "outcome must be one of `pass` or `fail`";
    for (lever, body, problem) in [
        (lever("check"), json!({}), "outcome is required"),
        (lever("check"), json!({"outcome": "maybe"}), outcomes),
        (lever("mandate"), json!({"code": 32}), "code must be a string, not a number"),
        (
            lever("mandate"),
            json!({"code": "99"}),
            "code is not acceptable: a code of a mandate advice is expected: 32, 03, 05, 07, 20, 21, 23, 10, 01, 02, 33 or 98",
        ),
    ] {
        api.post(&lever, body).await.refused(400, "invalid_request", problem);
    }
    let passed = api.post(&lever("check"), json!({"outcome": "pass"})).await.ok();
    assert_eq!(passed["validated"], true, "{passed}");
    let read = api.get(&format!("journey/{journey}")).await.ok();
    assert_eq!(read["result"]["bankAccounts"][0]["status"], "active", "a later reading shows the present status");
    conflict(&api.post(&lever("check"), json!({"outcome": "fail"})).await, "active", json!(["mandate"]));
    assert_eq!(api.post(&lever("mandate"), json!({"code": "32"})).await.ok()["mandateStatus"], "active");
    assert_eq!(api.post(&lever("mandate"), json!({"code": "02"})).await.ok()["mandateStatus"], "missing");
    conflict(&api.post(&lever("mandate"), json!({"code": "32"})).await, "missing", json!([]));
}

/// (rule: accounts/kyc-status, accounts/screening)
#[tokio::test]
async fn kyc_has_a_status_and_a_screening_hit_shortens_it() {
    let api = Api::new().await;
    let account = api.account(0).await;
    let path = format!("kycstatus/account/{account}");
    insta::assert_snapshot!(api.get(&path).await.pretty(), @r#"
    {
      "account": "83a481ac-0f8e-46d6-aefe-9843bee9c454",
      "status": "valid",
      "lastUpdatedDate": "2026-03-02T07:00:00.000Z",
      "expiryDate": "2029-03-02T00:00:00.000Z",
      "renewalRequired": false
    }
    "#);
    let hit = json!({"ssn": "199001012385", "hit": "pep"});
    let listed = api.post("/simulations/screening", hit).await.ok();
    let ids: Vec<_> = listed.as_array().expect("a list").iter().map(|account| account["id"].clone()).collect();
    // The last one is a company's, for which the person signs.
    assert_eq!(ids, [json!(account), json!(api.account(1).await), json!("268750f6-df68-4d6a-bf7f-951260192a02")]);
    assert_eq!(api.get(&path).await.ok()["expiryDate"], "2027-03-02T00:00:00.000Z");
    let waiting = account_of(&open(&api, "isk", WAITS, json!({})).await);
    assert_eq!(api.get(&format!("kycstatus/account/{waiting}")).await.ok()["status"], "pending");
    api.get(&format!("kycstatus/account/{NOBODY}")).await.refused(400, "invalid_request", "accountId is not known");
}

#[tokio::test]
async fn screening_names_one_owner_and_shows_nobody_elses_accounts() {
    let api = Api::new().await;
    let before = api.digest();
    let one = "ssn or crn is required, and only one of them";
    for (body, problem) in [
        (json!({"hit": "pep"}), one),
        (json!({"ssn": PERSON, "crn": "8029900001", "hit": "pep"}), one),
        (json!({"ssn": "1", "hit": "pep"}), "ssn must be a personal number of twelve digits with its check digit"),
        (json!({"crn": "8029900001", "hit": "x"}), "hit must be one of `pep`, `sanctions` or `clear`"),
    ] {
        api.post("/simulations/screening", body).await.refused(400, "invalid_request", problem);
    }
    assert_eq!(api.digest(), before);
    let body = json!({"crn": "8029900001", "hit": "sanctions"});
    let request = api.request_of(1, Method::POST, "/simulations/screening", body.to_string().into());
    assert_eq!(api.send(request).await.ok(), json!([]), "the foundation is with the other partner");
    assert_eq!(
        api.post("/simulations/screening", json!({"crn": "8029900001", "hit": "clear"})).await.ok()[0]["name"],
        "Stiftelsens depå"
    );
}

/// (rule: accounts/endowment, auth/lever-scope)
#[tokio::test]
async fn a_death_ends_a_persons_insurances_and_answers_the_callers_own() {
    let api = Api::new().await;
    let account = account_of(&open(&api, "insurance", PERSON, json!({})).await);
    let death = json!({"ssn": PERSON});
    let none = "no active insurance account";
    conflict(&api.post("/simulations/death", death.clone()).await, none, json!([]));
    api.post(&format!("/simulations/account/{account}/confirm"), "").await.ok();
    api.post(&format!("/simulations/account/{account}/approve"), "").await.ok();
    let book = json!({"transactionType": "deposit", "refType": "gift", "amount": 150});
    api.post(&format!("/simulations/account/{account}/book"), book).await.ok();
    for (body, problem) in [
        (json!({}), "ssn is required"),
        (json!({"ssn": "1"}), "ssn must be a personal number of twelve digits with its check digit"),
        (json!({"ssn": PERSON, "crn": "8029900001"}), "crn is not a known field"),
    ] {
        api.post("/simulations/death", body).await.refused(400, "invalid_request", problem);
    }
    let mut one = death.clone();
    one["ssn"] = json!("199001012385");
    conflict(&api.post("/simulations/death", one).await, none, json!([]));
    let ended = api.post("/simulations/death", death.clone()).await.ok();
    assert_eq!(
        (&ended[0]["id"], &ended[0]["status"], ended.as_array().map(Vec::len)),
        (&json!(account), &json!("closing"), Some(1))
    );
    let cash = api.get(&format!("account/{account}/transaction/cash?refType=endowment_101")).await.ok();
    assert_eq!((cash[0]["amount"].to_string().as_str(), &cash[0]["transactionType"]), ("1.50", &json!("deposit")));
    conflict(&api.post("/simulations/death", death).await, none, json!([]));
}

/// (rule: accounts/agreements)
#[tokio::test]
async fn an_account_has_agreements_and_each_is_a_pdf_that_names_it() {
    let api = Api::new().await;
    let account = api.account(0).await;
    let path = format!("account/{account}");
    assert_eq!(
        api.get(&format!("{path}/agreement-types")).await.ok(),
        json!([
            {"key": "account", "swe": "Kontoavtal"},
            {"key": "power_of_attorney", "swe": "Fullmakt"},
            {"key": "autogiro", "swe": "Autogiromedgivande"},
        ])
    );
    let number = api.get(&path).await.ok()["ref"].as_str().expect("a ref").to_owned();
    let has = |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    for key in ["account", "power_of_attorney", "autogiro"] {
        for (languages, spoken) in [("", "/Lang (sv-SE)"), ("sv", "/Lang (sv-SE)"), ("en, sv;q=0.5", "/Lang (en)")] {
            let (content_type, bytes) = api.download(&format!("{path}/agreement/{key}"), languages).await;
            assert_eq!(content_type, "application/pdf");
            assert!(bytes.starts_with(b"%PDF-"), "{key}");
            assert!(has(&bytes, &number), "{key} names the account");
            assert!(has(&bytes, spoken), "{key} asked for in {languages:?} is in {spoken}");
        }
    }
    let keys = "agreementTypeKey must be one of `account`, `power_of_attorney`, `insurance` or `autogiro`";
    api.get(&format!("{path}/agreement/lease")).await.refused(400, "invalid_request", keys);
    api.get(&format!("{path}/agreement/insurance")).await.refused(
        400,
        "invalid_request",
        "agreementTypeKey is not known",
    );
    for path in ["agreement-types", "agreement/account", "transfer"] {
        let unknown = format!("account/{NOBODY}/{path}");
        api.get(&unknown).await.refused(400, "invalid_request", "accountId is not known");
        let elsewhere = format!("/v2/partner/client/{}/account/{account}/{path}", CLIENTS[1]);
        api.get(&elsewhere).await.refused(400, "invalid_request", "accountId is not known");
    }
}
