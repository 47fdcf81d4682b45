//! Bodies of levers and machinery are closed: a field that no row names is refused there, because a misspelt word would
//! go unnoticed. The partner API ignores such fields (rule: wire/unknown-fields), so its shapes stay open.
//!
//! Absent on purpose: shapes that both sides read; they stay open.

use serde_json::Value;
use std::collections::BTreeSet;
use wire::rows::shape::close;

/// Says of every object that only levers and machinery read that it has no other fields.
pub(super) fn close_strict(document: &mut Value) {
    let names = |of_partner: bool| {
        let mut names = BTreeSet::new();
        let paths = document["paths"].as_object().into_iter().flatten();
        for (_, item) in paths.filter(|(path, _)| path.starts_with("/v2") == of_partner) {
            for (_, operation) in item.as_object().into_iter().flatten() {
                gather(document, &operation["requestBody"], &mut names);
            }
        }
        names
    };
    let (open, strict) = (names(true), names(false));
    for name in strict.difference(&open) {
        close(&mut document["components"]["schemas"][name]);
    }
}

/// Adds the names of all schemas that `value` refers to, directly or through others.
pub(super) fn gather(document: &Value, value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            let target = members.get("$ref").and_then(Value::as_str);
            if let Some(name) = target.and_then(|target| target.strip_prefix("#/components/schemas/"))
                && names.insert(name.to_owned())
            {
                gather(document, &document["components"]["schemas"][name], names);
            }
            members.values().for_each(|member| gather(document, member, names));
        }
        Value::Array(items) => items.iter().for_each(|item| gather(document, item, names)),
        _ => {}
    }
}
