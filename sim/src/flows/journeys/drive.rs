//! The customer's drive: opening the link, answering steps, using the electronic identity, leaving.
//!
//! Invariant: a step can be answered when it has been reached, and again whenever; later answers stay. A refused answer
//! changes nothing. Only a journey in progress has a present step.

use super::form::Form;
use super::{End, answers, complete, end, known, move_journey, refuse_move, takes_journeys, walk};
use crate::canary::Canary;
use crate::command::SignOutcome;
use crate::flows::accounts;
use crate::identity::{PersonOutcome, PersonalNumber};
use crate::ids::{JourneyId, PartnerId};
use crate::machines::journey::{State, Trigger};
use crate::records::{Account, Answers, ErrorCode, Journey, JourneyResult, JourneyStep, JourneyType, Progress};
use crate::refusal::{Class, Fault, Problem, Refusal};
use crate::register::{self, RegisterOutcome};
use crate::reply::Reply;
use crate::world::World;
use std::sync::Arc;

fn reply(world: &World, id: JourneyId) -> Result<Reply, Refusal> {
    Ok(Reply::Journey(Arc::clone(world.journeys.known(id))))
}

/// A journey as a customer reaches it by its link, or a partner by a lever: only its own (rule: auth/lever-scope).
fn reached(world: &World, id: JourneyId, partner: Option<PartnerId>) -> Result<Arc<Journey>, Refusal> {
    let journey = known(world, id)?;
    if partner.is_some_and(|partner| !world.owns(partner, journey.client)) {
        return Err(Refusal::one(Class::Unknown, "journeyId", Fault::NotFound));
    }
    Ok(journey)
}

/// `OpenJourney`: the first time it begins, later it is harmless for the customer and a conflict for the lever.
pub(crate) fn open(world: &mut World, id: JourneyId, partner: Option<PartnerId>) -> Result<Reply, Refusal> {
    let journey = reached(world, id, partner)?;
    match *journey.state {
        State::New => begin(world, id),
        State::Pending if partner.is_none() => {}
        state if state.is_terminal() && world.planted.is(Canary::TerminalJourneyReopened) => {
            world.journeys.change(id).state.begin_again(State::New, &world.planted);
            begin(world, id);
        }
        _ => return Err(refuse_move(&journey)),
    }
    reply(world, id)
}

/// The link is opened for the first time.
pub(super) fn begin(world: &mut World, id: JourneyId) {
    let early = world.planted.is(Canary::ResultBeforeCompletion).then(|| Arc::new(JourneyResult::default()));
    move_journey(world, id, Trigger::Open, |journey| {
        if early.is_some() {
            journey.result = early;
        }
    });
}

/// Nothing is done to a journey that the customer is not in.
fn in_progress(journey: &Journey) -> Result<(), Refusal> {
    if journey.state == State::Pending { Ok(()) } else { Err(refuse_move(journey)) }
}

/// `AnswerStep`.
pub(crate) fn answer(
    world: &mut World,
    id: JourneyId,
    step: JourneyStep,
    given: &Answers,
    partner: Option<PartnerId>,
) -> Result<Reply, Refusal> {
    if step == JourneyStep::Signing {
        return Err(malformed_step("it is answered by an electronic signature"));
    }
    let journey = reached(world, id, partner)?;
    let form = Form::new(world, &journey, &journey.progress);
    if !form.shows(step) {
        return Err(malformed_step("this journey does not show it"));
    }
    // What a step asks is known once the steps before it are answered.
    let current = answers::current(&form);
    if step > current {
        in_progress(&journey)?;
        return Err(not_reached(current));
    }
    let taken = answers::check(&form, step, given, true).map_err(malformed)?;
    in_progress(&journey)?;
    // Nothing below can fail.
    let mut progress = Progress::clone(&journey.progress);
    if world.planted.is(Canary::LaterAnswersForgotten) {
        progress.answers.retain(|(known, _)| *known <= step);
    }
    let fault = walk::keep(&mut progress, step, taken, form.crn().map(register::outcome));
    walk::store(world, id, progress, fault.map(|code| (code, step)));
    reply(world, id)
}

fn malformed(problems: Vec<Problem>) -> Refusal {
    Refusal { class: Class::Malformed, problems, conflict: None }
}

fn malformed_step(because: &'static str) -> Refusal {
    Refusal::one(Class::Malformed, "step", Fault::Invalid { because })
}

fn not_reached(current: JourneyStep) -> Refusal {
    Refusal::one(Class::NotAllowedNow, "step", Fault::NotReached { current: current.name() })
}

/// `SignJourney`: the electronic identity ends the authentication step, or the signing step.
pub(crate) fn sign(
    world: &mut World,
    id: JourneyId,
    signer: PersonalNumber,
    outcome: SignOutcome,
    partner: Option<PartnerId>,
) -> Result<Reply, Refusal> {
    let journey = reached(world, id, partner)?;
    let form = Form::new(world, &journey, &journey.progress);
    if form.signer().is_some_and(|bound| bound != signer) {
        let because = "another person walks this journey";
        return Err(Refusal::one(Class::ExecutorMismatch, "signer", Fault::Invalid { because }));
    }
    in_progress(&journey)?;
    let current = answers::current(&form);
    let failure = match current {
        JourneyStep::Authentication => ErrorCode::Auth,
        JourneyStep::Signing => ErrorCode::Sign,
        _ => return Err(not_reached(current)),
    };
    match (outcome, current) {
        (SignOutcome::Abort, _) => end(world, id, End::Aborted(current)),
        (SignOutcome::Fail, _) => end(world, id, End::Failed(failure, current)),
        (SignOutcome::Refuse, JourneyStep::Authentication) => return Err(not_reached(current)),
        (SignOutcome::Refuse, _) => {
            refuse_application(world, &journey);
            end(world, id, End::Aborted(current));
        }
        (SignOutcome::Sign, JourneyStep::Authentication) => {
            let given = Answers::default().with("ssn", &signer.to_string());
            return answer(world, id, JourneyStep::Authentication, &given, partner);
        }
        (SignOutcome::Sign, _) => {
            has_target(&form)?;
            conclude(world, id);
        }
    }
    reply(world, id)
}

/// A withdrawal is signed only where its money has a place to go to (rule: journeys/sign-withdrawal). What an account that takes no
/// journeys any more lacks, no longer matters.
pub(super) fn has_target(form: &Form<'_>) -> Result<(), Refusal> {
    let account = form.account().filter(|account| takes_journeys(account, form.kind()));
    let lacks = |account: &Account| !account.bank_accounts.iter().any(|bank| bank.validated);
    match account {
        Some(account) if form.kind() == JourneyType::SignWithdrawal && lacks(account) => {
            Err(Refusal::one(Class::BadTarget, "bankAccount", Fault::BankAccountNotValidated))
        }
        _ => Ok(()),
    }
}

/// A signatory will not sign: the application that waits for the signature is refused
/// (rule: journeys/refusing-to-sign).
fn refuse_application(world: &mut World, journey: &Journey) {
    let form = Form::new(world, journey, &journey.progress);
    let waits = form.kind() == JourneyType::SignSubmission && !form.submission_is_closed();
    let account = form.submission().filter(|_| waits).and_then(|submission| submission.account);
    if let Some(account) = account {
        accounts::onboarding::refuse(world, account);
    }
}

/// `AbortJourney`.
pub(crate) fn abort(world: &mut World, id: JourneyId, context: Option<JourneyStep>) -> Result<Reply, Refusal> {
    let journey = known(world, id)?;
    let context = context_of(world, &journey, context)?;
    in_progress(&journey)?;
    end(world, id, End::Aborted(context));
    reply(world, id)
}

/// The step that is named, if the journey shows it; otherwise the present one.
pub(super) fn context_of(world: &World, journey: &Journey, named: Option<JourneyStep>) -> Result<JourneyStep, Refusal> {
    let form = Form::new(world, journey, &journey.progress);
    match named {
        Some(step) if form.shows(step) => Ok(step),
        Some(_) => {
            let because = "this journey does not show it";
            Err(Refusal::one(Class::Malformed, "context", Fault::Invalid { because }))
        }
        None => Ok(answers::current(&form)),
    }
}

/// The last signature is given: fixed outcomes first, then what the journey is for.
pub(super) fn conclude(world: &mut World, id: JourneyId) {
    let journey = Arc::clone(world.journeys.known(id));
    let (signer, closed, changed) = {
        let form = Form::new(world, &journey, &journey.progress);
        let gone = form.account().is_some_and(|account| !takes_journeys(account, journey.journey_type()));
        let crn = form.crn().filter(|_| form.is_of_a_company());
        let changed = crn.is_some_and(|crn| register::outcome(crn) == RegisterOutcome::SignatoriesChanged);
        (form.signer().expect("authentication comes before signing"), gone || form.submission_is_closed(), changed)
    };
    let fault = match signer.outcome() {
        PersonOutcome::SigningFails => Some(ErrorCode::Sign),
        PersonOutcome::OtherFault => Some(ErrorCode::Other),
        // What the journey was about has gone meanwhile.
        _ if closed => Some(ErrorCode::Other),
        // The register is asked once more, and names others.
        _ if changed => Some(ErrorCode::Sign),
        _ => None,
    };
    let how = match fault {
        Some(code) => End::Failed(code, JourneyStep::Signing),
        None => complete::carry_out(world, &journey, signer),
    };
    end(world, id, how);
}
