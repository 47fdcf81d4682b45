//! The first moment of a world: partners, clients, the first timers, and the accounts of the setup.

use crate::calendar::is_bank_day;
use crate::command::{OpenAccount, Scope};
use crate::flows::{accounts, clients};
use crate::ids::{ClientId, PartnerId, SortedId};
use crate::market::{next_rate_day, rate_publication};
use crate::quarter::Quarter;
use crate::records::{Client, Partner, Stamp};
use crate::setup::{AccountSetup, ClientSetup, SetupError};
use crate::timers::Timer;
use crate::world::World;
use std::sync::Arc;

/// Fills an empty world from its setup.
pub(crate) fn open(world: &mut World) -> Result<(), SetupError> {
    let setup = Arc::clone(&world.setup);
    plan_market(world);
    plan_quarter(world);
    for (p, partner) in setup.partners.iter().enumerate() {
        let id = world.id_sources.partner();
        world.partners.insert(id, Partner { id, name: Arc::clone(&partner.name) });
        for (c, client) in partner.clients.iter().enumerate() {
            let (drawn, sorted_id) = world.id_sources.client(world.now);
            let client_id = client.id.unwrap_or(drawn);
            let record = client_record(world, client, id, client_id, sorted_id);
            world.clients.insert(client_id, Arc::new(record));
            let scope = Scope { partner: id, client: client_id };
            for (a, account) in client.accounts.iter().enumerate() {
                accounts::open::open(world, as_command(scope, account)).map_err(|refusal| SetupError {
                    problems: refusal
                        .problems
                        .iter()
                        .map(|problem| format!("partners[{p}].clients[{c}].accounts[{a}].{problem}"))
                        .collect(),
                })?;
            }
        }
    }
    Ok(())
}

fn client_record(
    world: &mut World,
    client: &ClientSetup,
    partner: PartnerId,
    id: ClientId,
    sorted_id: SortedId,
) -> Client {
    Client {
        id,
        sorted_id,
        partner,
        name: Arc::clone(&client.name),
        display_name: Arc::clone(&client.display_name),
        crn: client.crn,
        country: Arc::clone(&client.country),
        bank_accounts: client.bank_accounts.clone(),
        service_types: clients::coded(world, &client.service_types),
        permissions: client.permissions.clone(),
        withdrawal_needs_signature: client.withdrawal_needs_signature,
        fees: client.fees,
        universe: client.universe.clone(),
        stamp: Stamp::new(world.now),
    }
}

fn as_command(scope: Scope, account: &AccountSetup) -> OpenAccount {
    OpenAccount {
        scope,
        account_type: account.account_type,
        owner: account.owner.clone(),
        name: account.name.clone(),
        service_type: account.service_type,
        category: account.category,
        cash: account.cash,
        positions: account.positions.clone(),
        bank_accounts: account.bank_accounts.clone(),
        fund_knowledge: account.fund_knowledge,
    }
}

/// Sets the first day of fees, and of retrocessions.
fn plan_quarter(world: &mut World) {
    let quarter = Quarter::of(world.now.local_date());
    world.timers.set(quarter.fees_due(), Timer::ChargeFees(quarter));
    world.timers.set(quarter.retrocessions_due(), Timer::PayRetrocessions(quarter));
}

/// Sets the first rate of every currency. Funds are at rest (rule: calendar/funds-at-rest).
fn plan_market(world: &mut World) {
    let currencies: Vec<_> = world.market.currencies().collect();
    for currency in currencies {
        let day = next_rate_day(world.now);
        debug_assert!(is_bank_day(day));
        world.timers.set(rate_publication(day), Timer::PublishRate(currency, day));
    }
}
