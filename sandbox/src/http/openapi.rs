//! The description of the partner API: OpenAPI 3.1, made from the rows of its routes.
//!
//! Invariant: it describes the routes whose rows say so and no other, and every response has a description. The two
//! planes beside the API, `/simulations` and `/_sandbox`, are absent on purpose: a partner that builds against this document
//! builds against the specification.

use crate::http::auth::{Access, Right, endpoint};
use crate::http::route::{Needs, Operation, Route};
use crate::wire::error::ErrorBody;
use crate::wire::shape::{Schemas, reference};
use utoipa::openapi::info::{InfoBuilder, License};
use utoipa::openapi::path::{HttpMethod, PathsBuilder};
use utoipa::openapi::schema::ComponentsBuilder;
use utoipa::openapi::security::{ClientCredentials, Flow, OAuth2, Scopes, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{
    Components, ContentBuilder, OpenApi, OpenApiBuilder, Ref, RefOr, ResponseBuilder, SecurityRequirement, Server,
    ServerBuilder,
};

/// Version of the API that is described.
const API_VERSION: &str = "2.0.0";
/// Name of the security scheme.
const OAUTH2: &str = "oauth2";

const DESCRIPTION: &str = "Manage clients, read investment accounts, place and follow fund orders, read cash and fund \
    transactions. All bodies are JSON. Timestamps are UTC with milliseconds; calendar days inside resources are written \
    as their midnight UTC. Money has two decimals. Lists are ordered by `sortedId`, oldest first. Unknown fields and \
    query parameters are ignored.";

/// The failures every operation may answer with: status, component, description.
const FAILURES: &[(&str, &str, &str)] = &[
    (
        "400",
        "InvalidRequest",
        "The request or one of its parameters is wrong, or the resource's state does not allow it.",
    ),
    ("401", "Unauthorized", "Credentials are missing or invalid."),
    ("403", "Forbidden", "The client is not within the scope of the token, or the token lacks a right."),
    ("500", "ServerError", "The server failed."),
    ("503", "ServiceUnavailable", "The service is not available now."),
];

const TAGS: &[(&str, &str)] = &[
    ("System", "Whether the service answers."),
    ("Authentication", "Access tokens by client credentials."),
    ("Accounts", "Investment accounts with their cash, positions and owners."),
    ("Plans", "How deposits are distributed, and what is bought every month."),
    ("Clients", "The legal entities that hold power of attorney over accounts."),
    ("Journeys", "Hosted, time-limited flows that an end customer walks."),
    ("Instruments", "Mutual funds, their trading rules and prices."),
    ("Orders", "Subscriptions and redemptions."),
    ("Transactions", "What moved on the cash and the fund side of accounts."),
    ("Events", "What happens, as it happens."),
];

/// The description of `routes` as indented JSON text.
#[must_use]
pub fn document(routes: &[Route]) -> String {
    // The document is built from constants and holds text keys only.
    let text = describe(routes).to_pretty_json().expect("the document is JSON");
    // The library writes the first edition of 3.1; the specification names a later one, which differs in wording only.
    text.replacen("\"openapi\": \"3.1.0\"", "\"openapi\": \"3.1.2\"", 1)
}

fn describe(routes: &[Route]) -> OpenApi {
    let info = InfoBuilder::new()
        .title("Partner fund-distribution API")
        .version(API_VERSION)
        .description(Some(DESCRIPTION))
        .license(Some(License::new("MIT OR Apache-2.0")))
        .build();
    let tags =
        TAGS.iter().map(|(name, description)| TagBuilder::new().name(*name).description(Some(*description)).build());
    let mut paths = PathsBuilder::new().build();
    for route in routes {
        if let Some(operation) = &route.operation {
            paths.add_path_operation(route.path, vec![method(route)], whole(operation, route.needs));
        }
    }
    OpenApiBuilder::new()
        .info(info)
        .servers(Some([server()]))
        .tags(Some(tags))
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
        _ => HttpMethod::Get,
    }
}

/// An operation with its failures and what it needs.
fn whole(operation: &Operation, needs: Needs) -> utoipa::openapi::path::Operation {
    let mut built = operation.built.clone();
    for (status, name, _) in FAILURES.iter().filter(|(status, ..)| operation.failures.contains(status)) {
        built.responses.responses.insert((*status).to_owned(), RefOr::Ref(Ref::from_response_name(*name)));
    }
    built.security = Some(vec![match needs {
        Needs::Right(right) => SecurityRequirement::new(OAUTH2, [right.to_string()]),
        Needs::Token | Needs::AnyRead(_) | Needs::AnyWrite => SecurityRequirement::new(OAUTH2, [""; 0]),
        // Nothing is required; said per operation, so that readers do not have to guess.
        Needs::Nothing | Needs::Operator | Needs::OwnWorld(_) => SecurityRequirement::default(),
    }]);
    built
}

fn components(routes: &[Route]) -> Components {
    let operations = routes.iter().filter_map(|route| route.operation.as_ref());
    let mut schemas: Schemas = operations.flat_map(|operation| operation.schemas.iter().cloned()).collect();
    let error = reference::<ErrorBody<'static>>(&mut schemas);
    let mut components = ComponentsBuilder::new().schemas_from_iter(schemas).security_scheme(OAUTH2, oauth2());
    for (_, name, description) in FAILURES {
        let content = ContentBuilder::new().schema(Some(error.clone())).build();
        let response = ResponseBuilder::new().description(*description).content("application/json", content).build();
        components = components.response(*name, response);
    }
    components.build()
}

fn oauth2() -> SecurityScheme {
    let scopes = Right::all().map(|right| {
        let verb = if right.access == Access::Read { "Read" } else { "Change" };
        (right.to_string(), format!("{verb} {} resources.", right.resource))
    });
    let flow = ClientCredentials::new(endpoint::PATH, scopes.collect::<Scopes>());
    SecurityScheme::OAuth2(OAuth2::with_description(
        [Flow::ClientCredentials(flow)],
        "A token requested without `scope` may do everything.",
    ))
}
