//! An account as the partner sees it, with its owner, positions and bank accounts.
//!
//! Absent on purpose: reservations, acquisition cost and KYC facts, which the world keeps for its own decisions.

use super::number::{Money, Number};
use super::text::{AccountRef, Crn, Currency, Iban, Id, InstrumentId, SortedId, Ssn, Timestamp};
use super::words::{AccountStatus, AccountType, Category, MandateStatus, OwnerType, ServiceType};
use serde::Serialize;
use sim::query::PositionView;
use sim::records::{self, Stamp};
use std::sync::Arc;
use utoipa::openapi::schema::{Discriminator, OneOfBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

/// An investment account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Account<'a> {
    id: Id,
    sorted_id: SortedId,
    r#ref: AccountRef,
    /// Name chosen by the partner or the end customer.
    name: &'a str,
    account_type: AccountType,
    status: AccountStatus,
    service_type: ServiceType,
    owner: Owner<'a>,
    /// Cash free for use: settled credits minus all debits that are not aborted, settled or not.
    balance: Money,
    amounts: Amounts,
    /// One entry for each instrument held, ordered by instrument.
    positions: Vec<Position>,
    category: Category,
    /// Whether the account is closed for good; it stays readable.
    deleted: bool,
    client_id: Id,
    /// Bank accounts that the owner has connected with this client.
    bank_accounts: Vec<BankAccount<'a>>,
    currency: Currency,
    created_date: Timestamp,
    modified_date: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    deleted_date: Option<Timestamp>,
}

/// Lifetime sums of an account.
#[derive(Serialize, ToSchema)]
struct Amounts {
    /// Settled deposits and transfers in.
    deposited: Money,
    /// Withdrawals and transfers out that are not aborted.
    withdrawn: Money,
}

/// What an account holds of one instrument.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Position {
    instrument: InstrumentId,
    /// Settled units plus and minus what is on its way.
    units: Number,
    units_settled: Number,
    /// Units times close price; null while there is no price.
    #[schema(required = true)]
    value: Option<Money>,
    /// Last published price in the currency of the account; null while there is none.
    #[schema(required = true)]
    close_price: Option<Number>,
    /// Average acquisition value of a unit.
    gav: Number,
}

/// A bank account of the owner.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BankAccount<'a> {
    id: Id,
    iban: Iban,
    /// The number as used within the country.
    bban: String,
    /// Name of the bank.
    bank: &'static str,
    /// The owner's own name for it.
    #[schema(required = true)]
    name: Option<&'a str>,
    created_date: Timestamp,
    modified_date: Timestamp,
    /// Whether the account check has confirmed name and ownership; withdrawals need it.
    validated: bool,
    mandate_status: MandateStatus,
}

/// Who owns an account; `ownerType` tells the two shapes apart.
#[derive(Serialize)]
#[serde(untagged)]
enum Owner<'a> {
    NaturalPerson(NaturalPerson<'a>),
    LegalEntity(LegalEntity<'a>),
}

/// A person who owns an account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NaturalPerson<'a> {
    owner_type: OwnerType,
    first_name: &'a str,
    last_name: &'a str,
    full_name: String,
    ssn: Ssn,
}

/// An organisation that owns an account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LegalEntity<'a> {
    owner_type: OwnerType,
    name: &'a str,
    crn: Crn,
    /// Legal form, such as `aktiebolag`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    r#type: Option<&'a str>,
    /// ISO 3166-1 alpha-2.
    #[schema(required = true)]
    registration_country: Option<&'a str>,
    /// ISO 3166-1 alpha-2 each.
    #[schema(required = true, value_type = Option<Vec<String>>)]
    countries_of_taxation: Option<&'a [Arc<str>]>,
    #[schema(required = true)]
    address: Option<Address<'a>>,
    #[schema(required = true)]
    contact_person: Option<ContactPerson<'a>>,
    /// All of these sign together.
    signatory_groups: Vec<Signatory<'a>>,
}

/// Postal address of an organisation.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Address<'a> {
    street_address: &'a str,
    zip_code: &'a str,
    city: &'a str,
    country: &'a str,
}

/// Whom to call at an organisation.
#[derive(Serialize, ToSchema)]
struct ContactPerson<'a> {
    name: &'a str,
    phone: &'a str,
    email: &'a str,
}

/// Somebody who signs for an organisation.
#[derive(Serialize, ToSchema)]
struct Signatory<'a> {
    name: &'a str,
    ssn: Ssn,
    #[schema(required = true)]
    email: Option<&'a str>,
}

/// Total market value of an account.
#[derive(Serialize, ToSchema)]
pub struct AccountValue {
    /// Cash, settled positions at last price, and subscriptions on their way.
    pub value: Money,
    /// Always the account's currency.
    pub currency: Currency,
}

impl<'a> Account<'a> {
    /// The public shape of `account`, whose positions have been valued.
    #[must_use]
    pub fn of(account: &'a records::Account, positions: &[PositionView]) -> Self {
        let records::Account {
            id,
            sorted_id,
            reference,
            client,
            name,
            account_type,
            service_type,
            category,
            owner,
            bank_accounts,
            state,
            deleted,
            balance,
            deposited,
            withdrawn,
            positions: _,
            reserved: _,
            subscribed: _,
            kyc_valid_until: _,
            fund_knowledge: _,
            stamp: Stamp { created, modified, revision: _ },
        } = account;
        Self {
            id: Id(id.as_uuid()),
            sorted_id: SortedId(*sorted_id),
            r#ref: AccountRef(*reference),
            name,
            account_type: AccountType(*account_type),
            status: AccountStatus((**state).into()),
            service_type: ServiceType(*service_type),
            owner: Owner::of(owner),
            balance: Money(*balance),
            amounts: Amounts { deposited: Money(*deposited), withdrawn: Money(*withdrawn) },
            positions: positions.iter().map(Position::of).collect(),
            category: Category(*category),
            deleted: deleted.is_some(),
            client_id: Id(client.as_uuid()),
            bank_accounts: bank_accounts.iter().map(|bank_account| BankAccount::of(bank_account)).collect(),
            currency: Currency(sim::identity::Currency::SEK),
            created_date: Timestamp(*created),
            modified_date: Timestamp(*modified),
            deleted_date: deleted.map(Timestamp),
        }
    }
}

impl Position {
    fn of(view: &PositionView) -> Self {
        let PositionView { instrument, units, units_settled, value, close_price, gav } = view;
        Self {
            instrument: InstrumentId(*instrument),
            units: Number::from(*units),
            units_settled: Number::from(*units_settled),
            value: value.map(Money),
            close_price: close_price.map(Number),
            gav: Number(*gav),
        }
    }
}

impl<'a> BankAccount<'a> {
    /// The public shape of `bank_account`.
    #[must_use]
    pub fn of(bank_account: &'a records::BankAccount) -> Self {
        let records::BankAccount { id, iban, name, stamp, validated, mandate } = bank_account;
        let Stamp { created, modified, revision: _ } = stamp;
        Self {
            id: Id(id.as_uuid()),
            iban: Iban(*iban),
            bban: bban(iban),
            bank: iban.bank().unwrap_or("Unknown bank"),
            name: name.as_deref(),
            created_date: Timestamp(*created),
            modified_date: Timestamp(*modified),
            validated: *validated,
            mandate_status: MandateStatus(**mandate),
        }
    }
}

/// Clearing and account number as one run of digits; what follows the check digits where neither is known.
fn bban(iban: &sim::identity::Iban) -> String {
    match iban.domestic() {
        Some(domestic) => domestic.to_string().chars().filter(char::is_ascii_digit).collect(),
        None => iban.bban().to_owned(),
    }
}

impl<'a> Owner<'a> {
    fn of(owner: &'a records::Owner) -> Self {
        match owner {
            records::Owner::NaturalPerson(person) => Self::NaturalPerson(NaturalPerson::of(person)),
            records::Owner::LegalEntity(entity) => Self::LegalEntity(LegalEntity::of(entity)),
        }
    }
}

impl<'a> NaturalPerson<'a> {
    fn of(person: &'a records::NaturalPerson) -> Self {
        let records::NaturalPerson { first_name, last_name, ssn } = person;
        Self {
            owner_type: OwnerType(records::OwnerType::NaturalPerson),
            first_name,
            last_name,
            full_name: [first_name, " ", last_name].concat(),
            ssn: Ssn(*ssn),
        }
    }
}

impl<'a> LegalEntity<'a> {
    fn of(entity: &'a records::LegalEntity) -> Self {
        let records::LegalEntity {
            name,
            crn,
            form,
            registration_country,
            countries_of_taxation,
            address,
            contact_person,
            signatories,
        } = entity;
        Self {
            owner_type: OwnerType(records::OwnerType::LegalEntity),
            name,
            crn: Crn(*crn),
            r#type: form.as_deref(),
            registration_country: registration_country.as_deref(),
            countries_of_taxation: countries_of_taxation.as_deref(),
            address: address.as_ref().map(|records::Address { street_address, zip_code, city, country }| Address {
                street_address,
                zip_code,
                city,
                country,
            }),
            contact_person: contact_person
                .as_ref()
                .map(|records::ContactPerson { name, phone, email }| ContactPerson { name, phone, email }),
            signatory_groups: signatories
                .iter()
                .map(|records::Signatory { name, ssn, email }| Signatory {
                    name,
                    ssn: Ssn(*ssn),
                    email: email.as_deref(),
                })
                .collect(),
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
