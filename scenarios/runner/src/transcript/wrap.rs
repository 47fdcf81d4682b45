//! Long lines, broken into lines that fit a screen.
//!
//! Invariant: nothing is left out. The lines after the first begin with a deeper indentation.

/// Longest line of a transcript, in characters.
const LONGEST: usize = 200;
/// What each further line begins with.
pub(super) const INDENT: &str = "      ";

/// The lines of `text`: one, or several where it is long or breaks itself.
pub(super) fn wrapped(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for (at, part) in text.split('\n').enumerate() {
        let mut rest = part;
        let mut indent = if at == 0 { "" } else { INDENT };
        loop {
            let room = LONGEST - indent.len();
            let Some((end, _)) = rest.char_indices().nth(room) else {
                lines.push(format!("{indent}{rest}"));
                break;
            };
            // After the last space or comma that fits; a word that is longer than the line is broken inside.
            let begin = rest.len() - rest.trim_start().len();
            let end = if rest[end..].starts_with(' ') { end + 1 } else { end };
            let end = rest[..end].rfind([' ', ',']).filter(|at| *at > begin).map_or(end, |at| at + 1);
            lines.push(format!("{indent}{}", rest[..end].trim_end()));
            rest = &rest[end..];
            indent = INDENT;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_breaks_after_a_word_or_a_comma_and_a_long_word_inside() {
        assert_eq!(wrapped("  < 200"), ["  < 200"]);
        let words = "word ".repeat(100);
        let lines = wrapped(words.trim_end());
        assert!(lines.len() == 3 && lines.iter().all(|line| line.len() <= LONGEST), "{lines:?}");
        assert!(lines[1].starts_with("      word") && lines[0].ends_with("word"), "{lines:?}");
        let body = format!("  > POST /order {}", "\"key\":1,".repeat(100));
        assert!(wrapped(&body).iter().all(|line| line.ends_with(',')), "{:?}", wrapped(&body));
        let letters = format!("  > {}", "ö".repeat(500));
        let lines = wrapped(&letters);
        assert_eq!(lines.iter().map(|line| line.matches('ö').count()).sum::<usize>(), 500);
        assert!(lines.iter().all(|line| line.chars().count() <= LONGEST), "{lines:?}");
    }

    #[test]
    fn a_line_with_a_break_of_its_own_continues_indented() {
        assert_eq!(wrapped("  < 200 a:\nb\nc"), ["  < 200 a:", "      b", "      c"]);
    }
}
