//! A partner, and the clients (power-of-attorney assignees) it runs accounts for.
//!
//! Absent on purpose: credentials. They are secrets of the surface and never part of a world (so a seed reveals nothing).

use super::{AccountType, Category, ClientFees, FeeType, ServiceType, Stamp};
use crate::identity::{Iban, InstrumentId, OrganisationNumber};
use crate::ids::{ClientId, PartnerId, SortedId};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A registered partner of the platform.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Partner {
    /// Internal id; never shown to other partners.
    pub id: PartnerId,
    /// Company name.
    pub name: Arc<str>,
}

/// The legal entity that holds power of attorney over end-investor accounts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Client {
    /// Public id.
    pub id: ClientId,
    /// Position in listings.
    pub sorted_id: SortedId,
    /// Its partner.
    pub partner: PartnerId,
    /// Registered name.
    pub name: Arc<str>,
    /// Name shown to end customers.
    pub display_name: Arc<str>,
    /// Company registration number.
    pub crn: OrganisationNumber,
    /// ISO 3166-1 alpha-2.
    pub country: Arc<str>,
    /// Where fees are paid, one account a fee type (rule: clients/client-fee-accounts).
    pub bank_accounts: Vec<ClientBankAccount>,
    /// Services the client offers, with their activation codes (rule: clients/activation-codes).
    pub service_types: Vec<ServiceCode>,
    /// What the client may do (rule: clients/client-permissions).
    pub permissions: Permissions,
    /// Whether its partner may only instruct withdrawals that the customer has signed (rule: journeys/sign-withdrawal).
    pub withdrawal_needs_signature: bool,
    /// What it takes from its customers besides the platform's fee (rule: fees/partner-fee).
    pub fees: ClientFees,
    /// Funds the client offers (rule: securities/universe).
    pub universe: Universe,
    /// Creation and change.
    pub stamp: Stamp,
}

/// The bank account that receives one kind of fee.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ClientBankAccount {
    /// Kind of fee.
    pub fee_type: FeeType,
    /// Receiving account.
    pub iban: Iban,
}

/// A service type with its six-digit activation code.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ServiceCode {
    /// Investment service.
    pub service_type: ServiceType,
    /// Six digits, unique in the world.
    pub code: Arc<str>,
}

/// Whether an owner is a person or an organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum OwnerType {
    /// A person.
    NaturalPerson,
    /// An organisation.
    LegalEntity,
}

/// What a client may do; journeys and orders are bounded by it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Permissions {
    /// Account types it may open.
    pub account_types: Vec<AccountType>,
    /// Investment services it may offer.
    pub service_types: Vec<ServiceType>,
    /// Client categories it may onboard.
    pub categories: Vec<Category>,
    /// Kinds of owner it may onboard.
    pub owner_types: Vec<OwnerType>,
    /// Names of the journeys it may start.
    pub journey_types: Vec<Arc<str>>,
    /// Transfers from custodians.
    pub transfers: bool,
    /// Autogiro mandates and charges.
    pub autogiro: bool,
    /// Mobile-payment deposits.
    pub mobile_payment: bool,
    /// Payouts.
    pub withdrawals: bool,
    /// Partner fees.
    pub partner_fee: bool,
}

/// The funds a client offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Universe {
    /// Everything on the platform.
    All,
    /// These.
    Only(IndexSet<InstrumentId, FxBuildHasher>),
}

impl Universe {
    /// Whether `instrument` is offered.
    #[must_use]
    pub fn contains(&self, instrument: InstrumentId) -> bool {
        match self {
            Self::All => true,
            Self::Only(set) => set.contains(&instrument),
        }
    }
}

impl std::hash::Hash for Universe {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        match self {
            Self::All => state.write_u8(0),
            Self::Only(set) => {
                state.write_u8(1);
                set.iter().for_each(|id| id.hash(state));
            }
        }
    }
}
