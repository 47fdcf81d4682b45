//! Whom an access token was issued to, and what it opens.
//!
//! Invariant: a token opens only its own partner's clients in its own world. Absent on purpose: the token itself.

use std::sync::Arc;

use sim::command::Scope;
use sim::ids::{ClientId, PartnerId};

use crate::hosting::rights::{Access, RESOURCES, Resource, Rights};
use crate::hosting::worlds::WorldHandle;
use crate::wire::error::ApiError;

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
    /// The scope of a request under `client`.
    ///
    /// # Errors
    /// 403 when the client is unknown or another partner's, or when the token lacks the right.
    pub fn client(&self, client: ClientId, resource: Resource, access: Access) -> Result<Scope, ApiError> {
        self.may(resource, access)?;
        self.owns(client)
    }

    /// Whether the token may do this at all.
    ///
    /// # Errors
    /// 403 when it may not.
    pub fn may(&self, resource: Resource, access: Access) -> Result<(), ApiError> {
        if self.rights.allow(resource, access) {
            return Ok(());
        }
        let verb = if access == Access::Read { "read" } else { "write" };
        let noun = RESOURCES.iter().find(|(known, _)| *known == resource).map_or("", |(_, name)| name);
        Err(ApiError::forbidden(format!("the access token lacks the scope {noun}:{verb}")))
    }

    /// The scope of `client`, whatever is done with it.
    ///
    /// # Errors
    /// 403 when the client is unknown or another partner's.
    pub fn owns(&self, client: ClientId) -> Result<Scope, ApiError> {
        if self.world.owns(self.partner, client)? {
            Ok(Scope { partner: self.partner, client })
        } else {
            Err(ApiError::forbidden("clientId is not within the scope of this token"))
        }
    }
}
