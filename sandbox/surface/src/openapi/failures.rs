//! How operations fail: each failure once, with the shape of its body.

use utoipa::openapi::{ContentBuilder, Response, ResponseBuilder};
use wire::error::{ConflictBody, ErrorBody};
use wire::rows::shape::{Schemas, reference};

/// Status, name of the component, sentence.
pub(super) const ALL: &[(&str, &str, &str)] = &[
    (
        "400",
        "InvalidRequest",
        "The request or one of its parameters is wrong, or the resource's state does not allow it.",
    ),
    ("401", "Unauthorized", "Credentials are missing or invalid."),
    (
        "403",
        "Forbidden",
        "The client is outside the scope of the token, the token lacks a right, or the request comes from a page of another origin.",
    ),
    (
        "404",
        "NotFound",
        "There is nothing at this path. Ids of the partner API that name nothing are 400, unless the world's setting \
         `unknownResource` says otherwise.",
    ),
    ("409", "Conflict", "The resource is in a state that does not allow the action. Nothing has changed."),
    ("421", "Misdirected", "The request names another host than this server."),
    ("500", "ServerError", "The server failed."),
    ("503", "ServiceUnavailable", "The service is not available now."),
];

/// Answers that every route can have: from the checks before it, and from a process that has failed.
pub(super) const ALWAYS: &[&str] = &["403", "421", "500", "503"];

/// The components; what their bodies look like is added to `known`.
pub(super) fn components(known: &mut Schemas) -> Vec<(&'static str, Response)> {
    let usual = reference::<ErrorBody<'static>>(known);
    let conflict = reference::<ConflictBody>(known);
    let component = |(status, name, about): &(&'static str, &'static str, &'static str)| {
        let schema = if *status == "409" { conflict.clone() } else { usual.clone() };
        let content = ContentBuilder::new().schema(Some(schema)).build();
        (*name, ResponseBuilder::new().description(*about).content("application/json", content).build())
    };
    ALL.iter().map(component).collect()
}
