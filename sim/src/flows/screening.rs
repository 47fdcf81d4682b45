//! Lists of politically exposed and of sanctioned owners (rule: accounts/screening).
//!
//! Invariant: who is on a list is known by the owner's number, over all clients and accounts. Absent on purpose: an
//! answer of the API; only its consequences show.

use crate::calendar::years_later;
use crate::command::ScreeningHit;
use crate::flows::orders::step_order;
use crate::identity::{PersonOutcome, PersonalNumber};
use crate::ids::AccountId;
use crate::machines::order::{State, Trigger};
use crate::records::{Account, Owner, OwnerKey};
use crate::refusal::{Class, Fault, Refusal};
use crate::reply::Reply;
use crate::scope;
use crate::world::{Listed, World};
use std::sync::Arc;

/// Whether an owner is politically exposed.
pub(crate) fn exposed(world: &World, owner: &Owner) -> bool {
    listed(world, owner).exposed
}

/// Whether an owner is sanctioned.
pub(crate) fn sanctioned(world: &World, owner: &Owner) -> bool {
    listed(world, owner).sanctioned
}

fn listed(world: &World, owner: &Owner) -> Listed {
    let known = world.listed.get(&owner.key()).copied();
    known.unwrap_or_else(|| by_number(owner))
}

/// What the fixed outcomes of the numbers involved say (rule: money/fixed-outcomes-of-people).
fn by_number(owner: &Owner) -> Listed {
    let people: Vec<PersonalNumber> = match owner {
        Owner::NaturalPerson(person) => vec![person.ssn],
        Owner::LegalEntity(entity) => entity.signatories.iter().map(|one| one.ssn).collect(),
    };
    hits(&people)
}

fn hits(people: &[PersonalNumber]) -> Listed {
    let hit = |outcome| people.iter().any(|ssn| ssn.outcome() == outcome);
    Listed { exposed: hit(PersonOutcome::PepHit), sanctioned: hit(PersonOutcome::SanctionsHit) }
}

/// Puts the owner of a new account on the lists that the number's fixed outcome names.
pub(crate) fn note_owner(world: &mut World, owner: &Owner) {
    let found = by_number(owner);
    if found != Listed::default() {
        world.listed.entry(owner.key()).or_insert(found);
    }
}

/// Whether the orders of an account are parked. Looked up for every order, so the usual case costs nothing.
pub(crate) fn parks_orders(world: &World, account: &Account) -> bool {
    !world.listed.is_empty() && world.listed.get(&account.owner.key()).is_some_and(|listed| listed.sanctioned)
}

/// A sanctioned owner is paid nothing.
pub(crate) fn check_payout(world: &World, account: &Account) -> Result<(), Refusal> {
    if !parks_orders(world, account) {
        return Ok(());
    }
    let because = "payouts of this account are stopped";
    Err(Refusal::one(Class::BadTarget, "account", Fault::Invalid { because }))
}

/// `Screen`: on a list, or off all of them. Orders on hold stay there until they are released.
pub(crate) fn screen(world: &mut World, owner: OwnerKey, hit: ScreeningHit) -> Result<Reply, Refusal> {
    let by_number = match owner {
        OwnerKey::Ssn(ssn) => hits(&[ssn]),
        OwnerKey::Crn(_) => Listed::default(),
    };
    let listed = world.listed.entry(owner).or_insert(by_number);
    match hit {
        ScreeningHit::Pep => listed.exposed = true,
        ScreeningHit::Sanctions => listed.sanctioned = true,
        ScreeningHit::Clear => *listed = Listed::default(),
    }
    let accounts = accounts_of(world, owner);
    for &account in &accounts {
        match hit {
            ScreeningHit::Pep => shorten_kyc(world, account),
            ScreeningHit::Sanctions => park_orders(world, account),
            ScreeningHit::Clear => {}
        }
    }
    Ok(Reply::Accounts(accounts.into_iter().map(|id| Arc::clone(world.accounts.known(id))).collect()))
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

/// High risk: KYC holds a year from when it was last given (rule: accounts/kyc-renewal).
fn shorten_kyc(world: &mut World, id: AccountId) {
    let account = world.accounts.known(id);
    let given = world.standings.get(&id).and_then(|standing| standing.kyc_updated);
    let given = given.unwrap_or(account.stamp.created).local_date();
    let until = years_later(given, world.setup.settings.journeys.kyc_high_risk_years);
    if until < account.kyc_valid_until {
        world.accounts.change(id).kyc_valid_until = until;
    }
}

fn park_orders(world: &mut World, id: AccountId) {
    let waiting = world.orders.of_account(id, None);
    let waiting = waiting.filter(|order| matches!(*order.state, State::Received | State::Pending | State::Aggregated));
    let waiting: Vec<_> = waiting.map(|order| order.id).collect();
    waiting.into_iter().for_each(|order| step_order(world, order, Trigger::Park));
}
