//! Made-up people: names from a fixed list, numbers from the tax agency's test series.

use crate::identity::{LegalForm, OrganisationNumber, PersonalNumber};
use crate::records::{Address, NaturalPerson};
use crate::rng::{Seed, Stream};
use fake::Fake as _;
use fake::faker::name::en::{FirstName, LastName};
use std::sync::Arc;

/// A person who does not exist.
#[must_use]
pub fn person(stream: &mut Stream) -> NaturalPerson {
    let first: String = FirstName().fake_with_rng(stream);
    let last: String = LastName().fake_with_rng(stream);
    NaturalPerson { first_name: Arc::from(first), last_name: Arc::from(last), ssn: PersonalNumber::draw(stream) }
}

/// The person with that number: always the same name in worlds of one seed, however often it is made.
#[must_use]
pub fn named(seed: Seed, ssn: PersonalNumber) -> NaturalPerson {
    let index = ssn.to_string().parse().expect("twelve digits");
    let mut stream = seed.child("names of people", index);
    let first: String = FirstName().fake_with_rng(&mut stream);
    let last: String = LastName().fake_with_rng(&mut stream);
    NaturalPerson { first_name: Arc::from(first), last_name: Arc::from(last), ssn }
}

/// A fictive name for a company that nobody named: always the same in worlds of one seed.
#[must_use]
pub fn company_name(seed: Seed, crn: OrganisationNumber) -> Arc<str> {
    let mut stream = company_stream(seed, crn);
    let family: String = LastName().fake_with_rng(&mut stream);
    let suffix = match crn.legal_form() {
        LegalForm::LimitedCompany | LegalForm::Other => "AB",
        LegalForm::EconomicAssociation => "ekonomisk förening",
        LegalForm::NonProfit => "stiftelse",
        LegalForm::Partnership => "handelsbolag",
    };
    Arc::from(format!("{family} {suffix}"))
}

/// A fictive address for a company.
#[must_use]
pub fn company_address(seed: Seed, crn: OrganisationNumber) -> Address {
    let mut stream = company_stream(seed, crn);
    Address {
        street_address: Arc::from(format!("Provgatan {}", stream.between(1, 99))),
        zip_code: Arc::from("111 11"),
        city: Arc::from("Stockholm"),
        country: Arc::from("SE"),
    }
}

/// The public word for the kind of organisation that a number names (rule: accounts/owners).
#[must_use]
pub fn legal_form(crn: OrganisationNumber) -> &'static str {
    match crn.legal_form() {
        LegalForm::LimitedCompany | LegalForm::Other => "aktiebolag",
        LegalForm::EconomicAssociation => "ekonomisk_forening",
        LegalForm::NonProfit => "stiftelse",
        LegalForm::Partnership => "handelsbolag",
    }
}

fn company_stream(seed: Seed, crn: OrganisationNumber) -> Stream {
    seed.child("companies", crn.to_string().parse().expect("ten digits"))
}
