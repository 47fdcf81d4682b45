//! What a hit of the screening does to the accounts that it counts for (rule: accounts/screening).

use crate::calendar::years_later;
use crate::command::ScreeningHit;
use crate::flows::orders::park;
use crate::flows::screening::{accounts_of, company_of, hits, people};
use crate::ids::AccountId;
use crate::machines::order::State;
use crate::records::{OwnerKey, ParkingCheck};
use crate::refusal::Refusal;
use crate::reply::Reply;
use crate::scope;
use crate::world::{Listed, World};
use std::sync::Arc;

/// `Screen`: on a list, or off all of them. Orders on hold stay there until they are released.
pub(crate) fn screen(world: &mut World, owner: OwnerKey, hit: ScreeningHit) -> Result<Reply, Refusal> {
    let by_number = match owner {
        OwnerKey::Ssn(ssn) => hits(ssn),
        OwnerKey::Crn(_) => Listed::default(),
    };
    let listed = world.listed.or_insert_with(owner, || by_number);
    match hit {
        ScreeningHit::Pep => listed.exposed = true,
        ScreeningHit::Sanctions => listed.sanctioned = true,
        ScreeningHit::Clear => *listed = Listed::default(),
    }
    let accounts = concerned(world, owner);
    for &account in &accounts {
        match hit {
            ScreeningHit::Pep => shorten_kyc(world, account),
            ScreeningHit::Sanctions => park_orders(world, account),
            ScreeningHit::Clear => {}
        }
    }
    Ok(Reply::Accounts(accounts.into_iter().map(|id| Arc::clone(world.accounts.known(id))).collect()))
}

/// The accounts that a listing counts for: the owner's own, and those of companies that the person is known of.
fn concerned(world: &World, owner: OwnerKey) -> Vec<AccountId> {
    let mut accounts = accounts_of(world, owner);
    let OwnerKey::Ssn(ssn) = owner else { return accounts };
    let knows = |id: &AccountId| {
        let account = world.accounts.known(*id);
        people(&account.owner, company_of(world, account)).any(|known| known == ssn)
    };
    let companies = world
        .owners
        .iter()
        .filter(|((client, key), _)| matches!(key, OwnerKey::Crn(_)) && scope::client(world, *client).is_some());
    accounts.extend(companies.flat_map(|(_, file)| file.accounts.iter().copied().filter(knows)));
    accounts
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
    waiting.into_iter().for_each(|order| park(world, order, [ParkingCheck::Sanctions]));
}
