//! People who come again and whom registers know.

use sim::identity::PersonalNumber;

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
