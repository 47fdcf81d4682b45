//! The platform: opens an account without a journey; and what it decides about one that waits.

pub mod bookings;
pub mod death;
pub mod screening;

use crate::planes::responses::{HandlerResult, submitted};
use sim::Command;
use sim::command::{Decision, OpenAccount, Scope};
use sim::ids::{AccountId, ClientId};
use sim::setup::AccountSetup;
use surface::auth::Caller;
use surface::extract::{Ids, Json, NoFields};
use wire::rows::fields::{Fields, Unknown};
use wire::rows::shape::{Shape, of};

/// An account that is to be opened for a client.
pub(crate) struct OpenAccountRequest;

impl Shape for OpenAccountRequest {
    type Value = (ClientId, AccountSetup);
    const NAME: &'static str = "OpenAccountRequest";
    const ABOUT: &'static str = "An account to open without a journey.";

    fn rows(fields: &mut Fields<'_, '_>) -> Option<Self::Value> {
        let client = fields.required("clientId", of());
        let account = AccountSetup::rows(fields);
        Some((client?, account?))
    }
}

/// `POST /simulations/account`
pub async fn open(caller: Caller, body: Json) -> HandlerResult {
    let (client, account) = body.read(Unknown::Refused, OpenAccountRequest::rows)?;
    let scope = caller.scope(client)?;
    let command = Command::OpenAccount(command(scope, account));
    submitted(&caller, command).await
}

/// `POST /simulations/account/{accountId}/approve`
pub async fn approve(caller: Caller, Ids(account): Ids<AccountId>, _: NoFields) -> HandlerResult {
    decided(&caller, account, Decision::Approve).await
}

/// `POST /simulations/account/{accountId}/reject`
pub async fn reject(caller: Caller, Ids(account): Ids<AccountId>, _: NoFields) -> HandlerResult {
    decided(&caller, account, Decision::Reject).await
}

/// `POST /simulations/account/{accountId}/confirm`: gives every signature that is missing.
pub async fn confirm(caller: Caller, Ids(account): Ids<AccountId>, _: NoFields) -> HandlerResult {
    decided(&caller, account, Decision::Confirm).await
}

async fn decided(caller: &Caller, account: AccountId, decision: Decision) -> HandlerResult {
    submitted(caller, Command::DecideAccount { partner: caller.partner, account, decision }).await
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
