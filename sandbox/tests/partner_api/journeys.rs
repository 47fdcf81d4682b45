//! Journeys over the API: started with every rule, read at every stage, moved by levers.

use crate::harness::{Answer, Api, CLIENTS, FUND, NOBODY, pretty};
use serde_json::{Value, json};

/// A person whose every check passes and who has no account.
const PERSON: &str = "198112189876";

/// The plainest journey there is.
fn plain() -> Value {
    json!({
        "journey": {
            "journeyType": "createAccount",
            "accountTypes": ["isk"],
            "accountServiceType": "executionOnly",
            "accountCategories": ["retail"],
        },
        "callbackUrl": "http://127.0.0.1:9/callback",
    })
}

/// `plain`, with `value` at `path`; null stays null.
fn with(path: &str, value: Value) -> Value {
    let mut body = plain();
    let (outer, name) = path.rsplit_once('/').expect("a pointer");
    body.pointer_mut(outer).expect("a place").as_object_mut().expect("an object").insert(name.to_owned(), value);
    body
}

async fn start(api: &Api, body: &Value) -> Value {
    api.post("journey", body).await.ok()
}

fn id(resource: &Value) -> String {
    resource["id"].as_str().expect("an id").to_owned()
}

async fn pull(api: &Api, journey: &Value, lever: &str, body: Value) -> Answer {
    api.post(&format!("/simulations/journey/{}/{lever}", id(journey)), body).await
}

#[tokio::test]
async fn a_new_journey_shows_its_link_its_configuration_and_what_is_null() {
    let api = Api::new().await;
    let body = json!({
        "journey": {
            "journeyType": "createAccount",
            "accountTypes": ["isk", "depot"],
            "accountServiceType": "executionOnly",
            "accountCategories": ["retail"],
            "ssn": PERSON,
            "autogiro": {"enforce": "optional"},
            "instruments": [{"instrument": FUND}],
            "savingsPlan": {"periodicity": "monthly"},
            "allocationPlan": {"depositType": "manual", "instruments": [
                {"instrument": FUND, "allocation": 60.5}, {"instrument": "SE0SBX000024SEK", "allocation": 39.50},
            ]},
            "kycs": [{"qid": "purpose", "answer": "savings"}, {"qid": "originOfFunds", "answer": ["salary"]}],
            "transfer": null,
        },
        "callbackUrl": "https://partner.example/callback?a=1",
        "redirectUrl": "partnerapp://back",
        "scope": "c2NvcGU=",
    });
    let journey = start(&api, &body).await;
    let url = journey["url"].as_str().expect("a link").to_owned();
    let token = url.strip_prefix("http://127.0.0.1:8080/journey/").expect("a link of ours");
    assert_eq!(token.len(), 50);
    insta::assert_snapshot!(pretty(&journey));
    let read = api.get(&format!("journey/{}", id(&journey))).await.ok();
    assert_eq!(read, journey);
}

#[tokio::test]
async fn a_journey_walks_from_new_to_complete_and_its_account_is_there() {
    let api = Api::new().await;
    let journey = start(&api, &with("/journey/ssn", json!(PERSON))).await;
    assert_eq!((&journey["status"], &journey["result"]), (&json!("new"), &Value::Null));
    let opened = pull(&api, &journey, "open", json!({})).await.ok();
    assert_eq!((&opened["status"], &opened["result"]), (&json!("pending"), &Value::Null));
    pull(&api, &journey, "open", json!({})).await.refused(
        409,
        "conflict",
        "journeyId does not allow this while it is pending",
    );
    let complete = pull(&api, &journey, "complete", json!({})).await.ok();
    insta::assert_snapshot!(pretty(&complete));
    let account = complete["result"]["account"]["id"].as_str().expect("an id");
    assert_eq!(api.get(&format!("account/{account}")).await.ok()["status"], "pending");
    api.advance_to("2026-03-02T07:00:06Z").await;
    assert_eq!(api.get(&format!("account/{account}")).await.ok()["status"], "active");
    for lever in ["open", "complete", "cancel", "expire"] {
        let refused = pull(&api, &journey, lever, json!({})).await;
        refused.refused(409, "conflict", "journeyId does not allow this while it is complete");
        assert_eq!((&refused.json()["current"], &refused.json()["allowed"]), (&json!("complete"), &json!([])));
    }
}

#[tokio::test]
async fn a_world_may_keep_the_account_s_id_out_of_results() {
    let api = Api::new_in(|settings| settings.journeys.result_account_id = false).await;
    let journey = start(&api, &with("/journey/ssn", json!(PERSON))).await;
    let complete = pull(&api, &journey, "complete", json!({})).await.ok();
    let account = json!({"status": "pending", "accountType": "isk", "serviceType": "executionOnly"});
    assert_eq!(complete["result"]["account"], account);
    assert_eq!(api.get(&format!("journey/{}", id(&journey))).await.ok(), complete);
    let log = api.get("/_sandbox/worlds/current/events?limit=1").await.ok();
    assert_eq!(log["events"][0]["event"]["payload"]["current"], complete);
}

#[tokio::test]
async fn answers_are_given_by_step_and_everything_wrong_with_them_is_told() {
    let api = Api::new().await;
    let journey = start(&api, &with("/journey/ssn", json!(PERSON))).await;
    let before = api.digest();
    for (answers, problem) in [
        (json!([]), "answers must be an object, not an array"),
        (
            json!({"dinner": {}}),
            "answers.dinner is no step; steps are `welcome`, `authentication`, `accountDetails`, `kyc`, `transfer`, \
             `bankAccount`, `allocationPlan`, `savingsPlan`, `agreement` or `signing`",
        ),
        (json!({"kyc": 7}), "answers.kyc must be an object, not a number"),
        (json!({"kyc": {"pep": {}}}), "answers.kyc.pep must be a string, or an array of strings, not an object"),
        (json!({"savingsPlan": {}}), "answers.savingsPlan is not acceptable: this journey does not ask it"),
        (json!({"kyc": {"pep": "perhaps"}}), "answers.kyc.pep is not one of the choices"),
    ] {
        pull(&api, &journey, "complete", json!({"answers": answers})).await.refused(400, "invalid_request", problem);
    }
    assert_eq!(api.digest(), before);
    let answers = json!({"answers": {"kyc": {"pep": false, "originOfFunds": ["salary", "business"]}}});
    assert_eq!(pull(&api, &journey, "complete", answers).await.ok()["status"], "complete");
}

#[tokio::test]
async fn a_journey_ends_canceled_failed_or_expired_with_reason_and_place() {
    let api = Api::new().await;
    let steps = "`welcome`, `authentication`, `accountDetails`, `kyc`, `transfer`, `bankAccount`, `allocationPlan`, \
                 `savingsPlan`, `agreement` or `signing`";
    for (lever, body, status, code, context) in [
        ("cancel", json!({}), "canceled", json!("USER_ERROR"), json!("authentication")),
        ("cancel", json!({"context": "kyc"}), "canceled", json!("USER_ERROR"), json!("kyc")),
        ("fail", json!({"code": "AUTH_ERROR"}), "error", json!("AUTH_ERROR"), json!("authentication")),
        ("fail", json!({"code": "KYC_ERROR", "context": "kyc"}), "error", json!("KYC_ERROR"), json!("kyc")),
        ("fail", json!({"code": "TRANSFER_ERROR"}), "error", json!("TRANSFER_ERROR"), json!("authentication")),
        ("fail", json!({"code": "SIGN_ERROR", "context": "signing"}), "error", json!("SIGN_ERROR"), json!("signing")),
        ("fail", json!({"code": "OTHER_ERROR"}), "error", json!("OTHER_ERROR"), json!("authentication")),
        ("expire", json!({}), "expired", Value::Null, Value::Null),
    ] {
        let journey = start(&api, &plain()).await;
        let ended = pull(&api, &journey, lever, body).await.ok();
        let told = (&ended["status"], &ended["errorCode"], &ended["context"], &ended["result"]);
        assert_eq!(told, (&json!(status), &code, &context, &Value::Null), "{lever}");
    }
    let journey = start(&api, &plain()).await;
    for (lever, body, problem) in [
        ("cancel", json!({"context": "lunch"}), format!("context must be one of {steps}")),
        ("fail", json!({}), "code is required".to_owned()),
        (
            "fail",
            json!({"code": "USER_ERROR"}),
            "code is not acceptable: this code is the customer's own: cancel the journey".to_owned(),
        ),
    ] {
        pull(&api, &journey, lever, body).await.refused(400, "invalid_request", &problem);
    }
}

#[tokio::test]
async fn a_link_lives_a_day_and_two_weeks_where_several_sign() {
    let api = Api::new().await;
    assert_eq!(start(&api, &plain()).await["expiryDate"], "2026-03-03T07:00:00.000Z");
    let legal = json!({
        "journey": {
            "journeyType": "createLegalEntityAccount",
            "accountServiceType": "executionOnly",
            "accountOptions": {
                "ownerType": "legal_entity", "serviceTypes": ["executionOnly"], "accountTypes": ["depot"],
                "accountCategories": ["retail", "pro"],
            },
        },
        "callbackUrl": "https://partner.example/callback",
    });
    let journey = start(&api, &legal).await;
    assert_eq!(journey["expiryDate"], "2026-03-16T08:00:00.000Z");
    let complete = pull(&api, &journey, "complete", json!({})).await.ok();
    let submission = &complete["result"]["submission"];
    assert_eq!(submission["id"], complete["submission"], "{complete}");
    assert_eq!(complete["result"]["account"]["accountType"], "depot", "{complete}");
}

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
            "redirectUrl is not acceptable: this scheme is refused because it could run or read something".to_owned(),
        ),
        (
            "/completionRedirectUrl",
            json!("data:text/html,x"),
            "completionRedirectUrl is not acceptable: this scheme is refused because it could run or read something"
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
async fn problems_of_the_journey_and_of_what_stands_beside_it_are_told_together() {
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
async fn what_cannot_be_read_and_what_breaks_a_rule_are_told_together_and_nothing_twice() {
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
        // A share of nothing known: neither its fund nor the sum is told of a second time.
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
        // Without a type no field can be judged by it, but what stands beside the journey can.
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

#[tokio::test]
async fn another_partner_and_another_client_see_nothing_of_a_journey() {
    let api = Api::new().await;
    let journey = id(&start(&api, &plain()).await);
    let under = |client: &str| format!("/v2/partner/client/{client}/journey/{journey}");
    let scope = "clientId is not within the scope of this token";
    api.get_as(1, &under(CLIENTS[0])).await.refused(403, "forbidden", scope);
    let request = api.request_of(
        1,
        axum::http::Method::POST,
        &under(CLIENTS[0]).replace(&format!("/{journey}"), ""),
        plain().to_string().into(),
    );
    api.send(request).await.refused(403, "forbidden", scope);
    for (partner, client) in [(1, CLIENTS[2]), (0, CLIENTS[1])] {
        api.get_as(partner, &under(client)).await.refused(400, "invalid_request", "journeyId is not known");
    }
    let before = api.digest();
    for lever in ["open", "complete", "cancel", "fail", "expire"] {
        let path = format!("/simulations/journey/{journey}/{lever}");
        let body = json!({"code": "OTHER_ERROR"}).to_string();
        let answer = api.send(api.request_of(1, axum::http::Method::POST, &path, body.into())).await;
        answer.refused(400, "invalid_request", "journeyId is not known");
    }
    assert_eq!(api.digest(), before);
}

#[tokio::test]
async fn a_token_needs_the_journey_rights() {
    let api = Api::new().await;
    let journey = id(&start(&api, &plain()).await);
    let reader = api.issue(0, "journey:read").await;
    let client = CLIENTS[0];
    let read = axum::http::Request::get(format!("/v2/partner/client/{client}/journey/{journey}"))
        .header("authorization", format!("Bearer {reader}"))
        .body(axum::body::Body::empty())
        .expect("a request");
    assert_eq!(api.send(read).await.status, 200);
    let write = axum::http::Request::post(format!("/v2/partner/client/{client}/journey"))
        .header("authorization", format!("Bearer {reader}"))
        .header("content-type", "application/json")
        .body(plain().to_string().into())
        .expect("a request");
    api.send(write).await.refused(403, "forbidden", "the access token lacks the scope journey:write");
}

/// The name of each step with how far the customer is.
async fn progress(api: &Api, journey: &Value) -> Vec<(String, String)> {
    let steps = api.get(&format!("/simulations/journey/{}/steps", id(journey))).await.ok();
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    steps.as_array().expect("a list").iter().map(|step| (text(&step["step"]), text(&step["state"]))).collect()
}

#[tokio::test]
async fn a_script_walks_a_journey_step_by_step_as_a_person_would() {
    let api = Api::new().await;
    let journey = start(&api, &plain()).await;
    let unopened = pull(&api, &journey, "sign", json!({"signer": PERSON})).await;
    unopened.refused(409, "conflict", "journeyId does not allow this while it is new");
    pull(&api, &journey, "open", json!({})).await.ok();
    pull(&api, &journey, "sign", json!({})).await.refused(
        400,
        "invalid_request",
        "signer is required: the journey does not say who signs",
    );
    for _ in 0..12 {
        let steps = progress(&api, &journey).await;
        let Some((current, _)) = steps.iter().find(|(_, state)| state == "current") else { break };
        let status = match current.as_str() {
            "authentication" | "signing" => pull(&api, &journey, "sign", json!({"signer": PERSON})).await.ok(),
            step => {
                let all = api.get(&format!("/simulations/journey/{}/steps", id(&journey))).await.ok();
                let asked = all.as_array().expect("a list").iter().find(|one| one["step"] == step).expect("the step");
                let fields = asked["fields"].as_array().expect("fields").iter();
                let open = fields.filter(|field| field["readOnly"] == false);
                let answers: serde_json::Map<String, Value> = open
                    .map(|field| (field["name"].as_str().expect("a name").to_owned(), field["suggestion"].clone()))
                    .collect();
                pull(&api, &journey, "answer", json!({"step": step, "answers": answers})).await.ok()
            }
        };
        if status["status"] == "complete" {
            break;
        }
    }
    let read = api.get(&format!("journey/{}", id(&journey))).await.ok();
    assert_eq!(read["status"], "complete", "{read}");
    assert_eq!(read["result"]["account"]["accountType"], "isk");
}

#[tokio::test]
async fn a_step_is_answered_when_it_has_been_reached_and_rightly() {
    let api = Api::new().await;
    let journey = start(&api, &with("/journey/ssn", json!(PERSON))).await;
    pull(&api, &journey, "open", json!({})).await.ok();
    let before = api.digest();
    let (path, body) = (format!("/simulations/journey/{}/answer", id(&journey)), json!({"step": "kyc"}));
    api.post(&path, &body).await.refused(
        400,
        "invalid_request",
        "step has not been reached; the journey stands at authentication",
    );
    pull(&api, &journey, "sign", json!({"signer": "199001012385"})).await.refused(
        400,
        "invalid_request",
        "signer is not acceptable: another person walks this journey",
    );
    for (body, problem) in [
        (json!({}), "step is required"),
        (json!({"step": "kyc", "answers": 7}), "answers must be an object, not a number"),
    ] {
        api.post(&path, body).await.refused(400, "invalid_request", problem);
    }
    assert_eq!(api.digest(), before);
    let outcome = json!({"outcome": "abort"});
    let aborted = pull(&api, &journey, "sign", outcome).await.ok();
    assert_eq!((&aborted["status"], &aborted["errorCode"]), (&json!("canceled"), &json!("USER_ERROR")));
    for lever in ["steps", "answer", "sign"] {
        let method = if lever == "steps" { axum::http::Method::GET } else { axum::http::Method::POST };
        let path = format!("/simulations/journey/{}/{lever}", id(&journey));
        let foreign = api.send(api.request_of(1, method, &path, body.to_string().into())).await;
        foreign.refused(400, "invalid_request", "journeyId is not known");
    }
}
