//! The screening service: an owner is found on a list, or cleared. It acts on the whole world.

use crate::planes::responses::{HandlerResult, submitted};
use sim::Command;
use sim::command::ScreeningHit;
use sim::identity::{OrganisationNumber, PersonalNumber};
use sim::records::OwnerKey;
use surface::auth::Caller;
use surface::extract::Json;
use wire::rows::fields::{Fields, Unknown};
use wire::rows::shape::{Shape as _, shape};

shape! {
    /// Screening result of an owner. Give exactly one of `ssn` and `crn`.
    pub(crate) struct ScreeningRequest {
        ssn: Option<PersonalNumber> = optional "ssn";
        crn: Option<OrganisationNumber> = optional "crn";
        hit: ScreeningHit = required "hit";
    }
}

/// `POST /simulations/screening`: answers the owner's accounts with the caller's own clients.
pub async fn screen(caller: Caller, body: Json) -> HandlerResult {
    let (owner, hit) = body.read(Unknown::Refused, |body| {
        let ScreeningRequest { ssn, crn, hit } = ScreeningRequest::rows(body)?;
        Some((owner(body, ssn, crn)?, hit))
    })?;
    submitted(&caller, Command::Screen { owner, hit }).await
}

/// A person by `ssn` or an organisation by `crn`.
fn owner(body: &Fields<'_, '_>, ssn: Option<PersonalNumber>, crn: Option<OrganisationNumber>) -> Option<OwnerKey> {
    match (ssn, crn) {
        (Some(ssn), None) => Some(OwnerKey::Ssn(ssn)),
        (None, Some(crn)) => Some(OwnerKey::Crn(crn)),
        _ => {
            body.problem("ssn", "or crn is required, and only one of them");
            None
        }
    }
}
