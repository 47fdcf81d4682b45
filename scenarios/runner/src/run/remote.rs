//! A session for generated runs: steps are sent one at a time, several at once or struck on their way, and their outcome is
//! handed back instead of judged.
//!
//! Invariant: sends what `play` would send for the same step, so that steps one after the other mean the same here and in a
//! file. Absent on purpose: what a step should have led to, which its generator decides.

pub use super::frames::{Frame, Frames};

use super::session::{JsonResponse, OutgoingRequest, Session, ShownPart};
use super::{Run, StepResult, Trouble};
use crate::drivers::receiver::{Behaviour, Receiver};
use crate::drivers::turmoil::{self, Backend};
use crate::drivers::{NoAnswer, Outage, Request};
use crate::transcript::Transcript;
use feed::transport::TransportClock;
use language::ast::{Act, Actor, Network, Scenario, Server, StoryStep};
use language::matching::show;
use serde_json::Value as Json;
use std::fmt;
use std::future::Future;
use std::io;
use std::rc::Rc;
use std::time::Duration;

/// A world behind a simulated network.
pub struct Remote {
    session: Session,
}

/// A tick: a few for the worst latency, so that messages overtake each other, and as few as that.
const TICK: Duration = Duration::from_millis(20);

/// How long the partner waits: longer than four messages at the worst latency and a delay take. Every silent tick of a
/// simulation takes real time.
const PATIENCE: Duration = Duration::from_secs(1);

/// The outcome of a request.
#[derive(Clone, Debug)]
pub enum RequestOutcome {
    /// An answer: its status and its body.
    Answer(u16, Json),
    /// No answer, though it was sent.
    Silence,
    /// It could not even be put together: a read that it needs was not answered.
    Unsent,
}

impl fmt::Display for RequestOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answer(status, body) => write!(f, "{status} {}", show(body)),
            Self::Silence => f.write_str("no answer"),
            Self::Unsent => f.write_str("not sent"),
        }
    }
}

fn answer_of(answer: Option<JsonResponse>) -> RequestOutcome {
    answer.map_or(RequestOutcome::Silence, |JsonResponse { status, body, .. }| RequestOutcome::Answer(status, body))
}

/// A post to the partner's own server.
#[derive(Clone, Debug)]
pub struct Posted {
    /// Where to.
    pub path: String,
    /// What a receiver deduplicates by.
    pub id: String,
    /// The type of event, or `journey.callback`.
    pub kind: String,
    /// What it says.
    pub body: Json,
    /// Whether somebody signed it who may.
    pub signed: bool,
}

/// Looks at what is still to be delivered before it is given up; each is a second of the simulation after the last.
const MOST_WAITS: usize = 60;

impl Remote {
    /// Runs `story` at the partner's end of a network seeded by `seed`, with a socket for every client that `scenario` names.
    pub fn run<T, F>(
        scenario: Scenario,
        seed: u64,
        story: impl FnOnce(Self) -> F + 'static,
    ) -> io::Result<Result<T, String>>
    where
        T: 'static,
        F: Future<Output = T> + 'static,
    {
        Self::run_before(&turmoil::alone, scenario, seed, story)
    }

    /// As `run`, before what `backend` makes, which has this clock.
    pub fn run_before<T, F>(
        backend: &dyn Fn(TransportClock) -> Rc<dyn Backend>,
        scenario: Scenario,
        seed: u64,
        story: impl FnOnce(Self) -> F + 'static,
    ) -> io::Result<Result<T, String>>
    where
        T: 'static,
        F: Future<Output = T> + 'static,
    {
        turmoil::run_before(backend, seed, TICK, move |mut driver| async move {
            driver.set_patience(PATIENCE);
            let mut session = Session::open(Box::new(driver), &scenario, None, seed, None).await?;
            session.transcript = Transcript::unread();
            session.frames = Some(Frames::default());
            Ok(story(Self { session }).await)
        })
    }

    /// Sends what `step` asks.
    pub async fn ask(&mut self, step: &StoryStep) -> RequestOutcome {
        match self.exchange(step).await {
            Ok(answer) => answer_of(answer),
            Err(_) => RequestOutcome::Unsent,
        }
    }

    /// Sends what `step` asks, and reads no further into an answer of 200 whose body `is_expected`.
    ///
    /// # Errors
    /// Any other outcome.
    pub async fn read(
        &mut self,
        step: &StoryStep,
        is_expected: impl FnOnce(&str) -> bool,
    ) -> Result<(), RequestOutcome> {
        let outgoing = self.outgoing(step).await.map_err(|_| RequestOutcome::Unsent)?;
        let sent = self.session.sent(step.actor, outgoing, ShownPart::All).await;
        let outcome = sent.map_err(|_| RequestOutcome::Unsent)?;
        if let Ok(response) = &outcome
            && response.status == 200
            && let Some(body) = std::str::from_utf8(&response.body).ok().filter(|body| is_expected(body))
        {
            self.session.transcript.answered_unread(response.status, body);
            return Ok(());
        }
        Err(answer_of(self.session.take_in(outcome, ShownPart::All)))
    }

    /// Remembers of an answer what `step` saves, for later steps to use.
    pub fn remember(&mut self, step: &StoryStep, body: &Json) -> Result<(), String> {
        self.session.save(&step.save, body).map_err(|trouble| trouble.what)
    }

    /// Sends what `steps` ask at once, each after a pause of so many ticks and over a connection of its own.
    pub async fn ask_at_once(&mut self, steps: &[(u8, StoryStep)]) -> Vec<RequestOutcome> {
        let (mut outcome_of_request, mut places, mut requests) =
            (vec![RequestOutcome::Unsent; steps.len()], Vec::new(), Vec::new());
        for (place, (ticks, step)) in steps.iter().enumerate() {
            if let Ok(Ok(request)) = self.addressed(step).await {
                places.push(place);
                requests.push((TICK * u32::from(*ticks), request));
            }
        }
        let outcomes = self.session.driver.call_at_once(requests).await;
        for (place, outcome) in places.into_iter().zip(outcomes) {
            outcome_of_request[place] = answer_of(self.session.take_in(outcome, ShownPart::All));
        }
        outcome_of_request
    }

    /// Sends what `step` asks, and has `outage` strike so many ticks later, whether or not there is an answer by then.
    pub async fn ask_struck(&mut self, step: &StoryStep, outage: Outage, ticks: u8) -> Result<RequestOutcome, String> {
        let Ok(Ok(request)) = self.addressed(step).await else { return Ok(RequestOutcome::Unsent) };
        let outcome = self.session.driver.call_struck(request, outage, TICK * u32::from(ticks)).await?;
        let outcome_of_request = answer_of(self.session.take_in(outcome, ShownPart::All));
        let taken = match outage {
            Outage::Cut => self.session.network_is(Network::Cut).await,
            Outage::Held => self.session.network_is(Network::Held).await,
            Outage::Crash => self.session.server_is(Server::Crashes).await,
        };
        taken.map(|()| outcome_of_request).map_err(|trouble| trouble.what)
    }

    async fn exchange(&mut self, step: &StoryStep) -> StepResult<Option<JsonResponse>> {
        let outgoing = self.outgoing(step).await?;
        self.session.send(step.actor, outgoing, ShownPart::All).await
    }

    async fn addressed(&mut self, step: &StoryStep) -> StepResult<Result<Request, NoAnswer>> {
        let outgoing = self.outgoing(step).await?;
        self.session.addressed(step.actor, outgoing, ShownPart::All).await
    }

    async fn outgoing(&mut self, step: &StoryStep) -> StepResult<OutgoingRequest> {
        match &step.act {
            Act::Request(request) => self.session.prepare(step.actor, request).await,
            Act::Call(call) => self.session.prepare_call(step.actor, call),
            _ => Err(Trouble::new("the step sends no request")),
        }
    }

    /// Carries out a step that is no request: the clock, the network, the server, the sockets.
    pub async fn play(&mut self, step: &StoryStep) -> Result<(), String> {
        self.session.step(step, None).await.map_err(|trouble| trouble.what)
    }

    /// Changes the network.
    pub async fn set_network(&mut self, network: Network) -> Result<(), String> {
        self.play(&StoryStep::from(Act::Network(network))).await
    }

    /// Crashes or restarts the server.
    pub async fn server(&mut self, server: Server) -> Result<(), String> {
        self.play(&StoryStep::from(Act::Server(server))).await
    }

    /// The events since the last call, of every socket that lives.
    pub async fn frames(&mut self) -> Result<Frames, String> {
        self.session.catch_up().await.map_err(|trouble| trouble.what)?;
        Ok(self.session.frames.as_mut().map(std::mem::take).unwrap_or_default())
    }

    /// Opens a further socket of a client with this token instead of the partner's own; one of that name is closed before.
    ///
    /// # Errors
    /// When it does not open.
    pub async fn open_socket_with(&mut self, actor: Actor, name: &str, token: &str) -> Result<(), String> {
        self.session.open_socket_with(actor, name, token).await.map_err(|trouble| trouble.what)
    }

    /// Lets so much transport time pass.
    pub async fn pass(&mut self, time: Duration) {
        self.session.driver.pass(time).await;
    }

    /// How the partner's own server answers the next posts; then it answers well.
    pub fn misbehave(&self, behaviours: &[Behaviour]) {
        self.session.driver.receiver().answer_next(behaviours.iter().copied());
    }

    /// Every post that the partner's own server got, once nothing is left to be delivered to these actors.
    pub async fn posts(&mut self, actors: &[Actor]) -> Result<Vec<Posted>, String> {
        for actor in actors {
            self.session.deliver_all(*actor, MOST_WAITS).await.map_err(|trouble| trouble.what)?;
        }
        let posts = self.session.open_posts().into_iter().map(|open| Posted {
            path: open.post.path.clone(),
            id: open.header("webhook-id").to_owned(),
            kind: open.kind().to_owned(),
            signed: actors.iter().any(|actor| self.session.check_signature(*actor, &open).is_ok()),
            body: open.body,
        });
        Ok(posts.collect())
    }

    /// The form by which the first partner gets a token, and the id of its first client.
    pub fn credentials(&self) -> (String, String) {
        self.session.credentials_of_first()
    }

    /// The partner's own server.
    pub fn receiver(&self) -> Receiver {
        self.session.driver.receiver().clone()
    }

    /// The id of what the story calls `name`.
    pub fn id_of(&self, name: &str) -> Option<String> {
        self.session.names.resources().find(|(known, _)| known == name).map(|(_, id)| id)
    }

    /// Transport time now, in seconds since 1970.
    pub fn seconds() -> u64 {
        (turmoil::EPOCH + ::turmoil::sim_elapsed().unwrap_or_default()).as_secs()
    }

    /// Waits until nothing is left to be delivered to this actor, as far as that comes about.
    pub async fn deliver_all(&mut self, actor: Actor) {
        // What is still not delivered then is found by the judge.
        self.session.deliver_all(actor, MOST_WAITS).await.ok();
    }

    /// The world's fingerprint as the operator reads it; none when the server does not answer.
    pub async fn digest(&mut self) -> Option<String> {
        let answer = self.session.fingerprint().await.ok()?;
        answer.get("digest").and_then(Json::as_str).map(str::to_owned)
    }

    /// How many worlds the server has.
    pub async fn worlds(&mut self) -> Result<usize, String> {
        self.session.worlds().await
    }

    /// How many event sockets the server has open in the world: they close in their own time, so that the transcript leaves this out.
    pub async fn open_sockets(&mut self) -> Result<usize, String> {
        self.session.sockets_of_server().await
    }

    /// Drops the world and hands over the transcript.
    pub async fn finish(self) -> Run {
        self.session.close().await
    }
}
