//! Journeys: started, read.

use super::{HandlerResult, json, strictness, unexpected_reply, unknown};
use crate::http::auth::Caller;
use crate::http::extract::{Ids, Json};
use crate::wire::journey::{Journey, JourneyRequest};
use crate::wire::shape::Shape as _;
use axum::response::Response;
use sim::command::PartialJourney;
use sim::ids::{ClientId, JourneyId};
use sim::{Command, Reply, query, records};

/// `POST /v2/partner/client/{clientId}/journey`
pub async fn create(caller: Caller, Ids(client): Ids<ClientId>, body: Json) -> HandlerResult {
    let scope = caller.scope(client)?;
    let create = body.read_whole(
        strictness(&caller),
        |body| Some(PartialJourney { scope: Some(scope), ..JourneyRequest::rows(body)? }),
        |create| caller.world.read(|world| query::journey_problems(world, scope, create)),
    )?;
    submitted(&caller, Command::CreateJourney(Box::new(create)))
}

/// `GET /v2/partner/client/{clientId}/journey/{journeyId}`
pub async fn read(caller: Caller, Ids((client, journey)): Ids<(ClientId, JourneyId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    let found = caller.world.read(|world| query::journey(world, scope.client, journey).cloned())?;
    Ok(shown(&caller, &*found.ok_or_else(|| unknown(&caller, "journeyId"))?))
}

/// Carries out a command that replies with a journey.
pub(crate) fn submitted(caller: &Caller, command: Command) -> HandlerResult {
    let reply = caller.world.submit(command, |_, reply| reply)?;
    match &reply {
        Reply::Journey(journey) => Ok(shown(caller, journey)),
        other => Err(unexpected_reply(other)),
    }
}

fn shown(caller: &Caller, journey: &records::Journey) -> Response {
    json(&Journey::of(journey, caller.world.links(), &caller.world.origin().setup.settings))
}
