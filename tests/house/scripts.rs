//! What pages say to their scripts: a script reads no `data-` attribute that nothing writes.
//!
//! Invariant: an attribute that was renamed in the markup alone fails here. Absent on purpose: what scripts do, which the
//! browser tests show.

use super::{files, read, root};
use std::collections::BTreeSet;
use std::path::Path;

/// Folders of the pages with scripts.
const PAGES: [&str; 3] = ["sandbox/src/planes", "sandbox/pages/src", "scenarios/runner/src"];

/// How much of `text` is an identifier.
fn identifier(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len())]
}

/// `clientId` as it is written in markup: `client-id`.
fn attribute(property: &str) -> String {
    let mut written = String::new();
    for letter in property.chars() {
        if letter.is_ascii_uppercase() {
            written.push('-');
        }
        written.push(letter.to_ascii_lowercase());
    }
    written
}

/// The attributes that `script` reads from a `dataset`, by name or by taking it apart, and those that it sets on one.
fn of_datasets(script: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut taken, mut given) = (BTreeSet::new(), BTreeSet::new());
    for (at, found) in script.match_indices("dataset") {
        let after = &script[at + found.len()..];
        let name = identifier(after.trim_start_matches('?').strip_prefix('.').unwrap_or_default());
        if !name.is_empty() {
            let rest = after[after.find(name).unwrap_or_default() + name.len()..].trim_start();
            let is_set = rest.starts_with('=') && !rest.starts_with("==");
            if is_set { &mut given } else { &mut taken }.insert(attribute(name));
            continue;
        }
        // `const { a, b: c } = node.dataset`
        let line = &script[script[..at].rfind('\n').unwrap_or_default()..at];
        let fields = line.split_once('{').and_then(|(_, rest)| rest.split_once("} ="));
        let fields = fields.map_or("", |(fields, _)| fields).split(',');
        taken.extend(fields.map(|field| attribute(identifier(field.trim()))).filter(|name| !name.is_empty()));
    }
    (taken, given)
}

/// The names after `mark` in `text`.
fn named_after(text: &str, mark: &str) -> BTreeSet<String> {
    let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
    let names = text.split(mark).skip(1).map(|rest| &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())]);
    names.map(str::to_owned).collect()
}

/// Attributes that a script in `folder` reads and nothing there writes.
fn unwritten(folder: &Path) -> BTreeSet<String> {
    let (mut taken, mut written) = (BTreeSet::new(), BTreeSet::new());
    for file in files(folder, &[".js", ".rs"]) {
        let text = read(&file);
        if file.extension().is_some_and(|it| it == "js") {
            let (read, set) = of_datasets(&text);
            taken.extend(read);
            taken.extend(named_after(&text, "[data-"));
            written.extend(set);
            written.extend(named_after(&text, "'data-"));
        } else {
            written.extend(named_after(&text, " data-"));
        }
    }
    assert!(!taken.is_empty(), "no script of {} was read", folder.display());
    taken.difference(&written).cloned().collect()
}

#[test]
fn a_script_reads_no_attribute_that_nothing_writes() {
    for folder in PAGES {
        let missing = unwritten(&root().join(folder));
        assert!(missing.is_empty(), "scripts of {folder} read `data-` attributes that no markup has: {missing:?}");
    }
    let script =
        "const { path, needs, kind: of } = form.dataset; a.dataset.total; b.dataset?.clientId; c.dataset.on = 1;";
    let (taken, given) = of_datasets(script);
    assert_eq!(taken.into_iter().collect::<Vec<_>>(), ["client-id", "kind", "needs", "path", "total"]);
    assert_eq!(given.into_iter().collect::<Vec<_>>(), ["on"]);
}
