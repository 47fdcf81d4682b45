//! A request to open an account at once, and what is decided about one that waits.

use super::Scope;
use crate::identity::{Iban, InstrumentId};
use crate::money::{Amount, Units};
use crate::records::{AccountType, Category, MandateStatus, Owner, ServiceType};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An account at once.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OpenAccount {
    /// The caller.
    pub scope: Scope,
    /// Kind of account.
    pub account_type: AccountType,
    /// Owner; one is made from the seed when none is given.
    pub owner: Option<Owner>,
    /// Shown name; by type when none is given (rule: accounts/default-name).
    pub name: Option<Arc<str>>,
    /// Investment service.
    pub service_type: ServiceType,
    /// MiFID II classification.
    pub category: Category,
    /// Opening cash; zero for none.
    pub cash: Amount,
    /// Opening positions.
    pub positions: Vec<(InstrumentId, Units)>,
    /// Bank accounts of the owner.
    pub bank_accounts: Vec<OpenBankAccount>,
    /// Whether the owner has answered the appropriateness question.
    pub fund_knowledge: bool,
}

/// A bank account that comes with an account.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OpenBankAccount {
    /// ISO 13616.
    pub iban: Iban,
    /// The owner's name for it.
    pub name: Option<Arc<str>>,
    /// Whether the account check has passed.
    pub validated: bool,
    /// Autogiro mandate.
    pub mandate: MandateStatus,
}

/// A decision about an account that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Decision {
    /// The platform approves.
    Approve,
    /// The application or a signature is refused.
    Reject,
    /// Every signature that is missing is given: the insurer's, and those of further signatories.
    Confirm,
}
