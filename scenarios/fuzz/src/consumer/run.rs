//! One run around a consumer: steps over a simulated network, and a consumer beside them.
//!
//! Invariant: the consumer gets the ids of journeys that the partner makes, and nothing else; what it finds out it finds out
//! by itself, in virtual time. Absent on purpose: what is drawn (`step`), how the consumer reads (`service`), and how it is
//! judged (`ending`, `judge`).

use super::lines::{QUIET, bundle, lines, read, text};
use super::posts::{self, Posts};
use super::recorder::Recorder;
use super::service::PartnerConnection;
use super::step::{ConsumerStep, NetworkState};
use crate::batch::on_a_fresh_thread;
use crate::coverage::Coverage;
use crate::run::RunOutcome;
use consumer::copy::Copy;
use consumer::follow::{Pace, by_sockets, by_webhooks};
use feed::transport::TransportClock;
use language::ast::{Act, Scenario, Server, StoryStep};
use oracle::check::{Law, Violation};
use runner::drivers::turmoil::{Backend, alone};
use runner::remote::{Remote, RequestOutcome};
use serde_json::Value as Json;
use sim::digest::digest_of;
use sim::time::{Instant, Millis};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io;
use std::rc::Rc;
use std::time::Duration;

/// One run in so many follows webhooks instead of sockets.
const WEBHOOKS_EVERY: u64 = 2;

/// How the consumer times itself: an hour is twelve seconds long (`lines`).
pub(super) const PACE: Pace = Pace {
    renew: Duration::from_secs(9),
    silence: Duration::from_millis(2_500),
    retry: Duration::from_millis(400),
    reconcile: Duration::from_secs(8),
    everything: Duration::from_secs(20),
};

/// The run as a story, without its judgement.
pub(super) fn story(seed: u64, steps: &[ConsumerStep], title: &str) -> Scenario {
    let by_webhooks = is_by_webhooks(seed);
    let all = lines(steps, by_webhooks).into_iter().flatten();
    read(&text(seed, title, by_webhooks, all)).unwrap_or_default()
}

const fn is_by_webhooks(seed: u64) -> bool {
    seed % WEBHOOKS_EVERY == 1
}

/// A step with its lines, and what they ask.
type Group = (ConsumerStep, Vec<(String, StoryStep)>);

/// Makes what answers in a run, with the run's clock.
pub(super) type MakeBackend = dyn Fn(TransportClock) -> Rc<dyn Backend>;

/// What answers in a run.
pub(super) struct Served {
    /// What makes it.
    pub(super) backend: Rc<MakeBackend>,
    /// The outages that it has of itself, beside those of the steps.
    pub(super) outages: Option<Rc<dyn Outages>>,
}

/// Outages that no step asks for.
pub(super) trait Outages {
    /// They begin.
    fn begin(&self);

    /// They end; answers after how long all is well.
    fn end(&self) -> Duration;
}

impl Served {
    fn alone() -> Self {
        Self { backend: Rc::new(alone), outages: None }
    }
}

/// A run under way.
pub(super) struct Run {
    pub(super) remote: Remote,
    pub(super) copy: Rc<RefCell<Copy>>,
    pub(super) recorder: Rc<RefCell<Recorder>>,
    /// Webhooks, where the consumer follows these.
    pub(super) posts: Option<Rc<RefCell<Posts>>>,
    /// Journeys that the partner has made.
    pub(super) journeys: Vec<String>,
    /// Orders that the platform may have forgotten.
    pub(super) purged: BTreeSet<String>,
    coverage: Coverage,
    is_down: bool,
    /// Whether a rule may spoil signatures.
    pub(super) may_forge: bool,
    /// Accounts and orders of which the service has said that it has made them.
    pub(super) made: BTreeSet<(&'static str, String)>,
    /// The outages of what answers, which is reached over further hosts where it has some.
    pub(super) outages: Option<Rc<dyn Outages>>,
    /// A rotation of the webhook's secret that was not answered.
    pub(super) unanswered_rotation: Option<StoryStep>,
    simulated: Duration,
}

/// Makes a run and judges it.
///
/// # Errors
/// When the system gives no thread, or the simulation itself fails.
pub(super) fn run(seed: u64, steps: &[ConsumerStep]) -> io::Result<RunOutcome> {
    let steps = steps.to_vec();
    on_a_fresh_thread(move || simulated(seed, &steps, &Served::alone()))?
}

/// Makes a run before `served`, in this thread, and judges it.
pub(super) fn simulated(seed: u64, steps: &[ConsumerStep], served: &Served) -> io::Result<RunOutcome> {
    let by_webhooks = is_by_webhooks(seed);
    let lines = lines(steps, by_webhooks);
    let all = lines.iter().flatten().cloned().chain(QUIET.map(str::to_owned));
    let scenario = read(&text(seed, "Around a consumer", by_webhooks, all)).map_err(io::Error::other)?;
    let mut asked = scenario.steps.clone().into_iter();
    let given: Vec<StoryStep> = scenario.given.iter().cloned().chain(asked.next()).collect();
    let groups: Vec<Group> =
        steps.iter().zip(lines).map(|(step, lines)| (*step, lines.into_iter().zip(asked.by_ref()).collect())).collect();
    let quiet: Vec<StoryStep> = asked.collect();
    let stage = Scenario { given: Vec::new(), steps: Vec::new(), ..scenario };
    let outages = served.outages.clone();
    let made = Remote::run_before(&*served.backend, stage, seed, move |remote| async move {
        let mut run = Run::new(remote, by_webhooks, outages);
        for step in &given {
            run.ask(step).await;
        }
        run.start_consumer();
        if let Some(outages) = &run.outages {
            outages.begin();
        }
        for (step, group) in &groups {
            run.step(*step, group).await;
        }
        let found = run.judge_all(&quiet).await.err();
        let violation =
            found.map(|what| Violation { invariant: Law::ConsumersCopy, at: Instant::MIN, what, claim: None });
        run.end(groups.len(), violation).await
    });
    made?.map_err(io::Error::other)
}

impl Run {
    fn new(remote: Remote, by_webhooks: bool, outages: Option<Rc<dyn Outages>>) -> Self {
        let (_, client) = remote.credentials();
        Self {
            copy: Rc::new(RefCell::new(Copy::of(&client))),
            posts: by_webhooks.then(Rc::default),
            remote,
            recorder: Rc::default(),
            journeys: Vec::new(),
            purged: BTreeSet::new(),
            coverage: Coverage::default(),
            is_down: false,
            may_forge: false,
            made: BTreeSet::new(),
            outages,
            unanswered_rotation: None,
            simulated: Duration::ZERO,
        }
    }

    /// Starts the consumer beside the steps; it ends with the simulation.
    fn start_consumer(&self) {
        let (form, client) = self.remote.credentials();
        let mut service = PartnerConnection::new(client, form, Rc::clone(&self.recorder));
        let copy = Rc::clone(&self.copy);
        let Some(posts) = &self.posts else {
            tokio::task::spawn_local(async move { match by_sockets(&copy, &mut service, PACE).await {} });
            return;
        };
        let incoming = self.remote.receiver().ask();
        let (posts, recorder) = (Rc::clone(posts), Rc::clone(&self.recorder));
        tokio::task::spawn_local(posts::answer_all(incoming, posts, Rc::clone(&copy), recorder));
        tokio::task::spawn_local(async move { match by_webhooks(&copy, &mut service, PACE).await {} });
    }

    pub(super) async fn ask(&mut self, step: &StoryStep) -> Option<Json> {
        let asked = Remote::seconds();
        let outcome = self.remote.ask(step).await;
        if self.outages.is_some() {
            self.note_rotation(step, &outcome);
        }
        let RequestOutcome::Answer(200..=299, body) = outcome else { return None };
        self.note_made(step, &body);
        // What is not kept is not there for later steps, which then do nothing.
        self.remote.remember(step, &body).ok();
        if let (Some(posts), Some(secret)) = (&self.posts, body.get("secret").and_then(Json::as_str)) {
            posts.borrow_mut().rotate(secret, asked);
        }
        Some(body)
    }

    pub(super) async fn ask_or_play(&mut self, step: &StoryStep) -> Option<Json> {
        if matches!(step.act, Act::Request(_) | Act::Call(_)) {
            return self.ask(step).await;
        }
        // What cannot be done now, such as a move of the clock of a server that is down, is left out.
        self.remote.play(step).await.ok();
        None
    }

    fn note(&mut self, step: ConsumerStep, lines: usize) {
        let fails = matches!(
            step,
            ConsumerStep::NetworkState(NetworkState::Cut | NetworkState::Held)
                | ConsumerStep::Crash
                | ConsumerStep::Bundle(_)
                | ConsumerStep::EndSockets(_)
        );
        self.coverage.laws.note_if(Law::ConsumersCopy, fails);
        let met = match step {
            ConsumerStep::NetworkState(NetworkState::Cut) => "cuts",
            ConsumerStep::NetworkState(NetworkState::Held) => "holds",
            ConsumerStep::Crash => "crashes",
            ConsumerStep::Bundle(_) => "fault bundles",
            ConsumerStep::EndSockets(_) => "sockets ended",
            ConsumerStep::RotateSecret if lines > 0 => "secrets rotated",
            ConsumerStep::Replay if lines > 0 => "webhooks replayed",
            ConsumerStep::AtOnce(..) if lines > 1 => "requests sent together",
            _ => return,
        };
        self.coverage.note_network(met);
    }

    async fn step(&mut self, step: ConsumerStep, group: &[(String, StoryStep)]) {
        self.note(step, group.len());
        match step {
            ConsumerStep::Wait(ms) => self.pass(Duration::from_millis(u64::from(ms))).await,
            ConsumerStep::AtOnce(..) if group.len() > 1 => self.ask_at_once(group).await,
            ConsumerStep::Crash => self.server_is(Server::Crashes).await,
            ConsumerStep::Restart => self.server_is(Server::Restarts).await,
            _ => {
                if let ConsumerStep::Bundle(number) = step {
                    self.may_forge |= bundle(number).name == "a bad day";
                }
                for (line, step) in group {
                    self.note_purge(line);
                    self.ask_or_play(step).await;
                    self.follow_journey(line);
                }
            }
        }
    }

    async fn ask_at_once(&mut self, group: &[(String, StoryStep)]) {
        let at_once: Vec<(u8, StoryStep)> = group.iter().zip(0..).map(|((_, step), at)| (at, step.clone())).collect();
        for (outcome_of_request, (_, step)) in self.remote.ask_at_once(&at_once).await.into_iter().zip(&at_once) {
            if let RequestOutcome::Answer(200..=299, body) = outcome_of_request {
                self.remote.remember(step, &body).ok();
                self.note_made(step, &body);
            }
        }
    }

    /// A rotation may have happened without an answer, and nobody knows the secret then: it is asked for again when all is well.
    fn note_rotation(&mut self, step: &StoryStep, outcome: &RequestOutcome) {
        if matches!(&step.act, Act::Request(request) if request.word.word == "rotate webhook secret") {
            let is_unanswered = matches!(outcome, RequestOutcome::Silence);
            self.may_forge |= is_unanswered;
            self.unanswered_rotation = is_unanswered.then(|| step.clone());
        }
    }

    fn note_made(&mut self, step: &StoryStep, body: &Json) {
        let Act::Request(request) = &step.act else { return };
        let noun = match request.word.word {
            "open account" => "account",
            "subscribe" | "redeem" => "order",
            _ => return,
        };
        self.made.extend(body.get("id").and_then(Json::as_str).map(|id| (noun, id.to_owned())));
    }

    /// A crash of what is there, or a restart of what is not: nothing speaks against either.
    pub(super) async fn server_is(&mut self, server: Server) {
        let is_down = server == Server::Crashes;
        if is_down != self.is_down {
            self.is_down = is_down;
            self.remote.server(server).await.ok();
        }
    }

    /// From here on the order may be gone, whatever the answer.
    fn note_purge(&mut self, line: &str) {
        if let Some(id) = line.strip_prefix("purge order: ").and_then(|name| self.remote.id_of(name)) {
            self.purged.insert(id);
            self.coverage.note_network("orders purged");
        }
    }

    /// The partner gives the consumer the id of a journey that it has made.
    fn follow_journey(&mut self, line: &str) {
        let name = line.strip_prefix("start journey: { as: ").and_then(|rest| rest.split(',').next());
        if let Some(id) = name.and_then(|name| self.remote.id_of(name)) {
            self.copy.borrow_mut().follow_journey(&id);
            self.journeys.push(id);
        }
    }

    pub(super) async fn pass(&mut self, span: Duration) {
        self.simulated += span;
        tokio::time::sleep(span).await;
    }

    async fn end(mut self, steps: usize, violation: Option<Violation>) -> RunOutcome {
        let recorder = self.recorder.borrow().clone();
        let refused = self.posts.as_ref().map_or(0, |posts| posts.borrow().refused());
        let events = recorder.ids.len() as u64;
        for (what, count) in [
            ("events delivered", events),
            ("events delivered again", recorder.again),
            ("records read", recorder.reads),
            ("records denied", recorder.denied().len() as u64),
            ("posts refused", refused),
        ] {
            (0..count).for_each(|_| self.coverage.note_network(what));
        }
        let held: Vec<String> = self.copy.borrow().held().values().map(Json::to_string).collect();
        let ending = self.remote.finish().await;
        self.coverage.rare.add(&rare::tally());
        RunOutcome {
            digest: digest_of(&(ending.digest, held, events, recorder.again)),
            steps: steps as u64,
            simulated: Millis(i64::try_from(self.simulated.as_millis()).unwrap_or(i64::MAX)),
            coverage: self.coverage,
            used: steps,
            violations: violation.into_iter().collect(),
        }
    }
}
