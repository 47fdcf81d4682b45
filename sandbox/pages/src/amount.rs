//! Amounts and shares as people type them, read by the language of the page (rule: journeys/typed-numbers).
//!
//! Invariant: what can mean two numbers is read as neither: three digits behind one mark are thousands on an English page behind a
//! comma (`1,500`), and refused otherwise, not guessed. Absent on purpose: bounds and decimals of what is read, which are the world's.

use super::lang::Lang;

/// What people write behind an amount, or before it.
pub const MONEY: &[&str] = &["kronor", "sek", "kr.", "kr", ":-", ",-", ".-"];

/// What they write behind a share.
pub const SHARE: &[&str] = &["%"];

/// Decimals of money and of shares. More of them mean something only when they are not all zeros.
const DECIMALS: usize = 2;

/// A text that is typed where a number is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// Nothing.
    Blank,
    /// A number, with a point before its decimals.
    Number(String),
    /// Something else.
    Unreadable,
}

/// Reads `text` as readers of `lang` write numbers; one of `units` may follow it.
#[must_use]
pub fn read(lang: Lang, text: &str, units: &[&str]) -> Typed {
    let text = text.trim();
    if text.is_empty() {
        return Typed::Blank;
    }
    let bare = without_unit(text, units);
    let (sign, bare) = match bare.strip_prefix(['-', '\u{2212}']) {
        Some(bare) => ("-", bare.trim_start()),
        None => ("", bare),
    };
    match number(lang, bare) {
        Some(number) => Typed::Number(format!("{sign}{number}")),
        None => Typed::Unreadable,
    }
}

/// The text without a unit at either end.
fn without_unit<'t>(text: &'t str, units: &[&str]) -> &'t str {
    let lower = text.to_ascii_lowercase();
    for unit in units {
        if lower.ends_with(*unit) {
            return text[..text.len() - unit.len()].trim_end();
        }
        if unit.starts_with(|c: char| c.is_ascii_alphabetic()) && lower.starts_with(*unit) {
            return text[unit.len()..].trim_start();
        }
    }
    text
}

fn number(lang: Lang, text: &str) -> Option<String> {
    let is_mark = |c: char| matches!(c, '.' | ',');
    let Some(at) = text.rfind(is_mark) else { return grouped(text, &[]) };
    let (before, after) = (&text[..at], &text[at + 1..]);
    let mark = if text[at..].starts_with('.') { '.' } else { ',' };
    let other = if mark == '.' { ',' } else { '.' };
    if before.contains(mark) {
        // Only groups have several marks of one kind.
        return if text.contains(other) { None } else { grouped(text, &[mark]) };
    }
    if after.len() == 3 && !before.contains(other) {
        // A thousand, or three decimals: only in English is a comma never anything but a thousand's.
        return if lang == Lang::En && mark == ',' { grouped(text, &[',']) } else { None };
    }
    let whole = grouped(before, &[other])?;
    // Zeros that nobody writes behind a decimal sign may have been meant as thousands.
    let padded = after.len() > DECIMALS && after.bytes().skip(DECIMALS).all(|digit| digit == b'0');
    (are_digits(after) && after.len() != 3 && !padded).then(|| format!("{whole}.{after}"))
}

/// Digits in groups of three behind spaces, or behind one of `marks`; or digits alone.
fn grouped(text: &str, marks: &[char]) -> Option<String> {
    let is_space = |c: char| c.is_whitespace() || matches!(c, '\u{202f}' | '\'' | '\u{2019}');
    let mark = text.chars().find(|c| is_space(*c) || marks.contains(c));
    let Some(mark) = mark else { return are_digits(text).then(|| text.to_owned()) };
    let is_mark = |c: char| if is_space(mark) { is_space(c) } else { c == mark };
    let mut groups = text.split(is_mark);
    let first = groups.next().filter(|first| are_digits(first) && first.len() <= 3 && !first.starts_with('0'))?;
    groups.try_fold(first.to_owned(), |number, group| (are_digits(group) && group.len() == 3).then(|| number + group))
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: journeys/typed-numbers)
    #[test]
    fn numbers_are_read_by_the_language_of_the_page_and_refused_when_they_could_mean_two() {
        let rows = [
            // typed, Swedish, English
            ("1500", Some("1500"), Some("1500")),
            ("1 500", Some("1500"), Some("1500")),
            ("1\u{a0}500", Some("1500"), Some("1500")),
            ("1\u{202f}500", Some("1500"), Some("1500")),
            ("1'500", Some("1500"), Some("1500")),
            ("1 500 kr", Some("1500"), Some("1500")),
            ("1500kr", Some("1500"), Some("1500")),
            ("1500:-", Some("1500"), Some("1500")),
            ("1 500,-", Some("1500"), Some("1500")),
            ("SEK 1 500", Some("1500"), Some("1500")),
            ("1500 SEK", Some("1500"), Some("1500")),
            ("1500 kronor", Some("1500"), Some("1500")),
            ("1500 kr.", Some("1500"), Some("1500")),
            ("150.0000", None, None),
            ("150,0000", None, None),
            ("33.3333", Some("33.3333"), Some("33.3333")),
            ("33,33 %", Some("33.33"), Some("33.33")),
            ("33.33 %", Some("33.33"), Some("33.33")),
            ("150,000", None, Some("150000")),
            ("1,500,000.50", Some("1500000.50"), Some("1500000.50")),
            ("1 500 000,50", Some("1500000.50"), Some("1500000.50")),
            ("1 500.50", Some("1500.50"), Some("1500.50")),
            ("1.500", None, None),
            ("1.500,00", Some("1500.00"), Some("1500.00")),
            ("1.500.000", Some("1500000"), Some("1500000")),
            ("1,500,000", Some("1500000"), Some("1500000")),
            ("1,500.000", None, None),
            ("1,5", Some("1.5"), Some("1.5")),
            ("1,50", Some("1.50"), Some("1.50")),
            ("1,500", None, Some("1500")),
            ("0,500", None, None),
            ("-5", Some("-5"), Some("-5")),
            ("\u{2212} 5 kr", Some("-5"), Some("-5")),
            ("15 00", None, None),
            ("1 5000", None, None),
            ("1,50,000", None, None),
            ("1 500,000", None, None),
            ("1..5", None, None),
            ("1e5", None, None),
            ("5-", None, None),
            ("--5", None, None),
            ("kr", None, None),
            ("fem", None, None),
            ("\u{661}\u{662}", None, None),
        ];
        for (text, sv, en) in rows {
            for (lang, expected) in [(Lang::Sv, sv), (Lang::En, en)] {
                let expected = expected.map_or(Typed::Unreadable, |number| Typed::Number(number.to_owned()));
                let units = if text.ends_with('%') { SHARE } else { MONEY };
                assert_eq!(read(lang, text, units), expected, "{text:?} in {lang:?}");
            }
        }
        for blank in ["", " ", "\u{a0}"] {
            assert_eq!(read(Lang::Sv, blank, MONEY), Typed::Blank);
        }
        assert_eq!(
            (read(Lang::Sv, "5 %", MONEY), read(Lang::Sv, "5 kr", SHARE)),
            (Typed::Unreadable, Typed::Unreadable)
        );
    }

    #[test]
    fn what_a_page_writes_it_reads() {
        for number in ["0", "5", "1500", "1234567.50", "0.25", "999999999.99"] {
            let value: rust_decimal::Decimal = number.parse().expect("a number");
            for lang in Lang::ALL {
                assert_eq!(read(lang, &lang.number(value), MONEY), Typed::Number(number.to_owned()), "{lang:?}");
            }
        }
    }
}
