//! The style sheet that every surface puts before its own rules, and the parts of it for pages that carry their sheet with them.

use super::colours::{COLOURS_DECLARED, FORCED, IDENTITY_DECLARED};

/// Type, and the parts that every surface has.
pub const BASE: &str = include_str!("base.css");
const READING: &str = include_str!("reading.css");
const LENGTH: usize = COLOURS_DECLARED.len() + IDENTITY_DECLARED.len() + BASE.len() + READING.len() + FORCED.len();

/// All of it: colours, then type, spacing and parts.
pub const SHEET: &str = match str::from_utf8(&BYTES) {
    Ok(text) => text,
    Err(_) => panic!("texts put together are text"),
};

const BYTES: [u8; LENGTH] = {
    let parts = [
        COLOURS_DECLARED.as_bytes(),
        IDENTITY_DECLARED.as_bytes(),
        BASE.as_bytes(),
        READING.as_bytes(),
        FORCED.as_bytes(),
    ];
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
