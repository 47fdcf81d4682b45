//! The description of the partner API: OpenAPI 3.1, made from the wire types and one table of operations.
//!
//! Invariant: it describes every route of the partner API and no other (a test compares it with the router), and every
//! response has a description. The two planes beside the API, `/simulations` and `/_sandbox`, are absent on purpose: a
//! partner that builds against this document builds against the specification.

mod operations;
mod parameters;
mod schemas;
mod token;

use self::schemas::{collect, reference};
use crate::http::auth::RESOURCES;
use crate::wire::error::ErrorBody;
use operations::{OPERATIONS, Operation};
use std::sync::LazyLock;
use utoipa::openapi::info::{InfoBuilder, License};
use utoipa::openapi::path::{HttpMethod, OperationBuilder, PathsBuilder};
use utoipa::openapi::schema::ComponentsBuilder;
use utoipa::openapi::security::{ClientCredentials, Flow, OAuth2, Scopes, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{
    Components, ContentBuilder, OpenApi, OpenApiBuilder, Ref, RefOr, Response, ResponseBuilder, SecurityRequirement,
    Server, ServerBuilder,
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

/// The document as indented JSON text.
#[must_use]
pub fn document() -> String {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        // The document is built from constants and holds text keys only.
        let text = describe().to_pretty_json().expect("the document is JSON");
        // The library writes the first edition of 3.1; the specification names a later one, which differs in wording only.
        text.replacen("\"openapi\": \"3.1.0\"", "\"openapi\": \"3.1.2\"", 1)
    });
    TEXT.clone()
}

fn describe() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Partner fund-distribution API")
        .version(API_VERSION)
        .description(Some(DESCRIPTION))
        .license(Some(License::new("MIT OR Apache-2.0")))
        .build();
    let tags =
        TAGS.iter().map(|(name, description)| TagBuilder::new().name(*name).description(Some(*description)).build());
    let mut paths = PathsBuilder::new().build();
    for operation in OPERATIONS {
        paths.add_path_operation(operation.path, vec![method(operation.method)], operation_of(operation));
    }
    OpenApiBuilder::new()
        .info(info)
        .servers(Some([server()]))
        .tags(Some(tags))
        .paths(paths)
        .components(Some(components()))
        .build()
}

fn server() -> Server {
    ServerBuilder::new().url("/").description(Some("The address that serves this document.")).build()
}

fn method(name: &str) -> HttpMethod {
    match name {
        "post" => HttpMethod::Post,
        "delete" => HttpMethod::Delete,
        "patch" => HttpMethod::Patch,
        _ => HttpMethod::Get,
    }
}

fn operation_of(operation: &Operation) -> utoipa::openapi::path::Operation {
    let Operation { method: _, path, id, tag, summary, description, right, query, takes, gives, failures } = operation;
    let mut built = OperationBuilder::new()
        .operation_id(Some(*id))
        .tag(*tag)
        .summary(Some(*summary))
        .description(description.as_ref().copied())
        .request_body(takes.as_ref().map(operations::Takes::body));
    for parameter in
        parameters::in_path(path).chain(query.iter().flat_map(|group| group.iter().map(parameters::Query::build)))
    {
        built = built.parameter(parameter);
    }
    for (status, answer) in *gives {
        built = built.response(*status, answer.response());
    }
    for (status, name, _) in FAILURES.iter().filter(|(status, ..)| failures.contains(status)) {
        built = built.response(*status, RefOr::<Response>::Ref(Ref::from_response_name(*name)));
    }
    let security = match right {
        Some(right) => SecurityRequirement::new(OAUTH2, [*right]),
        // Nothing is required; said per operation, so that readers do not have to guess.
        None => SecurityRequirement::default(),
    };
    built.security(security).build()
}

fn components() -> Components {
    let mut schemas = Vec::new();
    for operation in OPERATIONS {
        operation.takes.iter().for_each(|takes| takes.collect(&mut schemas));
        operation.gives.iter().for_each(|(_, answer)| answer.collect(&mut schemas));
    }
    collect::<ErrorBody<'static>>(&mut schemas);
    let mut components = ComponentsBuilder::new().schemas_from_iter(schemas).security_scheme(OAUTH2, oauth2());
    for (_, name, description) in FAILURES {
        let content = ContentBuilder::new().schema(Some(reference::<ErrorBody<'static>>())).build();
        let response = ResponseBuilder::new().description(*description).content("application/json", content).build();
        components = components.response(*name, response);
    }
    components.build()
}

fn oauth2() -> SecurityScheme {
    let scopes = RESOURCES.iter().flat_map(|(_, name)| {
        [
            (format!("{name}:read"), format!("Read {name} resources.")),
            (format!("{name}:write"), format!("Change {name} resources.")),
        ]
    });
    let flow = ClientCredentials::new(operations::TOKEN, scopes.collect::<Scopes>());
    SecurityScheme::OAuth2(OAuth2::with_description(
        [Flow::ClientCredentials(flow)],
        "A token requested without `scope` may do everything.",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planes::router::ROUTES;
    use crate::testing::{Bench, FUND, request};
    use axum::http::Method;
    use serde_json::Value;
    use std::collections::BTreeSet;

    fn tree() -> Value {
        serde_json::from_str(&document()).expect("the document is JSON")
    }

    fn described(document: &Value) -> BTreeSet<(String, String)> {
        let paths = document["paths"].as_object().expect("paths");
        let of_path = |(path, item): (&String, &Value)| {
            let methods: Vec<String> = item.as_object().expect("operations").keys().cloned().collect();
            methods.into_iter().map(|method| (method, path.clone())).collect::<Vec<_>>()
        };
        paths.iter().flat_map(of_path).collect()
    }

    #[test]
    fn every_route_of_the_partner_api_is_described_and_no_other() {
        let mut served: BTreeSet<(String, String)> = ROUTES
            .iter()
            .filter(|(_, path)| !path.starts_with("/simulations"))
            .map(|(method, path)| ((*method).to_owned(), (*path).to_owned()))
            .collect();
        // Tokens and the socket are served elsewhere.
        served.extend(crate::ROUTES.iter().map(|(method, path)| ((*method).to_owned(), (*path).to_owned())));
        assert_eq!(described(&tree()), served);
    }

    /// A path with ids of the right form; the client is the partner's own.
    fn filled(pattern: &str, client: &str) -> String {
        let filled = |part: &str| match part {
            "{clientId}" => client.to_owned(),
            "{instrumentId}" => FUND.to_owned(),
            "{agreementTypeKey}" => "account".to_owned(),
            id if id.starts_with('{') => "00000000-0000-4000-8000-000000000000".to_owned(),
            word => word.to_owned(),
        };
        pattern.split('/').map(filled).collect::<Vec<_>>().join("/")
    }

    #[tokio::test]
    async fn every_operation_wants_a_token_and_of_all_rights_the_one_that_is_described() {
        let bench = Bench::new();
        let surface = crate::app(bench.surface.app().worlds.clone(), crate::SurfaceConfig::default());
        let client = bench.scope(0).client.to_string();
        let rights: Vec<String> =
            RESOURCES.iter().flat_map(|(_, name)| [format!("{name}:read"), format!("{name}:write")]).collect();
        let mut tokens = Vec::new();
        for right in &rights {
            tokens.push((right, bench.token_for(0, right).await));
        }
        // A socket needs a handshake, and what it tells depends on the rights.
        for operation in OPERATIONS.iter().filter(|operation| operation.id != "subscribe") {
            let Some(needed) = operation.right else { continue };
            assert!(rights.iter().any(|right| right == needed), "{needed}");
            let ask = async |token: Option<&str>| {
                let method = Method::from_bytes(operation.method.to_uppercase().as_bytes()).expect("a method");
                let asked = request(method, &filled(operation.path, &client), token, Some(&serde_json::json!({})));
                surface.handle(asked, None).await.expect("an answer").status().as_u16()
            };
            let Operation { method, path, .. } = operation;
            assert_eq!(ask(None).await, 401, "{method} {path}");
            for (right, token) in &tokens {
                let refused = ask(Some(token)).await == 403;
                assert_eq!(refused, right.as_str() != needed, "{method} {path} with {right}");
            }
        }
    }

    #[test]
    fn every_response_has_a_description_and_every_operation_an_id_of_its_own() {
        let document = tree();
        let mut ids = BTreeSet::new();
        for (method, path) in described(&document) {
            let operation = &document["paths"][&path][&method];
            assert!(ids.insert(operation["operationId"].as_str().expect("an id").to_owned()), "{path}");
            for (status, response) in operation["responses"].as_object().expect("responses") {
                let of_component = |reference: &Value| {
                    document.pointer(reference.as_str()?.strip_prefix('#')?)?["description"].as_str()
                };
                let text = response["description"].as_str().or_else(|| of_component(&response["$ref"]));
                assert!(text.is_some_and(|text| !text.is_empty()), "{method} {path} {status}");
            }
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        fn walk(document: &Value, value: &Value) {
            match value {
                Value::Object(members) => {
                    if let Some(Value::String(target)) = members.get("$ref") {
                        let pointer = target.strip_prefix('#').expect("a reference into the document");
                        assert!(document.pointer(pointer).is_some(), "{target}");
                    }
                    members.values().for_each(|member| walk(document, member));
                }
                Value::Array(items) => items.iter().for_each(|item| walk(document, item)),
                _ => {}
            }
        }
        let document = tree();
        assert_eq!(document["openapi"], "3.1.2");
        walk(&document, &document);
    }

    #[test]
    fn no_two_shapes_share_a_name() {
        let mut schemas = Vec::new();
        for operation in OPERATIONS {
            operation.takes.iter().for_each(|takes| takes.collect(&mut schemas));
            operation.gives.iter().for_each(|(_, answer)| answer.collect(&mut schemas));
        }
        let mut known = std::collections::BTreeMap::new();
        for (name, schema) in schemas {
            let text = serde_json::to_string(&schema).expect("JSON");
            let first = known.entry(name.clone()).or_insert_with(|| text.clone());
            assert_eq!(*first, text, "{name}");
        }
        assert!(known.contains_key("JourneyConfiguration"), "{:?}", known.keys());
    }

    #[test]
    fn what_may_be_left_out_is_not_required_and_what_may_be_null_is() {
        let document = tree();
        let required = |schema: &str| -> BTreeSet<String> {
            let names = document["components"]["schemas"][schema]["required"].as_array().expect(schema);
            names.iter().map(|name| name.as_str().expect("a name").to_owned()).collect()
        };
        let order = required("Order");
        assert!(order.contains("status") && !order.contains("canceledDate") && !order.contains("units"));
        let cash = required("CashTransaction");
        assert!(cash.contains("settlementDate") && !cash.contains("text"));
        let settlement = &document["components"]["schemas"]["CashTransaction"]["properties"]["settlementDate"];
        assert!(settlement.to_string().contains("null"), "{settlement}");
        let canceled = &document["components"]["schemas"]["Order"]["properties"]["canceledDate"];
        assert!(!canceled.to_string().contains("null"), "{canceled}");
    }
}
