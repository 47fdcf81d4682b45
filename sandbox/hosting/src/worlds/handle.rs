//! One world behind its lock, with its clock, its log and its snapshots; and its parts: who it is (`identity`), what a request meets
//! before it (`edge`), who is sent what happens in it (`subscribers`).
//!
//! Invariant: all access to the world goes through one lock, whose order is the order of events; events are in the feed
//! before the lock is released. A panic while the world is being changed poisons it for good: it answers 503 from then on
//! and keeps what is known of the failure; other worlds continue. Absent on purpose: waiting inside the lock.

mod branches;
mod delivery_host;
mod drive;
mod idle;
mod input_origins;
mod redo;
mod rewind;
mod submit;
mod turns;
mod waiting;

pub use branches::{BranchBegin, WorldBranch};
pub use idle::Watcher;

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use axum::extract::ws::Utf8Bytes;
use sim::command::Scope;
use sim::ids::{ClientId, PartnerId};
use sim::time::Instant;
use sim::{Command, World};
use tokio::sync::Notify;

use self::waiting::Turns;
use super::checkpoints::Checkpoints;
use super::edge::Edge;
use super::identity::Identity;
use super::input_origin::{InheritedHistory, InputRequest, PartialAdvance};
use super::server_parts::ServerParts;
use super::snapshots::Snapshots;
use super::subscribers::Subscribers;
use crate::clock::{Clock, Mode};
use crate::coverage::Coverage;
use crate::recording::Exchange;
use crate::recording::masks::{GivenOut, Masks};
use crate::setup::SurfaceSetup;
use crate::world_id::WorldId;
use deliveries::Deliveries;
use deliveries::signature::SigningKey;
use feed::input_log::{InputLog, MemoryLog, Position};
use feed::lineage::{Lineage, RestoreTarget, Restored};
use feed::signal::Signal;
use feed::sockets::Feed;
use feed::transport::{SurfaceSettings, TransportClock, TransportTime};
use wire::error::ApiError;

/// Work done under one hold of the lock: a few milliseconds (rule: calendar/slices).
pub const SLICE: usize = 500;

/// Why a world is closed for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Business time.
    pub at: Instant,
    /// The message of the panic.
    pub message: String,
    /// What the world was to do.
    pub command: Option<Command>,
}

/// Tokens of a world that are looked for in a recording, the latest: older ones have ended.
const MOST_TOKENS: u64 = 10_000;

/// One world.
pub struct WorldHandle {
    me: Weak<Self>,
    /// Who it is.
    pub identity: Identity,
    /// What a request meets before it reaches the world.
    pub edge: Edge,
    /// Who is sent what happens in it.
    pub subscribers: Subscribers,
    /// What its partners have met of it.
    pub coverage: Coverage,
    server: ServerParts,
    /// Fair now and then: who waits for it has a turn although slices of a jump follow close on each other.
    core: parking_lot::Mutex<Core>,
    log: Arc<dyn InputLog>,
    /// Which inputs led to the present. Written under the lock of the world, and read by those who have no business with that.
    lineage: parking_lot::RwLock<Lineage>,
    /// Whose each client is that the world has or had.
    owners: Mutex<BTreeMap<ClientId, PartnerId>>,
    /// Clones by name.
    pub snapshots: Snapshots,
    /// The world where it is about to be put back to.
    prepared: Mutex<Option<(RestoreTarget, World)>>,
    /// Of a fork: the advance in whose middle it began.
    partial: PartialAdvance,
    gate: tokio::sync::Mutex<()>,
    /// How many watch its stream.
    watchers: AtomicUsize,
    /// Transport time of the last request to it, in milliseconds.
    used: AtomicU64,
    changes: Arc<Notify>,
    waking: AtomicU64,
    driven: AtomicBool,
    dropped: Signal,
    /// Whether another process delivers.
    delivers_no_more: AtomicBool,
    /// Whether it takes inputs no more: its server is about to end.
    sealed: AtomicBool,
    /// Why it could not be made again from the journal, and answers nothing.
    unreadable: OnceLock<Box<str>>,
}

struct Core {
    world: World,
    /// The last input of the log that was carried out.
    position: Position,
    /// Inputs that the log has and that are not carried out yet.
    turns: Turns,
    /// The last input that may have put the world back, or will, to a moment of its past.
    goes_back: Option<Position>,
    /// When that input was appended, by transport time.
    received: TransportTime,
    /// What the clock shows, where time has passed since that input and nothing happened.
    idle_until: Option<Instant>,
    /// The input after which the log begins anew.
    next_snapshot: Position,
    /// Where a way into its past may begin.
    checkpoints: Checkpoints,
    clock: Clock,
    /// What the surface was set to by inputs that changed it, in order.
    surfaces: Vec<(Position, SurfaceSetup)>,
    /// Which request made which input, in order.
    requests: VecDeque<(Position, InputRequest)>,
    failure: Option<Failure>,
    /// What a world that was put back has given up: large ones are dropped after the lock is.
    replaced: Vec<Arc<World>>,
    /// What readers are shown in its place, where a test has planted that (`Canary::EventBeforeCommit`).
    behind: Option<Box<World>>,
}

/// What a handle is made of.
pub(super) struct Parts {
    pub identity: Identity,
    pub server: ServerParts,
    pub world: World,
    pub past: Past,
    pub mode: Mode,
    pub surface: SurfaceSetup,
    pub history: InheritedHistory,
}

/// What is known of how a world came to its present.
pub(super) struct Past {
    pub log: Arc<dyn InputLog>,
    pub checkpoints: Checkpoints,
    /// The last input of the log.
    pub position: Position,
    pub lineage: Lineage,
    pub first_surface: SurfaceSetup,
    pub surfaces: Vec<(Position, SurfaceSetup)>,
}

impl Past {
    /// Of a world at its start.
    pub fn none(world: &World, surface: &SurfaceSetup) -> Self {
        Self {
            log: Arc::new(MemoryLog::default()),
            checkpoints: Checkpoints::of_start(world),
            position: Position(0),
            lineage: Lineage::default(),
            first_surface: surface.clone(),
            surfaces: Vec::new(),
        }
    }

    /// As it is, of a fork whose surface begins with this.
    pub fn with_surface(mut self, surface: &SurfaceSetup) -> Self {
        if let Some((_, last)) = self.surfaces.last_mut() {
            last.clone_from(surface);
        }
        self
    }

    /// Of a world that is taken in as it is.
    pub fn unknown(world: &World, surface: &SurfaceSetup) -> Self {
        let position = Position(world.last_input());
        let lineage = Lineage::of_import(position, world.now(), world.events_so_far());
        let (log, checkpoints) = (Arc::new(MemoryLog::from(world)), Checkpoints::new(position, world));
        Self { log, checkpoints, position, lineage, first_surface: surface.clone(), surfaces: Vec::new() }
    }
}

impl WorldHandle {
    pub(super) fn new(parts: Parts) -> Arc<Self> {
        let Parts { identity, server, world, past, mode, surface, history } = parts;
        let Past { log, checkpoints, position, lineage, first_surface, surfaces } = past;
        let keys = identity.credentials().iter().map(|shown| (shown.partner, SigningKey::clone(&shown.callback_key)));
        let keys = keys.collect();
        let feed = Feed::new(&surface.settings);
        feed.log().go_on_after(history.events, world.events_so_far());
        let now = server.clock.now();
        let handle = Arc::new_cyclic(|me| Self {
            me: Weak::clone(me),
            subscribers: Subscribers {
                feed,
                deliveries: Deliveries::new(Weak::<Self>::clone(me), keys, Arc::clone(&server.egress_client)),
            },
            edge: Edge::new(&surface, first_surface, position.0),
            coverage: Coverage::new(world.now()),
            identity,
            server,
            log,
            lineage: parking_lot::RwLock::new(lineage),
            owners: Mutex::new(owners_in(&world)),
            core: parking_lot::Mutex::new(Core {
                position,
                turns: Turns::default(),
                goes_back: None,
                received: now,
                idle_until: None,
                next_snapshot: position.next_snapshot(),
                checkpoints,
                clock: Clock::anchored(mode, world.now(), now),
                world,
                surfaces,
                requests: history.requests,
                failure: None,
                replaced: Vec::new(),
                behind: None,
            }),
            snapshots: Snapshots::default(),
            prepared: Mutex::default(),
            partial: history.partial,
            gate: tokio::sync::Mutex::default(),
            watchers: AtomicUsize::new(0),
            used: AtomicU64::new(now.0),
            changes: Arc::default(),
            waking: AtomicU64::new(0),
            driven: AtomicBool::new(false),
            dropped: Signal::default(),
            delivers_no_more: AtomicBool::new(false),
            sealed: AtomicBool::new(false),
            unreadable: OnceLock::new(),
        });
        handle.subscribers.deliveries.change(|queue| queue.set_waits(surface.waits));
        handle
    }

    /// Changes the tunables of feeds and tokens. Open sockets keep the periods they were opened with.
    pub fn set_settings(&self, settings: SurfaceSettings) {
        self.edge.set_settings(settings);
        self.subscribers.keep(&settings);
    }

    /// Whose a client is, also one that is gone.
    #[must_use]
    pub fn owner_of(&self, client: ClientId) -> Option<PartnerId> {
        self.owners().get(&client).copied()
    }

    fn owners(&self) -> MutexGuard<'_, BTreeMap<ClientId, PartnerId>> {
        self.owners.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Of a fork of `other`: the clients that are gone there are known here, too.
    pub(super) fn knows_clients_of(&self, other: &Self) {
        let known = other.owners().clone();
        self.owners().extend(known);
    }

    /// What the surface before it is set to, whole: what a fork begins with.
    #[must_use]
    pub fn surface(&self) -> SurfaceSetup {
        let waits = self.subscribers.deliveries.look(|queue| queue.policy().waits.clone());
        SurfaceSetup {
            settings: self.edge.settings(),
            waits,
            allowlist: self.edge.allowlist.list(),
            partners_may: self.edge.partners_may(),
        }
    }

    /// The transport clock.
    #[must_use]
    pub const fn transport_clock(&self) -> &TransportClock {
        &self.server.clock
    }

    /// What of it and of the worlds that it was forked from nobody may read in a recording.
    ///
    /// # Errors
    /// 503 when the world has failed.
    pub fn masks(&self) -> Result<Masks, ApiError> {
        let mut given_out = self.edge.recording.given_out();
        given_out.push(self.identity.given_out());
        let payers = |world: &World| sim::query::mobile_payments(world).map(|it| it.token.to_string()).collect();
        let mut known: Vec<String> = self.read(payers)?;
        let mut checked = Vec::new();
        for GivenOut { world, secrets, tokens } in given_out {
            let world = WorldId::from_number(world);
            for secret in secrets {
                match secret.known() {
                    Some(known_one) => known.push(known_one.reveal().to_owned()),
                    None => checked.push(secret),
                }
            }
            let first = tokens.start.max(tokens.end.saturating_sub(MOST_TOKENS));
            known.extend((first..tokens.end).map(|count| self.identity.key().access_token(world, count).to_string()));
        }
        let key = self.identity.key().clone();
        let is_checked = move |word: &str| checked.iter().any(|secret| secret.is(word));
        Ok(Masks::new(known, move |word| key.read_journey_token(word).is_some() || is_checked(word)))
    }

    /// Marks the world as dropped and ends everything that runs in it.
    pub(super) fn retire(&self) {
        self.dropped.raise();
        self.changes.notify_waiters();
        self.subscribers.stop();
    }

    /// Another process delivers from now on.
    pub(super) fn ends_deliveries(&self) {
        self.delivers_no_more.store(true, Ordering::Release);
        self.subscribers.deliveries.stop();
    }

    /// Takes no inputs from now on; what was taken is in the feed. It can still be read.
    pub fn seal(&self) {
        let _core = self.core();
        self.sealed.store(true, Ordering::Release);
    }

    pub(super) fn is_sealed(&self) -> bool {
        self.sealed.load(Ordering::Acquire)
    }

    /// Whether the world was dropped.
    #[must_use]
    pub fn is_dropped(&self) -> bool {
        self.dropped.is_raised()
    }

    /// A copy of the world as it is.
    ///
    /// # Errors
    /// 503 when the world has failed.
    pub fn copy(&self) -> Result<World, ApiError> {
        self.read(World::clone)
    }

    /// Puts `world`, which is what `to` names, in the place of the present one; a failed world is well again. Sockets are closed,
    /// since some of the events that they received are undone; the next `hello` names another instance. What led there can be
    /// looked back on. The surface is set to what it was there, where that is known; the counters of fault rules begin anew, so
    /// that what is tried again meets the same faults.
    fn replace(&self, core: &mut Core, mut world: World, to: RestoreTarget, surface: Option<SurfaceSetup>) {
        world.forget_events();
        drop(world.take_callbacks());
        core.clock = Clock::anchored(core.clock.mode(), world.now(), core.received);
        core.next_snapshot = core.position.next_snapshot();
        core.idle_until = None;
        let leads = to.point().map(|point| point.input);
        core.replaced = core.checkpoints.restarted(leads, core.position, &world);
        let events = world.events_so_far();
        self.coverage.put_back(core.world.now(), world.now());
        {
            let mut lineage = self.lineage.write();
            lineage.branch(core.position, Restored { to, now: world.now(), events });
            // While nobody else reads the lineage: what is noted meanwhile is put back either here or when it is noted.
            self.edge.recording.restored(&lineage);
            self.subscribers.feed.log().restored(&lineage.path_to_present(), events);
        }
        if let Some(surface) = surface {
            self.put_back(core, surface);
        }
        self.owners().extend(owners_in(&world));
        core.replaced.push(Arc::new(std::mem::replace(&mut core.world, world)));
        core.failure = None;
        self.identity.begin_anew();
        self.subscribers.begin_anew();
        self.edge.faults.begin_anew(self.identity.origin().seed);
    }

    /// Which inputs led to the present.
    pub(crate) fn lineage(&self) -> parking_lot::RwLockReadGuard<'_, Lineage> {
        self.lineage.read()
    }

    /// Keeps a request and its answer in the recording, with at most so many bytes for all of a partner's.
    pub fn record(&self, exchange: Exchange, most: usize) {
        self.edge.recording.note(exchange, most, &self.lineage());
    }

    /// The log of all that changes the world.
    #[must_use]
    pub fn log(&self) -> &Arc<dyn InputLog> {
        &self.log
    }

    /// Why the world is closed, if it is.
    #[must_use]
    pub fn failure(&self) -> Option<Failure> {
        self.core().failure.clone()
    }

    /// The clock's time, whether the world has failed or not.
    #[must_use]
    pub fn last_now(&self) -> Instant {
        self.core().world.now()
    }

    /// The message of an event, as subscribers get it.
    #[must_use]
    pub fn message(&self, world: &World, event: &sim::Event) -> Utf8Bytes {
        // JSON is UTF-8; a renderer that breaks that says nothing rather than something broken.
        wire::event::render(world, self.identity.links(), event).try_into().unwrap_or_default()
    }

    /// Whether `client` is one of `partner`'s.
    ///
    /// # Errors
    /// As `read`.
    pub fn owns(&self, partner: PartnerId, client: ClientId) -> Result<bool, ApiError> {
        self.read(|world| world.client_in_scope(Scope { partner, client }).is_ok())
    }
}

/// Whose the clients of a world are.
fn owners_in(world: &World) -> BTreeMap<ClientId, PartnerId> {
    sim::query::clients(world).map(|client| (client.id, client.partner)).collect()
}

#[cfg(any(test, feature = "testing"))]
impl WorldHandle {
    /// Panics in the middle of a change, and answers what the caller is answered.
    ///
    /// # Panics
    /// When the panic has no effect.
    pub fn break_for_test(&self, words: &str) -> ApiError {
        self.change(&mut self.core(), |_| -> () { panic!("{words}") }).expect_err("it panicked")
    }

    /// Goes around the gate and the slices.
    #[cfg(test)]
    pub(super) fn with_world_for_test<R>(&self, f: impl FnOnce(&mut World) -> R) -> R {
        self.change(&mut self.core(), f).expect("a world")
    }
}

impl std::fmt::Debug for WorldHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WorldHandle")
            .field("id", &self.identity.id())
            .field("name", self.identity.name())
            .finish_non_exhaustive()
    }
}
