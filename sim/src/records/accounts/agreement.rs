//! What an owner has signed (rule: accounts/agreements).
//!
//! Absent on purpose: the document itself, which the surface writes from these facts.

use crate::identity::PersonalNumber;
use crate::time::Instant;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A kind of agreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum AgreementType {
    /// The account agreement.
    Account,
    /// The client's power of attorney.
    PowerOfAttorney,
    /// The insurance policy.
    Insurance,
    /// The autogiro mandate.
    Autogiro,
}

impl AgreementType {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Account, Self::PowerOfAttorney, Self::Insurance, Self::Autogiro];

    /// The public key.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Account => "account",
            Self::PowerOfAttorney => "power_of_attorney",
            Self::Insurance => "insurance",
            Self::Autogiro => "autogiro",
        }
    }

    /// The Swedish name, public as `swe`.
    #[must_use]
    pub const fn swedish(self) -> &'static str {
        match self {
            Self::Account => "Kontoavtal",
            Self::PowerOfAttorney => "Fullmakt",
            Self::Insurance => "Försäkringsavtal",
            Self::Autogiro => "Autogiromedgivande",
        }
    }
}

/// One person's signature.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Signature {
    /// Who.
    pub ssn: PersonalNumber,
    /// Full name.
    pub name: Arc<str>,
    /// When.
    pub at: Instant,
}
