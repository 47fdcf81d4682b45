//! Clients as the partner sees them, with the permissions that bound what it may do for them; and the requests that
//! create and change one.
//!
//! Absent on purpose: the universe, which is read as a list of instruments.

use super::faulty::{self, Faulty};
use super::fields::{self, Fields, Spot, Unknown};
use super::json::Node;
use super::text::{Crn, Iban, Id, SortedId, Timestamp};
use super::words::{AccountType, Category, FeeType, OwnerType, ServiceType, word};
use serde::Serialize;
use sim::command::{CreateClient, PatchClient, Scope};
use sim::identity::OrganisationNumber;
use sim::ids::PartnerId;
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
            withdrawal_needs_signature: _,
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

/// Creates a client.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes the request; `create` reads it")]
pub(crate) struct ClientRequest {
    /// Chosen id; drawn when it is left out.
    #[schema(nullable = false)]
    id: Option<Id>,
    #[schema(max_length = 255)]
    name: String,
    /// Name shown to end customers.
    #[schema(max_length = 255)]
    display_name: String,
    /// Unique within the partner.
    crn: Crn,
    /// ISO 3166-1 alpha-2.
    country: String,
    /// One account for each kind of fee.
    #[schema(nullable = false)]
    bank_accounts: Option<Vec<ClientBankAccount>>,
    /// Codes are assigned by the platform.
    service_types: Vec<OfferedService>,
}

/// Changes a client: a merge patch (RFC 7396). Lists are replaced whole; `id` and `crn` cannot change.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes the request; `patch` reads it")]
pub(crate) struct ClientPatch {
    #[schema(nullable = false, max_length = 255)]
    name: Option<String>,
    #[schema(nullable = false, max_length = 255)]
    display_name: Option<String>,
    #[schema(nullable = false)]
    country: Option<String>,
    /// Null removes all.
    bank_accounts: Option<Vec<ClientBankAccount>>,
    /// Services that stay keep their code.
    #[schema(nullable = false)]
    service_types: Option<Vec<OfferedService>>,
}

/// A service that a client is to offer.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes the request; `service` reads it")]
struct OfferedService {
    account_service_type: ServiceType,
}

/// Reads a new client.
///
/// # Errors
/// What cannot be read, beside the rest.
pub fn create(
    body: &Node<'_>,
    unknown: Unknown,
    partner: PartnerId,
) -> Result<CreateClient, Box<Faulty<CreateClient>>> {
    faulty::read(body, unknown, |body| {
        let id = body.optional("id", fields::id);
        let name = body.required("name", fields::free_text);
        let display_name = body.required("displayName", fields::free_text);
        let crn = body.required("crn", fields::organisation_number);
        let country = body.required("country", fields::free_text);
        let bank_accounts = body.or("bankAccounts", Vec::new(), |spot| spot.list(bank_account));
        let service_types = body.required("serviceTypes", |spot| spot.list(service));
        ignore_permissions(body);
        Some(CreateClient {
            partner,
            id: id.flatten(),
            name: name.unwrap_or_default(),
            display_name: display_name.unwrap_or_default(),
            // Stands in for a number that cannot be read.
            crn: crn.or_else(|| OrganisationNumber::parse("5599900007").ok())?,
            country: country.unwrap_or_default(),
            bank_accounts: bank_accounts.unwrap_or_default(),
            service_types: service_types.unwrap_or_default(),
        })
    })
}

/// Reads a patch of a client.
///
/// # Errors
/// What cannot be read, beside the rest.
pub fn patch(body: &Node<'_>, unknown: Unknown, scope: Scope) -> Result<PatchClient, Box<Faulty<PatchClient>>> {
    faulty::read(body, unknown, |body| {
        let names_id = body.names("id");
        let names_crn = body.names("crn");
        let name = body.patch("name", fields::free_text);
        let display_name = body.patch("displayName", fields::free_text);
        let country = body.patch("country", fields::free_text);
        let bank_accounts = body.patch("bankAccounts", |spot| spot.list(bank_account));
        let service_types = body.patch("serviceTypes", |spot| spot.list(service));
        ignore_permissions(body);
        Some(PatchClient {
            scope,
            name: name.unwrap_or_default(),
            display_name: display_name.unwrap_or_default(),
            country: country.unwrap_or_default(),
            bank_accounts: bank_accounts.unwrap_or_default(),
            service_types: service_types.unwrap_or_default(),
            names_id,
            names_crn,
        })
    })
}

/// Permissions are read-only: sent back as they were shown, they mean nothing (rule: accounts/client-permissions).
fn ignore_permissions(body: &mut Fields<'_, '_>) {
    body.names("permissions");
}

fn bank_account(spot: Spot<'_, '_>) -> Option<records::ClientBankAccount> {
    spot.object(|account| {
        let fee_type = account.required("feeType", word);
        let iban = account.required("iban", fields::iban);
        Some(records::ClientBankAccount { fee_type: fee_type?, iban: iban? })
    })
}

/// A code that is sent along is ignored: the platform assigns it (rule: accounts/activation-codes).
fn service(spot: Spot<'_, '_>) -> Option<records::ServiceType> {
    spot.object(|service| {
        service.names("code");
        service.required("accountServiceType", word)
    })
}
