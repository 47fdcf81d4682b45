//! The simulated electronic identity: who identifies or signs, and how it ends.
//!
//! Invariant: a form of the identity counts only while the journey waits for exactly that use; sent again later it leads on
//! and changes nothing. Absent on purpose: what a person's number decides, which is the world's.

use axum::http::StatusCode;
use axum::response::Response;
use sim::command::SignOutcome;
use sim::identity::PersonalNumber;
use sim::machines::journey::State;
use sim::query::FieldView;
use sim::records::{JourneyStep, JourneyType};
use sim::{Command, Problem, Refusal};

use super::build::{self, Here};
use super::controls::{Choice, Field};
use super::intake::{self, Sent};
use super::lang::Lang;
use super::order::{self, Order};
use super::page_model::{self, PageModel, Person};
use super::templates::{self, IdentityPage, Signer};
use super::visit::{self, StepLink, Visit};
use super::words::faults::fault;
use super::{answer, present, signed, words};

/// Where the identity is used.
pub enum IdentityDevice<'a> {
    /// On this device.
    Here,
    /// In the app on another device, for an order.
    App(&'a Order),
}

/// A form that was refused, as it was sent.
pub struct Wrong<'a> {
    sent: &'a Sent,
    /// What is wrong with the person or the number.
    error: Option<String>,
    /// What is wrong with the names.
    names: Vec<Problem>,
}

impl<'a> Wrong<'a> {
    const fn number(sent: &'a Sent, error: String) -> Self {
        Self { sent, error: Some(error), names: Vec::new() }
    }

    /// A refusal by the world: what is not about a name is about the person.
    fn refused(lang: Lang, sent: &'a Sent, refusal: &Refusal, asked: &[FieldView]) -> Self {
        let is_asked = |problem: &&Problem| asked.iter().any(|field| *field.name == *problem.field);
        let is_name = |problem: &&Problem| is_asked(problem) && *problem.field != *page_model::SSN;
        let names: Vec<_> = refusal.problems.iter().filter(is_name).cloned().collect();
        let error = refusal.problems.iter().find(|problem| !is_name(problem));
        Self { sent, error: error.map(|problem| fault(lang, &problem.fault, None)), names }
    }
}

/// Whether a step is done with the identity.
#[must_use]
pub const fn is_used_at(step: JourneyStep) -> bool {
    matches!(step, JourneyStep::Authentication | JourneyStep::Signing)
}

/// The person that a form names, with their number as it was written: a number that was typed was meant, although a person is still
/// marked.
fn named(sent: &Sent) -> (&str, &str) {
    let typed = sent.one(templates::OTHER_PERSON);
    let person = if typed.trim().is_empty() { sent.one(templates::PERSON) } else { templates::ANOTHER };
    (person, if person == templates::ANOTHER { typed } else { person })
}

/// The page that identifies, or signs.
#[must_use]
pub fn page(
    visit: &Visit,
    model: &PageModel,
    step: JourneyStep,
    place: &IdentityDevice<'_>,
    wrong: Option<&Wrong<'_>>,
) -> Response {
    let (persons, open) = model.persons(step);
    let first = persons.first().map_or_else(|| templates::ANOTHER.to_owned(), |person| person.number.to_string());
    let title = build::head(visit, model, step);
    let (person, number) = wrong.map_or((first.as_str(), ""), |wrong| named(wrong.sent));
    let names = names(visit, model, step, wrong);
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let signs = step == JourneyStep::Signing;
    let mut page = IdentityPage {
        head: title.clone(),
        lead: visit.noun(&format!("lead.{}", step.name())),
        form: build::form(visit, model, step, problems(person, &names, wrong)),
        review: if signs { signed::parts(visit, model) } else { Vec::new() },
        papers: if signs { build::papers(visit, model) } else { Vec::new() },
        was_read: model.reached(JourneyStep::Agreement).is_some(),
        signs,
        refuses: signs && model.journey.journey_type() == JourneyType::SignSubmission,
        bars: signed::bars(visit, model).filter(|_| signs),
        signers: if signs { signers(model) } else { Vec::new() },
        persons: persons.iter().map(|person| choice(visit, person)).collect(),
        open,
        person: person.to_owned(),
        number: number.to_owned(),
        error: wrong.and_then(|wrong| wrong.error.clone()),
        names,
        device: visit::app_return(model)
            .map(|_| wrong.map_or(templates::SAME_DEVICE, |wrong| wrong.sent.one(templates::DEVICE)).to_owned()),
        elsewhere: Some(visit.link(order::WAITING)),
        order: None,
    };
    let (mut name, mut way) = (step.name().to_owned(), Some(step));
    if let IdentityDevice::App(used) = place {
        page.device = None;
        page.elsewhere = None;
        page.order = Some(used.text(visit));
        page.form.back = None;
        page.form.action = visit.link(order::APP);
        page.form.token = visit.app.worlds.form_token(&visit.token, order::APP).reveal().to_owned();
        (name, way) = (format!("{}?{}={}", order::APP, templates::ORDER, used.text(visit)), None);
    }
    let here = Here { title: &title, page: &name, step: way, status, waits: false };
    build::framed(visit, model, &here, &templates::identity(visit.lang, &page))
}

/// What is wrong, each with the way to its control.
fn problems(person: &str, names: &[Field], wrong: Option<&Wrong<'_>>) -> Vec<(Option<String>, String)> {
    let id = if person == templates::ANOTHER { templates::OTHER_PERSON } else { templates::PERSON };
    let error = wrong.and_then(|wrong| wrong.error.as_ref());
    let first = error.map(|error| (Some(control_id(id)), error.clone()));
    first.into_iter().chain(names.iter().filter_map(Field::problem)).collect()
}

/// What a person who has no account may call themselves; after a slip, as it was typed.
fn names(visit: &Visit, model: &PageModel, step: JourneyStep, wrong: Option<&Wrong<'_>>) -> Vec<Field> {
    let asked = asked(model, step).iter().filter(|field| *field.name != *page_model::SSN);
    let shown = |view: &FieldView| match wrong {
        None => present::field(visit.lang, view),
        Some(wrong) => {
            let fault = wrong.names.iter().find(|problem| *problem.field == *view.name);
            let error = fault.map(|problem| problem.fault.clone());
            present::typed(visit.lang, &FieldView { error, ..view.clone() }, wrong.sent)
        }
    };
    asked.map(shown).collect()
}

fn asked(model: &PageModel, step: JourneyStep) -> &[FieldView] {
    model.reached(step).map_or(&[], |view| view.fields.as_slice())
}

fn control_id(name: &str) -> String {
    format!("f-{}", name.replace('_', "-"))
}

fn choice(visit: &Visit, person: &Person) -> Choice {
    let number = person.number.to_string();
    let outcome = visit.noun(page_model::outcome_key(person.number.outcome()));
    let shown = shown(&number);
    Choice { value: number, label: person.name.to_string(), note: Some(format!("{shown} \u{b7} {outcome}")) }
}

/// A number with the hyphen before its last four digits.
fn shown(number: &str) -> String {
    number.split_at_checked(8).map_or_else(|| number.to_owned(), |(day, rest)| format!("{day}-{rest}"))
}

fn signers(model: &PageModel) -> Vec<Signer> {
    let all = model.signatories().into_iter();
    all.map(|(person, signed)| Signer {
        name: person.name.to_string(),
        number: shown(&person.number.to_string()),
        signed,
    })
    .collect()
}

/// The identity was used.
///
/// # Errors
/// When the world cannot answer.
pub async fn used(
    visit: &Visit,
    model: &PageModel,
    step: JourneyStep,
    place: &IdentityDevice<'_>,
    sent: &Sent,
) -> Result<Response, StepLink> {
    if model.current() != Some(step) {
        return Ok(visit.onward(model, step));
    }
    let (persons, _) = model.persons(step);
    let (_, text) = named(sent);
    let outcome = match sent.one(templates::OUTCOME) {
        "abort" => SignOutcome::Abort,
        "fail" => SignOutcome::Fail,
        "refuse" => SignOutcome::Refuse,
        _ => SignOutcome::Sign,
    };
    let again = |wrong: &Wrong<'_>| Ok(page(visit, model, step, place, Some(wrong)));
    let signer = match PersonalNumber::parse(&intake::digits(text)) {
        Ok(signer) => signer,
        // An abort or a failure needs no number.
        Err(_) if outcome != SignOutcome::Sign && !persons.is_empty() => persons[0].number,
        Err(_) => return again(&Wrong::number(sent, words::BAD_NUMBER.say(visit.lang).to_owned())),
    };
    let command = match (outcome, step) {
        (SignOutcome::Abort, _) => Command::AbortJourney { journey: visit.journey, context: Some(step) },
        // An answer, unlike a signature, is harmless when it comes twice.
        (SignOutcome::Sign, JourneyStep::Authentication) => {
            let named = model.reached(step).map(|view| sent.answers(visit.lang, view)).unwrap_or_default();
            let answers = named.with(page_model::SSN, &signer.to_string());
            Command::AnswerStep { partner: None, journey: visit.journey, step, answers }
        }
        (SignOutcome::Sign | SignOutcome::Fail | SignOutcome::Refuse, _) => {
            Command::SignJourney { partner: None, journey: visit.journey, signer, outcome }
        }
    };
    match visit.submit(command).await {
        Ok(after) => Ok(led_on(visit, &after, step, place, sent)),
        Err(StepLink::Refused(refusal)) if visit::is_about_fields(&refusal) => {
            again(&Wrong::refused(visit.lang, sent, &refusal, asked(model, step)))
        }
        Err(StepLink::Refused(_)) => visit.caught_up(step),
        Err(other) => Err(other),
    }
}

/// On to the next step; by way of the partner's return address when the app on this device opened it. An app on another device
/// says that it is done.
fn led_on(visit: &Visit, after: &PageModel, step: JourneyStep, place: &IdentityDevice<'_>, sent: &Sent) -> Response {
    if let IdentityDevice::App(used) = place {
        return answer::see(&used.link(visit, order::APP));
    }
    let returns = sent.one(templates::DEVICE) == templates::SAME_DEVICE && visit::app_return(after).is_some();
    let went_well = matches!(*after.journey.state, State::Pending | State::Complete);
    if returns && went_well { answer::see(&visit.link("returned")) } else { visit.onward(after, step) }
}
