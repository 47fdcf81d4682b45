//! Swedish organisation numbers, ten digits (rule: money/organisation-number).
//!
//! Owns: the form, the check digit and the group a number belongs to.
//! Invariant: an `OrganisationNumber` is ten digits; whether it also passes its check is a question of its own, since rules differ by use.
//! Absent on purpose: the twelve-digit form, sole traders (they use a personal number).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::luhn;
use crate::ids::IdError;
use crate::recorded::as_text;

/// What kind of organisation a number's first digit names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum LegalForm {
    /// 5: limited company.
    LimitedCompany,
    /// 7: economic association or housing society.
    EconomicAssociation,
    /// 8: non-profit association or foundation.
    NonProfit,
    /// 9: trading partnership.
    Partnership,
    /// Any other first digit.
    Other,
}

/// An organisation number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OrganisationNumber(u64);

impl OrganisationNumber {
    /// Reads ten digits; nothing else is checked.
    ///
    /// # Errors
    /// `IdError` for any other text.
    pub fn parse(text: &str) -> Result<OrganisationNumber, IdError> {
        if text.len() == 10 && text.bytes().all(|c| c.is_ascii_digit()) {
            Ok(OrganisationNumber(text.parse().expect("ten digits")))
        } else {
            Err(IdError)
        }
    }

    /// Whether the check digit is right.
    pub fn luhn_ok(&self) -> bool {
        luhn::is_valid(self.to_string().as_bytes())
    }

    /// Whether the third digit is 2 or more, as it must be so that no personal number looks the same.
    pub fn third_digit_ok(&self) -> bool {
        self.0 / 10_000_000 % 10 >= 2
    }

    /// The kind of organisation.
    pub fn legal_form(&self) -> LegalForm {
        match self.0 / 1_000_000_000 {
            5 => LegalForm::LimitedCompany,
            7 => LegalForm::EconomicAssociation,
            8 => LegalForm::NonProfit,
            9 => LegalForm::Partnership,
            _ => LegalForm::Other,
        }
    }
}

impl fmt::Display for OrganisationNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:010}", self.0)
    }
}

impl fmt::Debug for OrganisationNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

as_text!(OrganisationNumber, IdError);

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: money/organisation-number)
    #[test]
    fn fictive_numbers_pass_every_check_and_show_their_group() {
        for (text, form) in [
            ("5599900007", LegalForm::LimitedCompany),
            ("5599900015", LegalForm::LimitedCompany),
            ("5599900023", LegalForm::LimitedCompany),
            ("9699900008", LegalForm::Partnership),
            ("7699900002", LegalForm::EconomicAssociation),
            ("8029900001", LegalForm::NonProfit),
        ] {
            let number = OrganisationNumber::parse(text).unwrap();
            assert!(number.luhn_ok() && number.third_digit_ok(), "{text}");
            assert_eq!((number.legal_form(), number.to_string()), (form, text.to_string()));
        }
    }

    #[test]
    fn a_wrong_check_digit_is_read_and_reported() {
        let number = |text| OrganisationNumber::parse(text).unwrap();
        assert!(!number("5599900008").luhn_ok());
        assert!(!number("5519900007").third_digit_ok());
        assert_eq!(number("0299900007").legal_form(), LegalForm::Other);
    }

    #[test]
    fn other_than_ten_digits_is_refused() {
        for text in ["", "559990000", "165599900007", "559990-0007", "559990000x"] {
            assert_eq!(OrganisationNumber::parse(text), Err(IdError), "{text}");
        }
    }
}
