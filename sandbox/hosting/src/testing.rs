//! What the tests of this crate share with those of the crates above: a small world, hosted, and commands for it.

pub mod journals;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::Duration;

use sim::command::{OpenAccount, PlaceOrder, Scope};
use sim::identity::InstrumentId;
use sim::records::{AccountType, Category, Proceeds, ServiceType, Side};
use sim::rng::Seed;
use sim::{Command, Reply};
use testing::{FUND, Now as _, START, amount, at, setup};
pub use tracing::level_filters::LevelFilter;
use tracing::subscriber::{DefaultGuard, NoSubscriber};
use tracing::{Dispatch, Subscriber};
use tracing_subscriber::layer::SubscriberExt as _;

use crate::clock::Mode;
use crate::journal::{Journal, Writer};
use crate::log::{Lines, LogEntry, Wanted};
use crate::secrets::ServerKey;
use crate::worlds::dropped::Dropped;
use crate::worlds::recovery::Recovery;
use crate::worlds::{NewWorld, WorldHandle, WorldOrigin, Worlds};
use feed::input_log::{LogError, Pending, ready};
use feed::transport::TransportClock;
use tokio::sync::Notify;

/// Lines that are logged on this thread while it lives, all at the beginning of time.
pub struct LoggedLines {
    lines: Arc<Mutex<Vec<String>>>,
    _subscribed: DefaultGuard,
}

/// Logs lines of `least` and above from here on.
#[must_use]
pub fn telemetry(least: LevelFilter) -> LoggedLines {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&lines);
    let clock = TransportClock::given(|| Duration::ZERO);
    let layer = Lines::new(clock, move |entry: LogEntry| sink.lock().expect("lines").push(entry.text(false)));
    let registry = tracing_subscriber::registry().with(Wanted::from(least)).with(layer);
    LoggedLines { lines, _subscribed: subscribe(registry) }
}

/// Sends `subscriber` what happens on this thread, until the answer is dropped.
#[must_use]
pub fn subscribe(subscriber: impl Subscriber + Send + Sync) -> DefaultGuard {
    // Where there is one subscriber alone, `tracing` takes it for everybody's, and asks the thread that comes upon an event first
    // whether anybody wants it; a thread of another test has nobody.
    static OTHERS: OnceLock<[Dispatch; 2]> = OnceLock::new();
    OTHERS.get_or_init(|| [(); 2].map(|()| Dispatch::new(NoSubscriber::new())));
    tracing::subscriber::set_default(subscriber)
}

impl LoggedLines {
    /// The lines so far.
    ///
    /// # Panics
    /// When a line could not be written.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.lines.lock().expect("lines").clone()
    }
}

/// The small world, to be made.
#[must_use]
pub fn new_world(mode: Mode) -> NewWorld {
    let origin = WorldOrigin { setup: Arc::new(setup()), seed: Seed(42), start: at(START) };
    NewWorld { mode, ..NewWorld::frozen(origin) }
}

/// No worlds, a fixed key, and transport time from the worlds' start on.
#[must_use]
pub fn worlds() -> Worlds {
    Worlds::new(ServerKey::fixed(&[7; 32]), clock())
}

/// A journal in memory. It keeps at once, or when `keep` is called, or nothing.
#[derive(Default)]
pub struct MemoryJournal {
    state: Mutex<MemoryJournalState>,
    news: Notify,
}

#[derive(Default)]
struct MemoryJournalState {
    entries: Vec<Vec<u8>>,
    /// How many of them are kept; none where each is kept at once.
    kept: Option<usize>,
    has_failed: bool,
}

impl MemoryJournal {
    /// One that has kept `entries`.
    #[must_use]
    pub fn of(entries: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let state = MemoryJournalState { entries: entries.into_iter().collect(), ..MemoryJournalState::default() };
        Self { state: Mutex::new(state), ..Self::default() }
    }

    /// Entries that come from now on are kept when `keep` is called.
    pub fn wait(&self) {
        let mut state = self.state();
        state.kept = Some(state.entries.len());
    }

    /// Keeps the next `count` entries.
    pub fn keep(&self, count: usize) {
        let mut state = self.state();
        state.kept = state.kept.map(|kept| (kept + count).min(state.entries.len()));
        drop(state);
        self.news.notify_waiters();
    }

    /// Keeps all that waits, and each entry at once from now on.
    pub fn keep_at_once(&self) {
        self.state().kept = None;
        self.news.notify_waiters();
    }

    /// Keeps nothing more.
    pub fn fail(&self) {
        self.state().has_failed = true;
        self.news.notify_waiters();
    }

    /// Keeps entries again, as one that was too busy for a while.
    pub fn recover(&self) {
        self.state().has_failed = false;
    }

    /// How many entries wait to be kept.
    pub fn waiting(&self) -> usize {
        let state = self.state();
        state.kept.map_or(0, |kept| state.entries.len() - kept)
    }

    /// What a crash leaves: the entries that are kept.
    pub fn kept(&self) -> Vec<Vec<u8>> {
        let state = self.state();
        state.entries[..state.kept.unwrap_or(state.entries.len())].to_vec()
    }

    fn state(&self) -> MutexGuard<'_, MemoryJournalState> {
        self.state.lock().expect("no panics")
    }

    /// Whether the entry at `place` is kept, where that is known.
    fn is_kept(&self, place: usize) -> Option<Result<(), LogError>> {
        let state = self.state();
        match state.kept {
            None => Some(Ok(())),
            Some(kept) if place < kept => Some(Ok(())),
            _ if state.has_failed => Some(Err(LogError::Never("the disk is full".to_owned()))),
            Some(_) => None,
        }
    }
}

/// A journal that several hold.
#[derive(Clone)]
pub struct SharedJournal(pub Arc<MemoryJournal>);

impl Journal for SharedJournal {
    fn append(&self, entry: Vec<u8>) -> Pending<'static, ()> {
        let journal = Arc::clone(&self.0);
        let mut state = journal.state();
        let place = state.entries.len();
        if !state.has_failed {
            state.entries.push(entry);
        }
        drop(state);
        if let Some(kept) = journal.is_kept(place) {
            return ready(kept);
        }
        Box::pin(async move {
            loop {
                let news = journal.news.notified();
                if let Some(kept) = journal.is_kept(place) {
                    return kept;
                }
                news.await;
            }
        })
    }

    fn failure(&self) -> Option<String> {
        self.0.state().has_failed.then(|| "the disk is full".to_owned())
    }
}

/// A server that continues from what `journal` has kept, and goes on in `next`; it is the `start`th that does, and goes by
/// `clock`.
///
/// # Panics
/// When the journal cannot be read.
pub async fn continued(journal: &MemoryJournal, next: Arc<MemoryJournal>, clock: TransportClock, start: u32) -> Worlds {
    let (worlds, writer) = writing(Arc::clone(&next), clock, start);
    redone(&worlds, journal, &next).await.end(writer, true).await;
    worlds
}

/// As `continued`, where worlds of other rules adopt those of this build first.
///
/// # Panics
/// As `continued`.
pub async fn upgraded(journal: &MemoryJournal, next: Arc<MemoryJournal>, clock: TransportClock, start: u32) -> Worlds {
    let (worlds, writer) = writing(Arc::clone(&next), clock, start);
    let mut recovery = redone(&worlds, journal, &next).await;
    recovery.adopt(&writer).await;
    recovery.end(writer, true).await;
    worlds
}

fn writing(journal: Arc<MemoryJournal>, clock: TransportClock, start: u32) -> (Worlds, Writer) {
    let worlds = Worlds::continuing(ServerKey::fixed(&[7; 32]), clock, start);
    let writer = Writer::new(Arc::new(SharedJournal(journal)), worlds.clock().clone());
    (worlds, writer)
}

/// All entries done again, and written into `next`.
async fn redone<'w>(worlds: &'w Worlds, journal: &MemoryJournal, next: &Arc<MemoryJournal>) -> Recovery<'w> {
    let mut dropped = Dropped::default();
    journal.kept().iter().for_each(|entry| dropped.note(entry));
    let mut recovery = worlds.recover(dropped.worlds());
    for entry in journal.kept() {
        recovery.redo(&entry).expect("an entry");
        SharedJournal(Arc::clone(next)).append(entry).await.expect("it is kept");
    }
    recovery
}

/// `journal` with a snapshot of each of its worlds at its end.
///
/// # Panics
/// When it cannot be read, or a world not be written.
#[must_use]
pub fn with_snapshots(journal: &MemoryJournal) -> MemoryJournal {
    let (worlds, _) = writing(Arc::default(), clock(), 1);
    let mut recovery = worlds.recover(BTreeSet::new());
    journal.kept().iter().for_each(|entry| recovery.redo(entry).expect("an entry"));
    let snapshots = recovery.entries_of_snapshots().map(|(_, entry)| entry.expect("a snapshot"));
    MemoryJournal::of(journal.kept().into_iter().chain(snapshots))
}

/// Transport time from the worlds' start on.
#[must_use]
pub fn clock() -> TransportClock {
    TransportClock::starting_at(Duration::from_millis(at(START).ms().unsigned_abs()))
}

/// One world among the worlds of a server.
pub struct Hosted {
    /// The worlds.
    pub worlds: Worlds,
    /// The world.
    pub world: Arc<WorldHandle>,
}

impl Default for Hosted {
    fn default() -> Self {
        Self::new()
    }
}

impl Hosted {
    /// A frozen world.
    #[must_use]
    pub fn new() -> Self {
        Self::with(Mode::Frozen)
    }

    /// A world whose time passes by `mode`.
    #[must_use]
    pub fn with(mode: Mode) -> Self {
        Self::over(new_world(mode))
    }

    /// This world.
    ///
    /// # Panics
    /// When it cannot be made.
    #[must_use]
    pub fn over(new: NewWorld) -> Self {
        let worlds = worlds();
        let world = worlds.make(new).now().expect("a world");
        Self { worlds, world }
    }

    /// The `index`th client of the world.
    ///
    /// # Panics
    /// When the world has no such client.
    #[must_use]
    pub fn scope(&self, index: usize) -> Scope {
        let scope = |world: &sim::World| {
            let client = sim::query::clients(world).nth(index).expect("a client");
            Scope { partner: client.partner, client: client.id }
        };
        self.world.read(scope).expect("a world")
    }

    /// An account with cash for the `index`th client.
    ///
    /// # Panics
    /// When the world refuses.
    pub fn account(&self, index: usize) -> sim::ids::AccountId {
        let open = OpenAccount {
            scope: self.scope(index),
            account_type: AccountType::Isk,
            owner: None,
            name: None,
            service_type: ServiceType::ExecutionOnly,
            category: Category::Retail,
            cash: amount("10000"),
            positions: Vec::new(),
            bank_accounts: Vec::new(),
            fund_knowledge: false,
        };
        match self.world.submit(Command::OpenAccount(open), |_, reply| reply).now().expect("an account") {
            Reply::Account(account) => account.id,
            other => panic!("not an account: {other:?}"),
        }
    }

    /// A subscription on an account of the `index`th client.
    ///
    /// # Panics
    /// When the world refuses.
    pub fn subscribe(&self, index: usize, account: sim::ids::AccountId) -> sim::ids::OrderId {
        match self.world.submit(self.order(index, account), |_, reply| reply).now().expect("an order") {
            Reply::Order(order) => order.id,
            other => panic!("not an order: {other:?}"),
        }
    }

    /// The same, to be submitted.
    ///
    /// # Panics
    /// When the world has no such client.
    #[must_use]
    pub fn order(&self, index: usize, account: sim::ids::AccountId) -> Command {
        Command::PlaceOrder(PlaceOrder {
            scope: self.scope(index),
            account,
            side: Side::Subscription,
            instrument: InstrumentId::parse(FUND).expect("an instrument id"),
            amount: Some(amount("1000")),
            units: None,
            client_ref: None,
            executor: None,
            proceeds: Proceeds::Keep,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use journals::{Doing, TestedJournal, holds};

    struct InMemory(Arc<MemoryJournal>);

    impl TestedJournal for InMemory {
        fn open(&mut self) -> Doing<'_, Arc<dyn Journal>> {
            self.0 = Arc::new(MemoryJournal::of(self.0.kept()));
            Box::pin(async { Arc::new(SharedJournal(Arc::clone(&self.0))) as Arc<dyn Journal> })
        }

        fn entries(&mut self) -> Doing<'_, Vec<Vec<u8>>> {
            Box::pin(async { self.0.kept() })
        }

        fn fail(&mut self) -> Doing<'_, bool> {
            self.0.wait();
            self.0.fail();
            Box::pin(async { true })
        }
    }

    #[tokio::test]
    async fn a_journal_in_memory_does_what_every_journal_does() {
        holds(&mut InMemory(Arc::default())).await;
    }
}
