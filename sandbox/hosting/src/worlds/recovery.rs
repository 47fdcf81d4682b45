//! Worlds made again from a journal.
//!
//! Invariant: entries are done again in order, on the way on which they happened, and nothing that is done again is written or
//! answered; until the last one has been, no world takes inputs and no clock goes on by itself. A world that fails on the way
//! failed there before. An entry that cannot be done again stops its world there, and no other: it answers 503, and nothing is
//! written of it, so that a build that can do it continues. Absent on purpose: where entries come from.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use sim::ids::PartnerId;
use sim::input::RulesVersion;
use sim::rng::Seed;
use sim::setup::Setup;

use super::{Forking, LettingIn, NewWorld, Opened, Owner, ReservedWorld, WorldHandle, WorldOrigin, Worlds, made_entry};
use crate::clock::Mode;
use crate::credentials::{CredentialsOfWorld, Kept, Source};
use crate::journal::{
    Counts, Entry, ForkedEntry, InputEntry, MadeEntry, SnapshotEntry, Unreadable, What, Writer, route,
};
use crate::log::WORLDS;
use crate::memory::Memory;
use crate::snapshot_file::{self, Brought};
use crate::tokens::{Expiry, Grant};
use crate::world_id::WorldId;
use feed::input_log::About;
use feed::rights::Rights;
use feed::transport::TransportTime;
use wire::error::ApiError;

/// Why the worlds of a journal cannot be made again.
#[derive(Debug)]
pub struct Unrecoverable(String);

impl fmt::Display for Unrecoverable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unrecoverable {}

impl From<String> for Unrecoverable {
    fn from(why: String) -> Self {
        Self(why)
    }
}

/// A snapshot of a world of other rules.
struct Taken {
    /// As the journal has it.
    entry: Vec<u8>,
    /// When it was taken.
    at: TransportTime,
    /// How many tokens the world had issued.
    tokens: u64,
}

/// The word of an entry of a world that was made.
const MADE: &str = "made";

/// Worlds that are being made again. Entries are handed in one after the other.
pub struct Recovery<'w> {
    worlds: &'w Worlds,
    /// Worlds that are not made.
    skipped: BTreeSet<u64>,
    /// Worlds that follow rules of an earlier build, which this one does not carry out.
    of_other_rules: BTreeSet<u64>,
    /// The last snapshot of each of them, where nothing was done to the world since.
    snapshots: BTreeMap<u64, Taken>,
    /// When the last entry was made.
    last: TransportTime,
    /// How many entries were done again.
    entries: u64,
}

impl Worlds {
    /// Begins to make the worlds of a journal again, but those that are `skipped` (`dropped.rs`). No world takes inputs until that has
    /// ended.
    #[must_use]
    pub fn recover(&self, skipped: BTreeSet<u64>) -> Recovery<'_> {
        self.seal();
        Recovery {
            worlds: self,
            skipped,
            of_other_rules: BTreeSet::new(),
            snapshots: BTreeMap::new(),
            last: TransportTime(0),
            entries: 0,
        }
    }
}

impl Recovery<'_> {
    /// Does one entry again.
    ///
    /// # Errors
    /// When it cannot be read, and is of no world that could be stopped for that.
    pub fn redo(&mut self, entry: &[u8]) -> Result<(), Unrecoverable> {
        self.redo_read(entry, serde_json::from_slice(entry))
    }

    /// Does one entry again that somebody has read already, or found that it cannot be read.
    ///
    /// # Errors
    /// As `redo`.
    pub fn redo_read(&mut self, entry: &[u8], read: serde_json::Result<Entry<'_>>) -> Result<(), Unrecoverable> {
        self.entries += 1;
        let (world, done) = match read {
            Ok(Entry { at, what }) => {
                let (world, before) = (what.world(), self.last);
                self.last = before.max(at);
                self.counts(&what);
                let is_skipped = world.is_some_and(|world| self.skipped.contains(&world));
                (world, if is_skipped { Ok(()) } else { self.redo_what(entry, before, at, what) })
            }
            Err(error) => {
                let Unreadable { at, what, world, request } = Unreadable::of(entry);
                self.last = self.last.max(at.unwrap_or_default());
                self.worlds.shared.requests.fetch_max(request.unwrap_or(0), Ordering::Relaxed);
                self.worlds.shared.seeds.fetch_add(u64::from(what == MADE), Ordering::Relaxed);
                let is_skipped = world.is_some_and(|world| self.skipped.contains(&world));
                (world, if is_skipped { Ok(()) } else { Err(format!("it cannot be read: {error}")) })
            }
        };
        if let Some(world) = world {
            self.worlds.shared.last.fetch_max(world, Ordering::Relaxed);
        }
        if let Err(why) = done {
            let why = format!("record {}: {why}", self.entries);
            self.stop(world.ok_or_else(|| why.clone())?, &why);
        }
        Ok(())
    }

    /// Counts what is not given again, whether the world is made or not.
    fn counts(&self, what: &What<'_>) {
        let shared = &self.worlds.shared;
        match what {
            What::Made(made) => {
                shared.seeds.fetch_add(1, Ordering::Relaxed);
                if made.credentials.is_of(&shared.key) {
                    // What came with a world may have been the secrets of another number.
                    let last = shared.last.load(Ordering::Relaxed);
                    self.worlds.registry_mut().brings(made.credentials.world(), last);
                }
            }
            What::Input(input) => drop(shared.requests.fetch_max(input.request.unwrap_or(0), Ordering::Relaxed)),
            _ => {}
        }
    }

    fn redo_what(
        &mut self,
        entry: &[u8],
        before: TransportTime,
        at: TransportTime,
        what: What<'_>,
    ) -> Result<(), String> {
        match what {
            What::Started { clocks_stood, .. } => self.started(before, at, clocks_stood),
            What::Stopped => {}
            What::Made(made) => {
                if made.setup.rules != RulesVersion::CURRENT {
                    self.of_other_rules.insert(made.world);
                }
                let (world, setup, credentials) = (made.world, Arc::clone(&made.setup), made.credentials.clone());
                let made = self.made(*made);
                made.inspect_err(|_| self.has_clients(world, &setup, credentials))?.begins_at(at);
            }
            What::Forked(fork) => {
                if self.of_other_rules.contains(&fork.of) {
                    self.of_other_rules.insert(fork.world);
                }
                self.forked(*fork)?.begins_at(at);
            }
            What::Dropped(world) => {
                let id = WorldId::from_number(world);
                self.worlds.registry_mut().unreadable.remove(&id);
                self.snapshots.remove(&world);
                self.worlds.drop_world(id);
            }
            What::Input(InputEntry { world, position, request, route: pattern, input }) => {
                self.snapshots.remove(&world);
                if let Some(world) = self.world(world) {
                    let request = request.map(|request| (request, pattern.as_deref().map(route)));
                    world.redo_input(position, input.into_owned(), About { received: at, request })?;
                }
            }
            What::Issued { world, partner, count, rights, expires, by_world } => {
                if let Some(snapshot) = self.snapshots.get_mut(&world) {
                    snapshot.tokens = snapshot.tokens.max(count + 1);
                }
                if let Some(world) = self.world(world) {
                    let expires = Expiry::from_parts(expires, by_world);
                    self.issued(&world, partner, count, Rights::from_bits(rights), expires);
                }
            }
            What::Judged { world, rule, era } => {
                if let Some(world) = self.world(world) {
                    world.edge.faults.redo_judged(rule, era);
                }
            }
            What::Delivery(world, change) => {
                if let Some(world) = self.world(world) {
                    world.redo_delivery(change);
                }
            }
            What::Snapshot(snapshot) => {
                if self.of_other_rules.contains(&snapshot.made.world) {
                    let taken = Taken { entry: entry.to_vec(), at, tokens: snapshot.counts.tokens };
                    self.snapshots.insert(snapshot.made.world, taken);
                }
            }
            What::Adopted { world, rules } => self.adopted(world, rules, at)?,
            What::Numbered { last, made, requests, brought } => {
                self.worlds.shared.last.fetch_max(last, Ordering::Relaxed);
                self.worlds.shared.seeds.fetch_add(made, Ordering::Relaxed);
                self.worlds.shared.requests.fetch_max(requests, Ordering::Relaxed);
                self.worlds.registry_mut().brought.extend(brought);
            }
        }
        Ok(())
    }

    /// A world cannot be made again from here on, nor does a snapshot from before lead past this.
    fn stop(&mut self, number: u64, why: &str) {
        self.snapshots.remove(&number);
        let id = WorldId::from_number(number);
        if let Some(world) = self.worlds.get(id) {
            world.cannot_go_on(why);
        } else {
            self.worlds.registry_mut().cannot_be_made(id, why);
        }
    }

    /// The partners of a world that cannot be made have their client ids all the same.
    fn has_clients(&self, number: u64, setup: &Setup, credentials: Kept) {
        let partners = setup.partners.iter().map(|partner| (PartnerId::from_u128(0), Arc::clone(&partner.name)));
        let (id, source) = (WorldId::from_number(number), Source::File(credentials));
        let made = CredentialsOfWorld::new(&self.worlds.shared.key, id, &source, &partners.collect::<Vec<_>>());
        let clients = made.partners.into_iter().map(|partner| partner.client_id).collect();
        self.worlds.registry_mut().has_clients(number, clients);
    }

    /// A world of other rules continues by `rules`, from its last snapshot.
    fn adopted(&mut self, number: u64, rules: u32, at: TransportTime) -> Result<(), String> {
        if rules != u32::from(RulesVersion::CURRENT) {
            return Err(format!("it continues by rules of version {rules}"));
        }
        if !self.of_other_rules.contains(&number) {
            return Err("it follows these rules already".to_owned());
        }
        let Taken { entry, at: taken, tokens } =
            self.snapshots.remove(&number).ok_or("it has no snapshot to continue from")?;
        let Ok(Entry { what: What::Snapshot(snapshot), .. }) = serde_json::from_slice(&entry) else {
            return Err("its snapshot cannot be read".to_owned());
        };
        let SnapshotEntry { made, shows, counts } = *snapshot;
        let is_real = made.mode == Mode::REAL;
        let world = self.remade(made, snapshot_file::read_adopting_rules)?;
        self.worlds.registry_mut().unreadable.remove(&WorldId::from_number(number));
        self.of_other_rules.remove(&number);
        world.begins_at(at);
        // A real clock has gone on meanwhile; a paced one stood, as it does while no server runs.
        world.shows(shows, if is_real { taken } else { at });
        world.identity.continues_after(tokens.max(counts.tokens));
        world.subscribers.deliveries.continues_after((counts.webhooks, counts.tests));
        Ok(())
    }

    /// Lets worlds continue by the rules of this build that were made by those of another, and that have a snapshot which nothing came
    /// after; writes that with `writer`. Answers their numbers, with why it was not possible where it was not.
    pub async fn adopt(&mut self, writer: &Writer) -> Vec<(WorldId, Result<(), String>)> {
        let at = self.last;
        let rules = u32::from(RulesVersion::CURRENT);
        let worlds: Vec<u64> = self.snapshots.keys().copied().collect();
        let mut adopted = Vec::new();
        for world in worlds {
            let done = match self.adopted(world, rules, at) {
                Ok(()) => writer.append_at(at, What::Adopted { world, rules }).await.map_err(|error| error.to_string()),
                Err(why) => {
                    self.stop(world, &why);
                    Err(why)
                }
            };
            adopted.push((WorldId::from_number(world), done));
        }
        adopted
    }

    /// Of each world that could be made again, by its number: the entry of its state, from which a build of other rules can
    /// continue. Each was read back and is the world that was written.
    pub fn entries_of_snapshots(&self) -> impl Iterator<Item = (WorldId, Result<Vec<u8>, String>)> {
        let readable = self.worlds.all().into_iter().filter(|world| !world.is_unreadable());
        readable.map(|world| (world.identity.id(), self.entry_of_snapshot(&world)))
    }

    fn entry_of_snapshot(&self, world: &WorldHandle) -> Result<Vec<u8>, String> {
        let words = |error: ApiError| error.description;
        let state = world.copy().map_err(words)?;
        let file = snapshot_file::write(world.identity.origin(), &state, None).map_err(words)?;
        let again = snapshot_file::read(&file, &Memory::default()).map_err(words)?;
        if again.world.digest() != state.digest() {
            return Err("what was written is another world when it is read back".to_owned());
        }
        let made = made_entry(world, Some(&file)).map_err(words)?;
        let (webhooks, tests) = world.subscribers.deliveries.counts();
        let counts = Counts { tokens: world.identity.tokens_issued(), webhooks, tests };
        let what = What::Snapshot(Box::new(SnapshotEntry { made, shows: world.shown(self.last), counts }));
        Ok(Entry { at: self.last, what }.write())
    }

    /// When the last entry was made that was done again.
    #[must_use]
    pub const fn last(&self) -> TransportTime {
        self.last
    }

    /// All entries were done again: what happens from now on is written by `writer`, and worlds take inputs. Paced clocks stood
    /// since the last entry, or went on. Answers how many entries there were. Where the journal keeps nothing any more, worlds can be
    /// read, and all that changes them is answered 503.
    pub async fn end(self, writer: Writer, clocks_stood: bool) -> u64 {
        let Self { worlds, last, entries, .. } = self;
        let shared = &worlds.shared;
        // What was shown before by another clock does not come again.
        let behind = shared.parts.clock.not_before(last);
        if !behind.is_zero() {
            tracing::warn!(
                target: WORLDS,
                "this machine's clock is {} ms behind what is kept of it; it is read as so much more",
                behind.as_millis()
            );
        }
        let now = shared.parts.clock.now();
        let started = What::Started { rules: RulesVersion::CURRENT.into(), clocks_stood };
        let kept = writer.append_at(now, started);
        if entries > 0 && clocks_stood {
            worlds.all().iter().for_each(|world| world.stood(last, now));
        }
        // A journal that has failed says so to everybody who asks for a change.
        drop(kept.await);
        for world in worlds.all() {
            // Nothing is written of a world that another build continues.
            if !world.is_unreadable() {
                world.keep_in(&writer);
            }
        }
        shared.parts.journal.get_or_init(|| writer);
        let registry = worlds.registry_mut();
        shared.sealed.store(false, Ordering::Release);
        let all: Vec<_> = registry.worlds.values().cloned().collect();
        drop(registry);
        for world in &all {
            // Its callers have used another process.
            world.is_used(now);
            world.unseal();
        }
        entries
    }

    /// The world of this number; none when it was dropped.
    fn world(&self, number: u64) -> Option<Arc<WorldHandle>> {
        self.worlds.get(WorldId::from_number(number))
    }

    fn started(&self, before: TransportTime, at: TransportTime, clocks_stood: bool) {
        if clocks_stood && self.entries > 1 {
            self.worlds.all().iter().for_each(|world| world.stood(before, at));
        }
    }

    fn place(&self, maker: Option<Owner>) -> ReservedWorld {
        self.worlds.registry_mut().reserved.push(maker);
        ReservedWorld { shared: Arc::clone(&self.worlds.shared), maker, is_taken: false }
    }

    fn made(&self, made: MadeEntry<'_>) -> Result<Arc<WorldHandle>, String> {
        self.remade(made, snapshot_file::read)
    }

    /// A world as it was made, or as it is in a snapshot file that `read` reads.
    fn remade(
        &self,
        made: MadeEntry<'_>,
        read: impl FnOnce(&[u8], &Memory) -> Result<Brought, ApiError>,
    ) -> Result<Arc<WorldHandle>, String> {
        let MadeEntry { world: number, name, seed, start, setup, mode, surface, credentials, maker, snapshot } = made;
        let words = |error: ApiError| error.description;
        let origin = WorldOrigin { setup, seed: Seed(seed), start };
        let (origin, world) = match &snapshot {
            Some(file) => {
                let Brought { origin, world, .. } = read(file.get().as_bytes(), &Memory::default()).map_err(words)?;
                (origin, world)
            }
            None => {
                let world = origin.world().map_err(words)?;
                (origin, world)
            }
        };
        let maker = maker.map(|(world, partner)| Owner { world: WorldId::from_number(world), partner });
        let new = NewWorld { name: Some(name), origin, mode, surface, credentials: Source::File(credentials) };
        let (place, id) = (self.place(maker), Some(WorldId::from_number(number)));
        let opened = match snapshot {
            Some(_) => self.worlds.taken_in(place, new, world, id),
            None => self.worlds.opened_at_start(place, new, world, id),
        };
        Ok(self.let_in(opened.map_err(words)?))
    }

    fn forked(&self, forked: ForkedEntry) -> Result<Arc<WorldHandle>, String> {
        let ForkedEntry { world, name, of, point, mode, surface, maker } = forked;
        let unmade = |why: &str| format!("world-{of}, from which it was forked: {why}");
        let parent = self.world(of).ok_or_else(|| unmade("it could not be made"))?;
        if parent.is_unreadable() && point.input.0 > parent.last_input() {
            return Err(unmade("what it was then could not be made"));
        }
        let begin = parent.as_it_was(point).map_err(|error| unmade(&error.description))?;
        let (past, _) = parent.past_for_fork(point, &begin).map_err(|error| unmade(&error.description))?;
        let past = past.with_surface(&surface);
        let maker = maker.map(|(world, partner)| Owner { world: WorldId::from_number(world), partner });
        let forking = Forking { name, mode, surface, point, id: Some(WorldId::from_number(world)) };
        Ok(self.let_in(self.worlds.forked(self.place(maker), &parent, past, begin, forking)))
    }

    /// Lets a world in again that the journal has.
    fn let_in(&self, opened: Opened) -> Arc<WorldHandle> {
        let Opened { handle, place, .. } = opened;
        self.worlds.registry_mut().know_partners(&handle);
        handle.seal();
        LettingIn { worlds: self.worlds.clone(), handle, place, is_over: false }.end()
    }

    fn issued(&self, world: &Arc<WorldHandle>, partner: PartnerId, count: u64, rights: Rights, expires: Expiry) {
        let token = world.identity.issued_before(count);
        let grant = Grant { token, world: world.identity.id(), partner, rights, expires };
        let most = world.edge.settings().tokens_per_partner;
        // What is over by a world's clock is decided by that, once it goes.
        let is_over = |expires: Expiry| matches!(expires, Expiry::Transport(at) if at <= self.last);
        self.worlds.shared.tokens.issue(grant, most, is_over, || false);
    }
}
