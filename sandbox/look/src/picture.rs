//! Colours of pictures that are drawn without a style sheet: each with its counterpart in the dark.
//!
//! Invariant: each colour is used for one thing; kinds are distinct for people who see colours differently. Absent on purpose: how a
//! picture is drawn, and its shapes.

use super::colours::Rgb;

/// A colour of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ink {
    /// What it is for.
    pub name: &'static str,
    /// In light surroundings.
    pub light: Rgb,
    /// In dark ones.
    pub dark: Rgb,
}

const fn rgb(value: u32) -> Rgb {
    let [_, red, green, blue] = value.to_be_bytes();
    Rgb(red, green, blue)
}

/// Makes the colours and the list of them from the same rows.
macro_rules! inks {
    ($($ink:ident $name:literal $light:literal $dark:literal)*) => {
        $(
            #[doc = concat!("For ", $name, ".")]
            pub const $ink: Ink = Ink { name: $name, light: rgb($light), dark: rgb($dark) };
        )*
        /// Every colour of pictures, with the paper first.
        pub const INKS: &[Ink] = &[$($ink),*];
    };
}

#[rustfmt::skip]
inks! {
    PAPER        "behind everything"              0xFF_FF_FF 0x0D_11_17
    TEXT         "headings and figures"           0x1F_29_33 0xE6_ED_F3
    QUIET        "what explains"                  0x5B_67_75 0x9B_A7_B4
    GRID         "lines of the scales"            0xE4_E8_ED 0x21_29_33
    RULE         "ends of quarters, and zero"     0xAE_B8_C3 0x4A_55_62
    VALUE        "what the account is worth"      0x00_72_B2 0x4F_B0_EA
    VALUE_BELOW  "the same, below the line"       0xD9_E9_F4 0x10_2C_42
    BALANCE      "cash"                           0x22_22_22 0xF0_F0_F0
    DEPOSIT      "money from outside"             0x00_9E_73 0x2B_C4_98
    WITHDRAWAL   "money that leaves"              0xD5_5E_00 0xFF_8F_3F
    FEE          "fees and taxes"                 0xAA_44_99 0xE2_82_D0
    RETROCESSION "what fund companies give back"  0xB0_7F_00 0xF0_C8_4B
    OTHER        "any other money"                0x77_77_77 0xA8_A8_A8
    BUY          "orders that buy"                0x00_5A_8E 0x78_C4_F2
    SELL         "orders that sell"               0xB8_4A_00 0xFF_A5_66
    ACTION       "splits, mergers, liquidations"  0x7A_2E_6E 0xF0_A6_E2
    GOOD         "what went well"                 0x1B_7F_4B 0x4C_C3_8A
    BAD          "what failed, and holidays"      0xB4_23_18 0xFF_8A_80
    WAIT         "what waits, or is held"         0x95_5F_00 0xE8_B3_39
    BAND         "boxes and bands below words"    0xF1_F4_F7 0x16_1D_27
    SHADE        "days on which nothing is dealt" 0xE0_E4_EA 0x2A_32_3D
    HEAT_1       "taken once or more"             0xE6_F1_F8 0x12_22_31
    HEAT_2       "ten times"                      0xCF_E4_F2 0x14_2E_45
    HEAT_3       "a hundred times"                0xB5_D6_EB 0x17_3B_5A
    HEAT_4       "a thousand times"               0x9A_C7_E4 0x1B_49_70
    HEAT_5       "ten thousand times"             0x80_B8_DC 0x20_58_86
    HEAT_6       "a hundred thousand times"       0x68_A9_D4 0x26_66_9A
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What lies below words or lines.
    fn is_ground(ink: &Ink) -> bool {
        [VALUE_BELOW, BAND, SHADE, HEAT_1, HEAT_2, HEAT_3, HEAT_4, HEAT_5, HEAT_6].contains(ink)
    }

    fn contrasts(one: &Ink, two: &Ink) -> [f64; 2] {
        [(one.light, two.light), (one.dark, two.dark)].map(|(one, two)| one.contrast(two))
    }

    #[test]
    fn what_is_drawn_differs_from_the_paper_by_3_to_1_but_for_grounds_and_rules() {
        for ink in &INKS[1..] {
            let found = contrasts(&PAPER, ink);
            let is_faint = found.iter().any(|found| *found < 3.0);
            assert_eq!(is_faint, is_ground(ink) || [GRID, RULE].contains(ink), "{}: {found:.2?}", ink.name);
        }
    }

    #[test]
    fn text_is_read_on_every_ground() {
        for ground in INKS.iter().filter(|ink| is_ground(ink)) {
            let found = contrasts(&TEXT, ground);
            assert!(found.iter().all(|found| *found >= 4.5), "{}: {found:.2?}", ground.name);
        }
    }

    #[test]
    fn no_two_inks_have_one_value() {
        for (at, ink) in INKS.iter().enumerate() {
            let is_other = |other: &Ink| other.light != ink.light && other.dark != ink.dark;
            assert!(INKS[at + 1..].iter().all(is_other), "{}", ink.name);
        }
    }
}
