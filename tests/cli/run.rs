//! `fundsim run` and `fundsim check` on files that are not all well.

use super::serve::Sandbox;
use super::{called, command, folder, fundsim};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

const GOOD: &str =
    "scenario: The clock stands where the story starts\nsteps:\n  - expect clock: 2026-03-02T07:00:00.000Z\n";

const BAD: &str = "scenario: A subscription is settled before it can be
world: { seed: 42, start: 2026-03-02T08:00:00+01:00 }
given:
  - open account: { as: anna, cash: 10000 }
steps:
  - subscribe: { as: order, account: anna, instrument: SE0SBX000016SEK, amount: 10000 }
  - advance: 1 hour
  - expect order {order}: { status: settled, units: { greater than: 80 } }
";

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file can be written");
    path
}

fn masked(text: &str, folder: &Path) -> String {
    let text = text.replace(&format!("{}/", folder.display()), "");
    let text = regex_lite::Regex::new(r"\(\d+ ms").expect("a pattern").replace_all(&text, "(N ms").into_owned();
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_failed_expectation_shows_place_both_sides_what_came_before_the_seed_and_the_command() {
    let folder = folder("failing");
    let story = write(&folder, "too-soon.yaml", BAD);
    for driver in ["turmoil", "in-process"] {
        let output = fundsim(&["run", story.to_str().expect("text"), "--driver", driver]);
        assert_eq!(output.code, 1, "{}", output.err);
        let shown = masked(&output.out, &folder).replace(&format!("--driver {driver}"), "--driver DRIVER");
        insta::assert_snapshot!("failed_expectation", shown);
    }
}

const MISSED: &str = "scenario: What never comes is said with why, and as of when it did not
world: { seed: 42, start: 2026-03-02T08:00:00+01:00 }
given:
  - open account: { as: anna, cash: 10000 }
steps:
  - subscribe: { as: order, account: anna, instrument: SE0SBX000016SEK, amount: 1000 }
  - soft: true
    call: GET /order/{order}
    expect: { body: { status: canceled } }
  - soft: true
    expect event: { order.update: { payload.current.status: rejected } }
  - cancel: order
  - advance: until order is settled
";

#[test]
fn a_failed_story_shows_why_at_each_failure_and_its_transcript_holds_it() {
    let folder = folder("missed");
    let story = write(&folder, "missed.yaml", MISSED);
    let out = folder.join("out");
    let arguments = ["run", story.to_str().expect("text"), "--driver", "in-process", "--why", "full"];
    let output = fundsim(&[&arguments[..], &["--transcript", out.to_str().expect("text")]].concat());
    assert_eq!(output.code, 1, "{}", output.err);
    let kept: Vec<_> = std::fs::read_dir(&out).expect("a folder").map(|file| file.expect("a file").path()).collect();
    let transcript = std::fs::read_to_string(&kept[0]).expect("a transcript");
    for text in [&output.out, &transcript] {
        let whys: Vec<_> = text.split("why order is as it is:").skip(1).collect();
        // After the soft steps the order was canceled, which is no reason for how they found it.
        let canceled: Vec<_> = whys.iter().map(|why| why.contains("CancelOrder")).collect();
        assert_eq!(canceled, [false, false, true], "{text}");
        assert!(whys.iter().all(|why| why.contains("PlaceOrder")), "{text}");
        assert!(text.contains("it will never be settled: it is canceled"), "{text}");
    }
    assert!(transcript.contains("\nNot as expected\n"), "{transcript}");
}

#[test]
fn one_bad_story_fails_the_run_and_leaves_the_others_their_outcome() {
    let folder = folder("mixed");
    write(&folder, "bad.yaml", BAD);
    write(&folder, "good.yaml", GOOD);
    let (junit, html) = (folder.join("results.xml"), folder.join("results.html"));
    let output = fundsim(&[
        "run",
        folder.to_str().expect("text"),
        "--driver",
        "in-process",
        "--output",
        "json",
        "--junit",
        junit.to_str().expect("text"),
        "--html",
        html.to_str().expect("text"),
        "--transcript",
        folder.join("out").to_str().expect("text"),
    ]);
    assert_eq!(output.code, 1, "{}", output.err);
    let results: Json = serde_json::from_str(output.out.lines().last().unwrap_or_default()).expect("JSON");
    assert_eq!((results["passed"].as_u64(), results["failed"].as_u64()), (Some(1), Some(1)), "{results}");
    let files = results["files"].as_array().expect("a list");
    let outcomes: Vec<_> = files.iter().map(|file| file["outcome"].as_str().unwrap_or_default()).collect();
    assert_eq!(outcomes, ["failed", "passed"]);
    assert!(files.iter().all(|file| file["digest"].as_str().is_some_and(|digest| digest.len() == 32)));
    let read = |path: &Path| std::fs::read_to_string(path).expect("it was written");
    assert!(read(&junit).contains("failures=\"1\"") && read(&junit).contains("bad.yaml"));
    let page = read(&html);
    assert!(page.contains("1 passed, 1 failed") && page.matches("<script>").count() == 1, "{page}");
    let top = page.split("<details").next().unwrap_or_default();
    assert!(top.contains(concat!("fundsim ", env!("CARGO_PKG_VERSION"), ", 20")) && top.contains(", took "), "{top}");
    for fetched in ["src=", "@import", "url(", "http://", "https://"] {
        assert!(!page.contains(fetched), "{fetched}");
    }
    assert_eq!(std::fs::read_dir(folder.join("out")).expect("a folder").count(), 2);
}

#[test]
fn a_golden_is_written_by_bless_kept_by_equal_runs_and_missed_by_others() {
    let folder = folder("golden");
    let story = write(&folder, "clock.yaml", GOOD);
    let story = story.to_str().expect("text");
    let run = |more: &[&str]| fundsim(&[&["run", story, "--driver", "in-process"], more].concat());
    assert_eq!(run(&[]).code, 0, "without a golden there is nothing to compare");
    assert_eq!(run(&["--bless"]).code, 0);
    let golden = folder.join("clock.transcript");
    let text = std::fs::read_to_string(&golden).expect("bless wrote it");
    assert_eq!(run(&[]).code, 0);
    std::fs::write(&golden, text.replace("07:00:00", "08:00:00")).expect("it can be changed");
    let output = run(&[]);
    assert_eq!(output.code, 1);
    assert!(output.out.contains("--bless") && output.out.contains("clock.transcript"), "{}", output.out);
    assert_eq!(run(&["--seed", "77"]).code, 0, "another seed is another story");
}

#[test]
fn network_faults_are_refused_by_drivers_that_have_none() {
    let folder = folder("weather");
    let story = write(&folder, "storm.yaml", "scenario: Storm\nsteps:\n  - network: cut\n  - expect clock: any\n");
    let output = fundsim(&["run", story.to_str().expect("text"), "--driver", "in-process"]);
    assert_eq!(output.code, 2, "nothing was run");
    assert!(output.out.contains("--driver turmoil"), "{}", output.out);
    assert_eq!(fundsim(&["run", story.to_str().expect("text")]).code, 0);
}

#[test]
fn mistakes_are_shown_by_check_and_fail_their_own_file_only() {
    let folder = folder("mistakes");
    write(&folder, "good.yaml", GOOD);
    let bad = write(&folder, "slip.yaml", "scenario: A slip\nsteps:\n  - expect evnt: order.update\n");
    let path = folder.to_str().expect("text");
    let checked = fundsim(&["check", path]);
    assert_eq!(checked.code, 1);
    assert!(
        checked.err.contains("did you mean `expect event`?") && checked.err.contains("slip.yaml:3:5"),
        "{}",
        checked.err
    );
    let json: Json = serde_json::from_str(&fundsim(&["check", path, "--output", "json"]).out).expect("JSON");
    assert_eq!((json["files"].as_u64(), json["faults"][0]["line"].as_u64()), (Some(2), Some(3)), "{json}");
    let output = fundsim(&["run", path, "--driver", "in-process"]);
    assert!(output.code == 1 && output.out.contains("1 passed, 1 failed"), "{}", output.out);
    assert!(output.out.contains("did you mean `expect event`?"), "{}", output.out);
    assert_eq!(fundsim(&["run", bad.to_str().expect("text")]).code, 2, "nothing was run");
    std::fs::remove_file(bad).expect("it can be removed");
    assert_eq!(fundsim(&["check", path]).code, 0);
}

#[test]
fn flags_can_come_from_the_environment_and_the_command_line_wins() {
    let folder = folder("environment");
    let story = write(&folder, "clock.yaml", GOOD);
    let story = story.to_str().expect("text");
    let output = called(
        command(&["run", story])
            .env("FUNDSIM_OUTPUT", "json")
            .env("FUNDSIM_DRIVER", "in-process")
            .output()
            .expect("it starts"),
    );
    assert!(output.out.starts_with('{'), "{}", output.out);
    let output =
        called(command(&["run", story, "--output", "text"]).env("FUNDSIM_OUTPUT", "json").output().expect("it starts"));
    assert!(output.out.starts_with("ok "), "{}", output.out);
}

#[test]
fn stories_are_picked_listed_read_from_standard_input_and_not_begun_after_a_failure() {
    let folder = folder("picked");
    let path = folder.to_str().expect("text");
    for name in ["a.yaml", "c.yaml", "d.yaml"] {
        write(&folder, name, GOOD);
    }
    write(&folder, "b.yaml", BAD);
    let lists = |filters: &[&str]| {
        let filters = filters.iter().flat_map(|filter| ["--filter", filter]);
        let arguments: Vec<_> = ["run", path, "--list"].into_iter().chain(filters).collect();
        let output = fundsim(&arguments);
        let names = output
            .out
            .lines()
            .filter_map(|line| Path::new(line.split("  ").next()?).file_stem()?.to_str().map(str::to_owned));
        (output.code, names.collect::<Vec<_>>().concat())
    };
    for (filters, code, names) in [
        (&[][..], 0, "abcd"),
        (&["a.yaml", "c.yaml"], 0, "ac"),
        (&["!settled"], 0, "acd"),
        (&["clock", "!c.yaml", "!D.YAML"], 0, "a"),
        (&["zeppelin"], 2, ""),
    ] {
        assert_eq!(lists(filters), (code, names.to_owned()), "{filters:?}");
    }
    let output = fundsim(&["run", path, "--driver", "in-process", "--fail-fast", "--jobs", "1"]);
    assert!(output.code == 1 && output.out.contains("1 passed, 1 failed"), "{}", output.out);
    let story = std::fs::File::open(folder.join("a.yaml")).expect("a file");
    let output = called(command(&["run", "-", "--driver", "in-process"]).stdin(story).output().expect("it starts"));
    assert!(output.code == 0 && output.out.contains("1 passed"), "{} {}", output.out, output.err);
}

#[test]
fn unwritable_results_are_reported_before_the_run_and_a_full_disk_is_an_error() {
    let folder = folder("unwritable");
    let story = write(&folder, "good.yaml", GOOD);
    let run = ["run", story.to_str().expect("text"), "--driver", "in-process"];
    let with = |more: &[&str]| fundsim(&[&run[..], more].concat());
    for flag in ["--junit", "--html", "--transcript", "--pictures"] {
        let output = with(&[flag, "/dev/null/results"]);
        assert!(
            output.code == 2 && output.out.is_empty() && output.err.contains("/dev/null"),
            "{flag}: {}",
            output.err
        );
    }
    assert_eq!(with(&["--junit", "/dev/full"]).code, 2);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    let output = command(&run).stdout(full).output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("standard output: No space"), "{output:?}");
}

#[test]
fn what_never_ends_or_never_begins_is_refused_and_no_file_speaks_to_the_terminal() {
    let folder = folder("endless");
    let pipe = folder.join("pipe.yaml");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there");
    assert!(made.success());
    std::os::unix::fs::symlink("/dev/zero", folder.join("zero.yaml")).expect("a link");
    write(&folder, "itself.yaml", "scenario: x\nuse: itself.yaml\nsteps:\n  - use: itself.yaml\n");
    write(&folder, "large.yaml", &"# much\n".repeat(2_500_000));
    write(&folder, "slips.yaml", &format!("scenario: x\nsteps:\n{}", "  - expcet evnt: 1\n".repeat(50_000)));
    write(&folder, "deep.yaml", &format!("scenario: {}x{}\n", "[".repeat(50_000), "]".repeat(50_000)));
    std::fs::write(folder.join("bytes.yaml"), b"scenario: \xff\xfe\n").expect("a file");
    for (name, output) in [
        ("pipe.yaml", "it is not a file"),
        ("zero.yaml", "it is not a file"),
        ("itself.yaml", "a file cannot use itself"),
        ("large.yaml", "larger than 16777216 bytes"),
        ("slips.yaml", "the rest was not checked"),
        ("deep.yaml", "Error"),
        ("bytes.yaml", "not UTF-8 text"),
    ] {
        let checked = fundsim(&["check", folder.join(name).to_str().expect("text")]);
        assert!(checked.code == 1 && checked.err.contains(output), "{name}: {}", checked.err);
        assert!(checked.err.lines().count() < 1_200, "{name} is reported at length");
    }
    std::fs::create_dir(folder.join("loop")).expect("a folder");
    std::os::unix::fs::symlink(".", folder.join("loop/again")).expect("a link");
    write(
        &folder,
        "loop/loud.yaml",
        &BAD.replace("A subscription", "\"\\e[31mA subscription").replace("can be", "can be\""),
    );
    write(&folder, "loop/slip.yaml", "scenario: x\nsteps:\n  - \"\\e[31m\": 1\n");
    let output = fundsim(&["run", folder.join("loop").to_str().expect("text"), "--driver", "in-process"]);
    assert!(output.out.contains("0 passed, 2 failed"), "each file counts once: {}", output.out);
    assert!(output.out.contains("\\u{1b}[31mA subscription"), "{}", output.out);
    assert!(!format!("{}{}", output.out, output.err).contains('\x1b'), "{}", output.out);
}

/// (rule: wire/capsules)
#[test]
fn the_world_of_a_failed_story_is_kept_and_opens_as_it_was_and_a_good_story_keeps_none() {
    let folder = folder("capsules");
    let story = write(&folder, "too-soon.yaml", BAD);
    write(&folder, "good.yaml", GOOD);
    for driver in ["turmoil", "in-process"] {
        let capsules = folder.join(driver);
        let (path, named) = (folder.to_str().expect("text"), capsules.to_str().expect("text"));
        let output = fundsim(&["run", path, "--driver", driver, "--capsules", named, "--output", "json"]);
        assert_eq!(output.code, 1, "{}", output.err);
        let results: Json = serde_json::from_str(&output.out).expect("JSON");
        let failed = results["files"].as_array().expect("files").iter().find(|file| file["outcome"] == "failed");
        let kept = failed.expect("one has failed")["capsules"][0].as_str().expect("a file").to_owned();
        let found: Vec<_> =
            std::fs::read_dir(&capsules).expect("a folder").map(|it| it.expect("a file").path()).collect();
        assert_eq!(found, [PathBuf::from(&kept)], "one for the story that has failed");

        let open = Sandbox::spawn(command(&["open", &kept, "--output", "json"]).stderr(std::process::Stdio::null()));
        assert_eq!(
            (&open.line["isEqual"], &open.line["now"]),
            (&Json::Bool(true), &Json::from("2026-03-02T08:00:00.000Z"))
        );
        assert_eq!(open.line["run"]["story"], std::fs::read_to_string(&story).expect("the story"));
        assert!(
            open.line["run"]["failure"].as_str().is_some_and(|why| why.contains("status: settled")),
            "{}",
            open.line
        );
        let (status, requests) = open.ask("GET /_sandbox/worlds/world-1/requests?path=/order HTTP/1.1\r\n", "");
        assert_eq!((status, &requests["requests"][0]["status"]), (200, &Json::from(200)), "{requests}");
        let order = requests["requests"][0]["answered"]["json"]["id"].as_str().expect("an order").to_owned();
        let (status, why) = open.ask(&format!("GET /_sandbox/worlds/world-1/why/{order} HTTP/1.1\r\n"), "");
        assert_eq!(status, 200, "{why}");
        let back = "{\"input\":1}";
        let head = "POST /_sandbox/worlds/world-1/rewind HTTP/1.1\r\ncontent-type: application/json\r\n";
        let (status, world) = open.ask(head, back);
        assert_eq!((status, &world["now"]), (200, &Json::from("2026-03-02T07:00:00.000Z")), "{world}");
        assert_eq!(open.stop("-TERM"), Some(0));
    }
    let text =
        fundsim(&["run", story.to_str().expect("text"), "--capsules", folder.join("text").to_str().expect("text")]);
    assert!(text.out.contains("    open:  fundsim open "), "{}", text.out);
    let none = fundsim(&["open", story.to_str().expect("text")]);
    assert!(none.code == 2 && none.err.contains("it is no capsule"), "{none:?}");
}
