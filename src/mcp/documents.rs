//! Documents that an assistant can read: the description of the API, the rules, the schemas.
//!
//! Invariant: they are of this program, not of the server, and whole. Absent on purpose: what a world holds, which tools read.

use hosting::setup;
use sandbox::Plane;

/// One document.
pub(super) struct Document {
    /// Its address within the protocol.
    pub(super) uri: String,
    /// Its name within its kind.
    pub(super) name: &'static str,
    /// What it is, in one line.
    pub(super) about: String,
    /// Its media type.
    pub(super) kind: &'static str,
    /// Its text, by its name.
    pub(super) text: fn(&str) -> String,
}

const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";

/// Every document.
pub(super) fn all() -> impl Iterator<Item = Document> {
    let first = [
        of("fundsim://llms.txt", "llms.txt", "Where everything is: read this first", "text/plain", |_| {
            sandbox::llms().to_owned()
        }),
        of("fundsim://openapi", "openapi", "All operations as OpenAPI 3.1; about a megabyte", JSON, |_| {
            sandbox::openapi().to_owned()
        }),
        of("fundsim://asyncapi", "asyncapi", "The event socket and its messages as AsyncAPI 3", JSON, |_| {
            sandbox::asyncapi().to_owned()
        }),
        of(
            "fundsim://schema/scenario",
            "scenario",
            "JSON Schema of scenario files, which `run` and `check` take",
            JSON,
            |_| serde_json::Value::from(language::schema::scenario_file()).to_string(),
        ),
        of("fundsim://schema/setup", "setup", "JSON Schema of setups, which `make_world` takes", JSON, |_| {
            setup::document().to_string()
        }),
    ];
    let planes = Plane::ALL.into_iter().map(|plane| Document {
        uri: format!("fundsim://openapi/{}", plane.name()),
        name: plane.name(),
        about: format!("The operations of the plane `{}` as OpenAPI 3.1", plane.name()),
        kind: JSON,
        text: |name| {
            Plane::ALL.into_iter().find(|plane| plane.name() == name).map_or("", sandbox::openapi_of).to_owned()
        },
    });
    let rules = sandbox::CHAPTERS.iter().map(|(topic, _)| Document {
        uri: format!("fundsim://rules/{topic}"),
        name: topic,
        about: format!("Rules of the service, chapter `{topic}`"),
        kind: MARKDOWN,
        text: |topic| {
            sandbox::CHAPTERS.iter().find(|(known, _)| *known == topic).map_or("", |(_, text)| text).to_owned()
        },
    });
    first.into_iter().chain(planes).chain(rules)
}

fn of(uri: &str, name: &'static str, about: &str, kind: &'static str, text: fn(&str) -> String) -> Document {
    Document { uri: uri.to_owned(), name, about: about.to_owned(), kind, text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_document_has_a_text_and_an_address_of_its_own() {
        let uris: BTreeSet<_> = all().map(|document| document.uri).collect();
        assert_eq!(uris.len(), all().count());
        for document in all() {
            let text = (document.text)(document.name);
            assert!(text.len() > 500, "{} has {} bytes", document.uri, text.len());
            assert!(
                document.kind != JSON || serde_json::from_str::<serde_json::Value>(&text).is_ok(),
                "{}",
                document.uri
            );
        }
    }
}
