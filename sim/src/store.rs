//! One ordered collection for each resource, with its indexes by id, client and account; and where its new ids come
//! from.
//!
//! Invariant: records are in order of creation, which is the order of their `sortedId`; ids and positions never
//! change. A store draws its ids from a stream of its own, so that a draw in one place shifts nothing elsewhere. Absent on
//! purpose: removal.

use crate::ids::{AccountId, ClientId, Drawn, SortedId, SortedIdSource};
use crate::records::{
    Account, AllocationPlan, CashTransaction, FundTransaction, Journey, MobilePayment, Order, Payment, SavingsPlan,
    Stamp, Transfer,
};
use crate::rng::{Seed, Stream};
use crate::time::Instant;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

/// A map that iterates in order of insertion, with a fixed hasher.
pub type Map<K, V> = IndexMap<K, V, FxBuildHasher>;

/// Feeds a map to a hash, entry by entry.
pub(crate) fn hash_map<K: Hash, V: Hash, H: Hasher>(map: &Map<K, V>, state: &mut H) {
    state.write_usize(map.len());
    map.iter().for_each(|entry| entry.hash(state));
}

/// What a store needs to know of a record.
pub trait Record: Clone + Hash {
    /// Its public id.
    type Id: Drawn;
    /// What it is called where ids are drawn.
    const NOUN: &'static str;
    /// Its public id.
    fn id(&self) -> Self::Id;
    /// Its place in listings.
    fn sorted_id(&self) -> SortedId;
    /// The client that may read it.
    fn client(&self) -> ClientId;
    /// The account under which it is found, if under one; an account is found by its id.
    fn account(&self) -> Option<AccountId>;
    /// Creation and change.
    fn stamp(&self) -> &Stamp;
}

macro_rules! record {
    ($record:ty, $noun:literal, $id:ty, $account:expr) => {
        impl Record for $record {
            type Id = $id;
            const NOUN: &'static str = $noun;
            fn id(&self) -> $id {
                self.id
            }
            fn sorted_id(&self) -> SortedId {
                self.sorted_id
            }
            fn client(&self) -> ClientId {
                self.client
            }
            fn account(&self) -> Option<AccountId> {
                let account: fn(&$record) -> Option<AccountId> = $account;
                account(self)
            }
            fn stamp(&self) -> &Stamp {
                &self.stamp
            }
        }
    };
}

record!(Account, "account", AccountId, |_| None);
record!(Order, "order", crate::ids::OrderId, |order| Some(order.account));
record!(CashTransaction, "cash transaction", crate::ids::CashTransactionId, |transaction| Some(transaction.account));
record!(FundTransaction, "fund transaction", crate::ids::FundTransactionId, |transaction| Some(transaction.account));
record!(Journey, "journey", crate::ids::JourneyId, |journey| journey.configuration.account);
record!(Transfer, "transfer", crate::ids::TransferId, |transfer| Some(transfer.account));
record!(AllocationPlan, "allocation plan", crate::ids::AllocationPlanId, |plan| Some(plan.account));
record!(MobilePayment, "mobile payment", crate::ids::MobilePaymentId, |payment| Some(payment.account));
record!(Payment, "payment", crate::ids::PaymentId, |payment| Some(payment.account));
record!(SavingsPlan, "savings plan", crate::ids::SavingsPlanId, |plan| Some(plan.account));

/// All records of one resource.
#[derive(Clone, Debug)]
pub struct Store<T: Record> {
    records: Vec<Arc<T>>,
    /// Positions by id. A record knows its id, so that nothing else is kept: what is looked up at random stays small.
    by_id: HashTable<u32>,
    by_client: Map<ClientId, Vec<u32>>,
    by_account: Map<AccountId, Vec<u32>>,
    ids: Stream,
    sorted_ids: SortedIdSource,
}

fn hash_of(id: impl Hash) -> u64 {
    FxBuildHasher.hash_one(id)
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
            records: Vec::new(),
            by_id: HashTable::new(),
            by_client: Map::default(),
            by_account: Map::default(),
            ids,
            sorted_ids,
        }
    }

    /// Makes a new record with the next ids, and keeps it.
    ///
    /// # Panics
    /// When the store holds 2^32 records: a bug.
    pub fn insert_new(&mut self, now: Instant, make: impl FnOnce(T::Id, SortedId) -> T) -> Arc<T> {
        let record = Arc::new(make(T::Id::draw(&mut self.ids), self.sorted_ids.next(now)));
        assert!(self.add(Arc::clone(&record)), "two records with one id");
        record
    }

    /// Keeps a record; `false` when there is one with its id, and then nothing changes.
    fn add(&mut self, record: Arc<T>) -> bool {
        let at = u32::try_from(self.records.len()).expect("a store holds fewer than 2^32 records");
        let (id, records) = (record.id(), &self.records);
        let id_at = |at: &u32| records[*at as usize].id();
        let Entry::Vacant(free) = self.by_id.entry(hash_of(id), |at| id_at(at) == id, |at| hash_of(id_at(at))) else {
            return false;
        };
        free.insert(at);
        self.by_client.entry(record.client()).or_default().push(at);
        if let Some(account) = record.account() {
            self.by_account.entry(account).or_default().push(at);
        }
        self.records.push(record);
        true
    }

    fn position(&self, id: T::Id) -> Option<usize> {
        self.by_id.find(hash_of(id), |&at| self.records[at as usize].id() == id).map(|&at| at as usize)
    }

    fn record_mut(&mut self, id: T::Id) -> &mut Arc<T> {
        let at = self.position(id).expect("a record that others refer to exists");
        &mut self.records[at]
    }

    /// The record with `id`.
    #[must_use]
    pub fn get(&self, id: T::Id) -> Option<&Arc<T>> {
        self.position(id).map(|at| &self.records[at])
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
        Arc::make_mut(self.record_mut(id))
    }

    /// Changes the record with `id` as `change` does, and gives its new state.
    ///
    /// # Panics
    /// When it does not exist: a bug.
    pub fn changed(&mut self, id: T::Id, f: impl FnOnce(&mut T)) -> Arc<T> {
        let record = self.record_mut(id);
        f(Arc::make_mut(record));
        Arc::clone(record)
    }

    /// All records in order of creation.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<T>> + ExactSizeIterator {
        self.records.iter()
    }

    /// The record for which `order` says `Equal`, in a collection in that order.
    pub fn search(&self, order: impl Fn(&T) -> Ordering) -> Option<&Arc<T>> {
        let at = self.records.binary_search_by(|record| order(record)).ok()?;
        self.records.get(at)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The records of a client, from `start` on (inclusive), in order of creation.
    pub fn of_client(&self, client: ClientId, start: Option<SortedId>) -> impl DoubleEndedIterator<Item = &Arc<T>> {
        self.walk(self.by_client.get(&client), start)
    }

    /// The records of an account, from `start` on (inclusive), in order of creation.
    pub fn of_account(&self, account: AccountId, start: Option<SortedId>) -> impl DoubleEndedIterator<Item = &Arc<T>> {
        self.walk(self.by_account.get(&account), start)
    }

    fn walk(&self, index: Option<&Vec<u32>>, start: Option<SortedId>) -> impl DoubleEndedIterator<Item = &Arc<T>> {
        let index = index.map_or(&[][..], Vec::as_slice);
        let from = start.map_or(0, |start| index.partition_point(|&at| self.records[at as usize].sorted_id() < start));
        index[from..].iter().map(|&at| &self.records[at as usize])
    }
}

impl<T: Record> Hash for Store<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The indexes follow from the records.
        let Self { records, by_id: _, by_client: _, by_account: _, ids, sorted_ids } = self;
        records.hash(state);
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

impl<T: Record + Serialize> Serialize for Store<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Written { ids: &self.ids, sorted_ids: &self.sorted_ids, records: &self.records }.serialize(to)
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

/// Records that only their id finds; new ones get the next id of a stream of their own.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "K: Serialize, T: Serialize", deserialize = "K: Deserialize<'de>, T: Deserialize<'de>"))]
pub struct Register<K: Drawn, T> {
    ids: Stream,
    #[serde(with = "indexmap::map::serde_seq")]
    records: Map<K, Arc<T>>,
}

impl<K: Drawn, T: Clone> Register<K, T> {
    /// An empty register that draws its ids from the stream of `seed` for `noun`.
    #[must_use]
    pub fn new(seed: Seed, noun: &str) -> Self {
        Self { ids: seed.stream(&format!("{noun} ids")), records: Map::default() }
    }

    /// Makes a new record with the next id, and keeps it.
    pub fn insert_new(&mut self, make: impl FnOnce(K) -> T) -> K {
        let id = K::draw(&mut self.ids);
        self.records.insert(id, Arc::new(make(id)));
        id
    }

    /// The record with `id`, if it exists.
    #[must_use]
    pub fn get(&self, id: K) -> Option<&Arc<T>> {
        self.records.get(&id)
    }

    /// The record with `id`, which is known to exist.
    ///
    /// # Panics
    /// When it does not exist: a bug.
    #[must_use]
    pub fn known(&self, id: K) -> &Arc<T> {
        self.get(id).expect("a record that others refer to exists")
    }

    /// All records in order of creation.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Arc<T>> {
        self.records.values()
    }

    /// The record with `id`, to be changed.
    ///
    /// # Panics
    /// When it does not exist: a bug.
    pub fn change(&mut self, id: K) -> &mut T {
        Arc::make_mut(self.records.get_mut(&id).expect("a record that others refer to exists"))
    }
}

impl<K: Drawn, T: Hash> Hash for Register<K, T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { ids, records } = self;
        ids.hash(state);
        hash_map(records, state);
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
    /// Applies `modified_from`, `keep` and `limit` to records that already begin at `start`.
    pub fn take<'a, T: Record + 'a>(
        &self,
        records: impl Iterator<Item = &'a Arc<T>>,
        keep: impl Fn(&T) -> bool,
    ) -> Vec<Arc<T>> {
        records
            .filter(|record| self.modified_from.is_none_or(|from| record.stamp().modified >= from))
            .filter(|record| keep(record))
            .take(self.limit.unwrap_or(usize::MAX))
            .cloned()
            .collect()
    }
}
