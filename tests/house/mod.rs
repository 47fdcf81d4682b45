//! Rules of the house that no compiler checks: who may depend on whom, what a file begins with, which words stay out.

mod arrows;
mod colours;
mod dependencies;
mod layout;
mod machines;
mod notices;
mod rules;
mod scripts;
mod topics;
mod transcripts;
mod words;

use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Crates that `sim` must never reach, however indirectly: I/O, async, JSON text.
const NEVER_IN_SIM: &[&str] = &["tokio", "axum", "hyper", "serde_json", "mio", "turmoil", "chrono"];

/// The only ways from `sim` to the operating system's randomness: `fake` asks for `rand` with all that `rand` has by default. It is
/// linked and never called, which [`CALLS_FOR_CHANCE`] and `sim/clippy.toml` hold.
const WAYS_TO_CHANCE: &[&str] = &["fundsim-sim fake rand getrandom", "fundsim-sim rand getrandom"];

/// What would draw from the operating system, as source text.
const CALLS_FOR_CHANCE: &[&str] =
    &["rand::rng", "rand::random", "rand::make_rng", "rngs::", "getrandom", ".fake()", ".fake::<", "dummy("];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What `cargo metadata` says of the crates of the workspace at `manifest`.
fn packages(manifest: &Path) -> Vec<Json> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--no-deps", "--format-version", "1", "--manifest-path"])
        .arg(manifest)
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let mut metadata: Json = serde_json::from_slice(&output.stdout).expect("cargo answers JSON");
    match metadata["packages"].take() {
        Json::Array(packages) => packages,
        other => panic!("a list of packages: {other}"),
    }
}

fn text(value: &Json) -> &str {
    value.as_str().unwrap_or_else(|| panic!("a text: {value}"))
}

fn list(value: &Json) -> &[Json] {
    value.as_array().unwrap_or_else(|| panic!("a list: {value}"))
}

/// Names of the packages that `package` is built from, tests aside.
fn built_from(package: &str) -> BTreeSet<String> {
    let lines = tree(package, &["--prefix", "none"]);
    lines.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

/// What `cargo tree` says of `package`, tests aside.
fn tree(package: &str, more: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--edges", "normal", "--package", package])
        .args(more)
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "cargo tree: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("package names are text")
}

/// The ways from `package` to `goal` through what it is built from, as names in order.
fn ways(package: &str, goal: &str) -> BTreeSet<String> {
    let (mut way, mut found) = (Vec::new(), BTreeSet::new());
    for line in tree(package, &["--prefix", "depth", "--no-dedupe"]).lines() {
        let name = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let depth: usize = line[..line.len() - name.len()].parse().expect("a depth before each name");
        way.truncate(depth);
        way.push(name.split(' ').next().unwrap_or_default().to_owned());
        if way.last().is_some_and(|last| last == goal) {
            found.insert(way.join(" "));
        }
    }
    found
}

/// Files below `folder` whose name ends in one of `endings`, build output and hidden folders aside.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if !folder.is_dir() {
        return found;
    }
    for entry in std::fs::read_dir(folder).expect("a readable folder").map(|entry| entry.expect("an entry").path()) {
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if entry.is_dir() {
            if name != "target" && name != "node_modules" && (!name.starts_with('.') || name == ".ci") {
                found.extend(files(&entry, endings));
            }
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(entry);
        }
    }
    found.sort();
    found
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

#[test]
fn sim_is_built_from_nothing_that_does_io() {
    let packages = built_from("fundsim-sim");
    assert!(packages.contains("rust_decimal"), "the tree was read: {packages:?}");
    for name in NEVER_IN_SIM {
        assert!(!packages.contains(*name), "sim reaches {name}");
    }
}

#[test]
fn sim_draws_nothing_from_the_operating_system() {
    let known: BTreeSet<String> = WAYS_TO_CHANCE.iter().map(|way| (*way).to_owned()).collect();
    assert_eq!(ways("fundsim-sim", "getrandom"), known, "`fake` alone asks for the operating system's randomness");
    let mut calls = Vec::new();
    for file in files(&root().join("sim/src"), &[".rs"]) {
        for (at, line) in (1..).zip(read(&file).lines()) {
            let code = line.split("//").next().unwrap_or_default();
            if CALLS_FOR_CHANCE.iter().any(|call| code.contains(call)) {
                calls.push(format!("{}:{at}: {line}", file.display()));
            }
        }
    }
    assert!(calls.is_empty(), "sim draws from streams of `rng::Seed` alone: {calls:#?}");
}

#[test]
fn crates_depend_in_one_direction() {
    let rows: &[(&str, &[&str])] = &[
        ("fundsim-sim", &["fundsim-sandbox", "fundsim-language", "fundsim-oracle"]),
        ("fundsim-sandbox", &["fundsim-language", "fundsim-oracle", "fundsim-consumer", "turmoil"]),
        ("fundsim-consumer", &["fundsim-sim", "fundsim-sandbox", "fundsim-language"]),
        ("fundsim-oracle", &["fundsim-sandbox", "fundsim-language", "tokio"]),
        ("fundsim-language", &["fundsim-page", "fundsim-runner", "turmoil"]),
        ("fundsim-record", &["fundsim-runner", "turmoil"]),
        ("fundsim-runner", &["fundsim-oracle", "fundsim-record"]),
        ("fundsim-fuzz", &["fundsim"]),
    ];
    for (package, never) in rows {
        let packages = built_from(package);
        assert!(packages.contains("serde_core"), "the tree of {package} was read: {packages:?}");
        for name in *never {
            assert!(!packages.contains(*name), "{package} reaches {name}");
        }
    }
}

/// Whether a file begins with a paragraph of documentation that is a sentence.
fn opens_with_a_sentence(text: &str) -> bool {
    let lines = text.lines().map_while(|line| line.strip_prefix("//!")).take_while(|line| !line.trim().is_empty());
    let paragraph = lines.collect::<Vec<_>>().join(" ");
    let paragraph = paragraph.trim();
    let begins = paragraph.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || c == '`');
    begins && paragraph.contains(' ') && paragraph.ends_with(['.', ':'])
}

#[test]
fn every_source_file_opens_with_what_it_owns() {
    let sources = ["sim", "sandbox", "scenarios", "src", "tests", "benches", "fuzz"];
    let found: Vec<_> = sources.iter().flat_map(|folder| files(&root().join(folder), &[".rs"])).collect();
    assert!(found.len() > 900, "the sources were found: {}", found.len());
    let bare: Vec<_> = found.iter().filter(|file| !opens_with_a_sentence(&read(file))).collect();
    assert!(bare.is_empty(), "without a first `//!` line, or not a sentence: {bare:?}");
    for (text, is_sentence) in [
        ("//! What is kept.\n//!\n//! Owns: it", true),
        ("//! What is kept, and\n//! for how long.\nuse x;", true),
        ("//! What is kept\n\nuse x;", false),
        ("//! what is kept.\n", false),
        ("//! Kept.\n", false),
        ("use x;\n//! What is kept.\n", false),
        ("// What is kept.\n", false),
    ] {
        assert_eq!(opens_with_a_sentence(text), is_sentence, "{text}");
    }
}

/// The first lines of blocks in the documentation of `text` that rustdoc would run as Rust.
fn examples(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim_start).filter(|line| line.starts_with("///") || line.starts_with("//!"));
    let fences = lines.filter(|line| line[3..].trim_start().starts_with("```"));
    fences.step_by(2).filter(|opening| !opening.ends_with("text")).collect()
}

/// `cargo test` would read every library once more to find that it has none.
#[test]
fn documentation_has_no_examples_and_nobody_looks_for_them() {
    for package in packages(&root().join("Cargo.toml")) {
        let looks = list(&package["targets"]).iter().any(|target| target["doctest"] == true);
        assert!(!looks, "{}: `doctest = false` is missing below [lib]", package["name"]);
    }
    for file in ["sim", "sandbox", "scenarios", "src"].iter().flat_map(|folder| files(&root().join(folder), &[".rs"])) {
        let text = read(&file);
        assert_eq!(
            examples(&text),
            [""; 0],
            "{}: a block that is not ```text runs nowhere; write a test",
            file.display()
        );
    }
    let planted = "/// ```text\n/// a drawing\n/// ```\n  //! ```\n//! run();\n//! ```\nlet fence = \"```\";";
    assert_eq!(examples(planted), ["//! ```"]);
}

#[test]
fn every_allowance_gives_its_reason() {
    let mut bare = Vec::new();
    for file in ["sim", "sandbox", "scenarios", "src", "tests"].iter().flat_map(|f| files(&root().join(f), &[".rs"])) {
        let text = read(&file);
        for (at, _) in
            text.match_indices("allow(").filter(|(at, _)| text[..*at].ends_with("#[") || text[..*at].ends_with("#!["))
        {
            let end = text[at..].find(")]").map_or(text.len(), |end| at + end);
            if !text[at..end].contains("reason =") {
                bare.push(format!("{}: {}", file.display(), &text[at..end]));
            }
        }
    }
    assert!(bare.is_empty(), "allowances without a reason: {bare:#?}");
}

#[test]
fn select_is_always_biased() {
    let mut loose = Vec::new();
    for file in ["sandbox", "scenarios", "src"].iter().flat_map(|f| files(&root().join(f), &[".rs"])) {
        let text = read(&file);
        for (at, _) in text.match_indices("select! {") {
            if !text[at + "select! {".len()..].trim_start().starts_with("biased;") {
                loose.push(format!("{} at byte {at}", file.display()));
            }
        }
    }
    assert!(loose.is_empty(), "`select!` without `biased;` picks at random: {loose:?}");
}
