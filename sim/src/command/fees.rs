//! A request to change what a client takes itself.

use super::Scope;
use crate::records::FeeTerms;
use serde::{Deserialize, Serialize};

/// Other terms of what a client takes itself; what is left out stays (rule: fees/partner-fee).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SetClientFees {
    /// The caller, and which client.
    pub scope: Scope,
    /// The partner's fee.
    pub partner: Option<FeeTerms>,
    /// The client's own.
    pub client: Option<FeeTerms>,
}
