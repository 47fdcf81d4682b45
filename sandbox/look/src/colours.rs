//! The table of colours, and the pairs in which they meet.
//!
//! Invariant: each pair of [`PAIRS`] meets WCAG 2.2 AA in light and in dark: 4.5 to 1 for text, 3 to 1 for what is no text.

use std::fmt;

/// A colour under its name, as surfaces write it: `var(--name)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// Its name, without the dashes.
    pub name: &'static str,
    /// In light surroundings, as `#rrggbb`.
    pub light: &'static str,
    /// In dark ones.
    pub dark: &'static str,
    /// Where a person has forced colours: one of the system's.
    pub forced: &'static str,
    /// What it is for.
    pub about: &'static str,
}

/// Makes the table and its declarations from the same rows.
macro_rules! colours {
    ($($name:literal $light:literal $dark:literal $forced:literal $about:literal)*) => {
        /// Every colour.
        pub const COLOURS: &[Colour] = &[
            $(Colour { name: $name, light: $light, dark: $dark, forced: $forced, about: $about }),*
        ];
        /// The declarations of all of them.
        pub const COLOURS_DECLARED: &str = concat!(
            ":root {\n  color-scheme: light dark;\n",
            $("  --", $name, ": light-dark(", $light, ", ", $dark, ");\n",)*
            "}\n",
        );
        /// The same where colours are forced: drawings follow, too.
        pub(crate) const FORCED: &str = concat!(
            "@media (forced-colors: active) { :root, .eid {",
            $(" --", $name, ": ", $forced, ";",)*
            " } }\n",
        );
    };
}

#[rustfmt::skip]
colours! {
    "paper"         "#f5f4ef" "#10161b" "Canvas"        "what cards lie on"
    "card"          "#fffefb" "#181f26" "Canvas"        "cards, fields and bars"
    "sunk"          "#f0f1ec" "#11171c" "Canvas"        "code, panels, and what the pointer is over"
    "ink"           "#17212b" "#e7ebed" "CanvasText"    "text"
    "soft"          "#4d5964" "#a6b2bb" "CanvasText"    "text that explains"
    "line"          "#dcddd5" "#2e3842" "GrayText"      "lines between things"
    "edge"          "#7d8279" "#788591" "ButtonBorder"  "edges of fields and buttons"
    "accent"        "#0d5c53" "#6cc7b6" "LinkText"      "links, and the first button of a page"
    "accent-strong" "#0a4841" "#8ad6c7" "LinkText"      "the same below the pointer, and text on its tint"
    "accent-bg"     "#e4f0ec" "#1b332f" "Canvas"        "what is picked"
    "on-accent"     "#ffffff" "#06241f" "Canvas"        "text on the accent"
    "blue"          "#1f5fbf" "#84b4fb" "LinkText"      "the accent of surfaces on which green is a state"
    "blue-strong"   "#174a96" "#a5c8fc" "LinkText"      "the same below the pointer"
    "blue-bg"       "#e6eefb" "#1b2a3f" "Canvas"        "what is picked there"
    "on-blue"       "#ffffff" "#0a1626" "Canvas"        "text on it"
    "good"          "#12663f" "#77d3a1" "CanvasText"    "done, passed, accepted"
    "good-bg"       "#e2f2e9" "#15301f" "Canvas"        "behind it"
    "bad"           "#a3261c" "#ff9d90" "CanvasText"    "failed, refused, dangerous"
    "bad-bg"        "#fbeae7" "#3a1d1a" "Canvas"        "behind it"
    "held"          "#754b00" "#f0c265" "CanvasText"    "waits for somebody, was skipped"
    "held-bg"       "#fcf0d6" "#35280c" "Canvas"        "behind it"
    "banner"        "#f6dd9a" "#4a3a12" "Canvas"        "the bar that says what this place is, and what a link led to"
    "banner-ink"    "#4a3607" "#f8e2a8" "CanvasText"    "text on it"
    "focus"         "#1d4fd7" "#9dbbff" "Highlight"     "the ring around what has the focus"
    "plate"         "#ffffff" "#ffffff" "Canvas"        "below codes that a camera reads"
}

/// Makes the colours of the simulated identity and their declarations from the same rows.
macro_rules! identity {
    ($($name:literal $value:literal)*) => {
        /// What the simulated identity has instead, in light and in dark: it is another place, and looks like one.
        pub const IDENTITY: &[(&str, &str)] = &[$(($name, $value)),*];
        /// The declarations of these.
        pub const IDENTITY_DECLARED: &str =
            concat!(".eid {\n  color-scheme: dark;\n", $("  --", $name, ": ", $value, ";\n",)* "}\n");
    };
}

identity! {
    "card" "#16213f"
    "sunk" "#1c2950"
    "ink" "#eef2ff"
    "soft" "#b9c4e6"
    "line" "#34457c"
    "edge" "#8e9dcb"
    "accent" "#a9c0ff"
    "accent-strong" "#c6d5ff"
    "accent-bg" "#263668"
    "on-accent" "#111a35"
    "bad" "#ffb0a5"
    "bad-bg" "#3a2036"
    "focus" "#ffd166"
}

/// Whether what is in the colour is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairUse {
    /// Text.
    Text,
    /// An edge, a ring, a mark beside text.
    Shape,
}

impl PairUse {
    /// The contrast that WCAG 2.2 AA asks for.
    #[must_use]
    pub const fn wanted(self) -> f64 {
        match self {
            Self::Text => 4.5,
            Self::Shape => 3.0,
        }
    }
}

/// Each colour with those that it is seen on, and how.
pub const PAIRS: &[(&str, &[&str], PairUse)] = &[
    (
        "ink",
        &["paper", "card", "sunk", "accent-bg", "blue-bg", "good-bg", "bad-bg", "held-bg", "banner"],
        PairUse::Text,
    ),
    ("soft", &["paper", "card", "sunk", "accent-bg", "blue-bg"], PairUse::Text),
    ("accent", &["paper", "card", "sunk", "accent-bg"], PairUse::Text),
    ("accent-strong", &["paper", "card", "sunk", "accent-bg"], PairUse::Text),
    ("on-accent", &["accent", "accent-strong"], PairUse::Text),
    ("blue", &["paper", "card", "sunk", "blue-bg"], PairUse::Text),
    ("blue-strong", &["paper", "card", "sunk", "blue-bg"], PairUse::Text),
    ("on-blue", &["blue", "blue-strong"], PairUse::Text),
    ("good", &["paper", "card", "sunk", "good-bg"], PairUse::Text),
    ("bad", &["paper", "card", "sunk", "bad-bg"], PairUse::Text),
    ("held", &["paper", "card", "sunk", "held-bg"], PairUse::Text),
    ("card", &["good", "bad", "held"], PairUse::Text),
    ("banner-ink", &["banner"], PairUse::Text),
    ("edge", &["paper", "card", "sunk"], PairUse::Shape),
    ("focus", &["paper", "card", "sunk"], PairUse::Shape),
];

/// A colour by its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl fmt::Display for Rgb {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

impl Rgb {
    /// Reads `#rrggbb`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        let part = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
        Some(Self(part(0)?, part(2)?, part(4)?))
    }

    /// How far the two differ in brightness, from 1 to 21, as WCAG 2.2 computes it.
    #[must_use]
    pub fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }

    fn luminance(self) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }
}

/// What a colour is seen on, with the contrast in light and in dark.
pub fn pairs_of(name: &str) -> impl Iterator<Item = (&'static str, [f64; 2], PairUse)> {
    let rows = PAIRS.iter().filter(move |(of, ..)| *of == name);
    rows.flat_map(|(of, grounds, kind)| grounds.iter().map(move |on| (*on, contrasts(of, on), *kind)))
}

/// Light and dark; a name that the table does not have differs from nothing.
fn contrasts(one: &str, two: &str) -> [f64; 2] {
    let of = |name: &str| COLOURS.iter().find(|colour| colour.name == name);
    let (Some(one), Some(two)) = (of(one), of(two)) else { return [0.0; 2] };
    [(one.light, two.light), (one.dark, two.dark)]
        .map(|(one, two)| Rgb::read(one).zip(Rgb::read(two)).map_or(0.0, |(one, two)| one.contrast(two)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn contrast_is_what_wcag_computes() {
        for (one, two, expected) in [
            ("#000000", "#ffffff", 21.0),
            ("#ffffff", "#ffffff", 1.0),
            ("#767676", "#ffffff", 4.54),
            ("#777777", "#ffffff", 4.48),
        ] {
            let found = Rgb::read(one).zip(Rgb::read(two)).map(|(one, two)| one.contrast(two)).expect("two colours");
            assert!((found - expected).abs() < 0.01, "{one} on {two}: {found}");
        }
    }

    #[test]
    fn every_pair_meets_wcag_aa_in_light_and_in_dark() {
        let poor = PAIRS.iter().flat_map(|(name, ..)| {
            pairs_of(name)
                .filter(|(_, found, kind)| found.iter().any(|found| *found < kind.wanted()))
                .map(move |(on, found, _)| format!("{name} on {on}: {found:.2?}"))
        });
        assert_eq!(poor.collect::<Vec<_>>(), [""; 0]);
    }

    #[test]
    fn the_identity_meets_wcag_aa_wherever_it_has_both_colours_of_a_pair() {
        let of = |name: &str| IDENTITY.iter().find(|(known, _)| *known == name).and_then(|(_, value)| Rgb::read(value));
        let mut seen = 0;
        for (name, grounds, kind) in PAIRS {
            for on in *grounds {
                if let Some((one, two)) = of(name).zip(of(on)) {
                    seen += 1;
                    assert!(one.contrast(two) >= kind.wanted(), "{name} on {on}: {:.2}", one.contrast(two));
                }
            }
        }
        assert!(seen > 15, "{seen} pairs");
    }

    /// What `color-mix` gives: `share` percent of the first.
    fn mixed(one: Rgb, two: Rgb, share: u32) -> Rgb {
        let part = |one: u8, two: u8| (u32::from(one) * share + u32::from(two) * (100 - share)) / 100;
        let [red, green, blue] = [part(one.0, two.0), part(one.1, two.1), part(one.2, two.2)];
        Rgb::read(&format!("#{red:02x}{green:02x}{blue:02x}")).expect("a colour")
    }

    #[test]
    fn text_is_read_on_the_strongest_tints_that_reports_mix() {
        let of = |name: &str| COLOURS.iter().find(|colour| colour.name == name).expect("a colour");
        for (tint, share) in [("blue", 48), ("good", 28)] {
            for pick in [|colour: &Colour| colour.light, |colour: &Colour| colour.dark] {
                let [ink, card, tint] = ["ink", "card", tint].map(|name| Rgb::read(pick(of(name))).expect("a colour"));
                let found = ink.contrast(mixed(tint, card, share));
                assert!(found >= 4.5, "{share} % of {tint:?}: {found:.2}");
            }
        }
    }

    #[test]
    fn every_colour_is_in_a_pair_or_is_no_ground_for_anything() {
        let paired: BTreeSet<&str> = PAIRS.iter().flat_map(|(name, on, _)| on.iter().chain([name]).copied()).collect();
        let known: BTreeSet<&str> = COLOURS.iter().map(|colour| colour.name).collect();
        assert_eq!(known.len(), COLOURS.len(), "each name is there once");
        // Lines between things carry nothing; the plate is below pictures.
        let rest: Vec<_> = known.symmetric_difference(&paired).copied().collect();
        assert_eq!(rest, ["line", "plate"]);
        assert!(IDENTITY.iter().all(|(name, _)| known.contains(name)));
    }
}
