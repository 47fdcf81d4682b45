//! An account as a setup or a lever opens it: open at once, with cash, positions and bank accounts.
//!
//! Both use the same words, so they are read in one place. Absent on purpose: which client, and whether it may.

use super::fields::{self, Fields, Spot};
use super::shape::{Kind, Shape as _, by, each, line, of, shape};
use sim::command::OpenBankAccount;
use sim::identity::InstrumentId;
use sim::money::{Amount, Units};
use sim::records::{
    Address, Category, ContactPerson, LegalEntity, MandateStatus, NaturalPerson, Owner, OwnerType, ServiceType,
    Signatory,
};
use sim::setup::AccountSetup;
use std::sync::Arc;

shape! {
    /// An account that is to be opened.
    whole AccountSetup as AccountSetup {
        account_type = required "accountType";
        owner = optional "owner" as by(|spot| spot.object(owner));
        name = optional "name" as line();
        service_type = or(ServiceType::ExecutionOnly) "serviceType";
        category = or(Category::Retail) "category";
        cash = or(Amount::ZERO) "cash";
        positions = or(Vec::new()) "positions" as each(by(position));
        bank_accounts = or(Vec::new()) "bankAccounts";
        fund_knowledge = or(true) "fundKnowledge";
    }
}

fn position(spot: Spot<'_, '_>) -> Option<(InstrumentId, Units)> {
    spot.object(|position| {
        let instrument = position.required("instrument", of());
        let units = position.required("units", of());
        Some((instrument?, units?))
    })
}

shape! {
    /// A bank account of the owner.
    whole OpenBankAccount as OpenBankAccount {
        iban = required "iban";
        name = optional "name" as line();
        validated = or(true) "validated";
        mandate = or(MandateStatus::Missing) "mandateStatus";
    }
}

fn owner(owner: &mut Fields<'_, '_>) -> Option<Owner> {
    match owner.required("ownerType", of())? {
        OwnerType::NaturalPerson => NaturalPerson::rows(owner).map(Owner::NaturalPerson),
        OwnerType::LegalEntity => LegalEntity::rows(owner).map(|entity| Owner::LegalEntity(Arc::new(entity))),
    }
}

shape! {
    /// A person who owns an account.
    whole NaturalPerson as NaturalPerson {
        first_name = required "firstName" as line();
        last_name = required "lastName" as line();
        ssn = required "ssn";
        // What the API shows may be sent back as it came; the full name follows from the other two.
        .. also { hidden "fullName" as line(); }
    }
}

shape! {
    /// An organisation that owns an account.
    whole LegalEntity as LegalEntity {
        name = required "name" as line();
        crn = required "crn";
        form = optional "type" as line();
        registration_country = optional "registrationCountry" as country();
        countries_of_taxation = optional "countriesOfTaxation" as each(country());
        address = optional "address";
        contact_person = optional "contactPerson";
        signatories = or(Vec::new()) "signatoryGroups";
    }
}

fn country() -> impl Kind<Value = Arc<str>> {
    by(fields::country)
}

shape! {
    /// Where an organisation is.
    whole Address as Address {
        street_address = required "streetAddress" as line();
        zip_code = required "zipCode" as line();
        city = required "city" as line();
        country = required "country" as line();
    }
}

shape! {
    /// Who speaks for an organisation.
    whole ContactPerson as ContactPerson {
        name = required "name" as line();
        phone = required "phone" as line();
        email = required "email" as line();
    }
}

shape! {
    /// Who signs for an organisation.
    whole Signatory as Signatory {
        name = required "name" as line();
        ssn = required "ssn";
        email = optional "email" as line();
    }
}
