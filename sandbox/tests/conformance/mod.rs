//! Whether an exchange is as the description of the API has it: used by every test that gets an answer.
//!
//! Invariant: an answer of a described route has a described status, the described content type, and a body that the
//! described schema accepts; a request that was accepted has a body that its schema accepts.

use jsonschema::Validator;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

static DOCUMENT: LazyLock<Value> = LazyLock::new(sandbox::openapi_for_validators);
static VALIDATORS: LazyLock<Mutex<BTreeMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// What a fault rule answers; it can have any status.
const BY_FAULT_RULE: &str = "this answer was made by a fault rule";

/// One exchange.
pub(crate) struct Exchange<'a> {
    pub(crate) method: &'a str,
    /// Path, perhaps with a query.
    pub(crate) path: &'a str,
    pub(crate) request: Option<&'a Value>,
    pub(crate) status: u16,
    /// The answer's body where it is JSON.
    pub(crate) answer: Option<&'a Value>,
}

impl Exchange<'_> {
    /// What is otherwise than described; nothing for a path that is none of ours.
    pub(crate) fn fault(&self) -> Option<String> {
        let violation = |fault: String| Some(format!("{} {} {}: {fault}", self.method, self.path, self.status));
        if self.answer.is_some_and(|answer| answer["error_description"] == BY_FAULT_RULE) {
            return None;
        }
        let (path, operation) = operation(self.method, self.path)?;
        let place = format!("#/paths/{}/{}", escaped(path), self.method.to_lowercase());
        let Some(response) = operation["responses"].get(self.status.to_string()) else {
            return violation("no such status is described".to_owned());
        };
        let at = match response["$ref"].as_str() {
            Some(target) => target.to_owned(),
            None => format!("{place}/responses/{}", self.status),
        };
        if let Some(answer) = self.answer
            && let Some(fault) = refused(&format!("{at}/content/application~1json/schema"), answer)
        {
            return violation(format!("{fault} in {answer}"));
        }
        let good = (200..300).contains(&self.status);
        let body = format!("{place}/requestBody/content/application~1json/schema");
        match self.request.filter(|_| good) {
            Some(request) if DOCUMENT.pointer(&body[1..]).is_some() => refused(&body, request)
                .and_then(|fault| violation(format!("accepted, although {fault} in the request {request}"))),
            _ => None,
        }
    }
}

/// What the schema at `pointer` has against `value`.
pub(crate) fn refused(pointer: &str, value: &Value) -> Option<String> {
    if DOCUMENT.pointer(&pointer[1..]).is_none() {
        return Some(format!("nothing is described at {pointer}"));
    }
    let validator = {
        let mut known = VALIDATORS.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(pointer.to_owned()).or_insert_with(|| Arc::new(validator(pointer))))
    };
    let fault = validator.iter_errors(value).next()?;
    Some(format!("{fault} at `{}`", fault.instance_path))
}

fn validator(pointer: &str) -> Validator {
    let schema = DOCUMENT.pointer(&pointer[1..]).expect("looked for before");
    let root = json!({ "allOf": [schema], "components": DOCUMENT["components"] });
    jsonschema::draft202012::options().should_validate_formats(true).build(&root).expect("a schema")
}

fn escaped(path: &str) -> String {
    path.replace('~', "~0").replace('/', "~1")
}

/// The id of the operation that a request is for.
#[allow(dead_code, reason = "not every test that uses this asks for it")]
pub(crate) fn id(method: &str, target: &str) -> Option<&'static str> {
    operation(method, target)?.1["operationId"].as_str()
}

/// The described operation that a request is for: of several that fit, the one with most words.
fn operation(method: &str, target: &str) -> Option<(&'static str, &'static Value)> {
    let asked: Vec<&str> = target.split('?').next()?.split('/').collect();
    let fits = |path: &&String| {
        let parts: Vec<&str> = path.split('/').collect();
        parts.len() == asked.len()
            && parts.iter().zip(&asked).all(|(part, asked)| part.starts_with('{') || part == asked)
    };
    let paths = DOCUMENT["paths"].as_object()?;
    let path = paths.keys().filter(fits).min_by_key(|path| path.matches('{').count())?;
    Some((path, paths[path].get(method.to_lowercase())?))
}
