//! The identity on another device: the code that a telephone reads, the page that waits meanwhile, and the app that the code
//! opens (rule: journeys/identity-on-another-device).
//!
//! Invariant: an order that is over changes nothing. Absent on purpose: what an order is (`order`), what a signature does, and who may
//! give one.

use axum::http::{StatusCode, Uri};
use axum::response::Response;
use sim::records::JourneyStep;

use super::build::{self, Here};
use super::identity::{self, IdentityDevice};
use super::intake::Sent;
use super::marks::Sign;
use super::order::{APP, Order, WAITING};
use super::page_model::PageModel;
use super::templates::{self, Destination, EndPage, ORDER, WaitingPage};
use super::visit::{StepLink, Visit};
use super::{answer, endings, words};
use drawing::qr;

/// The page that waits for the other device, or the way on when it is done. Without an order, one begins.
#[must_use]
pub fn waiting(visit: &Visit, model: &PageModel, uri: &Uri) -> Response {
    if model.is_over() {
        return visit.ended(model);
    }
    let current = model.current().filter(|step| identity::is_used_at(*step));
    let order = Order::of(visit, uri);
    match (order, current) {
        (Some(order), Some(step)) if order.step == step && order.is_over(model.now) => too_late(visit, model, &order),
        (Some(order), Some(step)) if order.step == step => waits(visit, model, &order),
        (Some(order), _) => visit.onward(model, order.step),
        (None, Some(step)) => answer::see(&Order { step, began: model.now }.link(visit, WAITING)),
        (None, None) => visit.onward(model, JourneyStep::Authentication),
    }
}

fn waits(visit: &Visit, model: &PageModel, order: &Order) -> Response {
    let app = order.link(visit, APP);
    let address = format!("{}/journey/{}/{app}", visit.app.public_url, visit.token);
    let until = order.ends().local().strftime("%H:%M:%S").to_string();
    let head = words::SCAN_TITLE.say(visit.lang);
    let page = WaitingPage {
        head: head.to_owned(),
        lead: words::SCAN_LEAD.say(visit.lang).to_owned(),
        form: build::form(visit, model, order.step, Vec::new()),
        code: qr::of_address(&address),
        until: words::SCAN_UNTIL.fill(visit.lang, &[("time", &until)]),
        again: order.link(visit, WAITING),
        here: visit.link(order.step.name()),
        app,
    };
    let name = format!("{WAITING}?{ORDER}={}", order.text(visit));
    let here = Here { title: head, page: &name, step: Some(order.step), status: StatusCode::OK, waits: true };
    build::framed(visit, model, &here, &templates::waiting(visit.lang, &page))
}

/// Nobody has used the identity in time: nothing has changed, and another order can begin.
fn too_late(visit: &Visit, model: &PageModel, order: &Order) -> Response {
    let ways = vec![
        (Destination::Own(visit.link(WAITING)), words::SCAN_AGAIN.say(visit.lang).to_owned()),
        (Destination::Own(visit.link(order.step.name())), words::SCAN_HERE.say(visit.lang).to_owned()),
    ];
    closing(
        visit,
        model,
        order,
        (WAITING, Sign::Late, words::SCAN_LATE_TITLE, words::SCAN_LATE_LEAD, StatusCode::GONE),
        ways,
    )
}

/// The app behind the code: the identity, or how its order has ended.
///
/// # Errors
/// When no order is named.
pub fn app(visit: &Visit, model: &PageModel, uri: &Uri) -> Result<Response, StepLink> {
    let order = Order::of(visit, uri).ok_or_else(|| StepLink::unknown(visit.lang))?;
    Ok(shown(visit, model, &order)
        .unwrap_or_else(|| identity::page(visit, model, order.step, &IdentityDevice::App(&order), None)))
}

/// What the app shows where its order cannot be used any more.
fn shown(visit: &Visit, model: &PageModel, order: &Order) -> Option<Response> {
    if model.is_over() || model.current() != Some(order.step) {
        let done = (APP, Sign::Good, words::APP_DONE_TITLE, words::APP_DONE_LEAD, StatusCode::OK);
        return Some(closing(visit, model, order, done, Vec::new()));
    }
    let late = (APP, Sign::Late, words::SCAN_LATE_TITLE, words::APP_LATE_LEAD, StatusCode::GONE);
    order.is_over(model.now).then(|| closing(visit, model, order, late, Vec::new()))
}

/// The app's form: counts as the identity's own, as long as the order does.
///
/// # Errors
/// When no order is named, or the world cannot answer.
pub async fn used(visit: &Visit, model: &PageModel, sent: &Sent) -> Result<Response, StepLink> {
    let order = Order::read(visit, sent.one(ORDER)).ok_or_else(|| StepLink::unknown(visit.lang))?;
    match shown(visit, model, &order) {
        Some(response) => Ok(response),
        None => identity::used(visit, model, order.step, &IdentityDevice::App(&order), sent).await,
    }
}

/// The step that the app's form signs for, which has to name what it showed.
#[must_use]
pub fn step_of(visit: &Visit, sent: &Sent) -> Option<JourneyStep> {
    Order::read(visit, sent.one(ORDER)).map(|order| order.step)
}

type Words = (&'static str, Sign, words::Phrase, words::Phrase, StatusCode);

fn closing(
    visit: &Visit,
    model: &PageModel,
    order: &Order,
    (page, sign, head, lead, status): Words,
    ways: Vec<(Destination, String)>,
) -> Response {
    let say = |phrase: words::Phrase| phrase.say(visit.lang).to_owned();
    let end = EndPage { sign, head: say(head), lead: say(lead), facts: Vec::new(), ways };
    endings::apart(visit, model, &format!("{page}?{ORDER}={}", order.text(visit)), &end, status)
}
