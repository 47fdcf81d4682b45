//! The rules of `docs/rules`: each is written once, with its source and what holds it, and every citation finds it.
//!
//! Owns: how a chapter and a citation are read. A rule is a heading `### name` with a last paragraph `Source: ... Held by:
//! ...`; a citation is `rule: chapter/name`, with further names after commas. Absent on purpose: whether the code does
//! what a rule says, which is for the tests that cite it.

use super::{files, read, root};
use regex_lite::Regex;
use std::collections::BTreeSet;

/// Rules that are agreed on and not built say this instead of naming what holds them.
const NOT_BUILT: &str = "not built yet";
/// The rules that no test names. The list may only shrink.
const WITHOUT_A_TEST: &str = "tests/golden/rules_without_a_test.txt";

/// A rule as its chapter has it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    /// `chapter/name`.
    name: String,
    /// Where it comes from, as it is written.
    source: String,
    /// What holds it, as it is written.
    holder: String,
}

impl Rule {
    /// Constants, settings, types, functions and files that hold it.
    fn holders(&self) -> impl Iterator<Item = &str> {
        self.holder.split('`').skip(1).step_by(2)
    }

    fn is_built(&self) -> bool {
        self.holders().next().is_some()
    }
}

/// The rules of one chapter, in order.
fn rules_of(chapter: &str, text: &str) -> Vec<Rule> {
    let mut rules = Vec::new();
    for section in text.split("\n### ").skip(1) {
        let section = section.split("\n## ").next().unwrap_or_default();
        let (name, body) = section.split_once('\n').unwrap_or((section, ""));
        let body = body.split_whitespace().collect::<Vec<_>>().join(" ");
        let (_, rest) = body.split_once("Source: ").unwrap_or_default();
        let (source, holder) = rest.split_once("Held by: ").unwrap_or((rest, ""));
        let [source, holder] = [source, holder].map(|text| text.trim().to_owned());
        rules.push(Rule { name: format!("{chapter}/{}", name.trim()), source, holder });
    }
    rules
}

/// What is wrong with the rules by themselves.
fn faults_of(rules: &[Rule]) -> Vec<String> {
    let kebab = Regex::new(r"^[a-z]+/[a-z0-9]+(-[a-z0-9]+)*$").expect("a pattern");
    let mut seen = BTreeSet::new();
    let mut faults = Vec::new();
    for rule in rules {
        let name = &rule.name;
        let mut check = |holds: bool, fault: &str| {
            if !holds {
                faults.push(format!("{name} {fault}"));
            }
        };
        check(seen.insert(name), "stands twice");
        check(kebab.is_match(name), "is not written in small letters and hyphens");
        check(!rule.source.is_empty(), "names no source");
        check(rule.is_built() || rule.holder.contains(NOT_BUILT), "names nothing that holds it");
    }
    faults
}

/// Holders that are neither a word of the sources nor the end of one file's path.
fn lost_holders<'a>(rules: &'a [Rule], words: &BTreeSet<&str>, paths: &[String]) -> Vec<(&'a str, &'a str)> {
    let is_known = |holder: &str| {
        let is_path = holder.contains('.');
        if is_path {
            paths.iter().filter(|path| ends_with(path, holder)).count() == 1
        } else {
            holder.split("::").all(|word| words.contains(word))
        }
    };
    let held = rules.iter().flat_map(|rule| rule.holders().map(|holder| (rule.name.as_str(), holder)));
    held.filter(|(_, holder)| !is_known(holder)).collect()
}

/// Whether the last folders and the file of `path` are those of `end`.
fn ends_with(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// What people read of a file, as one line: the comments of code and stories, the whole of anything else.
fn prose_of(path: &str, text: &str) -> String {
    let mark = match path.rsplit('.').next() {
        Some("rs") => "//",
        Some("yaml") => "#",
        _ => return text.split_whitespace().collect::<Vec<_>>().join(" "),
    };
    let parts = text.lines().filter_map(|line| Some(line.split_once(mark)?.1.trim_start_matches(['/', '!'])));
    parts.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// Every name that `prose` cites.
fn cited_in(prose: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, mark) in ["rule: ", "rules: "].into_iter().flat_map(|mark| prose.match_indices(mark)) {
        let list = &prose[at + mark.len()..];
        if prose[..at].ends_with('(') {
            let list = list.split(')').next().unwrap_or_default();
            names.extend(list.split(',').map(|name| name.trim().to_owned()));
        } else {
            let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '/';
            let name = list.split(|c| !is_name(c)).next().unwrap_or_default();
            names.extend(name.contains('/').then(|| name.to_owned()));
        }
    }
    names
}

/// Citations by number, of a register that is not here.
fn numbers_in(text: &str) -> Vec<String> {
    if !text.contains("ecision") {
        return Vec::new();
    }
    let number = Regex::new(r"(?i)\bdecisions? \d+(\.\d+)+(/\d+)?").expect("a pattern");
    number.find_iter(text).map(|found| found.as_str().to_owned()).collect()
}

/// What of a source file is a test: all of it in a folder or file of tests, a story, or the laws and the model that judge
/// generated runs; else what follows `#[cfg(test)]`.
fn tests_in<'t>(path: &str, text: &'t str) -> &'t str {
    let within = ["/tests/", "/end_to_end/", "/check/", "/model/", "/oracle/src/laws.rs"];
    let is_test = path.starts_with("tests/") || within.iter().any(|folder| path.contains(folder));
    if is_test || path.ends_with("/tests.rs") || path.ends_with(".yaml") {
        return text;
    }
    text.find("#[cfg(test)]").map_or("", |at| &text[at..])
}

/// Built rules that no test names.
fn untested<'r>(rules: &'r [Rule], shown: &BTreeSet<String>) -> Vec<&'r str> {
    let silent = rules.iter().filter(|rule| rule.is_built() && !shown.contains(&rule.name));
    silent.map(|rule| rule.name.as_str()).collect()
}

fn all_rules() -> Vec<Rule> {
    let chapters = files(&root().join("docs/rules"), &[".md"]);
    let chapter = |file: &std::path::PathBuf| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    chapters.iter().flat_map(|file| rules_of(&chapter(file), &read(file))).collect()
}

/// Path from the root, and text, of every file that may cite. This file and its neighbours speak of citations.
fn all_sources() -> Vec<(String, String)> {
    let found = files(root(), &[".rs", ".md", ".yaml"]);
    let named = found.iter().map(|file| {
        let path = file.strip_prefix(root()).unwrap_or(file).to_string_lossy().into_owned();
        (path, read(file))
    });
    named.filter(|(path, _)| !path.starts_with("tests/house/")).collect()
}

#[test]
fn every_rule_is_written_once_with_its_source_and_what_holds_it() {
    let rules = all_rules();
    assert!(rules.len() > 200, "the chapters were read: {} rules", rules.len());
    let faults = faults_of(&rules);
    assert!(faults.is_empty(), "{faults:#?}");

    let sources = all_sources();
    let code = sources.iter().filter(|(path, _)| path.ends_with(".rs"));
    let words = code.flat_map(|(_, text)| text.split(|c: char| !c.is_alphanumeric() && c != '_')).collect();
    let mut paths: Vec<_> = sources.iter().map(|(path, _)| path.clone()).collect();
    paths.extend(files(&root().join("fixtures"), &[".json"]).iter().map(|file| file.to_string_lossy().into_owned()));
    let lost = lost_holders(&rules, &words, &paths);
    assert!(lost.is_empty(), "rules held by what is not in the code: {lost:#?}");
    let chapters = sources.iter().filter(|(path, _)| path.starts_with("docs/rules/"));
    let named = chapters.flat_map(|(_, text)| text.split('`').skip(1).step_by(2)).filter(|word| word.ends_with(".rs"));
    let gone: Vec<_> = named.filter(|file| !paths.iter().any(|path| path.ends_with(file))).collect();
    assert!(gone.is_empty(), "files that the chapters name and nobody finds: {gone:?}");
}

#[test]
fn every_citation_leads_to_a_rule_and_none_to_a_number() {
    let known: BTreeSet<_> = all_rules().into_iter().map(|rule| rule.name).collect();
    let (mut lost, mut cited) = (Vec::new(), 0);
    for (path, text) in all_sources() {
        let prose = prose_of(&path, &text);
        let names = cited_in(&prose);
        cited += names.len();
        lost.extend(names.iter().filter(|name| !known.contains(*name)).map(|name| format!("{path}: rule: {name}")));
        lost.extend(numbers_in(&prose).iter().map(|number| format!("{path}: {number}")));
    }
    assert!(cited > 200, "the sources were read: {cited} citations");
    assert!(lost.is_empty(), "citations that lead nowhere: {lost:#?}");
}

#[test]
fn the_rules_that_no_test_names_are_listed_and_become_fewer() {
    let sources = all_sources();
    let shown = sources.iter().flat_map(|(path, text)| cited_in(&prose_of(path, tests_in(path, text)))).collect();
    let rules = all_rules();
    let found = untested(&rules, &shown);
    let listed = read(&root().join(WITHOUT_A_TEST));
    let listed: Vec<_> = listed.lines().filter(|line| !line.starts_with('#')).collect();
    let new: Vec<_> = found.iter().filter(|name| !listed.contains(*name)).collect();
    assert!(new.is_empty(), "cite these rules in the tests that show them, or write such tests: {new:#?}");
    let done: Vec<_> = listed.iter().filter(|name| !found.contains(*name)).collect();
    assert!(done.is_empty(), "take these out of {WITHOUT_A_TEST}, for tests name them or they are gone: {done:#?}");
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAPTER: &str = "# Orders\n\n### cancel-window\n\nUntil the\ncut-off.\n\nSource: specification. Held by: `TABLE`,\n\
                           `machines/order.rs`.\n\n## Later\n\n### splits\n\nUnits.\n\nSource: this project's choice. Held by: \
                           not\nbuilt yet.\n";

    #[test]
    fn a_chapter_is_read_rule_by_rule() {
        let rules = rules_of("orders", CHAPTER);
        let names: Vec<_> = rules.iter().map(|rule| (rule.name.as_str(), rule.is_built())).collect();
        assert_eq!(names, [("orders/cancel-window", true), ("orders/splits", false)]);
        assert_eq!(rules[0].holders().collect::<Vec<_>>(), ["TABLE", "machines/order.rs"]);
        assert!(faults_of(&rules).is_empty());
    }

    #[test]
    fn each_fault_of_a_chapter_is_reported() {
        let rows = [
            (CHAPTER.replace("splits", "cancel-window"), "orders/cancel-window stands twice"),
            (CHAPTER.replace("### cancel-window", "### Cancel Window"), "is not written in small letters"),
            (CHAPTER.replace("Source: specification.", ""), "orders/cancel-window names no source"),
            (
                CHAPTER.replace("Held by: `TABLE`,\n`machines/order.rs`.", ""),
                "orders/cancel-window names nothing that holds it",
            ),
            (CHAPTER.replace("not\nbuilt yet", "somebody"), "orders/splits names nothing that holds it"),
        ];
        for (text, fault) in rows {
            let faults = faults_of(&rules_of("orders", &text));
            assert!(faults.iter().any(|fault_line| fault_line.contains(fault)), "{fault}: {faults:?}");
        }
    }

    #[test]
    fn a_holder_that_is_gone_is_reported() {
        let rules = rules_of("orders", CHAPTER);
        let (words, paths) = (BTreeSet::from(["TABLE"]), vec!["sim/src/machines/order.rs".to_owned()]);
        assert!(lost_holders(&rules, &words, &paths).is_empty());
        assert_eq!(lost_holders(&rules, &BTreeSet::new(), &paths), [("orders/cancel-window", "TABLE")]);
        let lost = [("orders/cancel-window", "machines/order.rs")];
        assert_eq!(lost_holders(&rules, &words, &[]), lost);
        let two = [&paths[..], &["else/machines/order.rs".to_owned()]].concat();
        assert_eq!(lost_holders(&rules, &words, &two), lost);
    }

    #[test]
    fn citations_are_found_in_every_form_and_nothing_else_is() {
        let rows: [(&str, &str, &[&str]); 8] = [
            ("a.rs", "/// It ends (rule: orders/cancel-window).", &["orders/cancel-window"]),
            ("a.rs", "//! Both (rule: money/rounding,\n//! wire/ids) hold", &["money/rounding", "wire/ids"]),
            ("a.rs", "    // As said (rule:\n    // wire/ids).", &["wire/ids"]),
            ("a.yaml", "# rule: orders/hold-lapses", &["orders/hold-lapses"]),
            ("a.rs", "// (rule: nowhere)", &["nowhere"]),
            ("a.rs", "fn show(rule: &Rule) {", &[]),
            ("a.rs", "// a rule: it parks orders", &[]),
            ("a.md", "`decisions 2.10`", &[]),
        ];
        for (path, text, names) in rows {
            assert_eq!(cited_in(&prose_of(path, text)), names, "{text}");
        }
        assert_eq!(
            numbers_in("see `decisions 1.6/93` and Decision 2.10; two decisions"),
            ["decisions 1.6/93", "Decision 2.10"]
        );
    }

    #[test]
    fn only_tests_show_rules_and_what_is_not_built_needs_none() {
        let rules = rules_of("orders", CHAPTER);
        let text = "//! (rule: orders/cancel-window)\n#[cfg(test)]\nmod tests { /* nothing */ }";
        for (path, silent) in [
            ("sim/src/x.rs", &["orders/cancel-window"][..]),
            ("sim/tests/x.rs", &[]),
            ("scenarios/oracle/src/check/x.rs", &[]),
        ] {
            let shown = cited_in(&prose_of(path, tests_in(path, text))).into_iter().collect();
            assert_eq!(untested(&rules, &shown), silent, "{path}");
        }
    }
}
