//! Clients as the partner sees them, with the permissions that bound what it may do for them; and the requests that
//! create and change one.
//!
//! Absent on purpose: the universe, which is read as a list of instruments.

use super::fields::Spot;
use super::shape::{Anything, Readable, Schemas, each_known, object, of, reference, shape, text_of, wrapped};
use super::text::{Crn, Iban, Id, SortedId, Timestamp};
use super::words::{AccountType, Category, FeeType, OwnerType, ServiceType};
use serde::Serialize;
use sim::command::{PartialClient, PartialClientPatch};
use sim::records::{self, Stamp};
use std::sync::Arc;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

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
pub(crate) struct Permissions<'a> {
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
            fees: _,
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
    /// The public shape of `permissions`.
    pub(crate) fn of(permissions: &'a records::Permissions) -> Self {
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

shape! {
    /// Creates a client.
    pub partial ClientRequest of PartialClient {
        /// Chosen id; drawn when it is left out.
        id = optional "id";
        name = required "name" as text_of(255);
        /// Name shown to end customers.
        display_name = required "displayName" as text_of(255);
        /// Unique within the partner.
        crn = required "crn";
        /// ISO 3166-1 alpha-2.
        country = required "country";
        /// One account for each kind of fee.
        bank_accounts = or(Vec::new()) "bankAccounts";
        /// Codes are assigned by the platform.
        service_types = required "serviceTypes" as each_known(object::<OfferedService>());
        .. also {
            // Read-only: sent back as they were shown, they mean nothing (rule: accounts/client-permissions).
            hidden "permissions" as Anything;
        }
    }
}

shape! {
    /// Changes a client: a merge patch (RFC 7396). Lists are replaced whole; `id` and `crn` cannot change.
    pub partial ClientPatch of PartialClientPatch {
        names_id = named "id" as Anything;
        names_crn = named "crn" as Anything;
        name = patch "name" as text_of(255);
        display_name = patch "displayName" as text_of(255);
        country = patch "country";
        /// Null removes all.
        bank_accounts = patch_or_null "bankAccounts";
        /// Services that stay keep their code.
        service_types = patch "serviceTypes" as each_known(object::<OfferedService>());
        // Fields that are known and ignored, and unknown ones where they are not refused.
        names_others = besides "permissions" as Anything;
    }
}

wrapped! {
    /// A service that a client is to offer.
    pub OfferedService as OfferedService of records::ServiceType {
        // A code that is sent along is ignored: the platform assigns it (rule: accounts/activation-codes).
        "accountServiceType", ignores "code"
    }
}

impl Readable for records::ClientBankAccount {
    fn read(spot: Spot<'_, '_>) -> Option<Self> {
        spot.object(|account| {
            let fee_type = account.required("feeType", of());
            let iban = account.required("iban", of());
            Some(Self { fee_type: fee_type?, iban: iban? })
        })
    }

    fn schema(known: &mut Schemas) -> RefOr<Schema> {
        reference::<ClientBankAccount>(known)
    }
}
