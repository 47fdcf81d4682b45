//! The register of deaths: a person has died. It acts on the whole world (rule: payments/endowment).

use crate::http::auth::Caller;
use crate::http::extract::Json;
use crate::planes::responses::{HandlerResult, submitted};
use crate::wire::fields::Unknown;
use crate::wire::shape::of;
use sim::Command;

/// `POST /simulations/death`: answers the insurances that end, with the caller's own clients.
pub async fn report(caller: Caller, body: Json) -> HandlerResult {
    let ssn = body.read(Unknown::Refused, |body| body.required("ssn", of()))?;
    submitted(&caller, Command::ReportDeath { ssn })
}
