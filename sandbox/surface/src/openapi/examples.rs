//! Examples that are true: each is a request of a story or of a conversation, with what it was answered.
//!
//! `examples.json` is made from the transcripts of the stories and of `tests/openapi/conversation.rs`, which are played by tests; a
//! test fails when it is not what they say. Absent on purpose: examples that no server has answered.

use serde_json::Value;

const EXAMPLES: &str = include_str!("examples.json");

/// Adds the examples to the operations that they are of.
pub(super) fn add(document: &mut Value) {
    let examples: Value = serde_json::from_str(EXAMPLES).unwrap_or_default();
    for item in document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut()) {
        for operation in item.as_object_mut().into_iter().flat_map(|item| item.values_mut()) {
            let Some(example) = operation["operationId"].as_str().and_then(|id| examples.get(id)) else { continue };
            let sent = operation.pointer_mut("/requestBody/content").and_then(Value::as_object_mut);
            if let Some(content) = sent.and_then(|content| content.values_mut().next())
                && !example["request"].is_null()
            {
                content["example"] = example["request"].clone();
            }
            let answered = format!("/responses/{}/content/application~1json", example["status"]);
            if let Some(content) = operation.pointer_mut(&answered) {
                content["example"] = example["answer"].clone();
            }
        }
    }
}
