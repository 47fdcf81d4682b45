//! One story in one world: its partners, names, sockets and clock.
//!
//! Invariant: after every step each open socket has shown all events that the step caused, so that a transcript's lines
//! always stand in the same order. The world is made through the operator plane on every driver alike and dropped at the
//! end. Absent on purpose: what the single steps mean (`asks`, `clock`, `expect`).

use super::{Outcome, Run, Trouble};
use crate::ast::{Act, Actor, Example, Network, Save, Scenario, Server, SocketAct, Step};
use crate::drivers::{Driver, Ended, From, NoAnswer, Request, Response, Socket};
use crate::template::{self, Names};
use crate::transcript::Transcript;
use crate::write;
use bytes::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{HeaderMap, Method};
use serde_json::{Map, Value as Json, json};
use sim::time::Instant;
use std::time::Duration;

/// A story under way.
pub(super) struct Session<D> {
    pub(super) driver: D,
    pub(super) transcript: Transcript,
    pub(super) names: Saved,
    pub(super) now: String,
    pub(super) inbox: Vec<Arrived>,
    world: String,
    partners: Vec<Partner>,
    sockets: Vec<Watched>,
    start: String,
    /// Whether the partner cannot be reached at the moment.
    offline: bool,
}

/// A partner with its clients, as the world's making told them.
struct Partner {
    client_id: String,
    secret: String,
    clients: Vec<String>,
    token: Option<String>,
}

/// A socket with its owner and, if it is a further one, its name.
struct Watched {
    partner: usize,
    client: usize,
    name: Option<String>,
    socket: Socket,
    /// The network was cut since it was last heard: it may be dead without a sign.
    doubtful: bool,
}

/// How long a doubtful socket gets to prove that it lives.
const DOUBT: Duration = Duration::from_secs(2);

/// An event as it came in.
pub(super) struct Arrived {
    pub(super) partner: usize,
    pub(super) client: usize,
    pub(super) socket: Option<String>,
    pub(super) frame: Json,
    pub(super) claimed: bool,
    pub(super) forgotten: bool,
}

/// Saved values by name.
#[derive(Default)]
pub(super) struct Saved(Map<String, Json>);

impl Names for Saved {
    fn get(&self, name: &str) -> Option<&Json> {
        self.0.get(name)
    }
}

impl Saved {
    pub(super) fn set(&mut self, name: &str, value: Json) {
        self.0.insert(name.to_owned(), value);
    }
}

/// An answer whose body is read.
#[derive(Clone, Debug)]
pub(super) struct Answered {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Json,
}

impl Answered {
    pub(super) const fn is_good(&self) -> bool {
        self.status >= 200 && self.status < 300
    }
}

/// How much of a call the transcript shows; the digest covers all that is shown in part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tell {
    /// The call and its whole answer.
    All,
    /// The call and this field of its answer.
    Part(&'static str),
    /// Nothing: machinery.
    Nothing,
}

/// A call on its way.
pub(super) struct Outgoing {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Option<(String, String)>,
}

impl Outgoing {
    pub(super) fn new(method: &str, path: impl Into<String>) -> Self {
        Self { method: method.to_owned(), path: path.into(), headers: Vec::new(), body: None }
    }

    pub(super) fn json(mut self, body: &Json) -> Self {
        self.body = Some(("application/json".to_owned(), body.to_string()));
        self
    }
}

impl<D: Driver> Session<D> {
    /// Makes the world and opens its sockets.
    pub(super) async fn open(driver: D, scenario: &Scenario, row: Option<&Example>, seed: u64) -> Result<Self, String> {
        let mut session = Self {
            driver,
            transcript: Transcript::default(),
            names: Saved::default(),
            now: String::new(),
            inbox: Vec::new(),
            world: String::new(),
            partners: Vec::new(),
            sockets: Vec::new(),
            start: String::new(),
            offline: false,
        };
        session.make_world(scenario, seed).await?;
        for (name, value) in row.into_iter().flat_map(|row| &row.values) {
            session.names.set(name, value.clone());
        }
        session.begin_transcript(scenario, row, seed);
        for (partner, client) in scenario.watchers() {
            session.check_actor(partner, client)?;
            session.open_socket(partner, client, None).await.map_err(|error| format!("the first socket: {error}"))?;
        }
        session.catch_up().await.map_err(|trouble| trouble.what)?;
        Ok(session)
    }

    async fn make_world(&mut self, scenario: &Scenario, seed: u64) -> Result<(), String> {
        let mut body = json!({ "seed": seed, "start": scenario.start(), "clock": "frozen" });
        let (of_world, of_surface) = settings(&scenario.world.settings);
        if let (Some(setup), Json::Object(body)) = (setup(scenario, of_world), &mut body) {
            body.insert("setup".to_owned(), setup);
        }
        let answer = self.operator(Method::POST, "/_sandbox/worlds", &body).await?;
        let text = |value: &Json, key: &str| value.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        self.world = text(&answer, "worldId");
        self.now = text(&answer, "now");
        self.start.clone_from(&self.now);
        let url = text(&answer, "url");
        if url.len() > "http://".len() {
            self.transcript.mask(&url, "{url}");
        }
        self.transcript.mask(&self.world, "{world}");
        self.names.set("world", json!({ "id": self.world, "seed": seed, "start": self.start }));
        let partners = answer.get("partners").and_then(Json::as_array).cloned().unwrap_or_default();
        for (at, partner) in partners.iter().enumerate() {
            self.meet(at + 1, partner);
        }
        if self.partners.is_empty() || self.partners[0].clients.is_empty() {
            return Err("the world has no partner with a client".to_owned());
        }
        if !of_surface.is_empty() {
            let path = format!("/_sandbox/worlds/{}/settings", self.world);
            self.operator(Method::PATCH, &path, &Json::Object(of_surface)).await?;
        }
        Ok(())
    }

    fn meet(&mut self, number: usize, partner: &Json) {
        let text = |key: &str| partner.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        let clients = partner.get("clients").and_then(Json::as_array).cloned().unwrap_or_default();
        self.transcript.mask(&text("clientId"), &format!("{{partner {number} clientId}}"));
        self.transcript.mask(&text("clientSecret"), &format!("{{partner {number} clientSecret}}"));
        self.names.set(&format!("partner {number}"), partner.clone());
        if number == 1 {
            self.names.set("partner", partner.clone());
            for (at, client) in clients.iter().enumerate() {
                self.names.set(&format!("client {}", at + 1), client.clone());
            }
            self.names.set("client", clients.first().cloned().unwrap_or_default());
        }
        let id = |client: &Json| client.get("id").and_then(Json::as_str).unwrap_or_default().to_owned();
        self.partners.push(Partner {
            client_id: text("clientId"),
            secret: text("clientSecret"),
            clients: clients.iter().map(id).collect(),
            token: None,
        });
    }

    fn begin_transcript(&mut self, scenario: &Scenario, row: Option<&Example>, seed: u64) {
        let title = match row {
            Some(row) => format!("{}: {}", scenario.title, super::in_words(row)),
            None => scenario.title.clone(),
        };
        self.transcript.title(&title, &format!("seed {seed}, from {}", self.start));
    }

    /// Whether the world has such a client.
    pub(super) fn check_actor(&self, partner: usize, client: usize) -> Result<(), String> {
        let known = self.partners.get(partner.wrapping_sub(1)).is_some_and(|partner| client <= partner.clients.len());
        if known { Ok(()) } else { Err(format!("the world has no client {client} of a partner {partner}")) }
    }

    /// A request of the machinery, which transcripts do not tell.
    async fn operator(&mut self, method: Method, path: &str, body: &Json) -> Result<Json, String> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(token) = self.driver.operator_token() {
            let value = HeaderValue::from_str(&format!("Bearer {token}")).map_err(|error| error.to_string())?;
            headers.insert(AUTHORIZATION, value);
        }
        let body = if body.is_null() { Bytes::new() } else { Bytes::from(body.to_string()) };
        let request = Request { from: From::Outside, method, path: path.to_owned(), headers, body };
        let answer = self.driver.call(request).await.map_err(|error| format!("{path}: {error}"))?;
        let body = read(&answer);
        if !(200..300).contains(&answer.status) {
            return Err(format!("{path} answered {}: {}", answer.status, crate::matching::show(&body)));
        }
        Ok(body)
    }

    /// The token of a partner; fetched when it is first needed.
    async fn token(&mut self, partner: usize) -> Result<String, NoAnswer> {
        let at = partner - 1;
        if let Some(token) = &self.partners[at].token {
            return Ok(token.clone());
        }
        let form: String = form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", "client_credentials")
            .append_pair("client_id", &self.partners[at].client_id)
            .append_pair("client_secret", &self.partners[at].secret)
            .finish();
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
        let path = "/v2/partner/auth/token".to_owned();
        let request = Request { from: From::Outside, method: Method::POST, path, headers, body: Bytes::from(form) };
        let answer = self.driver.call(request).await?;
        let body = read(&answer);
        let Some(token) = body.get("access_token").and_then(Json::as_str) else {
            return Err(NoAnswer(format!("no token: {} {}", answer.status, crate::matching::show(&body))));
        };
        self.transcript.mask(token, &format!("{{partner {partner} token}}"));
        self.partners[at].token = Some(token.to_owned());
        Ok(token.to_owned())
    }

    /// The path of an actor's client.
    pub(super) fn client_path(&self, actor: Actor) -> String {
        let (partner, client) = match actor {
            Actor::Client { partner, client } => (partner, client),
            Actor::Nobody => (1, 1),
        };
        let id = self.partners.get(partner - 1).and_then(|partner| partner.clients.get(client - 1));
        format!("/v2/partner/client/{}", id.map_or("", String::as_str))
    }

    /// The id of an actor's client.
    pub(super) fn client_id(&self, actor: Actor) -> String {
        self.client_path(actor).rsplit('/').next().unwrap_or_default().to_owned()
    }

    /// Sends a call and tells it as `tell` says. `Ok(None)` when no answer came.
    pub(super) async fn send(&mut self, actor: Actor, call: Outgoing, tell: Tell) -> Outcome<Option<Answered>> {
        let Outgoing { method, path, headers: extra, body } = call;
        let from = if path.starts_with("/simulations") || path.starts_with("/_sandbox") {
            From::Outside
        } else {
            From::Partner
        };
        let mut headers = HeaderMap::new();
        if let Some((kind, _)) = &body {
            headers.insert(CONTENT_TYPE, header_value(kind)?);
        }
        let mut failed = None;
        if let Some(token) = self.credential(actor, &path, &mut failed).await {
            headers.insert(AUTHORIZATION, header_value(&format!("Bearer {token}"))?);
        }
        for (name, value) in &extra {
            let name =
                HeaderName::from_bytes(name.as_bytes()).map_err(|_| Trouble::new(format!("`{name}` is no header")))?;
            headers.insert(name, header_value(value)?);
        }
        let text = body.map_or_else(String::new, |(_, text)| text);
        if tell != Tell::Nothing {
            let who = describe(actor);
            self.transcript.asked(&self.now, &who, &method, &path, &text);
        }
        let parsed =
            Method::from_bytes(method.as_bytes()).map_err(|_| Trouble::new(format!("`{method}` is no method")))?;
        let request = Request { from, method: parsed, path, headers, body: Bytes::from(text) };
        let outcome = match failed {
            Some(error) => Err(error),
            None => self.driver.call(request).await,
        };
        Ok(self.take_in(outcome, tell))
    }

    /// The token that goes with a request, if one does.
    async fn credential(&mut self, actor: Actor, path: &str, failed: &mut Option<NoAnswer>) -> Option<String> {
        let Actor::Client { partner, .. } = actor else { return None };
        // `current` is the world of a partner's token; everything else of the machinery is the operator's.
        if path.starts_with("/_sandbox")
            && !path.starts_with("/_sandbox/worlds/current")
            && let Some(token) = self.driver.operator_token()
        {
            return Some(token.to_owned());
        }
        match self.token(partner).await {
            Ok(token) => Some(token),
            Err(error) => {
                *failed = Some(error);
                None
            }
        }
    }

    fn take_in(&mut self, outcome: Result<Response, NoAnswer>, tell: Tell) -> Option<Answered> {
        match outcome {
            Ok(answer) => {
                let body = read(&answer);
                self.mask_secrets(&body);
                match tell {
                    Tell::All => self.transcript.answered(&self.now, answer.status, &told(&body), &told(&body)),
                    Tell::Part(path) => {
                        let part = body.get(path).map_or_else(String::new, |part| format!("{path} {part}"));
                        let part = if (200..300).contains(&answer.status) { part } else { told(&body) };
                        self.transcript.answered(&self.now, answer.status, &part, &told(&body));
                    }
                    Tell::Nothing => {}
                }
                Some(Answered { status: answer.status, headers: answer.headers, body })
            }
            Err(_) => {
                if tell != Tell::Nothing {
                    self.transcript.unanswered(&self.now);
                }
                None
            }
        }
    }

    /// Whatever the server's key makes must not be told.
    fn mask_secrets(&mut self, body: &Json) {
        let Json::Object(entries) = body else { return };
        for (key, name) in [("access_token", "{token}"), ("instanceId", "{instance}"), ("clientSecret", "{secret}")] {
            if let Some(secret) = entries.get(key).and_then(Json::as_str) {
                self.transcript.mask(secret, name);
            }
        }
        if let Some((_, token)) = entries.get("url").and_then(Json::as_str).and_then(|url| url.rsplit_once("/journey/"))
        {
            self.transcript.mask(token, "{journey token}");
        }
    }

    /// Carries one step out.
    pub(super) async fn step(&mut self, step: &Step) -> Outcome {
        self.transcript.step(&self.now, &write::write_step(step));
        match &step.act {
            Act::Ask(ask) => {
                let call = self.prepare(step.actor, ask).await?;
                let answer = self.send(step.actor, call, Tell::All).await?;
                self.catch_up().await?;
                self.judge(step, answer.as_ref())?;
                if let Some(answer) = &answer {
                    self.save(&step.save, &answer.body)?;
                }
            }
            Act::Advance(how) => {
                self.advance(step.actor, how).await?;
                self.catch_up().await?;
            }
            Act::Expect(expect) => {
                self.expect(step.actor, expect).await?;
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
            Act::Network(network) => self.weather(*network).await?,
            Act::Server(server) => self.server(*server).await?,
        }
        Ok(())
    }

    fn save(&mut self, saves: &[Save], body: &Json) -> Outcome {
        for save in saves {
            let path = save.path.trim_start_matches('$').trim_start_matches('.');
            let value = template::at_path(body, path).ok_or_else(|| {
                Trouble::new(format!("nothing to save as `{}`: the answer has no `{}`", save.name, save.path))
            })?;
            let value = value.clone();
            self.names.set(&save.name, value);
        }
        Ok(())
    }

    async fn weather(&mut self, network: Network) -> Outcome {
        self.driver.weather(network).await.map_err(Trouble::new)?;
        match network {
            Network::Cut => {
                self.offline = true;
                self.sockets.iter_mut().for_each(|watched| watched.doubtful = true);
            }
            Network::Held => self.offline = true,
            Network::Repaired | Network::Released => self.offline = false,
            Network::Latency { .. } => {}
        }
        self.catch_up().await
    }

    async fn server(&mut self, server: Server) -> Outcome {
        self.driver.server(server).await.map_err(Trouble::new)?;
        if server == Server::RestartsEmpty {
            self.partners.iter_mut().for_each(|partner| partner.token = None);
        }
        self.catch_up().await
    }

    async fn socket(&mut self, actor: Actor, act: &SocketAct) -> Outcome {
        let Actor::Client { partner, client } = actor else {
            return Err(Trouble::new("nobody has no socket"));
        };
        let find = |sockets: &[Watched], name: &Option<String>| {
            sockets.iter().position(|it| (it.partner, it.client) == (partner, client) && it.name == *name)
        };
        match act {
            SocketAct::Open(name) => {
                if let Some(at) = find(&self.sockets, name) {
                    self.sockets.remove(at).socket.close(Duration::from_secs(5)).await;
                }
                let opened = self.open_socket(partner, client, name.clone()).await;
                opened.map_err(|error| Trouble::new(error.to_string()))?;
                self.catch_up().await
            }
            SocketAct::Close(name) => {
                let at = find(&self.sockets, name).ok_or_else(|| Trouble::new("there is no such socket"))?;
                self.sockets.remove(at).socket.close(Duration::from_secs(5)).await;
                Ok(())
            }
            SocketAct::Closed { name, code } => {
                let at = find(&self.sockets, name).ok_or_else(|| Trouble::new("there is no such socket"))?;
                self.expect_closed(at, *code).await
            }
        }
    }

    async fn expect_closed(&mut self, at: usize, code: Option<u16>) -> Outcome {
        let patience = self.driver.patience();
        let frames = self.sockets[at].socket.until_closed(patience).await;
        let frames = frames.map_err(|error| Trouble::new(error.to_string()))?;
        self.arrived(at, frames);
        let ended = self.sockets[at].socket.ended();
        match (code, ended) {
            (Some(code), Some(Ended::Closed(got))) if got != code => {
                Err(Trouble::new(format!("the socket was closed with {got}, expected {code}")))
            }
            (Some(code), Some(Ended::Cut)) => {
                Err(Trouble::new(format!("the socket was cut without a close frame, expected code {code}")))
            }
            _ => Ok(()),
        }
    }

    async fn open_socket(&mut self, partner: usize, client: usize, name: Option<String>) -> Result<(), NoAnswer> {
        let token = self.token(partner).await?;
        let mut headers = HeaderMap::new();
        let value = HeaderValue::from_str(&format!("Bearer {token}")).map_err(|error| NoAnswer(error.to_string()))?;
        headers.insert(AUTHORIZATION, value);
        let path = format!("{}/subscribe", self.client_path(Actor::Client { partner, client }));
        let socket = self.driver.open_socket(&path, headers).await?;
        self.sockets.push(Watched { partner, client, name, socket, doubtful: false });
        Ok(())
    }

    /// Reads every socket up to the present.
    pub(super) async fn catch_up(&mut self) -> Outcome {
        if self.offline {
            return Ok(());
        }
        let patience = self.driver.patience();
        for at in 0..self.sockets.len() {
            if self.sockets[at].socket.ended().is_some() {
                continue;
            }
            let doubtful = self.sockets[at].doubtful;
            let patience = if doubtful { DOUBT } else { patience };
            match self.sockets[at].socket.catch_up(patience).await {
                Ok(frames) => {
                    self.sockets[at].doubtful = false;
                    self.arrived(at, frames);
                }
                Err(_) if doubtful => {
                    self.sockets[at].socket.give_up();
                    self.arrived(at, Vec::new());
                }
                Err(error) => return Err(Trouble::new(error.to_string())),
            }
        }
        Ok(())
    }

    fn arrived(&mut self, at: usize, frames: Vec<Json>) {
        let (partner, client, name) = {
            let socket = &self.sockets[at];
            (socket.partner, socket.client, socket.name.clone())
        };
        let label = label(partner, client, name.as_deref());
        for frame in frames {
            self.mask_secrets(&frame);
            self.transcript.frame(&self.now, &label, &frame);
            // Word of the connection itself is no event of the world.
            let claimed = frame.get("eventId").is_none();
            self.inbox.push(Arrived { partner, client, socket: name.clone(), frame, claimed, forgotten: false });
        }
        match self.sockets[at].socket.ended() {
            Some(Ended::Closed(code)) => self.transcript.ended(&label, &format!("closed with {code}")),
            Some(Ended::Cut) => self.transcript.ended(&label, "cut"),
            None => {}
        }
    }

    pub(super) fn history(&self) -> Vec<String> {
        self.transcript.history().to_vec()
    }

    /// Closes the sockets, drops the world, and hands over what was told.
    pub(super) async fn close(mut self) -> Run {
        for watched in std::mem::take(&mut self.sockets) {
            watched.socket.close(Duration::from_secs(5)).await;
        }
        let path = format!("/_sandbox/worlds/{}", self.world);
        // A server that crashed or restarted empty has nothing left to drop.
        drop(self.operator(Method::DELETE, &path, &Json::Null).await);
        let ms = |text: &str| Instant::parse(text).map_or(0, Instant::ms);
        Run {
            example: None,
            transcript: self.transcript.text().to_owned(),
            digest: self.transcript.digest(),
            simulated_ms: ms(&self.now) - ms(&self.start),
            steps: 0,
            failure: None,
        }
    }
}

/// Settings of sockets, tokens and feeds; all others are the world's own and part of its setup.
#[rustfmt::skip]
const OF_SURFACE: &[&str] = &[
    "heartbeatSeconds", "socketCapSeconds", "socketStallSeconds", "tokenLifeSeconds", "virtualTransport", "eventsKept",
    "requestsKept", "socketsPerClient", "socketsPerWorld", "tokensPerPartner", "strictBodies", "unknownResourceStatus",
    "allowlist",
];

/// Settings of the world, and settings of the surface.
fn settings(all: &[(String, Json)]) -> (Map<String, Json>, Map<String, Json>) {
    let (surface, world): (Vec<_>, Vec<_>) =
        all.iter().cloned().partition(|(key, _)| OF_SURFACE.contains(&key.as_str()));
    (world.into_iter().collect(), surface.into_iter().collect())
}

/// The setup to ask for, with the story's settings in it; `None` is the demo world as it is.
fn setup(scenario: &Scenario, settings: Map<String, Json>) -> Option<Json> {
    let named = scenario.world.setup.clone().filter(|setup| setup.as_str() != Some("demo"));
    if settings.is_empty() {
        return named;
    }
    let mut setup = named.unwrap_or_else(|| json!({}));
    if let Json::Object(entries) = &mut setup {
        let known = entries.entry("settings").or_insert_with(|| json!({}));
        if let Json::Object(known) = known {
            known.extend(settings);
        }
    }
    Some(setup)
}

fn header_value(text: &str) -> Outcome<HeaderValue> {
    HeaderValue::from_str(text).map_err(|_| Trouble::new(format!("`{text}` cannot stand in a header")))
}

/// A body as JSON, or as the text it is.
fn read(answer: &Response) -> Json {
    serde_json::from_slice(&answer.body).unwrap_or_else(|_| match std::str::from_utf8(&answer.body) {
        Ok("") => Json::Null,
        Ok(text) => Json::String(text.to_owned()),
        Err(_) => Json::String(format!("({} bytes)", answer.body.len())),
    })
}

fn told(body: &Json) -> String {
    match body {
        Json::Null => String::new(),
        other => other.to_string(),
    }
}

/// Who acts, in words; nothing for the one who usually does.
fn describe(actor: Actor) -> String {
    match actor {
        Actor::Nobody => "nobody".to_owned(),
        Actor::Client { partner, client } => label(partner, client, None),
    }
}

fn label(partner: usize, client: usize, name: Option<&str>) -> String {
    let who = match (partner, client) {
        (1, 1) => String::new(),
        (partner, client) => format!("partner {partner} client {client}"),
    };
    match name {
        Some(name) if who.is_empty() => name.to_owned(),
        Some(name) => format!("{who} {name}"),
        None => who,
    }
}
