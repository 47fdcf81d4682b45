//! The screening service: an owner is found on a list, or cleared. It acts on the whole world.

use crate::http::auth::Caller;
use crate::http::extract::Json;
use crate::planes::responses::{HandlerResult, submitted};
use crate::wire::fields::{Fields, Unknown};
use crate::wire::shape::of;
use sim::Command;
use sim::records::OwnerKey;

/// `POST /simulations/screening`: answers the owner's accounts with the caller's own clients.
pub async fn screen(caller: Caller, body: Json) -> HandlerResult {
    let (owner, hit) = body.read(Unknown::Refused, |body| {
        let owner = owner(body);
        let hit = body.required("hit", of());
        Some((owner?, hit?))
    })?;
    submitted(&caller, Command::Screen { owner, hit })
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
