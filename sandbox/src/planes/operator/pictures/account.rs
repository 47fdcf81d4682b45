//! The life of an account as a picture.
//!
//! Absent on purpose: what is drawn, and how (`drawing::account`).

use drawing::account::Facts;
use drawing::{Picture as _, Width};
use sim::ids::AccountId;

use super::super::request::{HandlerResult, Target};
use super::forms;
use wire::error::ApiError;

/// What is drawn of an account of a partner that the bearer may see.
pub(super) fn facts(target: &Target, id: Option<AccountId>) -> Result<Facts, ApiError> {
    let unknown = || ApiError::not_found("accountId names no account of this world");
    let id = id.ok_or_else(unknown)?;
    let facts = target.world.read(|world| {
        let history = sim::query::history(world, id)?;
        let client = sim::query::clients(world).find(|client| client.id == history.account.client)?;
        target.sees(client.partner).then(|| Facts::of(world, history))
    })?;
    facts.ok_or_else(unknown)
}

/// `GET /_sandbox/worlds/{worldId}/accounts/{accountId}/picture.svg`
pub(crate) async fn show(target: Target) -> HandlerResult {
    let id = target.item.as_deref().and_then(|text| AccountId::parse(text).ok());
    Ok(forms::svg(facts(&target, id)?.svg(Width::USUAL)))
}
