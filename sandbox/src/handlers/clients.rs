//! Clients: listed, read.

use super::{Answer, json, unknown};
use crate::auth::{Access, Caller, Resource};
use crate::extract::{Ids, Query};
use crate::wire::client::Client;
use sim::ids::ClientId;
use sim::query;
use sim::shelf::Window;
use std::sync::Arc;

/// `GET /v2/partner/client`
pub async fn list(caller: Caller, query: Query) -> Answer {
    caller.may(Resource::Client, Access::Read)?;
    let Window { start, limit, modified_from } = query.read(|query| query.window())?;
    let clients: Vec<_> = caller.world.read(|world| {
        query::clients_of(world, caller.partner)
            .filter(|client| start.is_none_or(|start| client.sorted_id >= start))
            .filter(|client| modified_from.is_none_or(|from| client.stamp.modified >= from))
            .take(limit.unwrap_or(usize::MAX))
            .cloned()
            .collect()
    })?;
    Ok(json(&clients.iter().map(|client| Client::of(client)).collect::<Vec<_>>()))
}

/// `GET /v2/partner/client/{clientId}`
pub async fn read(caller: Caller, Ids(client): Ids<ClientId>) -> Answer {
    let scope = caller.client(client, Resource::Client, Access::Read)?;
    let found = caller.world.read(|world| query::client(world, scope.client).map(Arc::clone))?;
    Ok(json(&Client::of(&*found.ok_or_else(|| unknown(&caller, "clientId"))?)))
}
