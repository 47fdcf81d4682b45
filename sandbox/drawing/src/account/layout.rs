//! Where the parts of the picture are: beside each other on a desk, below each other on a phone.
//!
//! Invariant: all of it is in pixels, and legends have room for all of their marks. Absent on purpose: what is drawn.

use std::ops::Range;

/// Where everything is.
pub(super) struct Layout {
    /// Width and height.
    pub(super) size: (i32, i32),
    /// The sides of both panels.
    pub(super) left: i32,
    pub(super) right: i32,
    /// What it is worth.
    pub(super) worth: Range<i32>,
    /// Orders that buy, and that sell.
    pub(super) buys: i32,
    pub(super) sells: i32,
    /// What came and went.
    pub(super) flows: Range<i32>,
    /// The base lines of the headings of both panels, and of the legend at the foot.
    pub(super) headings: [i32; 3],
    pub(super) is_narrow: bool,
}

impl Layout {
    pub(super) const DESK: Self = Self {
        size: (1_200, 764),
        left: 96,
        right: 1_104,
        worth: 122..408,
        buys: 440,
        sells: 466,
        flows: 526..684,
        headings: [96, 506, 746],
        is_narrow: false,
    };

    /// On a phone so wide, below a heading, with room for the widest figure of a scale.
    pub(super) const fn of_phone(wide: i32, heading: i32, figure: i32) -> Self {
        const EDGE: i32 = 12;
        let above = heading + 30;
        // Two lines of legend, and the names of quarters.
        let worth = above + 64..above + 254;
        let (buys, sells) = (worth.end + 30, worth.end + 54);
        let between = sells + 42;
        // Three lines of legend.
        let flows = between + 78..between + 218;
        // Days and years, then two lines of legend below the base line, which has no heading.
        let foot = flows.end + 42;
        Self {
            size: (wide, foot + 54),
            left: EDGE + figure + 9,
            right: wide - EDGE,
            worth,
            buys,
            sells,
            flows,
            headings: [above, between, foot],
            is_narrow: true,
        }
    }
}
