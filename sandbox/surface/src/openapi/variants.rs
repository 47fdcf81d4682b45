//! Schemas that are one of several shapes, and the field whose value says which (`oneOf` with a discriminator).
//!
//! Owns: which schemas part by a field. The rows of a body read all shapes with one set of rows, so its schema has every field as
//! optional; here it is parted into what each value of the field requires and takes. The rows for journeys come from the world's own
//! table of fields. Invariant: each shape names the value that it is for, so that no body is two of them.
//! Absent on purpose: what a field that a shape does not take does, which the world judges.

use serde_json::{Map, Value, json};
use sim::records::{FIELDS, JourneyType, Presence};

use wire::words::{Word as _, capital};

/// One shape of a schema.
struct Variant {
    /// Its name among the schemas.
    name: String,
    /// The value of the field that says which shape a body is.
    value: &'static str,
    /// Its sentence.
    about: String,
    /// Fields that it has beside those that every shape has.
    requires: Vec<&'static str>,
    /// Fields that it has not.
    lacks: Vec<&'static str>,
}

/// A schema and its shapes.
struct Parted {
    schema: &'static str,
    /// The field that says which shape a body is.
    by: &'static str,
    variants: Vec<Variant>,
}

/// Every schema that parts, with its shapes.
fn parted() -> [Parted; 3] {
    let side = |name: &str, value, about: &str, requires, lacks| Variant {
        name: name.to_owned(),
        value,
        about: about.to_owned(),
        requires,
        lacks,
    };
    let order = vec![
        side("SubscriptionOrder", "subscription", "An order that buys for an amount.", vec!["amount"], vec![]),
        side("RedemptionOrder", "redemption", "An order that sells units.", vec!["units"], vec![]),
    ];
    let request = vec![
        side("SubscriptionRequest", "subscription", "Buys for an amount.", vec!["amount"], vec!["units"]),
        side("RedemptionRequest", "redemption", "Sells units.", vec!["units"], vec!["amount"]),
    ];
    [
        Parted { schema: "Order", by: "orderType", variants: order },
        Parted { schema: "OrderRequest", by: "orderType", variants: request },
        Parted { schema: "JourneyConfiguration", by: "journeyType", variants: journeys() },
    ]
}

/// A shape for each type of journey (rule: journeys/configuration-fields).
fn journeys() -> Vec<Variant> {
    let variant = |(column, kind): (usize, &JourneyType)| {
        let with = |presence| FIELDS.iter().filter(move |row| row.1[column] == presence).map(|row| row.0).collect();
        let word = kind.word();
        Variant {
            name: format!("{}Configuration", capital(word)),
            value: word,
            about: format!("Configuration of a `{word}` journey."),
            requires: with(Presence::Required),
            lacks: with(Presence::Refused),
        }
    };
    JourneyType::ALL.iter().enumerate().map(variant).collect()
}

/// Parts the schemas, and names the field that distinguishes shapes wherever a schema is one of several.
pub(super) fn add(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    for Parted { schema, by, variants } in parted() {
        let Some(whole) = schemas.get(schema).cloned() else { continue };
        for variant in &variants {
            schemas.insert(variant.name.clone(), shape(&whole, by, variant));
        }
        let of: Vec<Value> = variants.iter().map(|variant| reference(&variant.name)).collect();
        let mut one_of = json!({ "oneOf": of });
        if let Some(about) = whole.get("description") {
            one_of["description"] = about.clone();
        }
        schemas.insert(schema.to_owned(), one_of);
    }
    name_words(schemas);
    let known = schemas.clone();
    discriminate(document, &known);
}

/// Shapes that the library has made for an enumeration name its whole list of words; each is of one.
fn name_words(schemas: &mut Map<String, Value>) {
    let discriminators: Vec<Value> =
        schemas.values().filter_map(|schema| schema.get("discriminator").cloned()).collect();
    for discriminator in discriminators {
        let Some(by) = discriminator["propertyName"].as_str() else { continue };
        for (word, target) in discriminator["mapping"].as_object().into_iter().flatten() {
            let shape = target.as_str().and_then(|target| schemas.get_mut(target.rsplit('/').next()?));
            if let Some(field) = shape.and_then(|shape| shape["properties"].get_mut(by)) {
                *field = json!({ "type": "string", "enum": [word] });
            }
        }
    }
}

/// `whole` as far as `variant` goes.
fn shape(whole: &Value, by: &str, variant: &Variant) -> Value {
    let mut shape = whole.clone();
    shape["description"] = variant.about.clone().into();
    let mut required: Vec<Value> = whole["required"].as_array().cloned().unwrap_or_default();
    if let Some(properties) = shape["properties"].as_object_mut() {
        properties.retain(|name, _| !variant.lacks.contains(&name.as_str()));
        let about = properties.get(by).and_then(|schema| schema.get("description")).cloned();
        let mut word = json!({ "type": "string", "enum": [variant.value] });
        if let Some(about) = about {
            word["description"] = about;
        }
        properties.insert(by.to_owned(), word);
        for field in &variant.requires {
            if let Some(schema) = properties.get_mut(*field) {
                without_null(schema);
            }
            required.push((*field).into());
        }
    }
    shape["required"] = required.into();
    shape
}

/// What must be given cannot be null.
fn without_null(schema: &mut Value) {
    let is_null = |value: &Value| *value == "null" || value.is_null() || *value == json!({ "type": "null" });
    for key in ["type", "oneOf", "enum"] {
        if let Some(choices) = schema.get_mut(key).and_then(Value::as_array_mut) {
            choices.retain(|choice| !is_null(choice));
        }
    }
    if let Some([only]) = schema["type"].as_array().map(Vec::as_slice) {
        schema["type"] = only.clone();
    }
    // What is left of a choice between something and null is that thing, with its sentence.
    let only = schema["oneOf"].as_array().filter(|choices| choices.len() == 1).map(|choices| choices[0].clone());
    if let (Some(Value::Object(mut only)), Some(members)) = (only, schema.as_object_mut()) {
        members.shift_remove("oneOf");
        only.extend(std::mem::take(members));
        *members = only;
    }
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// Adds the discriminator to every `oneOf` whose shapes differ in the value of one field.
fn discriminate(value: &mut Value, schemas: &Map<String, Value>) {
    match value {
        Value::Object(members) => {
            members.values_mut().for_each(|member| discriminate(member, schemas));
            let found = members.get("oneOf").and_then(Value::as_array).and_then(|of| discriminator(of, schemas));
            if let Some(found) = found {
                members.insert("discriminator".to_owned(), found);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| discriminate(item, schemas)),
        _ => {}
    }
}

/// The field that distinguishes `shapes`, with the shape of each of its values.
fn discriminator(shapes: &[Value], schemas: &Map<String, Value>) -> Option<Value> {
    let targets: Vec<&str> = shapes.iter().map(|shape| shape["$ref"].as_str()).collect::<Option<_>>()?;
    let properties = |target: &str| schemas.get(target.rsplit('/').next()?)?["properties"].as_object();
    let only = |target: &str, field: &str| {
        let values = properties(target)?.get(field)?["enum"].as_array()?;
        if let [Value::String(value)] = values.as_slice() { Some(value.clone()) } else { None }
    };
    let fields = properties(targets.first()?)?.keys();
    fields.into_iter().find_map(|field| {
        let mut mapping = Map::new();
        for target in &targets {
            mapping.insert(only(target, field)?, (*target).into());
        }
        (mapping.len() == targets.len()).then(|| json!({ "propertyName": field, "mapping": mapping }))
    })
}

/// `document` for validators: where a field says which shape a body is, the body is held to that shape alone, so that a fault has
/// its place in the body; a `oneOf` would only say that no shape fits.
pub(super) fn by_word(mut document: Value) -> Value {
    match &mut document {
        Value::Object(members) => {
            members.values_mut().for_each(|member| *member = by_word(member.take()));
            if let Some(discriminator) = members.shift_remove("discriminator") {
                members.shift_remove("oneOf");
                members.extend(conditions(&discriminator));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = by_word(item.take())),
        _ => {}
    }
    document
}

fn conditions(discriminator: &Value) -> Map<String, Value> {
    let by = discriminator["propertyName"].as_str().unwrap_or_default();
    let mapping = discriminator["mapping"].as_object().into_iter().flatten();
    let (mut words, mut shapes) = (Vec::new(), Vec::new());
    for (word, target) in mapping {
        words.push(word);
        let is_it = json!({ "properties": { by: { "const": word } }, "required": [by] });
        shapes.push(json!({ "if": is_it, "then": { "$ref": target } }));
    }
    let mut members = Map::new();
    members.insert("type".to_owned(), "object".into());
    members.insert("required".to_owned(), json!([by]));
    members.insert("properties".to_owned(), json!({ by: { "enum": words } }));
    members.insert("allOf".to_owned(), shapes.into());
    members
}
