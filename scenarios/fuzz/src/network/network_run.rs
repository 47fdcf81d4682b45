//! A run under way: what was sent, what was received, and what must have followed.
//!
//! Invariant: the reference world does what the server has acknowledged, in the same order. A request without an answer is kept as a
//! doubt until the server can be asked; then it has happened whole, or not at all, and the server's fingerprint shows which.
//! Absent on purpose: how steps are drawn, and what becomes of a violation.

use super::events::{Feeds, NARROW, NARROW_SCOPES, SECOND};
use super::narrow::narrow_token;
use super::pending::{AtOnce, MOST_DOUBTS, UnansweredRequest};
use super::posts::{self, Posts};
use super::step::{DELAY_MS, FAULTS, MidFlightOutage, NetworkStep, Rule};
use crate::coverage::Coverage;
use crate::generate::{Act, Step};
use crate::run_setup::Prepared;
use crate::story::{self, StoryWriter};
use language::ast::{
    Act as StoryAct, Actor, Body, Call, Expected, ExpectedResponse, Network, Server, SocketAct, StoryStep,
};
use oracle::check::{Claim, Law, Violation, accepted_as, status_of};
use oracle::model::money_files::Instructed;
use runner::drivers::receiver::Behaviour;
use runner::remote::{Remote, RequestOutcome};
use serde_json::{Value as Json, json};
use sim::command::PlaceOrder;
use sim::ids::InstructionId;
use sim::input::Act as InputAct;
use sim::machines::journey::State;
use sim::records::Proceeds;
use sim::time::Instant;
use sim::{Command, Reply};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// Longer than sockets stay open once a stop was announced.
const GOING_AWAY: Duration = Duration::from_millis(2_500);

/// Once the sockets are to show more events than this, they are read at once: unread frames stay on the connection.
const MOST_UNREAD: usize = 64;

/// How often the sockets are read at calm moments, and the worlds' fingerprints, which take in everything, compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    /// Now and then: enough to find out that something is wrong.
    Sampled,
    /// After every step: to find out which one.
    EveryStep,
}

impl Comparison {
    /// Calm steps from one comparison to the next.
    const fn steps(self) -> usize {
        match self {
            Self::Sampled => 32,
            Self::EveryStep => 1,
        }
    }

    /// Calm steps from one reading of the sockets to the next: each waits for answers to pings. One seed in eight reads after every
    /// step, which shows an event that comes only with the next one.
    fn steps_unread(self, seed: u64) -> usize {
        match self {
            Self::Sampled => usize::try_from(seed % 8).map_or(1, |more| 1 + more),
            Self::EveryStep => 1,
        }
    }
}

/// The way between partner and sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Connectivity {
    Open,
    Cut,
    Held,
    /// The server is down.
    Down,
}

/// A webhook of a client.
#[derive(Clone, Debug)]
pub(super) struct Webhook {
    pub(super) id: String,
    pub(super) secret: String,
    pub(super) actor: Actor,
    /// Where its posts go.
    pub(super) path: String,
}

/// A run under way.
pub(super) struct NetworkRun {
    pub(super) remote: Remote,
    pub(super) writer: StoryWriter,
    pub(super) feeds: Feeds,
    posts: Posts,
    /// The webhooks that were registered.
    pub(super) webhooks: Vec<Webhook>,
    /// Instructions as they were when they were last read.
    last_read: BTreeMap<InstructionId, Instructed>,
    pub(super) coverage: Coverage,
    pub(super) found: Vec<Violation>,
    /// Expectations that end the story, where the language can say them.
    pub(super) ending: Vec<StoryStep>,
    pub(super) connectivity: Connectivity,
    pub(super) unanswered: Vec<UnansweredRequest>,
    /// What strikes the next request.
    strike: Option<MidFlightOutage>,
    /// Requests that wait to be sent at once.
    pub(super) at_once: AtOnce,
    rules: VecDeque<Rule>,
    /// Whether it is known which fault rules are left.
    pub(super) rules_known: bool,
    /// Where the story was when the sockets were read last.
    pub(super) sockets_read_at: usize,
    pub(super) comparison: Comparison,
    /// Calm steps since the fingerprints were compared.
    uncompared: usize,
    /// Calm steps since the sockets were read.
    unread: usize,
}

impl NetworkRun {
    pub(super) fn new(remote: Remote, prepared: &Prepared, comparison: Comparison) -> Self {
        let writer = StoryWriter::new(prepared);
        Self {
            remote,
            feeds: Feeds::new(&writer.world),
            posts: Posts::default(),
            webhooks: Vec::new(),
            last_read: BTreeMap::new(),
            writer,
            coverage: Coverage::default(),
            found: Vec::new(),
            ending: Vec::new(),
            connectivity: Connectivity::Open,
            unanswered: Vec::new(),
            strike: None,
            at_once: AtOnce::default(),
            rules: VecDeque::new(),
            rules_known: true,
            sockets_read_at: 0,
            comparison,
            uncompared: 0,
            unread: 0,
        }
    }

    /// One step, and all that must hold after it. `false` when some law did not hold.
    pub(super) async fn step(&mut self, step: &NetworkStep) -> bool {
        if !matches!(step, NetworkStep::Do(_)) {
            self.send_at_once().await;
            self.strike = None;
        }
        if self.found.is_empty() && !matches!(step, NetworkStep::Do(_) | NetworkStep::Read(_)) {
            self.hear_what_is_unread().await;
        }
        match step {
            _ if !self.found.is_empty() => {}
            NetworkStep::Do(step) => self.act(step).await,
            NetworkStep::Network(network) => self.set_network(*network).await,
            NetworkStep::Server(server) => self.server(*server).await,
            NetworkStep::Rule(rule) => self.rule(*rule).await,
            NetworkStep::MidFlightOutage(strike) => self.strike = Some(*strike),
            NetworkStep::AtOnce { count, pauses } => self.at_once.begin(usize::from(*count), *pauses),
            NetworkStep::Read(look) => self.look(*look).await,
        }
        if self.found.is_empty() {
            self.agree().await;
        }
        self.found.is_empty()
    }

    pub(super) fn now(&self) -> Instant {
        self.writer.world.now()
    }

    pub(super) fn fail(&mut self, invariant: Law, what: impl Into<String>, claim: Option<Claim>) {
        let at = self.now();
        self.found.push(Violation { invariant, at, what: what.into(), claim });
    }

    async fn act(&mut self, step: &Step) {
        // What is due already happens with the next request that reaches the world, and which one that is cannot be known.
        let now = self.now();
        if self.writer.world.next_timer().is_some_and(|(due, _)| due <= now) {
            self.wait(now).await;
        }
        if !self.found.is_empty() {
            return;
        }
        match self.writer.bindings.act(&self.writer.world, step) {
            None => {}
            Some(Act::Wait(to)) => {
                self.send_at_once().await;
                if self.found.is_empty() {
                    self.wait(to).await;
                }
            }
            Some(Act::Do(command)) => self.command(step, command).await,
        }
    }

    /// The operator moves the clock; only a server that is down keeps it from that.
    async fn wait(&mut self, to: Instant) {
        if self.connectivity == Connectivity::Down {
            return;
        }
        let story_step = story::wait(to);
        let moved = self.remote.play(&story_step).await;
        self.writer.steps.push(story_step);
        if let Err(why) = moved {
            return self.fail(Law::WellFormedAnswers, format!("the clock: {why}"), None);
        }
        self.writer.pass(to);
        self.expect_events_of_reference();
    }

    /// A decision of the host is an input like others: what is due at its instant happens first.
    pub(super) fn host_has_decided(&mut self) {
        self.writer.host_acts(InputAct::Surface("".into()));
        self.expect_events_of_reference();
    }

    /// Has what is due at this instant happen on both sides: a request that was refused may have reached the server's world, which was
    /// brought up to the instant first, or not.
    pub(super) async fn let_due_happen(&mut self) {
        let now = self.now();
        if self.writer.world.next_timer().is_some_and(|(at, _)| at <= now) {
            self.wait(now).await;
        }
    }

    /// The events that the reference world has just sent are those that the sockets must show.
    pub(super) fn expect_events_of_reference(&mut self) {
        let (events, callbacks) = (self.writer.world.take_events(), std::mem::take(&mut self.writer.callbacks));
        self.coverage.laws.note_events(&events);
        for callback in &callbacks {
            self.coverage.laws.note_if(Law::OneCallback, callback.body.state != State::Complete);
        }
        self.feeds.expect(&self.writer.world, &events);
        self.posts.expect(&self.writer.world, &events, &callbacks, &self.feeds.client_numbers);
    }

    /// The customer opens a page; outages between partner and sandbox do not concern the customer.
    ///
    /// The story's steps from `before` on lead there.
    async fn browse(&mut self, step: &Step, command: &Command, before: usize, story_step: StoryStep) {
        let (Command::OpenJourney { journey, .. } | Command::AbortJourney { journey, .. }) = command else { return };
        // Nobody has the link of a journey whose creation was not answered.
        let known = self.writer.journeys().contains(journey);
        if self.connectivity == Connectivity::Down || !known {
            return self.writer.steps.truncate(before);
        }
        self.writer.steps.push(story_step);
        self.coverage.note_network("links followed");
        let mut shown = Ok(());
        for at in before..self.writer.steps.len() {
            let story_step = self.writer.steps[at].clone();
            if shown.is_ok() {
                shown = self.remote.play(&story_step).await;
            }
        }
        drop(self.writer.carry_out(step, command));
        self.expect_events_of_reference();
        if let Err(why) = shown {
            self.fail(Law::WellFormedAnswers, format!("the page of a journey: {why}"), None);
        }
    }

    async fn command(&mut self, step: &Step, command: Command) {
        if self.unanswered.len() >= MOST_DOUBTS {
            return;
        }
        let before = self.writer.steps.len();
        let Some(story_step) = self.writer.step_of_command(step, &command) else { return };
        let calm = self.connectivity == Connectivity::Open
            && self.unanswered.is_empty()
            && self.rules.is_empty()
            && self.rules_known;
        let alone = self.writer.steps.len() == before && !matches!(story_step.act, StoryAct::Browse(_));
        if self.at_once.is_open() {
            if calm && alone {
                return self.keep_for_at_once(step, command, story_step).await;
            }
            // It reads something first, or is done in a browser: what waits is sent, and this step left out.
            self.writer.steps.truncate(before);
            return self.send_at_once().await;
        }
        if matches!(story_step.act, StoryAct::Browse(_)) {
            return self.browse(step, &command, before, story_step).await;
        }
        if calm
            && alone
            && !is_lever(&story_step)
            && let Some(strike) = self.strike.take()
        {
            return self.send_struck(step, command, story_step, strike).await;
        }
        // A bounce reads the payout first; it is sent like everything else.
        for at in before..self.writer.steps.len() {
            let read = self.writer.steps[at].clone();
            let outcome_of_request = self.remote.ask(&read).await;
            let remembered = matches!(&outcome_of_request, RequestOutcome::Answer(_, body) if self.remote.remember(&read, body).is_ok());
            if !remembered {
                return self.writer.steps.truncate(at);
            }
        }
        self.send(step, command, story_step).await;
    }

    /// Sends a request and takes in its outcome.
    pub(super) async fn send(&mut self, step: &Step, command: Command, story_step: StoryStep) {
        if self.unanswered.len() >= MOST_DOUBTS {
            return;
        }
        let outside = is_lever(&story_step);
        let hit = self.hit_by_rule(&command, outside);
        if let Some(busy) = hit.filter(|rule| rule.retry_after().is_some()) {
            return self.send_to_the_busy(story_step, busy).await;
        }
        match self.remote.ask(&story_step).await {
            RequestOutcome::Unsent => {}
            RequestOutcome::Silence => self.unanswered(step, command, story_step, hit, outside).await,
            RequestOutcome::Answer(status, body) => self.answered(step, &command, story_step, status, &body),
        }
    }

    /// Sends a request that a rule answers: nothing has happened, and the answer says for how long to wait.
    async fn send_to_the_busy(&mut self, mut story_step: StoryStep, busy: Rule) {
        let seconds = busy.retry_after().unwrap_or_default();
        self.coverage.note_network("requests answered with 503");
        story_step.save.clear();
        story_step.expect = Some(ExpectedResponse {
            status: Some(json!(503).into()),
            headers: vec![("retry-after".to_owned(), Expected::Is(json!(seconds.to_string())))],
            ..ExpectedResponse::default()
        });
        let answered = self.remote.play(&story_step).await;
        self.writer.steps.push(story_step);
        if let Err(why) = answered {
            self.fail(Law::WellFormedAnswers, format!("a request that a rule answers with 503: {why}"), None);
        }
    }

    /// The rule that hits this request, if there is one.
    fn hit_by_rule(&mut self, command: &Command, outside: bool) -> Option<Rule> {
        let order = matches!(
            command,
            Command::PlaceOrder(PlaceOrder { proceeds: Proceeds::Keep, .. })
                | Command::ValidateOrder(PlaceOrder { proceeds: Proceeds::Keep, .. })
        );
        if !order || outside || self.rules.is_empty() {
            return None;
        }
        match self.connectivity {
            Connectivity::Open => {}
            // It does not get as far as the rule.
            Connectivity::Cut | Connectivity::Down => return None,
            Connectivity::Held => {
                // Whether it got as far as the rule is part of the doubt.
                self.rules_known = false;
                return None;
            }
        }
        self.rules.pop_front()
    }

    /// An answer: it is as it should be, and the reference world does the same.
    pub(super) fn answered(
        &mut self,
        step: &Step,
        command: &Command,
        mut story_step: StoryStep,
        status: u16,
        body: &Json,
    ) {
        let scene = self.writer.scene(command);
        let result = self.writer.carry_out(step, command);
        self.coverage.pairs.note(&scene, result.is_ok());
        self.coverage.note(oracle::check::name_of(command), result.as_ref().err().map(|refusal| refusal.class));
        let expected = result.as_ref().map_or_else(|refusal| status_of(refusal.class), |_| accepted_as(command));
        if let Err(refusal) = &result {
            self.coverage.laws.note_refusal(refusal.class);
        }
        let fits = status == expected;
        if !fits || result.is_err() {
            story_step = story_step.answers(expected);
        }
        let story_step = self.writer.named(story_step, step, result.as_ref().ok());
        let remembered = if fits { self.remote.remember(&story_step, body) } else { Ok(()) };
        self.writer.steps.push(story_step);
        if let Err(why) = remembered {
            return self.fail(Law::WellFormedAnswers, why, None);
        }
        if !self.is_well_formed(status, body) {
            return;
        }
        if !fits {
            let what = format!("{} was answered {status}, expected {expected}", oracle::check::name_of(command));
            return self.fail(Law::RefusalsChangeNothing, what, Some(Claim::Answer(expected)));
        }
        self.shows_what_was_made(result.as_ref().ok(), body);
        self.expect_events_of_reference();
    }

    /// The answer names the very resource that was made.
    fn shows_what_was_made(&mut self, reply: Option<&Reply>, body: &Json) {
        if let Some(id) = reply.and_then(id_of).filter(|id| !names(body, id)) {
            self.fail(
                Law::Determinism,
                format!("the created id is {id}, the answer has {}", language::matching::show(body)),
                None,
            );
        }
    }

    /// No server error, and every error in the specified body (law 52).
    pub(super) fn is_well_formed(&mut self, status: u16, body: &Json) -> bool {
        let text = |key: &str| body.get(key).and_then(Json::as_str).is_some_and(|text| !text.is_empty());
        self.coverage.laws.note_if(Law::WellFormedAnswers, status >= 400);
        let fine = status < 400 || (status < 500 && text("error") && text("error_description"));
        if !fine {
            self.fail(
                Law::WellFormedAnswers,
                format!("an answer of {status}: {}", language::matching::show(body)),
                None,
            );
        }
        fine
    }

    async fn rule(&mut self, rule: Rule) {
        if self.connectivity == Connectivity::Down {
            return;
        }
        let story_step = rule.step("POST", "/v2/partner/client/*/order");
        let outcome_of_request = self.remote.ask(&story_step).await;
        self.writer.steps.push(story_step);
        match outcome_of_request {
            RequestOutcome::Answer(status, body) => {
                if self.is_well_formed(status, &body) && status < 300 {
                    self.host_has_decided();
                    self.rules.push_back(rule);
                    self.coverage.note_network("fault rules");
                }
            }
            RequestOutcome::Silence | RequestOutcome::Unsent => {
                self.fail(Law::WellFormedAnswers, "the operator was not answered", None)
            }
        }
    }

    /// An outage begins: what was answered with success before is to be there after it.
    pub(super) fn note_outage(&mut self) {
        let has_succeeded = self.coverage.accepted() > 0;
        self.coverage.laws.note_if(Law::AcknowledgedIsKept, has_succeeded);
    }

    async fn set_network(&mut self, network: Network) {
        let (next, name) = match (self.connectivity, network) {
            (Connectivity::Open, Network::Cut) => (Connectivity::Cut, "cuts"),
            (Connectivity::Open, Network::Held) => (Connectivity::Held, "holds"),
            (Connectivity::Cut, Network::Repaired) | (Connectivity::Held, Network::Released) => {
                (Connectivity::Open, "repairs and releases")
            }
            (Connectivity::Open, Network::Latency { .. }) => (Connectivity::Open, "changes of latency"),
            _ => return,
        };
        self.coverage.note_network(name);
        if next != Connectivity::Open {
            self.note_outage();
        }
        let story_step = StoryStep::from(StoryAct::Network(network));
        let turned = self.remote.set_network(network).await;
        self.writer.steps.push(story_step);
        let was = std::mem::replace(&mut self.connectivity, next);
        match turned {
            Err(why) => self.fail(Law::WellFormedAnswers, format!("the network: {why}"), None),
            Ok(()) if was == Connectivity::Cut => self.calm(true).await,
            Ok(()) if was == Connectivity::Held => self.calm(false).await,
            Ok(()) => {}
        }
    }

    async fn server(&mut self, server: Server) {
        let (next, name) = match (self.connectivity, server) {
            (Connectivity::Open, Server::Crashes) => (Connectivity::Down, "crashes"),
            (Connectivity::Down, Server::Restarts) => (Connectivity::Open, "restarts"),
            _ => return,
        };
        self.coverage.note_network(name);
        if next == Connectivity::Down {
            self.note_outage();
        }
        let turned = self.remote.server(server).await;
        self.writer.steps.push(StoryStep::from(StoryAct::Server(server)));
        self.connectivity = next;
        match turned {
            Err(why) => self.fail(Law::WellFormedAnswers, format!("the server: {why}"), None),
            Ok(()) if next == Connectivity::Open => self.calm(true).await,
            Ok(()) => {}
        }
    }

    /// The server crashes and comes back without its worlds: nothing of the old one can be read any more.
    pub(super) async fn lose_everything(&mut self) {
        for server in [Server::Crashes, Server::RestartsEmpty] {
            let turned = self.remote.server(server).await;
            self.writer.steps.push(StoryStep::from(StoryAct::Server(server)));
            if let Err(why) = turned {
                return self.fail(Law::WellFormedAnswers, format!("the server: {why}"), None);
            }
        }
        self.coverage.note_network("restarts without a world");
        match self.remote.worlds().await {
            Ok(0) => {}
            Ok(left) => {
                self.fail(Law::AcknowledgedIsKept, format!("a server that restarted empty has {left} worlds"), None)
            }
            Err(why) => self.fail(Law::WellFormedAnswers, format!("the operator: {why}"), None),
        }
        // The old credentials open nothing: not even a token is given for them.
        let read = StoryStep::call("GET", "/account");
        if let RequestOutcome::Answer(status @ ..400, _) = self.remote.ask(&read).await {
            self.fail(
                Law::AcknowledgedIsKept,
                format!("a server that restarted empty answered {status} to a partner of before"),
                None,
            );
        }
    }

    /// The network is well again: unanswered are settled, lost sockets opened anew.
    async fn calm(&mut self, sockets_lost: bool) {
        // An answer on the partner's own way: whatever waited on it has arrived by then. The first ping may still run
        // into a connection that broke.
        let ping = StoryStep::call("GET", "/ping");
        let mut answered = false;
        for _ in 0..2 {
            answered = answered || matches!(self.remote.ask(&ping).await, RequestOutcome::Answer(200, _));
        }
        if !answered {
            return self.fail(Law::WellFormedAnswers, "a ping was not answered over a healthy network", None);
        }
        if !self.unanswered.is_empty() {
            // A request that has arrived is carried out although its sender has gone, if need be after a rule's delay.
            tokio::time::sleep(Duration::from_millis(2 * DELAY_MS)).await;
        }
        self.settle().await;
        if !self.rules_known && self.found.is_empty() {
            self.read_rules().await;
        }
        if sockets_lost && self.found.is_empty() {
            self.reopen().await;
        }
    }

    /// Which rules have not hit anything yet, as the operator reads them.
    async fn read_rules(&mut self) {
        match self.remote.ask(&StoryStep::call("GET", FAULTS)).await {
            RequestOutcome::Answer(200, Json::Array(rules)) => {
                self.rules = rules.iter().filter_map(Rule::standing).collect();
                self.rules_known = true;
            }
            other => self.fail(Law::WellFormedAnswers, format!("the rules cannot be read: {other}"), None),
        }
    }

    async fn reopen(&mut self) {
        // Frames that are still in the old sockets are read first, apart from those of the new ones.
        if let Err(why) = self.remote.frames().await {
            return self.fail(Law::WellFormedAnswers, format!("a socket: {why}"), None);
        }
        self.feeds.begin_anew();
        self.sockets_read_at = self.writer.steps.len();
        for (_, actor) in self.writer.clients() {
            let story_step = StoryStep { actor, ..StoryStep::from(StoryAct::Socket(SocketAct::Open(None))) };
            if let Err(why) = self.remote.play(&story_step).await {
                return self.fail(Law::WellFormedAnswers, format!("a socket did not open again: {why}"), None);
            }
            if self.writer.acts(actor) {
                self.writer.steps.push(story_step);
            }
        }
        self.open_second_socket().await;
        if self.found.is_empty() {
            self.open_narrow_socket().await;
        }
    }

    /// Opens a further socket for one of the clients, which is to show the same.
    pub(super) async fn open_second_socket(&mut self) {
        let clients = self.writer.clients();
        let chosen = usize::try_from(self.writer.world.seed().0).unwrap_or(0) % clients.len().max(1);
        let Some((client, actor)) = clients.get(chosen) else { return };
        let open = StoryStep::from(StoryAct::Socket(SocketAct::Open(Some(SECOND.to_owned()))));
        match (self.feeds.client_numbers.get(client), self.remote.play(&story::by(open, *actor)).await) {
            (Some(numbers), Ok(())) => self.feeds.show_twice(*numbers),
            (_, Err(why)) => self.fail(Law::WellFormedAnswers, format!("a second socket did not open: {why}"), None),
            (None, Ok(())) => {
                self.fail(Law::Isolation, format!("a second socket opened for an unknown client {client}"), None);
            }
        }
    }

    /// Opens a further socket for another of the clients, with a token that may read only some resources.
    pub(super) async fn open_narrow_socket(&mut self) {
        let (clients, seed) = (self.writer.clients(), usize::try_from(self.writer.world.seed().0).unwrap_or(0));
        let Some((client, actor)) = clients.get((seed / 2) % clients.len().max(1)).copied() else { return };
        let (scope, resources) = NARROW_SCOPES[seed % NARROW_SCOPES.len()];
        let Actor::Client { partner, .. } = actor else { return };
        let Some(numbers) = self.feeds.client_numbers.get(&client).copied() else { return };
        let token = match self.remote.ask(&narrow_token(partner, scope)).await {
            RequestOutcome::Answer(200, body) => body.get("access_token").and_then(Json::as_str).map(str::to_owned),
            _ => None,
        };
        let Some(token) = token else {
            return self.fail(Law::WellFormedAnswers, format!("no token was given for `{scope}`"), None);
        };
        match self.remote.open_socket_with(actor, NARROW, &token).await {
            Ok(()) => self.feeds.show_in_part(numbers, resources),
            Err(why) => {
                self.fail(Law::WellFormedAnswers, format!("a socket that may read {scope} did not open: {why}"), None)
            }
        }
    }

    /// Ends every outage, and compares the worlds.
    pub(super) async fn heal(&mut self) {
        match self.connectivity {
            Connectivity::Open => {}
            Connectivity::Cut => self.set_network(Network::Repaired).await,
            Connectivity::Held => self.set_network(Network::Released).await,
            Connectivity::Down => self.server(Server::Restarts).await,
        }
        if self.found.is_empty() {
            self.hear().await;
        }
        if self.found.is_empty() {
            self.compare().await;
        }
    }

    /// Has every client's events posted, to a server that answers so at first.
    pub(super) async fn register_webhooks(&mut self, behaviours: &[Behaviour]) {
        self.remote.misbehave(behaviours);
        let turn = usize::try_from(self.writer.world.seed().0).unwrap_or(0) / 4;
        for (nth, (client, actor)) in self.writer.clients().into_iter().enumerate() {
            let wanted = posts::WANTED[(turn + nth) % posts::WANTED.len()];
            let named = if wanted.is_empty() { json!({}) } else { json!({ "events": wanted }) };
            let Some(numbers) = self.feeds.client_numbers.get(&client).copied() else { continue };
            let path = posts::path_of(numbers);
            let mut body = json!({ "client": client.to_string(), "url": format!("http://receiver{path}") });
            body.as_object_mut()
                .into_iter()
                .for_each(|body| body.extend(named.as_object().cloned().unwrap_or_default()));
            let call = Call {
                method: "POST".to_owned(),
                path: "/_sandbox/worlds/current/webhooks".to_owned(),
                body: Body::Json(body),
                ..Call::default()
            };
            match self.remote.ask(&story::by(StoryStep::from(call), actor)).await {
                RequestOutcome::Answer(200..300, webhook) => {
                    let text = |key: &str| webhook.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
                    self.host_has_decided();
                    self.webhooks.push(Webhook { id: text("id"), secret: text("secret"), actor, path });
                    self.posts.register(numbers, wanted);
                }
                other => {
                    return self.fail(Law::WellFormedAnswers, format!("a webhook was not registered: {other}"), None);
                }
            }
        }
    }

    /// The partner's own server has got what it must have got.
    pub(super) async fn judge_posts(&mut self) {
        if self.posts.is_empty() {
            return;
        }
        // One client of each partner: its token opens all of the partner's deliveries.
        let mut actors: Vec<_> = self.writer.clients().into_iter().map(|(_, actor)| actor).collect();
        actors.dedup_by_key(|actor| if let Actor::Client { partner, .. } = actor { *partner } else { 0 });
        let posts = match self.remote.posts(&actors).await {
            Ok(posts) => posts,
            Err(why) => return self.fail(Law::WellFormedAnswers, why, None),
        };
        match self.posts.judge(&posts, &self.feeds.client_numbers) {
            Ok(count) => *self.coverage.network.entry("posts received").or_default() += count,
            Err(misposted) => {
                if let Some((journey, body)) = misposted.expect.map(|expect| *expect) {
                    self.ending = vec![posts::expected(&self.writer.journey_ref(journey), body)];
                }
                self.fail(misposted.law, misposted.what, None);
            }
        }
    }

    /// At a calm moment the server's world is the reference world's, and its sockets, when they are read, have shown the events that the reference
    /// world has sent.
    async fn agree(&mut self) {
        if self.connectivity != Connectivity::Open || !self.unanswered.is_empty() {
            return;
        }
        self.unread += 1;
        let is_alone = self.strike.is_none() && !self.at_once.is_open();
        let most = self.comparison.steps_unread(self.writer.world.seed().0);
        if !is_alone || self.unread >= most || self.feeds.awaited() > MOST_UNREAD {
            self.hear_what_is_unread().await;
        }
        if !self.found.is_empty() {
            return;
        }
        self.read_what_moved().await;
        if !self.found.is_empty() {
            return;
        }
        self.uncompared += 1;
        if self.uncompared >= self.comparison.steps() {
            self.compare().await;
        }
    }

    /// Reads the sockets unless nothing has happened since they were read last: what an outage may lose is known before it begins.
    async fn hear_what_is_unread(&mut self) {
        if self.unread > 0 && self.connectivity == Connectivity::Open && self.unanswered.is_empty() {
            self.unread = 0;
            self.hear().await;
        }
    }

    /// Reads instructions that have moved since they were read last: no event tells of that.
    async fn read_what_moved(&mut self) {
        let due = self.writer.bindings.instructions().filter_map(|id| self.writer.instruction_due(id));
        let moved: Vec<_> = due.filter(|due| self.last_read.get(&due.id) != Some(due)).collect();
        for due in moved {
            if self.found.is_empty() {
                let (client, id) = (due.client, due.id);
                self.last_read.insert(id, due);
                self.read_instruction(client, id).await;
            }
        }
    }

    /// The server announces a stop: every socket ends as one that goes away (rule: events/socket-end).
    pub(super) async fn close_sockets(&mut self) {
        let close = StoryStep::from(Call {
            method: "POST".to_owned(),
            path: "/_sandbox/worlds/current/sockets/close".to_owned(),
            body: Body::Json(json!({ "how": "graceful" })),
            ..Call::default()
        });
        match self.remote.ask(&close).await {
            RequestOutcome::Answer(200..300, _) => {}
            other => return self.fail(Law::WellFormedAnswers, format!("the sockets were not closed: {other}"), None),
        }
        self.writer.steps.push(close);
        self.coverage.note_network("sockets closed by a stop");
        self.remote.pass(GOING_AWAY).await;
        for (_, actor) in self.writer.clients() {
            let closed = StoryAct::Socket(SocketAct::Closed { name: None, code: Some(1001) });
            let closed = story::by(StoryStep::from(closed), actor);
            if let Err(why) = self.remote.play(&closed).await {
                self.ending = vec![closed];
                return self.fail(Law::EventCorrespondence, format!("a socket that a stop ends: {why}"), None);
            }
        }
    }

    /// Both worlds have the same fingerprint.
    pub(super) async fn compare(&mut self) {
        self.uncompared = 0;
        let reference = self.writer.world.digest().to_string();
        match self.remote.digest().await {
            Some(digest) if digest == reference => {}
            Some(_) => {
                self.look_everywhere().await;
                if self.found.is_empty() {
                    self.fail(Law::AcknowledgedIsKept, "the server's world is not what was acknowledged", None);
                }
            }
            None => self.fail(Law::WellFormedAnswers, "the operator was not answered", None),
        }
    }
}

/// Whether a request starts outside the partner: levers and the operator.
fn is_lever(step: &StoryStep) -> bool {
    match &step.act {
        StoryAct::Call(call) => !call.is_partners(),
        StoryAct::Request(request) => !request.is_partners(),
        _ => true,
    }
}

/// The id of what a command made, where its answer is to name one.
pub(super) fn id_of(reply: &Reply) -> Option<String> {
    match reply {
        Reply::Order(order) => Some(order.id.to_string()),
        Reply::Account(account) => Some(account.id.to_string()),
        Reply::CashTransaction(cash) => Some(cash.id.to_string()),
        Reply::Journey(journey) => Some(journey.id.to_string()),
        Reply::Instruction(instruction) => Some(instruction.id.to_string()),
        _ => None,
    }
}

/// Whether an answer is about the resource with this id.
pub(super) fn names(body: &Json, id: &str) -> bool {
    body.get("id").and_then(Json::as_str) == Some(id)
}
