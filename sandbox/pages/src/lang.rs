//! Which language a page speaks, and how it writes numbers and days.
//!
//! Invariant: the language is in every address a page links to, so that nothing has to be remembered. Absent on purpose:
//! cookies, and the wordings themselves.

use drawing::pdf::Language;
use rust_decimal::Decimal;
use sim::time::Date;

/// A language of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lang {
    /// Swedish: what most end customers of a Swedish platform read.
    Sv,
    /// English.
    En,
}

impl Lang {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Sv, Self::En];

    /// The tag of BCP 47, as `lang` attributes and addresses spell it.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::Sv => "sv",
            Self::En => "en",
        }
    }

    /// What the language calls itself.
    #[must_use]
    pub const fn own_name(self) -> &'static str {
        match self {
            Self::Sv => "Svenska",
            Self::En => "English",
        }
    }

    /// The language to switch to.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Sv => Self::En,
            Self::En => Self::Sv,
        }
    }

    /// The same language on a document.
    #[must_use]
    pub const fn on_paper(self) -> Language {
        match self {
            Self::Sv => Language::Swedish,
            Self::En => Language::English,
        }
    }

    /// The language with that tag.
    #[must_use]
    pub fn tagged(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lang| lang.tag() == tag)
    }

    /// The language for a browser that asks for `accept` (`Accept-Language`): the one it likes best of ours; English when
    /// it likes neither, Swedish when it says nothing.
    #[must_use]
    pub fn negotiated(accept: Option<&str>) -> Self {
        let Some(accept) = accept.map(str::trim).filter(|text| !text.is_empty()) else { return Self::Sv };
        let mut best: Option<(u16, Self)> = None;
        for (tag, weight) in accept.split(',').take(32).filter_map(weighed) {
            let Some(lang) = Self::tagged(tag) else { continue };
            if weight > 0 && best.is_none_or(|(most, _)| weight > most) {
                best = Some((weight, lang));
            }
        }
        best.map_or(Self::En, |(_, lang)| lang)
    }

    /// A number with the language's decimal sign and groups of three, which do not break over lines.
    #[must_use]
    pub fn number(self, value: Decimal) -> String {
        let text = value.abs().to_string();
        let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
        let (group, point) = match self {
            Self::Sv => ('\u{a0}', ','),
            Self::En => (',', '.'),
        };
        let mut written = String::from(if value.is_sign_negative() && !value.is_zero() { "\u{2212}" } else { "" });
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && (whole.len() - at) % 3 == 0 {
                written.push(group);
            }
            written.push(digit);
        }
        if !part.is_empty() {
            written.push(point);
            written.push_str(part);
        }
        written
    }

    /// An amount with both decimals.
    #[must_use]
    pub fn money(self, mut value: Decimal) -> String {
        value.rescale(2);
        self.number(value)
    }

    /// A day in words.
    #[must_use]
    pub fn day(self, date: Date) -> String {
        const SV: [&str; 12] = [
            "januari",
            "februari",
            "mars",
            "april",
            "maj",
            "juni",
            "juli",
            "augusti",
            "september",
            "oktober",
            "november",
            "december",
        ];
        const EN: [&str; 12] = [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ];
        let names = match self {
            Self::Sv => SV,
            Self::En => EN,
        };
        let month = usize::try_from(date.month()).unwrap_or(1).clamp(1, 12);
        format!("{}\u{a0}{}\u{a0}{}", date.day(), names[month - 1], date.year())
    }
}

/// The primary tag of a language range with its weight in thousandths (RFC 9110, 12.4.2); `None` when it is malformed.
fn weighed(range: &str) -> Option<(&str, u16)> {
    let mut parts = range.split(';');
    let tag = parts.next()?.trim();
    let primary = tag.split('-').next()?;
    let weight = match parts.next().map(str::trim) {
        None => 1000,
        Some(text) => thousandths(text.strip_prefix("q=").or_else(|| text.strip_prefix("Q="))?)?,
    };
    // Tags are compared without case; ours are two letters long.
    let known = Lang::ALL.into_iter().find(|lang| lang.tag().eq_ignore_ascii_case(primary));
    Some((known.map_or("", Lang::tag), weight))
}

fn thousandths(text: &str) -> Option<u16> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if part.len() > 3 || !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part: u16 = format!("{part:0<3}").parse().ok()?;
    match whole {
        "0" => Some(part),
        "1" if part == 0 => Some(1000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_get_the_language_they_like_best() {
        let rows = [
            (None, Lang::Sv),
            (Some(""), Lang::Sv),
            (Some("sv"), Lang::Sv),
            (Some("SV-FI"), Lang::Sv),
            (Some("sv-SE,sv;q=0.9,en;q=0.8"), Lang::Sv),
            (Some("en-GB,en;q=0.9,sv;q=0.8"), Lang::En),
            (Some("de, en;q=0.3, sv;q=0.5"), Lang::Sv),
            (Some("de-AT,de"), Lang::En),
            (Some("sv;q=0, en;q=0.1"), Lang::En),
            (Some("sv;q=0"), Lang::En),
            (Some("sv;q=high,en;q=0.2"), Lang::En),
            (Some("*"), Lang::En),
        ];
        for (accept, expected) in rows {
            assert_eq!(Lang::negotiated(accept), expected, "{accept:?}");
        }
    }

    #[test]
    fn numbers_are_written_as_the_language_writes_them() {
        let rows = [
            ("0", "0", "0"),
            ("999", "999", "999"),
            ("1000", "1\u{a0}000", "1,000"),
            ("1234567.50", "1\u{a0}234\u{a0}567,50", "1,234,567.50"),
            ("-12.5", "\u{2212}12,5", "\u{2212}12.5"),
        ];
        for (value, sv, en) in rows {
            let value: Decimal = value.parse().expect("a number");
            assert_eq!((Lang::Sv.number(value).as_str(), Lang::En.number(value).as_str()), (sv, en));
        }
    }
}
