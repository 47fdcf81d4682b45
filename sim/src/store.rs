//! One ordered collection for each resource, with its indexes by id, client and account; and where its new ids come
//! from.
//!
//! Invariant: records are in order of creation, which is the order of their `sortedId`; ids and positions never
//! change. A store draws its ids from a stream of its own, so that a draw in one place shifts nothing elsewhere. A copy of a
//! store shares all that neither copy has changed: it costs one counter for some hundred records. Absent on
//! purpose: removal.

mod chunks;
mod index;
mod record;
mod register;
mod shared_map;

pub use chunks::Chunks;
pub use record::Record;
pub use register::Register;
pub use shared_map::SharedMap;

use crate::ids::{AccountId, ClientId, Drawn as _, SortedId, SortedIdSource};
use crate::rng::{Seed, Stream};
use crate::time::Instant;
use chunks::SIZE;
use index::{Index, NOWHERE, hash_of, position};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A small map that iterates in order of insertion, with a fixed hasher.
pub type Map<K, V> = IndexMap<K, V, FxBuildHasher>;

/// Feeds a map to a hash, entry by entry.
pub(crate) fn hash_map<K: Hash, V: Hash, H: Hasher>(map: &Map<K, V>, state: &mut H) {
    state.write_usize(map.len());
    map.iter().for_each(|entry| entry.hash(state));
}

/// A record, between its neighbours among those of its account.
#[derive(Clone, Debug)]
struct Row<T> {
    record: Arc<T>,
    previous: u32,
    next: u32,
}

/// The first and the last record of an account.
#[derive(Clone, Copy, Debug)]
struct Ends {
    first: u32,
    last: u32,
}

/// All records of one resource.
#[derive(Clone, Debug)]
pub struct Store<T: Record> {
    rows: Chunks<Row<T>>,
    /// A record knows its id, so that positions alone are kept: what is looked up at random stays small.
    by_id: Index,
    by_client: SharedMap<ClientId, Chunks<u32>>,
    by_account: SharedMap<AccountId, Ends>,
    /// When a record was last modified, for each [`SIZE`] of them; the one at `last_changed` may have been since.
    modified: Vec<Instant>,
    /// The record that was last given out to be changed.
    last_changed: u32,
    ids: Stream,
    sorted_ids: SortedIdSource,
}

impl<T: Record> Store<T> {
    /// An empty store that draws its ids from `seed`.
    #[must_use]
    pub fn new(seed: Seed) -> Self {
        let sorted_ids = SortedIdSource::new(seed.stream(&format!("{} sorted ids", T::NOUN)));
        Self::of(seed.stream(&format!("{} ids", T::NOUN)), sorted_ids)
    }

    fn of(ids: Stream, sorted_ids: SortedIdSource) -> Self {
        Self {
            rows: Chunks::default(),
            by_id: Index::default(),
            by_client: SharedMap::default(),
            by_account: SharedMap::default(),
            modified: Vec::new(),
            last_changed: NOWHERE,
            ids,
            sorted_ids,
        }
    }

    /// Makes a new record with the next ids, and keeps it.
    ///
    /// # Panics
    /// When the store is full: a bug.
    pub fn insert_new(&mut self, now: Instant, make: impl FnOnce(T::Id, SortedId) -> T) -> Arc<T> {
        let id = T::Id::draw(&mut self.ids).with_place_hint(position(self.rows.len()));
        let record = Arc::new(make(id, self.sorted_ids.next(now)));
        assert!(self.add(Arc::clone(&record)), "two records with one id");
        record
    }

    /// Keeps a record; `false` when there is one with its id, and then nothing changes.
    fn add(&mut self, record: Arc<T>) -> bool {
        if self.position(record.id()).is_some() {
            return false;
        }
        let at = position(self.rows.len());
        let previous = record.account().map_or(NOWHERE, |account| self.link(account, at));
        self.by_client.or_default(record.client()).push(at);
        self.note_modified(at, record.stamp().modified);
        let hash = hash_of(record.id());
        self.rows.push(Row { record, previous, next: NOWHERE });
        let Self { rows, by_id, .. } = self;
        by_id.insert(hash, at, |at| hash_of(rows[at as usize].record.id()));
        true
    }

    /// Makes `at` the last record of its account, and gives the one before it.
    fn link(&mut self, account: AccountId, at: u32) -> u32 {
        let ends = self.by_account.or_insert_with(account, || Ends { first: at, last: NOWHERE });
        let previous = std::mem::replace(&mut ends.last, at);
        if let Some(row) = self.rows.get_mut(previous as usize) {
            row.next = at;
        }
        previous
    }

    fn note_modified(&mut self, at: u32, instant: Instant) {
        match self.modified.get_mut(at as usize / SIZE) {
            Some(modified) => *modified = instant.max(*modified),
            None => self.modified.push(instant),
        }
    }

    fn position(&self, id: T::Id) -> Option<usize> {
        self.by_id.find(&id, |at| self.rows[at as usize].record.id() == id).map(|at| at as usize)
    }

    /// The record with `id`.
    #[must_use]
    pub fn get(&self, id: T::Id) -> Option<&Arc<T>> {
        self.position(id).map(|at| &self.rows[at].record)
    }

    /// The record with `id`, which is known to exist.
    ///
    /// # Panics
    /// When it does not exist: a bug.
    #[must_use]
    pub fn known(&self, id: T::Id) -> &Arc<T> {
        self.get(id).expect("a record that others refer to exists")
    }

    /// The record with `id`, to be changed; a copy is made when another holder still has the old state.
    ///
    /// # Panics
    /// When it does not exist: a bug.
    pub fn change(&mut self, id: T::Id) -> &mut T {
        Arc::make_mut(self.for_change(id))
    }

    /// Changes the record with `id` as `change` does, and gives its new state.
    ///
    /// # Panics
    /// When it does not exist: a bug.
    pub fn changed(&mut self, id: T::Id, f: impl FnOnce(&mut T)) -> Arc<T> {
        let record = self.for_change(id);
        f(Arc::make_mut(record));
        Arc::clone(record)
    }

    fn for_change(&mut self, id: T::Id) -> &mut Arc<T> {
        let at = position(self.position(id).expect("a record that others refer to exists"));
        let before = std::mem::replace(&mut self.last_changed, at);
        if before != at
            && let Some(returned) = self.rows.get(before as usize)
        {
            self.note_modified(before, returned.record.stamp().modified);
        }
        &mut self.rows.get_mut(at as usize).expect("its position was found").record
    }

    /// All records in order of creation.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<T>> + ExactSizeIterator {
        self.rows.iter().map(|row| &row.record)
    }

    /// The record for which `order` says `Equal`, in a collection in that order.
    pub fn search(&self, order: impl Fn(&T) -> Ordering) -> Option<&Arc<T>> {
        let at = self.rows.partition_point(0, |row| order(&row.record) == Ordering::Less);
        self.rows.get(at).map(|row| &row.record).filter(|record| order(record) == Ordering::Equal)
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The records of a client, from `start` on (inclusive), in order of creation.
    pub fn of_client(&self, client: ClientId, start: Option<SortedId>) -> impl DoubleEndedIterator<Item = &Arc<T>> {
        let own = self.by_client.get(&client).into_iter();
        own.flat_map(move |own| own.from(self.start_in(own, start))).map(|&at| &self.rows[at as usize].record)
    }

    /// As `of_client`, without those that were last modified before `since`. Of many that were not, none is looked at.
    fn of_client_since(
        &self,
        client: ClientId,
        start: Option<SortedId>,
        since: Instant,
    ) -> impl Iterator<Item = &Arc<T>> {
        let own = self.by_client.get(&client);
        let mut next = own.map_or(0, |own| self.start_in(own, start));
        std::iter::from_fn(move || {
            let own = own?;
            loop {
                let at = *own.get(next)? as usize;
                if !self.may_be_modified(at / SIZE, since) {
                    next = own.partition_point(next, |&other| other as usize / SIZE <= at / SIZE);
                    continue;
                }
                next += 1;
                let record = &self.rows[at].record;
                if record.stamp().modified >= since {
                    return Some(record);
                }
            }
        })
    }

    /// Whether one of those [`SIZE`] records may have been modified at `since` or later.
    fn may_be_modified(&self, chunk: usize, since: Instant) -> bool {
        self.modified[chunk] >= since || self.last_changed as usize / SIZE == chunk
    }

    fn start_in(&self, own: &Chunks<u32>, start: Option<SortedId>) -> usize {
        start.map_or(0, |start| own.partition_point(0, |&at| self.sorted_id_at(at) < start))
    }

    fn sorted_id_at(&self, at: u32) -> SortedId {
        self.rows[at as usize].record.sorted_id()
    }

    /// The records of an account, from `start` on (inclusive), in order of creation.
    pub fn of_account(&self, account: AccountId, start: Option<SortedId>) -> impl DoubleEndedIterator<Item = &Arc<T>> {
        let ends = self.by_account.get(&account).and_then(|ends| self.ends_from(account, *ends, start));
        OfAccount { rows: &self.rows, ends }
    }

    /// The ends of what an account has from `start` on. At once where `start` names a record of it, which it does on all pages but
    /// the first; else from the end back, since those who ask for what is new are near it.
    fn ends_from(&self, account: AccountId, ends: Ends, start: Option<SortedId>) -> Option<Ends> {
        let Some(start) = start else { return Some(ends) };
        let at = self.rows.partition_point(0, |row| row.record.sorted_id() < start);
        if self.rows.get(at).is_some_and(|row| row.record.account() == Some(account)) {
            return Some(Ends { first: position(at), ..ends });
        }
        let (mut first, mut before) = (NOWHERE, ends.last);
        while before != NOWHERE && self.sorted_id_at(before) >= start {
            (first, before) = (before, self.rows[before as usize].previous);
        }
        (first != NOWHERE).then_some(Ends { first, ..ends })
    }
}

/// Some records of one account.
struct OfAccount<'a, T> {
    rows: &'a Chunks<Row<T>>,
    /// Those that are to come.
    ends: Option<Ends>,
}

impl<'a, T> OfAccount<'a, T> {
    /// The record at one end, after which `rest` are to come.
    fn take(&mut self, at: u32, is_last: bool, rest: impl FnOnce(&Row<T>) -> Ends) -> &'a Arc<T> {
        let row = &self.rows[at as usize];
        self.ends = (!is_last).then(|| rest(row));
        &row.record
    }
}

impl<'a, T> Iterator for OfAccount<'a, T> {
    type Item = &'a Arc<T>;

    fn next(&mut self) -> Option<&'a Arc<T>> {
        let Ends { first, last } = self.ends?;
        Some(self.take(first, first == last, |row| Ends { first: row.next, last }))
    }
}

impl<T> DoubleEndedIterator for OfAccount<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let Ends { first, last } = self.ends?;
        Some(self.take(last, first == last, |row| Ends { first, last: row.previous }))
    }
}

impl<T: Record> Hash for Store<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The indexes follow from the records.
        let Self { rows, by_id: _, by_client: _, by_account: _, modified: _, last_changed: _, ids, sorted_ids } = self;
        state.write_usize(rows.len());
        self.iter().for_each(|record| record.hash(state));
        (ids, sorted_ids).hash(state);
    }
}

/// A store as it is written down.
#[derive(Serialize, Deserialize)]
struct Written<I, S, R> {
    ids: I,
    sorted_ids: S,
    records: R,
}

/// The records of a store, one after the other.
struct Records<'a, T: Record>(&'a Store<T>);

impl<T: Record + Serialize> Serialize for Records<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter())
    }
}

impl<T: Record + Serialize> Serialize for Store<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Written { ids: &self.ids, sorted_ids: &self.sorted_ids, records: Records(self) }.serialize(to)
    }
}

impl<'de, T: Record + Deserialize<'de>> Deserialize<'de> for Store<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Written::<_, _, Vec<Arc<T>>> { ids, sorted_ids, records } = Written::deserialize(from)?;
        let mut store = Self::of(ids, sorted_ids);
        for record in records {
            if !store.add(record) {
                return Err(D::Error::custom("two records with one id"));
            }
        }
        Ok(store)
    }
}

/// A window over a list: where to start, how many, and how recently changed (rule: wire/start, wire/limit,
/// wire/modified-from).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// First `sortedId`, inclusive; an unknown one just positions.
    pub start: Option<SortedId>,
    /// At most so many; none means all.
    pub limit: Option<usize>,
    /// Only records modified at or after this instant.
    pub modified_from: Option<Instant>,
}

impl Window {
    /// The records of a client that are `keep` and in the window, in order of creation.
    pub fn of_client<T: Record>(&self, store: &Store<T>, client: ClientId, keep: impl Fn(&T) -> bool) -> Vec<Arc<T>> {
        match self.modified_from {
            None => self.take(store.of_client(client, self.start), keep),
            Some(since) => self.take(store.of_client_since(client, self.start, since), keep),
        }
    }

    /// The records of an account that are `keep` and in the window, in order of creation.
    pub fn of_account<T: Record>(
        &self,
        store: &Store<T>,
        account: AccountId,
        keep: impl Fn(&T) -> bool,
    ) -> Vec<Arc<T>> {
        let since = self.modified_from.unwrap_or(Instant::MIN);
        self.take(store.of_account(account, self.start), |record| record.stamp().modified >= since && keep(record))
    }

    fn take<'a, T: 'a>(&self, records: impl Iterator<Item = &'a Arc<T>>, keep: impl Fn(&T) -> bool) -> Vec<Arc<T>> {
        records.filter(|record| keep(record)).take(self.limit.unwrap_or(usize::MAX)).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::digest_of;
    use crate::ids::OrderId;
    use crate::records::Stamp;
    use crate::time::Millis;

    /// The least that a store can keep.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    struct Note {
        id: OrderId,
        sorted_id: SortedId,
        client: ClientId,
        account: Option<AccountId>,
        stamp: Stamp,
    }

    record::record!(Note, "note", OrderId, |note| note.account);

    /// A store with changes and a copy taken on the way, and its records as a plain list.
    struct Grown {
        store: Store<Note>,
        plain: Vec<Note>,
        clients: Vec<ClientId>,
        accounts: Vec<AccountId>,
        copy: (Store<Note>, Vec<Note>),
    }

    fn now(step: usize) -> Instant {
        Instant::parse("2026-01-05T08:00:00Z")
            .expect("an instant")
            .plus(Millis::seconds(i64::try_from(step).expect("few")))
    }

    fn grown(seed: u64, steps: usize) -> Grown {
        let mut stream = Seed(seed).stream("notes");
        let clients: Vec<_> = (0..3).map(|_| ClientId::draw(&mut stream)).collect();
        let accounts: Vec<_> = (0..7).map(|_| AccountId::draw(&mut stream)).collect();
        let mut store = Store::new(Seed(seed));
        let mut plain: Vec<Note> = Vec::new();
        let mut copy = (store.clone(), Vec::new());
        for step in 0..steps {
            if step == steps / 2 {
                copy = (store.clone(), plain.clone());
            }
            if plain.is_empty() || stream.chance(3, 4) {
                let (client, account) = (*stream.pick(&clients), *stream.pick(&accounts));
                let account = stream.chance(5, 6).then_some(account);
                let made = store.insert_new(now(step), |id, sorted_id| Note {
                    id,
                    sorted_id,
                    client,
                    account,
                    stamp: Stamp::new(now(step)),
                });
                plain.push(Note::clone(&made));
            } else {
                let at = usize::try_from(stream.below(plain.len() as u64)).expect("few");
                plain[at].stamp.touch(now(step));
                if stream.chance(1, 2) {
                    store.change(plain[at].id).stamp.touch(now(step));
                } else {
                    store.changed(plain[at].id, |note| note.stamp.touch(now(step)));
                }
            }
        }
        Grown { store, plain, clients, accounts, copy }
    }

    fn agree(store: &Store<Note>, plain: &[Note], clients: &[ClientId], accounts: &[AccountId], context: &str) {
        assert!(store.iter().map(|note| &**note).eq(plain), "{context}");
        assert!(plain.iter().all(|note| **store.known(note.id) == *note), "{context}");
        let starts: Vec<_> =
            [None].into_iter().chain(plain.iter().step_by(97).map(|note| Some(note.sorted_id))).collect();
        let (every, few) = (Window::default(), Some(3));
        for start in starts {
            let from = |note: &&Note| start.is_none_or(|start| note.sorted_id >= start);
            for &client in clients {
                let own: Vec<_> = plain.iter().filter(from).filter(|note| note.client == client).collect();
                assert!(store.of_client(client, start).map(|note| &**note).eq(own.iter().copied()), "{context}");
                for since in (0..plain.len() * 2).step_by(113).map(now) {
                    let recent = own.iter().filter(|note| note.stamp.modified >= since).take(3).copied();
                    let window = Window { start, limit: few, modified_from: Some(since) };
                    let found = window.of_client(store, client, |_| true);
                    assert!(found.iter().map(|note| &**note).eq(recent), "{context} since {since}");
                }
            }
            for &account in accounts {
                let own: Vec<_> = plain.iter().filter(from).filter(|note| note.account == Some(account)).collect();
                let found = || store.of_account(account, start).map(|note| &**note);
                assert!(found().eq(own.iter().copied()), "{context}");
                assert!(found().rev().eq(own.iter().rev().copied()), "{context}");
                let in_window = Window { start, ..every }.of_account(store, account, |_| true);
                assert!(in_window.iter().map(|note| &**note).eq(own), "{context}");
            }
        }
    }

    #[test]
    fn a_store_and_a_copy_of_it_each_find_what_a_plain_list_has() {
        for (seed, steps) in [(1, 0), (2, 1), (3, 300), (4, 2_000)] {
            let Grown { store, plain, clients, accounts, copy } = grown(seed, steps);
            agree(&store, &plain, &clients, &accounts, &format!("seed {seed}"));
            agree(&copy.0, &copy.1, &clients, &accounts, &format!("the copy of seed {seed}"));
        }
    }

    #[test]
    fn a_record_is_found_whatever_place_its_id_remembers() {
        let Grown { store, plain, .. } = grown(6, 600);
        let (few, beyond) = (position(plain.len()), NOWHERE);
        for (at, note) in plain.iter().enumerate() {
            for place in [position(at), 0, few - 1, few, beyond] {
                assert_eq!(
                    store.get(note.id.with_place_hint(place)).map(|found| found.id),
                    Some(note.id),
                    "{at} sought at {place}"
                );
            }
        }
        let unknown = OrderId::from_u128(7);
        assert!([0, few, beyond].into_iter().all(|place| store.get(unknown.with_place_hint(place)).is_none()));
    }

    #[test]
    fn a_store_that_was_written_and_read_finds_and_draws_as_before() {
        let Grown { mut store, mut plain, clients, accounts, .. } = grown(5, 800);
        let written = serde_json::to_vec(&store).expect("a store can be written");
        let mut read: Store<Note> = serde_json::from_slice(&written).expect("what was written can be read");
        agree(&read, &plain, &clients, &accounts, "as read");
        assert_eq!(digest_of(&read), digest_of(&store));
        let make =
            |id, sorted_id| Note { id, sorted_id, client: clients[0], account: None, stamp: Stamp::new(now(900)) };
        let drawn = [&mut store, &mut read].map(|store| store.insert_new(now(900), make));
        assert_eq!(drawn[0], drawn[1]);
        plain.push(Note::clone(&drawn[0]));
        agree(&read, &plain, &clients, &accounts, "with one more");
    }

    #[test]
    fn a_start_that_no_record_of_the_account_has_begins_at_the_next_one() {
        let Grown { store, plain, accounts, .. } = grown(6, 400);
        for pair in plain.windows(2) {
            for &account in &accounts {
                let start = pair[0].sorted_id;
                let expected = plain.iter().filter(|note| note.account == Some(account) && note.sorted_id >= start);
                assert!(store.of_account(account, Some(start)).map(|note| &**note).eq(expected));
            }
        }
    }
}
