//! What a new journey must be: every field by its name, everything that is wrong in one answer.

use crate::harness::{Api, CLIENTS, FUND, NOBODY};
use crate::journeys::{plain, start, with};
use serde_json::{Value, json};

#[tokio::test]
async fn each_wrong_field_of_a_journey_is_named_and_nothing_changes() {
    let api = Api::new().await;
    let before = api.digest();
    let types = "`createAccount`, `createLegalEntityAccount`, `addBankAccount`, `signWithdrawal`, \
                 `updateAllocationPlan`, `updateSavingsPlan`, `signSubmission` or `kycRenewal`";
    let share =
        |percent: &str| -> Value { serde_json::from_str(&format!("{{\"allocation\":{percent}}}")).expect("JSON") };
    let allocation = |percent: &str| json!([{"instrument": FUND, "allocation": share(percent)["allocation"]}]);
    for (path, value, problem) in [
        ("/journey", json!(null), "journey must be an object, not null".to_owned()),
        ("/callbackUrl", json!(7), "callbackUrl must be a string, not a number".to_owned()),
        ("/callbackUrl", json!("ftp://x"), "callbackUrl is not acceptable: an http or https address is expected".to_owned()),
        (
            "/callbackUrl",
            json!("http://x/#a"),
            "callbackUrl is not acceptable: it must have no fragment".to_owned(),
        ),
        (
            "/redirectUrl",
            json!("JavaScript:alert(1)"),
            "redirectUrl is not acceptable: this scheme is refused because browsers give it a meaning of their own".to_owned(),
        ),
        (
            "/completionRedirectUrl",
            json!("data:text/html,x"),
            "completionRedirectUrl is not acceptable: this scheme is refused because browsers give it a meaning of their own"
                .to_owned(),
        ),
        (
            "/redirectUrl",
            json!("view-source:https://x/"),
            "redirectUrl is not acceptable: this scheme is refused because browsers give it a meaning of their own".to_owned(),
        ),
        (
            "/completionRedirectUrl",
            json!("about:blank"),
            "completionRedirectUrl is not acceptable: this scheme is refused because browsers give it a meaning of their own"
                .to_owned(),
        ),
        ("/scope", json!("a".repeat(769)), "scope must be at most 768 characters long".to_owned()),
        ("/scope", json!("abc"), "scope is not acceptable: base64 with correct padding is expected".to_owned()),
        ("/scope", json!(1), "scope must be a string, not a number".to_owned()),
        ("/journey/journeyType", json!("buyCar"), format!("journey.journeyType must be one of {types}")),
        ("/journey/accountTypes", json!("isk"), "journey.accountTypes must be an array, not a string".to_owned()),
        (
            "/journey/accountTypes",
            json!(["isk", "bank", 3]),
            "journey.accountTypes[1] must be one of `isk`, `depot` or `insurance`; \
             journey.accountTypes[2] must be one of `isk`, `depot` or `insurance`, not a number"
                .to_owned(),
        ),
        ("/journey/accountTypes", json!([]), "journey.accountTypes must not be empty".to_owned()),
        ("/journey/accountTypes", json!(["isk", "isk"]), "journey.accountTypes[1] is given twice".to_owned()),
        ("/journey/accountTypes", json!(null), "journey.accountTypes is required".to_owned()),
        ("/journey/accountCategories", json!(null), "journey.accountCategories is required".to_owned()),
        (
            "/journey/account",
            json!(NOBODY),
            "journey.account must be left out: this type of journey does not take it".to_owned(),
        ),
        ("/journey/ssn", json!("1"), "journey.ssn must be a personal number of twelve digits with its check digit".to_owned()),
        ("/journey/email", json!("x"), "journey.email is not acceptable: an e-mail address is expected".to_owned()),
        (
            "/journey/autogiro",
            json!({"enforce": "maybe", "forceNewBankAccount": "no"}),
            "journey.autogiro.enforce must be one of `required`, `optional` or `none`; \
             journey.autogiro.forceNewBankAccount must be a boolean, not a string"
                .to_owned(),
        ),
        (
            "/journey/instruments",
            json!([{"instrument": FUND}, {}, {"instrument": "x"}]),
            "journey.instruments[1].instrument is required; journey.instruments[2].instrument must be an ISIN with its \
             check digit, followed by a currency code"
                .to_owned(),
        ),
        (
            "/journey/allocationPlan",
            json!({"instruments": allocation("99.99")}),
            "journey.allocationPlan.instruments must add up to exactly 100.00 percent; the sum is 99.99".to_owned(),
        ),
        (
            "/journey/allocationPlan",
            json!({"instruments": allocation("99.999")}),
            "journey.allocationPlan.instruments[0].allocation must have at most 2 decimals".to_owned(),
        ),
        ("/journey/savingsPlan", json!({}), "journey.savingsPlan.periodicity is required".to_owned()),
        (
            "/journey/kycs",
            json!([{"qid": "purpose"}, {"qid": "purpose", "answer": {}}, {"answer": "x"}]),
            "journey.kycs[0].answer is required; journey.kycs[1].answer must be a string or an array of strings, not an \
             object; journey.kycs[2].qid is required; journey.kycs[1].qid is given twice"
                .to_owned(),
        ),
        ("/journey/kycs", json!([{"qid": "shoes", "answer": "x"}]), "journey.kycs[0].qid is not known".to_owned()),
        (
            "/journey/welcomeScreen",
            json!("transfer"),
            "journey.welcomeScreen is not acceptable: it is only allowed together with `transfer`".to_owned(),
        ),
        ("/journey/welcomeScreen", json!("hello"), "journey.welcomeScreen must be one of `transfer`".to_owned()),
    ] {
        api.post("journey", with(path, value)).await.refused(400, "invalid_request", &problem);
    }
    assert_eq!(api.digest(), before);
}

#[tokio::test]
async fn problems_of_the_journey_and_of_the_fields_beside_it_are_listed_together() {
    let api = Api::new().await;
    let body = json!({"journey": {"journeyType": "addBankAccount", "accountTypes": ["isk"], "email": "x"}, "callbackUrl": "x",
        "scope": "!"});
    api.post("journey", body).await.refused(
        400,
        "invalid_request",
        "journey.accountTypes must be left out: this type of journey does not take it; journey.email must be left out: \
         this type of journey does not take it; journey.account is required; journey.email is not acceptable: an e-mail \
         address is expected; callbackUrl is not acceptable: an absolute address in printable ASCII is expected; scope is \
         not acceptable: base64 in the standard or the URL-safe alphabet is expected",
    );
}

#[tokio::test]
async fn unreadable_fields_and_broken_rules_are_listed_together_and_nothing_twice() {
    let api = Api::new().await;
    let custodian = api.get("custodian").await.ok()[0]["id"].as_str().expect("an id").to_owned();
    let before = api.digest();
    let unnumbered = |custodian: Value| {
        let mut given = transfer("");
        let entry = given.pointer_mut("/transfers/0").expect("a place");
        entry["custodian"] = custodian;
        entry["accounts"][0]["accountNumber"] = Value::Null;
        entry.clone()
    };
    let mut moved = transfer(&custodian);
    moved["transfers"][0]["accounts"][0]["required"] = json!("yes");
    moved["transfers"][0]["accounts"][0]["balanceOutput"] = json!(["units"]);
    moved["transfers"][0]["accounts"][0]["sourceAccountType"] = json!(["isk", "van"]);
    let at = "journey.transfer.transfers[0].accounts[0]";
    let types = "must be one of `isk`, `depot` or `insurance`";
    let only = "is not acceptable: only `cash` and `ignore` fit here";
    let address = "is not acceptable: an http or https address is expected";
    for (changes, problems) in [
        // Shape and rule, in different fields.
        (
            vec![("/journey/email", json!(5)), ("/callbackUrl", json!("ftp://x")), ("/journey/accountTypes", json!([]))],
            format!(
                "journey.email must be a string, not a number; journey.accountTypes must not be empty; callbackUrl {address}"
            ),
        ),
        // Both within one part, and in one account of it.
        (
            vec![("/journey/transfer", moved)],
            format!(
                "{at}.sourceAccountType[1] {types}; {at}.required must be a boolean, not a string; {at}.balanceOutput {only}"
            ),
        ),
        // What leans on something that cannot be read waits.
        (
            vec![("/journey/accountTypes", json!(["van"])), ("/journey/transfer", transfer(&custodian))],
            format!("journey.accountTypes[0] {types}"),
        ),
        (
            vec![("/journey/transfer", json!(7)), ("/journey/welcomeScreen", json!("transfer"))],
            "journey.transfer must be an object, not a number".to_owned(),
        ),
        (
            vec![
                ("/journey/paymentAccount", json!({"iban": "SE1"})),
                ("/journey/allocationPlan", json!({"depositType": "autogiro"})),
            ],
            "journey.paymentAccount.iban must be an IBAN with right check digits, without spaces".to_owned(),
        ),
        // Two custodians that cannot be read are not one.
        (
            vec![(
                "/journey/transfer",
                json!({"enforce": "optional", "transfers": [unnumbered(json!(1)), unnumbered(json!(2))]}),
            )],
            "journey.transfer.transfers[0].custodian must be a custodian's id, not a number; \
             journey.transfer.transfers[1].custodian must be a custodian's id, not a number"
                .to_owned(),
        ),
        // A share of nothing known: neither its fund nor the sum is reported a second time.
        (
            vec![(
                "/journey/allocationPlan",
                json!({"instruments": [{"instrument": "x", "allocation": 50}, {"instrument": FUND, "allocation": -1}, {}]}),
            )],
            "journey.allocationPlan.instruments[0].instrument must be an ISIN with its check digit, followed by a currency \
             code; journey.allocationPlan.instruments[2].instrument is required; \
             journey.allocationPlan.instruments[2].allocation is required; \
             journey.allocationPlan.instruments[1].allocation must be greater than zero"
                .to_owned(),
        ),
        // Without a type no field can be judged by it, but the fields beside the journey can.
        (
            vec![("/journey/journeyType", json!("x")), ("/scope", json!("!")), ("/journey/account", json!(NOBODY))],
            "journey.journeyType must be one of `createAccount`, `createLegalEntityAccount`, `addBankAccount`, \
             `signWithdrawal`, `updateAllocationPlan`, `updateSavingsPlan`, `signSubmission` or `kycRenewal`; scope is not \
             acceptable: base64 in the standard or the URL-safe alphabet is expected"
                .to_owned(),
        ),
    ] {
        let mut body = plain();
        for (path, value) in changes {
            let (outer, name) = path.rsplit_once('/').expect("a pointer");
            body.pointer_mut(outer).expect("a place")[name] = value;
        }
        api.post("journey", body).await.refused(400, "invalid_request", &problems);
    }
    assert_eq!(api.digest(), before);
}

/// A transfer part that is right in every field.
fn transfer(custodian: &str) -> Value {
    json!({
        "enforce": "optional",
        "transfers": [{
            "custodian": custodian,
            "accounts": [{
                "accountNumber": "123-456",
                "sourceAccountType": ["isk"],
                "closeAccountAndSavingsplans": null,
                "required": false,
                "untransferableUnitsOutput": ["cash"],
                "defaultUnitsOutput": ["units", "cash", "ignore"],
                "balanceOutput": ["cash", "ignore"],
                "allowInstrumentSelection": true,
                "instruments": [{"instrument": FUND, "units": 1.5}, {"instrument": "SE0SBX000024SEK", "units": null}],
            }],
        }],
    })
}

#[tokio::test]
async fn each_wrong_field_of_a_transfer_is_named_and_a_right_one_comes_back() {
    let api = Api::new().await;
    let custodian = api.get("custodian").await.ok()[0]["id"].as_str().expect("an id").to_owned();
    let before = api.digest();
    let at = "journey.transfer.transfers[0].accounts[0]";
    for (pointer, value, problem) in [
        (
            "/enforce",
            json!(null),
            "journey.transfer.enforce must be one of `required` or `optional`, not null".to_owned(),
        ),
        ("/transfers", json!([]), "journey.transfer.transfers must not be empty".to_owned()),
        ("/transfers/0/custodian", json!("Nobank"), "journey.transfer.transfers[0].custodian is not known".to_owned()),
        ("/transfers/0/accounts", json!([]), "journey.transfer.transfers[0].accounts must not be empty".to_owned()),
        (
            "/transfers/0/accounts/0/accountNumber",
            json!(5),
            format!("{at}.accountNumber must be a string, not a number"),
        ),
        (
            "/transfers/0/accounts/0/sourceAccountType",
            json!(["depot"]),
            format!("{at}.sourceAccountType[0] is not acceptable: it is not one of the journey's `accountTypes`"),
        ),
        (
            "/transfers/0/accounts/0/closeAccountAndSavingsplans",
            json!("yes"),
            format!("{at}.closeAccountAndSavingsplans must be a boolean, not a string"),
        ),
        ("/transfers/0/accounts/0/required", json!(null), format!("{at}.required must be a boolean, not null")),
        (
            "/transfers/0/accounts/0/untransferableUnitsOutput",
            json!(["units"]),
            format!("{at}.untransferableUnitsOutput is not acceptable: only `cash` and `ignore` fit here"),
        ),
        (
            "/transfers/0/accounts/0/balanceOutput",
            json!(["cash", "cash"]),
            format!("{at}.balanceOutput[1] is given twice"),
        ),
        (
            "/transfers/0/accounts/0/instruments/0/units",
            json!(0),
            format!("{at}.instruments[0].units must be greater than zero"),
        ),
    ] {
        let mut given = transfer(&custodian);
        *given.pointer_mut(pointer).expect("a place") = value;
        api.post("journey", with("/journey/transfer", given)).await.refused(400, "invalid_request", &problem);
    }
    let mut without_keys = transfer(&custodian);
    let account = without_keys.pointer_mut("/transfers/0/accounts/0").expect("a place").as_object_mut().expect("one");
    account.remove("accountNumber");
    account.remove("closeAccountAndSavingsplans");
    account.remove("balanceOutput");
    api.post("journey", with("/journey/transfer", without_keys)).await.refused(
        400,
        "invalid_request",
        &format!(
            "{at}.accountNumber is required; it may be null; {at}.closeAccountAndSavingsplans is required; it may be \
             null; {at}.balanceOutput is required"
        ),
    );
    assert_eq!(api.digest(), before);
    let journey = start(&api, &with("/journey/transfer", transfer(&custodian))).await;
    assert_eq!(journey["journey"]["transfer"], transfer(&custodian));
}

#[tokio::test]
async fn partner_data_comes_back_byte_for_byte_up_to_its_limit() {
    let api = Api::new().await;
    for scope in ["", "AA==", "-_-_", "+/+/", &"QUJD".repeat(192)] {
        let journey = start(&api, &with("/scope", json!(scope))).await;
        assert_eq!(journey["scope"], scope);
    }
    assert_eq!(start(&api, &with("/scope", Value::Null)).await["scope"], Value::Null);
}

#[tokio::test]
async fn permissions_bound_a_journey() {
    let api = Api::new().await;
    let client = CLIENTS[2];
    // The second partner's client may open neither insurances nor accounts of professionals.
    let body = json!({
        "journey": {
            "journeyType": "createAccount",
            "accountTypes": ["isk", "insurance"],
            "accountServiceType": "executionOnly",
            "accountCategories": ["retail", "pro"],
        },
        "callbackUrl": "https://partner.example/callback",
    });
    let before = api.digest();
    let path = format!("/v2/partner/client/{client}/journey");
    let request = api.request_of(1, axum::http::Method::POST, &path, body.to_string().into());
    api.send(request).await.refused(
        400,
        "invalid_request",
        "journey.accountTypes[1] is not permitted for this client; \
         journey.accountCategories[1] is not permitted for this client",
    );
    assert_eq!(api.digest(), before);
}

#[tokio::test]
async fn a_callback_must_be_https_in_production() {
    let api = Api::new_in(|settings| settings.journeys.https_callbacks_only = true).await;
    api.post("journey", plain()).await.refused(
        400,
        "invalid_request",
        "callbackUrl is not acceptable: it must be https in production",
    );
    start(&api, &with("/callbackUrl", json!("https://partner.example/callback"))).await;
}
