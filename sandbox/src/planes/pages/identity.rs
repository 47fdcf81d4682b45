//! The simulated electronic identity: who identifies or signs, and how it ends.
//!
//! Invariant: a form of the identity counts only while the journey waits for exactly that use; sent again later it leads on
//! and changes nothing. Absent on purpose: what a person's number decides, which is the world's.

use axum::http::StatusCode;
use axum::response::Response;
use sim::Command;
use sim::command::SignOutcome;
use sim::identity::PersonalNumber;
use sim::machines::journey::State;
use sim::records::{JourneyStep, JourneyType};

use super::build::{self, Here};
use super::controls::{Choice, Field};
use super::intake::{self, Sent};
use super::page_model::{self, PageModel, Person};
use super::templates::{self, IdentityPage, Signer};
use super::visit::{self, Stop, Visit};
use super::words::faults::fault;
use super::{answer, present, signed, words};

/// What was chosen before and is wrong.
pub struct Wrong {
    person: String,
    number: String,
    error: String,
}

/// The page that identifies, or signs.
#[must_use]
pub fn page(visit: &Visit, model: &PageModel, step: JourneyStep, wrong: Option<Wrong>) -> Response {
    let (persons, open) = model.persons(step);
    let first = persons.first().map(|person| person.number.to_string());
    let title = build::head(visit, model, step);
    let id = if wrong.as_ref().is_some_and(|wrong| wrong.person == templates::ANOTHER) {
        templates::OTHER_PERSON
    } else {
        templates::PERSON
    };
    let problems = wrong.iter().map(|wrong| (Some(control_id(id)), wrong.error.clone())).collect();
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let (person, number, error) = match wrong {
        Some(Wrong { person, number, error }) => (person, number, Some(error)),
        None => (first.unwrap_or_else(|| templates::ANOTHER.to_owned()), String::new(), None),
    };
    let signs = step == JourneyStep::Signing;
    let page = IdentityPage {
        head: title.clone(),
        lead: visit.noun(&format!("lead.{}", step.name())),
        form: build::form(visit, model, step, problems),
        review: if signs { signed::parts(visit, model) } else { Vec::new() },
        papers: if signs { build::papers(visit, model) } else { Vec::new() },
        signs,
        refuses: signs && model.journey.journey_type() == JourneyType::SignSubmission,
        signers: if signs { signers(model) } else { Vec::new() },
        persons: persons.iter().map(|person| choice(visit, person)).collect(),
        open,
        person,
        number,
        error,
        names: names(visit, model, step),
        devices: visit::app_return(model).is_some(),
    };
    let here = Here { title: &title, page: step.name(), step: Some(step), status };
    build::framed(visit, model, &here, &templates::identity(visit.lang, &page))
}

/// What a person who has no account may call themselves.
fn names(visit: &Visit, model: &PageModel, step: JourneyStep) -> Vec<Field> {
    let fields = model.reached(step).map_or(&[][..], |view| view.fields.as_slice());
    fields
        .iter()
        .filter(|field| *field.name != *page_model::SSN)
        .map(|field| present::field(visit.lang, field))
        .collect()
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
pub fn used(visit: &Visit, model: &PageModel, step: JourneyStep, sent: &Sent) -> Result<Response, Stop> {
    if model.current() != Some(step) {
        return Ok(visit.onward(model, step));
    }
    let (persons, _) = model.persons(step);
    let typed = sent.one(templates::OTHER_PERSON);
    // A number that was typed was meant, whoever is still marked.
    let person = if typed.trim().is_empty() { sent.one(templates::PERSON) } else { templates::ANOTHER };
    let text = if person == templates::ANOTHER { typed } else { person };
    let number = intake::digits(text);
    let outcome = match sent.one(templates::OUTCOME) {
        "abort" => SignOutcome::Abort,
        "fail" => SignOutcome::Fail,
        "refuse" => SignOutcome::Refuse,
        _ => SignOutcome::Sign,
    };
    let wrong = |error: String| Wrong { person: person.to_owned(), number: text.to_owned(), error };
    let signer = match PersonalNumber::parse(&number) {
        Ok(signer) => signer,
        // An abort or a failure needs no number.
        Err(_) if outcome != SignOutcome::Sign && !persons.is_empty() => persons[0].number,
        Err(_) => return Ok(page(visit, model, step, Some(wrong(words::BAD_NUMBER.say(visit.lang).to_owned())))),
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
    match visit.submit(command) {
        Ok(after) => Ok(led_on(visit, &after, step, sent)),
        Err(Stop::Refused(refusal)) if visit::tells_of_fields(&refusal) => {
            let said =
                refusal.problems.first().map_or_else(String::new, |problem| fault(visit.lang, &problem.fault, None));
            Ok(page(visit, model, step, Some(wrong(said))))
        }
        Err(Stop::Refused(_)) => visit.caught_up(step),
        Err(other) => Err(other),
    }
}

/// On to the next step; by way of the partner's return address when the app on this device opened it.
fn led_on(visit: &Visit, after: &PageModel, step: JourneyStep, sent: &Sent) -> Response {
    let returns = sent.one(templates::DEVICE) == templates::SAME_DEVICE && visit::app_return(after).is_some();
    let went_well = matches!(*after.journey.state, State::Pending | State::Complete);
    if returns && went_well { answer::see(&visit.link("returned")) } else { visit.onward(after, step) }
}
