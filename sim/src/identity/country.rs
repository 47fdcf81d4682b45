//! Countries: which codes there are, as ISO 3166-1 lists them.
//!
//! Invariant: a country is two capital letters of the standard's table. Absent on purpose: names in other languages than
//! the standard's English, and codes that anybody may use as they like (`XK`, `ZZ`).

use rust_iso3166::{ALL_ALPHA2, from_alpha2};

/// Whether `code` names a country (rule: wire/countries).
#[must_use]
pub fn is_country(code: &str) -> bool {
    from_alpha2(code).is_some()
}

/// What the standard calls the country.
#[must_use]
pub fn english_name(code: &str) -> Option<&'static str> {
    from_alpha2(code).map(|country| country.name)
}

/// All codes there are.
pub fn codes() -> impl Iterator<Item = &'static str> {
    ALL_ALPHA2.iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: wire/countries)
    #[test]
    fn countries_are_the_two_capital_letters_of_the_standard() {
        for code in ["SE", "NO", "US", "AX", "SS"] {
            assert!(is_country(code), "{code}");
        }
        for code in ["", "S", "se", "Se", "SWE", "752", "XK", "ZZ", "UK", "EU", "S1", "SE "] {
            assert!(!is_country(code), "{code}");
        }
        assert_eq!(codes().count(), 249);
        assert!(codes().all(|code| is_country(code) && english_name(code).is_some()));
    }
}
