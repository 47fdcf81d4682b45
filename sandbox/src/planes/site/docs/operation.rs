//! The page of one operation: what it does, who may call it, what goes in and what comes back, and the call itself.
//!
//! Absent on purpose: shapes, code, the form and the values in it, each of which is a module.

use super::description::{Operation, followed, items, members, operation as operation_named};
use super::frame::Page;
use super::index::method;
use super::place::PathToRoot;
use super::prefilled::{Prefilled, Viewer};
use super::{code, form, shapes, text, webhooks};
use maud::{Markup, html};
use serde_json::Value;

/// `/docs/{operationId}`
pub(super) fn page(place: PathToRoot, operation: &Operation, viewer: Option<&Viewer>, base: &str) -> Page {
    let values = Prefilled::of(operation, viewer);
    let main = html! {
        p.crumbs { (operation.tag) }
        h1 { (operation.summary) }
        p.address { (method(operation.method)) " " code { (breakable(operation.path)) } }
        p.jump { a href="#prefilled" { "The call as code, and to try" } }
        @if let Some(about) = operation.value["description"].as_str() { (text::paragraphs(about, place)) }
        (who_may(operation, place))
        @for (kind, title) in [("path", "Path"), ("query", "Query"), ("header", "Headers")] {
            @if operation.parameters(kind).next().is_some() {
                h2 { (title) }
                (shapes::parameters(operation.parameters(kind), place))
            }
        }
        (request(operation, place))
        h2 { "Answers" }
        @for (status, answer) in operation.answers().filter(|(status, _)| status.starts_with(['1', '2', '3'])) {
            (good_answer(status, followed(answer), place))
        }
        (failures(operation, place))
        @for (expression, post) in webhooks::callbacks_of(operation) {
            h2 { "Callback" }
            p { "Sent to " code { (expression) } "." }
            details { summary { (post["summary"].as_str().unwrap_or_default()) } (webhooks::post(post, place)) }
        }
    };
    let aside = html! {
        section #prefilled data-operation=(operation.id) aria-label="The call" {
            h2 { "The call" }
            (code::samples(operation, &values, base))
            h2 { "Try it" }
            (form::markup(operation, &values, viewer, place))
        }
    };
    Page { title: operation.summary.to_owned(), current: operation.id.to_owned(), main, aside: Some(aside) }
}

/// A path that a narrow line breaks between its parts.
fn breakable(path: &str) -> Markup {
    html! { @for part in path.split('/').skip(1) { wbr; "/" (part) } }
}

/// The callers that meet one of the document's requirements.
fn who_may(operation: &Operation, place: PathToRoot) -> Markup {
    let start = place.file("docs#authentication");
    let partner = items(&operation.value["security"]).filter_map(|one| one.get("oauth2"));
    let scopes: Vec<Vec<&str>> = partner.map(|scopes| items(scopes).filter_map(Value::as_str).collect()).collect();
    let is_operators = items(&operation.value["security"]).any(|one| one.get("operator").is_some());
    html! {
        p.who {
            strong { "Who may call it: " }
            @match (&scopes[..], is_operators) {
                ([], false) => "everybody, without a token.",
                ([], true) => { "the " a href=(start) { "operator" } "." },
                (scopes, operator) => {
                    @if operator { "the " a href=(start) { "operator" } ", or " }
                    "a " a href=(start) { "partner" } " whose token has "
                    @if scopes.iter().all(Vec::is_empty) { "any rights." }
                    @else if let [all] = scopes {
                        @if all.len() > 3 { "all of " (all.len()) " rights: " }
                        @for (at, scope) in all.iter().enumerate() { @if at > 0 { ", " } code { (scope) } } "."
                    }
                    @else { "one of " @for (at, one) in scopes.iter().enumerate() { @if at > 0 { ", " } code { (one.join(" ")) } } "." }
                },
            }
        }
    }
}

fn request(operation: &Operation, place: PathToRoot) -> Markup {
    let Some((kind, content)) = operation.body() else { return html! {} };
    let is_required = operation.value["requestBody"]["required"] == true;
    html! {
        h2 { "Body" }
        p.facts { (kind) @if !is_required { "; it may be left out" } }
        (shapes::of_request(&content["schema"], place))
        (example(content, "An example that was accepted"))
    }
}

fn good_answer(status: &str, answer: &'static Value, place: PathToRoot) -> Markup {
    html! {
        section.answer {
            h3 { span.status.good { (status) } " " (text::line(answer["description"].as_str().unwrap_or_default(), place)) }
            @for (kind, content) in members(&answer["content"]) {
                @if kind != "application/json" { p.facts { (kind) } }
                (shapes::of_answer(&content["schema"], status, place))
                (example(content, "An example that was sent"))
            }
            @if answer["links"].is_object() { (links(answer, place)) }
        }
    }
}

fn example(content: &'static Value, title: &str) -> Markup {
    html! {
        @if let Some(example) = content.get("example") {
            details.example { summary { (title) } pre tabindex="0" aria-label=(title) { code { (format!("{example:#}")) } } }
        }
    }
}

/// Operations that take an id from the answer.
fn links(answer: &'static Value, place: PathToRoot) -> Markup {
    let targets = members(&answer["links"]).filter_map(|(_, link)| operation_named(link["operationId"].as_str()?));
    html! {
        details {
            summary { "What can be done with it (" (members(&answer["links"]).count()) ")" }
            ul.operations {
                @for target in targets { li { a href=(place.operation(target.id)) { (method(target.method)) span { (target.summary) } } } }
            }
        }
    }
}

fn failures(operation: &Operation, place: PathToRoot) -> Markup {
    let failures: Vec<_> = operation.answers().filter(|(status, _)| status.starts_with(['4', '5'])).collect();
    html! {
        @if !failures.is_empty() {
            h2 { "Failures" }
            dl.answers {
                @for (status, answer) in failures {
                    @let answer = followed(answer);
                    div {
                        dt { (status) }
                        dd {
                            (text::line(answer["description"].as_str().unwrap_or_default(), place))
                            @for (_, content) in members(&answer["content"]) { (body_of(content, place)) }
                        }
                    }
                }
            }
        }
    }
}

/// The schema of a failure's body.
fn body_of(content: &'static Value, place: PathToRoot) -> Markup {
    html! {
        @if let Some(name) = super::description::name_of(&content["schema"]) { " " a.body href=(place.schema(name)) { (name) } }
    }
}
