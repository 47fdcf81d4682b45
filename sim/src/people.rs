//! Made-up people: names from lists of our own, numbers from the tax agency's test series.
//!
//! Owns: the lists, and how a draw becomes a name. Invariant: a person's name is one draw of 64 bits, so a longer list shifts
//! nothing that is drawn after it. Absent on purpose: who is who among the owners of accounts.

use crate::identity::{LegalForm, OrganisationNumber, PersonalNumber};
use crate::records::{Address, NaturalPerson};
use crate::rng::{Seed, Stream};
use std::sync::Arc;

/// First names of women.
const WOMEN: [&str; 40] = [
    "Agnes", "Alva", "Anita", "Annika", "Astrid", "Birgitta", "Britta", "Cecilia", "Ebba", "Elin", "Elsa", "Emma",
    "Frida", "Gunilla", "Hanna", "Ingrid", "Jenny", "Josefin", "Karin", "Kerstin", "Kristina", "Lena", "Linnéa",
    "Lovisa", "Malin", "Maria", "Märta", "Moa", "Nora", "Pernilla", "Sara", "Signe", "Siv", "Sofia", "Stina", "Tove",
    "Ulla", "Viktoria", "Ylva", "Åsa",
];
/// First names of men.
const MEN: [&str; 40] = [
    "Anders", "Arvid", "Axel", "Bengt", "Björn", "Bo", "Carl", "Christer", "Daniel", "Emil", "Erik", "Filip",
    "Fredrik", "Göran", "Gustav", "Håkan", "Henrik", "Hugo", "Ivar", "Jakob", "Johan", "Jonas", "Kjell", "Lars",
    "Leif", "Magnus", "Mats", "Mikael", "Nils", "Olle", "Oskar", "Per", "Rolf", "Simon", "Stefan", "Sven", "Tobias",
    "Ulf", "Viktor", "Östen",
];
/// Family names.
const FAMILIES: [&str; 60] = [
    "Alm",
    "Andersson",
    "Axelsson",
    "Berg",
    "Bergman",
    "Björk",
    "Blom",
    "Borg",
    "Bäckström",
    "Dahl",
    "Dahlberg",
    "Ek",
    "Ekman",
    "Eklund",
    "Engström",
    "Eriksson",
    "Falk",
    "Forsberg",
    "Fransson",
    "Gran",
    "Gustafsson",
    "Hallberg",
    "Hansson",
    "Hedlund",
    "Hellström",
    "Hermansson",
    "Holm",
    "Håkansson",
    "Isaksson",
    "Jansson",
    "Johansson",
    "Karlsson",
    "Larsson",
    "Lind",
    "Lindberg",
    "Lindgren",
    "Lindqvist",
    "Lund",
    "Lundgren",
    "Löfgren",
    "Mattsson",
    "Molin",
    "Månsson",
    "Nilsson",
    "Norberg",
    "Nyström",
    "Olsson",
    "Palm",
    "Persson",
    "Sandström",
    "Sjöberg",
    "Sjögren",
    "Strand",
    "Ström",
    "Svensson",
    "Söderberg",
    "Viklund",
    "Wallin",
    "Åberg",
    "Öberg",
];

/// A person who does not exist.
#[must_use]
pub fn person(stream: &mut Stream) -> NaturalPerson {
    let drawn = draw(stream);
    called(drawn, PersonalNumber::draw(stream))
}

/// The person with that number: always the same name in worlds of one seed, however often it is made.
#[must_use]
pub fn named(seed: Seed, ssn: PersonalNumber) -> NaturalPerson {
    let index = ssn.to_string().parse().expect("twelve digits");
    called(draw(&mut seed.child("names of people", index)), ssn)
}

/// Which first name, and which family name.
fn draw(stream: &mut Stream) -> (usize, usize) {
    let drawn = stream.below((WOMEN.len() * FAMILIES.len()) as u64);
    let drawn = usize::try_from(drawn).expect("an index of short lists");
    (drawn % WOMEN.len(), drawn / WOMEN.len())
}

/// The person with that number, by a first name that fits it (rule: money/made-up-people).
fn called((first, family): (usize, usize), ssn: PersonalNumber) -> NaturalPerson {
    let first_name = if ssn.is_of_a_woman() { WOMEN[first] } else { MEN[first] };
    NaturalPerson { first_name: Arc::from(first_name), last_name: Arc::from(FAMILIES[family]), ssn }
}

/// A fictive name for a company that nobody named: always the same in worlds of one seed.
#[must_use]
pub fn company_name(seed: Seed, crn: OrganisationNumber) -> Arc<str> {
    let mut stream = company_stream(seed, crn);
    let family = stream.pick(&FAMILIES);
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_name_is_listed_twice() {
        for names in [&WOMEN[..], &MEN, &FAMILIES] {
            assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
        }
    }

    /// (rule: money/made-up-people)
    #[test]
    fn a_first_name_fits_the_number() {
        let rows = [("197001012389", &WOMEN), ("198112189876", &MEN)];
        for (ssn, names) in rows {
            let ssn = PersonalNumber::parse(ssn).expect("a personal number");
            let made: BTreeSet<_> = (0..200).map(|seed| named(Seed(seed), ssn).first_name).collect();
            assert!(made.len() > 20, "many names are drawn: {made:?}");
            assert!(made.iter().all(|name| names.contains(&&**name)), "{ssn:?}: {made:?}");
        }
    }

    #[test]
    fn a_name_is_one_draw_and_shifts_nothing_after_it() {
        for seed in 0..50 {
            let mut stream = Seed(seed).stream("people");
            let mut beside = stream.clone();
            let made = person(&mut stream);
            beside.below(1);
            assert_eq!(made.ssn, PersonalNumber::draw(&mut beside));
            assert_eq!(stream, beside);
        }
    }
}
