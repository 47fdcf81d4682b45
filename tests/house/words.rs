//! Plain words: those of a private dialect stay out of every name, and out of comments.
//!
//! Owns: these words with what to write instead, and what in a source is a name or a comment. Invariant: no name is exempt; a
//! field whose written form needs such a word has another name and `rename`. Absent on purpose: texts and documents, and
//! sources in other languages; `docs/contributing/style.md` is about all of them.

use super::{files, read, root};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;

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

/// Words that no comment has, in small letters, and what to write instead.
const COMMENT_DIALECT: &[(&str, &str)] = &[
    ("be had", "what is done: be read, be given, be fetched"),
    ("comes of", "follows; or the outcome"),
    ("heard", "received; or called with"),
    ("hence", "so"),
    ("is had", "who has it, or what is done: is read, is given"),
    ("thereby", "by that; or nothing"),
    ("told", "what is done: sent, listed, shown, reported, recorded"),
    ("whoever", "the role: caller, partner, receiver, reader"),
];

/// Folders whose names and comments are checked.
const FOLDERS: &[&str] = &[
    "benches",
    "fuzz",
    "sandbox/deliveries",
    "sandbox/drawing",
    "sandbox/feed",
    "sandbox/guide",
    "sandbox/hosting",
    "sandbox/instances",
    "sandbox/look",
    "sandbox/pages",
    "sandbox/rare",
    "sandbox/src",
    "sandbox/store",
    "sandbox/surface",
    "sandbox/testing",
    "sandbox/tests",
    "sandbox/wire",
    "scenarios",
    "sim",
    "src",
    "tests",
];

/// Folders whose messages are findings, which people read who do not know the types.
const FINDINGS: &[&str] = &["scenarios/fuzz/src/host", "scenarios/fuzz/src/network", "scenarios/oracle/src"];

/// The names in `tokens`, those within groups included: of what is defined there and of what is used.
fn names(tokens: TokenStream, found: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                found.insert(name.to_string());
            }
            TokenTree::Group(group) => names(group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// A name in lower case with `_` between and around its words. A word begins at a capital that no other comes before.
fn words_of(name: &str) -> String {
    let (mut words, mut was_capital) = (String::from("_"), true);
    for letter in name.chars() {
        if letter.is_uppercase() && !was_capital && !words.ends_with('_') {
            words.push('_');
        }
        was_capital = letter.is_uppercase();
        words.extend(letter.to_lowercase());
    }
    words.push('_');
    words
}

/// What is wrong with the names in a source: each name once, in the order of the alphabet.
fn faults_of(source: &str) -> Vec<String> {
    let mut found = BTreeSet::new();
    names(source.parse().expect("the sources are tokens"), &mut found);
    let fault = |name: &String| {
        let words = words_of(name);
        let (word, instead) = DIALECT.iter().find(|(word, _)| words.contains(&format!("_{word}_")))?;
        Some(format!(" `{name}` has `{word}`: write {instead}"))
    };
    found.iter().filter_map(fault).collect()
}

/// Length in bytes of what a source that is not empty begins with: a comment, a word, a text, a letter in quotes, or one sign.
fn first_piece(source: &str) -> usize {
    let behind = |from: usize, mark: &str| source[from..].find(mark).map_or(source.len(), |at| from + at + mark.len());
    let word = source.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(source.len());
    let hashes = source[word..].bytes().take_while(|byte| *byte == b'#').count();
    if matches!(&source[..word], "r" | "br" | "cr") && source[word + hashes..].starts_with('"') {
        return behind(word + hashes + 1, &format!("\"{}", "#".repeat(hashes)));
    }
    if word > 0 {
        return word;
    }
    let mut signs = source.chars();
    match (signs.next(), signs.next(), signs.next()) {
        (Some('/'), Some('/'), _) => source.find('\n').unwrap_or(source.len()),
        (Some('/'), Some('*'), _) => behind(2, "*/"),
        (Some('"'), ..) => text_length(source),
        (Some('\''), Some('\\'), _) => behind(3, "'"),
        (Some('\''), Some(letter), Some('\'')) => 2 + letter.len_utf8(),
        (sign, ..) => sign.map_or(0, char::len_utf8),
    }
}

/// Length in bytes of the text in quotes that a source begins with.
fn text_length(source: &str) -> usize {
    let mut is_escaped = false;
    let end = source.char_indices().skip(1).find(|(_, letter)| {
        let is_end = *letter == '"' && !is_escaped;
        is_escaped = *letter == '\\' && !is_escaped;
        is_end
    });
    end.map_or(source.len(), |(at, _)| at + 1)
}

/// The words of the comments of a source in order, in small letters, each with its line, counted from 1.
fn comment_words(source: &str) -> Vec<(usize, String)> {
    let (mut words, mut line, mut rest) = (Vec::new(), 1, source);
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(first_piece(rest));
        if piece.starts_with("//") || piece.starts_with("/*") {
            for (at, text) in (line..).zip(piece.lines()) {
                let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|part| !part.is_empty());
                words.extend(parts.map(|part| (at, part.to_lowercase())));
            }
        }
        line += piece.matches('\n').count();
        rest = after;
    }
    words
}

/// What is wrong with the comments of a source, each fault after the line in which it begins. Two words may be on two lines.
fn comment_faults_of(source: &str) -> Vec<String> {
    let words = comment_words(source);
    let mut faults = Vec::new();
    for (at, (line, _)) in words.iter().enumerate() {
        let is_here = |dialect: &str| {
            let mut next = words[at..].iter();
            dialect.split(' ').all(|part| next.next().is_some_and(|(other, word)| word == part && other - line <= 1))
        };
        let found = COMMENT_DIALECT.iter().find(|(dialect, _)| is_here(dialect));
        faults.extend(found.map(|(dialect, instead)| format!("{line}: `{dialect}`: write {instead}")));
    }
    faults
}

/// Lines of a source whose text shows a value in its debug form, those of tests left out.
fn debug_forms_of(source: &str) -> Vec<String> {
    let tests = source.find("#[cfg(test)]\nmod tests").unwrap_or(source.len());
    let product = source[..tests].lines().enumerate();
    let shown = product.filter(|(_, line)| line.contains(":?}") || line.contains(":#?}"));
    shown.map(|(at, line)| format!("{}: {}", at + 1, line.trim())).collect()
}

/// What `faults_of` finds in the sources of all of `folders`, each fault after its file.
fn faults_of_all(folders: &[&str], faults_of: fn(&str) -> Vec<String>) -> String {
    let mut faults = Vec::new();
    for file in folders.iter().flat_map(|folder| files(&root().join(folder), &[".rs"])) {
        let place = file.strip_prefix(root()).unwrap_or(&file).display().to_string();
        faults.extend(faults_of(&read(&file)).into_iter().map(|fault| format!("{place}:{fault}")));
    }
    faults.join("\n")
}

#[test]
fn names_are_plain_words() {
    assert_eq!(faults_of_all(FOLDERS, faults_of), "", "names that have words of a dialect");
}

#[test]
fn comments_have_plain_words() {
    assert_eq!(faults_of_all(FOLDERS, comment_faults_of), "", "comments that have words of a dialect");
}

#[test]
fn findings_have_no_debug_forms() {
    assert_eq!(faults_of_all(FINDINGS, debug_forms_of), "", "write it as the API does: `oracle::model::words`");
}

#[test]
fn a_debug_form_is_reported_with_its_line_and_none_of_a_test() {
    let source = "let a = 1;\nformat!(\"{a:?} is {}\", b);\nformat!(\"{a:#?}\");\n#[cfg(test)]\nmod tests { assert!(a, \"{a:?}\"); }\n";
    assert_eq!(debug_forms_of(source), ["2: format!(\"{a:?} is {}\", b);", "3: format!(\"{a:#?}\");"]);
}

#[test]
fn every_folder_with_sources_is_checked() {
    let place = |file: &std::path::Path| file.strip_prefix(root()).unwrap_or(file).display().to_string();
    let is_known = |file: &String| FOLDERS.iter().any(|folder| file.starts_with(&format!("{folder}/")));
    let strange: Vec<_> =
        files(root(), &[".rs"]).iter().map(|file| place(file)).filter(|file| !is_known(file)).collect();
    assert!(strange.is_empty(), "put their folders into `FOLDERS`: {strange:?}");
}

#[test]
fn a_dialect_word_is_reported_with_what_to_write_instead() {
    let source = "
        // let told is a comment, and \"let tell\" is a text.
        fn is_told(stranger: &Feed) { let (kept, said) = stranger.parts(); }
        mod hence { pub struct WhoeverAsks { pub untold_events: u8 } const TELL: &str = \"let told\"; }
        enum Closing { Said(u8), Asked { doubt: bool } }
        impl Feed { fn intelligible(&self) {} fn twinned(&self) {} fn time_goes_on(&self) {} fn goes(&self) { self.heard() } }
    ";
    let expected = [
        ("Said", "said"),
        ("TELL", "tell"),
        ("WhoeverAsks", "whoever"),
        ("doubt", "doubt"),
        ("heard", "heard"),
        ("hence", "hence"),
        ("is_told", "told"),
        ("said", "said"),
        ("stranger", "stranger"),
        ("time_goes_on", "goes_on"),
        ("untold_events", "untold"),
    ];
    let written = |word| DIALECT.iter().find(|(dialect, _)| *dialect == word).expect("a word of the dialect").1;
    let expected = expected.map(|(name, word)| format!(" `{name}` has `{word}`: write {}", written(word)));
    assert_eq!(faults_of(source), expected);
}

#[test]
fn a_dialect_word_of_a_comment_is_reported_with_its_line_and_none_of_a_text_or_a_name() {
    let source = r##"//! Whoever asks.
const TOLD: &str = "// told \" // told"; // Told twice.
fn heard<'a>() { (r#"/* "heard" */"#, '"', '\'', br"\", "//"); } // `is_told`, untold
/// What comes
/// of it, and goes.
/* then hence
and thereby */ fn told() {}
"##;
    let expected = [
        "1: `whoever`: write the role: caller, partner, receiver, reader",
        "2: `told`: write what is done: sent, listed, shown, reported, recorded",
        "4: `comes of`: write follows; or the outcome",
        "6: `hence`: write so",
        "7: `thereby`: write by that; or nothing",
    ];
    assert_eq!(comment_faults_of(source), expected);
}
