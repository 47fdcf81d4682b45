//! Documents that the program makes from its own tables.

use super::fundsim;
use serde_json::Value as Json;
use std::fmt::Debug;

fn lines(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().map(|line| line.split_whitespace().collect())
}

#[test]
fn explain_names_its_topics_and_each_has_a_text() {
    let topics = fundsim(&["explain"]);
    let names: Vec<_> = topics
        .out
        .lines()
        .filter(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.len() >= 10, "{}", topics.out);
    for name in names {
        let told = fundsim(&["explain", name]);
        assert_eq!(told.code, 0, "{name}");
        assert!(told.out.lines().count() >= 3, "{name}: {}", told.out);
    }
}

/// Checks that `topic` prints every row of `table`.
fn prints<S: Debug, T: Debug, E: Debug>(topic: &str, table: &[(S, T, S, E)]) {
    let told = fundsim(&["explain", topic]).out;
    for (from, on, to, effect) in table {
        let row = [format!("{from:?}"), format!("{on:?}"), format!("{to:?}"), format!("{effect:?}")];
        assert!(lines(&told).any(|line| line == row), "{row:?} is missing in\n{told}");
    }
}

#[test]
fn explain_prints_every_row_of_every_machine() {
    use sim::machines::{account, bank_account, journey, mandate, order, transfer};
    prints("orders", order::TABLE);
    prints("accounts", account::TABLE);
    prints("journeys", journey::TABLE);
    prints("mandates", mandate::TABLE);
    prints("bank-accounts", bank_account::TABLE);
    prints("transfers", transfer::TABLE);
    prints("deliveries", sandbox::hosting::deliveries::machine::TABLE);
}

#[test]
fn explain_settings_spells_names_as_setups_take_them() {
    let told = fundsim(&["explain", "settings"]).out;
    let rows: Vec<_> = lines(&told).skip(1).take_while(|line| !line.is_empty()).collect();
    assert!(rows.len() >= 8, "{told}");
    for row in rows {
        let value = serde_json::from_str(row[1]).unwrap_or(Json::Null);
        let setup = serde_json::json!({ "settings": { row[0]: value } });
        let read = sandbox::hosting::setup::parse(&setup);
        assert!(read.is_ok(), "{row:?}: {:?}", read.err());
    }
}

#[test]
fn the_openapi_document_is_of_version_3_1_and_lists_every_public_route() {
    let document: Json = serde_json::from_str(&fundsim(&["openapi"]).out).expect("JSON");
    assert_eq!(document["openapi"].as_str(), Some("3.1.2"));
    for (method, path) in sandbox::planes::router::ROUTES.iter().filter(|(_, path)| path.starts_with("/v2")) {
        assert!(document["paths"][*path][*method].is_object(), "{method} {path}");
    }
}

#[test]
fn completions_exist_for_the_common_shells() {
    for shell in ["bash", "zsh", "fish"] {
        let script = fundsim(&["completions", shell]);
        assert!(script.code == 0 && script.out.contains("public-url"), "{shell}");
    }
}

#[test]
fn the_json_schema_takes_every_story_and_refuses_slips() {
    let schema: Json = serde_json::from_str(&fundsim(&["schema"]).out).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a valid schema");
    for story in crate::scenarios::stories() {
        let value = scenarios::parse::load_value(&story).expect("well formed");
        if let Err(error) = validator.validate(&value) {
            panic!("{}: {error} at {}", story.display(), error.instance_path);
        }
    }
    let slips = [
        "scenario: x\nstep: []",
        "steps: []",
        "scenario: x\nsteps: [{ expect evnt: a }]",
        "scenario: x\nsteps: [{ call: 5 }]",
        "scenario: x\nsteps: [{ call: GET /x, expect: { statis: 1 } }]",
        "scenario: x\nworld: { sed: 1 }\nsteps: []",
        "scenario: x\nsteps: [happily ever after]",
    ];
    for slip in slips {
        let file = super::folder("schema").join("slip.yaml");
        std::fs::write(&file, slip).expect("a file can be written");
        let value = scenarios::parse::load_value(&file).expect("well formed");
        assert!(!validator.is_valid(&value), "{slip}");
    }
}
