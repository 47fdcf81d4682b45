//! A run written as a scenario file: every step by its name, and last what should have been so.
//!
//! Invariant: played with the run's seed, the story asks the same of the same world at the same instants, so that it ends
//! where the run ended. Absent on purpose: laws that nobody can see from outside; their stories end in what the model
//! knows of every account and order.

mod claims;
mod requests;

use super::coverage::pairs::{Passed, Scene};
use super::run_setup::{Prepared, RunSetup};
use crate::generate::{Act, Bindings, Step};
use language::ast::{Act as StoryAct, Actor, Move, Scenario, StoryStep};
use oracle::check::{Claim, Law, Violation, status_of};
use oracle::model::Expected;
use oracle::model::money_files::Instructed;
use sim::ids::{AccountId, ClientId, InstructionId, JourneyId, OrderId, PartnerId};
use sim::input::Act as InputAct;
use sim::outbox::Callback;
use sim::query;
use sim::time::Instant;
use sim::{Command, Input, Refusal, Reply, World};
use std::collections::BTreeMap;

/// What accounts are called, in order of their opening.
const PEOPLE: &[&str] = &["anna", "bo", "cecilia", "david", "eva", "filip", "greta", "hugo", "ida", "johan", "klara"];

/// A failing run as a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// The story.
    pub scenario: Scenario,
    /// The place of the first step that says what should have been so; those before it only lead there.
    pub claims_from: usize,
}

/// A run while it is being written.
pub(super) struct StoryWriter {
    pub(super) world: World,
    pub(super) bindings: Bindings,
    judge: oracle::check::Judge,
    /// Callbacks that the world has sent so far, for those who take them.
    pub(super) callbacks: Vec<Callback>,
    pub(super) steps: Vec<StoryStep>,
    accounts: BTreeMap<AccountId, (String, Actor)>,
    orders: BTreeMap<OrderId, (String, Actor)>,
    journeys: BTreeMap<JourneyId, (String, Actor)>,
    actors: BTreeMap<ClientId, Actor>,
    /// How many accounts, orders and journeys were named: a name is given once, also where a world goes back.
    named: [usize; 3],
    /// Timers that have passed.
    passed: Passed,
}

/// The story of a run that broke a law: it ends in what the law expects.
#[must_use]
pub fn story(prepared: &Prepared, steps: &[Step], violation: &Violation) -> Story {
    let mut writer = StoryWriter::new(prepared);
    let panics = violation.invariant == Law::NoPanic;
    for (at, step) in steps.iter().enumerate() {
        let last = (at + 1 == steps.len()).then_some(violation);
        match last {
            // It does not return.
            Some(_) if panics => writer.write_only(step),
            last => writer.step(step, last),
        }
    }
    let led = writer.steps.len();
    if !panics {
        writer.claim(violation.claim.as_ref());
    }
    let claims_from = claims_from(led, &writer.steps);
    Story { scenario: found(&prepared.stage, writer.steps, violation), claims_from }
}

/// The place of the first claim among `steps`, after so many that led there: where none was added, the last of these is one.
const fn claims_from(led: usize, steps: &[StoryStep]) -> usize {
    if steps.len() > led { led } else { led.saturating_sub(1) }
}

/// The scenario of steps that broke a law.
pub(super) fn found(stage: &RunSetup, steps: Vec<StoryStep>, violation: &Violation) -> Scenario {
    let law = violation.invariant;
    let mut scenario = Scenario::new(format!("Found by fuzzing: {law}"), stage.seed, steps);
    scenario.world = stage.block();
    scenario.about = Some(format!("Law {}: {}. Seen: {}", law.number(), law.statement(), violation.what));
    scenario.tags = vec!["found".to_owned()];
    scenario
}

/// A world with what its names mean and its judge, as they were at a moment.
#[derive(Clone)]
pub(super) struct Moment {
    world: World,
    bindings: Bindings,
    judge: oracle::check::Judge,
}

impl Moment {
    /// The fingerprint of its world.
    pub(super) fn digest(&self) -> String {
        self.world.digest().to_string()
    }
}

impl StoryWriter {
    /// The present moment.
    pub(super) fn moment(&self) -> Moment {
        Moment { world: self.world.clone(), bindings: self.bindings.clone(), judge: self.judge.clone() }
    }

    /// The world is as it was at a moment; names that were given since then stay taken.
    pub(super) fn go_back(&mut self, moment: &Moment) {
        let Moment { world, bindings, judge } = moment.clone();
        (self.world, self.bindings, self.judge) = (world, bindings, judge);
    }

    /// The host decides something about the world.
    pub(super) fn host_acts(&mut self, act: InputAct) {
        let number = self.world.last_input() + 1;
        self.world.submit(number, &Input::new(self.world.now(), act));
        self.judge.after_wait(&self.world, self.world.events(), self.world.callbacks());
        self.bindings.observe(&self.world, self.world.events());
    }

    pub(super) fn new(prepared: &Prepared) -> Self {
        let mut actors = BTreeMap::new();
        for (p, partner) in query::partners(&prepared.world).enumerate() {
            for (c, client) in query::clients_of(&prepared.world, partner.id).enumerate() {
                actors.insert(client.id, Actor::Client { partner: p + 1, client: c + 1 });
            }
        }
        Self {
            world: prepared.world.clone(),
            bindings: prepared.bindings.clone(),
            judge: prepared.judge.clone(),
            callbacks: Vec::new(),
            steps: Vec::new(),
            accounts: BTreeMap::new(),
            orders: BTreeMap::new(),
            journeys: BTreeMap::new(),
            actors,
            named: [0; 3],
            passed: Passed::default(),
        }
    }

    /// Every client of the world, in the order of the setup.
    pub(super) fn clients(&self) -> Vec<(ClientId, Actor)> {
        let mut clients: Vec<_> = self.actors.iter().map(|(id, actor)| (*id, *actor)).collect();
        clients.sort_unstable_by_key(|(_, actor)| *actor);
        clients
    }

    /// Whether a client does something in the story so far.
    pub(super) fn acts(&self, actor: Actor) -> bool {
        actor == Actor::default() || self.steps.iter().any(|step| step.actor == actor)
    }

    /// Carries a step out and writes it; the last one as far as the law's instant.
    fn step(&mut self, step: &Step, last: Option<&Violation>) {
        match self.bindings.act(&self.world, step) {
            None => {}
            Some(Act::Wait(to)) => {
                let to = last.map_or(to, |violation| to.min(violation.at).max(self.world.now()));
                self.forget_before(last);
                self.steps.push(wait(to));
                self.pass(to);
                self.world.forget_events();
            }
            Some(Act::Do(command)) => {
                self.forget_before(last);
                self.command(step, command, last);
            }
        }
    }

    /// Writes a step without carrying it out.
    fn write_only(&mut self, step: &Step) {
        match self.bindings.act(&self.world, step) {
            None => {}
            Some(Act::Wait(to)) => self.steps.push(wait(to)),
            Some(Act::Do(command)) => {
                let request = self.step_of_command(step, &command);
                self.steps.extend(request);
            }
        }
    }

    /// A claim about events counts from the last step on.
    fn forget_before(&mut self, last: Option<&Violation>) {
        if last.is_some_and(|violation| matches!(violation.claim, Some(Claim::Events(..)))) {
            self.steps.push(StoryStep::from(StoryAct::ForgetEvents));
        }
    }

    /// The world's time passes; its events are kept.
    pub(super) fn pass(&mut self, to: Instant) {
        self.passed.note(&self.world, to);
        self.world.advance(to);
        self.judge.after_wait(&self.world, self.world.events(), self.world.callbacks());
        self.bindings.observe(&self.world, self.world.events());
        self.callbacks.extend(self.world.take_callbacks());
    }

    /// What a command is about to meet.
    pub(super) fn scene(&self, command: &Command) -> Scene {
        Scene::of(&self.world, &self.passed, &self.judge.model, command)
    }

    /// Carries a command out and remembers what it made; its events are kept.
    pub(super) fn carry_out(&mut self, step: &Step, command: &Command) -> Result<Reply, Refusal> {
        let plan = self.judge.plan(&self.world, command);
        let result = self.world.apply(self.world.now(), command.clone());
        self.judge.after_command(
            &self.world,
            command,
            plan,
            result.as_ref(),
            self.world.events(),
            self.world.callbacks(),
        );
        if let Ok(reply) = &result {
            self.bindings.note(step, reply);
        }
        self.bindings.observe(&self.world, self.world.events());
        self.callbacks.extend(self.world.take_callbacks());
        result
    }

    fn command(&mut self, step: &Step, command: Command, last: Option<&Violation>) {
        if let Some(Claim::Foreign(foreign, status)) = last.and_then(|violation| violation.claim.as_ref()) {
            let story_step = self.step_of_command(step, foreign);
            return self.steps.extend(story_step.map(|story_step| story_step.answers(*status)));
        }
        let plan = self.judge.plan(&self.world, &command);
        let story_step = self.step_of_command(step, &command);
        let result = self.carry_out(step, &command);
        let expected = match (plan.expected, last.and_then(|violation| violation.claim.as_ref())) {
            (_, Some(Claim::Answer(status))) => Some(*status),
            (Expected::Refused(class), _) => Some(status_of(class)),
            (Expected::Accepted, _) => None,
            (Expected::Unsure, _) => result.as_ref().err().map(|refusal| status_of(refusal.class)),
        };
        let expected = expected
            .filter(|_| story_step.as_ref().is_some_and(|story_step| !matches!(story_step.act, StoryAct::Browse(_))));
        if let Some(mut story_step) = story_step {
            if let Some(status) = expected.filter(|&status| status != 200 || last.is_some()) {
                story_step = story_step.answers(status);
            }
            let named = self.named(story_step, step, result.as_ref().ok());
            self.steps.push(named);
        }
        self.world.forget_events();
    }

    /// Gives what a step made a name.
    pub(super) fn named(&mut self, story_step: StoryStep, step: &Step, reply: Option<&Reply>) -> StoryStep {
        match (step, reply) {
            (Step::Open(_), Some(Reply::Account(account))) => {
                let at = next(&mut self.named[0]);
                let name = PEOPLE.get(at).map_or_else(|| format!("account {}", at + 1), |name| (*name).to_owned());
                let story_step = story_step.named(&name);
                self.accounts.insert(account.id, (name, self.actor(account.client)));
                story_step
            }
            (Step::Buy(_) | Step::Sell(_), Some(Reply::Order(order))) => {
                let name = match next(&mut self.named[1]) {
                    0 => "order".to_owned(),
                    at => format!("order {}", at + 1),
                };
                let story_step = story_step.named(&name);
                self.orders.insert(order.id, (name, self.actor(order.client)));
                story_step
            }
            (Step::Start(_), Some(Reply::Journey(journey))) => {
                let name = match next(&mut self.named[2]) {
                    0 => "journey".to_owned(),
                    at => format!("journey {}", at + 1),
                };
                let story_step = story_step.named(&name);
                self.journeys.insert(journey.id, (name, self.actor(journey.client)));
                story_step
            }
            _ => story_step,
        }
    }

    /// How an instruction must be by now, as far as the model knows it.
    pub(super) fn instruction_due(&self, id: InstructionId) -> Option<Instructed> {
        self.judge.model.instruction(id)
    }

    pub(super) fn actor(&self, client: ClientId) -> Actor {
        self.actors.get(&client).copied().unwrap_or_default()
    }

    /// Somebody of a partner.
    fn actor_of(&self, partner: PartnerId) -> Actor {
        let of =
            |client: &&ClientId| query::client(&self.world, **client).is_some_and(|known| known.partner == partner);
        let clients: Vec<&ClientId> = self.actors.keys().filter(of).collect();
        clients.into_iter().map(|client| self.actor(*client)).min().unwrap_or_default()
    }

    /// Whose order it is: also of one that has no name, since its answer was lost.
    fn actor_of_order(&self, id: OrderId) -> Actor {
        let whose = |client: &&ClientId| query::order(&self.world, **client, id).is_some();
        let named = self.orders.get(&id).map(|(_, actor)| *actor);
        named.or_else(|| self.actors.keys().find(whose).map(|client| self.actor(*client))).unwrap_or_default()
    }

    /// How a step refers to an account: by its name, or by its id where it has none.
    pub(super) fn account_ref(&self, id: AccountId) -> String {
        self.accounts.get(&id).map_or_else(|| id.to_string(), |(name, _)| name.clone())
    }

    /// An account's id in the middle of a text or a body.
    pub(super) fn account_id(&self, id: AccountId) -> String {
        self.accounts.get(&id).map_or_else(|| id.to_string(), |(name, _)| format!("{{{name}.id}}"))
    }

    pub(super) fn order_ref(&self, id: OrderId) -> String {
        self.orders.get(&id).map_or_else(|| id.to_string(), |(name, _)| name.clone())
    }

    /// Journeys that the story has a name for.
    pub(super) fn journeys(&self) -> Vec<JourneyId> {
        self.journeys.keys().copied().collect()
    }

    /// How a step refers to a journey.
    pub(super) fn journey_ref(&self, id: JourneyId) -> String {
        self.journeys.get(&id).map_or_else(|| id.to_string(), |(name, _)| name.clone())
    }

    pub(super) fn journey_id(&self, id: JourneyId) -> String {
        self.journeys.get(&id).map_or_else(|| id.to_string(), |(name, _)| format!("{{{name}.id}}"))
    }

    pub(super) fn order_id(&self, id: OrderId) -> String {
        self.orders.get(&id).map_or_else(|| id.to_string(), |(name, _)| format!("{{{name}.id}}"))
    }
}

/// A count, before it goes one up.
fn next(count: &mut usize) -> usize {
    std::mem::replace(count, *count + 1)
}

/// A name as it is written in the words of an expectation; an id is written as it is.
pub(super) fn braced(name: &str) -> String {
    if name.len() == 36 { name.to_owned() } else { format!("{{{name}}}") }
}

/// A move of the clock.
pub(super) fn wait(to: Instant) -> StoryStep {
    StoryStep::advance(Move::to(to))
}

pub(super) fn by(step: StoryStep, actor: Actor) -> StoryStep {
    match actor {
        Actor::Client { partner, client } => step.by(partner, client),
        Actor::Nobody => step,
    }
}
