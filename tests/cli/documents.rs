//! Documents that the program makes from its own tables.

use super::fundsim;
use serde_json::Value as Json;
use std::path::Path;

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
        let output = fundsim(&["explain", name]);
        assert_eq!(output.code, 0, "{name}");
        assert!(output.out.lines().count() >= 3, "{name}: {}", output.out);
    }
}

#[test]
fn explain_prints_every_row_of_every_machine() {
    for machine in sandbox::machines() {
        let output = fundsim(&["explain", machine.topic()]).out;
        for row in machine.rows() {
            assert!(lines(&output).any(|line| line == row), "{row:?} is missing in\n{output}");
        }
    }
}

#[test]
fn explain_settings_spells_names_as_setups_take_them() {
    let output = fundsim(&["explain", "settings"]).out;
    let tables =
        output.split("setting ").skip(1).map(|table| table.lines().skip(1).take_while(|line| !line.is_empty()));
    let rows: Vec<Vec<&str>> = tables.flatten().map(|line| line.split_whitespace().collect()).collect();
    assert!(rows.len() >= 30 && rows.iter().any(|row| row[0] == "heartbeatSeconds"), "{output}");
    for row in rows {
        let value = serde_json::from_str(row[1]).unwrap_or(Json::Null);
        let setup = serde_json::json!({ "settings": { row[0]: value } });
        let read = hosting::setup::parse(&setup);
        assert!(read.is_ok(), "{row:?}: {:?}", read.err());
    }
}

#[test]
fn the_openapi_document_is_of_version_3_1_and_lists_every_public_route() {
    let document: Json = serde_json::from_str(&fundsim(&["openapi"]).out).expect("JSON");
    assert_eq!(document["openapi"].as_str(), Some("3.1.2"));
    for row in sandbox::rows().filter(|row| row.path.starts_with("/v2")) {
        let method = row.method.as_str().to_lowercase();
        assert!(document["paths"][row.path][&method].is_object(), "{method} {}", row.path);
    }
}

#[test]
fn one_plane_is_described_by_itself() {
    for plane in sandbox::Plane::ALL {
        let output = fundsim(&["openapi", "--plane", plane.name()]);
        assert_eq!(output.out.trim_end(), sandbox::openapi_of(plane), "{}", plane.name());
    }
    assert_eq!(fundsim(&["openapi", "--plane", "operator"]).code, 2);
}

/// (rule: journeys/configuration-fields)
#[test]
fn explain_names_the_fields_that_each_type_of_journey_takes() {
    use sim::records::{FIELDS, JourneyType, Presence};
    for (column, kind) in JourneyType::ALL.iter().enumerate() {
        let output = fundsim(&["explain", kind.name()]).out;
        let shape = output.split("\n\n").nth(1).expect("its own shape");
        for (field, presence, _) in FIELDS {
            let line = shape
                .lines()
                .find(|line| line.starts_with(&format!("  {field}:")) || line.starts_with(&format!("  {field},")));
            let (is_listed, is_required) = (line.is_some(), line.is_some_and(|line| line.contains(", required:")));
            let expected = (presence[column] != Presence::Refused, presence[column] == Presence::Required);
            assert_eq!((is_listed, is_required), expected, "{field} of {}:\n{output}", kind.name());
        }
    }
}

#[test]
fn completions_exist_for_the_common_shells() {
    for shell in ["bash", "zsh", "fish"] {
        let script = fundsim(&["completions", shell]);
        assert!(
            script.code == 0 && script.out.contains(&format!("COMPLETE=\"{shell}\"")) || shell == "fish",
            "{shell}"
        );
        let completed = |line: &[&str]| {
            let mut asked = super::command(&[&["--"], line].concat());
            asked
                .env("COMPLETE", shell)
                .env("_CLAP_COMPLETE_INDEX", (line.len() - 1).to_string())
                .env("_CLAP_IFS", "\n");
            super::called(asked.output().expect("it starts")).out
        };
        assert!(completed(&["fundsim", "serve", "--public"]).contains("--public-url"), "{shell}");
        assert!(completed(&["fundsim", "trigger", "open-a"]).starts_with("open-account"), "{shell}");
        assert!(completed(&["fundsim", "trigger", "subscribe", "am"]).starts_with("amount="), "{shell}");
        assert!(completed(&["fundsim", "trigger", "open-account", "type=in"]).contains("insurance"), "{shell}");
    }
    let zsh = fundsim(&["completions", "zsh"]).out;
    assert!(
        zsh.contains("keys=()") && zsh.contains("keys+=") && zsh.contains("keys -S ''"),
        "a key has no blank: {zsh}"
    );
}

#[test]
fn the_manual_page_has_the_commands_within_commands() {
    let page = fundsim(&["man"]).out;
    for name in ["fundsim worlds", "fundsim worlds fork", "fundsim clock until", "fundsim data check"] {
        assert!(page.contains(&format!(".SH \"{name}\"")), "{name}");
    }
}

#[test]
fn the_json_schema_takes_every_story_and_refuses_slips() {
    let schema: Json = serde_json::from_str(&fundsim(&["schema"]).out).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a valid schema");
    for story in crate::scenarios::stories() {
        let value = language::parse::load_value(&story).expect("well formed");
        if let Err(error) = validator.validate(&value) {
            panic!("{}: {error} at {}", story.display(), error.instance_path);
        }
    }
    let slips = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schema/slips.yaml");
    let slips = language::parse::load_value(&slips).expect("well formed");
    let rows = |key: &str| slips[key].as_array().cloned().unwrap_or_default();
    let whole = |step: &Json| serde_json::json!({ "scenario": "One step", "steps": [step] });
    let steps = rows("steps").into_iter().map(|row| (whole(&row["wrong"]), whole(&row["right"])));
    let files = rows("files").into_iter().map(|row| (row["wrong"].clone(), row["right"].clone()));
    let rows: Vec<_> = steps.chain(files).collect();
    assert!(rows.len() >= 60, "only {} slips", rows.len());
    for (wrong, right) in rows {
        assert!(!validator.is_valid(&wrong), "taken: {wrong}");
        assert!(validator.is_valid(&right), "refused: {right}");
    }
}

/// A path whose names are left out.
fn nameless(path: &str) -> String {
    let pieces = path.split('/').map(|piece| if piece.starts_with('{') { "{}" } else { piece });
    pieces.collect::<Vec<_>>().join("/")
}

#[test]
fn every_lever_has_a_word_in_the_language() {
    let words: Vec<_> = language::words::STEPS.iter().filter_map(language::words::Word::sends).collect();
    let levers = sandbox::rows().filter(|row| row.path.starts_with("/simulations"));
    for surface::route::Route { method, path, .. } in levers.filter(|row| row.method == "POST") {
        let is_sent = words.iter().any(|sends| sends.method == "POST" && nameless(sends.path) == nameless(path));
        assert!(is_sent, "no word says {method} {path}");
    }
}

/// (rule: auth/demo-partners)
#[test]
fn the_demo_world_printed_as_a_file_is_the_demo_world_and_fits_its_schema() {
    let file = super::folder("a-setup").join("world.yaml");
    std::fs::write(&file, fundsim(&["setup"]).out).expect("a file");
    let printed = language::parse::load_value(&file).expect("YAML");
    let read = hosting::setup::parse(&printed).expect("a setup");
    assert_eq!(read, hosting::setup::WorldSetup::default());
    let schema: Json = serde_json::from_str(&fundsim(&["schema", "setup"]).out).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a valid schema");
    assert!(
        validator.is_valid(&printed),
        "{:?}",
        validator.iter_errors(&printed).next().map(|error| error.to_string())
    );
}

#[test]
fn the_built_in_history_printed_as_a_file_fits_the_schema_and_makes_a_world_of_1000_accounts() {
    let file = super::folder("a-history").join("world.yaml");
    std::fs::write(&file, fundsim(&["setup", "history"]).out).expect("a file");
    let printed = language::parse::load_value(&file).expect("YAML");
    let schema: Json = serde_json::from_str(&fundsim(&["schema", "setup"]).out).expect("JSON");
    let problems: Vec<String> = jsonschema::draft202012::new(&schema)
        .expect("a schema")
        .iter_errors(&printed)
        .map(|error| error.to_string())
        .collect();
    assert_eq!(problems, [""; 0]);
    let setup = hosting::setup::parse(&printed).expect("a setup").world;
    let start = sim::time::Instant::parse("2026-09-01T08:00:00+02:00").expect("an instant");
    let world = sim::World::new(&setup, sim::rng::Seed(7), start).expect("a world");
    assert_eq!(sim::query::every_account(&world).count(), 1_000);
}

#[test]
fn the_schema_of_setups_refuses_what_their_reader_refuses() {
    let schema: Json = serde_json::from_str(&fundsim(&["schema", "setup"]).out).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a valid schema");
    let client = |more: Json| {
        let mut client = serde_json::json!({ "name": "Provbolaget AB", "crn": "5599900007" });
        client.as_object_mut().expect("a map").extend(more.as_object().cloned().unwrap_or_default());
        serde_json::json!({ "partners": [{ "name": "Provpartnern", "clients": [client] }] })
    };
    let account = |more: Json| {
        let mut account = serde_json::json!({ "accountType": "isk" });
        account.as_object_mut().expect("a map").extend(more.as_object().cloned().unwrap_or_default());
        client(serde_json::json!({ "accounts": [account] }))
    };
    let fund = |more: Json| {
        let mut fund = serde_json::json!({ "id": "SE0SBX000016SEK", "name": "Provfonden", "firstPrice": 100 });
        fund.as_object_mut().expect("a map").extend(more.as_object().cloned().unwrap_or_default());
        serde_json::json!({ "instruments": [fund] })
    };
    let person =
        serde_json::json!({ "ownerType": "natural_person", "firstName": "A", "lastName": "B", "ssn": "199001012385" });
    for right in [
        serde_json::json!({}),
        client(
            serde_json::json!({ "universe": ["SE0SBX000016SEK"], "clientFee": { "basisPoints": 10, "mode": "calculated" } }),
        ),
        account(
            serde_json::json!({ "owner": person, "positions": [{ "instrument": "SE0SBX000016SEK", "units": 1.5 }] }),
        ),
        fund(serde_json::json!({ "cutOffTime": "15:30", "dealing": { "weekly": 3 }, "calendars": ["US"] })),
        fund(serde_json::json!({ "dealing": "daily" })),
        serde_json::json!({ "history": { "accounts": 5_000, "days": 1 } }),
    ] {
        assert!(validator.is_valid(&right), "refused: {right}");
        assert!(hosting::setup::parse(&right).is_ok(), "the reader refuses {right}");
    }
    for wrong in [
        serde_json::json!([]),
        serde_json::json!({ "partner": [] }),
        serde_json::json!({ "settings": { "holdAbov": 1 } }),
        serde_json::json!({ "settings": { "kycYears": 1.5 } }),
        serde_json::json!({ "rates": [{ "currency": "EUR" }] }),
        serde_json::json!({ "history": { "accounts": 1_000_001, "days": 1 } }),
        serde_json::json!({ "history": { "accounts": 10 } }),
        client(serde_json::json!({ "crn": 5_599_900_007_u64 })),
        client(serde_json::json!({ "clientFee": { "basisPoints": 10_001, "mode": "calculated" } })),
        client(serde_json::json!({ "permissions": { "journeyTypes": ["openAccount"] } })),
        account(serde_json::json!({ "accountType": "isa" })),
        account(serde_json::json!({ "owner": { "firstName": "A", "lastName": "B", "ssn": "199001012385" } })),
        account(serde_json::json!({ "positions": [{ "fund": "SE0SBX000016SEK", "units": 1 }] })),
        account(serde_json::json!({ "bankAccounts": [{ "iban": "SE8150000000050000000019", "mandateStatus": "on" }] })),
        fund(serde_json::json!({ "cutOffTime": "9:00" })),
        fund(serde_json::json!({ "dealing": "weekly" })),
        fund(serde_json::json!({ "dealing": { "weekly": 8 } })),
        fund(serde_json::json!({ "calendars": ["SE"] })),
    ] {
        assert!(!validator.is_valid(&wrong), "taken: {wrong}");
        assert!(hosting::setup::parse(&wrong).is_err(), "the reader takes {wrong}");
    }
}

#[test]
fn every_step_every_lever_and_every_setting_is_explained_by_its_name() {
    let words = language::words::STEPS.iter().map(|word| word.word);
    let levers = sandbox::rows().map(|row| row.path).filter(|path| path.starts_with("/simulations/account"));
    for name in words.chain(levers).chain(["holdAbove", "heartbeatSeconds", "partners.clients.accounts"]) {
        let output = fundsim(&["explain", name]);
        assert_eq!(output.code, 0, "{name}: {}", output.err);
        assert!(output.out.lines().count() >= 2, "{name}: {}", output.out);
    }
    let slip = fundsim(&["explain", "open acount"]);
    assert_eq!((slip.code, slip.out.as_str()), (2, ""));
    assert!(slip.err.contains("did you mean `open account`?"), "{}", slip.err);
}

#[test]
fn the_manual_page_has_every_job_and_every_flag() {
    let page = fundsim(&["man"]).out;
    for part in [".TH fundsim 1", ".SH \"fundsim serve\"", "\\-\\-public\\-url", ".SH \"fundsim fuzz\"", "\\-\\-seeds"]
    {
        assert!(page.contains(part), "{part} is missing");
    }
}
