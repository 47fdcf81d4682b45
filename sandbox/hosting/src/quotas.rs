//! How much a partner may have at once of what all partners share (rule: auth/quotas).
//!
//! Invariant: what a partner has counts for that partner alone, over its world and the forks that it has made: one partner
//! at its limit changes nothing for another. Absent on purpose: bounds of the whole server, and what worlds count
//! themselves (webhooks, fault rules, snapshots, sockets, deliveries, logs).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sim::ids::PartnerId;

use crate::world_id::WorldId;
use wire::error::ApiError;

/// A partner over all of its worlds: the one that it was made in, and the forks that it has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Owner {
    /// The world that it was made in.
    pub world: WorldId,
    /// The partner.
    pub partner: PartnerId,
}

/// What is held for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Held {
    /// Streams of a world that are open.
    Stream,
    /// Files that are being brought.
    Upload,
}

impl Held {
    /// How many a partner may have at once.
    #[must_use]
    pub const fn most(self) -> usize {
        match self {
            Self::Stream => 16,
            Self::Upload => 2,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Stream => "streams",
            Self::Upload => "files on their way",
        }
    }
}

/// What partners hold. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Quotas {
    held: Arc<Mutex<BTreeMap<(Held, Owner), usize>>>,
}

/// One of what a partner holds, until it is dropped.
#[derive(Debug)]
pub struct Holding {
    of: Quotas,
    what: (Held, Owner),
}

impl Quotas {
    fn held(&self) -> MutexGuard<'_, BTreeMap<(Held, Owner), usize>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more for `owner`.
    ///
    /// # Errors
    /// 503 when it has as many as it may have.
    pub fn hold(&self, held: Held, owner: Owner) -> Result<Holding, ApiError> {
        let what = (held, owner);
        let mut all = self.held();
        let count = all.entry(what).or_default();
        if *count >= held.most() {
            return Err(ApiError::unavailable(format!(
                "a partner may have {} {} at once; end one first",
                held.most(),
                held.name()
            )));
        }
        *count += 1;
        drop(all);
        Ok(Holding { of: self.clone(), what })
    }
}

impl Drop for Holding {
    fn drop(&mut self) {
        let mut all = self.of.held();
        if let Some(count) = all.get_mut(&self.what) {
            *count -= 1;
            if *count == 0 {
                all.remove(&self.what);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: auth/quotas)
    #[test]
    fn what_one_partner_holds_counts_for_nobody_else_and_ends_when_it_is_dropped() {
        let quotas = Quotas::default();
        let owner = |partner| Owner { world: WorldId::from_number(1), partner: PartnerId::from_u128(partner) };
        for held in [Held::Stream, Held::Upload] {
            let mut own: Vec<_> = (0..held.most()).map(|_| quotas.hold(held, owner(1)).expect("room")).collect();
            let refused = quotas.hold(held, owner(1)).expect_err("no room");
            assert_eq!(refused.status.as_u16(), 503);
            drop(quotas.hold(held, owner(2)).expect("room for another"));
            own.pop();
            own.push(quotas.hold(held, owner(1)).expect("room again"));
        }
        assert!(quotas.held().is_empty(), "nothing is counted of who holds nothing");
    }
}
