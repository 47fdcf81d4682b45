//! One world with what surrounds it: its lock, its clock, its feed, its books of requests, faults and snapshots.
//!
//! Invariant: all access to the world goes through one lock, whose order is the order of events; events are in the feed
//! before the lock is released. A panic while the world is being changed poisons it for good: it answers 503 from then on
//! and keeps what is known of the failure; other worlds go on. Absent on purpose: waiting inside the lock.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use axum::extract::ws::Utf8Bytes;
use sim::command::Scope;
use sim::ids::{ClientId, PartnerId};
use sim::time::Instant;
use sim::{Command, Refusal, Reply, World};
use tokio::sync::Notify;

use super::{Origin, WorldId};
use crate::auth::allowlist::Allowlist;
use crate::clock::{self, Clock, Mode};
use crate::deliveries::Deliveries;
use crate::deliveries::outside::Outside;
use crate::deliveries::signature::SigningKey;
use crate::error::ApiError;
use crate::faults::Faults;
use crate::feed::Feed;
use crate::handlers::polled::Polled;
use crate::journal::Journal;
use crate::secrets::{Links, Secret, ServerKey};
use crate::signal::Signal;
use crate::transport::{SurfaceSettings, TransportClock, TransportTime};
use crate::wire;

/// Timers fired under one hold of the lock: a few milliseconds.
pub const SLICE: usize = 2_000;

/// What a partner shows to get a token.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// The partner in the world.
    pub partner: PartnerId,
    /// Company name.
    pub name: Arc<str>,
    /// Public half; unique in the process.
    pub client_id: uuid::Uuid,
    /// Secret half.
    pub secret: Secret,
    /// What its journey callbacks are signed with.
    pub callback_key: Arc<SigningKey>,
}

/// Why a world is closed for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Business time.
    pub at: Instant,
    /// What the program said.
    pub message: String,
    /// What the world was asked to do.
    pub command: Option<Command>,
}

/// One world.
pub struct WorldHandle {
    id: WorldId,
    name: Arc<str>,
    origin: Origin,
    transport: TransportClock,
    core: Mutex<Core>,
    settings: Mutex<SurfaceSettings>,
    credentials: Vec<Credentials>,
    gate: tokio::sync::Mutex<()>,
    changes: Arc<Notify>,
    waking: AtomicU64,
    driven: AtomicBool,
    dropped: Signal,
    instance: AtomicU64,
    key: ServerKey,
    links: Links,
    tokens_issued: AtomicU64,
    /// Events and sockets.
    pub feed: Feed,
    /// Callbacks and webhooks.
    pub deliveries: Deliveries,
    /// What was asked.
    pub journal: Journal,
    /// Texts of accounts that were read lately.
    pub(crate) polled: Polled,
    /// Bad days, by rule.
    pub faults: Faults,
    /// Addresses that may use the world.
    pub allowlist: Allowlist,
    /// Clones by name.
    pub snapshots: super::Snapshots,
}

struct Core {
    world: World,
    clock: Clock,
    failure: Option<Failure>,
}

/// What a handle is made of.
pub(super) struct Making {
    pub id: WorldId,
    pub name: Arc<str>,
    pub origin: Origin,
    pub world: World,
    pub mode: Mode,
    pub transport: TransportClock,
    pub settings: SurfaceSettings,
    pub key: ServerKey,
    pub incarnation: u32,
    pub outside: Arc<OnceLock<Outside>>,
    pub links: Links,
}

impl WorldHandle {
    pub(super) fn new(making: Making) -> Arc<Self> {
        let Making { id, name, origin, world, mode, transport, settings, key, incarnation, outside, links } = making;
        let partners = sim::query::partners(&world).zip(0..);
        let credentials = partners.map(|(partner, index)| Credentials {
            partner: partner.id,
            name: Arc::clone(&partner.name),
            client_id: key.client_id(id, index),
            secret: key.client_secret(id, index),
            callback_key: Arc::new(key.callback_key(id, index)),
        });
        let credentials: Vec<Credentials> = credentials.collect();
        let clock = Clock::anchored(mode, world.now(), transport.now());
        let first = u64::from(incarnation) << 32;
        let keys = credentials.iter().map(|shown| (shown.partner, Arc::clone(&shown.callback_key))).collect();
        Arc::new_cyclic(|me| Self {
            deliveries: Deliveries::new(Weak::clone(me), id, key.clone(), keys, outside),
            id,
            name,
            origin,
            core: Mutex::new(Core { world, clock, failure: None }),
            credentials,
            gate: tokio::sync::Mutex::default(),
            changes: Arc::default(),
            waking: AtomicU64::new(0),
            driven: AtomicBool::new(false),
            dropped: Signal::default(),
            instance: AtomicU64::new(first),
            tokens_issued: AtomicU64::new(first),
            feed: Feed::new(&settings),
            journal: Journal::new(settings.requests_kept),
            polled: Polled::default(),
            faults: Faults::default(),
            allowlist: Allowlist::default(),
            snapshots: super::Snapshots::default(),
            settings: Mutex::new(settings),
            transport,
            key,
            links,
        })
    }

    /// The world's id.
    #[must_use]
    pub const fn id(&self) -> WorldId {
        self.id
    }

    /// The world's name.
    #[must_use]
    pub const fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// What the world was made from.
    #[must_use]
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The partners' credentials, in the order of the setup.
    #[must_use]
    pub fn credentials(&self) -> &[Credentials] {
        &self.credentials
    }

    /// Tunables of feeds and tokens.
    #[must_use]
    pub fn settings(&self) -> SurfaceSettings {
        *self.settings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the tunables of feeds and tokens. Open sockets keep the periods they were opened with.
    pub fn set_settings(&self, settings: SurfaceSettings) {
        *self.settings.lock().unwrap_or_else(PoisonError::into_inner) = settings;
        self.feed.log().keep(settings.events_kept);
        self.journal.keep(settings.requests_kept);
        self.deliveries.resume();
    }

    /// The transport clock.
    #[must_use]
    pub const fn transport_clock(&self) -> &TransportClock {
        &self.transport
    }

    /// What `hello` says; another one after the world was reset or restored.
    #[must_use]
    pub fn instance_id(&self) -> uuid::Uuid {
        self.key.instance_id(self.id, self.instance.load(Ordering::Relaxed))
    }

    /// Makes the links of the world's journeys.
    #[must_use]
    pub const fn links(&self) -> &Links {
        &self.links
    }

    /// A token that was never issued before.
    pub(crate) fn new_token(&self) -> uuid::Uuid {
        self.key.access_token(self.id, self.tokens_issued.fetch_add(1, Ordering::Relaxed))
    }

    fn core(&self) -> MutexGuard<'_, Core> {
        // Panics inside are caught before the guard is dropped, so the lock itself is never poisoned.
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self) -> Result<MutexGuard<'_, Core>, ApiError> {
        let core = self.core();
        if core.failure.is_none() { Ok(core) } else { Err(closed()) }
    }

    /// Reads the world as of its clock's present.
    ///
    /// # Errors
    /// 503 when the world has failed; 500 when `f` panics, which leaves the world as it was.
    pub fn read<R>(&self, f: impl FnOnce(&World) -> R) -> Result<R, ApiError> {
        let mut core = self.open()?;
        self.bring_up(&mut core)?;
        catch_unwind(AssertUnwindSafe(|| f(&core.world))).map_err(|_| mishap())
    }

    /// Carries `command` out at the clock's present and renders the reply under the same hold of the lock.
    ///
    /// # Errors
    /// The refusal; 503 when the world has failed or fails now; 500 when `render` panics.
    pub fn submit<R>(&self, command: Command, render: impl FnOnce(&World, Reply) -> R) -> Result<R, ApiError> {
        self.attempt(command, render)?.map_err(|refusal| self.refusal(refusal))
    }

    /// A refusal as this world answers it.
    #[must_use]
    pub fn refusal(&self, refusal: Refusal) -> ApiError {
        ApiError::of(refusal, self.settings().unknown_resource)
    }

    /// As `submit`, with the refusal itself, for those who word it in their own way.
    ///
    /// # Errors
    /// As `submit`, apart from the refusal.
    pub fn attempt<R>(
        &self,
        command: Command,
        render: impl FnOnce(&World, Reply) -> R,
    ) -> Result<Result<R, Refusal>, ApiError> {
        let mut core = self.open()?;
        let now = self.bring_up(&mut core)?;
        let kept = command.clone();
        let outcome = self.change(&mut core, |world| world.apply(now, command));
        let outcome = outcome.inspect_err(|_| {
            if let Some(failure) = &mut core.failure {
                failure.command = Some(kept);
            }
        })?;
        let reply = match outcome {
            Ok(reply) => reply,
            Err(refusal) => return Ok(Err(refusal)),
        };
        self.hasten(&core);
        catch_unwind(AssertUnwindSafe(|| render(&core.world, reply))).map(Ok).map_err(|_| mishap())
    }

    /// Changes the world and hands its events to the feed; a panic closes the world.
    fn change<R>(&self, core: &mut Core, f: impl FnOnce(&mut World) -> R) -> Result<R, ApiError> {
        let Core { world, failure, .. } = core;
        let changed = catch_unwind(AssertUnwindSafe(|| {
            let result = f(world);
            self.feed.publish(world, |world, event| self.message(world, event));
            self.deliveries.collect(world, |world| self.delivery_time(world));
            result
        }));
        changed.map_err(|panic| {
            *failure = Some(Failure { at: world.now(), message: words(&*panic), command: None });
            closed()
        })
    }

    /// `feed_time` for whoever holds the lock.
    fn delivery_time(&self, world: &World) -> TransportTime {
        if self.settings().virtual_transport {
            TransportTime(world.now().ms().unsigned_abs())
        } else {
            self.transport.now()
        }
    }

    /// Brings a paced world up to its clock, at most a slice at a time, and answers where it stands.
    fn bring_up(&self, core: &mut Core) -> Result<Instant, ApiError> {
        let goal = match core.clock.mode() {
            Mode::Frozen => None,
            Mode::Paced(_) => core.clock.shows(self.transport.now()).filter(|goal| *goal > core.world.now()),
        };
        if let Some(goal) = goal {
            self.change(core, |world| world.advance_slice(goal, SLICE, &mut Vec::new()))?;
        }
        Ok(core.world.now())
    }

    /// A paced world's driver sleeps until the next timer; wakes it when a command has set an earlier one.
    fn hasten(&self, core: &Core) {
        let due = core.world.next_timer().and_then(|(due, _)| core.clock.reaches(due));
        if due.is_some_and(|due| due.0 < self.waking.load(Ordering::Relaxed)) {
            self.changes.notify_waiters();
        }
    }

    /// Brings a paced world up to its clock by one slice; `false` when there is more to do. Never fails: a failed world
    /// has nothing to do.
    pub(crate) fn catch_up(&self) -> bool {
        let Ok(mut core) = self.open() else { return true };
        let goal = core.clock.shows(self.transport.now());
        match self.bring_up(&mut core) {
            Ok(now) => goal.is_none_or(|goal| now >= goal),
            Err(_) => true,
        }
    }

    /// When the driver of a paced world has to wake up; `None` when nothing is due ever, or the clock is frozen.
    pub(crate) fn wake_at(&self) -> Option<TransportTime> {
        let core = self.open().ok()?;
        let due = core.world.next_timer().and_then(|(due, _)| core.clock.reaches(due));
        self.waking.store(due.map_or(u64::MAX, |due| due.0), Ordering::Relaxed);
        due
    }

    pub(crate) fn changes(&self) -> Arc<Notify> {
        Arc::clone(&self.changes)
    }

    /// Starts the task that drives a paced clock, when there is a runtime and none is running.
    pub(crate) fn start_driving(self: &Arc<Self>) {
        if self.mode() == Mode::Frozen || tokio::runtime::Handle::try_current().is_err() {
            return;
        }
        if !self.driven.swap(true, Ordering::AcqRel) {
            let resting = Resting(Arc::downgrade(self));
            tokio::spawn(async move {
                clock::drive(resting.0.clone()).await;
                drop(resting);
            });
        }
    }

    /// Marks the world as dropped and ends everything that goes on in it.
    pub(super) fn retire(&self) {
        self.dropped.raise();
        self.changes.notify_waiters();
        self.feed.close_all();
        self.deliveries.stop();
    }

    /// Whether the world was dropped.
    #[must_use]
    pub fn is_dropped(&self) -> bool {
        self.dropped.is_raised()
    }

    /// How time passes.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.core().clock.mode()
    }

    /// Changes how time passes, from the present on.
    ///
    /// # Errors
    /// 503 when the world has failed.
    pub fn set_mode(self: &Arc<Self>, mode: Mode) -> Result<(), ApiError> {
        let mut core = self.open()?;
        let now = self.bring_up(&mut core)?;
        core.clock = Clock::anchored(mode, now, self.transport.now());
        drop(core);
        self.changes.notify_waiters();
        self.start_driving();
        self.deliveries.resume();
        Ok(())
    }

    /// The gate that long changes of the clock pass one at a time.
    pub(crate) const fn gate(&self) -> &tokio::sync::Mutex<()> {
        &self.gate
    }

    /// One slice of a jump to `goal`: fires at most `SLICE` timers and notes them in `happened`; `true` when there.
    /// A paced clock goes on from wherever the world stands.
    pub(crate) fn jump(&self, goal: Instant, happened: &mut Vec<sim::world::Happening>) -> Result<bool, ApiError> {
        let mut core = self.open()?;
        let there = self.change(&mut core, |world| world.advance_slice(goal, SLICE, happened))?;
        core.clock = Clock::anchored(core.clock.mode(), core.world.now(), self.transport.now());
        drop(core);
        self.changes.notify_waiters();
        self.feed.log().nudge();
        self.deliveries.resume();
        Ok(there)
    }

    /// A copy of the world as it stands.
    ///
    /// # Errors
    /// 503 when the world has failed.
    pub fn copy(&self) -> Result<World, ApiError> {
        self.read(World::clone)
    }

    /// Puts `world` in the place of the present one; a failed world is well again. Sockets are told to leave, since what
    /// they have heard is no longer so; the next `hello` names another instance.
    pub fn replace(self: &Arc<Self>, mut world: World) {
        world.forget_events();
        drop(world.take_errands());
        let mut core = self.core();
        core.clock = Clock::anchored(core.clock.mode(), world.now(), self.transport.now());
        core.world = world;
        core.failure = None;
        self.instance.fetch_add(1, Ordering::Relaxed);
        self.feed.close_all();
        self.deliveries.forget(self.feed.log());
        drop(core);
        self.changes.notify_waiters();
        self.start_driving();
    }

    /// Why the world is closed, if it is.
    #[must_use]
    pub fn failure(&self) -> Option<Failure> {
        self.core().failure.clone()
    }

    /// Where the clock stands, whether the world is well or not.
    #[must_use]
    pub fn last_now(&self) -> Instant {
        self.core().world.now()
    }

    /// The time that feeds and tokens go by: transport time, or the world's own with `virtualTransport`.
    #[must_use]
    pub fn feed_time(&self, settings: &SurfaceSettings) -> TransportTime {
        if settings.virtual_transport { self.world_time() } else { self.transport.now() }
    }

    /// The world's clock, read as a transport time.
    #[must_use]
    pub(crate) fn world_time(&self) -> TransportTime {
        let core = self.core();
        let now = core.clock.shows(self.transport.now()).map_or(core.world.now(), |now| now.max(core.world.now()));
        TransportTime(now.ms().unsigned_abs())
    }

    /// When feed time will show `at`, by transport time; `None` when nobody knows, because the clock is frozen.
    #[must_use]
    pub fn feed_reaches(&self, at: TransportTime, settings: &SurfaceSettings) -> Option<TransportTime> {
        if settings.virtual_transport {
            let ms = i64::try_from(at.0).unwrap_or(i64::MAX);
            self.core().clock.reaches(Instant::from_ms(ms))
        } else {
            Some(at)
        }
    }

    /// The message of an event, as subscribers get it.
    #[must_use]
    pub fn message(&self, world: &World, event: &sim::Event) -> Utf8Bytes {
        // JSON is UTF-8; a renderer that breaks that says nothing rather than something broken.
        wire::event::render(world, &self.links, event).try_into().unwrap_or_default()
    }

    /// Whether `client` is one of `partner`'s.
    ///
    /// # Errors
    /// As `read`.
    pub fn owns(&self, partner: PartnerId, client: ClientId) -> Result<bool, ApiError> {
        self.read(|world| world.client_in_scope(Scope { partner, client }).is_ok())
    }
}

#[cfg(test)]
impl WorldHandle {
    /// Panics in the middle of a change.
    pub(super) fn break_for_test(&self, words: &str) -> ApiError {
        self.change(&mut self.core(), |_| -> () { panic!("{words}") }).expect_err("it panicked")
    }

    /// Goes around the gate and the slices.
    pub(super) fn with_world_for_test<R>(&self, f: impl FnOnce(&mut World) -> R) -> R {
        self.change(&mut self.core(), f).expect("a world")
    }
}

impl std::fmt::Debug for WorldHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WorldHandle").field("id", &self.id).field("name", &self.name).finish_non_exhaustive()
    }
}

/// Lets another driver start when this one ends, also when its runtime is torn down under it.
struct Resting(Weak<WorldHandle>);

impl Drop for Resting {
    fn drop(&mut self) {
        if let Some(handle) = self.0.upgrade() {
            handle.driven.store(false, Ordering::Release);
        }
    }
}

fn closed() -> ApiError {
    ApiError::unavailable("this world has failed and is kept for inspection; reset it or make another")
}

fn mishap() -> ApiError {
    ApiError::server_error("the answer could not be made; nothing was changed by making it")
}

/// What a panic said.
pub(crate) fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without words".to_owned())
}
