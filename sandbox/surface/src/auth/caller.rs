//! Whom an access token was issued to, and what it opens.
//!
//! Invariant: a token opens only its own partner's clients in its own world. Absent on purpose: the token itself.

use std::sync::Arc;

use sim::command::Scope;
use sim::ids::{ClientId, PartnerId};
use sim::records::Permissions;

use feed::rights::{Access, Resource, Right, Rights};
use hosting::partners_may::WorldAct;
use hosting::quotas::Owner;
use hosting::worlds::WorldHandle;
use wire::error::ApiError;

/// What the machinery asks of a partner's token (rule: auth/machinery-scope).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeDemand {
    /// That it is valid: the answer is about the world's own, such as its clock.
    Token,
    /// Every right to read: the answer covers all resources.
    EveryRead,
    /// Every right: the request changes the whole world, or what others are shown of it.
    Everything,
}

/// A partner with a valid token.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The world that the credentials belong to.
    pub world: Arc<WorldHandle>,
    /// The partner.
    pub partner: PartnerId,
    /// What the token may do.
    pub rights: Rights,
}

impl Caller {
    /// Whether the token has `right`.
    ///
    /// # Errors
    /// 403 when it has not.
    pub fn may(&self, right: Right) -> Result<(), ApiError> {
        if self.rights.allow(right) {
            return Ok(());
        }
        Err(ApiError::forbidden(format!("the access token lacks the scope {right}")))
    }

    /// Whether the token may read one of `resources`.
    ///
    /// # Errors
    /// 403 when it may read none.
    pub fn may_read_one(&self, resources: &[Resource]) -> Result<(), ApiError> {
        let mut rights = resources.iter().map(|resource| Right { resource: *resource, access: Access::Read });
        if rights.any(|right| self.rights.allow(right)) {
            return Ok(());
        }
        Err(ApiError::forbidden("the access token lacks a scope to read the events of this socket"))
    }

    /// Whether the token has a right to write, whatever it is.
    ///
    /// # Errors
    /// 403 when it has none.
    pub fn may_write_something(&self) -> Result<(), ApiError> {
        if self.rights.allow_some_write() {
            return Ok(());
        }
        Err(ApiError::forbidden("the access token lacks a scope to write"))
    }

    /// Whether the token may do to its own world what asks for `demand` (rule: auth/machinery-scope).
    ///
    /// # Errors
    /// 403 when it may not.
    pub fn meets(&self, demand: ScopeDemand) -> Result<(), ApiError> {
        let (has, lacks) = match demand {
            ScopeDemand::Token => (true, ""),
            ScopeDemand::EveryRead => (
                self.rights.allow_every_read(),
                "the access token lacks read scopes: this request needs those of all resources",
            ),
            ScopeDemand::Everything => {
                (self.rights == Rights::ALL, "the access token lacks scopes: this request acts on the whole world")
            }
        };
        if has { Ok(()) } else { Err(ApiError::forbidden(lacks)) }
    }

    /// Whether other partners have a part in the caller's world, on a server whose machinery `is_shared`
    /// (rule: auth/shared-worlds).
    #[must_use]
    pub fn is_among_others(&self, is_shared: bool) -> bool {
        is_shared && !self.world.identity.is_own(self.partner)
    }

    /// Whether the caller may do `act` to its world, on a server whose machinery `is_shared` (rule: auth/shared-worlds).
    #[must_use]
    pub fn may_act(&self, act: WorldAct, is_shared: bool) -> bool {
        !self.is_among_others(is_shared) || self.world.edge.partners_may().contains(act)
    }

    /// Who it is over all worlds that it has made.
    #[must_use]
    pub fn owner(&self) -> Owner {
        self.world.identity.owner(self.partner)
    }

    /// The scope of a request under `client`.
    ///
    /// # Errors
    /// 403 when the client is unknown or another partner's.
    pub fn scope(&self, client: ClientId) -> Result<Scope, ApiError> {
        if self.world.owns(self.partner, client)? {
            Ok(Scope { partner: self.partner, client })
        } else {
            Err(ApiError::forbidden("clientId is not within the scope of this token"))
        }
    }

    /// The same, for a client that may do what `may` asks (rule: payments/payment-permissions).
    ///
    /// # Errors
    /// 403 as before, and when the client may not.
    pub fn scope_that_may(&self, client: ClientId, may: fn(&Permissions) -> bool) -> Result<Scope, ApiError> {
        let scope = self.scope(client)?;
        let permitted = self.world.read(|world| world.client_that_may(scope, may).map(|_| scope))?;
        permitted.map_err(|refusal| self.world.refusal(refusal))
    }
}
