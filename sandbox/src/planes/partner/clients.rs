//! Clients: listed, created, read, patched.

use crate::planes::responses::{HandlerResult, json, strictness, submitted, unknown};
use sim::command::{PartialClient, PartialClientPatch};
use sim::ids::ClientId;
use sim::store::Window;
use sim::{Command, query};
use std::sync::Arc;
use surface::auth::Caller;
use surface::extract::{Ids, Json, Query};
use wire::clients::{Client, ClientPatch, ClientRequest};
use wire::query::window;
use wire::rows::shape::Shape as _;

/// `GET /v2/partner/client`
pub async fn list(caller: Caller, query: Query) -> HandlerResult {
    let Window { start, limit, modified_from } = query.read(window)?;
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

/// `POST /v2/partner/client`
pub async fn create(caller: Caller, body: Json) -> HandlerResult {
    let partner = caller.partner;
    let create = body.read_whole(
        strictness(&caller),
        |body| Some(PartialClient { partner: Some(partner), ..ClientRequest::rows(body)? }),
        |create| caller.world.read(|world| query::client_problems(world, partner, create)),
    )?;
    submitted(&caller, Command::CreateClient(Box::new(create))).await
}

/// `PATCH /v2/partner/client/{clientId}`
pub async fn patch(caller: Caller, Ids(client): Ids<ClientId>, body: Json) -> HandlerResult {
    let scope = caller.scope(client)?;
    let patch = body.read_whole(
        strictness(&caller),
        |body| Some(PartialClientPatch { scope: Some(scope), ..ClientPatch::rows(body)? }),
        |patch| caller.world.read(|world| query::client_patch_problems(world, scope, patch)),
    )?;
    submitted(&caller, Command::PatchClient(Box::new(patch))).await
}

/// `GET /v2/partner/client/{clientId}`
pub async fn read(caller: Caller, Ids(client): Ids<ClientId>) -> HandlerResult {
    let scope = caller.scope(client)?;
    let found = caller.world.read(|world| query::client(world, scope.client).map(Arc::clone))?;
    Ok(json(&Client::of(&*found.ok_or_else(|| unknown(&caller, "clientId"))?)))
}
