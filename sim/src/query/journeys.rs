//! Journeys as a page or a script needs them: which steps are shown, what each asks, what is fixed.

use crate::command::{PartialJourney, Scope};
use crate::flows::journeys::{Form, problems};
use crate::ids::{ClientId, JourneyId};
use crate::records::{Answers, Journey, JourneyStep};
use crate::refusal::{Fault, Problem};
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

/// How a field is filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldKind {
    /// Free text.
    Text {
        /// Longest, in characters.
        max: usize,
    },
    /// One of `choices`.
    Choice,
    /// Any number of `choices`.
    Choices,
    /// `yes` or `no`.
    Flag,
    /// Twelve-digit personal number.
    PersonalNumber,
    /// Several twelve-digit personal numbers.
    PersonalNumbers,
    /// Ten-digit organisation number.
    OrganisationNumber,
    /// E-mail address.
    Email,
    /// Swedish IBAN.
    Iban,
    /// SEK, at most 2 decimals.
    Amount,
    /// Percent, at most 2 decimals.
    Percent,
    /// Day of the month, 1-28.
    Day,
    /// `YYYY-MM-DD`.
    Date,
    /// Country codes, ISO 3166-1 alpha-2.
    Countries,
}

/// One choice of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What is answered.
    pub value: Arc<str>,
    /// A proper name to show, such as a fund's or a bank's; without one the page words the value itself.
    pub label: Option<Arc<str>>,
}

/// One field of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldView {
    /// Name in `Answers` and in refusals, unique within its step.
    pub name: Arc<str>,
    /// What kind of question it is; the same for all fields that ask the same of different subjects.
    pub key: &'static str,
    /// What it is about, when a step asks the same of several: a fund, or an account at a custodian.
    pub subject: Option<Arc<str>>,
    /// How it is filled in.
    pub kind: FieldKind,
    /// What can be chosen.
    pub choices: Vec<Choice>,
    /// Answer so far, prefilled or fixed.
    pub values: Vec<Arc<str>>,
    /// Whether it is fixed; an answer may be left out, and must not differ.
    pub read_only: bool,
    /// Whether an answer is needed.
    pub required: bool,
    /// What `CompleteJourney` answers where nothing is given.
    pub suggestion: Vec<Arc<str>>,
    /// What is wrong with the answer given, in `journey_step_with`.
    pub error: Option<Fault>,
}

/// A journey of `client`; none when it is unknown or another client's.
#[must_use]
pub fn journey(world: &World, client: ClientId, id: JourneyId) -> Option<&Arc<Journey>> {
    world.journeys.get(id).filter(|journey| journey.client == client)
}

/// A journey by its id alone, for whoever holds its link.
#[must_use]
pub fn journey_by_link(world: &World, id: JourneyId) -> Option<&Arc<Journey>> {
    world.journeys.get(id)
}

/// The journeys of `client`.
#[must_use]
pub fn journeys(world: &World, client: ClientId, window: &Window) -> Vec<Arc<Journey>> {
    window.take(world.journeys.of_client(client, window.start), |_| true)
}

/// Everything that is known to be wrong with a new journey by itself and for its client; nothing is told about another's
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
    let current = form.current();
    form.steps().into_iter().map(|step| view(&form, step, current)).collect()
}

/// Where a journey stands: the step to be answered next. None when it is unknown or has ended.
#[must_use]
pub fn journey_current(world: &World, id: JourneyId) -> Option<JourneyStep> {
    let journey = world.journeys.get(id).filter(|journey| !journey.state.is_terminal())?;
    Some(Form::new(world, journey, &journey.progress).current())
}

/// One step with answers that were not (yet) accepted: the fields show them, and say what is wrong with them. None when
/// the journey is unknown or does not show the step.
#[must_use]
pub fn journey_step_with(world: &World, id: JourneyId, step: JourneyStep, answers: &Answers) -> Option<StepView> {
    let journey = world.journeys.get(id)?;
    let form = Form::new(world, journey, &journey.progress);
    if !form.shows(step) {
        return None;
    }
    let mut shown = view(&form, step, form.current());
    for field in shown.fields.iter_mut().filter(|field| !field.read_only) {
        field.values = answers.many(&field.name).to_vec();
    }
    for problem in form.check(step, answers).err().unwrap_or_default() {
        let place = |field: &&mut FieldView| *field.name == *problem.field || field.key == problem.field;
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
    StepView { step, state, fields: form.fields(step) }
}
