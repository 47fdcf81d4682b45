//! Lists of politically exposed and of sanctioned owners (rule: accounts/screening).
//!
//! Invariant: who is on a list is known by number, over all clients and accounts; a company is judged by its own number
//! and by those of its people. Absent on purpose: an
//! answer of the API; only its consequences show (`accounts::screening_hits`).

use crate::identity::{PersonOutcome, PersonalNumber};
use crate::ids::AccountId;
use crate::records::{Account, Company, Owner, OwnerKey};
use crate::refusal::{Class, Fault, Refusal};
use crate::scope;
use crate::world::{Listed, World};

/// Whether an owner, or a person of the company that owns, is politically exposed.
pub(crate) fn exposed(world: &World, owner: &Owner, company: Option<&Company>) -> bool {
    listed(world, owner, company).exposed
}

/// Whether the owner of an account, or a person of the company that owns it, is sanctioned.
pub(crate) fn sanctioned(world: &World, account: &Account) -> bool {
    listed(world, &account.owner, company_of(world, account)).sanctioned
}

/// What is known of the company that owns an account.
pub(super) fn company_of<'w>(world: &'w World, account: &Account) -> Option<&'w Company> {
    world.standings.get(&account.id).and_then(|standing| standing.company.as_deref())
}

fn listed(world: &World, owner: &Owner, company: Option<&Company>) -> Listed {
    let mut found = world.listed.get(&owner.key()).copied().unwrap_or_default();
    for ssn in people(owner, company) {
        let known = world.listed.get(&OwnerKey::Ssn(ssn)).copied();
        let of_person = known.unwrap_or_else(|| hits(ssn));
        found.exposed |= of_person.exposed;
        found.sanctioned |= of_person.sanctioned;
    }
    found
}

/// Whose listing counts for an owner: the person; a company's signatories, board and beneficial owners.
pub(super) fn people<'a>(owner: &'a Owner, company: Option<&'a Company>) -> impl Iterator<Item = PersonalNumber> + 'a {
    let (person, signatories) = match owner {
        Owner::NaturalPerson(person) => (Some(person.ssn), &[][..]),
        Owner::LegalEntity(entity) => (None, entity.signatories.as_slice()),
    };
    let of_company = company.into_iter().flat_map(Company::people);
    person.into_iter().chain(signatories.iter().map(|one| one.ssn)).chain(of_company)
}

/// What the fixed outcome of a number says (rule: money/fixed-outcomes-of-people).
pub(super) fn hits(ssn: PersonalNumber) -> Listed {
    let outcome = ssn.outcome();
    Listed { exposed: outcome == PersonOutcome::PepHit, sanctioned: outcome == PersonOutcome::SanctionsHit }
}

/// Puts the people of a new account's owner on the lists that their numbers name.
pub(crate) fn note_owner(world: &mut World, owner: &Owner) {
    note(world, people(owner, None));
}

/// Puts the people of a company on the lists that their numbers name.
pub(crate) fn note_company(world: &mut World, company: &Company) {
    note(world, company.people());
}

fn note(world: &mut World, people: impl Iterator<Item = PersonalNumber>) {
    for ssn in people {
        let found = hits(ssn);
        if found != Listed::default() {
            world.listed.or_insert_with(OwnerKey::Ssn(ssn), || found);
        }
    }
}

/// Whether the orders of an account are parked. Looked up for every order, so the usual case costs nothing.
pub(crate) fn parks_orders(world: &World, account: &Account) -> bool {
    let is_sanctioned = |key: OwnerKey| world.listed.get(&key).is_some_and(|listed| listed.sanctioned);
    !world.listed.is_empty()
        && (is_sanctioned(account.owner.key())
            || people(&account.owner, company_of(world, account)).any(|ssn| is_sanctioned(OwnerKey::Ssn(ssn))))
}

/// A sanctioned owner is paid nothing.
pub(crate) fn check_payout(world: &World, account: &Account) -> Result<(), Refusal> {
    if !parks_orders(world, account) {
        return Ok(());
    }
    let because = "payouts of this account are stopped";
    Err(Refusal::one(Class::BadTarget, "account", Fault::Invalid { because }))
}

/// The owner's accounts with all clients that partners know, by client.
pub(crate) fn accounts_of(world: &World, owner: OwnerKey) -> Vec<AccountId> {
    let known = |client| scope::client(world, client).is_some();
    world
        .owners
        .iter()
        .filter(|((client, key), _)| *key == owner && known(*client))
        .flat_map(|(_, file)| file.accounts.clone())
        .collect()
}
