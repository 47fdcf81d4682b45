//! Three instances over a log that fails by a seed, and clients that send to them in turn: what they may see and what they may not.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{Method, Request, StatusCode};
use axum::routing::{get, post};
use http_body_util::BodyExt as _;
use sim::command::{OpenAccount, Scope};
use sim::records::{AccountType, Category, ServiceType};
use sim::{Command, Reply};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::life::{Host, Life};
use crate::memory::{MemoryLog, Odds};
use crate::planted::Planted;
use crate::{Instance, SharedLog};
use deliveries::connector::{Connector, Pending, Stream};
use deliveries::trust::Trust;
use feed::signal::Signal;
use feed::transport::TransportClock;
use hosting::clock::Mode;
use hosting::secrets::{Secret, ServerKey};
use hosting::testing::{LevelFilter, new_world, telemetry};
use hosting::worlds::Worlds;
use rare::Tally;
use surface::server::Front as _;
use surface::server::memory::{Dialer, memory};
use surface::{App, Routes, Surface, SurfaceConfig};
use wire::error::ApiError;

/// How many instances there are.
const INSTANCES: usize = 3;
/// How long a client waits for an answer.
const CLIENT_PATIENCE: Duration = Duration::from_secs(8);

/// Who listens where.
#[derive(Clone, Default)]
struct Wires(Arc<Mutex<BTreeMap<u16, Dialer>>>);

impl Connector for Wires {
    fn resolve<'a>(&'a self, _: &'a str, port: u16) -> Pending<'a, Vec<SocketAddr>> {
        Box::pin(async move { Ok(vec![SocketAddr::from(([10, 0, 0, 1], port))]) })
    }

    fn dial(&self, address: SocketAddr) -> Pending<'_, Stream> {
        Box::pin(async move {
            let dialer = self.0.lock().expect("no panics").get(&address.port()).cloned();
            dialer.ok_or(io::Error::from(io::ErrorKind::ConnectionRefused))?.dial().map(Stream::new)
        })
    }
}

struct Small {
    clock: TransportClock,
}

impl Host for Small {
    fn worlds(&self, life: u32) -> Worlds {
        Worlds::continuing(ServerKey::fixed(&[7; 32]), self.clock.clone(), life)
    }

    fn first_world<'a>(&'a self, worlds: &'a Worlds) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>> {
        Box::pin(async move { worlds.make(new_world(Mode::Frozen)).await.map(drop).map_err(|error| error.description) })
    }

    fn surface(&self, worlds: Worlds) -> Surface {
        surface(worlds)
    }
}

/// Two routes: one that opens an account, and one that lists all.
fn surface(worlds: Worlds) -> Surface {
    let routes = Router::new().route("/open", post(open)).route("/accounts", get(accounts));
    Surface::new(App::new(worlds, SurfaceConfig::default()), Routes::new([], routes))
}

async fn open(State(app): State<App>) -> Result<String, ApiError> {
    let world = app.worlds.default_world()?;
    let scope = world.read(|world| {
        let client = sim::query::clients(world).next().expect("a client");
        Scope { partner: client.partner, client: client.id }
    })?;
    let open = OpenAccount {
        scope,
        account_type: AccountType::Isk,
        owner: None,
        name: None,
        service_type: ServiceType::ExecutionOnly,
        category: Category::Retail,
        cash: Default::default(),
        positions: Vec::new(),
        bank_accounts: Vec::new(),
        fund_knowledge: false,
    };
    world
        .submit(Command::OpenAccount(open), |_, reply| match reply {
            Reply::Account(account) => account.id.to_string(),
            other => panic!("not an account: {other:?}"),
        })
        .await
}

async fn accounts(State(app): State<App>) -> Result<String, ApiError> {
    app.worlds.default_world()?.read(|world| listed(world).into_iter().collect::<Vec<_>>().join(" "))
}

fn listed(world: &sim::World) -> BTreeSet<String> {
    sim::query::every_account(world).map(|account| account.id.to_string()).collect()
}

/// An instance that runs.
struct Running {
    instance: Instance,
    stop: Signal,
    handed_over: Signal,
    link: MemoryLog,
    tasks: [JoinHandle<()>; 2],
}

struct Sea {
    log: MemoryLog,
    wires: Wires,
    clock: TransportClock,
    instances: Vec<Running>,
    draws: u64,
    odds: Odds,
    /// What clients were answered as done.
    answered: BTreeSet<String>,
    /// What broke a law.
    broken: Vec<String>,
}

impl Sea {
    fn new(seed: u64, odds: Odds) -> Self {
        let clock = TransportClock::starting_at(Duration::from_secs(1_000));
        let mut sea = Self {
            log: MemoryLog::default(),
            wires: Wires::default(),
            clock,
            instances: Vec::new(),
            draws: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
            odds,
            answered: BTreeSet::new(),
            broken: Vec::new(),
        };
        for at in 0..INSTANCES {
            let running = sea.start(at);
            sea.instances.push(running);
        }
        sea
    }

    fn draw(&mut self, below: u64) -> u64 {
        self.draws ^= self.draws << 13;
        self.draws ^= self.draws >> 7;
        self.draws ^= self.draws << 17;
        (self.draws >> 11) % below
    }

    fn some(&mut self) -> usize {
        usize::try_from(self.draw(INSTANCES as u64)).expect("a few")
    }

    fn start(&mut self, at: usize) -> Running {
        let port = 1 + u16::try_from(at).expect("a few");
        let link = self.log.connection(self.draws, self.odds);
        let bare = surface(Worlds::new(ServerKey::fixed(&[7; 32]), self.clock.clone()));
        let instance = Instance::new(bare, Secret::new("passphrase"), &Trust::default(), Arc::new(self.wires.clone()));
        let (stop, handed_over) = (Signal::default(), Signal::default());
        let life = Life {
            instance: instance.clone(),
            host: Arc::new(Small { clock: self.clock.clone() }),
            log: Arc::new(link.clone()),
            url: format!("http://instance:{port}"),
            clocks_stand: false,
            worlds: Arc::default(),
            stop: stop.clone(),
            wall: || Duration::ZERO,
            handed_over: handed_over.clone(),
        };
        let (dialer, listener) = memory();
        self.wires.0.lock().expect("no panics").insert(port, dialer);
        let served = instance.clone();
        let serving = tokio::spawn(surface::serve_by(listener, None, served, std::future::pending()));
        let living = tokio::spawn(async move { life.live().await.expect("a life") });
        Running { instance, stop, handed_over, link, tasks: [serving, living] }
    }

    /// The process is gone; what runs on of it reaches nobody.
    fn crash(&mut self, at: usize) {
        let port = 1 + u16::try_from(at).expect("a few");
        self.wires.0.lock().expect("no panics").remove(&port);
        let crashed = &self.instances[at];
        crashed.link.cut(true);
        crashed.tasks.iter().for_each(JoinHandle::abort);
        self.instances[at] = self.start(at);
    }

    async fn stop(&mut self, at: usize) {
        self.instances[at].stop.raise();
        drop(tokio::time::timeout(Duration::from_secs(20), self.instances[at].handed_over.raised()).await);
        self.crash(at);
    }

    async fn ask(&self, at: usize, method: Method, path: &str) -> Option<(StatusCode, String)> {
        let request = Request::builder().method(method).uri(path).header("host", "localhost");
        let request = request.body(Body::empty()).expect("a request");
        let answering = self.instances[at].instance.answer(request, None);
        let answered = tokio::time::timeout(CLIENT_PATIENCE, answering).await.ok()?.ok()?;
        let status = answered.status();
        let bytes = answered.into_body().collect().await.ok()?.to_bytes();
        Some((status, String::from_utf8_lossy(&bytes).into_owned()))
    }

    async fn opens(&mut self, at: usize) {
        if let Some((StatusCode::OK, id)) = self.ask(at, Method::POST, "/open").await {
            self.answered.insert(id);
        }
    }

    async fn looks(&mut self, at: usize) {
        if let Some((StatusCode::OK, seen)) = self.ask(at, Method::GET, "/accounts").await {
            let seen: BTreeSet<&str> = seen.split(' ').collect();
            let missing: Vec<_> = self.answered.iter().filter(|id| !seen.contains(id.as_str())).collect();
            if !missing.is_empty() {
                self.broken.push(format!("instance {at} does not show {missing:?}, which were answered before"));
            }
        }
    }

    async fn act(&mut self) {
        let at = self.some();
        let act = match self.draw(100) {
            0..=39 => {
                self.opens(at).await;
                "open"
            }
            40..=79 => {
                self.looks(at).await;
                "look"
            }
            80..=85 => {
                self.instances[at].link.cut(true);
                "cut"
            }
            86..=91 => {
                self.instances.iter().for_each(|running| running.link.cut(false));
                "mend"
            }
            92..=95 => {
                self.crash(at);
                "crash"
            }
            96..=97 => {
                self.instances[at].link.cut(false);
                self.stop(at).await;
                "stop"
            }
            _ => "wait",
        };
        let span = self.draw(if act == "wait" { 5_000 } else { 400 });
        sleep(Duration::from_millis(span)).await;
    }

    /// Everything is well again.
    async fn heals(&mut self) {
        for running in &self.instances {
            running.link.cut(false);
        }
        self.odds = Odds::default();
        for at in 0..INSTANCES {
            self.crash(at);
        }
        sleep(Duration::from_secs(10)).await;
    }

    async fn seen_by_all(&mut self) -> Vec<BTreeSet<String>> {
        let mut all = Vec::new();
        for at in 0..INSTANCES {
            match self.ask(at, Method::GET, "/accounts").await {
                Some((StatusCode::OK, seen)) => all.push(seen.split(' ').map(str::to_owned).collect()),
                other => self.broken.push(format!("instance {at} answers {other:?} when all is well")),
            }
        }
        all
    }

    async fn end(&mut self) {
        self.heals().await;
        for at in 0..INSTANCES {
            self.opens(at).await;
            self.looks(at).await;
        }
        let seen = self.seen_by_all().await;
        if seen.windows(2).any(|pair| pair[0] != pair[1]) {
            self.broken.push("instances show different worlds when all is well".to_owned());
        }
        // A reader of the log finds the same.
        let worlds = Small { clock: self.clock.clone() }.worlds(99);
        let mut recovery = worlds.recover(BTreeSet::new());
        match self.log.records() {
            Ok(records) => records.iter().for_each(|record| recovery.redo(record).expect("an entry")),
            Err(why) => self.broken.push(format!("the log cannot be read: {why}")),
        }
        let kept = worlds.default_world().and_then(|world| world.read(listed)).unwrap_or_default();
        if seen.first() != Some(&kept) {
            self.broken.push("the log makes another world than is shown".to_owned());
        }
    }
}

/// One thread, and a time that passes when nobody works.
fn simulated() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime")
}

/// What breaks a law in the run of `seed`, which draws its rare points, too.
fn run(seed: u64, steps: usize, fault: Option<Planted>) -> Vec<String> {
    run_with_points(seed, steps, fault).0
}

/// As `run`, with the points that happened.
fn run_with_points(seed: u64, steps: usize, fault: Option<Planted>) -> (Vec<String>, Tally) {
    let _points = rare::begin(seed);
    let odds = Odds { lost_calls: 30, lost_answers: 60, late_calls: 20, slow_calls: 60 };
    let broken = Planted::during(fault, || {
        simulated().block_on(async {
            let mut sea = Sea::new(seed, if seed.is_multiple_of(4) { Odds::default() } else { odds });
            sleep(Duration::from_secs(5)).await;
            for _ in 0..steps {
                sea.act().await;
            }
            sea.end().await;
            sea.broken
        })
    });
    (broken, rare::tally())
}

const SEEDS: u64 = 16;

/// (rule: wire/several-instances)
#[test]
fn nothing_answered_is_lost_or_unseen_while_instances_crash_and_the_log_fails() {
    let mut met = Tally::new();
    for seed in 0..SEEDS {
        let (broken, points) = run_with_points(seed, 60, None);
        assert!(broken.is_empty(), "seed {seed}: {broken:#?}");
        met.add(&points);
    }
    // Entries of these runs never wait together: the appender's own test has some that do.
    let never = met.never_happened(&["instances"]).into_iter().filter(|(name, _)| *name != "entry-by-itself");
    assert_eq!(never.collect::<Vec<_>>(), [], "points that no seed has taken");
}

#[test]
fn the_same_seed_is_the_same_run() {
    let acts = |seed| {
        let _points = rare::begin(seed);
        simulated().block_on(async {
            let mut sea = Sea::new(seed, Odds { lost_answers: 100, ..Odds::default() });
            for _ in 0..40 {
                sea.act().await;
            }
            (sea.log.records(), sea.answered)
        })
    };
    assert_eq!(acts(5), acts(5));
}

#[test]
fn each_planted_fault_is_found() {
    for fault in [Planted::AnswersFirst, Planted::Guesses, Planted::LeadsForEver, Planted::TakesAll] {
        let found = (0..10 * SEEDS).find(|seed| !run(*seed, 60, Some(fault)).is_empty());
        assert!(found.is_some(), "{fault:?} breaks no law");
    }
}

/// A log loses what it had, and more comes in its place; what breaks a law then.
async fn after_a_loss() -> Vec<String> {
    let mut sea = Sea::new(3, Odds::default());
    sleep(Duration::from_secs(2)).await;
    for at in 0..INSTANCES {
        sea.opens(at).await;
    }
    // All know it; the leader's last batch is gone, and others come in its place.
    sleep(Duration::from_secs(1)).await;
    sea.log.lose(1);
    sleep(Duration::from_secs(1)).await;
    sea.answered.clear();
    for at in 0..INSTANCES {
        sea.opens(at).await;
    }
    sleep(Duration::from_secs(6)).await;
    for at in 0..INSTANCES {
        sea.opens(at).await;
        sea.looks(at).await;
    }
    // Others lead, which have followed all the time.
    for at in 0..INSTANCES {
        sea.crash(at);
        sleep(Duration::from_secs(8)).await;
        sea.looks(at).await;
    }
    sea.end().await;
    sea.broken
}

/// (rule: wire/several-instances)
#[test]
fn a_log_that_has_lost_what_it_had_is_noticed_by_each_instance() {
    let logged = telemetry(LevelFilter::ERROR);
    assert_eq!(simulated().block_on(after_a_loss()), Vec::<String>::new());
    let noticed = logged.lines().iter().filter(|line| line.contains("the worlds are made again")).count();
    assert_eq!(noticed, INSTANCES, "{:#?}", logged.lines());
}

#[test]
fn a_log_is_known_by_what_it_has_and_by_its_terms() {
    simulated().block_on(crate::conformance::holds(&MemoryLog::default() as &dyn SharedLog));
}

#[test]
fn the_journal_of_a_leader_does_what_every_journal_does_however_its_log_fails() {
    let odds = Odds { lost_calls: 100, lost_answers: 150, late_calls: 50, slow_calls: 60 };
    for (seed, odds) in (0..12).map(|seed| (seed, odds)).chain([(99, Odds::default())]) {
        let _points = rare::begin(seed);
        // Two seeds that follow each other are one to a connection.
        let log = MemoryLog::default().connection(2 * seed, odds);
        simulated().block_on(crate::conformance::journal_holds(Arc::new(log)));
    }
}
