//! Journeys: started, read.

use crate::planes::responses::{HandlerResult, journey_shown, settings, strictness, submitted, unknown};
use sim::command::PartialJourney;
use sim::ids::{ClientId, JourneyId};
use sim::{Command, World, query};
use surface::auth::Caller;
use surface::extract::{Ids, Json};
use wire::journeys::JourneyRequest;
use wire::rows::shape::Shape as _;

/// `POST /v2/partner/client/{clientId}/journey`
pub async fn create(caller: Caller, Ids(client): Ids<ClientId>, body: Json) -> HandlerResult {
    let scope = caller.scope(client)?;
    let create = body.read_whole(
        strictness(&caller),
        |body| Some(PartialJourney { scope: Some(scope), ..JourneyRequest::rows(body)? }),
        |create| caller.world.read(|world| query::journey_problems(world, scope, create)),
    )?;
    submitted(&caller, Command::CreateJourney(Box::new(create))).await
}

/// `GET /v2/partner/client/{clientId}/journey/{journeyId}`
pub async fn read(caller: Caller, Ids((client, journey)): Ids<(ClientId, JourneyId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    let found = |world: &World| (query::journey(world, scope.client, journey).cloned(), settings(world));
    let (found, settings) = caller.world.read(found)?;
    Ok(journey_shown(&caller, &*found.ok_or_else(|| unknown(&caller, "journeyId"))?, &settings))
}
