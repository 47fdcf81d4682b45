//! Plain names: words of a private dialect stay out of the names of functions and types.
//!
//! Owns: those words with what to write instead, and how many names of each crate still have one. Absent on purpose: names of
//! fields and variables, and comments; `docs/contributing/style.md` is about all of them.

use super::{files, read, root};
use proc_macro2::{TokenStream, TokenTree};

/// Words that no name has, and what to write instead.
const DIALECT: &[(&str, &str)] = &[
    ("comes_of", "an outcome: `PaymentOutcome`"),
    ("doubt", "what is not known: `Unanswered`"),
    ("goes_on", "continues, resumes or has_not_ended"),
    ("heard", "receives: `received_events`"),
    ("hence", "nothing: the name does without it"),
    ("mischief", "what is done: `adverse_step`"),
    ("said", "what is shown or written: `phrase_text`"),
    ("stands", "a state: `present_state`; or is, lies, continues"),
    ("stranger", "who it is: `other_client`"),
    ("tell", "what is done: emit, send, list, show, print, report"),
    ("tells", "what is done: emits, sends, lists, shows, reports"),
    ("thereby", "nothing: the name does without it"),
    ("told", "what is done: emitted, sent, listed, shown, reported"),
    ("twin", "`fork`, or `reference_world`"),
    ("untold", "not sent or not announced: `unannounced_inputs`"),
    ("weather", "what changes: `NetworkChange`"),
    ("whoever", "the role: caller, partner, receiver, owner"),
];

/// Folders whose names are checked, and how many of them may still have such a word: a number that only falls.
const FOLDERS: &[(&str, usize)] = &[
    ("benches", 0),
    ("fuzz", 0),
    ("sandbox/deliveries", 0),
    ("sandbox/drawing", 0),
    ("sandbox/feed", 0),
    ("sandbox/hosting", 0),
    ("sandbox/pages", 0),
    ("sandbox/src", 0),
    ("sandbox/surface", 0),
    ("sandbox/testing", 0),
    ("sandbox/tests", 0),
    ("sandbox/wire", 0),
    ("scenarios", 0),
    ("sim", 0),
    ("src", 0),
    ("tests", 0),
];

/// What a name in the source text follows.
const KEYWORDS: [&str; 5] = ["fn", "struct", "enum", "trait", "type"];

/// Names of the functions and types that `tokens` define, those within groups included.
fn names(tokens: TokenStream, found: &mut Vec<String>) {
    let mut is_defined = false;
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                if is_defined {
                    found.push(name.to_string());
                }
                is_defined = KEYWORDS.iter().any(|keyword| name == keyword);
            }
            TokenTree::Group(group) => {
                names(group.stream(), found);
                is_defined = false;
            }
            _ => is_defined = false,
        }
    }
}

/// A name in lower case with `_` between and around its words.
fn words_of(name: &str) -> String {
    let mut words = String::from("_");
    for letter in name.chars() {
        if letter.is_uppercase() && !words.ends_with('_') {
            words.push('_');
        }
        words.extend(letter.to_lowercase());
    }
    words.push('_');
    words
}

/// What is wrong with the names in a source.
fn faults_of(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    names(source.parse().expect("the sources are tokens"), &mut found);
    let fault = |name: &String| {
        let words = words_of(name);
        let (word, instead) = DIALECT.iter().find(|(word, _)| words.contains(&format!("_{word}_")))?;
        Some(format!("`{name}` has `{word}`: write {instead}"))
    };
    found.iter().filter_map(fault).collect()
}

#[test]
fn functions_and_types_have_plain_names() {
    for (folder, most) in FOLDERS {
        let mut faults = Vec::new();
        for file in files(&root().join(folder), &[".rs"]) {
            let place = file.strip_prefix(root()).unwrap_or(&file).display().to_string();
            faults.extend(faults_of(&read(&file)).into_iter().map(|fault| format!("{place}: {fault}")));
        }
        let count = faults.len();
        assert!(count <= *most, "{folder} has {count} such names, at most {most} may be left:\n{}", faults.join("\n"));
    }
}

#[test]
fn every_folder_with_sources_is_checked() {
    let place = |file: &std::path::Path| file.strip_prefix(root()).unwrap_or(file).display().to_string();
    let is_known = |file: &String| FOLDERS.iter().any(|(folder, _)| file.starts_with(&format!("{folder}/")));
    let strange: Vec<_> =
        files(root(), &[".rs"]).iter().map(|file| place(file)).filter(|file| !is_known(file)).collect();
    assert!(strange.is_empty(), "put their folders into `FOLDERS`: {strange:?}");
}

#[test]
fn a_dialect_word_is_reported_with_what_to_write_instead() {
    let source = "
        // fn told() is a comment, and \"fn tell\" is a text.
        fn is_told() {}
        mod inner { pub struct WhoeverAsks; const TELL: &str = \"fn tell\"; }
        impl Feed { fn intelligible(&self) {} fn twinned(&self) {} fn time_goes_on(&self) {} fn goes(&self) { self.told() } }
    ";
    let expected = [
        "`is_told` has `told`: write what is done: emitted, sent, listed, shown, reported",
        "`WhoeverAsks` has `whoever`: write the role: caller, partner, receiver, owner",
        "`time_goes_on` has `goes_on`: write continues, resumes or has_not_ended",
    ];
    assert_eq!(faults_of(source), expected);
}
