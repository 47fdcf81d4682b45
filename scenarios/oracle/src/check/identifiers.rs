//! Check digits, reckoned anew: account numbers, IBANs, ISINs (laws 37 and 50).

use crate::model::figures::luhn;

/// A length digit and a Luhn digit at the end (rule: money/account-ref).
pub(super) fn is_account_number(text: &str) -> bool {
    let digits: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(10)).collect();
    let Some(digits) = digits.filter(|digits| digits.len() > 2) else { return false };
    let length = u32::try_from(digits.len() % 10).unwrap_or(0);
    luhn(&digits) && digits[digits.len() - 2] == length
}

/// The remainder of ISO 7064: the first four characters go to the end, letters count from ten.
pub(super) fn is_iban(text: &str) -> bool {
    if text.len() < 5 || !text.is_ascii() {
        return false;
    }
    let (head, tail) = text.split_at(4);
    let remainder = tail.chars().chain(head.chars()).try_fold(0, |sum: u32, c| {
        let digit = c.to_digit(36)?;
        Some(if digit > 9 { (sum * 100 + digit) % 97 } else { (sum * 10 + digit) % 97 })
    });
    remainder == Some(1)
}

/// An ISIN with its check digit, and three letters of a currency.
pub(super) fn is_instrument_id(text: &str) -> bool {
    if text.len() != 15 || !text.is_ascii() {
        return false;
    }
    let (isin, currency) = text.split_at(12);
    let mut digits = Vec::new();
    for c in isin.chars() {
        match c.to_digit(36) {
            Some(digit) if digit > 9 => digits.extend([digit / 10, digit % 10]),
            Some(digit) => digits.push(digit),
            None => return false,
        }
    }
    luhn(&digits) && isin[..2].chars().chain(currency.chars()).all(|c| c.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_number_ends_in_its_length_and_its_check_digit() {
        for (text, fine) in
            [("160367146695159", true), ("176722560000058", true), ("1234574", true), ("1234575", false), ("", false)]
        {
            assert_eq!(is_account_number(text), fine, "{text}");
        }
    }

    #[test]
    fn an_iban_leaves_one_and_one_with_a_digit_changed_does_not() {
        assert!(is_iban("SE4550000000058398257466"));
        assert!(is_iban("GB82WEST12345698765432"));
        for text in ["SE4550000000058398257467", "SE46", "", "SE45500000000583982574-6"] {
            assert!(!is_iban(text), "{text}");
        }
    }

    #[test]
    fn an_instrument_id_is_an_isin_and_a_currency() {
        for text in ["SE0SBX000016SEK", "LU0SBX000058EUR", "US0378331005USD"] {
            assert!(is_instrument_id(text), "{text}");
        }
        for text in ["SE0SBX000017SEK", "SE0SBX000016sek", "SE0SBX000016", "5E0SBX000016SEK"] {
            assert!(!is_instrument_id(text), "{text}");
        }
    }
}
