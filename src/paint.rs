//! Colour: whether a stream gets any, and which words of a result.
//!
//! Invariant: a stream that is no terminal stays plain unless a flag asks for colour; what is coloured is the same text.
//! Absent on purpose: the texts, which say the same without colour.

use clap::ValueEnum;
use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicU8, Ordering};

const RED: &str = "\x1b[31m";
const BOLD_RED: &str = "\x1b[1;31m";
const GREEN: &str = "\x1b[32m";
const YELLOW: &str = "\x1b[33m";
const CYAN: &str = "\x1b[36m";
const PLAIN: &str = "\x1b[0m";

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set; with CLICOLOR_FORCE elsewhere, too
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What the command line says.
static CHOICE: AtomicU8 = AtomicU8::new(Color::Auto as u8);

/// From here on it is as the command line says.
pub(crate) fn choose(color: Color) {
    CHOICE.store(color as u8, Ordering::Relaxed);
}

/// Whether a stream gets colour that is, or is not, a terminal.
pub(crate) fn is_wanted(is_terminal: bool) -> bool {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let forced = set("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    let dumb = set("TERM").is_some_and(|term| term == "dumb");
    let choice = match CHOICE.load(Ordering::Relaxed) {
        it if it == Color::Always as u8 => Color::Always,
        it if it == Color::Never as u8 => Color::Never,
        _ => Color::Auto,
    };
    decide(choice, set("NO_COLOR").is_some(), forced, is_terminal && !dumb)
}

const fn decide(choice: Color, is_unwanted: bool, is_forced: bool, is_terminal: bool) -> bool {
    match choice {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => !is_unwanted && (is_forced || is_terminal),
    }
}

/// Colours a result: each line by its first word.
pub(crate) fn painted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    for line in text.split_inclusive('\n') {
        let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
        let (coloured, style) = style(body);
        let at = body.len() - body.trim_start().len();
        let (before, rest) = body.split_at(at);
        let (coloured, rest) = rest.split_at(coloured.saturating_sub(at));
        if style.is_empty() || coloured.is_empty() {
            out.push_str(line);
        } else {
            out.extend([before, style, coloured, PLAIN, rest, end]);
        }
    }
    out
}

/// Colours a word of standard output by the status of an answer; without one the connection was dropped.
pub(crate) fn by_status(word: &str, status: Option<u16>) -> String {
    if !is_wanted(std::io::stdout().is_terminal()) {
        return word.to_owned();
    }
    let style = match status {
        Some(200..300) => GREEN,
        Some(300..400) => CYAN,
        Some(400..500) => YELLOW,
        _ => RED,
    };
    format!("{style}{word}{PLAIN}")
}

/// How many bytes of a line are coloured, from its first word on, and how.
fn style(line: &str) -> (usize, &'static str) {
    let words: [(&str, &str); 6] = [
        ("ok  ", GREEN),
        ("skip  ", YELLOW),
        ("FAIL  ", BOLD_RED),
        ("    again: ", CYAN),
        ("  repeat with: ", CYAN),
        ("            not visited: ", YELLOW),
    ];
    if let Some((word, style)) = words.iter().find(|(word, _)| line.starts_with(word)) {
        return (word.trim_end().len(), style);
    }
    if line.starts_with("seed ") && line.contains(" broke law ") {
        return (line.len(), BOLD_RED);
    }
    if let Some((_, rest)) = line.split_once(" passed, ") {
        let failed = !rest.starts_with("0 failed");
        return (line.find(';').unwrap_or(line.len()), if failed { BOLD_RED } else { GREEN });
    }
    // Lines of a difference: a number, a sign, what stood there.
    let mut parts = line.split_whitespace();
    let numbered = parts.next().is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    match (line.starts_with("      ") && numbered, parts.next()) {
        (true, Some("-")) => (line.len(), RED),
        (true, Some("+")) => (line.len(), GREEN),
        _ => (0, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_wins_then_no_color_then_force_then_the_terminal() {
        for (choice, unwanted, forced, terminal, expected) in [
            (Color::Auto, false, false, true, true),
            (Color::Auto, false, false, false, false),
            (Color::Auto, true, false, true, false),
            (Color::Auto, true, true, true, false),
            (Color::Auto, false, true, false, true),
            (Color::Always, true, false, false, true),
            (Color::Never, false, true, true, false),
        ] {
            assert_eq!(
                decide(choice, unwanted, forced, terminal),
                expected,
                "{choice:?} {unwanted} {forced} {terminal}"
            );
        }
    }

    #[test]
    fn colour_adds_nothing_but_itself() {
        let text = "ok    a.yaml  A story (3 ms)\nskip  b.yaml  B\nFAIL  c.yaml  C\n\n    c.yaml:1:2\n       7 - was\n       8 + is\n         = same\n    again: fundsim run c.yaml\n\
            2 passed, 1 failed; 3 d simulated\nseed 7 broke law 3, no negative cash\n            not visited: a row\nlast line";
        let coloured = painted(text);
        let plain = [RED, BOLD_RED, GREEN, YELLOW, CYAN, PLAIN]
            .iter()
            .fold(coloured.clone(), |text, code| text.replace(code, ""));
        assert_eq!(plain, text);
        for part in [
            "\x1b[32mok\x1b[0m    a.yaml",
            "\x1b[33mskip\x1b[0m",
            "\x1b[1;31mFAIL\x1b[0m  c",
            "       \x1b[31m7 - was\x1b[0m\n",
            "       \x1b[32m8 + is\x1b[0m\n",
            "    \x1b[36magain:\x1b[0m fundsim",
            "\x1b[1;31m2 passed, 1 failed\x1b[0m; 3 d",
        ] {
            assert!(coloured.contains(part), "{part:?} in {coloured:?}");
        }
    }
}
