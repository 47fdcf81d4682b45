//! Routes of the machinery as tools: name, words and schema come from the description of the API.
//!
//! Invariant: a route that is added is a tool by that alone, unless a word of the language sends it or its answer is no text of a bounded
//! length. Absent on purpose: sending (`acts`).

use language::words::STEPS;
use sandbox::Plane;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// What is no tool: figures of the process, what never ends, pictures, and files of other servers.
const LEFT_OUT: [&str; 7] = [
    "readHealth",
    "readReadiness",
    "watchWorld",
    "drawAccount",
    "drawPicture",
    "readSnapshotFile",
    "bringSnapshotFile",
];

/// What the program's own commands are called.
const CALLED: [(&str, &str); 3] = [("readWhy", "why"), ("readScenario", "record"), ("readCoverage", "readiness")];

/// What takes back what has happened, beside what deletes.
const DESTROYS: [&str; 3] = ["resetWorld", "rewindWorld", "restoreSnapshot"];

/// The world in a path; left out, it is the caller's own, or the first.
pub(super) const WORLD: &str = "worldId";

/// One route.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    /// Its id in the description.
    pub(super) id: String,
    /// What its tool is called.
    pub(super) name: String,
    /// What it does.
    pub(super) about: String,
    /// Its method, in capitals.
    pub(super) method: String,
    /// Its path, with parameters in braces.
    pub(super) path: String,
    /// Its parameters in the query.
    pub(super) query: BTreeSet<String>,
    /// Whether it takes a body.
    pub(super) has_body: bool,
    /// What it takes.
    pub(super) schema: Map<String, Json>,
}

impl Operation {
    /// Whether it changes nothing.
    pub(super) fn only_reads(&self) -> bool {
        self.method == "GET"
    }

    /// Whether it takes something away.
    pub(super) fn destroys(&self) -> bool {
        self.method == "DELETE" || DESTROYS.contains(&&*self.id)
    }

    /// Whether a wrong guess of the world does harm.
    pub(super) fn is_about_the_whole_world(&self) -> bool {
        DESTROYS.contains(&&*self.id) || self.id == "dropWorld"
    }
}

/// Every operation that is a tool, in the order of the description.
pub(super) fn operations() -> Vec<Operation> {
    static DOCUMENT: LazyLock<Json> =
        LazyLock::new(|| serde_json::from_str(sandbox::openapi_of(Plane::Machinery)).unwrap_or_default());
    let paths = DOCUMENT["paths"].as_object().into_iter().flatten();
    let each = paths.flat_map(|(path, methods)| methods.as_object().into_iter().flatten().map(move |row| (path, row)));
    each.filter_map(|(path, (method, row))| operation(path, method, row, &DOCUMENT["components"]["schemas"])).collect()
}

fn operation(path: &str, method: &str, row: &Json, schemas: &Json) -> Option<Operation> {
    let (id, method) = (row["operationId"].as_str()?, method.to_uppercase());
    if LEFT_OUT.contains(&id) || is_a_word(&method, path) || !path.starts_with("/_sandbox") {
        return None;
    }
    let text = |key: &str| row[key].as_str().unwrap_or_default();
    let about = [text("summary"), text("description")].into_iter().filter(|part| !part.is_empty());
    let parameters: Vec<_> = row["parameters"].as_array().into_iter().flatten().collect();
    let is_in_query = |parameter: &&&Json| parameter["in"] == "query";
    let names = parameters.iter().filter(is_in_query).filter_map(|it| it["name"].as_str().map(str::to_owned));
    let body = row.pointer("/requestBody/content/application~1json/schema");
    Some(Operation {
        id: id.to_owned(),
        name: CALLED.iter().find(|(known, _)| *known == id).map_or_else(|| snake(id), |(_, name)| (*name).to_owned()),
        about: about.collect::<Vec<_>>().join(". "),
        query: names.collect(),
        has_body: body.is_some(),
        schema: schema(&parameters, body, row["requestBody"]["required"] == true, schemas),
        method,
        path: path.to_owned(),
    })
}

/// Whether a word of the language sends it.
fn is_a_word(method: &str, path: &str) -> bool {
    let nameless = |path: &str| {
        let is_name = |piece: &str| piece.starts_with('{') || piece == "current";
        path.split('/').map(|piece| if is_name(piece) { "{}" } else { piece }).collect::<Vec<_>>().join("/")
    };
    STEPS.iter().filter_map(|word| word.sends()).any(|it| it.method == method && nameless(it.path) == nameless(path))
}

/// `listWorlds` as `list_worlds`.
fn snake(id: &str) -> String {
    let mut name = String::new();
    for letter in id.chars() {
        if letter.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

/// Parameters and fields of the body, beside each other.
fn schema(parameters: &[&Json], body: Option<&Json>, is_needed: bool, schemas: &Json) -> Map<String, Json> {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for parameter in parameters {
        let Some(name) = parameter["name"].as_str() else { continue };
        let mut schema = within(&parameter["schema"], schemas, 0);
        schema["description"] = parameter["description"].clone();
        if name == WORLD {
            properties.insert("world".to_owned(), world());
            continue;
        }
        if parameter["required"] == true {
            required.push(Json::from(name));
        }
        properties.insert(name.to_owned(), schema);
    }
    if let Some(body) = body.map(|body| within(body, schemas, 0)) {
        let fields = body["properties"].as_object().cloned().unwrap_or_default();
        properties.extend(fields);
        required.extend(body["required"].as_array().filter(|_| is_needed).into_iter().flatten().cloned());
    }
    let whole =
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    whole.as_object().cloned().unwrap_or_default()
}

/// How a tool says which world it means.
pub(super) fn world() -> Json {
    json!({ "type": "string", "description": "The world, by id or name; left out, it is your own, or the first." })
}

/// Shapes within shapes that are written out; those further in are objects of whatever kind, and the sandbox judges them.
const DEEPEST: usize = 3;

/// A schema with what it refers to in place of the reference.
fn within(schema: &Json, schemas: &Json, depth: usize) -> Json {
    if let Some(name) = schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()) {
        let target = &schemas[name];
        if depth >= DEEPEST && target["properties"].is_object() {
            return json!({ "type": "object", "description": format!("`{name}` of fundsim://openapi/machinery") });
        }
        return within(target, schemas, depth + 1);
    }
    match schema {
        Json::Object(entries) => {
            let each = entries.iter().filter(|(key, _)| *key != "example" && *key != "discriminator");
            each.map(|(key, value)| (key.clone(), within(value, schemas, depth))).collect()
        }
        Json::Array(items) => items.iter().map(|item| within(item, schemas, depth)).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_tools_unless_a_word_sends_them() {
        let operations = operations();
        let named = |name: &str| operations.iter().find(|operation| operation.name == name);
        for name in [
            "list_worlds",
            "make_world",
            "fork_world",
            "rewind_world",
            "drop_world",
            "read_clock",
            "advance",
            "why",
            "record",
        ] {
            assert!(named(name).is_some(), "{name}");
        }
        assert!(named("add_fault").is_none(), "a word sends it");
        assert!(named("read_clock").is_some_and(Operation::only_reads));
        assert!(named("rewind_world").is_some_and(Operation::destroys));
        let advance = named("advance").expect("it is there");
        assert!(advance.schema["properties"]["by"].is_object() && advance.schema["properties"]["world"].is_object());
        assert!(advance.has_body && !advance.schema["properties"].to_string().contains("$ref"), "{:?}", advance.schema);
        let requests = named("list_requests").expect("it is there");
        assert!(requests.query.contains("limit") && !requests.has_body, "{requests:?}");
    }

    #[test]
    fn what_is_left_out_or_called_otherwise_is_an_operation() {
        let document = sandbox::openapi_of(Plane::Machinery);
        for id in LEFT_OUT.iter().chain(&DESTROYS).copied().chain(CALLED.map(|(id, _)| id)) {
            assert!(document.contains(&format!("\"operationId\": \"{id}\"")), "{id}");
        }
    }
}
