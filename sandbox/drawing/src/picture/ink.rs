//! The colours of a picture, for light and for dark surroundings.
//!
//! Invariant: each colour is used for one thing, so that its value alone decides its counterpart in the dark; kinds are
//! distinct for people who see colours differently, and distinct by shape and direction as well.

use plotters::style::RGBColor;

/// A colour and its counterpart in the dark.
pub(super) struct Ink {
    light: (u8, u8, u8),
    dark: (u8, u8, u8),
}

/// Behind everything.
pub(super) const PAPER: Ink = Ink { light: (0xFF, 0xFF, 0xFF), dark: (0x0D, 0x11, 0x17) };
/// Headings and figures.
pub(super) const TEXT: Ink = Ink { light: (0x1F, 0x29, 0x33), dark: (0xE6, 0xED, 0xF3) };
/// What explains.
pub(super) const QUIET: Ink = Ink { light: (0x5B, 0x67, 0x75), dark: (0x9B, 0xA7, 0xB4) };
/// Lines of the scales.
pub(super) const GRID: Ink = Ink { light: (0xE4, 0xE8, 0xED), dark: (0x21, 0x29, 0x33) };
/// Ends of quarters, and zero.
pub(super) const RULE: Ink = Ink { light: (0xAE, 0xB8, 0xC3), dark: (0x4A, 0x55, 0x62) };
/// What the account is worth.
pub(super) const VALUE: Ink = Ink { light: (0x00, 0x72, 0xB2), dark: (0x4F, 0xB0, 0xEA) };
/// The same, below the line.
pub(super) const VALUE_BELOW: Ink = Ink { light: (0xD9, 0xE9, 0xF4), dark: (0x10, 0x2C, 0x42) };
/// Cash.
pub(super) const BALANCE: Ink = Ink { light: (0x22, 0x22, 0x22), dark: (0xF0, 0xF0, 0xF0) };
/// Money from outside.
pub(super) const DEPOSIT: Ink = Ink { light: (0x00, 0x9E, 0x73), dark: (0x2B, 0xC4, 0x98) };
/// Money that leaves.
pub(super) const WITHDRAWAL: Ink = Ink { light: (0xD5, 0x5E, 0x00), dark: (0xFF, 0x8F, 0x3F) };
/// Fees and taxes.
pub(super) const FEE: Ink = Ink { light: (0xAA, 0x44, 0x99), dark: (0xE2, 0x82, 0xD0) };
/// What fund companies give back.
pub(super) const RETROCESSION: Ink = Ink { light: (0xB0, 0x7F, 0x00), dark: (0xF0, 0xC8, 0x4B) };
/// Any other money.
pub(super) const OTHER: Ink = Ink { light: (0x77, 0x77, 0x77), dark: (0xA8, 0xA8, 0xA8) };
/// Orders that buy.
pub(super) const BUY: Ink = Ink { light: (0x00, 0x5A, 0x8E), dark: (0x78, 0xC4, 0xF2) };
/// Orders that sell.
pub(super) const SELL: Ink = Ink { light: (0xB8, 0x4A, 0x00), dark: (0xFF, 0xA5, 0x66) };
/// Splits, mergers, liquidations.
pub(super) const ACTION: Ink = Ink { light: (0x7A, 0x2E, 0x6E), dark: (0xF0, 0xA6, 0xE2) };

/// All of them.
pub(super) const ALL: [&Ink; 16] = [
    &PAPER,
    &TEXT,
    &QUIET,
    &GRID,
    &RULE,
    &VALUE,
    &VALUE_BELOW,
    &BALANCE,
    &DEPOSIT,
    &WITHDRAWAL,
    &FEE,
    &RETROCESSION,
    &OTHER,
    &BUY,
    &SELL,
    &ACTION,
];

impl Ink {
    /// As the chart draws it.
    pub(super) const fn colour(&self) -> RGBColor {
        RGBColor(self.light.0, self.light.1, self.light.2)
    }

    /// As the document spells it in the light.
    pub(super) fn in_light(&self) -> String {
        spelt(self.light)
    }

    /// And in the dark.
    pub(super) fn in_dark(&self) -> String {
        spelt(self.dark)
    }
}

fn spelt((red, green, blue): (u8, u8, u8)) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}
