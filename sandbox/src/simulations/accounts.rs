//! The platform: an account at once, without a journey.

use crate::auth::{Access, Caller, Resource};
use crate::extract::Json;
use crate::handlers::accounts::Valued;
use crate::handlers::{Answer, json, strange, strictness};
use crate::wire::{fields, opening};
use sim::command::{OpenAccount, Scope};
use sim::ids::ClientId;
use sim::setup::AccountSetup;
use sim::{Command, Reply};

/// `POST /simulations/account`
pub async fn open(caller: Caller, body: Json) -> Answer {
    let (client, account): (ClientId, _) = body.read(strictness(&caller), |body| {
        let client = body.required("clientId", fields::id);
        let account = opening::account(body);
        Some((client?, account?))
    })?;
    let scope = caller.client(client, Resource::Account, Access::Write)?;
    let command = Command::OpenAccount(command(scope, account));
    let opened = caller.world.submit(command, |world, reply| match reply {
        Reply::Account(account) => Ok(Valued::of(world, &account)),
        other => Err(strange(&other)),
    })??;
    Ok(json(&opened.shape()))
}

fn command(scope: Scope, account: AccountSetup) -> OpenAccount {
    let AccountSetup {
        account_type,
        owner,
        name,
        service_type,
        category,
        cash,
        positions,
        bank_accounts,
        fund_knowledge,
    } = account;
    OpenAccount {
        scope,
        account_type,
        owner,
        name,
        service_type,
        category,
        cash,
        positions,
        bank_accounts,
        fund_knowledge,
    }
}
