//! The form that sends an operation: parameters and a body, filled in with values that lead to success.
//!
//! Invariant: filters and other parameters that may be left out are empty. Absent on purpose: sending, which is the
//! script's (`try.js`); without it the form says so.

use super::description::{Credentials, Operation};
use super::place::PathToRoot;
use super::prefilled::{Lack, Missing, Prefilled, Viewer};
use super::text;
use maud::{Markup, html};
use serde_json::Value;

/// The form, and who is signed in.
pub(super) fn markup(operation: &Operation, values: &Prefilled, viewer: Option<&Viewer>, place: PathToRoot) -> Markup {
    if operation.is_socket() {
        return html! { p.notice.held { "A browser opens no WebSocket with a token. The code above does." } };
    }
    let credentials = match operation.credentials() {
        Credentials::Nothing => "nothing",
        Credentials::Token => "token",
        Credentials::Operator => "operator",
        Credentials::Either => "either",
    };
    let kind = operation.body().map(|(kind, _)| kind);
    html! {
        @if operation.credentials() != Credentials::Nothing { (sign_in(viewer, operation.credentials())) }
        form #try data-method=(operation.method) data-path=(operation.path) data-credentials=(credentials) data-kind=[kind] {
            @match &values.lack {
                Some(Lack::Resource(missing)) => (lacks(operation, *missing, place)),
                Some(Lack::Refused(text)) => p.notice.held role="note" { "With what this partner has now, this operation is refused: " (text) "." },
                None => {},
            }
            @for parameter in operation.parameters("path") {
                @let name = parameter["name"].as_str().unwrap_or_default();
                (input("path", name, values.path(name).unwrap_or_default(), parameter, true))
            }
            @let (needed, others): (Vec<_>, Vec<_>) = operation.parameters("query")
                .partition(|it| it["required"] == true || !values.query(it["name"].as_str().unwrap_or_default()).is_empty());
            @for parameter in needed {
                @let name = parameter["name"].as_str().unwrap_or_default();
                (input("query", name, values.query(name), parameter, true))
            }
            @if !others.is_empty() {
                details {
                    summary { "Query parameters (" (others.len()) ", may be left out)" }
                    @for parameter in others {
                        (input("query", parameter["name"].as_str().unwrap_or_default(), "", parameter, false))
                    }
                }
            }
            @if let Some(body) = &values.body {
                @let text = format!("{body:#}");
                div.input {
                    label for="body" { "Body" }
                    textarea #body name="body" spellcheck="false" wrap="off" rows=(text.lines().count().clamp(3, 24) + 1) { (text) }
                }
            }
            div.actions {
                button.main.send type="submit" disabled { "Send" }
                button #fresh type="button" hidden { "Fresh values" }
                span #without { "Sending needs this page's script." }
            }
        }
        section #answer aria-label="Answer" aria-live="polite" hidden {}
    }
}

/// That there is none of what the operation is about, and how to get one.
fn lacks(operation: &Operation, missing: Missing, place: PathToRoot) -> Markup {
    let make = html! { a href=(place.operation(missing.make)) { code { (missing.make) } } };
    html! {
        p.notice.held role="note" {
            @if missing.is_unseen {
                "This page does not look for a " (missing.what) ": " (make) " shows or makes one."
            } @else {
                "This partner has no " (text::line(missing.what, place))
                @if !operation.id.starts_with("read") { ", in a state that this needs" }
                ". " (make) " makes one."
            }
        }
    }
}

/// A parameter. One with words of its own is chosen from them.
fn input(kind: &str, name: &str, value: &str, parameter: &'static Value, is_needed: bool) -> Markup {
    let id = format!("{kind}-{name}");
    let schema = super::description::followed(&parameter["schema"]);
    let words: Vec<&str> = super::description::items(&schema["enum"]).filter_map(Value::as_str).collect();
    let words = if schema["type"] == "boolean" { vec!["true", "false"] } else { words };
    html! {
        div.input {
            label for=(id) { code { (name) } @if !is_needed { " " span.badge { "optional" } } }
            @if words.is_empty() {
                input id=(id) name=(name) data-in=(kind) value=(value) required[is_needed] autocomplete="off" spellcheck="false";
            } @else {
                select id=(id) name=(name) data-in=(kind) {
                    @if !is_needed { option value="" { "\u{2013}" } }
                    @for word in words { option value=(word) selected[word == value] { (word) } }
                }
            }
        }
    }
}

/// Whose values these are, and where credentials are put in.
fn sign_in(viewer: Option<&Viewer>, credentials: Credentials) -> Markup {
    let own = viewer.and_then(|viewer| viewer.credentials.as_ref());
    // The script renews a token when the values are not by it.
    let by = viewer.filter(|_| own.is_none()).map(|_| "token");
    html! {
        details #sign-in data-by=[by] data-client-id=[own.map(|(id, _)| id)] data-client-secret=[own.map(|(_, secret)| secret)]
            open[viewer.is_none()] {
            summary {
                @match viewer {
                    _ if credentials == Credentials::Operator => "As the operator",
                    Some(viewer) => { @let (partner, world) = viewer.names(); "As " strong { (partner) } ", in the world " (world) },
                    None => "Nobody is signed in",
                }
            }
            @match (own, credentials) {
                (Some(_), Credentials::Operator) => p { "This server has no operator's token, and takes a request without one for the operator's." },
                (Some(_), _) => p { "This server is on your machine only, so the page uses the credentials of the first partner by itself." },
                (None, _) => p { "The browser keeps what you put in here until the tab is closed." },
            }
            form #credentials {
                div.input { label for="client-id" { "Client id" } input #client-id autocomplete="off" spellcheck="false"; }
                div.input { label for="client-secret" { "Client secret" } input #client-secret type="password" autocomplete="off"; }
                @if credentials != Credentials::Token {
                    div.input { label for="operator-token" { "Operator's token" } input #operator-token type="password" autocomplete="off"; }
                }
                div.actions { button type="submit" { "Use these" } button #forget type="button" { "Forget them" } }
                p #signed role="status" {}
            }
        }
    }
}
