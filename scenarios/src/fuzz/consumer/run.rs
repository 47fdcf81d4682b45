//! One run around a consumer: steps over a simulated network, a consumer beside them, and the judgement at the end.
//!
//! Invariant: the judge reads the service by itself, when the weather has cleared, and once more after a few changes that
//! only events can have told of. Absent on purpose: what is drawn (`step`), and how the consumer reads (`service`).

use super::service::{Reached, Told};
use super::step::{ConsumerStep, ENDINGS, FUNDS, Span, VERDICTS, Weather};
use crate::ast::{Act, Actor, Network, Scenario, Server, StoryStep};
use crate::check::Violation;
use crate::consumer::copy::{Copy, Kind, kept};
use crate::consumer::follow::{Pace, Post, by_sockets, by_webhooks};
use crate::diagnostic::Source;
use crate::drivers::receiver::Receiver;
use crate::drivers::turmoil::Line;
use crate::fuzz::batch::on_a_fresh_thread;
use crate::fuzz::coverage::Coverage;
use crate::fuzz::run::Outcome;
use crate::parse::{NoFiles, parse};
use crate::runner::remote::{Heard, Remote};
use sandbox::hosting::deliveries::signature::SigningKey;
use sandbox::hosting::faults::bundles::BUNDLES;
use serde_json::Value as Json;
use sim::digest::digest_of;
use sim::time::{Instant, Millis};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::rc::Rc;
use std::time::Duration;

/// The law that is held here: the copy equals the state.
pub const LAW: u8 = 57;

/// One run in so many follows webhooks instead of sockets.
const WEBHOOKS_EVERY: u64 = 2;

/// The partner's client, who acts throughout.
const ACTOR: Actor = Actor::Client { partner: 1, client: 1 };

/// The settings of a run: an hour of twelve seconds, and what follows from that.
const WORLD: &str = "settings: { heartbeatSeconds: 1, socketCapSeconds: 12, tokenLifeSeconds: 86400, deliveryWaitsSeconds: [1, 1, 1, 1] }";

const PACE: Pace = Pace {
    renew: Duration::from_secs(9),
    silence: Duration::from_millis(2_500),
    retry: Duration::from_millis(400),
    reconcile: Duration::from_secs(20),
};

/// How long the consumer has after the weather has cleared: a silent socket is found out, and another opened.
const RECOVERY: Duration = Duration::from_secs(5);

/// How long it has after a change in calm weather.
const CALM: Duration = Duration::from_millis(1_500);

/// Steps as the story writes them, each as the lines of its own; none where it speaks of what was never made.
fn lines(steps: &[ConsumerStep], by_webhooks: bool) -> Vec<Vec<String>> {
    let (mut accounts, mut orders, mut journeys) = (0_usize, 0_usize, 0_usize);
    let pick = |number: u8, made: usize| (made > 0).then(|| usize::from(number) % made.max(1));
    let mut written = Vec::new();
    for step in steps {
        let mut order = |account: usize, fund: u8| {
            orders += 1;
            let fund = FUNDS[usize::from(fund) % FUNDS.len()];
            format!(
                "subscribe: {{ as: order{}, account: account{account}, instrument: {fund}, amount: 100 }}",
                orders - 1
            )
        };
        let some = match *step {
            ConsumerStep::OpenAccount => {
                accounts += 1;
                let (number, fund) = (accounts - 1, FUNDS[0]);
                Some(vec![format!(
                    "open account: {{ as: account{number}, cash: 100000, positions: {{ {fund}: 100 }}, bank account: SE8150000000050000000019 }}"
                )])
            }
            ConsumerStep::Subscribe(account, fund) => pick(account, accounts).map(|account| vec![order(account, fund)]),
            ConsumerStep::AtOnce(account, count) => pick(account, accounts).map(|first| {
                (0..usize::from(count))
                    .map(|at| order((first + at) % accounts, u8::try_from(at).unwrap_or(0)))
                    .collect()
            }),
            ConsumerStep::Redeem(account, _) => pick(account, accounts).map(|account| {
                orders += 1;
                vec![format!(
                    "redeem: {{ as: order{}, account: account{account}, instrument: {}, units: 2 }}",
                    orders - 1,
                    FUNDS[0]
                )]
            }),
            ConsumerStep::Cancel(number) => pick(number, orders).map(|order| vec![format!("cancel: order{order}")]),
            ConsumerStep::Withdraw(number) => pick(number, accounts)
                .map(|account| vec![format!("withdraw: {{ account: account{account}, amount: 50 }}")]),
            ConsumerStep::StartJourney(number) => pick(number, accounts).map(|account| {
                journeys += 1;
                vec![format!(
                    "start journey: {{ as: journey{}, type: kycRenewal, account: account{account} }}",
                    journeys - 1
                )]
            }),
            ConsumerStep::CompleteJourney(number) => {
                pick(number, journeys).map(|journey| vec![format!("complete journey: journey{journey}")])
            }
            ConsumerStep::CancelJourney(number) => {
                pick(number, journeys).map(|journey| vec![format!("cancel journey: journey{journey}")])
            }
            ConsumerStep::SetPrice(fund, more) => Some(vec![format!(
                "set price: {{ instrument: {}, closePrice: {} }}",
                FUNDS[usize::from(fund) % FUNDS.len()],
                100 + u32::from(more)
            )]),
            ConsumerStep::Advance(span) => Some(vec![match span {
                Span::Seconds => "advance: 6 seconds".to_owned(),
                Span::Hours => "advance: 3 hours".to_owned(),
                Span::BankDay => "advance: 1 bank day".to_owned(),
            }]),
            ConsumerStep::Wait(ms) => Some(vec![format!("wait: {} seconds", u32::from(ms).div_ceil(1_000).max(2))]),
            ConsumerStep::Weather(Weather::Cut) => Some(vec!["network: cut".to_owned()]),
            ConsumerStep::Weather(Weather::Held) => Some(vec!["network: held".to_owned()]),
            ConsumerStep::Weather(Weather::Clear) => {
                Some(vec!["network: repaired".to_owned(), "network: released".to_owned()])
            }
            ConsumerStep::Crash => Some(vec!["server: crashes".to_owned()]),
            ConsumerStep::Restart => Some(vec!["server: restarts".to_owned()]),
            ConsumerStep::Bundle(number) => {
                let bundle = BUNDLES[usize::from(number) % BUNDLES.len()];
                Some(vec![format!("add fault bundle: {}", bundle.name)])
            }
            ConsumerStep::Fault(verdict, tenths) => {
                let verdict = VERDICTS[usize::from(verdict) % VERDICTS.len()];
                let event = if verdict.contains("sockets") { "event: '*', " } else { "" };
                Some(vec![format!(
                    "add fault: {{ match: {{ {event}probability: 0.{tenths}, times: 10 }}, verdict: {verdict} }}"
                )])
            }
            ConsumerStep::ClearFaults => Some(vec!["remove faults".to_owned()]),
            ConsumerStep::EndSockets(how) => {
                Some(vec![format!("close sockets: {{ how: {} }}", ENDINGS[usize::from(how) % ENDINGS.len()])])
            }
            ConsumerStep::RotateSecret => {
                by_webhooks.then(|| vec!["rotate webhook secret: { webhook: hook, overlapSeconds: 0 }".to_owned()])
            }
            ConsumerStep::Replay => by_webhooks
                .then(|| vec!["replay webhook: { webhook: hook, since: '2026-03-02T08:00:00+01:00' }".to_owned()]),
        };
        written.push(some.unwrap_or_default());
    }
    written
}

/// Changes that only events can tell of: they come when all is well.
const QUIET: [&str; 3] = [
    "open account: { as: last, cash: 1000 }",
    "subscribe: { as: lastOrder, account: last, instrument: SE0SBX000016SEK, amount: 100 }",
    "advance: 6 seconds",
];

fn text(seed: u64, title: &str, by_webhooks: bool, steps: impl Iterator<Item = String>) -> String {
    let mut text = format!(
        "fundsim: 1\nscenario: {title:?}\nworld:\n  seed: {seed}\n  start: 2026-03-02T08:00:00+01:00\n  {WORLD}\n"
    );
    if by_webhooks {
        text.push_str("given:\n  - register webhook: { as: hook }\n");
    }
    text.push_str("steps:\n  - open account: { as: first }\n");
    for step in steps {
        // A string takes everything.
        writeln!(text, "  - {step}").unwrap_or_default();
    }
    text
}

/// The run as a story, without its judgement.
pub(super) fn story(seed: u64, steps: &[ConsumerStep], title: &str) -> Scenario {
    let by_webhooks = is_by_webhooks(seed);
    let all = lines(steps, by_webhooks).into_iter().flatten();
    read(&text(seed, title, by_webhooks, all)).unwrap_or_default()
}

fn read(text: &str) -> Option<Scenario> {
    parse(&Source::new("a run", text), &NoFiles).ok()
}

const fn is_by_webhooks(seed: u64) -> bool {
    seed % WEBHOOKS_EVERY == 1
}

/// A secret, and when another took its place.
type Secret = (SigningKey, Option<tokio::time::Instant>);

/// How long a post may be on its way: what has signed it was good when it was sent.
const ON_ITS_WAY: Duration = Duration::from_secs(3);

/// The secrets that may have signed what comes now.
fn good(secrets: &[Secret]) -> Vec<SigningKey> {
    let is_good = |secret: &&Secret| secret.1.is_none_or(|replaced| replaced.elapsed() < ON_ITS_WAY);
    secrets.iter().filter(is_good).map(|(key, _)| key.clone()).collect()
}

/// A run under way.
struct Run {
    remote: Remote,
    copy: Rc<RefCell<Copy>>,
    told: Rc<RefCell<Told>>,
    /// The webhook's secrets, the present one first, each with the moment at which another took its place.
    secrets: Rc<RefCell<Vec<Secret>>>,
    forged: Rc<Cell<u64>>,
    journeys: Vec<String>,
    coverage: Coverage,
    is_down: bool,
    /// Whether a rule may spoil signatures.
    may_forge: bool,
    simulated: Duration,
}

/// Makes a run and judges it.
///
/// # Errors
/// When the system gives no thread, or the simulation itself fails.
pub(super) fn run(seed: u64, steps: &[ConsumerStep]) -> io::Result<Outcome> {
    let steps = steps.to_vec();
    match on_a_fresh_thread(move || simulated(seed, &steps))? {
        Ok(outcome) => outcome.map_err(io::Error::other),
        Err(error) => Err(error),
    }
}

fn simulated(seed: u64, steps: &[ConsumerStep]) -> io::Result<Result<Outcome, String>> {
    let by_webhooks = is_by_webhooks(seed);
    let lines = lines(steps, by_webhooks);
    let counts: Vec<usize> = lines.iter().map(Vec::len).collect();
    let all = lines.into_iter().flatten().chain(QUIET.map(str::to_owned));
    let text = text(seed, "Around a consumer", by_webhooks, all);
    let scenario = parse(&Source::new("a run", text.as_str()), &NoFiles).map_err(|faults| {
        io::Error::other(faults.iter().map(|fault| fault.message.clone()).collect::<Vec<_>>().join("; "))
    })?;
    let (steps, count) = (steps.to_vec(), steps.len() as u64);
    let mut rest = scenario.steps.clone().into_iter();
    let first: Vec<StoryStep> = rest.by_ref().take(1).collect();
    let groups: Vec<Vec<StoryStep>> = counts.iter().map(|count| rest.by_ref().take(*count).collect()).collect();
    let quiet: Vec<StoryStep> = rest.collect();
    let given = scenario.given.clone();
    let stage = Scenario { given: Vec::new(), steps: Vec::new(), ..scenario };
    Remote::run(stage, seed, move |remote| async move {
        let mut run = Run::new(remote);
        for step in given.iter().chain(&first) {
            run.ask(step).await;
        }
        let consumer = run.start_consumer(seed, by_webhooks);
        for (step, group) in steps.iter().zip(&groups) {
            run.step(*step, group).await;
        }
        run.heal().await;
        let mut violation = run.judge("when the weather has cleared").await;
        if violation.is_none() {
            for step in &quiet {
                run.ask_or_play(step).await;
            }
            run.calm_down(CALM).await;
            violation = run.judge("after changes in calm weather").await;
        }
        consumer.abort();
        run.end(count, violation).await
    })
}

impl Run {
    fn new(remote: Remote) -> Self {
        Self {
            remote,
            copy: Rc::default(),
            told: Rc::default(),
            secrets: Rc::default(),
            forged: Rc::default(),
            journeys: Vec::new(),
            coverage: Coverage::default(),
            is_down: false,
            may_forge: false,
            simulated: Duration::ZERO,
        }
    }

    /// Starts the consumer beside the steps.
    fn start_consumer(&self, seed: u64, webhooks: bool) -> tokio::task::JoinHandle<()> {
        let (form, client) = self.remote.credentials();
        let mut service = Reached::new(Line::default(), client, form, Rc::clone(&self.told), seed);
        let copy = Rc::clone(&self.copy);
        if !webhooks {
            return tokio::task::spawn_local(async move { match by_sockets(&copy, &mut service, PACE).await {} });
        }
        let (receiver, secrets, forged) = (self.remote.receiver(), Rc::clone(&self.secrets), Rc::clone(&self.forged));
        let told = Rc::clone(&self.told);
        let mut inbox = Inbox::new(receiver, seed);
        tokio::task::spawn_local(async move {
            let posts = async || {
                loop {
                    let good = good(&secrets.borrow());
                    let (good, bad): (Vec<_>, Vec<_>) =
                        inbox.take().into_iter().partition(|post| post.is_signed(&good));
                    forged.set(forged.get() + bad.len() as u64);
                    good.iter().for_each(|post| told.borrow_mut().note_post(post));
                    if !good.is_empty() {
                        return good;
                    }
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            };
            match by_webhooks(&copy, &mut service, PACE, posts).await {}
        })
    }

    async fn ask(&mut self, step: &StoryStep) -> Option<Json> {
        let Heard::Answer(200..=299, body) = self.remote.ask(step).await else { return None };
        // What is not kept is not there for later steps, which then do nothing.
        self.remote.remember(step, &body).ok();
        if let Some(secret) = body.get("secret").and_then(Json::as_str)
            && let Ok(key) = SigningKey::parse(secret)
        {
            let now = tokio::time::Instant::now();
            let mut secrets = self.secrets.borrow_mut();
            for (_, replaced) in secrets.iter_mut() {
                replaced.get_or_insert(now);
            }
            secrets.insert(0, (key, None));
        }
        Some(body)
    }

    async fn ask_or_play(&mut self, step: &StoryStep) {
        match step.act {
            Act::Request(_) | Act::Call(_) => drop(self.ask(step).await),
            // What cannot be done now, such as a move of the clock of a server that is down, is left out.
            _ => drop(self.remote.play(step).await),
        }
    }

    async fn step(&mut self, step: ConsumerStep, group: &[StoryStep]) {
        let met = match step {
            ConsumerStep::Weather(Weather::Cut) => Some("cuts"),
            ConsumerStep::Weather(Weather::Held) => Some("holds"),
            ConsumerStep::Crash => Some("crashes"),
            ConsumerStep::Bundle(_) => Some("fault bundles"),
            ConsumerStep::EndSockets(_) => Some("sockets ended"),
            ConsumerStep::RotateSecret if !group.is_empty() => Some("secrets rotated"),
            ConsumerStep::Replay if !group.is_empty() => Some("webhooks replayed"),
            ConsumerStep::AtOnce(..) if group.len() > 1 => Some("requests sent at once"),
            _ => None,
        };
        met.into_iter().for_each(|met| self.coverage.note_network(met));
        match step {
            ConsumerStep::Wait(ms) => self.pass(Duration::from_millis(u64::from(ms))).await,
            ConsumerStep::AtOnce(..) if group.len() > 1 => {
                let at_once: Vec<(u8, StoryStep)> =
                    group.iter().zip(0..).map(|(step, ticks)| (ticks, step.clone())).collect();
                for (heard, (_, step)) in self.remote.ask_at_once(&at_once).await.into_iter().zip(&at_once) {
                    if let Heard::Answer(200..=299, body) = heard {
                        self.remote.remember(step, &body).ok();
                    }
                }
            }
            ConsumerStep::Crash if self.is_down => {}
            ConsumerStep::Crash | ConsumerStep::Restart => {
                let server = if step == ConsumerStep::Crash { Server::Crashes } else { Server::Restarts };
                if self.is_down || step == ConsumerStep::Crash {
                    self.is_down = server == Server::Crashes;
                    // A crash of what is there, or a restart of what is not: nothing speaks against either.
                    self.remote.server(server).await.ok();
                }
            }
            ConsumerStep::StartJourney(_) => {
                for step in group {
                    let made = self.ask(step).await;
                    if let Some(id) = made.as_ref().and_then(|made| made.get("id")).and_then(Json::as_str) {
                        self.journeys.push(id.to_owned());
                        self.copy.borrow_mut().follow_journey(id);
                    }
                }
            }
            ConsumerStep::Bundle(number) => {
                self.may_forge |= BUNDLES[usize::from(number) % BUNDLES.len()].name == "a bad day";
                for step in group {
                    self.ask(step).await;
                }
            }
            _ => {
                for step in group {
                    self.ask_or_play(step).await;
                }
            }
        }
    }

    async fn pass(&mut self, span: Duration) {
        self.simulated += span;
        tokio::time::sleep(span).await;
    }

    /// The weather clears, the server is there, no rule stands; the consumer has a while.
    async fn heal(&mut self) {
        if std::mem::take(&mut self.is_down) {
            self.remote.server(Server::Restarts).await.ok();
        }
        for network in [Network::Repaired, Network::Released] {
            self.remote.weather(network).await.ok();
        }
        if let Some(story) = read(&text(0, "clear", false, ["remove faults".to_owned()].into_iter())) {
            for step in story.steps.iter().skip(1) {
                self.ask(step).await;
            }
        }
        self.calm_down(RECOVERY).await;
        if !self.secrets.borrow().is_empty() {
            // Where only webhooks tell of changes, the next reconciliation is what finds those that were lost.
            self.copy.borrow_mut().reconcile();
            self.pass(PACE.reconcile.min(CALM * 2)).await;
        }
    }

    /// Waits until what is queued has been delivered, and then for as long as `span`.
    async fn calm_down(&mut self, span: Duration) {
        if !self.secrets.borrow().is_empty() {
            self.remote.deliver_all(ACTOR).await;
        }
        self.pass(span).await;
    }

    /// Holds the copy against what the service says.
    async fn judge(&mut self, when: &str) -> Option<Violation> {
        let violation = |what: String| Some(Violation { invariant: LAW, at: Instant::MIN, what, claim: None });
        let mut truth: BTreeMap<(Kind, String), Json> = BTreeMap::new();
        for kind in Kind::ALL.into_iter().filter(|kind| kind.is_listed()) {
            let Some(Json::Array(rows)) = self.read(kind.path()).await else {
                return violation(format!("{} cannot be read {when}", kind.path()));
            };
            for row in rows {
                let id = row.get("id").and_then(Json::as_str).unwrap_or_default().to_owned();
                truth.insert((kind, id), kept(row));
            }
        }
        // One whose making was not answered may have been told of all the same.
        let told_of =
            self.copy.borrow().held().keys().filter(|(kind, _)| *kind == Kind::Journey).cloned().collect::<Vec<_>>();
        let made = self.journeys.iter().cloned().chain(told_of.into_iter().map(|(_, id)| id));
        for id in made.collect::<std::collections::BTreeSet<_>>() {
            let Some(row) = self.read(&format!("journey/{id}")).await else {
                return violation(format!("journey {id} cannot be read {when}"));
            };
            truth.insert((Kind::Journey, id), kept(row));
        }
        let copy = self.copy.borrow();
        let keys: std::collections::BTreeSet<_> = truth.keys().chain(copy.held().keys()).collect();
        for key in keys {
            let (service, held) = (truth.get(key), copy.held().get(key));
            if service != held {
                let show = |row: Option<&Json>| row.map_or("nothing".to_owned(), Json::to_string);
                let (noun, id) = (key.0.noun(), &key.1);
                return violation(format!(
                    "{when}, of {noun} {id} the copy holds {} and the service {}",
                    show(held),
                    show(service)
                ));
            }
        }
        if let Some(renamed) = &self.told.borrow().renamed {
            return violation(format!("an event has two ids: {renamed}"));
        }
        if self.forged.get() > 0 && !self.may_forge {
            return violation(format!("{} posts are signed by none of the secrets that are good", self.forged.get()));
        }
        None
    }

    async fn read(&mut self, path: &str) -> Option<Json> {
        let step = read(&text(0, "read", false, [format!("call: GET /{path}")].into_iter()))?.steps.pop()?;
        // The connection may be one that a crash has left behind.
        for _ in 0..3 {
            if let Heard::Answer(200, body) = self.remote.ask(&step).await {
                return Some(body);
            }
        }
        None
    }

    async fn end(mut self, steps: u64, violation: Option<Violation>) -> Outcome {
        let told = self.told.borrow().clone();
        for (what, count) in [
            ("events told", told.events),
            ("events told again", told.again),
            ("records read", told.reads),
            ("posts forged", self.forged.get()),
        ] {
            (0..count).for_each(|_| self.coverage.note_network(what));
        }
        let held: Vec<String> = self.copy.borrow().held().values().map(Json::to_string).collect();
        let said = self.remote.finish().await;
        Outcome {
            digest: digest_of(&(said.digest, held, told.events, told.again)),
            steps,
            simulated: Millis(i64::try_from(self.simulated.as_millis()).unwrap_or(i64::MAX)),
            coverage: self.coverage,
            used: usize::try_from(steps).unwrap_or(usize::MAX),
            violations: violation.into_iter().collect(),
        }
    }
}

/// The posts that the partner's own server has got and the consumer has not.
struct Inbox {
    receiver: Receiver,
    next: usize,
    #[cfg(feature = "canaries")]
    planted: Option<super::planted::Planted>,
}

impl Inbox {
    #[cfg(not(feature = "canaries"))]
    const fn new(receiver: Receiver, _seed: u64) -> Self {
        Self { receiver, next: 0 }
    }

    #[cfg(feature = "canaries")]
    fn new(receiver: Receiver, seed: u64) -> Self {
        Self { receiver, next: 0, planted: super::planted::of(seed) }
    }

    fn take(&mut self) -> Vec<Post> {
        let (forgotten, posts) = self.receiver.posts();
        let fresh = posts.into_iter().skip(self.next - forgotten.min(self.next));
        let fresh: Vec<Post> =
            fresh.map(post).filter(|post| post.event_type != sandbox::hosting::deliveries::CALLBACK).collect();
        #[cfg(feature = "canaries")]
        let fresh = match self.planted {
            Some(planted) => planted.spoil_posts(self.next, fresh),
            None => fresh,
        };
        self.next = self.receiver.count();
        fresh
    }
}

fn post(post: crate::drivers::receiver::Post) -> Post {
    let text = |name: &str| post.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    Post {
        id: text("webhook-id"),
        timestamp: text("webhook-timestamp").parse().unwrap_or_default(),
        signatures: text("webhook-signature"),
        event_type: text("event-type"),
        body: post.body.to_vec(),
    }
}
