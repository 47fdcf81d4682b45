//! `/v2/partner/client...`: listed and read, each partner its own.

use crate::harness::{Api, CLIENTS, NOBODY};
use serde_json::{Value, json};

/// (rule: clients/client-shape, clients/client-permissions, clients/activation-codes)
#[tokio::test]
async fn a_client_shows_its_permissions_and_codes() {
    let api = Api::new().await;
    let client = api.get_as(1, &format!("/v2/partner/client/{}", CLIENTS[2])).await;
    insta::assert_snapshot!(client.pretty(), @r#"
    {
      "id": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f03",
      "sortedId": "01KJPNHFC050K8BGN0JE2J1YEQ",
      "name": "Havtorn Rådgivning AB",
      "displayName": "Havtorn",
      "crn": "5599900023",
      "country": "SE",
      "bankAccounts": [],
      "serviceTypes": [
        {
          "accountServiceType": "portfolioManagement",
          "code": "487820"
        },
        {
          "accountServiceType": "investmentAdvise",
          "code": "659555"
        },
        {
          "accountServiceType": "executionOnly",
          "code": "955677"
        }
      ],
      "permissions": {
        "accountTypes": [
          "isk",
          "depot"
        ],
        "accountServiceTypes": [
          "portfolioManagement",
          "investmentAdvise",
          "executionOnly"
        ],
        "accountCategories": [
          "retail"
        ],
        "ownerTypes": [
          "natural_person",
          "legal_entity"
        ],
        "journeyTypes": [
          "createAccount",
          "createLegalEntityAccount",
          "addBankAccount",
          "signWithdrawal",
          "updateAllocationPlan",
          "updateSavingsPlan",
          "signSubmission",
          "kycRenewal"
        ],
        "transfers": true,
        "autogiro": true,
        "mobilePayment": true,
        "withdrawals": true,
        "partnerFee": false
      },
      "createdDate": "2026-03-02T07:00:00.000Z",
      "modifiedDate": "2026-03-02T07:00:00.000Z"
    }
    "#);
}

#[tokio::test]
async fn a_partner_sees_its_own_clients_only() {
    let api = Api::new().await;
    let ids = |listed: Value| -> Vec<String> {
        listed
            .as_array()
            .expect("a list")
            .iter()
            .map(|client| client["id"].as_str().expect("an id").to_owned())
            .collect()
    };
    assert_eq!(ids(api.get("/v2/partner/client").await.ok()), CLIENTS[..2]);
    assert_eq!(ids(api.get_as(1, "/v2/partner/client").await.ok()), CLIENTS[2..]);
    let second = api.get("/v2/partner/client").await.ok()[1]["sortedId"].as_str().expect("a sortedId").to_owned();
    assert_eq!(ids(api.get(&format!("/v2/partner/client?start={second}")).await.ok()), CLIENTS[1..2]);
    assert_eq!(ids(api.get("/v2/partner/client?limit=1").await.ok()), CLIENTS[..1]);
}

/// (rule: auth/client-scope)
#[tokio::test]
async fn another_partners_client_and_an_unknown_one_get_the_same_answer() {
    let api = Api::new().await;
    for client in [CLIENTS[2], NOBODY] {
        for path in ["", "/account", "/order", "/instrument", "/transaction/cash", "/transaction/fund"] {
            let answer = api.get(&format!("/v2/partner/client/{client}{path}")).await;
            answer.refused(403, "forbidden", "clientId is not within the scope of this token");
        }
    }
}

/// A new client.
fn newcomer() -> Value {
    json!({
        "name": "Slånbäret AB",
        "displayName": "Slånbäret",
        "crn": "5599900031",
        "country": "SE",
        "bankAccounts": [{"feeType": "client_fee", "iban": "SE8150000000050000000019"}],
        "serviceTypes": [{"accountServiceType": "executionOnly"}, {"accountServiceType": "investmentAdvise", "code": "1"}],
        "permissions": {"transfers": false},
    })
}

#[tokio::test]
async fn a_created_client_may_do_what_the_first_one_may() {
    let api = Api::new().await;
    let first = api.get("/v2/partner/client").await.ok()[0].clone();
    let created = api.post("/v2/partner/client", newcomer()).await.ok();
    assert_eq!(created["permissions"], first["permissions"], "permissions that are sent mean nothing");
    let codes: Vec<_> =
        created["serviceTypes"].as_array().expect("services").iter().map(|one| one["code"].clone()).collect();
    assert_eq!(codes.len(), 2);
    assert!(codes.iter().all(|code| code.as_str().is_some_and(|code| code.len() == 6)), "{codes:?}");
    assert_eq!(created["createdDate"], created["modifiedDate"]);
    let path = format!("/v2/partner/client/{}", created["id"].as_str().expect("an id"));
    assert_eq!(api.get(&path).await.ok(), created);
    assert_eq!(api.get("/v2/partner/client").await.ok()[2], created, "listed after those that were there");
    api.get_as(1, &path).await.refused(403, "forbidden", "clientId is not within the scope of this token");
}

#[tokio::test]
async fn each_wrong_field_of_a_client_is_named_and_nothing_changes() {
    let api = Api::new().await;
    let before = api.digest();
    for (field, value, problem) in [
        ("id", json!("7"), "id must be a UUID"),
        ("id", json!(CLIENTS[2]), "id is already taken"),
        ("name", json!(null), "name must be a string, not null"),
        ("name", json!(" "), "name must not be empty"),
        ("name", json!("x".repeat(256)), "name must be at most 255 characters long"),
        ("displayName", json!(1), "displayName must be a string, not a number"),
        ("crn", json!("12"), "crn must be a company registration number of ten digits"),
        ("crn", json!("5599900007"), "crn is already taken"),
        (
            "country",
            json!("Sweden"),
            "country is not acceptable: a country code of ISO 3166-1 is expected, two capital letters",
        ),
        (
            "bankAccounts",
            json!([{"feeType": "tip"}]),
            "bankAccounts[0].feeType must be one of `client_fee`, `partner_fee` or `service_fee`; \
             bankAccounts[0].iban is required",
        ),
        (
            "bankAccounts",
            json!([newcomer()["bankAccounts"][0], newcomer()["bankAccounts"][0]]),
            "bankAccounts[1].feeType is given twice",
        ),
        ("serviceTypes", json!([]), "serviceTypes must not be empty"),
        (
            "serviceTypes",
            json!([{"accountServiceType": "executionOnly"}, {"accountServiceType": "executionOnly"}]),
            "serviceTypes[1].accountServiceType is given twice",
        ),
        ("serviceTypes", json!([{}]), "serviceTypes[0].accountServiceType is required"),
    ] {
        let mut body = newcomer();
        body[field] = value;
        api.post("/v2/partner/client", body).await.refused(400, "invalid_request", problem);
    }
    api.post("/v2/partner/client", json!({})).await.refused(
        400,
        "invalid_request",
        "name is required; displayName is required; crn is required; country is required; serviceTypes is required",
    );
    let mixed =
        json!({"id": CLIENTS[0], "name": " ", "displayName": 1, "crn": "x", "country": "Sweden", "serviceTypes": [{}]});
    api.post("/v2/partner/client", mixed).await.refused(
        400,
        "invalid_request",
        "displayName must be a string, not a number; crn must be a company registration number of ten digits; \
         serviceTypes[0].accountServiceType is required; name must not be empty; country is not acceptable: a country code \
         of ISO 3166-1 is expected, two capital letters; id is already taken",
    );
    assert_eq!(api.digest(), before);
}

#[tokio::test]
async fn a_patch_distinguishes_left_out_from_null_and_replaces_lists_whole() {
    let api = Api::new().await;
    let path = format!("/v2/partner/client/{}", CLIENTS[0]);
    let before = api.get(&path).await.ok();
    api.advance_to("2026-03-02T07:10:00Z").await;
    assert_eq!(api.patch(&path, json!({})).await.ok(), before, "an empty patch changes nothing, modifiedDate included");
    let patched = api.patch(&path, json!({"displayName": "Lingon", "country": "NO"})).await.ok();
    assert_eq!((&patched["displayName"], &patched["country"]), (&json!("Lingon"), &json!("NO")));
    assert_eq!(patched["modifiedDate"], "2026-03-02T07:10:00.000Z");
    for same in ["id", "name", "crn", "bankAccounts", "serviceTypes", "permissions", "createdDate"] {
        assert_eq!(patched[same], before[same], "{same}");
    }
    // (rule: clients/client-patch)
    for (minute, ignored) in
        [json!({"permissions": {"transfers": false}}), json!({"nickname": "x"})].into_iter().enumerate()
    {
        let at = format!("2026-03-02T07:2{minute}:00.000Z");
        api.advance_to(&at).await;
        let mut touched = api.patch(&path, ignored).await.ok();
        assert_eq!(touched["modifiedDate"], at, "an ignored field is no empty patch");
        touched["modifiedDate"] = patched["modifiedDate"].clone();
        assert_eq!(touched, patched, "and changes nothing else");
    }
    let cleared = api.patch(&path, json!({"bankAccounts": null})).await.ok();
    assert_eq!(cleared["bankAccounts"], json!([]));
    let one = json!({"serviceTypes": [{"accountServiceType": "executionOnly"}], "permissions": {}});
    let services = api.patch(&path, one).await.ok()["serviceTypes"].clone();
    assert_eq!(services, json!([before["serviceTypes"][2]]), "a service that stays keeps its code");
}

#[tokio::test]
async fn a_patch_that_is_refused_changes_nothing() {
    let api = Api::new().await;
    let path = format!("/v2/partner/client/{}", CLIENTS[0]);
    let before = api.digest();
    for (body, problem) in [
        (json!({"name": null}), "name is required"),
        (json!({"country": null, "displayName": null}), "displayName is required; country is required"),
        (json!({"serviceTypes": null}), "serviceTypes is required"),
        (json!({"id": CLIENTS[0]}), "id cannot be changed"),
        (json!({"crn": null, "displayName": "x"}), "crn cannot be changed"),
        (json!({"displayName": ["x"]}), "displayName must be a string, not an array"),
        (json!([]), "body must be an object, not an array"),
        (
            json!({"crn": "1", "displayName": "", "bankAccounts": [{"feeType": "tip"}]}),
            "bankAccounts[0].feeType must be one of `client_fee`, `partner_fee` or `service_fee`; bankAccounts[0].iban is \
             required; crn cannot be changed; displayName must not be empty",
        ),
    ] {
        api.patch(&path, body).await.refused(400, "invalid_request", problem);
    }
    assert_eq!(api.digest(), before);
    let foreign = format!("/v2/partner/client/{}", CLIENTS[2]);
    let scope = "clientId is not within the scope of this token";
    api.patch(&foreign, json!({"displayName": "x"})).await.refused(403, "forbidden", scope);
}

/// (rule: securities/transfer-shape)
#[tokio::test]
async fn custodians_have_an_id_and_a_name() {
    let api = Api::new().await;
    let custodians = api.get("custodian").await.ok();
    let all = custodians.as_array().expect("a list");
    assert!(all.len() >= 3, "{custodians}");
    for custodian in all {
        let keys: Vec<&String> = custodian.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["id", "name"]);
    }
}

/// (rule: fees/partner-fee, clients/client-permissions)
#[tokio::test]
async fn a_client_takes_other_fees_by_lever_and_shows_none_of_it_to_the_partner() {
    let api = Api::new().await;
    let path = format!("/simulations/client/{}/fees", CLIENTS[0]);
    let before = api.get(&format!("/v2/partner/client/{}", CLIENTS[0])).await;
    let set = json!({ "partnerFee": { "basisPoints": 50, "mode": "withdrawn" } });
    let answer = api.post(&path, &set).await;
    assert_eq!(answer.ok(), before.ok(), "the public shape says nothing of it");
    for (body, fault) in [
        (json!({}), "partnerFee or clientFee is required"),
        (
            json!({ "clientFee": { "basisPoints": 10_001, "mode": "none" } }),
            "clientFee.basisPoints must lie between 0 and 10000",
        ),
        (json!({ "clientFee": { "basisPoints": 1, "mode": "some" } }), "clientFee.mode must"),
        (json!({ "clientFee": { "basisPoints": 1 } }), "clientFee.mode is required"),
        (json!({ "serviceFee": {} }), "serviceFee"),
    ] {
        let answer = api.post(&path, &body).await;
        let description = answer.json()["error_description"].as_str().unwrap_or_default().to_owned();
        assert!(answer.status == 400 && description.contains(fault), "{body}: {description}");
    }
    assert_eq!(api.post(&format!("/simulations/client/{NOBODY}/fees"), &set).await.status, 403);
    assert_eq!(api.post(&format!("/simulations/client/{}/fees", CLIENTS[2]), &set).await.status, 403);
}
