//! `/docs`, and the pages of schemas.
//!
//! Absent on purpose: figures and advice that are in the guides.

use super::description::{self, Users, document, members, operations, users_of};
use super::frame::Page;
use super::index::{Group, method, planes};
use super::place::PathToRoot;
use super::{shapes, text};
use maud::{Markup, html};
use surface::App;
use surface::auth::TOKEN_PATH;
use wire::words::capital;

/// `/docs`
pub(super) fn page(place: PathToRoot, app: &App) -> Page {
    let info = &document()["info"];
    let url = &app.public_url;
    let token = format!(
        "curl {url}{TOKEN_PATH} \\\n  -d grant_type=client_credentials \\\n  -d client_id=$CLIENT_ID \\\n  -d client_secret=$CLIENT_SECRET"
    );
    let main = html! {
        h1 { (info["title"].as_str().unwrap_or("API")) }
        p.lead { "Version " (info["version"].as_str().unwrap_or_default()) ", OpenAPI "
            (document()["openapi"].as_str().unwrap_or_default()) ". This server is at " code { (url) } "." }
        (text::paragraphs(info["description"].as_str().unwrap_or_default(), place))
        h2 #authentication { "How to authenticate" }
        (authentication(place))
        pre tabindex="0" aria-label="A token with curl" { code { (token) } }
        p { "Send it with each request as " code { "Authorization: Bearer TOKEN" } ". The page of each operation says which rights "
            "it needs, shows the call in curl, Python and TypeScript, and sends it." }
        @for (plane, tags) in planes() {
            h2 { (plane) }
            @for Group { name, about, operations } in tags {
                section.tag {
                    h3 { (capital(name)) }
                    p { (text::line(about, place)) }
                    ul.operations {
                        @for operation in operations {
                            li { a href=(place.operation(operation.id)) { (method(operation.method)) span { (operation.summary) } } }
                        }
                    }
                }
            }
        }
        h2 { "Documents" }
        p { "The same as a file for generators of clients: " a href=(place.file("openapi.json")) { "openapi.json" }
            "; the event socket: " a href=(place.file("asyncapi.json")) { "asyncapi.json" } "." }
    };
    Page { title: "API".to_owned(), current: "start".to_owned(), main, aside: None }
}

/// Every way to authenticate, with the operation that issues tokens.
fn authentication(place: PathToRoot) -> Markup {
    let issues = operations().find(|operation| operation.path == TOKEN_PATH);
    html! {
        @for (name, scheme) in members(&document()["components"]["securitySchemes"]) {
            p { strong { (name) } ": " (text::line(scheme["description"].as_str().unwrap_or_default(), place)) }
        }
        @if let Some(issues) = issues {
            p { "A token comes from " a href=(place.operation(issues.id)) { code { "POST " (TOKEN_PATH) } } ":" }
        }
    }
}

/// `/docs/schemas`
pub(super) fn schemas(place: PathToRoot) -> Page {
    let main = html! {
        h1 { "Schemas" }
        p { "Every shape of a request, an answer or a part of them." }
        dl.schemas {
            @for (name, schema) in description::schemas() {
                div {
                    dt { a href=(place.schema(name)) { (name) } }
                    dd { (text::line(schema["description"].as_str().unwrap_or_default(), place)) }
                }
            }
        }
    };
    Page { title: "Schemas".to_owned(), current: "schemas".to_owned(), main, aside: None }
}

/// `/docs/schemas/{name}`
pub(super) fn schema(place: PathToRoot, name: &str) -> Option<Page> {
    let (name, schema) = description::schema(name)?;
    let main = html! {
        p.crumbs { a href=(place.file("docs/schemas")) { "Schemas" } }
        h1 { (name) }
        (shapes::of_schema(schema, name, place))
        @if let Some(users) = users_of(name) { (used_in(users, place)) }
        h2 { "As JSON Schema" }
        pre tabindex="0" aria-label="As JSON Schema" { code { (format!("{schema:#}")) } }
    };
    Some(Page { title: name.to_owned(), current: "schemas".to_owned(), main, aside: None })
}

/// The schemas, operations and webhooks that name a schema themselves.
fn used_in(users: &Users, place: PathToRoot) -> Markup {
    let Users { operations, webhooks, schemas } = users;
    html! {
        h2 { "Where it is used" }
        @if !schemas.is_empty() {
            p { "In " @for (at, whole) in schemas.iter().enumerate() { @if at > 0 { ", " } a href=(place.schema(whole)) { (whole) } } "." }
        }
        ul.operations {
            @for operation in operations {
                li { a href=(place.operation(operation.id)) { (method(operation.method)) span { (operation.summary) } } }
            }
            @for event in webhooks { li { a href=(place.webhook(event)) { (method("POST")) span { "Webhook " (event) } } } }
        }
    }
}
