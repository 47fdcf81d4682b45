//! Colours are declared in `sandbox/look` alone.
//!
//! Owns: how a colour is recognised in a style sheet, a script and a source. Absent on purpose: sources of tests, and contrast, which
//! `look` computes.

use super::{files, read, root};

/// Functions of CSS that make a colour of numbers.
const MADE_OF_NUMBERS: [&str; 5] = ["rgb(", "rgba(", "hsl(", "hsla(", "oklch("];

/// The colours that `text` declares. In a source, a number sign begins one only at the start of a literal or of a value.
fn declared(text: &str, is_source: bool) -> Vec<String> {
    let mut found = Vec::new();
    for mark in ["#", "%23"] {
        for (at, _) in text.match_indices(mark) {
            let rest = &text[at + mark.len()..];
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-').unwrap_or(rest.len());
            let is_begun = !is_source || text[..at].ends_with(['"', '\'', ':', ' ', '(']);
            let digits = &rest[..length];
            if is_begun && [3, 4, 6, 8].contains(&length) && digits.chars().all(|c| c.is_ascii_hexdigit()) {
                found.push(format!("{mark}{digits}"));
            }
        }
    }
    for made in MADE_OF_NUMBERS {
        for (at, _) in text.match_indices(made) {
            if !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
                found.push(made.to_owned());
            }
        }
    }
    found
}

/// The bytes of colours that a source writes as three numbers of two digits each.
fn triples(text: &str) -> Vec<[u8; 3]> {
    let byte = |text: &str| u8::from_str_radix(text.trim().strip_prefix("0x")?, 16).ok();
    let groups = text.split('(').skip(1).filter_map(|rest| rest.split_once(')')).map(|(inside, _)| inside);
    let triple = |inside: &str| {
        let bytes: Option<Vec<u8>> = inside.split(',').map(byte).collect();
        bytes?.try_into().ok()
    };
    groups.filter_map(triple).collect()
}

#[test]
fn no_surface_declares_a_colour_of_its_own() {
    let (mut seen, mut own) = (0, Vec::new());
    for folder in ["sandbox", "scenarios", "src"] {
        for file in files(&root().join(folder), &[".css", ".js", ".rs"]) {
            let path = file.strip_prefix(root()).expect("below the root").display().to_string();
            if path.starts_with("sandbox/look/") || path.contains("tests") {
                continue;
            }
            seen += usize::from(path.ends_with(".css"));
            let whole = read(&file);
            let text = whole.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            let is_source = path.ends_with(".rs");
            own.extend(declared(text, is_source).into_iter().map(|colour| format!("{path}: {colour}")));
            if is_source {
                own.extend(triples(text).into_iter().map(|triple| format!("{path}: {triple:02x?}")));
            }
        }
    }
    assert!(seen >= 9, "the style sheets were read: {seen}");
    assert!(own.is_empty(), "declare it in sandbox/look and name it: {own:#?}");
}

#[test]
fn a_colour_is_found_in_each_way_in_which_it_can_be_written() {
    for (text, is_source, expected) in [
        ("a { color: #fff; fill: #0d5c53 }", false, 2),
        ("#index { color: var(--ink) } #main, .a:hover {}", false, 0),
        ("background: rgb(1 2 3 / 4%); color: hsl(1 2% 3%)", false, 2),
        ("color: color-mix(in srgb, var(--blue) 8%, transparent)", false, 0),
        (r##"rect fill="#0d5c53" {}"##, true, 1),
        ("data:image/svg+xml, fill='%230d5c53'", true, 1),
        ("#[test] page.set_fill_rgb(r, g, b) href={ \"#\" (id) }", true, 0),
    ] {
        assert_eq!(declared(text, is_source).len(), expected, "{text}");
    }
    assert_eq!(triples("Ink { light: (0xFF, 0x00, 0x9E), dark: (1, 2, 3) }"), [[0xFF, 0x00, 0x9E]]);
}
