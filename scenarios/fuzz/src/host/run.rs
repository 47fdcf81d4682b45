//! A run on a host, under way.
//!
//! Invariant: whatever the server has acknowledged is done to the reference world and to what the host must hold; after every
//! act of the host all of it is read and compared. Absent on purpose: what is drawn, and what follows from an act (`model`).

use super::model::{ChangeSeen, Host, Made, PACES, PERMISSIONS, Past, Rule, SURFACE, WORLD, Webhook};
use super::rights::{RIGHTS, needs_permission, of_nobody};
use super::step::HostStep;
use crate::batch::on_a_fresh_thread;
use crate::coverage::Coverage;
use crate::generate::{Act, ClientNo, Step};
use crate::run::RunOutcome;
use crate::run_setup::Prepared;
use crate::story::{self, Story, StoryWriter, by, found};
use language::ast::{
    Act as StoryAct, Actor, Body, Call, Expected, ExpectedResponse, Save, Scenario, SocketAct, StoryStep,
};
use oracle::check::{Law, Violation, accepted_as, name_of, status_of};
use runner::drivers::turmoil::recording;
use runner::remote::{Remote, RequestOutcome};
use serde_json::{Value as Json, json};
use sim::digest::digest_of;
use sim::input::{Act as InputAct, Origin};
use sim::time::Instant;
use sim::{Command, Reply, query};
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// The world of a run.
pub(super) const WORLD_PATH: &str = "/_sandbox/worlds/current";
/// What rules hit.
const PLANS: &str = "/v2/partner/client/*/allocationplan";
/// Which events a webhook takes.
const EVENTS: [&str; 3] = ["null", r#"["order.update"]"#, r#"["account.update", "cashTransaction.create"]"#];
/// Moments that are kept of the line to the present.
const KEPT: usize = 24;
/// How often sockets are looked at while they close, and how long apart.
const LOOKS: usize = 20;
const APART: Duration = Duration::from_millis(100);

pub(super) struct HostRun {
    pub(super) remote: Remote,
    pub(super) writer: StoryWriter,
    pub(super) host: Host,
    start: Option<Past>,
    pub(super) coverage: Coverage,
    pub(super) found: Vec<Violation>,
    pub(super) claims_from: usize,
    /// Whether the world was ever put back.
    pub(super) has_gone_back: bool,
    /// How many steps the story had at the moment to which the world was just put back.
    then: Option<usize>,
    /// How many things the story has saved, and how many sockets it has opened, which names them.
    saved: usize,
    sockets: usize,
}

/// Makes the run and judges it; the story is there where a law did not hold.
///
/// # Errors
/// When the system gives no thread, or the simulation itself fails.
pub(super) fn run(prepared: &Prepared, steps: &[HostStep]) -> io::Result<(RunOutcome, Option<Story>)> {
    let (prepared, steps) = (prepared.clone(), steps.to_vec());
    on_a_fresh_thread(move || {
        let mut scenario = Scenario::new("On a host", prepared.stage.seed, Vec::new());
        scenario.world = prepared.stage.block();
        Remote::run_before(&recording(record::file), scenario, prepared.stage.seed, move |remote| async move {
            let mut run = HostRun::new(remote, &prepared);
            run.begin().await;
            let mut used = 0;
            for step in &steps {
                used += 1;
                run.step(step).await;
                if !run.found.is_empty() {
                    break;
                }
            }
            if run.found.is_empty() {
                run.agree().await;
            }
            run.finish(&prepared, used).await
        })
    })??
    .map_err(io::Error::other)
}

impl HostRun {
    fn new(remote: Remote, prepared: &Prepared) -> Self {
        Self {
            remote,
            writer: StoryWriter::new(prepared),
            host: Host::default(),
            start: None,
            coverage: Coverage::default(),
            found: Vec::new(),
            claims_from: 0,
            has_gone_back: false,
            then: None,
            saved: 0,
            sockets: 0,
        }
    }

    /// A new world has the settings that it begins with, and nothing beside it.
    async fn begin(&mut self) {
        match self.read(&format!("{WORLD_PATH}/settings")).await {
            Some(settings) => self.host.settings = settings,
            None => return self.fail(Law::WellFormedAnswers, "the settings of a new world cannot be read"),
        }
        // The session opens a socket of its own.
        let sockets = self.read(&format!("{WORLD_PATH}/sockets")).await;
        self.host.sockets = sockets.and_then(|list| Some(list.as_array()?.len())).unwrap_or_default();
        self.note_present().await;
        self.start = self.host.past.last().cloned();
    }

    async fn step(&mut self, step: &HostStep) {
        match *step {
            HostStep::Do(step) => self.act(&step).await,
            HostStep::Rewind { back, by_instant } => self.rewind(back, by_instant).await,
            HostStep::Reset => {
                let Some(start) = self.start.clone() else { return };
                self.goes_back("resets", "reset", None, vec![start]).await;
            }
            HostStep::Snapshot => self.snapshot().await,
            HostStep::Restore(back) => {
                let Some(place) = self.host.snapshots.len().checked_sub(1 + usize::from(back)) else { return };
                let (name, line) = self.host.snapshots[place].clone();
                self.goes_back("restores", &format!("snapshots/{name}/restore"), None, line).await;
            }
            HostStep::Fork { back } => self.fork(back).await,
            HostStep::Surface(place, value) => {
                let (name, values) = SURFACE[usize::from(place)];
                self.set(json!({ name: values[usize::from(value)] }), None).await;
            }
            HostStep::World(place, value) => {
                let (name, values, of) = WORLD[usize::from(place)];
                let value = values[usize::from(value)];
                let mut settings = self.writer.world.setup().settings.clone();
                of(&mut settings).0 = value;
                self.set(json!({ "world": { name: value } }), Some(InputAct::Configure(Arc::new(settings)))).await;
            }
            HostStep::Permit(client, place, may) => self.permit(client, place, may).await,
            HostStep::Sign(client, needs) => {
                let id = self.writer.bindings.scope(client).client;
                let patch = json!({ "clients": { id.to_string(): { "withdrawalNeedsSignature": needs } } });
                self.set(patch, Some(InputAct::RequireSignatures(id, needs))).await;
            }
            HostStep::Webhook(client, events) => self.add_webhook(client, events).await,
            HostStep::ChangeWebhook(place, moves) => self.change_webhook(usize::from(place), moves).await,
            HostStep::RemoveWebhook(place) => self.remove_webhook(usize::from(place)).await,
            HostStep::Rule(times) => self.add_rule(u64::from(times)).await,
            HostStep::Read(client) => self.read_plans(client).await,
            HostStep::RemoveRule(place) => self.remove_rule(usize::from(place)).await,
            HostStep::Socket(client) => self.open_socket(client).await,
            HostStep::Rights(one, other, by_comma) => self.use_rights(one, other, by_comma).await,
            HostStep::KeepMarket => self.keep_market().await,
            HostStep::MakeAgain => self.make_again().await,
            HostStep::KeepEvents => self.keep_events().await,
            HostStep::PlayRecording => self.play_recording().await,
            HostStep::Explain(back) => self.explain(usize::from(back)).await,
            HostStep::SetGoing(pace) => self.set_going(PACES[usize::from(pace)]).await,
        }
        if self.found.is_empty() {
            self.catch_up().await;
        }
        let is_partners = matches!(step, HostStep::Do(_) | HostStep::Read(_) | HostStep::Explain(_));
        if self.found.is_empty() && !is_partners {
            self.agree().await;
        }
        if self.found.is_empty() {
            self.note_present().await;
        }
    }

    pub(super) fn fail(&mut self, invariant: Law, what: impl Into<String>) {
        let at = self.writer.world.now();
        self.claims_from = self.writer.steps.len().saturating_sub(1);
        self.found.push(Violation { invariant, at, what: what.into(), claim: None });
    }

    /// The last step of the story expects this of the body of its answer.
    pub(super) fn claim(&mut self, body: Expected) {
        if let Some(step) = self.writer.steps.pop() {
            self.writer.steps.push(expecting(step, body));
        }
    }

    /// Sends `step`, which becomes part of the story, and must be answered with `status`.
    pub(super) async fn send(&mut self, mut step: StoryStep, status: u16) -> Option<Json> {
        let outcome = self.remote.ask(&step).await;
        let is_as_asked = matches!(&outcome, RequestOutcome::Answer(got, _) if *got == status);
        if status != 200 || !is_as_asked {
            step = step.answers(status);
        }
        let fault = match &outcome {
            RequestOutcome::Answer(got, body) if *got == status => self.remote.remember(&step, body).err(),
            RequestOutcome::Answer(got, body) => {
                Some(format!("an act was answered {got}, expected {status}: {}", language::matching::show(body)))
            }
            RequestOutcome::Silence | RequestOutcome::Unsent => Some("an act was not answered".to_owned()),
        };
        self.writer.steps.push(step);
        match (fault, outcome) {
            (None, RequestOutcome::Answer(_, body)) => Some(body),
            (Some(why), RequestOutcome::Answer(..)) => {
                self.fail(Law::HostHoldsWhatWasAsked, why);
                None
            }
            (fault, _) => {
                self.fail(Law::WellFormedAnswers, fault.unwrap_or_default());
                None
            }
        }
    }

    /// Reads what is no part of the story.
    pub(super) async fn read(&mut self, path: &str) -> Option<Json> {
        self.answer(&looks(path)).await
    }

    pub(super) async fn answer(&mut self, step: &StoryStep) -> Option<Json> {
        match self.remote.ask(step).await {
            RequestOutcome::Answer(200, body) => Some(body),
            _ => None,
        }
    }

    /// What is read there must hold all of `expected`.
    pub(super) async fn must_read(&mut self, law: Law, what: &str, path: &str, expected: Json) {
        self.must_answer(law, what, looks(path), expected).await;
    }

    async fn must_answer(&mut self, law: Law, what: &str, step: StoryStep, expected: Json) {
        if !self.found.is_empty() {
            return;
        }
        let got = self.answer(&step).await.unwrap_or_default();
        if holds(&expected, &got) {
            return;
        }
        self.writer.steps.push(step);
        self.claim(as_expected(&differing(&expected, &got)));
        let differs = difference(&expected, &got).unwrap_or_default();
        self.fail(law, format!("{what}: {differs}"));
    }

    /// The fingerprint that is read there must be this one, which the world had when the story had so many steps. A story reads it
    /// then, too: as a number it would be another in a later build.
    async fn must_be(&mut self, what: &str, path: &str, digest: String, then: Option<usize>) {
        let broken = self.found.len();
        self.must_read(Law::AsItWas, what, path, json!({ "digest": digest })).await;
        let Some(then) = then.filter(|_| self.found.len() > broken) else { return };
        let mut read = looks(&format!("{WORLD_PATH}/digest"));
        read.save.push(Save { name: "then".to_owned(), path: "$.digest".to_owned() });
        self.writer.steps.insert(then, read);
        self.claim(as_expected(&json!({ "digest": "{then}" })));
        self.claims_from += 1;
    }

    /// Everything that the host holds is what was asked of it.
    async fn agree(&mut self) {
        let (digest, then) = (self.writer.world.digest().to_string(), self.then.take());
        let present = |what: &str| format!("{WORLD_PATH}/{what}");
        self.must_be("the world's fingerprint", &present("digest"), digest, then).await;
        self.must_read(Law::HostHoldsWhatWasAsked, "the settings", &present("settings"), self.host.settings.clone())
            .await;
        let rules = self.host.rules_shown();
        self.must_read(Law::HostHoldsWhatWasAsked, "the fault rules", &present("faults"), Json::Array(rules)).await;
        let mut partners: Vec<Actor> = self.writer.clients().into_iter().map(|(_, actor)| actor).collect();
        partners.dedup_by_key(|actor| partner_of(*actor));
        for partner in partners {
            let webhooks = self.host.webhooks_shown(partner_of(partner));
            let list = by(looks(&present("webhooks")), partner);
            self.must_answer(Law::HostHoldsWhatWasAsked, "the webhooks", list, Json::Array(webhooks)).await;
        }
        for _ in 0..LOOKS {
            if self.remote.open_sockets().await == Ok(self.host.sockets) {
                return;
            }
            tokio::time::sleep(APART).await;
        }
        let expected = vec![json!({}); self.host.sockets];
        self.must_read(Law::HostHoldsWhatWasAsked, "the sockets", &present("sockets"), Json::Array(expected)).await;
        // Who plays a story opens sockets again that were closed.
        self.claims_from = usize::MAX;
    }

    /// Keeps the present moment, by the number of its last input.
    async fn note_present(&mut self) {
        let Some(input) = self.last_input().await else { return };
        let (at, moment, settings) = (self.writer.world.now(), self.writer.moment(), self.host.settings.clone());
        let steps = self.writer.steps.len();
        let (made, changes) = (self.host.made.clone(), self.host.changes.clone());
        self.host.past.push(Past { input, at, moment, settings, steps, made, changes });
        if self.host.past.len() > KEPT {
            self.host.past.remove(0);
        }
    }

    /// What is due already happens with the next request that reaches the world: it is asked for, so that a moment leaves
    /// nothing open.
    async fn catch_up(&mut self) {
        let now = self.writer.world.now();
        if self.writer.world.next_timer().is_some_and(|(due, _)| due <= now) {
            self.wait(now).await;
        }
    }

    async fn act(&mut self, step: &Step) {
        match self.writer.bindings.act(&self.writer.world, step) {
            None => {}
            Some(Act::Wait(to)) => self.wait(to).await,
            Some(Act::Do(command)) => self.command(step, &command).await,
        }
    }

    pub(super) async fn wait(&mut self, to: Instant) {
        let moved = story::wait(to);
        let outcome = self.remote.play(&moved).await;
        self.writer.steps.push(moved);
        if let Err(why) = outcome {
            return self.fail(Law::WellFormedAnswers, format!("the clock: {why}"));
        }
        self.writer.pass(to);
        self.forget_events();
    }

    /// Events of the reference world are what must be explained.
    pub(super) fn forget_events(&mut self) {
        for event in self.writer.world.take_events() {
            let Some((id, _)) = event.change.resource() else { continue };
            let timer = match event.cause.by {
                Origin::Timer(timer) => Some(timer.what().to_owned()),
                Origin::Request(_) => None,
            };
            let seen = ChangeSeen { at: event.at, event: event.kind().to_owned(), timer };
            self.host.changes.entry(id).or_default().push(seen);
        }
        self.writer.callbacks.clear();
    }

    /// The number of the world's last input.
    async fn last_input(&mut self) -> Option<u64> {
        let input = self.read(WORLD_PATH).await.and_then(|world| world["input"].as_u64());
        if input.is_none() {
            self.fail(Law::WellFormedAnswers, "the world cannot be read");
        }
        input
    }

    /// Keeps what a command has made, which the last input did.
    async fn note_made(&mut self, step: &Step, reply: &Reply) {
        let (id, client, command) = match (step, reply) {
            (Step::Open(_), Reply::Account(account)) => (account.id.as_uuid(), account.client, "OpenAccount"),
            (Step::Buy(_) | Step::Sell(_), Reply::Order(order)) => (order.id.as_uuid(), order.client, "PlaceOrder"),
            (Step::Start(_), Reply::Journey(journey)) => (journey.id.as_uuid(), journey.client, "CreateJourney"),
            _ => return,
        };
        let Some(input) = self.last_input().await else { return };
        self.host.made.push(Made { id, actor: self.writer.actor(client), input, command });
    }

    /// A command as a request: answered as the reference world answers it.
    async fn command(&mut self, step: &Step, command: &Command) {
        let before = self.writer.steps.len();
        let Some(request) = self.writer.step_of_command(step, command) else { return };
        // Some requests read something first, and a page is opened by its link.
        let reads: Vec<StoryStep> = self.writer.steps.drain(before..).collect();
        if !reads.is_empty() || matches!(request.act, StoryAct::Browse(_)) {
            return;
        }
        let RequestOutcome::Answer(status, body) = self.remote.ask(&request).await else {
            return self.fail(Law::WellFormedAnswers, format!("{} was not answered", name_of(command)));
        };
        let result = self.writer.carry_out(step, command);
        self.forget_events();
        if let Err(refusal) = &result {
            self.coverage.laws.note_refusal(refusal.class);
            self.coverage.note_law(Law::WellFormedAnswers);
        }
        self.coverage.note(name_of(command), result.as_ref().err().map(|refusal| refusal.class));
        let expected = result.as_ref().map_or_else(|refusal| status_of(refusal.class), |_| accepted_as(command));
        let request = if expected == 200 { request } else { request.answers(expected) };
        let request = self.writer.named(request, step, result.as_ref().ok());
        let remembered = if status == expected { self.remote.remember(&request, &body) } else { Ok(()) };
        self.writer.steps.push(request);
        if status != expected {
            self.fail(
                Law::RefusalsChangeNothing,
                format!("{} was answered {status}, expected {expected}", name_of(command)),
            );
        } else if let Err(why) = remembered {
            self.fail(Law::WellFormedAnswers, why);
        } else if let Ok(reply) = &result {
            self.note_made(step, reply).await;
        }
    }

    async fn rewind(&mut self, back: u8, by_instant: bool) {
        let Some(past) = self.host.back(back) else { return };
        let past = if by_instant { self.host.last_of_its_instant(&past) } else { past };
        let to = if by_instant { json!({ "to": past.at.to_string() }) } else { json!({ "input": past.input }) };
        let line = self.host.line_to(&past);
        self.goes_back("rewinds", "rewind", Some(to), line).await;
    }

    /// The world is put back to the last moment of `line`.
    async fn goes_back(&mut self, act: &'static str, path: &str, body: Option<Json>, line: Vec<Past>) {
        let Some(past) = line.last().cloned() else { return };
        let call =
            StoryStep::call("POST", &format!("{WORLD_PATH}/{path}")).sending(body.map_or(Body::None, Body::Json));
        let had_sockets = self.host.sockets > 0;
        if self.send(call, 200).await.is_none() {
            return;
        }
        self.coverage.note_network(act);
        self.has_gone_back = true;
        self.note_way_back();
        if had_sockets {
            self.coverage.note_network("sockets closed");
        }
        self.writer.go_back(&past.moment);
        self.host.goes_back(&past);
        self.then = Some(past.steps);
        self.host.past = line;
        self.must_read(
            Law::HostHoldsWhatWasAsked,
            "the deliveries of a world that was put back",
            &format!("{WORLD_PATH}/deliveries"),
            json!({ "total": 0 }),
        )
        .await;
    }

    fn note_way_back(&mut self) {
        self.coverage.note_law(Law::AsItWas);
        self.coverage.laws.note_if(Law::HostHoldsWhatWasAsked, self.host.holds_anything());
    }

    async fn snapshot(&mut self) {
        let call = StoryStep::call("POST", &format!("{WORLD_PATH}/snapshots"));
        let Some(body) = self.send(call, 200).await else { return };
        let Some(name) = body["id"].as_str().map(str::to_owned) else {
            return self.fail(Law::WellFormedAnswers, "a snapshot has no id");
        };
        self.coverage.note_network("snapshots");
        self.host.snapshots.push((name, self.host.past.clone()));
    }

    /// A fork is what its world was, opens for its own partner, and takes its tokens with it.
    async fn fork(&mut self, back: u8) {
        let Some(past) = self.host.back(back) else { return };
        self.saved += 1;
        let (name, token) = (format!("fork {}", self.saved), format!("token {}", self.saved));
        let body = if back == 0 { Body::None } else { Body::Json(json!({ "input": past.input })) };
        let made = StoryStep::call("POST", &format!("{WORLD_PATH}/fork")).sending(body);
        let Some(fork) = self.send(made.named(&name), 200).await else { return };
        self.coverage.note_network("forks");
        self.note_way_back();
        if !fork["worldId"].is_string() {
            return self.fail(Law::WellFormedAnswers, "a fork has no id");
        }
        let own = |what: &str| format!("/_sandbox/worlds/{{{name}.worldId}}/{what}");
        let digest = past.moment.digest();
        self.must_be("the fork's fingerprint", &own("digest"), digest, Some(past.steps)).await;
        let settings = self.host.settings_after(&past);
        self.must_read(Law::AsItWas, "the fork's settings", &own("settings"), settings).await;
        for what in ["faults", "webhooks", "snapshots", "sockets"] {
            self.must_read(Law::HostHoldsWhatWasAsked, &format!("a new fork's {what}"), &own(what), json!([])).await;
        }
        if !self.found.is_empty() {
            return;
        }
        let grant = grant(&format!("{name}.partners.0"), None);
        if self.send(grant.clone().named(&token), 200).await.is_none() {
            return;
        }
        let clients = || with_token("GET", "/v2/partner/client", &token);
        for (step, status) in [(clients(), 200), (deleted(&name), 200), (clients(), 401), (grant, 400)] {
            if self.send(step, status).await.is_none() {
                return;
            }
        }
    }

    /// Settings change, and the reference world with them.
    async fn set(&mut self, patch: Json, act: Option<InputAct>) {
        let path = format!("{WORLD_PATH}/settings");
        let call = StoryStep::call("PATCH", &path).sending(Body::Json(patch.clone()));
        if self.send(call, 200).await.is_none() {
            return;
        }
        self.coverage.note_network("settings changed");
        self.host.set(&patch);
        if let Some(act) = act {
            self.writer.host_acts(act);
            self.forget_events();
        }
    }

    async fn permit(&mut self, client: ClientNo, place: u8, may: bool) {
        let id = self.writer.bindings.scope(client).client;
        let (name, of) = PERMISSIONS[usize::from(place)];
        let Some(known) = query::client(&self.writer.world, id) else { return };
        let mut permissions = known.permissions.clone();
        let changes = std::mem::replace(of(&mut permissions), may) != may;
        self.coverage.note_network("permissions changed");
        let events = self.events().await;
        let patch = json!({ "permissions": { id.to_string(): { name: may } } });
        self.set(patch, Some(InputAct::Permit(id, Box::new(permissions)))).await;
        // A client that may do something else has changed, and its partner is sent that (rule: clients/client-permissions).
        let total = events + u64::from(changes);
        self.must_read(
            Law::HostHoldsWhatWasAsked,
            "how many events there were",
            WORLD_PATH,
            json!({ "events": total }),
        )
        .await;
    }

    async fn events(&mut self) -> u64 {
        self.read(WORLD_PATH).await.and_then(|world| world["events"].as_u64()).unwrap_or_default()
    }

    /// Events beyond the number that is kept are forgotten at once (rule: events/events-kept). Then many are kept again: a socket
    /// that has few to read from is closed.
    async fn keep_events(&mut self) {
        let log = format!("{WORLD_PATH}/events?limit=1");
        for most in [3, 1_000_000] {
            let kept = self.read(&log).await.and_then(|events| events["kept"].as_u64()).unwrap_or_default();
            self.set(json!({ "eventsKept": most }), None).await;
            let expected = json!({ "limit": most, "kept": kept.min(most) });
            self.must_read(Law::HostHoldsWhatWasAsked, "the events that are kept", &log, expected).await;
        }
    }

    async fn add_webhook(&mut self, client: ClientNo, events: u8) {
        let id = self.writer.bindings.scope(client).client.to_string();
        let url = format!("http://receiver/hook-{}", self.host.webhooks.len());
        let events: Json = serde_json::from_str(EVENTS[usize::from(events)]).unwrap_or_default();
        let body = Body::Json(json!({ "client": id, "url": url, "events": events }));
        let actor = self.actor(client);
        let call = by(StoryStep::call("POST", &format!("{WORLD_PATH}/webhooks")).sending(body), actor);
        let Some(body) = self.send(call, 200).await else { return };
        let Some(hook) = body["id"].as_str().map(str::to_owned) else {
            return self.fail(Law::WellFormedAnswers, "a webhook has no id");
        };
        self.coverage.note_network("webhooks changed");
        self.host.webhooks.push(Webhook {
            id: hook,
            partner: partner_of(actor),
            client: id,
            url,
            events,
            enabled: true,
        });
    }

    async fn change_webhook(&mut self, place: usize, moves: bool) {
        let Some(hook) = self.host.webhooks.get(place) else { return };
        let patch = match moves {
            true => json!({ "url": format!("{}-moved", hook.url) }),
            false => json!({ "enabled": !hook.enabled }),
        };
        let call = hook.asked("PATCH").sending(Body::Json(patch));
        if self.send(call, 200).await.is_none() {
            return;
        }
        let Some(hook) = self.host.webhooks.get_mut(place) else { return };
        if moves {
            hook.url.push_str("-moved");
        } else {
            hook.enabled = !hook.enabled;
        }
    }

    async fn remove_webhook(&mut self, place: usize) {
        let Some(hook) = self.host.webhooks.get(place) else { return };
        let call = hook.asked("DELETE");
        if self.send(call, 200).await.is_some() {
            self.host.webhooks.remove(place);
        }
    }

    async fn add_rule(&mut self, times: u64) {
        let on = json!({ "method": "GET", "path": PLANS, "times": times });
        let body = Body::Json(json!({ "match": on, "verdict": { "answer": { "status": 503 } } }));
        let call = StoryStep::call("POST", &format!("{WORLD_PATH}/faults")).sending(body);
        let Some(body) = self.send(call, 200).await else { return };
        self.coverage.note_network("fault rules");
        let Some(id) = body["id"].as_u64() else { return self.fail(Law::WellFormedAnswers, "a rule has no number") };
        if self.host.rules.is_empty() && id != 1 {
            return self.fail(Law::HostHoldsWhatWasAsked, format!("the first rule of all has the number {id}"));
        }
        self.host.rules.push(Rule { id, times, hits: 0 });
    }

    async fn remove_rule(&mut self, place: usize) {
        let Some(rule) = self.host.rules.get(place) else { return };
        let call = StoryStep::call("DELETE", &format!("{WORLD_PATH}/faults/{}", rule.id));
        if self.send(call, 200).await.is_some() {
            self.host.rules.remove(place);
        }
    }

    /// A partner's read, which the first rule that has hits left answers.
    async fn read_plans(&mut self, client: ClientNo) {
        let is_hit = self.host.hit();
        if is_hit {
            self.coverage.note_network("requests hit by a rule");
        }
        let actor = self.actor(client);
        let read = by(StoryStep::call("GET", "/allocationplan"), actor);
        self.send(read, if is_hit { 503 } else { 200 }).await;
    }

    fn actor(&self, client: ClientNo) -> Actor {
        self.writer.actor(self.writer.bindings.scope(client).client)
    }

    async fn open_socket(&mut self, client: ClientNo) {
        self.sockets += 1;
        let open = StoryStep::from(StoryAct::Socket(SocketAct::Open(Some(format!("socket {}", self.sockets)))));
        let open = by(open, self.actor(client));
        let opened = self.remote.play(&open).await;
        self.writer.steps.push(open);
        match opened {
            Ok(()) => self.host.sockets += 1,
            Err(why) => self.fail(Law::WellFormedAnswers, format!("a socket did not open: {why}")),
        }
    }

    /// A token opens what its rights open, and nothing else.
    async fn use_rights(&mut self, one: u8, other: u8, by_comma: bool) {
        let rights = [one, other].map(|place| RIGHTS[usize::from(place)].0);
        let scope = rights.join(if by_comma { "," } else { " " });
        let grant = grant("partner", Some(&scope));
        self.saved += 1;
        let token = format!("token {}", self.saved);
        if self.send(grant.named(&token), 200).await.is_none() {
            return;
        }
        for (right, operations) in RIGHTS {
            for (method, path) in *operations {
                let may = rights.contains(right);
                // A rule hits before anybody looks at rights.
                let is_hit = *path == "/allocationplan" && self.host.may_hit();
                if is_hit || may && needs_permission(path) {
                    continue;
                }
                let body = if matches!(*method, "POST" | "PATCH") { Body::Json(json!({})) } else { Body::None };
                let mut step = with_token(method, &of_nobody(path), &token).sending(body);
                let RequestOutcome::Answer(status, _) = self.remote.ask(&step).await else {
                    return self.fail(Law::WellFormedAnswers, "a request was not answered");
                };
                self.coverage.note_network("requests with few rights");
                self.coverage.laws.note_if(Law::Isolation, !may);
                if (status != 403) != may || status == 401 {
                    let refused = Expected::Is(json!(403));
                    let expected = if may { Expected::Not(Box::new(refused)) } else { refused };
                    step.expect = Some(ExpectedResponse { status: Some(expected), ..ExpectedResponse::default() });
                    let what =
                        format!("{} was answered {status} to a token of {scope}", language::write::write_step(&step));
                    self.writer.steps.push(step);
                    return self.fail(Law::Isolation, what);
                }
            }
        }
    }

    /// What the operator decides is as it was decided last, wherever the world is put back to.
    async fn keep_market(&mut self) {
        for kept in [true, false] {
            self.set(json!({ "operatorMarket": kept }), None).await;
            if self.found.is_empty() && kept {
                self.rewind(1, false).await;
                self.agree().await;
            }
            if !self.found.is_empty() {
                return;
            }
        }
    }

    /// A deleted world leaves nothing behind: its names are free again.
    async fn make_again(&mut self) {
        let partner = json!({
            "name": "Named AB", "clientId": "7c0f5a52-0d1e-4c59-9f0b-5a3c1d2e4f77", "clientSecret": "named-secret-of-a-partner-0123456789",
            "clients": [{ "id": "7c0f5a52-0d1e-4c59-9f0b-5a3c1d2e4f78", "name": "Named Spar AB", "crn": "5599900023", "country": "SE" }],
        });
        let body = Body::Json(json!({ "seed": 1, "setup": { "partners": [partner] } }));
        let make = by_operator(StoryStep::call("POST", "/_sandbox/worlds").sending(body));
        self.coverage.note_network("worlds made again");
        for _ in 0..2 {
            self.saved += 1;
            let name = format!("world {}", self.saved);
            if self.send(make.clone().named(&name), 200).await.is_none() {
                return;
            }
            if self.send(deleted(&name), 200).await.is_none() {
                return;
            }
        }
    }

    async fn finish(self, prepared: &Prepared, used: usize) -> (RunOutcome, Option<Story>) {
        let Self { remote, writer, mut coverage, found: violations, claims_from, .. } = self;
        let ending = remote.finish().await;
        coverage.note_rows(&writer.world);
        coverage.rare.add(&rare::tally());
        let (digest, simulated) = (writer.world.digest().0, writer.world.now().since(prepared.stage.start));
        let story = violations
            .first()
            .map(|violation| Story { scenario: found(&prepared.stage, writer.steps, violation), claims_from });
        let digest = digest_of(&(ending.digest, digest));
        (RunOutcome { digest, steps: used as u64, simulated, coverage, violations, used }, story)
    }
}

/// The number of an actor's partner.
const fn partner_of(actor: Actor) -> usize {
    match actor {
        Actor::Client { partner, .. } => partner,
        Actor::Nobody => 0,
    }
}

/// A read by the operator; of the run's own world, which only a token of it names, by a partner.
pub(super) fn looks(path: &str) -> StoryStep {
    let step = StoryStep::call("GET", path);
    if path.starts_with(WORLD_PATH) { step } else { by_operator(step) }
}

/// A step that expects this of the body of its answer.
pub(super) fn expecting(step: StoryStep, body: Expected) -> StoryStep {
    let expect = Some(ExpectedResponse { body: Some(body), ..ExpectedResponse::default() });
    StoryStep { expect, ..step }
}

fn by_operator(step: StoryStep) -> StoryStep {
    StoryStep { actor: Actor::Nobody, ..step }
}

/// The operator deletes the world that the story has saved under this name.
fn deleted(name: &str) -> StoryStep {
    by_operator(StoryStep::call("DELETE", &format!("/_sandbox/worlds/{{{name}.worldId}}")))
}

/// A request with the token that the story has saved under this name.
fn with_token(method: &str, path: &str, token: &str) -> StoryStep {
    let headers = vec![("authorization".to_owned(), format!("Bearer {{{token}.access_token}}"))];
    Call { method: method.to_owned(), path: path.to_owned(), headers, ..Call::default() }.into()
}

/// A request for a token by the credentials that the story has under this name, with these rights or with all.
fn grant(credentials: &str, scope: Option<&str>) -> StoryStep {
    let credential = |field: &str| json!(format!("{{{credentials}.{field}}}"));
    let mut form = vec![
        ("grant_type".to_owned(), json!("client_credentials")),
        ("client_id".to_owned(), credential("clientId")),
        ("client_secret".to_owned(), credential("clientSecret")),
    ];
    form.extend(scope.map(|scope| ("scope".to_owned(), json!(scope))));
    StoryStep::call("POST", "/v2/partner/auth/token").sending(Body::Form(form))
}

impl Webhook {
    /// A request about it, by its partner.
    fn asked(&self, method: &str) -> StoryStep {
        let step = StoryStep::call(method, &format!("{WORLD_PATH}/webhooks/{}", self.id));
        by(step, Actor::Client { partner: self.partner, client: 1 })
    }
}

/// Whether `got` has all of `expected`: fields of objects, and of lists every item in its place.
fn holds(expected: &Json, got: &Json) -> bool {
    difference(expected, got).is_none()
}

/// The first place where `got` has not what is expected.
fn difference(expected: &Json, got: &Json) -> Option<String> {
    match (expected, got) {
        (Json::Object(fields), Json::Object(_)) => fields
            .iter()
            .find_map(|(name, value)| difference(value, &got[name.as_str()]).map(|deeper| format!("{name} {deeper}"))),
        (Json::Array(items), Json::Array(others)) if items.len() == others.len() => {
            let mut pairs = items.iter().zip(others).enumerate();
            pairs.find_map(|(place, (one, other))| difference(one, other).map(|deeper| format!("[{place}] {deeper}")))
        }
        (Json::Array(items), Json::Array(others)) => Some(format!("{} items instead of {}", others.len(), items.len())),
        _ if expected == got => None,
        _ => Some(format!("{got} instead of {expected}")),
    }
}

/// What of `expected` the other does not have: the fields that differ, and lists whole.
fn differing(expected: &Json, got: &Json) -> Json {
    match (expected, got) {
        (Json::Object(fields), Json::Object(_)) => {
            let others = fields.iter().filter(|(name, value)| !holds(value, &got[name.as_str()]));
            others.map(|(name, value)| (name.clone(), differing(value, &got[name.as_str()]))).collect()
        }
        (whole, _) => whole.clone(),
    }
}

/// The same as a story expects it.
pub(super) fn as_expected(json: &Json) -> Expected {
    match json {
        Json::Object(fields) => {
            Expected::Part(fields.iter().map(|(name, value)| (name.clone(), as_expected(value))).collect())
        }
        Json::Array(items) => Expected::List(items.iter().map(as_expected).collect()),
        value => Expected::Is(value.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_story_expects_only_what_differs() {
        let expected = json!({ "a": 1, "deep": { "b": 2, "c": [1, 2] }, "list": [{ "id": 1 }] });
        for (got, differs) in [
            (expected.clone(), json!({})),
            (json!({ "a": 1, "deep": { "b": 3, "c": [1, 2] }, "list": [{ "id": 1 }] }), json!({ "deep": { "b": 2 } })),
            (
                json!({ "a": 1, "deep": { "b": 2, "c": [1] }, "list": [] }),
                json!({ "deep": { "c": [1, 2] }, "list": [{ "id": 1 }] }),
            ),
            (
                json!({ "a": 1, "deep": null, "list": [{ "id": 1, "more": 2 }] }),
                json!({ "deep": { "b": 2, "c": [1, 2] } }),
            ),
            (Json::Null, expected.clone()),
        ] {
            assert_eq!(differing(&expected, &got), differs, "{got}");
            assert_eq!(holds(&expected, &got), got == expected, "{got}");
        }
    }
}
