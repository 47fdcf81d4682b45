//! What a partner and its customers have agreed on: the fees that a client takes besides the platform's
//! (rule: payments/partner-fee).

use crate::http::auth::Caller;
use crate::http::extract::{Ids, Json};
use crate::planes::responses::{HandlerResult, submitted};
use crate::wire::fields::Unknown;
use crate::wire::shape::of;
use sim::Command;
use sim::command::SetClientFees;
use sim::ids::ClientId;

/// `POST /simulations/client/{clientId}/fees`: what is left out stays.
pub async fn fees(caller: Caller, Ids(client): Ids<ClientId>, body: Json) -> HandlerResult {
    let scope = caller.scope(client)?;
    let set = body.read(Unknown::Refused, |body| {
        let partner = body.optional("partnerFee", of());
        let client = body.optional("clientFee", of());
        if !body.names("partnerFee") && !body.names("clientFee") {
            body.problem("partnerFee", "or clientFee is required");
        }
        Some(SetClientFees { scope, partner: partner?, client: client? })
    })?;
    submitted(&caller, Command::SetClientFees(set))
}
