//! Made-up people: names from a fixed list, numbers from the tax agency's test series.

use crate::identity::PersonalNumber;
use crate::records::NaturalPerson;
use crate::rng::Stream;
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
