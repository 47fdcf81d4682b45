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

use super::{
    Forking, LettingIn, NewWorld, Opened, Owner, ReservedWorld, Shared, WorldHandle, WorldOrigin, Worlds, made_entry,
};
use crate::credentials::{Kept, Source};
use crate::journal::{Entry, ForkedEntry, InputEntry, MadeEntry, What, Writer, route, world_of};
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

/// Worlds that are being made again. Entries are handed in one after the other.
pub struct Recovery<'w> {
    worlds: &'w Worlds,
    /// Worlds that are not made.
    skipped: BTreeSet<u64>,
    /// The last snapshot of each world that this build cannot make again, where nothing was done to the world since.
    snapshots: BTreeMap<u64, Vec<u8>>,
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
        Recovery { worlds: self, skipped, snapshots: BTreeMap::new(), last: TransportTime(0), entries: 0 }
    }
}

impl Recovery<'_> {
    /// Does one entry again.
    ///
    /// # Errors
    /// When it cannot be read, and is of no world that could be stopped for that.
    pub fn redo(&mut self, entry: &[u8]) -> Result<(), Unrecoverable> {
        self.entries += 1;
        let read: Result<Entry<'_>, _> = serde_json::from_slice(entry);
        let Entry { at, what } = match read {
            Ok(entry) => entry,
            Err(error) => {
                let unreadable = || format!("record {} cannot be read: {error}", self.entries);
                let world = world_of(entry).ok_or_else(unreadable)?;
                if !self.skipped.contains(&world) {
                    self.stop(world, &unreadable());
                }
                return Ok(());
            }
        };
        let before = self.last;
        self.last = before.max(at);
        let world = what.world().filter(|world| !self.skipped.contains(world));
        match (self.redo_what(entry, before, at, what), world) {
            (Err(why), Some(world)) => self.stop(world, &format!("record {}: {why}", self.entries)),
            (done, _) => done.map_err(|why| format!("record {}: {why}", self.entries))?,
        }
        Ok(())
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
                self.worlds.shared.seeds.fetch_add(1, Ordering::Relaxed);
                self.is_brought(&made.credentials);
                self.is_numbered(made.world);
                if !self.skipped.contains(&made.world) {
                    self.made(*made)?.begins_at(at);
                }
            }
            What::Forked(forked) => {
                self.is_numbered(forked.world);
                if !self.skipped.contains(&forked.world) {
                    self.forked(*forked)?.begins_at(at);
                }
            }
            What::Dropped(world) => {
                let id = WorldId::from_number(world);
                self.worlds.registry_mut().unreadable.remove(&id);
                self.snapshots.remove(&world);
                self.worlds.drop_world(id);
            }
            What::Input(InputEntry { world, position, request, route: pattern, input }) => {
                self.worlds.shared.requests.fetch_max(request.unwrap_or(0), Ordering::Relaxed);
                self.snapshots.remove(&world);
                if let Some(world) = self.world(world) {
                    let request = request.map(|request| (request, pattern.as_deref().map(route)));
                    world.redo_input(position, input.into_owned(), About { received: at, request })?;
                }
            }
            What::Issued { world, partner, count, rights, expires, by_world } => {
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
            What::Snapshot(made) => {
                if self.is_unreadable(made.world) {
                    self.snapshots.insert(made.world, entry.to_vec());
                }
            }
            What::Adopted { world, rules } => self.adopted(world, rules, at)?,
            What::Numbered { last, made, requests, brought } => {
                self.is_numbered(last);
                self.worlds.shared.seeds.fetch_add(made, Ordering::Relaxed);
                self.worlds.shared.requests.fetch_max(requests, Ordering::Relaxed);
                self.worlds.registry_mut().brought.extend(brought);
            }
        }
        Ok(())
    }

    /// A world cannot be made again from here on.
    fn stop(&self, number: u64, why: &str) {
        self.is_numbered(number);
        let id = WorldId::from_number(number);
        if let Some(world) = self.worlds.get(id) {
            world.cannot_go_on(why);
        } else {
            self.worlds.registry_mut().unreadable.entry(id).or_insert_with(|| why.into());
        }
    }

    fn is_unreadable(&self, number: u64) -> bool {
        let id = WorldId::from_number(number);
        self.world(number)
            .map_or_else(|| self.worlds.registry().unreadable.contains_key(&id), |world| world.is_unreadable())
    }

    /// A world continues by other rules, from its last snapshot.
    fn adopted(&mut self, number: u64, rules: u32, at: TransportTime) -> Result<(), String> {
        if rules != u32::from(RulesVersion::CURRENT) {
            return Err(format!("it continues by rules of version {rules}"));
        }
        if !self.is_unreadable(number) {
            return Ok(());
        }
        let entry = self.snapshots.remove(&number).ok_or("it has no snapshot to continue from")?;
        let Ok(Entry { what: What::Snapshot(made), .. }) = serde_json::from_slice(&entry) else {
            return Err("its snapshot cannot be read".to_owned());
        };
        let id = WorldId::from_number(number);
        self.worlds.drop_world(id);
        self.worlds.registry_mut().unreadable.remove(&id);
        let made = self.remade(*made, snapshot_file::read_adopting_rules);
        made?.begins_at(at);
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
        Ok(Entry { at: self.last, what: What::Snapshot(Box::new(made)) }.write())
    }

    /// No world is given the secrets that came with a world, which may have been those of another number.
    fn is_brought(&self, credentials: &Kept) {
        let Shared { key, last, .. } = &*self.worlds.shared;
        if credentials.is_of(key) {
            self.worlds.registry_mut().brings(credentials.world(), last.load(Ordering::Relaxed));
        }
    }

    /// No world is given this number again.
    fn is_numbered(&self, number: u64) {
        self.worlds.shared.last.fetch_max(number, Ordering::Relaxed);
    }

    /// All entries were done again: what happens from now on is written by `writer`, and worlds take inputs. Paced clocks stood
    /// since the last entry, or went on. Answers how many entries there were. Where the journal keeps nothing any more, worlds can be
    /// read, and all that changes them is answered 503.
    pub async fn end(self, writer: Writer, clocks_stood: bool) -> u64 {
        let Self { worlds, last, entries, .. } = self;
        let shared = &worlds.shared;
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
        all.iter().for_each(WorldHandle::unseal);
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
        // Whether it is over is decided by the clocks of this server, once they go.
        self.worlds.shared.tokens.issue(grant, most, |_| false, || false);
    }
}
