//! Who a world is: its id and name, what it was made from, whose it is, and the secrets that it has given out.
//!
//! Absent on purpose: the state of the world, and how it is read and changed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sim::canary::{Canary, Planted};
use sim::ids::PartnerId;
use uuid::Uuid;

use super::input_origin::ForkOf;
use crate::credentials::{Credentials, CredentialsOfWorld, Kept};
use crate::origin::WorldOrigin;
use crate::quotas::Owner;
use crate::recording::masks::GivenOut;
use crate::secrets::{Links, ServerKey};
use crate::world_id::WorldId;

/// Tokens are counted from a multiple of this, another one at each start of the server.
const TOKENS_OF_ONE_START: u64 = 1 << 32;

/// Who a world is.
pub struct Identity {
    id: WorldId,
    name: Arc<str>,
    origin: WorldOrigin,
    credentials: CredentialsOfWorld,
    key: ServerKey,
    links: Links,
    /// The partner that made it as a fork of its world.
    maker: Option<Owner>,
    fork_of: Option<ForkOf>,
    tokens_issued: AtomicU64,
    instance: AtomicU64,
}

/// What an identity is made of.
pub(super) struct IdentityParts {
    pub id: WorldId,
    pub name: Arc<str>,
    pub origin: WorldOrigin,
    pub credentials: CredentialsOfWorld,
    pub key: ServerKey,
    pub links: Links,
    pub maker: Option<Owner>,
    pub fork_of: Option<ForkOf>,
    /// Which start of the server with this key it is.
    pub incarnation: u32,
    /// Whether tokens of earlier starts may be alive, whose counts go on.
    pub tokens_last: bool,
}

impl Identity {
    pub(super) fn new(parts: IdentityParts) -> Self {
        let IdentityParts { id, name, origin, credentials, key, links, maker, fork_of, incarnation, tokens_last } =
            parts;
        let first = u64::from(incarnation) * TOKENS_OF_ONE_START;
        let (tokens_issued, instance) = (AtomicU64::new(if tokens_last { 0 } else { first }), AtomicU64::new(first));
        Self { id, name, origin, credentials, key, links, maker, fork_of, tokens_issued, instance }
    }

    /// The world's id.
    #[must_use]
    pub const fn id(&self) -> WorldId {
        self.id
    }

    /// The world's name.
    #[must_use]
    pub const fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// What the world was made from.
    #[must_use]
    pub const fn origin(&self) -> &WorldOrigin {
        &self.origin
    }

    /// Whether a test has planted this in worlds of its seed: never, in a build that is shipped.
    #[must_use]
    pub fn is_planted(&self, canary: Canary) -> bool {
        Planted::by_seed(self.origin.seed).is(canary)
    }

    /// The partners' credentials, in the order of the setup.
    #[must_use]
    pub fn credentials(&self) -> &[Credentials] {
        &self.credentials.partners
    }

    /// What a snapshot file keeps of the credentials.
    #[must_use]
    pub fn kept_credentials(&self) -> Kept {
        self.credentials.kept(&self.key)
    }

    /// The moment of another world that it began as, where it is a fork.
    #[must_use]
    pub const fn fork_of(&self) -> Option<ForkOf> {
        self.fork_of
    }

    /// Whether the world is `partner`'s alone: it has no other partner, or is a fork that this one made.
    #[must_use]
    pub fn is_own(&self, partner: PartnerId) -> bool {
        self.credentials().iter().all(|known| known.partner == partner)
            || self.maker.is_some_and(|maker| maker.partner == partner)
    }

    /// The partner that made it as a fork of its world.
    #[must_use]
    pub const fn maker(&self) -> Option<Owner> {
        self.maker
    }

    /// Who a partner of this world is over all of its worlds.
    #[must_use]
    pub fn owner(&self, partner: PartnerId) -> Owner {
        self.maker.filter(|maker| maker.partner == partner).unwrap_or(Owner { world: self.id, partner })
    }

    /// What `hello` says; another one after the world was reset or restored.
    #[must_use]
    pub fn instance_id(&self) -> Uuid {
        self.key.instance_id(self.id, self.instance.load(Ordering::Relaxed))
    }

    /// Another present has begun, which `hello` says.
    pub(super) fn begin_anew(&self) {
        self.instance.fetch_add(1, Ordering::Relaxed);
    }

    /// Makes the links of the world's journeys.
    #[must_use]
    pub const fn links(&self) -> &Links {
        &self.links
    }

    /// Makes its secrets.
    pub(super) const fn key(&self) -> &ServerKey {
        &self.key
    }

    /// What it has given out that opens something.
    #[must_use]
    pub fn given_out(&self) -> GivenOut {
        let issued = self.tokens_issued.load(Ordering::Relaxed);
        let first = issued - issued % TOKENS_OF_ONE_START;
        let secrets = self.credentials().iter().map(|partner| partner.secret.clone()).collect();
        GivenOut { world: self.id.number(), secrets, tokens: first..issued }
    }

    /// A token that was never issued before, and its count.
    pub(super) fn new_token(&self) -> (u64, Uuid) {
        let count = self.tokens_issued.fetch_add(1, Ordering::Relaxed);
        (count, self.key.access_token(self.id, count))
    }

    /// How many tokens were issued.
    pub(super) fn tokens_issued(&self) -> u64 {
        self.tokens_issued.load(Ordering::Relaxed)
    }

    /// So many tokens were issued before.
    pub(super) fn continues_after(&self, tokens: u64) {
        self.tokens_issued.fetch_max(tokens, Ordering::Relaxed);
    }

    /// The token of a count, which an earlier server has issued.
    pub(super) fn issued_before(&self, count: u64) -> Uuid {
        self.continues_after(count + 1);
        self.key.access_token(self.id, count)
    }
}
