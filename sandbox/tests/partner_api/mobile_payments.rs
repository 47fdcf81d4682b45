//! Mobile payments: asked for, read, moved by levers, and decided by the payer on the page that plays the app.

use crate::harness::{Api, CLIENTS, NOBODY};
use crate::pages::{Page, Pairs, pair};
use axum::body::Body;
use axum::http::{Method, Request, header};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};

async fn ask(api: &Api, body: Value) -> Value {
    let account = api.account(2).await;
    api.post(&format!("account/{account}/deposit/mobilepay"), body).await.ok()
}

/// A payment that waits for its payer.
async fn waiting() -> (Api, Value) {
    let api = Api::new_in(|settings| settings.mobile_payments.auto_pay = false).await;
    let payment = ask(&api, json!({"type": "same_device", "amount": 250.50})).await;
    (api, payment)
}

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value[field].as_str().expect("a text")
}

fn lever(payment: &Value, act: &str) -> String {
    format!("/simulations/mobilepay/{}/{act}", text(payment, "id"))
}

fn address(payment: &Value) -> String {
    format!("/v2/partner/deposit/mobilepay/{}", text(payment, "id"))
}

/// (rule: payments/mobile-payment-session, payments/mobile-payment-states)
#[tokio::test]
async fn a_payment_is_asked_for_read_and_paid() {
    let api = Api::new().await;
    let payment = ask(&api, json!({"type": "same_device", "amount": 250.50})).await;
    let members: Vec<_> = payment.as_object().expect("an object").keys().cloned().collect();
    assert_eq!(members, ["id", "token", "paymentId"]);
    insta::assert_snapshot!(api.get(&address(&payment)).await.pretty());
    api.advance_to("2026-03-02T08:00:04+01:00").await;
    let paid = api.get(&address(&payment)).await.ok();
    assert_eq!((&paid["status"], &paid["errorCode"]), (&json!("paid"), &Value::Null));
    let account = api.account(2).await;
    let path = format!("account/{account}/transaction/cash?ref={}", text(&payment, "paymentId"));
    let cash = api.get(&path).await.ok();
    assert_eq!(cash.as_array().expect("a list").len(), 1);
    assert_eq!((text(&cash[0], "transactionType"), text(&cash[0], "refType")), ("deposit", "payment"));
    assert_eq!(
        (cash[0]["amount"].to_string(), text(&cash[0], "settlementDate")),
        ("250.50".to_owned(), "2026-03-02T00:00:00.000Z")
    );
}

/// (rule: payments/mobile-payment-session)
#[tokio::test]
async fn another_device_gets_a_code_in_the_form_that_is_named() {
    let api = Api::new().await;
    for (named, kind, begins) in [
        (None, "image/png", &b"\x89PNG"[..]),
        (Some("png"), "image/png", b"\x89PNG"),
        (Some("jpg"), "image/jpeg", b"\xff\xd8\xff"),
        (Some("svg"), "image/svg+xml", b"<?xml"),
    ] {
        let mut body = json!({"type": "other_device", "amount": 20});
        if let Some(named) = named {
            body["qrFormat"] = json!(named);
        }
        let payment = ask(&api, body).await;
        let image = text(&payment, "qrImage").strip_prefix(&format!("data:{kind};base64,")).expect("its kind");
        assert!(BASE64_STANDARD.decode(image).expect("base64").starts_with(begins), "{named:?}");
    }
}

/// (rule: payments/mobile-payment-session, payments/mobile-payment-outcomes, payments/limits-are-inclusive)
#[tokio::test]
async fn all_problems_of_a_payment_request_are_listed_at_once() {
    let api = Api::new().await;
    let account = api.account(2).await;
    let path = format!("account/{account}/deposit/mobilepay");
    let before = api.digest();
    let between = "amount must lie between 1.00 and 150000.00 SEK";
    let no_code = "qrFormat must be left out: a payment on the same device has no QR code";
    for (body, problem) in [
        (json!({}), "type is required; amount is required".to_owned()),
        (json!({"type": "phone", "amount": 5}), "type must be one of `same_device` or `other_device`".to_owned()),
        (json!({"type": "same_device", "amount": 0.99}), between.to_owned()),
        (json!({"type": "same_device", "amount": 150_000.01}), between.to_owned()),
        (json!({"type": "same_device", "amount": 5, "qrFormat": "png"}), no_code.to_owned()),
        (json!({"type": "same_device", "amount": 0, "qrFormat": "png"}), format!("{between}; {no_code}")),
        (
            json!({"type": "other_device", "amount": 0, "qrFormat": "gif"}),
            format!("qrFormat must be one of `png`, `jpg` or `svg`; {between}"),
        ),
        (
            json!({"type": "same_device", "amount": 5.01}),
            "amount is not acceptable: ACMT07, the payee is not enrolled".to_owned(),
        ),
    ] {
        api.post(&path, &body).await.refused(400, "invalid_request", &problem);
    }
    let body = json!({"type": "same_device", "amount": 5});
    let unknown = format!("account/{NOBODY}/deposit/mobilepay");
    api.post(&unknown, &body).await.refused(400, "invalid_request", "accountId is not known");
    let elsewhere = format!("/v2/partner/client/{}/{path}", CLIENTS[2]);
    api.post(&elsewhere, &body).await.refused(403, "forbidden", "clientId is not within the scope of this token");
    assert_eq!(api.digest(), before);
}

/// (rule: payments/payment-permissions)
#[tokio::test]
async fn a_client_without_the_permission_is_refused_before_its_body_is_read() {
    let api = Api::of(|setup| setup.partners[0].clients[0].permissions.mobile_payment = false).await;
    let account = api.account(2).await;
    for body in ["{}", "nonsense", r#"{"type":"same_device","amount":5}"#] {
        let answer = api.post(&format!("account/{account}/deposit/mobilepay"), body).await;
        answer.refused(403, "forbidden", "clientId is not permitted for this client");
    }
}

/// (rule: payments/mobile-payment-session)
#[tokio::test]
async fn a_session_is_read_by_its_own_partner_only() {
    let (api, payment) = waiting().await;
    assert_eq!(text(&api.get(&address(&payment)).await.ok(), "status"), "pending");
    let scope = "mobilepayId is not within the scope of this token";
    api.get_as(1, &address(&payment)).await.refused(403, "forbidden", scope);
    let nobody = format!("/v2/partner/deposit/mobilepay/{NOBODY}");
    api.get(&nobody).await.refused(400, "invalid_request", "mobilepayId is not known");
    let of_other_partner = api.request_of(1, Method::POST, &lever(&payment, "pay"), Body::empty());
    api.send(of_other_partner).await.refused(400, "invalid_request", "mobilepayId is not known");
}

/// (rule: payments/mobile-payment-states, payments/mobile-payment-late, wire/conflicts)
#[tokio::test]
async fn levers_move_a_session_once_and_a_late_answer_comes_after_silence() {
    for (act, body, code) in [
        ("decline", json!({}), "DECLINED"),
        ("fail", json!({"errorCode": "RF07"}), "RF07"),
        ("fail", json!({"errorCode": "TM01"}), "TM01"),
    ] {
        let (api, payment) = waiting().await;
        let failed = api.post(&lever(&payment, act), &body).await.ok();
        assert_eq!((text(&failed, "status"), text(&failed, "errorCode")), ("pending", code));
        let conflict = api.post(&lever(&payment, "pay"), "").await;
        let why = format!("mobilepayId does not allow this while it is {code}");
        conflict.refused(409, "conflict", &why);
        assert_eq!((&conflict.json()["current"], &conflict.json()["allowed"]), (&json!(code), &json!([])));
    }
    let (api, payment) = waiting().await;
    api.post(&lever(&payment, "fail"), json!({"errorCode": "DS24"})).await.ok();
    let again = api.post(&lever(&payment, "decline"), "").await;
    assert_eq!((again.status, &again.json()["allowed"]), (409, &json!(["pay"])));
    let paid = api.post(&lever(&payment, "pay"), "").await.ok();
    assert_eq!((text(&paid, "status"), &paid["errorCode"]), ("paid", &Value::Null));
    assert_eq!(api.post(&lever(&payment, "pay"), "").await.status, 409);
    let codes = "errorCode must be one of `RF07`, `BANKIDCL`, `BANKIDONGOING`, `BANKIDUNKN`, `FF10`, `TM01` or `DS24`";
    api.post(&lever(&payment, "fail"), json!({"errorCode": "DECLINED"})).await.refused(400, "invalid_request", codes);
}

/// (rule: payments/mobile-payment-refused-payers)
#[tokio::test]
async fn payers_are_refused_at_creation_by_a_lever_of_their_account() {
    let api = Api::new().await;
    let account = api.account(0).await;
    let (lever, path) =
        (format!("/simulations/account/{account}/mobilepay"), format!("account/{account}/deposit/mobilepay"));
    let request = json!({"type": "same_device", "amount": 100});
    for (code, meaning) in [
        ("ACMT03", "the payer is not enrolled"),
        ("BE18", "the payer's number is not valid"),
        ("RP06", "another request to the payer is active"),
    ] {
        let changed = api.post(&lever, json!({"errorCode": code})).await.ok();
        assert_eq!(changed["id"], json!(account));
        let why = format!("accountId is not acceptable: {code}, {meaning}");
        api.post(&path, &request).await.refused(400, "invalid_request", &why);
    }
    let codes = "errorCode must be one of `ACMT03`, `ACMT07`, `BE18` or `RP06`";
    api.post(&lever, json!({"errorCode": "RF07"})).await.refused(400, "invalid_request", codes);
    let of_other_partner = api.request_of(1, Method::POST, &lever, Body::empty());
    api.send(of_other_partner).await.refused(400, "invalid_request", "accountId is not known");
    api.post(&lever, "").await.ok();
    assert_eq!(text(&api.post(&path, &request).await.ok(), "token").len(), 32, "payers can be asked again");
}

/// (rule: payments/mobile-payment-states)
#[tokio::test]
async fn a_world_that_exposes_errors_shows_them_as_a_status() {
    let api = Api::new_in(|settings| settings.mobile_payments.expose_error = true).await;
    let payment = ask(&api, json!({"type": "same_device", "amount": 5.06})).await;
    api.advance_to("2026-03-02T08:00:04+01:00").await;
    let failed = api.get(&address(&payment)).await.ok();
    assert_eq!((text(&failed, "status"), text(&failed, "errorCode")), ("error", "FF10"));
}

/// Somebody before the page of a payment.
struct Payer<'a> {
    api: &'a Api,
    token: String,
}

impl<'a> Payer<'a> {
    fn of(api: &'a Api, payment: &Value) -> Self {
        Self { api, token: text(payment, "token").to_owned() }
    }

    async fn send(&self, method: Method, page: &str, pairs: &Pairs, site: &str) -> Page {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        let request = Request::builder()
            .method(method)
            .uri(format!("/pay/{}{page}", self.token))
            .header(header::ACCEPT_LANGUAGE, "en")
            .header("sec-fetch-site", site)
            .body(Body::from(body))
            .expect("a request");
        let answer = self.api.surface().handle(request, None).await.expect("an answer");
        let (parts, body) = answer.into_parts();
        let bytes = body.collect().await.expect("a body").to_bytes();
        let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
        let page = Page { status: parts.status.as_u16(), headers: parts.headers, text };
        page.check(&self.token);
        page
    }

    async fn see(&self, page: &str) -> Page {
        self.send(Method::GET, page, &Pairs::new(), "same-origin").await
    }

    /// Opens the payment and presses a button.
    async fn press(&self, button: &str, more: &[(&str, &str)]) -> Page {
        assert_eq!(self.see("").await.leads_to(), format!("{}/world-1", self.token));
        let shown = self.see("/world-1?lang=en").await;
        let mut pairs = vec![pair("_form", &shown.token()), pair("_outcome", button)];
        pairs.extend(more.iter().map(|(name, value)| pair(name, value)));
        self.send(Method::POST, "/world-1?lang=en", &pairs, "same-origin").await
    }
}

/// (rule: payments/mobile-payment-outcomes, payments/mobile-payment-states)
#[tokio::test]
async fn the_page_pays_declines_and_fails_and_then_shows_the_outcome() {
    for (button, failure, status, code, heading) in [
        ("pay", "", "paid", None, "Paid"),
        ("decline", "", "pending", Some("DECLINED"), "Declined"),
        ("fail", "RF07", "pending", Some("RF07"), "Not paid"),
        ("fail", "TM01", "pending", Some("TM01"), "Too late"),
        ("fail", "DS24", "pending", Some("DS24"), "The outcome is not known yet"),
    ] {
        let (api, payment) = waiting().await;
        let payer = Payer::of(&api, &payment);
        let sent = payer.press(button, &[("_failure", failure)]).await;
        assert_eq!(sent.leads_to(), "world-1");
        let read = api.get(&address(&payment)).await.ok();
        assert_eq!((text(&read, "status"), read["errorCode"].as_str()), (status, code));
        let end = payer.see("/world-1?lang=en").await;
        assert!(end.text.contains(&format!("<h1>{heading}</h1>")), "{}", end.text);
        assert!(end.text.contains("250.50\u{a0}SEK") && !end.text.contains("<form"), "a dead end: {}", end.text);
        let again = payer.see("/world-1?lang=sv").await;
        assert!(again.text.contains("250,50\u{a0}kr"), "{}", again.text);
    }
}

/// (rule: payments/mobile-payment-outcomes)
#[tokio::test]
async fn opening_the_page_stops_the_payment_by_itself_and_looking_at_the_link_does_not() {
    let api = Api::new().await;
    let payments = [
        ask(&api, json!({"type": "same_device", "amount": 5})).await,
        ask(&api, json!({"type": "same_device", "amount": 5})).await,
    ];
    let [opened, looked_at] = payments.each_ref().map(|payment| Payer::of(&api, payment));
    for page in ["", "/world-1"] {
        opened.see(page).await;
        looked_at.send(Method::HEAD, page, &Pairs::new(), "none").await;
    }
    api.advance_to("2026-03-02T08:00:04+01:00").await;
    let mut seen = Vec::new();
    for payment in &payments {
        seen.push(text(&api.get(&address(payment)).await.ok(), "status").to_owned());
    }
    assert_eq!(seen, ["pending", "paid"]);
}

#[tokio::test]
async fn a_form_without_its_token_or_from_elsewhere_or_unsaid_changes_nothing() {
    let (api, payment) = waiting().await;
    let payer = Payer::of(&api, &payment);
    // Nothing is paid by itself here, so that looking changes nothing either.
    let shown = payer.see("/world-1?lang=en").await;
    assert!(shown.text.contains("<h1>Pay 250.50\u{a0}SEK</h1>"), "{}", shown.text);
    let (token, pay) = (pair("_form", &shown.token()), pair("_outcome", "pay"));
    let before = api.digest();
    for (pairs, site, status) in [
        (vec![pay.clone()], "same-origin", 403),
        (vec![pair("_form", "x"), pay.clone()], "same-origin", 403),
        (vec![token.clone(), pay.clone()], "cross-site", 403),
        (vec![token.clone(), pair("_outcome", "fail")], "same-origin", 422),
        (vec![token.clone()], "same-origin", 422),
        (vec![token.clone(), pair("x", &"x".repeat(70_000))], "same-origin", 413),
    ] {
        assert_eq!(payer.send(Method::POST, "/world-1?lang=en", &pairs, site).await.status, status, "{pairs:?}");
    }
    assert_eq!(api.digest(), before);
    for page in ["/world-9", "/world", "/world-01"] {
        assert_eq!(payer.see(page).await.status, 404);
    }
    let nobody = Payer { api: &api, token: "0".repeat(32) };
    assert_eq!((nobody.see("").await.status, nobody.see("/world-1").await.status), (404, 404));
    let twice =
        [payer.press("pay", &[]).await, payer.send(Method::POST, "/world-1", &vec![token, pay], "same-origin").await];
    assert!(twice.iter().all(|page| page.status == 303), "sent twice, it is paid once");
    let read = api.get(&address(&payment)).await.ok();
    assert_eq!(text(&read, "status"), "paid");
}

/// Worlds of one seed draw the same tokens.
#[tokio::test]
async fn a_token_of_several_worlds_asks_which_is_meant() {
    let (api, payment) = waiting().await;
    let payer = Payer::of(&api, &payment);
    assert_eq!(api.post("/_sandbox/worlds/current/fork", json!({})).await.status, 200);
    let asked = payer.see("").await;
    assert_eq!(asked.status, 300);
    for world in ["world-1", "world-2"] {
        let link = format!("href=\"{}/{world}?lang=en\"", payer.token);
        assert!(asked.text.contains(&link), "{link} in {}", asked.text);
        assert_eq!(payer.see(&format!("/{world}")).await.status, 200);
    }
}

/// (rule: events/fault-rules)
#[tokio::test]
async fn a_fault_rule_hits_the_page_of_a_payment_by_its_link() {
    let (api, payment) = waiting().await;
    let faults = "/_sandbox/worlds/current/faults";
    let rule = json!({ "match": { "path": "/pay/**", "times": 2 }, "verdict": { "answer": { "status": 503 } } });
    api.post(faults, rule).await.ok();
    let token = text(&payment, "token");
    let mut statuses = Vec::new();
    for page in ["x/world-1", "x", &format!("{token}/world-1"), token, token] {
        let request = Request::get(format!("/pay/{page}")).body(Body::empty()).expect("a request");
        statuses.push(api.surface().handle(request, None).await.expect("an answer").status().as_u16());
    }
    assert_eq!(statuses, [404, 404, 503, 503, 303], "who holds no link meets no rule");
    let rules = api.get(faults).await.ok();
    assert_eq!((&rules[0]["seen"], &rules[0]["hits"]), (&json!(3), &json!(2)));
}
