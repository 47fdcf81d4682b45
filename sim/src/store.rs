//! One ordered collection for each resource, with its client and account indexes.
//!
//! Invariant: records stand in order of creation, which is the order of their `sortedId`; ids and positions never
//! change. Absent on purpose: removal.

use crate::ids::{AccountId, ClientId, SortedId};
use crate::records::{
    Account, AllocationPlan, CashTransaction, FundTransaction, Journey, Order, SavingsPlan, Stamp, Transfer,
};
use crate::time::Instant;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::hash::{Hash, Hasher};
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
    type Id: Copy + Eq + Hash;
    /// Its public id.
    fn id(&self) -> Self::Id;
    /// Its place in listings.
    fn sorted_id(&self) -> SortedId;
    /// The client that may read it.
    fn client(&self) -> ClientId;
    /// The account it belongs to, if to one; an account belongs to itself.
    fn account(&self) -> Option<AccountId>;
    /// Creation and change.
    fn stamp(&self) -> &Stamp;
}

macro_rules! record {
    ($record:ty, $id:ty, $account:expr) => {
        impl Record for $record {
            type Id = $id;
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

record!(Account, AccountId, |account| Some(account.id));
record!(Order, crate::ids::OrderId, |order| Some(order.account));
record!(CashTransaction, crate::ids::CashTransactionId, |transaction| Some(transaction.account));
record!(FundTransaction, crate::ids::FundTransactionId, |transaction| Some(transaction.account));
record!(Journey, crate::ids::JourneyId, |journey| journey.configuration.account);
record!(Transfer, crate::ids::TransferId, |transfer| Some(transfer.account));
record!(AllocationPlan, crate::ids::AllocationPlanId, |plan| Some(plan.account));
record!(SavingsPlan, crate::ids::SavingsPlanId, |plan| Some(plan.account));

/// All records of one resource.
#[derive(Clone, Debug)]
pub struct Store<T: Record> {
    records: Map<T::Id, Arc<T>>,
    by_client: Map<ClientId, Vec<u32>>,
    by_account: Map<AccountId, Vec<u32>>,
}

impl<T: Record> Default for Store<T> {
    fn default() -> Self {
        Self { records: Map::default(), by_client: Map::default(), by_account: Map::default() }
    }
}

impl<T: Record> Store<T> {
    /// Adds a new record.
    ///
    /// # Panics
    /// When the id is taken or the store holds 2^32 records: both are bugs.
    pub fn add(&mut self, record: Arc<T>) {
        let at = u32::try_from(self.records.len()).expect("a store holds fewer than 2^32 records");
        self.by_client.entry(record.client()).or_default().push(at);
        if let Some(account) = record.account() {
            self.by_account.entry(account).or_default().push(at);
        }
        let earlier = self.records.insert(record.id(), record);
        assert!(earlier.is_none(), "two records with one id");
    }

    /// The record with `id`.
    #[must_use]
    pub fn get(&self, id: T::Id) -> Option<&Arc<T>> {
        self.records.get(&id)
    }

    /// The record with `id`, which is known to exist.
    ///
    /// # Panics
    /// When it does not exist: a bug.
    #[must_use]
    pub fn known(&self, id: T::Id) -> &Arc<T> {
        self.records.get(&id).expect("a record that others refer to exists")
    }

    /// The record with `id`, to be changed; a copy is made when somebody else still holds the old state.
    ///
    /// # Panics
    /// When it does not exist: a bug.
    pub fn change(&mut self, id: T::Id) -> &mut T {
        Arc::make_mut(self.records.get_mut(&id).expect("a record that others refer to exists"))
    }

    /// Changes the record with `id` as `change` does, and gives its new state.
    ///
    /// # Panics
    /// When it does not exist: a bug.
    pub fn changed(&mut self, id: T::Id, f: impl FnOnce(&mut T)) -> Arc<T> {
        let record = self.records.get_mut(&id).expect("a record that others refer to exists");
        f(Arc::make_mut(record));
        Arc::clone(record)
    }

    /// All records in order of creation.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<T>> + ExactSizeIterator {
        self.records.values()
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
    pub fn of_client(&self, client: ClientId, start: Option<SortedId>) -> impl Iterator<Item = &Arc<T>> {
        self.walk(self.by_client.get(&client), start)
    }

    /// The records of an account, from `start` on (inclusive), in order of creation.
    pub fn of_account(&self, account: AccountId, start: Option<SortedId>) -> impl Iterator<Item = &Arc<T>> {
        self.walk(self.by_account.get(&account), start)
    }

    fn walk(&self, index: Option<&Vec<u32>>, start: Option<SortedId>) -> impl Iterator<Item = &Arc<T>> {
        let index = index.map_or(&[][..], Vec::as_slice);
        let from = start.map_or(0, |start| index.partition_point(|&at| self.records[at as usize].sorted_id() < start));
        index[from..].iter().map(|&at| &self.records[at as usize])
    }
}

impl<T: Record> Hash for Store<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The indexes follow from the records.
        let Self { records, by_client: _, by_account: _ } = self;
        state.write_usize(records.len());
        records.values().for_each(|record| record.hash(state));
    }
}

impl<T: Record + Serialize> Serialize for Store<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.records.values())
    }
}

impl<'de, T: Record + Deserialize<'de>> Deserialize<'de> for Store<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut store = Self::default();
        for record in Vec::<Arc<T>>::deserialize(from)? {
            if store.records.contains_key(&record.id()) {
                return Err(D::Error::custom("two records with one id"));
            }
            store.add(record);
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
