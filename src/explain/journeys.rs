//! What each type of journey takes, from the description of the API.
//!
//! Absent on purpose: the steps of a journey, which `fundsim explain pages` lists.

use super::shapes;
use serde_json::Value as Json;
use sim::records::JourneyType;

/// The configuration of a journey of the type `wanted`, with every shape in it.
pub(super) fn configuration(wanted: &str) -> Option<String> {
    names().find(|name| *name == wanted)?;
    let document: Json = serde_json::from_str(sandbox::openapi()).ok()?;
    let schemas = &document["components"]["schemas"];
    let name = schemas["JourneyConfiguration"]["discriminator"]["mapping"].get(wanted)?.as_str()?.rsplit('/').next()?;
    Some(format!(
        "{wanted}\n    a type of journey: POST /v2/partner/client/{{clientId}}/journey {{\"journey\": {{\"journeyType\": \
         \"{wanted}\", ...}}}}\n\n{}",
        shapes::text(schemas, name)
    ))
}

/// The types of journeys.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    JourneyType::ALL.iter().map(|kind| kind.name())
}
