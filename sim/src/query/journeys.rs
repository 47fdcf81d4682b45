//! Journeys as a page or a script needs them: which steps are shown, what each asks, what is fixed.

use crate::command::{PartialJourney, Scope};
use crate::flows::journeys::{
    BankChoice, FieldView, Form, bank_choice, check_answers, company_record, current, fields_of, problems,
};
use crate::identity::Iban;
use crate::ids::{ClientId, JourneyId};
use crate::records::{Answers, Company, Journey, JourneyStep};
use crate::refusal::Problem;
use crate::store::Window;
use crate::world::World;
use std::sync::Arc;

/// How far the customer is with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepState {
    /// Answered; may be answered again.
    Done,
    /// To be answered now.
    Current,
    /// Not yet reached.
    Ahead,
}

/// One step that a journey shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepView {
    /// Which step.
    pub step: JourneyStep,
    /// How far the customer is with it.
    pub state: StepState,
    /// What it asks, in order. `Signing` asks nothing: it is answered by `SignJourney`.
    pub fields: Vec<FieldView>,
}

/// A journey of `client`; none when it is unknown or another client's.
#[must_use]
pub fn journey(world: &World, client: ClientId, id: JourneyId) -> Option<&Arc<Journey>> {
    world.journeys.get(id).filter(|journey| journey.client == client)
}

/// A journey by its id alone, for the holder of its link.
#[must_use]
pub fn journey_by_link(world: &World, id: JourneyId) -> Option<&Arc<Journey>> {
    world.journeys.get(id)
}

/// The journeys of `client`.
#[must_use]
pub fn journeys(world: &World, client: ClientId, window: &Window) -> Vec<Arc<Journey>> {
    window.of_client(&world.journeys, client, |_| true)
}

/// All problems of a new journey by itself and for its client; none about another's
/// client.
#[must_use]
pub fn journey_problems(world: &World, scope: Scope, create: &PartialJourney) -> Vec<Problem> {
    let client = world.client_in_scope(scope);
    client.map_or_else(|_| Vec::new(), |client| problems(world, client, create))
}

/// The steps that a journey shows, in order, with their fields as answered so far; empty for an unknown journey.
#[must_use]
pub fn journey_steps(world: &World, id: JourneyId) -> Vec<StepView> {
    let Some(journey) = world.journeys.get(id) else { return Vec::new() };
    let form = Form::new(world, journey, &journey.progress);
    let current = current(&form);
    form.steps().into_iter().map(|step| view(&form, step, current)).collect()
}

/// The bank account that the customer of a journey has picked or filled in, as far as it can be read.
#[must_use]
pub fn journey_bank_account(world: &World, id: JourneyId) -> Option<Iban> {
    let journey = world.journeys.get(id)?;
    let form = Form::new(world, journey, &journey.progress);
    match bank_choice(&form)?.0 {
        BankChoice::Known(known) => form.bank_accounts().iter().find(|bank| bank.id == known).map(|bank| bank.iban),
        BankChoice::New { iban, .. } => Some(iban),
    }
}

/// The company as the customer of a journey has described it so far; none where it is about no company.
#[must_use]
pub fn journey_company(world: &World, id: JourneyId) -> Option<Company> {
    let journey = world.journeys.get(id)?;
    company_record(&Form::new(world, journey, &journey.progress))
}

/// The present step of a journey: the one to be answered next. None when it is unknown or has ended.
#[must_use]
pub fn journey_current(world: &World, id: JourneyId) -> Option<JourneyStep> {
    let journey = world.journeys.get(id).filter(|journey| !journey.state.is_terminal())?;
    Some(current(&Form::new(world, journey, &journey.progress)))
}

/// One step of those that a journey shows; none when the journey is unknown or does not show it.
#[must_use]
pub fn journey_step(world: &World, id: JourneyId, step: JourneyStep) -> Option<StepView> {
    let journey = world.journeys.get(id)?;
    let form = Form::new(world, journey, &journey.progress);
    form.shows(step).then(|| view(&form, step, current(&form)))
}

/// One step with answers that were not (yet) accepted: the fields show them, and say what is wrong with them. None when
/// the journey is unknown or does not show the step.
#[must_use]
pub fn journey_step_with(world: &World, id: JourneyId, step: JourneyStep, answers: &Answers) -> Option<StepView> {
    let journey = world.journeys.get(id)?;
    let form = Form::new(world, journey, &journey.progress);
    let mut shown = journey_step(world, id, step)?;
    for field in shown.fields.iter_mut().filter(|field| !field.read_only) {
        field.values = answers.many(&field.name).to_vec();
    }
    for problem in check_answers(&form, step, answers, true).err().unwrap_or_default() {
        // What is wrong with several fields together is no single one's.
        let of_kind = shown.fields.iter().filter(|field| field.key == problem.field).count();
        let place =
            |field: &&mut FieldView| *field.name == *problem.field || (of_kind == 1 && field.key == problem.field);
        if let Some(field) = shown.fields.iter_mut().find(place) {
            field.error = Some(problem.fault);
        }
    }
    Some(shown)
}

fn view(form: &Form<'_>, step: JourneyStep, current: JourneyStep) -> StepView {
    let state = match step.cmp(&current) {
        std::cmp::Ordering::Less => StepState::Done,
        std::cmp::Ordering::Equal => StepState::Current,
        std::cmp::Ordering::Greater => StepState::Ahead,
    };
    StepView { step, state, fields: fields_of(form, step) }
}
