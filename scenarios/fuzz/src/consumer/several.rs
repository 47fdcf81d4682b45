//! Runs around a consumer whose service is three instances behind a proxy that takes them in turns. Their log is a host of its own.
//!
//! Owns: the hosts `sandbox` (the proxy), `instance-0` to `instance-2` and `log`, and what goes wrong between them, by seed: answers of the log
//! come late, twice or not at all; instances and the log are cut off, wait for each other, crash and come back. Invariant: only the number of a
//! call crosses the network, and the log's host looks the call up by it. Ids of instances are drawn by the system, and change nothing that
//! a run shows. Absent on purpose: a log that loses what it has acknowledged, unless a test plants that.

use super::run::{self, Served, simulated};
use super::step::{ConsumerStep, ConsumerSteps};
use crate::batch::on_a_fresh_thread;
use crate::run::RunOutcome;
use deliveries::trust::Trust;
use feed::input_log::{LogError, Pending as InTime};
use feed::signal::Signal;
use feed::transport::{TransportClock, TransportTime};
use hosting::secrets::Secret;
use hosting::worlds::Worlds;
use instances::memory::MemoryLog;
use instances::{Batch, Head, Host, Instance, Leader, Life, SharedLog, Term};
use language::ast::Server;
use runner::drivers::receiver::Simulated;
use runner::drivers::turmoil::{Backend, EPOCH, HOST, Hosts, Listener, PORT, served_by, server_key};
use sim::rng::{Seed, Stream};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::{Future, pending};
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use store::Place;
use surface::Surface;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::{sleep, timeout};
use turmoil::net::{TcpListener, TcpStream};

const INSTANCES: usize = 3;
const LOG: &str = "log";
/// How long an instance waits for an answer of the log.
const PATIENCE: Duration = Duration::from_secs(1);
/// Until another instance leads, and all others know it.
const WELL_AFTER: Duration = Duration::from_secs(8);
/// Between two things that go wrong, at the least.
const CALM: Duration = Duration::from_millis(500);

fn name_of(instance: usize) -> String {
    format!("instance-{instance}")
}

const fn next_of(instance: usize) -> usize {
    (instance + 1) % INSTANCES
}

/// What is planted in the log.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Planted {
    Nothing,
    /// A log that comes back after a crash lacks the last batch that it has acknowledged.
    LosesAtCrash,
}

/// How often answers of the log go wrong, in a hundred.
#[derive(Clone, Copy, Default)]
struct Odds {
    late: u64,
    lost: u64,
    twice: u64,
}

type Work = Box<dyn FnOnce() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send>;

/// The log, and the calls that are on their way to it.
#[derive(Clone)]
struct Calls {
    log: MemoryLog,
    waiting: Arc<Mutex<Waiting>>,
}

struct Waiting {
    odds: Odds,
    /// How often each thing went wrong.
    met: BTreeMap<&'static str, u64>,
    next: u64,
    by_number: BTreeMap<u64, Work>,
    draws: Stream,
}

impl Calls {
    fn new(seed: u64) -> Self {
        let draws = Seed(seed).stream("answers of the log");
        let (odds, met, by_number) = (Odds::default(), BTreeMap::new(), BTreeMap::new());
        let waiting = Waiting { odds, met, next: 0, by_number, draws };
        Self { log: MemoryLog::default(), waiting: Arc::new(Mutex::new(waiting)) }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn odds(&self, odds: Odds) {
        self.waiting().odds = odds;
    }

    fn happens(&self, what: &'static str, odds: impl FnOnce(Odds) -> u64) -> bool {
        let mut calls = self.waiting();
        let odds = odds(calls.odds);
        let happens = calls.draws.below(100) < odds;
        *calls.met.entry(what).or_default() += u64::from(happens);
        happens
    }

    /// The process of the log's host.
    async fn serve(self) -> turmoil::Result {
        let listener = TcpListener::bind((IpAddr::V4(Ipv4Addr::UNSPECIFIED), PORT)).await?;
        loop {
            let (stream, _) = listener.accept().await?;
            let calls = self.clone();
            tokio::task::spawn_local(async move {
                // A connection that breaks is the caller's to notice.
                drop(calls.answer(stream).await);
            });
        }
    }

    async fn answer(self, mut stream: TcpStream) -> io::Result<()> {
        loop {
            let number = stream.read_u64().await?;
            let work = self.waiting().by_number.remove(&number);
            if let Some(work) = work {
                work().await;
            }
            if self.happens("late answers", |odds| odds.late) {
                let span = self.waiting().draws.below(1_500);
                sleep(Duration::from_millis(span)).await;
            }
            if self.happens("lost answers", |odds| odds.lost) {
                continue;
            }
            stream.write_u64(number).await?;
            if self.happens("answers that came twice", |odds| odds.twice) {
                stream.write_u64(number).await?;
            }
        }
    }
}

/// The log as one instance reaches it.
struct Reached {
    calls: Calls,
    line: tokio::sync::Mutex<Option<TcpStream>>,
}

impl Reached {
    async fn ask<T: Send + 'static>(
        &self,
        act: impl FnOnce(MemoryLog) -> InTime<'static, T> + Send + 'static,
    ) -> Result<T, LogError> {
        let answer = Arc::new(Mutex::new(None));
        let number = {
            let (slot, log) = (Arc::clone(&answer), self.calls.log.clone());
            let work: Work = Box::new(move || {
                Box::pin(async move {
                    let answered = act(log).await;
                    *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(answered);
                })
            });
            let mut calls = self.calls.waiting();
            calls.next += 1;
            let number = calls.next;
            calls.by_number.insert(number, work);
            number
        };
        let mut line = self.line.lock().await;
        let exchanged = timeout(PATIENCE, async {
            if line.is_none() {
                *line = Some(TcpStream::connect((LOG, PORT)).await?);
            }
            let Some(stream) = line.as_mut() else { return Err(io::ErrorKind::NotConnected.into()) };
            stream.write_u64(number).await?;
            // An answer that came twice is one to an earlier call.
            while stream.read_u64().await? != number {}
            io::Result::Ok(())
        });
        let exchanged = exchanged.await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
        if let Err(error) = exchanged {
            *line = None;
            return Err(LogError::Retry(error.to_string()));
        }
        let answered = answer.lock().unwrap_or_else(PoisonError::into_inner).take();
        answered.expect("the log answers a call after it was made")
    }
}

impl SharedLog for Reached {
    fn head(&self) -> InTime<'_, Head> {
        Box::pin(self.ask(|log| Box::pin(async move { log.head().await })))
    }

    fn after(&self, position: u64) -> InTime<'_, Vec<Batch>> {
        Box::pin(self.ask(move |log| Box::pin(async move { log.after(position).await })))
    }

    fn append<'a>(
        &'a self,
        term: Term,
        before: Place,
        after: Place,
        batch: &'a [u8],
        shows: TransportTime,
    ) -> InTime<'a, bool> {
        let batch = batch.to_vec();
        let act = move |log: MemoryLog| -> InTime<'static, bool> {
            Box::pin(async move { log.append(term, before, after, &batch, shows).await })
        };
        Box::pin(self.ask(act))
    }

    fn claim<'a>(&'a self, seen: &'a Head, leader: &'a Leader) -> InTime<'a, bool> {
        let (seen, leader) = (seen.clone(), leader.clone());
        Box::pin(self.ask(|log| Box::pin(async move { log.claim(&seen, &leader).await })))
    }

    fn beat(&self, term: Term, place: Place, shows: TransportTime) -> InTime<'_, bool> {
        Box::pin(self.ask(move |log| Box::pin(async move { log.beat(term, place, shows).await })))
    }

    fn release(&self, term: Term, shows: TransportTime) -> InTime<'_, bool> {
        Box::pin(self.ask(move |log| Box::pin(async move { log.release(term, shows).await })))
    }

    fn keep<'a>(&'a self, name: &'a str, value: &'a [u8]) -> InTime<'a, Vec<u8>> {
        let (name, value) = (name.to_owned(), value.to_vec());
        Box::pin(self.ask(|log| Box::pin(async move { log.keep(&name, &value).await })))
    }

    fn value<'a>(&'a self, name: &'a str) -> InTime<'a, Option<Vec<u8>>> {
        let name = name.to_owned();
        Box::pin(self.ask(|log| Box::pin(async move { log.value(&name).await })))
    }

    fn count<'a>(&'a self, name: &'a str) -> InTime<'a, u64> {
        let name = name.to_owned();
        Box::pin(self.ask(|log| Box::pin(async move { log.count(&name).await })))
    }
}

/// What an instance serves: the worlds that the story makes.
struct Stories {
    clock: TransportClock,
}

impl Host for Stories {
    fn worlds(&self, life: u32) -> Worlds {
        Worlds::continuing(server_key(), self.clock.clone(), life)
    }

    fn first_world<'a>(&'a self, _: &'a Worlds) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn surface(&self, worlds: Worlds) -> Surface {
        served_by(worlds)
    }
}

/// The process of an instance.
async fn instance(own: usize, calls: Calls, clock: TransportClock) -> turmoil::Result {
    let listener = Listener::bind().await?;
    let bare = served_by(Worlds::new(server_key(), clock.clone()));
    let instance = Instance::new(bare, Secret::new("passphrase"), &Trust::default(), Arc::new(Simulated));
    let life = Life {
        instance: instance.clone(),
        host: Arc::new(Stories { clock }),
        log: Arc::new(Reached { calls, line: tokio::sync::Mutex::default() }),
        url: format!("http://{}:{PORT}", name_of(own)),
        clocks_stand: false,
        worlds: Arc::default(),
        stop: Signal::default(),
        wall: || EPOCH + turmoil::sim_elapsed().unwrap_or_default(),
        handed_over: Signal::default(),
    };
    tokio::select! {
        biased;
        ended = life.live() => ended.map_err(Into::into),
        () = surface::serve_by(listener, None, instance, pending()) => Ok(()),
    }
}

/// The process of the proxy: each connection goes to the next instance that can be reached.
async fn proxy() -> turmoil::Result {
    let listener = TcpListener::bind((IpAddr::V4(Ipv4Addr::UNSPECIFIED), PORT)).await?;
    let turn = Rc::new(Cell::new(0));
    loop {
        let (mut caller, _) = listener.accept().await?;
        let turn = Rc::clone(&turn);
        tokio::task::spawn_local(async move {
            let first = turn.replace(next_of(turn.get()));
            for step in 0..INSTANCES {
                let dialling = TcpStream::connect((name_of((first + step) % INSTANCES), PORT));
                if let Ok(Ok(mut instance)) = timeout(PATIENCE / 4, dialling).await {
                    // How it ends is the caller's to notice.
                    drop(tokio::io::copy_bidirectional(&mut caller, &mut instance).await);
                    return;
                }
            }
        });
    }
}

/// Three instances, their log and the proxy.
struct Several {
    clock: TransportClock,
    planted: Planted,
    shared: Rc<Shared>,
    schedule: RefCell<Schedule>,
}

/// What the run shares with its backend.
struct Shared {
    phase: Cell<Phase>,
    calls: Calls,
    /// How often answers of the log go wrong, once anything does.
    odds: Odds,
    /// How often each thing went wrong.
    met: RefCell<BTreeMap<&'static str, u64>>,
}

/// Whether things go wrong.
#[derive(Clone, Copy, Default, PartialEq)]
enum Phase {
    /// Not yet.
    #[default]
    Before,
    Now,
    /// No more.
    After,
}

impl run::Outages for Shared {
    fn begin(&self) {
        self.phase.set(Phase::Now);
        self.calls.odds(self.odds);
    }

    fn end(&self) -> Duration {
        self.phase.set(Phase::After);
        self.calls.odds(Odds::default());
        WELL_AFTER
    }
}

impl Shared {
    fn note(&self, what: &'static str) {
        *self.met.borrow_mut().entry(what).or_default() += 1;
    }
}

/// What goes wrong next, and what is wrong now.
struct Schedule {
    draws: Stream,
    next: Duration,
    /// Instances that are cut off from the log, or wait for it.
    apart: [bool; INSTANCES],
    is_log_down: bool,
    down: [bool; INSTANCES],
    crashes: usize,
    has_healed: bool,
}

impl Several {
    fn heal(&self, schedule: &mut Schedule, hosts: &mut Hosts<'_, '_>) {
        for instance in 0..INSTANCES {
            hosts.mend(&name_of(instance), LOG);
            hosts.mend(&name_of(instance), &name_of(next_of(instance)));
            if std::mem::take(&mut schedule.down[instance]) {
                hosts.start_again(&name_of(instance));
            }
        }
        schedule.apart = [false; INSTANCES];
        if std::mem::take(&mut schedule.is_log_down) {
            hosts.start_again(LOG);
        }
    }

    fn log_crashes(&self, schedule: &mut Schedule, hosts: &mut Hosts<'_, '_>) {
        self.shared.note("crashes of the log");
        schedule.is_log_down = true;
        hosts.crash(LOG);
        if self.planted == Planted::LosesAtCrash {
            self.shared.calls.log.lose(1);
        }
    }
}

impl Backend for Several {
    fn begin(&self, hosts: &mut Hosts<'_, '_>) {
        let calls = self.shared.calls.clone();
        hosts.add(LOG, move || calls.clone().serve());
        for own in 0..INSTANCES {
            let (calls, clock) = (self.shared.calls.clone(), self.clock.clone());
            hosts.add(&name_of(own), move || instance(own, calls.clone(), clock.clone()));
        }
        hosts.add(HOST, proxy);
    }

    /// A crash of the server is one of an instance, and of the next one the next time.
    fn server(&self, server: Server, hosts: &mut Hosts<'_, '_>) {
        let mut schedule = self.schedule.borrow_mut();
        let own = schedule.crashes % INSTANCES;
        match server {
            Server::Crashes => {
                self.shared.note("crashes of instances");
                hosts.crash(&name_of(own));
                schedule.down[own] = true;
            }
            Server::Restarts | Server::RestartsEmpty => {
                hosts.start_again(&name_of(own));
                schedule.down[own] = false;
                schedule.crashes += 1;
            }
        }
    }

    fn ticked(&self, hosts: &mut Hosts<'_, '_>) {
        let mut schedule = self.schedule.borrow_mut();
        match self.shared.phase.get() {
            Phase::Before => return,
            Phase::After => {
                if !std::mem::replace(&mut schedule.has_healed, true) {
                    self.heal(&mut schedule, hosts);
                }
                return;
            }
            Phase::Now if hosts.elapsed() < schedule.next => return,
            Phase::Now => {}
        }
        schedule.next = hosts.elapsed() + CALM + Duration::from_millis(schedule.draws.below(2_500));
        let own = usize::try_from(schedule.draws.below(INSTANCES as u64)).unwrap_or_default();
        match schedule.draws.below(9) {
            0 if !schedule.apart[own] => {
                self.shared.note("cuts from the log");
                schedule.apart[own] = true;
                hosts.cut(&name_of(own), LOG);
            }
            1 if !schedule.apart[own] => {
                self.shared.note("waits for the log");
                schedule.apart[own] = true;
                hosts.hold(&name_of(own), LOG);
            }
            2 if !schedule.is_log_down => self.log_crashes(&mut schedule, hosts),
            3 => {
                self.shared.note("cuts between instances");
                hosts.cut(&name_of(own), &name_of(next_of(own)));
            }
            4 if !schedule.down[own] => {
                self.shared.note("restarts of instances");
                hosts.start_again(&name_of(own));
            }
            5..=7 => self.heal(&mut schedule, hosts),
            _ => {}
        }
    }

    /// Leaders give signs of life all the time.
    fn may_leap(&self) -> bool {
        false
    }
}

/// The outcome of a run, and how often each thing went wrong.
type Made = (RunOutcome, BTreeMap<&'static str, u64>);

fn run(seed: u64, planted: Planted) -> Made {
    let made = on_a_fresh_thread(move || {
        let steps: Vec<ConsumerStep> = ConsumerSteps::new(seed).take(40).collect();
        let odds = if seed.is_multiple_of(3) { Odds::default() } else { Odds { late: 4, lost: 4, twice: 8 } };
        let calls = Calls::new(seed);
        let shared = Rc::new(Shared { phase: Cell::default(), calls, odds, met: RefCell::default() });
        let of_backend = Rc::clone(&shared);
        let backend = move |clock: TransportClock| -> Rc<dyn Backend> {
            let schedule = Schedule {
                draws: Seed(seed).stream("outages of instances"),
                next: Duration::ZERO,
                apart: [false; INSTANCES],
                is_log_down: false,
                down: [false; INSTANCES],
                crashes: 0,
                has_healed: false,
            };
            Rc::new(Several { clock, planted, shared: Rc::clone(&of_backend), schedule: RefCell::new(schedule) })
        };
        let served = Served { backend: Rc::new(backend), outages: Some(Rc::<Shared>::clone(&shared)) };
        let outcome = simulated(seed, &steps, &served);
        let mut met = shared.met.borrow().clone();
        met.append(&mut shared.calls.waiting().met);
        (outcome, met)
    });
    let (outcome, met) = made.expect("a thread");
    (outcome.unwrap_or_else(|error| panic!("seed {seed}: {error}")), met)
}

/// What breaks a law in the run of a seed.
fn broken(seed: u64, planted: Planted) -> Vec<String> {
    run(seed, planted).0.violations.into_iter().map(|violation| violation.what).collect()
}

/// (rule: wire/several-instances)
#[test]
fn the_copy_of_a_consumer_before_several_instances_equals_the_state_after_any_outages() {
    let mut met = BTreeMap::<&str, u64>::new();
    for seed in 0..10 {
        let (outcome, of_run) = run(seed, Planted::Nothing);
        assert!(outcome.violations.is_empty(), "seed {seed}: {:#?}", outcome.violations);
        of_run.into_iter().for_each(|(what, count)| *met.entry(what).or_default() += count);
        for what in ["events delivered", "records read"] {
            *met.entry(what).or_default() += outcome.coverage.network.get(what).copied().unwrap_or_default();
        }
    }
    for what in [
        "answers that came twice",
        "crashes of instances",
        "crashes of the log",
        "cuts between instances",
        "cuts from the log",
        "events delivered",
        "late answers",
        "lost answers",
        "records read",
        "restarts of instances",
        "waits for the log",
    ] {
        assert!(met.get(what).is_some_and(|&count| count > 0), "{what}: {met:?}");
    }
}

#[test]
fn the_same_seed_is_the_same_run() {
    let of = |seed| {
        let (outcome, met) = run(seed, Planted::Nothing);
        (outcome.digest, met)
    };
    // By webhooks, by sockets, and with a log that always answers.
    for seed in [1, 2, 6] {
        assert_eq!(of(seed), of(seed), "seed {seed}");
    }
}

#[test]
fn a_log_that_loses_what_it_has_acknowledged_is_found() {
    let lost = |what: &String| what.contains("was answered as made, and the service has no record");
    let found = (0..60).find(|seed| broken(*seed, Planted::LosesAtCrash).iter().any(lost));
    assert!(found.is_some(), "no run has noticed it");
}
