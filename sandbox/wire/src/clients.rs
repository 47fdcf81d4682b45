//! Clients as the partner sees them, with the permissions that bound what it may do for them; and the requests that
//! create and change one.
//!
//! Absent on purpose: the universe, which is read as a list of instruments.

use crate::rows::fields::Cursor;
use crate::rows::shape::{Anything, Readable, Schemas, each_known, object, of, reference, shape, text_of, wrapped};
use crate::rows::shown::shown;
use crate::values::text::{Crn, Iban, Id, SortedId};
use crate::words::{AccountType, Category, FeeType, OwnerType, ServiceType};
use sim::command::{PartialClient, PartialClientPatch};
use sim::records;
use std::sync::Arc;
use utoipa::openapi::{RefOr, Schema};

shown! {
    /// The legal entity that holds power of attorney over end-investor accounts.
    pub Client<'a> of records::Client {
        id: Id = "id";
        sorted_id: SortedId = "sortedId";
        name: &'a str = "name";
        /// Name shown to end customers.
        display_name: &'a str = "displayName";
        crn: Crn = "crn";
        /// ISO 3166-1 alpha-2.
        country: &'a str = "country";
        /// Bank accounts that receive fees, one for each kind of fee.
        bank_accounts: Vec<ClientBankAccount> = "bankAccounts";
        service_types: Vec<ClientServiceType<'a>> = "serviceTypes";
        permissions: Permissions<'a> = "permissions";
        stamped;
        hidden partner, withdrawal_needs_signature, fees, universe;
    }
}

shown! {
    /// The bank account that receives one kind of fee.
    ClientBankAccount of records::ClientBankAccount {
        fee_type: FeeType = "feeType";
        iban: Iban = "iban";
    }
}

shown! {
    /// A service that the client offers.
    ClientServiceType<'a> of records::ServiceCode {
        service_type: ServiceType = "accountServiceType";
        /// Activation code of six digits, assigned by the platform.
        #[schema(pattern = "^[0-9]{6}$")]
        code: &'a str = "code";
    }
}

shown! {
    /// Permissions of the client; read-only.
    pub Permissions<'a> of records::Permissions {
        account_types: Vec<AccountType> = "accountTypes";
        service_types: Vec<ServiceType> = "accountServiceTypes";
        categories: Vec<Category> = "accountCategories";
        owner_types: Vec<OwnerType> = "ownerTypes";
        /// Journeys that the client may start.
        #[schema(value_type = Vec<String>)]
        journey_types: &'a [Arc<str>] = "journeyTypes" by journey_types;
        /// Transfers from custodians.
        transfers: bool = "transfers";
        /// Autogiro mandates and charges.
        autogiro: bool = "autogiro";
        /// Mobile-payment deposits.
        mobile_payment: bool = "mobilePayment";
        withdrawals: bool = "withdrawals";
        partner_fee: bool = "partnerFee";
    }
}

shape! {
    /// Creates a client.
    pub partial ClientRequest of PartialClient {
        /// Id of the client; generated when left out.
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
            // Read-only: sent back as they were shown, they mean nothing (rule: clients/client-permissions).
            hidden "permissions" as Anything;
        }
    }
}

shape! {
    /// Changes a client: a merge patch (RFC 7396). Lists are replaced whole; `id` and `crn` cannot change.
    pub partial ClientPatch of PartialClientPatch {
        names_id = is_present "id" as Anything;
        names_crn = is_present "crn" as Anything;
        name = patch "name" as text_of(255);
        display_name = patch "displayName" as text_of(255);
        country = patch "country";
        /// Null removes all.
        bank_accounts = nullable_patch "bankAccounts";
        /// Services that stay keep their code.
        service_types = patch "serviceTypes" as each_known(object::<OfferedService>());
        // Fields that are known and ignored, and unknown ones where they are not refused.
        names_others = has_other_fields "permissions" as Anything;
    }
}

wrapped! {
    /// A service for a client to offer.
    pub OfferedService as OfferedService of records::ServiceType {
        // A code that is sent along is ignored: the platform assigns it (rule: clients/activation-codes).
        "accountServiceType", ignores "code"
    }
}

impl Readable for records::ClientBankAccount {
    fn read(cursor: Cursor<'_, '_>) -> Option<Self> {
        cursor.object(|account| {
            let fee_type = account.required("feeType", of());
            let iban = account.required("iban", of());
            Some(Self { fee_type: fee_type?, iban: iban? })
        })
    }

    fn schema(known: &mut Schemas) -> RefOr<Schema> {
        reference::<ClientBankAccount>(known)
    }
}
