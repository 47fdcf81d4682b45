//! A bank account, as every account of its owner shows it.
//!
//! Absent on purpose: what is under way for it, which is `BankFile` (`records/accounts/standing.rs`).

use super::Stamp;
use crate::identity::Iban;
use crate::ids::BankAccountId;
use crate::machines::{Current, mandate};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A bank account that an owner has connected with one client.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BankAccount {
    /// Same id in every account of the owner (rule: bank/bank-account-identity).
    pub id: BankAccountId,
    /// ISO 13616.
    pub iban: Iban,
    /// The owner's name for it.
    pub name: Option<Arc<str>>,
    /// Creation and change.
    pub stamp: Stamp,
    /// Whether the account check has confirmed name and ownership.
    pub validated: bool,
    /// Autogiro mandate.
    pub mandate: Current<mandate::State>,
}
