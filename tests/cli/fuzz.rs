//! `fundsim fuzz`: where seeds begin, and what an interrupted run reports.

use super::{called, command, folder, fundsim};
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
fn a_kept_run_is_repeated_one_that_ends_in_another_world_fails_and_what_is_no_kept_run_is_refused() {
    let kept = folder("kept runs").join("kept");
    let place = kept.to_str().expect("a path");
    let keeping = fundsim(&["fuzz", "--seeds", "1..3", "--steps", "20", "--keep", place]);
    assert_eq!(keeping.code, 0, "{}", keeping.err);
    let replay = || fundsim(&["replay", place]);
    let output = replay();
    assert!(output.code == 0 && output.out.starts_with("2 runs repeated"), "{}{}", output.out, output.err);
    std::fs::write(kept.join("other.json"), "{}").expect("it is written");
    let output = replay();
    assert_eq!(output.code, 2, "{}", output.out);
    assert!(output.out.contains("it is not a kept run") && output.out.contains("\n2 runs repeated"), "{}", output.out);
    assert!(output.out.ends_with("; 1 could not be read\n"), "{}", output.out);
    let first = kept.join("seed-1.json");
    let mut run: Json = serde_json::from_slice(&std::fs::read(&first).expect("a file")).expect("JSON");
    run["digest"] = "0".repeat(32).into();
    std::fs::write(first, run.to_string()).expect("it is written");
    let output = replay();
    assert_eq!(output.code, 1, "what fails is said before what is no run: {}", output.out);
    assert!(output.out.contains("it ends in") && output.out.contains("; 1 failed"), "{}", output.out);
}

#[test]
fn the_parts_of_a_batch_are_merged_into_what_one_process_says_and_a_missing_one_is_named() {
    // A part makes its folder.
    let parts = folder("parts of a batch").join("parts");
    let place = parts.to_str().expect("a path");
    let fuzz =
        |more: &[&str]| fundsim(&[&["fuzz", "--seeds", "1..12", "--steps", "60", "--output", "json"], more].concat());
    let merge = || fundsim(&["fuzz", "--merge", place, "--output", "json"]);
    for part in ["0/3", "2/3"] {
        assert_eq!(fuzz(&["--shard", part, "--report", place]).code, 0);
    }
    let output = merge();
    assert!(output.code == 2 && output.err.contains("missing: part 1"), "{}", output.err);
    assert_eq!(fuzz(&["--shard", "1/3", "--report", place]).code, 0);
    let (merged, whole) = (json(&merge().out), json(&fuzz(&[]).out));
    for field in [
        "seeds",
        "failed",
        "steps",
        "digest",
        "digestSum",
        "simulatedMs",
        "coverage",
        "commands",
        "refusals",
        "fees",
        "charges",
        "network",
        "broken",
        "unfinished",
        "failures",
    ] {
        assert_eq!(merged[field], whole[field], "{field}");
    }
    // A report of other steps is of another batch.
    assert_eq!(
        fundsim(&["fuzz", "--seeds", "1..3", "--steps", "20", "--report", &format!("{place}/part-7.json")]).code,
        0
    );
    let output = merge();
    assert!(output.code == 2 && output.err.contains("different batches"), "{}", output.err);
}

#[test]
fn a_page_names_what_was_never_met_first() {
    let file = folder("page of a batch").join("batch.html");
    let shown = ["--html", file.to_str().expect("a path"), "--output", "json"];
    let output = fundsim(&[&["fuzz", "--seeds", "1..3", "--steps", "60"][..], &shown].concat());
    assert_eq!(output.code, 0, "{}", output.err);
    let page = std::fs::read_to_string(file).expect("a page");
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no `{text}` in the page"));
    assert!(
        at("Never met") < at("Commands and their refusals") && at("was never entered") < at("<h2>State tables</h2>")
    );
    assert!(!page.contains("<script"), "the page has a script");
    let mut counts = [0, 0];
    for row in json(&output.out)["coverage"]
        .as_object()
        .expect("tables")
        .values()
        .flat_map(|table| table["counts"].as_array().expect("rows").clone())
    {
        let [from, on, to] = ["from", "on", "to"].map(|key| row[key].as_str().expect("a word").to_owned());
        let times = match row["count"].as_u64().expect("a count") {
            0 => "never".to_owned(),
            1 => "once".to_owned(),
            many => format!("{many} times"),
        };
        counts[usize::from(times == "never")] += 1;
        at(&format!("<title>{from} on {on} leads to {to}: {times}</title>"));
    }
    assert!(counts.iter().all(|count| *count > 5), "rows that were taken and others: {counts:?}");
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
