//! Money that no account could take: what there is, and where it goes (rule: payments/suspense).
//!
//! Invariant: partners see none of it where the machinery is the operator's.

use super::request::{Bearer, HandlerResult, RawBody, Target, bad};
use crate::planes::responses;
use sim::ids::{AccountId, SuspenseItemId};
use sim::{Command, Reply, query};
use std::sync::Arc;
use surface::extract::NoFields;
use wire::error::ApiError;
use wire::payments::suspense::SuspenseItem;
use wire::rows::shape::{Shape as _, shape};

shape! {
    /// The account for money in suspense.
    pub(crate) struct AllocateRequest {
        /// An active account.
        account: AccountId = required "account";
    }
}

/// Refuses a partner where it does not work the machinery.
fn allowed(target: &Target) -> Result<(), ApiError> {
    match &target.bearer {
        Bearer::Partner(_) if target.shared => Err(ApiError::forbidden("this is the operator's")),
        Bearer::Partner(_) | Bearer::Operator => Ok(()),
    }
}

fn item(target: &Target) -> Result<SuspenseItemId, ApiError> {
    let text = target.item.as_deref().unwrap_or_default();
    SuspenseItemId::parse(text).map_err(|_| bad("id", "must be a UUID"))
}

async fn moved(target: &Target, command: Command) -> HandlerResult {
    let item = target
        .world
        .submit(command, |_, reply| match reply {
            Reply::SuspenseItem(item) => item,
            other => unreachable!("money in suspense is answered by {other:?}"),
        })
        .await?;
    Ok(responses::json(&SuspenseItem::of(&item)))
}

/// `GET /_sandbox/worlds/{worldId}/suspense`: in the order in which it came.
pub(super) async fn list(target: Target) -> HandlerResult {
    allowed(&target)?;
    let items: Vec<_> = target.world.read(|world| query::suspense(world).map(Arc::clone).collect())?;
    Ok(responses::json(&items.iter().map(|item| SuspenseItem::of(item)).collect::<Vec<_>>()))
}

/// `POST /_sandbox/worlds/{worldId}/suspense/{id}/allocate`: to an active account, at once.
pub(super) async fn allocate(target: Target, body: RawBody) -> HandlerResult {
    allowed(&target)?;
    let item = item(&target)?;
    let AllocateRequest { account } = body.read(AllocateRequest::rows)?;
    moved(&target, Command::AllocateSuspense { item, account }).await
}

/// `POST /_sandbox/worlds/{worldId}/suspense/{id}/return`: back to its payer.
pub(super) async fn give_back(target: Target, _: NoFields) -> HandlerResult {
    allowed(&target)?;
    let item = item(&target)?;
    moved(&target, Command::ReturnSuspense { item }).await
}
