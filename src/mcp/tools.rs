//! Every tool: its name, what it says of itself, its schema, and whether it changes or takes away anything.
//!
//! Invariant: words of the language and routes of the machinery are tools by their rows; only what is neither has a line here. Names of
//! tools and of their fields have letters, digits and `_` alone. Absent on purpose: what they do (`acts`).

use super::operations::{self, Operation, operations};
use language::schema;
use language::words::{self, STEPS, Word};
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value as Json, json};
use wire::words::capital;

/// A tool, and what it does.
pub(super) struct Offered {
    pub(super) tool: Tool,
    pub(super) does: Does,
}

/// What a tool does.
pub(super) enum Does {
    /// Sends the request of a word.
    Word(&'static Word),
    /// Sends the request of a route.
    Operation(Box<Operation>),
    /// Sends a `GET` of any route.
    Read,
    /// Sends a request of any route.
    Call,
    /// Explains a topic.
    Explain,
    /// Looks for mistakes in a story.
    Check,
    /// Plays a story.
    Run,
}

/// What a tool does to the sandbox.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Reads,
    Adds,
    Destroys,
}

/// How a tool says by whom it is done.
fn actor() -> Json {
    json!({
        "type": "string",
        "pattern": "^(nobody|(partner|client) [1-9][0-9]*( (partner|client) [1-9][0-9]*)?)$",
        "description": "Who acts: `client 2`, `partner 2 client 1`, `nobody`; the first client of the first partner that you may act for unless given.",
    })
}

/// The tools that are wanted.
///
/// # Errors
/// A name that no tool has.
pub(super) fn offered(only_reads: bool, wanted: &[String]) -> Result<Vec<Offered>, String> {
    let mut all = all();
    for name in wanted {
        if !all.iter().any(|(offered, _)| is_meant(name, &offered.tool.name)) {
            let near = words::nearest(name, all.iter().map(|(offered, _)| &*offered.tool.name));
            let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            return Err(format!("--tools: there is no tool `{name}`{hint}"));
        }
    }
    all.retain(|(offered, effect)| {
        (!only_reads || *effect == Effect::Reads)
            && (wanted.is_empty() || wanted.iter().any(|name| is_meant(name, &offered.tool.name)))
    });
    if all.is_empty() {
        return Err("--tools names no tool that --read-only leaves".to_owned());
    }
    Ok(all.into_iter().map(|(offered, _)| offered).collect())
}

fn is_meant(wanted: &str, name: &str) -> bool {
    wanted.strip_suffix('*').map_or(wanted == name, |beginning| name.starts_with(beginning))
}

fn all() -> Vec<(Offered, Effect)> {
    let own = own();
    let words = STEPS.iter().filter(|word| word.sends().is_some()).map(of_word);
    own.into_iter().chain(operations().into_iter().map(of_operation)).chain(words).collect()
}

/// What is neither a word nor a route of the machinery.
fn own() -> Vec<(Offered, Effect)> {
    let path = json!({
        "type": "string",
        "description": "The path, as in `/order/{orderId}` with an id in its place; one that begins with neither `/v2`, `/simulations` nor `/_sandbox` is the acting client's.",
    });
    let query = json!({ "type": "object", "description": "Parameters of the query." });
    let story = json!({ "type": "string", "description": "The scenario file as YAML. It uses no other files." });
    vec![
        tool(
            "explain",
            "Explains a topic, a word, a lever, a setting or a route from the tables that the sandbox works by: state tables \
            (`orders`), `refusals`, `settings`, `magic` values, `steps` of stories, `routes`; without a topic, lists the topics",
            json!({ "topic": { "type": "string", "description": "A topic, or a name such as `open account`, `/simulations/bankgiro` or `holdAbove`." } }),
            &[],
            Does::Explain,
            Effect::Reads,
        ),
        tool(
            "read",
            "Sends a GET of the API, such as an account, the orders of a client or the instruments",
            json!({ "path": path, "query": query, "as": actor(), "world": operations::world() }),
            &["path"],
            Does::Read,
            Effect::Reads,
        ),
        tool(
            "call",
            "Sends any request of the API that no other tool sends",
            json!({ "method": { "enum": ["GET", "POST", "PATCH", "PUT", "DELETE"] }, "path": path, "query": query,
                "body": { "description": "What is sent as JSON." }, "as": actor(), "world": operations::world() }),
            &["method", "path"],
            Does::Call,
            Effect::Destroys,
        ),
        tool(
            "check",
            "Looks for mistakes in a scenario file without playing it",
            json!({ "story": story }),
            &["story"],
            Does::Check,
            Effect::Reads,
        ),
        tool(
            "run",
            "Plays a scenario file and reports how it came out, with what failed. It makes a world of its own and drops it; no other world changes",
            json!({ "story": story, "on": { "enum": ["server", "here"], "description": "On the server, which takes the operator's right, or here in this \
                program; on the server unless given." } }),
            &["story"],
            Does::Run,
            Effect::Adds,
        ),
    ]
}

fn tool(
    name: &'static str,
    about: &'static str,
    properties: Json,
    required: &[&str],
    does: Does,
    effect: Effect,
) -> (Offered, Effect) {
    let schema =
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    let schema = schema.as_object().cloned().unwrap_or_default();
    (Offered { tool: described(name.to_owned(), about.to_owned(), schema, effect), does }, effect)
}

fn of_operation(operation: Operation) -> (Offered, Effect) {
    let effect = if operation.only_reads() {
        Effect::Reads
    } else if operation.destroys() {
        Effect::Destroys
    } else {
        Effect::Adds
    };
    let about = format!("{} ({} {})", operation.about, operation.method, operation.path);
    let tool = described(operation.name.clone(), about, operation.schema.clone(), effect);
    (Offered { tool, does: Does::Operation(Box::new(operation)) }, effect)
}

fn of_word(word: &'static Word) -> (Offered, Effect) {
    let sends = word.sends();
    let (method, path) = sends.map_or(("", ""), |sends| (sends.method, sends.path));
    let effect = if method == "DELETE" || path.ends_with("/purge") { Effect::Destroys } else { Effect::Adds };
    let mut schema = schema::arguments(word);
    let mut properties: Map<String, Json> = Map::new();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        properties.insert(underscored(name), field.clone());
    }
    properties.insert("as".to_owned(), actor());
    properties.insert("world".to_owned(), operations::world());
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str).map(underscored);
    let required: Vec<_> = required.collect();
    schema.insert("required".to_owned(), json!(required));
    schema.insert("properties".to_owned(), Json::Object(properties));
    let example = word.example.replace('\n', "; ");
    let about = format!("{} ({method} {path}). In a story: {example}", capital(word.about));
    (Offered { tool: described(underscored(word.word), about, schema, effect), does: Does::Word(word) }, effect)
}

fn described(name: String, about: String, schema: Map<String, Json>, effect: Effect) -> Tool {
    let hints = ToolAnnotations::with_title(capital(&name.replace('_', " ")))
        .read_only(effect == Effect::Reads)
        .destructive(effect == Effect::Destroys)
        .open_world(false);
    Tool::new(name, about, schema).with_annotations(hints)
}

/// A name as tools have it.
pub(super) fn underscored(name: &str) -> String {
    name.replace(' ', "_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_request_of_the_language_is_a_tool_with_a_name_that_assistants_take() {
        let all = all();
        let names: BTreeSet<_> = all.iter().map(|(offered, _)| offered.tool.name.to_string()).collect();
        assert_eq!(names.len(), all.len(), "two tools have one name");
        assert!(names.len() <= 128, "{} tools are more than some assistants take", names.len());
        for word in STEPS.iter().filter(|word| word.sends().is_some()) {
            assert!(names.contains(&underscored(word.word)), "{}", word.word);
        }
        let is_plain =
            |name: &str| name.len() <= 64 && name.chars().all(|it| it.is_ascii_alphanumeric() || "_.-".contains(it));
        for (offered, _) in &all {
            assert!(is_plain(&offered.tool.name), "{}", offered.tool.name);
            let schema = &offered.tool.input_schema;
            for field in schema["properties"].as_object().into_iter().flatten().map(|(field, _)| field) {
                assert!(is_plain(field), "{}: {field}", offered.tool.name);
            }
            assert!(["anyOf", "oneOf", "allOf"].iter().all(|key| !schema.contains_key(*key)), "{}", offered.tool.name);
            assert!(jsonschema::validator_for(&Json::Object((**schema).clone())).is_ok(), "{}", offered.tool.name);
        }
    }

    #[test]
    fn what_changes_nothing_is_left_of_a_server_that_only_reads() {
        let names = |only_reads, wanted: &[&str]| -> Result<Vec<String>, String> {
            let wanted: Vec<_> = wanted.iter().map(|name| (*name).to_owned()).collect();
            offered(only_reads, &wanted).map(|all| all.iter().map(|offered| offered.tool.name.to_string()).collect())
        };
        let left = names(true, &[]).expect("some");
        for name in ["explain", "read", "check", "why", "list_worlds", "record", "readiness"] {
            assert!(left.contains(&name.to_owned()), "{name}");
        }
        for name in ["call", "run", "subscribe", "advance", "drop_world", "rewind_world"] {
            assert!(!left.contains(&name.to_owned()), "{name}");
        }
        assert_eq!(names(false, &["why", "subscribe"]).as_deref(), Ok(&["why".to_owned(), "subscribe".to_owned()][..]));
        assert!(names(false, &["list_*"]).is_ok_and(|names| names.len() > 5));
        assert_eq!(
            names(false, &["subscrib"]),
            Err("--tools: there is no tool `subscrib`; did you mean `subscribe`?".to_owned())
        );
        assert!(names(true, &["subscribe"]).is_err_and(|why| why.contains("--read-only")));
    }
}
