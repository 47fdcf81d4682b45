//! An account as a setup or a lever opens it: open at once, with cash, positions and bank accounts.
//!
//! Both use the same words, so they are read in one place. Absent on purpose: which client, and whether it may.

use super::fields::{self, FieldRow, Fields};
use super::shape::{FieldType, Schemas, Shape, describe, described, each, line, object, of, plain, shape};
use super::words::{Word as _, word};
use sim::command::OpenBankAccount;
use sim::identity::InstrumentId;
use sim::money::{Amount, Units};
use sim::records::{
    Address, Category, ContactPerson, LegalEntity, MandateStatus, NaturalPerson, Owner, OwnerType, ServiceType,
    Signatory,
};
use sim::setup::AccountSetup;
use std::sync::Arc;
use utoipa::openapi::schema::{OneOfBuilder, Type};
use utoipa::openapi::{RefOr, Schema};

shape! {
    /// An account that is to be opened.
    whole AccountSetup as AccountSetup {
        /// What kind of account it is.
        account_type = required "accountType";
        /// Whose it is; left out, a person made from the seed.
        owner = optional "owner" as described(|spot| spot.object(owner), owner_schema);
        /// Shown name.
        name = optional "name" as line();
        /// What the client does for it; left out, `executionOnly`.
        service_type = or(ServiceType::ExecutionOnly) "serviceType";
        /// How well the owner is protected; left out, `retail`.
        category = or(Category::Retail) "category";
        /// Cash in SEK; left out, none.
        cash = or(Amount::ZERO) "cash";
        /// What it holds; left out, nothing.
        positions = or(Vec::new()) "positions" as each(object::<Position>());
        /// Where money can be paid out to, and collected from; left out, nowhere.
        bank_accounts = or(Vec::new()) "bankAccounts";
        /// Whether the owner has answered the question on complex funds; left out, true.
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
        let units = position.required(FieldRow { name: "units", about: "How many of its units." }, of());
        Some((instrument?, units?))
    }
}

shape! {
    /// A bank account of the owner.
    whole OpenBankAccount as BankAccountSetup {
        /// Its IBAN.
        iban = required "iban";
        /// What the owner calls it.
        name = optional "name" as line();
        /// Whether the bank has confirmed whose it is; left out, true.
        validated = or(true) "validated";
        /// The state of its autogiro mandate; left out, `missing`.
        mandate = or(MandateStatus::Missing) "mandateStatus";
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
                owner.required(FieldRow { name: "ownerType", about: "What the owner is." }, described(word::<OwnerType>, only));
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
        /// Where it pays tax.
        countries_of_taxation = optional "countriesOfTaxation" as each(country());
        /// Where it is.
        address = optional "address";
        /// Who speaks for it.
        contact_person = optional "contactPerson";
        /// Who signs for it; left out, nobody.
        signatories = or(Vec::new()) "signatoryGroups";
    }
}

/// A country's code (rule: wire/countries).
pub fn country() -> impl FieldType<Value = Arc<str>> {
    described(fields::country, |_| plain(Type::String).pattern(Some("^[A-Z]{2}$")).into())
}

shape! {
    /// Where an organisation is.
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
    /// Who speaks for an organisation.
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
    /// Who signs for an organisation.
    whole Signatory as SignatorySetup {
        /// Full name.
        name = required "name" as line();
        /// The personal identity number, twelve digits.
        ssn = required "ssn";
        /// Email address, where invitations to sign go.
        email = optional "email" as line();
    }
}
