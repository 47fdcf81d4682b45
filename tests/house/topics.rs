//! One subject has one name: nine topics, the same in every room, so that a reader who knows the topic guesses the file.
//!
//! Owns: the nine, and what in each room is of no topic. Absent on purpose: what a topic is about, which the head of
//! `sim/src/flows/mod.rs` says.

use super::{files, root};
use std::collections::BTreeSet;
use std::path::Path;

/// Every topic of the service.
const TOPICS: [&str; 9] =
    ["accounts", "bank", "clients", "fees", "journeys", "orders", "payments", "plans", "securities"];

/// A folder whose files and folders are topics, the ending of its files, and names in it that are of no topic.
const ROOMS: &[(&str, &str, &[&str])] = &[
    ("sim/src/flows", ".rs", &["journey_changes", "mod", "opening", "purge", "screening", "settings"]),
    ("sim/src/command", ".rs", &["purge"]),
    ("sim/src/records", ".rs", &["mod"]),
    ("sim/src/query", ".rs", &["books", "everything", "explanation", "mod", "named", "newest", "timers"]),
    (
        "sim/tests",
        ".rs",
        &[
            "clock",
            "common",
            "extremes",
            "histories",
            "inputs",
            "lists",
            "main",
            "precedence",
            "purging",
            "sizes",
            "slices",
            "written",
            "years",
        ],
    ),
    ("sandbox/src/planes/levers", ".rs", &["mod", "purge"]),
    ("sandbox/src/planes/partner", ".rs", &["mod", "routes", "subscribe", "system"]),
    (
        "sandbox/wire/src",
        ".rs",
        &["buffer", "error", "event", "json", "lib", "period", "ping", "query", "rows", "setup", "values", "words"],
    ),
    ("docs/rules", ".md", &["README", "auth", "calendar", "events", "money", "wire"]),
    (
        "scenarios",
        ".yaml",
        &[
            // Stories.
            "access",
            "calendar",
            "errors",
            "faults",
            "machinery",
            "outside",
            "performance",
            "welcome",
            // Crates, and the tests of all of them.
            "consumer",
            "fuzz",
            "language",
            "oracle",
            "page",
            "record",
            "runner",
            "tests",
        ],
    ),
];

/// The names of the files and folders of a room, without the ending of its files; other files and empty folders are none of
/// its topics.
fn names_in(room: &Path, ending: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(room).unwrap_or_else(|error| panic!("{}: {error}", room.display()));
    let name = |entry: std::fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            (!files(&entry.path(), &[""]).is_empty()).then_some(name)
        } else {
            name.strip_suffix(ending).map(str::to_owned)
        }
    };
    entries.filter_map(|entry| name(entry.expect("an entry"))).filter(|name| !name.starts_with('.')).collect()
}

/// What is wrong with the names of a room.
fn faults_of(room: &str, names: &BTreeSet<String>, others: &[&str]) -> Vec<String> {
    let is_known = |name: &str| TOPICS.contains(&name) || others.contains(&name);
    let strange = names.iter().filter(|name| !is_known(name));
    let strange = strange.map(|name| {
        let topics = TOPICS.join(", ");
        format!("{room}/{name} is no topic: put it into the one that it is about, of {topics}")
    });
    let gone = others.iter().filter(|other| !names.contains(**other));
    let gone = gone.map(|other| format!("{room}/{other} is gone: take its name out of `ROOMS`"));
    strange.chain(gone).collect()
}

#[test]
fn every_file_and_folder_of_these_rooms_is_one_of_nine_topics_or_cuts_across_them() {
    let found = ROOMS.iter().map(|(room, ending, others)| (room, names_in(&root().join(room), ending), others));
    let faults: Vec<_> = found.flat_map(|(room, names, others)| faults_of(room, &names, others)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_topic_has_a_flow_and_a_chapter_of_rules() {
    for (room, ending) in [("sim/src/flows", ".rs"), ("docs/rules", ".md")] {
        let names = names_in(&root().join(room), ending);
        let missing: Vec<_> = TOPICS.iter().filter(|topic| !names.contains(**topic)).collect();
        assert!(missing.is_empty(), "{room} lacks {missing:?}");
    }
}

#[test]
fn a_name_outside_the_nine_is_reported_with_the_nine_and_so_is_a_name_that_is_gone() {
    let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(faults_of("room", &names(&["bank", "mod"]), &["mod"]), [""; 0]);
    let found_faults = faults_of("room", &names(&["withdrawals"]), &["mod"]);
    let nine = "accounts, bank, clients, fees, journeys, orders, payments, plans, securities";
    let expected = [
        format!("room/withdrawals is no topic: put it into the one that it is about, of {nine}"),
        "room/mod is gone: take its name out of `ROOMS`".to_owned(),
    ];
    assert_eq!(found_faults, expected);
}
