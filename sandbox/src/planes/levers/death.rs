//! The register of deaths: a person has died. It acts on the whole world (rule: accounts/endowment).

use crate::http::auth::Caller;
use crate::http::extract::Json;
use crate::planes::responses::{HandlerResult, submitted};
use crate::wire::fields::Unknown;
use crate::wire::shape::{Shape as _, shape};
use sim::Command;
use sim::identity::PersonalNumber;

shape! {
    /// A person has died.
    pub(crate) struct DeathRequest {
        ssn: PersonalNumber = required "ssn";
    }
}

/// `POST /simulations/death`: answers the insurances that end, with the caller's own clients.
pub async fn report(caller: Caller, body: Json) -> HandlerResult {
    let DeathRequest { ssn } = body.read(Unknown::Refused, DeathRequest::rows)?;
    submitted(&caller, Command::ReportDeath { ssn })
}
