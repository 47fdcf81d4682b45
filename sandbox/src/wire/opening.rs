//! An account as a setup or a lever asks for it: open at once, with cash, positions and bank accounts.
//!
//! Both ask in the same words, so they are read in one place. Absent on purpose: which client, and whether it may.

use super::fields::{self, Fields, Spot};
use super::shape::by;
use super::words::word;
use sim::command::OpenBankAccount;
use sim::identity::InstrumentId;
use sim::money::{Amount, Units};
use sim::records::{
    AccountType, Address, Category, ContactPerson, LegalEntity, MandateStatus, NaturalPerson, Owner, OwnerType,
    ServiceType, Signatory,
};
use sim::setup::AccountSetup;

/// Reads the fields of an account that is to be opened.
pub fn account(account: &mut Fields<'_, '_>) -> Option<AccountSetup> {
    let account_type = account.required("accountType", by(word::<AccountType>));
    let owner = account.optional("owner", by(|spot| spot.object(owner)));
    let name = account.optional("name", by(fields::text));
    let service_type = account.or("serviceType", ServiceType::ExecutionOnly, by(word));
    let category = account.or("category", Category::Retail, by(word));
    let cash = account.or("cash", Amount::ZERO, by(fields::amount));
    let positions = account.or("positions", Vec::new(), by(|spot| spot.list(position)));
    let bank_accounts = account.or("bankAccounts", Vec::new(), by(|spot| spot.list(bank_account)));
    let fund_knowledge = account.or("fundKnowledge", true, by(fields::flag));
    Some(AccountSetup {
        account_type: account_type?,
        owner: owner?,
        name: name?,
        service_type: service_type?,
        category: category?,
        cash: cash?,
        positions: positions?,
        bank_accounts: bank_accounts?,
        fund_knowledge: fund_knowledge?,
    })
}

fn position(spot: Spot<'_, '_>) -> Option<(InstrumentId, Units)> {
    spot.object(|position| {
        let instrument = position.required("instrument", by(fields::instrument));
        let units = position.required("units", by(fields::units));
        Some((instrument?, units?))
    })
}

fn bank_account(spot: Spot<'_, '_>) -> Option<OpenBankAccount> {
    spot.object(|bank_account| {
        let iban = bank_account.required("iban", by(fields::iban));
        let name = bank_account.optional("name", by(fields::text));
        let validated = bank_account.or("validated", true, by(fields::flag));
        let mandate = bank_account.or("mandateStatus", MandateStatus::Missing, by(word));
        Some(OpenBankAccount { iban: iban?, name: name?, validated: validated?, mandate: mandate? })
    })
}

fn owner(owner: &mut Fields<'_, '_>) -> Option<Owner> {
    match owner.required("ownerType", by(word))? {
        OwnerType::NaturalPerson => natural_person(owner).map(Owner::NaturalPerson),
        OwnerType::LegalEntity => legal_entity(owner).map(Owner::LegalEntity),
    }
}

fn natural_person(person: &mut Fields<'_, '_>) -> Option<NaturalPerson> {
    let first_name = person.required("firstName", by(fields::text));
    let last_name = person.required("lastName", by(fields::text));
    // What the API shows may be sent back as it came; the full name follows from the other two.
    let full_name = person.optional("fullName", by(fields::text));
    let ssn = person.required("ssn", by(fields::personal_number));
    full_name?;
    Some(NaturalPerson { first_name: first_name?, last_name: last_name?, ssn: ssn? })
}

fn legal_entity(entity: &mut Fields<'_, '_>) -> Option<LegalEntity> {
    let name = entity.required("name", by(fields::text));
    let crn = entity.required("crn", by(fields::organisation_number));
    let form = entity.optional("type", by(fields::text));
    let registration_country = entity.optional("registrationCountry", by(fields::country));
    let countries_of_taxation = entity.optional("countriesOfTaxation", by(|spot| spot.list(fields::country)));
    let address = entity.optional("address", by(|spot| spot.object(address)));
    let contact_person = entity.optional("contactPerson", by(|spot| spot.object(contact_person)));
    let signatories = entity.or("signatoryGroups", Vec::new(), by(|spot| spot.list(|spot| spot.object(signatory))));
    Some(LegalEntity {
        name: name?,
        crn: crn?,
        form: form?,
        registration_country: registration_country?,
        countries_of_taxation: countries_of_taxation?,
        address: address?,
        contact_person: contact_person?,
        signatories: signatories?,
    })
}

fn address(address: &mut Fields<'_, '_>) -> Option<Address> {
    let street_address = address.required("streetAddress", by(fields::text));
    let zip_code = address.required("zipCode", by(fields::text));
    let city = address.required("city", by(fields::text));
    let country = address.required("country", by(fields::text));
    Some(Address { street_address: street_address?, zip_code: zip_code?, city: city?, country: country? })
}

fn contact_person(person: &mut Fields<'_, '_>) -> Option<ContactPerson> {
    let name = person.required("name", by(fields::text));
    let phone = person.required("phone", by(fields::text));
    let email = person.required("email", by(fields::text));
    Some(ContactPerson { name: name?, phone: phone?, email: email? })
}

fn signatory(signatory: &mut Fields<'_, '_>) -> Option<Signatory> {
    let name = signatory.required("name", by(fields::text));
    let ssn = signatory.required("ssn", by(fields::personal_number));
    let email = signatory.optional("email", by(fields::text));
    Some(Signatory { name: name?, ssn: ssn?, email: email? })
}
