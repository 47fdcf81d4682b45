//! A part of the description: some operations, and of everything else only what they refer to.
//!
//! Invariant: what a part says of an operation is what the whole says of it, but for links to operations that the part has not.
//! Absent on purpose: which parts there are, which `planes` says.

use super::requests::gather;
use serde_json::Value;
use std::collections::BTreeSet;

/// What `whole` says of the operations under `paths`, and of the webhooks if they are wanted.
pub(super) fn of(whole: &Value, paths: &BTreeSet<&str>, with_webhooks: bool) -> Value {
    let mut document = whole.clone();
    if let Some(all) = document["paths"].as_object_mut() {
        all.retain(|path, _| paths.contains(path.as_str()));
    }
    if let Some(members) = document.as_object_mut().filter(|_| !with_webhooks) {
        members.shift_remove("webhooks");
    }
    let (mut ids, mut tags) = (BTreeSet::new(), BTreeSet::new());
    for operation in operations(&document) {
        ids.extend(operation["operationId"].as_str().map(str::to_owned));
        let named = operation["tags"].as_array().into_iter().flatten();
        tags.extend(named.filter_map(Value::as_str).map(str::to_owned));
    }
    if let Some(all) = document["tags"].as_array_mut() {
        all.retain(|tag| tag["name"].as_str().is_some_and(|name| tags.contains(name)));
    }
    let needed = operations(&document).filter_map(|operation| operation["security"].as_array()).flatten();
    let schemes: BTreeSet<String> =
        needed.filter_map(Value::as_object).flat_map(|needs| needs.keys().cloned()).collect();
    if let Some(all) = document["components"]["securitySchemes"].as_object_mut() {
        all.retain(|name, _| schemes.contains(name));
    }
    drop_links(&mut document["paths"], &ids);
    drop_components(&mut document);
    document
}

fn operations(document: &Value) -> impl Iterator<Item = &Value> {
    let items = ["paths", "webhooks"].into_iter().filter_map(|part| document.get(part)?.as_object());
    items.flat_map(|items| items.values()).filter_map(Value::as_object).flat_map(|item| item.values())
}

/// Takes out links to operations that are not described.
fn drop_links(paths: &mut Value, ids: &BTreeSet<String>) {
    let items = paths.as_object_mut().into_iter().flat_map(|paths| paths.values_mut()).filter_map(Value::as_object_mut);
    let operations = items.flat_map(|item| item.values_mut());
    let responses = operations.filter_map(|operation| operation["responses"].as_object_mut());
    for response in responses.flat_map(|responses| responses.values_mut()).filter_map(Value::as_object_mut) {
        let Some(links) = response.get_mut("links").and_then(Value::as_object_mut) else { continue };
        links.retain(|_, link| link["operationId"].as_str().is_some_and(|id| ids.contains(id)));
        if links.is_empty() {
            response.shift_remove("links");
        }
    }
}

/// Takes out answers and schemas that nothing refers to.
fn drop_components(document: &mut Value) {
    let paths = document["paths"].to_string();
    if let Some(responses) = document["components"]["responses"].as_object_mut() {
        responses.retain(|name, _| paths.contains(&format!("\"#/components/responses/{name}\"")));
    }
    let mut names = BTreeSet::new();
    for place in ["/paths", "/webhooks", "/components/responses"] {
        if let Some(part) = document.pointer(place) {
            gather(document, part, &mut names);
        }
    }
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        schemas.retain(|name, _| names.contains(name));
    }
}
