//! The description of all planes: OpenAPI 3.1, made from the rows of their routes; beside it AsyncAPI 3 for the event socket.
//!
//! Owns: both documents. Invariant: every row is described and nothing else is; the description of an operation
//! is in its row, what follows from the rows (links, failures, rights) is derived from them.
//! Absent on purpose: the rows, which are in their planes.

mod document;
mod events;
mod examples;
mod failures;
mod links;
mod part;
mod requests;
mod rights;
mod tags;
mod variants;

use crate::route::Route;
use serde_json::Value;
use std::collections::BTreeSet;

/// The description of `routes`.
#[must_use]
pub fn document(routes: &[&Route]) -> Value {
    // The library's own tree is made of constants and has text keys only.
    let mut document = serde_json::to_value(document::of(routes)).expect("the document is JSON");
    // The library writes the first edition of 3.1; the specification names a later one, which differs in wording only.
    document["openapi"] = "3.1.2".into();
    requests::close_strict(&mut document);
    links::add(&mut document);
    events::add(&mut document);
    examples::add(&mut document);
    variants::add(&mut document);
    document
}

/// What `whole` says of the operations under `paths` alone, and of the webhooks if they are wanted.
#[must_use]
pub fn part(whole: &Value, paths: &BTreeSet<&str>, with_webhooks: bool) -> Value {
    part::of(whole, paths, with_webhooks)
}

/// `document` for validators: where a field says which shape a body is, the body is held to that shape alone.
#[must_use]
pub fn for_validators(document: Value) -> Value {
    variants::by_word(document)
}

/// The event socket beside `openapi`, as AsyncAPI 3.
#[must_use]
pub fn asyncapi(openapi: &Value) -> Value {
    events::asyncapi(openapi)
}
