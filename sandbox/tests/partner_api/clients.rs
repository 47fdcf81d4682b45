use crate::harness::{Api, CLIENTS, NOBODY};
use serde_json::Value;

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

#[tokio::test]
async fn another_partners_client_and_an_unknown_one_are_not_told_apart() {
    let api = Api::new().await;
    for client in [CLIENTS[2], NOBODY] {
        for path in ["", "/account", "/order", "/instrument", "/transaction/cash", "/transaction/fund"] {
            let answer = api.get(&format!("/v2/partner/client/{client}{path}")).await;
            answer.refused(403, "forbidden", "clientId is not within the scope of this token");
        }
    }
}
