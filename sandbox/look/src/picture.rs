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

const fn ink(name: &'static str, light: u32, dark: u32) -> Ink {
    const fn rgb(value: u32) -> Rgb {
        let [_, red, green, blue] = value.to_be_bytes();
        Rgb(red, green, blue)
    }
    Ink { name, light: rgb(light), dark: rgb(dark) }
}

/// Every colour of pictures, with the paper first.
pub const INKS: &[Ink] = &[
    ink("paper", 0xFF_FF_FF, 0x0D_11_17),
    ink("headings and figures", 0x1F_29_33, 0xE6_ED_F3),
    ink("what explains", 0x5B_67_75, 0x9B_A7_B4),
    ink("lines of the scales", 0xE4_E8_ED, 0x21_29_33),
    ink("ends of quarters, and zero", 0xAE_B8_C3, 0x4A_55_62),
    ink("what the account is worth", 0x00_72_B2, 0x4F_B0_EA),
    ink("the same, below the line", 0xD9_E9_F4, 0x10_2C_42),
    ink("cash", 0x22_22_22, 0xF0_F0_F0),
    ink("money from outside", 0x00_9E_73, 0x2B_C4_98),
    ink("money that leaves", 0xD5_5E_00, 0xFF_8F_3F),
    ink("fees and taxes", 0xAA_44_99, 0xE2_82_D0),
    ink("what fund companies give back", 0xB0_7F_00, 0xF0_C8_4B),
    ink("any other money", 0x77_77_77, 0xA8_A8_A8),
    ink("orders that buy", 0x00_5A_8E, 0x78_C4_F2),
    ink("orders that sell", 0xB8_4A_00, 0xFF_A5_66),
    ink("splits, mergers, liquidations", 0x7A_2E_6E, 0xF0_A6_E2),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_differs_from_the_paper_by_3_to_1_and_from_other_inks() {
        let [paper, rest @ ..] = INKS else { panic!("inks") };
        let faint = ["lines of the scales", "ends of quarters, and zero", "the same, below the line"];
        for (at, ink) in rest.iter().enumerate() {
            let found = [(paper.light, ink.light), (paper.dark, ink.dark)].map(|(one, two)| one.contrast(two));
            let is_faint = found.iter().any(|found| *found < 3.0);
            assert_eq!(is_faint, faint.contains(&ink.name), "{}: {found:.2?}", ink.name);
            assert!(
                rest[at + 1..].iter().all(|other| other.light != ink.light && other.dark != ink.dark),
                "{}",
                ink.name
            );
        }
    }
}
