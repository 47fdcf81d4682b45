//! `fundsim fuzz`: where seeds begin, and what an interrupted run reports.

use super::{called, command, fundsim};
use serde_json::Value as Json;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

fn json(text: &str) -> Json {
    serde_json::from_str(text.lines().last().unwrap_or_default()).expect("JSON")
}

#[test]
fn seeds_begin_at_the_given_number_and_a_night_has_its_own() {
    let fuzz = |more: &[&str]| fundsim(&[&["fuzz", "--steps", "20", "--output", "json"], more].concat());
    let output = fuzz(&["--for", "1s", "--seeds", "5000.."]);
    assert_eq!((output.code, json(&output.out)["firstSeed"].as_u64()), (0, Some(5_000)), "{}", output.err);
    let output = fuzz(&["--for", "1s", "--nightly"]);
    let first = json(&output.out)["firstSeed"].as_u64().expect("a seed");
    assert!(output.code == 0 && output.err.contains(&format!("first seed {first}\n")), "{}", output.err);
    assert!(first > 200_000_000_000 && first.is_multiple_of(10_000_000), "{first} is of no day");
    for (arguments, why) in [
        (&["--for", "1s", "--seeds", "1..5"][..], "--seeds 1.."),
        (&["--nightly", "--seeds", "1.."], "--seeds"),
        (&["--seeds", "..5"], "is not a seed"),
        (&["--for", "soon"], "is not a duration"),
    ] {
        let output = fuzz(arguments);
        assert!(output.code == 2 && output.err.contains(why), "{}", output.err);
    }
}

#[test]
fn an_interrupted_batch_reports_all_that_it_has() {
    let mut fuzz = command(&["fuzz", "--steps", "20", "--for", "1h", "--nightly", "--output", "json"]);
    let mut child = fuzz.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut output = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    // Signals are listened to before the first seed is printed.
    output.read_line(&mut line).expect("a line");
    assert!(line.starts_with("first seed"), "{line}");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill is there").success());
    line.clear();
    output.read_line(&mut line).expect("a line");
    assert!(line.starts_with("interrupted"), "{line}");
    let ended = called(child.wait_with_output().expect("it ends"));
    assert_eq!(ended.code, 130, "{}", ended.out);
    let batch = json(&ended.out);
    assert!(
        batch["seeds"].as_u64().is_some() && batch["digest"].is_string() && batch["coverage"].is_object(),
        "{batch}"
    );
}
