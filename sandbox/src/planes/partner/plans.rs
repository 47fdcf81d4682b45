//! Allocation plans: listed, read, patched, deleted. Savings plans: read, deleted.

use crate::planes::responses::{HandlerResult, json, strictness, submitted, unknown};
use sim::ids::{AccountId, AllocationPlanId, ClientId};
use sim::{Command, query};
use std::sync::Arc;
use surface::auth::Caller;
use surface::extract::{Ids, Json};
use wire::plans::{AllocationPlan, AllocationPlanPatch, SavingsPlan};
use wire::rows::shape::Shape as _;

/// `GET /v2/partner/client/{clientId}/allocationplan`
pub async fn list(caller: Caller, Ids(client): Ids<ClientId>) -> HandlerResult {
    let scope = caller.scope(client)?;
    let plans = caller.world.read(|world| query::allocation_plans(world, scope.client))?;
    Ok(json(&plans.iter().map(|plan| AllocationPlan::of(plan)).collect::<Vec<_>>()))
}

/// `GET /v2/partner/client/{clientId}/allocationplan/{allocationPlanId}`
pub async fn read(caller: Caller, Ids((client, plan)): Ids<(ClientId, AllocationPlanId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    let found = caller.world.read(|world| query::allocation_plan(world, scope.client, plan).cloned())?;
    Ok(json(&AllocationPlan::of(&*found.ok_or_else(|| unknown(&caller, "allocationPlanId"))?)))
}

/// `PATCH /v2/partner/client/{clientId}/allocationplan/{allocationPlanId}`
pub async fn patch(
    caller: Caller,
    Ids((client, plan)): Ids<(ClientId, AllocationPlanId)>,
    body: Json,
) -> HandlerResult {
    let scope = caller.scope(client)?;
    let AllocationPlanPatch { bank_account, instruments } =
        body.read(strictness(&caller), AllocationPlanPatch::rows)?;
    submitted(&caller, Command::PatchAllocationPlan { scope, plan, bank_account, instruments }).await
}

/// `DELETE /v2/partner/client/{clientId}/allocationplan/{allocationPlanId}`
pub async fn delete(caller: Caller, Ids((client, plan)): Ids<(ClientId, AllocationPlanId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    submitted(&caller, Command::DeleteAllocationPlan { scope, plan }).await
}

/// `GET /v2/partner/client/{clientId}/allocationplan/account/{accountId}`
pub async fn of_account(caller: Caller, Ids((client, account)): Ids<(ClientId, AccountId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    let found = caller.world.read(|world| {
        query::account(world, scope.client, account).map(|_| query::allocation_plan_of(world, account).map(Arc::clone))
    })?;
    let found = found.ok_or_else(|| unknown(&caller, "accountId"))?;
    Ok(json(&AllocationPlan::of(&*found.ok_or_else(|| unknown(&caller, "allocationplan"))?)))
}

/// `GET /v2/partner/client/{clientId}/account/{accountId}/savingsplan`
pub async fn savings(caller: Caller, Ids((client, account)): Ids<(ClientId, AccountId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    let found = caller.world.read(|world| {
        query::account(world, scope.client, account).map(|_| query::savings_plan_of(world, account).map(Arc::clone))
    })?;
    let found = found.ok_or_else(|| unknown(&caller, "accountId"))?;
    Ok(json(&SavingsPlan::of(&*found.ok_or_else(|| unknown(&caller, "savingsplan"))?)))
}

/// `DELETE /v2/partner/client/{clientId}/account/{accountId}/savingsplan`
pub async fn delete_savings(caller: Caller, Ids((client, account)): Ids<(ClientId, AccountId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    submitted(&caller, Command::DeleteSavingsPlan { scope, account }).await
}
