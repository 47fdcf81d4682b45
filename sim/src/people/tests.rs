//! What is made up about people and companies: the same for the same number, and nothing that leads to a real person.

use super::*;
use std::collections::BTreeSet;

fn ssn(text: &str) -> PersonalNumber {
    PersonalNumber::parse(text).expect("a personal number")
}

fn crn(text: &str) -> OrganisationNumber {
    OrganisationNumber::parse(text).expect("ten digits")
}

/// Numbers of all kinds of organisations.
fn companies() -> impl Iterator<Item = OrganisationNumber> {
    ["55999", "76999", "80299", "96999"]
        .into_iter()
        .flat_map(|kind| (0..250).map(move |n| crn(&format!("{kind}{n:05}"))))
}

fn people() -> Vec<PersonalNumber> {
    let mut stream = Seed(1).stream("test people");
    (0..500).map(|_| PersonalNumber::draw(&mut stream)).collect()
}

#[test]
fn no_name_is_listed_twice() {
    let lists = [Women::NAME_FIRST_NAME, Men::NAME_FIRST_NAME, Swedish::NAME_LAST_NAME, Places::NAME_FIRST_NAME];
    for names in lists.into_iter().chain([Places::ADDRESS_POSTCODE_FORMATS, Companies::COMPANY_SUFFIX]) {
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
    }
}

/// (rule: money/made-up-people)
#[test]
fn a_first_name_fits_the_number() {
    let rows = [("197001012389", Women::NAME_FIRST_NAME), ("198112189876", Men::NAME_FIRST_NAME)];
    for (number, names) in rows {
        let made: BTreeSet<_> = (0..200).map(|seed| named(Seed(seed), ssn(number)).first_name).collect();
        assert!(made.len() > 20, "many names are drawn: {made:?}");
        assert!(made.iter().all(|name| names.contains(&&**name)), "{number}: {made:?}");
    }
}

#[test]
fn a_name_is_one_draw_and_shifts_nothing_after_it() {
    for seed in 0..50 {
        let mut stream = Seed(seed).stream("people");
        let mut beside = stream.clone();
        let made = person(&mut stream);
        beside.next_u64();
        assert_eq!(made.ssn, PersonalNumber::draw(&mut beside));
        assert_eq!(stream, beside);
    }
}

/// Another version of `fake` or `rand` that draws otherwise would give every world other people.
#[test]
fn what_is_made_up_stays_what_it_was() {
    let (anna, bo, company) = (ssn("197001012389"), ssn("198112189876"), crn("5599900015"));
    let of = |number| {
        let NaturalPerson { first_name, last_name, .. } = named(Seed(1), number);
        let name = format!("{first_name} {last_name}");
        let (email, phone) = (email(Seed(1), number, &name), phone(Seed(1), number));
        format!("{name}, {email}, {phone}")
    };
    let Address { street_address, zip_code, city, country } = company_address(Seed(1), company);
    let company = format!("{}, {street_address}, {zip_code} {city}, {country}", company_name(Seed(1), company));
    assert_eq!(of(anna), "Hanna Månsson, hanna.mansson@brev.example, +46 70 174 06 60");
    assert_eq!(of(bo), "Arvid Norberg, arvid.norberg@example.org, +46 31 390 06 17");
    assert_eq!(company, "Borg Mekaniska AB, Parkvägen 3 A, 114 60 Stockholm, SE");
}

/// (rule: money/made-up-people)
#[test]
fn nobody_can_be_reached_by_what_is_made_up() {
    for number in people() {
        let person = named(Seed(7), number);
        let made = email(Seed(7), number, &format!("{} {}", person.first_name, person.last_name));
        let (local, domain) = made.split_once('@').expect("an e-mail address");
        assert!(local.bytes().all(|c| c.is_ascii_lowercase() || c == b'.'), "{made}");
        let is_reserved =
            ["example.com", "example.net", "example.org"].contains(&domain) || domain.ends_with(".example");
        assert!(is_reserved, "{made}");
        let digits: String = phone(Seed(7), number).chars().filter(char::is_ascii_digit).collect();
        let digits: u64 = digits.parse().expect("digits");
        let kept = [
            46_701_740_605..=46_701_740_699,
            46_846_500_400..=46_846_500_499,
            46_313_900_600..=46_313_900_699,
            46_406_280_400..=46_406_280_499,
        ];
        assert!(kept.iter().any(|range| range.contains(&digits)), "{digits}");
    }
}

/// (rule: money/made-up-people)
#[test]
fn an_email_address_is_made_of_any_name() {
    let rows = [
        ("Åsa Öberg", "asa.oberg"),
        ("Anna Maria af Ekenäs-Lind", "anna.ekenaslind"),
        ("Yılmaz", "yilmaz"),
        ("王 芳", "wang.fang"),
        ("<script> \"", "script"),
        ("  ", "somebody"),
    ];
    for (name, local) in rows {
        let made = email(Seed(1), ssn("197001012389"), name);
        assert_eq!(made.split_once('@').map(|it| it.0), Some(local), "{name}");
    }
    let long = email(Seed(1), ssn("197001012389"), &["Å".repeat(200), "Ö".repeat(200)].join(" "));
    assert_eq!(long.find('@'), Some(63), "{long}");
}

/// (rule: money/made-up-people)
#[test]
fn a_company_is_no_bank_and_its_address_fits_together() {
    let finance = ["bank", "fond", "kapital", "finans", "invest", "försäkring", "pension", "spar", "kredit", "trust"];
    let (mut names, mut towns) = (BTreeSet::new(), BTreeSet::new());
    for company in companies() {
        let name = company_name(Seed(3), company);
        assert!(!finance.iter().any(|word| name.to_lowercase().contains(word)), "{name}");
        let Address { street_address, zip_code, city, .. } = company_address(Seed(3), company);
        let row = format!("{zip_code} {city}");
        let fits = |format: &&&str| {
            format.len() == row.len()
                && format.bytes().zip(row.bytes()).all(|(f, r)| f == r || f == b'#' && r.is_ascii_digit())
        };
        assert!(Places::ADDRESS_POSTCODE_FORMATS.iter().any(|it| fits(&it)), "{row}");
        let (street, number) = street_address.split_once(|c: char| c.is_ascii_digit()).expect("a number");
        assert!(street.ends_with(' ') && street.len() > 4 && number.len() < 4, "{street_address}");
        names.insert(name);
        towns.insert(city);
    }
    assert!(names.len() > 300, "{}", names.len());
    assert_eq!(towns.len(), 25, "{towns:?}");
}
