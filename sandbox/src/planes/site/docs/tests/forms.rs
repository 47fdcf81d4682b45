//! The forms, sent as the pages fill them in: what is shown leads to success.
//!
//! Absent on purpose: the script that sends them in a browser, which the browser tests use.

use super::super::description::{Credentials, Operation, operation, operations};
use super::html::{attribute, between, plain};
use super::{demo, text};
use crate::conformance;
use crate::testing::{Answer, Bench, request};
use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::{Value, json};
use sim::query::{self, OrderFilter, TransactionFilter};
use sim::store::Window;
use surface::SurfaceConfig;

/// Operations that a page cannot send with success, each with the reason.
const EXCEPTIONS: &[(&str, &str)] =
    &[("subscribe", "it opens a WebSocket, and a browser opens none with a token; the page says so")];

/// Sent first, in this order, since others are about what they make.
const FIRST: [&str; 6] =
    ["createClient", "createOrder", "createJourney", "createInstruction", "createMobilePayment", "createWithdrawal"];

/// Sent last, since others are about what they end.
const LAST: [&str; 4] = ["cancelOrder", "deleteSavingsPlan", "deleteAllocationPlan", "closeAccount"];

/// A form as a page has it.
struct Form {
    method: Method,
    path: String,
    body: Option<Value>,
    kind: String,
}

/// The form on the page of an operation, as it is filled in.
fn form(page: &str) -> Form {
    let form = between(page, "<form id=\"try\"", "</form>").expect("a form");
    let mut path = attribute(form, "data-path").expect("a path");
    let mut query = Vec::new();
    for input in form.split("<input ").skip(1).filter_map(|rest| rest.split('>').next()) {
        let tag = format!(" {input}");
        let of = |name: &str| attribute(&tag, name).unwrap_or_default();
        let (name, value) = (of("name"), of("value"));
        match of("data-in").as_str() {
            "path" => path = path.replace(&format!("{{{name}}}"), &value),
            "query" if !value.is_empty() => query.push(format!("{name}={value}")),
            _ => {}
        }
    }
    for select in form.split("<select ").skip(1).filter_map(|rest| rest.split("</select>").next()) {
        let tag = format!(" {select}");
        let chosen = select.split("<option").find(|option| option.contains(" selected"));
        let value = chosen.and_then(|option| attribute(option, "value")).unwrap_or_default();
        let name = attribute(&tag, "name").expect("a name");
        path = path.replace(&format!("{{{name}}}"), &value);
    }
    let body = between(form, "<textarea", "</textarea>").and_then(|area| area.split_once('>'));
    let body = body.map(|(_, body)| serde_json::from_str(&plain(body)).expect("JSON"));
    let path = if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) };
    let method = attribute(form, "data-method").expect("a method").parse().expect("a method");
    Form { method, path, body, kind: attribute(form, "data-kind").unwrap_or_default() }
}

fn sent(form: &Form, token: Option<&str>) -> Request<Body> {
    let Some(body) = form.body.as_ref().filter(|_| form.kind.starts_with("application/x-www")) else {
        return request(form.method.clone(), &form.path, token, form.body.as_ref());
    };
    let pairs = body.as_object().expect("members").iter().map(|(name, value)| (name, value.as_str().expect("text")));
    let text = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    crate::testing::form_request(&text)
}

/// Opens the page of an operation and sends its form as it is.
async fn send(bench: &Bench, token: &str, operation: &Operation) -> (Form, Answer) {
    let form = form(&text(bench, &format!("/docs/{}", operation.id), None).await);
    let token = (operation.credentials() != Credentials::Nothing).then_some(token);
    let answer = bench.ask(sent(&form, token)).await;
    (form, answer)
}

fn partners() -> impl Iterator<Item = Operation> {
    operations().filter(|operation| operation.path.starts_with("/v2/") || operation.id == "ping")
}

/// A first account gets plans: only a customer makes them, in a journey.
async fn make_plans(bench: &Bench, token: &str) {
    let client = bench.scope(0).client;
    let accounts =
        bench.ask(request(Method::GET, &format!("/v2/partner/client/{client}/account"), Some(token), None)).await;
    let account = &accounts.body[0];
    let iban = json!({ "iban": account["bankAccounts"][0]["iban"] });
    let fund = &account["positions"][0]["instrument"];
    for (kind, field, plan) in [
        (
            "updateAllocationPlan",
            "allocationPlan",
            json!({ "depositType": "manual", "instruments": [{ "instrument": fund, "allocation": 100 }] }),
        ),
        (
            "updateSavingsPlan",
            "savingsPlan",
            json!({ "periodicity": "monthly", "instruments": [{ "instrument": fund }] }),
        ),
    ] {
        let mut journey = json!({ "journeyType": kind, "account": account["id"], field: plan });
        if field == "savingsPlan" {
            journey["paymentAccount"] = iban.clone();
        }
        let body = json!({ "journey": journey, "callbackUrl": "https://partner.example/callback" });
        let made = bench
            .ask(request(Method::POST, &format!("/v2/partner/client/{client}/journey"), Some(token), Some(&body)))
            .await;
        assert_eq!(made.status, 200, "{}", made.body);
        complete(bench, token, &made.body).await;
    }
}

/// A customer goes through a journey to its end.
async fn complete(bench: &Bench, token: &str, journey: &Value) {
    let path = format!("/simulations/journey/{}/complete", journey["id"].as_str().expect("an id"));
    let done = bench.ask(request(Method::POST, &path, Some(token), Some(&json!({})))).await;
    assert_eq!(done.status, 200, "{}", done.body);
}

/// (rule: wire/description-values)
#[tokio::test]
async fn what_a_page_is_filled_in_with_leads_to_success_for_every_operation_of_the_partner_api() {
    let bench = demo(SurfaceConfig::default());
    let token = bench.token(0).await;
    make_plans(&bench, &token).await;
    let is_among = |ids: &[&str], it: &Operation| ids.contains(&it.id);
    let first = FIRST.iter().map(|id| operation(id).expect(id));
    let others = partners().filter(|it| !is_among(&FIRST, it) && !is_among(&LAST, it));
    let last = LAST.iter().map(|id| operation(id).expect(id));
    let mut failed = Vec::new();
    for operation in first.chain(others).chain(last).filter(|it| EXCEPTIONS.iter().all(|(id, _)| *id != it.id)) {
        let (form, answer) = send(&bench, &token, &operation).await;
        if !(200..300).contains(&answer.status) {
            failed
                .push(format!("{} {}: {} {} for {:?}", operation.id, form.path, answer.status, answer.body, form.body));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
    for (id, _) in EXCEPTIONS {
        assert!(partners().any(|operation| operation.id == *id), "{id} is no operation of partners");
    }
}

/// (rule: wire/description-values)
#[tokio::test]
async fn what_the_page_of_a_lever_is_filled_in_with_is_in_a_state_in_which_it_moves() {
    let bench = demo(SurfaceConfig::default());
    let token = bench.token(0).await;
    let (_, opening) = send(&bench, &token, &operation("createJourney").expect("it")).await;
    complete(&bench, &token, &opening.body).await;
    for id in ["approveAccount", "createOrder", "createOrder", "holdOrder", "releaseOrder", "rejectOrder"] {
        let (form, answer) = send(&bench, &token, &operation(id).expect(id)).await;
        assert!((200..300).contains(&answer.status), "{id} {}: {} {}", form.path, answer.status, answer.body);
    }
}

#[tokio::test]
async fn the_newest_records_of_a_client_are_its_lists_from_the_end() {
    let bench = demo(SurfaceConfig::default());
    let token = bench.token(0).await;
    make_plans(&bench, &token).await;
    for id in FIRST.into_iter().chain(["createOrder", "cancelOrder", "purgeOrder", "createJourney"]) {
        send(&bench, &token, &operation(id).expect(id)).await;
    }
    let (client, all, any) = (bench.scope(0).client, Window::default(), TransactionFilter::default());
    let lists = bench.world.read(|world| {
        [
            (
                ids(query::orders(world, client, &all, &OrderFilter::default()), |it| it.id),
                ids(query::newest_orders(world, client), |it| it.id),
            ),
            (
                ids(query::cash_transactions(world, client, &all, &any), |it| it.id),
                ids(query::newest_cash_transactions(world, client), |it| it.id),
            ),
            (
                ids(query::fund_transactions(world, client, &all, &any), |it| it.id),
                ids(query::newest_fund_transactions(world, client), |it| it.id),
            ),
            (
                ids(query::journeys(world, client, &all), |it| it.id),
                ids(query::newest_journeys(world, client), |it| it.id),
            ),
            (
                ids(query::allocation_plans(world, client), |it| it.id),
                ids(query::newest_allocation_plans(world, client), |it| it.id),
            ),
            (
                ids(query::every_payment(world).filter(|it| it.client == client), |it| it.id),
                ids(query::newest_payments(world, client), |it| it.id),
            ),
            (
                ids(query::mobile_payments(world).filter(|it| it.client == client), |it| it.id),
                ids(query::newest_mobile_payments(world, client), |it| it.id),
            ),
        ]
    });
    for (mut listed, newest) in lists.expect("the world") {
        assert!(!listed.is_empty());
        listed.reverse();
        assert_eq!(newest, listed);
    }
}

/// The ids of records as text.
fn ids<T, I: ToString>(records: impl IntoIterator<Item = T>, id: impl Fn(&T) -> I) -> Vec<String> {
    records.into_iter().map(|record| id(&record).to_string()).collect()
}

#[tokio::test]
async fn a_prefilled_body_is_as_the_document_has_it() {
    let bench = demo(SurfaceConfig::default());
    let token = bench.token(0).await;
    make_plans(&bench, &token).await;
    let mut bodies = 0;
    for operation in operations() {
        let Some(body) = form_of(&bench, &operation).await.and_then(|form| form.body) else { continue };
        let path = operation.path.replace('~', "~0").replace('/', "~1");
        let (kind, _) = operation.body().expect("a body");
        let kind = kind.replace('/', "~1");
        let method = operation.method.to_lowercase();
        let schema = format!("#/paths/{path}/{method}/requestBody/content/{kind}/schema");
        assert_eq!(conformance::refused(&schema, &body), None, "{}: {body}", operation.id);
        bodies += 1;
    }
    assert!(bodies > 40, "{bodies} bodies");
}

async fn form_of(bench: &Bench, operation: &Operation) -> Option<Form> {
    let page = text(bench, &format!("/docs/{}", operation.id), None).await;
    page.contains("<form id=\"try\"").then(|| form(&page))
}

#[tokio::test]
async fn an_empty_id_field_names_the_operation_that_makes_one() {
    let bench = demo(SurfaceConfig::default());
    for (id, make) in [
        ("readOrder", "createOrder"),
        ("readJourney", "createJourney"),
        ("readInstruction", "createInstruction"),
        ("readMobilePayment", "createMobilePayment"),
        ("readAllocationPlan", "createJourney"),
    ] {
        let page = text(&bench, &format!("/docs/{id}"), None).await;
        let note = between(&page, "role=\"note\">", "</p>").expect("a note");
        assert!(note.contains(&format!("href=\"../docs/{make}\"")), "{id}: {note}");
    }
    let page = text(&bench, "/docs/readAccount", None).await;
    assert!(!page.contains("role=\"note\""), "an account is there");
}

#[tokio::test]
async fn a_refused_form_shows_the_problems_and_names_missing_fields() {
    let forbidden = json!({ "withdrawals": false, "autogiro": false, "mobilePayment": false });
    let nothing_to_open = json!({ "accountTypes": [], "journeyTypes": [] });
    for (permissions, id, words) in [
        (&forbidden, "createWithdrawal", "this operation is refused: clientId is not permitted for this client."),
        (&forbidden, "createOrderWithdrawal", "this operation is refused: clientId is not permitted for this client."),
        (&forbidden, "createInstruction", "has no client with the permission <code>autogiro</code>"),
        (&forbidden, "createMobilePayment", "has no client with the permission <code>mobilePayment</code>"),
        (&nothing_to_open, "createJourney", "this operation is refused: "),
    ] {
        let bench = demo(SurfaceConfig::default());
        let token = bench.token(0).await;
        let own = [0, 1].map(|index| (bench.scope(index).client.to_string(), permissions.clone()));
        let change = json!({ "permissions": own.into_iter().collect::<serde_json::Map<_, _>>() });
        let path =
            operation("changeSettings").expect("it").path.replace("{worldId}", &bench.world.identity.id().to_string());
        let answer = bench.ask(request(Method::PATCH, &path, Some(&token), Some(&change))).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        let page = text(&bench, &format!("/docs/{id}"), None).await;
        let note = between(&page, "role=\"note\">", "</p>").expect("a note");
        assert!(note.contains(words) && !note.contains("openAccount"), "{id}: {note}");
    }
}

#[tokio::test]
async fn the_code_of_a_call_has_the_values_of_its_form() {
    let bench = demo(SurfaceConfig::default());
    for id in ["createOrder", "readAccount", "readPerformanceOfOwner", "patchClient"] {
        let page = text(&bench, &format!("/docs/{id}"), None).await;
        let form = form(&page);
        for language in ["curl", "python", "typescript"] {
            let sample = between(&page, &format!("of-{language}\">"), "</pre>").expect("code");
            let texts = sample.split('<').skip(1).filter_map(|part| part.split_once('>')).map(|(_, text)| text);
            let code = plain(&texts.collect::<String>());
            assert!(code.contains(&form.path), "{id} in {language}: {code}");
            let body = form.body.as_ref().map(|body| format!("{body:#}"));
            assert!(body.is_none_or(|body| code.contains(&body)), "{id} in {language}: {code}");
        }
    }
}
