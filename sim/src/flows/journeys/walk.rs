//! Accepted answers on their way into a journey: who is who, what a number's fixed outcome does, and the submission of a
//! legal entity.
//!
//! Invariant: nothing here is refused; what could be was checked before.

use super::form::Form;
use super::people::{signatory, signers};
use super::{End, end};
use crate::flows::journey_changes::change;
use crate::identity::{OrganisationNumber, PersonOutcome, PersonalNumber};
use crate::ids::JourneyId;
use crate::machines::Current;
use crate::people;
use crate::records::{
    Answers, ContactPerson, ErrorCode, JourneyStep, JourneyType, LegalEntity, Progress, Stamp, Submission,
    SubmissionStatus,
};
use crate::register::RegisterOutcome;
use crate::world::World;
use std::sync::Arc;

/// Keeps the answers of a step; the fault that ends the journey there, if any (rule: journeys/fixed-outcomes-strike).
/// A person who answers otherwise than before has agreed to something else, and has to agree again.
pub(super) fn keep(
    progress: &mut Progress,
    step: JourneyStep,
    taken: Answers,
    register: Option<RegisterOutcome>,
) -> Option<ErrorCode> {
    let as_before = progress.of(step).is_some_and(|before| **before == taken);
    if step < JourneyStep::Agreement && !as_before {
        progress.forget(JourneyStep::Agreement);
    }
    if step == JourneyStep::Authentication {
        progress.signer = taken.one("ssn").and_then(|text| PersonalNumber::parse(text).ok());
    }
    let outcome = progress.signer.map(|signer| signer.outcome());
    progress.keep(step, Arc::new(taken));
    match (step, outcome) {
        (JourneyStep::Authentication, Some(PersonOutcome::AuthenticationFails)) => Some(ErrorCode::Auth),
        (JourneyStep::Kyc, Some(PersonOutcome::KycRefused)) => Some(ErrorCode::Kyc),
        (JourneyStep::Company, _) => match register {
            Some(RegisterOutcome::NotFound | RegisterOutcome::InLiquidation) => Some(ErrorCode::Kyc),
            _ => None,
        },
        _ => None,
    }
}

/// Puts answers into the journey, and the company they name into its submission; ends it if a fault says so.
pub(super) fn store(world: &mut World, id: JourneyId, progress: Progress, fault: Option<(ErrorCode, JourneyStep)>) {
    world.journeys.change(id).progress = Arc::new(progress);
    if let Some((code, step)) = fault {
        end(world, id, End::Failed(code, step));
        return;
    }
    let journey = world.journeys.known(id);
    let described = journey.progress.of(JourneyStep::AccountDetails).is_some();
    if journey.journey_type() == JourneyType::CreateLegalEntityAccount && described {
        submit(world, id);
    }
}

/// Fills in the submission; a new one has an event.
fn submit(world: &mut World, id: JourneyId) {
    let journey = Arc::clone(world.journeys.known(id));
    if journey.configuration.submission.is_some() {
        return;
    }
    let entity = {
        let form = Form::new(world, &journey, &journey.progress);
        let Some(entity) = company(&form) else { return };
        Arc::new(entity)
    };
    let now = world.now;
    if let Some(known) = journey.submission {
        let submission = world.submissions.change(known);
        if submission.state == SubmissionStatus::New && submission.entity != entity {
            submission.entity = entity;
            submission.stamp.touch(now);
        }
        return;
    }
    let client = journey.client;
    let submission = world.submissions.insert_new(|submission| Submission {
        id: submission,
        client,
        journey: id,
        entity,
        state: Current::first(SubmissionStatus::New),
        signed: Vec::new(),
        account: None,
        stamp: Stamp::new(now),
    });
    world.visits.begun(client, SubmissionStatus::New);
    change(world, id, |journey| journey.submission = Some(submission));
}

/// The company as described; the signer is always a signatory.
fn company(form: &Form<'_>) -> Option<LegalEntity> {
    let signer = form.signer()?;
    let crn = form.crn()?;
    let details = JourneyStep::AccountDetails;
    let name: Arc<str> = match form.answer(details, "companyName") {
        Some(name) => Arc::from(name),
        None => people::company_name(form.world.seed, crn),
    };
    let signatories: Vec<_> = signers(form, signer).into_iter().map(|ssn| signatory(form, ssn)).collect();
    let contact = form.answer(details, "email").map(|email| ContactPerson {
        name: Arc::clone(&signatories[0].name),
        phone: people::phone(form.world.seed, signer),
        email: Arc::from(email),
    });
    Some(LegalEntity { contact_person: contact, signatories, ..registered(form.world, crn, name) })
}

/// What the company register has: made up, always the same for one number.
fn registered(world: &World, crn: OrganisationNumber, name: Arc<str>) -> LegalEntity {
    LegalEntity {
        name,
        crn,
        form: Some(Arc::from(people::legal_form(crn))),
        registration_country: Some(Arc::from("SE")),
        countries_of_taxation: Some(vec![Arc::from("SE")]),
        address: Some(people::company_address(world.seed, crn)),
        contact_person: None,
        signatories: Vec::new(),
    }
}
