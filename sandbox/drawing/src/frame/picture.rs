//! What a picture is: facts that are drawn for a screen of some width, written for a terminal, and read as JSON.
//!
//! Invariant: all three are made of the same facts. Absent on purpose: where facts come from, and which pictures there are.

use serde::Serialize;

/// A picture.
pub trait Picture: Serialize {
    /// As an SVG document that is laid out for so wide a screen.
    fn svg(&self, width: Width) -> String;

    /// The same as a part of a page, under an id of letters, digits and hyphens that nothing else of the page has.
    fn part(&self, id: &str, width: Width) -> String;

    /// As text of at most a hundred columns, with the same numbers.
    fn text(&self) -> String;
}

/// How wide a picture is, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width(i32);

impl Width {
    /// On a desk, unless a reader says otherwise.
    pub const USUAL: Self = Self(1_200);
    /// On a phone.
    pub const PHONE: Self = Self(390);
    /// In a page on a phone, between its edges.
    pub const PHONE_COLUMN: Self = Self(352);
    /// The narrowest and the widest.
    pub const LIMITS: (i32, i32) = (320, 1_600);

    /// Below this a picture is laid out for a phone.
    const NARROW: i32 = 720;

    /// A width within its limits.
    #[must_use]
    pub fn new(pixels: i32) -> Option<Self> {
        let (least, most) = Self::LIMITS;
        (least..=most).contains(&pixels).then_some(Self(pixels))
    }

    /// In pixels.
    #[must_use]
    pub const fn pixels(self) -> i32 {
        self.0
    }

    /// Whether it is that of a phone.
    #[must_use]
    pub const fn is_narrow(self) -> bool {
        self.0 < Self::NARROW
    }
}
