//! Journeys over the API: started with every rule, read at every stage, moved by levers.

use crate::harness::{Answer, Api, CLIENTS, FUND, pretty};
use serde_json::{Value, json};

/// A person whose every check passes and who has no account.
const PERSON: &str = "198112189876";

/// The plainest journey there is.
pub(crate) fn plain() -> Value {
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
pub(crate) fn with(path: &str, value: Value) -> Value {
    let mut body = plain();
    let (outer, name) = path.rsplit_once('/').expect("a pointer");
    body.pointer_mut(outer).expect("a place").as_object_mut().expect("an object").insert(name.to_owned(), value);
    body
}

pub(crate) async fn start(api: &Api, body: &Value) -> Value {
    api.post("journey", body).await.ok()
}

fn id(resource: &Value) -> String {
    resource["id"].as_str().expect("an id").to_owned()
}

async fn pull(api: &Api, journey: &Value, lever: &str, body: Value) -> Answer {
    api.post(&format!("/simulations/journey/{}/{lever}", id(journey)), body).await
}

/// (rule: journeys/configuration-echo, journeys/journey-link, wire/absent-and-null)
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

/// (rule: journeys/result-account-id)
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
async fn answers_are_given_by_step_and_all_their_problems_are_listed() {
    let api = Api::new().await;
    let journey = start(&api, &with("/journey/ssn", json!(PERSON))).await;
    let before = api.digest();
    for (answers, problem) in [
        (json!([]), "answers must be an object, not an array"),
        (
            json!({"dinner": {}}),
            "answers.dinner is not a step; steps are `welcome`, `authentication`, `accountDetails`, `company`, \
             `beneficialOwners`, `kyc`, `transfer`, `bankAccount`, `allocationPlan`, `savingsPlan`, `agreement` or `signing`",
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
    let steps = "`welcome`, `authentication`, `accountDetails`, `company`, `beneficialOwners`, `kyc`, `transfer`, \
                 `bankAccount`, `allocationPlan`, `savingsPlan`, `agreement` or `signing`";
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
        let ending = (&ended["status"], &ended["errorCode"], &ended["context"], &ended["result"]);
        assert_eq!(ending, (&json!(status), &code, &context, &Value::Null), "{lever}");
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
        let body = if lever == "fail" { json!({"code": "OTHER_ERROR"}) } else { json!({}) };
        let answer = api.send(api.request_of(1, axum::http::Method::POST, &path, body.to_string().into())).await;
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

/// (rule: journeys/journey-levers)
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
                let shown = all.as_array().expect("a list").iter().find(|one| one["step"] == step).expect("the step");
                let fields = shown["fields"].as_array().expect("fields").iter();
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
        "step has not been reached; the journey is at authentication",
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
    for (method, lever, body) in [
        (axum::http::Method::GET, "steps", json!({})),
        (axum::http::Method::POST, "answer", json!({"step": "kyc"})),
        (axum::http::Method::POST, "sign", json!({})),
        (axum::http::Method::POST, "sign", json!({"signer": "199001012385"})),
    ] {
        let path = format!("/simulations/journey/{}/{lever}", id(&journey));
        let foreign = api.send(api.request_of(1, method, &path, body.to_string().into())).await;
        foreign.refused(400, "invalid_request", "journeyId is not known");
    }
}
