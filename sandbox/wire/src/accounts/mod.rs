//! An account as the partner sees it, with its owner, positions and bank accounts.
//!
//! Absent on purpose: reservations, acquisition cost and KYC facts, which the world keeps for its own decisions.

pub mod opening;
pub mod performance;
pub mod standing;
pub mod transactions;

use crate::bank::BankAccount;
use crate::rows::object::object;
use crate::rows::shown::shown;
use crate::values::number::{Money, Number};
use crate::values::shows::Shows;
use crate::values::text::{AccountRef, Crn, Currency, Id, InstrumentId, SortedId, Ssn, Timestamp};
use crate::words::{AccountStatus, AccountType, Category, OwnerType, ServiceType};
use serde::{Serialize, Serializer};
use sim::query::PositionView;
use sim::records;
use std::sync::Arc;
use utoipa::openapi::schema::{Discriminator, OneOfBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

shown! {
    /// An investment account.
    pub Account<'a> of records::Account, with valued: &[PositionView] {
        id: Id = "id";
        sorted_id: SortedId = "sortedId";
        reference: AccountRef = "ref";
        /// Name chosen by the partner or the end customer.
        name: &'a str = "name";
        account_type: AccountType = "accountType";
        state: AccountStatus = "status" by AccountStatus((**state).into());
        service_type: ServiceType = "serviceType";
        owner: Owner<'a> = "owner";
        /// Cash free for use: settled credits minus all debits that are not aborted, settled or not.
        balance: Money = "balance";
        also amounts: Amounts = "amounts" by Amounts { deposited: Money(*deposited), withdrawn: Money(*withdrawn) };
        /// One entry for each instrument held, ordered by instrument.
        also valued_positions: Vec<Position> = "positions" by valued.iter().map(Position::of).collect();
        category: Category = "category";
        /// Whether the account is closed for good; it stays readable.
        also is_deleted: bool = "deleted" by deleted.is_some();
        client: Id = "clientId";
        /// Bank accounts that the owner has connected with this client.
        bank_accounts: Vec<BankAccount<'a>> = "bankAccounts";
        also currency: Currency = "currency" by Currency(sim::identity::Currency::SEK);
        stamped;
        deleted: Timestamp = optional "deletedDate";
        used deposited, withdrawn;
        hidden positions, reserved, subscribed, kyc_valid_until, fund_knowledge;
    }
}

/// Lifetime sums of an account.
#[derive(ToSchema)]
struct Amounts {
    /// Settled deposits and transfers in.
    deposited: Money,
    /// Withdrawals and transfers out that are not aborted.
    withdrawn: Money,
}

impl Serialize for Amounts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object(to, |object| {
            object.key(",\"deposited\":");
            object.value(&self.deposited)?;
            object.key(",\"withdrawn\":");
            object.value(&self.withdrawn)
        })
    }
}

shown! {
    /// An account's holding in one instrument.
    Position of PositionView {
        instrument: InstrumentId = "instrument";
        /// Settled units plus and minus pending units.
        units: Number = "units";
        units_settled: Number = "unitsSettled";
        /// Units times close price; null while there is no price.
        value: Money = nullable "value";
        /// Last published price in the currency of the account; null while there is none.
        close_price: Number = nullable "closePrice";
        /// Average acquisition value of a unit.
        gav: Number = "gav";
    }
}

/// Who owns an account; `ownerType` tells the two shapes apart.
#[derive(Serialize)]
#[serde(untagged)]
enum Owner<'a> {
    NaturalPerson(NaturalPerson<'a>),
    LegalEntity(LegalEntity<'a>),
}

shown! {
    /// A person who owns an account.
    NaturalPerson<'a> of records::NaturalPerson {
        also owner_type: OwnerType = "ownerType" by OwnerType(records::OwnerType::NaturalPerson);
        first_name: &'a str = "firstName";
        last_name: &'a str = "lastName";
        also full_name: String = "fullName" by [first_name, " ", last_name].concat();
        ssn: Ssn = "ssn";
    }
}

shown! {
    /// An organisation that owns an account.
    LegalEntity<'a> of records::LegalEntity {
        also owner_type: OwnerType = "ownerType" by OwnerType(records::OwnerType::LegalEntity);
        name: &'a str = "name";
        crn: Crn = "crn";
        /// Legal form, such as `aktiebolag`.
        form: &'a str = optional "type";
        /// ISO 3166-1 alpha-2.
        registration_country: &'a str = nullable "registrationCountry";
        /// ISO 3166-1 alpha-2 each.
        #[schema(value_type = Option<Vec<String>>)]
        countries_of_taxation: &'a [Arc<str>] = nullable "countriesOfTaxation" by countries_of_taxation.as_deref();
        address: Address<'a> = nullable "address";
        contact_person: ContactPerson<'a> = nullable "contactPerson";
        /// Groups of persons who sign together.
        signatories: Vec<Signatory<'a>> = "signatoryGroups";
    }
}

shown! {
    /// Postal address of an organisation.
    Address<'a> of records::Address {
        street_address: &'a str = "streetAddress";
        zip_code: &'a str = "zipCode";
        city: &'a str = "city";
        country: &'a str = "country";
    }
}

shown! {
    /// Contact person of an organisation.
    ContactPerson<'a> of records::ContactPerson {
        name: &'a str = "name";
        phone: &'a str = "phone";
        email: &'a str = "email";
    }
}

shown! {
    /// A signatory of an organisation.
    Signatory<'a> of records::Signatory {
        name: &'a str = "name";
        ssn: Ssn = "ssn";
        email: &'a str = nullable "email";
    }
}

/// Total market value of an account.
#[derive(Serialize, ToSchema)]
pub struct AccountValue {
    /// Cash, settled positions at last price, and subscriptions on their way.
    pub value: Money,
    /// Always the account's currency.
    pub currency: Currency,
}

impl<'a> Shows<'a, records::Owner> for Owner<'a> {
    fn shown(owner: &'a records::Owner) -> Self {
        match owner {
            records::Owner::NaturalPerson(person) => Self::NaturalPerson(NaturalPerson::of(person)),
            records::Owner::LegalEntity(entity) => Self::LegalEntity(LegalEntity::of(entity)),
        }
    }
}

impl PartialSchema for Owner<'_> {
    fn schema() -> RefOr<Schema> {
        let shapes = [("natural_person", NaturalPerson::name()), ("legal_entity", LegalEntity::name())];
        let mut one_of = OneOfBuilder::new().description(Some("Who owns the account."));
        for (_, name) in &shapes {
            one_of = one_of.item(Ref::from_schema_name(name.as_ref()));
        }
        let mapping = shapes.map(|(word, name)| (word, format!("#/components/schemas/{name}")));
        one_of.discriminator(Some(Discriminator::with_mapping("ownerType", mapping))).into()
    }
}

impl ToSchema for Owner<'_> {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((NaturalPerson::name().into_owned(), NaturalPerson::schema()));
        schemas.push((LegalEntity::name().into_owned(), LegalEntity::schema()));
        NaturalPerson::schemas(schemas);
        LegalEntity::schemas(schemas);
    }
}
