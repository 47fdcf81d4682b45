//! What a world starts from. Plain data: the surface reads it from files and requests.

use crate::command::OpenBankAccount;
use crate::identity::{InstrumentId, OrganisationNumber};
use crate::ids::{ClientId, CustodianId};
use crate::money::{Amount, Units};
use crate::records::{
    AccountType, Category, ClientBankAccount, Instrument, Owner, Permissions, ServiceType, Universe,
};
use crate::settings::Settings;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Everything a world holds before its first command.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Setup {
    /// Shown name of the world.
    pub name: Arc<str>,
    /// Partners with their clients.
    pub partners: Vec<PartnerSetup>,
    /// The platform's funds.
    pub instruments: Vec<Instrument>,
    /// First rates of foreign currencies against SEK, 4 decimals.
    pub rates: Vec<RateSetup>,
    /// Custodians that transfers can come from.
    pub custodians: Vec<Custodian>,
    /// Tunables.
    pub settings: Settings,
}

/// A partner with its clients.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PartnerSetup {
    /// Company name.
    pub name: Arc<str>,
    /// Its clients, at least one.
    pub clients: Vec<ClientSetup>,
}

/// A client with the accounts it starts with.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ClientSetup {
    /// Fixed id; drawn from the seed when absent.
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
    /// Investment services with codes drawn from the seed.
    pub service_types: Vec<ServiceType>,
    /// What it may do.
    pub permissions: Permissions,
    /// Funds it offers.
    pub universe: Universe,
    /// Accounts open from the start.
    pub accounts: Vec<AccountSetup>,
}

/// An account that is open from the start.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AccountSetup {
    /// Kind of account.
    pub account_type: AccountType,
    /// Owner; made from the seed when absent.
    pub owner: Option<Owner>,
    /// Shown name.
    pub name: Option<Arc<str>>,
    /// Investment service.
    pub service_type: ServiceType,
    /// MiFID II classification.
    pub category: Category,
    /// Opening cash.
    pub cash: Amount,
    /// Opening positions.
    pub positions: Vec<(InstrumentId, Units)>,
    /// Bank accounts of the owner.
    pub bank_accounts: Vec<OpenBankAccount>,
    /// Whether the owner has answered the appropriateness question.
    pub fund_knowledge: bool,
}

/// First rate of a currency.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RateSetup {
    /// ISO 4217.
    pub currency: crate::identity::Currency,
    /// SEK for one unit, 4 decimals.
    pub rate: Decimal,
    /// Daily volatility in basis points.
    pub volatility_bp: u32,
}

/// An institution that holdings can be transferred from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Custodian {
    /// Short stable id.
    pub id: CustodianId,
    /// Name.
    pub name: Arc<str>,
}
