//! The frame of the document: what the library makes of the rows.

use super::{failures, rights, tags};
use crate::route::{Operation, Route};
use utoipa::openapi::info::{InfoBuilder, License};
use utoipa::openapi::path::{HttpMethod, PathsBuilder};
use utoipa::openapi::schema::ComponentsBuilder;
use utoipa::openapi::{Components, OpenApi, OpenApiBuilder, Ref, RefOr, Server, ServerBuilder};
use wire::rows::shape::Schemas;

/// Version of the API that is described.
const API_VERSION: &str = "2.0.0";

const DESCRIPTION: &str = "Three planes on one address. The partner API: manage clients, read investment accounts, \
    place and follow fund orders, read cash and fund transactions. Levers (`/simulations`): what customers, banks, fund \
    companies and others outside cause. Machinery (`/_sandbox`): worlds, clocks, faults, and looking back. All bodies are \
    JSON. Timestamps are UTC with milliseconds; calendar days inside resources are written as their midnight UTC. Money \
    has two decimals. Lists are ordered by `sortedId`, oldest first. The partner API ignores unknown fields and query \
    parameters unless the world has `strictBodies`; levers and machinery refuse both. Every answer has a `request-id`. A read with the header \
    `fundsim-observer: true` leaves no trace: it is not in the request log or the recording, and no fault rule sees it.";

/// What the library makes of `routes`.
pub(super) fn of(routes: &[&Route]) -> OpenApi {
    let info = InfoBuilder::new()
        .title("fundsim: partner fund-distribution API and its sandbox")
        .version(API_VERSION)
        .description(Some(DESCRIPTION))
        .license(Some(License::new("MIT OR Apache-2.0")))
        .build();
    let mut paths = PathsBuilder::new().build();
    for route in routes {
        if let Some(operation) = &route.operation {
            paths.add_path_operation(route.path, vec![method(route)], operation_with_failures(operation, route));
        }
    }
    OpenApiBuilder::new()
        .info(info)
        .servers(Some([server()]))
        .tags(Some(tags::all()))
        .paths(paths)
        .components(Some(components(routes)))
        .build()
}

fn server() -> Server {
    ServerBuilder::new().url("/").description(Some("The address that serves this document.")).build()
}

fn method(route: &Route) -> HttpMethod {
    match route.method.as_str() {
        "POST" => HttpMethod::Post,
        "DELETE" => HttpMethod::Delete,
        "PATCH" => HttpMethod::Patch,
        "PUT" => HttpMethod::Put,
        _ => HttpMethod::Get,
    }
}

/// An operation with its failures and its required rights.
fn operation_with_failures(operation: &Operation, route: &Route) -> utoipa::openapi::path::Operation {
    let mut built = operation.built.clone();
    let may_fail = |status: &str| failures::ALWAYS.contains(&status) || operation.failures.contains(&status);
    for (status, name, _) in failures::ALL.iter().filter(|(status, ..)| may_fail(status)) {
        let failure = || RefOr::Ref(Ref::from_response_name(*name));
        built.responses.responses.entry((*status).to_owned()).or_insert_with(failure);
    }
    built.security = Some(rights::of(route.authorization));
    if let Some(rules) = operation.rules {
        let about = built.description.as_deref().map(|about| format!("{about} ")).unwrap_or_default();
        built.description = Some(format!("{about}(rule: {rules})"));
    }
    built
}

fn components(routes: &[&Route]) -> Components {
    let operations = routes.iter().filter_map(|route| route.operation.as_ref());
    let mut schemas: Schemas = operations.flat_map(|operation| operation.schemas.iter().cloned()).collect();
    let failures = failures::components(&mut schemas);
    let mut components = ComponentsBuilder::new().schemas_from_iter(schemas);
    for (name, scheme) in rights::schemes() {
        components = components.security_scheme(name, scheme);
    }
    for (name, response) in failures {
        components = components.response(name, response);
    }
    components.build()
}
