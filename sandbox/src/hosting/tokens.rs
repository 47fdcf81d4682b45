//! Access tokens that are alive.
//!
//! Invariant: bounded a partner, expired ones first to go; a look-up takes one read lock of a sixteenth of the tokens
//! and compares the whole token in constant time. Absent on purpose: the tokens' making (`secrets`).

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use sim::ids::PartnerId;
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use crate::hosting::caller::Caller;
use crate::hosting::rights::Rights;
use crate::hosting::transport::{TransportClock, TransportTime};
use crate::hosting::worlds::WorldHandle;

const SHARDS: usize = 16;

type Shard = RwLock<IndexMap<u64, Grant, FxBuildHasher>>;

/// The tokens of all worlds.
#[derive(Default)]
pub(crate) struct Tokens {
    shards: [Shard; SHARDS],
    issued: Mutex<IndexMap<(crate::hosting::worlds::WorldId, PartnerId), VecDeque<Issued>, FxBuildHasher>>,
}

struct Grant {
    token: Uuid,
    caller: Caller,
    expires: Expiry,
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
    fn is_over(self, clock: &TransportClock, world: &WorldHandle) -> bool {
        match self {
            Self::Transport(at) => clock.now() >= at,
            Self::World(at) => world.world_time() >= at,
        }
    }
}

impl Tokens {
    fn shard(&self, key: u64) -> &Shard {
        &self.shards[usize::from(key.to_le_bytes()[0]) % SHARDS]
    }

    /// The caller that `text` was issued to, while it is alive.
    pub(crate) fn bearer(&self, text: &str, clock: &TransportClock) -> Option<Caller> {
        let token = if text.len() == 36 { Uuid::try_parse(text).ok()? } else { return None };
        let key = key_of(token);
        let shard = self.shard(key).read().unwrap_or_else(PoisonError::into_inner);
        let grant = shard.get(&key)?;
        let whole: bool = grant.token.as_bytes().ct_eq(token.as_bytes()).into();
        if !whole {
            return None;
        }
        let (caller, expires) = (grant.caller.clone(), grant.expires);
        drop(shard);
        (!expires.is_over(clock, &caller.world)).then_some(caller)
    }

    /// Issues a token to a partner of `world` and answers it with its life in seconds; `None` when the world has just
    /// been dropped.
    pub(crate) fn issue(
        &self,
        world: &Arc<WorldHandle>,
        partner: PartnerId,
        rights: Rights,
        clock: &TransportClock,
    ) -> Option<(Uuid, u64)> {
        let settings = world.settings();
        let expires = if settings.virtual_transport {
            Expiry::World(world.world_time().plus(settings.token_life))
        } else {
            Expiry::Transport(clock.now().plus(settings.token_life))
        };
        let token = world.new_token();
        let key = key_of(token);
        let mut issued = self.issued.lock().unwrap_or_else(PoisonError::into_inner);
        if world.is_dropped() {
            return None;
        }
        let queue = issued.entry((world.id(), partner)).or_default();
        while let Some(oldest) = queue.front() {
            if queue.len() < settings.tokens_per_partner.max(1) && !oldest.expires.is_over(clock, world) {
                break;
            }
            self.remove(oldest.key);
            queue.pop_front();
        }
        queue.push_back(Issued { key, expires });
        let caller = Caller { world: Arc::clone(world), partner, rights };
        let grant = Grant { token, caller, expires };
        self.shard(key).write().unwrap_or_else(PoisonError::into_inner).insert(key, grant);
        Some((token, settings.token_life.as_secs()))
    }

    /// Forgets every token of a world.
    pub(crate) fn forget(&self, world: &WorldHandle) {
        let mut issued = self.issued.lock().unwrap_or_else(PoisonError::into_inner);
        for credentials in world.credentials() {
            let queue = issued.shift_remove(&(world.id(), credentials.partner)).unwrap_or_default();
            queue.iter().for_each(|issued| self.remove(issued.key));
        }
    }

    fn remove(&self, key: u64) {
        self.shard(key).write().unwrap_or_else(PoisonError::into_inner).swap_remove(&key);
    }

    /// How many tokens are held.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.shards.iter().map(|shard| shard.read().map_or(0, |shard| shard.len())).sum()
    }
}

/// The half by which a token is found; the other half is what has to be guessed, and is compared in constant time.
fn key_of(token: Uuid) -> u64 {
    token.as_u64_pair().0
}
