//! Texts that customers type into fields: numbers of people, companies and bank accounts, amounts, shares and dates (rule: journeys/typed-numbers).
//!
//! Invariant: blanks and dashes between groups, and a comma before decimals, are as people write them. Absent on purpose: numbers in
//! other notations, of which nothing is known.

use super::figures::luhn;
use sim::time::Date;
use std::sync::Arc;

/// Digits of a Swedish account number after its country, check digits included.
const SWEDISH: usize = 22;
/// Most digits before the decimals that are looked at.
const MOST_DIGITS: usize = 12;

/// Most characters of the name of an account.
pub(super) const LONGEST_ACCOUNT_NAME: usize = 50;
/// Most characters of the number of an account at a custodian.
pub(super) const LONGEST_ACCOUNT_NUMBER: usize = 34;

/// What is known of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Right,
    Wrong,
    Unknown,
}

impl Answer {
    pub(super) const fn of(is_right: bool) -> Self {
        if is_right { Self::Right } else { Self::Wrong }
    }

    /// Of several answers: one that is wrong is enough, and all must be right.
    pub(super) fn all(answers: impl IntoIterator<Item = Self>) -> Self {
        answers.into_iter().fold(Self::Right, |all, one| match (all, one) {
            (Self::Wrong, _) | (_, Self::Wrong) => Self::Wrong,
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Right, Self::Right) => Self::Right,
        })
    }
}

/// Texts that say something.
pub(super) fn filled(given: &[Arc<str>]) -> Vec<&str> {
    given.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect()
}

/// What the last of several texts says, as a form sends an unchecked box before a checked one.
pub(super) fn flag_of(texts: &[&str]) -> Option<bool> {
    match texts.last()?.to_ascii_lowercase().as_str() {
        "yes" | "true" | "on" => Some(true),
        "no" | "false" | "off" => Some(false),
        _ => None,
    }
}

fn are_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number without what stands between its groups.
pub(super) fn without_groups(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != '-').collect()
}

/// A number with two decimals at most, in hundredths; none of one in another notation.
pub(super) fn hundredths(text: &str) -> Option<i128> {
    let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let (whole, decimals) = plain.split_once([',', '.']).unwrap_or((&plain, "00"));
    let has_digits = |text: &str, most: usize| (1..=most).contains(&text.len()) && are_digits(text);
    let leads = whole.len() > 1 && whole.starts_with('0');
    if leads || !has_digits(whole, MOST_DIGITS) || !has_digits(decimals, 2) {
        return None;
    }
    let tens = if decimals.len() == 1 { 10 } else { 1 };
    Some(whole.parse::<i128>().ok()? * 100 + decimals.parse::<i128>().ok()? * tens)
}

/// Whether a text is a Swedish IBAN whose check digits fit.
pub(super) fn is_swedish_iban(text: &str) -> bool {
    let number = without_groups(text).to_ascii_uppercase();
    let Some(digits) = number.strip_prefix("SE") else { return false };
    if digits.len() != SWEDISH || !are_digits(digits) {
        return false;
    }
    let (check, account) = digits.split_at(2);
    if matches!(check, "00" | "01" | "99") {
        return false;
    }
    // S and E are 28 and 14, and come last with the check digits (ISO 13616).
    let rest =
        format!("{account}2814{check}").bytes().fold(0_u32, |rest, digit| (rest * 10 + u32::from(digit - b'0')) % 97);
    rest == 1
}

/// Whether a text is the number of an account at a custodian.
pub(super) fn is_account_number(text: &str) -> bool {
    let is_written = |byte: u8| byte.is_ascii_alphanumeric() || b" -./".contains(&byte);
    (1..=LONGEST_ACCOUNT_NUMBER).contains(&text.len()) && text.bytes().all(is_written) && text.trim() == text
}

/// The ten digits of a company's number.
pub(super) fn organisation_number(text: &str) -> Option<String> {
    let number = without_groups(text);
    (number.len() == 10 && are_digits(&number)).then_some(number)
}

/// Twelve digits: a day of this century or the last, and a check digit that fits. Of numbers that are given to people without one (whose day
/// is 60 higher) nothing is known.
pub(super) fn is_personal_number(text: &str) -> bool {
    let digits: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(10)).collect();
    let Some(digits) = digits.filter(|digits| digits.len() == 12) else { return false };
    let born = date(&format!("{}-{}-{}", &text[..4], &text[4..6], &text[6..8]));
    ["19", "20"].contains(&&text[..2]) && born.is_some() && luhn(&digits[2..])
}

/// The day that a text as YYYY-MM-DD names.
pub(super) fn date(text: &str) -> Option<Date> {
    let [year, month, day] = text.split('-').collect::<Vec<_>>().try_into().ok()?;
    let number = |part: &str, digits: usize| -> Option<i16> {
        (part.len() == digits && are_digits(part)).then(|| part.parse().ok())?
    };
    let small = |part: &str| number(part, 2).and_then(|number| i8::try_from(number).ok());
    Date::new(number(year, 4)?, small(month)?, small(day)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, number) in [
            ("25", Some(2_500)),
            ("1 000,5", Some(100_050)),
            ("0.01", Some(1)),
            ("", None),
            (".5", None),
            ("5.", None),
            ("1.234", None),
            ("-1", None),
            ("025", None),
            ("1e3", None),
        ] {
            assert_eq!(hundredths(text), number, "{text}");
        }
    }

    #[test]
    fn an_iban_is_swedish_has_its_digits_and_fits() {
        for (text, fits) in [
            ("SE45 5000 0000 0583 9825 7466", true),
            ("se4550000000058398257466", true),
            ("SE4650000000058398257466", false),
            ("SE455000000005839825746", false),
            ("DE89370400440532013000", false),
            // Its rest is 1, and no number has these check digits.
            ("SE0000000000000000000061", false),
            ("", false),
        ] {
            assert_eq!(is_swedish_iban(text), fits, "{text}");
        }
    }

    #[test]
    fn people_and_companies_have_numbers_of_twelve_and_ten_digits() {
        for (text, is_person) in
            [("199001012385", true), ("199001012384", false), ("9001012385", false), ("200002292399", true)]
        {
            assert_eq!(is_personal_number(text), is_person, "{text}");
        }
        for (text, number) in [("559990-0007", Some("5599900007")), ("55999000", None), ("55999000AB", None)] {
            assert_eq!(organisation_number(text).as_deref(), number, "{text}");
        }
    }

    #[test]
    fn a_date_has_ten_characters_and_names_a_day() {
        let day = |year, month, day| Date::new(year, month, day).ok();
        for (text, named) in [
            ("2028-02-29", day(2028, 2, 29)),
            ("2027-02-29", None),
            ("2027-2-09", None),
            ("27-02-09", None),
            ("2027-02-09 ", None),
            ("", None),
        ] {
            assert_eq!(date(text), named, "{text}");
        }
    }
}
