//! People and a company that come again and that registers know.

use sim::identity::{OrganisationNumber, PersonalNumber};
use sim::records::{LegalEntity, NaturalPerson, Owner, Signatory};
use std::sync::Arc;

/// People with fixed numbers, whom registers and lists know; the first comes most often.
pub(super) const PEOPLE: &[&str] = &[
    "199001012385",
    "200002292399",
    "191212121212",
    "197001012389",
    "197001022388",
    "197001032387",
    "197001042386",
    "197001052385",
    "197001062384",
    "197001072383",
    "197001082382",
];

pub(super) fn fixed_person(place: usize) -> PersonalNumber {
    PersonalNumber::parse(PEOPLE[place % PEOPLE.len()]).expect("a constant")
}

/// A company that no setup uses as a client.
const COMPANY: &str = "9699900008";

pub(super) fn company(signatories: &[NaturalPerson]) -> Owner {
    let signatory = |person: &NaturalPerson| Signatory {
        name: Arc::from(format!("{} {}", person.first_name, person.last_name)),
        ssn: person.ssn,
        email: None,
    };
    Owner::LegalEntity(Arc::new(LegalEntity {
        name: Arc::from("Generated Trading"),
        crn: OrganisationNumber::parse(COMPANY).expect("a constant"),
        form: None,
        registration_country: Some(Arc::from("SE")),
        countries_of_taxation: None,
        address: None,
        contact_person: None,
        signatories: signatories.iter().map(signatory).collect(),
    }))
}
