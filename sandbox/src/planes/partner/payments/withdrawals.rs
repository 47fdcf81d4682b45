//! Withdrawals: asked for, and how much they may be.

use crate::planes::responses::{HandlerResult, json, strictness, submitted, unknown};
use sim::Command;
use sim::command::PartialWithdrawal;
use sim::ids::{AccountId, ClientId};
use sim::query;
use surface::auth::Caller;
use surface::extract::{Ids, Json};
use wire::payments::withdrawals::{WithdrawalLimit, WithdrawalRequest};
use wire::rows::shape::Shape as _;

/// `POST /v2/partner/client/{clientId}/account/{accountId}/withdrawal`
pub async fn create(caller: Caller, Ids((client, account)): Ids<(ClientId, AccountId)>, body: Json) -> HandlerResult {
    let scope = caller.scope_that_may(client, |permissions| permissions.withdrawals)?;
    let withdrawal = body.read_whole(
        strictness(&caller),
        |body| {
            let rows = WithdrawalRequest::rows(body)?;
            Some(PartialWithdrawal { scope: Some(scope), account: Some(account), ..rows })
        },
        |withdrawal| Ok(query::withdrawal_problems(withdrawal)),
    )?;
    submitted(&caller, Command::Withdraw(withdrawal)).await
}

/// `GET /v2/partner/client/{clientId}/account/{accountId}/withdrawal/limit`
pub async fn limit(caller: Caller, Ids((client, account)): Ids<(ClientId, AccountId)>) -> HandlerResult {
    let scope = caller.scope_that_may(client, |permissions| permissions.withdrawals)?;
    let limits = caller.world.read(|world| {
        query::account(world, scope.client, account).map(|account| query::withdrawal_limits(world, account))
    })?;
    Ok(json(&WithdrawalLimit::of(&limits.ok_or_else(|| unknown(&caller, "accountId"))?)))
}
