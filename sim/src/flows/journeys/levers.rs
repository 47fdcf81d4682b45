//! The levers of journeys: what a person would do, done by a call; and the clock's own.
//!
//! Invariant: a lever that walks steps walks all of them or none: every answer is checked before anything changes.

use super::complete::fail_transfers;
use super::drive::{begin, conclude, context_of, has_target};
use super::form::Form;
use super::{End, answers, end, fields, known, refuse_move, walk};
use crate::event::{Change, Delta};
use crate::ids::{JourneyId, PartnerId};
use crate::machines::journey::State;
use crate::records::{Answers, ErrorCode, Journey, JourneyStep, Progress};
use crate::refusal::{Class, Fault, Problem, Refusal};
use crate::register;
use crate::reply::Reply;
use crate::world::World;
use std::sync::Arc;

/// A journey of the lever's own partner.
fn owned(world: &World, partner: PartnerId, id: JourneyId) -> Result<Arc<Journey>, Refusal> {
    let journey = known(world, id)?;
    if !world.owns(partner, journey.client) {
        return Err(Refusal::one(Class::Unknown, "journeyId", Fault::NotFound));
    }
    Ok(journey)
}

/// Nothing is done to a journey that has ended.
fn running(journey: &Journey) -> Result<(), Refusal> {
    if journey.state.is_terminal() { Err(refuse_move(journey)) } else { Ok(()) }
}

fn reply(world: &World, id: JourneyId) -> Result<Reply, Refusal> {
    Ok(Reply::Journey(Arc::clone(world.journeys.known(id))))
}

/// Opens a journey that is not opened yet, as a person would.
fn opened(world: &mut World, journey: &Journey) {
    if journey.state == State::New {
        begin(world, journey.id);
    }
}

/// `CompleteJourney`: walks the steps that are not answered, with sensible answers where none are given, and signs.
pub(crate) fn complete(
    world: &mut World,
    partner: PartnerId,
    id: JourneyId,
    given: &[(JourneyStep, Answers)],
) -> Result<Reply, Refusal> {
    let journey = owned(world, partner, id)?;
    let (progress, fault) = all_steps(world, &journey, given)?;
    running(&journey)?;
    if fault.is_none() {
        has_target(&Form::new(world, &journey, &progress))?;
    }
    // Nothing below can fail.
    opened(world, &journey);
    walk::store(world, id, progress, fault);
    if fault.is_none() {
        conclude(world, id);
    }
    reply(world, id)
}

/// Every step answered, or the fault at which the walk ends. Of a journey that has ended only what is given is judged.
fn all_steps(
    world: &World,
    journey: &Journey,
    given: &[(JourneyStep, Answers)],
) -> Result<(Progress, Option<(ErrorCode, JourneyStep)>), Refusal> {
    let mut progress = Progress::clone(&journey.progress);
    let mut problems = foreign_steps(&Form::new(world, journey, &progress), given);
    for step in JourneyStep::ALL {
        let form = Form::new(world, journey, &progress);
        if step == JourneyStep::Signing || !form.shows(step) {
            continue;
        }
        let register = form.crn().map(register::outcome);
        let mine = given.iter().find(|(of, _)| *of == step).map(|(_, answers)| answers);
        let shown = fields::of(&form, step);
        let answers = answers::completed(&shown, mine);
        match answers::check_fields(&form, step, &shown, &answers, true) {
            Ok(taken) if problems.is_empty() => {
                if let Some(code) = walk::keep(&mut progress, step, taken, register) {
                    return Ok((progress, Some((code, step))));
                }
            }
            Ok(taken) => progress.keep(step, Arc::new(taken)),
            Err(_) if mine.is_none() && journey.state.is_terminal() => {}
            Err(found) => {
                let named = |problem: Problem| {
                    Problem::new(format!("answers.{}.{}", step.name(), problem.field), problem.fault)
                };
                problems.extend(found.into_iter().map(named));
            }
        }
    }
    Refusal::unless_empty(Class::Malformed, problems)?;
    Ok((progress, None))
}

fn foreign_steps(form: &Form<'_>, given: &[(JourneyStep, Answers)]) -> Vec<Problem> {
    let foreign = given.iter().filter(|(step, _)| *step == JourneyStep::Signing || !form.shows(*step));
    let because = "this journey does not ask it";
    foreign.map(|(step, _)| Problem::new(format!("answers.{}", step.name()), Fault::Invalid { because })).collect()
}

/// `CancelJourney`: the customer leaves.
pub(crate) fn cancel(
    world: &mut World,
    partner: PartnerId,
    id: JourneyId,
    context: Option<JourneyStep>,
) -> Result<Reply, Refusal> {
    let journey = owned(world, partner, id)?;
    let context = context_of(world, &journey, context)?;
    running(&journey)?;
    opened(world, &journey);
    end(world, id, End::Aborted(context));
    reply(world, id)
}

/// `FailJourney`: with any code but the customer's own; possible before opening too.
pub(crate) fn fail(
    world: &mut World,
    partner: PartnerId,
    id: JourneyId,
    code: ErrorCode,
    context: Option<JourneyStep>,
) -> Result<Reply, Refusal> {
    if code == ErrorCode::User {
        let because = "this code is the customer's own: cancel the journey";
        return Err(Refusal::one(Class::Malformed, "code", Fault::Invalid { because }));
    }
    let journey = owned(world, partner, id)?;
    let context = context_of(world, &journey, context)?;
    running(&journey)?;
    if code == ErrorCode::Transfer {
        reject_transfers(world, &journey);
    }
    end(world, id, End::Failed(code, context));
    reply(world, id)
}

/// A refused transfer leaves a rejected account behind, where the journey has come, or can come, that far.
fn reject_transfers(world: &mut World, journey: &Arc<Journey>) {
    if !Form::new(world, journey, &journey.progress).shows(JourneyStep::Transfer) {
        return;
    }
    if let Ok((progress, None)) = all_steps(world, journey, &[]) {
        let walked = Journey { progress: Arc::new(progress), ..Journey::clone(journey) };
        fail_transfers(world, &walked);
    }
}

/// `ExpireJourney`.
pub(crate) fn expire(world: &mut World, partner: PartnerId, id: JourneyId) -> Result<Reply, Refusal> {
    running(&*owned(world, partner, id)?)?;
    end(world, id, End::Expired);
    reply(world, id)
}

/// `Purge`: it stays readable, as deleted accounts do, and says so.
pub(crate) fn purge(world: &mut World, partner: PartnerId, id: JourneyId) -> Result<Reply, Refusal> {
    let journey = owned(world, partner, id)?;
    if journey.deleted.is_some() {
        let status = "deleted";
        return Err(Refusal::conflict("journeyId", Fault::NotPossibleIn { status }, status, Vec::new()));
    }
    if !journey.state.is_terminal() {
        return Err(refuse_move(&journey));
    }
    let now = world.now;
    let record = world.journeys.change(id);
    record.deleted = Some(now);
    record.stamp.touch(now);
    world.emit(Some(journey.client), Change::Journey(Delta::Deleted(journey)));
    reply(world, id)
}

/// Timer: the time of a journey is up.
pub(crate) fn lapse(world: &mut World, id: JourneyId) {
    end(world, id, End::Expired);
}
