//! Access tokens that are alive.
//!
//! Invariant: bounded a partner, expired ones first to go; a look-up takes one read lock of a sixteenth of the tokens
//! and compares the whole token in constant time. Absent on purpose: the tokens' making (`secrets`).

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError, RwLock};

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use sim::ids::PartnerId;
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use crate::world_id::WorldId;
use feed::rights::Rights;
use feed::transport::{TransportClock, TransportTime};

const SHARDS: usize = 16;

type Shard = RwLock<IndexMap<u64, Grant, FxBuildHasher>>;

/// The tokens of all worlds.
#[derive(Default)]
pub struct Tokens {
    shards: [Shard; SHARDS],
    issued: Mutex<IndexMap<(WorldId, PartnerId), VecDeque<Issued>, FxBuildHasher>>,
}

/// What a token opens, and until when.
#[derive(Clone, Copy)]
pub(crate) struct Grant {
    /// The token.
    pub token: Uuid,
    /// The world of the credentials that it was issued for.
    pub world: WorldId,
    /// The partner.
    pub partner: PartnerId,
    /// What the token may do.
    pub rights: Rights,
    /// When it ends.
    pub expires: Expiry,
}

#[derive(Clone, Copy)]
struct Issued {
    key: u64,
    expires: Expiry,
}

/// When a token ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expiry {
    /// By transport time.
    Transport(TransportTime),
    /// By the world's clock (`virtualTransport`).
    World(TransportTime),
}

impl Expiry {
    /// Its instant, and whether that is by the world's clock.
    pub(crate) const fn parts(self) -> (TransportTime, bool) {
        match self {
            Self::Transport(at) => (at, false),
            Self::World(at) => (at, true),
        }
    }

    /// The expiry that has these parts.
    pub(crate) const fn from_parts(at: TransportTime, by_world: bool) -> Self {
        if by_world { Self::World(at) } else { Self::Transport(at) }
    }

    /// Whether that is past; `world_time` reads the clock of the token's world.
    pub(crate) fn is_over(self, clock: &TransportClock, world_time: impl FnOnce() -> TransportTime) -> bool {
        match self {
            Self::Transport(at) => clock.now() >= at,
            Self::World(at) => world_time() >= at,
        }
    }
}

impl Tokens {
    fn shard(&self, key: u64) -> &Shard {
        &self.shards[usize::from(key.to_le_bytes()[0]) % SHARDS]
    }

    /// What the token `text` opens, if there is such a token; it may have ended.
    pub(crate) fn find(&self, text: &str) -> Option<Grant> {
        let token = if text.len() == 36 { Uuid::try_parse(text).ok()? } else { return None };
        let key = key_of(token);
        let shard = self.shard(key).read().unwrap_or_else(PoisonError::into_inner);
        let grant = shard.get(&key)?;
        let whole: bool = grant.token.as_bytes().ct_eq(token.as_bytes()).into();
        whole.then_some(*grant)
    }

    /// Takes a new token in. Its partner has at most `most`, and always one: the oldest and those that are over give way.
    /// `false` when the world `is_dropped` by now.
    pub(crate) fn issue(
        &self,
        grant: Grant,
        most: usize,
        is_over: impl Fn(Expiry) -> bool,
        is_dropped: impl FnOnce() -> bool,
    ) -> bool {
        let key = key_of(grant.token);
        let mut issued = self.issued.lock().unwrap_or_else(PoisonError::into_inner);
        if is_dropped() {
            return false;
        }
        let queue = issued.entry((grant.world, grant.partner)).or_default();
        while let Some(oldest) = queue.front() {
            if queue.len() < most.max(1) && !is_over(oldest.expires) {
                break;
            }
            self.remove(oldest.key);
            queue.pop_front();
        }
        queue.push_back(Issued { key, expires: grant.expires });
        self.shard(key).write().unwrap_or_else(PoisonError::into_inner).insert(key, grant);
        true
    }

    /// Forgets every token of these partners of a world.
    pub(crate) fn forget(&self, world: WorldId, partners: impl Iterator<Item = PartnerId>) {
        let mut issued = self.issued.lock().unwrap_or_else(PoisonError::into_inner);
        for partner in partners {
            let queue = issued.shift_remove(&(world, partner)).unwrap_or_default();
            queue.iter().for_each(|issued| self.remove(issued.key));
        }
    }

    fn remove(&self, key: u64) {
        self.shard(key).write().unwrap_or_else(PoisonError::into_inner).swap_remove(&key);
    }

    /// How many tokens are held.
    #[cfg(feature = "testing")]
    pub fn count(&self) -> usize {
        self.shards.iter().map(|shard| shard.read().map_or(0, |shard| shard.len())).sum()
    }
}

/// The half by which a token is found; the other half is what has to be guessed, and is compared in constant time.
fn key_of(token: Uuid) -> u64 {
    token.as_u64_pair().0
}
