//! What the description of the API says of an answer, and of an event: whether the status is one of the request's, and the body or
//! frame as described.
//!
//! Invariant: a body may hold more than is described, never less and nothing of another type. Absent on purpose: what a
//! particular request must be answered, and when an event is due, which stories and laws say.

use jsonschema::Validator;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Faults of one answer that are reported.
const MOST_FAULTS: usize = 4;

static DOCUMENT: LazyLock<Json> = LazyLock::new(sandbox::openapi_for_validators);

/// An operation as the description has it.
struct Operation {
    method: String,
    path: Vec<String>,
    written: String,
    chapter: String,
}

static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(|| {
    let paths = DOCUMENT.get("paths").and_then(Json::as_object).into_iter().flatten();
    let of_path = |(written, item): (&String, &'static Json)| {
        let operations = item.as_object().into_iter().flatten();
        let operations = operations.filter(|(_, operation)| operation.get("responses").is_some());
        let written = written.clone();
        operations.map(move |(method, operation)| Operation {
            method: method.to_uppercase(),
            path: written.split('/').map(str::to_owned).collect(),
            written: written.clone(),
            chapter: operation.pointer("/tags/0").and_then(Json::as_str).unwrap_or_default().to_owned(),
        })
    };
    paths.flat_map(of_path).collect()
});

/// The chapters of the API, in its order: those of partners first, then levers and machinery.
#[must_use]
pub fn chapters() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        let tags = DOCUMENT.get("tags").and_then(Json::as_array).into_iter().flatten();
        tags.filter_map(|tag| tag.get("name").and_then(Json::as_str)).collect()
    });
    &NAMES
}

/// The operation that a request is, and the most exact one where several fit: `/order/withdrawal` is no order's id.
fn operation(method: &str, path: &str) -> Option<(usize, &'static Operation)> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let parts: Vec<&str> = path.split('/').collect();
    let fits = |known: &Operation| {
        let alike = |(part, known): (&&str, &String)| known == part || (known.starts_with('{') && !part.is_empty());
        known.method == method && known.path.len() == parts.len() && parts.iter().zip(&known.path).all(alike)
    };
    let exact = |known: &Operation| known.path.iter().filter(|part| !part.starts_with('{')).count();
    OPERATIONS.iter().enumerate().filter(|(_, known)| fits(known)).max_by_key(|(_, known)| exact(known))
}

/// The chapter that a request belongs to.
#[must_use]
pub fn chapter_of_request(method: &str, path: &str) -> Option<&'static str> {
    operation(method, path).map(|(_, known)| known.chapter.as_str())
}

/// What is wrong with an answer by the description, each with its place in the body; nothing about what is not described.
#[must_use]
pub fn wrong_with(method: &str, path: &str, status: u16, body: &Json) -> Vec<(String, String)> {
    let Some((at, known)) = operation(method, path) else { return Vec::new() };
    let Some(schema) = schema(known, status) else {
        let expected = format!("one of the statuses of {method} {}", known.written);
        return vec![("status".to_owned(), expected)];
    };
    let Some(schema) = schema else { return Vec::new() };
    match validator(at, status, schema) {
        Ok(validator) => faults(&validator, "body", body),
        Err(why) => vec![("description".to_owned(), why)],
    }
}

fn faults(validator: &Validator, root: &str, value: &Json) -> Vec<(String, String)> {
    let place = |path: String| format!("{root}{}", path.replace('/', "."));
    let errors = validator.iter_errors(value).take(MOST_FAULTS);
    errors.map(|error| (place(error.instance_path.to_string()), error.to_string())).collect()
}

/// What is wrong with a frame of an event socket by the description, each with its place; nothing about a type that is not described.
#[must_use]
pub fn wrong_with_event(frame: &Json) -> Vec<(String, String)> {
    static EVENTS: LazyLock<Json> = LazyLock::new(|| serde_json::from_str(sandbox::asyncapi()).unwrap_or_default());
    static MADE: LazyLock<Mutex<BTreeMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);
    let Some(kind) = frame.get("eventType").and_then(Json::as_str) else {
        return vec![("eventType".to_owned(), "a text that names the type of event".to_owned())];
    };
    let Some(schema) = EVENTS.pointer(&format!("/components/messages/{kind}/payload")) else { return Vec::new() };
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let validator = match made.get(kind) {
        Some(known) => Ok(known.clone()),
        None => compiled(schema, &DOCUMENT).map(|new| made.entry(kind.to_owned()).or_insert(new).clone()),
    };
    match validator {
        Ok(validator) => faults(&validator, kind, frame),
        Err(why) => vec![("description".to_owned(), why)],
    }
}

fn compiled(schema: &Json, document: &Json) -> Result<Arc<Validator>, String> {
    let components = document.get("components").cloned().unwrap_or_default();
    let whole = json!({ "allOf": [schema], "components": components });
    let options = jsonschema::draft202012::options().should_validate_formats(true);
    options.build(&whole).map(Arc::new).map_err(|error| error.to_string())
}

/// The schema of an answer's body, where it has one; `None` for a status that is not described.
#[allow(clippy::option_option, reason = "an answer that is not described and one without a body are different things")]
fn schema(known: &Operation, status: u16) -> Option<Option<&'static Json>> {
    let place = format!(
        "/paths/{}/{}/responses",
        known.written.replace('~', "~0").replace('/', "~1"),
        known.method.to_lowercase()
    );
    let mut response = DOCUMENT.pointer(&place)?.get(status.to_string())?;
    if let Some(place) = response.get("$ref").and_then(Json::as_str) {
        response = DOCUMENT.pointer(place.trim_start_matches('#'))?;
    }
    Some(response.pointer("/content/application~1json/schema"))
}

type Validators = BTreeMap<(usize, u16), Arc<Validator>>;

/// Made when it is first needed: most answers are never met.
fn validator(at: usize, status: u16, schema: &Json) -> Result<Arc<Validator>, String> {
    static MADE: LazyLock<Mutex<Validators>> = LazyLock::new(Mutex::default);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = made.get(&(at, status)) {
        return Ok(known.clone());
    }
    let new = compiled(schema, &DOCUMENT)?;
    Ok(made.entry((at, status)).or_insert(new).clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_held_to_the_description_of_its_request() {
        let client = "/v2/partner/client/6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01";
        let order =
            |body: Json| wrong_with("GET", &format!("{client}/order/1fd26721-7785-4693-b507-7154ea42c430"), 200, &body);
        let good = json!({
            "id": "1fd26721-7785-4693-b507-7154ea42c430", "sortedId": "01KJPNHFC01P3WRAY76MXSC6T2", "orderType": "subscription",
            "status": "received", "account": "0f4933e4-358a-4b99-b39c-1681696fa3e3",
            "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01", "instrument": "SE0SBX000016SEK", "amount": 500.0,
            "createdDate": "2026-03-02T07:00:00.000Z", "modifiedDate": "2026-03-02T07:00:00.000Z", "more": true
        });
        assert_eq!(order(good.clone()), []);
        let with = |key: &str, value: Json| {
            let mut body = good.clone();
            body[key] = value;
            order(body).into_iter().map(|(place, _)| place).collect::<Vec<_>>()
        };
        assert_eq!(with("amount", json!("500")), ["body.amount"]);
        assert_eq!(with("status", json!("done")), ["body.status"]);
        assert_eq!(with("createdDate", Json::Null), ["body.createdDate"]);
        assert_eq!(wrong_with("GET", "/ping", 418, &json!({})).len(), 1);
        assert_eq!(wrong_with("GET", "/nothing/like/this", 418, &json!({})), []);
        assert!(!wrong_with("GET", &format!("{client}/order"), 401, &json!({ "message": "no" })).is_empty());
    }

    #[test]
    fn a_frame_is_held_to_the_description_of_its_event() {
        let order = json!({
            "id": "1fd26721-7785-4693-b507-7154ea42c430", "sortedId": "01KJPNHFC01P3WRAY76MXSC6T2", "orderType": "subscription",
            "status": "received", "account": "0f4933e4-358a-4b99-b39c-1681696fa3e3",
            "clientId": "6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01", "instrument": "SE0SBX000016SEK", "amount": 500.0,
            "createdDate": "2026-03-02T07:00:00.000Z", "modifiedDate": "2026-03-02T07:00:00.000Z"
        });
        let frame = json!({
            "eventType": "order.create", "eventId": "63cfbf59-fe80-51a9-9496-d2ab69041942", "payload": { "current": order }
        });
        assert_eq!(wrong_with_event(&frame), []);
        assert_eq!(wrong_with_event(&json!({ "eventType": "heartbeat" })), []);
        assert_eq!(wrong_with_event(&json!({ "eventType": "something.else" })), []);
        let with = |place: &str, value: Json| {
            let mut frame = frame.clone();
            *frame.pointer_mut(place).expect("a place") = value;
            wrong_with_event(&frame).into_iter().map(|(place, _)| place).collect::<Vec<_>>()
        };
        assert_eq!(with("/eventId", json!("x12")), ["order.create.eventId"]);
        assert_eq!(with("/eventType", Json::Null), ["eventType"]);
        assert_eq!(with("/payload/current/createdDate", json!(12)), ["order.create.payload.current.createdDate"]);
        assert_eq!(with("/payload", json!({})), ["order.create.payload"]);
    }

    #[test]
    fn every_request_of_the_partner_api_belongs_to_a_chapter() {
        for (method, path, chapter) in [
            ("POST", "/v2/partner/client/x/order", "Orders"),
            ("POST", "/v2/partner/client/x/order/withdrawal", "Orders"),
            ("GET", "/v2/partner/client/x/account/y?z=1", "Accounts"),
            ("POST", "/_sandbox/worlds/current/clock/advance", "Machinery: clock"),
        ] {
            assert_eq!(chapter_of_request(method, path), Some(chapter), "{method} {path}");
        }
        assert!(OPERATIONS.iter().all(|known| chapters().contains(&known.chapter.as_str())));
    }
}
