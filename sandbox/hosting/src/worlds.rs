//! The worlds of a process: found by a partner's credentials, by an access token, or by id.
//!
//! Invariant: a `client_id` belongs to exactly one world; ids are never used again; what is bounded here (worlds, tokens)
//! cannot grow with the number of requests. Absent on purpose: anything a world decides.

pub mod capsule;
mod checkpoints;
pub mod dropped;
mod edge;
mod handle;
mod identity;
mod input_origin;
pub mod recovery;
mod server_parts;
mod snapshots;
mod subscribers;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use sim::World;
use sim::ids::{JourneyId, PartnerId};
use uuid::Uuid;

pub use self::edge::Edge;
use self::handle::Past;
pub use self::handle::{BranchBegin, Failure, SLICE, Watcher, WorldBranch, WorldHandle};
pub use self::identity::Identity;
use self::identity::IdentityParts;
use self::input_origin::InheritedHistory;
pub use self::input_origin::{ForkOf, InputOrigin, InputRequest, RequestPlace};
use self::server_parts::ServerParts;
pub use self::snapshots::{MOST_SNAPSHOTS, Snapshot, Snapshots};
pub use self::subscribers::Subscribers;
use crate::clock::Mode;
use crate::credentials::{Credentials, CredentialsOfWorld, Source};
use crate::decision::HostDecision;
use crate::journal::{ForkedEntry, MadeEntry, What, not_kept, unreadable};
use crate::log::WORLDS;
use crate::long_work::LongWork;
use crate::memory::Memory;
pub use crate::origin::{LONGEST_NAME, NewWorld, WorldOrigin};
use crate::quotas::{Owner, Quotas};
use crate::recording::{Forked, Reached};
use crate::secrets::{Links, Secret, ServerKey};
use crate::setup::SurfaceSetup;
use crate::snapshot_file;
use crate::telemetry::Telemetry;
use crate::tokens::{Expiry, Grant, Tokens};
use crate::world_id::WorldId;
use deliveries::egress_client::EgressClient;
use feed::input_log::{Pending, ready};
use feed::lineage::Point;
use feed::rights::Rights;
use feed::transport::TransportClock;
use wire::error::ApiError;

/// The name of a fork unless the request names it.
fn name_of_fork(of: &str) -> Arc<str> {
    let name: String = format!("fork of {of}").chars().take(LONGEST_NAME).collect();
    name.trim_end().into()
}

/// A partner found by its credentials.
#[derive(Clone)]
pub struct FoundPartner {
    /// The world that knows them.
    pub world: Arc<WorldHandle>,
    /// Its place among the partners of that world.
    pub index: usize,
}

/// The worlds. Clones share them.
#[derive(Clone)]
pub struct Worlds {
    shared: Arc<Shared>,
}

struct Shared {
    key: ServerKey,
    parts: ServerParts,
    incarnation: u32,
    /// Whether tokens of earlier servers may be alive, whose counts go on.
    tokens_last: bool,
    bounds: OnceLock<WorldBounds>,
    last: AtomicU64,
    seeds: AtomicU64,
    /// The last request of an earlier process that has changed something.
    requests: AtomicU64,
    registry: RwLock<Registry>,
    tokens: Tokens,
    public_url: Arc<OnceLock<String>>,
    quotas: Quotas,
    /// Whether no world takes inputs any more, nor does any that is still made.
    sealed: AtomicBool,
}

/// A world that was opened, and that nobody finds yet.
struct Opened {
    handle: Arc<WorldHandle>,
    place: ReservedWorld,
    /// The world that it was forked from.
    parent: Option<Arc<WorldHandle>>,
    /// What the journal says of it, if there is one.
    entry: Option<What<'static>>,
}

/// What a fork begins with.
struct Forking {
    name: Arc<str>,
    mode: Mode,
    surface: SurfaceSetup,
    point: Point,
    /// Its id, where it is known.
    id: Option<WorldId>,
}

/// A world whose partners are known, and that is found once the journal keeps it.
struct LettingIn {
    worlds: Worlds,
    handle: Arc<WorldHandle>,
    place: ReservedWorld,
    is_over: bool,
}

impl LettingIn {
    /// Lets the world in.
    fn end(mut self) -> Arc<WorldHandle> {
        self.is_over = true;
        let handle = Arc::clone(&self.handle);
        let mut registry = self.worlds.registry_mut();
        registry.give_back(self.place.maker);
        self.place.is_taken = true;
        registry.worlds.insert(handle.identity.id(), Arc::clone(&handle));
        drop(registry);
        handle.start_driving();
        handle
    }
}

impl Drop for LettingIn {
    fn drop(&mut self) {
        if !self.is_over {
            self.worlds.registry_mut().forget_partners(&self.handle);
        }
    }
}

/// What the journal says of a world that was made, or taken in from `snapshot`.
fn made_entry(handle: &WorldHandle, snapshot: Option<&[u8]>) -> Result<MadeEntry<'static>, ApiError> {
    let unwritable = |_| ApiError::server_error("the snapshot is not JSON");
    let snapshot =
        snapshot.map(|bytes| serde_json::from_slice(bytes).map(Cow::Owned).map_err(unwritable)).transpose()?;
    let WorldOrigin { setup, seed, start } = handle.identity.origin().clone();
    Ok(MadeEntry {
        world: handle.identity.id().number(),
        name: Arc::clone(handle.identity.name()),
        seed: seed.0,
        start,
        setup,
        mode: handle.mode(),
        surface: handle.surface(),
        credentials: handle.identity.kept_credentials(),
        maker: handle.identity.maker().map(|maker| (maker.world.number(), maker.partner)),
        snapshot,
    })
}

#[derive(Default)]
struct Registry {
    /// Places for worlds that are being made, and which partners make them.
    reserved: Vec<Option<Owner>>,
    worlds: IndexMap<WorldId, Arc<WorldHandle>, FxBuildHasher>,
    partners: IndexMap<Uuid, FoundPartner, FxBuildHasher>,
    /// Numbers of worlds whose secrets a world from a file has; no other world is given such a number.
    brought: BTreeSet<u64>,
    /// Worlds that the journal has and that could not be made again, with the reasons.
    unreadable: BTreeMap<WorldId, Unmade>,
}

/// A world that the journal has and that could not be made again.
#[derive(Default)]
struct Unmade {
    why: Box<str>,
    /// The client ids of its partners, where they are known.
    clients: Vec<Uuid>,
}

impl Registry {
    /// A place for a world that `maker` makes is no longer set aside.
    fn give_back(&mut self, maker: Option<Owner>) {
        if let Some(place) = self.reserved.iter().position(|reserved| *reserved == maker) {
            self.reserved.swap_remove(place);
        }
    }

    /// Worlds that `maker` has, those that are being made included.
    fn of(&self, maker: Owner) -> usize {
        let made = self.worlds.values().map(|world| world.identity.maker());
        made.chain(self.reserved.iter().copied()).filter(|known| *known == Some(maker)).count()
    }

    /// Whether the secrets that were made for the world of this number are free, where `last` is the last number that was
    /// given; they are a world's from now on.
    fn brings(&mut self, number: u64, last: u64) -> bool {
        number > last && self.brought.insert(number)
    }

    /// Whether nobody else has what the key makes for the world `id`: a setup may have named it, and a file brought it.
    fn is_free(&self, id: WorldId, credentials: &CredentialsOfWorld) -> bool {
        let mut made = credentials.ids_made_for(id);
        !self.brought.contains(&id.number()) && !made.any(|id| self.partners.contains_key(&id))
    }

    /// Partners of the world are found by their credentials.
    fn know_partners(&mut self, handle: &Arc<WorldHandle>) {
        for (index, credentials) in handle.identity.credentials().iter().enumerate() {
            self.partners.insert(credentials.client_id, FoundPartner { world: Arc::clone(handle), index });
        }
    }

    /// The credentials of the world's partners are free.
    fn forget_partners(&mut self, handle: &WorldHandle) {
        for credentials in handle.identity.credentials() {
            self.partners.shift_remove(&credentials.client_id);
        }
    }

    /// A world cannot be made again; the first reason counts.
    fn cannot_be_made(&mut self, id: WorldId, why: &str) {
        let unmade = self.unreadable.entry(id).or_default();
        if unmade.why.is_empty() {
            unmade.why = why.into();
        }
    }

    /// The partners of a world that cannot be made again have these client ids.
    fn has_clients(&mut self, number: u64, clients: Vec<Uuid>) {
        self.unreadable.entry(WorldId::from_number(number)).or_default().clients = clients;
    }

    /// The world that cannot be made again and whose partner has this client id.
    fn unmade_of(&self, client: Uuid) -> Option<&Unmade> {
        self.unreadable.values().find(|unmade| unmade.clients.contains(&client))
    }

    /// Lets a world in whose partners have these credentials.
    ///
    /// # Errors
    /// 409 when a client id is another partner's (rule: auth/named-credentials).
    fn admit(&self, credentials: &[Credentials]) -> Result<(), ApiError> {
        for (at, partner) in credentials.iter().enumerate() {
            let is_twice = credentials[..at].iter().any(|other| other.client_id == partner.client_id);
            let is_taken =
                self.partners.contains_key(&partner.client_id) || self.unmade_of(partner.client_id).is_some();
            if is_twice || is_taken {
                return Err(ApiError::conflict(format!(
                    "the clientId {} is taken by another partner",
                    partner.client_id
                )));
            }
        }
        Ok(())
    }
}

/// How many worlds may exist, and for how long unused ones do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorldBounds {
    /// Worlds at once.
    pub most: usize,
    /// A world that was not used for so long is dropped; never the one that the process began with.
    pub idle: Option<Duration>,
    /// Forks that one partner may have at once (rule: auth/quotas).
    pub forks: usize,
}

impl Default for WorldBounds {
    fn default() -> Self {
        Self { most: 1_000, idle: None, forks: 16 }
    }
}

/// How often a world is looked at while it goes idle.
const LOOKS: u32 = 10;
/// The world that a process begins with.
const FIRST: WorldId = WorldId::from_number(1);

/// A place for a world that is being made, reserved so that no world is made and then refused.
pub struct ReservedWorld {
    shared: Arc<Shared>,
    maker: Option<Owner>,
    is_taken: bool,
}

impl Drop for ReservedWorld {
    fn drop(&mut self) {
        if !self.is_taken {
            self.shared.registry.write().unwrap_or_else(PoisonError::into_inner).give_back(self.maker);
        }
    }
}

impl Worlds {
    /// No worlds yet. Secrets come from `key`; periods go by `clock`.
    #[must_use]
    pub fn new(key: ServerKey, clock: TransportClock) -> Self {
        Self::incarnation(key, clock, 0)
    }

    /// As `new`, for a server that was started with the same key before: tokens and instance ids are none of the
    /// earlier ones, while credentials stay.
    #[must_use]
    pub fn incarnation(key: ServerKey, clock: TransportClock, incarnation: u32) -> Self {
        Self::with(key, clock, incarnation, false)
    }

    /// As `incarnation`, for a server that makes the worlds of a journal again: tokens of the earlier ones are alive.
    #[must_use]
    pub fn continuing(key: ServerKey, clock: TransportClock, incarnation: u32) -> Self {
        Self::with(key, clock, incarnation, true)
    }

    fn with(key: ServerKey, clock: TransportClock, incarnation: u32, tokens_last: bool) -> Self {
        let shared = Shared {
            key,
            parts: ServerParts::new(clock),
            incarnation,
            tokens_last,
            bounds: OnceLock::new(),
            last: AtomicU64::new(0),
            seeds: AtomicU64::new(0),
            requests: AtomicU64::new(0),
            registry: RwLock::default(),
            tokens: Tokens::default(),
            public_url: Arc::default(),
            quotas: Quotas::default(),
            sealed: AtomicBool::new(false),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Opens the way out for deliveries, once; those that wait are sent.
    pub fn open_egress(&self, egress_client: EgressClient) {
        if self.shared.parts.egress_client.set(egress_client).is_ok() {
            self.all().iter().for_each(|world| world.subscribers.deliveries.resume());
        }
    }

    /// Sets the log and the metrics, once.
    pub fn observe(&self, telemetry: Telemetry) {
        self.shared.parts.telemetry.get_or_init(|| telemetry);
    }

    /// The number of the last request that an earlier process has answered and the journal names; 0 without one.
    #[must_use]
    pub fn last_request(&self) -> u64 {
        self.shared.requests.load(Ordering::Relaxed)
    }

    /// Why nothing is kept any more of what happens, if the journal has failed.
    #[must_use]
    pub fn journal_failure(&self) -> Option<String> {
        self.shared.parts.journal.get()?.failure()
    }

    /// Writes into the journal, if there is one, that the server ends as it should.
    pub async fn stopped(&self) {
        if let Some(writer) = self.shared.parts.journal.get() {
            // A journal that has failed has said so.
            drop(writer.append(What::Stopped).await);
        }
    }

    /// Says where long work is done, once.
    pub fn set_work(&self, work: LongWork) {
        self.shared.parts.work.get_or_init(|| work);
    }

    /// Where long work is done.
    pub fn work(&self) -> LongWork {
        self.shared.parts.work()
    }

    /// Says how much memory worlds may take, once.
    pub fn set_memory(&self, memory: Memory) {
        self.shared.parts.memory.get_or_init(|| memory);
    }

    /// What partners hold of what all of them share.
    pub fn quotas(&self) -> &Quotas {
        &self.shared.quotas
    }

    /// How much memory worlds may take.
    pub fn memory(&self) -> Memory {
        self.shared.parts.memory()
    }

    /// Refuses inputs from now on, in all worlds and in those that are being made.
    pub fn seal(&self) {
        let registry = self.registry_mut();
        self.shared.sealed.store(true, Ordering::Release);
        registry.worlds.values().for_each(|world| world.seal());
    }

    /// Delivers nothing more, since another process does.
    pub fn end_deliveries(&self) {
        self.all().iter().for_each(|world| world.ends_deliveries());
    }

    /// Ends all that runs in them, since another process continues: no inputs, no deliveries, no sockets. Worlds that anybody still
    /// reads stay as they are.
    pub fn abandon(&self) {
        self.seal();
        self.all().iter().for_each(|world| world.retire());
    }

    /// Says what links begin with, once.
    pub fn set_public_url(&self, public_url: &str) {
        self.shared.public_url.get_or_init(|| public_url.to_owned());
    }

    /// Sets, once, how many worlds may exist and for how long unused ones do.
    pub fn set_bounds(&self, bounds: WorldBounds) {
        self.shared.bounds.get_or_init(|| bounds);
    }

    fn bounds(&self) -> WorldBounds {
        self.shared.bounds.get().copied().unwrap_or_default()
    }

    /// The transport clock.
    #[must_use]
    pub fn clock(&self) -> &TransportClock {
        &self.shared.parts.clock
    }

    /// The tokens of all worlds.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn tokens(&self) -> &Tokens {
        &self.shared.tokens
    }

    /// Issues a token to a partner of `world` and answers it with its life in seconds; `None` when the world has just
    /// been dropped.
    ///
    /// # Errors
    /// 503 when the journal does not keep it.
    pub async fn issue_token(
        &self,
        world: &WorldHandle,
        partner: PartnerId,
        rights: Rights,
    ) -> Result<Option<(Uuid, u64)>, ApiError> {
        world.check_readable()?;
        let settings = world.edge.settings();
        let expires = if settings.virtual_transport {
            Expiry::World(world.world_time().plus(settings.token_life))
        } else {
            Expiry::Transport(self.shared.parts.clock.now().plus(settings.token_life))
        };
        let (count, token) = world.identity.new_token();
        if let Some(writer) = self.shared.parts.journal.get() {
            let world = world.identity.id().number();
            let (expires, by_world) = expires.parts();
            let issued = What::Issued { world, partner, count, rights: rights.bits(), expires, by_world };
            writer.append(issued).await.map_err(not_kept)?;
        }
        let is_issued = self.admit_token(world, Grant { token, world: world.identity.id(), partner, rights, expires });
        Ok(is_issued.then_some((token, settings.token_life.as_secs())))
    }

    fn admit_token(&self, world: &WorldHandle, grant: Grant) -> bool {
        let clock = &self.shared.parts.clock;
        let is_over = |expires: Expiry| expires.is_over(clock, || world.world_time());
        let most = world.edge.settings().tokens_per_partner;
        self.shared.tokens.issue(grant, most, is_over, || world.is_dropped())
    }

    /// The world and the partner that the token `text` was issued to, with what it may do, while it is alive.
    pub fn bearer(&self, text: &str) -> Option<(Arc<WorldHandle>, PartnerId, Rights)> {
        let grant = self.shared.tokens.find(text)?;
        let world = self.get(grant.world)?;
        let is_over = grant.expires.is_over(&self.shared.parts.clock, || world.world_time());
        (!is_over).then_some((world, grant.partner, grant.rights))
    }

    /// The world and the partner of a token that has ended, while it is remembered.
    pub fn ended_bearer(&self, text: &str) -> Option<(Arc<WorldHandle>, PartnerId)> {
        let grant = self.shared.tokens.find(text)?;
        Some((self.get(grant.world)?, grant.partner))
    }

    fn registry(&self) -> RwLockReadGuard<'_, Registry> {
        self.shared.registry.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn registry_mut(&self) -> RwLockWriteGuard<'_, Registry> {
        self.shared.registry.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for one more world.
    ///
    /// # Errors
    /// 503 when there are too many, those that are being made included, or the server has no memory for more.
    pub fn reserve(&self) -> Result<ReservedWorld, ApiError> {
        self.reserve_for(None)
    }

    /// As `reserve`, for a fork that `maker` makes of its world.
    ///
    /// # Errors
    /// As `reserve`; 409 when the partner has as many forks as it may have.
    pub fn reserve_for(&self, maker: Option<Owner>) -> Result<ReservedWorld, ApiError> {
        self.memory().admits_more(0)?;
        let mut registry = self.registry_mut();
        let WorldBounds { most, forks, .. } = self.bounds();
        if maker.is_some_and(|maker| registry.of(maker) >= forks) {
            return Err(ApiError::conflict(format!("a partner may have {forks} forks at once; drop one first")));
        }
        if registry.worlds.len() + registry.reserved.len() >= most {
            return Err(ApiError::unavailable(format!("there are {most} worlds already; drop one first")));
        }
        registry.reserved.push(maker);
        Ok(ReservedWorld { shared: Arc::clone(&self.shared), maker, is_taken: false })
    }

    /// Makes a world from its origin, where long work is done.
    ///
    /// # Errors
    /// 400 when the setup is wrong; 503 when there are too many worlds, or the journal does not keep it.
    pub async fn make(&self, new: NewWorld) -> Result<Arc<WorldHandle>, ApiError> {
        let place = self.reserve()?;
        let _set_aside = new.origin.set_aside(&self.memory())?;
        let origin = new.origin.clone();
        let world = self.work().carry_out(move || origin.world()).await?;
        self.let_in(self.opened_at_start(place, new, world, None)?).await
    }

    /// A fork of `handle` as it is, with credentials of its own; its lineage leads to the same start.
    ///
    /// # Errors
    /// 503 when the world has failed or there are too many.
    pub async fn fork(&self, handle: &Arc<WorldHandle>, name: Option<Arc<str>>) -> Result<Arc<WorldHandle>, ApiError> {
        let place = self.reserve()?;
        self.fork_as(place, handle, handle.present_state()?, name).await
    }

    /// As `fork`, of `handle` as it was at a point of its past, when it was like the world beside it.
    ///
    /// # Errors
    /// As `fork`.
    pub async fn fork_as(
        &self,
        place: ReservedWorld,
        handle: &Arc<WorldHandle>,
        (point, mut world): (Point, World),
        name: Option<Arc<str>>,
    ) -> Result<Arc<WorldHandle>, ApiError> {
        world.separate();
        let (past, surface) = handle.past_for_fork(point, &world)?;
        handle.decide(&HostDecision::Fork).await?;
        let name = name.unwrap_or_else(|| name_of_fork(handle.identity.name()));
        let fork = Forking { name, mode: handle.mode(), surface, point, id: None };
        self.let_in(self.forked(place, handle, past, world, fork)).await
    }

    /// A fork of `handle` that begins as `world`, and is not let in yet.
    fn forked(
        &self,
        place: ReservedWorld,
        handle: &Arc<WorldHandle>,
        past: Past,
        mut world: World,
        forking: Forking,
    ) -> Opened {
        let Forking { name, mode, surface, point, id } = forking;
        world.forget_events();
        let history = handle.history_for_fork(point.input, &world);
        let reached = Reached { input: point.input.0, now: world.now() };
        let is_abandoned = handle.lineage().has_left(point);
        let maker = place.maker.map(|maker| (maker.world.number(), maker.partner));
        let (credentials, origin) = (Source::default(), handle.identity.origin().clone());
        let new = NewWorld { name: Some(Arc::clone(&name)), origin, mode, surface: surface.clone(), credentials };
        let opened = self.opened(place, new, world, past, history, id);
        let fork = &opened.handle;
        fork.knows_clients_of(handle);
        let from = Forked { at: reached, is_abandoned, continues_after: fork.last_input() };
        fork.edge.recording.go_on_from(&handle.edge.recording, from, [handle.identity.given_out()]);
        let (world, of) = (fork.identity.id().number(), handle.identity.id().number());
        let entry = ForkedEntry { world, name, of, point, mode, surface, maker };
        let entry = self.shared.parts.journal.get().map(|_| What::Forked(Box::new(entry)));
        Opened { parent: Some(Arc::clone(handle)), entry, ..opened }
    }

    /// Takes `world` in, at any point after the origin of `new`.
    ///
    /// # Errors
    /// 503 when there are too many worlds, or the journal does not keep it.
    pub async fn take_in(&self, new: NewWorld, world: World) -> Result<Arc<WorldHandle>, ApiError> {
        let place = self.reserve()?;
        self.let_in(self.taken_in(place, new, world, None)?).await
    }

    fn taken_in(
        &self,
        place: ReservedWorld,
        new: NewWorld,
        world: World,
        id: Option<WorldId>,
    ) -> Result<Opened, ApiError> {
        let is_kept = self.shared.parts.journal.get().is_some();
        let snapshot = is_kept.then(|| snapshot_file::write(&new.origin, &world, None)).transpose()?;
        let past = Past::unknown(&world, &new.surface);
        let opened = self.opened(place, new, world, past, InheritedHistory::default(), id);
        opened.handle.edge.recording.is_imported();
        self.as_made(opened, snapshot.as_deref())
    }

    /// A world at its start, which is not let in yet.
    fn opened_at_start(
        &self,
        place: ReservedWorld,
        new: NewWorld,
        world: World,
        id: Option<WorldId>,
    ) -> Result<Opened, ApiError> {
        let past = Past::none(&world, &new.surface);
        self.as_made(self.opened(place, new, world, past, InheritedHistory::default(), id), None)
    }

    /// With what the journal says of a world that was made, or taken in from `snapshot`.
    fn as_made(&self, opened: Opened, snapshot: Option<&[u8]>) -> Result<Opened, ApiError> {
        let made = |_| made_entry(&opened.handle, snapshot).map(|made| What::Made(Box::new(made)));
        let entry = self.shared.parts.journal.get().map(made).transpose()?;
        Ok(Opened { entry, ..opened })
    }

    /// A world that is not let in yet.
    fn opened(
        &self,
        place: ReservedWorld,
        new: NewWorld,
        world: World,
        past: Past,
        history: InheritedHistory,
        id: Option<WorldId>,
    ) -> Opened {
        let NewWorld { name, origin, mode, surface, credentials } = new;
        let (id, credentials) = self.identify(credentials, &world, id);
        let InheritedHistory { fork_of, .. } = history;
        let identity = Identity::new(IdentityParts {
            id,
            name: name.unwrap_or_else(|| Arc::clone(&origin.setup.name)),
            origin,
            credentials,
            key: self.shared.key.clone(),
            links: Links::new(self.shared.key.clone(), id, Arc::clone(&self.shared.public_url)),
            maker: place.maker,
            fork_of,
            incarnation: self.shared.incarnation,
            tokens_last: self.shared.tokens_last,
        });
        let server = self.shared.parts.clone();
        let handle = WorldHandle::new(handle::Parts { identity, server, world, past, mode, surface, history });
        Opened { handle, place, parent: None, entry: None }
    }

    /// Writes into the journal, if there is one, that the world was made, and lets it in once that is kept.
    ///
    /// # Errors
    /// 409 when a client id is another partner's; 503 when the server is closing, or the journal does not keep it.
    async fn let_in(&self, opened: Opened) -> Result<Arc<WorldHandle>, ApiError> {
        let (begun, kept) = self.begin_to_let_in(opened)?;
        if self.shared.parts.journal.get().is_none() {
            return Ok(begun.end());
        }
        // It goes on when the caller no longer waits: the journal has the world.
        let letting_in = tokio::spawn(async move {
            kept.await.map_err(not_kept)?;
            Ok(begun.end())
        });
        letting_in.await.unwrap_or_else(|_| Err(ApiError::try_again("the server is closing", 2)))
    }

    fn begin_to_let_in(&self, opened: Opened) -> Result<(LettingIn, Pending<'static, ()>), ApiError> {
        let Opened { handle, place, parent, entry } = opened;
        let mut registry = self.registry_mut();
        if self.shared.sealed.load(Ordering::Acquire) {
            return Err(ApiError::try_again("the server is closing", 2));
        }
        registry.admit(handle.identity.credentials())?;
        registry.know_partners(&handle);
        let kept = match self.shared.parts.journal.get().zip(entry) {
            None => ready(Ok(())),
            Some((writer, entry)) => {
                let at = self.shared.parts.clock.now();
                let append = || writer.append_at(at, entry);
                // Nothing that drops the world that it was forked from comes before it.
                let kept = match &parent {
                    Some(parent) => parent.while_open(append).inspect_err(|_| registry.forget_partners(&handle))?,
                    None => append(),
                };
                handle.begins_at(at);
                handle.keep_in(writer);
                kept
            }
        };
        drop(registry);
        Ok((LettingIn { worlds: self.clone(), handle, place, is_over: false }, kept))
    }

    /// The id of a world that is being made, and the credentials of its partners (rule: auth/server-key).
    fn identify(&self, source: Source, world: &World, id: Option<WorldId>) -> (WorldId, CredentialsOfWorld) {
        let key = &self.shared.key;
        let mut registry = self.registry_mut();
        let source = match source {
            Source::File(kept) if kept.is_of(key) && id.is_some() => Source::File(kept),
            Source::File(kept)
                if kept.is_of(key) && registry.brings(kept.world(), self.shared.last.load(Ordering::Relaxed)) =>
            {
                Source::File(kept)
            }
            Source::File(kept) => Source::Setup(kept.ids_only()),
            setup => setup,
        };
        let partners = sim::query::partners(world).map(|partner| (partner.id, Arc::clone(&partner.name)));
        let partners: Vec<_> = partners.collect();
        if let Some(id) = id {
            self.shared.last.fetch_max(id.number(), Ordering::Relaxed);
            return (id, CredentialsOfWorld::new(key, id, &source, &partners));
        }
        loop {
            let id = WorldId::from_number(self.shared.last.fetch_add(1, Ordering::Relaxed) + 1);
            let credentials = CredentialsOfWorld::new(key, id, &source, &partners);
            let are_brought = matches!(&source, Source::File(kept) if kept.world() == id.number());
            if are_brought || registry.is_free(id, &credentials) {
                return (id, credentials);
            }
        }
    }

    /// Drops a world: its tokens and credentials mean nothing from then on, its sockets are closed.
    /// `false` when there is no such world.
    ///
    /// # Errors
    /// 503 when the journal does not keep it.
    pub async fn remove(&self, id: WorldId) -> Result<bool, ApiError> {
        let Some(handle) = self.get(id) else { return Ok(false) };
        let Some(writer) = self.shared.parts.journal.get() else { return Ok(self.drop_world(id)) };
        // Nothing that comes after it in the journal is answered.
        handle.seal();
        let kept = writer.append(What::Dropped(id.number()));
        let worlds = self.clone();
        let dropping = tokio::spawn(async move {
            kept.await.map_err(not_kept).inspect_err(|_| handle.unseal())?;
            Ok(worlds.drop_world(id))
        });
        dropping.await.unwrap_or_else(|_| Err(ApiError::try_again("the server is closing", 2)))
    }

    fn drop_world(&self, id: WorldId) -> bool {
        let mut registry = self.registry_mut();
        let Some(handle) = registry.worlds.shift_remove(&id) else { return false };
        registry.forget_partners(&handle);
        drop(registry);
        handle.retire();
        let partners = handle.identity.credentials().iter().map(|credentials| credentials.partner);
        self.shared.tokens.forget(id, partners);
        true
    }

    /// Drops the worlds that were not used for as long as the bounds say, but the first of all; answers which.
    pub async fn drop_idle(&self) -> Vec<WorldId> {
        let Some(idle) = self.bounds().idle else { return Vec::new() };
        let now = self.shared.parts.clock.now();
        let mut dropped = Vec::new();
        for world in self.all() {
            let id = world.identity.id();
            if id != FIRST
                && !world.is_unreadable()
                && world.is_idle(now, idle)
                && self.remove(id).await.is_ok_and(|is_dropped| is_dropped)
            {
                dropped.push(id);
            }
        }
        dropped
    }

    /// Drops idle worlds as long as the server serves; ends at once where none are to be dropped.
    pub async fn keep_dropping_idle(self, is_over: impl Fn() -> bool) {
        let Some(idle) = self.bounds().idle else { return };
        let period = (idle / LOOKS).clamp(Duration::from_secs(1), Duration::from_secs(60));
        while !is_over() {
            tokio::time::sleep(period).await;
            for id in self.drop_idle().await {
                tracing::info!(target: WORLDS, world = id.number(), "{id} was idle for {} s and is dropped", idle.as_secs());
            }
        }
    }

    /// The world with `id`.
    #[must_use]
    pub fn get(&self, id: WorldId) -> Option<Arc<WorldHandle>> {
        self.registry().worlds.get(&id).cloned()
    }

    /// A seed for a world that is made without one: random where the server key is.
    #[must_use]
    pub fn draw_seed(&self) -> u64 {
        self.shared.key.seed(self.shared.seeds.fetch_add(1, Ordering::Relaxed))
    }

    /// Why a world that was kept could not be made again, if that is so.
    #[must_use]
    pub fn why_unreadable(&self, id: WorldId) -> Option<ApiError> {
        let registry = self.registry();
        let unmade = registry.unreadable.get(&id).map(|unmade| unreadable(&unmade.why));
        unmade.or_else(|| registry.worlds.get(&id)?.check_readable().err())
    }

    /// Why the world of the partner with this `client_id` could not be made again, if that is so.
    #[must_use]
    pub fn why_unmade(&self, client: Uuid) -> Option<ApiError> {
        self.registry().unmade_of(client).map(|unmade| unreadable(&unmade.why))
    }

    /// The worlds that were kept and could not be made again, with the reasons.
    #[must_use]
    pub fn unreadable(&self) -> Vec<(WorldId, ApiError)> {
        let registry = self.registry();
        let ids: BTreeSet<_> = registry.unreadable.keys().chain(registry.worlds.keys()).copied().collect();
        drop(registry);
        ids.into_iter().filter_map(|id| Some((id, self.why_unreadable(id)?))).collect()
    }

    /// The oldest world that has not failed.
    #[must_use]
    pub fn oldest_well(&self) -> Option<Arc<WorldHandle>> {
        self.registry().worlds.values().find(|world| world.failure().is_none()).cloned()
    }

    /// All worlds, oldest first.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<WorldHandle>> {
        self.registry().worlds.values().cloned().collect()
    }

    /// The oldest world.
    ///
    /// # Errors
    /// 503 when there is none.
    pub fn default_world(&self) -> Result<Arc<WorldHandle>, ApiError> {
        let first = self.registry().worlds.first().map(|(_, handle)| Arc::clone(handle));
        first.ok_or_else(|| ApiError::unavailable("there is no world"))
    }

    /// The token in the link of a journey of `world`.
    #[must_use]
    pub fn journey_token(&self, world: WorldId, journey: JourneyId) -> Secret {
        self.shared.key.journey_token(world, journey)
    }

    /// The world and the journey that a link's token opens; the journey may be gone.
    #[must_use]
    pub fn journey(&self, token: &str) -> Option<(Arc<WorldHandle>, JourneyId)> {
        let (world, journey) = self.shared.key.read_journey_token(token)?;
        Some((self.get(world)?, journey))
    }

    /// The token of a form on a journey's page.
    pub fn form_token(&self, link: &str, page: &str) -> Secret {
        self.shared.key.form_token(link, page)
    }

    /// The partner with this `client_id`.
    pub fn partner(&self, client_id: Uuid) -> Option<FoundPartner> {
        self.registry().partners.get(&client_id).cloned()
    }
}

impl fmt::Debug for Worlds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.all()).finish()
    }
}

#[cfg(test)]
mod tests;
