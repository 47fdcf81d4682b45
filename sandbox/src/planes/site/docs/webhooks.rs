//! The pages of webhooks: what the server sends to the partner's own server.
//!
//! Absent on purpose: how a webhook is registered, which is an operation.

use super::description::{Operation, followed, items, members, operations, webhooks};
use super::frame::Page;
use super::index::method;
use super::place::PathToRoot;
use super::{shapes, text};
use maud::{Markup, html};
use serde_json::Value;

/// `/docs/webhooks`
pub(super) fn all(place: PathToRoot) -> Page {
    let register = operations().filter(|operation| operation.path.contains("/webhooks"));
    let main = html! {
        h1 { "Webhooks" }
        p { "The server posts events to a partner's own server. The payload of an event has the resource as it is now, as it "
            "was, or both. The event socket carries the same events: " a href=(place.file("asyncapi.json")) { "asyncapi.json" } "." }
        ul.operations {
            @for (event, webhook) in webhooks() {
                li { a href=(place.webhook(event)) { code { (event) } span { (resource(webhook)) } } }
            }
        }
        @if let Some((_, first)) = webhooks().next() { h2 { "Headers of each post" } (headers(first, place)) }
        h2 { "Operations" }
        ul.operations {
            @for operation in register {
                li { a href=(place.operation(operation.id)) { (method(operation.method)) span { (operation.summary) } } }
            }
        }
        @for (operation, callbacks) in callbacks() {
            h2 { "Callback" }
            p { a href=(place.operation(operation.id)) { (operation.summary) } " names an address of its own: "
                @for (_, post) in callbacks { (text::line(post["summary"].as_str().unwrap_or_default(), place)) " " } }
        }
    };
    Page { title: "Webhooks".to_owned(), current: "webhooks".to_owned(), main, aside: None }
}

/// `/docs/webhooks/{event}`
pub(super) fn one(place: PathToRoot, event: &str) -> Option<Page> {
    let (event, webhook) = webhooks().find(|(known, _)| *known == event)?;
    let main = html! {
        p.crumbs { a href=(place.file("docs/webhooks")) { "Webhooks" } }
        h1 { (event) }
        (post(webhook, place))
    };
    Some(Page { title: format!("Webhook {event}"), current: "webhooks".to_owned(), main, aside: None })
}

/// What the server posts, and what it takes for an answer.
pub(super) fn post(post: &'static Value, place: PathToRoot) -> Markup {
    html! {
        p.lead { (text::line(post["summary"].as_str().unwrap_or_default(), place)) }
        h2 { "Headers" }
        (headers(post, place))
        h2 { "Body" }
        @for (_, content) in members(&post["requestBody"]["content"]) { (shapes::of_body(&content["schema"], place)) }
        h2 { "What your server answers" }
        dl.answers {
            @for (status, answer) in members(&post["responses"]) {
                div { dt { (status) } dd { (text::line(followed(answer)["description"].as_str().unwrap_or_default(), place)) } }
            }
        }
    }
}

fn headers(post: &'static Value, place: PathToRoot) -> Markup {
    shapes::parameters(items(&post["parameters"]).filter(|parameter| parameter["in"] == "header"), place)
}

/// The callbacks of each operation that has some.
fn callbacks() -> impl Iterator<Item = (Operation, Vec<(&'static str, &'static Value)>)> {
    operations().filter_map(|operation| {
        let posts: Vec<_> = callbacks_of(&operation).collect();
        (!posts.is_empty()).then_some((operation, posts))
    })
}

/// The callbacks of an operation: the expression of their address, and the post.
pub(super) fn callbacks_of(operation: &Operation) -> impl Iterator<Item = (&'static str, &'static Value)> + use<> {
    let named = members(&operation.value["callbacks"]);
    named.flat_map(|(_, callback)| members(callback)).map(|(expression, item)| (expression, &item["post"]))
}

/// The name of the resource in a webhook's payload.
fn resource(webhook: &'static Value) -> &'static str {
    let schema = members(&webhook["requestBody"]["content"]).next().map(|(_, content)| &content["schema"]);
    let first = schema.and_then(|schema| members(&schema["properties"]).next());
    first.and_then(|(_, property)| super::description::name_of(property)).unwrap_or_default()
}
