//! Transfers of units into an account, and the custodians that a client can transfer from.

use crate::planes::responses::{HandlerResult, json, unknown};
use sim::ids::{AccountId, ClientId};
use sim::query;
use surface::auth::Caller;
use surface::extract::{Ids, Query};
use wire::query::window;
use wire::securities::transfers::{Custodian, Transfer};

/// `GET /v2/partner/client/{clientId}/account/{accountId}/transfer`
pub async fn list(caller: Caller, Ids((client, account)): Ids<(ClientId, AccountId)>, query: Query) -> HandlerResult {
    let scope = caller.scope(client)?;
    let window = query.read(window)?;
    let found = caller.world.read(|world| {
        query::account(world, scope.client, account).map(|_| query::transfers(world, account, &window))
    })?;
    let found = found.ok_or_else(|| unknown(&caller, "accountId"))?;
    Ok(json(&found.iter().map(|transfer| Transfer::of(transfer)).collect::<Vec<_>>()))
}

/// `GET /v2/partner/client/{clientId}/custodian`
pub async fn custodians(caller: Caller, Ids(client): Ids<ClientId>) -> HandlerResult {
    caller.scope(client)?;
    let custodians = caller.world.read(|world| query::custodians(world).to_vec())?;
    Ok(json(&custodians.iter().map(Custodian::of).collect::<Vec<_>>()))
}
