//! The style sheet that every surface puts before its own rules.

use super::colours::{DECLARED, DECLARED_IDENTITY, FORCED};

const PARTS: &str = include_str!("sheet.css");
const LENGTH: usize = DECLARED.len() + DECLARED_IDENTITY.len() + PARTS.len() + FORCED.len();

/// Colours, then type, spacing and parts.
pub const SHEET: &str = match str::from_utf8(&BYTES) {
    Ok(text) => text,
    Err(_) => panic!("texts put together are text"),
};

const BYTES: [u8; LENGTH] = {
    let parts = [DECLARED.as_bytes(), DECLARED_IDENTITY.as_bytes(), PARTS.as_bytes(), FORCED.as_bytes()];
    let (mut bytes, mut at, mut part) = ([0; LENGTH], 0, 0);
    while part < parts.len() {
        let mut from = 0;
        while from < parts[part].len() {
            bytes[at] = parts[part][from];
            (at, from) = (at + 1, from + 1);
        }
        part += 1;
    }
    bytes
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sheet_declares_each_colour_that_it_names_and_asks_for_no_file() {
        let named = SHEET.split("var(--").skip(1).filter_map(|rest| rest.split([')', ',']).next());
        for name in named {
            assert!(SHEET.contains(&format!("--{name}:")), "{name} is declared");
        }
        assert!(!SHEET.contains("url(") && !SHEET.contains("@import") && !SHEET.contains("</"));
    }

    #[test]
    fn the_sheet_is_small() {
        assert!(SHEET.len() < 9_000, "{} bytes", SHEET.len());
    }
}
