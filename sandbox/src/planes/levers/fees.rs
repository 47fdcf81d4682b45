//! The fees that a client takes besides the platform's, as a partner and its customers have agreed on them (rule: fees/partner-fee).

use crate::planes::responses::{HandlerResult, submitted};
use sim::Command;
use sim::command::SetClientFees;
use sim::ids::ClientId;
use sim::records::FeeTerms;
use surface::auth::Caller;
use surface::extract::{Ids, Json};
use wire::rows::fields::Unknown;
use wire::rows::shape::{Shape as _, shape};

shape! {
    /// Fees of a client beside the platform's: at least one of the two. Absent fields stay unchanged.
    pub(crate) struct ClientFeesRequest {
        partner: Option<FeeTerms> = optional "partnerFee";
        client: Option<FeeTerms> = optional "clientFee";
    }
}

/// `POST /simulations/client/{clientId}/fees`: what is left out stays.
pub async fn set(caller: Caller, Ids(client): Ids<ClientId>, body: Json) -> HandlerResult {
    let scope = caller.scope(client)?;
    let set = body.read(Unknown::Refused, |body| {
        let given = ClientFeesRequest::rows(body);
        if !body.has_field("partnerFee") && !body.has_field("clientFee") {
            body.problem("partnerFee", "or clientFee is required");
        }
        given.map(|ClientFeesRequest { partner, client }| SetClientFees { scope, partner, client })
    })?;
    submitted(&caller, Command::SetClientFees(set)).await
}
