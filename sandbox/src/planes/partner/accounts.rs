//! Accounts: listed, read, valued, closed; their transfers and their KYC status.

use super::{HandlerResult, json, unexpected_reply, unknown};
use crate::http::auth::Caller;
use crate::http::extract::{Ids, Query};
use crate::wire::account::{Account, AccountValue};
use crate::wire::number::Money;
use crate::wire::query::{Parameters, window};
use crate::wire::standing::Kyc;
use crate::wire::text::Currency;
use crate::wire::transfer::Transfer;
use sim::identity::PersonalNumber;
use sim::ids::{AccountId, ClientId};
use sim::query::{self, PositionView};
use sim::store::Window;
use sim::{Command, Reply, World, records};
use std::sync::Arc;

/// An account with its positions valued, kept when the world has been let go.
pub(crate) struct Valued {
    account: Arc<records::Account>,
    positions: Vec<PositionView>,
}

impl Valued {
    /// `account` at the world's present prices.
    pub(crate) fn of(world: &World, account: &Arc<records::Account>) -> Self {
        Self { account: Arc::clone(account), positions: query::positions(world, account, world.now()) }
    }

    /// Its public shape.
    pub(crate) fn shape(&self) -> Account<'_> {
        Account::of(&self.account, &self.positions)
    }
}

/// `GET /v2/partner/client/{clientId}/account`
pub async fn list(caller: Caller, Ids(client): Ids<ClientId>, query: Query) -> HandlerResult {
    let scope = caller.scope(client)?;
    let (window, ssn) = query.read(filters)?;
    let found = caller.world.read(|world| {
        let accounts = query::accounts(world, scope.client, &window, ssn);
        accounts.iter().map(|account| Valued::of(world, account)).collect::<Vec<_>>()
    })?;
    Ok(json(&found.iter().map(Valued::shape).collect::<Vec<_>>()))
}

/// The parameters of a listing.
pub(crate) fn filters(query: &mut Parameters<'_>) -> (Window, Option<PersonalNumber>) {
    (window(query), query.personal_number("ssn", "Only accounts of this natural person."))
}

/// `GET /v2/partner/client/{clientId}/account/{accountId}`
pub async fn read(caller: Caller, Ids((client, account)): Ids<(ClientId, AccountId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    let found = caller
        .world
        .read(|world| query::account(world, scope.client, account).map(|account| Valued::of(world, account)))?;
    Ok(json(&found.ok_or_else(|| unknown(&caller, "accountId"))?.shape()))
}

/// `DELETE /v2/partner/client/{clientId}/account/{accountId}`
pub async fn close(caller: Caller, Ids((client, account)): Ids<(ClientId, AccountId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    submitted(&caller, Command::CloseAccount { scope, account })
}

/// Carries out a command that replies with an account.
pub(crate) fn submitted(caller: &Caller, command: Command) -> HandlerResult {
    let changed = caller.world.submit(command, |world, reply| match reply {
        Reply::Account(account) => Ok(Valued::of(world, &account)),
        other => Err(unexpected_reply(&other)),
    })??;
    Ok(json(&changed.shape()))
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

/// `GET /v2/partner/client/{clientId}/account/{accountId}/transfer`
pub async fn transfers(
    caller: Caller,
    Ids((client, account)): Ids<(ClientId, AccountId)>,
    query: Query,
) -> HandlerResult {
    let scope = caller.scope(client)?;
    let window = query.read(window)?;
    let found = caller.world.read(|world| {
        query::account(world, scope.client, account).map(|_| query::transfers(world, account, &window))
    })?;
    let found = found.ok_or_else(|| unknown(&caller, "accountId"))?;
    Ok(json(&found.iter().map(|transfer| Transfer::of(transfer)).collect::<Vec<_>>()))
}

/// `GET /v2/partner/client/{clientId}/kycstatus/account/{accountId}`
pub async fn kyc(caller: Caller, Ids((client, account)): Ids<(ClientId, AccountId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    let view = caller
        .world
        .read(|world| query::account(world, scope.client, account).map(|account| query::kyc_status(world, account)))?;
    Ok(json(&Kyc::of(&view.ok_or_else(|| unknown(&caller, "accountId"))?)))
}
