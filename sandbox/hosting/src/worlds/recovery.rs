//! Worlds made again from a journal.
//!
//! Invariant: entries are done again in order, on the way on which they happened, and nothing that is done again is written or
//! answered; until the last one has been, no world takes inputs and no clock goes on by itself. A world that fails on the way
//! failed there before. Absent on purpose: where entries come from.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use sim::World;
use sim::ids::PartnerId;
use sim::input::RulesVersion;
use sim::rng::Seed;

use super::{Forking, LettingIn, NewWorld, Opened, Owner, ReservedWorld, WorldHandle, WorldOrigin, Worlds};
use crate::credentials::Source;
use crate::journal::{Entry, ForkedEntry, InputEntry, MadeEntry, What, Writer, route};
use crate::memory::Memory;
use crate::snapshot_file;
use crate::tokens::{Expiry, Grant};
use crate::world_id::WorldId;
use feed::input_log::About;
use feed::rights::Rights;
use feed::transport::TransportTime;

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
    /// When the last entry was made.
    last: TransportTime,
    /// How many entries were done again.
    entries: u64,
}

impl Worlds {
    /// Begins to make the worlds of a journal again. No world takes inputs until that has ended.
    #[must_use]
    pub fn recover(&self) -> Recovery<'_> {
        self.seal();
        Recovery { worlds: self, last: TransportTime(0), entries: 0 }
    }
}

impl Recovery<'_> {
    /// Does one entry again.
    ///
    /// # Errors
    /// When it cannot be read, is of other rules, or does not follow from those before it.
    pub fn redo(&mut self, entry: &[u8]) -> Result<(), Unrecoverable> {
        let Entry { at, what } =
            serde_json::from_slice(entry).map_err(|error| format!("an entry cannot be read: {error}"))?;
        self.entries += 1;
        match what {
            What::Started { rules, clocks_stood } => self.started(at, rules, clocks_stood)?,
            What::Stopped => {}
            What::Made(made) => self.made(*made)?.begins_at(at),
            What::Forked(forked) => self.forked(*forked)?.begins_at(at),
            What::Dropped(world) => drop(self.worlds.drop_world(WorldId::from_number(world))),
            What::Input(InputEntry { world, position, request, route: pattern, input }) => {
                self.worlds.shared.requests.fetch_max(request.unwrap_or(0), Ordering::Relaxed);
                if let Some(world) = self.world(world) {
                    let request = request.map(|request| (request, pattern.as_deref().map(route)));
                    world.redo_input(position, input.into_owned(), About { received: at, request })?;
                }
            }
            What::Issued { world, partner, count, rights, expires, by_world } => {
                if let Some(world) = self.world(world) {
                    self.issued(
                        &world,
                        partner,
                        count,
                        Rights::from_bits(rights),
                        Expiry::from_parts(expires, by_world),
                    );
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
        }
        self.last = self.last.max(at);
        Ok(())
    }

    /// All entries were done again: what happens from now on is written by `writer`, and worlds take inputs. Paced clocks stood
    /// since the last entry, or went on. Answers how many entries there were. Where the journal keeps nothing any more, worlds can be
    /// read, and all that changes them is answered 503.
    pub async fn end(self, writer: Writer, clocks_stood: bool) -> u64 {
        let Self { worlds, last, entries } = self;
        let shared = &worlds.shared;
        let now = shared.parts.clock.now();
        let started = What::Started { rules: RulesVersion::CURRENT, clocks_stood };
        let kept = writer.append_at(now, started);
        if entries > 0 && clocks_stood {
            worlds.all().iter().for_each(|world| world.stood(last, now));
        }
        // A journal that has failed says so to everybody who asks for a change.
        drop(kept.await);
        for world in worlds.all() {
            world.keep_in(&writer);
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

    fn started(&self, at: TransportTime, rules: RulesVersion, clocks_stood: bool) -> Result<(), Unrecoverable> {
        if rules != RulesVersion::CURRENT {
            return Err(format!("its worlds follow rules of another version ({})", u32::from(rules)).into());
        }
        if clocks_stood && self.entries > 1 {
            self.worlds.all().iter().for_each(|world| world.stood(self.last, at));
        }
        Ok(())
    }

    fn place(&self, maker: Option<Owner>) -> ReservedWorld {
        self.worlds.registry_mut().reserved.push(maker);
        ReservedWorld { shared: Arc::clone(&self.worlds.shared), maker, is_taken: false }
    }

    fn made(&self, made: MadeEntry<'_>) -> Result<Arc<WorldHandle>, Unrecoverable> {
        let MadeEntry { world, name, seed, start, setup, mode, surface, credentials, snapshot } = made;
        let number = world;
        let origin = WorldOrigin { setup, seed: Seed(seed), start };
        let unmade = |why: String| format!("world-{number} cannot be made again: {why}");
        let world = match &snapshot {
            Some(Cow::Owned(file)) => read(file.get()),
            Some(Cow::Borrowed(file)) => read(file.get()),
            None => origin.world().map_err(|error| error.description),
        };
        let world = world.map_err(unmade)?;
        self.worlds.shared.seeds.fetch_add(1, Ordering::Relaxed);
        let new = NewWorld { name: Some(name), origin, mode, surface, credentials: Source::File(credentials) };
        let (place, id) = (self.place(None), Some(WorldId::from_number(number)));
        let opened = match snapshot {
            Some(_) => self.worlds.taken_in(place, new, world, id),
            None => self.worlds.opened_at_start(place, new, world, id),
        };
        Ok(self.let_in(opened.map_err(|error| unmade(error.description))?))
    }

    fn forked(&self, forked: ForkedEntry) -> Result<Arc<WorldHandle>, Unrecoverable> {
        let ForkedEntry { world, name, of, point, mode, surface, maker } = forked;
        let number = world;
        let unmade = |why: &str| format!("world-{number} cannot be forked again from world-{of}: {why}");
        let parent = self.world(of).ok_or_else(|| unmade("that is not there"))?;
        let begin = parent.as_it_was(point).map_err(|error| unmade(&error.description))?;
        let (past, _) = parent.past_for_fork(point, &begin).map_err(|error| unmade(&error.description))?;
        let past = past.with_surface(&surface);
        let maker = maker.map(|(world, partner)| Owner { world: WorldId::from_number(world), partner });
        let forking = Forking { name, mode, surface, point, id: Some(WorldId::from_number(number)) };
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

/// The world in a snapshot file.
fn read(file: &str) -> Result<World, String> {
    snapshot_file::read(file.as_bytes(), &Memory::default()).map(|it| it.world).map_err(|error| error.description)
}
