//! Clients as the partner sees them, with the permissions that bound what it may do for them.
//!
//! Absent on purpose: the universe, which is read as a list of instruments.

use super::text::{Crn, Iban, Id, SortedId, Timestamp};
use super::words::{AccountType, Category, FeeType, OwnerType, ServiceType};
use serde::Serialize;
use sim::records::{self, Stamp};
use std::sync::Arc;
use utoipa::ToSchema;

/// The legal entity that holds power of attorney over end-investor accounts.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Client<'a> {
    id: Id,
    sorted_id: SortedId,
    name: &'a str,
    /// Name shown to end customers.
    display_name: &'a str,
    crn: Crn,
    /// ISO 3166-1 alpha-2.
    country: &'a str,
    /// Where fees are paid, one account for each kind of fee.
    bank_accounts: Vec<ClientBankAccount>,
    service_types: Vec<ClientServiceType<'a>>,
    permissions: Permissions<'a>,
    created_date: Timestamp,
    modified_date: Timestamp,
}

/// Where one kind of fee is paid.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ClientBankAccount {
    fee_type: FeeType,
    iban: Iban,
}

/// A service that the client offers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ClientServiceType<'a> {
    account_service_type: ServiceType,
    /// Activation code of six digits, assigned by the platform.
    #[schema(pattern = "^[0-9]{6}$")]
    code: &'a str,
}

/// What the client may do; read-only.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Permissions<'a> {
    account_types: Vec<AccountType>,
    account_service_types: Vec<ServiceType>,
    account_categories: Vec<Category>,
    owner_types: Vec<OwnerType>,
    /// Journeys that the client may start.
    #[schema(value_type = Vec<String>)]
    journey_types: &'a [Arc<str>],
    /// Transfers from custodians.
    transfers: bool,
    /// Autogiro mandates and charges.
    autogiro: bool,
    /// Mobile-payment deposits.
    mobile_payment: bool,
    withdrawals: bool,
    partner_fee: bool,
}

impl<'a> Client<'a> {
    /// The public shape of `client`.
    #[must_use]
    pub fn of(client: &'a records::Client) -> Self {
        let records::Client {
            id,
            sorted_id,
            partner: _,
            name,
            display_name,
            crn,
            country,
            bank_accounts,
            service_types,
            permissions,
            universe: _,
            stamp: Stamp { created, modified, revision: _ },
        } = client;
        Self {
            id: Id(id.as_uuid()),
            sorted_id: SortedId(*sorted_id),
            name,
            display_name,
            crn: Crn(*crn),
            country,
            bank_accounts: bank_accounts
                .iter()
                .map(|records::ClientBankAccount { fee_type, iban }| ClientBankAccount {
                    fee_type: FeeType(*fee_type),
                    iban: Iban(*iban),
                })
                .collect(),
            service_types: service_types
                .iter()
                .map(|records::ServiceCode { service_type, code }| ClientServiceType {
                    account_service_type: ServiceType(*service_type),
                    code,
                })
                .collect(),
            permissions: Permissions::of(permissions),
            created_date: Timestamp(*created),
            modified_date: Timestamp(*modified),
        }
    }
}

impl<'a> Permissions<'a> {
    fn of(permissions: &'a records::Permissions) -> Self {
        let records::Permissions {
            account_types,
            service_types,
            categories,
            owner_types,
            journey_types,
            transfers,
            autogiro,
            mobile_payment,
            withdrawals,
            partner_fee,
        } = permissions;
        Self {
            account_types: account_types.iter().copied().map(AccountType).collect(),
            account_service_types: service_types.iter().copied().map(ServiceType).collect(),
            account_categories: categories.iter().copied().map(Category).collect(),
            owner_types: owner_types.iter().copied().map(OwnerType).collect(),
            journey_types,
            transfers: *transfers,
            autogiro: *autogiro,
            mobile_payment: *mobile_payment,
            withdrawals: *withdrawals,
            partner_fee: *partner_fee,
        }
    }
}
