//! What the stories were answered, against the description of the API.

mod conversation;

use crate::conformance::{self, Exchange};
use crate::scenarios::stories;
use language::ast::Scenario;
use runner::drivers::Choice;
use runner::transcript::Exchanges;
use runner::{play, suite};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

/// Method, path, what was sent, status, and what was answered.
type Line = (String, String, Option<Json>, u16, Option<Json>);

/// What was exchanged in a story: requests with their answers, and events with the resources that they carry.
#[derive(Default)]
struct Played {
    title: String,
    exchanges: Vec<Line>,
    events: Vec<(String, Json)>,
}

impl Played {
    fn add(&mut self, exchanges: &Exchanges) {
        // What customers ask for in their browsers is no part of the API.
        for it in exchanges.requests.iter().filter(|it| it.who.is_empty()) {
            let Some(status) = it.status else { continue };
            self.exchanges.push((it.method.clone(), it.path.clone(), whole(&it.sent), status, whole(&it.answer)));
        }
        for frame in exchanges.events.iter().filter_map(|frame| whole(frame)) {
            let kind = frame["eventType"].as_str().unwrap_or_default();
            let state = if kind.ends_with(".delete") { "previous" } else { "current" };
            if let Some(resource) = frame["payload"].get(state) {
                self.events.push((kind.to_owned(), resource.clone()));
            }
        }
    }
}

/// Every story, played once for all tests.
static STORIES: LazyLock<Vec<Played>> = LazyLock::new(|| {
    let (stories, _) = suite::load(&stories());
    stories.iter().map(|story| played(&story.scenario)).collect()
});

fn played(story: &Scenario) -> Played {
    let driver = if story.needs_simulated_network() { Choice::Turmoil } else { Choice::InProcess };
    let mut played = Played { title: story.title.clone(), ..Played::default() };
    for run in play(story, &driver, story.seed(), runner::Extras::default()).expect("it is played") {
        played.add(&run.exchanges);
    }
    played
}

/// What replaces values that are masked because every run has others, where only its form says something.
const MASKS: [(&str, &str); 4] = [
    ("{url}", "http://127.0.0.1:8080"),
    ("{receiver}", "http://127.0.0.1:9090"),
    ("{journey token}", "Zt3Wb8nQxKc5VyRj7LdMf2HsPg9TaEu4XoCi6BkNwJmSvDqYrA"),
    ("{world}", "world-1"),
];

/// A body, unless something else in it is masked.
fn whole(text: &str) -> Option<Json> {
    let filled = MASKS.iter().fold(text.to_owned(), |text, (mask, value)| text.replace(mask, value));
    let text = Some(filled).filter(|text| !text.contains("\"{"))?;
    serde_json::from_str(&text).ok().filter(|value: &Json| value.is_object() || value.is_array())
}

#[test]
fn every_answer_in_every_story_is_as_described_and_so_is_every_request_that_was_accepted() {
    let (mut faults, mut seen) = (BTreeSet::new(), 0);
    for played in &*STORIES {
        for (method, path, request, status, answer) in &played.exchanges {
            let (request, answer, status) = (request.as_ref(), answer.as_ref(), *status);
            let exchange = Exchange { method, path, request, status, answer };
            faults.extend(exchange.fault());
            seen += usize::from(answer.is_some());
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.into_iter().collect::<Vec<_>>().join("\n"));
    assert!(seen > 600, "only {seen} answers were looked at");
}

#[test]
fn every_event_in_every_story_carries_the_described_resource() {
    let mut seen = 0;
    for played in &*STORIES {
        for (event, body) in &played.events {
            let state = if event.ends_with(".delete") { "previous" } else { "current" };
            let pointer =
                format!("#/webhooks/{event}/post/requestBody/content/application~1json/schema/properties/{state}");
            assert_eq!(conformance::refused(&pointer, body), None, "{event} in {}", played.title);
            seen += 1;
        }
    }
    assert!(seen > 1_000, "only {seen} events were looked at");
}

/// An answer that is longer is no example.
const LONGEST: usize = 4_000;

/// Operations without an example, and why.
const WITHOUT: [(&str, &str); 16] = [
    ("bringSnapshotFile", "the file of a world is long"),
    ("drawAccount", "it answers a picture"),
    ("drawPicture", "it answers a picture"),
    ("listSockets", "sockets open and close in transport time, which no two runs share"),
    ("readAgreement", "it answers a document"),
    ("readSnapshotFile", "the file of a world is long"),
    ("readScenario", "it answers a file of another language"),
    ("readDelivery", "a delivery depends on a receiver"),
    ("readCapsule", "all inputs of a world are long"),
    ("readCoverage", "all that there is to be met is long"),
    ("readMetrics", "it answers figures of the process, which no two runs share"),
    ("readDeliveryMessage", "a delivery depends on a receiver"),
    ("replayDelivery", "a delivery depends on a receiver"),
    ("subscribe", "it becomes a socket"),
    ("watchWorld", "it goes on"),
    ("testWebhook", "what is queued is due at a moment of transport time, which no two runs share"),
];

/// One accepted exchange of each operation: the first in the stories, and then in the conversation, whose answer is not empty
/// and not too long.
fn examples() -> Json {
    let mut found = serde_json::Map::new();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let talked = runtime.block_on(conversation::held());
    for exchanges in STORIES.iter().map(|played| &played.exchanges).chain([&talked]) {
        for (method, path, request, status, answer) in exchanges {
            let Some(answer) = answer.as_ref().filter(|answer| **answer != serde_json::json!([])) else { continue };
            let Some(id) = conformance::id(method, path) else { continue };
            if (200..300).contains(status) && answer.to_string().len() <= LONGEST && !found.contains_key(id) {
                let mut example = serde_json::json!({ "request": request, "status": status, "answer": answer });
                no_time_passes(&mut example);
                found.insert(id.to_owned(), example);
            }
        }
    }
    found.sort_keys();
    found.into()
}

/// How long a request took is real time, which no two runs share: an example says 0.
fn no_time_passes(value: &mut Json) {
    match value {
        Json::Object(fields) => fields.iter_mut().for_each(|(name, value)| match name.as_str() {
            "milliseconds" => *value = 0.into(),
            _ => no_time_passes(value),
        }),
        Json::Array(values) => values.iter_mut().for_each(no_time_passes),
        _ => {}
    }
}

/// `FUNDSIM_TEST_BLESS=1` writes them down anew.
#[test]
fn every_example_of_the_description_is_an_exchange_of_a_story() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("sandbox/surface/src/openapi/examples.json");
    let text = format!("{:#}\n", examples());
    if std::env::var_os("FUNDSIM_TEST_BLESS").is_some() {
        std::fs::write(&file, &text).expect("a file");
    }
    let written = std::fs::read_to_string(&file).expect("the examples");
    assert!(written == text, "examples.json is not what the stories tell; FUNDSIM_TEST_BLESS=1 writes it anew");
    let document: Json = serde_json::from_str(sandbox::openapi()).expect("JSON");
    let operations = document["paths"].as_object().into_iter().flat_map(|paths| paths.values()).flat_map(|item| {
        item.as_object().into_iter().flat_map(|item| item.values()).filter_map(|one| one["operationId"].as_str())
    });
    let examples = examples();
    let without: BTreeSet<&str> = operations.filter(|id| examples.get(id).is_none()).collect();
    assert_eq!(
        without,
        WITHOUT.iter().map(|(id, _)| *id).collect(),
        "operations without an example, and without a reason"
    );
}

#[test]
fn an_exchange_that_is_otherwise_than_described_is_found_out() {
    let order = "/v2/partner/client/6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01/order";
    let fault = |status, answer: Json| {
        Exchange { method: "POST", path: order, request: None, status, answer: Some(&answer) }
            .fault()
            .unwrap_or_default()
    };
    let error = serde_json::json!({ "error": "invalid_request", "error_description": "amount is required" });
    assert_eq!(fault(400, error.clone()), "");
    assert!(fault(418, error.clone()).contains("no such status"), "{}", fault(418, error.clone()));
    assert!(fault(200, error).contains("is a required property"));
}
