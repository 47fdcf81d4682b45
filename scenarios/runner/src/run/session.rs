//! One story in one world: its partners, names, sockets and clock.
//!
//! Owns: the order in which a run and each of its steps are carried out. Invariant: the world is made through the operator
//! plane on every driver alike and dropped at the end. Absent on purpose: what the single steps mean (`requests`, `clock`,
//! `expect`).

mod exchange;
mod joining;
mod making;
mod sockets;
mod state;
mod watched;
mod why;

pub(super) use exchange::{JsonResponse, OutgoingRequest, ShownPart};
pub(super) use state::Session;
pub(super) use watched::Arrived;

use super::caller::Caller;
use super::foreign_run::ForeignRun;
use super::received_posts::{self, ReceivedPosts};
use super::{Run, StepResult, Trouble};
use crate::drivers::{Driver, Response};
use crate::foreign::Foreign;
use crate::transcript::Transcript;
use bytes::Bytes;
use drawing::sequence::Facts as Sequence;
use hyper::Method;
use language::ast::{Act, Example, Network, Save, Scenario, Server, StoryStep};
use language::write;
use language::{matching, path, template};
use serde_json::Value as Json;
use sim::time::Instant;
use state::{Browser, Saved, line};
use std::borrow::Cow;
use std::time::Duration;

/// What the transcript shows of an answer. The log of deliveries has transport times, and ids derived from the server's key:
/// they are not part of the story.
fn shown_part_of(path: &str) -> ShownPart {
    let is_delivery = path.starts_with("/_sandbox") && (path.contains("/deliveries") || path.ends_with("/test"));
    if is_delivery { ShownPart::Status } else { ShownPart::All }
}

impl Session {
    /// Makes the world and opens its sockets.
    pub(super) async fn open(
        driver: Box<dyn Driver>,
        scenario: &Scenario,
        row: Option<&Example>,
        seed: u64,
        foreign: Option<&Foreign>,
    ) -> Result<Self, String> {
        let mut session = Self::without_world(line(driver, seed), scenario);
        let receiver = session.driver.receiver().base();
        session.transcript.mask(&receiver, "{receiver}");
        session.names.set("receiver", Json::String(receiver));
        match foreign {
            None if session.driver.application().is_some() => session.join_world(scenario).await?,
            None => session.make_world(scenario, seed).await?,
            Some(foreign) => session.meet_foreign(foreign).await?,
        }
        session.names.set("driver", Json::from(session.driver.name()));
        for (name, value) in row.into_iter().flat_map(|row| &row.values) {
            session.mark_dates_as_missing(name, value);
            let value = template::fill_json(value, &session.names).map_err(|error| error.to_string())?;
            session.names.set(name, value);
        }
        session.begin_transcript(scenario, row, seed);
        for (partner, client) in scenario.watchers() {
            if !session.is_watched(partner, client) {
                continue;
            }
            session.check_actor(partner, client)?;
            session.open_socket(partner, client, None).await.map_err(|error| format!("the first socket: {error}"))?;
            if session.foreign.is_some() {
                let second = session.open_second(partner, client).await;
                second.map_err(|error| format!("a second socket beside the first: {error}"))?;
            }
        }
        session.catch_up().await.map_err(|trouble| trouble.what)?;
        session.watch_application_from_here().await?;
        Ok(session)
    }

    /// A session in a world that goes on without it: no partner's server listens for it.
    pub(super) async fn visiting(
        driver: Box<dyn Driver>,
        world: Option<&str>,
        caller: &Caller,
    ) -> Result<Self, String> {
        let mut session = Self::without_world(driver, &Scenario::default());
        session.has_receiver = false;
        session.visit_world(world, caller).await?;
        Ok(session)
    }

    /// A session that knows nothing yet.
    fn without_world(driver: Box<dyn Driver>, scenario: &Scenario) -> Self {
        Self {
            driver,
            transcript: Transcript::default(),
            names: Saved::default(),
            now: String::new(),
            inbox: Vec::new(),
            frames: None,
            world: String::new(),
            partners: Vec::new(),
            sockets: Vec::new(),
            start: String::new(),
            offline: false,
            crashed: false,
            silence: String::new(),
            browser: Browser::default(),
            received_posts: ReceivedPosts::of(scenario),
            has_receiver: true,
            foreign: None,
            joined: None,
        }
    }

    /// Carries one step out; `next` is the one after it.
    pub(super) async fn step(&mut self, step: &StoryStep, next: Option<&StoryStep>) -> StepResult {
        self.transcript.step(&self.now, &write::write_step(step));
        match &step.act {
            Act::Request(request) => {
                let outgoing = self.prepare(step.actor, request).await?;
                let path = request.word.sends().map_or("", |sends| sends.path);
                self.ask(step, outgoing, shown_part_of(path)).await?;
            }
            Act::Call(call) => {
                let outgoing = self.prepare_call(step.actor, call)?;
                self.ask(step, outgoing, shown_part_of(&call.path)).await?;
            }
            Act::Application(request) => self.ask_application(step, request).await?,
            Act::Advance(how) => {
                self.advance(step.actor, how).await?;
                self.catch_up().await?;
            }
            Act::Expect(expect) => {
                let found = self.expect(step.actor, expect).await?;
                self.save(&step.save, &found)?;
                self.catch_up().await?;
            }
            Act::Let(values) => {
                for (name, value) in values {
                    let value = template::fill_json(value, &self.names)?;
                    self.names.set(name, value);
                }
            }
            Act::ForgetEvents => self.inbox.iter_mut().for_each(|event| event.forgotten = true),
            Act::Socket(act) => self.socket(step.actor, act).await?,
            Act::Browse(browse) => {
                self.browse(browse).await?;
                self.catch_up().await?;
                self.go_on_from_here(next)?;
            }
            Act::Receiver(behaviours) => {
                self.deliver(step.actor).await?;
                self.driver.receiver().behave(&received_posts::behaviours(behaviours));
            }
            Act::Network(network) => self.set_network(*network).await?,
            Act::Server(server) => self.server(*server).await?,
            Act::Wait(time) => {
                self.driver.pass(*time).await;
                self.catch_up().await?;
            }
            Act::Repeat(_) | Act::When(_) | Act::Deferred(_) => {
                return Err(Trouble::new("a block is not a step"));
            }
        }
        Ok(())
    }

    /// Sends what a step asks, judges the response and keeps what the step saves.
    async fn ask(&mut self, step: &StoryStep, mut outgoing: OutgoingRequest, shown: ShownPart) -> StepResult {
        outgoing.renews = !self.may_be_unauthorized(step);
        let response = self.send(step.actor, outgoing, shown).await?;
        self.catch_up().await?;
        self.judge(step, response.as_ref())?;
        match &response {
            Some(response) => self.save(&step.save, &response.body),
            None => Ok(()),
        }
    }

    /// Whether a step is right when its token is refused.
    fn may_be_unauthorized(&self, step: &StoryStep) -> bool {
        let status = step.expect.as_ref().and_then(|expected| expected.status.as_ref());
        status.is_some_and(|status| matching::matches(status, Some(&Json::from(401)), &self.names).unwrap_or(true))
    }

    pub(super) fn save(&mut self, saves: &[Save], body: &Json) -> StepResult {
        for save in saves {
            let path = template::fill_text(&save.path, &self.names)?;
            let value = path::find(body, &path).map(Cow::into_owned).ok_or_else(|| {
                let there = path::what_is_there(body, &path);
                Trouble::new(format!("nothing to save as `{}`: there is no `{path}`; {there}", save.name))
            })?;
            self.names.set(&save.name, value);
        }
        Ok(())
    }

    async fn set_network(&mut self, network: Network) -> StepResult {
        self.driver.set_network(network).await.map_err(Trouble::new)?;
        self.network_is(network).await
    }

    async fn server(&mut self, server: Server) -> StepResult {
        self.driver.server(server).await.map_err(Trouble::new)?;
        self.server_is(server).await
    }

    /// The network has changed.
    pub(super) async fn network_is(&mut self, network: Network) -> StepResult {
        match network {
            Network::Cut => {
                self.offline = true;
                self.sockets.iter_mut().for_each(|watched| watched.unproven = true);
            }
            Network::Held => self.offline = true,
            Network::Repaired | Network::Released => self.offline = false,
            Network::Latency { .. } => {}
        }
        self.catch_up().await
    }

    /// The server has crashed or come back.
    pub(super) async fn server_is(&mut self, server: Server) -> StepResult {
        self.crashed = server == Server::Crashes;
        if server == Server::RestartsEmpty {
            self.partners.iter_mut().for_each(|partner| partner.token = None);
        }
        self.catch_up().await
    }

    /// Whether the server cannot be asked just now: it is gone, or the network is.
    pub(super) const fn is_offline(&self) -> bool {
        self.offline || self.crashed
    }

    /// The secret with which a partner checks callbacks.
    pub(super) fn callback_secret(&self, partner: usize) -> &str {
        self.partners.get(partner.wrapping_sub(1)).map_or("", |partner| &partner.callback_secret)
    }

    /// The world's fingerprint, as the operator reads it.
    pub(super) async fn fingerprint(&mut self) -> Result<Json, String> {
        let path = format!("/_sandbox/worlds/{}/digest", self.world);
        self.operator(Method::GET, &path, &Json::Null).await
    }

    /// How many worlds the server has, as the operator reads it.
    pub(super) async fn worlds(&mut self) -> Result<usize, String> {
        self.count("/_sandbox/worlds").await
    }

    /// How many event sockets the server has open in the story's world.
    pub(super) async fn sockets_of_server(&mut self) -> Result<usize, String> {
        let path = format!("/_sandbox/worlds/{}/sockets", self.world);
        self.count(&path).await
    }

    /// How many items the operator's list at `path` has; the transcript leaves that out.
    async fn count(&mut self, path: &str) -> Result<usize, String> {
        let listed = self.operator(Method::GET, path, &Json::Null).await?;
        listed.as_array().map(Vec::len).ok_or_else(|| format!("{path} was expected to be a list, got {listed}"))
    }

    pub(super) fn history(&self) -> Vec<String> {
        self.transcript.history().to_vec()
    }

    /// The life of every account that the story has named, and the sequence of what happened last, as the server draws them; none
    /// while the server cannot be asked.
    pub(super) async fn pictures(&mut self) -> Result<Vec<(String, String)>, String> {
        let mut pictures = Vec::new();
        if self.is_offline() {
            return Ok(pictures);
        }
        let accounts = self.names.accounts().into_iter();
        let accounts = accounts.map(|(name, account)| (name, format!("accounts/{account}/picture.svg")));
        let sequence = ("sequence".to_owned(), "pictures/sequence?limit=200".to_owned());
        for (name, picture) in accounts.chain([sequence]).collect::<Vec<_>>() {
            let path = format!("/_sandbox/worlds/{}/{picture}", self.world);
            let answer = match self.answered(Method::GET, &path, &Json::Null).await {
                // Where the world is shared, the operator's plane may be closed to the story.
                Err(_) if self.joined.is_some() => continue,
                answer => answer?,
            };
            pictures.push((name, String::from_utf8_lossy(&answer.body).into_owned()));
        }
        Ok(pictures)
    }

    /// What happened last, as the server describes it for its own picture.
    pub(super) async fn sequence(&mut self) -> Option<Result<Sequence, String>> {
        let read = |answer: Response| {
            serde_json::from_slice(&answer.body).map_err(|error| format!("the sequence cannot be read: {error}"))
        };
        Some(self.asked_of_world("pictures/sequence?format=json").await?.and_then(read))
    }

    /// The world with all that led to it, as the server writes it.
    pub(super) async fn capsule(&mut self) -> Option<Result<Bytes, String>> {
        Some(self.asked_of_world("capsule").await?.map(|answer| answer.body))
    }

    /// What the server answers about the world below a path; none while it cannot be asked, or has no world of the story.
    async fn asked_of_world(&mut self, below: &str) -> Option<Result<Response, String>> {
        if self.is_offline() || self.foreign.is_some() {
            return None;
        }
        let path = format!("/_sandbox/worlds/{}/{below}", self.world);
        let answer = self.answered(Method::GET, &path, &Json::Null).await;
        // Where the world is shared, the operator's plane may be closed to the story.
        if answer.is_err() && self.joined.is_some() { None } else { Some(answer) }
    }

    /// Closes the sockets, drops the world, and hands over the transcript.
    pub(super) async fn close(mut self) -> Run {
        for watched in std::mem::take(&mut self.sockets) {
            watched.socket.close(Duration::from_secs(5)).await;
        }
        let path = format!("/_sandbox/worlds/{}", self.world);
        let tally = self.foreign.take().map(ForeignRun::into_tally);
        if let Some(joined) = self.joined.take() {
            self.leave_world(joined).await;
        } else if tally.is_none() {
            // A server that crashed or restarted empty has nothing left to drop.
            drop(self.operator(Method::DELETE, &path, &Json::Null).await);
        }
        let ms = |text: &str| Instant::parse(text).map_or(0, Instant::ms);
        Run {
            example: None,
            transcript: self.transcript.text().to_owned(),
            exchanges: self.transcript.exchanges().clone(),
            moments: self.transcript.moments(),
            names: self.names.by_id(),
            digest: self.transcript.digest(),
            // Where the world is not the story's own, its clock is not either.
            simulated_ms: if tally.is_some() { 0 } else { ms(&self.now) - ms(&self.start) },
            steps: 0,
            failure: None,
            pictures: Vec::new(),
            sequence: None,
            capsule: None,
            tally,
        }
    }
}
