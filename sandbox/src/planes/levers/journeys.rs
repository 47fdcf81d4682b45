//! The end customer: opens a journey, walks it step by step or all at once, leaves it; and what stops one from outside.

use crate::planes::responses::{HandlerResult, json, submitted, unknown};
use sim::command::{Scope, SignOutcome};
use sim::identity::PersonalNumber;
use sim::ids::JourneyId;
use sim::records::{Answers, ErrorCode, Journey, JourneyStep};
use sim::{Command, query};
use std::sync::Arc;
use surface::auth::Caller;
use surface::extract::{Ids, Json, NoFields, OptionalJson};
use wire::error::ApiError;
use wire::journeys::answers::{answers, answers_by_step, schema_of_answers, schema_of_steps};
use wire::journeys::steps::StepDescription;
use wire::rows::fields::Unknown;
use wire::rows::shape::{Shape as _, described, shape};

shape! {
    /// The customer's answers. Absent answers get suitable defaults.
    pub(crate) struct CompleteRequest {
        /// Answers by step and field.
        answers: Vec<(JourneyStep, Answers)> = or(Vec::new()) "answers" as described(answers_by_step, schema_of_steps);
    }
}

shape! {
    /// The customer cancels the journey.
    pub(crate) struct CancelRequest {
        /// Where.
        context: Option<JourneyStep> = optional "context";
    }
}

shape! {
    /// The journey fails.
    pub(crate) struct FailRequest {
        code: ErrorCode = required "code";
        /// Where.
        context: Option<JourneyStep> = optional "context";
    }
}

shape! {
    /// The customer fills in one step.
    pub(crate) struct AnswerRequest {
        step: JourneyStep = required "step";
        /// Answers by field.
        answers: Answers = or(Answers::default()) "answers" as described(answers, schema_of_answers);
    }
}

shape! {
    /// The customer uses the electronic identity.
    pub(crate) struct SignRequest {
        /// Personal number of the signer; the journey's own person when left out.
        signer: Option<PersonalNumber> = optional "signer";
        outcome: SignOutcome = or(SignOutcome::Sign) "outcome";
    }
}

/// `POST /simulations/journey/{journeyId}/open`
pub async fn open(caller: Caller, Ids(journey): Ids<JourneyId>, _: NoFields) -> HandlerResult {
    submitted(&caller, Command::OpenJourney { journey, partner: Some(caller.partner) }).await
}

/// `POST /simulations/journey/{journeyId}/complete`
pub async fn complete(caller: Caller, Ids(journey): Ids<JourneyId>, body: OptionalJson) -> HandlerResult {
    let CompleteRequest { answers } = body.read(Unknown::Refused, CompleteRequest::rows)?;
    submitted(&caller, Command::CompleteJourney { partner: caller.partner, journey, answers }).await
}

/// `POST /simulations/journey/{journeyId}/cancel`
pub async fn cancel(caller: Caller, Ids(journey): Ids<JourneyId>, body: OptionalJson) -> HandlerResult {
    let CancelRequest { context } = body.read(Unknown::Refused, CancelRequest::rows)?;
    submitted(&caller, Command::CancelJourney { partner: caller.partner, journey, context }).await
}

/// `POST /simulations/journey/{journeyId}/fail`
pub async fn fail(caller: Caller, Ids(journey): Ids<JourneyId>, body: Json) -> HandlerResult {
    let FailRequest { code, context } = body.read(Unknown::Refused, FailRequest::rows)?;
    submitted(&caller, Command::FailJourney { partner: caller.partner, journey, code, context }).await
}

/// `POST /simulations/journey/{journeyId}/expire`
pub async fn expire(caller: Caller, Ids(journey): Ids<JourneyId>, _: NoFields) -> HandlerResult {
    submitted(&caller, Command::ExpireJourney { partner: caller.partner, journey }).await
}

/// `GET /simulations/journey/{journeyId}/steps`: what the journey shows, and what each step asks.
pub async fn steps(caller: Caller, Ids(journey): Ids<JourneyId>) -> HandlerResult {
    own(&caller, journey)?;
    let steps = caller.world.read(|world| query::journey_steps(world, journey))?;
    Ok(json(&steps.iter().map(StepDescription::of).collect::<Vec<_>>()))
}

/// `POST /simulations/journey/{journeyId}/answer`: fills one step in.
pub async fn answer(caller: Caller, Ids(journey): Ids<JourneyId>, body: Json) -> HandlerResult {
    let AnswerRequest { step, answers } = body.read(Unknown::Refused, AnswerRequest::rows)?;
    submitted(&caller, Command::AnswerStep { journey, step, answers, partner: Some(caller.partner) }).await
}

/// `POST /simulations/journey/{journeyId}/sign`: uses the electronic identity, to authenticate or to sign.
pub async fn sign(caller: Caller, Ids(journey): Ids<JourneyId>, body: OptionalJson) -> HandlerResult {
    let SignRequest { signer, outcome } = body.read(Unknown::Refused, SignRequest::rows)?;
    let signer = match signer {
        Some(signer) => signer,
        None => usual_signer(&caller, journey)?
            .ok_or_else(|| ApiError::invalid_request("signer is required: the journey does not say who signs"))?,
    };
    submitted(&caller, Command::SignJourney { journey, signer, outcome, partner: Some(caller.partner) }).await
}

/// Who signs a journey of the caller's, as far as that is known.
fn usual_signer(caller: &Caller, journey: JourneyId) -> Result<Option<PersonalNumber>, ApiError> {
    let journey = own(caller, journey)?;
    Ok(journey.progress.signer.or(journey.configuration.ssn))
}

/// A journey of the caller's.
fn own(caller: &Caller, journey: JourneyId) -> Result<Arc<Journey>, ApiError> {
    let partner = caller.partner;
    let found = caller.world.read(|world| {
        let journey = query::journey_by_link(world, journey)?;
        world.client_in_scope(Scope { partner, client: journey.client }).is_ok().then(|| Arc::clone(journey))
    })?;
    found.ok_or_else(|| unknown(caller, "journeyId"))
}
