//! `/v2/partner/client/{clientId}/account...`: listed, read, valued.

use crate::harness::{Api, CLIENTS, NOBODY, pretty};
use serde_json::{Value, json};

/// (rule: accounts/currency, accounts/category, accounts/positions, wire/bank-accounts-key)
#[tokio::test]
async fn an_account_of_a_person_with_positions_and_a_bank_account() {
    let api = Api::new().await;
    let id = api.account(0).await;
    insta::assert_snapshot!(api.get(&format!("account/{id}")).await.pretty(), @r#"
    {
      "id": "83a481ac-0f8e-46d6-aefe-9843bee9c454",
      "sortedId": "01KJPNHFC0JWE1N019ZFAQ49M1",
      "ref": "177243480000051",
      "name": "Astrids ISK",
      "accountType": "isk",
      "status": "active",
      "serviceType": "executionOnly",
      "owner": {
        "ownerType": "natural_person",
        "firstName": "Astrid",
        "lastName": "Provsson",
        "fullName": "Astrid Provsson",
        "ssn": "199001012385"
      },
      "balance": 25000.00,
      "amounts": {
        "deposited": 25000.00,
        "withdrawn": 0.00
      },
      "positions": [
        {
          "instrument": "SE0SBX000016SEK",
          "units": 120.5,
          "unitsSettled": 120.5,
          "value": 14875.73,
          "closePrice": 123.45,
          "gav": 123.45
        },
        {
          "instrument": "SE0SBX000024SEK",
          "units": 40,
          "unitsSettled": 40,
          "value": 9826.80,
          "closePrice": 245.67,
          "gav": 245.67
        }
      ],
      "category": "retail",
      "deleted": false,
      "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01",
      "bankAccounts": [
        {
          "id": "2d568c55-3520-4db2-91af-953688ef3e79",
          "iban": "SE8150000000050000000019",
          "bban": "50000000019",
          "bank": "Skepparbanken",
          "name": "Lönekonto",
          "createdDate": "2026-03-02T07:00:00.000Z",
          "modifiedDate": "2026-03-02T07:00:00.000Z",
          "validated": true,
          "mandateStatus": "active"
        }
      ],
      "currency": "SEK",
      "createdDate": "2026-03-02T07:00:00.000Z",
      "modifiedDate": "2026-03-02T07:00:00.000Z"
    }
    "#);
}

/// (rule: accounts/owners, accounts/signatory-groups)
#[tokio::test]
async fn an_account_of_an_organisation() {
    let api = Api::new().await;
    let id = api.account(4).await;
    insta::assert_snapshot!(pretty(&api.get(&format!("account/{id}")).await.ok()["owner"]), @r#"
    {
      "ownerType": "legal_entity",
      "name": "Provstiftelsen",
      "crn": "8029900001",
      "type": "stiftelse",
      "registrationCountry": "SE",
      "countriesOfTaxation": [
        "SE"
      ],
      "address": {
        "streetAddress": "Provgatan 1",
        "zipCode": "111 11",
        "city": "Stockholm",
        "country": "SE"
      },
      "contactPerson": {
        "name": "Bo Testberg",
        "phone": "+46701740605",
        "email": "bo@provstiftelsen.example"
      },
      "signatoryGroups": [
        {
          "name": "Bo Testberg",
          "ssn": "200002292399",
          "email": "bo@provstiftelsen.example"
        },
        {
          "name": "Astrid Provsson",
          "ssn": "199001012385",
          "email": null
        }
      ]
    }
    "#);
}

/// (rule: money/converted-prices, orders/foreign-currency)
#[tokio::test]
async fn a_position_in_a_foreign_fund_is_shown_in_swedish_kronor() {
    let api = Api::new().await;
    let listed = api.get(&format!("/v2/partner/client/{}/account", CLIENTS[1])).await.ok();
    insta::assert_snapshot!(pretty(&listed[1]["positions"][0]), @r#"
    {
      "instrument": "LU0SBX000116EUR",
      "units": 110,
      "unitsSettled": 110,
      "value": 1277150.88,
      "closePrice": 11610.4625,
      "gav": 11610.4625
    }
    "#);
}

/// (rule: wire/value-shape, money/value)
#[tokio::test]
async fn the_value_is_cash_and_positions_together() {
    let api = Api::new().await;
    let id = api.account(2).await;
    assert_eq!(api.get(&format!("account/{id}/value")).await.text, r#"{"value":100000.00,"currency":"SEK"}"#);
    api.subscribe("2500.50").await;
    api.advance_to("2026-03-02T07:00:05Z").await;
    assert_eq!(api.get(&format!("account/{id}")).await.ok()["balance"].to_string(), "97499.50");
    assert_eq!(api.get(&format!("account/{id}/value")).await.text, r#"{"value":100000.00,"currency":"SEK"}"#);
}

/// (rule: wire/start, wire/limit, wire/modified-from, wire/ssn-filter)
#[tokio::test]
async fn lists_are_windows_in_order_of_creation() {
    let api = Api::new().await;
    let all = api.get("account").await.ok();
    let all = all.as_array().expect("a list");
    assert_eq!(all.len(), 5);
    let third = all[2]["sortedId"].as_str().expect("a sortedId");
    let ids = |listed: Value| -> Vec<Value> {
        listed.as_array().expect("a list").iter().map(|one| one["id"].clone()).collect()
    };
    let of = |range: std::ops::Range<usize>| -> Vec<Value> { all[range].iter().map(|one| one["id"].clone()).collect() };
    for (query, range) in [
        (format!("start={third}"), 2..5),
        (format!("start={third}&limit=2"), 2..4),
        ("limit=1".to_owned(), 0..1),
        ("start=00000000000000000000000000".to_owned(), 0..5),
        ("start=7ZZZZZZZZZZZZZZZZZZZZZZZZZ".to_owned(), 0..0),
        ("modifiedFrom=2026-03-02T07:00:00Z".to_owned(), 0..5),
        ("modifiedFrom=2026-03-02T07:00:00.001Z".to_owned(), 0..0),
        ("ssn=199001012385".to_owned(), 0..2),
        ("ssn=200002292399".to_owned(), 0..0),
        // No such number can be: a wrong check digit, a day that is none.
        ("ssn=199001012386".to_owned(), 0..0),
        ("ssn=199002312385".to_owned(), 0..0),
    ] {
        assert_eq!(ids(api.get(&format!("account?{query}")).await.ok()), of(range), "{query}");
    }
}

/// (rule: wire/unknown-ids)
#[tokio::test]
async fn what_is_not_an_account_here_is_refused() {
    let api = Api::new().await;
    let foreign = api.get_as(1, "account").await.ok()[0]["id"].as_str().expect("an id").to_owned();
    let of_other_client = api.get(&format!("/v2/partner/client/{}/account", CLIENTS[1])).await.ok()[0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    for (path, problem) in [
        ("account/1", "accountId must be a UUID"),
        ("account/%F0%9F%92%A9", "accountId must be a UUID"),
        ("account/%FF", "path must be UTF-8 text"),
        ("/v2/partner/client/me/account", "clientId must be a UUID"),
        (&format!("account/{NOBODY}"), "accountId is not known"),
        (&format!("account/{foreign}"), "accountId is not known"),
        (&format!("account/{of_other_client}/value"), "accountId is not known"),
        (&format!("account/{NOBODY}/transaction/cash"), "accountId is not known"),
        (&format!("account/{NOBODY}/transaction/fund"), "accountId is not known"),
        ("account?ssn=19900101-2385", "ssn must be a personal number of twelve digits"),
    ] {
        api.get(path).await.refused(400, "invalid_request", problem);
    }
}

#[tokio::test]
async fn a_closed_account_sells_pays_out_and_stays_readable() {
    let api = Api::new().await;
    let (rich, poor) = (api.account(0).await, api.account(2).await);
    let before = api.digest();
    api.delete(&format!("account/{poor}")).await.refused(
        400,
        "invalid_request",
        "bankAccounts must be a validated bank account of the owner",
    );
    api.delete(&format!("account/{NOBODY}")).await.refused(400, "invalid_request", "accountId is not known");
    assert_eq!(api.digest(), before);
    let path = format!("account/{rich}");
    let closing = api.delete(&path).await.ok();
    assert_eq!((&closing["status"], &closing["deleted"]), (&json!("closing"), &json!(false)));
    assert_eq!(api.delete(&path).await.ok()["status"], "closing", "closing twice is harmless");
    api.advance_to("2026-03-20T12:00:00Z").await;
    let gone = api.get(&path).await.ok();
    assert_eq!((&gone["status"], &gone["deleted"], &gone["positions"]), (&json!("closing"), &json!(true), &json!([])));
    assert_eq!(gone["balance"].to_string(), "0.00");
    assert!(gone["deletedDate"].is_string(), "{gone}");
}
