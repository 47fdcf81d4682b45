//! The colours of a picture, for light and for dark surroundings.
//!
//! Invariant: no two colours have one value, so that the value alone decides the counterpart in the dark; kinds are
//! distinct for people who see colours differently, and distinct by shape and direction as well.

use plotters::style::RGBColor;

/// A colour and its counterpart in the dark.
pub(crate) struct Ink {
    light: (u8, u8, u8),
    dark: (u8, u8, u8),
}

/// Behind everything.
pub(crate) const PAPER: Ink = Ink { light: (0xFF, 0xFF, 0xFF), dark: (0x0D, 0x11, 0x17) };
/// Headings and figures.
pub(crate) const TEXT: Ink = Ink { light: (0x1F, 0x29, 0x33), dark: (0xE6, 0xED, 0xF3) };
/// What explains.
pub(crate) const QUIET: Ink = Ink { light: (0x5B, 0x67, 0x75), dark: (0x9B, 0xA7, 0xB4) };
/// Lines of the scales.
pub(crate) const GRID: Ink = Ink { light: (0xE4, 0xE8, 0xED), dark: (0x21, 0x29, 0x33) };
/// Ends of quarters, and zero.
pub(crate) const RULE: Ink = Ink { light: (0xAE, 0xB8, 0xC3), dark: (0x4A, 0x55, 0x62) };
/// What the account is worth.
pub(crate) const VALUE: Ink = Ink { light: (0x00, 0x72, 0xB2), dark: (0x4F, 0xB0, 0xEA) };
/// The same, below the line.
pub(crate) const VALUE_BELOW: Ink = Ink { light: (0xD9, 0xE9, 0xF4), dark: (0x10, 0x2C, 0x42) };
/// Cash.
pub(crate) const BALANCE: Ink = Ink { light: (0x22, 0x22, 0x22), dark: (0xF0, 0xF0, 0xF0) };
/// Money from outside.
pub(crate) const DEPOSIT: Ink = Ink { light: (0x00, 0x9E, 0x73), dark: (0x2B, 0xC4, 0x98) };
/// Money that leaves.
pub(crate) const WITHDRAWAL: Ink = Ink { light: (0xD5, 0x5E, 0x00), dark: (0xFF, 0x8F, 0x3F) };
/// Fees and taxes.
pub(crate) const FEE: Ink = Ink { light: (0xAA, 0x44, 0x99), dark: (0xE2, 0x82, 0xD0) };
/// What fund companies give back.
pub(crate) const RETROCESSION: Ink = Ink { light: (0xB0, 0x7F, 0x00), dark: (0xF0, 0xC8, 0x4B) };
/// Any other money.
pub(crate) const OTHER: Ink = Ink { light: (0x77, 0x77, 0x77), dark: (0xA8, 0xA8, 0xA8) };
/// Orders that buy.
pub(crate) const BUY: Ink = Ink { light: (0x00, 0x5A, 0x8E), dark: (0x78, 0xC4, 0xF2) };
/// Orders that sell.
pub(crate) const SELL: Ink = Ink { light: (0xB8, 0x4A, 0x00), dark: (0xFF, 0xA5, 0x66) };
/// Splits, mergers, liquidations.
pub(crate) const ACTION: Ink = Ink { light: (0x7A, 0x2E, 0x6E), dark: (0xF0, 0xA6, 0xE2) };

/// What went well.
pub(crate) const GOOD: Ink = Ink::new((0x1B, 0x7F, 0x4B), (0x4C, 0xC3, 0x8A));
/// What failed, and holidays.
pub(crate) const BAD: Ink = Ink::new((0xB4, 0x23, 0x18), (0xFF, 0x8A, 0x80));
/// What waits, or is held.
pub(crate) const WAIT: Ink = Ink::new((0x95, 0x5F, 0x00), (0xE8, 0xB3, 0x39));
/// Boxes and bands that lie below words.
pub(crate) const BAND: Ink = Ink::new((0xF1, 0xF4, 0xF7), (0x16, 0x1D, 0x27));
/// The same for days on which nothing is dealt.
pub(crate) const SHADE: Ink = Ink::new((0xE0, 0xE4, 0xEA), (0x2A, 0x32, 0x3D));

/// Those of an account's life.
pub(crate) const OF_ACCOUNT: [&Ink; 16] = [
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

/// Those of most pictures.
pub(crate) const COMMON: [&Ink; 21] = {
    let mut all = [&PAPER; 21];
    let mut at = 0;
    while at < OF_ACCOUNT.len() {
        all[at] = OF_ACCOUNT[at];
        at += 1;
    }
    [all[16], all[17], all[18], all[19], all[20]] = [&GOOD, &BAD, &WAIT, &BAND, &SHADE];
    all
};

impl Ink {
    /// A colour in the light, and in the dark, each as red, green and blue.
    pub(crate) const fn new(light: (u8, u8, u8), dark: (u8, u8, u8)) -> Self {
        Self { light, dark }
    }

    /// As the chart draws it.
    pub(crate) const fn colour(&self) -> RGBColor {
        RGBColor(self.light.0, self.light.1, self.light.2)
    }

    /// As the document spells it in the light.
    pub(crate) fn in_light(&self) -> String {
        spelt(self.light)
    }

    /// And in the dark.
    pub(crate) fn in_dark(&self) -> String {
        spelt(self.dark)
    }
}

fn spelt((red, green, blue): (u8, u8, u8)) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}
