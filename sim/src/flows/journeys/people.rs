//! The people of a journey: the names they go by, and who signs for a company.
//!
//! Invariant: a person has one name in all accounts that a client manages.

use super::form::Form;
use crate::flows::accounts::open::registered_person;
use crate::identity::PersonalNumber;
use crate::people;
use crate::records::{JourneyStep, NaturalPerson, Owner, Signatory};
use crate::register;
use std::sync::Arc;

/// Who signs for a company that is described: the signer, those named with the account, those chosen from the board.
pub(super) fn signers(form: &Form<'_>, signer: PersonalNumber) -> Vec<PersonalNumber> {
    let named = form.answers(JourneyStep::AccountDetails, "signatories").iter();
    let chosen = form.answers(JourneyStep::Company, "cosignatories").iter();
    let mut signers = vec![signer];
    // What was chosen for another company counts no longer.
    let board = form.crn().map_or_else(Vec::new, |crn| register::extract(form.world.seed, crn).board);
    let sits = |ssn: &PersonalNumber| board.iter().any(|member| member.ssn == *ssn);
    let read = |text: &Arc<str>| PersonalNumber::parse(text).ok();
    for other in named.filter_map(read).chain(chosen.filter_map(read).filter(sits)) {
        if !signers.contains(&other) {
            signers.push(other);
        }
    }
    signers
}

/// Somebody who signs for a company, under the name that holds for every account of theirs.
pub(super) fn signatory(form: &Form<'_>, ssn: PersonalNumber) -> Signatory {
    let (first, last) = match registered_person(form.world, form.client.id, ssn) {
        Some(known) => (Arc::clone(&known.first_name), Arc::clone(&known.last_name)),
        None if form.signer() == Some(ssn) => person_name(form, ssn),
        None => {
            let made = people::named(form.world.seed, ssn);
            (made.first_name, made.last_name)
        }
    };
    let name = format!("{first} {last}");
    Signatory { email: Some(people::email(form.world.seed, ssn, &name)), name: Arc::from(name), ssn }
}

/// The person who opens an account: as registered with this client, or as the electronic identity has it.
pub(super) fn person(form: &Form<'_>, ssn: PersonalNumber) -> Arc<Owner> {
    if let Some(known) = registered_person(form.world, form.client.id, ssn) {
        return Arc::new(Owner::NaturalPerson(known.clone()));
    }
    let (first_name, last_name) = person_name(form, ssn);
    Arc::new(Owner::NaturalPerson(NaturalPerson { first_name, last_name, ssn }))
}

/// The name of a person as the electronic identity has it, or as filled in for an unknown person.
pub(crate) fn person_name(form: &Form<'_>, ssn: PersonalNumber) -> (Arc<str>, Arc<str>) {
    let made = people::named(form.world.seed, ssn);
    let given =
        |name, or: Arc<str>| form.answer(JourneyStep::Authentication, name).map_or(or, |text| Arc::from(text.trim()));
    (given("firstName", made.first_name), given("lastName", made.last_name))
}
