//! Links: from an operation that makes or lists a resource to those that take its id.
//!
//! Derived: a row here says which shape carries which id, everything else follows from paths and answers.

use serde_json::{Map, Value, json};

/// A shape, the member that names it, the parameter that this is good for, and a part of the paths on which the parameter
/// means it.
const IDS: &[(&str, &str, &str, &str)] = &[
    ("Account", "id", "accountId", "/account"),
    ("AllocationPlan", "id", "allocationPlanId", "/allocationplan/"),
    ("CashTransaction", "id", "transactionId", "/cash"),
    ("FundTransaction", "id", "transactionId", "/fund"),
    ("Client", "id", "clientId", "/client/"),
    ("Instruction", "id", "instructionId", "/instruction/"),
    ("Instrument", "id", "instrumentId", "/instrument/"),
    ("Journey", "id", "journeyId", "/journey/"),
    ("MobilePaymentSession", "id", "mobilepayId", "/mobilepay/"),
    ("Order", "id", "orderId", "/order/"),
    ("Payment", "id", "paymentId", "/payment/"),
    ("Transfer", "id", "transferId", "/transfer/"),
    ("Delivery", "id", "deliveryId", "/deliveries/"),
    ("Fault", "id", "faultId", "/faults/"),
    ("Snapshot", "id", "snapshotId", "/snapshots/"),
    ("Suspense", "id", "suspenseId", "/suspense/"),
    ("Webhook", "id", "webhookId", "/webhooks/"),
    ("WorldLine", "worldId", "worldId", "/_sandbox/worlds/"),
];

/// An operation as far as links go.
struct Known {
    id: String,
    path: String,
    method: String,
}

/// Adds the links.
pub(super) fn add(document: &mut Value) {
    let all: Vec<Known> = known(document).collect();
    let schemas = document["components"]["schemas"].clone();
    for source in &all {
        let responses = &mut document["paths"][&source.path][&source.method]["responses"];
        let Some(response) = responses.get_mut("200") else { continue };
        let Some((shape, base)) = carried(&response["content"]["application/json"]["schema"]) else { continue };
        let Some(row) = IDS.iter().find(|row| row.0 == shape) else { continue };
        let (shape, parameter) = (&schemas[row.0], row.2);
        // What only reads or moves something was led to already.
        let makes = source.method == "post" && !source.path.ends_with('}') && !in_path(&source.path, parameter);
        if !(makes || base.contains("/0/")) {
            continue;
        }
        let links: Map<String, Value> = all
            .iter()
            .filter(|target| in_path(&target.path, parameter) && target.path.contains(row.3))
            .filter_map(|target| Some((target.id.clone(), link(source, target, row, &base, shape)?)))
            .collect();
        if !links.is_empty() {
            response["links"] = links.into();
        }
    }
}

fn known(document: &Value) -> impl Iterator<Item = Known> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let of_path = |(path, item): (&String, &Value)| {
        let known = |(method, operation): (&String, &Value)| {
            let id = operation["operationId"].as_str()?.to_owned();
            Some(Known { id, path: path.clone(), method: method.clone() })
        };
        item.as_object().into_iter().flatten().filter_map(known).collect::<Vec<_>>()
    };
    paths.flat_map(of_path)
}

/// The shape that an answer is, or lists, and the path of its members.
fn carried(schema: &Value) -> Option<(&str, String)> {
    match schema["$ref"].as_str() {
        Some(target) => Some((target.rsplit('/').next()?, "$response.body#/".to_owned())),
        None => Some((schema["items"]["$ref"].as_str()?.rsplit('/').next()?, "$response.body#/0/".to_owned())),
    }
}

fn in_path(path: &str, parameter: &str) -> bool {
    path.split('/').any(|part| part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) == Some(parameter))
}

/// Every id that `target`'s path takes, as `source`'s request or answer has it; `None` where one is not known.
fn link(
    source: &Known,
    target: &Known,
    (_, member, parameter, _): &(&str, &str, &str, &str),
    base: &str,
    shape: &Value,
) -> Option<Value> {
    let mut parameters = Map::new();
    let named = target.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    for name in named {
        let expression = if name == *parameter {
            format!("{base}{member}")
        } else if in_path(&source.path, name) {
            format!("$request.path.{name}")
        } else if shape["properties"].get(name).is_some() {
            format!("{base}{name}")
        } else {
            return None;
        };
        parameters.insert(name.to_owned(), expression.into());
    }
    Some(json!({ "operationId": target.id, "parameters": parameters }))
}
