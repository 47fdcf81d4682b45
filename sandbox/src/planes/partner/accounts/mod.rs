//! Accounts: listed, read, valued, closed; their KYC status.

pub mod agreements;
pub mod performance;
pub mod transactions;

use crate::planes::responses::{HandlerResult, ValuedAccount, json, submitted, unknown};
use sim::Command;
use sim::identity::PersonalNumber;
use sim::ids::{AccountId, ClientId};
use sim::query;
use sim::store::Window;
use surface::auth::Caller;
use surface::extract::{Ids, Query};
use wire::accounts::AccountValue;
use wire::accounts::standing::Kyc;
use wire::query::{Parameters, window};
use wire::values::number::Money;
use wire::values::text::Currency;

/// `GET /v2/partner/client/{clientId}/account`
pub async fn list(caller: Caller, Ids(client): Ids<ClientId>, query: Query) -> HandlerResult {
    let scope = caller.scope(client)?;
    let (window, ssn) = query.read(filters)?;
    if ssn == Some(None) {
        return Ok(json(&[(); 0]));
    }
    let found = caller.world.read(|world| {
        let accounts = query::accounts(world, scope.client, &window, ssn.flatten());
        accounts.iter().map(|account| ValuedAccount::of(world, account)).collect::<Vec<_>>()
    })?;
    Ok(json(&found.iter().map(ValuedAccount::shape).collect::<Vec<_>>()))
}

/// The parameters of a listing.
pub(crate) fn filters(query: &mut Parameters<'_>) -> (Window, Option<Option<PersonalNumber>>) {
    (window(query), query.person("ssn", "Only accounts of this natural person."))
}

/// `GET /v2/partner/client/{clientId}/account/{accountId}`
pub async fn read(caller: Caller, Ids((client, account)): Ids<(ClientId, AccountId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    let found = caller
        .world
        .read(|world| query::account(world, scope.client, account).map(|account| ValuedAccount::of(world, account)))?;
    Ok(json(&found.ok_or_else(|| unknown(&caller, "accountId"))?.shape()))
}

/// `DELETE /v2/partner/client/{clientId}/account/{accountId}`
pub async fn close(caller: Caller, Ids((client, account)): Ids<(ClientId, AccountId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    submitted(&caller, Command::CloseAccount { scope, account }).await
}

/// `GET /v2/partner/client/{clientId}/account/{accountId}/value`
pub async fn value(caller: Caller, Ids((client, account)): Ids<(ClientId, AccountId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    let value = caller
        .world
        .read(|world| query::account(world, scope.client, account).map(|account| query::value(world, account)))?;
    let value = Money(value.ok_or_else(|| unknown(&caller, "accountId"))?);
    Ok(json(&AccountValue { value, currency: Currency(sim::identity::Currency::SEK) }))
}

/// `GET /v2/partner/client/{clientId}/kycstatus/account/{accountId}`
pub async fn kyc(caller: Caller, Ids((client, account)): Ids<(ClientId, AccountId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    let view = caller
        .world
        .read(|world| query::account(world, scope.client, account).map(|account| query::kyc_status(world, account)))?;
    Ok(json(&Kyc::of(&view.ok_or_else(|| unknown(&caller, "accountId"))?)))
}
