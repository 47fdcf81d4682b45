//! Every problem of a request is in the error body, and the world is the same as before.

use crate::harness::{Api, CLIENTS, FUND, NOBODY};
use axum::body::Body;
use axum::http::Method;
use feed::transport::SurfaceSettings;
use wire::error::UnknownResource;

/// A good order for `account`, with `field` replaced by `value`, or left out when that is empty.
fn order(account: &str, field: &str, value: &str) -> String {
    let good = [
        ("account", format!("\"{account}\"")),
        ("orderType", "\"subscription\"".to_owned()),
        ("instrument", format!("\"{FUND}\"")),
        ("amount", "1000.00".to_owned()),
    ];
    let mut fields: Vec<String> = good
        .iter()
        .map(|(name, usual)| (*name, if *name == field { value } else { usual }))
        .filter(|(_, text)| !text.is_empty())
        .map(|(name, text)| format!("\"{name}\":{text}"))
        .collect();
    if !good.iter().any(|(name, _)| *name == field) && !field.is_empty() {
        fields.push(format!("\"{field}\":{value}"));
    }
    format!("{{{}}}", fields.join(","))
}

/// (rule: orders/amount-or-units, orders/order-client-ref)
#[tokio::test]
async fn each_wrong_field_of_an_order_is_named_and_nothing_changes() {
    let api = Api::new().await;
    let account = api.account(2).await;
    let before = api.digest();
    let ninety_digits = "9".repeat(90);
    let long = format!("\"{}\"", "x".repeat(256));
    for (field, value, problem) in [
        ("account", "", "account is required"),
        ("account", "null", "account must be a UUID, not null"),
        ("account", "7", "account must be a UUID, not a number"),
        ("account", "\"7\"", "account must be a UUID"),
        ("account", &format!("\"{NOBODY}\""), "account is not known"),
        ("orderType", "\"buy\"", "orderType must be one of `subscription` or `redemption`"),
        ("orderType", "true", "orderType must be one of `subscription` or `redemption`, not a boolean"),
        (
            "instrument",
            "\"SE0SBX000016\"",
            "instrument must be an ISIN with its check digit, followed by a currency code",
        ),
        ("instrument", "\"SE0SBX000313SEK\"", "instrument is not known"),
        (
            "instrument",
            "[]",
            "instrument must be an ISIN with its check digit, followed by a currency code, not an array",
        ),
        ("amount", "", "amount is required"),
        ("amount", "null", "amount is required"),
        ("amount", "\"1000\"", "amount must be a number, not a string"),
        ("amount", "{}", "amount must be a number, not an object"),
        ("amount", "0", "amount must be greater than zero"),
        ("amount", "-0.00", "amount must be greater than zero"),
        ("amount", "-5", "amount must be greater than zero"),
        ("amount", "10.001", "amount must have at most 2 decimals"),
        ("amount", "1e-7", "amount must have at most 2 decimals"),
        ("amount", "1e400", "amount is too large"),
        ("amount", "1e999999999999", "amount is too large"),
        ("amount", &ninety_digits, "amount is too large"),
        ("amount", "99.99", "amount must be at least 100.00 SEK for this purchase"),
        ("amount", "100000.01", "amount exceeds the available cash of 100000.00 SEK"),
        ("units", "1", "units must be left out: a subscription is ordered by amount"),
        ("units", "1.12345678", "units must have at most 7 decimals"),
        ("clientRef", &long, "clientRef must be at most 255 characters long"),
        ("clientRef", "5", "clientRef must be a string, not a number"),
        (
            "executorRef",
            "\"199001012386\"",
            "executorRef must be a personal number of twelve digits with its check digit",
        ),
        ("executorRef", "\"199001012385\"", "executorRef must be the account's owner or one of its signatories"),
    ] {
        let answer = api.post("order", order(&account, field, value)).await;
        answer.refused(400, "invalid_request", problem);
    }
    assert_eq!(api.digest(), before);
    assert_eq!(api.post("order", order(&account, "amount", "1.0E3")).await.ok()["amount"].to_string(), "1000.00");
}

/// (rule: wire/error-body)
#[tokio::test]
async fn all_problems_are_listed_at_once() {
    let api = Api::new().await;
    let body = r#"{"account":1,"orderType":"x","amount":"y","units":true}"#;
    api.post("order", body).await.refused(
        400,
        "invalid_request",
        "account must be a UUID, not a number; orderType must be one of `subscription` or `redemption`; \
         instrument is required; amount must be a number, not a string; units must be a number, not a boolean",
    );
    // What cannot be read, and what breaks a rule, and neither of them twice.
    for (path, body, problems) in [
        (
            "order",
            r#"{"account":1,"orderType":"redemption","instrument":"SE0SBX000016SEK","amount":5}"#.to_owned(),
            "account must be a UUID, not a number; units is required; amount must be left out: a redemption is ordered by units",
        ),
        (
            "order",
            format!(
                r#"{{"account":"{NOBODY}","orderType":"subscription","instrument":"x","amount":"5","clientRef":"{}"}}"#,
                "x".repeat(256)
            ),
            "instrument must be an ISIN with its check digit, followed by a currency code; amount must be a number, not a \
             string; clientRef must be at most 255 characters long",
        ),
        (
            "order/withdrawal",
            format!(
                r#"{{"account":"{NOBODY}","orderType":"subscription","instrument":"x","units":0,"bankAccount":5}}"#
            ),
            "orderType must be `redemption` here; instrument must be an ISIN with its check digit, followed by a currency \
             code; executorRef is required; bankAccount must be a UUID, not a number; units must be greater than zero",
        ),
        (
            "order/redemptionTransfer",
            format!(
                r#"{{"account":"{NOBODY}","orderType":"redemption","instrument":"{FUND}","units":-1,"executorRef":"x"}}"#
            ),
            "executorRef must be a personal number of twelve digits with its check digit; destinationAccount is required; \
             units must be greater than zero",
        ),
    ] {
        api.post(path, body).await.refused(400, "invalid_request", problems);
    }
}

#[tokio::test]
async fn a_body_that_is_no_json_object_is_refused_and_nothing_changes() {
    let api = Api::new().await;
    let account = api.account(2).await;
    let before = api.digest();
    let good = order(&account, "", "");
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let deep_field = order(&account, "extra", &format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000)));
    let huge = format!("{{\"clientRef\":\"{}\"}}", "x".repeat(2 << 20));
    let mut not_utf8 = order(&account, "clientRef", "\"?\"").into_bytes();
    let at = not_utf8.iter().position(|&byte| byte == b'?').expect("a mark");
    not_utf8[at] = 0xC3;
    for (body, problem) in [
        (b"".to_vec(), "body is required"),
        (b"null".to_vec(), "body must be an object, not null"),
        (b"[]".to_vec(), "body must be an object, not an array"),
        (b"\"text\"".to_vec(), "body must be an object, not a string"),
        (
            good.as_bytes()[..good.len() - 1].to_vec(),
            &*format!("body must be JSON: EOF while parsing an object at line 1 column {}", good.len() - 1),
        ),
        (
            format!("{good}{good}").into_bytes(),
            &format!("body must be JSON: trailing characters at line 1 column {}", good.len() + 1),
        ),
        (
            good.replace("1000.00", "01000").into_bytes(),
            &format!("body must be JSON: invalid number at line 1 column {}", good.len() - 6),
        ),
        (good.replace("\"amount\"", "\"account\"").into_bytes(), "body repeats the key `account` in one object"),
        (order(&account, "extra", r#"[{"b":{"c":1,"c":1}}]"#).into_bytes(), "body repeats the key `c` in one object"),
        (not_utf8, "body must be UTF-8 text"),
        (deep.into_bytes(), "body must not nest more than 32 levels"),
        (deep_field.into_bytes(), "body must not nest more than 32 levels"),
        (huge.into_bytes(), "body is larger than 1048576 bytes"),
    ] {
        let shown = String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned();
        let answer = api.send(api.request(Method::POST, "order", Body::from(body))).await;
        assert_eq!(answer.json()["error_description"], problem, "{shown}");
        answer.refused(400, "invalid_request", problem);
    }
    assert_eq!(api.digest(), before);
}

/// (rule: wire/content-type)
#[tokio::test]
async fn a_body_must_be_declared_as_json() {
    let api = Api::new().await;
    let account = api.account(2).await;
    for (declared, status) in [
        ("application/json; charset=utf-8", 200),
        ("text/json", 400),
        ("application/x-www-form-urlencoded", 400),
        ("", 400),
    ] {
        let mut request = api.request(Method::POST, "order", Body::from(order(&account, "", "")));
        request.headers_mut().insert("content-type", declared.parse().expect("a header"));
        let answer = api.send(request).await;
        assert_eq!(answer.status, status, "{declared}");
        if status == 400 {
            answer.refused(400, "invalid_request", "content-type must be application/json");
        }
    }
}

/// (rule: wire/unknown-fields)
#[tokio::test]
async fn unknown_fields_are_ignored_unless_the_world_is_strict() {
    let api = Api::new().await;
    let account = api.account(2).await;
    assert_eq!(api.post("order", order(&account, "colour", "\"red\"")).await.status, 200);
    // A lever is pulled by people who would not notice that a misspelt word does nothing.
    let pulled = api.post("/simulations/screening", r#"{"ssn":"199001012385","hit":"pep","colour":"red"}"#).await;
    pulled.refused(400, "invalid_request", "colour is not a known field");
    let strict = Api::with(SurfaceSettings { strict_bodies: true, ..SurfaceSettings::default() }).await;
    let account = strict.account(2).await;
    let before = strict.digest();
    let answer = strict.post("order", order(&account, "colour", "\"red\"")).await;
    answer.refused(400, "invalid_request", "colour is not a known field");
    let answer = strict.post("order", order(&account, "x\\u0000y", "1")).await;
    assert_eq!(answer.status, 400);
    assert_eq!(strict.digest(), before);
    assert_eq!(strict.post("order", order(&account, "", "")).await.status, 200);
}

/// (rule: wire/unknown-fields)
#[tokio::test]
async fn unknown_parameters_are_ignored_unless_the_world_is_strict() {
    let (api, strict) =
        (Api::new().await, Api::with(SurfaceSettings { strict_bodies: true, ..SurfaceSettings::default() }).await);
    for (path, problem) in [
        ("account?limt=2", Some("limt is not a known parameter")),
        ("account?limit=2&limt=2&colour=red", Some("limt is not a known parameter; colour is not a known parameter")),
        ("/v2/partner/client?colour=red", Some("colour is not a known parameter")),
        ("account?limit=2", None),
        ("order?status=settled&status", Some("status is given more than once")),
        ("transaction/cash?reftype=none", Some("reftype must be one of")),
    ] {
        let (loose, strict) = (api.get(path).await, strict.get(path).await);
        match problem {
            Some(problem) if problem.contains("known") => {
                assert_eq!(loose.status, 200, "{path}: {}", loose.text);
                strict.refused(400, "invalid_request", problem);
            }
            Some(problem) => assert!(strict.status == 400 && strict.text.contains(problem), "{path}: {}", strict.text),
            None => assert_eq!((loose.status, strict.status), (200, 200), "{path}"),
        }
    }
    // People read the machinery, and would not notice that a misspelt word does nothing.
    api.get("/_sandbox/worlds/current/events?limt=2").await.refused(
        400,
        "invalid_request",
        "limt is not a known parameter",
    );
}

#[tokio::test]
async fn credentials_come_before_everything_else() {
    let api = Api::new().await;
    let before = api.digest();
    for path in
        ["order", "/v2/partner/client/x/order", "/simulations/account", &format!("/simulations/order/{NOBODY}/hold")]
    {
        let mut request = api.request(Method::POST, path, Body::from("{"));
        request.headers_mut().remove("authorization");
        api.send(request).await.refused(401, "unauthorized", "an access token is required");
        let mut request = api.request(Method::POST, path, Body::from("{"));
        request.headers_mut().insert("authorization", format!("Bearer {NOBODY}").parse().expect("a header"));
        api.send(request).await.refused(401, "unauthorized", "the access token is not valid, or no longer");
    }
    assert_eq!(api.digest(), before);
}

#[tokio::test]
async fn another_partners_client_hides_what_is_wrong_with_the_rest() {
    let api = Api::new().await;
    let path = format!("/v2/partner/client/{}/order?validate-only=maybe", CLIENTS[2]);
    api.post(&path, "{").await.refused(403, "forbidden", "clientId is not within the scope of this token");
}

#[tokio::test]
async fn a_problem_is_listed_once_for_each_item_up_to_a_bound() {
    let api = Api::new().await;
    let items = vec!["1"; 1_000].join(",");
    let body = format!(r#"{{"clientId":"{}","accountType":"isk","positions":[{items}]}}"#, CLIENTS[0]);
    let answer = api.post("/simulations/account", body).await;
    let text = answer.json()["error_description"].as_str().expect("a description").to_owned();
    assert!(text.starts_with("positions[0] must be an object, not a number; positions[1] must"), "{text}");
    assert!(text.ends_with("; and 900 more problems"), "{text}");
}

/// (rule: wire/unknown-ids)
#[tokio::test]
async fn a_world_may_answer_unknown_ids_in_another_way() {
    for (status, error) in [(400, "invalid_request"), (403, "forbidden"), (404, "not_found")] {
        let unknown_resource = UnknownResource::of(status).expect("a choice");
        let api = Api::with(SurfaceSettings { unknown_resource, ..SurfaceSettings::default() }).await;
        let before = api.digest();
        for (path, field) in [
            (format!("account/{NOBODY}"), "accountId"),
            (format!("account/{NOBODY}/transaction/cash"), "accountId"),
            (format!("order/{NOBODY}"), "orderId"),
            ("/v2/partner/instrument/SE0SBX000313SEK".to_owned(), "instrumentId"),
        ] {
            api.get(&path).await.refused(status, error, &format!("{field} is not known"));
        }
        api.delete(&format!("order/{NOBODY}")).await.refused(status, error, "orderId is not known");
        assert_eq!(api.digest(), before);
        api.get("account/x").await.refused(400, "invalid_request", "accountId must be a UUID");
    }
}
