//! The document at `/openapi.json`, read for the pages: its operations, schemas and webhooks by name.
//!
//! Invariant: nothing here knows an operation or a schema by name; the document is searched once and not for every page.
//! Absent on purpose: how anything is shown.

use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// Where references to schemas begin.
const SCHEMAS: &str = "#/components/schemas/";

/// An operation of the document.
#[derive(Clone, Copy)]
pub(super) struct Operation {
    /// Its id, by which its page is found.
    pub(super) id: &'static str,
    /// Its method, in capitals.
    pub(super) method: &'static str,
    /// Its path, with names in braces.
    pub(super) path: &'static str,
    /// What it is grouped by.
    pub(super) tag: &'static str,
    /// What it does, in a line.
    pub(super) summary: &'static str,
    /// All that the document says.
    pub(super) value: &'static Value,
}

/// Who may send an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Credentials {
    /// Everybody.
    Nothing,
    /// A partner.
    Token,
    /// The operator.
    Operator,
    /// Either of them.
    Either,
}

/// What names a schema itself, rather than through another schema.
#[derive(Default)]
pub(super) struct Users {
    /// The operations.
    pub(super) operations: Vec<Operation>,
    /// The webhooks, by their events.
    pub(super) webhooks: Vec<&'static str>,
    /// The schemas.
    pub(super) schemas: Vec<&'static str>,
}

/// What pages look up in the document.
struct Lookups {
    /// In the order of the document.
    operations: Vec<Operation>,
    by_id: BTreeMap<&'static str, Operation>,
    by_tag: BTreeMap<&'static str, Vec<Operation>>,
    users: BTreeMap<&'static str, Users>,
}

/// What gives the document.
static SOURCE: OnceLock<fn() -> &'static Value> = OnceLock::new();
static LOOKUPS: OnceLock<Lookups> = OnceLock::new();

/// From now on pages show the document that `source` gives; a process has one.
pub(super) fn show(source: fn() -> &'static Value) {
    SOURCE.get_or_init(|| source);
}

/// The document.
///
/// # Panics
/// When there are no routes yet: a bug, since only their pages read it.
pub(super) fn document() -> &'static Value {
    SOURCE.get().expect("the routes of the pages are made before the document is read")()
}

fn lookups() -> &'static Lookups {
    LOOKUPS.get_or_init(|| Lookups::of(document()))
}

/// Every operation, in the order of the document.
pub(super) fn operations() -> impl Iterator<Item = Operation> {
    lookups().operations.iter().copied()
}

/// The operation with this id.
pub(super) fn operation(id: &str) -> Option<Operation> {
    lookups().by_id.get(id).copied()
}

/// The operations with this tag, in the order of the document.
pub(super) fn operations_of(tag: &str) -> &'static [Operation] {
    lookups().by_tag.get(tag).map_or(&[], Vec::as_slice)
}

/// What names a schema; none where nothing does.
pub(super) fn users_of(schema: &str) -> Option<&'static Users> {
    lookups().users.get(schema)
}

/// Every tag with its sentence.
pub(super) fn tags() -> impl Iterator<Item = (&'static str, &'static str)> {
    let text = |tag: &'static Value, name: &str| tag[name].as_str().unwrap_or_default();
    items(&document()["tags"]).map(move |tag| (text(tag, "name"), text(tag, "description")))
}

/// Every schema with its name.
pub(super) fn schemas() -> impl Iterator<Item = (&'static str, &'static Value)> {
    members(&document()["components"]["schemas"])
}

/// The schema with this name.
pub(super) fn schema(name: &str) -> Option<(&'static str, &'static Value)> {
    let (name, schema) = document()["components"]["schemas"].as_object()?.get_key_value(name)?;
    Some((name, schema))
}

/// Every webhook: its event and its operation.
pub(super) fn webhooks() -> impl Iterator<Item = (&'static str, &'static Value)> {
    members(&document()["webhooks"]).map(|(event, item)| (event, &item["post"]))
}

/// The name of the schema that a reference leads to.
pub(super) fn name_of(reference: &Value) -> Option<&str> {
    reference["$ref"].as_str()?.strip_prefix(SCHEMAS)
}

/// What a reference leads to, null where that is nothing; anything else as it is.
pub(super) fn followed(value: &'static Value) -> &'static Value {
    let Some(target) = value["$ref"].as_str() else { return value };
    let found = target.strip_prefix('#').and_then(|target| document().pointer(target));
    found.unwrap_or(&Value::Null)
}

/// The members of an object, none of anything else.
pub(super) fn members(value: &'static Value) -> impl Iterator<Item = (&'static str, &'static Value)> {
    let none: Option<&Map<String, Value>> = None;
    value.as_object().or(none).into_iter().flatten().map(|(name, member)| (name.as_str(), member))
}

/// The items of a list, none of anything else.
pub(super) fn items(value: &'static Value) -> impl Iterator<Item = &'static Value> {
    value.as_array().into_iter().flatten()
}

impl Lookups {
    fn of(document: &'static Value) -> Self {
        let operations: Vec<_> = members(&document["paths"])
            .flat_map(|(path, item)| {
                members(item).filter_map(move |(method, value)| Operation::of(path, method, value))
            })
            .collect();
        let mut by_tag: BTreeMap<_, Vec<Operation>> = BTreeMap::new();
        let mut users: BTreeMap<_, Users> = BTreeMap::new();
        for operation in &operations {
            by_tag.entry(operation.tag).or_default().push(*operation);
            for name in named_in(operation.value) {
                users.entry(name).or_default().operations.push(*operation);
            }
        }
        for (event, item) in members(&document["webhooks"]) {
            for name in named_in(&item["post"]) {
                users.entry(name).or_default().webhooks.push(event);
            }
        }
        for (whole, schema) in members(&document["components"]["schemas"]) {
            for name in named_in(schema) {
                users.entry(name).or_default().schemas.push(whole);
            }
        }
        let by_id = operations.iter().map(|operation| (operation.id, *operation)).collect();
        Self { operations, by_id, by_tag, users }
    }
}

/// The schemas that a value refers to.
fn named_in(value: &'static Value) -> BTreeSet<&'static str> {
    let below = members(value).map(|(_, member)| member).chain(items(value));
    name_of(value).into_iter().chain(below.flat_map(named_in)).collect()
}

impl Operation {
    fn of(path: &'static str, method: &'static str, value: &'static Value) -> Option<Self> {
        Some(Self {
            id: value["operationId"].as_str()?,
            method: capital(method),
            path,
            tag: value["tags"][0].as_str().unwrap_or_default(),
            summary: value["summary"].as_str().unwrap_or_default(),
            value,
        })
    }

    /// Its parameters of a kind: `path`, `query` or `header`.
    pub(super) fn parameters(&self, kind: &'static str) -> impl Iterator<Item = &'static Value> {
        items(&self.value["parameters"]).filter(move |parameter| parameter["in"] == kind)
    }

    /// The content type of its body, and what the document says of that.
    pub(super) fn body(&self) -> Option<(&'static str, &'static Value)> {
        members(&self.value["requestBody"]["content"]).next()
    }

    /// Its answers with their statuses.
    pub(super) fn answers(&self) -> impl Iterator<Item = (&'static str, &'static Value)> {
        members(&self.value["responses"])
    }

    /// Whether it opens a WebSocket.
    pub(super) fn is_socket(&self) -> bool {
        self.answers().any(|(status, _)| status == "101")
    }

    /// The content type of its good answer.
    pub(super) fn answered_as(&self) -> &'static str {
        let good = self.answers().find(|(status, _)| status.starts_with('2'));
        good.and_then(|(_, answer)| members(&answer["content"]).next()).map_or("", |(kind, _)| kind)
    }

    /// Who may send it.
    pub(super) fn credentials(&self) -> Credentials {
        let has = |scheme: &str| items(&self.value["security"]).any(|one| one.get(scheme).is_some());
        match (has("oauth2"), has("operator")) {
            (true, true) => Credentials::Either,
            (true, false) => Credentials::Token,
            (false, true) => Credentials::Operator,
            (false, false) => Credentials::Nothing,
        }
    }
}

/// A method as it is written.
fn capital(method: &'static str) -> &'static str {
    match method {
        "get" => "GET",
        "post" => "POST",
        "put" => "PUT",
        "patch" => "PATCH",
        "delete" => "DELETE",
        other => other,
    }
}
