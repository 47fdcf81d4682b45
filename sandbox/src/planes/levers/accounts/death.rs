//! The register of deaths: a person has died. It acts on the whole world (rule: accounts/endowment).

use crate::planes::responses::{HandlerResult, submitted};
use sim::Command;
use sim::identity::PersonalNumber;
use surface::auth::Caller;
use surface::extract::Json;
use wire::rows::fields::Unknown;
use wire::rows::shape::{Shape as _, shape};

shape! {
    /// A person has died.
    pub(crate) struct DeathRequest {
        ssn: PersonalNumber = required "ssn";
    }
}

/// `POST /simulations/death`: answers the insurances that end, with the caller's own clients.
pub async fn report(caller: Caller, body: Json) -> HandlerResult {
    let DeathRequest { ssn } = body.read(Unknown::Refused, DeathRequest::rows)?;
    submitted(&caller, Command::ReportDeath { ssn }).await
}
