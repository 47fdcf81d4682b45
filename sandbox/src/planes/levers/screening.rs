//! The screening service: an owner is found on a list, or cleared. It acts on the whole world.

use crate::http::auth::Caller;
use crate::http::extract::Json;
use crate::planes::partner::accounts::Valued;
use crate::planes::partner::{HandlerResult, json, unexpected_reply};
use crate::wire::fields::{Fields, Unknown};
use crate::wire::shape::of;
use sim::command::Scope;
use sim::records::OwnerKey;
use sim::{Command, Reply};

/// `POST /simulations/screening`: answers the owner's accounts with the caller's own clients.
pub async fn screen(caller: Caller, body: Json) -> HandlerResult {
    let (owner, hit) = body.read(Unknown::Refused, |body| {
        let owner = owner(body);
        let hit = body.required("hit", of());
        Some((owner?, hit?))
    })?;
    let partner = caller.partner;
    let shown = caller.world.submit(Command::Screen { owner, hit }, |world, reply| match reply {
        Reply::Accounts(accounts) => {
            let own = accounts
                .iter()
                .filter(|account| world.client_in_scope(Scope { partner, client: account.client }).is_ok());
            Ok(own.map(|account| Valued::of(world, account)).collect::<Vec<_>>())
        }
        other => Err(unexpected_reply(&other)),
    })??;
    Ok(json(&shown.iter().map(Valued::shape).collect::<Vec<_>>()))
}

/// A person by `ssn` or an organisation by `crn`.
fn owner(body: &mut Fields<'_, '_>) -> Option<OwnerKey> {
    let ssn = body.optional("ssn", of());
    let crn = body.optional("crn", of());
    match (ssn?, crn?) {
        (Some(ssn), None) => Some(OwnerKey::Ssn(ssn)),
        (None, Some(crn)) => Some(OwnerKey::Crn(crn)),
        _ => {
            body.problem("ssn", "or crn is required, and only one of them");
            None
        }
    }
}
