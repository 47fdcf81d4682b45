//! `fundsim listen`: what a world of a running sandbox delivers is forwarded to a server that the sandbox does not reach.
//!
//! Invariant: body and headers arrive as the sandbox sends them, in the order in which they came, each once, also after the sandbox was
//! away; a failure of the receiver is shown, and the next one is forwarded (rule: events/listening). Webhooks that are made here are
//! removed in the end. Absent on purpose: signatures, which are the sandbox's, and another attempt, which a replay is.

use crate::args::terminal::Listen;
use crate::bearer::{self, Fault, Shown};
use crate::exit::{UNUSABLE, WELL};
use crate::follow::{self, Follower, Missed};
use crate::{interrupt, out, paint, trust, wanted};
use deliveries::webhooks::LISTEN;
use feed::event_types::{CALLBACK, EVENT_TYPES, TEST};
use hosting::faults::EventPattern;
use http::{HeaderMap, HeaderName, HeaderValue};
use runner::drivers::live;
use runner::drivers::target::Target;
use runner::report::printable;
use serde_json::{Value as Json, json};
use sim::time::Instant;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Deliveries of one answer.
const MOST: usize = 100;
/// Deliveries whose forwarding is remembered: more than a sandbox keeps of a partner.
const MOST_REMEMBERED: usize = 200_000;
/// Time that the receiver has for an answer, as it has from the sandbox (rule: events/delivery-retries).
const PATIENCE: Duration = Duration::from_secs(10);
/// The cursor before everything that is kept.
const BEGINNING: &str = "start";
/// Faults by which the sandbox sends nothing.
const NOT_SENT: [&str; 3] = ["drop", "refuse", "fail"];

/// Forwards until Ctrl-C.
pub(crate) fn listen(flags: &Listen) -> u8 {
    match run(flags) {
        Ok(never) => match never {},
        Err(why) => out::refuse(&why),
    }
}

/// Ends by Ctrl-C alone.
fn run(flags: &Listen) -> Result<Infallible, String> {
    let listener = Listener::open(flags)?;
    let ending = Arc::clone(&listener.shared);
    interrupt::listen(move || {
        let end = move || {
            let mut state = ending.lock();
            state.end();
            state.sum_up();
        };
        // Requests need a thread that waits for nothing else. Without one the webhooks stay.
        let ended = thread::Builder::new().name("end".to_owned()).spawn(end).map(JoinHandle::join);
        std::process::exit(i32::from(if matches!(ended, Ok(Ok(()))) { WELL } else { UNUSABLE }));
    })?;
    let ending = Arc::clone(&listener.shared);
    let ended = listener.forward_all();
    ending.lock().end();
    ended
}

/// What the one who ends it needs.
struct Shared(Mutex<State>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct State {
    shown: Shown,
    world: String,
    /// The webhooks that were made here, by their clients.
    made: BTreeMap<String, String>,
    /// What signs them.
    secret: Option<String>,
    received: u64,
    failed: u64,
    not_sent: u64,
}

impl State {
    fn path(&self, rest: &str) -> String {
        format!("/_sandbox/worlds/{}/{rest}", self.world)
    }

    /// Gives every client that has no webhook one, with the same secret.
    fn make_webhooks(&mut self, events: &[&str]) -> Result<(), Fault> {
        if events.is_empty() {
            return Ok(());
        }
        let webhooks = self.shown.ask("GET", &self.path("webhooks"), None)?;
        let webhooks = webhooks.as_array().cloned().unwrap_or_default();
        let has = |key: &str, id: &str| webhooks.iter().any(|webhook| webhook[key] == id);
        self.made.retain(|_, webhook| has("id", webhook));
        for client in self.clients()? {
            let id = client["id"].as_str().unwrap_or_default();
            // One of another listener is removed when that ends.
            let has_own = webhooks.iter().any(|webhook| webhook["client"] == id && webhook["url"] != LISTEN);
            if has_own || self.made.contains_key(id) {
                continue;
            }
            let mut body = json!({ "client": id, "url": LISTEN, "events": events });
            if let Some(secret) = &self.secret {
                body["secret"] = json!(secret);
            }
            let webhook = self.shown.ask("POST", &self.path("webhooks"), Some(&body))?;
            let is_first = self.made.is_empty();
            if let (Some(id), Some(secret)) = (webhook["id"].as_str(), webhook["secret"].as_str()) {
                let client = webhook["client"].as_str().unwrap_or_default().to_owned();
                self.made.insert(client, id.to_owned());
                if self.secret.replace(secret.to_owned()).is_none() || is_first {
                    out::note(&format!("fundsim: webhooks are signed with {secret}\n"));
                }
            }
        }
        Ok(())
    }

    /// The clients of the partner who listens; an operator listens for those of all partners.
    fn clients(&self) -> Result<Vec<Json>, Fault> {
        let list = |value: &Json| value.as_array().cloned().unwrap_or_default();
        if self.shown.is_partner {
            return Ok(list(&self.shown.ask("GET", "/v2/partner/client", None)?));
        }
        let world = self.shown.ask("GET", &format!("/_sandbox/worlds/{}", self.world), None)?;
        Ok(list(&world["partners"]).iter().flat_map(|partner| list(&partner["clients"])).collect())
    }

    /// Removes the webhooks that were made here.
    fn end(&mut self) {
        for webhook in std::mem::take(&mut self.made).into_values() {
            let path = self.path(&format!("webhooks/{webhook}"));
            if let Err(Fault::Refused(why) | Fault::Unusable(why)) = self.shown.ask("DELETE", &path, None) {
                out::note(&format!("fundsim: webhook {webhook} is not removed: {why}\n"));
            }
        }
    }

    /// Says how it went.
    fn sum_up(&self) {
        let Self { received, failed, not_sent, .. } = self;
        let dropped = if *not_sent > 0 { format!(", {not_sent} held back by fault rules") } else { String::new() };
        out::note(&format!("fundsim: {} forwarded: {received} received, {failed} not{dropped}\n", *received + *failed));
    }
}

/// Whom something is forwarded to, and how far that is.
struct Listener<'f> {
    flags: &'f Listen,
    webhooks: Target,
    callbacks: Target,
    patterns: Vec<EventPattern>,
    shared: Arc<Shared>,
    shown: Shown,
    world: String,
    cursor: String,
    log: Json,
    /// Before this nothing is forwarded, in milliseconds since 1970.
    since: i64,
    forwarded: Remembered,
}

/// What was forwarded: deliveries, with how often each was sent again before.
#[derive(Default)]
struct Remembered {
    known: BTreeSet<(String, u64)>,
    order: VecDeque<(String, u64)>,
}

impl Remembered {
    /// Whether it is new, which it no longer is afterwards.
    fn put(&mut self, delivery: &Json) -> bool {
        let id = delivery["id"].as_str().unwrap_or_default().to_owned();
        let key = (id, delivery["sentAgain"].as_u64().unwrap_or_default());
        if !self.known.insert(key.clone()) {
            return false;
        }
        self.order.push_back(key);
        if self.order.len() > MOST_REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        true
    }
}

impl<'f> Listener<'f> {
    fn open(flags: &'f Listen) -> Result<Self, String> {
        let to = |url: &str| {
            let url = if url.contains("://") { url.to_owned() } else { format!("http://{url}") };
            let target = Target { url, trust: trust::of_flag(flags.of.server.bearer.ca_file.as_deref())? };
            live::check_url(&target).map(|()| target)
        };
        let webhooks = to(&flags.forward_to)?;
        let callbacks = to(flags.forward_callbacks_to.as_deref().unwrap_or(&flags.forward_to))?;
        let pattern = |text: &String| {
            EventPattern::read(text).ok_or_else(|| {
                let all: Vec<_> = EVENT_TYPES.into_iter().chain([CALLBACK, TEST]).collect();
                format!("--events {text}: there are {}; or all of a noun, such as order.*", all.join(", "))
            })
        };
        let patterns = flags.events.iter().map(pattern).collect::<Result<Vec<_>, _>>()?;
        let shown = bearer::shown(flags.of.server.url.as_deref(), &flags.of.server.bearer)?;
        let world = shown.one_world(flags.of.world.as_deref(), "listen to")?;
        let state = State {
            shown: shown.clone(),
            world: world.clone(),
            made: BTreeMap::new(),
            secret: flags.secret.clone(),
            received: 0,
            failed: 0,
            not_sent: 0,
        };
        let mut listener = Self {
            flags,
            webhooks,
            callbacks,
            patterns,
            shared: Arc::new(Shared(Mutex::new(state))),
            shown,
            world,
            cursor: BEGINNING.to_owned(),
            log: Json::Null,
            since: flags.since.map_or(i64::MIN, wanted::Since::moment),
            forwarded: Remembered::default(),
        };
        // What is there before the webhooks are made is past.
        let answer = listener.read("deliveries?limit=1").map_err(Missed::why)?;
        let next = answer["next"].as_str().ok_or("the server is of an earlier version, which cannot be listened to")?;
        listener.log = answer["log"].clone();
        if flags.since.is_none() {
            next.clone_into(&mut listener.cursor);
        }
        Ok(listener)
    }

    fn make_webhooks(&self) -> Result<(), Missed> {
        let events: Vec<_> = EVENT_TYPES.into_iter().filter(|kind| self.means(kind)).collect();
        self.shared.lock().make_webhooks(&events).map_err(|fault| match fault {
            Fault::Refused(why) => Missed::Refused(why),
            Fault::Unusable(why) => Missed::Away(why),
        })
    }

    /// Whether the flags name this type of events.
    fn means(&self, kind: &str) -> bool {
        self.patterns.is_empty() || self.patterns.iter().any(|pattern| pattern.matches(kind))
    }

    fn read(&self, rest: &str) -> Result<Json, Missed> {
        follow::read(&self.shown, &format!("/_sandbox/worlds/{}/{rest}", self.world))
    }

    /// Forwards what comes, for as long as the sandbox answers or comes back.
    fn forward_all(mut self) -> Result<Infallible, String> {
        self.make_webhooks().map_err(Missed::why)?;
        let world = if self.world == "current" { "the partner's world" } else { &self.world };
        let to = &self.webhooks.url;
        out::note(&format!("fundsim: what {world} delivers is forwarded to {to}; Ctrl-C ends\n"));
        follow::follow(&mut self)
    }

    /// Forwards one delivery, unless it is not meant or was forwarded before.
    fn take(&mut self, delivery: &Json) -> Result<(), Missed> {
        let text = |key: &str| delivery[key].as_str().unwrap_or_default();
        let is_ours = text("url") != LISTEN || self.shared.lock().made.values().any(|made| text("webhook") == made);
        let queued = Instant::parse(text("queued")).map_or(i64::MAX, Instant::ms);
        if !is_ours || !self.means(text("eventType")) || queued < self.since {
            return Ok(());
        }
        let is_fetched = text("url") == LISTEN;
        let last = delivery["attempts"].as_array().and_then(|attempts| attempts.last());
        let fault = last.and_then(|attempt| attempt["fault"].as_str()).filter(|_| is_fetched);
        let held = fault.filter(|fault| NOT_SENT.contains(fault));
        let message = match held {
            Some(_) => None,
            None => match self.read(&format!("deliveries/{}/message", text("id"))) {
                Ok(message) => Some(message),
                Err(Missed::Away(why)) => return Err(Missed::Away(why)),
                // It is gone meanwhile, or its webhook is.
                Err(Missed::Refused(why)) => {
                    if self.forwarded.put(delivery) {
                        self.show(delivery, &Outcome::Gone(why));
                    }
                    return Ok(());
                }
            },
        };
        if !self.forwarded.put(delivery) {
            return Ok(());
        }
        match (message, held) {
            (Some(message), _) => {
                let times = if fault == Some("duplicate") { 2 } else { 1 };
                (0..times).for_each(|_| self.forward(delivery, &message));
            }
            (None, held) => {
                self.shared.lock().not_sent += 1;
                self.show(delivery, &Outcome::Held(held.unwrap_or_default()));
            }
        }
        Ok(())
    }

    #[allow(
        clippy::disallowed_methods,
        reason = "how long the receiver takes is measured by the clock of this machine"
    )]
    fn forward(&self, delivery: &Json, message: &Json) {
        let to = if delivery["webhook"].is_null() { &self.callbacks } else { &self.webhooks };
        let mut headers = HeaderMap::new();
        for (name, value) in message["headers"].as_object().into_iter().flatten() {
            let name = name.parse::<HeaderName>().ok();
            let value = value.as_str().and_then(|value| value.parse::<HeaderValue>().ok());
            if let (Some(name), Some(value)) = (name, value) {
                headers.insert(name, value);
            }
        }
        let body = message["body"].as_str().unwrap_or_default().to_owned();
        let began = std::time::Instant::now();
        let answered = live::post(to, headers, body.into(), PATIENCE);
        let took = began.elapsed();
        let is_received = matches!(answered, Ok(200..=299));
        let mut state = self.shared.lock();
        if is_received {
            state.received += 1
        } else {
            state.failed += 1
        }
        drop(state);
        self.show(delivery, &Outcome::Answered(answered, took));
    }

    /// A delivery in a line.
    fn show(&self, delivery: &Json, outcome: &Outcome<'_>) {
        let kind = if delivery["webhook"].is_null() { "callback" } else { "webhook" };
        let at = Instant::from_ms(wanted::now()).to_string();
        let (status, error, took) = match outcome {
            Outcome::Answered(Ok(status), took) => (Some(*status), None, Some(took.as_millis())),
            Outcome::Answered(Err(why), took) => (None, Some(why.clone()), Some(took.as_millis())),
            Outcome::Held(fault) => (None, Some(format!("not forwarded: fault rule `{fault}`")), None),
            Outcome::Gone(why) => (None, Some(format!("not forwarded: {why}")), None),
        };
        if self.flags.of.server.json {
            let took = took.and_then(|took| u64::try_from(took).ok());
            let line = json!({
                "at": at, "kind": kind, "eventType": delivery["eventType"], "deliveryId": delivery["id"],
                "webhookId": delivery["webhookId"], "status": status, "error": error, "milliseconds": took,
            });
            return out::say(&format!("{line}\n"));
        }
        let word = status.map_or_else(|| "---".to_owned(), |status| status.to_string());
        let text = |key: &str| printable(delivery[key].as_str().unwrap_or_default());
        let took = took.map(|took| format!("  {took} ms")).unwrap_or_default();
        let error = error.map(|why| format!("  {}", printable(&why))).unwrap_or_default();
        out::say(&format!(
            "{at}  {kind:<8}  {:<24}  {}  {}{took}{error}\n",
            text("eventType"),
            text("id"),
            paint::by_status(&word, status),
        ));
    }
}

impl Follower for Listener<'_> {
    fn of(&self) -> (&Shown, &str) {
        (&self.shown, &self.world)
    }

    /// Makes the webhooks again that the sandbox no longer has, too.
    fn renew(&mut self) -> Result<(), String> {
        self.shown = bearer::shown(self.flags.of.server.url.as_deref(), &self.flags.of.server.bearer)?;
        self.shared.lock().shown = self.shown.clone();
        self.make_webhooks().map_err(Missed::why)
    }

    fn catch_up(&mut self) -> Result<(), Missed> {
        loop {
            let answer = self.read(&format!("deliveries?limit={MOST}&after={}", self.cursor))?;
            if answer["log"] != self.log {
                // The world was put back, or is another one: it delivers anew.
                self.log = answer["log"].clone();
                self.forwarded = Remembered::default();
                out::note("fundsim: the world begins its deliveries anew\n");
            } else if answer["isWhole"] == false && answer["forgotten"].as_u64() > Some(0) {
                out::note("fundsim: some deliveries may be missing here: the sandbox keeps no more of them\n");
            }
            let deliveries = answer["deliveries"].as_array().cloned().unwrap_or_default();
            for delivery in &deliveries {
                self.take(delivery)?;
            }
            if let Some(next) = answer["next"].as_str() {
                next.clone_into(&mut self.cursor);
            }
            if deliveries.len() < MOST {
                return Ok(());
            }
        }
    }
}

/// What became of a delivery.
enum Outcome<'o> {
    /// The receiver has answered, or has not, after so long.
    Answered(Result<u16, String>, Duration),
    /// A fault rule of the sandbox sends nothing.
    Held(&'o str),
    /// The sandbox no longer has it.
    Gone(String),
}
