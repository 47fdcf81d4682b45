//! The hosted pages of journeys, which a customer walks in a browser; and that of mobile payments (`pay`).
//!
//! A page is read from the world, a form becomes a command, and every accepted form answers with "see the next page". The
//! world decides everything; the pages word it. Invariant: whatever holds no valid link learns nothing; a form without its
//! own token changes nothing; sending a form twice changes nothing more. Pages work without scripts (two help where they may run),
//! without cookies and under any address prefix. Absent on purpose: state of their own.
//!
//! | file | owns |
//! |---|---|
//! | `build.rs` | makes a page of a step |
//! | `parts.rs` | how much of a step one page shows |
//! | `present.rs` `words.rs` `words/` `lang.rs` | the words of fields, in two languages |
//! | `funds.rs` `signed.rs` `amount.rs` | funds, what is signed, amounts |
//! | `intake.rs` `visit.rs` `links.rs` | forms that come in, one visit, links |
//! | `order.rs` `other_device.rs` `identity.rs` | one use of the identity on another device, and its pages |
//! | `pay/` | the pages of mobile payments |
//! | `total.js` `waits.js` | the only scripts, allowed by hash |
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! lang, marks, page_model
//! amount, links, words
//! frame, intake
//! controls, parts
//! templates
//! answer, present
//! visit
//! endings, funds, order, pay, signed
//! build
//! identity
//! other_device
//! ```

mod amount;
pub mod answer;
mod build;
pub mod controls;
mod endings;
pub mod frame;
mod funds;
mod identity;
mod intake;
pub mod lang;
pub mod links;
pub mod marks;
mod order;
mod other_device;
mod page_model;
mod parts;
mod pay;
mod present;
mod signed;
pub mod templates;
mod visit;
pub mod words;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Method, Uri};
use axum::response::Response;
use axum::routing::{any, get};
use sim::Command;
use sim::records::JourneyStep;
use tower_http::compression::CompressionLayer;

use self::identity::IdentityDevice;
use self::intake::Sent;
use self::page_model::PageModel;
use self::parts::Turn;
use self::visit::{StepLink, Visit, is_about_fields};
use surface::App;
use surface::body;

/// The routes of the pages; packed for browsers that take it.
pub fn routes() -> Router<App> {
    Router::new()
        .route("/journey/{token}", get(open).fallback(visit::nowhere))
        .route("/journey/{token}/{page}", get(show).post(submit).fallback(visit::nowhere))
        .route("/journey", any(visit::nowhere))
        .route("/journey/", any(visit::nowhere))
        .route("/journey/{token}/", any(visit::nowhere))
        .route("/journey/{token}/{page}/", any(visit::nowhere))
        .route("/journey/{token}/{page}/{*rest}", any(visit::nowhere))
        .merge(pay::routes())
        .layer(CompressionLayer::new())
}

/// The link itself: opens the journey and leads to its present step. `HEAD` looks without opening, for those who
/// only check links.
async fn open(
    State(app): State<App>,
    Path(token): Path<String>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    answered(opened(&app, &token, method, &uri, &headers).await)
}

async fn opened(app: &App, token: &str, method: Method, uri: &Uri, headers: &HeaderMap) -> Result<Response, StepLink> {
    let visit = Visit::of(app, token, uri, headers)?;
    if method != Method::HEAD && !visit.model()?.is_over() {
        visit.submit(Command::OpenJourney { journey: visit.journey, partner: None }).await?;
    }
    let model = visit.model()?;
    let page = match model.current() {
        _ if model.is_over() => "end",
        Some(step) => step.name(),
        None => return Err(StepLink::Resting(visit.lang)),
    };
    Ok(visit.answer(answer::see(&format!("{token}/{}", visit.link(page)))))
}

/// One page of a journey.
async fn show(
    State(app): State<App>,
    Path((token, page)): Path<(String, String)>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    answered(shown(&app, &token, &page, &uri, &headers))
}

fn shown(app: &App, token: &str, page: &str, uri: &Uri, headers: &HeaderMap) -> Result<Response, StepLink> {
    let visit = Visit::of(app, token, uri, headers)?;
    let model = visit.model()?;
    let response = match page {
        "end" => endings::end(&visit, &model, false),
        "done" => endings::end(&visit, &model, true),
        "returned" => endings::returned(&visit, &model),
        order::WAITING => other_device::waiting(&visit, &model, uri),
        order::APP => other_device::app(&visit, &model, uri)?,
        _ if model.is_over() => answer::see(&visit.link("end")),
        "leave" => build::leave(&visit, &model, uri),
        funds::PAGE => build::fund(&visit, &model, uri).ok_or_else(|| StepLink::unknown(visit.lang))?,
        _ => match build::paper(&visit, &model, page) {
            Some(response) => response,
            None => step_page(&visit, &model, page)?,
        },
    };
    Ok(visit.answer(response))
}

/// The page of a step that was reached, or a redirect to the present step.
fn step_page(visit: &Visit, model: &PageModel, page: &str) -> Result<Response, StepLink> {
    let step = JourneyStep::named(page).ok_or_else(|| StepLink::unknown(visit.lang))?;
    match model.reached(step) {
        Some(_) if step == JourneyStep::Authentication && model.current() != Some(step) => {
            Ok(visit.onward(model, step))
        }
        Some(view) if identity::is_used_at(step) => {
            Ok(identity::page(visit, model, view.step, &IdentityDevice::Here, None))
        }
        Some(view) => Ok(build::step(visit, model, view)),
        None => Ok(visit.onward(model, step)),
    }
}

/// A form of a journey.
async fn submit(State(app): State<App>, Path((token, page)): Path<(String, String)>, request: Request) -> Response {
    let (parts, form) = request.into_parts();
    let visit = match Visit::of(&app, &token, &parts.uri, &parts.headers) {
        Ok(visit) => visit,
        Err(stop) => return stop.into_response(),
    };
    let read = body::read(form, intake::LARGEST, app.limits.body).await;
    let Some(sent) = read.ok().and_then(|bytes| Sent::read(&bytes)) else {
        return visit.answer(endings::too_much(&visit));
    };
    if app.admission.is_foreign_form(&parts.headers)
        || !app.worlds.form_token(&token, &page).is(sent.one(templates::FORM_TOKEN))
    {
        return visit.answer(endings::stale(&visit));
    }
    answered(submitted(&visit, &page, &sent).await)
}

async fn submitted(visit: &Visit, page: &str, sent: &Sent) -> Result<Response, StepLink> {
    let model = visit.model()?;
    let is_app = page == order::APP;
    if model.is_over() && !is_app {
        return Ok(visit.answer(visit.ended(&model)));
    }
    let step = if is_app { other_device::step_of(visit, sent) } else { JourneyStep::named(page) };
    let signs = step.filter(|step| signed::is_signed(*step) && model.reached(*step).is_some());
    if signs.is_some() && sent.one(templates::SHOWN) != signed::name(visit, &model) {
        return Ok(visit.answer(endings::changed(visit)));
    }
    let response = match (page, step) {
        ("leave", _) => leave(visit, &model, sent).await?,
        (order::APP, _) => other_device::used(visit, &model, sent).await?,
        (_, Some(step)) if identity::is_used_at(step) => {
            identity::used(visit, &model, step, &IdentityDevice::Here, sent).await?
        }
        (_, Some(step)) => fill_in(visit, &model, step, sent).await?,
        (_, None) => return Err(StepLink::unknown(visit.lang)),
    };
    Ok(visit.answer(response))
}

/// Answers a step; problems are shown beside the fields.
async fn fill_in(visit: &Visit, model: &PageModel, step: JourneyStep, sent: &Sent) -> Result<Response, StepLink> {
    let Some(view) = model.reached(step) else { return Ok(visit.onward(model, step)) };
    let answers = sent.answers(visit.lang, view);
    let turn = parts::turn(view, sent);
    if turn != Turn::Answer {
        let filled = visit.with_answers(step, &answers)?.unwrap_or_else(|| view.clone());
        return Ok(build::part(visit, model, &filled, turn, sent));
    }
    match visit
        .submit(Command::AnswerStep { partner: None, journey: visit.journey, step, answers: answers.clone() })
        .await
    {
        Ok(after) => Ok(visit.onward(&after, step)),
        Err(StepLink::Refused(refusal)) if is_about_fields(&refusal) => {
            let view = visit.with_answers(step, &answers)?.unwrap_or_else(|| view.clone());
            Ok(build::refused(visit, model, &view, &refusal, sent))
        }
        Err(StepLink::Refused(_)) => visit.caught_up(step),
        Err(other) => Err(other),
    }
}

async fn leave(visit: &Visit, model: &PageModel, sent: &Sent) -> Result<Response, StepLink> {
    let context = JourneyStep::named(sent.one(templates::LEFT_AT)).filter(|step| model.reached(*step).is_some());
    match visit.submit(Command::AbortJourney { journey: visit.journey, context }).await {
        Ok(after) => Ok(visit.ended(&after)),
        Err(StepLink::Refused(_)) => Ok(answer::see(&visit.link("end"))),
        Err(other) => Err(other),
    }
}

fn answered(outcome: Result<Response, StepLink>) -> Response {
    outcome.unwrap_or_else(StepLink::into_response)
}
