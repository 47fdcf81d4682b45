//! The end customer: opens a journey, completes it, leaves it; and what stops one from outside.

use crate::auth::Caller;
use crate::extract::{Ids, Json, OptionalJson};
use crate::handlers::journeys::submitted;
use crate::handlers::{Answer, strictness};
use crate::wire::answers::answers_by_step;
use crate::wire::words::word;
use sim::Command;
use sim::ids::JourneyId;

/// `POST /simulations/journey/{journeyId}/open`
pub async fn open(caller: Caller, Ids(journey): Ids<JourneyId>) -> Answer {
    submitted(&caller, Command::OpenJourney { journey, partner: Some(caller.partner) })
}

/// `POST /simulations/journey/{journeyId}/complete`
pub async fn complete(caller: Caller, Ids(journey): Ids<JourneyId>, body: OptionalJson) -> Answer {
    let answers =
        body.read(strictness(&caller), |body| body.or("answers", Vec::new(), answers_by_step))?;
    submitted(&caller, Command::CompleteJourney { partner: caller.partner, journey, answers })
}

/// `POST /simulations/journey/{journeyId}/cancel`
pub async fn cancel(caller: Caller, Ids(journey): Ids<JourneyId>, body: OptionalJson) -> Answer {
    let context = body.read(strictness(&caller), |body| body.optional("context", word))?;
    submitted(&caller, Command::CancelJourney { partner: caller.partner, journey, context })
}

/// `POST /simulations/journey/{journeyId}/fail`
pub async fn fail(caller: Caller, Ids(journey): Ids<JourneyId>, body: Json) -> Answer {
    let (code, context) = body.read(strictness(&caller), |body| {
        let code = body.required("code", word);
        let context = body.optional("context", word);
        Some((code?, context?))
    })?;
    submitted(&caller, Command::FailJourney { partner: caller.partner, journey, code, context })
}

/// `POST /simulations/journey/{journeyId}/expire`
pub async fn expire(caller: Caller, Ids(journey): Ids<JourneyId>) -> Answer {
    submitted(&caller, Command::ExpireJourney { partner: caller.partner, journey })
}
