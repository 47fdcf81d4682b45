//! Transcripts are read by people: none is longer than a few screens, no line wider than one.

use super::{read, root};
use runner::suite;
use std::path::Path;

/// Most lines of a transcript. A story that says more is two stories.
const MOST_LINES: usize = 300;
/// Most characters of a line.
const MOST_CHARACTERS: usize = 200;

/// Where a transcript goes beyond the limits.
fn beyond(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let characters = line.chars().count();
        if characters > MOST_CHARACTERS {
            faults.push(format!("{path}:{}: {characters} characters, at most {MOST_CHARACTERS}", at + 1));
        }
    }
    let lines = text.lines().count();
    if lines > MOST_LINES {
        faults.push(format!("{path}:{}: {lines} lines, at most {MOST_LINES}; part the story in two", MOST_LINES + 1));
    }
    faults
}

#[test]
fn no_transcript_has_more_than_300_lines_or_a_line_of_more_than_200_characters() {
    let stories = suite::find(&[root().join("scenarios")]).expect("the folder is there");
    let paths = stories.iter().map(|story| suite::golden_path(story)).filter(|path| path.is_file());
    let name = |path: &Path| path.strip_prefix(root()).unwrap_or(path).display().to_string();
    let checked: Vec<_> = paths.map(|path| beyond(&name(&path), &read(&path))).collect();
    assert!(checked.len() > 100, "only {} transcripts were found", checked.len());
    let faults: Vec<_> = checked.into_iter().flatten().collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_long_transcript_and_a_wide_line_are_named_with_their_lines() {
    let wide = format!("a\n{}\n", "ö".repeat(201));
    assert_eq!(beyond("a.transcript", &wide), ["a.transcript:2: 201 characters, at most 200"]);
    let fits = format!("{}\n", "ö".repeat(200)).repeat(300);
    assert!(beyond("a.transcript", &fits).is_empty());
    let long = beyond("a.transcript", &(fits + "one more\n"));
    assert_eq!(long, ["a.transcript:301: 301 lines, at most 300; part the story in two"]);
}
