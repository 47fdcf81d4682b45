//! Requests to create or change a client.

use super::Scope;
use crate::identity::OrganisationNumber;
use crate::ids::{ClientId, PartnerId};
use crate::partial::{Whole, partly};
use crate::records::{ClientBankAccount, ServiceType};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

partly! {
    /// A new client (rule: clients/client-shape, clients/client-identity). It may do what the partner's first client may.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct CreateClient or PartialClient {
        /// The caller.
        pub partner: PartnerId,
        /// Chosen id; drawn when absent.
        pub id: Option<ClientId>,
        /// Registered name.
        pub name: Arc<str>,
        /// Name shown to end customers.
        pub display_name: Arc<str>,
        /// Company registration number.
        pub crn: OrganisationNumber,
        /// ISO 3166-1 alpha-2.
        pub country: Arc<str>,
        /// Where fees are paid.
        pub bank_accounts: Vec<ClientBankAccount>,
        /// Services, each of which gets a code.
        pub service_types: Vec<ServiceType>,
    }

    /// A merge patch of a client (rule: clients/client-patch).
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct PatchClient or PartialClientPatch {
        /// The caller, and which client.
        pub scope: Scope,
        /// Registered name.
        pub name: Patch<Arc<str>>,
        /// Name shown to end customers.
        pub display_name: Patch<Arc<str>>,
        /// ISO 3166-1 alpha-2.
        pub country: Patch<Arc<str>>,
        /// Where fees are paid; replaced whole.
        pub bank_accounts: Patch<Vec<ClientBankAccount>>,
        /// Services; replaced whole, kept ones keep their code.
        pub service_types: Patch<Vec<ServiceType>>,
        /// Whether the patch named `id`, which cannot change.
        pub names_id: bool,
        /// Whether the patch named `crn`, which cannot change.
        pub names_crn: bool,
        /// Whether it named anything else, which is ignored: it is not empty then.
        pub names_others: bool,
    }
}

impl PatchClient {
    /// Whether nothing was named.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        let kept = self.name.is_keep()
            && self.display_name.is_keep()
            && self.country.is_keep()
            && self.bank_accounts.is_keep()
            && self.service_types.is_keep();
        kept && !self.names_id && !self.names_crn && !self.names_others
    }
}

/// A field of a merge patch (RFC 7396).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Patch<T> {
    /// Left out: stays as it is.
    #[default]
    Keep,
    /// Null: is removed.
    Clear,
    /// Is replaced.
    Set(T),
}

impl<T> Patch<T> {
    /// Whether the field was left out.
    #[must_use]
    pub const fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }
}

impl<T: Whole> Whole for Patch<T> {
    type Partial = Patch<T::Partial>;

    fn partial(&self) -> Self::Partial {
        match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(value) => Patch::Set(value.partial()),
        }
    }

    fn whole(partial: Self::Partial) -> Option<Self> {
        Some(match partial {
            Patch::Keep => Self::Keep,
            Patch::Clear => Self::Clear,
            Patch::Set(value) => Self::Set(T::whole(value)?),
        })
    }
}
