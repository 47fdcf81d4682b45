//! The colours of a picture, for light and for dark surroundings.
//!
//! Owns: how a colour of the one look is written in an SVG. Invariant: no two colours have one value, so that the value alone decides the counterpart in the dark; kinds are
//! distinct for people who see colours differently, and distinct by shape and direction as well.

use plotters::style::RGBColor;

/// A colour and its counterpart in the dark.
pub(crate) struct Ink(look::picture::Ink);

/// Colours of the one look, under the names that they have there.
macro_rules! inks {
    ($($ink:ident)*) => { $(pub(crate) const $ink: Ink = Ink(look::picture::$ink);)* };
}

inks! {
    PAPER TEXT QUIET GRID RULE VALUE VALUE_BELOW BALANCE DEPOSIT WITHDRAWAL FEE RETROCESSION OTHER BUY SELL ACTION
    GOOD BAD WAIT BAND SHADE
    HEAT_1 HEAT_2 HEAT_3 HEAT_4 HEAT_5 HEAT_6
}

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
    /// As the chart draws it.
    pub(crate) const fn colour(&self) -> RGBColor {
        let look::Rgb(red, green, blue) = self.0.light;
        RGBColor(red, green, blue)
    }

    /// As the document spells it in the light.
    pub(crate) fn in_light(&self) -> String {
        spelt(self.0.light)
    }

    /// And in the dark.
    pub(crate) fn in_dark(&self) -> String {
        spelt(self.0.dark)
    }
}

fn spelt(look::Rgb(red, green, blue): look::Rgb) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}
