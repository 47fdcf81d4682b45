//! An account as a setup or a lever opens it: open at once, with cash, positions and bank accounts (`bank`).
//!
//! Both use the same words, so they are read in one place. Absent on purpose: which client, and whether it may.

use crate::rows::fields::{self, FieldRow, Fields};
use crate::rows::shape::{FieldType, Schemas, Shape, describe, described, each, line, object, of, plain, shape};
use crate::words::{Word as _, word};
use sim::identity::InstrumentId;
use sim::money::{Amount, Units};
use sim::records::{
    Address, Category, ContactPerson, LegalEntity, NaturalPerson, Owner, OwnerType, ServiceType, Signatory,
};
use sim::setup::AccountSetup;
use std::sync::Arc;
use utoipa::openapi::schema::{OneOfBuilder, Type};
use utoipa::openapi::{RefOr, Schema};

shape! {
    /// An account to open.
    whole AccountSetup as AccountSetup {
        /// Type of the account.
        account_type = required "accountType";
        /// Owner of the account. Default: a person generated from the seed.
        owner = optional "owner" as described(|spot| spot.object(owner), owner_schema);
        /// Display name.
        name = optional "name" as line();
        /// Service that the client offers for it. Default: `executionOnly`.
        service_type = or(ServiceType::ExecutionOnly) "serviceType";
        /// Investor protection category of the owner. Default: `retail`.
        category = or(Category::Retail) "category";
        /// Cash in SEK. Default: none.
        cash = or(Amount::ZERO) "cash";
        /// Fund units in it. Default: none.
        positions = or(Vec::new()) "positions" as each(object::<Position>());
        /// Bank accounts for payouts and autogiro charges. Default: none.
        bank_accounts = or(Vec::new()) "bankAccounts";
        /// Whether the owner has answered the question on complex funds. Default: true.
        fund_knowledge = or(true) "fundKnowledge";
    }
}

/// Units of a fund.
struct Position;

impl Shape for Position {
    type Value = (InstrumentId, Units);
    const NAME: &'static str = "PositionSetup";
    const ABOUT: &'static str = "Units of a fund.";

    fn rows(position: &mut Fields<'_, '_>) -> Option<Self::Value> {
        let instrument = position.required(FieldRow { name: "instrument", about: "The fund." }, of());
        let units = position.required(FieldRow { name: "units", about: "Number of units." }, of());
        Some((instrument?, units?))
    }
}

fn owner(owner: &mut Fields<'_, '_>) -> Option<Owner> {
    match owner.required("ownerType", of())? {
        OwnerType::NaturalPerson => NaturalPerson::rows(owner).map(Owner::NaturalPerson),
        OwnerType::LegalEntity => LegalEntity::rows(owner).map(|entity| Owner::LegalEntity(Arc::new(entity))),
    }
}

fn owner_schema(known: &mut Schemas) -> RefOr<Schema> {
    let one_of = OneOfBuilder::new().item(describe::<PersonOwner>(known)).item(describe::<EntityOwner>(known));
    one_of.description(Some("Who owns the account.")).into()
}

/// An owner with the word that says what it is: `owner` reads it, these describe it.
macro_rules! owners {
    ($($shape:ident as $name:literal, $value:ty, $word:ident;)*) => {$(
        struct $shape;

        impl Shape for $shape {
            type Value = $value;
            const NAME: &'static str = $name;
            const ABOUT: &'static str = <$value as Shape>::ABOUT;

            fn rows(owner: &mut Fields<'_, '_>) -> Option<$value> {
                let only = |_: &mut Schemas| plain(Type::String).enum_values(Some([OwnerType::$word.word()])).into();
                owner.required(FieldRow { name: "ownerType", about: "Type of the owner." }, described(word::<OwnerType>, only));
                <$value>::rows(owner)
            }
        }
    )*};
}

owners! {
    PersonOwner as "NaturalPersonOwner", NaturalPerson, NaturalPerson;
    EntityOwner as "LegalEntityOwner", LegalEntity, LegalEntity;
}

shape! {
    /// A person who owns an account.
    whole NaturalPerson as NaturalPersonSetup {
        /// The first name.
        first_name = required "firstName" as line();
        /// The last name.
        last_name = required "lastName" as line();
        /// The personal identity number, twelve digits.
        ssn = required "ssn";
        // What the API shows may be sent back as it came; the full name follows from the other two.
        .. also { hidden "fullName" as line(); }
    }
}

shape! {
    /// An organisation that owns an account.
    whole LegalEntity as LegalEntitySetup {
        /// The registered name.
        name = required "name" as line();
        /// The organisation number, ten digits.
        crn = required "crn";
        /// Its legal form.
        form = optional "type" as line();
        /// Where it is registered.
        registration_country = optional "registrationCountry" as country();
        /// Countries of taxation.
        countries_of_taxation = optional "countriesOfTaxation" as each(country());
        /// Postal address.
        address = optional "address";
        /// Its contact person.
        contact_person = optional "contactPerson";
        /// Its signatories. Default: none.
        signatories = or(Vec::new()) "signatoryGroups";
    }
}

/// A country's code (rule: wire/countries).
pub fn country() -> impl FieldType<Value = Arc<str>> {
    described(fields::country, |_| plain(Type::String).pattern(Some("^[A-Z]{2}$")).into())
}

shape! {
    /// Postal address of an organisation.
    whole Address as AddressSetup {
        /// Street and number.
        street_address = required "streetAddress" as line();
        /// Postal code.
        zip_code = required "zipCode" as line();
        /// City.
        city = required "city" as line();
        /// Its country.
        country = required "country" as country();
    }
}

shape! {
    /// Contact person of an organisation.
    whole ContactPerson as ContactPersonSetup {
        /// Full name.
        name = required "name" as line();
        /// Phone number.
        phone = required "phone" as line();
        /// Email address.
        email = required "email" as line();
    }
}

shape! {
    /// A signatory of an organisation.
    whole Signatory as SignatorySetup {
        /// Full name.
        name = required "name" as line();
        /// The personal identity number, twelve digits.
        ssn = required "ssn";
        /// Email address for invitations to sign.
        email = optional "email" as line();
    }
}
