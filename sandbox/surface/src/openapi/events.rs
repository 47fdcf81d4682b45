//! What the server sends by itself: webhooks and the callback of journeys in the OpenAPI document, the event socket as an
//! AsyncAPI 3 document beside it.
//!
//! Both are made from the event types that webhooks filter by and the shapes that render them. Invariant: a message is
//! described where it is sent, and its payload is the shape that the resource has when it is read.

use super::requests;
use feed::event_types::EVENT_TYPES;
use feed::session::{Close, HEARTBEAT, SERVER_CLOSING, hello};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use uuid::Uuid;
use wire::event;
use wire::journeys::callback::CallbackBody;
use wire::rows::shape::{Schemas, reference};
use wire::words::capital;

/// The operation whose journeys call back.
const CREATE_JOURNEY: (&str, &str) = ("/v2/partner/client/{clientId}/journey", "post");
/// Where the socket is.
const SOCKET: &str = "/v2/partner/client/{clientId}/subscribe";

/// Adds the webhooks and the callback to the OpenAPI document.
pub(super) fn add(document: &mut Value) {
    let mut known = Schemas::new();
    let callback = reference::<CallbackBody<'_>>(&mut known);
    let webhooks: Map<String, Value> =
        EVENT_TYPES.iter().map(|name| ((*name).to_owned(), json!({ "post": webhook(name, &mut known) }))).collect();
    for (name, schema) in known {
        document["components"]["schemas"][name] = json!(schema);
    }
    document["webhooks"] = webhooks.into();
    let ended = post("journeyEnded", "The journey became `canceled`, `error` or `complete`.", &json!(callback));
    let (path, method) = CREATE_JOURNEY;
    document["paths"][path][method]["callbacks"] =
        json!({ "ended": { "{$request.body#/callbackUrl}": { "post": ended } } });
}

fn webhook(name: &str, known: &mut Schemas) -> Value {
    let id = name.split('.').map(capital).collect::<String>();
    post(&format!("on{id}"), &format!("A webhook's `{name}`."), &payload(name, known))
}

/// A signed POST to the partner's own server.
fn post(id: &str, summary: &str, schema: &Value) -> Value {
    let header = |name: &str, about: &str| json!({ "name": name, "in": "header", "required": true, "description": about, "schema": { "type": "string" } });
    json!({
        "operationId": id,
        "summary": summary,
        "tags": ["Events"],
        "security": [],
        "parameters": [
            header("webhook-id", "The same in every attempt; deduplicate on it."),
            header("webhook-timestamp", "Seconds since 1970 of this attempt."),
            header("webhook-signature", "`v1,` and an HMAC-SHA256 of id, timestamp and body in base64, as Standard Webhooks has it."),
        ],
        "requestBody": { "required": true, "content": { "application/json": { "schema": schema } } },
        "responses": {
            "200": { "description": "Received. Any 2xx status counts as received; after any other response the delivery is attempted again." },
            "400": { "description": "Refused: it is not tried again." },
        },
    })
}

/// `current`, `previous` or both, by the verb of the event.
fn payload(name: &str, known: &mut Schemas) -> Value {
    // A test fails on a type without a resource.
    let resource = json!(event::resource_of(name, known));
    let states: &[&str] = match name.rsplit('.').next() {
        Some("update") => &["current", "previous"],
        Some("delete") => &["previous"],
        _ => &["current"],
    };
    let properties: Map<String, Value> = states.iter().map(|state| ((*state).to_owned(), resource.clone())).collect();
    json!({ "type": "object", "required": states, "properties": properties })
}

/// The AsyncAPI document of the event socket, with the shapes of `openapi`.
pub(super) fn asyncapi(openapi: &Value) -> Value {
    let mut messages: Map<String, Value> = EVENT_TYPES.iter().map(|name| data(name)).collect();
    let samples = [hello(Uuid::from_u128(7)), HEARTBEAT.to_owned(), SERVER_CLOSING.to_owned()];
    messages.extend(samples.iter().map(|sample| control(sample)));
    let mut names = BTreeSet::new();
    requests::gather(openapi, &Value::Object(messages.clone()), &mut names);
    let schemas: Map<String, Value> = names
        .into_iter()
        .map(|name| (name.clone(), without_discriminator(openapi["components"]["schemas"][&name].clone())))
        .collect();
    let references: Map<String, Value> = messages
        .keys()
        .map(|name| (name.clone(), json!({ "$ref": format!("#/components/messages/{name}") })))
        .collect();
    json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "fundsim: events of the partner fund-distribution API",
            "version": openapi["info"]["version"],
            "description": "A WebSocket of one client. The handshake needs the bearer token of a partner.",
            "license": openapi["info"]["license"],
        },
        "defaultContentType": "application/json",
        "channels": { "events": {
            "address": SOCKET,
            "description": closes(),
            "parameters": { "clientId": { "description": "Id of the client." } },
            "messages": references,
            "bindings": { "ws": { "method": "GET" } },
        } },
        "operations": { "sendEvents": {
            "action": "send",
            "channel": { "$ref": "#/channels/events" },
            "summary": "Events, sent to tokens that may read their resource.",
        } },
        "components": { "messages": messages, "schemas": schemas },
    })
}

/// AsyncAPI has another form of discriminators; the members that distinguish shapes are described anyway.
fn without_discriminator(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(members) => {
            members.shift_remove("discriminator");
            members.values_mut().for_each(|member| *member = without_discriminator(member.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = without_discriminator(item.take())),
        _ => {}
    }
    schema
}

/// How the server closes the socket.
fn closes() -> String {
    let rows = Close::ALL.iter().map(|close| format!("{} ({})", close.code(), close.reason()));
    format!("The server closes with {}.", rows.collect::<Vec<_>>().join(", "))
}

/// A message about data, by its name.
fn data(name: &str) -> (String, Value) {
    let payload = json!({
        "type": "object",
        "required": ["eventType", "eventId", "payload"],
        "properties": {
            "eventType": { "const": name },
            "eventId": { "type": "string", "format": "uuid", "description": "Deduplicate on it." },
            "payload": payload(name, &mut Schemas::new()),
        },
    });
    (name.to_owned(), json!({ "name": name, "payload": payload }))
}

/// A message about the socket itself, as it is sent.
fn control(sample: &str) -> (String, Value) {
    let sample: Map<String, Value> = serde_json::from_str(sample).unwrap_or_default();
    let property = |(name, value): (&String, &Value)| {
        let schema =
            if name == "eventType" { json!({ "const": value }) } else { json!({ "type": "string", "format": "uuid" }) };
        (name.clone(), schema)
    };
    let properties: Map<String, Value> = sample.iter().map(property).collect();
    let required: Vec<&String> = sample.keys().collect();
    let payload = json!({ "type": "object", "required": required, "properties": properties });
    let name = sample["eventType"].as_str().unwrap_or_default().to_owned();
    (name.clone(), json!({ "name": name, "payload": payload, "examples": [{ "payload": sample }] }))
}
