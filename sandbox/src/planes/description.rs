//! What the document promises of itself.

use crate::planes::router::{Plane, rows};
use serde_json::{Value, json};
use sim::records::JourneyType;
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

/// Every reference in `document` has its target there.
fn is_whole(document: &Value) {
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
    walk(document, document);
}

#[test]
fn every_reference_leads_to_something_with_a_name() {
    let document = tree();
    assert_eq!(document["openapi"], "3.1.2");
    is_whole(&document);
}

/// (rule: wire/description)
#[test]
fn the_description_of_a_plane_says_of_its_operations_what_the_whole_says_and_nothing_else() {
    fn without_links(mut value: Value) -> Value {
        match &mut value {
            Value::Object(members) => {
                members.remove("links");
                members.values_mut().for_each(|member| *member = without_links(member.take()));
            }
            Value::Array(items) => items.iter_mut().for_each(|item| *item = without_links(item.take())),
            _ => {}
        }
        value
    }
    let whole = tree();
    let mut paths = serde_json::Map::new();
    for plane in Plane::ALL {
        let part: Value = serde_json::from_str(crate::openapi_of(plane)).expect("JSON");
        is_whole(&part);
        for (path, item) in part["paths"].as_object().expect("paths") {
            assert!(paths.insert(path.clone(), without_links(item.clone())).is_none(), "{path} is of two planes");
        }
        let schemas = part["components"]["schemas"].as_object().expect("schemas");
        let text = part.to_string();
        for (name, schema) in schemas {
            assert_eq!(*schema, whole["components"]["schemas"][name], "{name}");
            assert!(
                text.contains(&format!("\"#/components/schemas/{name}\"")),
                "{}: {name} is of no use",
                plane.name()
            );
        }
        let ids: BTreeSet<&str> = part["paths"].as_object().expect("paths").values().flat_map(ids_of).collect();
        let linked = links(&part);
        assert!(linked.iter().all(|id| ids.contains(id.as_str())), "{}: {linked:?}", plane.name());
        assert_eq!(part.get("webhooks").is_some(), plane == Plane::Partner, "{}", plane.name());
    }
    let all: serde_json::Map<_, _> = whole["paths"]
        .as_object()
        .expect("paths")
        .iter()
        .map(|(path, item)| (path.clone(), without_links(item.clone())))
        .collect();
    assert!(paths == all, "the planes together are not the whole");
}

fn ids_of(item: &Value) -> impl Iterator<Item = &str> {
    item.as_object().into_iter().flat_map(|item| item.values()).filter_map(|one| one["operationId"].as_str())
}

/// The ids of the operations that links lead to.
fn links(value: &Value) -> BTreeSet<String> {
    match value {
        Value::Object(members) => {
            let own = members.get("links").and_then(Value::as_object).into_iter().flat_map(|links| links.values());
            let own = own.filter_map(|link| link["operationId"].as_str().map(str::to_owned));
            own.chain(members.values().flat_map(links)).collect()
        }
        Value::Array(items) => items.iter().flat_map(links).collect(),
        _ => BTreeSet::new(),
    }
}

/// (rule: journeys/configuration-fields, orders/amount-or-units)
#[test]
fn what_has_several_shapes_is_described_by_the_word_that_says_which() {
    let document = tree();
    let schemas = &document["components"]["schemas"];
    for (schema, by, words) in [
        ("Order", "orderType", vec!["subscription", "redemption"]),
        ("OrderRequest", "orderType", vec!["subscription", "redemption"]),
        ("JourneyConfiguration", "journeyType", JourneyType::ALL.iter().map(|kind| kind.name()).collect()),
    ] {
        let discriminator = &schemas[schema]["discriminator"];
        assert_eq!(discriminator["propertyName"], by, "{schema}");
        let mapping = discriminator["mapping"].as_object().expect(schema);
        assert_eq!(mapping.keys().collect::<Vec<_>>(), words, "{schema}");
        let shapes: Vec<_> =
            schemas[schema]["oneOf"].as_array().expect(schema).iter().map(|one| &one["$ref"]).collect();
        assert_eq!(mapping.values().collect::<Vec<_>>(), shapes, "{schema}");
    }
    let is_valid = |schema: &str, value: Value| {
        let root = json!({ "$ref": format!("#/components/schemas/{schema}"), "components": document["components"] });
        jsonschema::draft202012::options().build(&root).expect("a schema").is_valid(&value)
    };
    let with = |mut value: Value, field: &str, with: Value| {
        value[field] = with;
        value
    };
    let account = "0f4933e4-358a-4b99-b39c-1681696fa3e3";
    let order = json!({ "account": account, "orderType": "subscription", "instrument": "SE0SBX000016SEK" });
    let journey = json!({ "journeyType": "signWithdrawal", "account": account });
    let create =
        json!({ "journeyType": "createAccount", "accountTypes": ["isk"], "accountServiceType": "executionOnly" });
    for (schema, value, valid) in [
        ("OrderRequest", with(order.clone(), "amount", json!(500)), true),
        ("OrderRequest", with(order.clone(), "units", json!(5)), false),
        ("OrderRequest", with(order.clone(), "amount", Value::Null), false),
        ("OrderRequest", with(with(order.clone(), "orderType", json!("redemption")), "units", json!(5)), true),
        ("OrderRequest", with(with(order, "orderType", json!("swap")), "units", json!(5)), false),
        ("JourneyConfiguration", journey.clone(), true),
        ("JourneyConfiguration", with(journey, "account", Value::Null), false),
        ("JourneyConfiguration", create.clone(), true),
        ("JourneyConfiguration", with(create.clone(), "accountTypes", Value::Null), false),
        ("JourneyConfiguration", with(create.clone(), "allocationPlan", Value::Null), true),
        ("JourneyConfiguration", with(create, "journeyType", json!("updateSavingsPlan")), false),
    ] {
        assert_eq!(is_valid(schema, value.clone()), valid, "{schema} {value}");
    }
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
    let order = required("SubscriptionOrder");
    assert!(order.contains("status") && !order.contains("canceledDate") && !order.contains("units"));
    let cash = required("CashTransaction");
    assert!(cash.contains("settlementDate") && !cash.contains("text"));
    let settlement = &document["components"]["schemas"]["CashTransaction"]["properties"]["settlementDate"];
    assert!(settlement.to_string().contains("null"), "{settlement}");
    let canceled = &document["components"]["schemas"]["RedemptionOrder"]["properties"]["canceledDate"];
    assert!(!canceled.to_string().contains("null"), "{canceled}");
}

#[test]
fn every_event_type_is_described_for_webhooks_and_for_the_socket_with_its_resource() {
    let asyncapi: Value = serde_json::from_str(crate::asyncapi()).expect("JSON");
    let document = tree();
    for name in feed::event_types::EVENT_TYPES {
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
