//! What the document promises of itself.

use crate::planes::router::rows;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

fn tree() -> Value {
    serde_json::from_str(crate::openapi()).expect("the document is JSON")
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
fn every_route_is_described_and_no_other() {
    let served = rows().map(|row| (row.method.as_str().to_lowercase(), row.path.to_owned())).collect();
    assert_eq!(described(&tree()), served);
}

#[test]
fn every_response_has_a_description_and_every_operation_an_id_of_its_own() {
    let document = tree();
    let mut ids = BTreeSet::new();
    let tags: BTreeSet<_> = document["tags"].as_array().expect("tags").iter().map(|tag| tag["name"].as_str()).collect();
    for (method, path) in described(&document) {
        let operation = &document["paths"][&path][&method];
        assert!(operation["summary"].is_string(), "{method} {path}");
        assert!(tags.contains(&operation["tags"][0].as_str()), "{method} {path}");
        let good = |status: &String| status.starts_with(['1', '2', '3']);
        let answers = operation["responses"].as_object().expect("responses");
        assert!(answers.keys().any(good), "{method} {path} tells nothing of what it answers");
        assert!(ids.insert(operation["operationId"].as_str().expect("an id").to_owned()), "{path}");
        for (status, response) in operation["responses"].as_object().expect("responses") {
            let of_component =
                |reference: &Value| document.pointer(reference.as_str()?.strip_prefix('#')?)?["description"].as_str();
            let text = response["description"].as_str().or_else(|| of_component(&response["$ref"]));
            assert!(text.is_some_and(|text| !text.is_empty()), "{method} {path} {status}");
        }
    }
}

#[test]
fn every_reference_leads_to_something_with_a_name() {
    fn walk(document: &Value, value: &Value) {
        match value {
            Value::Object(members) => {
                if let Some(Value::String(target)) = members.get("$ref") {
                    let pointer = target.strip_prefix('#').expect("a reference into the document");
                    let named = !pointer.ends_with('/');
                    assert!(named && document.pointer(pointer).is_some(), "{target}");
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
    let mut known = BTreeMap::new();
    for (name, schema) in rows().filter_map(|route| route.operation.as_ref()).flat_map(|it| &it.schemas) {
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

#[test]
fn every_event_type_is_told_by_a_webhook_and_by_the_socket_with_its_resource() {
    let asyncapi: Value = serde_json::from_str(crate::asyncapi()).expect("JSON");
    let document = tree();
    for name in crate::hosting::deliveries::webhooks::EVENT_TYPES {
        let body = &document["webhooks"][name]["post"]["requestBody"]["content"]["application/json"]["schema"];
        let carried = &asyncapi["components"]["messages"][name]["payload"]["properties"]["payload"];
        assert_eq!(body, carried, "{name}");
        let state = if name.ends_with(".delete") { "previous" } else { "current" };
        let target = body["properties"][state]["$ref"].as_str().expect(name);
        assert!(asyncapi.pointer(&target[1..]).is_some() && document.pointer(&target[1..]).is_some(), "{target}");
    }
    for name in ["hello", "heartbeat", "server_closing"] {
        assert!(asyncapi["components"]["messages"][name]["payload"].is_object(), "{name}");
    }
}
