//! Made-up people and companies: drawn by `fake` from Swedish lists of our own, with numbers from the tax agency's test series.
//!
//! Owns: how a draw becomes a name, an address, an e-mail address and a telephone number. Invariants: a person's name is one
//! draw of 64 bits, so a longer list shifts nothing that is drawn after it; everything else is drawn from a stream of its own,
//! which the number keys. Nobody can be reached by what is made here: e-mail ends at reserved names, telephones in ranges that
//! are kept for fiction. Absent on purpose: who is who among the owners of accounts, and `fake` without a stream of ours
//! (`fake`, `dummy`), which draws from the operating system.

mod locales;

use self::locales::{Companies, Men, Places, Swedish, Women};
use crate::identity::{LegalForm, OrganisationNumber, PersonalNumber};
use crate::records::{Address, NaturalPerson};
use crate::rng::{Seed, Stream};
use deunicode::deunicode;
use fake::Fake as _;
use fake::faker::address::raw::{BuildingNumber, PostCode, StreetName};
use fake::faker::company::raw::CompanyName;
use fake::faker::internet::raw::FreeEmailProvider;
use fake::faker::name::raw::{FirstName, LastName};
use fake::faker::phone_number::raw::{CellNumber, PhoneNumber};
use fake::locales::Data;
use rand::Rng as _;
use std::sync::Arc;

/// Most letters of a name in an e-mail address: with two names and a dot it has at most 64 before the `@`.
const MOST_LETTERS: usize = 31;

/// A person who does not exist.
#[must_use]
pub fn person(stream: &mut Stream) -> NaturalPerson {
    let drawn = stream.next_u64();
    called(drawn, PersonalNumber::draw(stream))
}

/// The person with that number: always the same name in worlds of one seed, however often it is made.
#[must_use]
pub fn named(seed: Seed, ssn: PersonalNumber) -> NaturalPerson {
    called(of_person(seed, "names of people", ssn).next_u64(), ssn)
}

/// The person with that number, by a first name that fits it (rule: money/made-up-people).
fn called(drawn: u64, ssn: PersonalNumber) -> NaturalPerson {
    let mut draws = Seed(drawn).stream("name");
    let first_name = if ssn.is_of_a_woman() { first_name(Women, &mut draws) } else { first_name(Men, &mut draws) };
    NaturalPerson { first_name: Arc::from(first_name), last_name: Arc::from(last_name(&mut draws)), ssn }
}

fn first_name<L: Data>(list: L, draws: &mut Stream) -> &'static str {
    FirstName(list).fake_with_rng(draws)
}

fn last_name(draws: &mut Stream) -> &'static str {
    LastName(Swedish).fake_with_rng(draws)
}

/// An e-mail address that no one has, for the person with that number and that name.
#[must_use]
pub fn email(seed: Seed, ssn: PersonalNumber, name: &str) -> Arc<str> {
    let letters = |word: &str| {
        let plain = deunicode(word).to_ascii_lowercase();
        plain.chars().filter(char::is_ascii_alphanumeric).take(MOST_LETTERS).collect::<String>()
    };
    let words: Vec<String> = name.split_whitespace().map(letters).filter(|word| !word.is_empty()).collect();
    let local = match &words[..] {
        [] => "somebody".to_owned(),
        [only] => only.clone(),
        [first, .., last] => format!("{first}.{last}"),
    };
    let provider: &str = FreeEmailProvider(Swedish).fake_with_rng(&mut of_person(seed, "e-mail of people", ssn));
    Arc::from(format!("{local}@{provider}"))
}

/// A telephone number that no one has, for the person with that number.
#[must_use]
pub fn phone(seed: Seed, ssn: PersonalNumber) -> Arc<str> {
    let draws = &mut of_person(seed, "telephones of people", ssn);
    let number: String = if draws.chance(3, 4) {
        CellNumber(Swedish).fake_with_rng(draws)
    } else {
        PhoneNumber(Swedish).fake_with_rng(draws)
    };
    Arc::from(number)
}

fn of_person(seed: Seed, label: &str, ssn: PersonalNumber) -> Stream {
    seed.child(label, ssn.to_string().parse().expect("twelve digits"))
}

/// A fictive name for a company that nobody named: always the same in worlds of one seed.
#[must_use]
pub fn company_name(seed: Seed, crn: OrganisationNumber) -> Arc<str> {
    let draws = &mut of_company(seed, "names of companies", crn);
    let trades: String = CompanyName(Companies).fake_with_rng(draws);
    Arc::from(match crn.legal_form() {
        LegalForm::LimitedCompany | LegalForm::Other => format!("{trades} AB"),
        LegalForm::EconomicAssociation => format!("{trades} ekonomisk förening"),
        LegalForm::NonProfit => format!("{} stiftelse", last_name(draws)),
        LegalForm::Partnership => format!("{trades} handelsbolag"),
    })
}

/// A fictive address for a company, whose postal code is one of its town.
#[must_use]
pub fn company_address(seed: Seed, crn: OrganisationNumber) -> Address {
    let draws = &mut of_company(seed, "addresses of companies", crn);
    let street: String = StreetName(Places).fake_with_rng(draws);
    let number: String = BuildingNumber(Places).fake_with_rng(draws);
    let post: String = PostCode(Places).fake_with_rng(draws);
    let (zip_code, city) = post.split_at_checked(locales::ZIP_CODE).expect("a postal code before each town");
    Address {
        street_address: Arc::from(format!("{street} {number}")),
        zip_code: Arc::from(zip_code),
        city: Arc::from(city.trim_start()),
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

fn of_company(seed: Seed, label: &str, crn: OrganisationNumber) -> Stream {
    seed.child(label, crn.to_string().parse().expect("ten digits"))
}

#[cfg(test)]
mod tests;
