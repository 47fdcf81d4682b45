//! A story as data: what a scenario file means, and what generators make.
//!
//! Owns: the shapes of scenarios and steps, and short constructors for code. Invariant: everything here can be written as a
//! scenario file (`write`) and read back (`parse`) to an equal value, places aside. Texts may hold `{name.path}`, which is
//! filled in when the step runs (`template`). Absent on purpose: how a step is carried out.

use crate::diagnostic::StepPlace;
use crate::template::{Names, TemplateError, fill_json, fill_text};
use serde_json::Value as Json;
use std::time::Duration;

mod application;
mod block;
mod build;
mod clock;
mod expect;
mod journey;
mod network;
mod request;

pub use application::{ApplicationRequest, Tries};
pub use block::{Deferred, Repeat, Rounds, When};
pub use build::{number, part};
pub use clock::{Move, Noun};
pub use expect::{Book, EventPattern, Expect, Expected, ExpectedResponse};
pub use journey::{Browse, Identity, IdentityOutcome, ReceiverBehaviour};
pub use network::{Network, Server, SocketAct};
pub use request::{Body, Call, Request, request};

/// One story.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Scenario {
    /// The sentence that the story proves.
    pub title: String,
    /// Why it matters, if the title does not say it.
    pub about: Option<String>,
    /// What is missing of a recorded session, where something is.
    pub incomplete: Option<String>,
    /// Words to choose stories by.
    pub tags: Vec<String>,
    /// The world it plays in.
    pub world: WorldBlock,
    /// Rows to play it with, each in a world of its own; none means once.
    pub examples: Vec<Example>,
    /// What is so before the story begins.
    pub given: Vec<StoryStep>,
    /// What happens.
    pub steps: Vec<StoryStep>,
    /// Whether it only lends its steps to other files.
    pub fragment: bool,
}

/// The world of a story. The business clock stands still unless a step moves it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct WorldBlock {
    /// Seed; 1 when none is given.
    pub seed: Option<u64>,
    /// RFC 3339 instant of the start; `DEFAULT_START` when none is given.
    pub start: Option<String>,
    /// Setup: a name or a whole setup; the demo world when none is given.
    pub setup: Option<Json>,
    /// Settings to change before the story begins.
    pub settings: Vec<(String, Json)>,
}

impl WorldBlock {
    /// The world of one row: its start, setup and settings with the row's values.
    ///
    /// # Errors
    /// A name that the row does not have.
    pub fn filled(&self, row: &Example) -> Result<Self, TemplateError> {
        let settings = self.settings.iter().map(|(name, value)| Ok((name.clone(), fill_json(value, row)?)));
        Ok(Self {
            seed: self.seed,
            start: self.start.as_ref().map(|start| fill_text(start, row)).transpose()?,
            setup: self.setup.as_ref().map(|setup| fill_json(setup, row)).transpose()?,
            settings: settings.collect::<Result<_, TemplateError>>()?,
        })
    }
}

/// The start of worlds that name none: Monday 2 March 2026, 08:00 in Stockholm.
pub const DEFAULT_START: &str = "2026-03-02T08:00:00+01:00";

/// The seed of worlds that name none.
pub const DEFAULT_SEED: u64 = 1;

/// One row of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Values by name, for use as `{name}`.
    pub values: Vec<(String, Json)>,
}

impl Names for Example {
    fn get(&self, name: &str) -> Option<&Json> {
        self.values.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

/// An act, or an expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoryStep {
    /// Its place in its file; `None` for generated steps.
    pub place: Option<StepPlace>,
    /// Who does it, or whose socket is watched.
    pub actor: Actor,
    /// What is done.
    pub act: Act,
    /// What is expected of the response, when the act is a request. Without it any 2xx will do.
    pub expect: Option<ExpectedResponse>,
    /// What to remember of the response, or of what an expectation found.
    pub save: Vec<Save>,
    /// Whether the story continues when something is not as expected; it still fails in the end.
    pub soft: bool,
}

/// Whose credentials and client are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// A client of a partner, both counted from 1 in the order of the setup.
    Client {
        /// Which partner.
        partner: usize,
        /// Which of its clients.
        client: usize,
    },
    /// Somebody without credentials; client paths are those of the first partner's first client.
    Nobody,
}

impl Default for Actor {
    fn default() -> Self {
        Self::Client { partner: 1, client: 1 }
    }
}

/// A text or a saved name that stands for an id: `order`, `{order}`, `{order.account}` or the id itself.
pub type Ref = String;

/// A remembered part of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Save {
    /// Name to use it by.
    pub name: String,
    /// Path into the body, such as `$.id`; `$` is all of it.
    pub path: String,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "steps are few and short-lived; boxing would only hide their shape")]
pub enum Act {
    /// One request, by its word.
    Request(Request),
    /// One request, by method and path.
    Call(Call),
    /// A request to the application under test.
    Application(ApplicationRequest),
    /// The business clock moves.
    Advance(Move),
    /// Something must be so.
    Expect(Expect),
    /// Names for values, to be used as `{name}`.
    Let(Vec<(String, Json)>),
    /// Events that came so far no longer count for `nothing else happens`.
    ForgetEvents,
    /// A socket opens or closes.
    Socket(SocketAct),
    /// The customer uses the browser.
    Browse(Browse),
    /// The partner's own server behaves so from here on; of several, each answers one post and the last one all others.
    Receiver(Vec<ReceiverBehaviour>),
    /// The network between partner and sandbox changes (simulated network only).
    Network(Network),
    /// The server crashes or restarts (simulated network only).
    Server(Server),
    /// Transport time passes, which heartbeats and lives of tokens are measured in; the business clock stands still.
    Wait(Duration),
    /// Steps that are done several times.
    Repeat(Repeat),
    /// Steps that are done where something is so.
    When(When),
    /// A step that is read when it runs.
    Deferred(Deferred),
}

impl StoryStep {
    /// The steps within this one: those that are repeated or done, and those that are done otherwise.
    fn inner(&self) -> (&[Self], &[Self]) {
        match &self.act {
            Act::Repeat(block) => (&block.steps, &[]),
            Act::When(block) => (&block.steps, &block.otherwise),
            _ => (&[], &[]),
        }
    }

    fn walk<'a>(&'a self, found: &mut Vec<&'a Self>) {
        found.push(self);
        let (one, other) = self.inner();
        one.iter().chain(other).for_each(|step| step.walk(found));
    }

    fn forget_places(&mut self) {
        self.place = None;
        match &mut self.act {
            Act::Repeat(block) => block.steps.iter_mut().for_each(Self::forget_places),
            Act::When(block) => block.steps.iter_mut().chain(&mut block.otherwise).for_each(Self::forget_places),
            _ => {}
        }
    }
}

impl Scenario {
    /// The seed that is used unless the caller wants another.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.world.seed.unwrap_or(DEFAULT_SEED)
    }

    /// The instant at which the world starts, as written.
    #[must_use]
    pub fn start(&self) -> &str {
        self.world.start.as_deref().unwrap_or(DEFAULT_START)
    }

    /// Every step, `given` first, and after each the steps within it.
    #[must_use]
    pub fn all_steps(&self) -> Vec<&StoryStep> {
        let mut found = Vec::new();
        self.given.iter().chain(&self.steps).for_each(|step| step.walk(&mut found));
        found
    }

    /// The clients whose sockets are open before the first step: the first one, and all that some step names.
    #[must_use]
    pub fn watchers(&self) -> Vec<(usize, usize)> {
        let mut clients = vec![(1, 1)];
        for step in self.all_steps() {
            if let Actor::Client { partner, client } = step.actor {
                clients.push((partner, client));
            }
        }
        clients.sort_unstable();
        clients.dedup();
        clients
    }

    /// Whether some step needs the simulated network.
    #[must_use]
    pub fn needs_simulated_network(&self) -> bool {
        self.all_steps().iter().any(|step| match &step.act {
            Act::Network(_) | Act::Server(_) => true,
            Act::Deferred(late) => matches!(late.word.as_str(), "network" | "server"),
            _ => false,
        })
    }

    /// The first step that speaks with the application under test, where there is one.
    #[must_use]
    pub fn application_step(&self) -> Option<&StoryStep> {
        self.all_steps().into_iter().find(|step| matches!(step.act, Act::Application(_)))
    }

    /// The same story without knowledge of its file.
    #[must_use]
    pub fn without_places(mut self) -> Self {
        self.given.iter_mut().chain(&mut self.steps).for_each(StoryStep::forget_places);
        self
    }
}
